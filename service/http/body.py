"""Reads the body of a request: bounded in size and time, and every way to be wrong is told apart."""

from __future__ import annotations

import asyncio
import time
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel, ValidationError
from python_multipart.multipart import parse_options_header
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
from service.http.problems import field_errors, only
from service.observability.tracing import note_stage

if TYPE_CHECKING:
    from collections.abc import Collection

    from starlette.requests import Request

__all__ = ["JSON", "Body", "decode", "note", "parse_json", "read_body", "read_json", "refusal"]

M = TypeVar("M", bound=BaseModel)

JSON = "application/json"

_UTF_8 = frozenset({"utf-8", "utf8", "us-ascii", "ascii"})  # of which ASCII is a part
_GZIP = frozenset({"gzip", "x-gzip"})  # the same, says RFC 9110
_GZIP_HEADER = 16 + zlib.MAX_WBITS  # what zlib calls: a gzip member, and nothing else
_MOST_MEMBERS = 64
"""Members of gzip's format in one body. After each the rest is copied: thousands would cost much and hold nothing."""

_MAX_ERRORS = 100
"""More are counted and not listed: a body has room for a hundred thousand unknown fields."""


@dataclass(frozen=True, slots=True)
class Body:
    """A body, decompressed. `media` is its type in small letters, `boundary` where the parts of a multipart meet."""

    media: str
    boundary: bytes
    content: bytes

    @property
    def text(self) -> str:
        """As characters, without a byte order mark.

        Raises:
            MalformedRequest: it is not UTF-8.
        """
        return decode(self.content, "the request body")


async def read_json(request: Request, model: type[M], *, max_bytes: int, timeout_s: float) -> M:
    """Read the body and parse it as `model`.

    Raises:
        UnsupportedMedia: not declared as JSON in UTF-8, or compressed in an unknown way.
        TooLarge, BodyTimeout, ClientDisconnected: as `read_body`.
        MalformedRequest: not UTF-8, not JSON, or not what gzip writes.
        InvalidRequest: JSON, but not of this model.
    """
    body = await read_body(request, {JSON}, max_bytes=max_bytes, timeout_s=timeout_s)
    received = time.perf_counter()
    parsed = parse_json(body.content, model)
    note(request, "parse", received)
    return parsed


async def read_body(request: Request, media: Collection[str], *, max_bytes: int, timeout_s: float) -> Body:
    """Read the body, and decompress it if it is gzip's.

    Raises:
        UnsupportedMedia: declared as none of `media`, as another charset than UTF-8, or compressed in another way.
        TooLarge: more than `max_bytes`, before or after decompression.
        BodyTimeout: not complete within `timeout_s`.
        ClientDisconnected: the client left.
        MalformedRequest: declared as gzip's, and is not.
    """
    declared, boundary = _check_type(request, media)
    coding = request.headers.get("content-encoding", "identity").strip().lower()
    if coding not in _GZIP | {"identity", ""}:
        msg = "of compressed bodies only those with Content-Encoding: gzip are read"
        raise UnsupportedMedia(msg)
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
    content = _decompress(raw, max_bytes) if coding in _GZIP else raw
    note(request, "receive", started)
    return Body(declared, boundary, content)


def parse_json(raw: bytes, model: type[M], *, hint: str = "") -> M:
    """Parse JSON as `model`, with or without a byte order mark before it; `hint` says where an unknown field belongs.

    Raises:
        MalformedRequest: not UTF-8, or not JSON.
        InvalidRequest: JSON, but not of this model.
    """
    text = decode(raw, "the request body")
    try:
        return model.model_validate_json(text)
    except ValidationError as error:
        raise refusal(error, known=only(model.model_fields, hint)) from None


def refusal(error: ValidationError, *, within: str = "body", known: str = "") -> InvalidRequest | MalformedRequest:
    """What to raise where a body, or another part of a request, is not of its model; `known` as in `field_errors`."""
    if (count := error.error_count()) > _MAX_ERRORS:
        return InvalidRequest(FieldError(within or "request", f"{count} things in it are wrong or not known here"))
    errors = error.errors(include_url=False, include_context=False, include_input=False)
    if errors[0]["type"] == "json_invalid":
        detail = errors[0]["msg"].removeprefix("Invalid JSON: ")
        why = ": half of a surrogate pair is no character" if "hex escape" in detail else ""
        return MalformedRequest(f"the request body is not JSON: {detail}{why}")
    return InvalidRequest(*field_errors(errors, within=within, known=known))


def decode(raw: bytes, what: str, *, with_mark: bool = False) -> str:
    """Read UTF-8, leaving out a byte order mark unless it is to be kept.

    Raises:
        MalformedRequest: it is something else.
    """
    try:
        return raw.decode("utf-8" if with_mark else "utf-8-sig")
    except UnicodeDecodeError as error:
        msg = f"{what} is not UTF-8 from byte {error.start} on"
        raise MalformedRequest(msg) from None


def note(request: Request, stage: str, started: float) -> None:
    """Note a stage that ends now; `started` is a time of `time.perf_counter`."""
    seconds = time.perf_counter() - started
    exchange_of(request).stage_s[stage] = seconds
    context_of(request).metrics.observe_stages({stage: seconds})
    note_stage(stage, started, seconds)


def _check_type(request: Request, media: Collection[str]) -> tuple[str, bytes]:
    """The declared type, and its boundary if it has one."""
    name, parameters = parse_options_header(request.headers.get("content-type", ""))
    declared = name.decode("latin-1").strip().lower()
    if declared not in media:
        known = ", ".join(sorted(media))
        said = f"{declared} is not read here" if declared else "say what the body is with the header Content-Type"
        msg = f"{said}; read here: {known}"
        raise UnsupportedMedia(msg)
    if parameters.get(b"charset", b"utf-8").decode("latin-1").lower() not in _UTF_8:
        msg = "text is read as UTF-8; no other charset is"
        raise UnsupportedMedia(msg)
    return declared, parameters.get(b"boundary", b"")


async def _read(request: Request, max_bytes: int) -> bytes:
    """The whole body. What is left of one that is too large, the server reads and throws away after the answer."""
    declared = request.headers.get("content-length", "")
    _check_size(int(declared) if declared.isdecimal() else 0, max_bytes)
    body = bytearray()
    async for chunk in request.stream():
        _check_size(len(body) + len(chunk), max_bytes)
        body += chunk
    return bytes(body)


def _decompress(raw: bytes, max_bytes: int) -> bytes:
    """What was compressed, in one member or several; never more of it is in memory than is allowed."""
    content, rest = bytearray(), raw
    for _ in range(_MOST_MEMBERS):
        unpacker = zlib.decompressobj(_GZIP_HEADER)
        try:
            content += unpacker.decompress(rest, max_bytes + 1 - len(content))
        except zlib.error:
            msg = "the request body is not what gzip writes"
            raise MalformedRequest(msg) from None
        _check_size(len(content), max_bytes)
        if not unpacker.eof:
            msg = "the request body breaks off within a member of gzip's format"
            raise MalformedRequest(msg)
        rest = unpacker.unused_data
        if not rest:
            return bytes(content)
    msg = f"the request body has more than {_MOST_MEMBERS} members of gzip's format"
    raise MalformedRequest(msg)


def _check_size(size: int, max_bytes: int) -> None:
    if size > max_bytes:
        msg = f"the request body is too large; at most {max_bytes} bytes are read"
        raise TooLarge(msg)
