"""The client of httpx that a client sends with, unless it is given one."""

from __future__ import annotations

import os
import ssl
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar
from urllib.request import getproxies

import httpx

from reder._errors import RederError
from reder._exchange import read_address

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reder._exchange import Service

__all__ = ["open_http"]

C = TypeVar("C", httpx.Client, httpx.AsyncClient)


def open_http(kind: type[C], service: Service) -> C:
    """One with the proxies and certificates that the environment names.

    Raises:
        RederError: one of these settings cannot be used; it says which and why, and shows no password.
    """
    for name, address in _proxies():
        with _blaming(name, service):
            nothing = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # reading certificates takes long
            httpx.HTTPTransport(verify=nothing, proxy=read_address(address)).close()
    with _blaming("no_proxy", service):
        return kind()


@contextmanager
def _blaming(name: str, service: Service) -> Iterator[None]:
    """Around what uses a setting; but what cannot be read is one of those for certificates."""
    try:
        yield
    except OSError as error:  # those of OpenSSL are, too
        msg = f"{service.shown}: {_file()} cannot be used: {error.strerror or error}; correct or unset it"
        raise RederError(msg) from error
    except (ImportError, ValueError, httpx.InvalidURL) as error:
        given = name if name in os.environ else name.upper()
        reason = str(error).removesuffix(".")
        if isinstance(error, httpx.InvalidURL) and "@" in os.environ.get(given, ""):  # it may quote the password
            reason = "special characters of a password must be escaped in an address, such as / as %2F"
        msg = f"{service.shown}: {given} of the environment cannot be used: {reason}; correct or unset it"
        raise RederError(msg) from error


def _file() -> str:
    """The setting whose file cannot be used: that of certificates or, if nothing is wrong with it, that for keys."""
    name = "SSLKEYLOGFILE"
    if certificates := os.environ.get("SSL_CERT_FILE"):
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(certificates)
        except OSError:
            name = "SSL_CERT_FILE"
    return f"{name}={os.environ[name]}" if name in os.environ else "the file of certificates"


def _proxies() -> list[tuple[str, str]]:
    """The settings for proxies, and the addresses that httpx takes them for."""
    settings = getproxies()
    if "*" in map(str.strip, settings.get("no", "").split(",")):
        return []
    named = [(f"{scheme}_proxy", settings.get(scheme)) for scheme in ("http", "https", "all")]
    return [(name, address if "://" in address else f"http://{address}") for name, address in named if address]
