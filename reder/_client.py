"""The client for programs that wait."""

from __future__ import annotations

import time
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Literal, Self, overload

import httpx

from reder._connection import open_http
from reder._exchange import Attempts, Service, texts_of
from reder._options import Call, about_call, round_trip_call, streaming_call, together, translation_calls
from reder._results import read_max_characters, read_readiness, read_round_trip
from reder._stream import EventStream

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Unpack

    from reder._exchange import OnPause
    from reder._options import Direction, Options
    from reder._results import Readiness, RoundTrip, StreamedSegment, Translation

__all__ = ["Client", "Stream"]


class Stream(EventStream):
    """The segments of a translation, in the order in which they are done; iterate over it once."""

    def __iter__(self) -> Iterator[StreamedSegment]:
        """Wait for each segment.

        Raises:
            ConnectionFailedError: the answer breaks off.
            ProblemError: the service fails on the way.
        """
        if self._response is None:
            return
        try:
            for chunk in self._response.iter_bytes():
                yield from self._segments(chunk)
        except httpx.HTTPError as error:
            raise self._service.unreachable(error) from error
        self._check_complete()


class Client:
    """A client of one service. Several threads may share it.

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
        http: httpx.Client | None = None,
    ) -> None:
        self._service = Service(url, api_key, timeout_s, patience_s, on_pause)
        self._http = http or open_http(httpx.Client, self._service)
        self._ours = http is None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close its connections."""
        if self._ours:
            self._http.close()

    @overload
    def translate(self, text: str, direction: Direction = "auto", **options: Unpack[Options]) -> Translation: ...

    @overload
    def translate(
        self, text: list[str] | tuple[str, ...], direction: Direction = "auto", **options: Unpack[Options]
    ) -> list[Translation]: ...

    def translate(
        self, text: str | list[str] | tuple[str, ...], direction: Direction = "auto", **options: Unpack[Options]
    ) -> Translation | list[Translation]:
        """Translate a text, or any number of them, in order; many are sent in several requests.

        See `Options` for what else can be asked for.
        """
        translations: list[Translation] = []
        for call in translation_calls(texts := texts_of(text), direction, options):
            translations += self._service.read(self._send(call), partial(self._service.translations, call=call))
        all_of_them = together(texts, translations)
        return all_of_them[0] if isinstance(text, str) else all_of_them

    @contextmanager
    def stream(
        self, text: str | list[str] | tuple[str, ...], direction: Direction = "auto", **options: Unpack[Options]
    ) -> Iterator[Stream]:
        """Translate in one request, and have every segment as soon as it is done.

        Leaving the context early ends the request. Afterwards the stream's `translations` has the whole.
        """
        call = streaming_call(texts := texts_of(text), direction, options)
        if not any(map(str.strip, texts)):
            yield Stream(self._service, call, None, together(texts, ()))
            return
        response = self._send(call, stream=True)
        try:
            yield Stream(self._service, call, response)
        finally:
            response.close()

    def roundtrip(self, text: str, direction: Literal["en-de", "de-en"]) -> RoundTrip:
        """Translate a text there and back. It goes in the address, which proxies may log.

        Raises:
            TooLargeError: it is too long for an address, which holds 65,536 characters, those of the text escaped.
        """
        return self._service.read(self._send(round_trip_call(text, direction)), read_round_trip)

    def max_characters(self) -> int | None:
        """How many characters one request may have; None if the service does not say, as older releases do not."""
        return self._service.read(self._send(about_call()), read_max_characters)

    def ready(self) -> Readiness:
        """Whether the service wants requests; asked once."""
        try:
            response = self._http.send(self._service.request(self._http, Call("/readyz", {})))
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise self._service.unreachable(error) from error
        return self._service.read(response, read_readiness)

    def _send(self, call: Call, *, stream: bool = False) -> httpx.Response:
        """Send a request until it is answered."""
        attempts = Attempts(self._service, call)
        while True:
            outcome: httpx.Response | httpx.HTTPError | httpx.InvalidURL
            try:
                outcome = self._http.send(self._service.request(self._http, call), stream=stream)
                if outcome.is_success:
                    self._service.known.set()
                    return outcome
                outcome.read()
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                outcome = error
            time.sleep(attempts.pause_after(outcome))
