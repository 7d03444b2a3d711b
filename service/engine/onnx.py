"""ONNX Runtime behind the `Engine` protocol."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import onnxruntime as ort

from model.bundle import DIRECTIONS, SIGNATURES
from service.engine.cores import usable_cores
from service.engine.sessions import CPU, CUDA, Sessions, open_sessions
from service.engine.tasks import TaskEngine
from service.errors import ConfigurationError, EngineOutOfMemory
from service.types import EngineInfo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from model.bundle import Bundle, Direction, Task
    from service.types import Batch

__all__ = ["CudaUnavailableError", "OnnxEngine", "resolve_precision"]

_PREFERRED_PRECISION = {CUDA: "fp16", CPU: "int8"}
_OUT_OF_MEMORY = (
    "failed to allocate memory",
    "out of memory",
    "bad_alloc",
    "bad allocation",
    "cuda_error_out_of_memory",
)
_LOG_ERRORS_ONLY = 3


class CudaUnavailableError(Exception):
    """ONNX Runtime offers CUDA, and does not start it."""

    def __init__(self) -> None:
        super().__init__("CUDA is offered by onnxruntime but does not start: no GPU, or its libraries are missing")


class _Graphs(TaskEngine):
    """The graphs of both directions and all tasks."""

    def __init__(self, sessions: Sessions, upsampling: int, info: EngineInfo) -> None:
        super().__init__(upsampling, info)
        self._sessions = sessions

    def _run(self, direction: Direction, task: Task, batch: Batch, targets: Batch | None = None) -> list[NDArray[Any]]:
        """What the graph of a direction and task gives.

        Raises:
            EngineOutOfMemory: the batch did not fit.
            FloatingPointError: the network's answer to one of the rows is not a number.
        """
        arrays = (batch.ids, batch.lengths, *((targets.ids,) if targets else ()))
        signature = SIGNATURES[task]
        feeds = {spec.name: array for spec, array in zip(signature.inputs, arrays, strict=True)}
        try:
            outputs: list[NDArray[Any]] = self._sessions[direction, task].run(
                [spec.name for spec in signature.outputs], feeds
            )
        except MemoryError as error:
            raise EngineOutOfMemory(str(error)) from error
        except Exception as error:  # ONNX Runtime's errors share no public base class
            if any(sign in str(error).lower() for sign in _OUT_OF_MEMORY):
                raise EngineOutOfMemory(str(error)) from error
            raise
        self._check_numbers(outputs, lengths=batch.lengths)
        return outputs

    def _check_numbers(self, outputs: Sequence[NDArray[Any]], lengths: NDArray[np.int64]) -> None:
        """See that every frame of a sentence has probabilities: half precision may overflow to none."""
        meant = np.arange(outputs[0].shape[1]) < lengths[:, None] * self._upsampling
        if any(np.isnan(one[meant]).any() for one in outputs if one.dtype.kind == "f"):
            msg = "the network's answer is not a number"
            raise FloatingPointError(msg)


class OnnxEngine(_Graphs):
    """A bundle's graphs, opened.

    On a CPU there are two ways to use the cores. A sentence alone has all of them on every operator. With more to do
    each core is a lane and takes batches for itself, since cores that share an operator wait for each other after each.
    Each way has sessions of its own, and each session its own copy of the weights.

    Args:
        bundle: where the graphs come from.
        provider: `CPU` or `CUDA`.
        precision: ``auto``, ``fp32``, ``int8`` or ``fp16``.
        threads: threads of one inference on CPU; 0 is one per usable core.
        fallback: why this is not the provider that was preferred, if so.

    Raises:
        CudaUnavailableError: CUDA is asked for, and does not start.
        ConfigurationError: the precision demanded is not for this provider.
        ContractError: a graph cannot be loaded or is not what the contract says.
        ManifestError: the bundle has no graph of the precision demanded, or not for every task.
    """

    def __init__(
        self, bundle: Bundle, provider: str = CPU, *, precision: str = "auto", threads: int = 0, fallback: str = ""
    ) -> None:
        threads = threads or usable_cores()
        ort.set_default_logger_severity(_LOG_ERRORS_ONLY)
        resolved = resolve_precision(bundle, precision, provider)
        if provider == CUDA:
            ort.preload_dlls()  # CUDA libraries installed as Python packages are not on the loader's path
        sessions = open_sessions(bundle, resolved, provider, threads)
        if any(session.get_providers()[0] != provider for session in sessions.values()):
            raise CudaUnavailableError
        info = EngineInfo(
            provider=provider.removesuffix("ExecutionProvider").lower(),
            precision=resolved,
            threads=threads,
            runtime=f"onnxruntime {ort.__version__}",
            fallback=fallback,
        )
        super().__init__(sessions, bundle.manifest.upsampling, info)
        if provider == CPU and threads > 1:
            # A session may run in any number of threads at once: all lanes share those of one thread.
            one_core = open_sessions(bundle, resolved, CPU, 1)
            self._lanes = (_Graphs(one_core, self._upsampling, replace(info, threads=1)),) * threads


def resolve_precision(bundle: Bundle, precision: str, provider: str) -> str:
    """What ``auto`` means for this bundle on this provider.

    Raises:
        ConfigurationError: the precision demanded is not for this provider.
    """
    if precision == "fp16" and provider == CPU:  # it would run, slower than the others
        msg = "precision fp16 needs CUDA, and here there is the CPU only"
        raise ConfigurationError(msg)
    if precision != "auto":
        return precision
    preferred = _PREFERRED_PRECISION[provider]
    both = all(preferred in bundle.manifest.graphs[str(direction)] for direction in DIRECTIONS)
    return preferred if both else "fp32"
