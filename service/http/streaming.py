"""An answer that comes segment by segment, as server-sent events.

    segment   one segment is translated; in any order
    done      everything, as it would have been answered at once
    error     instead of `done`: the problem that ended it, as it would have been answered

What is wrong before the first segment is answered as always, with a status of its own.
"""

from __future__ import annotations

import asyncio
from contextlib import ExitStack, aclosing
from typing import TYPE_CHECKING

from fastapi.sse import format_sse_event
from starlette.requests import Request as HttpRequest
from starlette.responses import StreamingResponse

from service.errors import ClientDisconnected, InvalidRequest, ServiceError
from service.http.answers import segment_event, translate_response
from service.http.disconnect import while_connected
from service.http.orders import settle, within_field, within_order
from service.http.problems import answer, out_of_time
from service.pipeline.together import begun
from service.types import Translated

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from starlette.types import Receive, Scope, Send

    from service.http.calls import Call
    from service.http.orders import Part, Plan
    from service.http.schemas import SegmentEvent, TranslateResponse
    from service.types import SegmentReport

    Segment = tuple[int, int, SegmentReport]

__all__ = ["EVENT_STREAM", "EventStream"]

EVENT_STREAM = "text/event-stream"

_HEADERS = {"X-Accel-Buffering": "no"}  # nginx would else hold events back until it has a page of them


class EventStream(StreamingResponse):
    """Does the work of a plan while it answers.

    Args:
        name: the direction that was asked for.
        plan: what is to be done.
        call: for which it is.
        field: what errors call the texts.
        lease: what keeps the call going; it is given back once the answer is sent.
    """

    media_type = EVENT_STREAM

    def __init__(self, name: str, plan: Plan, call: Call, *, field: str, lease: ExitStack) -> None:
        super().__init__(iter(()), headers=_HEADERS)  # what is sent comes from `_events`
        self._name = name
        self._plan = plan
        self._call = call
        self._field = field
        self._lease = lease
        self._started = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer.

        Raises:
            ServiceError: before the first event. After it, that is an event too.
        """
        with self._lease:
            await self._answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await while_connected(HttpRequest(scope, receive), self._stream(send))
        except ClientDisconnected as error:
            if not self._started:
                raise
            self._end(error)  # nobody is left to send it to
        except (ServiceError, asyncio.CancelledError) as error:
            if not self._started:
                raise
            told = out_of_time() if isinstance(error, asyncio.CancelledError) else error
            await self._send(send, _event("error", self._end(told)), last=True)

    def _end(self, error: ServiceError) -> bytes:
        """Note the problem that ends the stream, as which it counts; as JSON."""
        told = answer(self._call.exchange, error)
        self._call.exchange.ended_as = told.status_code
        return bytes(told.body)

    async def _stream(self, send: Send) -> None:
        async with aclosing(self._events()) as events:
            async for event in events:
                await self._send(send, event)
        await self._send(send, b"", last=True)

    async def _send(self, send: Send, event: bytes, *, last: bool = False) -> None:
        if not self._started:
            self._started = True
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await send({"type": "http.response.body", "body": event, "more_body": not last})

    async def _events(self) -> AsyncGenerator[bytes, None]:
        order = self._plan.order
        outcomes = self._plan.unchanged()
        async with aclosing(self._results()) as results:
            async for part, result in results:
                if isinstance(result, Translated):
                    settle(self._call.exchange, part, result, outcomes)
                    continue
                text, index, report = result
                yield _event("segment", _json(segment_event(order, part.places[text], index, report)))
        yield _event("done", _json(translate_response(self._name, order, outcomes)))

    async def _results(self) -> AsyncGenerator[tuple[Part, Segment | Translated], None]:
        """What the translator gives for any part, as it gives it. Its first error ends all of them."""
        ready: asyncio.Queue[tuple[Part, Segment | Translated | BaseException | None]] = asyncio.Queue()
        async with begun(self._follow(part, ready) for part in self._plan.parts) as tasks:
            under_way = len(tasks)
            while under_way:
                part, result = await ready.get()
                if isinstance(result, InvalidRequest):
                    raise within_field(within_order(result, part), self._field)
                if isinstance(result, BaseException):
                    raise result
                if result is None:
                    under_way -= 1
                else:
                    yield part, result

    async def _follow(
        self, part: Part, ready: asyncio.Queue[tuple[Part, Segment | Translated | BaseException | None]]
    ) -> None:
        """Hand over what comes of one part, then its error if there is one, then None."""
        # A task for each: the stream's deadline belongs to the task that began to read it.
        try:
            stream = self._call.context.translator.stream(part.request, timeout_s=self._call.left_s)
            async with aclosing(stream) as results:
                async for result in results:
                    ready.put_nowait((part, result))
        except BaseException as error:  # noqa: BLE001 - raised where it is taken out
            ready.put_nowait((part, error))
        finally:
            ready.put_nowait((part, None))


def _event(name: str, data: bytes) -> bytes:
    return format_sse_event(event=name, data_str=data.decode())


def _json(model: SegmentEvent | TranslateResponse) -> bytes:
    return model.model_dump_json(exclude_unset=True).encode()
