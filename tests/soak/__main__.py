"""``make soak``: break a service for minutes, print what came of it, and end with 1 if a promise was broken.

fuzzing     requests made up from the OpenAPI document, and texts that make trouble: so many of each
overload    ten times what a service can do that has half of the cores to itself; the other half sends the requests
endurance   mixed requests, and the memory meanwhile
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.types import Quality
from tests.service.processes import started
from tests.soak.endurance import endure, resident_bytes, send_texts
from tests.soak.fuzzing import fuzz
from tests.soak.overload import capacity, offer, post

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.service.processes import Running

BUNDLE = Path("bundles/reder-small")
CLIENTS, SENTENCES, TIMES = 8, 24, 10
DEADLINE_S = 5.0
MEGABYTE = 1e6
GROWTH_ALLOWED = 48 * MEGABYTE
PATHS = tuple(f"/translate?dir=en-de&quality={quality}" for quality in Quality)


@dataclass(slots=True)
class Report:
    """Prints figures and promises as they come, and knows whether all were kept."""

    kept: bool = True

    def figures(self, title: str, **figures: object) -> None:
        """One line."""
        told = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in figures.items())
        typer.echo(f"{title:<22}{told}")

    def promise(self, kept: bool, what: str) -> None:  # noqa: FBT001 - reads as a sentence where it is called
        """One line, which says it if the promise was broken."""
        self.kept &= kept
        typer.echo(f"{'  kept' if kept else '  BROKEN':<22}{what}")


def soak(
    bundle: Annotated[Path, typer.Option(help="What to serve.")] = BUNDLE,
    examples: Annotated[int, typer.Option(help="Requests made up for each operation of the API.")] = 2000,
    fuzz_minutes: Annotated[float | None, typer.Option(help="Make up requests for so long, however many.")] = None,
    texts: Annotated[int, typer.Option(help="Texts that make trouble.")] = 5000,
    overload: Annotated[float, typer.Option(help="Seconds of overload, for each quality.")] = 60.0,
    minutes: Annotated[float, typer.Option(help="How long mixed requests are sent.")] = 10.0,
    seed: Annotated[int | None, typer.Option(help="Repeats the made-up requests and texts of an earlier run.")] = None,
) -> None:
    """Break a service of its own for minutes."""
    seed = random.SystemRandom().randrange(2**32) if seed is None else seed
    report = Report()
    report.figures("soak", bundle=bundle.name, seed=seed)
    with started(bundle, threads=0, log_level="error", verify_bundle=True) as running:
        running.ready()
        sentences = (bundle / "canary.en.txt").read_text(encoding="utf-8").splitlines()
        first = asyncio.run(post(running.address, PATHS[0], _body(sentences[:SENTENCES])))
        _fuzz(running, report, examples=examples, minutes=fuzz_minutes, texts=texts, seed=seed)
        _endure(running, report, sentences, seconds=60 * minutes)
        last = asyncio.run(post(running.address, PATHS[0], _body(sentences[:SENTENCES])))
        report.promise(running.is_ready(), "the service is ready at the end")
        report.promise(_texts(first.content) == _texts(last.content), "it translates as it did at the start")
        running.process.terminate()
        report.promise(running.process.wait(60) == 0, "it ends in good order")
    own, served = _halves(os.sched_getaffinity(0))
    os.sched_setaffinity(0, served)  # a process has the cores of the one that starts it
    with started(bundle, threads=0, log_level="error") as running:
        os.sched_setaffinity(0, own)
        running.ready()
        for path in PATHS:
            _overload(running, report, path, sentences, seconds=overload)
    raise typer.Exit(0 if report.kept else 1)


def _fuzz(running: Running, report: Report, *, examples: int, minutes: float | None, texts: int, seed: int) -> None:
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        limit_s = 60 + (10 * examples if minutes is None else 60 * minutes)
        found = fuzz(running.url, Path(folder), examples=examples, minutes=minutes, limit_s=limit_s, seed=seed)
    report.figures("fuzzing, API", requests=found.requests, seconds=round(time.monotonic() - begun))
    report.promise(not found.failures, "every answer is as documented, and no server error")
    if found.failures:
        typer.echo(found.report)
    begun = time.monotonic()
    outcomes = asyncio.run(send_texts(running.address, texts, seed))
    report.figures("fuzzing, texts", texts=outcomes.total(), seconds=round(time.monotonic() - begun), **outcomes)
    report.promise(set(outcomes) <= {"200", "413", "422"}, "every text is translated, or refused with a reason")


def _halves(cores: set[int]) -> tuple[set[int], set[int]]:
    """Cores of each half; both are the same core if there is but one."""
    middle = len(cores) // 2
    return set(sorted(cores)[:middle]) or cores, set(sorted(cores)[middle:])


def _overload(running: Running, report: Report, path: str, sentences: Sequence[str], *, seconds: float) -> None:
    bodies = [_body([sentences[(7 * i + j) % len(sentences)] for j in range(SENTENCES)]) for i in range(len(sentences))]
    can = asyncio.run(capacity(running.address, path, bodies, min(5.0, seconds)))
    before = resident_bytes(running.address)
    headers = {"X-Timeout-Ms": str(round(DEADLINE_S * 1000))}
    tally = asyncio.run(offer(running.address, path, bodies, rate=TIMES * can, seconds=seconds, headers=headers))
    begun = time.monotonic()
    again = asyncio.run(post(running.address, path, bodies[0]))
    recovered_s = time.monotonic() - begun
    grown = resident_bytes(running.address) - before
    accepted, late = tally.count(200), tally.count(504)
    report.figures(
        f"overload, {path.rpartition('=')[2]}",
        can_per_s=f"{can:.1f}",
        offered=len(tally.replies) + tally.failures.total(),
        answered=accepted,
        refused=tally.count(429),
        late=late,
        failed=tally.failures.total(),
        p99_answered_s=f"{tally.seconds(200, 99):.2f}",
        p99_refused_s=f"{tally.seconds(429, 99):.2f}",
        again_s=f"{recovered_s:.2f}",
        grown_MB=f"{grown / MEGABYTE:.1f}",
    )
    report.promise(accepted > 0.5 * can * seconds, "at least half of what it can do is done")
    report.promise(late < 0.1 * (accepted + late), "of those accepted, nine in ten keep their deadline")
    report.promise(tally.seconds(429, 99) < DEADLINE_S, "the others are told before their deadline")
    report.promise(accepted + late + tally.count(429) == len(tally.replies), "there are no other answers")
    report.promise(not tally.failures, "nobody is left without an answer")
    report.promise(again.status == 200 and recovered_s < DEADLINE_S, "then all is as before")
    report.promise(grown < GROWTH_ALLOWED, "memory stays")


def _endure(running: Running, report: Report, sentences: Sequence[str], *, seconds: float) -> None:
    endured = asyncio.run(endure(running.address, sentences, clients=CLIENTS, seconds=seconds))
    memory = endured.memory
    report.figures(
        "endurance",
        requests=endured.outcomes.total(),
        memory_MB=f"{memory[0] / MEGABYTE:.0f} to {memory[-1] / MEGABYTE:.0f}",
        at_most=f"{max(memory) / MEGABYTE:.0f}",
        grown_once_warm_MB=f"{endured.growth / MEGABYTE:.1f}",
        **dict(sorted(endured.outcomes.items())),
    )
    report.promise(not endured.errors, "no server error, and nobody is left without an answer")
    report.promise(endured.growth < GROWTH_ALLOWED, "memory does not grow once all is warm")


def _body(texts: Sequence[str]) -> bytes:
    return json.dumps({"text": list(texts)}).encode()


def _texts(content: bytes) -> list[str]:
    return [one["text"] for one in json.loads(content)["translations"]]


if __name__ == "__main__":
    typer.run(soak)
