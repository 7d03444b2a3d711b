"""Scores: sacreBLEU's, with signatures, per set and direction."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import sacrebleu

from model.bundle import DE_EN, DIRECTIONS, EN_DE, Direction
from model.config import ValidationSet
from model.data.corpus import CorpusError
from model.evaluate import TestSet, evaluate, load_test_set, score, table
from tests.model import toy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.data.corpus import Pair


def test_score_is_sacrebleu(pairs: list[Pair]) -> None:
    """BLEU and chrF are those of sacreBLEU's own functions, and the signatures name its version."""
    references = [pair.german for pair in pairs[:40]]
    hypotheses = [pair.german.replace("Mann", "Herr").replace("das", "ein") for pair in pairs[:40]]
    result = score("toy", EN_DE, hypotheses, references)
    assert result.bleu == round(sacrebleu.corpus_bleu(hypotheses, [references]).score, 2)
    assert result.chrf == round(sacrebleu.corpus_chrf(hypotheses, [references]).score, 2)
    assert 0 < result.bleu < 100
    assert (result.test_set, result.direction, result.segments) == ("toy", "en-de", 40)
    for signature in (result.bleu_signature, result.chrf_signature):
        assert f"version:{sacrebleu.__version__}" in signature


def test_evaluate_scores_each_direction_from_its_side(pairs: list[Pair]) -> None:
    """Each direction is given its source side and compared with its target side."""
    test_set = TestSet("toy", [pair.english for pair in pairs], [pair.german for pair in pairs])
    only_german = TestSet("one way", test_set.english[:9], test_set.german[:9], directions=(EN_DE,))
    to_german = dict(zip(test_set.english, test_set.german, strict=True))

    def translate(direction: Direction, texts: Sequence[str]) -> list[str]:
        return [to_german[text] for text in texts] if direction == EN_DE else ["?"] * len(texts)

    scores = evaluate(translate, [test_set, only_german])
    assert [(s.test_set, s.direction, s.segments) for s in scores] == [
        ("toy", "en-de", 200),
        ("toy", "de-en", 200),
        ("one way", "en-de", 9),
    ]
    assert [s.bleu for s in scores] == [pytest.approx(100), 0.0, pytest.approx(100)]


def test_test_set_is_read_up_to_its_limit(tmp_path: Path, pairs: list[Pair]) -> None:
    """Both files are read line by line; the limit cuts both alike."""
    spec = toy.validation_set(tmp_path, pairs[:9])
    whole = load_test_set(spec)
    assert whole.side(EN_DE.source) == [pair.english for pair in pairs[:9]]
    assert whole.side(DE_EN.source) == [pair.german for pair in pairs[:9]]
    assert whole.directions == DIRECTIONS
    few = load_test_set(ValidationSet(name="few", english=spec.english, german=spec.german, limit=3))
    assert (few.english, few.german) == (whole.english[:3], whole.german[:3])


def test_test_set_of_unequal_sides(tmp_path: Path, pairs: list[Pair]) -> None:
    """Files of different lengths, and empty ones, are an error with the set's name and both counts."""
    spec = toy.validation_set(tmp_path, pairs[:3])
    spec.german.write_text("nur eine Zeile\n", encoding="utf-8")
    with pytest.raises(CorpusError, match="set toy: 3 English and 1 German lines"):
        load_test_set(spec)
    for path in (spec.english, spec.german):
        path.write_text("", encoding="utf-8")
    with pytest.raises(CorpusError, match="set toy: 0 English and 0 German lines"):
        load_test_set(spec)


def test_test_set_that_is_not_there() -> None:
    """A missing file is an error with its name."""
    with pytest.raises(CorpusError, match=r"gone\.en"):
        load_test_set(ValidationSet(name="gone", english=Path("gone.en"), german=Path("gone.de")))


def test_table_shows_every_score_and_signature_once(pairs: list[Pair]) -> None:
    """The table is Markdown, one row a score, with the two signatures below."""
    sides = ([pair.english for pair in pairs], [pair.german for pair in pairs])
    scores = [score("toy", EN_DE, sides[1], sides[1]), score("toy", DE_EN, sides[1], sides[0])]
    text = table(scores)
    assert "| toy | en-de | 200 | 100.0 | 100.0 |" in text
    assert f"| toy | de-en | 200 | {scores[1].bleu:.1f} | {scores[1].chrf:.1f} |" in text
    for signature in (scores[0].bleu_signature, scores[0].chrf_signature):
        assert text.count(signature) == 1
