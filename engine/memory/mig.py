"""What a MIG instance has of its card: it carries one run of its own and never takes part in a multi-card run."""

from __future__ import annotations

from decimal import Decimal

from engine.errors import InvalidInputError
from engine.hardware import Card, MigProfile
from engine.units import GB


def memory_slices(card_memory_gb: Decimal, profile_memory_gb: Decimal) -> int:
    """Equal slices of the card's memory of which an instance has one.

    MIG divides memory and bandwidth into equal slices (NVIDIA MIG user guide); a profile's name rounds its share up to
    whole gigabytes, so 18 of 141 GB are an eighth, although only seven instances fit, and 24 of 96 GB a quarter. Its
    matrix units are near the same share: 16 of 132 multiprocessors on an H200, 46 of 188 on an RTX PRO 6000.

    Raises InvalidInputError when the profile is no part of the card.
    """
    if not 0 < profile_memory_gb <= card_memory_gb:
        raise InvalidInputError(
            "An instance of {profile} GB is no part of a card with {card} GB.",
            profile=profile_memory_gb,
            card=card_memory_gb,
        )
    return round(card_memory_gb / profile_memory_gb)


def instance_bytes(usable_bytes: int, card_memory_gb: Decimal, profile_memory_gb: Decimal) -> int:
    """Usable bytes of an instance whose size the driver's list of profiles is not known for.

    The driver keeps a part of every instance to itself: where its list is known (`MigProfile.usable_bytes`), an
    instance has 1 to 10 % less than its slice of the card's usable bytes. So the name counts, in 10^9 bytes, and a
    slice at most.
    """
    slices = memory_slices(card_memory_gb, profile_memory_gb)
    return min(usable_bytes // slices, int(profile_memory_gb * GB))


def profile_bytes(card: Card, profile: MigProfile) -> int:
    """Usable bytes of one instance: by the driver's list, else by the profile's name."""
    if profile.usable_bytes is not None:
        return profile.usable_bytes.value
    return instance_bytes(card.usable_bytes.value, card.memory_gb.value, profile.memory_gb)
