"""What one stage hands to the next. All frozen; arrays in them are not written to after creation.

fast   Request -> Segmented -> Tokenised -> Batch -> Frames -> SegmentFrames -> Hypothesis
good   Tokenised -> Batch -> Choices -> SegmentChoices -> Candidates -> Hypothesis
best   ... Candidates -> ScorePair -> its log probability -> Hypothesis
all    Hypothesis -> Decoded -> Written -> Translation -> Translated

What only the pipeline knows is there: Tokenised in `service.pipeline.pieces`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from model.bundle import Candidate, Direction

__all__ = [
    "CONTROLS",
    "FORBIDDEN",
    "Batch",
    "Block",
    "Candidates",
    "Choices",
    "Decoded",
    "Document",
    "EngineInfo",
    "Format",
    "Frames",
    "Hypothesis",
    "Inferred",
    "Inline",
    "InlineKind",
    "Link",
    "Quality",
    "Request",
    "ScorePair",
    "SegmentChoices",
    "SegmentFrames",
    "SegmentReport",
    "Segmented",
    "Span",
    "Term",
    "Translated",
    "Translation",
    "Written",
]

R = TypeVar("R")

CONTROLS = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
"""C0 and C1 controls and DEL, but for tab, line feed and carriage return, as a pattern has them in brackets.

They are no part of any text, and NUL among them has ended more than one program's string.
"""
FORBIDDEN = rf"{CONTROLS}\ud800-\udfff"
"""What no text may hold: these, and lone surrogates, which are not text either."""


class Quality(StrEnum):
    """How hard to look: for the likeliest path, the most probable text, or the best of several by both directions."""

    FAST = "fast"
    GOOD = "good"
    BEST = "best"


class Format(StrEnum):
    """What the caller's texts are written in; each is a module of `service.formats`."""

    TEXT = "text"
    HTML = "html"
    MARKDOWN = "markdown"
    SRT = "srt"
    PO = "po"
    XLIFF = "xliff"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class Term:
    """An entry of a caller's glossary: wherever `source` stands, the translation has `target`."""

    source: str
    target: str


@dataclass(frozen=True, slots=True)
class Request:
    """Texts to translate one way, in the caller's order. They hold no lone surrogates.

    `details` asks for a `SegmentReport` of every segment, with up to `alternatives` other translations in each.
    `attributes` makes those attributes of HTML that people read, such as `alt` and `title`, text too.
    `documents` are the texts as `service.formats` has parsed them, where detecting their language needed it.
    """

    direction: Direction
    texts: tuple[str, ...]
    quality: Quality
    format: Format = Format.TEXT
    glossary: tuple[Term, ...] = ()
    details: bool = False
    alternatives: int = 0
    attributes: bool = False
    documents: tuple[Document, ...] = ()

    @property
    def characters(self) -> int:
        """Of all texts."""
        return sum(map(len, self.texts))

    @property
    def size(self) -> int:
        """Characters that work on it goes through: of texts and terms."""
        return self.characters + sum(len(term.source) + len(term.target) for term in self.glossary)


@dataclass(frozen=True, slots=True)
class Span:
    """Characters `start` to `end` (exclusive) of a text, counted in code points."""

    start: int
    end: int

    def meets(self, other: Span) -> bool:
        """Whether a character is in both."""
        return self.start < other.end and other.start < self.end


class InlineKind(StrEnum):
    """How a piece of inline markup stands to the words around it."""

    OPEN = "open"
    CLOSE = "close"
    SINGLE = "single"


@dataclass(frozen=True, slots=True)
class Inline:
    """Markup within a block: `code`, as the document has it, stands before character `at` of the block's text.

    The two ends of one element have the same number `element`; no other markup of the block has it.
    """

    at: int
    code: str
    kind: InlineKind
    element: int


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of a document that is read as one text: a paragraph, a caption, a message.

    `text` is what people read, markup and escapes removed; `inlines` in the order of the document; `kept` are the
    spans of the text that must not be translated, in order, none overlapping another.
    """

    text: str
    inlines: tuple[Inline, ...] = ()
    kept: tuple[Span, ...] = ()


class Document(Protocol):
    """A document whose text has been found, by the parser of its format."""

    @property
    def blocks(self) -> tuple[Block, ...]:
        """Its texts, in the order in which they are read."""
        ...

    def towards(self, source: str, target: str) -> Document:
        """The document as one to be translated from and to these languages, by their ISO 639-1 codes.

        Where it names the one as its own, it names the other. The blocks are the same.

        Raises:
            service.formats.InvalidDocument: it says that it is translated from and to others.
        """
        ...

    def render(self, blocks: Sequence[Block]) -> str:
        """The document with other text: one block for each of `blocks`, in order.

        With its own blocks, the source; but formats that keep translations beside their sources then have each text
        as its own translation.
        A block's inlines may have moved, and come in another order; each is there once. Text is escaped as the
        format asks.
        """
        ...


@dataclass(frozen=True, slots=True)
class Link:
    """These characters of the source became those of the target."""

    source: Span
    target: Span


@dataclass(frozen=True, slots=True)
class Segmented:
    """One text as "gap sentence gap sentence … gap".

    There is one gap more than there are sentences; a gap may be empty, a sentence is not.
    Interleaved they are the text, byte for byte.
    """

    gaps: tuple[str, ...]
    sentences: tuple[str, ...]


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
class Candidates:
    """The candidates for one piece, the most probable first, at least one; `frames` were searched for them."""

    candidates: tuple[Candidate, ...]
    frames: int


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """The token ids decided on for one piece; empty where the network writes nothing. `confidence` is from 0 to 1.

    `reverse_log_prob` is log p(source | ids), where that is known.
    """

    ids: tuple[int, ...]
    confidence: float
    reverse_log_prob: float | None = None


@dataclass(frozen=True, slots=True)
class Decoded:
    """All that came of one piece: the hypothesis, and the frames or choices that it was found in.

    `others` are the token ids of the candidates that it was preferred to, the most probable first.
    """

    hypothesis: Hypothesis
    frames: SegmentFrames | SegmentChoices
    others: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """The translation of one piece, as text. For the fields see `SegmentReport`."""

    text: str
    confidence: float
    links: Sequence[Link] = ()
    flags: tuple[str, ...] = ()
    reverse_score: float | None = None
    alternatives: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SegmentReport:
    """How one segment, a sentence or a part of one, was translated.

    `source_span` and `target_span` are its places in the block's text before and after. `links`, and `alternatives`
    in the order of their probability, are about `source` and `target` alone. `reverse_score`, from 0 to 1, says how
    well the network gets from `target` back to `source`. `flags` name what a reader should look at.
    """

    source: str
    target: str
    source_span: Span
    target_span: Span
    confidence: float
    reverse_score: float | None = None
    links: tuple[Link, ...] = ()
    alternatives: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Translation:
    """The translation of one text. `confidence` is from 0 to 1; `segments` only on request."""

    text: str
    confidence: float
    segments: tuple[SegmentReport, ...] = ()


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
    """How the network runs here.

    `fallback` says why it is not on the processor that was preferred, if so; `padded` whether a sentence takes as long
    as the longest of its batch.
    """

    provider: str
    precision: str
    threads: int
    runtime: str
    fallback: str = ""
    padded: bool = True
