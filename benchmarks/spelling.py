"""Text that is misspelt, or in capitals, or without any: what it costs the network, and what the service."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated

import typer

from benchmarks.options import several
from benchmarks.report import table
from benchmarks.sentences import read_texts, side_of
from cli.errors import reporting
from model.bundle import DIRECTIONS, Bundle, BundleError, Direction
from model.decode import translate_best
from model.evaluate import score
from model.onnx_runner import GraphRunner
from service.app import open_translator
from service.settings import Settings
from service.types import Quality, Request

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from service.pipeline.translator import Translator

__all__ = ["misspelt", "spelling"]

_SETS = (Path("data/test/multi30k_val"), Path("data/test/flores-dev"), Path("data/valid/manuals"))
_WORD = re.compile(r"(?<![\w'’-])\w[a-zäöüß]{3,}(?![\w'’-])")
"""Which may be misspelt."""
_ROWS = "qwertzuiop", "asdfghjkl", "yxcvbnm"
_VOWELS = "aeiou"
_ASCII = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"})


def misspelt(text: str, rng: Random) -> str:
    """The text with a slip in one of its longer words, if it has any."""
    words = list(_WORD.finditer(text))
    if not words:
        return text
    word = rng.choice(words)
    return text[: word.start()] + rng.choice(_slips(word[0])) + text[word.end() :]


def _slips(word: str) -> list[str]:
    """The word with a letter left out, or twice, or once instead, or at its neighbour's place, or another in its place.

    The first letter, which people seldom get wrong, stays.
    """
    found = []
    for place in range(1, len(word)):
        before, letter, after = word[:place], word[place], word[place + 1 :]
        found += [before + after, before + letter + letter + after, before + after[:1] + letter + after[1:]]
        others = _VOWELS if letter in _VOWELS else ""
        for row in _ROWS:
            _, is_here, right = row.partition(letter)
            others += (row[: row.find(letter)][-1:] + right[:1]) if is_here else ""
        found += [before + other + after for other in others]
    return [one for one in found if one != word]


_WAYS: dict[str, Callable[[str, Random], str]] = {
    "as written": lambda text, _: text,
    "a slip in each": misspelt,
    "in capitals": lambda text, _: text.upper(),
    "in lower case": lambda text, _: text.lower(),
    "ae, oe, ue, ss": lambda text, _: text.translate(_ASCII),
}
_SEED = 1
_PRECISION = "int8"
_TIMEOUT_S = 300.0
_AT_ONCE = 50


def spelling(
    sets: Annotated[list[Path], several(_SETS, "--set", metavar="PREFIX", help="Parallel text: PREFIX.en, PREFIX.de")],
    bundle: Annotated[Path, typer.Option(help="The bundle.")] = Path("bundles/reder-medium"),
    sentences: Annotated[int, typer.Option(min=1, help="The first of each set.")] = 300,
) -> None:
    """Translate text as it is, misspelt, and in other capitals: the network alone, and the service; quality good.

    BLEU and chrF are of translations and references in capitals: it is the words that count.

    Example:
        python -m benchmarks spelling
    """
    with reporting(BundleError):
        opened = Bundle.open(bundle)
    asyncio.run(_measure(opened, sets, sentences))


async def _measure(bundle: Bundle, sets: Sequence[Path], sentences: int) -> None:
    search = bundle.manifest.search.of_good()
    runner, fluency = GraphRunner(bundle, _PRECISION), bundle.fluency()
    settings = Settings(bundle=bundle.path, provider="cpu", precision=_PRECISION, canary_on_start=False)
    rows = []
    async with open_translator(settings) as translator:
        for prefix in sets:
            english, german = (read_texts(side_of([prefix], language)[0])[:sentences] for language in ("en", "de"))
            for direction in DIRECTIONS:
                sources, references = (english, german) if direction.source == "en" else (german, english)
                network: list[str] = []
                service: list[str] = []
                for written in _WAYS.values():
                    rng = Random(_SEED)  # noqa: S311 - slips, not secrets
                    texts = [written(text, rng) for text in sources]
                    alone = translate_best(runner, bundle.tokenizer, direction, texts, search, fluency)
                    network.append(_scored(direction, alone, references))
                    service.append(_scored(direction, await _served(translator, direction, texts), references))
                rows += [
                    [f"{prefix.name} {direction}, network", *network],
                    [f"{prefix.name} {direction}, service", *service],
                ]
    typer.echo(table(["BLEU / chrF", *_WAYS], rows))


async def _served(translator: Translator, direction: Direction, texts: Sequence[str]) -> list[str]:
    found: list[str] = []
    for start in range(0, len(texts), _AT_ONCE):
        request = Request(direction, tuple(texts[start : start + _AT_ONCE]), quality=Quality.GOOD)
        translated = await translator.translate(request, timeout_s=_TIMEOUT_S)
        found += [one.text for one in translated.translations]
    return found


def _scored(direction: Direction, translations: Sequence[str], references: Sequence[str]) -> str:
    sides = ([text.upper() for text in side] for side in (translations, references))
    found = score("", direction, *sides)
    return f"{found.bleu:.1f} / {found.chrf:.1f}"
