"""Connections: uvicorn's HTTP/1.1, with a bound on every wait for a client.

Uvicorn closes a connection that has rested between two requests for long. But it waits for ever for a client that
connects and sends nothing, stops in the middle of a header, goes on sending a body that has been answered, or does not
take its answer. Here all of them have the same time. Bodies that are being read have a bound of their own, in
`service.http.body`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from service.http.problems import not_http

if TYPE_CHECKING:
    import asyncio

    from uvicorn.protocols.http.h11_impl import RequestResponseCycle

__all__ = ["bounded_protocol"]


def bounded_protocol(*, timeout_s: float, max_connections: int) -> type[H11Protocol]:
    """What uvicorn is to speak on the connections of one server.

    Args:
        timeout_s: how long a client may take to send the header of a request, or to take an answer.
        max_connections: of more than these, the one whose client has been waited for longest is closed. It should
            be more than the requests that may be under way, so that there always is one.
    """
    limits = {"_timeout_s": timeout_s, "_max_connections": max_connections, "_awaited": {}}
    return type("BoundedProtocol", (_BoundedProtocol,), limits)


class _BoundedProtocol(H11Protocol):
    """One connection."""

    _timeout_s: ClassVar[float]
    _max_connections: ClassVar[int]
    _awaited: ClassVar[dict[_BoundedProtocol, asyncio.TimerHandle]]  # clients it is for to act, the first of them first
    _rests = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        super().connection_made(transport)
        self._watch()
        if len(self.connections) > self._max_connections:
            next(iter(self._awaited))._abort()  # noqa: SLF001 - of the same class

    def data_received(self, data: bytes) -> None:
        if self._nothing_left():  # what begins now has to come to its end
            self._rests = False
            self._stop_clock()
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._rests = self._nothing_left()
        self._watch()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stop_clock()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - uvicorn's text, in another shape than our errors
        """Answer what is not HTTP with a problem; if an answer has begun already, break it off."""
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            self._abort()
            return
        if self.cycle is not None:  # the application still reads the body
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        answer = not_http()
        headers = [*answer.raw_headers, (b"connection", b"close")]
        head = h11.Response(status_code=answer.status_code, headers=headers, reason=b"Bad Request")
        for event in (head, h11.Data(data=bytes(answer.body)), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event))
        self.transport.close()

    def _watch(self) -> None:
        """Start the clock when it is for the client to act, stop it when it is for us."""
        ours = self._has_request() and not self.flow.write_paused
        if ours:
            self._stop_clock()
        elif self not in self._awaited:
            # one that rests is closed by uvicorn; the clock is for one that then does not go
            time_s = self._timeout_s + (self.timeout_keep_alive if self._rests else 0)
            self._awaited[self] = self.loop.call_later(time_s, self._time_is_up)

    def _has_request(self) -> bool:
        """Whether a request is under way, its body being read included."""
        cycle: RequestResponseCycle | None = self.cycle  # declared as never None, and None to begin with
        return cycle is not None and not cycle.response_complete and not cycle.disconnected

    def _nothing_left(self) -> bool:
        """Whether there was a request, its client has taken all of the answer, and no other has begun."""
        cycle: RequestResponseCycle | None = self.cycle  # as above
        answered = cycle is not None and cycle.response_complete and self.conn.their_state is h11.IDLE
        return answered and not self.transport.get_write_buffer_size() and not self.conn.trailing_data[0]

    def _time_is_up(self) -> None:
        """Close the connection, but if all of a large answer has been taken meanwhile: of that nobody is told."""
        self._stop_clock()
        if self._rests or not self._nothing_left():
            self._abort()
            return
        self._rests = True
        self._watch()

    def _stop_clock(self) -> None:
        if clock := self._awaited.pop(self, None):
            clock.cancel()

    def _abort(self) -> None:
        self._stop_clock()
        self.transport.abort()  # closing would wait until the client has taken all that was written
