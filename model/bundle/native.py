"""`search.c` from Python: arrays go in and come out, and no thread holds Python's lock meanwhile.

The library is built when the package is installed (`hatch_build.py`), and lies beside this file.
"""

from __future__ import annotations

import ctypes
import hashlib
from ctypes import POINTER, Structure, byref, c_char_p, c_double, c_int64, c_uint64, c_void_p
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["UNJUDGED", "Entries", "Judges", "Ngrams", "Searched", "Words", "search"]

UNJUDGED = -1
"""In the place of a length, as in search.c."""

STEP_FIELDS = 6

_LIBRARY = Path(__file__).with_name("_search.so")
_SOURCE = Path(__file__).with_name("search.c")
_INSTALL = "install the package again: make serve, make test, or pip install"


def _load() -> ctypes.CDLL:
    """The library.

    Raises:
        ImportError: it is missing, made for another machine, or of another source than the one beside it.
    """
    try:
        library = ctypes.CDLL(str(_LIBRARY))
    except OSError as error:
        msg = f"{_LIBRARY.name}, which is built when the package is installed, cannot be loaded ({error}); {_INSTALL}"
        raise ImportError(msg) from error
    library.reder_source.restype = c_char_p
    # in a checkout somebody may have changed the one without the other
    if _SOURCE.exists() and library.reder_source().decode() != hashlib.sha256(_SOURCE.read_bytes()).hexdigest():
        msg = f"{_LIBRARY.name} was built from another {_SOURCE.name} than there is; {_INSTALL}"
        raise ImportError(msg)
    return library


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


_library = _load()
_library.reder_log_prob.argtypes = [POINTER(_Ngrams), c_uint64, c_int64]
_library.reder_log_prob.restype = c_double
_library.reder_count_unknown.argtypes = [POINTER(_Words), c_void_p, c_int64, c_void_p, c_int64]
_library.reder_count_unknown.restype = c_int64
_library.reder_search.argtypes = [
    *(c_void_p, c_void_p, c_int64, c_int64, c_int64, c_int64),
    *(POINTER(_Ngrams), c_double, c_double),
    *(POINTER(_Words), c_double, c_void_p, c_int64),
    *(c_void_p, c_void_p, c_void_p, c_void_p),
]
_library.reder_search.restype = c_int64


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

    def log_prob(self, context: int, token: int) -> float:
        """Natural log of the probability of a token after packed ones."""
        log_prob: float = _library.reder_log_prob(byref(self.structure), context, token)
        return log_prob


class Words:
    """The words that there are, and what each token does to an unfinished one: see `lexicon`.

    Args:
        entries: the words, by a hash.
        steps: [vocabulary, 6], as `struct step` in search.c.
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

    def count_unknown(self, tokens: NDArray[np.int64], spared: NDArray[np.uint64]) -> int:
        """How many words a text has that there are not, and whose hashes are not among those spared."""
        arguments = (spared.ctypes.data, len(spared), tokens.ctypes.data, len(tokens))
        unknown: int = _library.reder_count_unknown(byref(self.structure), *arguments)
        if unknown < 0:
            raise MemoryError
        return unknown


class Judges(NamedTuple):
    """What says how prefixes read: see `beam.Fluency`."""

    ngrams: Ngrams | None = None
    weight: float = 0.0
    bonus: float = 0.0
    words: Words | None = None
    unknown_word_cost: float = 0.0
    spared: NDArray[np.uint64] = np.zeros(0, np.uint64)


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
        *(ids.ctypes.data, logs.ctypes.data, frames, choices, beam, blank_id),
        *(judges.ngrams and byref(judges.ngrams.structure), judges.weight, judges.bonus),
        *(judges.words and byref(judges.words.structure), judges.unknown_word_cost),
        *(judges.spared.ctypes.data, len(judges.spared)),
        *(array.ctypes.data for array in (tokens, ends, masses, gains)),
    )
    if count < 0:
        raise MemoryError
    written = ends[:count].tolist()
    return Searched(
        tokens[: written[-1] if written else 0].tolist(), written, masses[:count].tolist(), gains[:count].tolist()
    )
