"""BLEU and chrF of several candidates against one target, as sacreBLEU scores each of them by itself, but all at once.

Minimum risk asks for these of every sentence that it searches; one by one they take several times as long as that.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from sacrebleu.metrics.bleu import BLEU

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["closeness", "sentence_bleu", "sentence_chrf"]

_WORDS, _CHARACTERS = 4, 6
"""Of the longest n-grams that BLEU and chrF count."""

_BETA_SQUARED = 4
"""How much more recall counts than precision in chrF (Popović 2015)."""

_tokenize = BLEU().tokenizer

_KNOWN_WORDS = 2**16


def closeness(candidates: Sequence[str], reference: str) -> list[float]:
    """The mean of both scores of each candidate, 0 to 1: what it is rewarded with."""
    scores = zip(sentence_bleu(candidates, reference), sentence_chrf(candidates, reference), strict=True)
    return [(bleu + chrf) / 200 for bleu, chrf in scores]


def sentence_bleu(candidates: Sequence[str], reference: str) -> list[float]:
    """`BLEU(effective_order=True).sentence_score` of each candidate, 0 to 100."""
    words = [[part for word in text.split() for part in _parts(word)] for text in (*candidates, reference)]
    ids: dict[str, int] = {}
    symbols = np.array([ids.setdefault(word, len(ids)) for each in words for word in each], dtype=np.int64)
    lengths = [len(each) for each in words]
    own, _, matches = _ngrams(symbols, lengths, _WORDS)
    *candidate_lengths, reference_length = lengths
    return [
        BLEU.compute_bleu(correct, total, length, reference_length, smooth_method="exp", effective_order=True).score
        for correct, total, length in zip(matches.tolist(), own.tolist(), candidate_lengths, strict=True)
    ]


def sentence_chrf(candidates: Sequence[str], reference: str) -> list[float]:
    """`CHRF().sentence_score` of each candidate, 0 to 100."""
    texts = ["".join(text.split()) for text in (*candidates, reference)]
    symbols = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    own, wanted, matches = _ngrams(symbols, [len(text) for text in texts], _CHARACTERS)
    counted = (own > 0) & (wanted > 0)
    precisions, recalls = (np.divide(matches, of, out=np.zeros(own.shape), where=counted) for of in (own, wanted))
    orders = np.maximum(counted.sum(axis=1), 1)
    precision, recall = precisions.sum(axis=1) / orders, recalls.sum(axis=1) / orders
    divisor = _BETA_SQUARED * precision + recall
    product = (1 + _BETA_SQUARED) * precision * recall
    scores: list[float] = (100 * np.divide(product, divisor, out=np.zeros_like(product), where=divisor > 0)).tolist()
    return scores


@lru_cache(maxsize=_KNOWN_WORDS)
def _parts(word: str) -> tuple[str, ...]:
    """Of a word, with the marks beside it, what the tokeniser makes: whole texts never come twice, words do."""
    return tuple(_tokenize(word).split())


def _ngrams(
    symbols: NDArray[Any], lengths: Sequence[int], longest: int
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """How many n-grams of one to `longest` symbols each candidate has, the reference has, and both have.

    Args:
        symbols: of all candidates and then the reference, one text after the other, [symbols].
        lengths: of each text.
        longest: the largest n.

    Returns:
        int [candidates, longest], [1, longest] and [candidates, longest].
    """
    owners = np.repeat(np.arange(len(lengths)), lengths)
    counts = np.zeros((len(lengths), longest), dtype=np.int64)
    matches = np.zeros((len(lengths) - 1, longest), dtype=np.int64)
    kinds, symbols = np.unique(symbols, return_inverse=True)
    grams = symbols
    for last in range(min(longest, len(symbols))):
        if last:
            # an n-gram is the one of n - 1 that begins there, and a symbol
            grams = _numbered(grams[:-1] * len(kinds) + symbols[last:])
        whole = owners[: len(grams)] == owners[last:]
        size = int(grams.max()) + 1
        places = owners[: len(grams)][whole] * size + grams[whole]
        table = np.bincount(places, minlength=len(lengths) * size).reshape(len(lengths), size)
        counts[:, last] = table.sum(axis=1)
        matches[:, last] = np.minimum(table[:-1], table[-1]).sum(axis=1)
    return counts[:-1], counts[-1:], matches


def _numbered(values: NDArray[Any]) -> NDArray[Any]:
    """The same without gaps: the smallest is 0, the next 1. No sorting, unlike `np.unique`."""
    used = np.zeros(int(values.max()) + 1, dtype=bool)
    used[values] = True
    numbers: NDArray[Any] = (np.cumsum(used) - 1)[values]
    return numbers
