"""Sequence-level distillation of a packed corpus: token ids in, token ids out.

For a GPU, which translates faster than text is read, cleaned and encoded. What comes out is a packed corpus that
recipes name beside the first: of the sentences drawn, the source side and what the teacher makes of it, with sources
called NAME.en-de or NAME.de-en as in `distillation`.

    shards/00000.npz    what is done; a later call goes on after the last
    (the files of a packed corpus)

Sentences are drawn in random order, so that what a time limit allows is a fair sample.
"""

from __future__ import annotations

import shutil
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from tqdm import tqdm

from model.data.corpus import CorpusError
from model.data.distillation import note_description, share_of
from model.data.packed import PackedCorpus, Side, write_packed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from model.bundle import Direction

__all__ = ["PackedDistillation", "distill_packed", "is_complete"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedDistillation:
    """What to translate.

    Args:
        corpus: the pairs.
        output: folder to write.
        teacher: what the teacher is called, of `teacher_name`; recorded, and compared when resuming.
        translate: source ids of many sentences to target ids; nothing where it fails.
        direction: which way.
        shares: by pattern, the share (0 to 1) of the sentences to translate from sources whose name
            matches; the first that matches counts, and what none matches is translated whole.
        longest: tokens of a source; longer ones are left out.
        shard_sentences: sentences in a shard.
        seed: of the draw.
    """

    corpus: PackedCorpus
    output: Path
    teacher: str
    translate: Callable[[Sequence[NDArray[Any]]], list[list[int]]]
    direction: Direction
    shares: Sequence[tuple[str, float]] = ()
    longest: int = 96
    shard_sentences: int = 100_000
    seed: int = 1


def distill_packed(task: PackedDistillation, *, minutes: float | None = None) -> PackedCorpus:
    """Translate a packed corpus, or go on where an earlier call stopped.

    Args:
        task: what to translate.
        minutes: start no new shard after so long.

    Raises:
        CorpusError: the folder holds another distillation or a prepared corpus, or nothing was translated.
    """
    deadline = None if minutes is None else time.monotonic() + minutes * 60
    _check_description(task)
    _shards(task).mkdir(exist_ok=True)
    drawn = _drawn(task)
    for start, path in tqdm([*_missing(task, len(drawn))], desc=str(task.direction), unit="shard", disable=None):
        if deadline is not None and time.monotonic() >= deadline:
            break
        _write_shard(path, task, drawn[start : start + task.shard_sentences])
    return _join(task, sorted(_shards(task).glob("*.npz")))


def is_complete(task: PackedDistillation) -> bool:
    """Whether all shards of a distillation are there."""
    return not any(_missing(task, len(_drawn(task))))


def _shards(task: PackedDistillation) -> Path:
    return task.output / "shards"


def _missing(task: PackedDistillation, sentences: int) -> Iterator[tuple[int, Path]]:
    """Where each shard begins that is not there, and its file."""
    for number, start in enumerate(range(0, sentences, task.shard_sentences)):
        path = _shards(task) / f"{number:05d}.npz"
        if not path.exists():
            yield start, path


def _drawn(task: PackedDistillation) -> NDArray[np.int64]:
    """Pairs whose source is to be translated, each source sentence once, in random order."""
    corpus, source = task.corpus, task.corpus.side(task.direction.source)
    share = np.array([share_of(name, task.shares) for name in corpus.source_names])
    rng = np.random.default_rng(task.seed)
    chosen = rng.random(len(corpus)) < share[corpus.sources]
    chosen &= (source.lengths > 0) & (source.lengths <= task.longest)
    first: dict[bytes, int] = {}
    for pair in chosen.nonzero()[0].tolist():
        first.setdefault(source[pair].tobytes(), pair)
    return rng.permutation(np.fromiter(first.values(), dtype=np.int64, count=len(first)))


def _write_shard(path: Path, task: PackedDistillation, pairs: NDArray[np.int64]) -> None:
    """Translate some pairs; those for which the teacher finds nothing are left out."""
    source = task.corpus.side(task.direction.source)
    translations = task.translate([source[pair] for pair in pairs.tolist()])
    done = np.array([bool(ids) for ids in translations])
    target = Side.of([ids for ids in translations if ids], source.ids.dtype)
    partial = path.with_suffix(".partial")
    with partial.open("wb") as file:
        np.savez(file, pairs=pairs[done], ids=target.ids, offsets=target.offsets)
    partial.replace(path)


def _join(task: PackedDistillation, shards: Sequence[Path]) -> PackedCorpus:
    """All shards as one packed corpus."""
    read = [np.load(path) for path in shards]
    pairs = np.concatenate([np.empty(0, np.int64), *(shard["pairs"] for shard in read)])
    if not len(pairs):
        msg = f"{task.output}: nothing was translated; allow more minutes, or train the teacher for longer"
        raise CorpusError(msg)
    target = Side.end_to_end([Side(shard["ids"], shard["offsets"]) for shard in read])
    source = task.corpus.side(task.direction.source).rows(pairs)
    names = [f"{name}.{task.direction}" for name in task.corpus.source_names]
    shutil.copyfile(task.corpus.path / "tokenizer.model", task.output / "tokenizer.model")
    sides = task.direction.english_first(source, target)
    translated = PackedCorpus(task.output, *sides, task.corpus.sources[pairs], names)
    return write_packed(translated, about={"teacher": task.teacher})


def _check_description(task: PackedDistillation) -> None:
    wanted = {
        "teacher": task.teacher,
        "corpus": task.corpus.fingerprint(),
        "direction": str(task.direction),
        "shares": [list(entry) for entry in task.shares],
        "longest": task.longest,
        "shard_sentences": task.shard_sentences,
        "seed": task.seed,
    }
    note_description(task.output, wanted)
