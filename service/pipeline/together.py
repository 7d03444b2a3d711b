"""Work that is done side by side, and ends with whoever wants it."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine, Iterable, Sequence

__all__ = ["begun", "together"]

R = TypeVar("R")


@asynccontextmanager
async def begun(works: Iterable[Coroutine[None, None, R]]) -> AsyncIterator[list[asyncio.Task[R]]]:
    """Each as a task, all at the same time. What is not done when the context ends, is ended."""
    tasks = list(map(asyncio.ensure_future, works))
    try:
        yield tasks
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def together(works: Sequence[Coroutine[None, None, R]]) -> list[R]:
    """Do all at the same time; results in order. The first failure ends the others, and so does cancelling."""
    if len(works) == 1:  # as nearly always: no task need be made
        return [await works[0]]
    async with begun(works) as tasks:
        return await asyncio.gather(*tasks)
