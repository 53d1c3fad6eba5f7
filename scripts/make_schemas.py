"""Write the JSON schemas of the files Passform reads: `python -m scripts.make_schemas`.

They come from the very models that validate the files, so they cannot say anything else. A test compares them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel

from catalog.consultation.document import Consultation
from catalog.evidence_rows import MeasuredFile
from catalog.keys import PublicKeyRow, TrustedKeysFile
from catalog.models_data import ModelsFile
from catalog.price_ages import PriceAgesRow
from catalog.quote_templates import TemplatesFile
from catalog.register.settings import SettingsRow
from catalog.schema import CardsFile, ItemsFile, PricesFile, RatesFile, RulesFile, SourcesFile, SystemsFile
from catalog.seller import SellerRow

OUTPUT = Path(__file__).parents[1] / "docs" / "schemas"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
MODELS: Mapping[str, type[BaseModel]] = {
    "consultation": Consultation,
    "seller": SellerRow,
    "register": SettingsRow,
    "price-ages": PriceAgesRow,
    "quote-templates": TemplatesFile,
    "publisher-key": PublicKeyRow,
    "trusted-keys": TrustedKeysFile,
    "measured": MeasuredFile,
    "catalogue-sources": SourcesFile,
    "catalogue-cards": CardsFile,
    "catalogue-systems": SystemsFile,
    "catalogue-items": ItemsFile,
    "catalogue-prices": PricesFile,
    "catalogue-exchange-rates": RatesFile,
    "catalogue-rules": RulesFile,
    "catalogue-models": ModelsFile,
}


def schemas() -> dict[str, str]:
    """Every schema as text by its file name."""
    return {f"{name}.schema.json": _text(model) for name, model in MODELS.items()}


def _text(model: type[BaseModel]) -> str:
    schema = {"$schema": DIALECT, **model.model_json_schema(by_alias=True)}
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    OUTPUT.mkdir(parents=True, exist_ok=True)
    for file, content in schemas().items():
        (OUTPUT / file).write_text(content, encoding="utf-8")
