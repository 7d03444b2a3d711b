"""ONNX Runtime behind the `Engine` protocol: one session per direction and task, checked against the contract."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import onnxruntime as ort
import structlog

from model.bundle import DIRECTIONS, SIGNATURES, ContractError, Direction, Task, check_tensors, log_likelihood
from service.engine.cores import usable_cores
from service.errors import ConfigurationError, EngineOutOfMemory
from service.types import Choices, EngineInfo, Frames

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import NDArray

    from model.bundle import Bundle
    from service.types import Batch

__all__ = ["OnnxEngine"]

_CUDA = "CUDAExecutionProvider"
_CPU = "CPUExecutionProvider"
_PREFERRED_PRECISION = {_CUDA: "fp16", _CPU: "int8"}
_NUMPY_TYPES = {"float": "float32", "double": "float64"}
_OUT_OF_MEMORY = (
    "failed to allocate memory",
    "out of memory",
    "bad_alloc",
    "bad allocation",
    "cuda_error_out_of_memory",
)
_LOG_ERRORS_ONLY, _LOG_FATAL_ONLY = 3, 4

_Sessions = dict[tuple[Direction, Task], ort.InferenceSession]

_log = structlog.get_logger(__name__)


class OnnxEngine:
    """Both directions of a bundle and all tasks, loaded. Each session holds its own copy of the weights.

    Args:
        bundle: where the graphs come from.
        provider: ``auto``, ``cpu`` or ``cuda``.
        precision: ``auto``, ``fp32``, ``int8`` or ``fp16``.
        threads: threads of one inference on CPU; 0 is one per usable core.

    Raises:
        ConfigurationError: CUDA is demanded and does not work here.
        ContractError: a graph cannot be loaded or is not what the contract says.
        ManifestError: the bundle has no graph of the precision demanded, or not for every task.
    """

    def __init__(self, bundle: Bundle, *, provider: str = "auto", precision: str = "auto", threads: int = 0) -> None:
        self._upsampling = bundle.manifest.upsampling
        threads = threads or usable_cores()
        ort.set_default_logger_severity(_LOG_ERRORS_ONLY)
        chosen, fallback = _choose_provider(provider)
        if chosen == _CUDA:
            chosen, fallback, self._sessions = _try_cuda(bundle, precision, threads, required=provider == "cuda")
        if chosen == _CPU:
            resolved = _resolve_precision(bundle, precision, _CPU)
            self._sessions = _open_sessions(bundle, resolved, _CPU, threads)
        if fallback:
            _log.warning("engine_fallback", provider=chosen, reason=fallback)
        self._info = EngineInfo(
            provider=chosen.removesuffix("ExecutionProvider").lower(),
            precision=_resolve_precision(bundle, precision, chosen),
            threads=threads,
            runtime=f"onnxruntime {ort.__version__}",
            fallback=fallback,
        )

    @property
    def info(self) -> EngineInfo:
        """How the network runs here."""
        return self._info

    def infer(self, direction: Direction, batch: Batch) -> Frames:
        """The best token of each frame.

        Raises:
            EngineOutOfMemory: the batch did not fit; the other calls raise it too.
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
        """One session's outputs, in the order of the contract."""
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
        return outputs


def _choose_provider(provider: str) -> tuple[str, str]:
    """The provider to try first, and why it is not the preferred one, if so."""
    available = ort.get_available_providers()
    if provider == "cpu":
        return _CPU, ""
    if _CUDA in available:
        return _CUDA, ""
    if provider == "cuda":
        msg = f"provider cuda is demanded, but this onnxruntime offers only {', '.join(available)}"
        raise ConfigurationError(msg)
    return _CPU, ""  # the CPU build of onnxruntime was installed on purpose: nothing to warn about


def _try_cuda(bundle: Bundle, precision: str, threads: int, *, required: bool) -> tuple[str, str, _Sessions]:
    """Open the graphs on CUDA; when that cannot be and is not required, say why and leave it to the CPU."""
    ort.preload_dlls()  # CUDA libraries installed as Python packages are not on the loader's path
    sessions = _open_sessions(bundle, _resolve_precision(bundle, precision, _CUDA), _CUDA, threads)
    if all(session.get_providers()[0] == _CUDA for session in sessions.values()):
        return _CUDA, "", sessions
    reason = "CUDA is offered by onnxruntime but does not start: no GPU, or its libraries are missing"
    if required:
        msg = f"provider cuda is demanded. {reason}"
        raise ConfigurationError(msg)
    return _CPU, reason, {}


def _resolve_precision(bundle: Bundle, precision: str, provider: str) -> str:
    """What ``auto`` means for this bundle on this provider."""
    if precision != "auto":
        return precision
    preferred = _PREFERRED_PRECISION[provider]
    both = all(preferred in bundle.manifest.graphs[str(direction)] for direction in DIRECTIONS)
    return preferred if both else "fp32"


def _open_sessions(bundle: Bundle, precision: str, provider: str, threads: int) -> _Sessions:
    """One session per direction and task.

    Raises:
        ContractError: a graph cannot be loaded or is not what the contract says.
    """
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = _LOG_FATAL_ONLY  # what fails is raised, and logged by whoever catches it
    options.enable_mem_pattern = False  # patterns are planned per shape, and every batch has another
    # Between two operators threads wait awake, since the next comes within microseconds; but not between two calls:
    # the sessions take turns, and one that spins while idle takes cores from the others.
    options.add_session_config_entry("session.intra_op.allow_spinning", "1")
    options.add_session_config_entry("session.force_spinning_stop", "1")
    # Threads take small shares of an operator one after another, so that one which was held up does not delay all.
    options.add_session_config_entry("session.dynamic_block_base", "4")
    if provider == _CPU:
        # One arena for all, since they take turns: with one each, memory grows by the largest batch of every session.
        memory = ort.OrtMemoryInfo("Cpu", ort.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, ort.OrtMemType.DEFAULT)
        ort.create_and_register_allocator(memory, None)
        options.add_session_config_entry("session.use_env_allocators", "1")
    providers = [provider] if provider == _CPU else [provider, _CPU]
    sessions = {}
    for direction, task in itertools.product(DIRECTIONS, Task):
        path = bundle.graph(direction, precision, task)
        try:
            session = ort.InferenceSession(str(path), options, providers=providers)
        except Exception as error:  # ONNX Runtime's errors share no public base class
            msg = f"{path.name} cannot be loaded: {' '.join(str(error).split())}"
            raise ContractError(msg) from error
        check_tensors("input", SIGNATURES[task].inputs, _described(session.get_inputs()))
        check_tensors("output", SIGNATURES[task].outputs, _described(session.get_outputs()))
        sessions[direction, task] = session
    return sessions


def _described(tensors: Iterable[Any]) -> list[tuple[str, str, int]]:
    """Name, numpy type and rank of a session's tensors, as `check_tensors` wants them."""
    described = []
    for tensor in tensors:
        element = tensor.type.removeprefix("tensor(").removesuffix(")")
        described.append((tensor.name, _NUMPY_TYPES.get(element, element), len(tensor.shape)))
    return described
