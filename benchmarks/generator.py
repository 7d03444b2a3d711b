"""The load generator: a process of its own, so that what it costs can be told from what the service costs.

Reads one `Plan` as JSON from standard input, puts the load on a server, and writes one `Outcome` as
JSON to standard output:

    python -m benchmarks.generator < plan.json > outcome.json

Closed loop: each client sends its next request when the last is answered. Open loop: requests come
at random (Poisson) whether or not earlier ones are answered, and a request's time runs from the
moment it was due, so that a generator or a server that falls behind is not flattered.
"""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import aiohttp
import uvloop

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Answer", "Outcome", "Plan", "Post", "run"]

NO_ANSWER = 0
"""Stands for the status of a request that was not answered: no connection, or too late."""

_ANSWER_LIMIT_S = 60.0
_SPARE_S = 120.0
_OK = 200
_ROOT = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Post:
    """One request: where to, its JSON body as text, and how many sentences are in it."""

    path: str
    body: str
    sentences: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to do: `clients` in a closed loop, or `rate` requests a second in an open one.

    It ends after `seconds`, or when `limit` requests were sent if that is not 0. Requests are taken
    round and round, starting with number `first`. What ends in the first `settle_s` seconds is not
    reported.
    """

    url: str
    posts: list[Post]
    clients: int = 0
    rate: float = 0.0
    seconds: float = 0.0
    limit: int = 0
    first: int = 0
    settle_s: float = 0.0
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Answer:
    """To which request, when it was sent or due (seconds from the start), how long it took, and the status."""

    post: int
    started: float
    seconds: float
    status: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """Answers that came after settling; how long that lasted; processor time of the generator in all of its run."""

    answers: list[Answer] = field(default_factory=list)
    elapsed: float = 0.0
    cpu_s: float = 0.0
    run_s: float = 0.0

    @property
    def accepted(self) -> list[Answer]:
        """What was translated."""
        return [answer for answer in self.answers if answer.status == _OK]

    @property
    def statuses(self) -> dict[int, int]:
        """How many answers had each status; 0 is none at all."""
        found: dict[int, int] = {}
        for answer in self.answers:
            found[answer.status] = found.get(answer.status, 0) + 1
        return found


def run(plan: Plan) -> Outcome:
    """Run the plan in a process of its own.

    Raises:
        RuntimeError: the process failed; its errors are on standard error.
    """
    limit = (plan.seconds or plan.limit) + _ANSWER_LIMIT_S + _SPARE_S
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.generator"],
        cwd=_ROOT,
        input=json.dumps(asdict(plan)),
        stdout=subprocess.PIPE,
        text=True,
        check=False,
        timeout=limit,
    )
    if done.returncode:
        msg = f"the load generator ended with code {done.returncode}"
        raise RuntimeError(msg)
    raw = json.loads(done.stdout)
    return Outcome(**{**raw, "answers": [Answer(*answer) for answer in raw["answers"]]})


class _Client:
    """Sends the plan's requests and notes the answers."""

    def __init__(self, plan: Plan, http: aiohttp.ClientSession) -> None:
        self._plan = plan
        self._http = http
        self._bodies = [post.body.encode() for post in plan.posts]
        self._numbers = count()
        self.started = time.perf_counter()
        self.answers: list[Answer] = []

    async def closed(self) -> None:
        """All clients, until the time is over or every request was sent."""
        async with asyncio.TaskGroup() as group:
            for _ in range(self._plan.clients):
                group.create_task(self._one_client())

    async def opened(self) -> None:
        """Requests at random times, at the plan's rate."""
        due = 0.0
        intervals = random.Random(self._plan.seed)  # noqa: S311 - arrival times, not secrets
        async with asyncio.TaskGroup() as group:
            for number in self._take():
                due += intervals.expovariate(self._plan.rate)
                if self._plan.seconds and due >= self._plan.seconds:
                    return
                await asyncio.sleep(max(0.0, due - self._now()))
                group.create_task(self._send(number, due))

    async def _one_client(self) -> None:
        for number in self._take():
            if self._plan.seconds and self._now() >= self._plan.seconds:
                return
            await self._send(number, self._now())

    async def _send(self, number: int, started: float) -> None:
        index = (self._plan.first + number) % len(self._bodies)
        try:
            async with self._http.post(self._plan.posts[index].path, data=self._bodies[index]) as response:
                await response.read()
                status = response.status
        except (aiohttp.ClientError, TimeoutError):
            status = NO_ANSWER
        self.answers.append(Answer(index, started, self._now() - started, status))

    def _take(self) -> Iterator[int]:
        """Numbers of requests to send; all clients share them."""
        for number in self._numbers:
            if self._plan.limit and number >= self._plan.limit:
                return
            yield number

    def _now(self) -> float:
        return time.perf_counter() - self.started


async def _carry_out(plan: Plan) -> Outcome:
    connector = aiohttp.TCPConnector(limit=0)
    timeout = aiohttp.ClientTimeout(total=_ANSWER_LIMIT_S)
    headers = {"Content-Type": "application/json"}
    async with aiohttp.ClientSession(plan.url, connector=connector, timeout=timeout, headers=headers) as http:
        client = _Client(plan, http)
        cpu = time.process_time()
        await (client.opened() if plan.rate else client.closed())
        run_s, cpu_s = time.perf_counter() - client.started, time.process_time() - cpu
    # Of a timed run only what ends in the time counts: the last answers come while the load falls.
    end = plan.seconds or run_s
    counted = [one for one in client.answers if _counts(one, plan, end)]
    return Outcome(counted, end - plan.settle_s, cpu_s, run_s)


def _counts(answer: Answer, plan: Plan, end: float) -> bool:
    """In an open loop what was due in the time counts, however late; in a closed loop, what ended in it."""
    moment = answer.started if plan.rate else answer.started + answer.seconds
    return plan.settle_s <= moment <= end


def _main() -> None:
    raw = json.load(sys.stdin)
    plan = Plan(**{**raw, "posts": [Post(**post) for post in raw["posts"]]})
    outcome = uvloop.run(_carry_out(plan))
    answers = [[one.post, round(one.started, 6), round(one.seconds, 6), one.status] for one in outcome.answers]
    json.dump(
        {"answers": answers, "elapsed": outcome.elapsed, "cpu_s": outcome.cpu_s, "run_s": outcome.run_s}, sys.stdout
    )


if __name__ == "__main__":
    _main()
