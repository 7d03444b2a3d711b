"""POST /translate, our own API. Where the query has no `dir`, the request is for LibreTranslate's."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from contextlib import ExitStack
from functools import lru_cache
from typing import Any, Literal

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse, Response
from fastapi.routing import APIRoute
from pydantic import Field
from starlette.routing import Match
from starlette.types import Scope

from model.bundle import Direction
from service.errors import FieldError, InvalidRequest
from service.formats import WITH_ATTRIBUTES
from service.http import libretranslate
from service.http.answers import translate_response
from service.http.authentication import authenticate
from service.http.body import JSON
from service.http.calls import Call, call_of
from service.http.context import context_of, exchange_of
from service.http.dependencies import TimeoutMs, read_timeout_ms
from service.http.dialects import Dialect
from service.http.disconnect import while_connected
from service.http.forms import DOCUMENTS, FORM, MULTIPART, read_texts
from service.http.negotiation import preferred
from service.http.orders import AUTO, MAX_ALTERNATIVES, TRANSLATION_ERRORS, Order, fulfil, prepare, within_field
from service.http.parameters import Query, query_of, read_query
from service.http.problems import documented
from service.http.schemas import TranslateRequest, TranslateResponse, reference
from service.http.streaming import EVENT_STREAM, EventStream
from service.types import Format, Quality

__all__ = ["router"]

_PLAIN = "text/plain"
_FIELD = "body.text"
"""What errors call the texts, in whichever way they are sent."""
_FORM_FIELDS = {
    "text": {"type": "array", "items": {"type": "string"}, "minItems": 1},
    "glossary": {"type": "string", "description": "As in JSON: a list of objects with `source` and `target`."},
}
_FILES = {
    "type": "array",
    "items": {"type": "string", "format": "binary"},
    "description": "Documents in UTF-8. Their names' endings tell the format, unless `format` does.",
}
_REQUEST_BODY: dict[str, Any] = {
    "required": True,
    "description": "With `Content-Encoding: gzip`, any of them compressed.",
    "content": {
        JSON: {"schema": reference(TranslateRequest)},
        FORM: {"schema": {"type": "object", "properties": _FORM_FIELDS}},
        MULTIPART: {"schema": {"type": "object", "properties": {**_FORM_FIELDS, "file": _FILES}}},
        **{media: {"schema": {"type": "string"}} for media in DOCUMENTS},
    },
}
_ANSWERS: dict[str, Any] = {
    JSON: {"schema": reference(TranslateResponse)},
    _PLAIN: {"schema": {"type": "string"}},
    EVENT_STREAM: {"schema": {"type": "string"}},
}
_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {"description": "The translations, in order", "content": _ANSWERS},
    **documented(*TRANSLATION_ERRORS),
}


def _either(
    ours: dict[int | str, dict[str, Any]], theirs: dict[int | str, dict[str, Any]]
) -> dict[int | str, dict[str, Any]]:
    """Answers of both APIs of one path by status, for the OpenAPI document."""
    return {
        status: {
            "description": "; ".join({one["description"]: None for one in both}),
            "content": {media: schema for one in both for media, schema in one["content"].items()},
        }
        for status in ours | theirs
        if (both := [one[status] for one in (ours, theirs) if status in one])
    }


class _OurRoute(APIRoute):
    """Leaves to the next route of the same path what is meant for another API, and finds its arguments by itself."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """As any route, but for requests in another dialect."""
        if scope["type"] == "http" and scope["state"]["exchange"].dialect is not Dialect.REDER:
            return Match.NONE, {}
        return super().matches(scope)

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """FastAPI's own takes a tenth of the event loop's work to find the two arguments of the signature."""

        async def handle(request: Request) -> Response:
            await authenticate(request)  # the application's dependency
            return await translate(request, read_timeout_ms(request))

        return handle


router = APIRouter(route_class=_OurRoute)


class Options(Query):
    """The query of POST /translate."""

    dir: Literal["en-de", "de-en", "auto"] = Field(description="Which way. `auto` finds out for each text.")
    target: Literal["en", "de"] | None = Field(
        None,
        description="With dir=auto: the language wanted. Texts that are in it already come back as they are. By "
        "default each text goes into the other language.",
    )
    quality: Quality | None = Field(
        None,
        description="`fast` takes the likeliest path through the network's answer. `good` searches several candidates "
        "and has a language model judge how they read, for a third more work than `fast`, with AMX three fifths. "
        "`best` also asks the network in the other direction how well each leads back to the source, and takes the "
        "best by both. That is about three times the work of `fast`, and meets the queue's limits (413, 429) sooner. "
        "With the shipped bundles it gains a few tenths of chrF at most over `good`, and no BLEU. By default `good`, "
        "unless the service is set otherwise.",
    )
    format: Format | None = Field(
        None, description="What the texts are written in. By default what the body says of itself, else text."
    )
    details: bool = Field(
        default=False,
        description="Tell of each segment: where it is, how sure the translation is, how well it leads back to the "
        "source, and which words became which. That is one more pass through the network.",
    )
    alternatives: int = Field(
        0,
        ge=0,
        le=MAX_ALTERNATIVES,
        description="Other translations of each segment, at most; with quality=good or best. Implies details.",
    )
    attributes: bool = Field(
        default=False,
        description="Translate what attributes such as `alt`, `title` and `placeholder` say; in HTML and Markdown.",
    )


@router.post(
    "/translate",
    summary="Translate texts",
    description="Texts, documents and forms; answers with JSON, or by the header Accept: `text/plain` is the "
    "translation of one text alone, `text/event-stream` sends each segment when it is ready (event `segment`, data as "
    "in SegmentEvent; then `done` or `error`). Without `dir`, this path is LibreTranslate's: see docs/clients.md.",
    response_model=TranslateResponse,
    responses=_either(_RESPONSES, libretranslate.ERRORS),
    openapi_extra={"requestBody": _REQUEST_BODY, **query_of(Options, *Options.model_fields)},
)
async def translate(request: Request, timeout_ms: TimeoutMs = None) -> Response:
    # What other routes have FastAPI find is found here by hand, as in `_OurRoute`: it saves much work.
    exchange, options = exchange_of(request), read_query(request, Options)
    quality = options.quality or Quality(context_of(request).settings.quality)
    exchange.quality, exchange.direction = str(quality), options.dir
    if options.target and options.dir != AUTO:
        raise InvalidRequest(FieldError("query.target", "goes with dir=auto only; else dir names both languages"))
    with ExitStack() as lease:
        call = lease.enter_context(call_of(request, timeout_ms))
        order = await _read_order(call, options, quality)
        if order.attributes and order.format not in WITH_ATTRIBUTES:
            raise InvalidRequest(FieldError("query.attributes", "goes with HTML and Markdown only"))
        kind = _kind(request.headers.get("accept"))
        if kind == _PLAIN and len(order.texts) > 1:
            raise InvalidRequest(FieldError("header.Accept", f"{_PLAIN} has room for one text; accept {JSON}"))
        try:
            if kind == EVENT_STREAM:
                plan = await while_connected(request, prepare(call, order))
                return EventStream(options.dir, plan, call, field=_FIELD, lease=lease.pop_all())
            outcomes = await fulfil(call, order)
        except InvalidRequest as error:
            raise within_field(error, _FIELD) from None
    if kind == _PLAIN:
        return PlainTextResponse(outcomes[0].translation.text)
    answer = translate_response(options.dir, order, outcomes)
    return Response(answer.model_dump_json(exclude_unset=True), media_type=JSON)


@lru_cache(maxsize=64)  # programs send the same again and again
def _kind(accept: str | None) -> str:
    """Which kind of answer. Events are for those who name them: few who take any text could read them."""
    named = accept is not None and EVENT_STREAM in accept.lower()
    return preferred(accept, [JSON, _PLAIN, EVENT_STREAM] if named else [JSON, _PLAIN])


async def _read_order(call: Call, options: Options, quality: Quality) -> Order:
    given = await read_texts(call.request, call.context.settings, timeout_s=call.left_s, declared=options.format)
    direction = None if options.dir == AUTO else Direction.parse(options.dir)
    return Order(
        texts=given.texts,
        source=direction.source if direction else None,
        target=direction.target if direction else options.target,
        quality=quality,
        format=options.format or given.format or Format.TEXT,
        glossary=given.glossary,
        details=options.details or options.alternatives > 0,
        alternatives=options.alternatives,
        attributes=options.attributes,
    )
