"""Checkpoints: written whole or not at all, read without running code.

A *training* checkpoint holds everything needed to go on exactly where it stopped. A *weights* file
(.safetensors) holds the network alone, with its shape in the header; it is what validation
keeps, what is averaged, and what is evaluated and exported. Both tell which vocabulary the network
was trained with; in another its token ids would mean other words.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import safetensors.torch
import torch
from safetensors import SafetensorError, safe_open

from model.architecture import build
from model.bundle import Tokenizer
from model.config import ModelConfig, without_dropout
from model.reder import Reder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from torch import Tensor

    from model.architecture import Network

__all__ = [
    "CheckpointError",
    "average_weights",
    "load_model",
    "load_network",
    "load_training",
    "save_training",
    "save_weights",
]

_VOCABULARY = "vocabulary"


class CheckpointError(RuntimeError):
    """A checkpoint cannot be written or read; the message says which and why."""


def save_training(path: Path, state: dict[str, Any]) -> None:
    """Write a training checkpoint; an earlier one at `path` survives a failure.

    Raises:
        CheckpointError: it cannot be written, for instance because the disk is full.
    """
    _replace(path, lambda temporary: torch.save(state, temporary))


def load_training(path: Path) -> dict[str, Any]:
    """Read a training checkpoint; only tensors and plain values are accepted.

    Raises:
        CheckpointError: it cannot be read.
    """
    try:
        state: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # torch raises many kinds here
        msg = f"{path} is not a training checkpoint: {error}"
        raise CheckpointError(msg) from error
    return state


def save_weights(path: Path, model: Network, vocabulary: str = "") -> None:
    """Write the network's weights and shape, and the digest of its vocabulary if it is given.

    Raises:
        CheckpointError: it cannot be written.
    """
    tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in model.state_dict().items()}
    save_tensors(path, tensors, model.config, vocabulary)


def save_tensors(path: Path, tensors: dict[str, Tensor], config: ModelConfig, vocabulary: str = "") -> None:
    """Write named tensors with a network's shape and the digest of its vocabulary in the header.

    Raises:
        CheckpointError: it cannot be written.
    """
    header = {"config": json.dumps(asdict(config))} | ({_VOCABULARY: vocabulary} if vocabulary else {})
    # not by save_file, whose files are for their owner only
    _replace(path, lambda temporary: temporary.write_bytes(safetensors.torch.save(tensors, metadata=header)))


def load_network(path: Path, tokenizer: Tokenizer | None = None) -> Network:
    """Read weights into a network ready for inference (no dropout, evaluation mode).

    The network is float32, whatever the file's type. A bundle's weights.safetensors will do: it is
    float16, has some matrices transposed under NAME.T, and an older one has tensors beside the
    parameters that only its graphs use.

    Args:
        path: the file.
        tokenizer: the vocabulary that it is to be used with.

    Raises:
        CheckpointError: the file cannot be read or does not fit its own description, or the network was trained with
            another vocabulary. What nothing is known of passes: older weights by themselves.
    """
    config, tensors = _load_weights(path)
    if tokenizer and _vocabulary(path) not in {"", tokenizer.digest}:
        msg = f"{path} was trained with another vocabulary: use that, and text packed in it (`prepare --tokenizer`)"
        raise CheckpointError(msg)
    network = build(without_dropout(config))
    for name in set(network.state_dict()) - set(tensors):
        if f"{name}.T" in tensors:
            tensors[name] = tensors[f"{name}.T"].t()
    try:
        network.load_state_dict({name: tensors[name] for name in network.state_dict()})
    except KeyError as error:
        msg = f"{path} lacks {error.args[0]}"
        raise CheckpointError(msg) from error
    except RuntimeError as error:
        msg = f"{path} does not fit its own description: {error}"
        raise CheckpointError(msg) from error
    return network.eval()


def load_model(path: Path, tokenizer: Tokenizer | None = None) -> Reder:
    """`load_network`, for what only REDER can do.

    Raises:
        CheckpointError: see there; or the weights are another network's.
    """
    network = load_network(path, tokenizer)
    if not isinstance(network, Reder):
        msg = f"{path} holds a network of architecture {network.config.architecture!r}; this needs 'reder'"
        raise CheckpointError(msg)
    return network


def average_weights(paths: Sequence[Path], target: Path) -> None:
    """Write the mean of several weights files of one run (Vaswani et al. 2017, section 6.1).

    What the run started from may be among them, a bundle's weights too. One that is named twice counts double.

    Raises:
        CheckpointError: a file cannot be read, or the shapes or vocabularies differ.
    """
    total: dict[str, Tensor] = {}
    kinds: dict[str, torch.dtype] = {}
    config: ModelConfig | None = None
    for path in paths:
        network = load_network(path)
        if config is not None and network.config != config:
            msg = f"{path} has another shape than {paths[0]}"
            raise CheckpointError(msg)
        config = network.config
        for name, tensor in network.state_dict().items():
            total[name] = tensor.double() + total.get(name, 0.0)
            kinds[name] = tensor.dtype
    if config is None:
        msg = "no weights to average"
        raise CheckpointError(msg)
    vocabularies = set(map(_vocabulary, paths)) - {""}
    if len(vocabularies) > 1:
        msg = f"{', '.join(map(str, paths))} were trained with different vocabularies"
        raise CheckpointError(msg)
    means = {name: (sum_ / len(paths)).to(kinds[name]) for name, sum_ in total.items()}
    save_tensors(target, means, config, *vocabularies)


def _vocabulary(path: Path) -> str:
    """The digest of that which weights were trained with, by their header or by what lies beside them in a bundle.

    It is empty if neither tells: older weights have none.
    """
    with safe_open(path, framework="pt") as file:
        noted: str = file.metadata().get(_VOCABULARY, "")
    beside = path.with_name("tokenizer.model")
    return Tokenizer(beside).digest if not noted and beside.exists() else noted


def _load_weights(path: Path) -> tuple[ModelConfig, dict[str, Tensor]]:
    try:
        with safe_open(path, framework="pt") as file:
            config = ModelConfig(**json.loads(file.metadata()["config"]))
            return config, {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - not a dict
    except (OSError, SafetensorError, KeyError, TypeError, ValueError) as error:
        msg = f"{path} is not a weights file: {error}"
        raise CheckpointError(msg) from error


def _replace(path: Path, write: Callable[[Path], object]) -> None:
    """Write beside `path`, then rename: a reader sees the old file or the new, never half."""
    temporary = path.with_name(path.name + ".partial")
    try:
        write(temporary)
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        temporary.replace(path)
    except (OSError, RuntimeError, SafetensorError) as error:
        temporary.unlink(missing_ok=True)
        msg = f"cannot write {path}: {error}"
        raise CheckpointError(msg) from error
