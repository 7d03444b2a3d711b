"""Language models, from counting to asking."""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np
import pytest

from model.bundle import BLANK_ID, LanguageModel
from model.bundle.lexicon import Lexicon, words_in
from model.config import SourceWeights
from model.data.corpus import CorpusError
from model.descriptions import LANGUAGE_MODELS, check_vocabulary, described_sources
from model.ngrams import estimate, perplexity, save, write_language_models
from model.words import LEAST_OCCURRENCES
from tests.model import toy

if TYPE_CHECKING:
    from model.bundle import Tokenizer

SHIPPED = Path(__file__).parents[2] / "bundles" / "reder-small"
VOCABULARY = 14
STEP = 1 / 32
"""Half the step in which logs are kept: what a single figure may be off by."""


def sentences(count: int = 300) -> list[list[int]]:
    """Random text in which some words follow others far more often than not; ids 12 and 13 never occur."""
    generator = np.random.default_rng(5)
    texts = []
    for length in generator.integers(1, 9, count).tolist():
        text = [int(generator.integers(1, 12))]
        while len(text) < length:
            text.append(text[-1] % 11 + 1 if generator.random() < 0.5 else int(generator.integers(1, 12)))
        texts.append(text)
    return texts


def model_of(
    texts: list[list[int]],
    path: Path,
    *,
    order: int = 4,
    threshold: float = 0.0,
    weights: list[float] | None = None,
) -> LanguageModel:
    """Estimated, written and read."""
    offsets = np.concatenate([[0], np.cumsum([len(text) for text in texts])])
    given = None if weights is None else np.array(weights)
    ngrams = estimate(
        np.concatenate(texts), offsets, vocabulary_size=VOCABULARY, order=order, threshold=threshold, weights=given
    )
    save(ngrams, path)
    return LanguageModel.open(path)


def after(model: LanguageModel, text: list[int]) -> list[float]:
    """The probability of every id after a text; of the blank, that it ends there."""
    context = model.start
    for token in text:
        context = model.extended(context, token)
    return [math.exp(model.log_prob(context, token)) for token in range(model.vocabulary_size)]


class _Textbook:
    """Interpolated modified Kneser-Ney, word by word, as Chen and Goodman (1999) write it down, with weights of texts.

    An n-gram has a list of weights: of the texts that it occurs in, each time it does, if it is of the longest or
    begins a text; else the mean of each that is longer by a token before it. Without weights, all are 1.
    """

    def __init__(self, texts: list[list[int]], order: int, weights: list[float] | None = None) -> None:
        occurs: dict[tuple[int, ...], list[float]] = defaultdict(list)
        for text, weight in zip(texts, weights or [1.0] * len(texts), strict=True):
            row = [BLANK_ID, *text, BLANK_ID]
            for length in range(2, order + 1):
                for at in range(len(row) - length + 1):
                    occurs[tuple(row[at : at + length])].append(weight)
        self._weights: dict[tuple[int, ...], list[float]] = defaultdict(list)
        for ngram, times in occurs.items():
            if len(ngram) == order or ngram[0] == BLANK_ID:
                self._weights[ngram] += times
            self._weights[ngram[1:]].append(fmean(times))
        self._discounts = {
            length: self._discount([len(one) for ngram, one in self._weights.items() if len(ngram) == length])
            for length in range(1, order + 1)
        }

    @staticmethod
    def _discount(counts: list[int]) -> list[float]:
        """Kept from taking all of a count, or less than nothing, where counts of counts are too few to go by."""
        one, two, three, four = (max(counts.count(number), 1) for number in (1, 2, 3, 4))
        share = one / (one + 2 * two)
        taken = 1 - 2 * share * two / one, 2 - 3 * share * three / two, 3 - 4 * share * four / three
        return [0.0, *(min(max(one, 0.0), 0.9 * number) for number, one in enumerate(taken, start=1))]

    def prob(self, context: tuple[int, ...], token: int) -> float:
        """P(token | context), the context at most order - 1 tokens."""
        length = len(context) + 1
        found = {ngram: one for ngram, one in self._weights.items() if len(ngram) == length and ngram[:-1] == context}
        shorter = self.prob(context[1:], token) if context else 1 / VOCABULARY
        if not found:
            return shorter
        total = sum(map(sum, found.values()))
        taken = {ngram: self._discounts[length][min(len(one), 3)] / len(one) * sum(one) for ngram, one in found.items()}
        own = (*context, token)
        return (sum(found.get(own, [])) - taken.get(own, 0.0) + sum(taken.values()) * shorter) / total


@pytest.mark.parametrize("order", [2, 3])
@pytest.mark.parametrize("weights", [None, [0.25, 1.0, 1.0, 6.0] * 15], ids=["alike", "weighted"])
def test_probabilities_are_the_textbooks(tmp_path: Path, order: int, weights: list[float] | None) -> None:
    """Where every n-gram is kept, but for rounding: of every token, after texts that occur and some that do not."""
    texts = sentences(60)
    model = model_of(texts, tmp_path / "m.npz", order=order, threshold=-math.inf, weights=weights)
    textbook = _Textbook(texts, order, weights)
    begun = {tuple(text[:at]) for text in texts for at in range(len(text))}
    for text in [(13,), (12, 13), *begun]:
        context = (BLANK_ID, *text)[1 - order :]
        found = np.log(after(model, list(text))[:12])
        expected = [math.log(textbook.prob(context, token)) for token in range(12)]
        assert np.abs(found - expected).max() <= (len(context) + 1) * STEP + 1e-4


@pytest.mark.parametrize("threshold", [0.0, 2.0, 6.0])
def test_probabilities_come_to_one(tmp_path: Path, threshold: float) -> None:
    """After any text, seen or not, however much was dropped."""
    texts = sentences()
    model = model_of(texts, tmp_path / "m.npz", threshold=threshold)
    for text in [[], [13], [13, 12, 13], *texts[:40]]:
        assert sum(after(model, text)) == pytest.approx(1, abs=3 * STEP)


def test_a_higher_threshold_keeps_less_and_knows_less(tmp_path: Path) -> None:
    """Files shrink with the threshold, and so does the probability of the text itself."""
    texts = sentences()
    figures = []
    for threshold in (0.0, 3.0, 30.0):
        path = tmp_path / f"{threshold}.npz"
        model = model_of(texts, path, threshold=threshold)
        total = sum(math.log(after(model, text[:at])[token]) for text in texts for at, token in enumerate(text))
        figures.append((path.stat().st_size, total))
    assert figures == sorted(figures, reverse=True)
    assert len({size for size, _ in figures}) == 3


def test_text_that_counts_more_is_foreseen_better(tmp_path: Path) -> None:
    """With a weight, at the cost of the rest. Twice as much for all changes nothing."""
    texts = sentences(400)
    wanted = [[token, token, *text] for text in texts[:30] for token in text[:1]]
    files = {}
    for name, weight in (("alike", 1.0), ("more", 5.0), ("less", 0.2)):
        weights = [1.0] * len(texts) + [weight] * len(wanted)
        files[name] = model_of([*texts, *wanted], tmp_path / f"{name}.npz", threshold=1.0, weights=weights)
    assert perplexity(files["more"], wanted) < perplexity(files["alike"], wanted) < perplexity(files["less"], wanted)
    assert perplexity(files["more"], texts) > perplexity(files["less"], texts)
    model_of(texts, tmp_path / "once.npz", threshold=1.0)
    model_of(texts, tmp_path / "twice.npz", threshold=1.0, weights=[2.0] * len(texts))
    assert (tmp_path / "once.npz").read_bytes() == (tmp_path / "twice.npz").read_bytes()


def test_perplexity_is_how_many_to_choose_from(tmp_path: Path) -> None:
    """Of a text that can only be as it is, nearly one; else one over the mean of its probabilities."""
    model = model_of([[1, 2, 3]] * 50, tmp_path / "m.npz")
    assert 1 <= perplexity(model, [[1, 2, 3]] * 2) < 1.2
    probs = [after(model, [])[4], after(model, [4])[BLANK_ID]]
    assert perplexity(model, [[4]]) == pytest.approx(math.prod(probs) ** (-1 / 2))
    with pytest.raises(ValueError, match="no text"):
        perplexity(model, [])


def test_sentences_shorter_than_the_longest_n_grams(tmp_path: Path) -> None:
    """Where none is so long, shorter n-grams do."""
    model = model_of([[1]] * 5 + [[2]] * 2, tmp_path / "m.npz", order=4)
    assert after(model, [])[1] > after(model, [])[2] > after(model, [])[3]


def test_words_in_their_order_are_likelier(tmp_path: Path) -> None:
    """Text that was counted is likelier than its reverse, and ends where texts end."""
    model = model_of([[1, 2, 3, 4]] * 5 + [[5, 6]] * 5 + [[7]] * 2 + [[8, 9, 8]] * 3, tmp_path / "m.npz")
    assert np.argmax(after(model, [])) in {1, 5}
    assert np.argmax(after(model, [1, 2])) == 3
    assert np.argmax(after(model, [1, 2, 3, 4])) == BLANK_ID


def test_a_whole_text(tmp_path: Path) -> None:
    """It is as likely as its tokens, one after another, and its end; ids that the model does not have are refused."""
    model = model_of([[1, 2, 3, 4]] * 5 + [[5, 6]] * 5, tmp_path / "m.npz")
    one_by_one = [after(model, [])[1], after(model, [1])[2], after(model, [1, 2])[BLANK_ID]]
    assert model.log_prob_of([1, 2]) == pytest.approx(sum(map(math.log, one_by_one)))
    with pytest.raises(ValueError, match="does not have token"):
        model.log_prob_of([1, VOCABULARY])


def test_a_model_of_each_language(tmp_path: Path, vocabulary: Path) -> None:
    """Of a packed corpus, without the sources that are left out; the folder tells which were counted."""
    pairs = toy.sentences(200)
    pairs.append(replace(pairs[0], english="the dog sleeps.", german="der Hund schläft."))
    folder = tmp_path / "packed"
    folder.mkdir()
    corpus = toy.packed(pairs, vocabulary, folder)
    name = corpus.source_names[0]
    sizes = write_language_models(corpus, tmp_path / "all", order=3, threshold=0.0)
    fewer = write_language_models(corpus, tmp_path / "some", order=3, threshold=0.0, excluded_sources=[name])
    assert described_sources(tmp_path / "all") - described_sources(tmp_path / "some") == {name}
    assert all(fewer[language][-1] < sizes[language][-1] for language in ("en", "de"))
    weights = SourceWeights(weights={name: 0.0})
    assert write_language_models(corpus, tmp_path / "none", order=3, threshold=0.0, weights=weights) == fewer
    assert described_sources(tmp_path / "none") == described_sources(tmp_path / "some")
    unknown = SourceWeights(weights={"tales": 2.0})
    with pytest.raises(CorpusError, match=r"weights names sources .* does not hold: \['tales'\]"):
        write_language_models(corpus, tmp_path / "none", order=3, threshold=0.0, weights=unknown)
    german = LanguageModel.open(tmp_path / "all" / "ngrams.de.npz")
    english = LanguageModel.open(tmp_path / "all" / "ngrams.en.npz")
    _has_its_words(tmp_path / "all" / "ngrams.de.npz", corpus.tokenizer(), [pair.german for pair in pairs])
    text = corpus.german[0].astype(np.int64)
    assert german.log_prob_of(text.tolist()) > english.log_prob_of(text.tolist())
    with pytest.raises(CorpusError, match="comes from tales; its sources"):
        write_language_models(corpus, tmp_path / "none", order=3, threshold=0.0, excluded_sources=[name, "tales"])


def test_models_of_another_vocabulary(tmp_path: Path, vocabulary: Path) -> None:
    """They are told by their description, though both have as many tokens, and are taken where none tells."""
    (tmp_path / "packed").mkdir()
    corpus = toy.packed(toy.sentences(200), vocabulary, tmp_path / "packed")
    write_language_models(corpus, tmp_path / "models", order=2, threshold=0.0)
    check_vocabulary(tmp_path / "models", corpus.tokenizer())
    check_vocabulary(None, corpus.tokenizer())
    description = tmp_path / "models" / LANGUAGE_MODELS
    noted = json.loads(description.read_text(encoding="utf-8"))
    description.write_text(json.dumps({**noted, "vocabulary": "0" * 64}), encoding="utf-8")
    with pytest.raises(CorpusError, match=r"language-models.json: of another vocabulary"):
        check_vocabulary(tmp_path / "models", corpus.tokenizer())
    del noted["vocabulary"]
    description.write_text(json.dumps(noted), encoding="utf-8")
    check_vocabulary(tmp_path / "models", corpus.tokenizer())
    with pytest.raises(CorpusError, match="of another vocabulary"):
        check_vocabulary(SHIPPED, corpus.tokenizer())


def _has_its_words(path: Path, tokenizer: Tokenizer, texts: list[str]) -> None:
    lexicon = Lexicon.open(path, tokenizer)
    assert lexicon
    counts = Counter(word for text in texts for word in words_in(text))
    assert min(counts.values()) < LEAST_OCCURRENCES <= max(counts.values())
    for word, count in counts.items():
        assert lexicon.flaws(tokenizer.encode(word)).unknown == (count < LEAST_OCCURRENCES), word


def test_what_cannot_be_counted_is_refused(tmp_path: Path) -> None:
    """No text, or too little; ids so large that an n-gram does not fit into a number; a folder without models."""
    with pytest.raises(CorpusError, match="no text"):
        estimate(np.zeros(0, np.uint16), np.zeros(1, np.int64), vocabulary_size=9, order=3, threshold=0.0)
    with pytest.raises(CorpusError, match="threshold of 50"):
        estimate(np.array([1, 2, 1, 2]), np.array([0, 2, 4]), vocabulary_size=9, order=3, threshold=50.0)
    with pytest.raises(CorpusError, match="lower order"):
        estimate(np.ones(4, np.uint32), np.array([0, 4]), vocabulary_size=100_000, order=4, threshold=0.0)
    with pytest.raises(CorpusError, match="no language models"):
        described_sources(tmp_path)
