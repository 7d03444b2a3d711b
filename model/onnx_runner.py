"""Runs a bundle's own graphs on the CPU: for parity checks and scores, and to distil.

The service has its own engine; this one exists so that a bundle can be measured where it is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import onnxruntime as ort
import torch

from model.bundle import SIGNATURES, Task
from model.bundle.quantisation import EXACT_PRODUCTS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from model.bundle import Bundle, Direction
    from model.data.batches import Padded

__all__ = ["GraphRunner"]


class GraphRunner:
    """Both directions and all tasks of a bundle in one precision; see `decode.Runner`.

    Graphs are opened when they are first asked for, and run on so many threads; 0 is as many as torch has: one for each
    core, if `OMP_NUM_THREADS` does not say otherwise.
    """

    def __init__(self, bundle: Bundle, precision: str, *, threads: int = 0) -> None:
        self._bundle = bundle
        self._precision = precision
        self._options = ort.SessionOptions()
        self.threads = threads or torch.get_num_threads()
        self._options.intra_op_num_threads = self.threads
        self._options.add_session_config_entry(*EXACT_PRODUCTS)
        self._sessions: dict[tuple[Task, Direction], ort.InferenceSession] = {}
        self.upsampling = bundle.manifest.upsampling
        self.max_source_tokens = bundle.manifest.max_source_tokens
        self.batch_tokens = 2048

    def run(self, task: Task, direction: Direction, *sides: Padded) -> tuple[NDArray[Any], NDArray[Any]]:
        """See `decode.Runner.run`.

        Raises:
            ManifestError: the bundle has no such graph.
        """
        source, *target = sides
        arrays = [source.ids, source.lengths, *(side.ids for side in target)]
        signature = SIGNATURES[task]
        feeds = {spec.name: array.numpy() for spec, array in zip(signature.inputs, arrays, strict=True)}
        first, second = self._session(task, direction).run([spec.name for spec in signature.outputs], feeds)
        return first, second

    def _session(self, task: Task, direction: Direction) -> ort.InferenceSession:
        key = task, direction
        if key not in self._sessions:
            path = self._bundle.graph(direction, self._precision, task)
            self._sessions[key] = ort.InferenceSession(str(path), self._options, providers=["CPUExecutionProvider"])
        return self._sessions[key]
