"""Load a service with closed-loop clients and print what they saw.

Each client sends its next request when the last is answered, so `concurrency` is how many requests
are under way. Without --url a service is started on --bundle, measured and stopped.
"""

from __future__ import annotations

import asyncio
import itertools
import time
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import httpx
import numpy as np
import typer

from benchmarks.server import service
from model.bundle import EN_DE, Direction

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["load"]

ANSWER_LIMIT_S = 60.0

COLUMNS = ("concurrency", "texts", "answered", "failed", "sentences/s", "p50 ms", "p95 ms", "p99 ms")
DEFAULT_BUNDLE = Path("bundles/reder-small")


@dataclass(frozen=True, slots=True)
class Load:
    """Clients at once, sentences in each request, seconds to keep at it."""

    clients: int
    batch: int
    seconds: float


@dataclass(slots=True)
class Tally:
    """What the clients saw: seconds of each answered request, and how many were failed."""

    latencies: list[float] = field(default_factory=list)
    failed: int = 0
    elapsed: float = 0.0

    def row(self, load: Load) -> list[str]:
        """One line of the table, in the order of `COLUMNS`."""
        answered = len(self.latencies)
        quantiles = np.percentile(self.latencies, [50, 95, 99]) * 1000 if answered else [np.nan] * 3
        counts = [load.clients, load.batch, answered, self.failed]
        return [*map(str, counts), *(f"{value:.1f}" for value in [answered * load.batch / self.elapsed, *quantiles])]


async def client(
    http: httpx.AsyncClient, direction: str, batches: Iterator[list[str]], until: float, tally: Tally
) -> None:
    """Send requests one after another until the clock (`time.perf_counter`) reads `until`."""
    while (started := time.perf_counter()) < until:
        try:
            response = await http.post("/translate", params={"dir": direction}, json={"text": next(batches)})
            response.raise_for_status()
        except httpx.HTTPError:
            tally.failed += 1
        else:
            tally.latencies.append(time.perf_counter() - started)


async def measure(url: str, direction: str, sentences: list[str], load: Load) -> Tally:
    """Put `load` on the service at `url`, taking `sentences` round and round."""
    endless = itertools.cycle(sentences)
    batches = iter(lambda: list(itertools.islice(endless, load.batch)), [])
    tally = Tally()
    limits = httpx.Limits(max_connections=load.clients)
    async with httpx.AsyncClient(base_url=url, timeout=ANSWER_LIMIT_S, limits=limits) as http:
        await http.post("/translate", params={"dir": direction}, json={"text": next(batches)})  # connects, warms up
        started = time.perf_counter()
        async with asyncio.TaskGroup() as clients:
            for _ in range(load.clients):
                clients.create_task(client(http, direction, batches, started + load.seconds, tally))
        tally.elapsed = time.perf_counter() - started
    return tally


def parse_direction(value: object) -> Direction:
    """Read the option; its default arrives as a value, not as text."""
    return Direction.parse(str(value))


def load(
    concurrency: Annotated[
        list[int], typer.Option(default_factory=lambda: [1, 8, 32], help="Requests under way; may be repeated.")
    ],
    batch: Annotated[
        list[int], typer.Option(default_factory=lambda: [1, 16], help="Sentences a request; may be repeated.")
    ],
    url: Annotated[str | None, typer.Option(help="A running service; without it one is started.")] = None,
    bundle: Annotated[Path, typer.Option(help="What to serve, and whose canary set to send.")] = DEFAULT_BUNDLE,
    direction: Annotated[Direction, typer.Option(parser=parse_direction, help="en-de or de-en.")] = EN_DE,
    sentences: Annotated[Path | None, typer.Option(help="Send these instead: a file, one sentence a line.")] = None,
    seconds: Annotated[float, typer.Option(help="Length of each run.")] = 10.0,
) -> None:
    """Measure throughput and latency of a service."""
    file = sentences or bundle / f"canary.{direction.source}.txt"
    if not file.is_file():
        msg = f"no sentences to send: {file} does not exist"
        raise typer.BadParameter(msg)
    lines = file.read_text(encoding="utf-8").splitlines()
    texts = [line for line in lines if line.strip()]
    with service(bundle) if url is None else nullcontext(url) as address:
        typer.echo("".join(f"{title:>13}" for title in COLUMNS))
        for size, clients in itertools.product(batch, concurrency):
            run = Load(clients, size, seconds)
            tally = asyncio.run(measure(address, str(direction), texts, run))
            typer.echo("".join(f"{cell:>13}" for cell in tally.row(run)))
