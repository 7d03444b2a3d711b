"""Before the service listens: warm the engine up, and see that the bundle translates as it did at export.

Token ids must come out exactly as recorded: they depend on the tokenizer alone. Translations need
only be similar: the recorded ones are of the fp32 graph, and rounding (int8 above all) differs
between precisions and between processors, which flips a frame here and there where two words are
about equally likely. A wrong graph, swapped directions or mixed-up vocabularies give a similarity
near zero, so the threshold need not be fine.

For search and scoring nothing is recorded: they must agree with the greedy translations of today.
"""

from __future__ import annotations

import itertools
from contextlib import contextmanager
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

import numpy as np

from model.bundle import DIRECTIONS, Direction, ManifestError, collapse
from service.errors import SelfCheckError
from service.types import Batch

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from model.bundle import Bundle, GoldenExample
    from service.engine.protocol import Engine
    from service.types import Frames

__all__ = ["check_golden", "check_tasks", "warm_up"]

_SHORT = (1, 8)
_GPU_SHAPES = (_SHORT, (1, 32), (8, 32), (32, 16))
"""Sentences and tokens. A GPU loads kernels and chooses algorithms by shape; a CPU is warm after any run."""

_GOLDEN_BATCH = 5
"""Examples that are run together, the shortest first: so there is little padding."""

_ROUNDING = 0.05
"""What rounding may take off a log probability, per frame."""


def warm_up(engine: Engine, max_tokens: int) -> None:
    """Run a few shapes of each task and direction, so that the first caller does not pay for first-time work.

    The longest sentence is run once a direction: tasks differ only in what they make of the network's answer.
    Lanes that share an engine's sessions are warm when one of them is.

    Raises:
        SelfCheckError: the engine fails at one of them.
    """
    shapes = (_SHORT,) if engine.info.provider == "cpu" else _GPU_SHAPES
    for part, direction in itertools.product({engine, *engine.lanes}, DIRECTIONS):
        for items, length in shapes:
            batch = Batch.pad([[1] * min(length, max_tokens)] * items)
            with _named(direction, batch):
                part.infer(direction, batch)
                part.search(direction, batch)
                part.score(direction, batch, batch)
    for direction in DIRECTIONS:
        longest = Batch.pad([[1] * max_tokens])
        with _named(direction, longest):
            engine.infer(direction, longest)


@contextmanager
def _named(direction: Direction, batch: Batch) -> Iterator[None]:
    """Raise a self-check's error, which says what was run, for whatever a runtime raises: its errors share no base."""
    try:
        yield
    except Exception as error:
        items, length = batch.ids.shape
        msg = f"{direction} cannot be run on {items} sentences of {length} tokens: {error}"
        raise SelfCheckError(msg) from error


def check_golden(bundle: Bundle, engine: Engine, *, min_similarity: float) -> dict[str, float]:
    """Translate the bundle's golden examples and compare.

    Similarity of one example is difflib's ratio of recorded and new token ids, from 0 to 1.

    Returns:
        The mean similarity of each direction.

    Raises:
        SelfCheckError: token ids differ, or a direction's mean similarity is below the threshold.
        ManifestError: the file is malformed or lacks a direction.
    """
    similarity = {}
    examples = bundle.golden()
    for direction in DIRECTIONS:
        ours = _shortest_first(examples, direction)
        if not ours:
            msg = f"golden.jsonl has no example for {direction}"
            raise ManifestError(msg)
        _check_ids(bundle, ours)
        ratios = [
            SequenceMatcher(None, example.output_ids, output_ids, autojunk=False).ratio()
            for start in range(0, len(ours), _GOLDEN_BATCH)
            for example, output_ids in _outputs(bundle, engine, direction, ours[start : start + _GOLDEN_BATCH])
        ]
        similarity[str(direction)] = float(np.mean(ratios))
        if similarity[str(direction)] < min_similarity:
            msg = (
                f"{direction} does not translate as recorded at export: mean similarity "
                f"{similarity[str(direction)]:.2f} over {len(ours)} examples, required {min_similarity:.2f} "
                f"({engine.info.precision} on {engine.info.provider})"
            )
            raise SelfCheckError(msg)
    return similarity


def check_tasks(bundle: Bundle, engine: Engine, *, min_agreement: float) -> None:
    """See that search and scoring run the network that greedy decoding runs, the same way: on the shortest examples.

    The search's first choice for a frame must be the greedy token. A greedy translation, over all its
    paths, must be at least as probable as the one path it was read off.

    Raises:
        SelfCheckError: in a direction, fewer than `min_agreement` (0 to 1) of frames or translations are so.
    """
    examples = bundle.golden()
    for direction in DIRECTIONS:
        batch = Batch.pad([one.source_ids for one in _shortest_first(examples, direction)[:_GOLDEN_BATCH]])
        greedy = engine.infer(direction, batch)
        counts = np.arange(greedy.ids.shape[1]) < greedy.lengths[:, None]
        found = (engine.search(direction, batch).ids[:, :, 0] == greedy.ids)[counts]
        shares = {"search": float(found.mean()), "scoring": _plausible(bundle, engine, direction, batch, greedy)}
        for task, share in shares.items():
            if share < min_agreement:
                msg = (
                    f"{direction}: {task} does not agree with greedy translation: on {share:.2f} of the golden "
                    f"examples, required {min_agreement:.2f} ({engine.info.precision} on {engine.info.provider})"
                )
                raise SelfCheckError(msg)


def _shortest_first(examples: Sequence[GoldenExample], direction: Direction) -> list[GoldenExample]:
    """Those of a direction."""
    ours = (one for one in examples if one.direction == str(direction))
    return sorted(ours, key=lambda one: len(one.source_ids))


def _plausible(bundle: Bundle, engine: Engine, direction: Direction, batch: Batch, greedy: Frames) -> float:
    """Share of greedy translations that are at least as probable as their path; those without words do not count."""
    outputs = collapse(greedy.ids, greedy.log_probs, greedy.lengths, blank_id=bundle.manifest.blank_id)
    rows = [row for row, output in enumerate(outputs) if output.ids]
    if not rows:
        return 1.0
    kept = Batch(ids=batch.ids[rows], lengths=batch.lengths[rows])
    log_probs = engine.score(direction, kept, Batch.pad([outputs[row].ids for row in rows]))
    paths = greedy.lengths[rows] * np.log([outputs[row].confidence for row in rows])
    return float((log_probs >= paths - _ROUNDING * greedy.lengths[rows]).mean())


def _check_ids(bundle: Bundle, examples: Sequence[GoldenExample]) -> None:
    for example in examples:
        if bundle.tokenizer.encode(example.source) != example.source_ids:
            msg = f"the tokenizer gives other ids than at export for the {example.direction} example {example.source!r}"
            raise SelfCheckError(msg)


def _outputs(
    bundle: Bundle, engine: Engine, direction: Direction, examples: Sequence[GoldenExample]
) -> list[tuple[GoldenExample, list[int]]]:
    """Each example with the token ids the engine gives now."""
    frames: Frames = engine.infer(direction, Batch.pad([example.source_ids for example in examples]))
    collapsed = collapse(frames.ids, frames.log_probs, frames.lengths, blank_id=bundle.manifest.blank_id)
    return [(example, sentence.ids) for example, sentence in zip(examples, collapsed, strict=True)]
