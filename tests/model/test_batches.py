"""Packed corpora and the batches drawn from them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from model.bundle import BLANK_ID, DE_EN, EN_DE, ManifestError
from model.config import DataConfig
from model.data.batches import Batch, EpochSampler, by_length, pad
from model.data.corpus import CorpusError, Pair
from model.data.packed import PackedCorpus, Side, pack
from model.losses import alignable
from tests.model import toy

if TYPE_CHECKING:
    from model.bundle import Tokenizer
    from model.config import Way

BUDGET = 400
UPSAMPLING = 2


def sampler(
    corpus: PackedCorpus,
    *,
    seed: int = 1,
    budget: int = BUDGET,
    max_tokens: int = 64,
    default_weight: float = 1.0,
    weights: dict[str, float] | None = None,
    one_way: dict[str, Way] | None = None,
) -> EpochSampler:
    """A sampler with all of the corpus in every epoch, unless told otherwise."""
    data = DataConfig(
        packed=corpus.path,
        max_tokens=max_tokens,
        default_weight=default_weight,
        weights=weights or {},
        one_way=one_way or {},
    )
    return EpochSampler(corpus, data, batch_tokens=budget, upsampling=UPSAMPLING, seed=seed)


def times_seen(sampler: EpochSampler, epochs: range) -> Counter[int]:
    """How often each pair comes."""
    return Counter(index for number in epochs for batch in sampler.epoch(number) for index in batch.tolist())


def sentences(batches: list[Batch]) -> list[tuple[tuple[int, ...], ...]]:
    """Both sides of each pair in some batches, without padding."""
    return [
        tuple(tuple(side.ids[row, : int(side.lengths[row])].tolist()) for side in (batch.english, batch.german))
        for batch in batches
        for row in range(len(batch.english.lengths))
    ]


# ------------------------------------------------------------------------------------- packing


def test_packing_round_trip(corpus: PackedCorpus, pairs: list[Pair], tokenizer: Tokenizer) -> None:
    """A packed corpus, opened again, holds every pair's ids and source, in order."""
    opened = PackedCorpus.open(corpus.path)
    assert len(opened) == len(pairs)
    assert opened.source_names == ["dialogue", "stories"]
    assert opened.english.ids.dtype == np.uint16
    for number, pair in enumerate(pairs):
        assert opened.english[number].tolist() == tokenizer.encode(pair.english)
        assert tokenizer.decode(opened.german[number].tolist()) == pair.german
        assert opened.source_names[opened.sources[number]] == pair.source
        assert opened.english.lengths[number] == len(opened.english[number])


def test_nothing_to_pack(vocabulary: Path, tmp_path: Path) -> None:
    """An empty corpus is an error that says why."""
    with pytest.raises(CorpusError, match="nothing left to pack: every pair was dropped"):
        toy.packed([], vocabulary, tmp_path)


def test_too_many_sources(pairs: list[Pair], vocabulary: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More sources than can be numbered, such as a third column of remarks gives, are an error, packed or joined."""
    one, two = (tmp_path / name for name in ("one", "two"))
    for folder in (one, two):
        folder.mkdir()
    stories = toy.packed([pair for pair in pairs if pair.source == "stories"], vocabulary, one)
    dialogue = [pair for pair in pairs if pair.source == "dialogue"]
    monkeypatch.setattr("model.data.packed._MOST_SOURCES", 1)
    with pytest.raises(CorpusError, match="2 sources, such as 'dialogue'; 1 is the most"):
        toy.packed(pairs, vocabulary, two)
    with pytest.raises(CorpusError, match="2 sources, such as 'dialogue'; 1 is the most"):
        stories.joined([toy.packed(dialogue, vocabulary, two)])


def test_packing_needs_a_vocabulary(tmp_path: Path, pairs: list[Pair]) -> None:
    """Without a tokenizer in the folder there is an error that names it."""
    with pytest.raises(ManifestError, match=r"tokenizer\.model"):
        pack(pairs, tmp_path, about={})


def test_joined_corpora_read_as_one(pairs: list[Pair], vocabulary: Path, tmp_path: Path) -> None:
    """Pairs of several corpora follow each other; a source that both hold is one."""
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
    one = toy.packed([pair for pair in pairs if pair.source == "stories"], vocabulary, folders[0])
    two = toy.packed(pairs[:20], vocabulary, folders[1])
    both = one.joined([two])
    assert len(both) == len(one) + 20
    assert both.source_names == ["dialogue", "stories"]
    assert both.english[len(one) + 3].tolist() == two.english[3].tolist()
    assert both.german[2].tolist() == one.german[2].tolist()
    assert [both.source_names[n] for n in both.sources[len(one) :]] == [pair.source for pair in pairs[:20]]


def test_joining_needs_one_vocabulary(
    pairs: list[Pair], corpus: PackedCorpus, vocabulary: Path, tmp_path: Path
) -> None:
    """Ids of another vocabulary would be other words: an error that names the folder."""
    other = toy.packed(pairs[:20], vocabulary, tmp_path)
    (tmp_path / "tokenizer.model").write_bytes(toy.OTHER_VOCABULARY.read_bytes())
    with pytest.raises(CorpusError, match="was packed with another vocabulary"):
        corpus.joined([other])


@pytest.mark.parametrize("damage", ["missing", "empty", "truncated", "garbage"])
@pytest.mark.parametrize("name", ["packed.json", "en.ids.npy", "de.offsets.npy", "sources.npy"])
def test_damaged_pack(vocabulary: Path, pairs: list[Pair], tmp_path: Path, name: str, damage: str) -> None:
    """A packed folder with a missing, cut off or overwritten file is an error that says what to run."""
    toy.packed(pairs[:20], vocabulary, tmp_path)
    path = tmp_path / name
    content = path.read_bytes()
    if damage == "missing":
        path.unlink()
    else:
        path.write_bytes({"empty": b"", "truncated": content[:-4], "garbage": b"garbage " * 40}[damage])
    with pytest.raises(CorpusError, match="is not a packed corpus"):
        PackedCorpus.open(tmp_path)


# ------------------------------------------------------------------------------------- padding


@given(st.lists(st.lists(st.integers(1, 99), min_size=1, max_size=7), min_size=1, max_size=5))
def test_pad_keeps_every_sentence(rows: list[list[int]]) -> None:
    """Padding stacks sentences, adds only blanks on the right, and counts what is real."""
    padded = pad(rows)
    assert padded.ids.dtype == padded.lengths.dtype == torch.int64
    assert padded.ids.shape == (len(rows), max(map(len, rows)))
    for row, length, expected in zip(padded.ids.tolist(), padded.lengths.tolist(), rows, strict=True):
        assert row[:length] == expected
        assert set(row[length:]) <= {BLANK_ID}


@given(st.lists(st.integers(0, 30), max_size=30), st.integers(1, 60))
def test_by_length_groups_everything_within_budget(lengths: list[int], budget: int) -> None:
    """Each non-empty row comes once; a group stays within the budget unless one row alone exceeds it."""
    groups = by_length(lengths, budget)
    assert sorted(index for group in groups for index in group) == [i for i, length in enumerate(lengths) if length]
    for group in groups:
        assert len(group) == 1 or len(group) * max(lengths[index] for index in group) <= budget


# ------------------------------------------------------------------------------------ sampling


@pytest.mark.parametrize("budget", [90, 400, 100_000])
def test_batches_respect_the_budget(corpus: PackedCorpus, budget: int) -> None:
    """No batch exceeds the budget in padded tokens of both sides, and none is needlessly small."""
    batches = [*sampler(corpus, budget=budget).batches(0)]
    padded = [batch.english.ids.numel() + batch.german.ids.numel() for batch in batches]
    assert max(padded) <= budget
    assert len(batches) <= 1 + 2 * sum(padded) / budget


def test_batches_hold_little_padding(corpus: PackedCorpus) -> None:
    """Sentences of similar lengths come together, so most of a batch is real."""
    batches = [*sampler(corpus).batches(0)]
    padded = sum(batch.english.ids.numel() + batch.german.ids.numel() for batch in batches)
    real = sum(int(side.lengths.sum()) for batch in batches for side in (batch.english, batch.german))
    assert real > 0.8 * padded


def test_every_pair_once_an_epoch(corpus: PackedCorpus) -> None:
    """With weight one each pair comes exactly once, read as it was packed."""
    drawn = sampler(corpus)
    assert times_seen(drawn, range(1)) == dict.fromkeys(range(len(corpus)), 1)
    assert drawn.expected_pairs == len(corpus)
    expected = [(tuple(corpus.english[n].tolist()), tuple(corpus.german[n].tolist())) for n in range(len(corpus))]
    assert sorted(sentences([*drawn.batches(0)])) == sorted(expected)


def test_epochs_depend_on_seed_and_number_alone(corpus: PackedCorpus) -> None:
    """The same seed and number give the same epoch; another number or another seed gives another."""

    def order(seed: int, number: int) -> list[list[int]]:
        drawn = sampler(corpus, seed=seed)
        drawn.epoch(7)  # drawing one epoch leaves no trace on the next
        return [batch.tolist() for batch in drawn.epoch(number)]

    assert order(1, 0) == order(1, 0)
    assert order(1, 0) != order(1, 1)
    assert order(1, 0) != order(2, 0)


def test_weights_are_honoured(corpus: PackedCorpus) -> None:
    """Weight 0 never comes, 2.0 twice in each epoch, and 2.25 one time more in a quarter of the epochs."""
    dialogue = {n for n in range(len(corpus)) if corpus.source_names[corpus.sources[n]] == "dialogue"}
    twice = times_seen(sampler(corpus, weights={"stories": 0.0, "dialogue": 2.0}), range(1))
    assert twice == dict.fromkeys(dialogue, 2)

    seen = times_seen(sampler(corpus, default_weight=0.0, weights={"dialogue": 2.25}), range(80))
    assert set(seen) == dialogue
    assert all(160 + 4 < times < 160 + 40 for times in seen.values())
    assert seen.total() / len(dialogue) == pytest.approx(80 * 2.25, rel=0.01)


def test_default_weight_is_for_unnamed_sources(corpus: PackedCorpus) -> None:
    """Sources without a weight of their own get the default."""
    drawn = sampler(corpus, default_weight=0.5, weights={"dialogue": 3.0})
    counts = Counter(corpus.source_names[source] for source in corpus.sources)
    assert drawn.expected_pairs == 0.5 * counts["stories"] + 3 * counts["dialogue"]


def test_unknown_source_in_weights(corpus: PackedCorpus) -> None:
    """A weight for a source that is not there is an error that names it."""
    with pytest.raises(CorpusError, match=r"does not hold: \['subtitles'\]"):
        sampler(corpus, weights={"subtitles": 1.0})


def test_nothing_left_to_train_on(corpus: PackedCorpus) -> None:
    """Weights or limits that leave no pair are an error that says where to look."""
    for weight, max_tokens in ((0.0, 64), (1.0, 2)):
        with pytest.raises(CorpusError, match=rf"is usable: check data\.weights .* {max_tokens} tokens a side"):
            sampler(corpus, default_weight=weight, max_tokens=max_tokens)
    with pytest.raises(CorpusError, match=r"has at most 2 tokens a side .* half of train\.batch_tokens"):
        sampler(corpus, budget=5)


def test_weights_that_draw_nothing(corpus: PackedCorpus) -> None:
    """Weights so small that an epoch has no pair are an error that names them."""
    with pytest.raises(CorpusError, match=r"no pair was drawn .* on average: raise data\.weights"):
        sampler(corpus, default_weight=1e-9).epoch(0)


def test_long_pairs_are_left_out(corpus: PackedCorpus) -> None:
    """Neither side of a drawn pair is longer than allowed."""
    longest = np.maximum(corpus.english.lengths, corpus.german.lengths)
    limit = int(np.median(longest))
    assert set(times_seen(sampler(corpus, max_tokens=limit), range(1))) == set(np.flatnonzero(longest <= limit))


def test_one_way_sources(corpus: PackedCorpus) -> None:
    """Each direction of a batch learns from the rows that teach it, without padding that only others need."""
    drawn = sampler(corpus, one_way={"stor*": "en-de"})
    for indices in drawn.epoch(0):
        dialogue = [n for n in indices.tolist() if corpus.source_names[corpus.sources[n]] == "dialogue"]
        batch = drawn.load(indices)
        assert batch.teaching(EN_DE) is batch
        part = batch.teaching(DE_EN)
        assert len(part) == len(dialogue)
        if dialogue:
            expected = Batch(pad([corpus.english[n] for n in dialogue]), pad([corpus.german[n] for n in dialogue]))
            assert sentences([part]) == sentences([expected])
            assert part.english.ids.shape == expected.english.ids.shape
            assert part.german.ids.shape == expected.german.ids.shape


def test_unknown_source_in_one_way(corpus: PackedCorpus) -> None:
    """A direction for a source that is not there is an error that names it."""
    with pytest.raises(CorpusError, match=r"data\.one_way names sources .* does not hold: \['subtitles'\]"):
        sampler(corpus, one_way={"subtitles": "en-de"})


def test_sources_that_teach_nothing_are_left_out(corpus: PackedCorpus) -> None:
    """A source for one direction only never comes where only the other is trained."""
    data = DataConfig(packed=corpus.path, one_way={"stories": "en-de"})
    drawn = EpochSampler(corpus, data, batch_tokens=BUDGET, upsampling=UPSAMPLING, seed=1, directions=(DE_EN,))
    seen = {corpus.source_names[corpus.sources[n]] for n in times_seen(drawn, range(1))}
    assert seen == {"dialogue"}


def test_one_way_pairs_need_to_align_that_way_only() -> None:
    """A target far longer than its source stays, if it teaches only the way back."""
    packed = PackedCorpus(
        path=Path("in memory"),
        english=flat([[2, 3]]),
        german=flat([[2, 3, 4, 5, 6]]),
        sources=np.zeros(1, dtype=np.uint16),
        source_names=["toy"],
    )
    assert times_seen(sampler(packed, one_way={"toy": "de-en"}), range(1)) == {0: 1}
    with pytest.raises(CorpusError, match="is usable"):
        sampler(packed)


few_ids = st.lists(st.integers(2, 4), max_size=6)


@given(st.lists(st.tuples(few_ids, few_ids), min_size=1, max_size=8))
def test_only_alignable_pairs_are_drawn(rows: list[tuple[list[int], list[int]]]) -> None:
    """Exactly those pairs come that are not empty and that CTC can align both ways, repeats included."""
    packed = PackedCorpus(
        path=Path("in memory"),
        english=flat([english for english, _ in rows]),
        german=flat([german for _, german in rows]),
        sources=np.zeros(len(rows), dtype=np.uint16),
        source_names=["toy"],
    )
    expected = [n for n, (english, german) in enumerate(rows) if aligns(english, german) and aligns(german, english)]
    if expected:
        assert sorted(times_seen(sampler(packed), range(1))) == expected
    else:
        with pytest.raises(CorpusError, match="no pair of in memory is usable"):
            sampler(packed)


def flat(rows: list[list[int]]) -> Side:
    """Sentences end to end, as a packed corpus holds them."""
    offsets = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    return Side(np.array([token for row in rows for token in row], dtype=np.uint16), offsets)


def aligns(source: list[int], target: list[int]) -> bool:
    """Whether the loss can use a pair in this direction."""
    if not source or not target:
        return False
    frames = torch.tensor([len(source) * UPSAMPLING])
    return bool(alignable(torch.tensor([target]), torch.tensor([len(target)]), frames)[0])


@pytest.mark.parametrize("skip", [0, 1, 5])
def test_skip_resumes_exactly(corpus: PackedCorpus, skip: int) -> None:
    """Skipping n batches gives what comes after the first n, on each process."""
    for rank, size in ((0, 1), (1, 2)):
        whole = [*sampler(corpus).batches(3, rank=rank, size=size)]
        rest = [*sampler(corpus).batches(3, skip=skip, rank=rank, size=size)]
        assert len(whole) > 5
        assert sentences(rest) == sentences(whole[skip:])


@pytest.mark.parametrize("size", [2, 3, 4])
def test_processes_share_every_batch(corpus: PackedCorpus, size: int) -> None:
    """Together they have each batch once, in parts of as many rows and as long sentences, but for the last few."""
    drawn = sampler(corpus)
    whole = [batch for batch in drawn.batches(0) if len(batch) >= size]
    shares = [[*drawn.batches(0, rank=rank, size=size)] for rank in range(size)]
    for batch, *parts in zip(whole, *shares, strict=True):
        assert sorted(pair for part in parts for pair in sentences([part])) == sorted(sentences([batch]))
        assert max(map(len, parts)) - min(map(len, parts)) <= 1
        longest = [torch.maximum(one.english.lengths, one.german.lengths) for one in (batch, *parts)]
        assert all(part.max() >= longest[0].sort().values[-size] for part in longest[1:])


@pytest.mark.parametrize("budget", [1, 60, 100_000])
def test_micro_batches_are_the_batch(corpus: PackedCorpus, budget: int) -> None:
    """Parts have the batch's rows in order, without needless padding, and about the size asked for."""
    batch = next(sampler(corpus).batches(0))
    parts = batch.split(budget)
    assert sentences(parts) == sentences([batch])
    assert all(int(part.english.lengths.max()) == part.english.ids.shape[1] for part in parts)
    assert all(len(part) == 1 or part.english.ids.numel() + part.german.ids.numel() < 2 * budget for part in parts)
    assert len(parts) == {1: len(batch), 100_000: 1}.get(budget, len(parts))


def test_sides_are_chosen_by_language(corpus: PackedCorpus) -> None:
    """A batch's sides answer to their language codes."""
    batch = next(sampler(corpus).batches(0))
    assert batch.side("en") is batch.english
    assert batch.side("de") is batch.german
