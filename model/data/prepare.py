"""From text files to a packed corpus: read, clean, learn a vocabulary, pack, count.

Text is held in memory once, and token ids while they are packed: together less than two kilobytes a
pair. Everything is written to a folder beside the target and renamed at the end.
"""

from __future__ import annotations

import random
import shutil
import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tqdm import tqdm

from model.bundle import Tokenizer, fold
from model.data.corpus import Cleaner, CorpusError, Pair, check_existing, files_of, matches, read_lines, read_pairs
from model.data.packed import PACKED_DESCRIPTION, PackedCorpus, pack
from model.data.vocabulary import train_vocabulary
from model.folders import written_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

__all__ = ["Preparation", "Prepared", "VocabularyConfig", "prepare"]

_COMPRESSIONS = ("", ".gz", ".xz")
_TEXTS = ("tsv", "en", "de", "txt")


@dataclass(frozen=True, slots=True, kw_only=True)
class VocabularyConfig:
    """How to learn the vocabulary.

    Args:
        size: number of tokens.
        sentences: how many sentences to learn from, drawn at random from both sides.
        shares: by pattern, the share (0 to 1) of the pairs that take part in that draw. A pattern
            (`*` and `?`) is compared with a pair's source and with the name of its file; the
            first that matches counts, and what none matches takes part whole.
        seed: for both draws.
    """

    size: int = 8000
    sentences: int = 500_000
    shares: tuple[tuple[str, float], ...] = ()
    seed: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Preparation:
    """What to prepare.

    Args:
        inputs: files and folders, as `read_pairs` takes them.
        output: folder to write.
        vocabulary: how to learn one, or an existing one to use.
        held_out: files and folders of text never to train on, whatever its language: each line, and
            each of the first two fields of a TSV line.
        excluded_sources: patterns of sources to leave out.
        max_characters: longest side kept.
        max_ratio: see `Cleaner`.
        is_other_language: see `Cleaner`; None checks no language.
        replace: whether an earlier packed corpus at `output` may be replaced.
    """

    inputs: Sequence[Path]
    output: Path
    vocabulary: VocabularyConfig | Path = field(default_factory=VocabularyConfig)
    held_out: Sequence[Path] = ()
    excluded_sources: Sequence[str] = ()
    max_characters: int = 400
    max_ratio: float = 2.5
    is_other_language: Callable[[str, str], bool] | None = None
    replace: bool = False

    def describe(self) -> dict[str, Any]:
        """The options as plain values, for packed.json. Paths are reduced to their names."""
        known = self.vocabulary
        return {
            "inputs": [path.resolve().name for path in self.inputs],
            "vocabulary": {name: getattr(known, name) for name in known.__slots__}
            if isinstance(known, VocabularyConfig)
            else known.resolve().name,
            "held_out": [path.resolve().name for path in self.held_out],
            "excluded_sources": list(self.excluded_sources),
            "max_characters": self.max_characters,
            "max_ratio": self.max_ratio,
            "language_check": self.is_other_language is not None,
        }


@dataclass(frozen=True, slots=True)
class Prepared:
    """A packed corpus and what became of the pairs that were read, by reason and by source."""

    corpus: PackedCorpus
    dropped: Counter[str]
    read: Counter[str]
    kept: Counter[str]

    def report(self) -> str:
        """Two Markdown tables."""
        total, read, kept = self.read.total(), self.read, self.kept
        reasons = [("kept", kept.total()), *self.dropped.most_common()]
        sources = sorted(read, key=lambda source: (-kept[source], source))
        lines = ["| outcome | pairs | share |", "|---|---:|---:|"]
        lines += [f"| {reason} | {count:,} | {count / total:.1%} |" for reason, count in reasons]
        lines += ["", "| source | read | kept | share |", "|---|---:|---:|---:|"]
        lines += [
            f"| {source} | {read[source]:,} | {kept[source]:,} | {kept[source] / read[source]:.1%} |"
            for source in sources
        ]
        return "\n".join(lines)


def prepare(options: Preparation) -> Prepared:
    """Read, clean, learn a vocabulary and pack. Shows progress where standard error is a terminal.

    Raises:
        CorpusError: nothing to read, a file that cannot be read, a pattern that matches nothing,
            too little text, or an output folder that may not be replaced.
        ManifestError: the given tokenizer cannot be used.
    """
    _check_output(options)
    if not isinstance(options.vocabulary, VocabularyConfig):
        Tokenizer(options.vocabulary)  # wrong ones are found before the work, not after
    with written_whole(options.output) as folder:
        selection = _Selection(options)
        pairs = list(selection.clean_pairs())
        selection.check(len(pairs))
        if isinstance(options.vocabulary, VocabularyConfig):
            config = options.vocabulary
            _say(f"learning {config.size} tokens from {len(selection.for_vocabulary):,} of {len(pairs):,} pairs")
            train_vocabulary(
                selection.for_vocabulary,
                folder / "tokenizer.model",
                size=config.size,
                max_sentences=config.sentences,
                seed=config.seed,
            )
        else:
            shutil.copyfile(options.vocabulary, folder / "tokenizer.model")
        selection.for_vocabulary.clear()
        _say(f"packing {len(pairs):,} pairs")
        pack(pairs, folder, about={"prepared": options.describe(), **selection.counts()})
    dropped = selection.cleaner.dropped
    return Prepared(PackedCorpus.open(options.output), dropped, selection.read, selection.kept)


class _Selection:
    """Streams the pairs that stay, and notes on the way what is counted and what the vocabulary sees."""

    def __init__(self, options: Preparation) -> None:
        self.options = options
        self.cleaner = Cleaner(
            max_characters=options.max_characters,
            max_ratio=options.max_ratio,
            held_out=_held_out(options.held_out),
            is_other_language=options.is_other_language,
        )
        self.read: Counter[str] = Counter()
        self.kept: Counter[str] = Counter()
        self.for_vocabulary: list[Pair] = []
        self._matched: set[str] = set()
        config = options.vocabulary
        self._shares = config.shares if isinstance(config, VocabularyConfig) else ()
        self._learns = isinstance(config, VocabularyConfig)
        self._draw = random.Random(config.seed if isinstance(config, VocabularyConfig) else 0)

    def clean_pairs(self) -> Iterator[Pair]:
        """The pairs to keep, file after file.

        Raises:
            CorpusError: as `read_pairs`.
        """
        for file in files_of(self.options.inputs):
            shares: dict[str, float] = {}
            with tqdm(desc=file.name, unit=" pairs", unit_scale=True, disable=None) as bar:
                for pair in self.cleaner.clean(self._included(file, bar)):
                    # one string for all pairs of a source, not one each
                    source = sys.intern(pair.source)
                    kept = Pair(pair.english, pair.german, source)
                    self.kept[source] += 1
                    if source not in shares:
                        shares[source] = self._share(source, file.name)
                    if self._learns and self._draw.random() < shares[source]:
                        self.for_vocabulary.append(kept)
                    yield kept

    def _included(self, file: Path, bar: tqdm[Any]) -> Iterator[Pair]:
        excluded: dict[str, bool] = {}
        for pair in read_pairs([file]):
            bar.update()
            self.read[pair.source] += 1
            if pair.source not in excluded:
                excluded[pair.source] = self._is_excluded(pair.source)
            if excluded[pair.source]:
                self.cleaner.dropped["excluded source"] += 1
            else:
                yield pair

    def _is_excluded(self, source: str) -> bool:
        matching = [pattern for pattern in self.options.excluded_sources if matches(source, pattern)]
        self._matched.update(matching)
        return bool(matching)

    def _share(self, source: str, file_name: str) -> float:
        for pattern, share in self._shares:
            if matches(source, pattern) or matches(file_name, pattern):
                self._matched.add(pattern)
                return share
        return 1.0

    def check(self, pairs: int) -> None:
        """Refuse an empty corpus, and patterns that did nothing: typing errors there would pass unnoticed.

        Raises:
            CorpusError: says what was dropped, or names the patterns.
        """
        given = [*self.options.excluded_sources, *(pattern for pattern, _ in self._shares)]
        if idle := [pattern for pattern in given if pattern not in self._matched]:
            msg = f"no pair comes from {', '.join(idle)}; sources read: {', '.join(sorted(self.read))}"
            raise CorpusError(msg)
        if not pairs:
            reasons = ", ".join(f"{reason} {count}" for reason, count in self.cleaner.dropped.most_common())
            msg = f"no pair is left; dropped: {reasons or 'none, the files are empty'}"
            raise CorpusError(msg)

    def counts(self) -> dict[str, Any]:
        """What was dropped and kept, for packed.json."""
        by_source = {source: {"read": self.read[source], "kept": self.kept[source]} for source in sorted(self.read)}
        return {"dropped": dict(self.cleaner.dropped.most_common()), "by_source": by_source}


def _texts(paths: Sequence[Path]) -> list[Path]:
    """The given files, and those in the given folders whose suffix is that of a text.

    Raises:
        CorpusError: there is none, or a given one does not exist.
    """
    check_existing(paths)
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            files += sorted(file for k in _TEXTS for c in _COMPRESSIONS for file in path.rglob(f"*.{k}{c}"))
        else:
            files.append(path)
    if not files:
        msg = f"no text found in {', '.join(map(str, paths))}; expected files .{', .'.join(_TEXTS)} (also .gz or .xz)"
        raise CorpusError(msg)
    return files


def _held_out(paths: Sequence[Path]) -> frozenset[str]:
    if not paths:
        return frozenset()
    sides = (side for file in _texts(paths) for line in read_lines(file) for side in line.split("\t")[:2])
    return frozenset(fold(side) for side in sides) - {""}


def _check_output(options: Preparation) -> None:
    if not options.output.exists():
        return
    if not options.replace:
        msg = f"{options.output} exists already; --force replaces it"
        raise CorpusError(msg)
    if not (options.output / PACKED_DESCRIPTION).is_file():
        msg = f"{options.output} is not a packed corpus and will not be replaced; choose another folder"
        raise CorpusError(msg)


def _say(message: str) -> None:
    if sys.stderr.isatty():
        tqdm.write(message, file=sys.stderr)
