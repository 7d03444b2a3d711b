"""A service under load, closed and open loop, beside the engine alone on the same sentences.

The load generator is a process of its own on the same machine: what it takes of the processor is in
the table, since the service has to do without it.
"""

from __future__ import annotations

from functools import partial
from itertools import count, product
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Annotated, Any

import typer
from tqdm import tqdm

from benchmarks.generator import Plan
from benchmarks.options import several
from benchmarks.report import RESULTS, save, warn_if_busy
from benchmarks.rounds import interleaved
from benchmarks.sentences import SETS
from benchmarks.server import service
from benchmarks.service_runs import Engines, Loaded, alone_seconds, middle, offline, under_load
from benchmarks.service_tables import load_table, summary, summary_table
from benchmarks.workload import SHAPES, Ask, asks, read_both
from cli.errors import USAGE, fail, reporting
from model.bundle import Bundle, BundleError
from service.app import batcher_limits, configured_engine
from service.errors import StartupError
from service.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["service_load"]

CLIENTS = (1, 8, 64, 256)
LEVELS = (25, 50, 80, 95, 120)
OFFLINE_SHARES = (0.5, 1, 2, 4)
"""Batches of the engine offline, in those of the service."""

SETTLE_SHARE = 0.1
MEMORY_CLIENTS = 32
MEMORY_STEPS, SMALLEST_STEP = 10, 50
CAPACITY_CLIENTS = 64

Case = tuple[str, str]


def service_load(  # noqa: PLR0913, PLR0917 - typer passes them by name
    sets: Annotated[
        list[Path],
        several(SETS, "--set", metavar="PREFIX", help="Real sentences, PREFIX.en and PREFIX.de"),
    ],
    clients: Annotated[
        list[int],
        several(CLIENTS, min=1, help="Clients of a closed loop, 64 always among them"),
    ],
    level: Annotated[
        list[int],
        several(LEVELS, min=0, help="Rate of an open loop, in % of the throughput at 64 clients, 0 for none"),
    ],
    shape: Annotated[
        list[str],
        several(SHAPES, help="Requests: of one sentence, or mixed with arrays"),
    ],
    setting: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="A setting of the service; may be repeated.")
    ] = None,
    bundle: Annotated[Path, typer.Option(help="What to serve.")] = Path("bundles/reder-medium"),
    sentences: Annotated[int, typer.Option(min=1, help="Distinct sentences of each language.")] = 500,
    rounds: Annotated[int, typer.Option(min=1, help="How often each load is measured.")] = 3,
    seconds: Annotated[float, typer.Option(min=0.1, help="Of each load.")] = 20.0,
    memory_requests: Annotated[
        int, typer.Option(min=0, help="Then send so many mixed requests and watch the memory; 200000 in full.")
    ] = 0,
    output: Annotated[Path, typer.Option(metavar="DIR", help="Where service.json goes.")] = RESULTS,
) -> None:
    """Measure a service under load, as ratios to its engine by itself."""
    check_shapes(shape)
    changed = {"quality": "fast"} | parse_settings(setting or [])  # one pass, as the engine offline makes
    settings = settings_of(bundle, changed)
    with reporting(BundleError, StartupError):
        opened = Bundle.open(bundle)
        texts = read_both(sets, opened, sentences)
        loads = {name: asks(texts, name) for name in SHAPES if name in shape}
        engines = open_engines(opened, settings)
    warn_if_busy()
    with service(bundle, **changed) as url:
        bench = _Bench(url, loads, engines, seconds)
        budgets = [max(1, int(share * engines.budget.tokens)) for share in OFFLINE_SHARES]
        closed, by_budget = bench.closed(sorted({*clients, CAPACITY_CLIENTS}), budgets, rounds)
        rates = {name: closed[f"{CAPACITY_CLIENTS} clients", name].requests_per_s for name in loads}
        found = closed | bench.opened([one for one in level if one], rates, rounds)
        memory = bench.memory(memory_requests)
    ratios = summary(found, by_budget, memory)
    typer.echo(f"\n{load_table(found)}\n\n{summary_table(ratios)}")
    content: dict[str, Any] = {
        "bundle": opened.manifest.name,
        "settings": changed,
        "seconds": seconds,
        "rounds": rounds,
        "loads": [{"load": load, "requests": name, **one.to_dict()} for (load, name), one in found.items()],
        "offline_sentences_per_s": by_budget,
        "resident_mib": memory,
        "summary": ratios,
    }
    typer.echo(f"\nall figures: {save('service', content, output)}", err=True)


class _Bench:
    """A running service, what is sent to it, and its engine once more."""

    def __init__(self, url: str, loads: Mapping[str, list[Ask]], engines: Engines, seconds: float) -> None:
        self._url = url
        self._loads = loads
        self._posts = {shape: [ask.post() for ask in some] for shape, some in loads.items()}
        self._engines = engines
        self._seconds = seconds
        self._alone: dict[str, list[float]] = {}
        self._seeds = count(1)

    def closed(
        self, clients: list[int], budgets: list[int], rounds: int
    ) -> tuple[dict[Case, Loaded], dict[str, dict[int, float]]]:
        """Loads by name, and the engine offline by shape and budget, in turns."""
        self._time_alone()
        loaded: dict[str, Callable[[], Loaded | float]] = {}
        names: dict[str, Case] = {}
        for shape in self._loads:
            for number in clients:
                case = f"{number} client{'s' * (number > 1)}", shape
                names[" ".join(case)] = case
                loaded[" ".join(case)] = partial(self._load, shape, clients=number)
            for tokens in budgets:
                loaded[f"offline {shape} {tokens}"] = partial(offline, self._engines, self._loads[shape], tokens)
        shapes = [*self._loads]
        self._load(shapes[0], clients=1, warming=True)
        self._load(shapes[-1], clients=CAPACITY_CLIENTS, warming=True)
        measured = interleaved(loaded, rounds)
        by_budget = {
            shape: {tokens: median(_floats(measured[f"offline {shape} {tokens}"])) for tokens in budgets}
            for shape in self._loads
        }
        return {case: middle(_loads(measured[name])) for name, case in names.items()}, by_budget

    def opened(self, levels: list[int], rates: Mapping[str, float], rounds: int) -> dict[Case, Loaded]:
        """Loads at shares of the capacity, in requests a second by shape."""
        if not levels:
            return {}
        self._time_alone()
        loaded = {
            f"{level} % {shape}": partial(self._load, shape, rate=rates[shape] * level / 100)
            for shape, level in product(self._loads, levels)
        }
        measured = interleaved(loaded, rounds)
        return {
            (f"{level} %", shape): middle(measured[f"{level} % {shape}"])
            for shape, level in product(self._loads, levels)
        }

    def memory(self, requests: int) -> list[float]:
        """Resident MiB after each tenth of the requests; after larger shares, if they are few."""
        resident = []
        shape = [*self._loads][-1]
        steps = min(MEMORY_STEPS, requests // SMALLEST_STEP)
        share = requests // steps if steps else 0
        for step in tqdm(range(steps), desc="memory", disable=None):
            posts = self._posts[shape]
            plan = Plan(url=self._url, posts=posts, clients=MEMORY_CLIENTS, limit=share, first=step * share)
            resident.append(under_load(plan, self._loads[shape]).resident_mib)
        return resident

    def _time_alone(self) -> None:
        """Shortly before the loads that it is held against."""
        self._alone = {shape: alone_seconds(self._engines, some) for shape, some in self._loads.items()}

    def _load(self, shape: str, *, clients: int = 0, rate: float = 0.0, warming: bool = False) -> Loaded:
        seconds = min(self._seconds, 2.0) if warming else self._seconds
        plan = Plan(
            url=self._url,
            posts=self._posts[shape],
            clients=clients,
            rate=rate,
            seconds=seconds,
            settle_s=SETTLE_SHARE * seconds,
            seed=next(self._seeds),
        )
        return under_load(plan, self._loads[shape], self._alone.get(shape))


def open_engines(bundle: Bundle, settings: Settings) -> Engines:
    """What the service runs, in this process."""
    engine = configured_engine(bundle, settings)
    limits = batcher_limits(settings, engine.info)
    return Engines(engine, limits.budget, limits.lookahead)


def check_shapes(given: list[str]) -> None:
    """End the command if there is no such shape of requests."""
    if unknown := {*given} - {*SHAPES}:
        fail(f"--shape {unknown.pop()}: one of {', '.join(SHAPES)} is needed", code=USAGE)


def settings_of(bundle: Path, changed: Mapping[str, Any]) -> Settings:
    """Those of a service on that bundle. Ends the command if one of them cannot be used."""
    try:
        return Settings(bundle=bundle, **changed)
    except ValueError as error:
        fail(str(error), code=USAGE)


def parse_settings(given: list[str], *, option: str = "--setting") -> dict[str, Any]:
    """NAME=VALUE, as many as there are. Ends the command, which got them with that option, if one is none."""
    found = {}
    for one in given:
        name, equals, value = one.partition("=")
        if not equals or name not in Settings.model_fields or name == "bundle":
            fail(f"{option} {one}: NAME=VALUE is needed, with a setting of the service", code=USAGE)
        found[name] = value
    return found


def _loads(values: list[Loaded | float]) -> list[Loaded]:
    return [one for one in values if isinstance(one, Loaded)]


def _floats(values: list[Loaded | float]) -> list[float]:
    return [one for one in values if not isinstance(one, Loaded)]
