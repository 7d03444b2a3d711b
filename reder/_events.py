"""Server-sent events, out of the bytes of an answer."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Event", "EventDecoder"]


class Event(NamedTuple):
    """One event: its name and its data."""

    name: str
    data: str


class EventDecoder:
    """Takes bytes as they come and gives the events that are complete with them.

    httpx has an iterator over lines, but that also cuts at characters that are no line end here, such as U+2028.
    """

    def __init__(self) -> None:
        self._rest = b""
        self._name = ""
        self._data: list[str] = []

    def feed(self, chunk: bytes) -> list[Event]:
        """The events that end in this chunk.

        Raises:
            UnicodeDecodeError: an event is not UTF-8.
        """
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        return [event for line in lines if (event := self._take(line.removesuffix(b"\r").decode()))]

    def _take(self, line: str) -> Event | None:
        """Take a line; an empty one ends an event, if there is one."""
        if not line:
            event = Event(self._name or "message", "\n".join(self._data)) if self._data else None
            self._name, self._data = "", []
            return event
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            self._name = value
        elif field == "data":
            self._data.append(value)
        return None
