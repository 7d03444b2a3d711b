"""The API of LibreTranslate, so that its clients work here unchanged.

Its POST /translate has the path of our own: the route there leaves to this one what has no `dir` in the query.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from model.bundle import DIRECTIONS
from service import types
from service.errors import FieldError, InvalidRequest, RateLimited
from service.http.calls import Called
from service.http.compat import LANGUAGE_NAMES, Fields, Texts, fulfil_for, is_blank, read_fields, validated
from service.http.dependencies import Leased
from service.http.dialects import Dialect
from service.http.disconnect import while_connected
from service.http.orders import LANGUAGES, MAX_ALTERNATIVES, READING_ERRORS, TRANSLATION_ERRORS, Order, detect_all
from service.http.parameters import body_of
from service.http.problems import documented
from service.pipeline.detection import Detection
from service.types import Format, Quality, Translation

__all__ = ["ERRORS", "DetectRequest", "LibreRequest", "LibreResponse", "router"]

router = APIRouter(tags=["LibreTranslate"])

_AUTO = "auto"
_PERCENT = 100
_DIGITS = re.compile("-?[0-9]{1,4}")
_NO_DIRECTION = "Field required; a request with `text` needs `dir` in the query, as in /translate?dir=en-de"

ERRORS = documented(*TRANSLATION_ERRORS, dialect=Dialect.LIBRETRANSLATE)
"""The errors of its POST /translate, for the OpenAPI document."""


def _number(value: Any) -> Any:  # noqa: ANN401 - whatever a field holds
    """Forms and queries have digits."""
    return int(value) if isinstance(value, str) and _DIGITS.fullmatch(value) else value


_Number = Annotated[
    int,
    BeforeValidator(_number),
    WithJsonSchema({"anyOf": [{"type": "integer"}, {"type": "string", "pattern": f"^{_DIGITS.pattern}$"}]}),
]


class LibreRequest(Fields):
    """What LibreTranslate's POST /translate takes. Other fields are ignored, as there."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"q": "Two men talk.", "source": "en", "target": "de"}]})

    q: Texts = Field(min_length=1, description="One text, or several.")
    source: Literal["auto", "de", "en"]
    target: Literal["de", "en"]
    format: Format = Format.TEXT
    alternatives: _Number = Field(
        0,
        le=MAX_ALTERNATIVES,
        strict=True,
        description="How many other translations of each text to add, at most; for format text only.",
    )
    api_key: str | None = Field(None, description="Needed where the service has keys, unless a header has one.")


class DetectRequest(Fields):
    """What LibreTranslate's POST /detect takes."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"q": "Zwei Männer reden."}]})

    q: Texts = Field(min_length=1, description="A text. Several are judged together.")
    api_key: str | None = None


class LibreDetection(BaseModel):
    """A language, and how sure that is: 50 is undecided between the two, about 0 is neither or nothing to go by."""

    confidence: int = Field(ge=0, le=_PERCENT)
    language: str


class LibreResponse(BaseModel):
    """What LibreTranslate's POST /translate answers: lists where `q` was one. What was not asked for is absent."""

    translatedText: str | list[str]  # noqa: N815 - LibreTranslate's name
    detectedLanguage: LibreDetection | list[LibreDetection] | None = None  # noqa: N815 - same
    alternatives: list[str] | list[list[str]] | None = None


class LibreLanguage(BaseModel):
    """A language, and those it is translated into. Into itself, a text comes back as it is."""

    code: str
    name: str
    targets: list[str]


class LibreHealth(BaseModel):
    """Whether requests should be sent here."""

    status: Literal["ok", "unready"]


class LibreChoice(BaseModel):
    """A language that a page offers first."""

    code: str
    name: str


class LibreChoices(BaseModel):
    """What a page offers first."""

    source: LibreChoice = LibreChoice(code=_AUTO, name="Auto Detect")
    target: LibreChoice = LibreChoice(code="de", name=LANGUAGE_NAMES["de"])


class LibreSettings(BaseModel):
    """What LibreTranslate's own page wants to know."""

    charLimit: int  # noqa: N815 - LibreTranslate's name
    frontendTimeout: int = Field(500, description="Milliseconds from the last key to the request.")  # noqa: N815 - same
    apiKeys: bool  # noqa: N815 - same
    keyRequired: bool  # noqa: N815 - same
    suggestions: bool = False
    filesTranslation: bool = False  # noqa: N815 - same
    supportedFilesFormat: list[str] = []  # noqa: N815 - same
    language: LibreChoices = LibreChoices()


@router.post("/translate", include_in_schema=False)  # our own route describes it
async def translate(call: Called) -> JSONResponse:
    fields = await read_fields(call)
    if "q" not in fields and "text" in fields:
        raise InvalidRequest(FieldError("q", _NO_DIRECTION))
    wanted = validated(LibreRequest, fields)
    several = isinstance(fields["q"], list)
    if not several and not fields["q"]:
        raise InvalidRequest(FieldError("q", "must not be empty"))
    alternatives = max(0, wanted.alternatives)
    order = Order(
        texts=tuple(wanted.q),
        source=None if wanted.source == _AUTO else wanted.source,
        target=wanted.target,
        quality=Quality.BEST if alternatives else Quality(call.context.settings.quality),
        format=wanted.format,
        details=alternatives > 0,
        alternatives=alternatives,
    )
    outcomes = await fulfil_for(call, order, field="q")
    answer: dict[str, list[Any]] = {"translatedText": [outcome.translation.text for outcome in outcomes]}
    if order.source is None:
        found = [outcome.detection for outcome in outcomes if outcome.detection]
        answer["detectedLanguage"] = [_detected(one).model_dump() for one in found]
    if alternatives:
        # Of other formats the sentences are known, but not where in the document each of them stands.
        count = alternatives if order.format is Format.TEXT else 0
        answer["alternatives"] = [_alternatives(outcome.translation, count) for outcome in outcomes]
    return JSONResponse(answer if several else {name: values[0] for name, values in answer.items()})


@router.post(
    "/detect",
    summary="Detect the language of a text",
    responses=documented(*READING_ERRORS, RateLimited, dialect=Dialect.LIBRETRANSLATE),
    openapi_extra=body_of(DetectRequest),
)
async def detect_language(call: Called) -> list[LibreDetection]:
    texts = tuple(validated(DetectRequest, await read_fields(call)).q)
    call.context.translator.check_size(texts)
    if is_blank(texts):
        raise InvalidRequest(FieldError("q", "nothing to read: empty, or only white space"))
    whole = "\n".join(texts)
    call.exchange.texts, call.exchange.characters = len(texts), len(whole)
    await call.meter.take(len(whole))
    read = types.Request(DIRECTIONS[0], (whole,), Quality.FAST)  # only its text is looked at
    _, (found,) = await while_connected(call.request, detect_all(call, read))
    return [_detected(found)]


@router.head("/languages", include_in_schema=False)
@router.get("/languages", summary="Which languages there are")
async def languages() -> list[LibreLanguage]:
    codes = sorted(LANGUAGES)
    return [LibreLanguage(code=code, name=LANGUAGE_NAMES[code], targets=codes) for code in codes]


@router.head("/health", include_in_schema=False)
@router.get(
    "/health",
    summary="Should requests be sent here?",
    response_model=LibreHealth,
    responses={503: {"model": LibreHealth}},
)
async def health(context: Leased) -> JSONResponse:
    """As /readyz, without the reasons."""
    ready = not context.unready()
    return JSONResponse({"status": "ok" if ready else "unready"}, status_code=200 if ready else 503)


@router.head("/frontend/settings", include_in_schema=False)
@router.get("/frontend/settings", summary="What a page of LibreTranslate asks for")
async def frontend_settings(request: Request, context: Leased) -> LibreSettings:
    keys = bool(request.app.state.api_keys)
    return LibreSettings(charLimit=context.settings.max_characters, apiKeys=keys, keyRequired=keys)


def _detected(found: Detection) -> LibreDetection:
    return LibreDetection(confidence=round(_PERCENT * found.confidence), language=found.language)


def _alternatives(translation: Translation, count: int) -> list[str]:
    """Up to so many other whole texts: in each, every sentence that has another translation left has that."""
    found: list[str] = []
    for rank in range(count):
        parts, end = [], 0
        for segment in translation.segments:
            parts.append(translation.text[end : segment.target_span.start])
            parts.append(segment.alternatives[rank] if rank < len(segment.alternatives) else segment.target)
            end = segment.target_span.end
        text = "".join([*parts, translation.text[end:]])
        if text not in (translation.text, *found):
            found.append(text)
    return found
