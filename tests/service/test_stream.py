"""A document comes back segment by segment, in order, from the same batches as a whole."""

from __future__ import annotations

import asyncio
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from model.bundle import EN_DE, Task
from service.app import run
from service.errors import DeadlineExceeded, EngineFailed, InvalidRequest
from service.observability.metrics import Metrics
from service.types import Format, Quality, Request, Translated
from tests.service.support import CopyingEngine, FaultyEngine, distinct

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    import httpx

    from model.bundle import Direction
    from service.app import Loaded
    from service.engine.protocol import Engine
    from service.http.context import Context
    from service.settings import Settings
    from service.types import Batch, Frames, SegmentReport

SENTENCES = [f"Dog number {number} runs{' very' * (number % 7)} fast." for number in range(40)]
DOCUMENT = "1.\n\n" + "\n".join(SENTENCES) + "\n\n2."


@asynccontextmanager
async def started(settings: Settings, loaded: Loaded, engine: Engine | None = None) -> AsyncIterator[Context]:
    """The service without HTTP, on this engine or the real one."""
    async with run(settings, replace(loaded, engine=engine or loaded.engine), Metrics()) as context:
        yield context


async def collect(context: Context, request: Request) -> tuple[list[tuple[int, int, SegmentReport]], Translated]:
    """All that is told, and the whole."""
    told, whole = [], None
    async with aclosing(context.translator.stream(request, timeout_s=20)) as results:
        async for one in results:
            if isinstance(one, Translated):
                whole = one
            else:
                assert whole is None
                told.append(one)
    assert whole is not None
    return told, whole


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("text/*", "text/plain"),
        ("text/*;q=0.9, text/plain;q=0.1", "text/plain"),
        ("text/event-stream", "text/event-stream"),
        ("Text/Event-Stream, application/json;q=0.5", "text/event-stream"),
        ("text/event-stream;q=0, text/*", "text/plain"),
        ("*/*", "application/json"),
    ],
)
def test_events_are_for_those_who_name_them(client: httpx.Client, accept: str, kind: str) -> None:
    """Who takes any text gets the translation."""
    answer = client.post("/translate?dir=en-de", json={"text": "A dog runs."}, headers={"Accept": accept})
    assert answer.status_code == 200
    assert answer.headers["content-type"].partition(";")[0] == kind


@pytest.mark.parametrize("quality", Quality)
def test_a_stream_tells_what_the_whole_has(settings: Settings, loaded: Loaded, quality: Quality) -> None:
    """All segments, each once and in order, are those of the whole, which comes last and is what `translate` gives."""
    request = Request(EN_DE, (DOCUMENT, "", "42", "A man reads. He sits."), quality, details=True)

    async def both() -> tuple[list[tuple[int, int, SegmentReport]], Translated, Translated]:
        async with started(settings, loaded) as context:
            return *await collect(context, request), await context.translator.translate(request, timeout_s=20)

    told, whole, asked = asyncio.run(both())
    assert [one.text for one in whole.translations] == [one.text for one in asked.translations]
    assert [(text, place) for text, place, _ in told] == [
        (text, place) for text, one in enumerate(whole.translations) for place in range(len(one.segments))
    ]
    assert [one for _, _, one in told] == [one for text in whole.translations for one in text.segments]
    assert len(told) == len(SENTENCES) + 2 + 0 + 1 + 2
    for text, _, one in told:
        span = one.target_span
        assert whole.translations[text].text[span.start : span.end] == one.target


def test_a_stream_shares_batches(settings: Settings, loaded: Loaded) -> None:
    """The engine is not called more often for a stream than for the whole."""
    calls = []

    async def ask(*, stream: bool) -> None:
        engine = FaultyEngine(CopyingEngine())
        async with started(settings, loaded, engine) as context:
            request = Request(EN_DE, (DOCUMENT * 3,), Quality.FAST)
            if stream:
                await collect(context, request)
            else:
                await context.translator.translate(request, timeout_s=20)
        calls.append(len(engine.calls))

    asyncio.run(ask(stream=False))
    asyncio.run(ask(stream=True))
    assert calls[1] <= calls[0] + 2, calls


class ThreeBatchEngine(FaultyEngine):
    """Runs three batches; the next waits at the gate."""

    def infer(self, direction: Direction, batch: Batch) -> Frames:
        """Run the batch; after the third, close the gate."""
        frames = super().infer(direction, batch)
        if len(self.calls) == 3:
            self.gate.clear()
        return frames


def test_the_first_segments_do_not_wait_for_the_last(settings: Settings, loaded: Loaded) -> None:
    """They are told while the engine is held up before later batches."""

    async def first() -> tuple[int, int, SegmentReport] | Translated:
        engine = ThreeBatchEngine(CopyingEngine())
        small = settings.model_copy(update={"batch_items": 8})
        async with started(small, loaded, engine) as context:
            request = Request(EN_DE, ("\n".join(distinct("A dog runs.", 60)),), Quality.FAST)
            async with aclosing(context.translator.stream(request, timeout_s=20)) as results:
                one = await anext(results)
            engine.gate.set()
        return one

    one = asyncio.run(first())
    assert not isinstance(one, Translated)
    assert one[:2] == (0, 0)


def test_leaving_early_ends_the_work(settings: Settings, loaded: Loaded) -> None:
    """Closing the stream takes out of the queue what still waits there, and the service can end."""

    async def leave() -> tuple[int, int]:
        engine = FaultyEngine(CopyingEngine())
        engine.closes_after = 10
        small = settings.model_copy(update={"batch_items": 4})
        async with started(small, loaded, engine) as context:
            request = Request(EN_DE, ("\n".join(distinct("A dog.", 400)),), Quality.FAST)
            async with aclosing(context.translator.stream(request, timeout_s=20)) as results:
                await anext(results)
            waiting = context.batcher.waiting
            engine.closes_after = None
            engine.gate.set()
        return waiting, len(engine.calls)

    waiting, calls = asyncio.run(leave())
    assert waiting == 0
    assert 1 <= calls <= 11, "of a hundred: those before the first segment was told, and the one at the gate"


def test_what_is_wrong_comes_before_anything_else(settings: Settings, loaded: Loaded) -> None:
    """A document that is none, an engine that fails, a deadline that passes: the stream raises as the whole would."""

    async def ask(request: Request, engine: Engine, timeout_s: float) -> None:
        async with (
            started(settings, loaded, engine) as context,
            aclosing(context.translator.stream(request, timeout_s=timeout_s)) as results,
        ):
            await anext(results)

    request = Request(EN_DE, ("A dog runs.",), Quality.FAST)
    failing, hanging = FaultyEngine(CopyingEngine()), FaultyEngine(CopyingEngine())
    failing.poison = loaded.bundle.tokenizer.encode(request.texts[0])[1]  # not the article, which most texts have
    hanging.gate.clear()
    with pytest.raises(InvalidRequest):
        asyncio.run(ask(Request(EN_DE, ("{",), Quality.FAST, format=Format.JSON), CopyingEngine(), 20))
    with pytest.raises(EngineFailed):
        asyncio.run(ask(request, failing, 20))
    assert failing.at_gate(Task.GREEDY)

    async def late() -> None:
        async with started(settings, loaded, hanging) as context:
            try:
                async with aclosing(context.translator.stream(request, timeout_s=0.2)) as results:
                    await anext(results)
            finally:
                hanging.gate.set()

    with pytest.raises(DeadlineExceeded):
        asyncio.run(late())
