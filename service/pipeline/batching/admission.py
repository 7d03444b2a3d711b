"""Who may queue work, counted in tokens.

A request is admitted once, before it is read, for all the work it may be expected to come to, and told of
what it does come to when that is known. What of that it has not queued yet is *promised* to it: later
requests are refused on its account, and the request itself is never refused half way, neither because
the queue has filled in the meantime nor because the service shuts down.
What is searched once it has been run counts with what is promised, for as long as that takes.

What is *due* first goes first. A request is due bit by bit, over some times as long as it takes by itself. So a
sentence need not wait for the whole of a document that came before it, nor is it refused for what of that is due later
than the sentence; and it holds the document up by little.
"""

from __future__ import annotations

import asyncio
import math
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from service.errors import Overloaded, TooLarge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from service.observability.metrics import Metrics

__all__ = ["Admission", "Gate", "Tally"]

_MAX_RETRY_AFTER_S = 60
_RATE_SMOOTHING = 0.2
_RATE_TOKENS = 500
"""Of a batch that counts in full for the rate. In a smaller one what lies between two is more of the time."""

_QUEUE_SHARE = 0.5
"""How much of its time a request may be expected to wait. The rest is for work on text, and for a rate that falls: the
busier the machine, the slower its engine."""

_PATIENCE = 4.0
"""The last of a request is due after so many times as long as it takes by itself, ..."""
_DUE_SHARE = 0.7
"""... after this share of its time at the latest."""
_HELD_UP_SHARE = 0.2
"""For how much of its time, at most, others may hold up what is due of a request that takes long."""
_LONG_S = 2.0
"""A request that is due over more than this takes long. Nearly all of others is before whoever comes."""


@dataclass(slots=True, eq=False)
class Admission:
    """One request's leave to queue work, of which `promised` of `tokens` are still to come and `queued` wait.

    It was given at `since`, on `time.monotonic`, to a request that has `within_s` seconds and is due over the first
    `due_over_s` of them.
    """

    tokens: int
    within_s: float = math.inf
    since: float = field(default_factory=time.monotonic)
    due_over_s: float = 0.0
    promised: int = 0
    queued: int = 0

    def due(self, tokens: int) -> float:
        """When the first so many of its tokens are."""
        return self.since + self.due_over_s * min(1.0, tokens / max(1, self.tokens))

    def due_after(self, time_s: float) -> int:
        """How many tokens are still to be run that are due later than that."""
        due = self.tokens * (time_s - self.since) / self.due_over_s if self.due_over_s else self.tokens
        return min(self.promised + self.queued, max(0, self.tokens - max(0, int(due))))


@dataclass(slots=True)
class Tally:
    """Tokens that wait and that are promised, and the rate at which they were run, over all gates that share it.

    `long` are the requests that take long. `quiet` is set while no tokens wait or are promised.
    """

    queued: int = 0
    promised: int = 0
    tokens_per_s: float = 0.0
    long: set[Admission] = field(default_factory=set)
    quiet: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.quiet.set()

    def count(self, *, queued: int = 0, promised: int = 0) -> None:
        """More of either, or less."""
        self.queued += queued
        self.promised += promised
        if self.queued or self.promised:
            self.quiet.clear()
        else:
            self.quiet.set()


class Gate:
    """Keeps count of tokens: at most `room` may wait or be promised when a request is admitted.

    Nor may what is before a request take the engine longer than `longest_wait_s`; how long the request
    itself takes does not count. Gates with one tally share their room: while one bundle takes over from
    another each has a gate.
    """

    def __init__(
        self, room: int, metrics: Metrics, tally: Tally | None = None, *, longest_wait_s: float = math.inf
    ) -> None:
        self._room = room
        self._longest_wait_s = longest_wait_s
        self._tally = its = tally or Tally()
        metrics.queue_tokens.set_function(lambda: its.queued)
        metrics.promised_tokens.set_function(lambda: its.promised)
        self._inside = 0
        self._empty = asyncio.Event()
        self._empty.set()

    def check(self, tokens: int, within_s: float = math.inf) -> None:
        """See whether a request of so many tokens would be admitted, which is to be done within so many seconds.

        With nothing before it a request is given a chance, however little time it has.

        Raises:
            TooLarge: more than may ever wait.
            Overloaded: too many wait or are promised already, for the room there is, for anybody's patience or
                for the time that this request has.
        """
        self._check_room(tokens, tokens)
        rate = self._tally.tokens_per_s
        before = self._before(tokens, within_s)
        if not (before and rate):
            return
        longest_s = min([self._longest_wait_s, *(_HELD_UP_SHARE * one.within_s for one in self._tally.long)])
        if (beyond := before - rate * longest_s) > 0:
            msg = f"{before} tokens are waiting already, more than {longest_s:g} s of work"
            raise Overloaded(msg, retry_after_s=self._time_to_drain(beyond))
        if (late := before + tokens - rate * within_s * _QUEUE_SHARE) > 0:
            msg = f"{before} tokens are waiting already; with them this would not be done before the deadline"
            raise Overloaded(msg, retry_after_s=self._time_to_drain(late))

    @contextmanager
    def admit(self, tokens: int, within_s: float = math.inf) -> Iterator[Admission]:
        """Let a request in for as long as the context lasts.

        Raises:
            TooLarge, Overloaded: as `check`.
        """
        self.check(tokens, within_s)
        admission = Admission(tokens, within_s, promised=tokens)
        self._set_due(admission)
        self._inside += 1
        self._empty.clear()
        self._tally.count(promised=tokens)
        try:
            yield admission
        finally:
            self._tally.count(promised=-admission.promised)
            self._tally.long.discard(admission)
            self._inside -= 1
            if not self._inside:
                self._empty.set()

    @contextmanager
    def hold(self, tokens: int) -> Iterator[None]:
        """Tokens that the engine is done with, but not the text threads: they are still before later requests."""
        self._tally.count(promised=tokens)
        try:
            yield
        finally:
            self._tally.count(promised=-tokens)

    def revise(self, tokens: int, admission: Admission) -> None:
        """An admitted request, of which nothing waits yet, has been read and comes to so many tokens.

        Raises:
            TooLarge: more than may ever wait.
            Overloaded: there is no room for what is more than was expected. What it takes longer is not looked at: of
                those that come to more or less than others, none is to be read in vain.
        """
        more = tokens - admission.promised
        if more > 0:
            self._check_room(tokens, more)
        admission.tokens = admission.promised = tokens
        self._set_due(admission)
        self._tally.count(promised=more)

    async def empty(self) -> None:
        """Wait until every request that was admitted here has left."""
        await self._empty.wait()

    async def quiet(self) -> None:
        """Wait until nothing waits or is promised, here or at a gate that shares the tally."""
        while not self._tally.quiet.is_set():
            await self._tally.quiet.wait()

    def queue(self, tokens: int, admission: Admission) -> None:
        """Tokens of an admitted request begin to wait, as promised. If they are more, they wait all the same."""
        kept = min(tokens, admission.promised)
        admission.promised -= kept
        admission.queued += tokens
        self._tally.count(queued=tokens, promised=-kept)

    def unqueue(self, tokens: int, admission: Admission) -> None:
        """Tokens of an admitted request wait no longer."""
        admission.queued -= tokens
        self._tally.count(queued=-tokens)

    def note_run(self, tokens: int, seconds: float) -> None:
        """A batch of so many tokens took so long: by this rate requests are let in, due, and told when to return."""
        token_s, known = max(seconds, 1e-6) / tokens, self._tally.tokens_per_s
        if known:
            share = _RATE_SMOOTHING * min(1.0, tokens / _RATE_TOKENS)
            token_s = share * token_s + (1 - share) / known
        self._tally.tokens_per_s = 1 / token_s

    def _before(self, tokens: int, within_s: float) -> int:
        """What is before a request of so many tokens that comes now: all but what is due later than it."""
        taken = self._tally.queued + self._tally.promised
        if not self._tally.long:
            return taken
        due = time.monotonic() + self._due_over_s(tokens, within_s)
        return max(0, taken - sum(one.due_after(due) for one in self._tally.long))

    def _set_due(self, admission: Admission) -> None:
        admission.due_over_s = self._due_over_s(admission.tokens, admission.within_s)
        if admission.due_over_s > _LONG_S:
            self._tally.long.add(admission)
        else:
            self._tally.long.discard(admission)

    def _due_over_s(self, tokens: int, within_s: float) -> float:
        """Over how long a request of so many tokens is due. As long as no rate is known, it is due when it comes."""
        if not (rate := self._tally.tokens_per_s):
            return 0.0
        return min(_PATIENCE * tokens / rate, _DUE_SHARE * within_s)

    def _check_room(self, tokens: int, more: int) -> None:
        """For a request of so many tokens, of which so many are not counted yet."""
        if tokens > self._room:
            msg = f"{tokens} tokens to run; at most {self._room} may wait at once: send less in one request"
            raise TooLarge(msg)
        taken = self._tally.queued + self._tally.promised
        if (excess := taken + more - self._room) > 0:
            msg = f"{taken} tokens are waiting already; at most {self._room} may"
            raise Overloaded(msg, retry_after_s=self._time_to_drain(excess))

    def _time_to_drain(self, tokens: float) -> int:
        """Whole seconds, at least one, until that many tokens have left the queue."""
        if not self._tally.tokens_per_s:
            return 1
        return min(max(1, math.ceil(tokens / self._tally.tokens_per_s)), _MAX_RETRY_AFTER_S)
