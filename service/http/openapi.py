"""The OpenAPI document: FastAPI's, and what it cannot know of.

That is some schemas, for bodies are read and errors written by hand; the headers that the middleware adds to every
answer; and where a key is needed, for that depends on the settings.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from service.errors import Unauthenticated
from service.http.authentication import ADMIN, OPEN
from service.http.deepl import DeepLRequest
from service.http.dialects import dialect_of
from service.http.libretranslate import DetectRequest, LibreRequest, LibreResponse
from service.http.problems import documented
from service.http.schemas import REFERENCE, BundleRequest, Problem, SegmentEvent, TranslateRequest

__all__ = ["install"]

_MODELS: list[tuple[type[BaseModel], Literal["validation", "serialization"]]] = [
    (BundleRequest, "validation"),
    (DeepLRequest, "validation"),
    (DetectRequest, "validation"),
    (LibreRequest, "validation"),
    (LibreResponse, "serialization"),
    (Problem, "serialization"),
    (SegmentEvent, "serialization"),
    (TranslateRequest, "validation"),
]
"""Of what is read and written by hand."""
_SCHEMES = {
    "bearer": {"type": "http", "scheme": "bearer"},
    "api_key": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
}
_HEADERS = {
    "X-Request-Id": {
        "description": "The id that the caller sent, if it is 1 to 128 letters, digits or any of `._:-`; else a new "
        "one. The log has it too.",
        "schema": {"type": "string"},
    },
    "Server-Timing": {
        "description": "Milliseconds spent in each stage that ended, and in all. With quality `good`, `search` and "
        "`beam` are in the place of `inference` and `collapse`; with `best` there is `score`, too.",
        "schema": {"type": "string"},
        "example": "receive;dur=0.1, parse;dur=0.0, segment;dur=0.3, tokenise;dur=0.4, queue;dur=1.2, "
        "inference;dur=9.8, collapse;dur=0.1, detokenise;dur=0.3, total;dur=13.2",
    },
}
"""On every answer."""


def install(app: FastAPI) -> None:
    """Have `app` serve the completed document."""

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
            _, definitions = models_json_schema(_MODELS, ref_template=REFERENCE)
            schema["components"]["schemas"] |= definitions["$defs"]
            _drop_own_errors(schema)
            _drop_nulls(schema)
            _add_keys(schema, everywhere=bool(app.state.api_keys))
            _add_headers(schema)
            app.openapi_schema = schema
        return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign] # FastAPI's documented way to extend the document


def _operations(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    return (operation for path in schema["paths"].values() for operation in path.values())


def _drop_own_errors(schema: dict[str, Any]) -> None:
    """FastAPI writes that it answers 422, in a form of its own, wherever no other 422 is documented."""
    for operation in _operations(schema):
        if "HTTPValidationError" in str(operation["responses"].get("422")):
            del operation["responses"]["422"]
    for model in ("HTTPValidationError", "ValidationError"):
        schema["components"]["schemas"].pop(model, None)


def _drop_nulls(schema: dict[str, Any]) -> None:
    """Fields of JSON may be null; a parameter is sent or left out, and one that says `null` is refused."""
    for operation in _operations(schema):
        for parameter in operation.get("parameters", ()):
            described = parameter["schema"]
            kinds = [_not_null(kind) for kind in described.pop("anyOf", ()) if kind != {"type": "null"}]
            parameter["schema"] = kinds[0] | described if len(kinds) == 1 else described
            if len(kinds) > 1:
                described["anyOf"] = kinds


def _not_null(kind: dict[str, Any]) -> dict[str, Any]:
    return kind | {"enum": [value for value in kind["enum"] if value is not None]} if "enum" in kind else kind


def _add_headers(schema: dict[str, Any]) -> None:
    schema["components"]["headers"] = _HEADERS
    references = {name: {"$ref": f"#/components/headers/{name}"} for name in _HEADERS}
    for operation in _operations(schema):
        for status, response in operation["responses"].items():
            operation["responses"][status] = response | {"headers": references}


def _add_keys(schema: dict[str, Any], *, everywhere: bool) -> None:
    """Say which operations need a key: those of administration always, the others where keys are configured."""
    for path, operations in schema["paths"].items():
        if path in OPEN or not (everywhere or path.startswith(f"{ADMIN}/")):
            continue
        schema["components"]["securitySchemes"] = _SCHEMES
        for operation in operations.values():
            operation["security"] = [{scheme: []} for scheme in _SCHEMES]
            for status, response in _refusals(path):
                operation["responses"].setdefault(status, response)


def _refusals(path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """How each of the APIs at a path answers who has no key."""
    for query in (b"", b"dir=auto"):
        dialect = dialect_of({"path": path, "query_string": query})
        answers = documented(Unauthenticated, dialect=dialect)
        yield from ((str(status), response) for status, response in answers.items())
