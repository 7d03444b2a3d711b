"""The ablation: recipes that differ in one thing, a table of means, and a run from recipe to score."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from benchmarks.__main__ import app
from benchmarks.ablation import VARIANTS, Setting, recipe_text, render
from model.config import load_recipe
from model.data.corpus import Pair
from model.data.vocabulary import train_vocabulary
from tests.benchmarks.support import run_here, table_rows
from tests.model import toy

if TYPE_CHECKING:
    from pathlib import Path

CAPTIONS = "multi30k-task1-train"


@pytest.fixture
def setting(tmp_path: Path) -> Setting:
    """Two packed corpora, as people and as a teacher wrote them, and a validation set."""
    pairs = toy.sentences(60)
    for name, suffix in (("packed", ""), ("distilled", ".en-de")):
        (tmp_path / name).mkdir()
        if name == "packed":
            train_vocabulary(pairs, tmp_path / "tokenizer.model", size=toy.VOCABULARY_SIZE, max_sentences=100)
        named = [Pair(pair.english, pair.german, CAPTIONS + suffix) for pair in pairs]
        toy.packed(named, tmp_path / "tokenizer.model", tmp_path / name)
    toy.validation_set(tmp_path, pairs[:4], "captions")
    return Setting(tmp_path / "runs", tmp_path / "packed", tmp_path / "distilled", tmp_path, "captions", updates=10)


@pytest.mark.parametrize("name", VARIANTS)
def test_recipe_of_each_variant(setting: Setting, name: str, tmp_path: Path) -> None:
    """Every variant's recipe can be read, and differs from the others only in what its name says."""
    path = tmp_path / "recipe.toml"
    path.write_text(recipe_text(setting, VARIANTS[name], seed=3), encoding="utf-8")
    recipe = load_recipe(path, vocabulary_size=toy.VOCABULARY_SIZE)
    assert recipe.train.seed == 3
    assert (recipe.train.stage_two_update is not None) == ("agreement" in name or "cycle" in name)
    assert (recipe.train.agreement_weight > 0) == ("agreement" in name or recipe.train.stage_two_update is None)
    assert len(recipe.train.directions) == (1 if "alone" in name else 2)
    assert recipe.data.way(f"{CAPTIONS}.de-en") == ("de-en" if "one way" in name else None)
    assert (recipe.data.weight(CAPTIONS) > 0) == (name == "raw")
    assert (recipe.data.weight(f"{CAPTIONS}.en-de") > 0) == (name not in {"raw", "distilled, de-en alone"})


def test_table_has_means_and_deviations() -> None:
    """Several seeds give mean and standard deviation, one seed its value, none an empty cell."""
    text = render({"raw": {("en-de", "greedy"): [30.0, 32.0], ("de-en", "beam"): [35.25]}})
    *_, row = text.splitlines()
    assert row == "| raw | 31.0 ± 1.4 |  |  |  | 35.2 |  |"


def test_run_is_scored_once(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command trains, scores every way of decoding and prints the table; called again it only reads."""
    run_here(monkeypatch, "ablation")
    options = ["ablation", "--only", "distilled, en-de alone", "--seeds", "1", "--updates", "10", "--jobs", "1"]
    places = {"folder": "folder", "packed": "packed", "distilled": "distilled", "sets": "sets"}
    for option, field in places.items():
        options += [f"--{option}", str(getattr(setting, field))]
    options += ["--validation", "captions"]
    first = CliRunner().invoke(app, options)
    assert first.exit_code == 0, first.output
    (scores,) = setting.folder.glob("*/scores.json")
    assert set(json.loads(scores.read_text(encoding="utf-8"))) == {"en-de greedy", "en-de beam"}
    (scores.parent / "recipe.toml").unlink()  # what is not there cannot be trained again
    assert table_rows(CliRunner().invoke(app, options).stdout) == table_rows(first.stdout) != []
