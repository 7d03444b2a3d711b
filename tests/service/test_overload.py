"""Ten times more than the service can do: who is accepted is answered in time, the others are told at once."""

from __future__ import annotations

import asyncio
import json
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

from tests.service.processes import started
from tests.service.support import PATIENCE_S, FaultyEngine, distinct, serve, wait_until
from tests.soak.endurance import resident_bytes
from tests.soak.overload import capacity, offer, post

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.bundle import Direction
    from service.app import Loaded
    from service.engine.protocol import Engine
    from service.settings import Settings
    from service.types import Batch, Frames
    from tests.soak.overload import Address, Tally

PATH = "/translate?dir=en-de"
SENTENCE = "The old dog runs through the grass and jumps over a fence."
TIMES, SECONDS, DEADLINE_S = 10, 3.0, 2.5
A_FEW = 4
"""Requests that are refused, however much others have of the processor."""


class SlowEngine(FaultyEngine):
    """A real engine that takes its time, so that what it can do is the same on every machine, busy or not."""

    def __init__(self, engine: Engine, tokens_per_s: float) -> None:
        super().__init__(engine)
        self._tokens_per_s = tokens_per_s

    def infer(self, direction: Direction, batch: Batch) -> Frames:
        """Work, and wait."""
        frames = super().infer(direction, batch)
        time.sleep(int(batch.lengths.sum()) / self._tokens_per_s)
        return frames


def too_much(address: Address, bodies: Sequence[bytes], can: float) -> Tally:
    """What becomes of ten times as many requests a second as a service can answer, each with little time."""
    headers = {"X-Timeout-Ms": str(round(DEADLINE_S * 1000))}
    return asyncio.run(offer(address, PATH, bodies, rate=TIMES * can, seconds=SECONDS, headers=headers))


def test_ten_times_too_much(settings: Settings) -> None:
    """A process answers what it can, refuses quickly, tells when to come back, keeps its memory, and recovers."""
    bodies = [json.dumps({"text": distinct(f"{SENTENCE[:-1]} {number}.", 24)}).encode() for number in range(50)]
    with started(settings.bundle) as running:
        address = running.ready().address
        can = asyncio.run(capacity(address, PATH, bodies, 1.0))
        before = resident_bytes(address)
        tally = too_much(address, bodies, can)
        again = asyncio.run(post(address, PATH, bodies[0]))
        assert running.get("/readyz").status_code == 200
        grown = resident_bytes(address) - before
    assert not tally.failures
    assert {reply.status for reply in tally.replies} <= {200, 429, 504}
    assert tally.count(200) > 0.2 * can * SECONDS
    assert tally.count(429) > A_FEW
    assert tally.seconds(429, 50) < min(DEADLINE_S, tally.seconds(200, 50))
    assert all(1 <= int(reply.headers["retry-after"]) <= 60 for reply in tally.replies if reply.status == 429)
    assert again.status == 200
    assert again.seconds < DEADLINE_S
    assert grown < 64 << 20


def test_what_is_accepted_is_in_time(settings: Settings, loaded: Loaded) -> None:
    """Of ten times too much, most of what is not refused is answered before its deadline."""
    bodies = [json.dumps({"text": text}).encode() for text in distinct(SENTENCE, 50)]
    tokens = len(loaded.bundle.tokenizer.encode(SENTENCE))
    limits = {"batch_tokens": 3 * tokens, "batch_overhead_tokens": 0}  # a batch takes a third of a second
    engine = SlowEngine(loaded.engine, tokens_per_s=10 * tokens)
    with serve(settings.model_copy(update=limits), replace(loaded, engine=engine)) as served:
        can = asyncio.run(capacity(served.address, PATH, bodies, 1.0))
        tally = too_much(served.address, bodies, can)
    assert tally.count(429) > tally.count(200) > 0.5 * can * SECONDS
    assert tally.count(504) < 0.3 * tally.count(200)


def test_retry_after_is_true(settings: Settings, loaded: Loaded) -> None:
    """A request that is refused would fit when Retry-After says so, and not long before."""
    large = {"text": distinct(SENTENCE, 10)}
    tokens = len(loaded.bundle.tokenizer.encode(large["text"][0]))
    limits = {"queue_tokens": 12 * tokens, "batch_tokens": 2 * tokens, "batch_overhead_tokens": 0}
    engine = SlowEngine(loaded.engine, tokens_per_s=100)
    with serve(settings.model_copy(update=limits), replace(loaded, engine=engine)) as served:
        assert served.client.post(PATH, json={"text": SENTENCE}).status_code == 200
        with ThreadPoolExecutor(1) as pool:
            accepted = pool.submit(served.client.post, PATH, json=large)
            wait_until(lambda: served.metric("reder_queue_tokens") > 0)
            refused = served.client.post(PATH, json=large)
            assert refused.status_code == 429
            told_s, asked = int(refused.headers["retry-after"]), time.monotonic()
            answer, waited_s = refused, 0.0
            while answer.status_code == 429 and waited_s < PATIENCE_S:
                time.sleep(0.05)
                waited_s = time.monotonic() - asked
                answer = served.client.post(PATH, json=large)
        assert answer.status_code == accepted.result().status_code == 200
    assert waited_s - 4 <= told_s <= waited_s + 2
