"""What matrix products reach on this machine at best: large ones, with nothing around them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto, helper, numpy_helper

from service.engine.sessions import CPU, CUDA

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["Ceiling"]

Shape = tuple[int, int, int]
"""Rows, inner, columns."""

_LARGE: dict[str, tuple[Shape, ...]] = {
    CPU: ((2048, 2048, 2048), (2048, 512, 2048), (2048, 2048, 512), (2048, 512, 512)),
    CUDA: ((8192, 8192, 8192), (16384, 4096, 4096)),
}
"""By provider: a large square, and flatter ones, such as those of a network of width 512."""

_TYPES = {"int8": TensorProto.INT32, "fp16": TensorProto.FLOAT16, "fp32": TensorProto.FLOAT}
"""Of the product, by precision."""

_DEVICES = {CPU: "cpu", CUDA: "cuda"}
_REPEATS = 8
_OPSET, _IR = 20, 10


class Ceiling:
    """A matrix times weights known beforehand, as the graphs do it: in int8, uint8 times int8 into int32.

    Operands and product stay on the device: copying them is no part of the network either.

    Args:
        precision: ``int8``, ``fp16`` or ``fp32``.
        provider: of ONNX Runtime.
        threads: as many as the network gets.
        shapes: of the products; those that the provider is at its best with, unless given.
    """

    def __init__(
        self, precision: str, provider: str = CPU, threads: int = 1, shapes: Sequence[Shape] | None = None
    ) -> None:
        options = ort.SessionOptions()
        options.intra_op_num_threads = threads
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        device = _DEVICES[provider]
        random = np.random.default_rng(1)
        self._products = []
        for rows, inner, columns in shapes or _LARGE[provider]:
            activations, weights = _operands(random, precision, (rows, inner, columns))
            graph = _graph(activations, weights, _TYPES[precision]).SerializeToString()
            session = ort.InferenceSession(graph, options, providers=[provider])
            binding = session.io_binding()
            binding.bind_ortvalue_input("activations", ort.OrtValue.ortvalue_from_numpy(activations, device, 0))
            binding.bind_output("product", device)
            self._products.append((session, binding, rows * inner * columns))

    def measure(self) -> float:
        """Multiply-adds a second: the best of every shape and repetition."""
        return max(count / seconds for count, seconds in self._best())

    def measure_together(self) -> float:
        """Multiply-adds a second of all shapes one after another, each at its best."""
        counts, seconds = zip(*self._best(), strict=True)
        return float(sum(counts) / sum(seconds))

    def _best(self) -> list[tuple[int, float]]:
        """Of each shape the multiply-adds, and the seconds of the quickest repetition."""
        found = []
        for session, binding, count in self._products:
            seconds = []
            for _ in range(_REPEATS):
                started = time.perf_counter()
                session.run_with_iobinding(binding)
                binding.synchronize_outputs()
                seconds.append(time.perf_counter() - started)
            found.append((count, min(seconds)))
        return found


def _operands(random: np.random.Generator, precision: str, shape: Shape) -> tuple[NDArray[Any], NDArray[Any]]:
    rows, inner, columns = shape
    if precision == "int8":
        activations = random.integers(0, 256, (rows, inner), dtype=np.uint8)
        return activations, random.integers(-127, 128, (inner, columns), dtype=np.int8)
    kind = np.float16 if precision == "fp16" else np.float32
    # Small enough that no sum overflows float16.
    left, right = (random.random(size, dtype=np.float32) - 0.5 for size in ((rows, inner), (inner, columns)))
    return left.astype(kind), right.astype(kind)


def _graph(activations: NDArray[Any], weights: NDArray[Any], product: int) -> onnx.ModelProto:
    operator = "MatMulInteger" if weights.dtype == np.int8 else "MatMul"
    kind = helper.np_dtype_to_tensor_dtype(activations.dtype)
    graph = helper.make_graph(
        [helper.make_node(operator, ["activations", "weights"], ["product"])],
        "product",
        [helper.make_tensor_value_info("activations", kind, activations.shape)],
        [helper.make_tensor_value_info("product", product, [activations.shape[0], weights.shape[1]])],
        [numpy_helper.from_array(weights, "weights")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)])
    model.ir_version = _IR
    return model
