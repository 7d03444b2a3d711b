"""How much one caller may have translated in a time: limits per key and per client address, counted in characters.

Characters are what a caller can count beforehand, and it makes no difference how they are spread over texts and
requests. Work that reads a text several times counts it as often.

Each limit is a fixed window that begins with a caller's first request. Once it is over, all of the limit is free again:
that is what Retry-After tells.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address, ip_network
from typing import NamedTuple, cast

import limits
import structlog
from fastapi import FastAPI, Request
from limits.aio.storage import MemoryStorage, RedisStorage
from limits.aio.strategies import FixedWindowRateLimiter
from limits.errors import StorageError
from redis.asyncio import ConnectionPool
from redis.exceptions import RedisError
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from service.errors import ConfigurationError, RateLimited, TooLarge
from service.http.context import Exchange, exchange_of
from service.observability.metrics import Metrics
from service.settings import Settings, listed

__all__ = ["Meter", "RateLimits", "Usage", "install", "meter_of"]

_STORAGE_TIMEOUT_S = 0.25
_STORAGE_PAUSE_S = 1.0
_ROUNDING_S = 0.5  # Redis tells how long a window still lasts in whole seconds, rounded
_SWEEP_S = 5.0
_IPV6_SITE_BITS = 64  # what one customer has at least: counting single addresses would count nothing

_log = structlog.get_logger(__name__)


class _Share(NamedTuple):
    """One limit, and the caller whose share it is."""

    limit: limits.RateLimitItem
    kind: str
    caller: str


class Usage(NamedTuple):
    """Characters that a caller has had translated in the present window of its longest limit, and that limit."""

    characters: int
    limit: int


class _Memory(MemoryStorage):
    """Counts in this process, by a clock that nobody sets, and forgets windows that are over every few seconds.

    The library looks through all it knows with each request, which then costs the more the more callers there are.
    """

    def __init__(self) -> None:
        super().__init__()
        self._swept_at = time.monotonic()

    async def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Count, in a window that begins now unless one is open; returns what it comes to."""
        if time.monotonic() - self._swept_at >= _SWEEP_S:
            self._sweep()
        used = await self.get(key)
        if not used:
            self.expirations[key] = time.monotonic() + expiry
        self.storage[key] = used + amount
        return used + amount

    async def get(self, key: str) -> int:
        """What was counted in the window that is open; 0 if none is."""
        return self.storage[key] if self.expirations.get(key, 0.0) > time.monotonic() else 0

    async def get_expiry(self, key: str) -> float:
        """When the window is over, on `time.monotonic`."""
        return self.expirations.get(key, 0.0)

    def _sweep(self) -> None:
        now = time.monotonic()
        for key in [key for key, ends in self.expirations.items() if ends <= now]:
            del self.storage[key], self.expirations[key]
        self._swept_at = time.monotonic()


class RateLimits:
    """Counts what callers take. If the storage fails they are let through: better uncounted than unserved.

    Raises:
        ConfigurationError: the storage has an address that cannot be used.
    """

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        per_kind = {"key": settings.rate_limit_per_key, "address": settings.rate_limit_per_address}
        self._limits = {kind: limits.parse_many(text) for kind, text in per_kind.items() if text}
        self._metrics = metrics
        self._connections: ConnectionPool | None = None
        self._paused_until = 0.0
        if settings.rate_limit_storage.startswith("memory:"):
            self._windows = FixedWindowRateLimiter(_Memory())
            self._clock = time.monotonic  # by which windows end
        else:
            self._windows = FixedWindowRateLimiter(self._redis(settings.rate_limit_storage))
            self._clock = time.time

    async def take(self, characters: int, callers: Mapping[str, str]) -> None:
        """Count characters against every limit of the callers, given by kind: ``key`` and ``address``.

        Raises:
            TooLarge: more than a limit ever allows.
            RateLimited: more than is left of one; then they count against none.
        """
        shares = self._shares(callers)
        for limit, kind, _ in shares:
            if characters > limit.amount:
                msg = f"this counts as {characters} characters; the rate limit per {kind} is {_readable(limit)}"
                raise TooLarge(msg)
        if not shares:
            return
        if time.monotonic() < self._paused_until:
            self._metrics.rate_limit_failures.inc()
            return
        try:
            async with asyncio.timeout(_STORAGE_TIMEOUT_S):
                full = await self._count(shares, characters)
        except (StorageError, OSError) as error:  # among them TimeoutError
            self._pause(error)
            return
        if full:
            share, left_s = full
            msg = f"the rate limit per {share.kind} is reached: {_readable(share.limit)}"
            wait_s = min(math.ceil(max(0.0, left_s) + _ROUNDING_S), share.limit.get_expiry())  # no window lasts longer
            raise RateLimited(msg, retry_after_s=wait_s)

    async def usage(self, callers: Mapping[str, str]) -> Usage | None:
        """What is used of the longest limit of the callers; None where none applies, or the storage fails."""
        share = max(self._shares(callers), key=lambda one: one.limit.get_expiry(), default=None)
        if share is None or time.monotonic() < self._paused_until:
            return None
        try:
            async with asyncio.timeout(_STORAGE_TIMEOUT_S):
                window = await self._windows.get_window_stats(share.limit, share.kind, share.caller)
        except (StorageError, OSError) as error:
            self._pause(error)
            return None
        return Usage(share.limit.amount - window.remaining, share.limit.amount)

    async def close(self) -> None:
        """Close the connections to Redis, if there are any."""
        if self._connections:
            await self._connections.aclose()

    def _shares(self, callers: Mapping[str, str]) -> list[_Share]:
        """Every limit of the callers, given by kind."""
        return [
            _Share(limit, kind, _client(callers[kind]) if kind == "address" else callers[kind])
            for kind, several in self._limits.items()
            for limit in several
            if callers.get(kind)
        ]

    async def _count(self, shares: list[_Share], characters: int) -> tuple[_Share, float] | None:
        """Count, or find a share that does not have so much left, and the seconds until it has."""
        # All are asked before any is counted. Should another replica come in between, the request is refused
        # although some of it counts: rather too strict than too lax.
        for ask in (self._windows.test, self._windows.hit):
            for share in shares:
                if not await ask(share.limit, share.kind, share.caller, cost=characters):
                    window = await self._windows.get_window_stats(share.limit, share.kind, share.caller)
                    return share, window.reset_time - self._clock()
        return None

    def _pause(self, error: Exception) -> None:
        """Let everybody through for a moment, so that a storage that hangs does not hold up every request."""
        self._paused_until = time.monotonic() + _STORAGE_PAUSE_S
        self._metrics.rate_limit_failures.inc()
        cause = error.storage_error if isinstance(error, StorageError) else error
        _log.error("rate_limits_not_counted", error=type(cause).__name__)

    def _redis(self, uri: str) -> RedisStorage:
        try:
            self._connections = ConnectionPool.from_url(uri)
            self._connections.make_connection()  # type: ignore[no-untyped-call] # opens nothing, but reads all options
            return RedisStorage(
                uri,
                wrap_exceptions=True,
                implementation="redispy",
                connection_pool=self._connections,  # type: ignore[arg-type] # annotated for plain values only
            )
        except (ValueError, TypeError, RedisError, limits.errors.ConfigurationError) as error:
            msg = "rate_limit_storage: not an address of a Redis server"
            raise ConfigurationError(msg) from error


class Meter:
    """What one request comes to, counted against the limits of its caller."""

    def __init__(self, rate_limits: RateLimits, exchange: Exchange, *, address: str) -> None:
        self._rate_limits = rate_limits
        self._exchange = exchange
        self._address = address

    async def take(self, characters: int) -> None:
        """Count so many characters, times how often each is to be read, before they are translated.

        Raises:
            TooLarge, RateLimited: as `RateLimits.take`.
        """
        await self._rate_limits.take(characters, self._callers)

    async def usage(self) -> Usage | None:
        """What the caller has used of its limit; None where nothing limits it."""
        return await self._rate_limits.usage(self._callers)

    @property
    def _callers(self) -> dict[str, str]:
        """By kind. Asked for when it is needed: some APIs send the key in the body, which is read late."""
        return {"key": self._exchange.key, "address": self._address}


def meter_of(request: Request) -> Meter:
    """The caller's meter. Every route that translates takes from it."""
    rate_limits = cast("RateLimits", request.app.state.rate_limits)
    address = request.client.host if request.client else "local"
    return Meter(rate_limits, exchange_of(request), address=address)


def install(app: FastAPI, settings: Settings, metrics: Metrics) -> RateLimits:
    """Give `app` the limits its routes take from, and the addresses that they go by. Close the limits at the end.

    Raises:
        ConfigurationError: as `RateLimits`.
    """
    if proxies := listed(settings.trusted_proxies):
        app.add_middleware(ProxyHeadersMiddleware, trusted_hosts=proxies)
    rate_limits = RateLimits(settings, metrics)
    app.state.rate_limits = rate_limits
    return rate_limits


def _readable(limit: limits.RateLimitItem) -> str:
    number = f"{limit.multiples} " if limit.multiples > 1 else ""
    return f"{limit.amount} characters per {number}{limit.GRANULARITY.name}{'s' if number else ''}"


def _client(host: str) -> str:
    """Whom an address stands for: itself, or all of an IPv6 site. So does whatever else a proxy sends."""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ip_network((address.packed, _IPV6_SITE_BITS), strict=False))
