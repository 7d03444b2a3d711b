"""Files of arrays (.npz): read whole, or refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from model.bundle.errors import ManifestError

if TYPE_CHECKING:
    from collections.abc import Container
    from pathlib import Path

    from numpy.typing import NDArray

__all__ = ["read_arrays"]


def read_arrays(path: Path, names: Container[str] | None = None) -> dict[str, NDArray[Any]]:
    """The arrays of a file by name; of those named only, if any are.

    Raises:
        ManifestError: the file is missing, damaged, or not one of arrays.
    """
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive if names is None or name in names}
    except Exception as error:  # zipfile and NumPy raise many kinds here
        msg = f"{path.name} has no arrays that can be read: {error}"
        raise ManifestError(msg) from error
    if other := [name for name, array in arrays.items() if not isinstance(array, np.ndarray)]:  # its bytes
        msg = f"{path.name} has no arrays that can be read: {other[0]} is no array"
        raise ManifestError(msg)
    return arrays
