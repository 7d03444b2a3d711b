"""After the engine: from frames to token ids."""

from __future__ import annotations

from typing import TYPE_CHECKING

from model.bundle import collapse_one, prefix_beam_search
from service.types import Candidates, Hypothesis

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.bundle import Fluency
    from service.types import SegmentChoices, SegmentFrames

__all__ = ["collapse_frames", "find_candidates"]


def collapse_frames(frames: Sequence[SegmentFrames], *, blank_id: int) -> list[Hypothesis]:
    """Read each piece off its best path. Confidence is the geometric mean of the frames' probabilities."""
    hypotheses = []
    for one in frames:
        collapsed = collapse_one(one.ids, one.log_probs, blank_id=blank_id)
        hypotheses.append(Hypothesis(ids=tuple(collapsed.ids), confidence=collapsed.confidence))
    return hypotheses


def find_candidates(
    choices: Sequence[SegmentChoices],
    sources: Sequence[tuple[int, ...]],
    *,
    beam: int,
    blank_id: int,
    fluency: Fluency | None = None,
) -> list[Candidates]:
    """Search each piece, of which `sources` are the token ids, keeping `beam` prefixes; as many candidates at most."""
    found = []
    for one, source in zip(choices, sources, strict=True):
        candidates = prefix_beam_search(
            one.ids, one.log_probs, beam=beam, blank_id=blank_id, fluency=fluency, source=source
        )
        found.append(Candidates(tuple(candidates), len(one.ids)))
    return found
