"""Every error the service raises on purpose. What each means over HTTP is decided in `service.http.problems`.

A message never contains text the caller sent.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "AddressTooLong",
    "AdminDisabled",
    "BodyTimeout",
    "BundleRefused",
    "CannotListen",
    "ClientDisconnected",
    "ConfigurationError",
    "DeadlineExceeded",
    "Draining",
    "EngineDied",
    "EngineError",
    "EngineFailed",
    "EngineOutOfMemory",
    "EngineUnavailable",
    "FieldError",
    "HeadTooLarge",
    "InvalidRequest",
    "MalformedRequest",
    "NotHttp",
    "Overloaded",
    "RateLimited",
    "RequestError",
    "SelfCheckError",
    "ServiceError",
    "StartupError",
    "SwapInProgress",
    "TooLarge",
    "TooMuch",
    "Unauthenticated",
    "UnsupportedMedia",
]


class ServiceError(Exception):
    """Base of all of them."""


class RequestError(ServiceError):
    """The caller can mend it."""


class NotHttp(RequestError):
    """No request can be read from what came."""


class AddressTooLong(RequestError):
    """The head of a request is too large because of its address."""


class HeadTooLarge(RequestError):
    """The head of a request is too large."""


class MalformedRequest(RequestError):
    """The body is not UTF-8, or not what it is declared as."""


class UnsupportedMedia(RequestError):
    """The body is of a kind that is not read, or does not say of which."""


@dataclass(frozen=True, slots=True)
class FieldError:
    """One thing wrong with one part of a request: where it is, such as ``body.text.3``, and what is wrong."""

    location: str
    detail: str


class InvalidRequest(RequestError):
    """A parameter or field is missing, of the wrong type or not allowed; `errors` lists each."""

    def __init__(self, *errors: FieldError) -> None:
        super().__init__("; ".join(f"{error.location}: {error.detail}" for error in errors))
        self.errors = errors


class TooLarge(RequestError):
    """More bytes, characters, texts or tokens than the service takes."""


class BodyTimeout(RequestError):
    """The body did not arrive in time."""


class Unauthenticated(RequestError):
    """No key was sent, or not a valid one."""


class AdminDisabled(RequestError):
    """Nobody may administrate, for no admin key is configured."""


class ClientDisconnected(RequestError):
    """Nobody is left to answer."""


class TooMuch(ServiceError):
    """There is no room for it now; after `retry_after_s` seconds there should be."""

    def __init__(self, message: str, *, retry_after_s: int) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class Overloaded(TooMuch):
    """Too many tokens wait already; when the request would fit is told at the measured rate."""


class RateLimited(TooMuch):
    """This caller has had its share for now."""


class DeadlineExceeded(ServiceError):
    """The answer would come after the caller's deadline."""


class Draining(ServiceError):
    """The process is shutting down."""


class EngineError(ServiceError):
    """The network could not be run."""


class EngineUnavailable(EngineError):
    """The engine fails on everything, hangs, has died, or is not started."""


class EngineFailed(EngineError):
    """The engine failed on this very text; others were not affected."""


class EngineOutOfMemory(EngineError):
    """The batch did not fit; a smaller one may."""


class EngineDied(EngineError):
    """The engine cannot run again in this process."""


class BundleRefused(ServiceError):
    """The new bundle cannot be served, or not from where it is: the one that was served still is."""


class SwapInProgress(ServiceError):
    """An earlier swap is not over yet."""


class StartupError(ServiceError):
    """The service refuses to start."""


class CannotListen(StartupError):
    """The host's port is taken, or the address is not this machine's; later it may be otherwise."""


class ConfigurationError(StartupError):
    """Settings contradict each other, the bundle or the machine."""


class SelfCheckError(StartupError):
    """The bundle does not translate here as it did when it was exported."""
