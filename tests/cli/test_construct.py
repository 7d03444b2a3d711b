"""Sentences constructed by the command, with a network and without."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import torch

from model.bundle import Tokenizer
from model.checkpoint import save_weights
from model.reder import Reder
from tests.cli.support import BUNDLE, here, one_line
from tests.model import toy

if TYPE_CHECKING:
    from pathlib import Path

VOCABULARY = BUNDLE / "tokenizer.model"


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny network with random weights, of the bundle's vocabulary."""
    torch.manual_seed(1)
    network = Reder(toy.tiny(vocabulary_size=Tokenizer(VOCABULARY).vocabulary_size))
    path = tmp_path_factory.mktemp("weights") / "mean.safetensors"
    save_weights(path, network)
    return path


def test_constructs(tmp_path: Path) -> None:
    """Without a network each sentence is a pair for both directions; the same seed writes the same file."""
    written = []
    for name in ("first", "second"):
        run = here("construct", "--sentences", 20, "--seed", 4, "--output", tmp_path / name)
        assert run.exit_code == 0, run.stderr
        assert run.stdout.splitlines() == [f"{tmp_path / name}: 20 pairs en-de", f"{tmp_path / name}: 20 pairs de-en"]
        (file,) = (tmp_path / name).iterdir()
        assert file.name == "constructed.tsv"
        written.append(file.read_text("utf-8"))
    assert written[0] == written[1]
    lines = written[0].splitlines()
    assert len(lines) == 20
    assert all(line.endswith("\tconstructed") for line in lines)


def test_constructs_with_a_network(weights: Path, tmp_path: Path) -> None:
    """A network chooses among the ways to say a sentence, for each direction by itself."""
    network = ["--weights", weights, "--tokenizer", BUNDLE]
    run = here("construct", "--sentences", 60, "--words", "rest", *network, "--output", tmp_path)
    assert run.exit_code == 0, run.stderr
    lines = (tmp_path / "constructed.tsv").read_text("utf-8").splitlines()
    names = [line.split("\t")[2] for line in lines]
    assert (
        {"constructed.en-de", "constructed.de-en"}
        <= set(names)
        <= {
            "constructed",
            "constructed.en-de",
            "constructed.de-en",
        }
    )
    for direction in ("en-de", "de-en"):
        taught = sum(name in {"constructed", f"constructed.{direction}"} for name in names)
        assert 20 < taught <= 60
        assert f"{tmp_path}: {taught} pairs {direction}" in run.stdout


def test_refusals(weights: Path, tmp_path: Path) -> None:
    """Weights need their vocabulary, and that which they were trained with; nothing is written otherwise."""
    folder = tmp_path / "new"
    alone = here("construct", "--weights", weights, "--output", folder)
    assert alone.exit_code == 2
    assert "--weights and --tokenizer belong together" in one_line(alone.stderr)
    broken = tmp_path / "tokenizer.model"
    broken.write_bytes(b"nothing")
    for vocabulary, why in ((broken, "is not a SentencePiece model"), (tmp_path / "none", "none")):
        run = here("construct", "--weights", weights, "--tokenizer", vocabulary, "--output", folder)
        assert run.exit_code == 1
        assert why in one_line(run.stderr)
    assert not folder.exists()
