"""Queries and bodies that a route reads by hand, and how the OpenAPI document describes them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import parse_qsl

from pydantic import BaseModel, ConfigDict, ValidationError

from service.errors import FieldError, InvalidRequest
from service.http.body import JSON, refusal
from service.http.problems import only
from service.http.schemas import reference

if TYPE_CHECKING:
    from fastapi import Request

__all__ = ["Query", "body_of", "query_fields", "query_of", "read_query"]

Q = TypeVar("Q", bound="Query")


class Query(BaseModel):
    """A query. What a route does not know would change nothing, and nobody would be told: it is forbidden."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def query_fields(request: Request) -> list[tuple[str, str]]:
    """The names and values in the query of a request, in order.

    Raises:
        InvalidRequest: they are not UTF-8. The framework would put U+FFFD in the place of what is not, and a text with
            that would be translated.
    """
    try:
        return parse_qsl(request.scope["query_string"].decode(), keep_blank_values=True, errors="strict")
    except UnicodeDecodeError:
        raise InvalidRequest(FieldError("query", "is not UTF-8")) from None


def read_query(request: Request, model: type[Q]) -> Q:
    """The query of a request.

    Raises:
        InvalidRequest: it is not of the model or not UTF-8, or a parameter is there twice. The last would count, and
            another may have been meant.
    """
    query = query_fields(request)
    values = dict(query)
    if len(values) < len(query):
        counts = Counter(name for name, _ in query)
        if repeated := [name for name in model.model_fields if counts[name] > 1]:
            raise InvalidRequest(*(FieldError(f"query.{name}", "is there more than once") for name in repeated))
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise refusal(error, within="query", known=only(model.model_fields)) from None


def body_of(model: type[BaseModel]) -> dict[str, Any]:
    """The request body of a route that reads these fields, for the OpenAPI document."""
    content = {JSON: {"schema": reference(model)}}
    return {"requestBody": {"required": True, "description": "Or the same fields as a form.", "content": content}}


def query_of(model: type[BaseModel], *names: str) -> dict[str, Any]:
    """The same for a route that has these fields of the model in the query."""
    schema = model.model_json_schema()
    required, fields = schema.get("required", ()), _inlined(schema["properties"], schema.get("$defs", {}))
    return {
        "parameters": [
            {"name": name, "in": "query", "required": name in required, "schema": fields[name]}
            | ({"description": fields[name]["description"]} if "description" in fields[name] else {})
            for name in names
        ]
    }


def _inlined(schema: Any, definitions: dict[str, Any]) -> Any:  # noqa: ANN401 - JSON
    """A part of a JSON schema that refers to no definitions."""
    if isinstance(schema, list):
        return [_inlined(one, definitions) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        defined = definitions[schema["$ref"].rpartition("/")[2]]
        beside = {name: value for name, value in schema.items() if name != "$ref"}
        schema = {name: value for name, value in defined.items() if name != "description"} | beside
    return {name: _inlined(one, definitions) for name, one in schema.items()}
