"""What a route reads by hand, for the OpenAPI document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from service.http.body import JSON

if TYPE_CHECKING:
    from pydantic import BaseModel

__all__ = ["body_of", "query_of"]


def body_of(model: type[BaseModel]) -> dict[str, Any]:
    """The request body of a route that reads these fields, for the OpenAPI document."""
    content = {JSON: {"schema": {"$ref": f"#/components/schemas/{model.__name__}"}}}
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
