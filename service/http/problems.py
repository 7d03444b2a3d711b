"""Errors over HTTP: the one table of statuses, and the one shape of body (RFC 9457).

Bodies name the place and the reason, never the caller's text.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, cast

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import iter_route_contexts
from starlette.exceptions import HTTPException
from starlette.requests import Request

from service.errors import (
    AddressTooLong,
    AdminDisabled,
    BodyTimeout,
    BundleRefused,
    ClientDisconnected,
    DeadlineExceeded,
    Draining,
    EngineFailed,
    EngineUnavailable,
    FieldError,
    HeadTooLarge,
    InvalidRequest,
    MalformedRequest,
    NotHttp,
    Overloaded,
    RateLimited,
    ServiceError,
    SwapInProgress,
    TooLarge,
    TooMuch,
    Unauthenticated,
    UnsupportedMedia,
)
from service.http.context import Exchange, exchange_of
from service.http.dialects import Dialect, foreign_error
from service.http.schemas import FieldProblem, Problem, reference

__all__ = [
    "PROBLEM_JSON",
    "UNKNOWN",
    "answer",
    "documented",
    "field_errors",
    "install",
    "only",
    "out_of_time",
    "unexpected",
]

PROBLEM_JSON = "application/problem+json"
UNKNOWN = "has a field that is not known here"
_RETRY_AFTER_S = "5"
"""For what ends by itself, nobody knows when."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of problem. `slug` ends its type URI and labels the metric of rejected requests."""

    slug: str
    status: int
    title: str


_KINDS: dict[type[ServiceError], _Kind] = {
    NotHttp: _Kind("not-http", 400, "The request cannot be read"),
    MalformedRequest: _Kind("malformed-request", 400, "The request body cannot be read"),
    Unauthenticated: _Kind("unauthenticated", 401, "A valid key is needed"),
    AdminDisabled: _Kind("admin-disabled", 403, "Administration is switched off"),
    BodyTimeout: _Kind("body-timeout", 408, "The request body did not arrive in time"),
    SwapInProgress: _Kind("swap-in-progress", 409, "The bundle is being replaced already"),
    TooLarge: _Kind("too-large", 413, "The request is too large"),
    AddressTooLong: _Kind("address-too-long", 414, "The address is too long"),
    UnsupportedMedia: _Kind("unsupported-media-type", 415, "The request body is of a kind that is not read"),
    InvalidRequest: _Kind("invalid-request", 422, "The request is not valid"),
    BundleRefused: _Kind("bundle-refused", 422, "The bundle was not replaced"),
    Overloaded: _Kind("overloaded", 429, "Too much is waiting already"),
    RateLimited: _Kind("rate-limited", 429, "The caller's rate limit is reached"),
    HeadTooLarge: _Kind("head-too-large", 431, "The head of the request is too large"),
    ClientDisconnected: _Kind("client-disconnected", 499, "The client closed the connection"),
    Draining: _Kind("draining", 503, "The service is shutting down"),
    EngineFailed: _Kind("engine-failed", 503, "The text could not be translated"),
    EngineUnavailable: _Kind("engine-unavailable", 503, "The engine is not available"),
    DeadlineExceeded: _Kind("deadline-exceeded", 504, "The deadline passed"),
}
_UNEXPECTED = _Kind("internal-error", 500, "The service failed")


def install(app: FastAPI) -> None:
    """Answer every error of this application with a problem."""
    app.add_exception_handler(ServiceError, _on_service_error)
    app.add_exception_handler(RequestValidationError, _on_validation_error)
    app.add_exception_handler(HTTPException, _on_http_exception)


def documented(*errors: type[ServiceError], dialect: Dialect = Dialect.REDER) -> dict[int | str, dict[str, Any]]:
    """The `responses` of a route that may raise these errors, for the OpenAPI document."""
    titles: dict[int | str, list[str]] = {}
    media = PROBLEM_JSON
    schema: dict[str, Any] = reference(Problem)
    for kind in map(_KINDS.__getitem__, errors):
        status = kind.status
        if dialect is not Dialect.REDER:
            status, body = foreign_error(dialect, status, kind.title)
            media, properties = "application/json", {name: {"type": "string"} for name in body}
            schema = {"type": "object", "required": list(body), "properties": properties}
        titles.setdefault(status, []).append(kind.title)
    content = {media: {"schema": schema}}
    return {status: {"description": "; ".join(found), "content": content} for status, found in titles.items()}


def field_errors(errors: Iterable[Any], *, within: str = "", known: str = "") -> list[FieldError]:
    """Pydantic's errors, each once, without what was sent: neither values nor the names of unknown fields.

    Those may be text, too: what follows a `&` that was not escaped.

    Args:
        errors: of Pydantic.
        within: what part of the request they are in.
        known: what to say to whoever sent an unknown field, as `only` says it.
    """
    found: dict[FieldError, None] = {}
    for error in errors:
        location = [*([within] if within else []), *map(str, error["loc"])]
        if error["type"] == "extra_forbidden":
            told = f"{UNKNOWN}{known}" if len(error["loc"]) == 1 else UNKNOWN
            found[FieldError(".".join(location[:-1]) or "request", told)] = None
        else:
            found[FieldError(".".join(location) or "request", error["msg"])] = None
    return [*found]


def only(names: Iterable[str], hint: str = "") -> str:
    """What to add where a field is `UNKNOWN`: which there are, and where it may belong."""
    return "; ".join(["", f"there are {', '.join(names) or 'none'}", *([hint] if hint else [])])


def unexpected(exchange: Exchange) -> JSONResponse:
    """The answer to an error nobody foresaw: it says so, and nothing else."""
    return _respond(exchange, _UNEXPECTED, "an error nobody foresaw; the log has it under the request id")


def out_of_time() -> Draining:
    """What to say where the server cancels what it answers: the time to shut down in is over."""
    return Draining("the service shuts down before this could be done")


def answer(exchange: Exchange, error: Exception) -> JSONResponse:
    """The answer to an error of `service.errors`."""
    kind = next((_KINDS[cls] for cls in type(error).__mro__ if cls in _KINDS), _UNEXPECTED)
    headers = {}
    if isinstance(error, TooMuch):
        headers["Retry-After"] = str(error.retry_after_s)
    elif isinstance(error, Draining | EngineUnavailable | SwapInProgress):
        headers["Retry-After"] = _RETRY_AFTER_S
    elif isinstance(error, Unauthenticated):
        headers["WWW-Authenticate"] = "Bearer"
    errors = error.errors if isinstance(error, InvalidRequest) else ()
    return _respond(exchange, kind, str(error), errors=errors, headers=headers)


async def _on_service_error(request: Request, error: Exception) -> JSONResponse:
    return answer(exchange_of(request), error)


async def _on_validation_error(request: Request, error: Exception) -> JSONResponse:
    return answer(exchange_of(request), InvalidRequest(*field_errors(cast("RequestValidationError", error).errors())))


async def _on_http_exception(request: Request, error: Exception) -> JSONResponse:
    """What the framework raises itself: no such path, no such method."""
    raised = cast("HTTPException", error)
    status, headers = HTTPStatus(raised.status_code), dict(raised.headers or {})
    detail = status.description or status.phrase
    if status is HTTPStatus.METHOD_NOT_ALLOWED:
        headers["Allow"] = allowed = _allowed(request)
        detail = f"this path takes {allowed}"
    elif status is HTTPStatus.NOT_FOUND:
        detail = "there is no such path; those there are, /openapi.json lists, and /docs in a browser"
    kind = _Kind(status.phrase.lower().replace(" ", "-"), status.value, status.phrase)
    return _respond(exchange_of(request), kind, detail, headers=headers)


def _allowed(request: Request) -> str:
    """The methods of a path. The framework names those of one route only, where several have the same path."""
    routes = [one for one in iter_route_contexts(request.app.routes) if one.path == request.scope["path"]]
    return ", ".join(sorted({method for one in routes for method in one.methods or ()}))


def _respond(
    exchange: Exchange,
    kind: _Kind,
    detail: str,
    *,
    errors: Iterable[FieldError] = (),
    headers: dict[str, str] | None = None,
) -> JSONResponse:
    exchange.problem = kind.slug
    if exchange.dialect is not Dialect.REDER:
        return _respond_in(exchange.dialect, kind, detail, headers or {})
    problem = Problem(
        type=f"urn:reder:problem:{kind.slug}",
        title=kind.title,
        status=kind.status,
        detail=detail,
        request_id=exchange.request_id,
        errors=[FieldProblem(location=error.location, detail=error.detail) for error in errors] or None,
    )
    return JSONResponse(
        problem.model_dump(exclude_none=True), status_code=kind.status, media_type=PROBLEM_JSON, headers=headers
    )


def _respond_in(dialect: Dialect, kind: _Kind, detail: str, headers: dict[str, str]) -> JSONResponse:
    """The same in the shape that clients of another API expect."""
    status, body = foreign_error(dialect, kind.status, detail, retry_after_s=int(headers.get("Retry-After", 0)))
    headers.pop("WWW-Authenticate", None)  # it goes with 401 only, which neither of them has
    return JSONResponse(body, status_code=status, headers=headers)
