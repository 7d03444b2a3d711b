"""Connections: uvicorn's HTTP/1.1 on llhttp, with a bound on every wait for a client and on what it may send.

Uvicorn closes a connection that has rested between two requests for long. But it waits for ever for a client that
connects and sends nothing, stops in the middle of a header, goes on sending a body that has been answered, or does not
take its answer. Here all of them have the same time. Bodies that are being read have a bound of their own, in
`service.http.body`. Nor does it limit the size of a header, or refuse what llhttp leaves to others: a request that
names no host, and one whose body is encoded otherwise than in chunks.

It writes the head of an answer before its body, which here are sent together. And it closes a connection whose client
is still sending at once: the client is told of a reset then, and often never reads the answer. Here what it sends is
read, and thrown away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import httptools
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from service.errors import AddressTooLong, HeadTooLarge, NotHttp, RequestError

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from starlette.responses import Response
    from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

__all__ = ["bounded_protocol"]

_LARGEST_HEAD = 65_536
"""Bytes of a request before its body."""

_TOO_LONG = "send texts in the body of a request, which may be longer than an address"
_TOO_LARGE = f"at most {_LARGEST_HEAD} bytes of address and headers are read"
_TRANSFER = "a body is read in chunks, or whole; it may not be encoded otherwise for the transfer"
_HOSTS = "a request names its host, and one only"
_PROXY = "the method CONNECT is for a proxy, which this is not"
_OFFERS = "one protocol after another is offered"
_UNREADABLE = "the address of the request cannot be read; what is not ASCII is escaped in it, as %C3%A4 stands for ä"


def bounded_protocol(
    *, timeout_s: float, max_connections: int, refuse: Callable[[RequestError], Response]
) -> type[HttpToolsProtocol]:
    """What uvicorn is to speak on the connections of one server.

    Args:
        timeout_s: how long a client may take to send the header of a request, or to take an answer.
        max_connections: of more than these, the one whose client has been waited for longest is closed. It should
            be more than the requests that may be under way, so that there always is one.
        refuse: makes the answer to what no request can be read from.
    """
    limits = {
        "_timeout_s": timeout_s,
        "_max_connections": max_connections,
        "_refusal": staticmethod(refuse),
        "_awaited": {},
    }
    return type("BoundedProtocol", (_BoundedProtocol,), limits)


class _BoundedProtocol(HttpToolsProtocol):
    """One connection."""

    _timeout_s: ClassVar[float]
    _max_connections: ClassVar[int]
    _refusal: ClassVar[staticmethod[[RequestError], Response]]
    _awaited: ClassVar[dict[_BoundedProtocol, asyncio.TimerHandle]]  # clients it is for to act, the first of them first
    _begun = False  # whether a request has begun to arrive, and not ended
    _head_bytes: int | None = None  # received of a request whose head is not complete
    _rests = False
    _deaf = False  # all is answered that will be: what still comes is thrown away, until the client closes

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        super().connection_made(transport)
        self._answers = _Answers(transport, self.loop, self._close)
        self._watch()
        if len(self.connections) > self._max_connections:
            next(iter(self._awaited))._abort()  # noqa: SLF001 - of the same class

    def data_received(self, data: bytes) -> None:
        if self._deaf:
            return
        self._unset_keepalive_if_required()
        rested = self._nothing_left()
        self._feed(data)
        if rested and not self._nothing_left():  # what has begun has to come to its end
            self._rests = False
            self._stop_clock()
        if self._head_bytes is not None and not self.transport.is_closing():
            self._head_bytes += len(data)
            if self._head_bytes > _LARGEST_HEAD:
                self._refuse(self._too_large())
        self._watch()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._begun, self._head_bytes = True, 0

    def on_header(self, name: bytes, value: bytes) -> None:
        """Of the head. What a client sends after a body in chunks is passed over: no proxy has looked at it."""
        if self._head_bytes is not None:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Begin to answer, but if the head is none that we take: what is raised here ends the parser's work."""
        size, hosts = len(self.url), 0
        for name, value in self.headers:
            size += len(name) + len(value) + len(b": \r\n")
            hosts += name == b"host"
            if name == b"transfer-encoding" and value.lower() != b"chunked":
                raise NotHttp(_TRANSFER)
        if size > _LARGEST_HEAD:
            raise self._too_large()
        if hosts > 1 or (not hosts and self.parser.get_http_version() != "1.0"):
            raise NotHttp(_HOSTS)
        if self.parser.get_method() == b"CONNECT":
            raise NotHttp(_PROXY)
        if not self.parser.should_upgrade():
            super().on_headers_complete()
            self.cycle.transport = self._answers  # type: ignore[assignment] # has what a cycle needs of one
            self._head_bytes = None

    def on_message_complete(self) -> None:
        self._begun = False
        if not self.parser.should_upgrade():
            super().on_message_complete()

    def on_response_complete(self) -> None:
        self._answers.flush()
        super().on_response_complete()
        self._rests = self._nothing_left()
        self._watch()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._watch()

    def shutdown(self) -> None:
        if self._deaf:
            self.transport.close()
        else:
            super().shutdown()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stop_clock()

    def _refuse(self, error: RequestError) -> None:
        """Answer what is not HTTP with a problem, unless it comes behind requests that are still to be answered.

        If it is the rest of a request that is being answered already, that breaks off.
        """
        in_body = self._begun and self._head_bytes is None
        if self._has_request():
            if not in_body or self.pipeline:
                self._begun = True  # and nobody knows where it ends
                self.cycle.keep_alive = False  # the last of them: then the connection is closed
                self.flow.pause_reading()
                return
            if self.cycle.response_started:
                self._abort()
                return
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        elif in_body:  # of a request that has been answered
            self._abort()
            return
        answer = self._refusal(error)
        head = b"".join(b"%b: %b\r\n" % header for header in answer.raw_headers)
        status = STATUS_LINE[answer.status_code]
        self.transport.write(status + head + b"connection: close\r\n\r\n" + bytes(answer.body))
        self._begun = True  # as above
        self._close()

    def _close(self) -> None:
        """Close the connection; if more of a request is to come, only our half, and the rest when the client does."""
        if not self._begun or self.transport.is_closing():
            self.transport.close()
            return
        self._deaf, self._head_bytes = True, None
        self.pipeline.clear()
        self.flow.resume_reading()
        self.transport.write_eof()
        self._stop_clock()
        self._watch()

    def _too_large(self) -> RequestError:
        """What to say of a head that is."""
        if 2 * len(self.url) > _LARGEST_HEAD:
            return AddressTooLong(_TOO_LONG)
        return HeadTooLarge(_TOO_LARGE)

    def _feed(self, data: bytes, *, may_offer: bool = True) -> None:
        """As uvicorn, but of a request that offers another protocol, as Java's client does, the body is read, too."""
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade as offered:
            if not may_offer:  # who sends many such requests at once must not cost more than others
                self._refuse(NotHttp(_OFFERS))
                return
            head = [self.parser.get_method(), b" ", self.url, b" HTTP/1.1\r\n"]
            head += [b"%b: %b\r\n" % (name, value) for name, value in self.headers if name != b"upgrade"]
            self.parser = httptools.HttpRequestParser(self)
            self._feed(b"".join([*head, b"\r\n", data[offered.args[0] :]]), may_offer=False)
        except httptools.HttpParserError as error:
            self._refuse(_reason(error))

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
        return cycle is not None and not cycle.response_complete and not cycle.disconnected and not self._deaf

    def _nothing_left(self) -> bool:
        """Whether there was a request, its client has taken all of the answer, and no other has begun."""
        cycle: RequestResponseCycle | None = self.cycle  # as above
        answered = cycle is not None and cycle.response_complete
        return answered and not self._begun and not self.transport.get_write_buffer_size()

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


class _Answers:
    """What answers are written to: what is written in one step of the event loop is sent in one piece.

    Of a process that dies, a caller then has all of a short answer or nothing. Where there is nothing, a load balancer
    asks another replica; where there is a head without its body, it has told the caller that there is an answer.
    """

    def __init__(
        self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop, close: Callable[[], None]
    ) -> None:
        self._transport = transport
        self._loop = loop
        self._close = close
        self._held: list[bytes] = []

    def write(self, data: bytes) -> None:
        """Send it with what else is written before the event loop comes to something else."""
        if not self._held:
            self._loop.call_soon(self.flush)
        self._held.append(data)

    def flush(self) -> None:
        """Send what is held."""
        if self._held and not self._transport.is_closing():
            self._transport.write(b"".join(self._held))
        self._held.clear()

    def is_closing(self) -> bool:
        """As `asyncio.Transport`."""
        return self._transport.is_closing()

    def close(self) -> None:
        """As `asyncio.Transport`: send what is held, then close."""
        self.flush()
        self._close()


def _reason(error: httptools.HttpParserError) -> RequestError:
    """Why no request can be read: our own reason, or llhttp's, which are fixed words and quote nothing."""
    if isinstance(error.__context__, RequestError):
        return error.__context__
    if isinstance(error, httptools.HttpParserCallbackError | httptools.HttpParserInvalidURLError):
        return NotHttp(_UNREADABLE)
    return NotHttp(f"this is not HTTP/1.1: {error}")
