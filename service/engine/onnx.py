"""ONNX Runtime behind the `Engine` protocol."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import onnxruntime as ort

from model.bundle import DIRECTIONS, SIGNATURES, Direction, Task, log_likelihood
from service.engine.cores import usable_cores
from service.engine.sessions import CPU, CUDA, Sessions, open_sessions
from service.errors import ConfigurationError, EngineOutOfMemory
from service.types import Choices, EngineInfo, Frames

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from model.bundle import Bundle
    from service.engine.protocol import Engine
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


class _Graphs:
    """The graphs of both directions and all tasks behind the calls of the `Engine` protocol."""

    def __init__(self, sessions: Sessions, upsampling: int, info: EngineInfo) -> None:
        self._sessions = sessions
        self._upsampling = upsampling
        self._info = info

    @property
    def info(self) -> EngineInfo:
        """How the network runs here."""
        return self._info

    @property
    def lanes(self) -> Sequence[Engine]:
        """Nothing but this."""
        return (self,)

    def infer(self, direction: Direction, batch: Batch) -> Frames:
        """The best token of each frame.

        Raises:
            EngineOutOfMemory: the batch did not fit; the other calls raise it too, and the next.
            FloatingPointError: the network's answer to one of the rows is not a number.
        """
        ids, log_probs = self._run(direction, Task.GREEDY, batch.ids, batch.lengths)
        return Frames(ids=ids, log_probs=log_probs, lengths=batch.lengths * self._upsampling)

    def search(self, direction: Direction, batch: Batch) -> Choices:
        """The best few tokens of each frame."""
        ids, log_probs = self._run(direction, Task.SEARCH, batch.ids, batch.lengths)
        return Choices(ids=ids, log_probs=log_probs, lengths=batch.lengths * self._upsampling)

    def score(self, direction: Direction, batch: Batch, targets: Batch) -> NDArray[np.float64]:
        """Log p(target | source) of each row, over all alignments; minus infinity where none fits. [batch]."""
        blank, tokens = self._run(direction, Task.SCORE, batch.ids, batch.lengths, targets.ids)
        return log_likelihood(blank, tokens, batch.lengths * self._upsampling, targets.ids, targets.lengths)

    def _run(self, direction: Direction, task: Task, *arrays: NDArray[np.int64]) -> list[NDArray[Any]]:
        """What the graph of a direction and task gives for its inputs, both in the order of the contract.

        Raises:
            EngineOutOfMemory, FloatingPointError: as `infer`.
        """
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
        self._check_numbers(outputs, lengths=arrays[1])
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
        self._lanes: tuple[Engine, ...] = ()
        if provider == CPU and threads > 1:
            # A session may run in any number of threads at once: all lanes share those of one thread.
            one_core = open_sessions(bundle, resolved, CPU, 1)
            self._lanes = (_Graphs(one_core, self._upsampling, replace(info, threads=1)),) * threads

    @property
    def lanes(self) -> Sequence[Engine]:
        """On a CPU, its cores; on a GPU the engine itself, where one call has all of it."""
        return self._lanes or (self,)


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
