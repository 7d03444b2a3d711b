"""Cores that take batches each by itself: they run at once, share what waits, and fail apart."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from model.bundle import DE_EN
from service.engine.choice import open_engine
from service.errors import EngineDied
from service.types import Batch
from tests.service.support import FaultyEngine, distinct, serve, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx

    from model.bundle import Direction
    from service.app import Loaded
    from service.engine.protocol import Engine
    from service.settings import Settings
    from service.types import EngineInfo, Frames
    from tests.service.support import Served


class TwoLanes(FaultyEngine):
    """An engine of two lanes, each of which can be held up and told to fail by itself."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self.first, self.second = FaultyEngine(engine), FaultyEngine(engine)

    @property
    def lanes(self) -> tuple[Engine, ...]:
        """Both."""
        return (self.first, self.second)


@contextmanager
def two_lanes(settings: Settings, loaded: Loaded) -> Iterator[tuple[Served, TwoLanes, ThreadPoolExecutor]]:
    """A service around such an engine, and callers; at the end all gates are open."""
    engine = TwoLanes(loaded.engine)
    with serve(settings, replace(loaded, engine=engine)) as served, ThreadPoolExecutor(8) as callers:
        try:
            yield served, engine, callers
        finally:
            for part in (engine, engine.first, engine.second):
                part.gate.set()


LONG = "The old woman bought a small red boat and gave it to her neighbour."


def post(served: Served, text: str | list[str], direction: str = "en-de", quality: str | None = None) -> httpx.Response:
    """One request."""
    asked = {"dir": direction} | ({"quality": quality} if quality else {})
    return served.client.post("/translate", params=asked, json={"text": text})


def held(part: FaultyEngine) -> None:
    """Wait until it has a call, the first."""
    wait_until(lambda: len(part.calls) == 1)


def test_a_sentence_alone_has_the_whole_engine(settings: Settings, loaded: Loaded) -> None:
    """One after another, no lane is asked."""
    with two_lanes(settings, loaded) as (served, engine, _):
        for text in ("Two men talk.", "A dog runs."):
            assert post(served, text).status_code == 200
        assert [len(call.batch.ids) for call in engine.calls] == [1, 1]
        assert not engine.first.calls
        assert not engine.second.calls


def test_one_lane_works_while_the_other_is_busy(settings: Settings, loaded: Loaded) -> None:
    """A long batch holds up nobody while a core is free; what then comes in, in both directions, goes there too."""
    with two_lanes(settings, loaded) as (served, engine, callers):
        engine.first.gate.clear()
        slow = callers.submit(post, served, ["Two men talk.", "A dog runs."])
        held(engine.first)
        held(engine.second)
        assert post(served, "A child sleeps.").status_code == 200
        assert post(served, "Ein Kind schläft.", "de-en").status_code == 200
        assert not slow.done()
        assert len(engine.second.calls) == 3
        engine.first.gate.set()
        assert slow.result().status_code == 200


def test_idle_lanes_share_what_waits(settings: Settings, loaded: Loaded) -> None:
    """Of eight sentences each of two idle lanes has four; of one that runs alone, neither has any."""
    with two_lanes(settings, loaded) as (served, engine, _):
        assert served.metric("reder_engine_lanes") == 2
        answer = post(served, [f"Two men talk about {number} dogs." for number in range(8)])
        assert answer.status_code == 200
        assert [[len(call.batch.ids) for call in part.calls] for part in (engine.first, engine.second)] == [[4], [4]]
        assert not engine.calls


def test_what_waits_for_one_free_lane_goes_together(settings: Settings, loaded: Loaded) -> None:
    """Five requests that waited for both lanes are one batch of the first that is free."""
    with two_lanes(settings, loaded) as (served, engine, callers):
        for part in (engine.first, engine.second):
            part.gate.clear()
        busy = callers.submit(post, served, ["Two men talk.", "A dog runs."])
        held(engine.first)
        held(engine.second)
        waiting = [callers.submit(post, served, f"A child counts to {number}.") for number in range(5)]
        wait_until(lambda: served.metric("reder_queue_items") == 5)
        engine.second.gate.set()
        assert [one.result().status_code for one in waiting] == [200] * 5
        assert [len(call.batch.ids) for call in engine.second.calls] == [1, 5]
        engine.first.gate.set()
        assert busy.result().status_code == 200


def test_a_lane_that_hangs_holds_up_the_service_until_it_returns(settings: Settings, loaded: Loaded) -> None:
    """The service is unready, and who waits is told; what the other lane has is finished; then all is well."""
    hasty = settings.model_copy(update={"engine_timeout_s": 1.5})
    with two_lanes(hasty, loaded) as (served, engine, callers):
        engine.first.gate.clear()
        hung = callers.submit(post, served, ["Two men talk.", "A dog runs."])
        held(engine.first)
        assert post(served, "A child sleeps.").status_code == 200
        assert hung.result().json()["type"] == "urn:reder:problem:engine-unavailable"
        assert served.client.get("/readyz").json()["reasons"] == ["engine hung"]
        assert post(served, "A new one.").status_code == 503
        engine.first.gate.set()
        wait_until(lambda: served.client.get("/readyz").status_code == 200)
        assert post(served, ["Two men talk.", "A dog runs."]).status_code == 200


def test_a_lane_that_dies_is_the_end(settings: Settings, loaded: Loaded) -> None:
    """Liveness turns red and nothing new is taken; what the other lane has is still answered."""
    with two_lanes(settings, loaded) as (served, engine, callers):
        for part in (engine, engine.second):
            part.gate.clear()
        lost = callers.submit(post, served, "Two men talk.")
        held(engine)
        saved = callers.submit(post, served, "A dog runs.")
        held(engine.second)
        engine.error = EngineDied("the device is gone")
        engine.gate.set()
        assert lost.result().status_code == 503
        assert served.client.get("/healthz").json() == {"status": "dead"}
        assert post(served, "A new one.").status_code == 503
        engine.second.gate.set()
        assert saved.result().status_code == 200


def test_a_whole_engine_that_fails_is_told_and_recovers(settings: Settings, loaded: Loaded) -> None:
    """Lanes that work do not hide that a sentence alone fails: the service is unready until the whole engine works."""
    with two_lanes(settings, loaded) as (served, engine, _):
        engine.error = RuntimeError("broken")
        assert post(served, "Two men talk.").json()["type"] == "urn:reder:problem:engine-unavailable"
        assert served.client.get("/readyz").json()["reasons"] == ["engine failing"]
        engine.error = None
        wait_until(lambda: served.client.get("/readyz").status_code == 200)
        assert post(served, "Two men talk.").status_code == 200
        assert not engine.first.calls
        assert not engine.second.calls


def test_poison_in_one_lane_fails_alone(settings: Settings, loaded: Loaded) -> None:
    """The sentence on which a lane raises is refused, those that share its batch and the other lane's are not."""
    with two_lanes(settings, loaded) as (served, engine, callers):
        for part in (engine, engine.first, engine.second):
            part.poison = loaded.bundle.tokenizer.encode("~")[-1]
        texts = [f"Two men talk about {number}." for number in range(12)]
        answers = list(callers.map(lambda text: post(served, text), [*texts[:6], "This ~ is poison.", *texts[6:]]))
        assert [answer.status_code for answer in answers] == [200] * 6 + [503] + [200] * 6
        assert served.client.get("/readyz").status_code == 200


class Unpadded(FaultyEngine):
    """An engine that gains nothing from large batches."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self.until: int | None = None  # how many calls it answers before the gate closes

    @property
    def info(self) -> EngineInfo:
        """The real engine's, but for this."""
        return replace(super().info, padded=False)

    def infer(self, direction: Direction, batch: Batch) -> Frames:
        """As any, and close the gate if it is time to."""
        found = super().infer(direction, batch)
        if len(self.calls) == self.until:
            self.gate.clear()
        return found


RATE = 100.0
"""Tokens a second: so slow that of a document hardly anything is due before what comes some time after it."""


def _wait_is(served: Served, items: int) -> bool:
    return served.metric("reder_queue_items") == items


@contextmanager
def waiting(settings: Settings, loaded: Loaded, *requests: list[str]) -> Iterator[tuple[Unpadded, list[Any]]]:
    """Requests that wait while the engine is busy, of which it is known how fast it is; what they get."""
    engine = Unpadded(loaded.engine)
    with serve(settings, replace(loaded, engine=engine)) as served, ThreadPoolExecutor(8) as callers:
        assert post(served, LONG, quality="fast").status_code == 200
        served.context.batcher._gate._tally.tokens_per_s = RATE
        engine.calls.clear()
        engine.gate.clear()
        first = callers.submit(post, served, "Two men talk.", quality="fast")
        try:
            held(engine)
            answers = []
            for number, texts in enumerate(requests, start=1):
                answers.append(callers.submit(post, served, texts, quality="fast"))
                wait_until(partial(_wait_is, served, sum(map(len, requests[:number]))))
            yield engine, answers
        finally:
            engine.until = None
            engine.gate.set()
        assert first.result().status_code == 200


def test_without_padding_the_first_do_not_wait_for_the_last(settings: Settings, loaded: Loaded) -> None:
    """What waits is run a few sentences at a time, and who has all of theirs is answered."""
    with waiting(settings, loaded, ["A dog runs."], distinct(LONG, 60)) as (engine, (short, long)):
        engine.until = 2  # the call that was held, and the next one
        engine.gate.set()
        assert short.result().status_code == 200
        assert not long.done()
        engine.until = None
        engine.gate.set()
        assert len(long.result().json()["translations"]) == 60
        tokens = [int(call.batch.lengths.sum()) for call in engine.calls]
        assert max(tokens) <= 128
        assert tokens[1] > 2 * tokens[-1]  # the more wait, the more go together
        assert sum(len(call.batch.ids) for call in engine.calls) == 1 + 1 + 60


def test_a_sentence_need_not_wait_for_a_document(settings: Settings, loaded: Loaded) -> None:
    """It comes last, and is answered before the document that came first, of which not much more is done by then."""
    with waiting(settings, loaded, distinct(LONG, 60), ["A dog runs."]) as (engine, (long, short)):
        engine.until = 2
        engine.gate.set()
        assert short.result().status_code == 200
        assert not long.done()
        engine.until = None
        engine.gate.set()
        assert long.result().status_code == 200


def test_a_batch_that_fails_leaves_the_others_as_they_are(settings: Settings, loaded: Loaded) -> None:
    """What was done is not done again, and the one sentence that fails, fails alone."""
    poison = loaded.bundle.tokenizer.encode("~")[-1]
    with waiting(settings, loaded, ["Two ~ men."], distinct(LONG, 60), ["A dog runs."]) as (engine, answers):
        engine.poison = poison
        engine.gate.set()
        assert [answer.result().status_code for answer in answers] == [503, 200, 200]
        done = [call.batch for call in engine.calls if poison not in call.batch.ids]
        assert len(engine.calls) - len(done) > 1  # it failed with others, and then alone
        rows = [row[:length].tolist() for batch in done for row, length in zip(batch.ids, batch.lengths, strict=True)]
        assert [rows.count(loaded.bundle.tokenizer.encode(one)) for one in distinct(LONG, 60)] == [1] * 60


@pytest.fixture(scope="module")
def engine(loaded: Loaded) -> Engine:
    """Two threads whatever the machine has, and exact."""
    return open_engine(loaded.bundle, provider="cpu", precision="fp32", threads=2)


def test_lanes_translate_as_the_whole_engine_does(engine: Engine, loaded: Loaded) -> None:
    """Both lanes at the same time, in batches and all three tasks, give what each sentence gets by itself."""
    sources = loaded.bundle.tokenizer.encode_batch(loaded.bundle.canary("de"))
    batches = [sources[start : start + 4] for start in range(0, len(sources), 4)]
    assert len(engine.lanes) == 2

    def run(number: int) -> None:
        lane, rows = engine.lanes[number % 2], batches[number]
        targets = [list(ids[:3]) for ids in rows]
        greedy, choices = lane.infer(DE_EN, Batch.pad(rows)), lane.search(DE_EN, Batch.pad(rows))
        scores = lane.score(DE_EN, Batch.pad(rows), Batch.pad(targets))
        for row, ids in enumerate(rows):
            one, target = Batch.pad([ids]), Batch.pad([targets[row]])
            alone = engine.infer(DE_EN, one)
            count = int(alone.lengths[0])
            assert greedy.ids[row, :count].tolist() == alone.ids[0].tolist()
            np.testing.assert_allclose(greedy.log_probs[row, :count], alone.log_probs[0], atol=1e-3)
            found = engine.search(DE_EN, one).log_probs[0]
            np.testing.assert_allclose(choices.log_probs[row, :count], found, atol=1e-3)
            assert scores[row] == pytest.approx(engine.score(DE_EN, one, target)[0], abs=1e-2)

    with ThreadPoolExecutor(2) as threads:
        list(threads.map(run, range(len(batches))))


def test_one_thread_is_one_lane(loaded: Loaded) -> None:
    """Where there is one core, no second set of sessions is opened for it."""
    engine = open_engine(loaded.bundle, provider="cpu", threads=1)
    assert list(engine.lanes) == [engine]
