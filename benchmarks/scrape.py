"""What a running service says of itself at /metrics, before and after something was done to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import httpx
from prometheus_client.parser import text_string_to_metric_families

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Snapshot", "read"]

_Key = tuple[str, frozenset[tuple[str, str]]]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Every sample at one moment."""

    samples: Mapping[_Key, float]

    def total(self, name: str, **labels: str) -> float:
        """The sum of all samples of that name that have these labels, whatever else they have."""
        wanted = set(labels.items())
        return sum(value for (found, has), value in self.samples.items() if found == name and wanted <= has)

    def since(self, earlier: Snapshot) -> Snapshot:
        """How much each sample has grown."""
        return Snapshot({key: value - earlier.samples.get(key, 0.0) for key, value in self.samples.items()})


def read(url: str) -> Snapshot:
    """The samples at this moment.

    Raises:
        httpx.HTTPError: the service does not answer.
    """
    response = httpx.get(f"{url}/metrics", timeout=30)
    response.raise_for_status()
    families = text_string_to_metric_families(response.text)
    return Snapshot(
        {(one.name, frozenset(one.labels.items())): one.value for family in families for one in family.samples}
    )
