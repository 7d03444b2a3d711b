"""The ONNX contract: what every graph in a bundle takes and gives.

One graph serves one direction. The best token of each frame is taken *inside* the graph: the
logits of a batch of 32 x 128 frames over 32k tokens would be 524 MB, the ids are 49 kB.

The exporter derives names, types and dynamic axes from here, and the engine compares a session
with the same tables before it serves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from model.bundle.errors import ContractError

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["CONTRACT_VERSION", "INPUTS", "OUTPUTS", "TensorSpec", "check_tensors"]

CONTRACT_VERSION = 1


@dataclass(frozen=True, slots=True)
class TensorSpec:
    """Name, element type and named axes of one tensor.

    `dtype` is numpy's name. Every axis is dynamic; equal names mean equal sizes.
    """

    name: str
    dtype: str
    axes: tuple[str, ...]


SOURCE_IDS = TensorSpec("source_ids", "int64", ("batch", "source_len"))
"""Token ids, padded on the right with any id; positions from `source_lengths` on are ignored."""

SOURCE_LENGTHS = TensorSpec("source_lengths", "int64", ("batch",))
"""Tokens in each sentence, from 1 to source_len."""

FRAME_IDS = TensorSpec("frame_ids", "int64", ("batch", "frames"))
"""The most probable token of each frame, blank included; frames = upsampling x source_len.

Only the first ``upsampling x source_lengths[i]`` frames of sentence i mean anything.
"""

FRAME_LOG_PROBS = TensorSpec("frame_log_probs", "float32", ("batch", "frames"))
"""Natural log of the probability of each entry of `frame_ids`."""

INPUTS = (SOURCE_IDS, SOURCE_LENGTHS)
OUTPUTS = (FRAME_IDS, FRAME_LOG_PROBS)


def check_tensors(kind: str, expected: tuple[TensorSpec, ...], actual: Iterable[tuple[str, str, int]]) -> None:
    """Compare a graph's tensors with the contract.

    Args:
        kind: "input" or "output", for the message.
        expected: the contract's side, `INPUTS` or `OUTPUTS`.
        actual: name, numpy dtype and rank of each tensor of the graph.

    Raises:
        ContractError: a tensor is missing, extra, or of another type or rank.
    """
    found = {name: (dtype, rank) for name, dtype, rank in actual}
    wanted = {spec.name: (spec.dtype, len(spec.axes)) for spec in expected}
    if found != wanted:
        msg = f"graph {kind}s do not match contract version {CONTRACT_VERSION}: expected {wanted}, found {found}"
        raise ContractError(msg)
