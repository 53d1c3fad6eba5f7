"""The positions editor: every change is in the document, in the sums and undoable; internals stay inside."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QMimeData, Qt
from pytestqt.qtbot import QtBot

from catalog.consultation.document import Consultation
from catalog.consultation.files import read
from catalog.consultation.quote_rows import LineRow, QuoteRow, SectionRow
from catalog.quote_templates import templates
from engine.errors import InvalidInputError
from engine.quote.draft import Chapter, LineKind, SectionRole
from gui.app import App
from gui.quote_editor import edits
from gui.quote_editor.editor import QuoteEditor
from gui.quote_editor.new_lines import free_line, freight_line, set_up_line, text_line
from gui.quote_editor.tree_model import DISCOUNT, MIME, PURCHASE, QUANTITY, TITLE, UNIT_PRICE
from tests.gui.conftest import EXAMPLES, OpenApp, wait_idle

EXAMPLE = EXAMPLES / "lora-department-rack.passform.yaml"


def editor(app: App) -> QuoteEditor:
    app.window.tools.show_positions()
    made = app.window.tools.positions
    assert made is not None
    return made


def titles(made: QuoteEditor) -> list[list[str]]:
    return [[line.title for line in section.lines] for section in made.model.sections]


def quote(made: QuoteEditor) -> QuoteRow:
    return made.context.document.consultation.quote


def test_that_positions_follow_the_recommendation_until_one_is_changed(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(EXAMPLE)
    made = editor(app)
    plan = app.planner.recommendation.chosen
    assert {line.item for line in made.model.view.quote.lines} == {one.item_id for one in plan.price.positions}
    assert quote(made).sections is None
    made.choose((0, 0))
    made.model.setData(made.model.place((0, 0), TITLE), "Our server")
    assert titles(made)[0][0] == "Our server"
    assert quote(made).plan == plan.id
    app.document.stack.undo()
    assert quote(made).sections is None


def test_that_cells_change_price_quantity_and_discount_and_the_sum_follows(open_app: OpenApp) -> None:
    """3 x 100.00 less 10 % = 270.00 net, 51.30 VAT at 19 %, 321.30 gross."""
    app = open_app(EXAMPLE)
    made = editor(app)
    while made.model.sections:
        made.choose((0, -1))
        made.remove()
    made.add_made(free_line)
    place = made.model.place
    for column, text in ((QUANTITY, "3"), (UNIT_PRICE, "100"), (DISCOUNT, "10 %"), (PURCHASE, "80")):
        assert made.model.setData(place((0, 0), column), text)
    sums = dict(made.model.view.sums)
    assert (sums["Net"], sums["Gross"]) == ("EUR\u00a0270.00", "EUR\u00a0321.30")
    assert dict(made.model.view.earned)["Margin"].startswith("EUR\u00a030.00")
    assert quote(made).currency == "EUR"
    made.model.setData(place((0, 0), QUANTITY), "many")
    assert made.state.property("role") == "error"
    assert quote(made).lines[0].quantity == 3


def test_that_what_was_edited_is_saved_and_read_back(open_app: OpenApp, tmp_path: Path) -> None:
    app = open_app(EXAMPLE)
    made = editor(app)
    made.add_made(set_up_line)
    made._on_line("price", Decimal(1200))
    made._on_internal("supplier", "Nord")
    made._on_terms("payment", "30 Tage netto")
    app.document.save(tmp_path / "a.passform.yaml")
    again = read(tmp_path / "a.passform.yaml")
    assert again == app.document.consultation
    assert again.quote.lines[-1].internal.supplier == "Nord"


def test_that_the_paper_shows_the_positions_and_never_the_internals(open_app: OpenApp, tmp_path: Path) -> None:
    from io import BytesIO

    from pypdf import PdfReader

    from gui.proposal import make_paper

    app = open_app(EXAMPLE)
    made = editor(app)
    made.add_made(set_up_line)
    made._on_line("title", "Einweisung vor Ort")
    made._on_line("price", Decimal(1200))
    made._on_internal("purchase_price", Decimal("777.77"))
    made._on_internal("supplier", "GEHEIMNORD")
    document, facts = app.document.consultation, app.context.catalog.facts
    reader = PdfReader(BytesIO(make_paper(document, tmp_path, app.planner.recommendation, facts, "en").pdf))
    text = "".join(page.extract_text() for page in reader.pages)
    carried = b"".join(content for contents in reader.attachments.values() for content in contents)
    assert "Einweisung vor Ort" in text
    for secret in ("777.77", "777,77", "GEHEIMNORD"):
        assert secret not in text
        assert secret.encode() not in carried


def test_that_a_paper_for_archives_is_made_on_demand(open_app: OpenApp, tmp_path: Path) -> None:
    from io import BytesIO

    from pypdf import PdfReader

    from gui.proposal import make_paper

    app = open_app(EXAMPLE)
    made = editor(app)
    claims = []
    for _ in range(2):
        document, facts = app.document.consultation, app.context.catalog.facts
        pdf = make_paper(document, tmp_path, app.planner.recommendation, facts, "en").pdf
        claims.append(PdfReader(BytesIO(pdf)).xmp_metadata)
        made.terms.archivable.click()
    assert claims[0] is None
    assert claims[1].pdfaid_conformance == "B"
    assert not quote(made).archivable  # the second click took it back


def test_that_dragging_moves_a_line_within_and_between_sections(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(EXAMPLE)
    made = editor(app)
    made.add_made(freight_line)
    first = titles(made)[0][0]
    data: QMimeData = made.model.mimeData([made.model.place((0, 0))])
    assert data.hasFormat(MIME)
    made.model.dropMimeData(data, Qt.DropAction.MoveAction, -1, 0, made.model.place((1, -1)))
    qtbot.waitUntil(lambda: titles(made)[1][-1] == first)
    assert first not in titles(made)[0]
    data = made.model.mimeData([made.model.place((1, -1))])
    made.model.dropMimeData(data, Qt.DropAction.MoveAction, 0, 0, made.model.index(-1, -1))
    qtbot.waitUntil(lambda: made.model.sections[0].role is SectionRole.FREIGHT)


def test_that_the_keyboard_moves_a_line_over_the_edge_of_its_section(open_app: OpenApp) -> None:
    made = editor(open_app(EXAMPLE))
    made.add_made(freight_line)
    made.move(-1)
    assert made.spot == (0, len(made.model.sections[0].lines) - 1)
    assert titles(made)[1] == []
    made.move(1)
    assert len(titles(made)[1]) == 1


def test_that_an_alternative_is_bound_to_the_position_before_it(open_app: OpenApp) -> None:
    made = editor(open_app(EXAMPLE))
    net = dict(made.model.view.sums)["Net"]
    made.choose((0, 0))
    made.clone()
    made._on_line("kind", "alternative")
    line = made.model.line(made.spot)
    assert line.base == made.model.line((0, 0)).id
    assert made.model.view.lines[line.id].number == "1.1a"
    assert dict(made.model.view.sums)["Net"] == net
    made.choose((0, 0))
    made._on_line("kind", "optional")
    assert made.state.property("role") == "error"
    made.remove()
    assert line.id not in {one.id for one in quote(made).lines}


def test_that_a_template_is_kept_and_inserted_again(open_app: OpenApp, tmp_path: Path) -> None:
    app = open_app(EXAMPLE)
    made = editor(app)
    made.add_made(set_up_line)
    made.templates_menu.keep("Our services")
    kept = templates(tmp_path / "user")
    assert [template.name for template in kept] == ["Our services"]
    made.insert(kept[0])
    ids = [line.id for line in quote(made).lines]
    assert len(ids) == len(set(ids))
    assert titles(made)[-1] == titles(made)[-2]
    made.templates_menu.forget("Our services")
    assert templates(tmp_path / "user") == ()


def test_that_another_recommendation_is_taken_over_on_demand(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(EXAMPLE)
    made = editor(app)
    made.add_made(text_line)
    assert not made.follow_button.isVisible()
    document: Consultation = app.document.consultation
    before = app.planner.recommendation.chosen
    prices = {before.card.id: Decimal(900_000)}
    app.document.edit("price", document.model_copy(update={"prices": prices}))
    wait_idle(qtbot, app)
    after = app.planner.recommendation.chosen
    assert after.card.id != before.card.id
    assert made.follow_button.isVisible()
    made.follow_button.click()
    items = {line.item for line in quote(made).lines}
    assert after.card.id in items
    assert before.card.id not in items
    assert any(line.kind is LineKind.TEXT for line in quote(made).lines)
    assert not made.follow_button.isVisible()


def test_that_the_customer_sees_no_purchase_price_and_no_margin(open_app: OpenApp) -> None:
    app = open_app(EXAMPLE)
    made = editor(app)
    made.add_made(free_line)
    made._on_line("price", Decimal(100))
    made._on_internal("purchase_price", Decimal(80))
    assert made.earned.isVisible()
    app.context.customer_view = True
    app.window.build()
    made = app.window.tools.positions
    made.choose((1, 0))
    assert made.model.columnCount() == PURCHASE
    assert not made.earned.isVisible()
    assert not made.line_panel.purchase.isVisible()


def test_that_an_offer_says_what_is_still_missing(open_app: OpenApp) -> None:
    made = editor(open_app(EXAMPLE))
    made.side.bar.setCurrentIndex(1)
    made._on_quote("kind", "offer")
    assert made.terms.missing.isVisible()
    assert "number" in made.terms.missing.text()
    assert quote(made).sections is None  # the positions still follow


LINES = st.lists(st.sampled_from([LineKind.BASE, LineKind.OPTIONAL, LineKind.TEXT]), max_size=6)


@given(LINES, LINES, st.data())
def test_that_moving_and_cloning_lose_no_line(
    first: list[LineKind], second: list[LineKind], data: st.DataObject
) -> None:
    sections = []
    for number, kinds in enumerate((first, second)):
        lines = tuple(LineRow(id=f"{number}-{index}", title="x", kind=kind) for index, kind in enumerate(kinds))
        sections.append(SectionRow(lines=lines))
    row = QuoteRow(sections=tuple(sections))
    if not row.lines:
        return
    section = data.draw(st.sampled_from([n for n, one in enumerate(sections) if one.lines]))
    spot = (section, data.draw(st.integers(0, len(sections[section].lines) - 1)))
    target = data.draw(st.integers(0, 1))
    place = data.draw(st.integers(0, len(sections[target].lines)))
    moved = edits.moved_line(row, spot, target, place)
    assert sorted(line.id for line in moved.lines) == sorted(line.id for line in row.lines)
    cloned = edits.cloned_line(row, spot)
    assert len(cloned.lines) == len(row.lines) + 1
    assert len({line.id for line in cloned.lines}) == len(cloned.lines)


def test_that_an_alternative_without_a_position_before_it_is_refused() -> None:
    row = QuoteRow(sections=(SectionRow(lines=(LineRow(id="a", title="x"),)),))
    with pytest.raises(InvalidInputError):
        edits.amended_line(row, (0, 0), kind=LineKind.ALTERNATIVE)


def test_that_chapters_are_left_out_of_the_paper_and_come_back_by_undo(open_app: OpenApp, tmp_path: Path) -> None:
    app = open_app(EXAMPLE)
    made = editor(app)
    box = made.terms.chapters[Chapter.RENTING]
    assert box.isChecked()
    box.click()
    assert quote(made).left_out == (Chapter.RENTING,)
    app.document.save(tmp_path / "a.passform.yaml")
    assert read(tmp_path / "a.passform.yaml").quote.left_out == (Chapter.RENTING,)
    app.document.stack.undo()
    assert quote(made).left_out == ()
    assert box.isChecked()


def test_that_a_field_that_is_only_visited_leaves_the_positions_following(open_app: OpenApp, qtbot: QtBot) -> None:
    app = open_app(EXAMPLE)
    made = editor(app)
    made.choose((0, 0))
    panel = made.line_panel
    for field in (panel.description, panel.note):
        field.left.emit()
    for field in (panel.supplier, panel.quantity, panel.purchase):
        field.editingFinished.emit()
    place = made.model.place((0, 0), TITLE)
    made.model.setData(place, made.model.data(place, Qt.ItemDataRole.EditRole))
    assert app.document.stack.index() == 0
    assert quote(made).sections is None
    panel.description.setPlainText("With rails")
    panel.description.left.emit()
    assert app.document.stack.index() == 1
    assert quote(made).sections[0].lines[0].description == "With rails"


def test_that_every_entry_of_the_menu_adds_and_every_button_changes_one_thing(
    open_app: OpenApp, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_app(EXAMPLE)
    made, stack = editor(app), app.document.stack
    asked: list[int] = []
    monkeypatch.setattr("gui.quote_editor.editor.ItemDialog.exec", lambda _dialog: asked.append(1) or 0)
    entries = made.add_button.menu().actions()
    for entry in entries:
        entry.trigger()
    assert len(asked) == 1
    assert stack.index() == len(entries) - 1
    made.choose((0, 0))
    for button, steps in (
        (made.clone_button, 1),
        (made.down_button, 1),
        (made.up_button, 1),
        (made.remove_button, 1),
        (made.undo_button, -1),
        (made.redo_button, 1),
    ):
        before = stack.index()
        button.click()
        assert stack.index() == before + steps
