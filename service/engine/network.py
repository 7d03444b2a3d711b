"""`kernels/`, which is C, from Python: a bundle's network in memory, once for both directions, and calls that run it.

The matrices are the same either way; what differs is the order of the layers and the scales of the products.
"""

from __future__ import annotations

import ctypes
import math
import threading
from concurrent.futures import ThreadPoolExecutor, wait
from ctypes import Structure, byref, c_float, c_int64, c_void_p
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from model.bundle import BLANK_ID, DIRECTIONS, BundleError, ManifestError
from model.bundle.libraries import load_library
from model.bundle.quantisation import Scale, quantise_columns, read_activations
from model.bundle.search import in_vocabulary
from model.bundle.weights import WEIGHTS, read_weights
from service.engine.cores import step_back

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from model.bundle import Bundle, Direction
    from model.bundle.quantisation import Activations
    from service.types import Batch

__all__ = [
    "MOST_CHOICES",
    "Answers",
    "Network",
    "Team",
    "UnsupportedError",
    "declared",
    "instruction_sets",
    "why_not_here",
]

_TILE = 64
"""Columns of a product that are computed together; C has no code for less. Also the width of a head."""

_DISTANCES = _TILE + 1
"""Relative keys at most."""

_QUERY_ZERO = 128
"""What a query is rounded to where it is 0."""

_ROWS_TOGETHER = 4
"""Of a matrix: the processor multiplies four values of a row with four of a column at a time."""

_ALIGNMENT = 64
"""Of what C gets: a line of the cache, which is also a row of a register of AMX."""

_INSTRUCTION_SETS = {"amx": 8, "avx512-vnni": 4, "avx-vnni": 2, "avx2": 1, "neon-i8mm": 32, "neon-dotprod": 16}
"""Bits, as `kernels/network.h` has them; the fastest first."""

_MARKS = 512
"""Tokens of which a bit for each fills a cache line."""

MOST_CHOICES = 8
"""Tokens of a frame that a call may ask for."""


class UnsupportedError(BundleError):
    """There is no code for a network of this shape; the message says why."""


@cache
def _library() -> ctypes.CDLL:
    """What is in C, built; see `load_library` for what it raises."""
    return declared(load_library(Path(__file__).parent / "kernels/_network.so"))


def declared(library: ctypes.CDLL) -> ctypes.CDLL:
    """The library, with the types of what it offers."""
    library.reder_instructions.argtypes = []
    library.reder_instructions.restype = ctypes.c_int
    library.reder_shift.argtypes = [ctypes.c_int]
    library.reder_shift.restype = ctypes.c_int
    library.reder_memory.argtypes = [c_void_p, c_int64, c_int64]
    library.reder_memory.restype = c_int64
    library.reder_run.argtypes = [c_void_p, c_void_p, c_void_p, c_int64]
    library.reder_run.restype = None
    return library


def instruction_sets() -> Sequence[str]:
    """Those that there is code for and that this processor has, the fastest first."""
    available = _library().reder_instructions()
    return [name for name, bit in _INSTRUCTION_SETS.items() if available & bit]


def why_not_here() -> str:
    """Why no network can be run on this machine; empty if it can."""
    return "" if instruction_sets() else "the processor has neither AVX2 nor the dot products of Armv8.2"


class _Product(Structure):
    _fields_ = (
        *((name, c_void_p) for name in ("weights", "start", "scale", "bias")),
        *((name, c_int64) for name in ("inner", "columns")),
        *((name, c_float) for name in ("steps_per_unit", "zero_point")),
    )


class _Layer(Structure):
    _fields_ = (
        *((name, _Product) for name in ("query_key_value", "output", "inner", "outer", "relative", "last")),
        ("inverse", c_int64),
    )


class _Norm(Structure):
    _fields_ = (("scale", c_void_p), ("bias", c_void_p))


class _Shortlist(Structure):
    _fields_ = (
        *((name, c_void_p) for name in ("starts", "tokens")),
        ("common", _Product),
        *((name, c_void_p) for name in ("common_tokens", "others", "rows")),
    )


class _Path(Structure):
    _fields_ = (
        ("embedding", c_void_p),
        ("positions", c_void_p),
        ("embedding_scale", c_float),
        *((name, _Norm) for name in ("enter_first", "enter_second", "leave_first", "leave_second")),
        ("layers", c_void_p),
        *((name, c_int64) for name in ("layer_count", "width", "heads", "hidden", "clip", "upsampling", "vocabulary")),
        ("instructions", c_int64),
        ("tokens", _Product),
        ("shortlist", _Shortlist),
    )


class _Job(Structure):
    _fields_ = (
        *((name, c_void_p) for name in ("ids", "lengths")),
        *((name, c_int64) for name in ("items", "source_len", "choices")),
        *((name, c_void_p) for name in ("choice_ids", "choice_logs", "targets")),
        *((name, c_int64) for name in ("target_len", "blank")),
        *((name, c_void_p) for name in ("blank_logs", "target_logs")),
    )


class _Team(Structure):
    _fields_ = (*((name, c_int64) for name in ("wanted", "taken", "done", "threads")), ("memory", c_void_p))


class Answers(NamedTuple):
    """What a call found, in the order and types of the contract; zero where there is no frame.

    `ids` and `log_probs` are [batch, frames, choices], `blank` is [batch, frames], `targets` [batch, frames,
    target_len].
    """

    ids: NDArray[np.int64]
    log_probs: NDArray[np.float32]
    blank: NDArray[np.float32]
    targets: NDArray[np.float32]


class Network:
    """A bundle's network, ready to run in int8.

    Args:
        bundle: whose weights are read. Nothing of it is kept open.
        instructions: what to run it with, of `instruction_sets`; the fastest if none is named.

    Raises:
        UnsupportedError: it is of a shape that there is no code for, or the processor does not have the instructions.
        ManifestError: weights or scales are missing or malformed.
    """

    def __init__(self, bundle: Bundle, instructions: str = "") -> None:
        usable = instruction_sets()
        if not usable or instructions not in ("", *usable):
            raise UnsupportedError(why_not_here() or f"the processor has only {', '.join(usable)}")
        self.instructions = instructions or usable[0]
        self.upsampling = bundle.manifest.upsampling
        self.vocabulary_size = bundle.manifest.vocabulary_size
        self.max_source_tokens = bundle.manifest.max_source_tokens
        parts = _Parts(bundle, _INSTRUCTION_SETS[self.instructions])
        self._paths = {direction: parts.path(direction) for direction in DIRECTIONS}
        self._arrays = parts.arrays  # what the paths point to

    def memory(self, threads: int) -> int:
        """Bytes that a team of so many threads needs."""
        frames = self.max_source_tokens * self.upsampling
        return max(int(_library().reder_memory(byref(path), frames, threads)) for path in self._paths.values())

    def _room(self, batch: Batch, choices: int, targets: NDArray[np.int64] | None = None) -> Answers:
        """Room for what a call finds."""
        items, frames = batch.ids.shape[0], batch.ids.shape[1] * self.upsampling
        target_len = 0 if targets is None else targets.shape[1]
        return Answers(
            np.zeros((items, frames, choices), np.int64),
            np.zeros((items, frames, choices), np.float32),
            np.zeros((items, frames if targets is not None else 0), np.float32),
            np.zeros((items, frames, target_len), np.float32),
        )

    def run(
        self,
        direction: Direction,
        batch: Batch,
        team: Team,
        *,
        threads: int = 1,
        choices: int = 0,
        targets: Batch | None = None,
    ) -> Answers:
        """Find the most probable tokens of each frame, or how probable given ones are.

        Args:
            direction: which end the text enters and which it leaves.
            batch: what to translate.
            team: what computes; it can do one thing at a time.
            threads: how many of its threads are to.
            choices: tokens wanted of each frame, at most `MOST_CHOICES`.
            targets: a target for each row of the batch, to be scored.

        Raises:
            ValueError: tokens or lengths are not such as the network takes.
        """
        ids, lengths = (np.ascontiguousarray(array, np.int64) for array in (batch.ids, batch.lengths))
        wanted = np.ascontiguousarray(targets.ids, np.int64) if targets else None
        self._check(ids, lengths, choices, wanted)
        found = self._room(batch, choices, wanted)
        job = _Job(
            *(ids.ctypes.data, lengths.ctypes.data, *ids.shape, choices),
            *(found.ids.ctypes.data, found.log_probs.ctypes.data, None if wanted is None else wanted.ctypes.data),
            *(found.targets.shape[2], BLANK_ID, found.blank.ctypes.data, found.targets.ctypes.data),
        )
        team.run(self._paths[direction], job, threads)
        return found

    def _check(
        self,
        ids: NDArray[np.int64],
        lengths: NDArray[np.int64],
        choices: int,
        targets: NDArray[np.int64] | None,
    ) -> None:
        """C does not look."""
        fits = ids.ndim == 2 and lengths.shape == ids.shape[:1] and 0 <= choices <= MOST_CHOICES  # noqa: PLR2004
        fits &= targets is None or (targets.ndim == 2 and len(targets) == len(ids))  # noqa: PLR2004
        if not fits or (lengths.size and not 1 <= lengths.min() <= lengths.max() <= ids.shape[1]):
            msg = f"sentences of {lengths} tokens in an array of {ids.shape}, {choices} choices"
            raise ValueError(msg)
        if lengths.size and lengths.max() > self.max_source_tokens:
            msg = f"a sentence of {lengths.max()} tokens; the network takes {self.max_source_tokens}"
            raise ValueError(msg)
        for array in (ids, targets):
            if array is not None and not in_vocabulary(array, self.vocabulary_size):
                msg = f"a token that the network does not have: {array.min()} to {array.max()}"
                raise ValueError(msg)


class Team:
    """Threads that compute one thing together, the calling one first, and the memory for it.

    Args:
        network: what is to be computed.
        threads: how many there are.
    """

    def __init__(self, network: Network, threads: int = 1) -> None:
        self._threads = threads
        self._memory = np.zeros(network.memory(threads) + _ALIGNMENT, np.uint8)
        self._shared: _Team | None = None
        self._others = ThreadPoolExecutor(max(1, threads - 1), thread_name_prefix="team", initializer=step_back)
        # All are started now: when memory is short, none could be started.
        everybody = threading.Barrier(threads)
        try:
            for _ in range(1, threads):
                self._others.submit(everybody.wait)
            everybody.wait()
        except BaseException:
            everybody.abort()  # or those that were started would wait forever
            raise

    def run(self, path: _Path, job: _Job, wanted: int) -> None:
        """Do a job with so many threads; not to be called again before it is done."""
        memory = -(-self._memory.ctypes.data // _ALIGNMENT) * _ALIGNMENT
        self._shared = shared = _Team(wanted, 0, 0, self._threads, memory)
        arguments = byref(path), byref(job), byref(shared)
        run = _library().reder_run
        others = [self._others.submit(run, *arguments, rank) for rank in range(1, wanted)]
        try:
            run(*arguments, 0)
        finally:
            self._shared = None
            shared.wanted = 1
            wait([other for other in others if not other.cancel()])

    def reduce(self, wanted: int) -> None:
        """Have no more than so many threads go on with the job under way, if there is one."""
        if (shared := self._shared) and wanted < shared.wanted:
            shared.wanted = max(1, wanted)


class _Parts:
    """Makes what C takes of what a bundle has.

    Args:
        bundle: has weights, and the scales of activations.
        instructions: what to run them with, a bit of `_INSTRUCTION_SETS`.
    """

    def __init__(self, bundle: Bundle, instructions: int) -> None:
        self._instructions = instructions
        self._shift = _library().reder_shift(instructions)
        self.arrays: list[NDArray[Any] | ctypes.Array[_Layer]] = []
        self._weights = read_weights(bundle.path / WEIGHTS)
        self._activations = read_activations(bundle.path)
        self._shortlists = bundle.shortlists()
        self._upsampling = bundle.manifest.upsampling
        self._vocabulary = bundle.manifest.vocabulary_size
        self._frames = bundle.manifest.max_source_tokens * self._upsampling
        self._matrices: dict[str, _Matrix] = {}
        try:
            self._width = self._weights["embedding.weight"].shape[1]
            self._head_width, distances = self._weights["ends.en.layers.0.attention.relative_keys.T"].shape
            self._hidden = self._weights["ends.en.layers.0.feed_forward.inner.weight.T"].shape[1]
        except (KeyError, ValueError, IndexError) as error:
            msg = f"the weights are no REDER's: {error}"
            raise UnsupportedError(msg) from error
        self._clip = distances // 2
        if self._width % _TILE or self._hidden % _TILE or self._head_width != _TILE or distances > _DISTANCES:
            msg = (
                f"width {self._width}, FFN width {self._hidden}, heads of {self._head_width}, {distances} distances; "
                f"widths must be multiples of {_TILE}, heads be as wide, distances at most {_DISTANCES}"
            )
            raise UnsupportedError(msg)

    def path(self, direction: Direction) -> _Path:
        """The network as a direction uses it."""
        try:
            return self._path(direction, self._activations[direction])
        except (KeyError, ValueError) as error:
            msg = f"{WEIGHTS} and the scales of activations do not have what the network needs: {error}"
            raise ManifestError(msg) from error

    def _path(self, direction: Direction, scales: Activations) -> _Path:
        depth = sum(name.startswith("ends.en.") and name.endswith("relative_keys.T") for name in self._weights)
        source, target = (f"ends.{language}" for language in (direction.source, direction.target))
        steps = [(f"{source}.layers.{n}", False) for n in range(depth)]
        steps += [(f"{target}.layers.{n}", True) for n in reversed(range(depth))]
        layers = (_Layer * len(steps))(*(self._layer(name, scales, inverse=inverse) for name, inverse in steps))
        self.arrays.append(layers)
        return _Path(
            self._embedding,
            self._positions,
            math.sqrt(self._width),
            *(self._norm(f"{source}.norm_{half}") for half in ("first", "second")),
            *(self._inverse_norm(f"{target}.norm_{half}") for half in ("first", "second")),
            ctypes.addressof(layers),
            *(len(steps), self._width, self._width // self._head_width, self._hidden, self._clip),
            *(self._upsampling, self._vocabulary, self._instructions),
            self._product("embedding", scales, self._width, self._vocabulary, biased=False),
            self._shortlist(direction, scales),
        )

    @cached_property
    def _embedding(self) -> int:
        """Where it is, for both directions."""
        return self._place(self._tensor("embedding.weight", self._vocabulary, self._width).astype(np.float16))

    @cached_property
    def _positions(self) -> int:
        """Likewise."""
        return self._place(self._tensor("positions.weight", self._frames, self._width))

    def _layer(self, name: str, scales: Activations, *, inverse: bool) -> _Layer:
        width, hidden = self._width, self._hidden
        return _Layer(
            self._product(f"{name}.attention.query_key_value", scales, width, 3 * width, queries=width),
            self._product(f"{name}.attention.output", scales, width, width),
            self._product(f"{name}.feed_forward.inner", scales, width, hidden),
            self._product(f"{name}.feed_forward.outer", scales, hidden, width),
            *self._relative(f"{name}.attention.relative_keys.T"),
            inverse,
        )

    def _relative(self, name: str) -> tuple[_Product, _Product]:
        """The relative keys that fit into a tile, for rows that have a scale each, and the one that does not."""
        keys = self._tensor(name, self._head_width, 2 * self._clip + 1)
        rounded, steps = quantise_columns(keys[:, _TILE:])
        near, last = (
            self._applied(matrix, Scale(1.0, _QUERY_ZERO), np.zeros_like(matrix.steps))
            for matrix in (self._packed(*quantise_columns(keys[:, :_TILE])), self._laid_out(rounded, rounded, steps))
        )
        return near, last

    def _product(
        self, name: str, scales: Activations, rows: int, columns: int, *, biased: bool = True, queries: int = 0
    ) -> _Product:
        """A product. So many of its columns are queries, which are divided by the root of a head's width."""
        matrix = self._matrix(f"{name}.weight.T", rows, columns)
        bias = np.zeros_like(matrix.steps)
        if biased:
            bias[:columns] = self._tensor(f"{name}.bias", columns)
        return self._applied(matrix, scales[name], bias, queries=queries)

    def _applied(self, matrix: _Matrix, rows: Scale, bias: NDArray[np.float32], *, queries: int = 0) -> _Product:
        """A product of rows that are rounded with such a scale; `bias` may be changed."""
        scale = np.float32(rows.step) * matrix.steps
        for per_column in (scale, bias):
            per_column[:queries] *= self._head_width**-0.5
        start = (self._shift - rows.zero_point) * matrix.sums  # as `struct product` in kernels/network.h says
        return _Product(
            *(matrix.place, self._place(start), self._place(scale), self._place(bias)),
            *(*matrix.rounded.shape, 1 / rows.step, rows.zero_point),
        )

    def _matrix(self, name: str, rows: int, columns: int) -> _Matrix:
        """One of the bundle's matrices; both directions have the same."""
        if name not in self._matrices:
            self._matrices[name] = self._packed(*quantise_columns(self._tensor(name, rows, columns)))
        return self._matrices[name]

    def _packed(self, rounded: NDArray[np.int8], steps: NDArray[np.float32]) -> _Matrix:
        """A rounded matrix, packed; columns of zeros fill the last tile."""
        missing = -rounded.shape[1] % _TILE
        rounded, steps = np.pad(rounded, ((0, 0), (0, missing))), np.pad(steps, (0, missing))
        return self._laid_out(packed(rounded), rounded, steps)

    def _laid_out(self, layout: NDArray[np.int8], rounded: NDArray[np.int8], steps: NDArray[np.float32]) -> _Matrix:
        """A rounded matrix that lies in memory like that."""
        return _Matrix(self._place(layout), rounded, steps.astype(np.float32), rounded.sum(axis=0, dtype=np.int32))

    def _shortlist(self, direction: Direction, scales: Activations) -> _Shortlist:
        if direction not in self._shortlists:
            return _Shortlist()
        shortlist = self._shortlists[direction]
        common = np.union1d(shortlist.common, [BLANK_ID])
        if len(common) > self._vocabulary / 2:  # no sentence has fewer
            return _Shortlist()
        every = self._matrix("embedding.weight.T", self._width, self._vocabulary)
        matrix = self._packed(every.rounded[:, common], every.steps[common])
        bias = np.full_like(matrix.steps, -np.inf)  # of columns that are no tokens
        bias[: len(common)] = 0
        tokens = np.zeros(len(bias), np.int32)
        tokens[: len(common)] = common
        others = np.ones(-(-self._vocabulary // _MARKS) * _MARKS, np.uint8)
        others[common] = 0
        return _Shortlist(
            *(self._place(shortlist.starts), self._place(shortlist.tokens)),
            self._applied(matrix, scales["embedding"], bias),
            *(self._place(tokens), self._place(np.packbits(others, bitorder="little"))),
            self._token_rows,
        )

    @cached_property
    def _token_rows(self) -> int:
        """Where the weights of each token are, for both directions."""
        return self._place(self._matrix("embedding.weight.T", self._width, self._vocabulary).rounded.T)

    def _norm(self, name: str) -> _Norm:
        scale = self._exponential(f"{name}.log_scale", 1)
        return _Norm(self._place(scale), self._place(self._tensor(f"{name}.bias", self._width)))

    def _inverse_norm(self, name: str) -> _Norm:
        scale = self._exponential(f"{name}.log_scale", -1)
        return _Norm(self._place(scale), self._place(-self._tensor(f"{name}.bias", self._width) * scale))

    def _exponential(self, name: str, sign: int) -> NDArray[np.float32]:
        """Of a row of weights; in float64, whose errors no processor's float32 shows."""
        return np.exp(sign * self._tensor(name, self._width).astype(np.float64)).astype(np.float32)

    def _tensor(self, name: str, *shape: int) -> NDArray[np.float32]:
        """One of the weights, in float32.

        Raises:
            KeyError: there is none of that name.
            ValueError: it is of another shape; C does not look.
        """
        tensor = self._weights[name]
        if tensor.shape != shape:
            msg = f"{name} is {tensor.shape}, not {shape}"
            raise ValueError(msg)
        return tensor.astype(np.float32)

    def _place(self, array: NDArray[Any]) -> int:
        """Where a copy of an array is, for as long as there are `arrays`."""
        array = np.ascontiguousarray(array)
        room = np.empty(array.nbytes + _ALIGNMENT, np.uint8)
        start = -room.ctypes.data % _ALIGNMENT
        room[start : start + array.nbytes] = array.reshape(-1).view(np.uint8)
        self.arrays.append(room)
        return int(room.ctypes.data) + start


class _Matrix(NamedTuple):
    """Where a packed matrix is, its values, and of each column the step and the sum."""

    place: int
    rounded: NDArray[np.int8]
    steps: NDArray[np.float32]
    sums: NDArray[np.int32]


def packed(matrix: NDArray[np.int8]) -> NDArray[np.int8]:
    """Tile by tile of columns, and in a tile four rows at a time, the four values of each column together."""
    rows, columns = matrix.shape
    return matrix.reshape(rows // _ROWS_TOGETHER, _ROWS_TOGETHER, columns // _TILE, _TILE).transpose(2, 0, 3, 1)
