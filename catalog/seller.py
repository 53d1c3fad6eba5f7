"""The seller's profile: `seller.yaml` in the user's folder, else the bundled empty one; beside it his general terms."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from catalog.text_files import is_given, read_text
from catalog.user_folder import user_folder
from catalog.validated import validated
from catalog.yaml_nodes import parse
from engine.quote.parties import Address, Bank, Contact, GeneralPartner, LegalForm, RegisterEntry, Seller
from resources import LANGUAGES, ROOT

FILE_NAME = "seller.yaml"
TERMS_FILE = "general-terms.{language}.txt"
MAX_BYTES = 100_000

Text = Annotated[str, Field(max_length=300)]


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _AddressRow(_Row):
    street: Text = ""
    postal_code: Text = ""
    city: Text = ""
    country: Annotated[str, Field(pattern=r"^[A-Z]{2}$")] = "DE"


class _RegisterRow(_Row):
    seat: Text = ""
    court: Text = ""
    number: Text = ""


class _PartnerRow(_Row):
    name: Text
    register_entry: Annotated[_RegisterRow, Field(alias="register")] = _RegisterRow()
    directors: tuple[Text, ...] = ()


class _ContactRow(_Row):
    name: Text = ""
    phone: Text = ""
    email: Text = ""


class _BankRow(_Row):
    name: Text = ""
    iban: Text = ""
    bic: Text = ""


class SellerRow(_Row):
    """`seller.yaml`: who offers, with what the legal form obliges to state."""

    schema_number: Annotated[Literal[1], Field(alias="schema")]
    name: Text = ""
    legal_form: LegalForm | None = None
    address: _AddressRow = _AddressRow()
    register_entry: Annotated[_RegisterRow, Field(alias="register")] = _RegisterRow()
    directors: tuple[Text, ...] = ()
    board_chair: Text = ""
    supervisory_chair: Text = ""
    partner: _PartnerRow | None = None
    vat_id: Text = ""
    weee_number: Text = ""
    web: Text = ""
    duties_on_letterhead: bool = False
    validity_days: Annotated[int, Field(ge=1, le=3650)] = 30
    contact: _ContactRow = _ContactRow()
    bank: _BankRow | None = None


def load_seller(folder: Path | None = None) -> Seller:
    """The seller's profile. Raises `FileFormatError` with file, line and field when it cannot be used."""
    home = folder or user_folder()
    own = home / FILE_NAME
    seller = read_seller(own if is_given(own) else ROOT / FILE_NAME)
    files = {language: home / TERMS_FILE.format(language=language) for language in LANGUAGES}
    texts = ((language, _general_terms(path)) for language, path in files.items() if is_given(path))
    return replace(seller, general_terms=tuple(texts))


def read_seller(path: Path) -> Seller:
    """Read one profile file."""
    located = parse(read_text(path, MAX_BYTES), path.name)
    return _seller(validated(SellerRow, located))


def _general_terms(path: Path) -> str:
    """Paragraphs are parted by empty lines; single line ends inside a paragraph are kept."""
    return "\n".join(line.rstrip() for line in read_text(path, MAX_BYTES).splitlines()).strip()


def _seller(row: SellerRow) -> Seller:
    partner = None
    if row.partner is not None:
        partner = GeneralPartner(row.partner.name, _register(row.partner.register_entry), row.partner.directors)
    return Seller(
        name=row.name,
        legal_form=row.legal_form,
        address=Address(**row.address.model_dump()),
        register=_register(row.register_entry),
        directors=row.directors,
        board_chair=row.board_chair,
        supervisory_chair=row.supervisory_chair,
        partner=partner,
        vat_id=row.vat_id,
        weee_number=row.weee_number,
        web=row.web,
        duties_on_letterhead=row.duties_on_letterhead,
        validity_days=row.validity_days,
        contact=Contact(**row.contact.model_dump()),
        bank=None if row.bank is None else Bank(**row.bank.model_dump()),
    )


def _register(row: _RegisterRow) -> RegisterEntry:
    return RegisterEntry(row.seat, row.court, row.number)
