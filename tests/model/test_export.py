"""What an export derives from measurements."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
import torch

from model.checkpoint import CheckpointError, save_weights
from model.evaluate import TestSet
from model.export import ExportError, ExportRequest, export, weak_threshold
from model.reder import Reder
from tests.model import toy

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("judged", "threshold"),
    [
        pytest.param([(0.1, False), (0.3, False)], 0.0, id="none-is-poor"),
        pytest.param([(0.1, True), (0.3, True)], 1.0, id="all-are-poor"),
        pytest.param([(0.1, True), (0.2, True), (0.3, False), (0.4, False)], 0.4, id="two-in-three"),
        pytest.param([(0.1, False), (0.2, True), (0.3, False), (0.4, True)], 0.0, id="it-says-nothing"),
        pytest.param([(n / 10, n in {1, 3}) for n in range(1, 11)], 0.5, id="two-and-a-half-times-as-many-as-of-all"),
        pytest.param([(0.0, True), (0.0123456, False), (0.5, False)], 0.012, id="two-digits"),
    ],
)
def test_weak_threshold(judged: list[tuple[float, bool]], threshold: float) -> None:
    """Of what scores less, two in three are poor, or fewer if few are at all; no higher score would do."""
    Random(1).shuffle(judged)
    assert weak_threshold(judged) == threshold


@pytest.mark.parametrize(
    ("tokens", "weight", "digest", "message"),
    [
        (toy.VOCABULARY_SIZE + 1, 0.0, "", f"knows {toy.VOCABULARY_SIZE + 1} tokens, the tokenizer has"),
        (toy.VOCABULARY_SIZE, 0.0, "of another", "was trained with another vocabulary"),
        (toy.VOCABULARY_SIZE, torch.nan, "", "has weights that are not numbers"),
        (toy.VOCABULARY_SIZE, 1e6, "", "too large for float16"),
    ],
    ids=["more-tokens", "vocabulary", "not-a-number", "too-large"],
)
def test_network_that_cannot_be_exported(
    vocabulary: Path, tmp_path: Path, tokens: int, weight: float, digest: str, message: str
) -> None:
    """A network of another vocabulary, or with weights that no graph can hold, is refused for what it is.

    That there is enough text is seen first: in all sets together.
    """
    network = Reder(toy.tiny(vocabulary_size=tokens))
    with torch.no_grad():
        network.embedding.weight[3] = weight
    save_weights(tmp_path / "network.safetensors", network, digest)
    request = ExportRequest(
        weights=tmp_path / "network.safetensors",
        tokenizer=vocabulary,
        output=tmp_path / "bundle",
        name="toy",
        validation=[TestSet(f"toy {n}", ["a man"] * n, ["ein Mann"] * n) for n in (40, 460)],
    )
    with pytest.raises((ExportError, CheckpointError), match=message):
        export(request)
    assert not (tmp_path / "bundle").exists()
