"""Every reason for a missing settings file is told in both languages."""

from __future__ import annotations

import pytest

from engine.training_limits import TRAINERS, Lack, Missing
from engine.wording.training import missing_text
from resources import translations


@pytest.mark.parametrize("lack", Lack)
def test_that_every_lack_names_the_framework_in_both_languages(lack: Lack) -> None:
    for framework in TRAINERS:
        german, english = (missing_text(Missing(framework, lack), translations(language)) for language in ("de", "en"))
        assert german != english
        assert german.split(":")[0] == english.split(":")[0]
