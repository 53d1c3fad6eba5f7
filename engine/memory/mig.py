"""Memory of MIG instances. An instance carries one run of its own and never takes part in a multi-card run."""

from __future__ import annotations

from decimal import Decimal

from engine.errors import InvalidInputError


def instance_bytes(usable_bytes: int, card_memory_gb: Decimal, profile_memory_gb: Decimal) -> int:
    """Usable bytes of one instance: whole memory slices of the card.

    MIG divides the memory into equal slices (NVIDIA MIG user guide); a profile's name rounds its share up to whole
    gigabytes, so 18 of 141 GB are an eighth and 24 of 96 GB a quarter. The driver's own reserve is part of the
    card's usable bytes already.
    """
    if not 0 < profile_memory_gb <= card_memory_gb:
        raise InvalidInputError(
            "An instance of {profile} GB is no part of a card with {card} GB.",
            profile=profile_memory_gb,
            card=card_memory_gb,
        )
    return usable_bytes // round(card_memory_gb / profile_memory_gb)
