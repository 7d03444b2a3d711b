"""Who may call: API keys for the service, and keys of their own for what is under /admin.

`authenticate` guards every route of the application, but for those in `OPEN`: a new route is closed until it is
listed there.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import cast

from fastapi import FastAPI, Request

from service.errors import AdminDisabled, ConfigurationError, Unauthenticated
from service.http.context import exchange_of
from service.keys import Keyring
from service.settings import Settings

__all__ = ["ADMIN", "OPEN", "authenticate", "install", "require_admin"]

OPEN = frozenset({"/", "/docs", "/healthz", "/metrics", "/readyz"})
"""Routes that need no key: they translate nothing, and people, probes and Prometheus come to them without one."""

ADMIN = "/admin"
_SCHEMES = frozenset({"bearer", "deepl-auth-key"})


def install(app: FastAPI, settings: Settings) -> None:
    """Read the keys that `app` accepts; `authenticate` must be one of its dependencies.

    Raises:
        ConfigurationError: a file of keys cannot be read, or holds something else.
    """
    app.state.api_keys = _keys(settings.api_keys, settings.api_keys_file)
    app.state.admin_keys = _keys(settings.admin_keys, settings.admin_keys_file)


async def authenticate(request: Request) -> None:
    """Let the request pass if its route is open, no keys are configured, or it carries a valid one.

    Raises:
        Unauthenticated: it does not.
        AdminDisabled: see `require_admin`.
    """
    # Not the route's own path: that lacks what a router is included under.
    path = request.scope["path"].removeprefix(request.scope.get("root_path", ""))
    if path in OPEN:
        return
    if path == ADMIN or path.startswith(f"{ADMIN}/"):
        await require_admin(request)
        return
    keys = cast("Keyring", request.app.state.api_keys)
    if keys:
        exchange_of(request).key = _name(request, keys)


async def require_admin(request: Request) -> None:
    """Let the request pass only if it carries an admin key; a FastAPI dependency.

    Raises:
        AdminDisabled: no admin key is configured, so none can be right.
        Unauthenticated: it carries none, or not a valid one.
    """
    keys = cast("Keyring", request.app.state.admin_keys)
    if not keys:
        msg = "no admin key is configured"
        raise AdminDisabled(msg)
    exchange_of(request).key = f"admin:{_name(request, keys)}"


def _name(request: Request, keys: Keyring) -> str:
    """Whose key the request carries."""
    presented = list(_presented(request))
    for key in presented:
        if name := keys.name_of(key):
            return name
    msg = "this key is not valid" if presented else "send a key, as Authorization: Bearer KEY or as X-API-Key: KEY"
    raise Unauthenticated(msg)


def _presented(request: Request) -> Iterator[str]:
    """The keys a request carries: at most one in either header. Authorization may be another's, such as a proxy's."""
    scheme, _, credentials = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() in _SCHEMES and (key := credentials.strip()):
        yield key
    if key := request.headers.get("x-api-key", "").strip():
        yield key


def _keys(given: str | None, file: Path | None) -> Keyring:
    """The keys of both settings, the one that holds them and the one that names their file."""
    keys = Keyring.parse(given or "")
    if file is None:
        return keys
    try:
        listed = Keyring.parse(file.read_text(encoding="utf-8"))
    except OSError as error:
        msg = f"keys cannot be read: {file}: {error.strerror}"
        raise ConfigurationError(msg) from error
    except ValueError as error:  # what is not UTF-8 included
        reason = "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else str(error)
        msg = f"keys cannot be read: {file}: {reason}"
        raise ConfigurationError(msg) from error
    if not listed:
        msg = f"there is no key in {file}; leave the setting out if none is meant"
        raise ConfigurationError(msg)
    return keys | listed
