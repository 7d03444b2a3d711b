"""The client for programs with an event loop."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Literal, Self, overload

import httpx

from reder._connection import open_http
from reder._exchange import Service, texts_of
from reder._options import Call, about_call, round_trip_call, streaming_call, together, translation_calls
from reder._results import read_max_characters, read_readiness, read_round_trip
from reder._stream import EventStream

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from typing import Unpack

    from reder._exchange import OnPause
    from reder._options import Direction, Options
    from reder._results import Readiness, RoundTrip, StreamedSegment, Translation

__all__ = ["AsyncClient", "AsyncStream"]


class AsyncStream(EventStream):
    """The segments of a translation, in the order in which they are done; iterate over it once."""

    async def __aiter__(self) -> AsyncIterator[StreamedSegment]:
        """Wait for each segment.

        Raises:
            ConnectionFailedError: the answer breaks off.
            ProblemError: the service fails on the way.
        """
        if self._response is None:
            return
        try:
            async for chunk in self._response.aiter_bytes():
                for segment in self._segments(chunk):
                    yield segment
        except httpx.HTTPError as error:
            raise self._service.unreachable(error) from error
        self._check_complete()


class AsyncClient:
    """A client of one service, as `Client` is. Several tasks may share it, in one event loop.

    A request that is refused because the service is busy (429, 503) is repeated, no earlier than the service asks.
    So is one that does not reach a service which has answered this client before: it may be starting again.
    All methods raise `RederError`, and `TypeError` for an option that there is none of or a text that is no `str`.

    Args:
        url: where the service is.
        api_key: a key of `reder key`, if the service wants one.
        timeout_s: how long the service may take for an answer: it is told, and has a limit of its own. May be infinite.
            One that does not keep to it is given up when nothing has arrived for so long and five seconds more; not
            while a little comes now and then.
        patience_s: how long to go on repeating one request, from its first failure on.
        on_pause: called before each pause with the error that is the reason, and the seconds; a program may say why it
            waits.
        http: a client of httpx to send with, for a proxy or certificates of your own. It is yours to close.

    Raises:
        RederError: this cannot be a key, or the environment names a proxy or certificates that cannot be used.
    """

    def __init__(
        self,
        url: str = "http://127.0.0.1:8000",
        *,
        api_key: str | None = None,
        timeout_s: float = 60.0,
        patience_s: float = 60.0,
        on_pause: OnPause | None = None,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        self._service = Service(url, api_key, timeout_s, patience_s, on_pause)
        self._http = http or open_http(httpx.AsyncClient, self._service)
        self._ours = http is None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close its connections."""
        if self._ours:
            await self._http.aclose()

    @overload
    async def translate(self, text: str, direction: Direction = "auto", **options: Unpack[Options]) -> Translation: ...

    @overload
    async def translate(
        self, text: list[str] | tuple[str, ...], direction: Direction = "auto", **options: Unpack[Options]
    ) -> list[Translation]: ...

    async def translate(
        self, text: str | list[str] | tuple[str, ...], direction: Direction = "auto", **options: Unpack[Options]
    ) -> Translation | list[Translation]:
        """Translate a text, or any number of them, in order; many are sent in several requests.

        See `Options` for what else can be asked for.
        """
        translations: list[Translation] = []
        for call in translation_calls(texts := texts_of(text), direction, options):
            translations += self._service.translations(await self._json(call), call)
        all_of_them = together(texts, translations)
        return all_of_them[0] if isinstance(text, str) else all_of_them

    @asynccontextmanager
    async def stream(
        self, text: str | list[str] | tuple[str, ...], direction: Direction = "auto", **options: Unpack[Options]
    ) -> AsyncIterator[AsyncStream]:
        """Translate in one request, and have every segment as soon as it is done.

        Leaving the context early ends the request. Afterwards the stream's `translations` has the whole.
        """
        call = streaming_call(texts := texts_of(text), direction, options)
        if not any(map(str.strip, texts)):
            yield AsyncStream(self._service, call, None, together(texts, ()))
            return
        response = await self._send(call, stream=True)
        try:
            yield AsyncStream(self._service, call, response)
        finally:
            await response.aclose()

    async def roundtrip(self, text: str, direction: Literal["en-de", "de-en"]) -> RoundTrip:
        """Translate a text there and back. It goes in the address, which proxies may log.

        Raises:
            TooLargeError: it is too long for an address, which holds 65,536 characters, those of the text escaped.
        """
        answer = await self._json(round_trip_call(text, direction))
        with self._service.reading():
            return read_round_trip(answer)

    async def max_characters(self) -> int | None:
        """How many characters one request may have; None if the service does not say, as older releases do not."""
        answer = await self._json(about_call())
        with self._service.reading():
            return read_max_characters(answer)

    async def ready(self) -> Readiness:
        """Whether the service wants requests; asked once."""
        try:
            response = await self._http.send(self._service.request(self._http, Call("/readyz", {})))
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise self._service.unreachable(error) from error
        with self._service.reading():
            return read_readiness(response.json())

    async def _json(self, call: Call) -> object:
        response = await self._send(call)
        with self._service.reading():
            body: object = response.json()
        return body

    async def _send(self, call: Call, *, stream: bool = False) -> httpx.Response:
        """Send a request until it is answered."""
        attempts = self._service.attempts(call)
        while True:
            outcome: httpx.Response | httpx.HTTPError | httpx.InvalidURL
            try:
                outcome = await self._http.send(self._service.request(self._http, call), stream=stream)
                if outcome.is_success:
                    self._service.known.set()
                    return outcome
                await outcome.aread()
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                outcome = error
            await asyncio.sleep(attempts.pause_after(outcome))
