"""int8 graphs: near float32, and on scales that were fixed before."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import onnx
import onnxruntime as ort
import pytest
from onnx import numpy_helper, parser

from model.bundle.quantisation import EXACT_PRODUCTS
from model.quantise import Range, measure_ranges, quantise

if TYPE_CHECKING:
    from numpy.typing import NDArray

UPSAMPLING = 2
TOKENS = 50
WIDTH = 32
OUTPUTS = ["query", "key", "plain"]
GRAPH = """
<ir_version: 9, opset_import: ["" : 20]>
network (int64[batch, length] source_ids, int64[batch] source_lengths)
    => (float[batch, frames, part] query, float[batch, frames, part] key, float[batch, frames, other] plain)
<int64[1] last = {2}, int64[3] flat = {0, -1, 1}>
{
  column = Unsqueeze (source_ids, last)
  twice = Concat <axis = 2> (column, column)
  frames = Reshape (twice, flat)
  ids = Squeeze (frames, last)
  states = Gather (table, ids)
  product = MatMul (states, weights)
  biased = Add (product, bias)
  query, key = Split <axis = 2, num_outputs = 2> (biased)
  plain = MatMul (states, matrix)
}
"""


@pytest.fixture(scope="module")
def constants() -> dict[str, NDArray[np.float32]]:
    """Of the graph. Token 1 is as no other: the first of its states is a thousand."""
    random = np.random.default_rng(5)
    shapes = {"table": (TOKENS, WIDTH), "weights": (WIDTH, 24), "bias": (24,), "matrix": (WIDTH, 7)}
    arrays = {name: random.standard_normal(shape, dtype=np.float32) for name, shape in shapes.items()}
    arrays["table"][1, 0] = 1000
    return arrays


@pytest.fixture(scope="module")
def graph(constants: dict[str, NDArray[np.float32]]) -> onnx.ModelProto:
    """What a network has: a product with a bias that is split, and one without, of the same states."""
    model = parser.parse_model(GRAPH)
    model.graph.initializer.extend(numpy_helper.from_array(array, name) for name, array in constants.items())
    return model


@pytest.fixture(scope="module")
def ranges(graph: onnx.ModelProto) -> dict[str, Range]:
    """From sentences of several lengths that have every token but 0, which is padding, and 1."""
    return measure_ranges(graph, [list(range(2, 30)), list(range(30, TOKENS)), [5]], UPSAMPLING)


def run(graph: onnx.ModelProto, *sentences: list[int]) -> list[NDArray[Any]]:
    """The outputs for sentences of one length."""
    options = ort.SessionOptions()
    options.add_session_config_entry(*EXACT_PRODUCTS)
    session = ort.InferenceSession(graph.SerializeToString(), options, providers=["CPUExecutionProvider"])
    lengths = [len(ids) for ids in sentences]
    return list(session.run(OUTPUTS, {"source_ids": np.array(sentences), "source_lengths": np.array(lengths)}))


def test_range_of_real_frames(ranges: dict[str, Range], constants: dict[str, NDArray[np.float32]]) -> None:
    """An activation reaches from the lowest to the highest value in the sentences; padding does not count."""
    states = constants["table"][2:]
    assert set(ranges) == {"states"}
    assert ranges["states"] == pytest.approx((states.min(), states.max()), rel=0.01)


@pytest.mark.parametrize(("low", "high"), [(-1.0, 3.0), (0.0, 2.0), (-4.0, 0.0), (0.0, 1e-12)])
def test_zero_is_a_step(low: float, high: float) -> None:
    """Zero is exactly one of the steps, and they reach from one end of the range to the other, but for half a step."""
    one = Range(low, high)
    steps = (np.array([0, 255]) - float(one.zero_point)) * one.scale
    assert steps == pytest.approx((low, high), abs=float(one.scale) / 2)


def test_activation_that_is_always_zero() -> None:
    """Its scale is not zero, by which nothing can be divided."""
    assert Range(0.0, 0.0).scale > 0


def test_results_are_near_float32(
    graph: onnx.ModelProto, ranges: dict[str, Range], constants: dict[str, NDArray[np.float32]]
) -> None:
    """No result is further from float32 than rounding both operands to half a step can bring it."""
    ids = list(range(2, TOKENS))
    found, wanted = run(quantise(graph, ranges), ids), run(graph, ids)
    for name, columns in (("plain", constants["matrix"]), ("key", constants["weights"][:, 12:])):
        largest = np.abs(columns).max(axis=0)
        states = np.abs(constants["table"][2:]).sum(axis=1).max()
        # the last term is for values beyond the range, which are clipped
        bound = ranges["states"].scale * np.abs(columns).sum(axis=0) + states * largest / 127 / 2
        place = OUTPUTS.index(name)
        assert (np.abs(found[place] - wanted[place]) <= bound).all()
        assert not np.array_equal(found[place], wanted[place])


def test_neighbours_make_no_difference(graph: onnx.ModelProto, ranges: dict[str, Range]) -> None:
    """A sentence beside one with a value a thousand times as large has bit for bit the results that it has alone."""
    quantised = quantise(graph, ranges)
    alone, beside = run(quantised, [4, 5, 6]), run(quantised, [4, 5, 6], [1, 1, 1])
    for single, both in zip(alone, beside, strict=True):
        assert np.array_equal(single[0], both[0])


def test_only_what_is_needed(graph: onnx.ModelProto, ranges: dict[str, Range]) -> None:
    """What two products share is quantised once; bias and parts belong to products; nothing stays in float32."""
    quantised = quantise(graph, ranges).graph
    operators = Counter(node.op_type for node in quantised.node)
    assert (operators["QuantizeLinear"], operators["MatMulIntegerToFloat"]) == (1, 3)
    assert not {"MatMul", "Add", "Split"} & operators.keys()
    assert not {"weights", "matrix"} & {tensor.name for tensor in quantised.initializer}


def test_graph_stays_as_it_is(graph: onnx.ModelProto, ranges: dict[str, Range]) -> None:
    """The float32 graph can be used again after both steps."""
    before = graph.SerializeToString()
    measure_ranges(graph, [[3, 4]], UPSAMPLING)
    quantise(graph, ranges)
    assert graph.SerializeToString() == before
