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

    Raises:
        ClientDisconnected: it did.
    """
    task = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_disconnection(request))
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        msg = "the client left before the answer"
        raise ClientDisconnected(msg)
    finally:
        task.cancel()
        gone.cancel()
        await asyncio.gather(task, gone, return_exceptions=True)


async def _disconnection(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
