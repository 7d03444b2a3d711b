"""Token ids on disk, ready to train on: flat arrays, memory-mapped, loaded in milliseconds.

tokenizer.model     the vocabulary that made the ids
en.ids.npy          uint16 or uint32, all English sentences end to end; likewise de.ids.npy
en.offsets.npy      int64 [pairs + 1], where each sentence starts; likewise de.offsets.npy
sources.npy         uint16 [pairs], index into the names below
packed.json         counts, source names, what cleaning dropped
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from model.bundle import Tokenizer
from model.data.corpus import CorpusError, chunks, matches

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from numpy.typing import DTypeLike, NDArray

    from model.data.corpus import Pair

__all__ = ["PACKED_DESCRIPTION", "PackedCorpus", "Side", "pack", "write_packed"]

PACKED_DESCRIPTION = "packed.json"

_CHUNK = 20_000
_SEED = 1
_UINT16_TOKENS = _MOST_SOURCES = 1 << 16


@dataclass(frozen=True, slots=True)
class Side:
    """All sentences of one language: flat ids and [pairs + 1] offsets."""

    ids: NDArray[Any]
    offsets: NDArray[np.int64]

    def __getitem__(self, index: int) -> NDArray[Any]:
        return self.ids[self.offsets[index] : self.offsets[index + 1]]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Tokens in each sentence, int64 [pairs]."""
        return np.diff(self.offsets)

    @classmethod
    def of(cls, sentences: Sequence[Sequence[int] | NDArray[Any]], kind: DTypeLike) -> Side:
        """Token ids of such a type, laid end to end."""
        lengths = np.fromiter(map(len, sentences), dtype=np.int64, count=len(sentences))
        ids = np.fromiter(chain.from_iterable(sentences), dtype=kind, count=int(lengths.sum()))
        return cls(ids, np.concatenate([[0], np.cumsum(lengths)]))

    def rows(self, chosen: NDArray[np.int64]) -> Side:
        """Some sentences, by their numbers, in that order."""
        lengths = self.offsets[chosen + 1] - self.offsets[chosen]
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        # how far each token has moved from where it was
        moved = np.repeat(self.offsets[chosen] - offsets[:-1], lengths)
        return Side(self.ids[np.arange(len(moved)) + moved], offsets)

    @classmethod
    def end_to_end(cls, sides: Sequence[Side]) -> Side:
        """Several as one, in memory."""
        lengths = np.concatenate([side.lengths for side in sides])
        return cls(np.concatenate([side.ids for side in sides]), np.concatenate([[0], np.cumsum(lengths)]))


@dataclass(frozen=True, slots=True)
class PackedCorpus:
    """A folder written by `pack`, opened. `sources` is [pairs], an index into `source_names`."""

    path: Path
    english: Side
    german: Side
    sources: NDArray[np.uint16]
    source_names: list[str]

    @classmethod
    def open(cls, path: Path) -> PackedCorpus:
        """Map the arrays; nothing is read until it is used.

        Raises:
            CorpusError: the folder is not a packed corpus, or is empty.
        """
        try:
            description = json.loads((path / PACKED_DESCRIPTION).read_text(encoding="utf-8"))
            english, german = (
                Side(
                    np.load(path / f"{language}.ids.npy", mmap_mode="r"),
                    np.load(path / f"{language}.offsets.npy"),
                )
                for language in ("en", "de")
            )
            corpus = cls(path, english, german, np.load(path / "sources.npy"), description["sources"])
        except (OSError, EOFError, ValueError, KeyError) as error:
            msg = f"{path} is not a packed corpus (run `reder prepare`): {error}"
            raise CorpusError(msg) from error
        if not len(corpus):
            msg = f"{path} holds no pairs"
            raise CorpusError(msg)
        return corpus

    def side(self, language: str) -> Side:
        """The sentences of "en" or "de"."""
        return self.english if language == "en" else self.german

    def fingerprint(self) -> str:
        """Hexadecimal digits that tell this text, in this vocabulary and order, from any other. Reads all of it."""
        digest = hashlib.sha256((self.path / "tokenizer.model").read_bytes())
        for side in (self.english, self.german):
            digest.update(side.offsets.data)
            digest.update(np.ascontiguousarray(side.ids).data)
        return digest.hexdigest()

    def joined(self, others: Sequence[PackedCorpus]) -> PackedCorpus:
        """This corpus and others as one, in memory; a source that several hold is one source.

        Raises:
            CorpusError: another was packed with another vocabulary, or there are too many sources.
        """
        vocabulary = self.tokenizer().written
        for other in others:
            if other.tokenizer().written != vocabulary:
                msg = f"{other.path} was packed with another vocabulary than {self.path}"
                raise CorpusError(msg)
        parts = [self, *others]
        names = _source_names(chain.from_iterable(part.source_names for part in parts))
        index = {name: number for number, name in enumerate(names)}
        sources = [np.array([index[name] for name in part.source_names], np.uint16)[part.sources] for part in parts]
        english, german = (Side.end_to_end([getattr(part, side) for part in parts]) for side in ("english", "german"))
        return PackedCorpus(self.path, english, german, np.concatenate(sources), names)

    def sources_without(self, patterns: Sequence[str]) -> list[int]:
        """The numbers of the sources whose names match none of some patterns.

        Raises:
            CorpusError: a pattern matches no source.
        """
        found = {pattern: self._named(pattern) for pattern in patterns}
        if idle := [pattern for pattern, names in found.items() if not names]:
            msg = f"no pair of {self.path} comes from {', '.join(idle)}; its sources: {', '.join(self.source_names)}"
            raise CorpusError(msg)
        out = set(chain.from_iterable(found.values()))
        return [number for number, name in enumerate(self.source_names) if name not in out]

    def _named(self, pattern: str) -> list[str]:
        """The names of the sources that a pattern matches."""
        return [name for name in self.source_names if matches(name, pattern)]

    def check_named(self, what: str, patterns: Iterable[str]) -> None:
        """See that every pattern matches the name of a source.

        Raises:
            CorpusError: one does not; the message says what names it.
        """
        if idle := [pattern for pattern in patterns if not self._named(pattern)]:
            msg = f"{what} names sources that {self.path} does not hold: {sorted(idle)}"
            raise CorpusError(msg)

    def sample(self, sources: Iterable[int], most: int) -> NDArray[np.int64]:
        """The numbers of pairs, in ascending order: of each of some sources so many, drawn at random, or all it has."""
        random = np.random.default_rng(_SEED)
        parts = [np.zeros(0, np.int64)]
        for source in sources:
            pairs = np.flatnonzero(self.sources == source)
            parts.append(random.choice(pairs, min(len(pairs), most), replace=False))
        return np.sort(np.concatenate(parts))

    def __len__(self) -> int:
        return len(self.sources)

    def tokenizer(self) -> Tokenizer:
        """The vocabulary the ids refer to."""
        return Tokenizer(self.path / "tokenizer.model")


def pack(pairs: Sequence[Pair], path: Path, *, about: dict[str, Any]) -> PackedCorpus:
    """Encode pairs with the tokenizer already in `path` and write the arrays beside it.

    Args:
        pairs: cleaned text.
        path: folder that holds tokenizer.model.
        about: recorded in packed.json, for people.

    Raises:
        CorpusError: there are no pairs, or too many sources.
    """
    if not pairs:
        msg = "nothing left to pack: every pair was dropped in cleaning"
        raise CorpusError(msg)
    tokenizer = Tokenizer(path / "tokenizer.model")
    names = _source_names(pair.source for pair in pairs)
    index = {name: number for number, name in enumerate(names)}
    kind = np.uint16 if tokenizer.vocabulary_size <= _UINT16_TOKENS else np.uint32

    def encoded(side: str) -> Side:
        texts = ([getattr(pair, side) for pair in chunk] for chunk in chunks(pairs, _CHUNK))
        return Side.end_to_end([Side.of(tokenizer.encode_batch(some), kind) for some in texts])

    sources = np.fromiter((index[pair.source] for pair in pairs), dtype=np.uint16, count=len(pairs))
    return write_packed(PackedCorpus(path, encoded("english"), encoded("german"), sources, names), about=about)


def _source_names(sources: Iterable[str]) -> list[str]:
    """Each name once, sorted.

    Raises:
        CorpusError: they are more than an index has numbers for.
    """
    names = sorted(set(sources))
    if len(names) > _MOST_SOURCES:
        msg = (
            f"{len(names):,} sources, such as {names[0]!r}; {_MOST_SOURCES:,} is the most. If the third column of a "
            "TSV file is something else than the name of a source, leave it out"
        )
        raise CorpusError(msg)
    return names


def write_packed(corpus: PackedCorpus, *, about: dict[str, Any]) -> PackedCorpus:
    """Write a corpus that is in memory to its `path`, beside the tokenizer.model that is there already.

    Args:
        corpus: what to write.
        about: recorded in packed.json, for people.
    """
    path, tokens = corpus.path, {}
    for language, side in (("en", corpus.english), ("de", corpus.german)):
        np.save(path / f"{language}.offsets.npy", side.offsets)
        np.save(path / f"{language}.ids.npy", side.ids)
        tokens[language] = len(side.ids)
    np.save(path / "sources.npy", corpus.sources)
    description = {"pairs": len(corpus), "tokens": tokens, "sources": corpus.source_names, **about}
    (path / PACKED_DESCRIPTION).write_text(
        json.dumps(description, indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    return PackedCorpus.open(path)
