"""int8 variants of graphs, on scales that are fixed when a bundle is made.

Weights have a scale for each column. Activations have one for each tensor, from what real sentences put there: a scale
that is measured anew for every batch follows the largest value in it, and a sentence comes out differently beside
others than alone (docs/decisions/0013).
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
import onnx_ir as ir
import onnxruntime as ort
from onnx_ir.passes.common import RemoveUnusedNodesPass

from model.bundle.quantisation import Scale, quantise_columns
from model.data.batches import by_length, pad

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import onnx
    from numpy.typing import NDArray

__all__ = ["Range", "measure_ranges", "product_scales", "quantise"]

_COVERED = 0.9999
"""Share of frames whose lowest value is within the range, and of those whose highest is. What is beyond is clipped."""

_STEPS = 255
_TINY = 1e-12
_BATCH_TOKENS = 1024
_WIDTH_AXIS = (2, -1)
_RUNTIME = "com.microsoft"


class Range(NamedTuple):
    """Which values an activation takes; zero is among them."""

    low: float
    high: float

    @property
    def scale(self) -> NDArray[np.float32]:
        """The difference between two steps of uint8."""
        return np.array(max(self.high - self.low, _TINY) / _STEPS, np.float32)

    @property
    def zero_point(self) -> NDArray[np.uint8]:
        """The step that means zero."""
        return np.array(round(-self.low / float(self.scale)), np.uint8)

    def as_scale(self) -> Scale:
        """The same as a bundle's file has it."""
        return Scale(float(self.scale), int(self.zero_point))


def measure_ranges(graph: onnx.ModelProto, sources: Sequence[Sequence[int]], upsampling: int) -> dict[str, Range]:
    """What goes into the products that `quantise` replaces, while these sentences are translated.

    Args:
        graph: float32, of the greedy task.
        sources: the sentences, as token ids.
        upsampling: frames a token.

    Returns:
        Ranges by the names of the activations.
    """
    model = ir.from_proto(graph)
    activations = list(dict.fromkeys(_operands(product)[0] for product in _products(model.graph)))
    names = [cast("str", activation.name) for activation in activations]
    model.graph.outputs.extend(activations)
    session = ort.InferenceSession(ir.to_proto(model).SerializeToString(), providers=["CPUExecutionProvider"])
    extremes: dict[str, list[NDArray[Any]]] = defaultdict(list)
    for rows in by_length([len(ids) for ids in sources], _BATCH_TOKENS):
        source = pad([sources[row] for row in rows])
        lengths = source.lengths.numpy()
        found = session.run(names, {"source_ids": source.ids.numpy(), "source_lengths": lengths})
        real = np.arange(source.ids.shape[1] * upsampling) < lengths[:, None] * upsampling
        for name, activation in zip(names, found, strict=True):
            # [batch, frames, width], or [batch, heads, frames, width]
            frames = activation.swapaxes(1, -2)[real].reshape(np.count_nonzero(real), -1)
            extremes[name].append(np.stack([frames.min(axis=1), frames.max(axis=1)]))
    return {name: _range(*np.concatenate(batches, axis=1)) for name, batches in extremes.items()}


def product_scales(graph: onnx.ModelProto, ranges: Mapping[str, Range]) -> list[tuple[NDArray[np.float32], Scale]]:
    """The weights of each product that `quantise` replaces, and the scale of what goes into it."""
    operands = map(_operands, _products(ir.from_proto(graph).graph))
    return [
        (weights.const_value.numpy(), ranges[cast("str", source.name)].as_scale())
        for source, weights in operands
        if weights.const_value is not None
    ]


def _range(lows: NDArray[Any], highs: NDArray[Any]) -> Range:
    """From the lowest and the highest value of each frame."""
    low, high = np.quantile(lows, 1 - _COVERED), np.quantile(highs, _COVERED)
    return Range(min(0.0, float(low)), max(0.0, float(high)))


def quantise(graph: onnx.ModelProto, ranges: Mapping[str, Range]) -> onnx.ModelProto:
    """A variant whose products with weights are int8, their results float32; all else is as it was.

    A bias becomes part of the product. Where the result is only split, as it is into queries, keys and values, each
    part is a product of its own, which saves copying it.

    Args:
        graph: float32.
        ranges: of what goes into the products, from `measure_ranges`.
    """
    model = ir.from_proto(graph)
    model.opset_imports[_RUNTIME] = 1
    rewriter = _Rewriter(model.graph, ranges)
    for product in list(_products(model.graph)):
        rewriter.replace(product)
    RemoveUnusedNodesPass()(model)  # the float32 weights among them
    return ir.to_proto(model)


class _Rewriter:
    """Replaces products in a graph, one by one. Activations are quantised once, whatever they are multiplied with."""

    def __init__(self, graph: ir.Graph, ranges: Mapping[str, Range]) -> None:
        self._graph = graph
        self._ranges = ranges
        self._activations: dict[str, tuple[ir.Value, ir.Value, ir.Value]] = {}

    def replace(self, product: ir.Node) -> None:
        """Put an int8 product, or one for each part that the result is split into, in place of a float32 one."""
        source, weights = _operands(product)
        old, results, bias = [product], product.outputs, None
        if (user := _only_user(results, "Add")) and _is_constant(user.inputs[1]):
            old, results, bias = [*old, user], user.outputs, user.inputs[1]
        if (user := _only_user(results, "Split")) and _shares_columns(user):
            old, results = [*old, user], user.outputs
        tape = ir.tape.Tape()
        quantised = self._quantised(tape, source)
        columns = zip(_columns(weights, len(results)), _columns(bias, len(results)), strict=True)
        new = [self._product(tape, quantised, *part) for part in columns]
        ir.convenience.replace_nodes_and_values(self._graph, product, old, tape.nodes, results, new)

    def _quantised(self, tape: ir.tape.Tape, source: ir.Value) -> tuple[ir.Value, ir.Value, ir.Value]:
        """An activation in uint8, its scale and its zero point."""
        name = cast("str", source.name)
        if name not in self._activations:
            scale = self._constant(f"{name}.scale", self._ranges[name].scale)
            zero_point = self._constant(f"{name}.zero_point", self._ranges[name].zero_point)
            self._activations[name] = tape.op("QuantizeLinear", [source, scale, zero_point]), scale, zero_point
        return self._activations[name]

    def _product(
        self,
        tape: ir.tape.Tape,
        activation: tuple[ir.Value, ir.Value, ir.Value],
        weights: tuple[str, NDArray[Any]],
        bias: tuple[str, NDArray[Any]] | None,
    ) -> ir.Value:
        """An activation times weights in int8, plus the bias, in float32."""
        quantised, scale, zero_point = activation
        name, columns = weights
        rounded, steps = quantise_columns(columns)
        matrix = self._constant(f"{name}.int8", rounded)
        inputs = [quantised, matrix, scale, self._constant(f"{name}.scale", steps), zero_point, None]
        if bias:
            inputs.append(self._constant(*bias))
        return tape.op("MatMulIntegerToFloat", inputs, domain=_RUNTIME)

    def _constant(self, name: str, array: NDArray[Any]) -> ir.Value:
        if name not in self._graph.initializers:
            self._graph.register_initializer(ir.Value(name=name, const_value=ir.tensor(array, name=name)))
        return self._graph.initializers[name]


def _products(graph: ir.Graph) -> Iterator[ir.Node]:
    """Products with constants, in the order in which they are computed."""
    for node in graph:
        if node.op_type == "MatMul" and _is_constant(node.inputs[1]):
            yield node


def _is_constant(value: ir.Value | None) -> bool:
    return value is not None and value.const_value is not None


def _operands(product: ir.Node) -> tuple[ir.Value, ir.Value]:
    """The activation and the weights."""
    return cast("tuple[ir.Value, ir.Value]", product.inputs)


def _only_user(results: Sequence[ir.Value], operator: str) -> ir.Node | None:
    """The one node that takes a result, if it is of this kind."""
    users = [use.node for use in results[0].uses()]
    return users[0] if len(users) == 1 and users[0].op_type == operator else None


def _shares_columns(split: ir.Node) -> bool:
    """Whether it cuts a [batch, frames, width] tensor into parts of equal width."""
    return len(split.inputs) == 1 and split.attributes["axis"].as_int() in _WIDTH_AXIS


def _columns(constant: ir.Value | None, parts: int) -> list[Any]:
    """Names and arrays of equal shares of a constant's columns; None for each if there is none."""
    if constant is None or constant.const_value is None:
        return [None] * parts
    if parts == 1:
        return [(constant.name, constant.const_value.numpy())]
    shares = np.split(constant.const_value.numpy(), parts, axis=-1)
    return [(f"{constant.name}.{number}", share) for number, share in enumerate(shares)]
