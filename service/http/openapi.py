"""The OpenAPI document: FastAPI's, and two schemas it cannot know of: bodies are read and errors written by hand."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema

from service.http.schemas import Problem, TranslateRequest

__all__ = ["install"]

_REFERENCE = "#/components/schemas/{model}"


def install(app: FastAPI) -> None:
    """Have `app` serve the completed document."""

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
            _, definitions = models_json_schema(
                [(TranslateRequest, "validation"), (Problem, "serialization")], ref_template=_REFERENCE
            )
            schema["components"]["schemas"] |= definitions["$defs"]
            app.openapi_schema = schema
        return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign] # FastAPI's documented way to extend the document
