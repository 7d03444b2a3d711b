"""Weights and scales without the libraries that wrote them: what is no such file is named."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from safetensors.numpy import save_file

from model.bundle import ManifestError
from model.bundle.quantisation import ACTIVATIONS, read_activations
from model.bundle.weights import read_weights

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

DEEP = "[" * 100_000
TENSOR: dict[str, Any] = {"dtype": "F16", "shape": [2], "data_offsets": [0, 4]}
AMISS: list[dict[str, Any]] = [
    {"data_offsets": []},
    {"data_offsets": [0, float("inf")]},
    {"data_offsets": [-4, 0]},
    {"shape": [3]},
    {"shape": [10**30]},
    {"dtype": ["F16"]},
]


def test_weights_are_read_as_written(tmp_path: Path) -> None:
    """Of the types that the network has; others are passed over."""
    path = tmp_path / "weights.safetensors"
    arrays: dict[str, NDArray[Any]] = {
        "a": np.ones((2, 3), np.float16),
        "b": np.ones(2, np.float32),
        "c": np.ones(1, bool),
    }
    save_file(arrays, path)
    found = read_weights(path)
    assert set(found) == {"a", "b"}
    assert all(np.array_equal(array, arrays[name]) for name, array in found.items())


@pytest.mark.parametrize(
    "header",
    [
        *("", "no JSON", "7", "[]", pytest.param(DEEP, id="deep"), '{"a": {"dtype": "F16"}}'),
        *(json.dumps({"a": TENSOR | wrong}).replace("Infinity", "1e999") for wrong in AMISS),
    ],
)
def test_weights_with_another_header(tmp_path: Path, header: str) -> None:
    """Whatever is wrong with it, the error is about that file, and one that a start or a swap knows."""
    path = tmp_path / "weights.safetensors"
    path.write_bytes(len(header).to_bytes(8, "little") + header.encode() + bytes(4))
    with pytest.raises(ManifestError, match=r"weights\.safetensors cannot be read"):
        read_weights(path)


@pytest.mark.parametrize(
    "text",
    ["", "[]", '{"en-de": 7}', '{"en-de": {"a": {"step": 1e999, "zero_point": 0}}}', pytest.param(DEEP, id="deep")],
)
def test_malformed_scales(tmp_path: Path, text: str) -> None:
    """The same of the scales of activations."""
    (tmp_path / ACTIVATIONS).write_text(text, encoding="utf-8")
    with pytest.raises(ManifestError, match=r"activations\.json is malformed"):
        read_activations(tmp_path)
