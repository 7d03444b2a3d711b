"""Who may call: API keys for the service, and keys of their own for what is under /admin.

`authenticate` guards every route of the application, but for those in `OPEN`: a new route is closed until it is
listed there. (/openapi.json is FastAPI's own, and open.) Clients of other APIs send their key as a field of the body,
too, which only the routes of those read: these call `authenticate_field` then, before anything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from fastapi import FastAPI, Request

from service.errors import AdminDisabled, ConfigurationError, Unauthenticated
from service.http.context import exchange_of
from service.http.dialects import Dialect
from service.http.page import PATHS as PAGES
from service.keys import Keyring
from service.settings import Settings

__all__ = ["ADMIN", "OPEN", "authenticate", "authenticate_field", "install"]

OPEN = PAGES | {
    *("/", "/docs", "/frontend/settings", "/health", "/healthz", "/languages", "/metrics", "/readyz", "/status.json")
}
"""Routes that need no key: they translate nothing, and people, probes and Prometheus come to them without one."""

ADMIN = "/admin"
_SCHEMES = frozenset({"bearer", "deepl-auth-key"})
_PARAMETERS = {Dialect.LIBRETRANSLATE: "api_key", Dialect.DEEPL: "auth_key"}
"""What clients of other APIs call the key in the query, or in a body."""
_KEY_IN_BODY = frozenset({"/detect", "/translate", "/v2/languages", "/v2/translate"})
"""Paths of other APIs whose routes call `authenticate_field`. Without `dir` /translate is one of them."""
_HOW = {
    Dialect.REDER: "as Authorization: Bearer KEY or as X-API-Key: KEY",
    Dialect.LIBRETRANSLATE: "in the field api_key, or as X-API-Key: KEY",
    Dialect.DEEPL: "as Authorization: DeepL-Auth-Key KEY",
}
"""How to send a key, for those who sent none."""


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
        AdminDisabled: no admin key is configured, and the route is under /admin: none can be right.
    """
    # Not the route's own path: that lacks what a router is included under.
    path: str = request.scope["path"]
    if path in OPEN:
        return
    if path == ADMIN or path.startswith(f"{ADMIN}/"):
        _require_admin(request)
        return
    keys = cast("Keyring", request.app.state.api_keys)
    if not keys or (_may_send_key_in_body(request, path) and not any(_presented(request))):
        return
    exchange_of(request).key = _name(keys, _presented(request), exchange_of(request).dialect)


def authenticate_field(request: Request, fields: Mapping[str, Any]) -> None:
    """Let the request pass with the key that is among the fields of its body, if `authenticate` found none elsewhere.

    Raises:
        Unauthenticated: no key was sent, or not a valid one.
    """
    keys = cast("Keyring", request.app.state.api_keys)
    exchange = exchange_of(request)
    if keys and not exchange.key:
        key = fields.get(_PARAMETERS[exchange.dialect])
        exchange.key = _name(keys, [key] if key and isinstance(key, str) else [], exchange.dialect)


def _require_admin(request: Request) -> None:
    keys = cast("Keyring", request.app.state.admin_keys)
    if not keys:
        msg = "no admin key is configured: set REDER_ADMIN_KEYS or REDER_ADMIN_KEYS_FILE"
        raise AdminDisabled(msg)
    exchange_of(request).key = f"admin:{_name(keys, _presented(request), Dialect.REDER)}"


def _name(keys: Keyring, found: Iterable[str], dialect: Dialect) -> str:
    """Whose key the request carries, of those found in it."""
    presented = list(found)
    for key in presented:
        if name := keys.name_of(key):
            return name
    msg = "this key is not valid" if presented else f"send a key, {_HOW[dialect]}"
    raise Unauthenticated(msg)


def _presented(request: Request) -> Iterator[str]:
    """The keys a request carries: at most one in each place. Authorization may be another's, such as a proxy's."""
    scheme, _, credentials = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() in _SCHEMES and (key := credentials.strip()):
        yield key
    if key := request.headers.get("x-api-key", "").strip():
        yield key
    parameter = _PARAMETERS.get(exchange_of(request).dialect)
    if parameter and (found := request.query_params.get(parameter)):
        yield found


def _may_send_key_in_body(request: Request, path: str) -> bool:
    return exchange_of(request).dialect in _PARAMETERS and path in _KEY_IN_BODY


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
