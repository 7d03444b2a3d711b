"""What both clients do about requests and answers, apart from sending them."""

from __future__ import annotations

import json
import re
import time
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from threading import TIMEOUT_MAX, Event
from typing import TYPE_CHECKING, Any, TypeVar

import httpx

from reder._errors import (
    BusyError,
    ConnectionFailedError,
    FieldProblem,
    Problem,
    RederError,
    TooLargeError,
    UnexpectedAnswerError,
    problem_error,
)
from reder._results import read_translations

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from reder._options import Call
    from reder._results import Translation

    OnPause = Callable[[RederError, float], object]

__all__ = ["Attempts", "Service", "read_address", "texts_of"]

_CONNECT_S = 10.0
_GRACE_S = 5.0
"""The service is told the time limit, too; its answer that the time is over may take so long."""

_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.5, 30.0
_QUOTED = 300  # characters of an answer that is not a problem of the service

_NOT_OURS = (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)
"""What reading JSON raises that is not as the service writes it."""

_BROKEN = (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError)
_UNREACHED = (*_BROKEN, httpx.ConnectError, httpx.ConnectTimeout)
"""What httpx raises while a service is started again."""

_TEXT = re.compile(r"(?P<field>(body\.)?text\.)(?P<place>[0-9]{1,9})(?P<within>(\..*)?)")
"""Where a text is that is wrong; older releases say ``text.3``."""

_LAST_PORT = 65_535
_LABEL_CHARACTERS = 63

C = TypeVar("C", httpx.Client, httpx.AsyncClient)
T = TypeVar("T")


def texts_of(text: str | Sequence[str]) -> list[str]:
    """One text is a list of one.

    Raises:
        TypeError: one is no text, as where a database has nothing; it says which.
    """
    texts: list[Any] = [text] if isinstance(text, str) else [*text]
    for place, one in enumerate(texts):
        if not isinstance(one, str):
            msg = f"text {place} is no str, but {type(one).__name__}"
            raise TypeError(msg)
    return texts


@dataclass(frozen=True, slots=True)
class Service:
    """Where the service is, how long to wait for it, and whether it is known to be there.

    Once it has answered, or said that it is busy, what cannot be reached is being started again. Before, the address
    may be wrong.
    """

    url: str
    api_key: str | None
    timeout_s: float
    patience_s: float
    on_pause: OnPause | None = None
    known: Event = field(default_factory=Event, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.api_key and not (self.api_key.isascii() and self.api_key.isprintable() and " " not in self.api_key):
            msg = f"{self.shown}: this cannot be a key: it has characters that no key has"
            raise RederError(msg)

    @property
    def shown(self) -> str:
        """Its address, without a password that is in it."""
        try:
            address = httpx.URL(self.url)
        except (httpx.InvalidURL, UnicodeError):  # perhaps because of the password: one with a slash, say
            scheme, slashes, rest = self.url.rpartition("://")
            return f"{scheme}{slashes}{rest.rpartition('@')[2]}"
        return str(address.copy_with(userinfo=b"")) if address.userinfo else self.url

    def request(self, http: C, call: Call) -> httpx.Request:
        """The call as a request of that client.

        Raises:
            RederError: it cannot be sent.
            TooLargeError: its text goes in the address, and is too long for one.
            httpx.InvalidURL: the address is none.
        """
        headers = {**call.headers}
        limited = self.timeout_s < TIMEOUT_MAX  # beyond it there is none for sockets
        if limited:
            headers["X-Timeout-Ms"] = str(max(1, round(self.timeout_s * 1000)))
        if self.api_key:
            headers["X-API-Key"] = self.api_key  # leaves Authorization to a proxy that may want it
        address = read_address(f"{self.url.rstrip('/')}{call.path}")
        timeout = httpx.Timeout(self.timeout_s + _GRACE_S if limited else None, connect=_CONNECT_S)
        try:
            request = http.build_request(
                call.method, address, params=call.query, json=call.body, headers=headers, timeout=timeout
            )
        except UnicodeEncodeError as error:
            msg = f"{self.shown}: a text has a lone surrogate, which is no character"
            raise RederError(msg) from error
        except httpx.InvalidURL as error:
            detail = "the text is too long for an address, which a round trip sends it in; send it in several parts"
            problem = Problem(HTTPStatus.REQUEST_URI_TOO_LONG, detail, "too-large", answered=False)
            raise TooLargeError(self.shown, problem) from error
        return request

    def read(self, response: httpx.Response, read: Callable[[Any], T]) -> T:
        """What a function makes of the JSON of an answer.

        Raises:
            UnexpectedAnswerError: it is no JSON, or the function cannot read it.
        """
        with self.reading():
            return read(response.json())

    def translations(self, answer: Any, call: Call) -> list[Translation]:  # noqa: ANN401 - whatever JSON holds
        """The translations of an answer.

        Raises:
            UnexpectedAnswerError: it has others than were asked for.
        """
        with self.reading():
            translations = read_translations(answer, call.query["dir"])
        if len(translations) != call.texts:
            msg = f"{self.shown} gave {len(translations)} translations of {call.texts} texts"
            raise UnexpectedAnswerError(msg)
        return translations

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Around what reads an answer: turns whatever is wrong with it into an `UnexpectedAnswerError`."""
        try:
            yield
        except _NOT_OURS as error:
            msg = f"{self.shown} does not answer as this service does: {error!r:.{_QUOTED}}"
            raise UnexpectedAnswerError(msg) from error

    def unreachable(self, error: Exception) -> ConnectionFailedError:
        """The error for one of httpx."""
        reason: object = error
        if isinstance(error, httpx.InvalidURL) and "@" in self.url:  # what httpx says may quote the password
            reason = "special characters of a password must be escaped in an address, such as / as %2F"
        return ConnectionFailedError(f"{self.shown}: {type(error).__name__}: {reason}")

    def refusal(self, response: httpx.Response, call: Call) -> RederError:
        """The error for an answer to the call that is none. Its body has been read."""
        if response.is_redirect:
            return UnexpectedAnswerError(f"{self.shown} answers {response.status_code}: it is somewhere else")
        retry_after_s = _seconds(response.headers.get("Retry-After", ""))
        return problem_error(self.shown, _placed(_problem(response), call.places), retry_after_s)

    def failure_in(self, data: str) -> RederError:
        """The error for the data of an event ``error``."""
        with self.reading():
            return problem_error(self.shown, _as_problem(json.loads(data), HTTPStatus.INTERNAL_SERVER_ERROR))


class Attempts:
    """The attempts at one request: whether to make another, and when."""

    def __init__(self, service: Service, call: Call) -> None:
        self._service = service
        self._call = call
        self._give_up: float | None = None
        self._pause_s = _FIRST_PAUSE_S
        self._broke_off = False

    def pause_after(self, outcome: httpx.Response | httpx.HTTPError | httpx.InvalidURL) -> float:
        """Seconds to wait before the next attempt, after a refusal or a failed connection.

        Raises:
            RederError: there is none, because it would not help, or patience is at its end.
        """
        if isinstance(outcome, httpx.Response):
            return self._after_refusal(self._service.refusal(outcome, self._call))
        # A connection that was kept open may be closed from the other side just when it is used again.
        if isinstance(outcome, _BROKEN) and not self._broke_off:
            self._broke_off = True
            return 0.0
        error = self._service.unreachable(outcome)
        if not (isinstance(outcome, _UNREACHED) and self._service.known.is_set()):
            raise error from outcome
        return self._within_patience(self._next_pause_s(), error)

    def _after_refusal(self, error: RederError) -> float:
        if not isinstance(error, BusyError):
            raise error
        self._service.known.set()
        pause_s = self._next_pause_s() if error.retry_after_s is None else error.retry_after_s
        return self._within_patience(max(pause_s, _FIRST_PAUSE_S), error)  # some proxies ask for none

    def _next_pause_s(self) -> float:
        pause_s, self._pause_s = self._pause_s, min(2 * self._pause_s, _LONGEST_PAUSE_S)
        return pause_s

    def _within_patience(self, pause_s: float, error: RederError) -> float:
        now = time.monotonic()
        if self._give_up is None:  # patience begins here: with 60 s of it, a limit per minute can be waited for
            self._give_up = now + self._service.patience_s
        if now + pause_s > self._give_up:
            raise error
        if self._service.on_pause:
            self._service.on_pause(error, pause_s)
        return pause_s


def read_address(text: str) -> httpx.URL:
    """The address; finds what httpx takes for one and sockets do not, which raise errors of other kinds.

    Raises:
        httpx.InvalidURL: see there.
    """
    try:
        address = httpx.URL(text)
        host = address.host
    except UnicodeError as error:  # a lone surrogate, or a host such as xn--a
        msg = f"Invalid characters: {error}"
        raise httpx.InvalidURL(msg) from error
    if address.port is not None and address.port > _LAST_PORT:
        msg = f"Invalid port: {address.port}"
        raise httpx.InvalidURL(msg)
    labels = address.raw_host.removesuffix(b".").split(b".")
    if host and not all(0 < len(label) <= _LABEL_CHARACTERS for label in labels):
        msg = f"Invalid host: {host!r}"
        raise httpx.InvalidURL(msg)
    return address


def _seconds(retry_after: str) -> float | None:
    """Of a Retry-After: a number of seconds, or a date."""
    if retry_after.isdecimal():
        return float(retry_after)
    try:
        return max(0.0, parsedate_to_datetime(retry_after).timestamp() - time.time())
    except (OverflowError, ValueError):
        return None


def _problem(response: httpx.Response) -> Problem:
    """What the body says, if it is a problem of the service; else its beginning."""
    try:
        return _as_problem(response.json(), response.status_code)
    except _NOT_OURS:
        return Problem(response.status_code, response.text[:_QUOTED])


def _placed(problem: Problem, places: Sequence[int]) -> Problem:
    """The same, said of the places that the texts of a request have among those of the caller."""
    errors = tuple(_placed_error(error, places) for error in problem.errors)
    detail = _listed(errors) if problem.detail == _listed(problem.errors) else problem.detail
    return replace(problem, errors=errors, detail=detail)


def _placed_error(error: FieldProblem, places: Sequence[int]) -> FieldProblem:
    found = _TEXT.fullmatch(error.location)
    if not found or int(found["place"]) >= len(places):
        return error
    return replace(error, location=f"{found['field']}{places[int(found['place'])]}{found['within']}")


def _listed(errors: Sequence[FieldProblem]) -> str:
    """As the service tells of them in the detail of a problem."""
    return "; ".join(f"{error.location}: {error.detail}" for error in errors)


def _as_problem(body: Any, status: int) -> Problem:  # noqa: ANN401 - whatever JSON holds
    return Problem(
        status=int(body.get("status", status)),
        detail=str(body["detail"]),
        kind=str(body.get("type", "")).rpartition(":")[2],
        request_id=str(body.get("request_id", "")),
        errors=tuple(FieldProblem(str(e["location"]), str(e["detail"])) for e in body.get("errors") or ()),
    )
