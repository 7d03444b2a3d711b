"""Which engine a bundle gets on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import onnxruntime as ort
import structlog

from model.bundle import DIRECTIONS
from model.bundle.quantisation import ACTIVATIONS
from service.engine.cores import usable_cores
from service.engine.native import NativeEngine
from service.engine.network import UnsupportedError, why_not_here
from service.engine.onnx import CudaUnavailableError, OnnxEngine, resolve_precision
from service.engine.sessions import CPU, CUDA
from service.errors import ConfigurationError

if TYPE_CHECKING:
    from model.bundle import Bundle
    from service.engine.protocol import Engine

__all__ = ["open_engine"]

_NO_THREAD = "can't start new thread"
"""What Python says where the system starts no more."""

_log = structlog.get_logger(__name__)


def open_engine(
    bundle: Bundle,
    *,
    provider: str = "auto",
    precision: str = "auto",
    runtime: str = "auto",
    instructions: str = "auto",
    threads: int = 0,
) -> Engine:
    """Load a bundle.

    On a GPU ONNX Runtime runs its graphs. On a CPU the network in C runs its weights, where it can and int8 is
    wanted; else ONNX Runtime does.

    Args:
        bundle: what to load.
        provider: ``auto``, ``cpu`` or ``cuda``.
        precision: ``auto``, ``fp32``, ``int8`` or ``fp16``.
        runtime: ``auto``, ``native`` or ``onnxruntime``.
        instructions: ``auto`` or one of `instruction_sets`, for the network in C.
        threads: cores to use on a CPU; 0 is all that are usable.

    Raises:
        ConfigurationError: what is demanded does not work here, or not together.
        BundleError: a graph, weights or scales cannot be loaded, or are missing.
    """
    try:
        engine = _open(
            bundle, provider=provider, precision=precision, runtime=runtime, instructions=instructions, threads=threads
        )
    except (MemoryError, RuntimeError) as error:
        if not isinstance(error, MemoryError) and str(error) != _NO_THREAD:
            raise
        msg = f"threads: not enough memory or threads for {threads or usable_cores()}"
        raise ConfigurationError(msg) from error
    if instructions != "auto" and not isinstance(engine, NativeEngine):
        its = engine.info
        msg = (
            f"instructions {instructions} are demanded, which are for the network in C, int8 on a CPU; with these "
            f"settings {its.runtime} runs {its.precision} on {its.provider}"
        )
        raise ConfigurationError(msg)
    return engine


def _open(bundle: Bundle, *, provider: str, precision: str, runtime: str, instructions: str, threads: int) -> Engine:
    """As `open_engine`, which also says what raises MemoryError or RuntimeError here."""
    cuda = CUDA in ort.get_available_providers()
    fallback = ""
    if provider == "cuda" and not cuda:
        msg = f"provider cuda is demanded, but this onnxruntime offers only {', '.join(ort.get_available_providers())}"
        raise ConfigurationError(msg)
    if provider == "cuda" and runtime == "native":
        msg = "runtime native is demanded, which is for the CPU, and so is provider cuda"
        raise ConfigurationError(msg)
    # With the CPU build of onnxruntime, which was installed on purpose, there is nothing to fall back from.
    if provider != "cpu" and cuda and runtime != "native":
        try:
            return OnnxEngine(bundle, CUDA, precision=precision, threads=threads)
        except CudaUnavailableError as error:
            if provider == "cuda":
                msg = f"provider cuda is demanded. {error}"
                raise ConfigurationError(msg) from error
            fallback = str(error)
            _log.warning("engine_fallback", provider="cpu", reason=fallback)
    resolved = resolve_precision(bundle, precision, CPU)
    if runtime == "native" or (runtime == "auto" and resolved == "int8"):
        try:
            return _native_engine(bundle, resolved, instructions=instructions, threads=threads, fallback=fallback)
        except UnsupportedError as error:
            if runtime == "native" or instructions != "auto":
                demanded = "runtime native is" if runtime == "native" else f"instructions {instructions} are"
                msg = f"{demanded} demanded, and cannot be: {error}"
                raise ConfigurationError(msg) from error
            _log.info("engine_without_native", reason=str(error))
    return OnnxEngine(bundle, CPU, precision=resolved, threads=threads, fallback=fallback)


def _native_engine(bundle: Bundle, precision: str, *, instructions: str, threads: int, fallback: str) -> NativeEngine:
    """The network in C.

    Raises:
        UnsupportedError: it is not for this bundle, precision or machine.
        ManifestError: weights or scales are missing or malformed.
    """
    if reason := _why_not_native(bundle, precision):
        raise UnsupportedError(reason)
    wanted = "" if instructions == "auto" else instructions
    return NativeEngine(bundle, threads=threads, instructions=wanted, fallback=fallback)


def _why_not_native(bundle: Bundle, precision: str) -> str:
    """Why the network in C is not for this bundle, precision and machine; empty if it is."""
    if precision != "int8":
        return f"it is for int8, and precision is {precision}"
    if not all(precision in bundle.manifest.graphs[str(direction)] for direction in DIRECTIONS):
        return "the bundle has no int8 graphs"  # of another precision nothing was measured at export
    if ACTIVATIONS not in bundle.manifest.files:
        return f"the bundle has no {ACTIVATIONS}; `reder refresh` writes it"
    return why_not_here()
