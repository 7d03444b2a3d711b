"""Weights become a bundle, with the commands a user would type."""

from __future__ import annotations

import itertools
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import onnx
import onnxruntime as ort
import pytest
import torch
from onnx import numpy_helper
from safetensors.numpy import load_file
from safetensors.torch import save

from cli.export import known_sources, listed_sources
from model import graphs as writing
from model.architecture import build
from model.bundle import (
    DE_EN,
    DIRECTIONS,
    EN_DE,
    Bundle,
    Shortlist,
    Task,
    WordPairs,
    dictionary_file,
    shortlist_file,
    word_pairs_file,
    write_dictionary_file,
)
from model.bundle.quantisation import read_activations
from model.checkpoint import load_model, save_weights
from model.data.batches import pad
from model.data.corpus import Pair
from model.data.vocabulary import train_vocabulary
from model.descriptions import DICTIONARY
from model.model_card import sources_of
from model.ngrams import write_language_models
from model.onnx_runner import GraphRunner
from model.tasks import TorchRunner
from service.engine.choice import open_engine
from service.engine.network import why_not_here
from service.types import Batch
from tests.cli.support import BUNDLE, here, reder
from tests.model import toy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from typer.testing import Result

    from model.bundle import Direction
    from model.reder import Reder

LISTED = toy.VOCABULARY_SIZE * 3 // 4
SENTENCES = 50
"""To compare the graphs with torch on: a tenth of what an export of a network asks for that has learned something."""

RECIPE = """
[model]
preset = "tiny"

[data]
packed = "packed"

[train]
"""


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a network that has learned nothing, and what its export reads."""
    folder = tmp_path_factory.mktemp("workshop")
    pairs = toy.sentences(SENTENCES + 20)
    for name in ("packed", "sets"):
        (folder / name).mkdir()
    train_vocabulary(pairs, folder / "tokenizer.model", size=toy.VOCABULARY_SIZE, max_sentences=100)
    corpus = toy.packed(pairs, folder / "tokenizer.model", folder / "packed")
    write_language_models(corpus, folder / "models", order=3, threshold=0.0)
    write_dictionary_file(folder / "models" / dictionary_file(DE_EN), {"Hund": ["dog"], "Mann": ["man"]})
    (folder / "models" / DICTIONARY).write_text('{"sources": ["dialogue"]}', encoding="utf-8")
    pair = np.array([7]), np.array([toy.VOCABULARY_SIZE - 1])
    # more than half of all tokens, of which all are used then
    Shortlist.of(np.arange(LISTED), *pair, toy.VOCABULARY_SIZE).save(folder / "models" / shortlist_file(EN_DE))
    WordPairs(np.zeros(4, np.int8)).save(folder / "models" / word_pairs_file(DE_EN))
    # an empty line, and one longer than the network reads, where golden examples are drawn
    joined = {side: " ".join(getattr(pair, side) for pair in pairs[:9]) for side in ("english", "german")}
    odd = Pair("", "", "stories"), Pair(**joined, source="stories")
    toy.validation_set(folder / "sets", [odd[0], *pairs[1:50], odd[1], *pairs[51:]], "large")
    toy.validation_set(folder / "sets", pairs[:10], "small")
    torch.manual_seed(1)
    # each layer takes seconds; the widths are such as the service has code for
    shape = replace(toy.tiny(layers_per_end=1), width=128, heads=2, ffn_width=192)
    save_weights(folder / "network.safetensors", build(shape))
    (folder / "one.toml").write_text(RECIPE, encoding="utf-8")
    rows = ["source\torigin\tlicence as stated", "stories\tour shelf\tCC0", "dialogue\tour ears\tMIT"]
    (folder / "sources.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def run(workshop: Path) -> Iterator[Callable[..., Result]]:
    """`here`, in that folder, with fewer sentences to measure on.

    Tracing takes most of an export's time, so that a network is traced once: all that makes the graph is the same.
    """
    trace, traced = writing._trace, dict[object, onnx.ModelProto]()

    def trace_once(model: Reder, direction: Direction) -> onnx.ModelProto:
        what = direction, model.config, save(model.state_dict())
        if what not in traced:
            traced[what] = trace(model, direction)
        return traced[what]

    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(workshop)
        patch.setattr(writing, "_trace", trace_once)
        patch.setattr("model.export._PARITY_SENTENCES", SENTENCES)
        yield here


@pytest.fixture(scope="module")
def first(run: Callable[..., Result], workshop: Path) -> Bundle:
    """What `reder export` makes of it."""
    exported = run(
        *("export", "one.toml", "--output", "first", "--weights", "network.safetensors", "--beam", 3),
        *("--validation", "sets/large", "--test", "sets/small", "--sources", "sources.tsv", "--built-on", BUNDLE),
        *("--language-models", "models", "--language-weight", 0.2),
    )
    assert exported.exit_code == 0, exported.stderr
    return Bundle.open(workshop / "first")


def card(bundle: Bundle) -> str:
    """Its model card."""
    return (bundle.path / "MODEL_CARD.md").read_text(encoding="utf-8")


def test_export_measures_and_describes(first: Bundle) -> None:
    """The bundle says what it was made of, the bundle before it included, and how good it is on each set."""
    manifest = first.manifest
    assert manifest.training["recipe"] == "one.toml"
    former = Bundle.open(BUNDLE)
    assert manifest.training["built_on"].split(", ")[-1] == former.manifest.training["recipe"]
    assert manifest.search.beam == 3
    assert {direction: fluency.weight for direction, fluency in first.fluency().items()} == dict.fromkeys(
        DIRECTIONS, 0.2
    )
    assert "3-grams counted in the text" in card(first)
    assert {direction: one.translations("Hund") for direction, one in first.dictionaries().items()} == {DE_EN: ("dog",)}
    assert "It has 2 words de-en." in card(first)
    listed = {direction: shortlist.listed([7]).tolist() for direction, shortlist in first.shortlists().items()}
    assert listed == {EN_DE: [*range(LISTED), toy.VOCABULARY_SIZE - 1]}
    assert f"{LISTED} tokens, those of the source" in card(first)
    assert "It has 1 pairs en-de." in card(first)
    assert {(row["test_set"], row["use"]) for row in manifest.scores} == {("large", "validation"), ("small", "test")}
    assert {row["quality"] for row in manifest.scores if row["precision"] == "int8"} == {"fast", "good", "best"}
    assert "| int8 fast | int8 good | int8 best |" in card(first)
    assert manifest.parity["de-en"]["share"] > 0.999
    assert manifest.parity["de-en"]["score_difference"] < 1e-4  # than the network in float16, not as it was trained
    assert 0 <= manifest.weak_below <= 1
    assert "| stories | our shelf | CC0 |" in card(first)
    assert sources_of(card(former))[0] in sources_of(card(first))


def test_constructed_text_needs_no_row(workshop: Path) -> None:
    """The card says where sentences of the grammar come from, whether a table tells of the other sources or not."""
    table = workshop / "sources.tsv"
    assert [row[0] for row in listed_sources(table, {"stories", "constructed"})] == ["stories", "constructed"]
    assert "`reder construct`" in listed_sources(None, {"constructed"})[0][1]
    assert listed_sources(table, {"stories"}) == [("stories", "our shelf", "CC0")]


def test_language_models_of_a_bundle_can_go_on(workshop: Path) -> None:
    """Who trains a bundle further need not count again: the card says of a bundle's models what that bundle's says."""
    assert known_sources(workshop / "models") == ({"dialogue", "stories"}, [])
    assert known_sources(BUNDLE) == (set(), sources_of(card(Bundle.open(BUNDLE))))


def test_exported_bundle_translates(first: Bundle, workshop: Path) -> None:
    """The service's own checks pass on it, golden sentences included, and it writes a line for each it is given."""
    run = reder("translate", "--dir", "de-en", "--bundle", first.path, text=b"Ein Mann.\nDie Frau.\n", folder=workshop)
    assert run.returncode == 0, run.stderr
    assert run.stdout.count(b"\n") == 2


def graphs(bundle: Bundle, precision: str) -> list[onnx.GraphProto]:
    """Its graphs of one precision, without the weights that they refer to."""
    paths = [bundle.graph(direction, precision, task) for direction, task in itertools.product(DIRECTIONS, Task)]
    return [onnx.load(path, load_external_data=False).graph for path in paths]


def references(graph: onnx.GraphProto) -> set[tuple[str, str, str]]:
    """File, offset and length of each tensor that lies outside the graph."""
    places = ({entry.key: entry.value for entry in tensor.external_data} for tensor in graph.initializer)
    return {(place["location"], place["offset"], place["length"]) for place in places if place}


def test_weights_are_stored_once(first: Bundle) -> None:
    """Graphs in fp32 and fp16, both directions and all tasks alike, refer to the same places of the same file."""
    everywhere = [references(graph) for precision in ("fp32", "fp16") for graph in graphs(first, precision)]
    assert {file for file, _, _ in everywhere[0]} == {"weights.safetensors"}
    assert all(places == everywhere[0] for places in everywhere)
    for graph in graphs(first, "int8"):
        shared = {place for place in references(graph) if place[0] != "weights.int8.safetensors"}
        assert shared
        assert shared < everywhere[0]


def test_whoever_reads_one_file_reads_all(first: Bundle) -> None:
    """All have the mode that files have here: a service runs as somebody else."""
    assert len({path.stat().st_mode for path in first.path.iterdir()}) == 1


def test_no_graph_tells_where_it_was_made(first: Bundle) -> None:
    """PyTorch notes the source file of every operation, with the path that it has on this machine."""
    files = [*first.path.glob("*.onnx")]
    assert files
    assert [file.name for file in files if b".py" in file.read_bytes()] == []


def test_weights_take_two_bytes(first: Bundle) -> None:
    """Every number of the weights file is a float16, and no graph has a copy of a large one."""
    stored = load_file(first.path / "weights.safetensors")
    assert {array.dtype for array in stored.values()} == {np.dtype(np.float16), np.dtype(np.bool_)}
    for graph in itertools.chain(*(graphs(first, precision) for precision in ("fp32", "int8", "fp16"))):
        # a tensor may hold its values in any of several fields, besides or instead of referring to them
        assert max(tensor.ByteSize() for tensor in graph.initializer) < 4 * 512


def test_graphs_are_the_network_that_torch_reads_back(first: Bundle) -> None:
    """The fp32 graphs give the log probabilities of the network in the bundle's weights file, as near as rounding."""
    source = pad([list(range(5, 45)), [7, 8, 9]])
    runners = GraphRunner(first, "fp32"), TorchRunner(load_model(first.path / "weights.safetensors"))
    for direction in DIRECTIONS:
        found, expected = (runner.run(Task.SCORE, direction, source, source)[1] for runner in runners)
        np.testing.assert_allclose(found[0], expected[0], atol=1e-5)


def test_scales_by_themselves_are_those_of_the_graphs(first: Bundle) -> None:
    """Whoever runs the network without the graphs rounds as they do; only relative keys are left in float32."""
    for direction, scales in read_activations(first.path).items():
        graph = onnx.load(first.graph(direction, "int8", Task.GREEDY)).graph
        constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
        rounded = [node.input for node in graph.node if node.op_type == "MatMulIntegerToFloat"]
        found = {(float(constants[inputs[2]]), int(constants[inputs[4]])) for inputs in rounded}
        relative = {
            (float(constants[inputs[2]]), int(constants[inputs[4]]))
            for inputs in rounded
            if len(constants[inputs[1]]) == 64  # a head's width
        }
        assert set(scales.values()) == found - relative
        assert len(scales) == 2 * 4 + 1


@pytest.mark.skipif(bool(why_not_here()), reason=why_not_here() or "there is")
def test_exported_bundle_runs_without_its_graphs(first: Bundle) -> None:
    """The service's own code finds in its weights what ONNX Runtime finds in its graphs."""
    native, graphs = (open_engine(first, provider="cpu", runtime=name) for name in ("native", "onnxruntime"))
    for direction in DIRECTIONS:
        batch = Batch.pad([one.source_ids for one in first.golden() if one.direction == str(direction)])
        ours, theirs = (engine.search(direction, batch) for engine in (native, graphs))
        real = np.arange(ours.ids.shape[1]) < ours.lengths[:, None]
        assert np.abs(ours.log_probs - theirs.log_probs)[real].mean() < 0.05


@pytest.mark.parametrize("precision", ["fp32", "int8"])
def test_weights_are_cast_when_a_graph_is_loaded(first: Bundle, precision: str, tmp_path: Path) -> None:
    """Only what was looked up in a table is left to cast at run time: no weight, and no whole table."""
    options = ort.SessionOptions()
    options.optimized_model_filepath = str(tmp_path / "loaded.onnx")
    options.log_severity_level = 3  # it warns that what it writes is for this machine
    ort.InferenceSession(first.graph(DIRECTIONS[0], precision), options, providers=["CPUExecutionProvider"])
    loaded = onnx.load(tmp_path / "loaded.onnx", load_external_data=False).graph
    halves = {one.name for one in loaded.initializer if one.data_type == onnx.TensorProto.FLOAT16}
    users = [node for node in loaded.node if halves & set(node.input)]
    assert [node.op_type for node in users] == ["Gather", "Gather"]
    cast = {node.input[0] for node in loaded.node if node.op_type == "Cast"}
    assert {node.output[0] for node in users} <= cast


def test_refresh_keeps_the_network_and_what_is_known_of_it(
    first: Bundle, run: Callable[..., Result], workshop: Path
) -> None:
    """The graphs are written again from the bundle alone; weights, sources, and all settings but those given stay.

    So do its dictionary, its shortlist and its word pairs, where new language models come without them.
    """
    without = shutil.ignore_patterns("dictionary*", "shortlist*", "word_pairs*")
    shutil.copytree(workshop / "models", workshop / "counted", ignore=without)
    changed = ("--beam", "7", "--repeated-word-cost", "2.5", "--language-models", "counted")
    refreshed = run("refresh", first.path, "--validation", "sets/large", "--output", "again", *changed)
    assert refreshed.exit_code == 0, refreshed.stderr
    again = Bundle.open(workshop / "again")
    assert again.manifest.training == first.manifest.training
    assert again.manifest.search == replace(first.manifest.search, beam=7, repeated_word_cost=2.5)
    tables = (dictionary_file(DE_EN), shortlist_file(EN_DE), word_pairs_file(DE_EN))
    kept = ("weights.safetensors", "ngrams.en.npz", "ngrams.de.npz", *tables)
    assert [again.manifest.files[name] for name in kept] == [first.manifest.files[name] for name in kept]
    assert sources_of(card(again)) == sources_of(card(first))
