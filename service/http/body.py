"""Reads the body of a request: bounded in size and time, and every way to be wrong is told apart."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel, ValidationError
from starlette.requests import ClientDisconnect

from service.errors import (
    BodyTimeout,
    ClientDisconnected,
    FieldError,
    InvalidRequest,
    MalformedRequest,
    TooLarge,
    UnsupportedMedia,
)
from service.http.context import context_of, exchange_of
from service.http.problems import field_errors
from service.observability.tracing import note_stage

if TYPE_CHECKING:
    from starlette.requests import Request

__all__ = ["read_json"]

M = TypeVar("M", bound=BaseModel)

_MAX_ERRORS = 100
"""More are counted and not listed: a body has room for a hundred thousand unknown fields."""


async def read_json(request: Request, model: type[M], *, max_bytes: int, timeout_s: float) -> M:
    """Read the body and parse it as `model`.

    Raises:
        UnsupportedMedia: not declared as JSON in UTF-8, or compressed.
        TooLarge: more than `max_bytes`.
        BodyTimeout: not complete within `timeout_s`.
        ClientDisconnected: the client left.
        MalformedRequest: not UTF-8, or not JSON.
        InvalidRequest: JSON, but not of this model.
    """
    _check_declared(request)
    started = time.perf_counter()
    try:
        async with asyncio.timeout(timeout_s):
            raw = await _read(request, max_bytes)
    except TimeoutError as error:
        msg = "the request body did not arrive in time"
        raise BodyTimeout(msg) from error
    except ClientDisconnect as error:
        msg = "the client left while sending"
        raise ClientDisconnected(msg) from error
    received = time.perf_counter()
    parsed = _parse(raw, model)
    _note(request, "receive", started, received)
    _note(request, "parse", received, time.perf_counter())
    return parsed


def _note(request: Request, stage: str, started: float, ended: float) -> None:
    exchange_of(request).stage_s[stage] = ended - started
    context_of(request).metrics.observe_stages({stage: ended - started})
    note_stage(stage, started, ended - started)


def _check_declared(request: Request) -> None:
    media, *parameters = request.headers.get("content-type", "").lower().split(";")
    if media.strip() != "application/json":
        msg = "send JSON, and say so with the header Content-Type: application/json"
        raise UnsupportedMedia(msg)
    charsets = [
        value.strip(' "') for key, _, value in (p.partition("=") for p in parameters) if key.strip() == "charset"
    ]
    if any(charset not in ("utf-8", "utf8") for charset in charsets):
        msg = "JSON is UTF-8; no other charset is read"
        raise UnsupportedMedia(msg)
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        msg = "compressed bodies are not read; send it without Content-Encoding"
        raise UnsupportedMedia(msg)


async def _read(request: Request, max_bytes: int) -> bytes:
    """The whole body. What is left of one that is too large, the server reads and throws away after the answer."""
    declared = request.headers.get("content-length", "")
    _check_size(int(declared) if declared.isdecimal() else 0, max_bytes)
    body = bytearray()
    async for chunk in request.stream():
        _check_size(len(body) + len(chunk), max_bytes)
        body += chunk
    return bytes(body)


def _check_size(size: int, max_bytes: int) -> None:
    if size > max_bytes:
        msg = f"the request body is too large; at most {max_bytes} bytes are read"
        raise TooLarge(msg)


def _parse(raw: bytes, model: type[M]) -> M:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        msg = f"the request body is not UTF-8 from byte {error.start} on"
        raise MalformedRequest(msg) from None
    try:
        return model.model_validate_json(raw)
    except ValidationError as error:
        if (count := error.error_count()) > _MAX_ERRORS:
            raise InvalidRequest(FieldError("body", f"{count} things in it are wrong or not known here")) from None
        errors = error.errors(include_url=False, include_context=False, include_input=False)
        if errors[0]["type"] == "json_invalid":
            detail = errors[0]["msg"].removeprefix("Invalid JSON: ")
            hint = ": half of a surrogate pair is no character" if "hex escape" in detail else ""
            msg = f"the request body is not JSON: {detail}{hint}"
            raise MalformedRequest(msg) from None
        raise InvalidRequest(*field_errors(errors, within="body")) from None
