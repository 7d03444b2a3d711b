"""Load any running service with closed-loop clients and print what they saw; no more than its HTTP is needed.

Each client sends its next request when the last is answered, so `concurrency` is how many requests
are under way. Without --url a service is started on --bundle, measured and stopped.
"""

from __future__ import annotations

from contextlib import nullcontext
from itertools import cycle, islice, product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

from benchmarks.generator import Outcome, Plan, run
from benchmarks.options import several
from benchmarks.report import number, table
from benchmarks.sentences import read_texts
from benchmarks.server import service
from benchmarks.workload import post_of
from model.bundle import EN_DE, Direction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.generator import Post

__all__ = ["load"]

CONCURRENCY, BATCH = (1, 8, 32), (1, 16)
SETTLE_SHARE = 0.1
COLUMNS = ("concurrency", "texts", "answered", "failed", "sentences/s", "p50 ms", "p95 ms", "p99 ms")
DEFAULT_BUNDLE = Path("bundles/reder-medium")


def parse_direction(value: object) -> Direction:
    """Read the option; its default arrives as a value, not as text."""
    return Direction.parse(str(value))


def load(
    concurrency: Annotated[list[int], several(CONCURRENCY, min=1, help="Requests under way")],
    batch: Annotated[list[int], several(BATCH, min=1, help="Sentences a request")],
    url: Annotated[str | None, typer.Option(help="A running service; without it one is started.")] = None,
    bundle: Annotated[Path, typer.Option(help="What to serve, and whose canary set to send.")] = DEFAULT_BUNDLE,
    direction: Annotated[Direction, typer.Option(parser=parse_direction, help="en-de or de-en.")] = EN_DE,
    sentences: Annotated[Path | None, typer.Option(help="Send these instead: a file, one sentence a line.")] = None,
    seconds: Annotated[float, typer.Option(min=0.1, help="Length of each run.")] = 10.0,
) -> None:
    """Measure throughput and latency of a service."""
    texts = read_texts(sentences or bundle / f"canary.{direction.source}.txt")
    rows = []
    with service(bundle) if url is None else nullcontext(url) as address:
        for size, clients in product(batch, concurrency):
            posts = posts_of(texts, direction, size)
            settle_s = SETTLE_SHARE * seconds
            found = run(Plan(url=address, posts=posts, clients=clients, seconds=seconds, settle_s=settle_s))
            rows.append([str(clients), str(size), *seen(found, size)])
    typer.echo(table(COLUMNS, rows))


def posts_of(texts: Sequence[str], direction: Direction, size: int) -> list[Post]:
    """Requests of `size` texts each, round and round until every text has been sent once."""
    count = max(1, -(-len(texts) // size))
    endless = cycle(texts)
    return [post_of(direction, list(islice(endless, size))) for _ in range(count)]


def seen(found: Outcome, size: int) -> list[str]:
    """The rest of a line of the table, in the order of `COLUMNS`."""
    times = [answer.seconds * 1000 for answer in found.accepted]
    quantiles = np.percentile(times, [50, 95, 99]).tolist() if times else [None] * 3
    counts = [str(len(times)), str(len(found.answers) - len(times))]
    return [*counts, number(len(times) * size / found.elapsed, 1), *(number(value, 1) for value in quantiles)]
