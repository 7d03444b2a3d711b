"""The ONNX contract: what every graph in a bundle takes and gives.

One graph serves one direction and one task:

    greedy   the best token of each frame: all that fast translation needs
    search   the best few tokens of each frame: what beam search walks over
    score    how probable a given target is: run in the other direction, it ranks what the search found

Whatever is taken from the vocabulary is taken *inside* the graph: the logits of a batch of 32 x 128
frames over 32k tokens would be 524 MB, the ids are 49 kB.

The exporter derives names, types and dynamic axes from here, and the engine compares its sessions
with the same tables before it serves.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from model.bundle.errors import ContractError

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["CONTRACT_VERSION", "SIGNATURES", "Signature", "Task", "TensorSpec", "check_tensors"]

CONTRACT_VERSION = 2


class Task(StrEnum):
    """What a graph is for."""

    GREEDY = "greedy"
    SEARCH = "search"
    SCORE = "score"


@dataclass(frozen=True, slots=True)
class TensorSpec:
    """Name, element type and named axes of one tensor.

    `dtype` is numpy's name. Equal axis names mean equal sizes; all are dynamic but `choices`.
    """

    name: str
    dtype: str
    axes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Signature:
    """What one graph takes and gives, in order."""

    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]


SOURCE_IDS = TensorSpec("source_ids", "int64", ("batch", "source_len"))
"""Token ids, padded on the right with any id; positions from `source_lengths` on are ignored."""

SOURCE_LENGTHS = TensorSpec("source_lengths", "int64", ("batch",))
"""Tokens in each sentence, from 1 to source_len."""

TARGET_IDS = TensorSpec("target_ids", "int64", ("batch", "target_len"))
"""Token ids of the target to score, padded on the right with any id."""

FRAME_IDS = TensorSpec("frame_ids", "int64", ("batch", "frames"))
"""The most probable token of each frame, blank included; frames = upsampling x source_len.

Only the first ``upsampling x source_lengths[i]`` frames of sentence i mean anything, here and below.
"""

FRAME_LOG_PROBS = TensorSpec("frame_log_probs", "float32", ("batch", "frames"))
"""Natural log of the probability of each entry of `frame_ids`."""

CHOICE_IDS = TensorSpec("choice_ids", "int64", ("batch", "frames", "choices"))
"""The most probable tokens of each frame, blank included, the best first."""

CHOICE_LOG_PROBS = TensorSpec("choice_log_probs", "float32", ("batch", "frames", "choices"))
"""Natural log of the probability of each entry of `choice_ids`."""

BLANK_LOG_PROBS = TensorSpec("blank_log_probs", "float32", ("batch", "frames"))
"""Natural log of the probability of the blank on each frame."""

TARGET_LOG_PROBS = TensorSpec("target_log_probs", "float32", ("batch", "frames", "target_len"))
"""Natural log of the probability of each target token on each frame."""

_SOURCE = (SOURCE_IDS, SOURCE_LENGTHS)
SIGNATURES = {
    Task.GREEDY: Signature(_SOURCE, (FRAME_IDS, FRAME_LOG_PROBS)),
    Task.SEARCH: Signature(_SOURCE, (CHOICE_IDS, CHOICE_LOG_PROBS)),
    Task.SCORE: Signature((*_SOURCE, TARGET_IDS), (BLANK_LOG_PROBS, TARGET_LOG_PROBS)),
}


def check_tensors(kind: str, expected: tuple[TensorSpec, ...], actual: Iterable[tuple[str, str, int]]) -> None:
    """Compare a graph's tensors with the contract.

    Args:
        kind: "input" or "output", for the message.
        expected: the contract's side, from `SIGNATURES`.
        actual: name, numpy dtype and rank of each tensor of the graph.

    Raises:
        ContractError: a tensor is missing, extra, or of another type or rank.
    """
    found = {name: (dtype, rank) for name, dtype, rank in actual}
    wanted = {spec.name: (spec.dtype, len(spec.axes)) for spec in expected}
    if found != wanted:
        msg = f"graph {kind}s do not match contract version {CONTRACT_VERSION}: expected {wanted}, found {found}"
        raise ContractError(msg)
