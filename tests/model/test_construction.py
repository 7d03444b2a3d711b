"""Constructed sentences of every kind, and the pairs that are made of them."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

import pytest
import torch

from model.bundle import DE_EN, DIRECTIONS, EN_DE, ManifestError
from model.data.corpus import read_pairs
from model.grammar.choice import Chosen, choose
from model.grammar.construction import Construction, construct, reads_otherwise
from model.grammar.drawing import Draw
from model.grammar.lexicon import WORDS_IN_BOTH
from model.grammar.reading import read_lexicon
from model.grammar.sentences import KINDS, draw_sentence, draw_sentences
from model.reder import Reder
from tests.model import toy

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from model.bundle import Direction, Tokenizer
    from model.grammar.lexicon import Words
    from model.grammar.sentences import Kind


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("words", ["all", "most", "rest"])
def test_every_kind_is_written_whole(kind: Kind, words: Words) -> None:
    """Whatever is drawn, all ways to say it begin with a capital, end with a mark and have single spaces."""
    lexicon = read_lexicon().restricted(words)
    for seed in range(70):
        sentence = draw_sentence(Draw(lexicon, seed), kind)
        assert sentence.english
        assert sentence.german
        for way in (*sentence.english, *sentence.german):
            assert way[0].isupper(), way
            assert way[-1] in ".?!", way
            assert "  " not in way
            assert " ," not in way
            assert "can not" not in way


def test_same_seed_same_sentences() -> None:
    """A seed draws the same sentences each time, all of them different; another draws others."""
    drawn = [list(draw_sentences(Draw(read_lexicon(), seed), 100)) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert len({(sentence.english[0], sentence.german[0]) for sentence in drawn[0]}) == 100


def test_words_left_out() -> None:
    """What most verbs are has none of the rest but those that some kinds of sentence need, and lacks some nouns."""
    everything = read_lexicon()
    most, rest = everything.restricted("most"), everything.restricted("rest")
    names = [{verb.english.base for verb in lexicon.verbs} for lexicon in (everything, most, rest)]
    assert names[1] & names[2] == WORDS_IN_BOTH
    assert names[1] | names[2] == names[0]
    assert len(most.nouns) < len(rest.nouns) == len(everything.nouns)


def test_any_ways_without_a_network(tmp_path: Path) -> None:
    """The file has any ways, each pair once, as the corpus reader reads them; all teach both directions."""
    count = construct(Construction(sentences=50, seed=3, output=tmp_path / "new"))
    assert count == dict.fromkeys(DIRECTIONS, 50)
    (file,) = (tmp_path / "new").iterdir()
    pairs = list(read_pairs([file]))
    assert {pair.source for pair in pairs} == {"constructed"}
    drawn = islice(draw_sentences(Draw(read_lexicon(), 3), 50), 50)
    told = [*zip(pairs, drawn, strict=True)]
    assert all(pair.english in one.english and pair.german in one.german for pair, one in told)
    assert any((pair.english, pair.german) != (one.english[0], one.german[0]) for pair, one in told)


def test_sources_are_named_by_what_they_teach(tmp_path: Path) -> None:
    """Pairs chosen in one direction are named by it, those of both are there once; what is read otherwise is not."""

    def choose_last(
        direction: Direction, sources: Sequence[str], targets: Sequence[Sequence[str]]
    ) -> list[Chosen | None]:
        kept = [ways[-1] if direction is EN_DE else ways[0] for ways in targets]
        pairs = zip(sources, kept, strict=True)
        return [Chosen(one, f"{one} ...") if "not" not in source else None for source, one in pairs]

    count = construct(Construction(sentences=80, seed=5, output=tmp_path, choose=choose_last))
    pairs = list(read_pairs([tmp_path / "constructed.tsv"]))
    assert len({(pair.english, pair.german) for pair in pairs}) == len(pairs)
    names = Counter(pair.source for pair in pairs)
    assert names.keys() == {"constructed", "constructed.en-de", "constructed.de-en"}
    for direction in DIRECTIONS:
        assert count[direction] == names["constructed"] + names[f"constructed.{direction}"]
    assert count[EN_DE] < 80
    assert not [pair for pair in pairs if pair.source != "constructed.de-en" and "not" in pair.english]


def test_leaves_most_out_that_the_network_knows(tmp_path: Path) -> None:
    """Where it translates a source as any accepted target, one pair in four stays; where not, every pair."""

    def choose_first(
        direction: Direction, sources: Sequence[str], targets: Sequence[Sequence[str]]
    ) -> list[Chosen | None]:
        assert len(sources) == len(targets)
        return [Chosen(ways[0], ways[-1] if direction is EN_DE else f"{ways[0]} ...") for ways in targets]

    count = construct(Construction(sentences=400, seed=6, output=tmp_path, choose=choose_first))
    assert 70 < count[EN_DE] < 130
    assert count[DE_EN] > 350


def test_chooses_the_likeliest(model: Reder, tokenizer: Tokenizer) -> None:
    """Of the targets that a source has frames for, that with the least CTC loss, as PyTorch computes it."""
    sources = ["the old friends", "a boat", "the women and the boats"]
    targets = [["die Frau", "alte Freunde", "das kleine Boot", "x" * 200], ["Boote"], ["Frauen", "alte Boote, Boote"]]
    for source, ways, chosen in zip(sources, targets, choose(model, tokenizer, EN_DE, sources, targets), strict=True):
        ids = torch.tensor([tokenizer.encode(source)])
        scores = model(EN_DE, ids, torch.tensor([ids.shape[1]]))
        log_probs = scores.logits.log_softmax(dim=2).transpose(0, 1)
        losses = [
            torch.nn.functional.ctc_loss(
                log_probs, torch.tensor([one]), scores.lengths, torch.tensor([len(one)]), reduction="sum"
            ).item()
            for one in tokenizer.encode_batch(ways)
        ]
        assert chosen
        assert chosen.target == ways[losses.index(min(losses))]


def test_too_long_for_the_network(model: Reder, tokenizer: Tokenizer) -> None:
    """A source that it cannot read has no likeliest target, nor has one that all targets are too long for."""
    too_long = "x" * (model.config.max_source_tokens + 1)
    assert choose(model, tokenizer, DE_EN, [too_long, "ja"], [["yes"], ["x" * 200]]) == [None, None]


def test_other_vocabulary(tokenizer: Tokenizer) -> None:
    """A network of another vocabulary is refused."""
    with pytest.raises(ManifestError, match="the tokenizer has"):
        choose(Reder(toy.tiny(vocabulary_size=toy.VOCABULARY_SIZE + 1)), tokenizer, EN_DE, ["a"], [["b"]])


@pytest.mark.parametrize(
    ("source", "target", "translation", "otherwise"),
    [
        ("You sleep.", "Du schläfst.", "Sie schlafen.", True),
        ("You sleep.", "Sie schlafen.", "Ihr schlaft.", False),
        ("I see you.", "Ich sehe dich.", "Ich sehe Sie.", True),
        ("I sleep.", "Ich schlafe.", "Du schläfst.", False),
        ("Sie schlafen.", "They sleep.", "You sleep.", True),
        ("Sie schlafen.", "They sleep.", "They are sleeping.", False),
        ("Sie schläft.", "She sleeps.", "You sleep.", False),
        ("I asked a teacher.", "Ich fragte eine Lehrerin.", "Ich fragte einen Lehrer.", True),
        ("I asked teachers.", "Ich fragte Lehrer.", "Ich fragte Lehrerinnen.", True),
        ("I asked a teacher.", "Ich fragte einen Lehrer.", "Ich habe den Lehrer gefragt.", False),
        ("I asked a queen.", "Ich fragte eine Königin.", "Ich fragte einen König.", False),
    ],
)
def test_reads_otherwise(source: str, target: str, translation: str, *, otherwise: bool) -> None:
    """What may be du or Sie, you or they, a man or a woman, is compared with what the network makes of it, no more."""
    direction = EN_DE if source.startswith(("You", "I")) else DE_EN
    assert reads_otherwise(direction, source, target, translation) is otherwise
