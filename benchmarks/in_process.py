"""A service in this process, without HTTP, alone and beside the network that it serves; quality good."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from model.bundle import Direction
from model.decode import translate_best
from model.onnx_runner import GraphRunner
from service.app import open_translator
from service.settings import Settings
from service.types import Quality, Request

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from model.bundle import Bundle
    from service.pipeline.translator import Translator

__all__ = ["TranslateBoth", "side_by_side", "translated"]

TranslateBoth = Callable[[Direction, Sequence[str]], Awaitable[tuple[list[str], list[str]]]]
"""What the network makes of texts, and what the service."""

_PRECISION = "int8"
_TIMEOUT_S = 300.0
_AT_ONCE = 50


@asynccontextmanager
async def side_by_side(bundle: Bundle) -> AsyncIterator[TranslateBoth]:
    """Both, with the same graphs on the CPU."""
    runner, search, fluency = GraphRunner(bundle, _PRECISION), bundle.manifest.search.of_good(), bundle.fluency()
    settings = Settings(bundle=bundle.path, provider="cpu", precision=_PRECISION, canary_on_start=False)
    async with open_translator(settings) as translator:

        async def translate(direction: Direction, texts: Sequence[str]) -> tuple[list[str], list[str]]:
            network = translate_best(runner, bundle.tokenizer, direction, texts, search, fluency)
            return list(network), await translated(translator, direction, texts)

        yield translate


async def translated(translator: Translator, direction: Direction, texts: Sequence[str]) -> list[str]:
    """What a service makes of texts."""
    found: list[str] = []
    for start in range(0, len(texts), _AT_ONCE):
        request = Request(direction, tuple(texts[start : start + _AT_ONCE]), quality=Quality.GOOD)
        answer = await translator.translate(request, timeout_s=_TIMEOUT_S)
        found += [one.text for one in answer.translations]
    return found
