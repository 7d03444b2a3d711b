"""What every peer runs: the service's engine between tokenizer and detokenizer, and nothing else."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from model.bundle import EN_DE, Bundle, collapse
from service.engine.choice import open_engine
from service.types import Batch

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Pipeline", "setting"]


def setting(name: str) -> int:
    """One of the numbers among the environment variables."""
    return int(os.environ[f"PEER_{name}"])


class Pipeline:
    """English to German, a batch at a time.

    Args:
        folder: of the bundle.
        threads: of one inference.
    """

    def __init__(self, folder: Path, *, threads: int) -> None:
        bundle = Bundle.open(folder)
        self._tokenizer = bundle.tokenizer
        self._blank_id = bundle.manifest.blank_id
        self._engine = open_engine(bundle, provider="cpu", threads=threads)

    @classmethod
    def told(cls) -> Pipeline:
        """As the environment says."""
        return cls(Path(os.environ["PEER_BUNDLE"]), threads=setting("THREADS"))

    def translate(self, texts: Sequence[str]) -> list[str]:
        """Translate sentences, none of them empty, in one batch."""
        batch = Batch.pad(self._tokenizer.encode_batch(texts))
        frames = self._engine.infer(EN_DE, batch)
        collapsed = collapse(frames.ids, frames.log_probs, frames.lengths, blank_id=self._blank_id)
        return [self._tokenizer.decode(one.ids) for one in collapsed]
