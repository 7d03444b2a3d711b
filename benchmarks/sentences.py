"""Real sentences to measure with, as token ids: their lengths decide what everything costs."""

from __future__ import annotations

import lzma
import random
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from cli.errors import USAGE, fail
from service.pipeline.segmentation.sentences import segment
from service.pipeline.tokenisation import tokenise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.bundle import Bundle, Tokenizer

__all__ = [
    "SETS",
    "Parallel",
    "Sentence",
    "read_aligned",
    "read_mixed",
    "read_pairs",
    "read_parallel",
    "read_sentences",
    "read_side",
    "read_texts",
    "side_of",
    "spread",
]

SETS = tuple(Path("data/test", name) for name in ("wmt14.en-de", "multi30k_test_2016_flickr", "gnome-help"))
"""What a service may get mixed: news, captions and manuals. Prefixes of file names, as `side_of` takes them."""

Item = TypeVar("Item")

_ORDER_SEED = 7


@dataclass(frozen=True, slots=True)
class Sentence:
    """A text that the service translates as one piece, and that piece's token ids."""

    text: str
    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Parallel:
    """A source sentence as token ids, and how many tokens people's translation of it has."""

    source: tuple[int, ...]
    target_tokens: int


def read_texts(file: Path) -> list[str]:
    """The lines that are not blank; ends the command with a clear message if there are none."""
    try:
        texts = [line for line in file.read_text(encoding="utf-8").split("\n") if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        fail(f"no sentences to measure with: {file} cannot be read ({error}); name another file", code=USAGE)
    if not texts:
        fail(f"no sentences to measure with: {file} is empty; name another file", code=USAGE)
    return texts


def read_parallel(prefix: Path, tokenizer: Tokenizer, *, max_tokens: int) -> list[Parallel]:
    """Sentence pairs of PREFIX.en and PREFIX.de, English to German, in the files' order.

    Pairs with more than `max_tokens` on a side are left out, as are empty ones.
    """
    english, german = zip(*read_aligned(prefix), strict=True)
    sources, targets = tokenizer.encode_batch(list(english)), tokenizer.encode_batch(list(german))
    pairs = [Parallel(tuple(source), len(target)) for source, target in zip(sources, targets, strict=True)]
    kept = [pair for pair in pairs if 0 < len(pair.source) <= max_tokens and 0 < pair.target_tokens <= max_tokens]
    if not kept:
        fail(f"{prefix}: no sentence pair has at most {max_tokens} tokens on both sides", code=USAGE)
    return kept


def read_aligned(prefix: Path) -> list[tuple[str, str]]:
    """All lines of PREFIX.en and PREFIX.de, blank ones too, in pairs."""
    english, german = (_read_lines(*side_of([prefix], language)) for language in ("en", "de"))
    if len(english) != len(german):
        fail(f"{prefix}.en has {len(english)} lines, {prefix}.de has {len(german)}: not a translation", code=USAGE)
    return list(zip(english, german, strict=True))


def read_pairs(file: Path, count: int | None = None, *, longest: int | None = None) -> list[tuple[str, str]]:
    """The first pairs of a corpus, English first; with `longest`, of those of which no side has more characters."""
    pairs = []
    try:
        with lzma.open(file, "rt", encoding="utf-8") as lines:
            for line in lines:
                english, german = line.rstrip("\n").split("\t")[:2]
                if longest is None or max(len(english), len(german)) < longest:
                    pairs.append((english, german))
                if len(pairs) == count:
                    break
    except (OSError, lzma.LZMAError, UnicodeDecodeError, ValueError) as error:
        fail(f"{file} has no pairs of English and German ({error}); name another file", code=USAGE)
    return pairs


def read_sentences(file: Path, tokenizer: Tokenizer, *, language: str, max_tokens: int) -> list[Sentence]:
    """The lines that the service takes for one sentence and does not cut, in the file's order."""
    sentences = []
    for text in read_texts(file):
        tokenised = tokenise(segment(text, language), tokenizer, max_tokens=max_tokens)
        pieces = [piece for piece in tokenised.pieces if piece.ids]
        if len(tokenised.pieces) == len(pieces) == 1:
            sentences.append(Sentence(text, pieces[0].ids))
    if not sentences:
        fail(f"{file}: no line is one sentence of at most {max_tokens} tokens", code=USAGE)
    return sentences


def read_mixed(files: Sequence[Path], bundle: Bundle, *, language: str, count: int) -> list[Sentence]:
    """About `count` sentences that the service does not cut, of all files alike, mixed."""
    limit = bundle.manifest.max_source_tokens
    share = -(-count // len(files))
    sets = [read_sentences(file, bundle.tokenizer, language=language, max_tokens=limit) for file in files]
    together = [sentence for one in sets for sentence in spread(one, share)]
    return spread(together, len(together))


def read_side(prefix: Path, language: str) -> list[str]:
    """The lines of PREFIX.en or PREFIX.de that are not blank; as `read_texts`."""
    return read_texts(*side_of([prefix], language))


def side_of(prefixes: Sequence[Path], language: str) -> list[Path]:
    """The files of one language: PREFIX.en or PREFIX.de."""
    return [prefix.with_name(f"{prefix.name}.{language}") for prefix in prefixes]


def spread(items: Sequence[Item], count: int) -> list[Item]:
    """`count` of the items, evenly spaced, in an order that has nothing to do with the files'; all if there are fewer.

    Always the same ones: two runs measure the same sentences.
    """
    chosen = [items[index * len(items) // count] for index in range(count)] if count < len(items) else [*items]
    random.Random(_ORDER_SEED).shuffle(chosen)  # noqa: S311 - shuffles sentences, guards nothing
    return chosen


def _read_lines(file: Path) -> list[str]:
    """All lines, blank ones too, since they are paired by number."""
    read_texts(file)
    return file.read_text(encoding="utf-8").removesuffix("\n").split("\n")
