"""Price lists of a reseller, with a head and without one."""

PRICE_LIST = """Preisliste Nord;;
Stand: 20.11.2026;;
Artikelnummer;Bezeichnung;VK netto EUR
A1;NVIDIA H200 NVL 141GB;29.990,00
A2;NVIDIA H100 80GB;22.000,00
A3;Grafikkarte Unbekannt 3000;120,00
A4;RTX PRO 6000 Blackwell Workstation Edition;auf Anfrage
"""
HEADLESS = "Ware;Wert\nNVIDIA H200 NVL;29990\nL40S 48GB;7000\n"
