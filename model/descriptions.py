"""What commands note beside what they made of a corpus: of which sources. JSON, for people and the model card."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from model.bundle import MANIFEST, Bundle
from model.data.corpus import CorpusError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from model.bundle import Tokenizer

__all__ = [
    "DICTIONARY",
    "LANGUAGE_MODELS",
    "SHORTLISTS",
    "VOCABULARY",
    "WORD_PAIRS",
    "check_vocabulary",
    "described_sources",
    "write_description",
]

LANGUAGE_MODELS = "language-models.json"
DICTIONARY = "dictionary.json"
SHORTLISTS = "shortlists.json"
WORD_PAIRS = "word_pairs.json"
VOCABULARY = "vocabulary"
"""Under which a description has the digest of the vocabulary, where tokens were counted."""


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


def check_vocabulary(folder: Path | None, tokenizer: Tokenizer) -> None:
    """See that the language models and shortlists in a folder were counted in the tokens of a vocabulary.

    Descriptions that do not tell are taken for right.

    Raises:
        CorpusError: they were counted in others, of which there may be as many.
        BundleError: the folder is a bundle that cannot be opened.
    """
    if folder is None:
        return
    noted = {}
    if (folder / MANIFEST).exists():
        noted[folder] = Bundle.open(folder).tokenizer.digest
    else:
        for path in (folder / LANGUAGE_MODELS, folder / SHORTLISTS):
            if path.exists():
                noted[path] = json.loads(path.read_text(encoding="utf-8")).get(VOCABULARY)
    if others := [str(path) for path, digest in noted.items() if digest and digest != tokenizer.digest]:
        msg = f"{', '.join(others)}: of another vocabulary than the network's; count again in its packed corpus"
        raise CorpusError(msg)
