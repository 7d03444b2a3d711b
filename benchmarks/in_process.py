"""A service in this process, without HTTP, alone and beside the network that it serves; quality good."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from benchmarks.report import table
from model.bundle import DIRECTIONS, Direction
from model.decode import translate_best
from model.onnx_runner import GraphRunner
from service.app import open_translator
from service.settings import Settings
from service.types import Quality, Request

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from model.bundle import Bundle
    from service.pipeline.translator import Translator

__all__ = ["TranslateBoth", "share_kept", "side_by_side", "translated"]

TranslateBoth = Callable[[Direction, Sequence[str]], Awaitable[tuple[list[str], list[str]]]]
"""What the network makes of texts, and what the service."""

_PRECISION = "int8"
_TIMEOUT_S = 300.0
_AT_ONCE = 50


@asynccontextmanager
async def side_by_side(bundle: Bundle) -> AsyncIterator[TranslateBoth]:
    """Both, with the same graphs on the CPU."""
    runner, search, fluency = GraphRunner(bundle, _PRECISION), bundle.manifest.search.of_good(), bundle.fluency()
    settings = Settings(
        bundle=bundle.path,
        provider="cpu",
        precision=_PRECISION,
        threads=runner.threads,
        canary_on_start=False,
    )
    async with open_translator(settings) as translator:

        async def translate(direction: Direction, texts: Sequence[str]) -> tuple[list[str], list[str]]:
            network = translate_best(runner, bundle.tokenizer, direction, texts, search, fluency)
            return list(network), await translated(translator, direction, texts)

        yield translate


async def share_kept(
    bundle: Bundle,
    cases: Callable[[Direction], Sequence[tuple[str, str]]],
    is_kept: Callable[[str, str], bool],
    name: str,
    directions: Sequence[Direction] = DIRECTIONS,
) -> str:
    """A table of how many translations have what they should, in per cent: the network's, and the service's.

    Args:
        bundle: what translates.
        cases: of a direction, each sentence and what its translation should have.
        is_kept: whether a translation, the second, has it.
        name: of what should be there, for the head of the table.
        directions: those that have cases.
    """
    rows = []
    async with side_by_side(bundle) as translate:
        for direction in directions:
            sentences, wanted = zip(*cases(direction), strict=True)
            both = await translate(direction, sentences)
            shares = (100 * sum(map(is_kept, wanted, texts)) / len(sentences) for texts in both)
            rows.append([str(direction), str(len(sentences)), *(f"{share:.1f}" for share in shares)])
    return table([f"{name}, %", "sentences", "network", "service"], rows)


async def translated(translator: Translator, direction: Direction, texts: Sequence[str]) -> list[str]:
    """What a service makes of texts."""
    found: list[str] = []
    for start in range(0, len(texts), _AT_ONCE):
        request = Request(direction, tuple(texts[start : start + _AT_ONCE]), quality=Quality.GOOD)
        answer = await translator.translate(request, timeout_s=_TIMEOUT_S)
        found += [one.text for one in answer.translations]
    return found
