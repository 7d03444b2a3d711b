"""The APIs of others that are spoken here, and how each of them says that a request failed.

What fails may do so before a route is reached: for want of a key, of room, of time to shut down. So the dialect is
known from the address alone, and kept with what is noted about the request.
"""

from __future__ import annotations

from enum import StrEnum
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

if TYPE_CHECKING:
    from starlette.types import Scope

__all__ = ["Dialect", "dialect_of", "foreign_error"]


class Dialect(StrEnum):
    """Whose API a request is meant for."""

    REDER = "reder"
    LIBRETRANSLATE = "libretranslate"
    DEEPL = "deepl"


_LIBRETRANSLATE = frozenset(
    {
        *("/detect", "/frontend/settings", "/health", "/languages"),
        *("/suggest", "/translate_file"),  # not offered, which its clients read in its words, too
    }
)
_SHARED = "/translate"
_DEEPL = ("/v2/", "/v3/")

_STATUSES: dict[Dialect, dict[int, int]] = {
    Dialect.LIBRETRANSLATE: {
        HTTPStatus.UNAUTHORIZED: 403,
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE: 400,
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE: 400,
        HTTPStatus.UNPROCESSABLE_ENTITY: 400,
    },
    Dialect.DEEPL: {
        HTTPStatus.UNAUTHORIZED: 403,
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE: 400,
        HTTPStatus.UNPROCESSABLE_ENTITY: 400,  # with 422 its client takes the list of errors for a string, and fails
    },
}
"""Where they have another status than we do."""

_QUOTA_EXCEEDED = 456
_WORTH_RETRYING_S = 60
"""Beyond it waiting is no remedy, and DeepL's clients are told 456: their status for a quota that is used up. Its
official client repeats what was answered 429 five times, within 16 seconds; others wait as long as Retry-After says."""


def dialect_of(scope: Scope) -> Dialect:
    """By path; POST /translate is ours if the query has `dir`."""
    path: str = scope["path"]
    if path.startswith(_DEEPL):
        return Dialect.DEEPL
    if path in _LIBRETRANSLATE or (path == _SHARED and not _has_dir(scope["query_string"])):
        return Dialect.LIBRETRANSLATE
    return Dialect.REDER


def foreign_error(dialect: Dialect, status: int, detail: str, *, retry_after_s: int = 0) -> tuple[int, dict[str, str]]:
    """The status and the body with which another API says what is `status` and `detail` in ours."""
    status = _STATUSES[dialect].get(status, status)
    if dialect is Dialect.LIBRETRANSLATE:
        return status, {"error": detail}
    if status == HTTPStatus.TOO_MANY_REQUESTS and retry_after_s > _WORTH_RETRYING_S:
        status = _QUOTA_EXCEEDED
    return status, {"message": detail}


def _has_dir(query: bytes) -> bool:
    if query.startswith(b"dir="):  # as mostly
        return True
    return any(name == "dir" for name, _ in parse_qsl(query.decode("latin-1"), keep_blank_values=True))
