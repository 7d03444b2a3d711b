"""The same loads on several variants of the service, in turns: settings, checkouts, environments.

All are up at the same time and idle but one, so that what the machine does meanwhile hits all alike.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from itertools import count, product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from benchmarks.generator import Plan
from benchmarks.options import several
from benchmarks.report import RESULTS, number, save, table, warn_if_busy
from benchmarks.rounds import interleaved
from benchmarks.sentences import SETS
from benchmarks.server import ROOT, service
from benchmarks.service_load import check_shapes, parse_settings, settings_of
from benchmarks.service_runs import Loaded, middle, under_load
from benchmarks.workload import SINGLE, asks, read_both
from cli.errors import USAGE, fail, reporting
from model.bundle import Bundle, BundleError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from benchmarks.workload import Ask

__all__ = ["Variant", "parse_variant", "variants", "variants_table"]

CLIENTS = (1, 8, 64)
SETTLE_SHARE = 0.15
WARM_CLIENTS, WARM_S = 4, 3.0
CHECKOUT = "checkout"


@dataclass(frozen=True, slots=True)
class Variant:
    """A way to run the service; `name` is how it was given."""

    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    checkout: Path = ROOT
    environment: Mapping[str, str] = field(default_factory=dict)


AS_IT_IS = Variant("as it is")


class Case(NamedTuple):
    """What one figure is of."""

    load: str
    shape: str
    variant: str


def variants(  # noqa: PLR0913, PLR0917 - typer passes them by name
    sets: Annotated[
        list[Path],
        several(SETS, "--set", metavar="PREFIX", help="Real sentences, PREFIX.en and PREFIX.de"),
    ],
    clients: Annotated[list[int], several(CLIENTS, min=1, help="Clients of a closed loop")],
    shape: Annotated[list[str], several([SINGLE], help="Requests: single, of one sentence, or mixed with arrays")],
    variant: Annotated[
        list[str],
        typer.Option(
            metavar="NAME=VALUE,…",
            help="What to hold against the service as it is; may be repeated. Names are settings of the service, "
            "variables of its environment in capitals, or checkout, a folder with another version of this project.",
        ),
    ],
    rate: Annotated[
        list[float] | None, typer.Option(min=0.1, help="Requests a second, of an open loop; may be repeated.")
    ] = None,
    setting: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="A setting of all variants; may be repeated.")
    ] = None,
    bundle: Annotated[Path, typer.Option(help="What to serve.")] = Path("bundles/reder-medium"),
    sentences: Annotated[int, typer.Option(min=1, help="Distinct sentences of each language.")] = 500,
    rounds: Annotated[int, typer.Option(min=1, help="How often each load is measured.")] = 3,
    seconds: Annotated[float, typer.Option(min=0.1, help="Of each load.")] = 4.0,
    output: Annotated[Path, typer.Option(metavar="DIR", help="Where variants.json goes.")] = RESULTS,
) -> None:
    """Compare the service as it is with other settings, another checkout or another environment, under load."""
    check_shapes(shape)
    compared = [AS_IT_IS, *map(parse_variant, dict.fromkeys(variant))]
    common = parse_settings(setting or [])
    for one in compared:
        settings_of(bundle, {**common, **one.settings})
    with reporting(BundleError):
        texts = read_both(sets, Bundle.open(bundle), sentences)
    loads = {name: asks(texts, name) for name in dict.fromkeys(shape)}
    warn_if_busy()
    with ExitStack() as running:
        urls = {
            one.name: running.enter_context(
                service(bundle, checkout=one.checkout, environment=one.environment, **{**common, **one.settings})
            )
            for one in compared
        }
        found = _measured(urls, loads, dict(_plans(clients, rate or [], seconds)), rounds=rounds, seconds=seconds)
    typer.echo(f"\n{variants_table(found)}")
    content: dict[str, Any] = {
        "bundle": str(bundle),
        "settings": {name: str(value) for name, value in common.items()},
        "seconds": seconds,
        "rounds": rounds,
        "found": [{**case._asdict(), **one.to_dict()} for case, one in found.items()],
    }
    typer.echo(f"\nall figures: {save('variants', content, output)}", err=True)


def parse_variant(given: str) -> Variant:
    """NAME=VALUE,NAME=VALUE: settings, variables in capitals, and `checkout`. Ends the command if it is none."""
    checkout, settings, environment = ROOT, [], {}
    for one in given.split(","):
        name, equals, value = one.partition("=")
        if equals and name == CHECKOUT:
            checkout = Path(value).resolve()
        elif equals and name.isupper():
            environment[name] = value
        else:
            settings.append(one)
    if not (checkout / "service" / "__main__.py").is_file():
        fail(f"--variant {given}: there is no version of this project in {checkout}", code=USAGE)
    return Variant(given, parse_settings(settings, option="--variant"), checkout, environment)


def variants_table(found: Mapping[Case, Loaded]) -> str:
    """One line a load and variant; the last columns are over those of the service as it is."""
    titles = ["load", "requests", "variant", "sentences/s", "p50 ms", "p99 ms", "service cores", "429", "failed"]
    rows = [
        [
            *case,
            number(one.sentences_per_s, 1),
            *_milliseconds(one),
            number(one.service_cores),
            str(one.refused),
            str(one.failed),
            *_ratios(one, found[case._replace(variant=AS_IT_IS.name)]),
        ]
        for case, one in found.items()
    ]
    return table([*titles, "sentences/s, ratio", "p50, ratio", "p99, ratio"], rows)


def _milliseconds(one: Loaded) -> Iterator[str]:
    figures = one.to_dict()
    for seconds in (figures["p50"], figures["p99"]):
        yield number(None if seconds is None else seconds * 1000, 1)


def _ratios(one: Loaded, base: Loaded) -> Iterator[str]:
    ours, theirs = one.to_dict(), base.to_dict()
    for name in ("sentences_per_s", "p50", "p99"):
        value, beside = ours[name], theirs[name]
        yield number(value / beside if value is not None and beside else None)


def _plans(clients: Sequence[int], rates: Sequence[float], seconds: float) -> Iterator[tuple[str, partial[Plan]]]:
    """Loads by name; what they are sent to, and what, is for the caller to add."""
    timed = partial(Plan, seconds=seconds, settle_s=SETTLE_SHARE * seconds)
    for number_of in dict.fromkeys(clients):
        yield f"{number_of} client{'s' * (number_of > 1)}", partial(timed, clients=number_of)
    for rate in dict.fromkeys(rates):
        yield f"{rate:g} a second", partial(timed, rate=rate)


def _measured(
    urls: Mapping[str, str],
    loads: Mapping[str, list[Ask]],
    plans: Mapping[str, partial[Plan]],
    *,
    rounds: int,
    seconds: float,
) -> dict[Case, Loaded]:
    """Medians over the rounds. In each round the requests of an open loop come at the same times to all variants."""
    posts = {shape: [ask.post() for ask in some] for shape, some in loads.items()}
    for url, shape in product(urls.values(), loads):
        under_load(Plan(url=url, posts=posts[shape], clients=WARM_CLIENTS, seconds=min(WARM_S, seconds)), loads[shape])

    def put(case: Case, seeds: Iterator[int]) -> Loaded:
        plan = plans[case.load](url=urls[case.variant], posts=posts[case.shape], seed=next(seeds))
        return under_load(plan, loads[case.shape])

    cases = [Case(*one) for one in product(plans, loads, urls)]
    by_name = interleaved({", ".join(case): partial(put, case, count(1)) for case in cases}, rounds)
    return {case: middle(by_name[", ".join(case)]) for case in cases}
