"""What the service answers, as values; all frozen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

__all__ = [
    "Detection",
    "Excerpt",
    "Link",
    "Readiness",
    "RoundTrip",
    "Segment",
    "StreamedSegment",
    "Translation",
    "read_max_characters",
    "read_readiness",
    "read_round_trip",
    "read_streamed_segment",
    "read_translations",
]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Detection:
    """Which language a text is in, ``en`` or ``de``, and how sure that is, from 0 to 1."""

    language: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A segment's text, and where it stands in the whole: characters, in code points; known for plain text only."""

    text: str
    start: int | None = None
    end: int | None = None


class Link(NamedTuple):
    """Characters of a segment's source, and those of its target that they became, counted in code points."""

    source_start: int
    source_end: int
    target_start: int
    target_end: int


@dataclass(frozen=True, slots=True)
class Segment:
    """How one sentence, or a part of one, was translated.

    Attributes:
        source: the text before.
        target: the text after.
        confidence: of the network in what it wrote, from 0 to 1.
        reverse_score: how well it gets from the target back to the source, from 0 to 1.
        flags: what a reader should look at: ``weak``, ``number``, ``term``, ``kept``, ``negation``, ``spelling`` or
            ``dictionary``.
        alignment: which words became which.
        alternatives: other translations, the most probable first.
    """

    source: Excerpt
    target: Excerpt
    confidence: float
    reverse_score: float | None = None
    flags: tuple[str, ...] = ()
    alignment: tuple[Link, ...] = ()
    alternatives: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Translation:
    """One text translated.

    Attributes:
        text: the translation; the text itself if `unchanged`.
        confidence: from 0 to 1.
        direction: such as ``en-de``; None if `unchanged`.
        detected: the language of the text; only if it was asked for with ``auto``.
        unchanged: it was in the target language already.
        segments: only with the option `details`.
    """

    text: str
    confidence: float
    direction: str | None = None
    detected: Detection | None = None
    unchanged: bool = False
    segments: tuple[Segment, ...] = ()


@dataclass(frozen=True, slots=True)
class StreamedSegment:
    """A segment that is done: the one with this number, of the text with that number; both count from 0."""

    text_index: int
    segment_index: int
    segment: Segment


@dataclass(frozen=True, slots=True)
class RoundTrip:
    """A text translated there and back.

    `chrf`, from 0 to 100, says how much came back; `copied`, that the translation merely repeats the source.
    """

    direction: str
    source: str
    translation: Translation
    reconstruction: Translation
    chrf: float
    copied: bool


@dataclass(frozen=True, slots=True)
class Readiness:
    """Whether requests should be sent; if not, `reasons` says why. `round_trip` is the health of the translations."""

    ready: bool
    reasons: tuple[str, ...]
    bundle: str
    round_trip: str


# What follows reads decoded JSON. Each function raises KeyError, TypeError or ValueError if it is something else.


def read_translations(answer: Any, direction: str) -> list[Translation]:  # noqa: ANN401 - whatever JSON holds
    """The translations of an answer to a request for `direction`."""
    return [_translation(one, None if direction == "auto" else direction) for one in answer["translations"]]


def read_streamed_segment(data: Any) -> StreamedSegment:  # noqa: ANN401 - same
    """The data of an event ``segment``."""
    return StreamedSegment(_typed(data["text"], int), _typed(data["index"], int), _segment(data))


def read_round_trip(answer: Any) -> RoundTrip:  # noqa: ANN401 - same
    """The answer of ``/roundtrip`` to a text."""
    there = _typed(answer["dir"], str)
    back = "-".join(reversed(there.split("-")))
    return RoundTrip(
        direction=there,
        source=_typed(answer["source"], str),
        translation=_translation(answer["translation"], there),
        reconstruction=_translation(answer["reconstruction"], back),
        chrf=_number(answer["chrf"]),
        copied=_typed(answer["copied"], bool),
    )


def read_max_characters(answer: Any) -> int | None:  # noqa: ANN401 - same
    """Of the answer of ``/``."""
    found = answer.get("max_characters")
    return None if found is None else _typed(found, int)


def read_readiness(answer: Any) -> Readiness:  # noqa: ANN401 - same
    """The answer of ``/readyz``, whatever its status."""
    return Readiness(
        ready=answer["status"] == "ready",
        reasons=_texts(answer["reasons"]),
        bundle=_typed(answer["bundle"], str),
        round_trip=_typed(answer["round_trip"], str),
    )


def _translation(one: Any, direction: str | None) -> Translation:  # noqa: ANN401 - same
    detected = one.get("detected")
    unchanged = _typed(one.get("unchanged", False), bool)
    return Translation(
        text=_typed(one["text"], str),
        confidence=_number(one["confidence"]),
        direction=None if unchanged else one.get("dir", direction),
        detected=detected and Detection(_typed(detected["language"], str), _number(detected["confidence"])),
        unchanged=unchanged,
        segments=tuple(map(_segment, one.get("segments", ()))),
    )


def _segment(one: Any) -> Segment:  # noqa: ANN401 - same
    reverse_score = one.get("reverse_score")
    return Segment(
        source=_excerpt(one["source"]),
        target=_excerpt(one["target"]),
        confidence=_number(one["confidence"]),
        reverse_score=None if reverse_score is None else _number(reverse_score),
        flags=_texts(one.get("flags", ())),
        alignment=tuple(Link(*map(int, link)) for link in one.get("alignment", ())),
        alternatives=_texts(one.get("alternatives", ())),
    )


def _excerpt(one: Any) -> Excerpt:  # noqa: ANN401 - same
    return Excerpt(_typed(one["text"], str), one.get("start"), one.get("end"))


def _texts(several: Any) -> tuple[str, ...]:  # noqa: ANN401 - same
    return tuple(_typed(one, str) for one in several)


def _number(value: Any) -> float:  # noqa: ANN401 - same
    return float(_typed(value, (int, float)))


def _typed(value: Any, kind: type[T] | tuple[type[T], ...]) -> T:  # noqa: ANN401 - same
    if isinstance(value, kind):
        return value
    msg = f"{type(value).__name__} where {kind} belongs"
    raise TypeError(msg)
