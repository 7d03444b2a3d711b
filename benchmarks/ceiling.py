"""What int8 matrix products reach on this machine at best: large ones, with nothing around them."""

from __future__ import annotations

import time

import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto, helper, numpy_helper

__all__ = ["Int8Ceiling"]

_SHAPES = ((2048, 2048, 2048), (2048, 512, 2048), (2048, 2048, 512), (2048, 512, 512))
"""Rows, inner, columns: a large square, and those of a network of width 512."""

_REPEATS = 8
_OPSET, _IR = 20, 10


class Int8Ceiling:
    """uint8 times int8 into int32, as the int8 graphs do it, with weights known beforehand.

    Args:
        threads: as many as the network gets.
    """

    def __init__(self, threads: int) -> None:
        options = ort.SessionOptions()
        options.intra_op_num_threads = threads
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        random = np.random.default_rng(1)
        self._products = []
        for rows, inner, columns in _SHAPES:
            weights = random.integers(-127, 128, (inner, columns), dtype=np.int8)
            graph = _graph(rows, weights).SerializeToString()
            session = ort.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
            activations = random.integers(0, 256, (rows, inner), dtype=np.uint8)
            self._products.append((session, activations, rows * inner * columns))

    def measure(self) -> float:
        """Multiply-adds a second: the best of every shape and repetition."""
        best = 0.0
        for session, activations, count in self._products:
            for _ in range(_REPEATS):
                started = time.perf_counter()
                session.run(None, {"activations": activations})
                best = max(best, count / (time.perf_counter() - started))
        return best


def _graph(rows: int, weights: np.ndarray[tuple[int, int], np.dtype[np.int8]]) -> onnx.ModelProto:
    graph = helper.make_graph(
        [helper.make_node("MatMulInteger", ["activations", "weights"], ["product"])],
        "product",
        [helper.make_tensor_value_info("activations", TensorProto.UINT8, [rows, weights.shape[0]])],
        [helper.make_tensor_value_info("product", TensorProto.INT32, [rows, weights.shape[1]])],
        [numpy_helper.from_array(weights, "weights")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)])
    model.ir_version = _IR
    return model
