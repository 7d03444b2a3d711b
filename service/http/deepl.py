"""The API of DeepL, so that its clients work here unchanged: /v2, and what of /v3 they may ask for.

Options that would change a translation and are not known here are refused: to ignore them would be to answer something
else than was asked for. What only states a preference passes. XML is read by rules of its own (`service.formats.xml`),
for which our own API has no format.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from service.errors import FieldError, InvalidRequest, Overloaded
from service.formats import Document
from service.formats.html import parse_html
from service.formats.xml import XmlRules, parse_xml
from service.http.calls import Called
from service.http.compat import (
    LANGUAGE_NAMES,
    Fields,
    Flag,
    Texts,
    fulfil_for,
    is_blank,
    read_fields,
    validated,
)
from service.http.context import exchange_of
from service.http.dependencies import Leased
from service.http.dialects import Dialect
from service.http.limiting import meter_of
from service.http.orders import LANGUAGES, READING_ERRORS, TRANSLATION_ERRORS, Order, Outcome
from service.http.parameters import body_of, query_of
from service.http.problems import documented
from service.types import Format, Quality

__all__ = ["DeepLLanguagesRequest", "DeepLRequest", "router"]

_UNLIMITED = 1_000_000_000_000  # what DeepL tells those who have no limit
_VARIANTS = {"EN-GB": "English (British)", "EN-US": "English (American)"}  # one and the same to the model

_QUALITIES = {
    "latency_optimized": Quality.FAST,
    "prefer_quality_optimized": Quality.BEST,
    "quality_optimized": Quality.BEST,
}

_NO_GLOSSARIES = "glossaries are not kept here; POST /translate?dir=… takes terms with each request"
_NOT_OFFERED = {
    "custom_instructions": "are not understood by the model",
    "glossary_id": _NO_GLOSSARIES,
    "glossary_ids": _NO_GLOSSARIES,
    "style_id": "there are no style rules here",
    "translation_memory_id": "there is no translation memory here",
    "translation_memory_threshold": "there is no translation memory here",
}
"""Options that are refused, unless they are empty."""


def _capitals(value: Any) -> Any:  # noqa: ANN401 - whatever a field holds
    return value.upper() if isinstance(value, str) else value


def _names(value: Any) -> Any:  # noqa: ANN401 - same
    """Names of elements, of which a form has several in one field."""
    several = [value] if isinstance(value, str) else value
    if not isinstance(several, list) or not all(isinstance(one, str) for one in several):
        kind, message = "names_type", "must be names of elements: a list, or a string with commas between them"
        raise PydanticCustomError(kind, message)
    return frozenset(name.strip() for one in several for name in one.split(",")) - {""}


def _digit(value: Any) -> Any:  # noqa: ANN401 - same
    return str(value) if type(value) is int else value


# Small letters are read, too, and not listed: generators of clients would have two constants of one name.
_Source = Annotated[Literal["AUTO", "DE", "EN"], BeforeValidator(_capitals)]
_Target = Annotated[Literal["DE", "EN", "EN-GB", "EN-US"], BeforeValidator(_capitals)]
_Names = Annotated[
    frozenset[str],
    BeforeValidator(_names),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}),
]
_Split = Annotated[
    Literal["0", "1", "nonewlines"],
    BeforeValidator(_digit),
    WithJsonSchema(
        {"anyOf": [{"type": "string", "enum": ["0", "1", "nonewlines"]}, {"type": "integer", "enum": [0, 1]}]}
    ),
]


class DeepLRequest(Fields):
    """What DeepL's POST /v2/translate takes. Options of DeepL's that are not listed are refused, unless empty."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"text": ["Two men talk."], "target_lang": "DE"}]}
    )

    text: Texts = Field(min_length=1, description="The texts.")
    target_lang: _Target = Field(description="Of English there is one kind only.")
    source_lang: _Source | None = Field(None, description="Detected, text by text, if it is left out.")
    formality: Annotated[Literal["default", "prefer_less", "prefer_more"], Field(description="Changes nothing.")] = (
        "default"
    )
    split_sentences: _Split | None = Field(
        None,
        description="`0` changes nothing: the model reads one sentence at a time. `nonewlines` with `tag_handling` "
        "only; in XML a line break is a space then.",
    )
    context: Annotated[str, Field(description="Changes nothing: the model reads no more than a sentence.")] = ""
    preserve_formatting: Flag = Field(default=True, description="It always is.")
    tag_handling: Literal["html", "xml"] | None = None
    tag_handling_version: Literal["v1", "v2"] | None = Field(None, description="Changes nothing.")
    ignore_tags: _Names = Field(frozenset(), description="Elements that stay as they are, with `tag_handling`.")
    outline_detection: Flag = Field(
        default=True, description="Whether in XML other elements than `splitting_tags` may part sentences, too."
    )
    splitting_tags: _Names = Field(frozenset(), description="Elements of XML that part sentences.")
    non_splitting_tags: _Names = Field(frozenset(), description="Elements of XML that do not.")
    model_type: Literal["latency_optimized", "prefer_quality_optimized", "quality_optimized"] | None = Field(
        None, description="`quality_optimized`, preferred or not, is our quality `best`: about three times the work."
    )
    show_billed_characters: Flag = Field(default=True, description="They always are.")
    enable_beta_languages: Flag = Field(default=False, description="There are none.")
    auth_key: str | None = Field(None, description="For old clients; better use the header.")


class DeepLLanguagesRequest(Fields):
    """Which side of a translation languages are wanted for. Other fields are ignored: keys, and options of clients."""

    type: Literal["source", "target"] = "source"


class DeepLTranslation(BaseModel):
    """One translation."""

    detected_source_language: str = Field(examples=["EN"])
    text: str
    billed_characters: int = Field(
        ge=0, description="What counts against rate limits: the text's characters, times how often they are read."
    )
    model_type_used: str | None = Field(None, description="If `model_type` was asked for.")


class DeepLResponse(BaseModel):
    """Translations, one per text, in order."""

    translations: list[DeepLTranslation]


class DeepLLanguage(BaseModel):
    """A language."""

    language: str = Field(examples=["EN-GB"])
    name: str
    supports_formality: bool | None = Field(None, description="Of target languages: never.")


class DeepLUsage(BaseModel):
    """How much has been translated, and how much may be."""

    character_count: int = Field(
        ge=0,
        description="In the present window of the caller's longest rate limit; without one, with this key since this "
        "process started.",
    )
    character_limit: int = Field(ge=0, description=f"That rate limit, or {_UNLIMITED} for none.")


router = APIRouter(tags=["DeepL"])


_TRANSLATE: dict[str, Any] = {
    "summary": "Translate texts",
    "responses": documented(*TRANSLATION_ERRORS, dialect=Dialect.DEEPL)
    | {456: {"description": "The caller's rate limit is reached, and is for more than a minute"}},
    "response_model_exclude_none": True,
}


@router.get("/v2/translate", **_TRANSLATE, openapi_extra=query_of(DeepLRequest, "text", "target_lang", "source_lang"))
@router.post("/v2/translate", **_TRANSLATE, openapi_extra=body_of(DeepLRequest))
async def translate(call: Called) -> DeepLResponse:
    wanted, context = _wanted(await read_fields(call)), call.context
    order = Order(
        texts=tuple(wanted.text),
        source=wanted.source_lang.lower() if wanted.source_lang in ("DE", "EN") else None,
        target=wanted.target_lang[:2].lower(),
        quality=_QUALITIES[wanted.model_type] if wanted.model_type else Quality(context.settings.quality),
        format=Format.HTML if wanted.tag_handling else Format.TEXT,
        parse=_parser(wanted),
    )
    outcomes = await fulfil_for(call, order, field="text")
    passes = 0 if is_blank(order.texts) else context.translator.passes(order.quality)
    used = wanted.model_type.removeprefix("prefer_") if wanted.model_type else None
    return DeepLResponse(
        translations=[
            DeepLTranslation(
                detected_source_language=_source(order, outcome).upper(),
                text=outcome.translation.text,
                billed_characters=len(text) * passes,
                model_type_used=used,
            )
            for text, outcome in zip(order.texts, outcomes, strict=True)
        ]
    )


_LIST: dict[str, Any] = {
    "summary": "Which languages there are",
    "description": "The parameter is read in the body too, where the official clients send it, that in Java with POST.",
    "responses": documented(*READING_ERRORS, dialect=Dialect.DEEPL),
    "response_model_exclude_none": True,
    "openapi_extra": query_of(DeepLLanguagesRequest, "type"),
}


@router.get("/v2/languages", **_LIST)
@router.post("/v2/languages", **_LIST)
async def languages(call: Called) -> list[DeepLLanguage]:
    wanted = validated(DeepLLanguagesRequest, await read_fields(call))
    names = {code.upper(): LANGUAGE_NAMES[code] for code in sorted(LANGUAGES)}
    if wanted.type == "source":
        return [DeepLLanguage(language=code, name=name) for code, name in names.items()]
    targets = {code: name for code, name in names.items() if code != "EN"} | _VARIANTS
    return [DeepLLanguage(language=code, name=name, supports_formality=False) for code, name in targets.items()]


@router.get(
    "/v2/usage", summary="How much has been translated", responses=documented(Overloaded, dialect=Dialect.DEEPL)
)
async def usage(request: Request, context: Leased) -> DeepLUsage:
    if used := await meter_of(request).usage():
        return DeepLUsage(character_count=used.characters, character_limit=used.limit)
    counted = context.metrics.registry.get_sample_value("reder_key_characters_total", {"key": exchange_of(request).key})
    return DeepLUsage(character_count=round(counted or 0), character_limit=_UNLIMITED)


@router.get("/v2/glossary-language-pairs", include_in_schema=False)
async def glossary_pairs() -> dict[str, list[str]]:
    return {"supported_languages": []}


@router.get("/v2/glossaries", include_in_schema=False)
@router.get("/v3/glossaries", include_in_schema=False)
async def glossaries() -> dict[str, list[str]]:
    return {"glossaries": []}


@router.post("/v2/glossaries", include_in_schema=False)
@router.post("/v3/glossaries", include_in_schema=False)
async def create_glossary() -> None:
    raise InvalidRequest(FieldError("glossary", _NO_GLOSSARIES))


@router.post("/v2/document", include_in_schema=False)
@router.post("/v2/document/", include_in_schema=False)
async def translate_document() -> None:
    detail = "is not offered under /v2: POST /translate?dir=… takes files, and answers at once"
    raise InvalidRequest(FieldError("document", detail))


@router.post("/v2/write/rephrase", include_in_schema=False)
@router.post("/v2/write/correct", include_in_schema=False)
async def write() -> None:
    raise InvalidRequest(FieldError("write", "is not offered: the model translates, and does nothing else"))


def _wanted(fields: dict[str, Any]) -> DeepLRequest:
    """What a request asks for.

    Raises:
        InvalidRequest: it is not of the model, or asks for what is not offered.
    """
    refused = [FieldError(name, reason) for name, reason in _NOT_OFFERED.items() if fields.get(name)]
    if refused:
        raise InvalidRequest(*refused)
    wanted = validated(DeepLRequest, {name: value for name, value in fields.items() if name not in _NOT_OFFERED})
    if wanted.split_sentences == "nonewlines" and not wanted.tag_handling:
        raise InvalidRequest(FieldError("split_sentences", "can be nonewlines with tag_handling only"))
    return wanted


def _parser(wanted: DeepLRequest) -> Callable[[str], Document] | None:
    """What reads the texts; None if their format says it."""
    if wanted.tag_handling == "xml":
        rules = XmlRules(
            ignored=wanted.ignore_tags,
            splitting=wanted.splitting_tags,
            inline=wanted.non_splitting_tags,
            outline=wanted.outline_detection,
            lines=wanted.split_sentences != "nonewlines",
        )
        return partial(parse_xml, rules=rules)
    if wanted.tag_handling and wanted.ignore_tags:
        return partial(parse_html, ignored=frozenset(map(str.lower, wanted.ignore_tags)))
    return None


def _source(order: Order, outcome: Outcome) -> str:
    """Which language a text is in: what was said, or what was found."""
    return order.source or (outcome.detection.language if outcome.detection else LANGUAGES[0])
