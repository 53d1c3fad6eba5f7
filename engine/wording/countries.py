"""Names of countries by their ISO 3166-1 codes, for the last line of an address."""

from __future__ import annotations

from engine.wording.translator import Translator, mark

_NAMES = {
    "AT": mark("Austria"),
    "BE": mark("Belgium"),
    "BG": mark("Bulgaria"),
    "CH": mark("Switzerland"),
    "CY": mark("Cyprus"),
    "CZ": mark("Czechia"),
    "DE": mark("Germany"),
    "DK": mark("Denmark"),
    "EE": mark("Estonia"),
    "ES": mark("Spain"),
    "FI": mark("Finland"),
    "FR": mark("France"),
    "GB": mark("United Kingdom"),
    "GR": mark("Greece"),
    "HR": mark("Croatia"),
    "HU": mark("Hungary"),
    "IE": mark("Ireland"),
    "IS": mark("Iceland"),
    "IT": mark("Italy"),
    "LI": mark("Liechtenstein"),
    "LT": mark("Lithuania"),
    "LU": mark("Luxembourg"),
    "LV": mark("Latvia"),
    "MT": mark("Malta"),
    "NL": mark("Netherlands"),
    "NO": mark("Norway"),
    "PL": mark("Poland"),
    "PT": mark("Portugal"),
    "RO": mark("Romania"),
    "SE": mark("Sweden"),
    "SI": mark("Slovenia"),
    "SK": mark("Slovakia"),
    "US": mark("United States"),
}


def country_name(code: str, tr: Translator) -> str:
    """The name in the document's language; a code without a name here stays a code."""
    name = _NAMES.get(code.upper())
    return code if name is None else tr.gettext(name)
