"""Recipes and a bundle's config.toml: what they hold comes back, what they must not hold is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from model.config import (
    PRESETS,
    ConfigError,
    DataConfig,
    ModelConfig,
    ValidationSet,
    load_recipe,
    load_source_weights,
    model_config_from_toml,
    model_config_to_toml,
)
from tests.model import toy

FOLDER = Path(__file__).parents[2] / "model" / "recipes"
WEIGHTS = FOLDER / "language-models.toml"
DRAWN = FOLDER / "word-pairs.toml"
RECIPES = sorted({*FOLDER.glob("*.toml")} - {WEIGHTS, DRAWN})
IN_RUN_BOOK = re.findall(
    r"^```toml\n(.*?)^```", (FOLDER / "README.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
)

WHOLE = """
[model]
preset = "tiny"
dropout = 0.2

[data]
packed = "data/packed"
max_tokens = 50
default_weight = 0.5
[data.weights]
"stories" = 2.0
[[data.validation]]
name = "toy"
english = "toy.en"
german = "toy.de"
limit = 30

[train]
seed = 7
optimizer = "muon"
schedule = "hold"
"""


def recipe_file(folder: Path, text: str) -> Path:
    """Write a recipe."""
    path = folder / "recipe.toml"
    path.write_text(text, encoding="utf-8")
    return path


def refused(folder: Path, text: str) -> str:
    """The message with which a recipe is refused."""
    with pytest.raises(ConfigError) as error:
        load_recipe(recipe_file(folder, text), vocabulary_size=500)
    return str(error.value)


def test_recipe_is_read_whole(tmp_path: Path) -> None:
    """Every key arrives: presets expand, keys beside them override, paths are paths, the rest has its default."""
    recipe = load_recipe(recipe_file(tmp_path, WHOLE), vocabulary_size=500)
    assert recipe.model == ModelConfig(vocabulary_size=500, **{**PRESETS["tiny"], "dropout": 0.2})
    assert recipe.data.packed == Path("data/packed")
    assert (recipe.data.max_tokens, recipe.data.default_weight) == (50, 0.5)
    assert recipe.data.weights == {"stories": 2.0}
    toy_set = ValidationSet(name="toy", english=Path("toy.en"), german=Path("toy.de"), limit=30)
    assert recipe.data.validation == [toy_set]
    assert (recipe.train.seed, recipe.train.optimizer, recipe.train.schedule) == (7, "muon", "hold")
    assert (recipe.train.learning_rate, recipe.train.warmup_updates) == (5e-4, 4000)


def test_defaults_are_the_paper(tmp_path: Path) -> None:
    """A recipe that says nothing but where its data is gets the paper's network and schedule."""
    recipe = load_recipe(recipe_file(tmp_path, '[data]\npacked = "x"'), vocabulary_size=500)
    assert recipe.model == ModelConfig(vocabulary_size=500, **PRESETS["base"])
    assert (recipe.model.width, recipe.model.ffn_width, recipe.model.layers_per_end) == (512, 2048, 6)
    assert (recipe.model.heads, recipe.model.dropout, recipe.model.upsampling) == (8, 0.1, 2)
    train = recipe.train
    assert (train.optimizer, train.schedule, train.learning_rate) == ("adam", "inverse_sqrt", 5e-4)
    assert (train.warmup_updates, train.weight_decay, train.label_smoothing) == (4000, 0.01, 0.1)


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("[train]", "[training]", "training"),
        ("seed = 7", "sed = 7", "sed"),
        ("max_tokens", "max_token", "max_token"),
        ("dropout", "drop_out", "drop_out"),
        ("limit = 30", "lines = 30", "lines"),
        ('preset = "tiny"', 'preset = "huge"', "huge"),
        ('optimizer = "muon"', 'optimizer = "sgd"', "sgd"),
        ('schedule = "hold"', 'schedule = "cosine"', "cosine"),
        ('packed = "data/packed"\n', "", "packed"),
        ('german = "toy.de"\n', "", "german"),
        ("dropout = 0.2", "dropout = 1.0", "dropout"),
        ("dropout = 0.2", "heads = 5", "heads"),
        ("dropout = 0.2", "width = 0", "width"),
        ("dropout = 0.2", 'width = "wide"', "model"),
        ("seed = 7", "max_updates = 0", "max_updates"),
        ("seed = 7", "label_smoothing = 1.5", "label_smoothing"),
        ("seed = 7", "seed = -1", "seed"),
        ("seed = 7", "learning_rate = inf", "learning_rate"),
        ("seed = 7", "decay_minutes = 2.0", "decay_minutes"),
        ('schedule = "hold"', "decay_updates = 20", "decay_updates"),
        ('schedule = "hold"', "max_minutes = 9.0\ndecay_minutes = 2.0", "decay_minutes"),
        ("seed = 7", "ctc_weight = 0.0", "ctc_weight"),
        ("seed = 7", "ctc_weight = 0.0\nstage_two_update = 9", "ctc_weight"),
        ("seed = 7", "risk_weight = 1.0", "searched_with"),
        ("seed = 7", "retain_weight = 1.0", "retained_from"),
        ("seed = 7", 'retain_weight = 1.0\nretained_from = "w.safetensors"', "data.retained"),
        ('"stories" = 2.0', '"stories" = inf', "stories"),
        ('preset = "tiny"', 'preset = ["tiny"]', "preset"),
        ("dropout = 0.2", 'architecture = "dual"\nwidth = 33\nheads = 3', "width"),
        ("[model]", "[[model]]", "model must be a table"),
    ],
)
def test_every_mistake_is_named(tmp_path: Path, old: str, new: str, named: str) -> None:
    """An unknown section, key, preset or choice, a missing key or a value out of range is named in the error."""
    assert old in WHOLE
    assert named in refused(tmp_path, WHOLE.replace(old, new))


def test_unknown_key_is_named_before_other_mistakes(tmp_path: Path) -> None:
    """Of several mistakes a misspelt key comes first: the others may follow from it."""
    message = refused(tmp_path, WHOLE.replace("seed = 7", "max_updates = 0\nsed = 7"))
    assert message == "recipe.toml: unknown key train.sed"


@pytest.mark.parametrize("text", ["[model", "model = ", "\x00"])
def test_recipe_that_is_no_toml(tmp_path: Path, text: str) -> None:
    """What is not TOML is an error with the file's name."""
    assert "recipe.toml" in refused(tmp_path, text)


def test_recipe_with_a_byte_order_mark(tmp_path: Path) -> None:
    """Editors on Windows write one first; it is no part of the recipe."""
    marked = load_recipe(recipe_file(tmp_path, f"\ufeff{WHOLE}"), vocabulary_size=500)
    assert marked == load_recipe(recipe_file(tmp_path, WHOLE), vocabulary_size=500)


def test_recipe_that_is_not_there(tmp_path: Path) -> None:
    """A missing recipe is an error with its name."""
    with pytest.raises(ConfigError, match=r"gone\.toml"):
        load_recipe(tmp_path / "gone.toml", vocabulary_size=500)


@pytest.mark.parametrize("config", [toy.tiny(), *(ModelConfig(vocabulary_size=9, **p) for p in PRESETS.values())])
def test_bundle_config_round_trip(config: ModelConfig) -> None:
    """A bundle's config.toml gives back the very shape that was written."""
    assert model_config_from_toml(model_config_to_toml(config)) == config


def test_bundle_config_with_unknown_key() -> None:
    """A bundle's config.toml from another release is refused, with the key's name."""
    with pytest.raises(ConfigError, match="gating"):
        model_config_from_toml(model_config_to_toml(toy.tiny()) + "gating = 1\n")


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.name)
def test_shipped_recipes_load(path: Path) -> None:
    """Every recipe in the repository is valid, and its longest sentences fit its network."""
    recipe = load_recipe(path, vocabulary_size=8000)
    assert recipe.data.max_tokens <= recipe.model.max_source_tokens
    assert recipe.data.validation


@pytest.mark.parametrize("text", IN_RUN_BOOK)
def test_recipes_in_the_run_book_load(text: str, tmp_path: Path) -> None:
    """So are those that are to be copied from it."""
    path = tmp_path / "copied.toml"
    path.write_text(text, encoding="utf-8")
    test_shipped_recipes_load(path)


def test_there_are_recipes() -> None:
    """The folder is where these tests look for it."""
    assert RECIPES
    assert IN_RUN_BOOK


def test_weights_of_the_language_models_load() -> None:
    """What the shipped language models were counted with names sources and weighs them."""
    weights = load_source_weights(WEIGHTS)
    assert weights.weight("wmt12-dev") > weights.weight("deb-wesnoth") == 1 > weights.weight("ms-win32.MT") > 0


def test_weights_of_word_pairs_load() -> None:
    """Of manuals, most of the text, few sentences are drawn, and of printed words none."""
    weights = load_source_weights(DRAWN)
    assert weights.weight("wmt12-dev") > 1 > weights.weight("adobe-commerce") > weights.weight("ding-dictionary") == 0


def test_weight_by_pattern() -> None:
    """A name counts before a pattern, the first pattern that matches counts, and the rest get the default."""
    data = DataConfig(
        packed=Path("packed"), default_weight=0.5, weights={"docs-*": 0.1, "*.en-de": 3.0, "docs-a.en-de": 2.0}
    )
    names = {"docs-a.en-de": 2.0, "docs-b.en-de": 0.1, "talk.en-de": 3.0, "talk": 0.5}
    assert {name: data.weight(name) for name in names} == names
