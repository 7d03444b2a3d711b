"""A service in this process, without HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING

from service.types import Quality, Request

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.bundle import Direction
    from service.pipeline.translator import Translator

__all__ = ["translated"]

_TIMEOUT_S = 300.0
_AT_ONCE = 50


async def translated(translator: Translator, direction: Direction, texts: Sequence[str]) -> list[str]:
    """What it makes of texts, quality good."""
    found: list[str] = []
    for start in range(0, len(texts), _AT_ONCE):
        request = Request(direction, tuple(texts[start : start + _AT_ONCE]), quality=Quality.GOOD)
        answer = await translator.translate(request, timeout_s=_TIMEOUT_S)
        found += [one.text for one in answer.translations]
    return found
