"""int8 products: how their weights are rounded, and the scales that their activations have, fixed at export.

Weights have a scale for each column, from the largest of it. Activations have one for each product and direction, from
what real sentences put there (docs/decisions/0013). The graphs have both inside; `ACTIVATIONS` has the latter for
those who run the network without the graphs.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from model.bundle.direction import DIRECTIONS
from model.bundle.errors import ManifestError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from model.bundle.direction import Direction

__all__ = [
    "ACTIVATIONS",
    "EXACT_PRODUCTS",
    "Activations",
    "Scale",
    "quantise_columns",
    "read_activations",
    "write_activations",
]

ACTIVATIONS = "activations.json"
"""The file of the activations' scales, in a bundle."""

EXACT_PRODUCTS = "session.x64quantprecision", "1"
"""Entry of ONNX Runtime's session configuration, without which it cuts sums off at 16 bits where a CPU has no VNNI.

They take an eighth longer there.
"""

_LARGEST_WEIGHT = 127
_TINY = 1e-12


class Scale(NamedTuple):
    """How an activation is rounded to uint8: to the nearest of value / `step` + `zero_point`."""

    step: float
    zero_point: int


Activations = dict[str, Scale]
"""Of one direction: scales by the products that they go into, named as the network's modules are."""


def quantise_columns(matrix: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """A matrix in int8, and the step of each of its columns."""
    steps = np.maximum(np.abs(matrix).max(axis=0), _TINY) / _LARGEST_WEIGHT
    return np.rint(matrix / steps).astype(np.int8), steps


def write_activations(folder: Path, activations: Mapping[Direction, Activations]) -> None:
    """Write a bundle's file of them."""
    table = {
        str(direction): {name: scale._asdict() for name, scale in scales.items()}
        for direction, scales in activations.items()
    }
    (folder / ACTIVATIONS).write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


def read_activations(folder: Path) -> dict[Direction, Activations]:
    """What `write_activations` wrote.

    Raises:
        ManifestError: the file is missing or malformed.
    """
    try:
        table = json.loads((folder / ACTIVATIONS).read_text(encoding="utf-8"))
        return {
            direction: {name: _scale(**entry) for name, entry in table[str(direction)].items()}
            for direction in DIRECTIONS
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        msg = f"{ACTIVATIONS} is malformed: {error}"
        raise ManifestError(msg) from error


def _scale(step: Any, zero_point: Any) -> Scale:  # noqa: ANN401 - from JSON
    if not (isinstance(step, float) and 0 < step < np.inf and isinstance(zero_point, int) and 0 <= zero_point <= 255):  # noqa: PLR2004
        msg = f"no scale: {step}, {zero_point}"
        raise ValueError(msg)
    return Scale(step, zero_point)
