"""Where the service listens: the sockets are bound before anything is loaded, and listened on when all is.

What cannot be had is thus found at once, and nobody waits for a service that has yet to load.
"""

from __future__ import annotations

import errno
import os
import socket
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from service.errors import CannotListen, ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["bound", "cannot_listen"]

_NOT_HERE = frozenset({errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT})
"""Errors of an address that this machine lacks, as one of IPv6 where that is switched off."""


@contextmanager
def bound(host: str, port: int) -> Iterator[list[socket.socket]]:
    """Sockets at all addresses of a host that this machine has; none of them listens yet.

    Raises:
        ConfigurationError: there is no such host.
        CannotListen: the port is taken, or not for this process, or none of the addresses is this machine's.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        msg = f"host: no address is known of {host}"
        raise ConfigurationError(msg) from error
    with ExitStack() as opened:
        listeners, lacking = [], None
        for family, kind, protocol, _, address in dict.fromkeys(found):
            try:
                listener = opened.enter_context(socket.socket(family, kind, protocol))
                _prepare(listener)
                listener.bind(address)
            except OSError as error:
                if error.errno not in _NOT_HERE:
                    raise cannot_listen(host, port, error) from error
                lacking = error
            else:
                listeners.append(listener)
        if lacking and not listeners:
            raise cannot_listen(host, port, lacking) from lacking
        yield listeners


def cannot_listen(host: str, port: int, error: OSError) -> CannotListen:
    """What to raise where the system refuses."""
    return CannotListen(f"host {host}, port {port}: {(error.strerror or str(error)).lower()}")


def _prepare(listener: socket.socket) -> None:
    """As asyncio does: connections that have ended keep no port, and IPv4 has a socket of its own."""
    if os.name == "posix":  # elsewhere it would let two programs listen on one port
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if listener.family == socket.AF_INET6:
        listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
