"""Keys that callers prove themselves with. The service stores their SHA-256 only, one line a key: ``name:sha256hex``.

A plain hash suffices because a key is 256 random bits: no list of likely keys exists that could be tried against
the hash. A password would need a slow, salted one.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from typing import TYPE_CHECKING, NamedTuple, Self

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["NAME", "Keyring", "NewKey", "generate"]

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}")
"""What a key may be called: the name appears in logs and as a metric's label."""

_DIGEST = re.compile(r"[0-9a-fA-F]{64}")
_BYTES = 32


class NewKey(NamedTuple):
    """A key, which its owner keeps, and the line by which the service knows it."""

    key: str
    line: str


class _Entry(NamedTuple):
    name: str
    digest: str


def generate(name: str) -> NewKey:
    """A new random key.

    Raises:
        ValueError: no key may have this name.
    """
    if not NAME.fullmatch(name):
        msg = "a name has 1 to 32 letters, digits, dots, hyphens and underscores, and begins with a letter or digit"
        raise ValueError(msg)
    key = secrets.token_urlsafe(_BYTES)
    return NewKey(key, f"{name}:{_digest(key)}")


class Keyring:
    """The keys that are accepted. Several may have one name: while one replaces another, both are valid."""

    def __init__(self, entries: Iterable[_Entry] = ()) -> None:
        self._entries = tuple(entries)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``name:sha256hex``, one a line or separated by commas; ``#`` begins a line that is ignored.

        Raises:
            ValueError: an entry is not of this form, or one hash has two names. Says which entry, not what it holds.
        """
        entries: dict[str, _Entry] = {}
        lines = (line for line in text.splitlines() if not line.lstrip().startswith("#"))
        found = (entry.strip() for line in lines for entry in line.split(","))
        for number, entry in enumerate(filter(None, found), start=1):
            name, _, digest = entry.partition(":")
            if not (NAME.fullmatch(name) and _DIGEST.fullmatch(digest)):
                msg = f"key {number} is not of the form name:sha256hex, as `reder key NAME` prints it"
                raise ValueError(msg)
            digest = digest.lower()
            if entries.setdefault(digest, _Entry(name, digest)).name != name:
                msg = f"key {number} is there already under another name"
                raise ValueError(msg)
        return cls(entries.values())

    def __len__(self) -> int:
        return len(self._entries)

    def __or__(self, other: Keyring) -> Keyring:
        return Keyring((*self._entries, *other._entries))

    def name_of(self, key: str) -> str | None:
        """Whose key this is; None if it is none of them. Takes as long either way, whatever the key."""
        digest = _digest(key)
        name = None
        for entry in self._entries:  # all of them: stopping early would tell where one was found
            if hmac.compare_digest(entry.digest, digest):
                name = entry.name
        return name


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()
