"""Fixtures for the network, its data and its training."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import torch

from model.data.vocabulary import train_vocabulary
from model.reder import Reder
from tests.model import toy

if TYPE_CHECKING:
    from pathlib import Path

    from model.bundle import Tokenizer
    from model.data.corpus import Pair
    from model.data.packed import PackedCorpus


@pytest.fixture(scope="session")
def pairs() -> list[Pair]:
    """200 toy pairs from two collections."""
    return toy.sentences(200)


@pytest.fixture(scope="session")
def vocabulary(pairs: list[Pair], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SentencePiece model learned from the toy pairs."""
    path = tmp_path_factory.mktemp("vocabulary") / "tokenizer.model"
    train_vocabulary(pairs, path, size=toy.VOCABULARY_SIZE, max_sentences=1000)
    return path


@pytest.fixture(scope="session")
def other_vocabulary(pairs: list[Pair], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One of as many tokens, learned from fewer pairs."""
    path = tmp_path_factory.mktemp("vocabulary") / "tokenizer.model"
    train_vocabulary(pairs[:50], path, size=toy.VOCABULARY_SIZE, max_sentences=1000)
    return path


@pytest.fixture(scope="session")
def corpus(pairs: list[Pair], vocabulary: Path, tmp_path_factory: pytest.TempPathFactory) -> PackedCorpus:
    """The toy pairs, packed."""
    return toy.packed(pairs, vocabulary, tmp_path_factory.mktemp("packed"))


@pytest.fixture(scope="session")
def small_corpus(pairs: list[Pair], vocabulary: Path, tmp_path_factory: pytest.TempPathFactory) -> PackedCorpus:
    """The first 30 of them, packed with the same vocabulary."""
    return toy.packed(pairs[:30], vocabulary, tmp_path_factory.mktemp("small"))


@pytest.fixture(scope="session")
def tokenizer(corpus: PackedCorpus) -> Tokenizer:
    """The toy vocabulary."""
    return corpus.tokenizer()


@pytest.fixture
def model() -> Reder:
    """A tiny network with random weights and random normalisations, in float64."""
    torch.manual_seed(1)
    model = Reder(toy.tiny())
    toy.randomise_norms(model)
    return model.double().eval()
