"""Signed updates, the difference between two catalogues, and consultations of an older one."""

from __future__ import annotations

import base64
import errno
import io
import json
import shutil
from dataclasses import replace
from datetime import date
from decimal import Decimal
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from catalog import load, updates
from catalog.catalog import Catalog
from catalog.commands import plan
from catalog.commands.grammar import make_parser
from catalog.consultation.open import open_consultation
from catalog.diff import Change, Kind, about, diff
from catalog.diff_words import field_words, line
from catalog.disk import DiskError
from catalog.keys import Publisher, fingerprint
from catalog.load import load_catalog
from catalog.recompute import changes_since, used_ids
from catalog.updates import UpdateError
from catalog.versions import DATA_FOLDER, active_data_folder, applied_versions, find_version, set_applied
from engine.plan.recommend import recommend
from engine.pricing import guide_price
from engine.wording.translator import Language
from resources import translations

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
KEYS = {fingerprint(KEY.public_key()): Publisher("Publisher", KEY.public_key())}


def newer(folder: Path, version: str = "2027-01-15") -> Path:
    """A catalogue folder of a later date with one other rate, one other power and one price more."""
    data = folder / f"data-{version}"
    shutil.copytree(DATA_FOLDER, data)
    _replace(data / "rules.yaml", 'version: "2026-11-30"', f'version: "{version}"')
    _replace(data / "exchange_rates.yaml", '"1.1206"', '"1.2000"')
    _replace(
        data / "cards.yaml",
        "power_w: {value: 350, unit: W, source: vendor_specs",
        "power_w: {value: 340, unit: W, source: vendor_specs",
    )
    row = (
        '  - {item: l4, amount: "2400", currency: EUR, kind: street, includes_vat: false, as_of: "2026-11-29", '
        "source: spark, grade: C}\n"
    )
    path = data / "prices.yaml"
    path.write_text(path.read_text(encoding="utf-8") + row, encoding="utf-8")
    return data


def _replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def package(folder: Path, version: str = "2027-01-15") -> Path:
    path = folder / f"{version}{updates.SUFFIX}"
    path.write_bytes(updates.build(newer(folder, version), KEY))
    return path


def changed(path: Path, change: dict[str, Any]) -> Path:
    wrapped = json.loads(path.read_text(encoding="ascii")) | change
    path.write_text(json.dumps(wrapped), encoding="ascii")
    return path


def test_that_an_update_is_previewed_applied_and_taken_back(bundled: Catalog, tmp_path: Path) -> None:
    user = tmp_path / "user"
    found = updates.verify(package(tmp_path), KEYS)
    assert (found.version, found.signer) == ("2027-01-15", "Publisher")
    previewed = updates.preview(found, bundled, user)
    told = {(change.kind, change.part, change.item_id, change.field) for change in previewed.changes}
    assert told == {
        (Kind.CHANGED, "cards", "l40s", "power_w"),
        (Kind.ADDED, "prices", "l4", "price"),
        (Kind.REMOVED, "rates", "exchange_rates", "rate"),
        (Kind.ADDED, "rates", "exchange_rates", "rate"),
    }
    assert load_catalog(user).version == "2026-11-30"
    updates.apply(found, user)
    assert load_catalog(user).version == "2027-01-15"
    assert load_catalog(user).facts.cards["l40s"].power_w.value == 340
    assert updates.revert(user) == ""
    assert load_catalog(user).version == "2026-11-30"
    assert not list((user / "catalogues").glob(".new-*"))


def test_that_two_updates_are_taken_back_one_by_one(bundled: Catalog, tmp_path: Path) -> None:
    user = tmp_path / "user"
    for version in ("2027-01-15", "2027-02-01.2"):
        updates.apply(updates.verify(package(tmp_path, version), KEYS), user)
    assert load_catalog(user).version == "2027-02-01.2"
    assert updates.revert(user) == "2027-01-15"
    assert load_catalog(user).version == "2027-01-15"
    assert updates.revert(user) == ""
    assert load_catalog(user).facts == bundled.facts


def test_that_an_older_package_is_refused_unless_wanted(bundled: Catalog, tmp_path: Path) -> None:
    found = updates.verify(package(tmp_path, "2026-11-30"), KEYS)
    with pytest.raises(UpdateError, match="the one in use is of 2026-11-30"):
        updates.preview(found, bundled, tmp_path)
    assert updates.preview(found, bundled, tmp_path, allow_older=True).changes


def test_that_an_unsigned_package_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UpdateError, match="not signed"):
        updates.verify(changed(package(tmp_path), {"signature": ""}), KEYS)


def test_that_a_changed_package_is_refused(tmp_path: Path) -> None:
    path = package(tmp_path)
    payload = base64.b64decode(json.loads(path.read_text(encoding="ascii"))["payload"]).replace(b"1.2000", b"0.9000")
    with pytest.raises(UpdateError, match="signature does not match"):
        updates.verify(changed(path, {"payload": base64.b64encode(payload).decode()}), KEYS)


def test_that_a_stranger_cannot_sign(tmp_path: Path) -> None:
    path = tmp_path / "x.passform-update"
    path.write_bytes(updates.build(newer(tmp_path), Ed25519PrivateKey.generate()))
    with pytest.raises(UpdateError, match="not trusted"):
        updates.verify(path, KEYS)
    trusted = next(iter(KEYS))
    with pytest.raises(UpdateError, match="signature does not match"):
        updates.verify(changed(path, {"key": trusted}), KEYS)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"not json", "no update package"),
        (b"[]", "no update package"),
        (b"{}", "no update package"),
        (b'{"passform_update": 2, "signature": "x"}', "newer Passform"),
        (b"[" * 100_000, "no update package"),
    ],
)
def test_that_another_file_is_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "x.passform-update"
    path.write_bytes(content)
    with pytest.raises(UpdateError, match=reason):
        updates.verify(path, KEYS)


def test_that_a_missing_or_huge_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.passform-update"
    with pytest.raises(UpdateError, match="cannot be read"):
        updates.verify(path, KEYS)
    with path.open("wb") as stream:
        stream.truncate(updates.MAX_BYTES + 1)
    with pytest.raises(UpdateError, match="larger"):
        updates.verify(path, KEYS)


def signed(tmp_path: Path, payload: object) -> Path:
    path = tmp_path / "signed.passform-update"
    raw = json.dumps(payload).encode()
    wrapped = {
        "passform_update": 1,
        "payload": base64.b64encode(raw).decode(),
        "signature": base64.b64encode(KEY.sign(raw)).decode(),
        "key": next(iter(KEYS)),
    }
    path.write_text(json.dumps(wrapped), encoding="ascii")
    return path


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        ([], "damaged"),
        ({"version": "2027-01-15"}, "damaged"),
        ({"version": "../../x", "files": {}}, "damaged"),
        ({"version": "2027-01-15", "files": {"../../evil.yaml": "x"}}, "other files"),
        ({"version": "2027-01-15", "files": {}}, "other files"),
    ],
)
def test_that_even_a_signed_package_carries_only_a_catalogue(tmp_path: Path, payload: object, reason: str) -> None:
    with pytest.raises(UpdateError, match=reason):
        updates.verify(signed(tmp_path, payload), KEYS)


def test_that_a_catalogue_with_errors_is_not_packed_and_not_applied(bundled: Catalog, tmp_path: Path) -> None:
    data = newer(tmp_path)
    _replace(data / "rules.yaml", "item: rtx_pro_6000_blackwell_ws,", "item: nobody,")
    with pytest.raises(UpdateError, match="not clean"):
        updates.build(data, KEY)
    files = {name: (data / name).read_text(encoding="utf-8") for name in updates.CARRIED}
    found = updates.verify(signed(tmp_path, {"version": "2027-01-15", "files": files}), KEYS)
    with pytest.raises(UpdateError, match="not clean"):
        updates.preview(found, bundled, tmp_path)
    lying = updates.verify(signed(tmp_path, {"version": "2028-01-01", "files": files}), KEYS)
    with pytest.raises(UpdateError):
        updates.preview(lying, bundled, tmp_path)


def test_that_a_damaged_update_falls_back_to_the_bundled_catalogue(tmp_path: Path) -> None:
    updates.apply(updates.verify(package(tmp_path), KEYS), tmp_path)
    (tmp_path / "catalogues/2027-01-15/cards.yaml").write_text("schema: 1\ncards: [", encoding="utf-8")
    catalog = load_catalog(tmp_path)
    assert catalog.version == "2026-11-30"
    assert [finding.code for finding in catalog.findings] == ["damaged-update"]
    (tmp_path / "catalogues/2027-01-15/cards.yaml").unlink()
    assert active_data_folder(tmp_path) == DATA_FOLDER


def test_that_the_same_update_can_be_applied_again_and_mends_what_was_damaged(tmp_path: Path) -> None:
    found = updates.verify(package(tmp_path), KEYS)
    target = updates.apply(found, tmp_path)
    (target / "cards.yaml").write_text("schema: 1\ncards: [", encoding="utf-8")
    assert updates.apply(found, tmp_path) == target
    assert load_catalog(tmp_path).version == "2027-01-15"
    assert applied_versions(tmp_path) == ("2027-01-15",)


def test_that_an_update_without_room_on_the_disk_leaves_nothing_and_says_what_helps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = updates.verify(package(tmp_path), KEYS)

    def full(_self: Path, _target: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    real = Path.rename
    monkeypatch.setattr(Path, "rename", full)
    with pytest.raises(DiskError, match="the disk is full"):
        updates.apply(found, tmp_path)
    monkeypatch.setattr(Path, "rename", real)
    assert list((tmp_path / "catalogues").iterdir()) == []
    assert load_catalog(tmp_path).version == "2026-11-30"


def test_that_a_package_that_calls_itself_another_version_is_refused(bundled: Catalog, tmp_path: Path) -> None:
    data = newer(tmp_path)
    files = {name: (data / name).read_text(encoding="utf-8") for name in updates.CARRIED}
    lying = updates.verify(signed(tmp_path, {"version": "2028-01-01", "files": files}), KEYS)
    with pytest.raises(UpdateError, match="calls itself 2028-01-01 and carries another"):
        updates.preview(lying, bundled, tmp_path)


def test_that_a_damaged_bundled_catalogue_has_nothing_to_fall_back_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "bundled"
    shutil.copytree(DATA_FOLDER, broken)
    (broken / "cards.yaml").write_text("schema: 1\ncards: [", encoding="utf-8")
    monkeypatch.setattr(load, "DATA_FOLDER", broken)
    monkeypatch.setattr(load, "active_data_folder", lambda _folder: broken)
    with pytest.raises(load.CatalogUnusableError, match=r"cards\.yaml"):
        load_catalog(tmp_path / "own")


def test_that_a_damaged_pointer_means_the_bundled_catalogue(tmp_path: Path) -> None:
    for text in ("{", "[]", '{"applied": 1}', '{"applied": ["../../x", 5]}'):
        (tmp_path / "catalogues").mkdir(exist_ok=True)
        (tmp_path / "catalogues/current.json").write_text(text, encoding="utf-8")
        assert applied_versions(tmp_path) == ()
        assert active_data_folder(tmp_path) == DATA_FOLDER


def test_that_a_newer_program_beats_an_older_update(tmp_path: Path) -> None:
    updates.apply(updates.verify(package(tmp_path, "2026-10-01"), KEYS), tmp_path)
    assert active_data_folder(tmp_path) == DATA_FOLDER


def test_that_equal_catalogues_do_not_differ(bundled: Catalog) -> None:
    assert diff(bundled, load_catalog()) == ()


def test_that_own_entries_show_as_differences(bundled: Catalog, tmp_path: Path) -> None:
    text = (
        "schema: 1\nitems:\n  - {id: cable, name: Cable, kind: kit, source: derived, grade: D, basis: assumed}\n"
        "  - {id: nvlink_bridge_2way, name: Bridge, kind: nvlink-bridge, for_cards: [h200_nvl], bridge_size: 2, "
        "source: oem_lib, grade: B, basis: published}\n"
    )
    (tmp_path / "items.yaml").write_text(text, encoding="utf-8")
    own = load_catalog(tmp_path)
    found = {(change.kind, change.item_id, change.field) for change in diff(bundled, own)}
    assert (Kind.ADDED, "cable", "") in found
    assert (Kind.CHANGED, "nvlink_bridge_2way", "name") in found
    back = {(change.kind, change.item_id) for change in diff(own, bundled)}
    assert (Kind.REMOVED, "cable") in back
    tr = translations("en")
    assert any("Cable" in line(change, tr, Language.EN) for change in diff(own, bundled))


def test_that_differences_are_told_in_the_readers_language(bundled: Catalog, tmp_path: Path) -> None:
    changes = diff(bundled, load_catalog(data_folder=newer(tmp_path)))

    def told(language: Language) -> dict[str, str]:
        tr = translations(language)
        return {change.part: line(change, tr, language).replace("\u00a0", " ") for change in changes}

    german, english = told(Language.DE), told(Language.EN)
    assert german["cards"].startswith("~ l40s, Leistungsaufnahme: 350 W [")
    assert english["cards"].startswith("~ l40s, Power: 350 W [")
    assert german["prices"].startswith("+ l4, Preis: 2.400,00 EUR netto · Straßenpreis · 29.11.2026 · ")
    assert english["prices"].startswith("+ l4, Price: EUR 2,400.00 net · street price · 29 November 2026 · ")
    assert german["rates"] == "+ Wechselkurse: 1 EUR = 1,2 USD (09.10.2026)"
    assert english["rates"] == "+ Exchange rates: 1 EUR = 1.2 USD (9 October 2026)"


def test_that_closed_sets_and_listed_cards_are_told_in_words(tmp_path: Path) -> None:
    data = newer(tmp_path)
    _replace(data / "cards.yaml", "cooling: {value: blower", "cooling: {value: passive")
    _replace(data / "systems.yaml", "max_cards: 4", "max_cards: 3")
    changes = diff(load_catalog(), load_catalog(data_folder=data))
    lines = [line(change, translations("de"), Language.DE) for change in changes]
    assert any("Kühlung: aktiv, Radiallüfter [" in said and "-> passiv, braucht" in said for said in lines)
    assert any(": bis 4 Karten" in said and "-> bis 3 Karten" in said for said in lines)


def test_that_a_changed_model_names_what_changed(bundled: Catalog) -> None:
    model = next(iter(bundled.facts.models.values()))
    other = replace(model, vocab_size=model.vocab_size + 1000, licence="other")
    facts = replace(bundled.facts, models={**bundled.facts.models, model.id: other})
    told = diff(bundled, replace(bundled, facts=facts))
    assert [(change.field, change.after) for change in told[:1]] == [("vocab_size", model.vocab_size + 1000)]
    assert {change.field for change in told} == {"vocab_size", "licence"}
    deeper = replace(bundled.facts, models={**bundled.facts.models, model.id: replace(model, notes=("other",))})
    assert [change.field for change in diff(bundled, replace(bundled, facts=deeper))] == [""]


def test_that_models_that_come_and_go_are_told_with_their_names(bundled: Catalog) -> None:
    first, *rest = bundled.facts.models.values()
    fewer = replace(bundled, facts=replace(bundled.facts, models={model.id: model for model in rest}))
    assert [(change.kind, change.item_id, change.before) for change in diff(bundled, fewer)] == [
        (Kind.REMOVED, first.id, first.name)
    ]
    assert [(change.kind, change.item_id, change.after) for change in diff(fewer, bundled)] == [
        (Kind.ADDED, first.id, first.name)
    ]


def test_that_an_entry_that_differs_beside_its_figures_is_told_as_a_whole(bundled: Catalog) -> None:
    card = bundled.facts.cards["l40s"]
    other = replace(card, short_name="L40S (other)")
    facts = replace(bundled.facts, cards={**bundled.facts.cards, card.id: other})
    (change,) = diff(bundled, replace(bundled, facts=facts))
    tr = translations("en")
    assert field_words(change, tr) == "whole entry"
    assert line(change, tr, Language.EN).startswith("~ l40s: ")


def test_that_counts_of_a_model_are_told_with_their_digits_grouped(bundled: Catalog) -> None:
    model = next(iter(bundled.facts.models.values()))
    facts = replace(bundled.facts, models={**bundled.facts.models, model.id: replace(model, vocab_size=128_000)})
    (change,) = diff(bundled, replace(bundled, facts=facts))
    assert line(change, translations("de"), Language.DE).endswith("128.000")
    (rate, *_) = bundled.facts.rates
    assert field_words(Change(Kind.ADDED, "rates", "x", "", None, rate), translations("en")) == "Exchange rate"


def test_that_only_the_changes_about_used_entries_are_told(bundled: Catalog, tmp_path: Path) -> None:
    changes = diff(bundled, load_catalog(data_folder=newer(tmp_path)))
    assert {change.item_id for change in about(changes, ["l40s"])} == {"l40s", "exchange_rates"}


def test_that_an_older_consultation_learns_what_changed(bundled: Catalog, tmp_path: Path) -> None:
    updates.apply(updates.verify(package(tmp_path), KEYS), tmp_path)
    current = load_catalog(tmp_path)
    told = changes_since("2026-11-30", current, tmp_path, ["l40s"])
    assert told is not None
    assert told.changes is not None
    power = next(change for change in told.changes if change.field == "power_w")
    assert (power.before.value, power.after.value) == ("350", "340")
    assert changes_since("2027-01-15", current, tmp_path) is None
    unknown = changes_since("2025-01-01", current, tmp_path)
    assert unknown is not None
    assert unknown.changes is None
    back = changes_since("2027-01-15", bundled, tmp_path)
    assert back is not None
    assert back.changes


def test_that_a_plan_tells_the_changes_of_what_it_uses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user = tmp_path / "user"
    updates.apply(updates.verify(package(tmp_path), KEYS), user)
    monkeypatch.setenv("PASSFORM_DATA", str(user))
    path = tmp_path / "a.passform.yaml"
    row = "{name: chat, model: llama-3.1-8b, method: lora, sequence_length: 2048}"
    path.write_text(
        f"schema: 1\ncatalogue: '2026-11-30'\nsite: {{place: rack}}\nworkloads:\n  - {row}\n", encoding="utf-8"
    )
    out = io.StringIO()
    arguments = make_parser().parse_args(["plan", str(path)])
    arguments.language = "en"
    plan.run(arguments, out)
    told = out.getvalue().splitlines()
    assert told[0] == "Recorded with the catalogue of 2026-11-30; now that of 2027-01-15 is in use."
    marked = list(takewhile(lambda said: said.startswith(("  ~ ", "  + ", "  - ")), told[1:]))
    assert any("Exchange rates: 1 EUR = 1.2" in said for said in marked)
    opened = open_consultation(path, date(2027, 1, 20))
    used = used_ids(recommend(opened.scenario, opened.catalog.facts))
    assert "llama-3.1-8b" in used
    assert {said[4:].partition(",")[0] for said in marked if "Exchange rates" not in said} == used & {"l40s", "l4"}


def test_that_versions_are_found_only_where_they_are_whole(tmp_path: Path) -> None:
    assert find_version("2026-11-30", None) == DATA_FOLDER
    assert find_version("2027-01-15", tmp_path) is None
    assert find_version("../../etc", tmp_path) is None
    set_applied(tmp_path, ["2027-01-15"])
    assert active_data_folder(tmp_path) == DATA_FOLDER


def test_that_an_update_changes_a_guide_price(tmp_path: Path) -> None:
    guide = guide_price("h200_nvl", load_catalog(data_folder=newer(tmp_path)).facts, "EUR", date(2026, 11, 30))
    assert guide.net is not None
    assert guide.net.amount == Decimal("26250.00")  # the middle of 31,000 and 32,000 USD / 1.20
