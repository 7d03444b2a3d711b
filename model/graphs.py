"""From a network to ONNX graphs in every precision, and the files of their weights.

Weights are rounded to float16 and stored once, in a file that ONNX Runtime reads as external data: both directions,
every task and every precision find them there. fp32 and int8 graphs cast them to float32. What is quantised has a
file of its own. Torch reads the float16 file back (`checkpoint.load_model`). A matrix that a graph uses transposed is
stored transposed, under its name and ".T".
"""

from __future__ import annotations

import copy
import hashlib
import json
import logging
import warnings
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from onnx.utils import Extractor
from onnxscript.optimizer import optimize_ir
from safetensors.numpy import save

from model.bundle import DIRECTIONS, PRECISIONS, SIGNATURES, Direction, Task
from model.bundle.quantisation import write_activations
from model.bundle.weights import WEIGHTS, tensor_places
from model.quantise import measure_ranges, product_scales, quantise
from model.tasks import EveryTask

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from model.bundle.quantisation import Activations
    from model.reder import Reder

__all__ = ["write_graphs"]

_QUANTISED = "weights.int8.safetensors"
_OPSET = 20
_SMALLEST_SHARED = 512
"""Values; tensors of fewer stay inside the graph, where they are cheaper to read."""

_FOLD_LIMIT = 1 << 40
_MATRIX = ".weight.T"
"""How the name ends of a linear map's weights as they are stored; relative keys are none."""


def write_graphs(
    model: Reder, folder: Path, sentences: Mapping[Direction, Sequence[Sequence[int]]]
) -> dict[str, dict[str, dict[str, str]]]:
    """Write every direction and task in every precision, the weights, and the scales of int8 by themselves.

    Args:
        model: rounded to float16 already, in which the weights are stored (`model.half().float()`).
        folder: where to.
        sentences: real ones as token ids, from which int8 learns which values occur.

    Returns:
        Names of the graphs by direction, precision and task: the manifest's table of them.
    """
    half = copy.deepcopy(model).half()
    table = {
        str(direction): {p: {str(task): f"{direction}.{task}.{p}.onnx" for task in Task} for p in PRECISIONS}
        for direction in DIRECTIONS
    }
    names = _names(half) | _names(model)
    weights, quantised = _Store(), _Store()
    graphs: dict[Path, onnx.ModelProto] = {}
    activations: dict[Direction, Activations] = {}
    for direction in DIRECTIONS:
        exact, rounded = _trace(model, direction), _trace(half, direction)
        greedy = _cut(exact, Task.GREEDY)
        ranges = measure_ranges(greedy, sentences[direction], model.config.upsampling)
        products = ((names[_digest(matrix)], scale) for matrix, scale in product_scales(greedy, ranges))
        activations[direction] = {
            name.removesuffix(_MATRIX): scale for name, scale in products if name.endswith(_MATRIX)
        }
        for task in Task:
            paths = {precision: folder / tasks[str(task)] for precision, tasks in table[str(direction)].items()}
            variants = {"fp32": _cut(exact, task), "fp16": _cut(rounded, task)}
            variants["int8"] = quantise(variants["fp32"], ranges)
            for precision, graph in variants.items():
                _share_weights(graph.graph, names, weights)
                graphs[paths[precision]] = graph
            _share_quantised(variants["int8"].graph, quantised)
    # torch wants the small ones too, which are inside the graphs
    weights.tensors |= {
        name: array for name, array in _arrays(half).items() if not {name, f"{name}.T"} & weights.tensors.keys()
    }
    weights.write(folder / WEIGHTS, {"config": json.dumps(asdict(model.config))})
    quantised.write(folder / _QUANTISED)
    write_activations(folder, activations)
    for path, graph in graphs.items():
        onnx.save(graph, path)
    return table


def _trace(model: Reder, direction: Direction) -> onnx.ModelProto:
    """All tasks of one direction in one graph, since tracing takes long; `_cut` makes a graph of each.

    Names, types and dynamic axes come from the contract. A network in half precision gives a float16 graph.
    """
    inputs = {spec.name: spec for task in Task for spec in SIGNATURES[task].inputs}
    ids = torch.randint(2, model.config.vocabulary_size, (3, 7))
    arguments = {"source_ids": ids, "source_lengths": torch.tensor([7, 5, 3]), "target_ids": ids[:, :5]}
    axes = {
        "batch": torch.export.Dim("batch"),
        "source_len": torch.export.Dim("source_len", max=model.config.max_source_tokens),
        "target_len": torch.export.Dim("target_len"),
    }
    shapes = {name: {n: axes[axis] for n, axis in enumerate(spec.axes)} for name, spec in inputs.items()}
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program = torch.onnx.export(
            EveryTask(model, direction),
            tuple(arguments[name] for name in inputs),
            dynamo=True,
            input_names=list(inputs),
            output_names=[spec.name for task in Task for spec in SIGNATURES[task].outputs],
            dynamic_shapes=shapes,
            opset_version=_OPSET,
            verbose=False,
        )
    if program is None:  # torch types the result as optional
        msg = f"torch exported nothing for {direction}"
        raise RuntimeError(msg)
    # fold the transposed embedding too, so that the product with it can be quantised
    optimize_ir(program.model, input_size_limit=_FOLD_LIMIT, output_size_limit=_FOLD_LIMIT)
    graph: onnx.ModelProto = program.model_proto
    return graph


def _cut(graph: onnx.ModelProto, task: Task) -> onnx.ModelProto:
    """What a task needs of a graph that has all."""
    signature = SIGNATURES[task]
    cut = Extractor(graph).extract_model(
        [spec.name for spec in signature.inputs], [spec.name for spec in signature.outputs]
    )
    _strip_metadata(cut)
    return cut


def _strip_metadata(model: onnx.ModelProto) -> None:
    """Drop what was noted about source files and modules, paths of this machine among it, and about shapes."""
    graph = model.graph
    del model.metadata_props[:], graph.metadata_props[:]
    for holder in (*graph.node, *graph.value_info, *graph.input, *graph.output, *graph.initializer):
        del holder.metadata_props[:]
        holder.doc_string = ""
    del graph.value_info[:]


class _Store:
    """Tensors of several graphs, each once, on their way to a safetensors file beside the graphs."""

    def __init__(self) -> None:
        self.tensors: dict[str, NDArray[Any]] = {}
        self._links: list[tuple[TensorProto, str]] = []

    def move(self, tensor: TensorProto, name: str, array: NDArray[Any]) -> None:
        """Have the graph find its tensor in the file, as `array`."""
        self.tensors[name] = np.ascontiguousarray(array)
        kind = helper.np_dtype_to_tensor_dtype(array.dtype)
        tensor.CopyFrom(
            TensorProto(name=tensor.name, dims=array.shape, data_type=kind, data_location=TensorProto.EXTERNAL)
        )
        self._links.append((tensor, name))

    def write(self, path: Path, metadata: dict[str, str] | None = None) -> None:
        """Write the file, and tell the graphs what lies where."""
        path.write_bytes(save(self.tensors, metadata=metadata))  # save_file's are for their owner only
        places = tensor_places(path)
        for tensor, name in self._links:
            offset, length = places[name]
            for key, value in (("location", path.name), ("offset", offset), ("length", length)):
                tensor.external_data.add(key=key, value=str(value))


def _arrays(model: Reder) -> dict[str, NDArray[Any]]:
    return {name: tensor.cpu().numpy() for name, tensor in model.state_dict().items()}


def _names(model: Reder) -> dict[str, str]:
    """The names of a network's tensors, and of its matrices transposed, by `_digest`."""
    arrays = _arrays(model)
    transposed = {_digest(array.T): f"{name}.T" for name, array in arrays.items() if array.ndim == 2}  # noqa: PLR2004
    return {_digest(array): name for name, array in arrays.items()} | transposed


def _digest(array: NDArray[Any]) -> str:
    """SHA-256 (hex) of type, shape and values."""
    return hashlib.sha256(f"{array.dtype} {array.shape} ".encode() + array.tobytes()).hexdigest()


def _share_weights(graph: onnx.GraphProto, names: dict[str, str], store: _Store) -> None:
    """Move what is a network's own; what is computed from it stays in the graph, since float16 may not hold it."""
    for tensor, array in _large_tensors(graph):
        if name := names.get(_digest(array)):
            if array.dtype == np.float32:
                _cast(graph, tensor)
            store.move(tensor, name, array.astype(np.float16))


def _share_quantised(graph: onnx.GraphProto, store: _Store) -> None:
    for tensor, array in _large_tensors(graph):
        store.move(tensor, _digest(array), array)


def _large_tensors(graph: onnx.GraphProto) -> Iterator[tuple[TensorProto, NDArray[Any]]]:
    for tensor in graph.initializer:
        if tensor.data_location != TensorProto.EXTERNAL:
            array = numpy_helper.to_array(tensor)
            if array.size >= _SMALLEST_SHARED:
                yield tensor, array


def _cast(graph: onnx.GraphProto, tensor: TensorProto) -> None:
    """Rename a float32 tensor, for one in float16 to take its place, and cast that to what it was.

    ONNX Runtime casts it once, when it loads the graph, and keeps the result. Of a table that is only looked up in, the
    rows that were found are cast instead, so that no session keeps a table in float32.
    """
    name, tensor.name = tensor.name, f"{tensor.name}.float16"
    users = [(place, node) for place, node in enumerate(graph.node) if name in node.input]
    if any(node.op_type != "Gather" for _, node in users):
        graph.node.insert(0, helper.make_node("Cast", [tensor.name], [name], to=TensorProto.FLOAT))
        return
    for place, node in reversed(users):
        found = node.output[0]
        node.input[0], node.output[0] = tensor.name, f"{found}.float16"
        graph.node.insert(place + 1, helper.make_node("Cast", [node.output[0]], [found], to=TensorProto.FLOAT))
