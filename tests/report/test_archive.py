"""PDF/A-3b, judged by veraPDF: papers made for archives pass, and what would break the standard is seen."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from io import BytesIO
from pathlib import Path
from typing import Any

import pypdf
import pytest
from PIL import Image, ImageCms
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, NumberObject, TextStringObject

from catalog.consultation.open import open_consultation
from catalog.paper import for_archives, make_pdf
from catalog.register.issuing import Proposal, quote_of
from engine.plan.recommend import recommend
from engine.quote.document import Quote
from engine.quote.draft import DocumentKind, Terms
from engine.quote.release import release
from engine.report.assets import Assets, Attachment
from resources import COLOUR
from scripts.pdfa_check import Checked, can_check, check
from tests.report.conftest import SELLER
from tests.report.test_hostile_texts import TEXTS

NEEDED = "PASSFORM_NEEDS_VERAPDF"
RULES = 146  # of the profile for level 3b in veraPDF 1.31
EXAMPLES = Path(__file__).parents[2] / "examples"
TODAY = date(2026, 11, 30)
Draw = Callable[..., Any]


def png(mode: str, size: tuple[int, int] = (64, 16)) -> bytes:
    """A logo in one of the forms a PNG can have."""
    stream = BytesIO()
    Image.new(
        mode, size, {"1": 1, "L": 90, "LA": (90, 120), "P": 7, "RGB": (9, 99, 199)}.get(mode, (9, 99, 199, 90))
    ).save(stream, "PNG")
    return stream.getvalue()


@pytest.fixture(scope="module")
def archival() -> Callable[..., Assets]:
    from tests.report.conftest import assets  # a fixture takes no parameters

    def made(language: str, **changes: Any) -> Assets:
        return replace(assets(language), colour_profile=(COLOUR / "sRGB.icc").read_bytes(), **changes)

    return made


@pytest.fixture(scope="module", autouse=True)
def _validator() -> None:
    if not can_check() and not os.environ.get(NEEDED):
        pytest.skip("veraPDF or its Java is not installed: no paper is held against PDF/A here")


@dataclass(frozen=True)
class Judge:
    """Writes files and has all of them judged in one run: starting Java is what takes time."""

    folder: Path

    def __call__(self, files: dict[str, bytes]) -> dict[str, Checked]:
        paths = []
        for name, content in files.items():
            paths.append(self.folder / f"{name}.pdf")
            paths[-1].write_bytes(content)
        return dict(zip(files, check(paths), strict=True))


@pytest.fixture
def judge(tmp_path: Path) -> Judge:
    return Judge(tmp_path)


def test_that_papers_made_for_archives_meet_the_standard(
    offer: Quote, make_draft: Any, make_line: Any, draw_quote: Draw, archival: Callable[..., Assets], judge: Judge
) -> None:
    linked = make_draft([make_line(str(i)) for i in range(90)], terms=Terms(full_text="§ 1 " + "Wort " * 3000))
    hostile = make_draft([make_line(name, description=text, title=text) for name, text in TEXTS.items()])
    hostile = replace(hostile, subject=TEXTS["markup"], seller=replace(hostile.seller, name=TEXTS["control"]))
    file = Attachment("größe & <x>.json", "application/json", b"{}", "Ümlaut")
    papers = {
        "offer": draw_quote(offer, "de", archival("de")).pdf,
        "english": draw_quote(offer, "en", archival("en", attachments=(file,))).pdf,
        "long": draw_quote(release(linked), "de", archival("de")).pdf,
        "draft": draw_quote(release(make_draft(kind=DocumentKind.OFFER), preview=True), "de", archival("de")).pdf,
        "hostile": draw_quote(release(hostile), "de", archival("de")).pdf,
        **{f"logo-{mode}": draw_quote(offer, "de", archival("de", logo_png=png(mode))).pdf for mode in LOGOS},
    }
    verdicts = judge(papers)
    assert {name: dict(verdict.failed) for name, verdict in verdicts.items() if not verdict.compliant} == {}
    assert {verdict.rules for verdict in verdicts.values()} == {RULES}
    assert all(verdict.applied > 45 and verdict.checks > 2_000 for verdict in verdicts.values())


def test_that_the_papers_of_the_examples_meet_the_standard(judge: Judge) -> None:
    """With pictures, links, training settings and the consultation inside."""
    papers = {}
    for name in ("lora-team-desk", "mixed-portfolio", "serve-and-train"):
        opened = open_consultation(EXAMPLES / f"{name}.passform.yaml", TODAY)
        consultation, facts = for_archives(opened.consultation), opened.catalog.facts
        proposal = Proposal(consultation, recommend(opened.scenario, facts), facts, SELLER, EXAMPLES)
        papers[name] = make_pdf(quote_of(proposal, DocumentKind.RECOMMENDATION), consultation, EXAMPLES).pdf
    verdicts = judge(papers)
    assert {name: dict(verdict.failed) for name, verdict in verdicts.items() if not verdict.compliant} == {}


LOGOS = ("1", "LA", "P", "RGBA")


def _script(writer: pypdf.PdfWriter) -> None:
    action = {NameObject("/S"): NameObject("/JavaScript"), NameObject("/JS"): TextStringObject("app.alert('x')")}
    writer.root_object[NameObject("/OpenAction")] = DictionaryObject(action)


def _no_relation(writer: pypdf.PdfWriter) -> None:
    names: Any = writer.root_object["/Names"]
    del names["/EmbeddedFiles"]["/Names"][1].get_object()["/AFRelationship"]


def _no_type(writer: pypdf.PdfWriter) -> None:
    names: Any = writer.root_object["/Names"]
    embedded = names["/EmbeddedFiles"]["/Names"][1].get_object()["/EF"]["/F"].get_object()
    embedded[NameObject("/Subtype")] = NameObject("/application#2Fjson")


def _hidden_link(writer: pypdf.PdfWriter) -> None:
    link = {
        "/Type": NameObject("/Annot"),
        "/Subtype": NameObject("/Link"),
        "/Rect": ArrayObject([NumberObject(number) for number in (1, 1, 9, 9)]),
    }
    writer.pages[0][NameObject("/Annots")] = ArrayObject(
        [DictionaryObject({NameObject(name): value for name, value in link.items()})]
    )


def _foreign_font(writer: pypdf.PdfWriter) -> None:
    for font in writer.pages[0]["/Resources"]["/Font"].values():  # type: ignore[index]  # PDF objects have no types
        del font.get_object()["/FontDescriptor"].get_object()["/FontFile2"]


def _other_claim(writer: pypdf.PdfWriter) -> None:
    metadata: Any = writer.root_object["/Metadata"]
    text = metadata.get_object().get_data().replace(b"<pdfaid:part>3<", b"<pdfaid:part>2<")
    metadata.get_object().set_data(text)


def _no_profile(writer: pypdf.PdfWriter) -> None:
    del writer.root_object["/OutputIntents"]


BREACHES = {
    "6.5.1-1": _script,
    "6.8-3": _no_relation,
    "6.8-1": _no_type,
    "6.3.2-1": _hidden_link,
    "6.2.11.4.1-1": _foreign_font,
    "6.6.4-2": _other_claim,
    "6.2.4.3-2": _no_profile,
}


def test_that_the_validator_sees_what_breaks_the_standard(
    offer: Quote, draw_quote: Draw, archival: Callable[..., Assets], judge: Judge
) -> None:
    """Otherwise its silence would mean nothing."""
    whole = draw_quote(offer, "de", archival("de")).pdf
    files = {"plain": draw_quote(offer).pdf, "no-line-end": whole.replace(b"\nendstream", b" endstream", 1)}
    for rule, breach in BREACHES.items():
        writer = pypdf.PdfWriter(clone_from=BytesIO(whole))
        breach(writer)
        stream = BytesIO()
        writer.write(stream)
        files[rule] = stream.getvalue()
    verdicts = judge(files)
    assert [name for name, verdict in verdicts.items() if verdict.compliant] == []
    assert {rule: sorted(verdicts[rule].failed) for rule in BREACHES if rule not in verdicts[rule].failed} == {}
    assert "6.6.2.1-1" in verdicts["plain"].failed
    assert "6.1.7.1-2" in verdicts["no-line-end"].failed


def test_that_papers_for_archives_are_reproducible(
    offer: Quote, draw_quote: Draw, archival: Callable[..., Assets]
) -> None:
    assert draw_quote(offer, "de", archival("de")).pdf == draw_quote(offer, "de", archival("de")).pdf


def test_that_only_the_file_differs_and_not_its_pages(
    offer: Quote, draw_quote: Draw, archival: Callable[..., Assets]
) -> None:
    plain, made = (pypdf.PdfReader(BytesIO(draw_quote(offer, "de", used).pdf)) for used in (None, archival("de")))
    assert [page.get_contents().get_data() for page in plain.pages] == [  # type: ignore[union-attr]  # pages have contents
        page.get_contents().get_data()  # type: ignore[union-attr]  # pages have contents
        for page in made.pages
    ]
    assert "/Metadata" not in plain.root_object
    assert "/OutputIntents" not in plain.root_object


def test_that_both_places_of_metadata_say_the_same(
    make_draft: Any, draw_quote: Draw, archival: Callable[..., Assets]
) -> None:
    draft = make_draft(subject="Größe & <b> ]]> \" '")
    reader = pypdf.PdfReader(BytesIO(draw_quote(release(draft), "de", archival("de")).pdf))
    packet, information = reader.xmp_metadata, reader.metadata
    assert packet is not None
    assert information is not None
    assert packet.dc_title["x-default"] == information.title
    assert packet.dc_creator == [information.author]
    assert packet.dc_description["x-default"] == information.subject == "Größe & <b> ]]> \" '"
    assert (packet.pdf_producer, packet.xmp_creator_tool) == (information.producer, information.creator)
    assert packet.xmp_create_date == information.creation_date.replace(tzinfo=None)  # type: ignore[union-attr]  # set above
    assert (packet.pdfaid_part, packet.pdfaid_conformance) == ("3", "B")


def test_that_every_embedded_file_is_named_as_belonging_to_the_document(offer: Quote, draw_quote: Draw) -> None:
    reader: Any = pypdf.PdfReader(BytesIO(draw_quote(offer).pdf))
    root = reader.root_object
    named = root["/Names"]["/EmbeddedFiles"]["/Names"][1::2]
    assert [entry.idnum for entry in root["/AF"]] == [entry.idnum for entry in named]
    assert {entry.get_object()["/AFRelationship"] for entry in named} == {"/Data"}
    assert named[0].get_object()["/EF"]["/F"]["/Subtype"] == "/application/json"


def test_that_the_colour_profile_is_srgb() -> None:
    """A change of colours within rounding, from the bundled profile to the one Pillow makes today."""
    bundled = ImageCms.getOpenProfile(BytesIO((COLOUR / "sRGB.icc").read_bytes()))
    colours = Image.new("RGB", (4, 1))
    colours.putdata([(0, 0, 0), (255, 255, 255), (200, 30, 90), (17, 130, 240)])
    other = ImageCms.profileToProfile(colours, bundled, ImageCms.createProfile("sRGB"), outputMode="RGB")
    assert other is not None
    assert all(abs(a - b) <= 1 for a, b in zip(colours.tobytes(), other.tobytes(), strict=True))
