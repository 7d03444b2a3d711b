"""Mixed requests for as long as is wished: right, wrong, large, late and abandoned; and the memory meanwhile."""

from __future__ import annotations

import asyncio
import json
import random
import re
import statistics
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import httpx

from tests.soak.overload import post
from tests.soak.texts import UNITS, flood, random_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.soak.overload import Address

__all__ = ["Endured", "endure", "resident_bytes", "send_texts"]

LEFT = "left"
SAMPLES = 40
"""How often memory is measured."""

FLOODS, FLOOD_CHARACTERS = 0.02, 20_000
"""The share of floods among the texts, and how long they are."""


@dataclass(slots=True)
class Endured:
    """What came of the requests, by status or kind of failure, and the memory of the process over time, in bytes."""

    outcomes: Counter[str] = field(default_factory=Counter)
    memory: list[float] = field(default_factory=list)

    @property
    def errors(self) -> int:
        """Requests that ended as none should: in a server error other than the caller's own deadline, or in nothing."""
        return sum(count for what, count in self.outcomes.items() if not what.startswith(("2", "4", "504", LEFT)))

    @property
    def growth(self) -> float:
        """Bytes from the second quarter of the time, when all is warm, to the last one."""
        quarter = max(1, len(self.memory) // 4)
        return statistics.median(self.memory[-quarter:]) - statistics.median(self.memory[quarter : 2 * quarter])


async def endure(address: Address, sentences: Sequence[str], *, clients: int, seconds: float) -> Endured:
    """Keep so many clients asking for so long."""
    endured = Endured()
    until = time.monotonic() + seconds

    async def client(seed: int) -> None:
        source = random.Random(seed)
        while time.monotonic() < until:
            endured.outcomes[await _one(address, source, sentences)] += 1

    async def measure() -> None:
        while time.monotonic() < until:
            endured.memory.append(await asyncio.to_thread(resident_bytes, address))
            await asyncio.sleep(seconds / SAMPLES)

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(measure())
        for seed in range(clients):
            tasks.create_task(client(seed))
    return endured


async def send_texts(address: Address, count: int, seed: int) -> Counter[str]:
    """Send so many texts that make trouble, short and long, one after the other; by status, how many."""
    source = random.Random(seed)
    outcomes: Counter[str] = Counter()
    for _ in range(count):
        text = random_text(source, int(2 ** source.uniform(0, 11)))
        if source.random() < FLOODS:
            text = flood(source.choice(list(UNITS.values())), FLOOD_CHARACTERS)
        outcomes[await _ask(address, _path(source), {"text": text})] += 1
    return outcomes


def resident_bytes(address: Address) -> float:
    """Memory of the process, as its metrics tell."""
    metrics = httpx.get(f"http://{address[0]}:{address[1]}/metrics", timeout=60, trust_env=False).text
    found = re.search(r"^process_resident_memory_bytes (\S+)$", metrics, re.MULTILINE)
    return float(found[1]) if found else float("nan")


async def _one(address: Address, source: random.Random, sentences: Sequence[str]) -> str:
    """One request of the mixture, and what came of it."""
    texts: object = source.choices(sentences, k=source.choice((1, 1, 1, 4, 16, 64)))
    path, leaves_s = _path(source), None
    headers: dict[str, str] = {}
    match source.choices(("right", "odd", "late", "wrong", "long", "left"), (70, 10, 5, 5, 5, 5))[0]:
        case "odd":
            texts = random_text(source, 1000)
        case "late":
            headers["X-Timeout-Ms"] = str(source.randint(1, 50))
        case "wrong":
            path = "/translate?dir=nowhere"
        case "long":
            texts = " ".join(sentences) * 3
        case "left":
            leaves_s = source.uniform(0, 0.05)
    try:
        async with asyncio.timeout(leaves_s):
            return await _ask(address, path, {"text": texts}, headers)
    except TimeoutError:
        return LEFT


async def _ask(address: Address, path: str, body: object, headers: dict[str, str] | None = None) -> str:
    """Status of the answer, or the kind of failure."""
    try:
        return str((await post(address, path, json.dumps(body).encode(), headers)).status)
    except (OSError, EOFError) as error:
        return type(error).__name__


def _path(source: random.Random) -> str:
    return f"/translate?dir={source.choice(('en-de', 'de-en'))}&quality={source.choice(('fast', 'good', 'best'))}"
