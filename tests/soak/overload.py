"""Offer a service more than it can take: requests at a fixed rate, whatever becomes of those before.

Clients that wait for their answers, as most do, slow down with the service and never ask too much of it.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Reply", "Tally", "capacity", "offer", "post"]

ANSWER_LIMIT_S = 90.0
CAPACITY_CLIENTS = 4
OK, OVERLOADED = 200, 429

Address = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer that came whole, and how long it took. Names of headers are in small letters."""

    status: int
    headers: Mapping[str, str]
    content: bytes
    seconds: float


@dataclass(slots=True)
class Tally:
    """What became of the requests: the answers, and by kind of error how many brought none."""

    replies: list[Reply] = field(default_factory=list)
    failures: Counter[str] = field(default_factory=Counter)

    def count(self, status: int) -> int:
        """Answers of this status."""
        return sum(reply.status == status for reply in self.replies)

    def seconds(self, status: int, percentile: float) -> float:
        """How long answers of this status took; NaN if there are none."""
        found = [reply.seconds for reply in self.replies if reply.status == status]
        return float(np.percentile(found, percentile)) if found else float("nan")


async def post(address: Address, path: str, body: bytes, headers: Mapping[str, str] | None = None) -> Reply:
    """One request on a connection of its own.

    Raises:
        OSError: no connection, or it broke; TimeoutError, no answer within `ANSWER_LIMIT_S`, is one of them.
        EOFError: it was closed before the answer was whole.
    """
    started = time.perf_counter()
    async with asyncio.timeout(ANSWER_LIMIT_S):
        reader, writer = await asyncio.open_connection(*address)
        try:
            fields = {"Host": "x", "Content-Type": "application/json", "Connection": "close", **(headers or {})}
            lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
            writer.write(f"POST {path} HTTP/1.1\r\n{lines}Content-Length: {len(body)}\r\n\r\n".encode() + body)
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            status, *received = head.strip().split("\r\n")
            answered = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in received)}
            content = await reader.readexactly(int(answered["content-length"]))
        finally:
            writer.close()
    return Reply(int(status.split()[1]), answered, content, time.perf_counter() - started)


async def capacity(address: Address, path: str, bodies: Sequence[bytes], seconds: float) -> float:
    """Requests per second that the service answers when it is kept busy and no more."""
    until = time.perf_counter() + seconds
    answered = 0

    async def client(number: int) -> None:
        nonlocal answered
        while time.perf_counter() < until:
            reply = await post(address, path, bodies[number % len(bodies)])
            number += CAPACITY_CLIENTS
            answered += reply.status == OK

    started = time.perf_counter()
    await asyncio.gather(*map(client, range(CAPACITY_CLIENTS)))
    return answered / (time.perf_counter() - started)


async def offer(
    address: Address,
    path: str,
    bodies: Sequence[bytes],
    *,
    rate: float,
    seconds: float,
    headers: Mapping[str, str] | None = None,
) -> Tally:
    """Send `rate` requests a second, taking `bodies` round and round, and wait until each has its answer or its end."""
    tally = Tally()

    async def one(number: int, due: float) -> None:
        await asyncio.sleep(due - time.perf_counter())
        try:
            tally.replies.append(await post(address, path, bodies[number % len(bodies)], headers))
        except (OSError, EOFError) as error:
            tally.failures[type(error).__name__] += 1

    started = time.perf_counter()
    async with asyncio.TaskGroup() as requests:
        for number in range(round(rate * seconds)):
            requests.create_task(one(number, started + number / rate))
    return tally
