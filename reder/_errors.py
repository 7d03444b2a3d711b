"""Every error a client raises.

RederError
├── ConnectionFailedError     the service cannot be reached, does not answer in time, or breaks off
├── UnexpectedAnswerError     what answers is not this service, or not a release this client knows
└── ProblemError              the service refuses; it says why
    ├── InvalidRequestError   a text, an option or a header is not valid (400, 415, 422, 431)
    ├── AuthenticationError   a key is needed, or this one is not valid (401, 403)
    ├── TooLargeError         more than the service takes in one request, or an address holds (413, 414)
    ├── BusyError             not now: too much is waiting, a rate limit, or a shutdown (429, 503)
    ├── DeadlineError         it was not done in time (408, 504)
    └── ServiceFailedError    a fault of the service (another 5xx)

All can be pickled and copied, so that they come out of another process as they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

__all__ = [
    "AuthenticationError",
    "BusyError",
    "ConnectionFailedError",
    "DeadlineError",
    "FieldProblem",
    "InvalidRequestError",
    "Problem",
    "ProblemError",
    "RederError",
    "ServiceFailedError",
    "TooLargeError",
    "UnexpectedAnswerError",
    "problem_error",
]


class RederError(Exception):
    """Base of all of them. The message begins with the address of the service."""


class ConnectionFailedError(RederError):
    """The service cannot be reached, does not answer in time, or breaks off."""


class UnexpectedAnswerError(RederError):
    """What answers is not this service, or not a release this client knows."""


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """One thing wrong with one part of a request: where, such as ``body.text.3``, and what."""

    location: str
    detail: str


@dataclass(frozen=True, slots=True)
class Problem:
    """What a service says when it refuses; `kind` ends the type of RFC 9457, and is empty where a proxy answers.

    It is not `answered` where the client knows it beforehand, and sends nothing.
    """

    status: int
    detail: str
    kind: str = ""
    request_id: str = ""
    errors: tuple[FieldProblem, ...] = ()
    answered: bool = True


class ProblemError(RederError):
    """The service refuses a request.

    Attributes:
        status: of HTTP.
        kind: of problem, to branch on, such as ``rate-limited``; empty if it was not the service that answered.
        detail: what is wrong, in a sentence.
        request_id: under which the service's log has it.
        errors: the parts of the request that are wrong, where it says which.
        retry_after_s: seconds after which the service wants to be asked again; None if it does not say.
    """

    def __init__(self, url: str, problem: Problem, retry_after_s: float | None = None) -> None:
        answers = f" answers {problem.status}" if problem.answered else ""
        super().__init__(f"{url}{answers}: {problem.detail}")
        self.status = problem.status
        self.kind = problem.kind
        self.detail = problem.detail
        self.request_id = problem.request_id
        self.errors = problem.errors
        self.retry_after_s = retry_after_s

    def __reduce__(self) -> tuple[Any, ...]:
        """Make it again from what it holds: an exception otherwise calls its class with nothing but its message."""
        return Exception.__new__, (type(self), *self.args), self.__dict__


class InvalidRequestError(ProblemError):
    """A text, an option or a header is not valid."""


class AuthenticationError(ProblemError):
    """A key is needed, or this one is not valid."""


class TooLargeError(ProblemError):
    """More than the service takes in one request, or more than an address holds."""


class BusyError(ProblemError):
    """Not now. The client has asked again for as long as its patience lasts."""


class DeadlineError(ProblemError):
    """It was not done in time."""


class ServiceFailedError(ProblemError):
    """A fault of the service, not of the request."""


_OF_THIS_TEXT = "engine-failed"
"""A 503, but asking again would not help: the network failed on this very text."""

_CLASSES: dict[int, type[ProblemError]] = {
    HTTPStatus.BAD_REQUEST: InvalidRequestError,
    HTTPStatus.UNAUTHORIZED: AuthenticationError,
    HTTPStatus.FORBIDDEN: AuthenticationError,
    HTTPStatus.REQUEST_TIMEOUT: DeadlineError,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: TooLargeError,
    HTTPStatus.REQUEST_URI_TOO_LONG: TooLargeError,
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: InvalidRequestError,
    HTTPStatus.UNPROCESSABLE_ENTITY: InvalidRequestError,
    HTTPStatus.TOO_MANY_REQUESTS: BusyError,
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: InvalidRequestError,  # to cut the text would not help
    HTTPStatus.SERVICE_UNAVAILABLE: BusyError,
    HTTPStatus.GATEWAY_TIMEOUT: DeadlineError,
}


def problem_error(url: str, problem: Problem, retry_after_s: float | None = None) -> ProblemError:
    """The error that fits the status."""
    if problem.kind == _OF_THIS_TEXT:
        return ServiceFailedError(url, problem, retry_after_s)
    failed = problem.status >= HTTPStatus.INTERNAL_SERVER_ERROR
    return _CLASSES.get(problem.status, ServiceFailedError if failed else ProblemError)(url, problem, retry_after_s)
