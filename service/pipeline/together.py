"""Work that is done side by side."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Coroutine, Sequence

__all__ = ["together"]

R = TypeVar("R")


async def together(works: Sequence[Coroutine[None, None, R]]) -> list[R]:
    """Do all at the same time; results in order. The first failure ends the others, and so does cancelling."""
    if len(works) == 1:  # as nearly always: no task need be made
        return [await works[0]]
    tasks = list(map(asyncio.ensure_future, works))
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
