"""How best to put a glossary's terms into a translation: four ways, on terms that people's translations have.

    stand-in       the network reads X1 in place of the term, and X1 in its answer becomes the term's translation
    target         it reads the term's translation in place of the term, which it may copy
    replaced       it reads the sentence; the words that the alignment links with the term are replaced
    constrained    it reads the sentence; the path through its frames must write the term, with (at) and without
                   (anywhere) the frames at which the term stands having to belong to it

A sentence counts if a dictionary's term stands in it once and the term's translation stands in the reference once, so
that the reference shows what is right. What the first two lose goes where the alignment says, as in the service.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import onnxruntime as ort
import typer
from sacrebleu.metrics.chrf import CHRF

from benchmarks.constrained import Posterior, constrained_path
from benchmarks.options import several
from benchmarks.report import RESULTS, number, save, table
from benchmarks.sentences import read_aligned, read_pairs
from cli.errors import USAGE, fail, reporting
from model.bundle import (
    BLANK_ID,
    DIRECTIONS,
    SIGNATURES,
    Bundle,
    BundleError,
    Direction,
    Task,
    collapse_one,
    last_frames,
)
from model.bundle.quantisation import EXACT_PRODUCTS
from service.engine.choice import open_engine
from service.pipeline.alignment.links import Aligned, align
from service.pipeline.detokenisation import one_line
from service.pipeline.protection.restoration import restore
from service.pipeline.protection.stand_ins import protect
from service.types import Batch, Span, Term

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from service.types import Link

__all__ = ["Case", "find_cases", "glossary"]

_ORDER_SEED = 3
_BATCH = 32
_SHORTEST_TERM, _SHORTEST, _LONGEST = 4, 30, 160
_NORMAL_95 = 1.96


@dataclass(frozen=True, slots=True)
class Case:
    """A sentence with a term, and what people made of it."""

    source: str
    reference: str
    term: Term

    @property
    def span(self) -> Span:
        """Where the term stands in the source."""
        start = next(_whole(self.term.source).finditer(self.source)).start()
        return Span(start, start + len(self.term.source))

    def is_met(self, translation: str) -> bool:
        """Whether the translation has the term as a word."""
        return _whole(self.term.target).search(translation) is not None


@dataclass(frozen=True, slots=True)
class _Read:
    """What the network made of one text: frames, and what they say."""

    ids: list[int]
    frame_ids: NDArray[np.int64]
    frame_log_probs: NDArray[np.float64]
    text: str
    links: tuple[Link, ...]


def find_cases(
    pairs: Iterable[tuple[str, str]], dictionary: Iterable[tuple[str, str]], count: int
) -> list[tuple[str, str, str, str]]:
    """English, German, and a term in both, one for each pair that has one; `count` at most, drawn by chance."""
    german_of: dict[str, list[str]] = {}
    for english, german in dictionary:
        if min(len(english), len(german)) >= _SHORTEST_TERM and german[0].isupper() and english != german:
            german_of.setdefault(english.casefold(), []).append(german)
    found = []
    for english, german in pairs:
        if not _SHORTEST <= len(english) <= _LONGEST:
            continue
        words, theirs = re.findall(r"[\w-]+", english), re.findall(r"[\w-]+", german)
        for word in words:
            targets = [one for one in german_of.get(word.casefold(), ()) if theirs.count(one) == 1]
            if targets and words.count(word) == 1:
                found.append((english, german, word, targets[0]))
                break
    random.Random(_ORDER_SEED).shuffle(found)  # noqa: S311 - a draw, not a secret
    return found[:count]


class _Ways:
    """The network in one direction, and the ways to have terms in what it writes."""

    def __init__(self, bundle: Bundle, direction: Direction, precision: str) -> None:
        self._tokenizer = bundle.tokenizer
        self._upsampling = bundle.manifest.upsampling
        self._direction = direction
        self._engine = open_engine(bundle, provider="cpu", precision=precision, threads=1)
        options = ort.SessionOptions()
        options.add_session_config_entry(*EXACT_PRODUCTS)
        self._scores = ort.InferenceSession(bundle.graph(direction, precision, Task.SCORE), options)
        entries = self._tokenizer.pieces(range(self._tokenizer.vocabulary_size))
        self._begins_word = np.array([entry[0] == "▁" or not entry[0].isalnum() for entry in entries])
        self._begins_word &= np.array([not re.fullmatch(r"<0x..>", entry) for entry in entries])

    def translations(self, cases: Sequence[Case]) -> dict[str, list[str]]:
        """Each way's, in order."""
        plain = self._read([case.source for case in cases])
        protected = [protect(case.source, [], [case.term]) for case in cases]
        targets = [_replaced(case.source, case.span, case.term.target) for case in cases]
        return {
            "none": [one.text for one in plain],
            "stand-in": [
                restore(one, read.text, read.links, self._direction).text
                for one, read in zip(protected, self._read([one.text for one in protected]), strict=True)
            ],
            "target": [
                _with_term(case, _moved(case), read) for case, read in zip(cases, self._read(targets), strict=True)
            ],
            "replaced": [_with_term(case, case.span, read) for case, read in zip(cases, plain, strict=True)],
            "constrained anywhere": [self._constrained(*one, at=False) for one in zip(cases, plain, strict=True)],
            "constrained at": [self._constrained(*one, at=True) for one in zip(cases, plain, strict=True)],
        }

    def _read(self, texts: Sequence[str]) -> list[_Read]:
        ids = self._tokenizer.encode_batch(texts)
        order = sorted(range(len(texts)), key=lambda index: len(ids[index]))
        found: dict[int, _Read] = {}
        for start in range(0, len(order), _BATCH):
            rows = order[start : start + _BATCH]
            frames = self._engine.infer(self._direction, Batch.pad([ids[index] for index in rows]))
            for row, index in enumerate(rows):
                length = frames.lengths[row]
                log_probs = frames.log_probs[row, :length].astype(np.float64)
                found[index] = self._understood(texts[index], ids[index], frames.ids[row, :length], log_probs)
        return [found[index] for index in range(len(texts))]

    def _understood(
        self, source: str, ids: list[int], frame_ids: NDArray[np.int64], log_probs: NDArray[np.float64]
    ) -> _Read:
        one = collapse_one(frame_ids, log_probs.astype(np.float32), blank_id=BLANK_ID)
        text = one_line(one.ids, self._tokenizer)
        links = align(
            Aligned(source, self._tokenizer.source_spans(ids, source)),
            Aligned(text, self._tokenizer.target_spans(one.ids, text)),
            [frame // self._upsampling for frame in last_frames(frame_ids, blank_id=BLANK_ID)],
        )
        return _Read(ids, frame_ids, log_probs, text, links)

    def _constrained(self, case: Case, read: _Read, *, at: bool) -> str:
        if case.is_met(read.text):
            return read.text
        term = self._tokenizer.encode(case.term.target)
        names = [spec.name for spec in SIGNATURES[Task.SCORE].inputs]
        arrays = np.array([read.ids]), np.array([len(read.ids)]), np.array([term])
        blank, tokens = self._scores.run(None, dict(zip(names, arrays, strict=True)))
        posterior = Posterior(
            read.frame_ids, read.frame_log_probs, blank[0].astype(np.float64), tokens[0].astype(np.float64)
        )
        spans = self._tokenizer.source_spans(read.ids, case.source)
        places = [place for place, (start, end) in enumerate(spans) if start < case.span.end and end > case.span.start]
        within = (places[0] * self._upsampling, (places[-1] + 1) * self._upsampling - 1) if at and places else None
        path = constrained_path(posterior, term, self._begins_word, within=within)
        return (
            read.text if path is None else self._understood(case.source, read.ids, path, posterior.best_log_probs).text
        )


def _whole(term: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){re.escape(term)}(?![\w-])")


def _replaced(text: str, span: Span, replacement: str) -> str:
    return text[: span.start] + replacement + text[span.end :]


def _moved(case: Case) -> Span:
    """Where the term's translation stands once it has taken the term's place."""
    return Span(case.span.start, case.span.start + len(case.term.target))


def _with_term(case: Case, span: Span, read: _Read) -> str:
    """The translation; if it lacks the term, that replaces what is linked with the span, or follows what is before."""
    if case.is_met(read.text):
        return read.text
    linked = [link.target for link in read.links if link.source.start < span.end and span.start < link.source.end]
    if linked:
        place = Span(min(one.start for one in linked), max(one.end for one in linked))
        return _replaced(read.text, place, case.term.target)
    before = [(link.source.end, link.target.end) for link in read.links if link.source.end <= span.start]
    end = max(before)[1] if before else 0
    return f"{read.text[:end]} {case.term.target} {read.text[end:].lstrip()}".strip()


def _figures(cases: Sequence[Case], found: dict[str, list[str]]) -> dict[str, dict[str, float]]:
    """For each way: % of cases with the term, chrF, and how far sentences' chrF is from that of stand-ins, on average.

    `margin` is half the width of the 95% interval of that difference.
    """
    references = [case.reference for case in cases]
    score = CHRF()
    single = {
        way: [score.sentence_score(text, [reference]).score for text, reference in zip(texts, references, strict=True)]
        for way, texts in found.items()
    }
    figures = {}
    for way, texts in found.items():
        differences = [one - other for one, other in zip(single[way], single["stand-in"], strict=True)]
        figures[way] = {
            "exact": 100 * fmean(case.is_met(text) for case, text in zip(cases, texts, strict=True)),
            "chrf": score.corpus_score(texts, [references]).score,
            "difference": fmean(differences),
            "margin": _NORMAL_95 * stdev(differences) / len(differences) ** 0.5 if len(differences) > 1 else 0.0,
        }
    return figures


def glossary(
    sets: Annotated[
        list[Path],
        several(
            (Path("data/test/wmt13"), Path("data/test/flores-dev")),
            "--set",
            metavar="PREFIX",
            help="Sentence pairs, PREFIX.en and PREFIX.de: validation sets, since a way is chosen by them",
        ),
    ],
    dictionary: Annotated[
        Path, typer.Option(metavar="FILE", help="Terms: English, German, tab between, compressed with xz.")
    ] = Path("data/train/dictionary.tsv.xz"),
    bundle: Annotated[Path, typer.Option(metavar="DIR", help="What translates.")] = Path("bundles/reder-medium"),
    precision: Annotated[str, typer.Option(help="Of the graphs.")] = "int8",
    count: Annotated[int, typer.Option(min=2, help="Sentences a direction, at most.")] = 500,
    output: Annotated[Path, typer.Option(metavar="DIR", help="Where glossary.json goes.")] = RESULTS,
) -> None:
    """Compare ways to have a glossary's terms in the translation: how often they are, and what becomes of the rest."""
    with reporting(BundleError):
        loaded = Bundle.open(bundle)
    pairs = [pair for prefix in sets for pair in read_aligned(prefix)]
    terms = [pair for pair in read_pairs(dictionary) if all(pair)]
    found = find_cases(pairs, terms, count)
    if len(found) < 2:  # noqa: PLR2004 - fewer have no deviation
        fail("fewer than two sentences have a term of the dictionary in source and reference", code=USAGE)
    results: dict[str, Any] = {}
    for direction in DIRECTIONS:
        cases = [
            Case(english, german, Term(term, target))
            if direction.source == "en"
            else Case(german, english, Term(target, term))
            for english, german, term, target in found
        ]
        results[str(direction)] = _figures(cases, _Ways(loaded, direction, precision).translations(cases))
    rows = [
        [f"{direction} {way}", *(number(one[key]) for key in ("exact", "chrf")), _interval(one)]
        for direction, ways in results.items()
        for way, one in ways.items()
    ]
    typer.echo(f"{len(found)} sentences, {precision}\n")
    typer.echo(table(["way", "term exact, %", "chrF", "chrF against stand-in, by sentence"], rows))
    content = {"sets": [prefix.name for prefix in sets], "sentences": len(found), "precision": precision}
    typer.echo(f"\nall figures: {save('glossary', {**content, 'ways': results}, output)}", err=True)


def _interval(figures: dict[str, float]) -> str:
    return f"{figures['difference']:+.2f} ± {figures['margin']:.2f}"
