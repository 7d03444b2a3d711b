"""The network's weights as a bundle stores them: a safetensors file, read without the library of that name.

It is an 8-byte size, a JSON header that says where each tensor is, and the tensors.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from model.bundle.errors import ManifestError

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

__all__ = ["WEIGHTS", "read_weights", "tensor_places"]

WEIGHTS = "weights.safetensors"
"""The file of the network's weights, float16."""

_TYPES: dict[str, np.dtype[Any]] = {"F16": np.dtype("<f2"), "F32": np.dtype("<f4")}


def tensor_places(path: Path) -> dict[str, tuple[int, int]]:
    """Offset and length, in bytes, of each tensor in a safetensors file.

    Raises:
        OSError: it cannot be read.
        ValueError: it is no such file.
    """
    start, entries = _header(path)
    return {name: (start + begin, end - begin) for name, (begin, end) in _spans(entries).items()}


def read_weights(path: Path) -> dict[str, NDArray[Any]]:
    """Tensors by name: those in float16 and float32. The file is mapped, and read where they are looked at.

    Raises:
        ManifestError: the file is missing or malformed.
    """
    try:
        start, entries = _header(path)
        content = np.memmap(path, np.uint8, "r")[start:]
        spans = _spans(entries)
        return {
            name: _tensor(content, spans[name], kind, entry["shape"])
            for name, entry in entries.items()
            if (kind := _TYPES.get(entry["dtype"]))
        }
    except (OSError, ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        msg = f"{path.name} cannot be read: {error}"
        raise ManifestError(msg) from error


def _tensor(content: NDArray[np.uint8], span: tuple[int, int], kind: np.dtype[Any], shape: list[int]) -> NDArray[Any]:
    begin, end = span
    if begin < 0:
        msg = "a tensor before the first"
        raise ValueError(msg)
    return content[begin:end].view(kind).reshape(shape)  # which raises if there are more or fewer values than that


def _header(path: Path) -> tuple[int, dict[str, Any]]:
    """Where the tensors begin, and the entry of each."""
    with path.open("rb") as file:
        header_bytes = int.from_bytes(file.read(8), "little")
        if header_bytes > path.stat().st_size:
            msg = "the header is longer than the file"
            raise ValueError(msg)
        header = json.loads(file.read(header_bytes))
    return 8 + header_bytes, {name: entry for name, entry in header.items() if name != "__metadata__"}


def _spans(entries: dict[str, Any]) -> dict[str, tuple[int, int]]:
    return {name: (int(entry["data_offsets"][0]), int(entry["data_offsets"][1])) for name, entry in entries.items()}
