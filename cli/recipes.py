"""What a recipe stands for: its settings, the packed corpus it names, and where its run lives."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from model.config import Recipe
    from model.data.packed import PackedCorpus

__all__ = ["default_run", "open_recipe"]


def open_recipe(path: Path) -> tuple[Recipe, PackedCorpus]:
    """Read a recipe and open its packed corpora.

    Raises:
        BundleError: the corpus' vocabulary cannot be used.
        ConfigError: the recipe cannot be used.
        CorpusError: the corpus cannot be read.
    """
    from model.config import load_recipe
    from model.data.packed import PackedCorpus

    draft = load_recipe(path, vocabulary_size=1)  # the size is known once the corpus is open
    corpus = PackedCorpus.open(draft.data.packed)
    if draft.data.also:
        corpus = corpus.joined([PackedCorpus.open(path) for path in draft.data.also])
    return load_recipe(path, vocabulary_size=corpus.tokenizer().vocabulary_size), corpus


def default_run(recipe: Path) -> Path:
    """The folder of a recipe's run, unless another is asked for."""
    return Path("runs") / recipe.stem
