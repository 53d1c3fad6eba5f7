"""How long an offer holds: its own period, else the one of the seller's profile, else 30 days."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from catalog.consultation.quote_draft import to_draft
from catalog.consultation.quote_rows import TermsRow
from catalog.register.issuing import preview_of
from catalog.seller import load_seller
from catalog.yaml_nodes import FileFormatError
from engine.quote.parties import Seller
from engine.wording.email import email
from engine.wording.translator import Language
from resources import translations
from tests.catalog.register.conftest import Case, case, planned  # noqa: F401  # fixtures of the register's tests
from tests.catalog.register.samples import TODAY


def _seller(folder: Path, days: object) -> Seller:
    (folder / "seller.yaml").write_text(f"schema: 1\nname: Muster\nvalidity_days: {days}\n", encoding="utf-8")
    return load_seller(folder)


def test_that_a_profile_without_a_period_means_thirty_days(tmp_path: Path) -> None:
    assert load_seller(tmp_path).validity_days == 30


@pytest.mark.parametrize("days", [0, -1, 3651, "soon", 1.5])
def test_that_no_real_period_is_refused_by_field(tmp_path: Path, days: object) -> None:
    with pytest.raises(FileFormatError, match="validity_days"):
        _seller(tmp_path, days)


@pytest.mark.parametrize(("own", "holds"), [(None, 14), (7, 7)])
def test_that_an_offer_holds_as_long_as_it_says_or_the_profile_does(
    case: Case,  # noqa: F811  # the fixture
    tmp_path: Path,
    own: int | None,
    holds: int,
) -> None:
    quote_row = case.consultation.quote.model_copy(update={"terms": TermsRow(validity_days=own)})
    consultation = case.consultation.model_copy(update={"quote": quote_row})
    seller = replace(case.proposal.seller, validity_days=_seller(tmp_path, 14).validity_days)
    draft = to_draft(consultation, case.recommendation, case.facts, seller)
    assert draft.terms.validity_days == holds
    quote = preview_of(replace(case.proposal, consultation=consultation, seller=seller))
    assert quote.valid_until == TODAY + timedelta(days=holds)
    assert str((TODAY + timedelta(days=holds)).day) in email(quote, translations("de"), Language.DE).text
    assert Decimal(holds) == quote.terms.validity_days
