"""From a network to ONNX graphs: export, shared weights, int8 and fp16 variants.

All graphs of one precision keep their weights in one file, which ONNX Runtime reads as external
data: both directions and every task use the same ones. The int8 graphs find in the float32 file
what is not quantised. Torch reads the float32 file back (`checkpoint.load_model`). A matrix that a
graph uses transposed is stored transposed, under its name and ".T".
"""

from __future__ import annotations

import json
import logging
import warnings
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np
import onnx
import torch
from onnx import TensorProto, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxscript.optimizer import optimize_ir
from safetensors.numpy import save_file

from model.bundle import SIGNATURES, Direction, Task
from model.tasks import module_for

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from numpy.typing import NDArray

    from model.reder import Reder

__all__ = ["WEIGHTS", "export_graph", "quantise_graphs", "share_weights"]

WEIGHTS = {
    "fp32": "weights.safetensors",
    "int8": "weights.int8.safetensors",
    "fp16": "weights.fp16.safetensors",
}
"""Where the graphs of each precision keep their weights."""

_OPSET = 20
_SMALLEST_SHARED = 1024
"""Bytes; smaller tensors stay inside the graph, where they are cheaper to read."""

_FOLD_LIMIT = 1 << 40
_Content = tuple[str, tuple[int, ...], bytes]


def export_graph(model: Reder, direction: Direction, task: Task) -> onnx.ModelProto:
    """Trace one direction and task; names, types and dynamic axes come from the contract.

    A network in half precision gives a float16 graph.
    """
    signature = SIGNATURES[task]
    ids = torch.randint(2, model.config.vocabulary_size, (3, 7))
    arguments = {"source_ids": ids, "source_lengths": torch.tensor([7, 5, 3]), "target_ids": ids[:, :5]}
    axes = {
        "batch": torch.export.Dim("batch"),
        "source_len": torch.export.Dim("source_len", max=model.config.max_source_tokens),
        "target_len": torch.export.Dim("target_len"),
    }
    shapes = {spec.name: {n: axes[axis] for n, axis in enumerate(spec.axes)} for spec in signature.inputs}
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program = torch.onnx.export(
            module_for(task, model, direction),
            tuple(arguments[spec.name] for spec in signature.inputs),
            dynamo=True,
            input_names=[spec.name for spec in signature.inputs],
            output_names=[spec.name for spec in signature.outputs],
            dynamic_shapes=shapes,
            opset_version=_OPSET,
            verbose=False,
        )
    if program is None:  # torch types the result as optional
        msg = f"torch exported nothing for {task} {direction}"
        raise RuntimeError(msg)
    # fold the transposed embedding too, so that the product with it can be quantised
    optimize_ir(program.model, input_size_limit=_FOLD_LIMIT, output_size_limit=_FOLD_LIMIT)
    graph: onnx.ModelProto = program.model_proto
    _strip_metadata(graph)
    return graph


def _strip_metadata(model: onnx.ModelProto) -> None:
    """Drop what the tracer notes about source files and modules: it names paths of this machine."""
    graph = model.graph
    del model.metadata_props[:], graph.metadata_props[:]
    for holder in (*graph.node, *graph.value_info, *graph.input, *graph.output, *graph.initializer):
        del holder.metadata_props[:]
        holder.doc_string = ""
    del graph.value_info[:]


def share_weights(graphs: Iterable[onnx.ModelProto], model: Reder, path: Path) -> None:
    """Move the graphs' large tensors into one safetensors file, each stored once.

    The graphs must be saved in the same folder.

    The file also holds every parameter that no graph uses as it is, so that torch can read the
    network back whole.
    """
    parameters = {name: tensor.detach().cpu().numpy() for name, tensor in model.state_dict().items()}
    names = {_content(array): name for name, array in parameters.items()}
    names |= {_content(array.T): f"{name}.T" for name, array in parameters.items() if array.ndim == 2}  # noqa: PLR2004
    stored, links = _pool(graphs, names)
    for name, array in parameters.items():
        if name not in stored and f"{name}.T" not in stored:
            stored[name] = array
    _write(stored, links, path, {"config": json.dumps(asdict(model.config))})


def _pool(
    graphs: Iterable[onnx.ModelProto], names: dict[_Content, str]
) -> tuple[dict[str, NDArray[Any]], list[tuple[TensorProto, str]]]:
    """The large tensors inside the graphs, each once, by name; and which tensor is which."""
    stored: dict[str, NDArray[Any]] = {}
    links: list[tuple[TensorProto, str]] = []
    for graph in graphs:
        for tensor in graph.graph.initializer:
            if tensor.data_location == TensorProto.EXTERNAL:
                continue
            array = numpy_helper.to_array(tensor)
            if array.nbytes >= _SMALLEST_SHARED:
                name = names.setdefault(_content(array), f"folded.{len(names)}")
                stored[name] = np.ascontiguousarray(array)
                links.append((tensor, name))
    return stored, links


def _write(
    stored: dict[str, NDArray[Any]], links: list[tuple[TensorProto, str]], path: Path, metadata: dict[str, str]
) -> None:
    save_file(stored, path, metadata=metadata)
    path.chmod(0o644)  # safetensors writes for its owner only; a service runs as somebody else
    places = _places(path)
    for tensor, name in links:
        _link(tensor, path.name, *places[name])


def _content(array: NDArray[Any]) -> _Content:
    return str(array.dtype), array.shape, np.ascontiguousarray(array).tobytes()


def _places(path: Path) -> dict[str, tuple[int, int]]:
    """Offset and length, in bytes, of each tensor in a safetensors file: an 8-byte size, a JSON header, the data."""
    with path.open("rb") as file:
        header_bytes = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(header_bytes))
    start = 8 + header_bytes
    return {
        name: (start + entry["data_offsets"][0], entry["data_offsets"][1] - entry["data_offsets"][0])
        for name, entry in header.items()
        if name != "__metadata__"
    }


def _link(tensor: TensorProto, location: str, offset: int, length: int) -> None:
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    del tensor.external_data[:]
    for key, value in (("location", location), ("offset", offset), ("length", length)):
        tensor.external_data.add(key=key, value=str(value))


def quantise_graphs(variants: dict[Path, Path], weights: Path) -> None:
    """Write dynamically quantised int8 variants: weights per channel, activations at run time.

    Embeddings stay in float32, in the file of the float32 graphs.

    Args:
        variants: float32 graph to int8 graph.
        weights: the file that the int8 graphs share.
    """
    logging.getLogger().setLevel(logging.ERROR)  # the quantiser logs advice to the root logger
    for source, target in variants.items():
        quantize_dynamic(
            source,
            target,
            op_types_to_quantize=["MatMul"],
            per_channel=True,
            weight_type=QuantType.QInt8,
            extra_options={"MatMulConstBOnly": True},
        )
    graphs = {target: _relinked(source, target) for source, target in variants.items()}
    _write(*_pool(graphs.values(), {}), weights, {})
    for target, graph in graphs.items():
        onnx.save(graph, target)


def _relinked(source: Path, target: Path) -> onnx.ModelProto:
    """A variant whose unchanged tensors point at the shared file again, instead of being copies."""
    places = {
        tensor.name: {entry.key: entry.value for entry in tensor.external_data}
        for tensor in onnx.load(source, load_external_data=False).graph.initializer
        if tensor.data_location == TensorProto.EXTERNAL
    }
    variant = onnx.load(target)
    for tensor in variant.graph.initializer:
        if tensor.name in places and tensor.data_type == TensorProto.FLOAT:
            place = places[tensor.name]
            _link(tensor, place["location"], int(place["offset"]), int(place["length"]))
    return variant
