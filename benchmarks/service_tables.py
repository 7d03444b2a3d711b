"""What `service` found, as tables, and the few ratios that sum it up."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from benchmarks.report import number, table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchmarks.service_runs import Loaded

__all__ = ["load_table", "summary", "summary_table"]

Case = tuple[str, str]
"""What load, and the shape of its requests."""

_REQUESTS = ("accepted", "429", "failed")
_MS = 1000


def load_table(found: Mapping[Case, Loaded]) -> str:
    """One line a load."""
    titles = ["load", "requests", "sentences/s", "p50 ms", "p99 ms", "p99 / engine alone", "padded / real"]
    rows = [
        [
            load,
            shape,
            number(one.sentences_per_s, 1),
            number(one.p50 * _MS, 1),
            number(one.p99 * _MS, 1),
            _or_blank(one.slowdown_p99),
            _or_blank(one.padded_over_real),
            *map(str, (one.accepted, one.refused, one.failed)),
            number(one.service_cores),
            number(one.generator_cores),
        ]
        for (load, shape), one in found.items()
    ]
    return table([*titles, *_REQUESTS, "service cores", "generator cores"], rows)


def summary(
    found: Mapping[Case, Loaded], offline: Mapping[str, Mapping[int, float]], memory: list[float]
) -> dict[str, float]:
    """The ratios, by what they are; what was not measured is left out.

    Args:
        found: loads, named as `service` names them.
        offline: sentences a second of the engine by itself, by shape and budget.
        memory: resident MiB after equal numbers of requests, the first after warming up.
    """
    ratios: dict[str, float] = {}
    for (load, shape), one in found.items():
        if load == "64 clients":
            ratios[f"throughput at 64 clients / engine offline at its best, {shape}"] = one.sentences_per_s / max(
                offline[shape].values()
            )
            ratios[f"padded / real tokens at 64 clients, {shape}"] = one.padded_over_real
        if load == "50 %":
            ratios[f"p99 at 50 % load / engine time of the same sentence alone, {shape}"] = one.slowdown_p99
            ratios[f"the same for an ideal server, computed, {shape}"] = one.bare_slowdown_p99
        if load == "120 %" and ("80 %", shape) in found:
            ratios[f"p99 of the accepted at 120 % load / at 80 %, {shape}"] = one.p99 / found["80 %", shape].p99
            answers = one.accepted + one.refused + one.failed
            ratios[f"share of 429 at 120 % load, {shape}"] = one.refused / answers if answers else math.nan
        if load == "1 client" and shape == "single":
            ratios["ms in the service outside queue and engine, one client"] = one.outside_s * _MS
    if memory:
        ratios["resident MiB after warming up"] = memory[0]
        ratios["resident MiB at the end"] = memory[-1]
    return {name: value for name, value in ratios.items() if not math.isnan(value)}


def summary_table(ratios: Mapping[str, float]) -> str:
    """One line a ratio."""
    return table(["what", "measured"], [[name, number(value)] for name, value in ratios.items()])


def _or_blank(value: float) -> str:
    return "" if math.isnan(value) else number(value)
