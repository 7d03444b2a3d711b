"""`search.c` from Python: arrays go in and come out, and no thread holds Python's lock meanwhile.

The library is built when the package is installed (`hatch_build.py`), and lies beside this file.
"""

from __future__ import annotations

import ctypes
from ctypes import POINTER, Structure, byref, c_double, c_float, c_int, c_int64, c_uint64, c_void_p
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from model.bundle.libraries import load_library

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = [
    "UNJUDGED",
    "Entries",
    "Flaws",
    "Judges",
    "Ngrams",
    "Searched",
    "Words",
    "best_path",
    "in_vocabulary",
    "search",
]

UNJUDGED = -1
"""In the place of a length, as in search.c."""


class _Entries(Structure):
    _fields_ = (("prints", c_void_p), ("buckets", c_void_p), ("shift", c_int64))


class _Ngrams(Structure):
    _fields_ = (
        ("order", c_int64),
        ("bits", c_int64),
        ("probs1", c_void_p),
        ("backoffs1", c_void_p),
        ("probs", c_void_p),
        ("backoffs", c_void_p),
        ("entries", _Entries),
    )


class _Words(Structure):
    _fields_ = (
        ("entries", _Entries),
        ("steps", c_void_p),
        ("letters", c_void_p),
        ("whole", c_void_p),
        ("longest", c_int64),
    )


class _Spared(Structure):
    _fields_ = (("hashes", c_void_p), ("count", c_int64))


class _Flaws(Structure):
    _fields_ = (("unknown", c_int64), ("repeated", c_int64))


class _Judges(Structure):
    _fields_ = (
        ("ngrams", POINTER(_Ngrams)),
        ("weight", c_double),
        ("bonus", c_double),
        ("words", POINTER(_Words)),
        ("unknown_word_cost", c_double),
        ("repeated_word_cost", c_double),
        ("spared", _Spared),
    )


_library = load_library(Path(__file__).with_name("_search.so"))
_library.reder_log_prob.argtypes = [POINTER(_Ngrams), c_uint64, POINTER(c_int64), c_int64]
_library.reder_log_prob.restype = c_double
_library.reder_find_flaws.argtypes = [POINTER(_Words), POINTER(_Spared), c_void_p, c_int64, POINTER(_Flaws)]
_library.reder_find_flaws.restype = c_int
_library.reder_search.argtypes = [
    *(c_void_p, c_void_p, c_int64, c_int64, c_int64, c_int64),
    *(POINTER(_Judges), c_void_p, c_void_p, c_void_p, c_void_p),
]
_library.reder_search.restype = c_int64
_library.reder_best_path.argtypes = [
    *(c_void_p, c_void_p, c_int64, c_int64),
    *(c_void_p, c_int64, c_int64, c_float, c_void_p),
]
_library.reder_best_path.restype = c_int


def in_vocabulary(tokens: NDArray[np.integer[Any]], size: int) -> bool:
    """Whether all are tokens of a vocabulary of that size; C does not look."""
    return not tokens.size or bool(0 <= tokens.min() <= tokens.max() < size)


class Entries(NamedTuple):
    """What is found by a hash: see `fingerprints`, which makes sure that it fits together."""

    prints: NDArray[np.uint16]
    buckets: NDArray[np.uint32]
    shift: int

    def structure(self) -> _Entries:
        """The same for C; not to be used for longer than this."""
        return _Entries(self.prints.ctypes.data, self.buckets.ctypes.data, self.shift)


class Ngrams:
    """The arrays of a language model: see `language_model`, which makes sure that they fit together."""

    def __init__(
        self,
        order: int,
        bits: int,
        single: tuple[NDArray[np.uint8], ...],
        longer: tuple[NDArray[np.uint8], ...],
        entries: Entries,
    ) -> None:
        """Take probabilities and backoffs of single tokens and of longer n-grams."""
        self._arrays = single, longer, entries
        pointers = (array.ctypes.data for array in (*single, *longer))
        self.structure = _Ngrams(order, bits, *pointers, entries.structure())

    def log_prob(self, context: int, tokens: Sequence[int]) -> float:
        """Natural log of the probability of tokens after packed ones."""
        array = (c_int64 * len(tokens))(*tokens)
        log_prob: float = _library.reder_log_prob(byref(self.structure), context, array, len(tokens))
        return log_prob


class Words:
    """The words that there are, and what each token does to an unfinished one: see `lexicon`.

    Args:
        entries: the words, by a hash.
        steps: [vocabulary, 7], as `struct step` in search.c.
        letters: what `steps` points into, of heads and tails.
        whole: the same, of whole words.
    """

    def __init__(
        self, entries: Entries, steps: NDArray[np.int64], letters: NDArray[np.uint8], whole: NDArray[np.uint64]
    ) -> None:
        self._arrays = entries, steps, letters, whole
        longest = max(0, int(steps[:, [1, 5]].max()))
        pointers = (array.ctypes.data for array in (steps, letters, whole))
        self.structure = _Words(entries.structure(), *pointers, longest)

    def flaws(self, tokens: NDArray[np.int64], spared: NDArray[np.uint64]) -> Flaws:
        """What is wrong with the words of a text, of which those count as known whose hashes are spared.

        Raises:
            MemoryError: there is none left.
        """
        found = _Flaws()
        arguments = byref(_spared(spared)), tokens.ctypes.data, len(tokens), byref(found)
        if not _library.reder_find_flaws(byref(self.structure), *arguments):
            raise MemoryError
        return Flaws(found.unknown, found.repeated)


class Flaws(NamedTuple):
    """How many words of a text there are not, and how many say again what the word before says."""

    unknown: int
    repeated: int


class Judges(NamedTuple):
    """What says how prefixes read: see `beam.Fluency`."""

    ngrams: Ngrams | None = None
    weight: float = 0.0
    bonus: float = 0.0
    words: Words | None = None
    unknown_word_cost: float = 0.0
    repeated_word_cost: float = 0.0
    spared: NDArray[np.uint64] = np.zeros(0, np.uint64)

    def structure(self) -> _Judges:
        """The same for C; not to be used for longer than this."""
        return _Judges(
            self.ngrams and ctypes.pointer(self.ngrams.structure),
            self.weight,
            self.bonus,
            self.words and ctypes.pointer(self.words.structure),
            self.unknown_word_cost,
            self.repeated_word_cost,
            _spared(self.spared),
        )


def _spared(hashes: NDArray[np.uint64]) -> _Spared:
    return _Spared(hashes.ctypes.data, len(hashes))


class Searched(NamedTuple):
    """Candidates: their tokens, one after another, where those of each end, log masses, and what judges add."""

    tokens: list[int]
    ends: list[int]
    masses: list[float]
    gains: list[float]


def search(
    token_ids: NDArray[np.integer[Any]], log_probs: NDArray[np.floating[Any]], beam: int, blank_id: int, judges: Judges
) -> Searched:
    """See `beam.prefix_beam_search`.

    Raises:
        MemoryError: there is none left.
    """
    ids, logs = np.ascontiguousarray(token_ids, np.int64), np.ascontiguousarray(log_probs, np.float64)
    frames, choices = ids.shape
    tokens, ends = np.empty(beam * frames, np.int64), np.empty(beam, np.int64)
    masses, gains = np.empty(beam), np.empty(beam)
    count = _library.reder_search(
        *(ids.ctypes.data, logs.ctypes.data, frames, choices, beam, blank_id, byref(judges.structure())),
        *(array.ctypes.data for array in (tokens, ends, masses, gains)),
    )
    if count < 0:
        raise MemoryError
    written = ends[:count].tolist()
    return Searched(
        tokens[: written[-1] if written else 0].tolist(), written, masses[:count].tolist(), gains[:count].tolist()
    )


def best_path(
    token_ids: NDArray[np.integer[Any]],
    log_probs: NDArray[np.floating[Any]],
    target: Sequence[int],
    blank_id: int,
    unlisted: float,
) -> NDArray[np.int64]:
    """See `ctc.best_path`.

    Raises:
        MemoryError: there is none left.
    """
    ids, logs = np.ascontiguousarray(token_ids, np.int64), np.ascontiguousarray(log_probs, np.float32)
    tokens, path = np.array(target, np.int64), np.empty(len(ids), np.int64)
    if not _library.reder_best_path(
        *(ids.ctypes.data, logs.ctypes.data, *ids.shape),
        *(tokens.ctypes.data, len(tokens), blank_id, unlisted, path.ctypes.data),
    ):
        raise MemoryError
    return path
