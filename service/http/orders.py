"""From what a caller wants to what the translator does: the seam between every API and the pipeline.

Each API reads its own kind of request into an `Order`, and writes the `Outcome` of each text in its own kind of answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from model.bundle import DIRECTIONS, Direction
from service.errors import (
    BodyTimeout,
    DeadlineExceeded,
    Draining,
    EngineFailed,
    EngineUnavailable,
    FieldError,
    InvalidRequest,
    MalformedRequest,
    Overloaded,
    RateLimited,
    ServiceError,
    TooLarge,
    UnsupportedMedia,
)
from service.formats import Document
from service.http.calls import Call
from service.http.context import Context, Exchange
from service.http.disconnect import while_connected
from service.pipeline.detection import Detection, detect_document, way
from service.pipeline.reading import parse_request, parse_texts
from service.pipeline.text_threads import note_longest
from service.pipeline.together import together
from service.types import Format, Quality, Request, Term, Translated, Translation

__all__ = [
    "AUTO",
    "LANGUAGES",
    "MAX_ALTERNATIVES",
    "READING_ERRORS",
    "TRANSLATION_ERRORS",
    "Order",
    "Outcome",
    "Part",
    "Plan",
    "detect_all",
    "fulfil",
    "prepare",
    "settle",
    "within_field",
    "within_order",
]

R = TypeVar("R")

LANGUAGES = tuple(direction.source for direction in DIRECTIONS)
"""Their codes. Each is translated into the other."""

AUTO = "auto"
"""What logs and metrics call the direction of a request whose texts go several ways, or none."""

MAX_ALTERNATIVES = 5
"""Other translations of a segment that may be asked for."""

READING_ERRORS: tuple[type[ServiceError], ...] = (
    MalformedRequest,
    BodyTimeout,
    TooLarge,
    UnsupportedMedia,
    InvalidRequest,
    Overloaded,
    DeadlineExceeded,
)
"""What reading a request may raise, for the OpenAPI document."""

TRANSLATION_ERRORS = (*READING_ERRORS, RateLimited, EngineFailed, EngineUnavailable, Draining)
"""What reading an order and fulfilling it may raise, for the OpenAPI document."""


@dataclass(frozen=True, slots=True)
class Order:
    """Texts to translate, all with the same options.

    Args:
        texts: what the caller sent, not validated yet.
        quality: how hard to look.
        source: the language of all texts; None has it detected, text by text.
        target: the language wanted; None is the other one than a text's own.
        format: what the texts are written in.
        glossary: terms and their translations.
        details: whether each `Translation` is to tell of its segments.
        alternatives: how many other translations of each segment; needs `details`, and good or best quality.
        attributes: whether in HTML what `alt`, `title` and the like say is translated too.
        parse: reads each text, where options of another API ask for more than the format says.
    """

    texts: tuple[str, ...]
    quality: Quality
    source: str | None = None
    target: str | None = None
    format: Format = Format.TEXT
    glossary: tuple[Term, ...] = ()
    details: bool = False
    alternatives: int = 0
    attributes: bool = False
    parse: Callable[[str], Document] | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one text.

    `direction` is None where the text is in the target language already, or blank and no source is named: then the
    translation is the text itself.
    `detection` is None where the order names the source.
    """

    translation: Translation
    direction: Direction | None
    detection: Detection | None


@dataclass(frozen=True, slots=True)
class Part:
    """The texts of an order that go one way; `places` says where in the order each of them is."""

    request: Request
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """A valid order: what to ask the translator, and which way each text goes (None: nowhere)."""

    order: Order
    parts: tuple[Part, ...]
    directions: tuple[Direction | None, ...]
    detections: tuple[Detection | None, ...]

    def unchanged(self) -> list[Outcome]:
        """What becomes of texts that need no translation; `settle` puts in the others."""
        texts = (Translation(text, 1.0) for text in self.order.texts)
        return list(map(Outcome, texts, self.directions, self.detections))


async def fulfil(call: Call, order: Order) -> list[Outcome]:
    """Translate all texts of an order, in its order; those that go different ways at the same time.

    The body must have been read: from here on the client is watched, and its leaving ends the work.

    Raises:
        InvalidRequest, TooLarge: the order is not valid. Locations are ``text.3`` and the like.
        RateLimited: the caller has had its share.
        ClientDisconnected: it has left.
        DeadlineExceeded: not done in the time of the call.
        Draining, EngineError, Overloaded: as `Translator.translate`.
    """
    return await while_connected(call.request, _fulfil(call, order))


async def _fulfil(call: Call, order: Order) -> list[Outcome]:
    plan = await prepare(call, order)
    outcomes = plan.unchanged()
    left_s = call.left_s
    answers = await together([_translate(call.context, part, left_s) for part in plan.parts])
    for part, translated in zip(plan.parts, answers, strict=True):
        settle(call.exchange, part, translated, outcomes)
    return outcomes


async def prepare(call: Call, order: Order) -> Plan:
    """Validate an order, count it, and find out which way its texts go.

    Raises:
        InvalidRequest, TooLarge, RateLimited, DeadlineExceeded: as `fulfil`.
    """
    exchange, translator = call.exchange, call.context.translator
    exchange.texts, exchange.characters = len(order.texts), sum(map(len, order.texts))
    exchange.quality = str(order.quality)
    whole = translator.validate(
        DIRECTIONS[0],  # each part has its own
        order.texts,
        order.quality,
        format=order.format,
        glossary=order.glossary,
        details=order.details,
        alternatives=order.alternatives,
        attributes=order.attributes,
    )
    await call.meter.take(exchange.characters * translator.passes(order.quality, details=order.details))
    documents: Sequence[Document] = ()
    found: Sequence[Detection | None] = [None] * len(order.texts)
    if order.parse is not None:
        late = "the texts were not read before the deadline"
        parsed = await _work_on(call, whole, "parse", partial(parse_texts, order.texts, order.parse), late=late)
        documents, whole = parsed, replace(whole, documents=parsed)
    if order.source is None:
        documents, found = await detect_all(call, whole)
    directions = [
        None if order.source is None and not text.strip() else _direction(order, one)
        for text, one in zip(order.texts, found, strict=True)
    ]
    parts = tuple(_parts(whole, directions, documents))
    exchange.direction = str(parts[0].request.direction) if len(parts) == 1 else AUTO
    return Plan(order, parts, tuple(directions), tuple(found))


def _parts(whole: Request, directions: Sequence[Direction | None], documents: Sequence[Document]) -> Iterator[Part]:
    """The texts of each direction; `documents` are all texts parsed, or none."""
    for direction in DIRECTIONS:
        if places := tuple(place for place, its in enumerate(directions) if its == direction):
            texts = tuple(whole.texts[place] for place in places)
            parsed = tuple(documents[place] for place in places) if documents else ()
            yield Part(replace(whole, direction=direction, texts=texts, documents=parsed), places)


async def detect_all(call: Call, request: Request) -> tuple[Sequence[Document], list[Detection]]:
    """Parse each text of a valid request, unless that has been done, and say in which language it is.

    Raises:
        InvalidRequest: one is not of its format.
        DeadlineExceeded: not done in time.
    """
    late = "the languages were not detected before the deadline"
    return await _work_on(call, request, "detect", partial(_detect_all, request), late=late)


def settle(exchange: Exchange, part: Part, translated: Translated, outcomes: list[Outcome]) -> None:
    """Put the translations of a part in their places, and note where its time went: parts run side by side."""
    for place, translation in zip(part.places, translated.translations, strict=True):
        outcomes[place] = replace(outcomes[place], translation=translation)
    exchange.tokens += translated.tokens
    note_longest(exchange.stage_s, [translated.stage_s])


async def _translate(context: Context, part: Part, timeout_s: float) -> Translated:
    try:
        return await context.translator.translate(part.request, timeout_s=timeout_s)
    except InvalidRequest as error:
        raise within_order(error, part) from None


def within_order(error: InvalidRequest, part: Part) -> InvalidRequest:
    """An error of a part, with the places that its texts have in the order."""

    def moved(one: FieldError) -> FieldError:
        name, _, place = one.location.partition(".")
        known = name == "text" and place.isdecimal() and int(place) < len(part.places)
        return replace(one, location=f"text.{part.places[int(place)]}") if known else one

    return InvalidRequest(*map(moved, error.errors))


def within_field(error: InvalidRequest, field: str) -> InvalidRequest:
    """An error of an order whose texts an API has in a field of that name: ``body.text.3`` for ``text.3``."""

    def renamed(one: FieldError) -> FieldError:
        name, dot, place = one.location.partition(".")
        return replace(one, location=f"{field}{dot}{place}") if name == "text" else one

    return InvalidRequest(*map(renamed, error.errors))


def _direction(order: Order, detection: Detection | None) -> Direction | None:
    """Which way a text goes; None if it is in the target language already."""
    return way(detection or Detection(order.source or LANGUAGES[0], 1.0), order.target)


async def _work_on(call: Call, request: Request, stage: str, work: Callable[[], R], *, late: str) -> R:
    """What a stage of work on the texts gives; `late` is what is said if it takes too long."""
    context, stage_s = call.context, call.exchange.stage_s
    try:
        async with asyncio.timeout(call.left_s):
            done = await context.text_threads.run(stage_s, stage, lambda _: work(), characters=request.size)
    except TimeoutError as error:
        raise DeadlineExceeded(late) from error
    context.metrics.observe_stages({stage: stage_s[stage]})
    return done


def _detect_all(request: Request) -> tuple[Sequence[Document], list[Detection]]:
    documents = parse_request(request)
    return documents, [detect_document(document) for document in documents]
