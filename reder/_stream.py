"""What is common to both streams: reading events."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from reder._errors import ConnectionFailedError, UnexpectedAnswerError
from reder._events import EventDecoder
from reder._results import read_streamed_segment

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx

    from reder._exchange import Service
    from reder._options import Call
    from reder._results import StreamedSegment, Translation

__all__ = ["EventStream"]


class EventStream:
    """The events of one answer.

    Args:
        service: who answers.
        call: the request.
        response: the answer; None where there was nothing to ask for.
        translations: then, all of them.
    """

    def __init__(
        self,
        service: Service,
        call: Call,
        response: httpx.Response | None,
        translations: list[Translation] | None = None,
    ) -> None:
        self._service = service
        self._call = call
        self._response = response
        self._decoder = EventDecoder()
        self._translations = translations
        if response is None:
            return
        media = response.headers.get("Content-Type", "")
        if media.partition(";")[0].strip() != "text/event-stream":
            msg = f"{service.shown} does not answer as this service does: {media or 'nothing'} is no event stream"
            raise UnexpectedAnswerError(msg)

    @property
    def translations(self) -> list[Translation]:
        """All of them, one for each text, once every segment has been taken.

        Raises:
            RuntimeError: not before.
        """
        if self._translations is None:
            msg = "the stream has not been read to its end"
            raise RuntimeError(msg)
        return self._translations

    def _segments(self, chunk: bytes) -> Iterator[StreamedSegment]:
        """The segments that end in this chunk."""
        with self._service.reading():
            events = self._decoder.feed(chunk)
        for event in events:
            if event.name == "error":
                raise self._service.failure_in(event.data)
            with self._service.reading():
                data = json.loads(event.data)
            if event.name == "done":
                self._translations = self._service.translations(data, self._call)
            elif event.name == "segment":
                with self._service.reading():
                    segment = read_streamed_segment(data)
                yield segment

    def _check_complete(self) -> None:
        if self._translations is None:
            msg = f"{self._service.shown}: the answer broke off"
            raise ConnectionFailedError(msg)
