"""What commands note beside what they made of a corpus: of which sources. JSON, for people and the model card."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from model.data.corpus import CorpusError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["DICTIONARY", "LANGUAGE_MODELS", "SHORTLISTS", "WORD_PAIRS", "described_sources", "write_description"]

LANGUAGE_MODELS = "language-models.json"
DICTIONARY = "dictionary.json"
SHORTLISTS = "shortlists.json"
WORD_PAIRS = "word_pairs.json"


def write_description(path: Path, description: Mapping[str, Any]) -> None:
    """Write a description; `sources` in it are the names of those that were used."""
    path.write_text(json.dumps(description, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def described_sources(folder: Path) -> set[str]:
    """The sources of the language models in a folder, and of dictionaries, shortlists and word pairs, if it has some.

    Raises:
        CorpusError: the folder holds no language models.
    """
    tables = (path for name in (DICTIONARY, SHORTLISTS, WORD_PAIRS) for path in folder.glob(name))
    descriptions = [folder / LANGUAGE_MODELS, *tables]
    try:
        return {source for one in descriptions for source in json.loads(one.read_text(encoding="utf-8"))["sources"]}
    except (OSError, ValueError, KeyError) as error:
        msg = f"{folder} holds no language models (run `reder language-models`): {error}"
        raise CorpusError(msg) from error
