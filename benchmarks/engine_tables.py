"""What `engine` found: of every case the best setting, and how REDER compares with it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from statistics import fmean, median
from typing import TYPE_CHECKING, Any

from benchmarks.report import number, table
from service.engine.network import instruction_sets

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = [
    "REDER",
    "REDER_ALL",
    "REDER_FP32",
    "REDER_ONNX",
    "Best",
    "ceiling_table",
    "compare",
    "latency_table",
    "reder_with",
    "throughput_table",
]

REDER = "REDER int8"
REDER_ALL = "REDER int8, no shortlists"
REDER_ONNX = "REDER int8, ONNX Runtime"
REDER_FP32 = "REDER fp32"


def reder_with(instructions: str) -> str:
    """What REDER with other instructions than those it is compared with is called."""
    return f"{REDER}, {instructions}"


@dataclass(frozen=True, slots=True)
class Best:
    """The best setting of one system: mean and median of what was timed, in seconds, and both over REDER's int8."""

    system: str
    setting: str
    mean_s: float
    median_s: float
    mean_ratio: float
    median_ratio: float


def compare(runs: Mapping[str, Sequence[Sequence[float]]], cases: Iterable[str]) -> list[dict[str, Any]]:
    """For each system the setting with the lowest mean, beside REDER's.

    Args:
        runs: seconds by "system | setting", by round, by what was timed (a sentence, or all of them).
            Of each, the median over the rounds counts.
        cases: which systems there are beside REDER.
    """
    typical = {name: [median(values) for values in zip(*rounds, strict=True)] for name, rounds in runs.items()}
    present = {name.partition(" | ")[0] for name in typical}
    slower = map(reder_with, instruction_sets())
    systems = [name for name in (REDER, REDER_ALL, *slower, REDER_ONNX, REDER_FP32, *cases) if name in present]
    best = {system: _best(typical, system) for system in systems}
    mean_s, median_s = fmean(best[REDER][1]), median(best[REDER][1])
    return [
        asdict(Best(system, setting, fmean(times), median(times), fmean(times) / mean_s, median(times) / median_s))
        for system, (setting, times) in best.items()
    ]


def latency_table(found: list[dict[str, Any]]) -> str:
    """Milliseconds of a sentence alone; the last columns say how many times as long as REDER."""
    rows = [
        [
            _title(one),
            number(one["mean_s"] * 1000, 1),
            number(one["median_s"] * 1000, 1),
            number(one["mean_ratio"]),
            number(one["median_ratio"]),
        ]
        for one in found
    ]
    return table(["one sentence", "mean ms", "median ms", "mean / REDER", "median / REDER"], rows)


def throughput_table(found: list[dict[str, Any]]) -> str:
    """Seconds of all sentences; the last column says how many times as fast REDER is."""
    rows = [[_title(one), number(one["mean_s"], 2), number(one["mean_ratio"])] for one in found]
    return table(["sentences in batches", "seconds", "seconds / REDER int8"], rows)


def ceiling_table(runs: Mapping[str, Sequence[float]]) -> str:
    """Multiply-adds a second, and each over the first, the ceiling."""
    typical = {name: median(values) for name, values in runs.items()}
    ceiling = next(iter(typical.values()))
    rows = [[name, number(value / 1e9, 0), f"{value / ceiling:.0%}"] for name, value in typical.items()]
    return table(["int8 products", "10⁹ multiply-adds/s", "share of the ceiling"], rows)


def _best(typical: Mapping[str, list[float]], system: str) -> tuple[str, list[float]]:
    settings = {
        name.partition(" | ")[2]: times for name, times in typical.items() if name.partition(" | ")[0] == system
    }
    return min(settings.items(), key=lambda item: fmean(item[1]))


def _title(one: dict[str, Any]) -> str:
    ours = one["system"].startswith("REDER")
    return f"{one['system'] if ours else 'CTranslate2 ' + one['system']} ({one['setting']})"
