"""From a consultation file to the scenario and the facts it is computed with."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from pathlib import Path

from catalog.attachments import consultation_from_pdf
from catalog.catalog import Catalog
from catalog.config_model import model_from_file
from catalog.consultation.document import Consultation
from catalog.consultation.files import read
from catalog.consultation.scenario import to_scenario
from catalog.load import load_catalog
from catalog.user_folder import user_folder
from engine.workload import Scenario


@dataclass(frozen=True, slots=True)
class OpenConsultation:
    """A consultation ready to be planned."""

    consultation: Consultation
    scenario: Scenario
    catalog: Catalog


def open_consultation(path: Path, today: datetime.date) -> OpenConsultation:
    """Read a file, or the consultation a PDF carries, and the catalogue.

    Raises `PassformError` with what is wrong and what would be right.
    """
    consultation = consultation_from_pdf(path) if path.suffix.lower() == ".pdf" else read(path)
    catalog = load_catalog(user_folder())
    scenario = to_scenario(consultation, catalog.facts, today, model_from_file, path.parent)
    return OpenConsultation(consultation, scenario, catalog)
