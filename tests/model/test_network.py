"""The network: reversible, one set of parameters for both directions, blind to padding."""

from __future__ import annotations

import itertools
import math
from copy import deepcopy
from dataclasses import replace
from typing import Literal, cast

import pytest
import torch
from torch import Tensor, nn

from model.architecture import build, objective_for
from model.bundle import DIRECTIONS, EN_DE, Direction
from model.config import PRESETS, ModelConfig, TrainConfig
from model.data.batches import Batch, Padded, pad
from model.objective import DuplexObjective
from model.reder import Reder
from model.reversible import ActNorm, End, Halves, RelativeSelfAttention, _shear, _sheared
from tests.model import toy

PRECISIONS = [pytest.param(torch.float64, 1e-9, id="float64"), pytest.param(torch.float32, 1e-4, id="float32")]
LENGTHS = (9, 5, 1, 12)


@pytest.fixture
def batch() -> Padded:
    """Four sentences of different lengths."""
    generator = torch.Generator().manual_seed(2)
    return pad([torch.randint(2, toy.VOCABULARY_SIZE, (length,), generator=generator).tolist() for length in LENGTHS])


def random_state(model: Reder, batch: Padded) -> tuple[Halves, Tensor]:
    """Two unequal halves, as inside the network, and the batch's padding."""
    generator = torch.Generator().manual_seed(3)
    shape = (len(LENGTHS), max(LENGTHS) * model.config.upsampling, model.config.width)
    kind = model.embedding.weight.dtype
    first, second = (torch.randn(shape, generator=generator).to(kind) for _ in range(2))
    return Halves(first, second), model.padding(batch.ids, batch.lengths)


def largest_difference(left: Halves, right: Halves) -> float:
    """Over both halves."""
    return max(float((a - b).abs().max()) for a, b in zip(left, right, strict=True))


@pytest.mark.parametrize(("kind", "tolerance"), PRECISIONS)
@pytest.mark.parametrize("language", ["en", "de"])
@torch.no_grad()
def test_end_inverse_undoes_forward(
    model: Reder, batch: Padded, language: str, kind: torch.dtype, tolerance: float
) -> None:
    """An end run forward, then in reverse, returns its input; and the other way round."""
    model.to(kind)
    end = cast("End", model.ends[language])
    state, padding = random_state(model, batch)
    inner = end(state, padding)
    assert largest_difference(inner, state) > 0.1
    assert largest_difference(end.inverse(inner, padding), state) < tolerance
    assert largest_difference(end(end.inverse(state, padding), padding), state) < tolerance


@pytest.mark.parametrize(("kind", "tolerance"), PRECISIONS)
@pytest.mark.parametrize("direction", DIRECTIONS, ids=str)
@torch.no_grad()
def test_reverse_direction_undoes_translation(
    model: Reder, batch: Padded, direction: Direction, kind: torch.dtype, tolerance: float
) -> None:
    """Translating continuous states there and back is the identity."""
    model.to(kind)
    state, padding = random_state(model, batch)
    there = model.translate_states(direction, state, padding)
    back = model.translate_states(direction.reverse, there, padding)
    assert largest_difference(there, state) > 0.1
    assert largest_difference(back, state) < tolerance


def test_directions_share_every_parameter(model: Reder, batch: Padded) -> None:
    """Each direction alone gives every parameter a gradient, so both use the same ones, all of them."""
    used = {}
    for direction in DIRECTIONS:
        model.zero_grad(set_to_none=True)
        scores = model(direction, batch.ids, batch.lengths)
        scores.logits.log_softmax(dim=2)[..., 0].sum().backward()
        used[direction] = {
            name: parameter.numel()
            for name, parameter in model.named_parameters()
            if parameter.grad is not None and bool(parameter.grad.any())
        }
    names = {name for name, _ in model.named_parameters()}
    assert set(used[EN_DE]) == set(used[EN_DE.reverse]) == names
    assert sum(used[EN_DE].values()) == sum(used[EN_DE.reverse].values()) == model.parameter_count()


def test_parameter_count_is_that_of_the_shape() -> None:
    """The parameters are one embedding, one table of positions, and two ends of layers: nothing else."""
    config = toy.tiny(layers_per_end=3)
    width, ffn = config.width, config.ffn_width
    attention = 3 * width * (width + 1) + width * (width + 1) + (2 * config.relative_clip + 1) * width // config.heads
    layer = attention + ffn * (width + 1) + width * (ffn + 1)
    end = 3 * layer + 2 * 2 * width
    assert Reder(config).parameter_count() == (config.vocabulary_size + config.max_frames) * width + 2 * end


@pytest.mark.parametrize("direction", DIRECTIONS, ids=str)
@torch.no_grad()
def test_batch_equals_sentences_one_by_one(model: Reder, batch: Padded, direction: Direction) -> None:
    """A sentence gets the same scores alone as in a batch where it is padded."""
    together = model(direction, batch.ids, batch.lengths)
    for row, length in enumerate(LENGTHS):
        alone = model(direction, batch.ids[row : row + 1, :length], batch.lengths[row : row + 1])
        frames = length * model.config.upsampling
        assert together.lengths[row] == alone.lengths[0] == frames
        torch.testing.assert_close(together.logits[row, :frames], alone.logits[0], rtol=0, atol=1e-10)


@torch.no_grad()
def test_padding_content_is_ignored(model: Reder, batch: Padded) -> None:
    """Whatever ids fill the padding, and however much there is, a sentence's scores stay the same."""
    padded = torch.nn.functional.pad(batch.ids, (0, 5), value=0)
    past = torch.arange(padded.shape[1]) >= batch.lengths.unsqueeze(1)
    expected = model(EN_DE, batch.ids, batch.lengths).logits
    filled = model(EN_DE, padded.masked_fill(past, 77), batch.lengths).logits
    for row, length in enumerate(LENGTHS):
        frames = length * model.config.upsampling
        torch.testing.assert_close(filled[row, :frames], expected[row, :frames], rtol=0, atol=1e-10)


@pytest.mark.parametrize("gradients", [True, False])
@pytest.mark.parametrize("frames", [1, 2, 5, 20])
def test_relative_scores_equal_definition(model: Reder, frames: int, gradients: bool) -> None:  # noqa: FBT001 - a parameter
    """Shearing and gathering give q_i . r_clip(j - i) for distances within and beyond the clip."""
    attention = next(module for module in model.modules() if isinstance(module, RelativeSelfAttention))
    clip, keys = attention.clip, attention.relative_keys
    query = torch.randn(2, attention.heads, frames, keys.shape[1], dtype=torch.float64)
    expected = torch.empty(2, attention.heads, frames, frames, dtype=torch.float64)
    for i in range(frames):
        for j in range(frames):
            distance = max(-clip, min(clip, j - i))
            expected[:, :, i, j] = query[:, :, i] @ keys[distance + clip]
    with torch.set_grad_enabled(gradients):
        torch.testing.assert_close(attention._relative_scores(query, frames), expected)


@pytest.mark.parametrize("frames", [1, 2, 7])
def test_shearing_has_the_gradient_of_its_view(frames: int) -> None:
    """The operator's own backward pass is the one that PyTorch derives from the view."""
    by_distance = torch.randn(2, 3, frames, 2 * frames, requires_grad=True)
    sheared, view = _shear(by_distance), _sheared(by_distance)
    upstream = torch.randn(view.shape)
    assert torch.equal(sheared, view)
    (found,) = torch.autograd.grad(sheared, by_distance, upstream)
    (expected,) = torch.autograd.grad(view, by_distance, upstream)
    assert torch.equal(found, expected)


def test_attention_equals_definition(model: Reder) -> None:
    """It is softmax((q.k + q.r) / sqrt(head width)) v of normalised frames, head by head, over real ones."""
    attention = next(module for module in model.modules() if isinstance(module, RelativeSelfAttention))
    width, heads, frames, real = model.config.width, attention.heads, 6, 4
    head_width = width // heads
    states = torch.randn(1, frames, width, dtype=torch.float64)
    padding = (torch.arange(frames) >= real)[None, None, None, :]
    spread = (states.var(dim=2, keepdim=True, correction=0) + 1e-5).sqrt()
    normalised = (states - states.mean(dim=2, keepdim=True)) / spread
    query, key, value = attention.query_key_value(normalised)[0].split(width, dim=1)
    context = torch.zeros(frames, width, dtype=torch.float64)
    for head in range(heads):
        part = slice(head * head_width, (head + 1) * head_width)
        for i in range(frames):
            relative = [attention.relative_keys[max(-4, min(4, j - i)) + 4] for j in range(real)]
            logits = torch.stack([query[i, part] @ (key[j, part] + relative[j]) for j in range(real)])
            context[i, part] = (logits / math.sqrt(head_width)).softmax(dim=0) @ value[:real, part]
    torch.testing.assert_close(attention(states, padding)[0], attention.output(context))


@pytest.mark.filterwarnings("ignore:The .grad attribute of a Tensor that is not a leaf")
@pytest.mark.parametrize("architecture", ["reder", "dual"])
def test_compiled_layers_compute_the_same(batch: Padded, architecture: Literal["reder", "dual"]) -> None:
    """Compiled once for any shape, layers give the same gradients in either direction, batch after batch."""
    torch.manual_seed(4)
    network = build(replace(toy.tiny(), architecture=architecture))
    objective = objective_for(network, TrainConfig())
    batches = [Batch(batch, batch), Batch(batch.rows(torch.tensor([1, 2])), batch.rows(torch.tensor([1, 2])))]

    def learned() -> list[Tensor]:
        network.zero_grad()
        for part, direction in itertools.product(batches, DIRECTIONS):
            objective(part, direction, update=0, seed=1).total.backward()
        return [parameter.grad.clone() for parameter in network.parameters() if parameter.grad is not None]

    expected = learned()
    network.compile_layers(backend="eager")
    compiled = torch._dynamo.utils.counters["stats"]
    compiled.clear()
    for found, wanted in zip(learned(), expected, strict=True):
        torch.testing.assert_close(found, wanted, rtol=0.05, atol=0.05 * float(wanted.abs().max()))
    assert 0 < compiled["unique_graphs"] <= len(DIRECTIONS) * 2


@torch.no_grad()
def test_copy_of_compiled_network_is_its_own(batch: Padded) -> None:
    """A running mean is a copy: it computes with its own weights, in training and in evaluation."""
    network = Reder(toy.tiny()).train()
    network.compile_layers(backend="eager")
    copied = deepcopy(network)
    for layer in copied.end("en").layers:
        for parameter in layer.parameters():
            parameter.zero_()
    plain = Reder(toy.tiny())
    plain.load_state_dict(copied.state_dict())
    for mode in (True, False):
        expected = plain(EN_DE, batch.ids, batch.lengths).logits
        torch.testing.assert_close(copied.train(mode)(EN_DE, batch.ids, batch.lengths).logits, expected)
        assert not torch.equal(network.train(mode)(EN_DE, batch.ids, batch.lengths).logits, expected)


@pytest.mark.parametrize(("tokens", "padded"), [(4, 4), (5, 8), (38, 40), (41, 42)])
def test_frames_fit_the_units_of_a_gpu(tokens: int, padded: int) -> None:
    """In training, elsewhere than on a CPU, frames are a multiple of eight, as far as there are positions."""
    objective = DuplexObjective(Reder(replace(toy.tiny(), max_source_tokens=42)), TrainConfig())
    for device, expected in (("cpu", tokens), ("meta", padded)):
        ids, lengths = torch.ones(2, tokens, dtype=torch.int64), torch.tensor([tokens, 1])
        found = objective._aligned(Padded(ids, lengths).to(torch.device(device)))
        assert found.ids.shape == (2, expected)


def test_act_norm_first_batch_leaves_normalised() -> None:
    """Initialisation from a batch gives each feature zero mean and unit variance; the inverse undoes it."""
    norm = ActNorm(5).double()
    states = torch.randn(400, 5, dtype=torch.float64) * torch.tensor([0.1, 1, 3, 10, 2]) + torch.arange(5)
    norm.initialise(states)
    spread, mean = torch.std_mean(norm(states), dim=0)
    torch.testing.assert_close(mean, torch.zeros(5, dtype=torch.float64), rtol=0, atol=1e-4)
    torch.testing.assert_close(spread, torch.ones(5, dtype=torch.float64), rtol=0, atol=1e-4)
    torch.testing.assert_close(norm.inverse(norm(states)), states)


def test_act_norm_survives_constant_feature() -> None:
    """A feature that never varies gets a finite scale."""
    norm = ActNorm(2)
    norm.initialise(torch.tensor([[1.0, 5.0], [2.0, 5.0]]))
    assert bool(torch.isfinite(norm(torch.tensor([[3.0, 5.0]]))).all())


def test_norms_initialise_once_from_real_frames(batch: Padded) -> None:
    """Each end is set from its own language's embedded tokens, padding left out, and never set again."""
    torch.manual_seed(4)
    model = Reder(toy.tiny())
    german = pad([[3, 4, 5, 6], [7]])
    model.initialise_norms(Batch(batch, german))
    for language, side in (("en", batch), ("de", german)):
        norm = cast("End", model.ends[language]).norm_first
        real = ~model.padding(side.ids, side.lengths)[:, 0, 0, :]
        spread, mean = torch.std_mean(norm(model.embed(side.ids).first[real]), dim=0)
        torch.testing.assert_close(mean, torch.zeros_like(mean), rtol=0, atol=1e-4)
        torch.testing.assert_close(spread, torch.ones_like(spread), rtol=0, atol=1e-3)
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    model.initialise_norms(Batch(german, batch))
    assert all(torch.equal(before[name], tensor) for name, tensor in model.state_dict().items())


@torch.no_grad()
def test_embedding_serves_input_and_output(model: Reder, batch: Padded) -> None:
    """One matrix embeds the tokens, scaled and doubled, and scores the averaged halves; no second one exists."""
    vocabulary = [name for name, p in model.named_parameters() if toy.VOCABULARY_SIZE in p.shape]
    assert vocabulary == ["embedding.weight"]
    scores = model(EN_DE, batch.ids, batch.lengths)
    out = model.translate_states(EN_DE, model.embed(batch.ids), model.padding(batch.ids, batch.lengths))
    torch.testing.assert_close(scores.logits, (out.first + out.second) / 2 @ model.embedding.weight.t())
    first, second = model.embed(batch.ids)
    expected = model.embedding.weight[batch.ids[0, 3]] * math.sqrt(model.config.width)
    for frame in (6, 7):
        torch.testing.assert_close(first[0, frame], expected + model.positions.weight[frame])
    assert torch.equal(first, second)


def test_dropout_acts_in_training_only(batch: Padded) -> None:
    """With dropout two training passes differ if their seeds do, two inference passes never."""
    torch.manual_seed(5)
    model = Reder(toy.tiny(dropout=0.3))

    def logits(seed: int) -> Tensor:
        return cast("Tensor", model(EN_DE, batch.ids, batch.lengths, seed=seed).logits)

    assert not torch.equal(logits(1), logits(2))
    assert torch.equal(logits(1), logits(1))
    model.eval()
    assert torch.equal(logits(1), logits(2))


def test_every_layer_and_part_drops_other_values() -> None:
    """No two layers, nor the two parts of one, share a dropout mask; what is kept grows as the rest goes."""
    model = Reder(toy.tiny(dropout=0.5)).train()
    states = torch.ones(1, 4, model.config.width)
    dropped = [step.layer._drop(states, seed, part) for step in model.path(EN_DE) for part in (0, 1) for seed in (1, 2)]
    assert len({tuple(mask.flatten().tolist()) for mask in dropped}) == len(dropped) == 4 * 2 * 2
    assert torch.stack(dropped).unique().tolist() == [0.0, 2.0]


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_presets_build(preset: str) -> None:
    """Every preset describes a network that can be built, with the stated layers at each end."""
    config = ModelConfig(vocabulary_size=500, **PRESETS[preset])
    with torch.device("meta"):
        model = Reder(config)
    for end in model.ends.values():
        assert len(cast("nn.ModuleList", end.layers)) == config.layers_per_end
    assert model.parameter_count() > 0
