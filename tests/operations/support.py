"""What the tests of operations share: the repository's own files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ROOT", "documents", "variables"]

ROOT = Path(__file__).parents[2]


def documents(path: Path) -> list[dict[str, Any]]:
    """What a YAML file of this repository holds."""
    return list(yaml.safe_load_all(path.read_text(encoding="utf-8")))


def variables(container: Mapping[str, Any]) -> dict[str, str]:
    """A container's environment; of a number taken from its limits, the number."""
    limits = container.get("resources", {}).get("limits", {})
    return {
        one["name"]: one["value"] if "value" in one else limits[_limit(one["valueFrom"])]
        for one in container.get("env", [])
    }


def _limit(source: Mapping[str, Any]) -> str:
    name: str = source["resourceFieldRef"]["resource"]
    return name.removeprefix("limits.")
