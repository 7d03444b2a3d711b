"""What `reder translate` translates with: the service's pipeline in this process, or a service that runs elsewhere."""

from __future__ import annotations

import asyncio
import io
import math
import re
import sys
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Protocol, cast

from tqdm import tqdm

from cli.translate_text import TEXT, pieces
from reder import (
    AsyncClient,
    DeadlineError,
    Excerpt,
    InvalidRequestError,
    Link,
    Segment,
    ServiceFailedError,
    TooLargeError,
    Translation,
)
from service.formats import WITH_ATTRIBUTES
from service.types import CONTROLS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from model.bundle import Direction
    from reder import Options, RederError
    from service import types
    from service.formats import Part
    from service.pipeline.translator import Translator
    from service.settings import Settings

__all__ = ["UNBOUNDED", "Engine", "RefusedError", "Wishes", "open_local", "open_remote"]

UNBOUNDED: dict[str, Any] = {"queue_tokens": 1 << 40, "queue_s": 1e9}
"""What may wait in this process: what is under way at once is bounded by its callers, in characters."""

_TIMEOUT_S = 3600.0
_TIMED_CHARACTERS = 65_536
"""A slow machine may take that long for so many characters, others beside them; a hung one may not."""

_ANSWER_S, _PATIENCE_S = 120.0, 600.0
"""For one answer of a service, and to go on asking one that is busy."""

_SILENT_S, _REMINDER_S = 5.0, 120.0
"""How long a service may keep the command waiting before that says so, and how much later it says it again."""

_REQUESTS = 4
"""At the same time, to a service: enough to keep it busy."""

_SHORT_CHARACTERS = 256
"""Text that is too long for a service is cut, unless it is shorter: then cutting would not help."""

_CONTROLS = re.compile(f"([{CONTROLS}]+)")
"""What a service refuses as no part of any text; files have it all the same, form feeds above all."""

_CONTROL = re.compile(f"[{CONTROLS}]")


class RefusedError(RuntimeError):
    """This text cannot be translated; another may."""


class _TooLongError(RefusedError):
    """More than a service takes in one request."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """How to translate, whatever the text.

    `details` asks for segments, `attributes` for the text of attributes where a document may have some; no quality is
    that of the service, or of the settings.
    """

    quality: str | None = None
    target: str | None = None
    glossary: tuple[tuple[str, str], ...] = ()
    details: bool = False
    attributes: bool = False

    def attributes_of(self, form: str) -> bool:
        """Whether the text of attributes is wanted of a document in this format."""
        return self.attributes and form in WITH_ATTRIBUTES


class Engine(Protocol):
    """Translates."""

    async def translate(self, texts: Sequence[str], *, direction: str, form: str) -> list[Translation]:
        """Translations, in order; white space comes back as it is.

        Args:
            texts: all in one format; none holds a lone surrogate.
            direction: such as ``en-de``, or ``auto``.
            form: the format.

        Raises:
            RefusedError: see there.
            RederError, ServiceError: nothing can be translated.
        """
        ...


@asynccontextmanager
async def open_remote(url: str, api_key: str | None, wishes: Wishes, characters: int) -> AsyncIterator[Engine]:
    """A running service. Documents that are too long for one request are cut in parts of about so many characters."""
    waiting = _Waiting()
    async with AsyncClient(
        url, api_key=api_key, timeout_s=_ANSWER_S, patience_s=_PATIENCE_S, on_pause=waiting.pauses
    ) as client:
        yield _Remote(client, wishes, characters, waiting)


@asynccontextmanager
async def open_local(settings: Settings, wishes: Wishes) -> AsyncIterator[Engine]:
    """The pipeline in this process.

    Raises:
        BundleError, StartupError: it cannot be run.
    """
    from service.app import open_translator
    from service.engine.memory import collect_seldom

    collect_seldom()
    async with open_translator(settings) as translator:
        yield _Local(translator, wishes, wishes.quality or settings.quality)


class _Waiting:
    """Tells people on standard error that a service keeps the command waiting, and what it answers."""

    def __init__(self) -> None:
        self._since = 0.0
        self._silent_until = 0.0

    def begins(self) -> None:
        """A request is made, so those before it do not hold everything up."""
        self._since = time.monotonic()

    def pauses(self, error: RederError, pause_s: float) -> None:
        """There was no answer but this error, and the request is made again after a pause."""
        now = time.monotonic()
        if now + pause_s - self._since > _SILENT_S and now > self._silent_until:
            self._silent_until = now + _REMINDER_S
            tqdm.write(f"reder: waiting: {' '.join(str(error).split())}", file=sys.stderr)  # not into the bar


class _Remote:
    def __init__(self, client: AsyncClient, wishes: Wishes, characters: int, waiting: _Waiting) -> None:
        self._client = client
        self._wishes = wishes
        self._characters = characters
        self._waiting = waiting
        self._limit: float | None = None  # characters that the service takes in one request; asked when it matters
        self._turn = asyncio.Semaphore(_REQUESTS)

    async def translate(self, texts: Sequence[str], *, direction: str, form: str) -> list[Translation]:
        if form != TEXT:
            return [await self._document(text, direction, form) for text in texts]
        # Every second part is what lies between two that are sent.
        parts = [_CONTROLS.split(text) for text in texts]
        following = iter(await self._fitted([part for several in parts for part in several[::2]], direction))
        return [_joined([next(following) for _ in several[::2]], several[1::2]) for several in parts]

    async def _document(self, document: str, direction: str, form: str) -> Translation:
        """A document, in parts if it is too long. Controls become spaces: it cannot be cut at them, as text is."""
        parts = await self._parts(_CONTROL.sub(" ", document), form)
        return await self._in_turn(parts, direction, form)

    async def _fitted(self, texts: Sequence[str], direction: str) -> list[Translation]:
        """Texts, in as many requests, and pieces, as it takes until each is short enough for the service."""
        from service.formats import Part

        try:
            return await self._send(texts, direction, TEXT)
        except _TooLongError:
            size = sum(map(len, texts))
            if size < _SHORT_CHARACTERS:
                raise
        if len(texts) > 1:
            middle = len(texts) // 2
            return [
                translation
                for half in (texts[:middle], texts[middle:])
                for translation in await self._fitted(half, direction)
            ]
        parts = [Part(piece) for piece in pieces(io.StringIO(texts[0], newline=""), size // 3)]
        return [await self._in_turn(parts, direction, TEXT)]

    async def _in_turn(self, parts: Sequence[Part], direction: str, form: str) -> Translation:
        """Parts of one text or document. The first of them that has any words settles the direction of all."""
        done: list[Translation] = []
        way: str | None = direction
        for part in parts:
            if way is None:
                done.append(Translation(part.text, 1.0, unchanged=True))
                continue
            (found,) = await (
                self._fitted([part.document], way) if form == TEXT else self._send([part.document], way, form)
            )
            done.append(replace(found, text=part.stretch(found.text)))
            if way == "auto" and found.detected and found.detected.confidence:
                way = found.direction
        return _joined(done, [""] * (len(done) - 1))

    async def _parts(self, document: str, form: str) -> list[Part]:
        """The document, or parts of it, each short enough for one request."""
        from service.formats import InvalidDocument, Part, split
        from service.types import Format

        if self._limit is None:
            async with self._asking():
                self._limit = await self._client.max_characters() or math.inf
        if len(document) <= self._limit:
            return [Part(document)]
        try:
            parts = split(Format(form), document, min(self._characters, int(self._limit)))
        except InvalidDocument as error:
            raise RefusedError(str(error)) from error
        longest = max(len(part.document) for part in parts)
        if longest > self._limit:
            what = "it cannot be cut, and has" if len(parts) == 1 else "a part that cannot be cut has"
            msg = f"{what} {longest} characters; the service takes {self._limit} in one request"
            raise RefusedError(msg)
        return parts

    async def _send(self, texts: Sequence[str], direction: str, form: str) -> list[Translation]:
        wishes = self._wishes
        options: Options = {
            "glossary": wishes.glossary,
            "details": wishes.details,
            "format": cast("Any", form),
            "target": cast("Any", wishes.target) if direction == "auto" else None,
            "attributes": wishes.attributes_of(form),
        }
        if wishes.quality:
            options["quality"] = cast("Any", wishes.quality)
        async with self._asking():
            return await self._client.translate([*texts], cast("Any", direction), **options)

    @asynccontextmanager
    async def _asking(self) -> AsyncIterator[None]:
        """Around a call of the client: in turn, and what it refuses because of this text is a `RefusedError`."""
        try:
            async with self._turn:
                self._waiting.begins()
                yield
        except TooLargeError as error:
            raise _TooLongError(str(error)) from error
        except (DeadlineError, InvalidRequestError, ServiceFailedError) as error:
            if error.status == HTTPStatus.BAD_GATEWAY:  # from a proxy that has no service behind it any more
                raise
            raise RefusedError(str(error)) from error


class _Local:
    def __init__(self, translator: Translator, wishes: Wishes, quality: str) -> None:
        from service.types import Quality, Term

        self._translator = translator
        self._wishes = wishes
        self._quality = Quality(quality)
        self._glossary = tuple(Term(source, target) for source, target in wishes.glossary)

    async def translate(self, texts: Sequence[str], *, direction: str, form: str) -> list[Translation]:
        from model.bundle import DIRECTIONS
        from service.errors import EngineFailed, InvalidRequest, TooLarge

        translations = [Translation(text, 1.0, unchanged=True) for text in texts]
        ways: dict[int, str | None] = dict.fromkeys(range(len(texts)), direction)
        try:
            if direction == "auto":
                ways = {place: await self._detect(text, form) for place, text in enumerate(texts) if text.strip()}
            for way in DIRECTIONS:
                places = [place for place, its in ways.items() if its == str(way)]
                done = await self._one_way([texts[place] for place in places], way, form)
                for place, translation in zip(places, done, strict=True):
                    translations[place] = translation
        except (EngineFailed, InvalidRequest, TooLarge) as error:
            raise RefusedError(str(error)) from error
        return translations

    async def _one_way(self, texts: list[str], direction: Direction, form: str) -> list[Translation]:
        from service.types import Format, Request

        if not texts:
            return []
        request = Request(
            direction=direction,
            texts=tuple(texts),
            quality=self._quality,
            format=Format(form),
            glossary=self._glossary,
            details=self._wishes.details,
            attributes=self._wishes.attributes_of(form),
        )
        timeout_s = _TIMEOUT_S * (1 + sum(map(len, texts)) // _TIMED_CHARACTERS)
        translated = await self._translator.translate(request, timeout_s=timeout_s)
        return [_translation(one, direction) for one in translated.translations]

    async def _detect(self, text: str, form: str) -> str | None:
        """The direction of a text; None if it is in the target language already."""
        return await asyncio.to_thread(_way, text, form, self._wishes)


def _way(text: str, form: str, wishes: Wishes) -> str | None:
    from service.errors import FieldError, InvalidRequest
    from service.formats import InvalidDocument, parse
    from service.pipeline.detection import detect_document, way
    from service.types import Format

    try:
        document = parse(Format(form), text, attributes=wishes.attributes_of(form))
    except InvalidDocument as error:
        raise InvalidRequest(FieldError("text", str(error))) from error
    direction = way(detect_document(document), wishes.target)
    return str(direction) if direction else None


def _joined(parts: list[Translation], between: list[str]) -> Translation:
    """The parts of one text, with what was between them."""
    if not between:
        return parts[0]
    text = "".join(one for part, gap in zip(parts, [*between, ""], strict=True) for one in (part.text, gap))
    return Translation(
        text=text,
        confidence=min(part.confidence for part in parts),
        direction=next((part.direction for part in parts if part.direction), None),
        unchanged=all(part.unchanged for part in parts),
        segments=tuple(segment for part in parts for segment in part.segments),
    )


def _translation(one: types.Translation, direction: Direction) -> Translation:
    return Translation(one.text, one.confidence, str(direction), segments=tuple(map(_segment, one.segments)))


def _segment(report: types.SegmentReport) -> Segment:
    return Segment(
        source=Excerpt(report.source),
        target=Excerpt(report.target),
        confidence=report.confidence,
        reverse_score=report.reverse_score,
        flags=report.flags,
        alignment=tuple(
            Link(link.source.start, link.source.end, link.target.start, link.target.end) for link in report.links
        ),
        alternatives=report.alternatives,
    )
