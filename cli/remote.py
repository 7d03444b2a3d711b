"""Translate with a running service, in the form that evaluation asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from reder import Client

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.bundle import Direction

__all__ = ["RemoteTranslator"]

_ANSWER_LIMIT_S = 120.0
_PATIENCE_S = 300.0
"""How long to go on asking a service that says it is busy."""


class RemoteTranslator:
    """A service's translations, and nothing about them.

    Args:
        url: where the service is, such as http://127.0.0.1:8000.
        quality: ``fast``, ``good`` or ``best``.
        api_key: for a service that wants one.
        patience_s: how long to repeat a request that is answered 429 or 503.
    """

    def __init__(
        self, url: str, *, quality: str = "fast", api_key: str | None = None, patience_s: float = _PATIENCE_S
    ) -> None:
        self._url = url
        self._api_key = api_key
        self._quality: Any = quality
        self._patience_s = patience_s

    def translate(self, direction: Direction, texts: Sequence[str]) -> list[str]:
        """Translations, in order.

        Raises:
            RederError: the service cannot be reached, answers with an error, or is busy for too long.
        """
        way = cast("Any", str(direction))
        with Client(self._url, api_key=self._api_key, timeout_s=_ANSWER_LIMIT_S, patience_s=self._patience_s) as client:
            return [one.text for one in client.translate([*texts], way, quality=self._quality)]
