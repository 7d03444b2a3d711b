"""The network in C: that it computes what the network is, whatever its shape, the batch and the number of threads."""

from __future__ import annotations

import json
import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from model.bundle import (
    BLANK_ID,
    DE_EN,
    DIRECTIONS,
    EN_DE,
    Bundle,
    Direction,
    Manifest,
    ManifestError,
    Shortlist,
    Tokenizer,
    shortlist_file,
)
from model.bundle.quantisation import ACTIVATIONS, Scale, quantise_columns, write_activations
from model.bundle.weights import WEIGHTS
from service.engine.choice import open_engine
from service.engine.network import MOST_CHOICES, Network, Team, UnsupportedError, instruction_sets, why_not_here
from service.errors import ConfigurationError
from service.types import Batch
from tests.sanitizing import SANITIZED, check_defined, check_sanitized

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

BUNDLES = Path(__file__).parents[2] / "bundles"
HEAD_WIDTH = 64
CHECKED = (
    *("test_it_computes_the_network", "test_neither_batch_nor_team_matters"),
    *("test_choices_are_the_most_probable_in_order", "test_what_would_lead_out_of_the_arrays_is_refused"),
)
HERE = pytest.mark.skipif(bool(why_not_here()), reason=why_not_here() or "there is")
WITH_EACH = pytest.mark.parametrize(
    "instructions",
    [
        pytest.param(name, marks=pytest.mark.skipif(name not in instruction_sets(), reason="not on this processor"))
        for name in ("amx", "avx512-vnni", "avx-vnni", "avx2", "neon-i8mm", "neon-dotprod")
    ],
)


@dataclass(frozen=True, slots=True)
class Shape:
    """Of a random network."""

    width: int = 128
    hidden: int = 192
    layers_per_end: int = 2
    clip: int = 4
    upsampling: int = 2
    vocabulary_size: int = 8000  # of the tokenizer that it comes with
    max_source_tokens: int = 40
    listed: int = 0  # tokens that each token of the source speaks for; 0 if there are no shortlists


SHAPES = (
    Shape(),
    Shape(width=64, hidden=64, layers_per_end=1, clip=1, upsampling=1),
    Shape(width=192, hidden=128, clip=32, upsampling=3),
    Shape(clip=32, max_source_tokens=130),
    Shape(width=64, hidden=576, layers_per_end=1, upsampling=3, max_source_tokens=130),  # longer than what is together
    Shape(width=64, hidden=64, listed=40),
    Shape(layers_per_end=1, listed=150),  # the longest sentence has more than half of all
)


def write_bundle(folder: Path, shape: Shape) -> Bundle:
    """A network with random weights in a folder, with what the engine in C reads of a bundle, and no graphs."""
    random = np.random.default_rng(3)

    def matrix(rows: int, columns: int) -> NDArray[np.float16]:
        return (random.normal(size=(rows, columns)) / math.sqrt(rows)).astype(np.float16)

    def row(columns: int, mean: float = 0.0) -> NDArray[np.float16]:
        return (mean + 0.3 * random.normal(size=columns)).astype(np.float16)

    width, hidden = shape.width, shape.hidden
    embedding = matrix(shape.vocabulary_size, width) * np.float16(math.sqrt(shape.vocabulary_size / width))
    weights = {
        "embedding.weight": embedding,
        "embedding.weight.T": np.ascontiguousarray(embedding.T),
        "positions.weight": matrix(shape.max_source_tokens * shape.upsampling, width),
    }
    products = {"embedding": (-3.0, 4.0)}
    for end in ("ends.en", "ends.de"):
        for half in ("first", "second"):
            weights |= {f"{end}.norm_{half}.log_scale": row(width), f"{end}.norm_{half}.bias": row(width)}
        for layer in (f"{end}.layers.{n}" for n in range(shape.layers_per_end)):
            weights[f"{layer}.attention.relative_keys.T"] = matrix(HEAD_WIDTH, 2 * shape.clip + 1)
            for name, rows, columns, values in (
                ("attention.query_key_value", width, 3 * width, (-3.5, 3.5)),
                ("attention.output", width, width, (-2.0, 2.5)),
                ("feed_forward.inner", width, hidden, (-3.5, 3.0)),
                ("feed_forward.outer", hidden, width, (-0.2, 2.5)),
            ):
                weights |= {f"{layer}.{name}.weight.T": matrix(rows, columns), f"{layer}.{name}.bias": row(columns)}
                products[f"{layer}.{name}"] = values
    save_file(weights, folder / WEIGHTS)
    ranges = products.items()
    scales = {name: Scale((high - low) / 255, round(-low * 255 / (high - low))) for name, (low, high) in ranges}
    write_activations(folder, {EN_DE: scales, DE_EN: scales})
    files = [WEIGHTS, ACTIVATIONS]
    for direction in DIRECTIONS if shape.listed else ():
        size = shape.vocabulary_size
        sources = np.repeat(np.arange(size), shape.listed)
        # of each token different ones: 53 shares no divisor with the size
        targets = (random.integers(size, size=(size, 1)) + 53 * np.arange(shape.listed)) % size
        shortlist = Shortlist.of(random.choice(size, 300, replace=False), sources, targets.ravel(), size)
        shortlist.save(folder / shortlist_file(direction))
        files.append(shortlist_file(direction))
    manifest = Manifest(
        name="random",
        upsampling=shape.upsampling,
        max_source_tokens=shape.max_source_tokens,
        vocabulary_size=shape.vocabulary_size,
        blank_id=BLANK_ID,
        graphs={str(direction): {"int8": {}} for direction in DIRECTIONS},
        files=dict.fromkeys(files),  # type: ignore[arg-type]
        round_trip={},
    )
    return Bundle(folder, manifest, Tokenizer(BUNDLES / "reder-small/tokenizer.model"))


class Expected(NamedTuple):
    """Log probabilities on each frame of a sentence: of all tokens, of those to choose from, and the best of these."""

    every: NDArray[np.float64]
    chosen: NDArray[np.float64]
    best: NDArray[np.float64]


class Reference:
    """The same in NumPy, in float64 but for what is rounded, sentence by sentence and head by head."""

    def __init__(self, bundle: Bundle, shape: Shape) -> None:
        self._weights = {name: array.astype(np.float64) for name, array in load_file(bundle.path / WEIGHTS).items()}
        self._scales = json.loads((bundle.path / ACTIVATIONS).read_text())
        self._shape = shape
        self._matrix = cache(self._quantised)

    def log_probs(
        self, direction: Direction, ids: list[int], listed: NDArray[np.int64] | None = None
    ) -> NDArray[np.float64]:
        """Of all tokens on each frame of a sentence; minus infinity for those that are not listed, if any are."""
        weights, shape = self._weights, self._shape
        state = np.repeat(weights["embedding.weight"][ids], shape.upsampling, axis=0) * math.sqrt(shape.width)
        state = state + weights["positions.weight"][: len(state)]
        source, target = f"ends.{direction.source}", f"ends.{direction.target}"
        first, second = (
            state * np.exp(weights[f"{source}.norm_{half}.log_scale"]) + weights[f"{source}.norm_{half}.bias"]
            for half in ("first", "second")
        )
        for n in range(shape.layers_per_end):
            first = first + self._attend(direction, f"{source}.layers.{n}", second)
            second = second + self._feed(direction, f"{source}.layers.{n}", first)
        for n in reversed(range(shape.layers_per_end)):
            second = second - self._feed(direction, f"{target}.layers.{n}", first)
            first = first - self._attend(direction, f"{target}.layers.{n}", second)
        first, second = (
            (values - weights[f"{target}.norm_{half}.bias"]) / np.exp(weights[f"{target}.norm_{half}.log_scale"])
            for half, values in (("first", first), ("second", second))
        )
        scores = self._product(direction, "embedding", (first + second) / 2)
        if listed is not None:
            scores[:, np.setdiff1d(np.arange(shape.vocabulary_size), listed)] = -np.inf
        highest = scores.max(axis=1, keepdims=True)
        normaliser = highest + np.log(np.exp(scores - highest).sum(axis=1, keepdims=True))
        log_probs: NDArray[np.float64] = scores - normaliser
        return log_probs

    def _product(self, direction: Direction, name: str, rows: NDArray[Any]) -> NDArray[np.float64]:
        scale = self._scales[str(direction)][name]
        rounded = np.clip(np.rint(rows / scale["step"]) + scale["zero_point"], 0, 255) - scale["zero_point"]
        product: NDArray[np.float64] = rounded @ self._matrix(f"{name}.weight.T") * scale["step"]
        return product + self._weights.get(f"{name}.bias", 0)

    def _quantised(self, name: str) -> NDArray[np.float64]:
        """What weights are once they are rounded."""
        matrix, steps = quantise_columns(self._weights[name].astype(np.float32))
        return matrix.astype(np.float64) * steps.astype(np.float64)

    def _attend(self, direction: Direction, layer: str, states: NDArray[Any]) -> NDArray[np.float64]:
        shape, frames = self._shape, len(states)
        parts = self._product(direction, f"{layer}.attention.query_key_value", _normalised(states))
        query, key, value = (part.reshape(frames, -1, HEAD_WIDTH) for part in np.split(parts, 3, axis=1))
        distances = np.arange(frames)[None, :] - np.arange(frames)[:, None]
        products = _rounded(query) @ self._matrix(f"{layer}.attention.relative_keys.T")
        by_distance = products[:, :, distances.clip(-shape.clip, shape.clip) + shape.clip]
        scores = np.einsum("ihd,jhd->hij", _rounded(query), _rounded(key)) + np.einsum("ihij->hij", by_distance)
        weights = np.exp(scores / math.sqrt(HEAD_WIDTH))
        context = np.einsum("hij,jhd->ihd", weights / weights.sum(axis=2, keepdims=True), value)
        return self._product(direction, f"{layer}.attention.output", context.reshape(frames, -1))

    def _feed(self, direction: Direction, layer: str, states: NDArray[Any]) -> NDArray[np.float64]:
        inner = self._product(direction, f"{layer}.feed_forward.inner", _normalised(states))
        erf = np.vectorize(math.erf)(inner / math.sqrt(2))
        return self._product(direction, f"{layer}.feed_forward.outer", inner * (1 + erf) / 2)


def _rounded(rows: NDArray[Any]) -> NDArray[np.float64]:
    """Of each row the largest value becomes 127."""
    steps = np.abs(rows).max(axis=-1, keepdims=True) / 127
    rounded: NDArray[np.float64] = np.rint(rows / steps) * steps
    return rounded


def _normalised(states: NDArray[Any]) -> NDArray[np.float64]:
    apart = states - states.mean(axis=1, keepdims=True)
    normalised: NDArray[np.float64] = apart / np.sqrt((apart**2).mean(axis=1, keepdims=True) + 1e-5)
    return normalised


def random_sentences(shape: Shape) -> list[list[int]]:
    """Of every length that rounds differently to what is computed together, and the longest."""
    random = np.random.default_rng(4)
    lengths = [1, 2, 3, 5, 8, 11, 16, 17, 24, shape.max_source_tokens, 4, 1]
    return [random.integers(1, shape.vocabulary_size, length).tolist() for length in lengths]


@pytest.fixture(scope="module")
def bundle_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Shape], Bundle]:
    """A random network of each shape, written once: no test may change it."""
    return cache(lambda shape: write_bundle(tmp_path_factory.mktemp("random"), shape))


@pytest.fixture(scope="module")
def expected_of(bundle_of: Callable[[Shape], Bundle]) -> Callable[[Shape, Direction], list[Expected]]:
    """What the formulas make of each random sentence: computed once for all instructions, which take turns."""

    @lru_cache(maxsize=len(DIRECTIONS))
    def expected(shape: Shape, direction: Direction) -> list[Expected]:
        reference, shortlists = Reference(bundle_of(shape), shape), bundle_of(shape).shortlists()
        found = []
        for ids in random_sentences(shape):
            log_probs = chosen = reference.log_probs(direction, ids)
            if shortlists:
                listed = np.union1d(shortlists[direction].listed(ids), [BLANK_ID])
                assert (len(listed) > shape.vocabulary_size / 2) == (shape.listed * len(ids) > 5500)
                if len(listed) <= shape.vocabulary_size / 2:
                    chosen = reference.log_probs(direction, ids, listed)
            found.append(Expected(log_probs, chosen, -np.sort(-chosen, axis=1)[:, :MOST_CHOICES]))
        return found

    return expected


@WITH_EACH
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_it_computes_the_network(
    bundle_of: Callable[[Shape], Bundle],
    expected_of: Callable[[Shape, Direction], list[Expected]],
    shape: Shape,
    instructions: str,
) -> None:
    """Log probabilities of random networks of several shapes are those of the formulas, but for rounding.

    With shortlists, the best are the best of the sentence's, unless it has half of all tokens; targets may be any.
    """
    network, sentences = Network(bundle_of(shape), instructions), random_sentences(shape)
    batch = Batch.pad(sentences)
    for direction in DIRECTIONS:
        found = network.run(direction, batch, Team(network), choices=MOST_CHOICES)
        scored = network.run(direction, batch, Team(network), targets=batch)
        if SANITIZED:
            return  # which looks at memory, and both directions use it alike; the formulas take long there
        for row, (ids, wanted) in enumerate(zip(sentences, expected_of(shape, direction), strict=True)):
            frames = slice(len(wanted.every))
            # a value between two steps can be rounded to either, and a difference grows from layer to layer
            off = 0.03 if instructions == "amx" else 0.02
            assert np.abs(found.log_probs[row, frames] - wanted.best).mean() < off
            chosen = np.take_along_axis(wanted.chosen, found.ids[row, frames], axis=1)
            assert np.abs(chosen - wanted.best).mean() < 2 * off
            assert np.abs(scored.blank[row, frames] - wanted.every[:, BLANK_ID]).mean() < 2 * off
            assert np.abs(scored.targets[row, frames, : len(ids)] - wanted.every[:, ids]).mean() < 2 * off


@WITH_EACH
@pytest.mark.parametrize("shape", [SHAPES[0], SHAPES[-1]], ids=str)
def test_neither_batch_nor_team_matters(bundle_of: Callable[[Shape], Bundle], shape: Shape, instructions: str) -> None:
    """A sentence comes out alike alone and beside others, from one thread and from several: to the bit."""
    network = Network(bundle_of(shape), instructions)
    sentences = random_sentences(shape) * 3
    batch = Batch.pad(sentences)
    together = network.run(EN_DE, batch, Team(network), choices=MOST_CHOICES)
    for threads in (2, 3, 5):
        shared = network.run(EN_DE, batch, Team(network, threads), threads=threads, choices=MOST_CHOICES)
        assert np.array_equal(shared.ids, together.ids)
        assert np.array_equal(shared.log_probs, together.log_probs)
    team = Team(network, 2)
    for row, ids in enumerate(sentences):
        alone = network.run(EN_DE, Batch.pad([ids]), team, threads=2, choices=MOST_CHOICES)
        frames = slice(len(ids) * shape.upsampling)
        assert np.array_equal(alone.ids[0], together.ids[row, frames])
        assert np.array_equal(alone.log_probs[0], together.log_probs[row, frames])


@WITH_EACH
def test_choices_are_the_most_probable_in_order(bundle_of: Callable[[Shape], Bundle], instructions: str) -> None:
    """Eight different tokens a frame, the best first; fewer that are asked for are the first of these."""
    shape = Shape()
    network = Network(bundle_of(shape), instructions)
    batch = Batch.pad([[5, 6, 7]])
    found = network.run(EN_DE, batch, Team(network), choices=MOST_CHOICES)
    every = np.arange(shape.vocabulary_size)[None]
    scored = network.run(EN_DE, batch, Team(network), targets=Batch(every, np.array([every.size])))
    order = np.argsort(-scored.targets[0], axis=1, kind="stable")[:, :MOST_CHOICES]
    assert np.array_equal(found.ids[0], order)
    assert np.array_equal(found.log_probs[0], np.take_along_axis(scored.targets[0], order, axis=1))
    assert np.allclose(np.exp(scored.targets[0].astype(np.float64)).sum(axis=1), 1, atol=1e-5)
    three = network.run(EN_DE, batch, Team(network), choices=3)
    assert np.array_equal(three.ids, found.ids[:, :, :3])


@pytest.mark.skipif(len(instruction_sets()) < 2, reason="the processor has fewer than two sets of instructions")
@pytest.mark.parametrize("name", ["reder-medium", "reder-small"])
def test_instructions_do_not_matter(name: str) -> None:
    """With all but AMX the same comes out, to the bit.

    With AMX what attention mixes is bfloat16, which seldom decides a frame.
    """
    bundle = Bundle.open(BUNDLES / name, verify=False)
    batch = Batch.pad(bundle.tokenizer.encode_batch(bundle.canary("en")))
    networks = [Network(bundle, one) for one in instruction_sets()]
    *others, last = (network.run(EN_DE, batch, Team(network), choices=1) for network in networks)
    real = np.arange(last.ids.shape[1]) < (batch.lengths * networks[0].upsampling)[:, None]
    for network, found in zip(networks, others, strict=False):
        if network.instructions == "amx":
            assert (found.ids == last.ids)[real].mean() > 0.97
            assert np.abs(found.log_probs - last.log_probs)[real].mean() < 0.03
        else:
            assert np.array_equal(found.ids, last.ids)
            assert np.array_equal(found.log_probs, last.log_probs)


@HERE
def test_instructions_that_there_are_not() -> None:
    """Who demands them is told which there are, before anything runs."""
    bundle = Bundle.open(BUNDLES / "reder-small", verify=False)
    with pytest.raises(ConfigurationError, match=rf"avx10 are demanded.*only .*{instruction_sets()[-1]}"):
        open_engine(bundle, provider="cpu", instructions="avx10")
    for name in instruction_sets():
        assert open_engine(bundle, provider="cpu", instructions=name, threads=1).info.runtime == f"reder {name}"
    bundle.manifest.files.pop(ACTIVATIONS)
    slowest = instruction_sets()[-1]
    with pytest.raises(ConfigurationError, match=rf"{slowest} are demanded.*has no activations"):
        open_engine(bundle, provider="cpu", instructions=slowest)
    for precision, runtime in (("fp32", "auto"), ("auto", "onnxruntime")):
        with pytest.raises(ConfigurationError, match=rf"{slowest} are demanded.*runs (fp32|int8) on cpu"):
            open_engine(bundle, provider="cpu", precision=precision, runtime=runtime, instructions=slowest)


@HERE
@pytest.mark.parametrize("name", ["reder-medium", "reder-small"])
def test_it_agrees_with_the_graphs(name: str) -> None:
    """On real sentences it finds what float32 finds as often as ONNX Runtime's int8 does, and scores as well."""
    bundle = Bundle.open(BUNDLES / name, verify=False)
    native, graphs = (open_engine(bundle, provider="cpu", runtime=one, threads=1) for one in ("native", "onnxruntime"))
    exact = open_engine(bundle, provider="cpu", precision="fp32", threads=1)
    for direction in DIRECTIONS:
        batch, targets = (
            Batch.pad(bundle.tokenizer.encode_batch(bundle.canary(language)))
            for language in (direction.source, direction.target)
        )
        wanted = exact.infer(direction, batch)
        real = np.arange(wanted.ids.shape[1]) < wanted.lengths[:, None]
        ours, theirs = (
            float((engine.infer(direction, batch).ids == wanted.ids)[real].mean()) for engine in (native, graphs)
        )
        assert ours > max(0.95, theirs - 0.03)
        scores = exact.score(direction, batch, targets)
        possible = np.isfinite(scores)
        ours, theirs = (
            float(np.abs(engine.score(direction, batch, targets) - scores)[possible].mean())
            for engine in (native, graphs)
        )
        assert ours < 1.5 * theirs + 0.1


@HERE
def test_callers_do_not_get_in_each_others_way() -> None:
    """Calls to the whole engine and to its lanes at the same time, more than cores, give what each gives alone."""
    bundle = Bundle.open(BUNDLES / "reder-small", verify=False)
    engine = open_engine(bundle, provider="cpu", runtime="native", threads=3)
    batches = [Batch.pad([bundle.tokenizer.encode(text)]) for text in bundle.canary("en")[:12]]
    alone = [engine.search(EN_DE, batch) for batch in batches]
    parts = [engine, *engine.lanes, engine]
    with ThreadPoolExecutor(len(parts)) as pool:
        found = list(pool.map(lambda part: [part.search(EN_DE, batch) for batch in batches], parts, timeout=60))
    for choices in found:
        for one, wanted in zip(choices, alone, strict=True):
            assert np.array_equal(one.ids, wanted.ids)
            assert np.array_equal(one.log_probs, wanted.log_probs)


@HERE
@pytest.mark.parametrize(
    ("ids", "lengths"),
    [
        ([[1, 8000]], [2]),
        ([[1, -1]], [2]),
        ([[1, 2]], [3]),
        ([[1, 2]], [0]),
        ([[1, 2]], [2, 2]),
        ([[1] * 41], [41]),
    ],
    ids=["unknown token", "negative token", "longer than the array", "empty", "another count", "too long"],
)
def test_what_would_lead_out_of_the_arrays_is_refused(
    bundle_of: Callable[[Shape], Bundle], ids: list[list[int]], lengths: list[int]
) -> None:
    """Before C sees it."""
    network = Network(bundle_of(Shape()))
    with pytest.raises(ValueError, match=r"sentence|token"):
        network.run(EN_DE, Batch(np.array(ids), np.array(lengths)), Team(network), choices=1)
    with pytest.raises(ValueError, match="token that the network does not have"):
        network.run(EN_DE, Batch.pad([[1]]), Team(network), targets=Batch.pad([[8000]]))
    with pytest.raises(ValueError, match="choices"):
        network.run(EN_DE, Batch.pad([[1]]), Team(network), choices=MOST_CHOICES + 1)


@HERE
@pytest.mark.parametrize("check", [check_sanitized, check_defined])
def test_memory_is_its_own(tmp_path: Path, check: Callable[[Path, str, list[str]], None]) -> None:
    """Built with the sanitizers of either compiler, the network passes its other tests."""
    check(
        tmp_path, "service/engine/kernels/_network.so", [f"tests/service/test_network.py::{name}" for name in CHECKED]
    )


@HERE
@pytest.mark.parametrize(
    ("name", "content"),
    [
        (WEIGHTS, None),
        (WEIGHTS, b""),
        (WEIGHTS, (1 << 40).to_bytes(8, "little")),
        (WEIGHTS, (2).to_bytes(8, "little") + b"{}"),
        (WEIGHTS, (2).to_bytes(8, "little") + b"[]"),
        (ACTIVATIONS, None),
        (ACTIVATIONS, b"[]"),
        (ACTIVATIONS, b'{"en-de": {}, "de-en": {}}'),
        (ACTIVATIONS, b'{"en-de": {"embedding": {"step": 0.0, "zero_point": 1}}, "de-en": {}}'),
        (shortlist_file(DE_EN), None),
        (shortlist_file(DE_EN), b"junk"),
    ],
)
def test_damaged_files_are_named(tmp_path: Path, name: str, content: bytes | None) -> None:
    """Missing, cut off, or of something else: the error says which file."""
    bundle = write_bundle(tmp_path, Shape(listed=1))
    if content is None:
        (tmp_path / name).unlink()
    else:
        (tmp_path / name).write_bytes(content)
    with pytest.raises((ManifestError, UnsupportedError), match=f"{name}|no REDER's|scales of activations"):
        Network(bundle)


@HERE
@pytest.mark.parametrize(
    "name",
    [
        *("embedding.weight", "embedding.weight.T", "positions.weight", "ends.de.norm_first.bias"),
        *("ends.en.layers.1.attention.query_key_value.bias", "ends.de.layers.0.feed_forward.outer.weight.T"),
        "ends.de.layers.1.attention.relative_keys.T",
    ],
)
def test_a_tensor_of_another_shape_is_named(tmp_path: Path, name: str) -> None:
    """One row more than the rest of the network has: C would read beyond another's end."""
    bundle = write_bundle(tmp_path, Shape())
    weights = dict(load_file(tmp_path / WEIGHTS))
    weights[name] = np.concatenate([weights[name], weights[name][-1:]])
    save_file(weights, tmp_path / WEIGHTS)
    with pytest.raises(ManifestError, match=f"{name} is "):
        Network(bundle)


@HERE
def test_a_tensor_that_is_cut_off_is_named(tmp_path: Path) -> None:
    """The file ends before the last tensor does."""
    bundle = write_bundle(tmp_path, Shape())
    whole = (tmp_path / WEIGHTS).read_bytes()
    (tmp_path / WEIGHTS).write_bytes(whole[:-100])
    with pytest.raises(ManifestError, match=WEIGHTS):
        Network(bundle)


@HERE
def test_shapes_without_code_are_for_onnx_runtime() -> None:
    """Who demands the native runtime for what it cannot run is told why; by default ONNX Runtime takes over."""
    bundle = Bundle.open(BUNDLES / "reder-small", verify=False)
    bundle.manifest.files.pop(ACTIVATIONS)
    with pytest.raises(ConfigurationError, match=r"has no activations.json; `reder refresh` writes it"):
        open_engine(bundle, provider="cpu", runtime="native")
    assert open_engine(bundle, provider="cpu", threads=1).info.runtime.startswith("onnxruntime")


@HERE
def test_a_shape_without_code_is_told(tmp_path: Path) -> None:
    """The message says what it would have to be."""
    bundle = write_bundle(tmp_path, Shape(hidden=200))
    with pytest.raises(ConfigurationError, match=r"FFN width 200.*must be multiples of 64"):
        open_engine(bundle, provider="cpu", runtime="native")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"provider": "cpu", "precision": "fp32"}, "it is for int8, and precision is fp32"),
        ({"provider": "cuda"}, "provider cuda is demanded"),
    ],
)
def test_native_is_for_int8_on_a_processor(settings: dict[str, str], message: str) -> None:
    """Anything else that is demanded with it is refused."""
    bundle = Bundle.open(BUNDLES / "reder-small", verify=False)
    with pytest.raises(ConfigurationError, match=message):
        open_engine(bundle, runtime="native", **settings)  # type: ignore[arg-type]
