"""What a caller may ask for, and the requests that ask for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict

from reder._results import Translation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = [
    "Call",
    "Direction",
    "Options",
    "about_call",
    "round_trip_call",
    "streaming_call",
    "together",
    "translation_calls",
]

TEXTS, CHARACTERS = 64, 20_000
"""In one request, at most, unless one text alone is longer: well below what the service allows by default."""

Direction: TypeAlias = Literal["en-de", "de-en", "auto"]


class Options(TypedDict, total=False):
    """How to translate; all optional.

    Attributes:
        target: with the direction ``auto``, the language to translate to; without it, to the other one.
        quality: ``fast``, ``good``: searched with a language model, or ``best``: reranked, too, at about three times
            the work; without it as the service is set, which is ``good`` unless it was changed.
        format: what the texts are written in: markup is kept, and only what people read is translated.
        glossary: what words and names must be translated as.
        details: say of every segment how it was translated.
        alternatives: so many other translations of every segment, at most 5; with quality ``good`` or ``best``, and
            with `details` as if that were set.
        attributes: in HTML, that within Markdown too, translate what `alt`, `title`, `placeholder` and the like say.
    """

    target: Literal["en", "de"] | None
    quality: Literal["fast", "good", "best"]
    format: Literal["text", "html", "markdown", "srt", "po", "xliff", "json"]
    glossary: Mapping[str, str] | Iterable[tuple[str, str]]
    details: bool
    alternatives: int
    attributes: bool


@dataclass(frozen=True, slots=True)
class Call:
    """One request. `texts` is how many translations must come back.

    `places` says where each of its texts is among those of the caller, if it has not all of them.
    """

    path: str
    query: Mapping[str, str]
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    texts: int = 0
    places: tuple[int, ...] = ()

    @property
    def method(self) -> str:
        """GET if there is no body."""
        return "GET" if self.body is None else "POST"


def translation_calls(texts: Sequence[str], direction: str, options: Options) -> Iterator[Call]:
    """Requests for what is to be translated: texts that are nothing but white space are not.

    Raises:
        TypeError: there is no such option.
    """
    query, glossary = _query(direction, options), _glossary(options)
    return (
        replace(_call(query, glossary, [texts[place] for place in places]), places=places) for places in _batches(texts)
    )


def together(texts: Sequence[str], translations: Iterable[Translation]) -> list[Translation]:
    """One for each text, given those of `translation_calls`: white space comes back as it is."""
    following = iter(translations)
    return [next(following) if text.strip() else Translation(text, 1.0, unchanged=True) for text in texts]


def streaming_call(texts: Sequence[str], direction: str, options: Options) -> Call:
    """The request for all of them, to be answered as segments are done.

    Raises:
        TypeError: there is no such option.
    """
    call = _call(_query(direction, options), _glossary(options), texts)
    return replace(call, headers={"Accept": "text/event-stream"})


def round_trip_call(text: str, direction: str) -> Call:
    """The request for one text, there and back."""
    return Call("/roundtrip", {"dir": direction, "text": text})


def about_call() -> Call:
    """The request for what the service is."""
    return Call("/", {}, headers={"Accept": "application/json"})


def _query(direction: str, options: Options) -> dict[str, str]:
    """The parameters; those that would say nothing new are left out, so that older releases understand the rest."""
    if unknown := options.keys() - Options.__optional_keys__:
        msg = f"no such option: {', '.join(sorted(unknown))}; there are {', '.join(sorted(Options.__optional_keys__))}"
        raise TypeError(msg)
    count, form = options.get("alternatives"), options.get("format", "text")
    chosen = {
        "dir": direction,
        "target": options.get("target"),
        "quality": options.get("quality"),
        "format": None if form == "text" else form,
        "details": "true" if options.get("details") else None,
        "alternatives": str(count) if count else None,
        "attributes": "true" if options.get("attributes") else None,
    }
    return {name: value for name, value in chosen.items() if value is not None}


def _glossary(options: Options) -> list[dict[str, str]]:
    pairs = options.get("glossary", ())
    terms = pairs.items() if isinstance(pairs, Mapping) else pairs
    return [{"source": source, "target": target} for source, target in terms]


def _call(query: dict[str, str], glossary: list[dict[str, str]], texts: Sequence[str]) -> Call:
    body: dict[str, Any] = {"text": [*texts]}
    if glossary:
        body["glossary"] = glossary
    return Call("/translate", query, body, texts=len(texts))


def _batches(texts: Sequence[str]) -> Iterator[tuple[int, ...]]:
    """Which texts go into each request: all that are more than white space."""
    batch: list[int] = []
    characters = 0
    for place, text in enumerate(texts):
        if not text.strip():
            continue
        if batch and (len(batch) == TEXTS or characters + len(text) > CHARACTERS):
            yield tuple(batch)
            batch, characters = [], 0
        batch.append(place)
        characters += len(text)
    if batch:
        yield tuple(batch)
