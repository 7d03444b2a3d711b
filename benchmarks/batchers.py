"""The service's batcher beside those of other servers, on the same bundle, engine, client and sentences.

Each server is started, put under more and more closed-loop clients, and stopped; the servers take
turns. Compared is how many sentences a second each translates at the same limit of the 99th percentile.
Of each server the best of several settings counts.
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Annotated, Any

import httpx
import numpy as np
import typer

from benchmarks.generator import Plan, Post, run
from benchmarks.options import several
from benchmarks.peer_server import BENTOML, LITSERVE, LOCK, OURS, Variant, environment, serving
from benchmarks.peers.pipeline import Pipeline
from benchmarks.report import RESULTS, number, save, table, warn_if_busy
from benchmarks.rounds import interleaved
from benchmarks.sentences import SETS, read_mixed, side_of
from cli.errors import fail, reporting
from model.bundle import Bundle, BundleError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Point", "at_limit", "batchers", "compare"]

VARIANTS = (
    Variant(OURS),
    Variant(LOCK),
    Variant(LITSERVE, items=16, wait_ms=10),
    Variant(LITSERVE, items=64, wait_ms=10),
    Variant(LITSERVE, items=64, wait_ms=50),
    Variant(LITSERVE, items=16, wait_ms=10, workers=2),
    Variant(BENTOML, items=100, wait_ms=60_000),
    Variant(BENTOML, items=32, wait_ms=1000),
    Variant(BENTOML, items=32, wait_ms=1000, workers=2),
)
"""LitServe and BentoML with a small and a large batch, and with two workers: LitServe advises one a core on a CPU.
100 items and 60 s are BentoML's defaults."""

CLIENTS = (1, 2, 4, 8, 16, 32, 64, 128)
LIMITS_MS = (50, 100, 200, 400)
SETTLE_SHARE = 0.2
WARM_CLIENTS, WARM_S = 8, 3.0
HOPELESS = 2.0
"""More clients are not tried once the 99th percentile is so many times the highest limit."""

MAX_FAILED = 0.01


PROBE, PROBE_LIMIT_S = "Two men talk.", 60.0
JSON = {"Content-Type": "application/json"}


@dataclass(frozen=True, slots=True)
class Ladder:
    """Numbers of clients, seconds with each, and the 99th percentile beyond which more are not tried.

    `expected` is the translation of `PROBE`.
    """

    clients: Sequence[int]
    seconds: float
    hopeless_ms: float
    expected: str


@dataclass(frozen=True, slots=True)
class Point:
    """What a number of clients saw: sentences a second, 99th percentile in milliseconds, share not answered."""

    clients: int
    rate: float
    p99_ms: float
    failed: float


def batchers(  # noqa: PLR0913, PLR0917 - typer passes them by name
    texts: Annotated[
        list[Path],
        several(side_of(SETS, "en"), "--texts", metavar="FILE", help="Real English sentences, one a line"),
    ],
    clients: Annotated[
        list[int],
        several(CLIENTS, min=1, help="Clients of a closed loop"),
    ],
    limit_ms: Annotated[
        list[int],
        several(LIMITS_MS, min=1, help="Limits of the 99th percentile"),
    ],
    only: Annotated[
        list[str] | None, typer.Option(metavar="SERVER", help=f"{LOCK!r}, {LITSERVE} or {BENTOML}; may be repeated.")
    ] = None,
    bundle: Annotated[Path, typer.Option(help="What to serve.")] = Path("bundles/reder-medium"),
    sentences: Annotated[int, typer.Option(min=1, help="Distinct sentences.")] = 500,
    rounds: Annotated[int, typer.Option(min=1, help="How often each server is started and measured.")] = 3,
    seconds: Annotated[float, typer.Option(min=0.1, help="With each number of clients.")] = 6.0,
    output: Annotated[Path, typer.Option(metavar="DIR", help="Where batchers.json and the environments go.")] = RESULTS,
) -> None:
    """Compare the batcher with LitServe's, BentoML's and none: throughput at the same 99th percentile."""
    if unknown := set(only or ()) - {LOCK, LITSERVE, BENTOML}:
        raise typer.BadParameter(", ".join(sorted(unknown)), param_hint="--only")
    variants = [one for one in VARIANTS if only is None or one.server in {OURS, *only}]
    with reporting(BundleError):
        opened = Bundle.open(bundle)
    (expected,) = Pipeline(bundle, threads=1).translate([PROBE])
    ladder = Ladder(sorted(set(clients)), seconds, max(limit_ms) * HOPELESS, expected)
    lines = [one.text for one in read_mixed(texts, opened, language="en", count=sentences)]
    for server in dict.fromkeys(one.server for one in variants):
        environment(server, output)
    warn_if_busy()
    climbs = {f"{one.server} | {one}": partial(climb, one, bundle, output, lines, ladder) for one in variants}
    points = {name: typical(found) for name, found in interleaved(climbs, rounds).items()}
    best = compare(points, limit_ms)
    typer.echo(f"\n{render(best, limit_ms)}")
    content: dict[str, Any] = {
        "bundle": opened.manifest.name,
        "seconds": seconds,
        "rounds": rounds,
        "points": {name: [vars_of(one) for one in some] for name, some in points.items()},
        "sentences_per_s_at_limit_ms": best,
    }
    typer.echo(f"\nall figures: {save('batchers', content, output)}", err=True)


def climb(variant: Variant, bundle: Path, folder: Path, texts: Sequence[str], ladder: Ladder) -> list[Point]:
    """Start a server, see that it translates, put more and more clients on it, stop it."""
    posts = [post(variant.server, text) for text in texts]
    points: list[Point] = []
    with serving(variant, bundle, folder) as url:
        check_answer(variant, url, ladder.expected)
        run(Plan(url=url, posts=posts, clients=WARM_CLIENTS, seconds=min(WARM_S, ladder.seconds)))
        for clients in ladder.clients:
            settle_s = SETTLE_SHARE * ladder.seconds
            outcome = run(Plan(url=url, posts=posts, clients=clients, seconds=ladder.seconds, settle_s=settle_s))
            times = [answer.seconds for answer in outcome.accepted]
            failed = 1 - len(times) / len(outcome.answers) if outcome.answers else 1.0
            p99_ms = float(np.percentile(times, 99)) * 1000 if times else float("inf")
            points.append(Point(clients, len(times) / outcome.elapsed, p99_ms, failed))
            if p99_ms > ladder.hopeless_ms:
                break
    return points


def check_answer(variant: Variant, url: str, expected: str) -> None:
    """See that a server runs the bundle: that it translates one sentence as the bundle does here.

    Raises:
        typer.Exit: it does not.
    """
    question = post(variant.server, PROBE)
    answer = httpx.post(f"{url}{question.path}", content=question.body, headers=JSON, timeout=PROBE_LIMIT_S)
    found = text_of(variant.server, answer.json()) if answer.is_success else f"status {answer.status_code}"
    if found != expected:
        fail(f"{variant.server} ({variant}) answers {found!r} to {PROBE!r}, not {expected!r}")


def text_of(server: str, body: Any) -> str:  # noqa: ANN401 - JSON of several shapes
    """The translation in an answer."""
    if server == OURS:
        return str(body["translations"][0]["text"])
    return str(body[0] if server == BENTOML else body["translation"])


def post(server: str, text: str) -> Post:
    """One sentence, as the server wants it."""
    path = "/translate?dir=en-de" if server == OURS else "/translate"
    body: dict[str, Any] = {"texts": [text]} if server == BENTOML else {"text": text}
    return Post(path, json.dumps(body, ensure_ascii=False), 1)


def typical(climbs: Sequence[Sequence[Point]]) -> list[Point]:
    """Medians over the rounds, for the numbers of clients that all of them reached."""
    by_clients: dict[int, list[Point]] = defaultdict(list)
    for points in climbs:
        for point in points:
            by_clients[point.clients].append(point)
    return [
        Point(clients, *(median(getattr(one, name) for one in some) for name in ("rate", "p99_ms", "failed")))
        for clients, some in sorted(by_clients.items())
        if len(some) == len(climbs)
    ]


def at_limit(points: Sequence[Point], limit_ms: float) -> float | None:
    """Sentences a second at that 99th percentile: between two numbers of clients, on the straight line.

    None where not even the fewest clients see answers in time. What fails more than one request in
    a hundred does not count.
    """
    good = [one for one in points if one.failed <= MAX_FAILED]
    within = [one.rate for one in good if one.p99_ms <= limit_ms]
    for lower, upper in pairwise(good):
        if lower.p99_ms <= limit_ms < upper.p99_ms < float("inf"):
            share = (limit_ms - lower.p99_ms) / (upper.p99_ms - lower.p99_ms)
            within.append(lower.rate + share * (upper.rate - lower.rate))
    return max(within, default=None)


def compare(points: Mapping[str, Sequence[Point]], limits_ms: Sequence[int]) -> dict[str, dict[int, float | None]]:
    """Of each server the best setting's sentences a second, by limit."""
    best: dict[str, dict[int, float | None]] = {}
    for name, some in points.items():
        server = best.setdefault(name.partition(" | ")[0], dict.fromkeys(limits_ms))
        for limit in limits_ms:
            rate = at_limit(some, limit)
            if rate is not None:
                server[limit] = max(rate, server[limit] or 0.0)
    return best


def render(best: Mapping[str, Mapping[int, float | None]], limits_ms: Sequence[int]) -> str:
    """A line a server; the last columns say how many times as many sentences this service translates."""
    titles = ["server", *(f"sentences/s, p99 ≤ {limit} ms" for limit in limits_ms)]
    titles += [f"this service / it, {limit} ms" for limit in limits_ms]
    rows = []
    for server, rates in best.items():
        ratios = [_ratio(best[OURS][limit], rates[limit]) for limit in limits_ms]
        rows.append([server, *(number(rates[limit], 1) for limit in limits_ms), *map(number, ratios)])
    return table(titles, rows)


def vars_of(point: Point) -> dict[str, float | None]:
    """For JSON, which has no infinity."""
    p99_ms = point.p99_ms if point.p99_ms < float("inf") else None
    return {"clients": point.clients, "sentences_per_s": point.rate, "p99_ms": p99_ms, "failed": point.failed}


def _ratio(value: float | None, base: float | None) -> float | None:
    return value / base if value is not None and base else None
