"""What routes ask for in their signatures. All are coroutines: FastAPI would call plain functions in threads."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Annotated

from fastapi import Depends, Header, Request
from pydantic import BaseModel, ValidationError

from service.http.body import refusal
from service.http.context import Context, context_of

__all__ = ["Leased", "TimeoutMs", "leased", "read_timeout_ms"]


@contextmanager
def leased(request: Request) -> Iterator[Context]:
    """The service with the generation that serves now, which is kept running for as long as the context lasts."""
    context = context_of(request)
    with context.serving.lease() as generation:
        yield replace(context, generation=generation)


async def _leased(request: Request) -> AsyncIterator[Context]:
    with leased(request) as context:
        yield context


Leased = Annotated[Context, Depends(_leased)]
"""The service with the generation that serves now, for the whole of this request.

Whatever a route does with it is done with one bundle, even if another takes over meanwhile.
"""

_TIMEOUT = "X-Timeout-Ms"
TimeoutMs = Annotated[
    int | None,
    Header(alias=_TIMEOUT, ge=1, description="Answer 504 when not done by then; the server has a maximum too."),
]


class _Headers(BaseModel):
    timeout_ms: TimeoutMs


def read_timeout_ms(request: Request) -> int | None:
    """`TimeoutMs` of a request, for routes that find their arguments by themselves.

    Raises:
        InvalidRequest: the header is no number, or one below 1.
    """
    if (sent := request.headers.get(_TIMEOUT)) is None:
        return None
    try:
        return _Headers.model_validate({_TIMEOUT: sent}).timeout_ms
    except ValidationError as error:
        raise refusal(error, within="header") from None
