"""Schedules, and which optimiser gets which parameter."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from model.bundle import EN_DE
from model.config import TrainConfig
from model.muon import GroupedMuon
from model.optim import Optimizers, learning_rate_factor
from model.reder import Reder
from tests.model import toy

PAPER = TrainConfig()
HOLD = TrainConfig(schedule="hold", warmup_updates=10, max_updates=100, decay_updates=20)


@pytest.mark.parametrize(
    ("update", "factor"), [(0, 1 / 4000), (1999, 0.5), (3999, 1.0), (15_999, 0.5), (63_999, 0.25), (399_999, 0.1)]
)
def test_paper_schedule(update: int, factor: float) -> None:
    """Linear to 5e-4 over 4000 updates, then falling with the root of the update."""
    assert learning_rate_factor(PAPER, update) == pytest.approx(factor)


@pytest.mark.parametrize(
    ("update", "factor"),
    [(0, 0.1), (4, 0.5), (9, 1.0), (50, 1.0), (80, 1.0), (90, 0.5), (99, 0.05), (100, 0.0), (500, 0.0)],
)
def test_hold_schedule(update: int, factor: float) -> None:
    """Linear up, constant, linear down to nothing over the last updates, and never below."""
    assert learning_rate_factor(HOLD, update) == pytest.approx(factor)


@pytest.mark.parametrize(("minutes", "factor"), [(0.0, 1.0), (6.0, 1.0), (8.0, 0.5), (10.0, 0.0), (11.0, 0.0)])
def test_hold_by_the_clock(minutes: float, factor: float) -> None:
    """Where a run ends by the clock, the fall covers its last minutes; whichever end is nearer decides."""
    config = replace(HOLD, max_minutes=10.0, decay_minutes=4.0)
    assert learning_rate_factor(config, 50, minutes) == pytest.approx(factor)
    assert learning_rate_factor(config, 90, minutes) == pytest.approx(min(factor, 0.5))


def test_hold_without_decay_stays() -> None:
    """Without a decay the peak is held to the end."""
    config = TrainConfig(schedule="hold", warmup_updates=10, max_updates=100)
    assert {learning_rate_factor(config, update) for update in (9, 50, 99)} == {1.0}


def groups_of(model: Reder, config: TrainConfig) -> dict[str, tuple[str, float]]:
    """Optimiser and weight decay of each parameter; fails if one is missing or covered twice."""
    names = {id(parameter): name for name, parameter in model.named_parameters()}
    found: dict[str, tuple[str, float]] = {}
    for optimizer in Optimizers(model, config)._optimizers:
        for group in optimizer.param_groups:
            for parameter in group["params"]:
                name = names[id(parameter)]
                assert name not in found
                found[name] = (type(optimizer).__name__, group["weight_decay"])
    assert set(found) == set(names.values())
    return found


@pytest.mark.parametrize("optimizer", ["adam", "muon"])
def test_every_parameter_has_one_optimiser(optimizer: str) -> None:
    """Each parameter is updated once: layer matrices by Muon where asked, all else by Adam; only matrices decay."""
    model = Reder(toy.tiny())
    config = TrainConfig(optimizer="muon" if optimizer == "muon" else "adam", weight_decay=0.03)
    for name, (kind, decay) in groups_of(model, config).items():
        matrix = model.get_parameter(name).ndim == 2
        assert decay == (0.03 if matrix else 0.0)
        by_muon = optimizer == "muon" and matrix and name.startswith("ends.")
        assert kind.removeprefix("Grouped") == ("Muon" if by_muon else "AdamW")


@pytest.mark.parametrize("optimizer", ["adam", "muon"])
def test_step_moves_every_parameter(optimizer: str) -> None:
    """One step changes every parameter, clears the gradients and returns their norm before clipping."""
    torch.manual_seed(1)
    model = Reder(toy.tiny())
    config = TrainConfig(optimizer="muon" if optimizer == "muon" else "adam", warmup_updates=1, clip_norm=1e-3)
    optimizers = Optimizers(model, config)
    before = {name: parameter.detach().clone() for name, parameter in model.named_parameters()}
    ids, lengths = torch.randint(2, toy.VOCABULARY_SIZE, (3, 8)), torch.tensor([8, 8, 8])
    model(EN_DE, ids, lengths).logits.square().mean().backward()
    norm = torch.stack([p.grad.norm() for p in model.parameters() if p.grad is not None]).norm()
    assert optimizers.step(0) == pytest.approx(float(norm), rel=1e-4)
    assert float(norm) > config.clip_norm
    assert [name for name, parameter in model.named_parameters() if torch.equal(before[name], parameter)] == []
    assert all(parameter.grad is None for parameter in model.parameters())


def test_adam_gets_clipped_gradients() -> None:
    """Its means begin with the share of the gradient that the paper's betas give, the norm of all cut to the limit."""
    torch.manual_seed(1)
    model = Reder(toy.tiny())
    optimizers = Optimizers(model, TrainConfig(clip_norm=1e-3))
    ids, lengths = torch.randint(2, toy.VOCABULARY_SIZE, (3, 8)), torch.tensor([8, 8, 8])
    model(EN_DE, ids, lengths).logits.square().mean().backward()
    optimizers.step(0)
    state = optimizers._optimizers[0].state.values()
    assert sum(float(one["exp_avg"].square().sum()) for one in state) == pytest.approx((0.1 * 1e-3) ** 2, rel=1e-3)
    assert sum(float(one["exp_avg_sq"].sum()) for one in state) == pytest.approx(0.02 * 1e-3**2, rel=1e-3)


@pytest.mark.parametrize("bfloat16", [True, False])
def test_muon_is_pytorchs(monkeypatch: pytest.MonkeyPatch, *, bfloat16: bool) -> None:
    """Matrices computed together by shape, wide, tall and square, become what PyTorch makes of each alone."""
    monkeypatch.setattr("model.precision._cpu_has_bfloat16", lambda: bfloat16)
    torch.manual_seed(1)
    start = [torch.randn(shape) for shape in [(4, 9), (8, 3), (4, 9), (5, 5)]]
    gradients = [[torch.randn_like(matrix) for matrix in start] for _ in range(3)]
    found = []
    for kind in (torch.optim.Muon, GroupedMuon):
        matrices = [matrix.clone().requires_grad_() for matrix in start]
        optimizer = kind(matrices, lr=0.05, weight_decay=0.1, adjust_lr_fn="match_rms_adamw")
        for some in gradients:
            for matrix, gradient in zip(matrices, some, strict=True):
                matrix.grad = gradient.clone()
            optimizer.step()
        found.append((matrices, optimizer.state_dict()["state"]))
    (expected, expected_state), (grouped, grouped_state) = found
    torch.testing.assert_close(grouped, expected, rtol=0, atol=2e-3)  # bfloat16, in another order
    torch.testing.assert_close(grouped_state, expected_state)


def test_step_follows_the_schedule() -> None:
    """The rate in use is the peak times the schedule's share, in every group of every optimiser."""
    model = Reder(toy.tiny())
    config = TrainConfig(optimizer="muon", learning_rate=0.02, warmup_updates=4)
    optimizers = Optimizers(model, config)
    for parameter in model.parameters():
        parameter.grad = torch.ones_like(parameter)
    optimizers.step(1)
    rates = {group["lr"] for optimizer in optimizers._optimizers for group in optimizer.param_groups}
    assert rates == {0.01}


def test_states_of_other_optimisers_are_refused() -> None:
    """Adam's state cannot be loaded into Muon and Adam."""
    model = Reder(toy.tiny())
    state = Optimizers(model, TrainConfig()).state_dict()
    with pytest.raises(ValueError, match="different number of parameter groups"):
        Optimizers(model, TrainConfig(optimizer="muon")).load_state_dict(state)
