"""What a run notes while it trains: where it stands, what the clock says, and curves of what its updates report."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from tqdm import tqdm

if TYPE_CHECKING:
    from torch.utils.tensorboard import SummaryWriter

    from model.config import TrainConfig

__all__ = ["Clock", "Meter", "Progress", "UpdateReport"]


@dataclass(slots=True)
class Progress:
    """Where a run stands: what resuming needs, and what the log says."""

    update: int = 0
    epoch: int = 0
    batch: int = 0
    tokens: int = 0
    seconds: float = 0.0
    best: list[tuple[float, int]] = field(default_factory=list)


class UpdateReport(NamedTuple):
    """One update: each loss by name (`nll` per target token), gradient norm before clipping, tokens of both sides."""

    losses: dict[str, float]
    gradient_norm: float
    tokens: int


class Clock:
    """When to validate, save and stop; minutes in, seconds within."""

    def __init__(self, config: TrainConfig, minutes: float | None) -> None:
        self._config = config
        self._deadline = math.inf if minutes is None else time.monotonic() + minutes * 60
        self._last_validation = self._last_save = time.monotonic()

    @property
    def over(self) -> bool:
        """Whether the time limit has passed."""
        return time.monotonic() > self._deadline

    @property
    def validation_due(self) -> bool:
        """Whether it is time to validate."""
        return time.monotonic() - self._last_validation > self._config.validate_every * 60

    @property
    def save_due(self) -> bool:
        """Whether it is time to save."""
        return time.monotonic() - self._last_save > self._config.save_every * 60

    def validated(self) -> None:
        """Count from here to the next validation."""
        self._last_validation = time.monotonic()

    def saved(self) -> None:
        """Count from here to the next checkpoint."""
        self._last_save = time.monotonic()


class Meter:
    """Progress bar and training curves, averaged over some updates.

    Args:
        progress: its `update` is read.
        last: the recipe's last update.
        curves: where the curves go; without it there is no bar either.
    """

    _EVERY = 20

    def __init__(self, progress: Progress, last: int, curves: SummaryWriter | None) -> None:
        self._progress = progress
        self._curves = curves
        self._since = time.monotonic()
        self._reports: list[UpdateReport] = []
        self._bar = tqdm(
            total=last,
            initial=progress.update,
            unit="update",
            mininterval=5,
            dynamic_ncols=True,
            disable=curves is None,
        )

    def add(self, report: UpdateReport) -> None:
        """Count one update; every twenty, show their means."""
        if self._reports and report.losses.keys() != self._reports[0].losses.keys():
            self._reports = []  # stage two has begun
        self._reports.append(report)
        self._bar.update()
        if len(self._reports) < self._EVERY:
            return
        seconds = time.monotonic() - self._since
        rate = sum(entry.tokens for entry in self._reports) / seconds
        means = {name: sum(entry.losses[name] for entry in self._reports) / self._EVERY for name in report.losses}
        norm = sum(entry.gradient_norm for entry in self._reports) / self._EVERY
        self._bar.set_postfix_str(f"nll {means['nll']:.3f}, {rate:,.0f} tokens/s")
        if self._curves is not None:
            for name, value in {**means, "gradient_norm": norm, "tokens_per_second": rate}.items():
                self._curves.add_scalar(f"train/{name}", value, self._progress.update)
        self._reports = []
        self._since = time.monotonic()

    def close(self) -> None:
        """Leave the bar as it is."""
        self._bar.close()
