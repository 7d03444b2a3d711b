"""The comparison of engines: the tables' arithmetic, what is counted, and that every system does its work."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from benchmarks.engine_systems import Threads, TransformerSystem, Written, open_translator
from benchmarks.engine_tables import (
    REDER,
    REDER_ALL,
    REDER_FP32,
    REDER_ONNX,
    ceiling_table,
    compare,
    latency_table,
    reder_with,
    throughput_table,
)
from benchmarks.multiply_adds import multiply_adds
from benchmarks.planned import planned_batches
from benchmarks.random_transformer import Shape, token_name, write_random_transformer
from benchmarks.rounds import interleaved
from benchmarks.sentences import Parallel, read_parallel, spread
from model.bundle import EN_DE, Shortlist, Tokenizer
from model.config import PRESETS, ModelConfig
from model.reder import Reder
from service.engine.network import instruction_sets
from service.pipeline.batching.planning import BatchBudget
from tests.benchmarks.support import golden, here, write_set
from tests.cli.support import BUNDLE, one_line

if TYPE_CHECKING:
    from pathlib import Path

RUNS = {
    "REDER int8 | a": [[0.1, 0.3], [0.1, 0.5], [0.2, 0.3]],
    "REDER int8 | b": [[0.5, 0.5], [0.5, 0.5], [0.5, 0.5]],
    "6+6 greedy | one thread": [[0.9, 0.9], [0.9, 0.9], [0.9, 0.9]],
    "6+6 greedy | two threads": [[0.6, 0.2], [0.6, 0.2], [9.0, 0.2]],
}


@pytest.fixture(scope="module")
def transformer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny model for CTranslate2."""
    folder = tmp_path_factory.mktemp("ct2") / "model"
    write_random_transformer(folder, Shape(2, 1, 64, 128, 4, 400), shortlist())
    return folder


def shortlist() -> Shortlist:
    """For a vocabulary of 400 tokens: five common ones, and 10 speaks for three."""
    return Shortlist.of(np.arange(5), np.array([10, 10, 10]), np.array([200, 201, 202]), 400)


def test_best_setting_counts() -> None:
    """Of each sentence the median round, of each system the setting with the lowest mean, and ratios to REDER's."""
    ours, theirs = compare(RUNS, ["6+6 greedy"])
    assert (ours["setting"], ours["mean_s"], ours["median_s"]) == ("a", 0.2, 0.2)
    assert (ours["mean_ratio"], ours["median_ratio"]) == (1.0, 1.0)
    assert (theirs["setting"], theirs["mean_s"]) == ("two threads", 0.4)
    assert theirs["mean_ratio"] == pytest.approx(2.0)
    assert latency_table([ours, theirs]).splitlines()[2:] == [
        "| REDER int8 (a) | 200.0 | 200.0 | 1.00 | 1.00 |",
        "| CTranslate2 6+6 greedy (two threads) | 400.0 | 400.0 | 2.00 | 2.00 |",
    ]
    assert throughput_table([theirs]).endswith("| CTranslate2 6+6 greedy (two threads) | 0.40 | 2.00 |")


def test_share_of_the_ceiling() -> None:
    """Medians over the rounds, each over the first line's."""
    table = ceiling_table({"large": [2e11, 4e11, 3e11], "REDER": [1e11, 1.5e11, 9e11]})
    assert table.splitlines()[2:] == ["| large | 300 | 100% |", "| REDER | 150 | 50% |"]


def test_systems_take_turns() -> None:
    """Each round calls every system once, every other round in reverse."""
    order: list[str] = []

    def call(name: str) -> int:
        order.append(name)
        return len(order)

    found = interleaved({name: partial(call, name) for name in "AB"}, 3, pause_s=0)
    assert "".join(order) == "ABBAAB"
    assert found == {"A": [1, 4, 5], "B": [2, 3, 6]}


def test_multiply_adds_are_what_torch_counts() -> None:
    """The count from shapes is half the floating-point operations of the network's matrix products."""
    config = ModelConfig(vocabulary_size=300, **PRESETS["tiny"])
    counted = multiply_adds(config, batch=3, source_tokens=7)
    with torch.no_grad(), FlopCounterMode(display=False) as counter:
        Reder(config).eval()(EN_DE, torch.full((3, 7), 5), torch.tensor([7, 6, 2]))
    assert 2 * (counted.weights + counted.attention) == counter.get_total_flops()


def test_every_sentence_is_in_one_batch() -> None:
    """The planner is asked until nothing waits, with as many sentences at a time as the service looks at."""
    lengths = [3, 30, 4, 31, 5, 29, 90, 1]
    batches = list(planned_batches(lengths, BatchBudget(tokens=64, items=3, overhead=2), lookahead=5))
    assert sorted(index for batch in batches for index in batch) == list(range(len(lengths)))
    assert all(len(batch) <= 3 for batch in batches)
    assert any(len(batch) > 1 for batch in batches)


@pytest.mark.parametrize("beam", [1, 5])
def test_transformer_writes_what_it_is_told(transformer: Path, beam: int) -> None:
    """Alone a sentence gets its own length; together each batch its mean, rounded up, and batches keep their limit."""
    pairs = [Parallel((10, 20, 30), 7), Parallel((40,), 2), Parallel((50, 60), 4), Parallel((70, 80, 90, 100), 8)]
    by_count = TransformerSystem(open_translator(transformer, Threads(1, 1)), beam, 2, "examples")
    assert by_count.one(pairs[0]) == Written(sentences=1, batches=1, tokens=7)
    assert by_count.many(pairs) == Written(sentences=4, batches=2, tokens=2 * 8 + 2 * 3)
    by_tokens = TransformerSystem(open_translator(transformer, Threads(2, 1)), beam, 6, "tokens")
    assert by_tokens.many(pairs) == Written(sentences=4, batches=3, tokens=8 + 2 * 6 + 2)


def test_shortlists_are_the_transformers_too(transformer: Path) -> None:
    """With its vocabulary map CTranslate2 writes tokens of the shortlist, and without others as well."""
    translator = open_translator(transformer, Threads(1, 1))
    source = [[token_name(token) for token in (10, 20, 30)]]
    length = {"min_decoding_length": 30, "max_decoding_length": 30}
    written = {}
    for listed in (False, True):
        (result,) = translator.translate_batch(source, use_vmap=listed, **length)
        written[listed] = set(result.hypotheses[0])
    names = set(map(token_name, shortlist().listed([10, 20, 30]).tolist()))
    assert written[True] <= names
    assert not written[False] <= names


def test_multiply_adds_with_a_shortlist() -> None:
    """A frame saves a product with each token that is not weighed; attention stays."""
    config = ModelConfig(vocabulary_size=300, **PRESETS["tiny"])
    every, some = multiply_adds(config, 1, 7), multiply_adds(config, 1, 7, weighed=100)
    assert every.weights - some.weights == 7 * config.upsampling * config.width * 200
    assert every.attention == some.attention


def test_lengths_are_those_of_the_files(tmp_path: Path) -> None:
    """A pair has the source's tokens and the translation's number; blank lines and long ones are left out."""
    tokenizer = Tokenizer(BUNDLE / "tokenizer.model")
    write_set(tmp_path, "real", ["The dog runs.", "", "word " * 50], ["Der Hund läuft.", "", "Wort " * 50])
    (pair,) = read_parallel(tmp_path / "real", tokenizer, max_tokens=20)
    assert pair.source == tuple(tokenizer.encode("The dog runs."))
    assert pair.target_tokens == len(tokenizer.encode("Der Hund läuft."))


def test_sample_is_spread_and_always_the_same() -> None:
    """A sample is evenly spaced over the set, however it is shuffled, and the same in every run."""
    assert sorted(spread(range(100), 4)) == [0, 25, 50, 75]
    assert spread(range(100), 9) == spread(range(100), 9)
    assert sorted(spread(range(3), 9)) == [0, 1, 2]


def test_run_measures_every_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the shipped bundle each system translates every sentence; REDER's ratio to itself is 1."""
    monkeypatch.setattr("benchmarks.engine.interleaved", partial(interleaved, pause_s=0))
    write_set(tmp_path, "real", *golden(4))
    run = here(
        *("engine", "--bundle", BUNDLE, "--sentences", tmp_path / "real", "--alone", 2, "--together", 4),
        *("--rounds", 1, "--output", tmp_path),
    )
    assert run.exit_code == 0, run.stderr
    found = json.loads((tmp_path / "engine.json").read_text(encoding="utf-8"))
    systems = {name.partition(" | ")[0] for name in found["latency_s"]}
    transformers = {"3+3 greedy", "3+3 beam 5", "3+1 greedy"}
    listed = {f"{name}, shortlists" for name in transformers}
    slower = {reder_with(name) for name in instruction_sets()[1:]}
    assert systems == {REDER, REDER_ALL, REDER_ONNX} | slower | transformers | listed
    assert {name.partition(" | ")[0] for name in found["seconds"]} == systems | {REDER_FP32}
    for runs, timed in ((found["latency_s"], 2), (found["seconds"], 1)):
        assert all(len(rounds) == 1 for rounds in runs.values())
        assert all(len(times) == timed and min(times) > 0 for rounds in runs.values() for times in rounds)
    assert found["sentences"]["together"]["count"] == 4
    assert [one["mean_ratio"] for one in found["summary"]["throughput"] if one["system"] == "REDER int8"] == [1.0]
    assert run.stdout.count("CTranslate2 3+3 beam 5 (") == 2
    assert "| 100% |" in run.stdout


def test_instructions_that_there_are_not_are_a_clear_error(tmp_path: Path) -> None:
    """Nothing is measured with others than those demanded."""
    write_set(tmp_path, "real", *golden(1))
    run = here(
        *("engine", "--bundle", BUNDLE, "--sentences", tmp_path / "real", "--output", tmp_path),
        *("--instructions", "avx10"),
    )
    assert run.exit_code == 1
    assert run.stdout == ""
    assert "instructions avx10 are demanded" in one_line(run.stderr)


def test_missing_sentences_are_a_clear_error(tmp_path: Path) -> None:
    """Without real sentences there is no measurement, and the message names the file."""
    run = here("engine", "--bundle", BUNDLE, "--sentences", tmp_path / "none", "--output", tmp_path)
    assert run.exit_code == 2
    assert run.stdout == ""
    assert f"{tmp_path / 'none.en'} cannot be read" in one_line(run.stderr)
