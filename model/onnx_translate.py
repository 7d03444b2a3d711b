"""Translate with a bundle's own graphs, one batch after another: for parity checks and scores.

The service has its own engine; this one exists so that a bundle can be measured where it is made.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import onnxruntime as ort

from model.bundle import BLANK_ID, DIRECTIONS, Bundle, Collapsed, Direction, collapse
from model.data.batches import by_length, pad

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from model.bundle import Tokenizer

__all__ = ["GraphRunner", "OnnxTranslator"]

_BATCH_TOKENS = 2048


class GraphRunner:
    """One direction's graph on the CPU.

    Args:
        path: the .onnx file; its external data lies beside it.
        upsampling: frames per source token.
        max_source_tokens: what is longer is cut, since there is nothing here to split it.
    """

    def __init__(self, path: Path, *, upsampling: int, max_source_tokens: int) -> None:
        self.path = path
        self._upsampling = upsampling
        self._max_source_tokens = max_source_tokens

    @cached_property
    def _session(self) -> ort.InferenceSession:
        return ort.InferenceSession(str(self.path), providers=["CPUExecutionProvider"])

    def frames(self, sources: Sequence[list[int]]) -> tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.int64]]:
        """Frame ids, frame log probabilities (both [batch, frames]) and frame counts [batch] of one batch."""
        source = pad(sources)
        ids, lengths = source.ids.numpy(), source.lengths.numpy()
        frame_ids, log_probs = self._session.run(
            ["frame_ids", "frame_log_probs"], {"source_ids": ids, "source_lengths": lengths}
        )
        return frame_ids, log_probs, lengths * self._upsampling

    def collapse(self, sources: Sequence[list[int]]) -> list[Collapsed]:
        """The tokens of each source, in order; an empty source gives no tokens."""
        cut = [source[: self._max_source_tokens] for source in sources]
        results = [Collapsed(ids=[], confidence=1.0)] * len(cut)
        for rows in by_length([len(source) for source in cut], _BATCH_TOKENS):
            outcome = collapse(*self.frames([cut[row] for row in rows]), blank_id=BLANK_ID)
            for row, result in zip(rows, outcome, strict=True):
                results[row] = result
        return results


class OnnxTranslator:
    """Both directions of a bundle in one precision.

    Raises:
        ManifestError: the bundle has no graph of that precision.
    """

    def __init__(self, bundle: Bundle, precision: str) -> None:
        self._tokenizer: Tokenizer = bundle.tokenizer
        self._runners = {
            direction: GraphRunner(
                bundle.graph(direction, precision),
                upsampling=bundle.manifest.upsampling,
                max_source_tokens=bundle.manifest.max_source_tokens,
            )
            for direction in DIRECTIONS
        }

    def translate(self, direction: Direction, texts: Sequence[str]) -> list[str]:
        """Translations, in order."""
        sources = self._tokenizer.encode_batch(list(texts))
        return [self._tokenizer.decode(result.ids) for result in self._runners[direction].collapse(sources)]
