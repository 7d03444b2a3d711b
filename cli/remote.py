"""Translate with a running service, over HTTP."""

from __future__ import annotations

import time
from http import HTTPStatus
from typing import TYPE_CHECKING

import httpx

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from model.bundle import Direction

__all__ = ["RemoteError", "RemoteTranslator"]

_TEXTS, _CHARACTERS = 64, 20_000
"""In one request, at most: well below what the service allows by default."""

_ANSWER_LIMIT_S = 120.0
_PATIENCE_S = 300.0
"""How long to go on asking a service that says it is busy."""

_BUSY = {HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE}


class RemoteError(RuntimeError):
    """The service cannot be reached, or answers with an error."""


class RemoteTranslator:
    """A service's `/translate`, in batches, one request after another.

    Args:
        url: where the service is, such as http://127.0.0.1:8000.
        quality: ``fast`` or ``best``.
        patience_s: how long to repeat a request that is answered 429 or 503.
    """

    def __init__(self, url: str, *, quality: str = "fast", patience_s: float = _PATIENCE_S) -> None:
        self._url = url.rstrip("/")
        self._quality = quality
        self._patience_s = patience_s

    def translate(self, direction: Direction, texts: Sequence[str]) -> list[str]:
        """Translations, in order.

        Raises:
            RemoteError: the service cannot be reached, answers with an error, or is busy for too long.
        """
        translations: list[str] = []
        try:
            with httpx.Client(timeout=_ANSWER_LIMIT_S) as client:
                for batch in _batches(texts):
                    answer = self._post(client, str(direction), batch).json()["translations"]
                    translations += [translation["text"] for translation in answer]
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            msg = f"{self._url}: {type(error).__name__}: {error}"
            raise RemoteError(msg) from error
        except (ValueError, KeyError, TypeError) as error:
            msg = f"{self._url} does not answer as this service does: {error!r}"
            raise RemoteError(msg) from error
        if len(translations) != len(texts):
            msg = f"{self._url} gave {len(translations)} translations of {len(texts)} texts"
            raise RemoteError(msg)
        return translations

    def _post(self, client: httpx.Client, direction: str, batch: list[str]) -> httpx.Response:
        """One request, repeated while the service is busy, as late as it asks for."""
        give_up = time.monotonic() + self._patience_s
        while True:
            query = {"dir": direction, "quality": self._quality}
            response = client.post(f"{self._url}/translate", params=query, json={"text": batch})
            if response.is_success:
                return response
            wait = _retry_after(response)
            if response.status_code not in _BUSY or time.monotonic() + wait > give_up:
                msg = f"{self._url} answers {response.status_code}: {response.text[:300]}"
                raise RemoteError(msg)
            time.sleep(wait)


def _retry_after(response: httpx.Response) -> float:
    """Seconds, from the header; one where it is missing or is a date."""
    value = response.headers.get("Retry-After", "")
    return float(value) if value.isdecimal() else 1.0


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    characters = 0
    for text in texts:
        if batch and (len(batch) == _TEXTS or characters + len(text) > _CHARACTERS):
            yield batch
            batch, characters = [], 0
        batch.append(text)
        characters += len(text)
    if batch:
        yield batch
