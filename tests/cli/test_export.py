"""Weights become a bundle, with the commands a user would type."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import torch

from model.architecture import build
from model.bundle import DIRECTIONS, Bundle
from model.checkpoint import save_weights
from model.data.vocabulary import train_vocabulary
from model.model_card import sources_of
from model.ngrams import write_language_models
from tests.cli.support import BUNDLE, reder
from tests.model import toy

if TYPE_CHECKING:
    from pathlib import Path

RECIPE = """
[model]
preset = "tiny"

[data]
packed = "packed"

[train]
"""


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a network that has learned nothing, and what its export reads."""
    folder = tmp_path_factory.mktemp("workshop")
    pairs = toy.sentences(520)
    for name in ("packed", "sets"):
        (folder / name).mkdir()
    train_vocabulary(pairs, folder / "tokenizer.model", size=toy.VOCABULARY_SIZE, max_sentences=100)
    corpus = toy.packed(pairs, folder / "tokenizer.model", folder / "packed")
    write_language_models(corpus, folder / "models", order=3, threshold=0.0)
    toy.validation_set(folder / "sets", pairs, "large")
    toy.validation_set(folder / "sets", pairs[:10], "small")
    torch.manual_seed(1)
    save_weights(folder / "network.safetensors", build(toy.tiny()))
    (folder / "one.toml").write_text(RECIPE, encoding="utf-8")
    rows = ["source\torigin\tlicence as stated", "stories\tour shelf\tCC0", "dialogue\tour ears\tMIT"]
    (folder / "sources.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def first(workshop: Path) -> Bundle:
    """What `reder export` makes of it."""
    run = reder(
        *("export", "one.toml", "--output", "first", "--weights", "network.safetensors", "--beam", 3),
        *("--validation", "sets/large", "--test", "sets/small", "--sources", "sources.tsv", "--built-on", BUNDLE),
        *("--language-models", "models", "--language-weight", 0.2),
        folder=workshop,
    )
    assert run.returncode == 0, run.stderr
    return Bundle.open(workshop / "first")


def card(bundle: Bundle) -> str:
    """Its model card."""
    return (bundle.path / "MODEL_CARD.md").read_text(encoding="utf-8")


def test_export_measures_and_describes(first: Bundle) -> None:
    """The bundle says what it was made of, the bundle before it included, and how good it is on each set."""
    manifest = first.manifest
    assert manifest.training["recipe"] == "one.toml"
    former = Bundle.open(BUNDLE)
    assert manifest.training["built_on"].split(", ")[-1] == former.manifest.training["recipe"]
    assert manifest.search.beam == 3
    assert {direction: fluency.weight for direction, fluency in first.fluency().items()} == dict.fromkeys(
        DIRECTIONS, 0.2
    )
    assert "3-grams counted in the text" in card(first)
    assert {(row["test_set"], row["use"]) for row in manifest.scores} == {("large", "validation"), ("small", "test")}
    assert manifest.parity["de-en"]["share"] > 0.999
    assert 0 <= manifest.weak_below <= 1
    assert "| stories | our shelf | CC0 |" in card(first)
    assert sources_of(card(former))[0] in sources_of(card(first))


def test_exported_bundle_translates(first: Bundle, workshop: Path) -> None:
    """The service's own checks pass on it, golden sentences included, and it writes a line for each it is given."""
    run = reder("translate", "--dir", "de-en", "--bundle", first.path, text=b"Ein Mann.\nDie Frau.\n", folder=workshop)
    assert run.returncode == 0, run.stderr
    assert run.stdout.count(b"\n") == 2


def test_refresh_keeps_the_network_and_what_is_known_of_it(first: Bundle, workshop: Path) -> None:
    """The graphs are written again from the bundle alone; it has the same weights, settings and sources."""
    run = reder("refresh", first.path, "--validation", "sets/large", "--output", "again", folder=workshop)
    assert run.returncode == 0, run.stderr
    again = Bundle.open(workshop / "again")
    assert again.manifest.training == first.manifest.training
    assert again.manifest.search == first.manifest.search
    kept = ("weights.safetensors", "ngrams.en.npz", "ngrams.de.npz")
    assert [again.manifest.files[name] for name in kept] == [first.manifest.files[name] for name in kept]
    assert sources_of(card(again)) == sources_of(card(first))
