"""What the APIs of others have in common: fields as JSON, as a form or in the query, and leniency.

Texts may be blank, and may have control characters, as those of word processors and of PDFs do. A field that need not
be there may be null or empty.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Annotated, Any, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    GetJsonSchemaHandler,
    RootModel,
    ValidationError,
    WithJsonSchema,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError

from service.errors import InvalidRequest, UnsupportedMedia
from service.http.authentication import authenticate_field
from service.http.body import JSON, Body, note, parse_json, read_body, refusal
from service.http.calls import Call
from service.http.forms import FORM, MULTIPART, form_fields
from service.http.orders import Order, Outcome, fulfil, within_field
from service.http.parameters import query_fields
from service.http.problems import only
from service.http.schemas import ONE_OR_SEVERAL, as_list
from service.pipeline.detection import detect
from service.pipeline.validation import without_controls
from service.types import Translation

__all__ = [
    "LANGUAGE_NAMES",
    "Fields",
    "Flag",
    "Texts",
    "fulfil_for",
    "is_blank",
    "read_fields",
    "validated",
]

M = TypeVar("M", bound=BaseModel)

LANGUAGE_NAMES = {"de": "German", "en": "English"}

_UNDECLARED = ""  # there is no body: all is in the query
_NOTHING = ("", None)
_FLAGS = {"0": False, "1": True, "False": False, "True": True, "false": False, "true": True}
_OTHER_FIELDS = 50  # than texts


class Fields(BaseModel):
    """Fields of a request. Those that need not be there may also be null or empty, as many clients send them."""

    @model_validator(mode="before")
    @classmethod
    def _without_nothing(cls, fields: dict[str, Any]) -> dict[str, Any]:
        optional = {name for name, field in cls.model_fields.items() if not field.is_required()}
        return {name: value for name, value in fields.items() if name not in optional or value not in _NOTHING}

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Pydantic's, with that in it."""
        schema = handler(core_schema)
        described = handler.resolve_ref_schema(schema)
        for name in described["properties"].keys() - set(described.get("required", ())):
            field = described["properties"][name]
            values = {key: field.pop(key) for key in field.keys() - {"default", "description", "title"}}
            field["anyOf"] = [*values.get("anyOf", [values]), {"enum": list(_NOTHING)}]
        return schema


class _Object(RootModel[dict[str, Any]]):
    """Any JSON object."""


def _texts(value: Any) -> Any:  # noqa: ANN401 - whatever a field holds
    return [without_controls(text) if isinstance(text, str) else text for text in as_list(value, told=1)]


def _as_flag(value: Any) -> Any:  # noqa: ANN401 - same
    found = _FLAGS.get(str(value)) if isinstance(value, (str, int)) else None
    if found is None:
        kind, message = "flag_type", "must be true or false"
        raise PydanticCustomError(kind, message)
    return found


Texts = Annotated[
    list[str],
    BeforeValidator(_texts),
    ONE_OR_SEVERAL,
]
"""One text or several, without control characters."""

Flag = Annotated[
    bool,
    BeforeValidator(_as_flag),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "boolean"},
                {"type": "integer", "enum": [0, 1]},
                {"type": "string", "pattern": f"^({'|'.join(sorted(_FLAGS))})$"},
            ]
        }
    ),
]
"""Yes or no, as JSON and forms have it."""


async def read_fields(call: Call) -> dict[str, Any]:
    """The fields of a request, those of its body before those of its query, if its caller may make it.

    The key may be one of them. In forms and queries all values are strings, or lists of strings where a name is
    repeated.

    Raises:
        UnsupportedMedia: a body that is declared neither as JSON nor as a form.
        TooLarge, BodyTimeout, ClientDisconnected: as `read_body`.
        MalformedRequest: not what it is declared as.
        InvalidRequest: JSON, but no object; or a query that is not UTF-8.
        Unauthenticated: the key is needed, and neither there nor in a header, or not a valid one.
    """
    request, settings = call.request, call.context.settings
    declared = {JSON, FORM, MULTIPART} if "content-type" in request.headers else {_UNDECLARED}
    body = await read_body(request, declared, max_bytes=settings.max_body_bytes, timeout_s=call.left_s)
    received = time.perf_counter()
    fields = _gathered(query_fields(request)) | _parsed(body, max_fields=settings.max_texts + _OTHER_FIELDS)
    note(request, "parse", received)
    authenticate_field(request, fields)
    return fields


def validated(model: type[M], fields: dict[str, Any]) -> M:
    """The fields as `model`.

    Raises:
        InvalidRequest: they are not of this model.
    """
    try:
        return model.model_validate(fields)
    except ValidationError as error:
        raise refusal(error, within="", known=only(model.model_fields)) from None


async def fulfil_for(call: Call, order: Order, *, field: str) -> list[Outcome]:
    """As `fulfil`, for an API that calls texts by the name `field`.

    Where no text has anything but white space, they come back as they are: to others that is no error.

    Raises:
        InvalidRequest and others: as `fulfil`; locations begin with `field`.
    """
    call.context.translator.check_size(order.texts)
    if is_blank(order.texts):
        nothing = None if order.source else detect("")
        return [Outcome(Translation(text, 1.0), None, nothing) for text in order.texts]
    try:
        return await fulfil(call, order)
    except InvalidRequest as error:
        raise within_field(error, field) from None


def is_blank(texts: tuple[str, ...]) -> bool:
    """Whether there is nothing to read in any of them."""
    return not any(text.strip() for text in texts)


def _parsed(body: Body, *, max_fields: int) -> dict[str, Any]:
    if not body.content:
        return {}
    if body.media == JSON:
        return parse_json(body.content, _Object).root
    if body.media == _UNDECLARED:
        msg = f"say what the body is with the header Content-Type; read here: {JSON}, {FORM}, {MULTIPART}"
        raise UnsupportedMedia(msg)
    return _gathered((part.name, part.value) for part in form_fields(body, max_fields=max_fields))


def _gathered(pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """The values by name."""
    values: dict[str, list[str]] = {}
    for name, value in pairs:
        values.setdefault(name, []).append(value)
    return {name: found[0] if len(found) == 1 else found for name, found in values.items()}
