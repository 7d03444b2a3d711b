"""Which of the kinds of answer that there are a caller would rather have."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["preferred"]

_QUALITY = re.compile(r"(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)")


def preferred(accept: str | None, offers: Sequence[str]) -> str:
    """The offer that the header Accept puts first; of equals, and where it names none, the first of the offers."""
    ranges = dict(map(_range, accept.lower().split(","))) if accept else {}
    return max(offers, key=lambda offer: _quality(offer, ranges))  # the first of equals


def _range(text: str) -> tuple[str, float]:
    """A media range and how welcome it is, 0 to 1; what cannot be read is as welcome as if nothing were said."""
    media, *parameters = (part.strip() for part in text.split(";"))
    told = next((value.strip() for name, _, value in (p.partition("=") for p in parameters) if name.strip() == "q"), "")
    return media, float(told) if _QUALITY.fullmatch(told) else 1.0


def _quality(offer: str, ranges: dict[str, float]) -> float:
    """That of the most specific range counts."""
    family = offer.partition("/")[0]
    return next((ranges[media] for media in (offer, f"{family}/*", "*/*") if media in ranges), 0.0)
