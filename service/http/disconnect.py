"""Work for a caller who may leave."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

from service.errors import ClientDisconnected

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from starlette.requests import Request

__all__ = ["while_connected"]

R = TypeVar("R")


async def while_connected(request: Request, work: Coroutine[None, None, R]) -> R:
    """Do the work, and cancel it when the client closes the connection. The body must have been read.

    As `asyncio.timeout`, it is done in the caller's task: another would cost each request a few rounds of the loop.

    Raises:
        ClientDisconnected: it did.
    """
    here, left = asyncio.current_task(), False
    assert here is not None  # noqa: S101 - a coroutine is run by a task

    async def watch() -> None:
        nonlocal left
        while (await request.receive())["type"] != "http.disconnect":
            pass
        left = True
        here.cancel()

    watching = asyncio.create_task(watch())
    try:
        return await work
    except asyncio.CancelledError:
        if left and not here.uncancel():  # nobody else cancels it
            msg = "the client left before the answer"
            raise ClientDisconnected(msg) from None
        raise
    finally:
        watching.cancel()
