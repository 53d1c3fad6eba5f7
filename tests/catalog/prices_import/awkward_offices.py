"""More awkward lists, as offices make them: several prices per row, hidden sheets, remarks in cells, other things sold.

Each row is right or reported, and what was not used is said.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import date
from typing import Any

from openpyxl import Workbook

from catalog.prices_import.preview import RemarkKind, Vat
from tests.catalog.prices_import.awkward import MAXQ, RP48, RP72, SE, Case, workbook

HEAD = "Bezeichnung;Netto EUR\n"


def _book(*fills: Callable[[Any], None]) -> bytes:
    """A workbook with a sheet for each function."""
    book = Workbook()
    book.remove(book.active)
    for number, fill in enumerate(fills, start=1):
        fill(book.create_sheet(f"Blatt {number}"))
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def _rows(*rows: list[Any]) -> Callable[[Any], None]:
    def fill(sheet: Any) -> None:
        for row in rows:
            sheet.append(row)

    return fill


def _hidden_costs(sheet: Any) -> None:
    sheet.sheet_state = "hidden"
    for name in ("L40S", "RTX 5090", "L4", "H200 NVL", "RTX 6000 Ada"):
        sheet.append([name, 1])
    sheet.insert_rows(1)
    sheet.cell(1, 1, "Bezeichnung")
    sheet.cell(1, 2, "EK netto EUR")


def _merged_title(sheet: Any) -> None:
    sheet.append(["Preisliste 12/2026", None, None])
    sheet.merge_cells("A1:C1")
    sheet.append([])
    sheet.append(["Bezeichnung", "Netto EUR", "Stand"])
    sheet.append(["L40S", "6.500,00", date(2026, 11, 1)])
    sheet.append(["H200 NVL", 29900, date(2026, 11, 2)])


def _shares(sheet: Any) -> None:
    sheet.append(["Produkt", "Rabatt", "Netto EUR"])
    for name, share, amount in (
        ("L40S", 0.15, 6500),
        ("H200 NVL", 0.1, "29.900,00"),
        ("RTX 5090", 0.1, "'3600"),
        ("L4", 0.1, date(2026, 1, 2)),
        ("RTX 6000 Ada", 0.1, 0.5),
    ):
        sheet.append([name, share, amount])
        sheet.cell(sheet.max_row, 2).number_format = "0%"
    sheet.cell(sheet.max_row, 3).number_format = "0.0%"


def _long_cover(sheet: Any) -> None:
    for number in range(30):
        sheet.append([f"Hinweis {number}", "Bitte beachten"])


ON_REQUEST = (
    "L40S;Preis auf Anfrage\nRTX 5090;N/A\nL4;#N/A\nH200 NVL;n.a.\nRTX 6000 Ada;Tagespreis\nH100 NVL;ausverkauft\n"
    "RTX PRO 6000 Max-Q;EOL\n"
)
NOT_ONE_NEW_PIECE = (
    "4x L40S Bundle;26.000,00\n2 x H200 NVL;59.800,00\nServer mit 8x H200 NVL;350.000,00\nKühler für RTX 5090;99,00\n"
    "Halterung L4;20,00\nH100 NVL [B-Ware];15.000,00\nRTX 6000 Ada gebraucht;4.000,00\nRTX PRO 5000 72 GB;81.905,00\n"
)
TRAILING = (
    "L40S;6.500,00\nRTX 5090;3.600,00\nZwischensumme;10.100,00\nMwSt. 19 %;1.919,00\nGesamtbetrag;12.019,00\n\n"
    "Alle Preise zzgl. Versand.;\nGültig bis 31.12.2026;\n"
)
REMARKS_IN_CELLS = (
    "Bezeichnung;Netto\nL40S;6.500,00 €/Stk.\nRTX 5090;3.600,00 EUR pro Stück\nL4;EUR 2.300,00 netto\n"
    "H200 NVL;29.900,00 € zzgl. MwSt.\nRTX 6000 Ada;6.200,00 €*\nH100 NVL;23.000–25.000 €\n"
    "RTX PRO 6000 Max-Q;12,5 TEUR\n"
)
NEGATIVE = "L40S;-6.500,00\nRTX 5090;(3.600,00)\nL4;2.300,00-\nH200 NVL;−29.900,00\n"
NEW_LINES = 'Bezeichnung;"Preis\nnetto EUR"\n"L40S\n48 GB GDDR6";6.500,00\n"H200 NVL\r\n141 GB";"29.900,00"\n'

OFFICES: tuple[Case, ...] = (
    Case(
        "Swiss amounts with the currency behind, right under the headings",
        "schweiz.csv",
        "Artikel;Händlerpreis exkl. MwSt\nL40S;6'234.50 CHF\nH200 NVL;31'234.50 CHF\n".encode(),
        ((2, "ready", "l40s", "6234.50", "CHF"), (3, "ready", "h200_nvl", "31234.50", "CHF")),
    ),
    Case(
        "no-break spaces as thousands marks and before the currency",
        "leer.csv",
        "Bezeichnung;Netto\nH200 NVL;29\u00a0900,00\u00a0€\nL4;2\u202f345,50 €\nL40S;6.500,00\u00a0€\n".encode(),
        (
            (2, "ready", "h200_nvl", "29900", "EUR"),
            (3, "ready", "l4", "2345.50", "EUR"),
            (4, "ready", "l40s", "6500", "EUR"),
        ),
    ),
    Case(
        "cost and customer's price side by side: the customer's counts",
        "ekvk.csv",
        b"Bezeichnung;EK EUR;VK EUR\nL40S;6.500,00;7.900,00\n",
        ((2, "ready", "l40s", "7900", "EUR"),),
        vat=Vat.UNSTATED,
    ),
    Case(
        "recommended gross price beside cost: cost counts, and is net",
        "uvp.csv",
        b"Bezeichnung;UVP EUR;EK EUR\nL40S;9.400,00;6.500,00\n",
        ((2, "ready", "l40s", "6500", "EUR"),),
    ),
    Case(
        "list price, discount and your price",
        "rabatt.csv",
        b"Bezeichnung;Listenpreis netto EUR;Rabatt %;Ihr Preis netto EUR\nL40S;8.000,00;20;6.400,00\n",
        ((2, "ready", "l40s", "6400", "EUR"),),
    ),
    Case(
        "prices of two years, and a rent",
        "jahre.csv",
        b"Bezeichnung;Miete netto EUR/Monat;Netto 2025 EUR;Netto 2026 EUR\nL40S;250,00;6.100,00;6.500,00\n",
        ((2, "ready", "l40s", "6500", "EUR"),),
    ),
    Case(
        "headings of a database",
        "export.csv",
        b"sku,product_name,price_net,currency\nx,L40S,6500.00,EUR\n",
        ((2, "ready", "l40s", "6500", "EUR"),),
    ),
    Case(
        "total of the line before the price of a piece",
        "angebot.csv",
        b"Bezeichnung;Menge;Gesamtpreis netto EUR;Einzelpreis netto EUR\nL40S;2;13.000,00;6.500,00\n",
        ((2, "ready", "l40s", "6500", "EUR"),),
    ),
    Case(
        "price unit by row",
        "pe.csv",
        b"Bezeichnung;Netto EUR;PE\nL40S;650.000,00;100\nRTX 5090;3.600,00;1\nL4;2.300,00;Stk\n",
        (
            (2, "ready", "l40s", "6500", "EUR"),
            (3, "ready", "rtx_5090", "3600", "EUR"),
            (4, "ready", "l4", "2300", "EUR"),
        ),
    ),
    Case(
        "prices per hundred pieces by the heading",
        "hundert.csv",
        "Bezeichnung;Nettopreis je 100 Stück EUR\nL40S;650.000,00\n".encode(),
        ((2, "ready", "l40s", "6500", "EUR"),),
    ),
    Case(
        "price of a piece, with the word for piece in the heading",
        "stueck.csv",
        "Bezeichnung;Stück;Stückpreis netto EUR\nL40S;4;6.500,00\n".encode(),
        ((2, "ready", "l40s", "6500", "EUR"),),
    ),
    Case(
        "a currency of its own in every row, one missing",
        "valuta.csv",
        b"Bezeichnung;Nettopreis;Valuta\nL40S;6.500,00;EUR\nRTX 5090;4,100.00;USD\nL4;2'300.00;CHF\n"
        b"H200 NVL;29.900,00;\n",
        (
            (2, "ready", "l40s", "6500", "EUR"),
            (3, "ready", "rtx_5090", "4100", "USD"),
            (4, "ready", "l4", "2300", "CHF"),
            (5, "no-currency", "h200_nvl", "29900", ""),
        ),
    ),
    Case(
        "UTF-16 big endian with mark",
        "be.csv",
        b"\xfe\xff" + (HEAD + "L40S;6.500,00\n").encode("utf-16-be"),
        ((2, "ready", "l40s", "6500", "EUR"),),
    ),
    Case(
        "the delimiter within quotes",
        "quotes.csv",
        b'Bezeichnung;Netto EUR;Bemerkung\n"L40S; 48 GB; passiv";6.500,00;"ab Lager; solange Vorrat"\n',
        ((2, "ready", "l40s", "6500", "EUR"),),
    ),
    Case(
        "new lines within quotes, in headings and names",
        "zeilen.csv",
        NEW_LINES.encode(),
        ((2, "ready", "l40s", "6500", "EUR"), (3, "ready", "h200_nvl", "29900", "EUR")),
    ),
    Case(
        "sums, VAT and remarks at the end",
        "summe.csv",
        (HEAD + TRAILING).encode(),
        (
            (2, "ready", "l40s", "6500", "EUR"),
            (3, "ready", "rtx_5090", "3600", "EUR"),
            (4, "unknown", "", "10100", "EUR"),
            (5, "unknown", "", "1919", "EUR"),
            (6, "unknown", "", "12019", "EUR"),
        ),
    ),
    Case(
        "workbook with a longer hidden sheet of costs and a merged title",
        "intern.xlsx",
        _book(_hidden_costs, _merged_title),
        ((4, "ready", "l40s", "6500", "EUR"), (5, "ready", "h200_nvl", "29900", "EUR")),
    ),
    Case(
        "workbook with shares, numbers as text and a date among the amounts",
        "anteile.xlsx",
        workbook(_shares),
        (
            (2, "ready", "l40s", "6500", "EUR"),
            (3, "ready", "h200_nvl", "29900", "EUR"),
            (4, "ready", "rtx_5090", "3600", "EUR"),
            (5, "bad-amount", "l4", "", "EUR"),
            (6, "bad-amount", "rtx_6000_ada", "", "EUR"),
        ),
    ),
    Case(
        "workbook, the list behind a longer cover sheet",
        "deckblatt.xlsx",
        _book(_long_cover, _rows(["Artikelnr.", "Bezeichnung", "Netto EUR"], ["1", "L40S", 6500], ["2", "L4", 2300])),
        ((2, "ready", "l40s", "6500", "EUR"), (3, "ready", "l4", "2300", "EUR")),
    ),
    Case(
        "workbook with two lists: one is read, the other named",
        "zwei.xlsx",
        _book(
            _rows(["Bezeichnung", "Netto EUR"], ["L40S", 6500], ["L4", 2300]),
            _rows(["Bezeichnung", "Netto EUR"], ["H200 NVL", 29900]),
        ),
        ((2, "ready", "l40s", "6500", "EUR"), (3, "ready", "l4", "2300", "EUR")),
    ),
    Case(
        "one part number twice with two prices",
        "doppelt.csv",
        b"MPN;Bezeichnung;Netto EUR\n900-2G153-2700-030;Server-Karte;12.000,00\n900-2G153-2700-030;ab 10;11.500,00\n",
        ((2, "ready", SE, "12000", "EUR"), (3, "duplicate", SE, "11500", "EUR")),
    ),
    Case(
        "negative amounts in four spellings",
        "minus.csv",
        (HEAD + NEGATIVE).encode(),
        tuple(
            (line, "bad-amount", item, "", "EUR")
            for line, item in enumerate(("l40s", "rtx_5090", "l4", "h200_nvl"), start=2)
        ),
    ),
    Case(
        "no price yet, no price any more",
        "anfrage.csv",
        (HEAD + ON_REQUEST).encode(),
        (
            *(
                (line, "on-request", item, "", "EUR")
                for line, item in enumerate(("l40s", "rtx_5090", "l4", "h200_nvl", "rtx_6000_ada"), start=2)
            ),
            (7, "bad-amount", "h100_nvl", "", "EUR"),
            (8, "bad-amount", MAXQ, "", "EUR"),
        ),
    ),
    Case(
        "bundles, accessories, used pieces, an amount that slipped",
        "beiwerk.csv",
        (HEAD + NOT_ONE_NEW_PIECE).encode(),
        (
            (2, "confirm", "l40s", "26000", "EUR"),
            (3, "confirm", "h200_nvl", "59800", "EUR"),
            (4, "confirm", "h200_nvl", "350000", "EUR"),
            (5, "confirm", "rtx_5090", "99", "EUR"),
            (6, "confirm", "l4", "20", "EUR"),
            (7, "confirm", "h100_nvl", "15000", "EUR"),
            (8, "confirm", "rtx_6000_ada", "4000", "EUR"),
            (9, "confirm", RP72, "81905", "EUR"),
        ),
    ),
    Case(
        "words and signs behind the amount",
        "zusatz.csv",
        REMARKS_IN_CELLS.encode(),
        (
            (2, "ready", "l40s", "6500", "EUR"),
            (3, "ready", "rtx_5090", "3600", "EUR"),
            (4, "ready", "l4", "2300", "EUR"),
            (5, "ready", "h200_nvl", "29900", "EUR"),
            (6, "ready", "rtx_6000_ada", "6200", "EUR"),
            (7, "bad-amount", "h100_nvl", "", "EUR"),
            (8, "bad-amount", MAXQ, "", ""),
        ),
    ),
    Case(
        "decimal commas torn apart by the delimiter",
        "komma.csv",
        b"Bezeichnung,Netto EUR\nL40S,6500,50\nRTX PRO 5000 48 GB,4900,25\n",
        ((2, "bad-amount", "l40s", "", "EUR"), (3, "bad-amount", RP48, "", "EUR")),
    ),
    Case(
        "end-of-life marks beside a valid price",
        "eol.csv",
        b"Typ;Netto EUR;Status\nL40S (EOL);6.500,00;EOL\n*NEU* RTX 5090;3.600,00;\n",
        ((2, "ready", "l40s", "6500", "EUR"), (3, "ready", "rtx_5090", "3600", "EUR")),
    ),
)

REMARKS: dict[str, tuple[RemarkKind, str, tuple[str, ...]]] = {
    "ekvk.csv": (RemarkKind.PRICE_COLUMN, "VK EUR", ("EK EUR",)),
    "angebot.csv": (RemarkKind.PRICE_COLUMN, "Einzelpreis netto EUR", ("Gesamtpreis netto EUR",)),
    "intern.xlsx": (RemarkKind.HIDDEN_SHEETS, "", ("Blatt 1",)),
    "zwei.xlsx": (RemarkKind.OTHER_SHEETS, "Blatt 1", ("Blatt 2",)),
    "anteile.xlsx": (RemarkKind.DISCOUNT, "", ("Rabatt",)),
}
"""What must be said about the whole list, by file."""
