"""Files of arrays (.npz): read whole, or refused."""

from __future__ import annotations

import zipfile
import zlib
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
            return {name: archive[name] for name in archive if names is None or name in names}
    except (OSError, ValueError, TypeError, EOFError, MemoryError, zipfile.BadZipFile, zlib.error) as error:
        msg = f"{path.name} has no arrays that can be read: {error}"
        raise ManifestError(msg) from error
