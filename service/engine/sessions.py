"""ONNX Runtime sessions: how they are set up, and that they are what the contract says."""

from __future__ import annotations

import itertools
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import onnxruntime as ort

from model.bundle import DIRECTIONS, SIGNATURES, ContractError, Direction, Task, check_tensors
from model.bundle.quantisation import EXACT_PRODUCTS
from service.engine.cores import step_back, usable_cores

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from model.bundle import Bundle, Signature

__all__ = ["CPU", "CUDA", "Sessions", "open_sessions"]

CUDA = "CUDAExecutionProvider"
CPU = "CPUExecutionProvider"

Sessions = dict[tuple[Direction, Task], ort.InferenceSession]

_NUMPY_TYPES = {"float": "float32", "double": "float64"}
_LOG_FATAL_ONLY = 4


def open_sessions(bundle: Bundle, precision: str, provider: str, threads: int) -> Sessions:
    """One session per direction and task; what threads they have step back.

    Raises:
        ContractError: a graph cannot be loaded or is not what the contract says.
    """
    options = ort.SessionOptions()
    # Beside a GPU the processor only works out shapes: threads would wait awake on cores that the requests need.
    options.intra_op_num_threads = threads if provider == CPU else 1
    options.inter_op_num_threads = 1
    options.log_severity_level = _LOG_FATAL_ONLY  # what fails is raised, and logged by whoever catches it
    options.enable_mem_pattern = False  # patterns are planned per shape, and every batch has another
    # Between two operators threads wait awake, since the next comes within microseconds; but not between two calls:
    # the sessions take turns, and one that spins while idle takes cores from the others.
    options.add_session_config_entry("session.intra_op.allow_spinning", "1")
    options.add_session_config_entry("session.force_spinning_stop", "1")
    # Threads take small shares of an operator one after another, so that one which was held up does not delay all.
    options.add_session_config_entry("session.dynamic_block_base", "4")
    options.add_session_config_entry(*EXACT_PRODUCTS)
    if provider == CPU:
        # One arena for all: with one each, memory grows by the largest batch of every session.
        memory = ort.OrtMemoryInfo("Cpu", ort.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, ort.OrtMemType.DEFAULT)
        ort.create_and_register_allocator(memory, None)
        options.add_session_config_entry("session.use_env_allocators", "1")
    providers = [provider] if provider == CPU else [provider, CPU]

    def open_session(which: tuple[Direction, Task]) -> ort.InferenceSession:
        direction, task = which
        return _open(bundle.graph(direction, precision, task), SIGNATURES[task], options, providers)

    # A session's threads get the priority of the one that opens it. Preparing the weights keeps a core busy.
    openers = usable_cores() if provider == CPU else 1
    with ThreadPoolExecutor(openers, thread_name_prefix="opener", initializer=step_back) as pool:
        wanted = list(itertools.product(DIRECTIONS, Task))
        return dict(zip(wanted, pool.map(open_session, wanted), strict=True))


def _open(path: Path, signature: Signature, options: ort.SessionOptions, providers: list[str]) -> ort.InferenceSession:
    """A session, compared with the contract."""
    try:
        session = ort.InferenceSession(str(path), options, providers=providers)
    except Exception as error:  # ONNX Runtime's errors share no public base class
        msg = f"{path.name} cannot be loaded: {' '.join(str(error).split())}"
        raise ContractError(msg) from error
    check_tensors("input", signature.inputs, _described(session.get_inputs()))
    check_tensors("output", signature.outputs, _described(session.get_outputs()))
    return session


def _described(tensors: Iterable[Any]) -> list[tuple[str, str, int]]:
    """Name, numpy type and rank of a session's tensors, as `check_tensors` wants them."""
    described = []
    for tensor in tensors:
        element = tensor.type.removeprefix("tensor(").removesuffix(")")
        described.append((tensor.name, _NUMPY_TYPES.get(element, element), len(tensor.shape)))
    return described
