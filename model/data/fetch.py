"""Public parallel corpora, downloaded with mtdata. Nothing else in this package needs a network."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

from mtdata import cache_dir
from mtdata.cache import Cache
from mtdata.entry import DatasetId, Langs
from mtdata.index import INDEX, get_entries
from mtdata.parser import Parser

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["FetchError", "catalogue", "fetch"]


class FetchError(RuntimeError):
    """A corpus cannot be had; the message names it and says why."""


def catalogue() -> list[str]:
    """The names of all corpora of English and German that mtdata knows, sorted."""
    return sorted(str(entry.did) for entry in get_entries(Langs("eng-deu"), fuzzy_match=True))


def fetch(name: str, folder: Path) -> Path:
    """Download a corpus and write it as TSV.gz: English, German, name.

    mtdata keeps what it downloads in its own cache (`$MTDATA`, by default `~/.mtdata`).

    Args:
        name: an entry of `catalogue`, such as Statmt-news_commentary-16-deu-eng.
        folder: where to write; created if need be.

    Returns:
        The file.

    Raises:
        FetchError: no such corpus, not English and German, no network, or a damaged download.
    """
    try:
        number = DatasetId.parse(name)
    except Exception as error:  # mtdata raises Exception itself
        msg = f"{name}: {error}"
        raise FetchError(msg) from error
    if str(number) not in set(catalogue()):
        msg = f"{name}: mtdata knows no English-German corpus of this name"
        raise FetchError(msg)
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{number}.tsv.gz"
    partial = folder / f"{number}.partial"
    try:
        with gzip.open(partial, "wt", encoding="utf-8") as file:
            for english, german in _pairs(number):
                file.write(f"{english}\t{german}\t{number}\n")
    except Exception as error:  # from requests, parsers of many formats, and bare assertions
        partial.unlink(missing_ok=True)
        msg = f"{name} cannot be downloaded or read: {str(error) or type(error).__name__}"
        raise FetchError(msg) from error
    return partial.replace(target)


def _pairs(number: DatasetId) -> Iterator[tuple[str, str]]:
    """English and German, each on one line, whatever the order in the corpus."""
    entry = INDEX[number]
    path = Cache(cache_dir).get_entry(entry)
    german_first = number.langs[0].lang == "deu"
    for first, second, *_ in Parser(path, ext=entry.in_ext or None, ent=entry).read_segs():
        english, german = (second, first) if german_first else (first, second)
        yield " ".join(english.split()), " ".join(german.split())
