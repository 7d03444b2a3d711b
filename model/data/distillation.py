"""Sequence-level distillation (Kim and Rush 2016): a corpus translated by a teacher, in shards.

A non-autoregressive student learns far better from a teacher's regular translations than from
people's varied ones (REDER section 4). For each direction the source side is kept and the target
side is the teacher's; the shards are TSV files that `reder prepare` reads like any other corpus, so
that text distilled by another system can take their place.

    distillation.json       what is being translated, and how: a later call must agree
    en-de-00000.tsv         English as it was, German by the teacher, source name + ".en-de"
    de-en-00000.tsv         English by the teacher, German as it was, source name + ".de-en"

The teacher's translation is its best one, or the one of its best few that is closest to what people
wrote (sequence-level interpolation, section 3.3). What is too far from that can be left out, so that even a weak
teacher, such as an earlier student, teaches only what it gets right.

A shard is written whole or not at all, so stopping at any time loses at most one.
"""

from __future__ import annotations

import json
import os
import time
import zlib
from dataclasses import dataclass, field
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from sacrebleu.metrics.chrf import CHRF
from tqdm import tqdm

from model.bundle import DIRECTIONS, Direction, file_record, fold
from model.data.corpus import Cleaner, CorpusError, Pair, chunks, digest, matches, read_pairs
from model.data.packed import PACKED_DESCRIPTION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

__all__ = [
    "Distillation",
    "Outcome",
    "distill",
    "note_description",
    "original_source",
    "share_of",
    "teacher_name",
]

_DESCRIPTION = "distillation.json"
_CHRF = CHRF()
_DIGEST_DIGITS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Distillation:
    """What to translate.

    Args:
        inputs: a corpus, as `read_pairs` takes it.
        output: folder of the shards.
        teacher: what the teacher is called, of `teacher_name`; recorded, and compared when resuming.
        translate: the teacher; for each text one or more translations, the best first.
        decoding: how it translates, as JSON can hold it; recorded and compared like its name.
        closest: take the translation with the highest chrF against the target side, not the first.
        min_chrf: leave out sentences whose translation has less chrF (0 to 100) against the target side.
        directions: which ones.
        shares: by pattern, the share (0 to 1) of the sentences to translate from sources whose name
            matches; the first that matches counts, and what none matches is translated whole.
        part: (k, n) writes shards k, k + n, k + 2n, …, so that n processes may share the work.
        shard_sentences: sentences in a shard.
        max_characters: longer sentences, which teachers translate badly, are left out.
    """

    inputs: Sequence[Path]
    output: Path
    teacher: str
    translate: Callable[[Direction, Sequence[str]], list[list[str]]]
    decoding: Mapping[str, float | str | None] = field(default_factory=dict)
    closest: bool = False
    min_chrf: float = 0.0
    directions: Sequence[Direction] = DIRECTIONS
    shares: Sequence[tuple[str, float]] = ()
    part: tuple[int, int] = (0, 1)
    shard_sentences: int = 10_000
    max_characters: int = 400


@dataclass(frozen=True, slots=True)
class Outcome:
    """Shards written by this call, shards that were there already, and whether all of this part are there now."""

    written: int
    found: int
    complete: bool


def original_source(name: str) -> str:
    """The name of the source that was translated, given that of the distilled one; other names stay as they are."""
    for direction in DIRECTIONS:
        name = name.removesuffix(f".{direction}")
    return name


def share_of(source: str, shares: Sequence[tuple[str, float]]) -> float:
    """The share given with the first pattern that matches a source's name; 1 if none does."""
    return next((share for pattern, share in shares if matches(source, pattern)), 1.0)


def distill(task: Distillation, *, minutes: float | None = None) -> Outcome:
    """Translate a corpus, or go on where an earlier call stopped.

    Args:
        task: what to translate.
        minutes: start no new shard after so long.

    Raises:
        CorpusError: the corpus cannot be read, or the folder holds another distillation.
    """
    deadline = None if minutes is None else time.monotonic() + minutes * 60
    _check_description(task)
    written = found = 0
    for direction in task.directions:
        shards = chunks(_sources(task, direction), task.shard_sentences)
        for number, pairs in enumerate(tqdm(shards, desc=str(direction), unit="shard", disable=None)):
            if number % task.part[1] != task.part[0]:
                continue
            path = task.output / f"{direction}-{number:05d}.tsv"
            if path.exists():
                found += 1
                continue
            if deadline is not None and time.monotonic() >= deadline:
                return Outcome(written, found, complete=False)
            _write_shard(path, task, direction, pairs)
            written += 1
    return Outcome(written, found, complete=True)


def _sources(task: Distillation, direction: Direction) -> Iterator[Pair]:
    """Cleaned pairs, each source sentence once, always the same in the same order."""
    seen: set[int] = set()
    shares: dict[str, float] = {}
    for pair in Cleaner(max_characters=task.max_characters).clean(read_pairs(task.inputs)):
        folded = fold(pair.side(direction.source))
        if pair.source not in shares:
            shares[pair.source] = share_of(pair.source, task.shares)
        if hash(folded) in seen or not _is_drawn(folded, shares[pair.source]):
            continue
        seen.add(hash(folded))
        yield pair


def _is_drawn(text: str, share: float) -> bool:
    """Whether a text is in a random share of all, the same in every process."""
    return zlib.crc32(text.encode()) < share * (1 << 32)


def _write_shard(path: Path, task: Distillation, direction: Direction, pairs: list[Pair]) -> None:
    """Translate one shard; sentences for which the teacher finds nothing, or nothing good enough, are left out."""
    sources = [pair.side(direction.source) for pair in pairs]
    lines = []
    for pair, source, translations in zip(pairs, sources, task.translate(direction, sources), strict=True):
        chosen = _choose(task, translations, pair.side(direction.target))
        target = " ".join(chosen.split())
        if target:
            sides = direction.english_first(source, target)
            lines.append("\t".join([*sides, f"{pair.source}.{direction}"]) + "\n")
    partial = path.with_suffix(".partial")
    partial.write_text("".join(lines), encoding="utf-8")
    partial.replace(path)


def _choose(task: Distillation, translations: list[str], reference: str) -> str:
    """The first translation, or the one most like the reference; "" if that is not like it enough."""
    if not task.closest and not task.min_chrf:
        return translations[0]
    considered = translations if task.closest else translations[:1]
    scored = ((_CHRF.sentence_score(text, [reference]).score, text) for text in considered)
    score, chosen = max(scored, key=itemgetter(0))
    return chosen if score >= task.min_chrf else ""


def _check_description(task: Distillation) -> None:
    """See that the folder holds shards of the same text and teacher, or none."""
    wanted = {
        "teacher": task.teacher,
        "decoding": dict(task.decoding),
        "inputs": [path.name for path in task.inputs],
        "text": digest(task.inputs),
        "closest": task.closest,
        "min_chrf": task.min_chrf,
        "shares": [list(entry) for entry in task.shares],
        "shard_sentences": task.shard_sentences,
        "max_characters": task.max_characters,
    }
    note_description(task.output, wanted)


def teacher_name(name: str, file: Path) -> str:
    """What a teacher is called: `mean.safetensors` alone might be that of any run, so its contents say which.

    Args:
        name: of a weights file, or of a bundle.
        file: the weights, or the bundle's manifest.
    """
    return f"{name} {file_record(file).sha256[:_DIGEST_DIGITS]}"


def note_description(folder: Path, wanted: dict[str, Any]) -> None:
    """Note what a folder is to hold, or compare with what was noted: shards of two teachers must not mix.

    Raises:
        CorpusError: it holds another distillation or a prepared corpus, or the note cannot be read.
    """
    path = folder / _DESCRIPTION
    folder.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        if (folder / PACKED_DESCRIPTION).exists():
            msg = f"{folder} holds a corpus that is no distillation. Use another folder"
            raise CorpusError(msg)
        partial = path.with_suffix(f".{os.getpid()}.partial")  # commands for several parts may begin at once
        partial.write_text(json.dumps(wanted, indent=2) + "\n", encoding="utf-8")
        partial.replace(path)
        return
    try:
        noted = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        msg = f"{path} cannot be read: {error}"
        raise CorpusError(msg) from error
    if noted != wanted:
        keys = [key for key in {**noted, **wanted} if noted.get(key) != wanted.get(key)]
        differing = "; ".join(f"{key} was {noted.get(key)!r} and is {wanted.get(key)!r}" for key in keys)
        msg = f"{folder} holds another distillation: {differing}. Use another folder"
        raise CorpusError(msg)
