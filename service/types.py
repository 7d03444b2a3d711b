"""What one stage hands to the next. All frozen; arrays in them are not written to after creation.

fast   Request -> Segmented -> Tokenised -> Batch -> Frames -> SegmentFrames -> Hypothesis -> Translation -> Translated
best   Tokenised -> Batch -> Choices -> SegmentChoices -> Found -> ScorePair -> its log probability -> Hypothesis
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from model.bundle import Candidate, Direction

__all__ = [
    "Batch",
    "Choices",
    "EngineInfo",
    "Found",
    "Frames",
    "Hypothesis",
    "Inferred",
    "Piece",
    "Quality",
    "Request",
    "ScorePair",
    "SegmentChoices",
    "SegmentFrames",
    "Segmented",
    "Tokenised",
    "Translated",
    "Translation",
]

R = TypeVar("R")


class Quality(StrEnum):
    """How hard to look for a translation: the likeliest path, or the best of several candidates."""

    FAST = "fast"
    BEST = "best"


@dataclass(frozen=True, slots=True)
class Request:
    """Texts to translate one way, in the caller's order. They hold no lone surrogates."""

    direction: Direction
    texts: tuple[str, ...]
    quality: Quality = Quality.FAST


@dataclass(frozen=True, slots=True)
class Segmented:
    """One text as "gap sentence gap sentence … gap".

    There is one gap more than there are sentences; a gap may be empty, a sentence is not.
    Interleaved they are the text, byte for byte.
    """

    gaps: tuple[str, ...]
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence or a part of one, no longer than the network takes.

    `ids` is empty when there is nothing to translate: the piece then passes through as it is.
    """

    text: str
    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Tokenised:
    """One text as "gap piece gap piece … gap"."""

    gaps: tuple[str, ...]
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Batch:
    """What the engine takes: `ids` int64 [batch, source_len], `lengths` int64 [batch], as in the contract."""

    ids: NDArray[np.int64]
    lengths: NDArray[np.int64]

    @classmethod
    def pad(cls, sequences: Sequence[Sequence[int]]) -> Batch:
        """Token ids of sentences, none of them empty, padded on the right with zeros."""
        lengths = np.array([len(sequence) for sequence in sequences], dtype=np.int64)
        ids = np.zeros((len(sequences), int(lengths.max())), dtype=np.int64)
        for row, sequence in enumerate(sequences):
            ids[row, : len(sequence)] = sequence
        return cls(ids=ids, lengths=lengths)


@dataclass(frozen=True, slots=True)
class Frames:
    """The best token of each frame: `ids` int64 and `log_probs` float32 [batch, frames], `lengths` int64 [batch].

    Only the first ``lengths[i]`` frames of row i mean anything.
    """

    ids: NDArray[np.int64]
    log_probs: NDArray[np.float32]
    lengths: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Choices:
    """The best few tokens of each frame, the best first.

    `ids` int64 and `log_probs` float32 [batch, frames, choices], `lengths` int64 [batch]. Only the
    first ``lengths[i]`` frames of row i mean anything.
    """

    ids: NDArray[np.int64]
    log_probs: NDArray[np.float32]
    lengths: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class SegmentFrames:
    """The frames of one piece, padding removed: `ids` int64 [frames], `log_probs` float32 [frames]."""

    ids: NDArray[np.int64]
    log_probs: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class SegmentChoices:
    """The choices of one piece, padding removed: `ids` int64 and `log_probs` float32 [frames, choices]."""

    ids: NDArray[np.int64]
    log_probs: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class ScorePair:
    """How probable is `target`, given `source`? Token ids, neither empty."""

    source: tuple[int, ...]
    target: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Inferred(Generic[R]):
    """What the engine gave for each of one request's rows, in order, and where the time went, in seconds.

    Both times are those of the row that came last, so that together they are the whole wait.
    """

    results: tuple[R, ...]
    queue_s: float = 0.0
    inference_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Found:
    """The candidates for one piece, the most probable first, at least one; `frames` were searched for them."""

    candidates: tuple[Candidate, ...]
    frames: int


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """The token ids decided on for one piece; empty where the network writes nothing. `confidence` is from 0 to 1."""

    ids: tuple[int, ...]
    confidence: float


@dataclass(frozen=True, slots=True)
class Translation:
    """The translation of one piece or of one text. `confidence` is from 0 to 1."""

    text: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Translated:
    """The answer to a `Request`: one translation per text, in order.

    `stage_s` gives the seconds spent in each stage; `pieces` and `tokens` say how much the network read.
    """

    translations: tuple[Translation, ...]
    pieces: int
    tokens: int
    stage_s: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EngineInfo:
    """How the network runs here. `fallback` says why it is not on the processor that was preferred, if so."""

    provider: str
    precision: str
    threads: int
    runtime: str
    fallback: str = ""
