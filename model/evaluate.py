"""Quality: sacreBLEU's BLEU and chrF on detokenised text, with signatures."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from sacrebleu.metrics import BLEU, CHRF

from model.bundle import DIRECTIONS, Direction
from model.data.corpus import CorpusError, read_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from model.config import ValidationSet

__all__ = ["Score", "TestSet", "evaluate", "evaluate_qualities", "load_test_set", "score", "sentence_chrf", "table"]

_SENTENCE_CHRF = CHRF()


@dataclass(frozen=True, slots=True)
class TestSet:
    """Sentences in both languages, line by line. `directions` are those it may be used for."""

    __test__ = False

    name: str
    english: list[str]
    german: list[str]
    directions: tuple[Direction, ...] = DIRECTIONS

    def side(self, language: str) -> list[str]:
        """The sentences of "en" or "de"."""
        return self.english if language == "en" else self.german


@dataclass(frozen=True, slots=True)
class Score:
    """BLEU and chrF, 0 to 100, of one set in one direction."""

    test_set: str
    direction: str
    segments: int
    bleu: float
    chrf: float
    bleu_signature: str
    chrf_signature: str

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return asdict(self)


def load_test_set(spec: ValidationSet, directions: tuple[Direction, ...] = DIRECTIONS) -> TestSet:
    """Read a set's two files.

    Raises:
        CorpusError: a file cannot be read, or their lengths differ.
    """
    english, german = list(read_lines(spec.english)), list(read_lines(spec.german))
    if len(english) != len(german) or not english:
        msg = f"set {spec.name}: {len(english)} English and {len(german)} German lines"
        raise CorpusError(msg)
    return TestSet(spec.name, english[: spec.limit], german[: spec.limit], directions)


def score(name: str, direction: Direction, hypotheses: Sequence[str], references: Sequence[str]) -> Score:
    """Score translations against one reference each."""
    bleu, chrf = BLEU(), CHRF()
    bleu_score = bleu.corpus_score(list(hypotheses), [list(references)])
    chrf_score = chrf.corpus_score(list(hypotheses), [list(references)])
    return Score(
        test_set=name,
        direction=str(direction),
        segments=len(references),
        bleu=round(bleu_score.score, 2),
        chrf=round(chrf_score.score, 2),
        bleu_signature=str(bleu.get_signature()),
        chrf_signature=str(chrf.get_signature()),
    )


def sentence_chrf(hypothesis: str, reference: str) -> float:
    """ChrF (0 to 100) of one translation."""
    return float(_SENTENCE_CHRF.sentence_score(hypothesis, [reference]).score)


def evaluate(translate: Callable[[Direction, Sequence[str]], list[str]], test_sets: Sequence[TestSet]) -> list[Score]:
    """Translate and score each set in each of its directions.

    Args:
        translate: any translator: a network, a bundle, a running service.
        test_sets: what to translate.
    """

    def alone(direction: Direction, texts: Sequence[str]) -> dict[str, list[str]]:
        return {"": translate(direction, texts)}

    return evaluate_qualities(alone, test_sets).get("", [])


def evaluate_qualities(
    translate: Callable[[Direction, Sequence[str]], Mapping[str, list[str]]], test_sets: Sequence[TestSet]
) -> dict[str, list[Score]]:
    """The same for a translator that gives several translations of each text, by quality."""
    scores: dict[str, list[Score]] = {}
    for test_set in test_sets:
        for direction in test_set.directions:
            references = test_set.side(direction.target)
            for quality, hypotheses in translate(direction, test_set.side(direction.source)).items():
                scores.setdefault(quality, []).append(score(test_set.name, direction, hypotheses, references))
    return scores


def table(scores: Sequence[Score]) -> str:
    """A Markdown table, and the signatures below it."""
    lines = ["| set | direction | segments | BLEU | chrF |", "|---|---|---:|---:|---:|"]
    lines += [f"| {s.test_set} | {s.direction} | {s.segments} | {s.bleu:.1f} | {s.chrf:.1f} |" for s in scores]
    signatures = sorted({signature for s in scores for signature in (s.bleu_signature, s.chrf_signature)})
    return "\n".join([*lines, "", *signatures])
