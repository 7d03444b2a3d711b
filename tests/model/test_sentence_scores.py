"""BLEU and chrF of several candidates at once are those that sacreBLEU gives each."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from model.sentence_scores import sentence_bleu, sentence_chrf

TEXTS = st.lists(
    st.sampled_from(["the", "a", "dog", "The", "sees", "1,000.5", "x-1", "can't", "&amp;", ".", "…", "😀", ""])
)
"""Of few words, so that they have some in common, apart or not."""


def check(candidates: list[str], reference: str) -> None:
    """Both scores of each."""
    bleu, chrf = BLEU(effective_order=True), CHRF()
    for metric, scores in ((bleu, sentence_bleu), (chrf, sentence_chrf)):
        one_by_one = [metric.sentence_score(one, [reference]).score for one in candidates]
        assert scores(candidates, reference) == pytest.approx(one_by_one, rel=1e-12)


@pytest.mark.parametrize(
    ("candidates", "reference"),
    [
        (["A dog sees a dog.", "The dog sees the dog.", "A dog"], "The dog sees a dog."),
        (["Es kostet 1.299,99 € (brutto)", "Es kostet 1299 €"], "Es kostet 1.299,99 €, brutto."),
        (["the the the the", ""], "the"),
        (["", "x"], ""),
        ([], "no candidates"),
        ([], ""),
    ],
)
def test_sentences(candidates: list[str], reference: str) -> None:
    """Of usual sentences, and of next to nothing."""
    check(candidates, reference)


@given(st.lists(TEXTS, min_size=1, max_size=4), TEXTS, st.sampled_from(["", " "]))
def test_any_words(candidates: list[list[str]], reference: list[str], between: str) -> None:
    """Of words in any order, repeated, apart or glued together."""
    check([between.join(each) for each in candidates], between.join(reference))


@given(st.lists(st.text(), min_size=1, max_size=4), st.text())
def test_any_text(candidates: list[str], reference: str) -> None:
    """Of any text whatever, in one line."""
    check([" ".join(each.splitlines()) for each in candidates], " ".join(reference.splitlines()))
