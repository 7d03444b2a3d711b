"""The client for programs with an event loop."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Literal, Self, overload

import httpx

from reder._connection import open_http
from reder._exchange import Attempts, Service, texts_of
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
    """See `Stream`."""

    async def __aiter__(self) -> AsyncIterator[StreamedSegment]:
        """See `Stream.__iter__`."""
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
    """As `Client`, with `await`. Several tasks may share it, in one event loop."""

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
        """See `Client.translate`."""
        translations: list[Translation] = []
        for call in translation_calls(texts := texts_of(text), direction, options):
            translations += self._service.read(await self._send(call), partial(self._service.translations, call=call))
        all_of_them = together(texts, translations)
        return all_of_them[0] if isinstance(text, str) else all_of_them

    @asynccontextmanager
    async def stream(
        self, text: str | list[str] | tuple[str, ...], direction: Direction = "auto", **options: Unpack[Options]
    ) -> AsyncIterator[AsyncStream]:
        """See `Client.stream`."""
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
        """See `Client.roundtrip`."""
        return self._service.read(await self._send(round_trip_call(text, direction)), read_round_trip)

    async def max_characters(self) -> int | None:
        """See `Client.max_characters`."""
        return self._service.read(await self._send(about_call()), read_max_characters)

    async def ready(self) -> Readiness:
        """See `Client.ready`."""
        try:
            response = await self._http.send(self._service.request(self._http, Call("/readyz", {})))
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise self._service.unreachable(error) from error
        return self._service.read(response, read_readiness)

    async def _send(self, call: Call, *, stream: bool = False) -> httpx.Response:
        """Send a request until it is answered."""
        attempts = Attempts(self._service, call)
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
