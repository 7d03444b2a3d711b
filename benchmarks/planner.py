"""What the batching plan saves: a simulation on the lengths of real sentences. Nothing is timed.

A queue is kept at a constant depth: whenever a batch leaves, as many sentences arrive. A batch costs
`overhead + items x longest`, in tokens. The cost of all batches over the tokens that are really in
them is 1 where nothing is padded and nothing has overhead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import cycle, islice
from pathlib import Path
from statistics import fmean, quantiles
from typing import TYPE_CHECKING, Annotated

import typer

from benchmarks.options import several
from benchmarks.report import RESULTS, number, save, table
from benchmarks.sentences import SETS, read_texts, side_of, spread
from cli.errors import reporting
from model.bundle import BundleError, Tokenizer
from service.pipeline.batching.planning import BatchBudget, default_budget, default_lookahead, plan

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["POLICIES", "Outcome", "planner", "simulate"]

DEPTHS = (32, 128, 512)
SORTED_BATCH = 32
SORTED_BATCHES = 32
"""How many sentences a sorting queue batches, and how many batches it sorts at a time."""

_BUDGET = default_budget("cpu")

Policy = Callable[[Sequence[int], BatchBudget], list[list[int]]]
"""From the lengths that wait, oldest first, to the batches that are run before it is asked again."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Of one policy: cost and padded tokens, both over real tokens; sentences in a batch; the longest wait.

    `wait` is the cost of all batches that ran while the unluckiest sentence waited, over the cost
    of a whole queue at this policy's own price: 1 is what strict order would give.
    """

    cost: float
    padded: float
    items: float
    wait: float


def fifo(lengths: Sequence[int], budget: BatchBudget) -> list[list[int]]:
    """The oldest, as many as fit with their padding, as text-embeddings-inference takes them."""
    longest, count = 0, 0
    for length in lengths:
        longest = max(longest, length)
        if count == budget.items or (count and longest * (count + 1) > budget.tokens):
            break
        count += 1
    return [list(range(count))]


def sort_when_deep(lengths: Sequence[int], budget: BatchBudget) -> list[list[int]]:
    """As infinity does: of the oldest so many as fill whole batches, sorted if it is more than one batch.

    All of those are run before the queue is looked at again. Batches have a fixed number of
    sentences; one that would be over the budget ends earlier.
    """
    full = min(max(1, len(lengths) // SORTED_BATCH), SORTED_BATCHES)
    taken = list(range(min(len(lengths), full * SORTED_BATCH)))
    if full > 1:
        taken.sort(key=lambda index: lengths[index])
    batches: list[list[int]] = [[]]
    for index in taken:
        batch = batches[-1]
        longest = max(lengths[other] for other in (*batch, index))
        if batch and (len(batch) == SORTED_BATCH or longest * (len(batch) + 1) > budget.tokens):
            batches.append([])
        batches[-1].append(index)
    return batches


def ours(lengths: Sequence[int], budget: BatchBudget) -> list[list[int]]:
    """What the service does, one batch at a time."""
    return [plan(lengths[: default_lookahead(budget)], budget)]


POLICIES: dict[str, Policy] = {"first in, first out": fifo, "sorted when deep": sort_when_deep, "planned": ours}


def simulate(policy: Policy, lengths: Iterable[int], depth: int, budget: BatchBudget) -> Outcome:
    """Run a queue of `depth` until every sentence has arrived; what still waits then is not counted."""
    arriving = iter(lengths)
    waiting = list(islice(arriving, depth))
    arrived_at = [0.0] * len(waiting)
    cost = padded = real = items = batches = 0.0
    longest_wait = 0.0
    while len(waiting) == depth:
        done: set[int] = set()
        for batch in policy(waiting, budget):
            chosen = [waiting[index] for index in batch]
            longest_wait = max(longest_wait, *(cost - arrived_at[index] for index in batch))
            cost += budget.overhead + len(chosen) * max(chosen)
            padded += len(chosen) * max(chosen)
            real += sum(chosen)
            items += len(chosen)
            batches += 1
            done.update(batch)
        new = list(islice(arriving, len(done)))
        waiting = [length for index, length in enumerate(waiting) if index not in done] + new
        arrived_at = [time for index, time in enumerate(arrived_at) if index not in done] + [cost] * len(new)
    if not batches:
        msg = f"fewer than {depth} sentences: no queue of that depth"
        raise ValueError(msg)
    return Outcome(cost / real, padded / real, items / batches, longest_wait / (depth * cost / items))


def percentiles(lengths: Sequence[int]) -> tuple[float, float, float]:
    """The 5th, 50th and 95th."""
    cuts = quantiles(lengths, n=20, method="inclusive")
    return cuts[0], cuts[9], cuts[-1]


def render(found: Mapping[str, Mapping[int, Outcome]], depths: Sequence[int]) -> str:
    """A line a policy: cost and padded tokens, by depth."""
    titles = [f"{kind}, {waiting} waiting" for kind in ("cost", "padded") for waiting in depths]
    rows = [
        [name, *(number(by_depth[one].cost) for one in depths), *(number(by_depth[one].padded) for one in depths)]
        for name, by_depth in found.items()
    ]
    return table(["policy", *titles], rows)


def planner(  # noqa: PLR0913, PLR0917 - typer passes them by name
    texts: Annotated[
        list[Path],
        several(side_of(SETS, "en"), "--texts", metavar="FILE", help="Real sentences, one a line, which arrive mixed"),
    ],
    depth: Annotated[
        list[int],
        several(DEPTHS, min=1, help="Sentences that wait"),
    ],
    tokenizer: Annotated[Path, typer.Option(help="Whose tokens count.")] = Path("bundles/reder-small/tokenizer.model"),
    sentences: Annotated[int, typer.Option(min=1, help="How many arrive.")] = 20_000,
    batch_tokens: Annotated[int, typer.Option(min=1, help="As the service's setting.")] = _BUDGET.tokens,
    batch_items: Annotated[int, typer.Option(min=1, help="As the service's setting.")] = _BUDGET.items,
    overhead: Annotated[int, typer.Option(min=0, help="As the service's batch_overhead_tokens.")] = _BUDGET.overhead,
    output: Annotated[Path, typer.Option(metavar="DIR", help="Where planner.json goes.")] = RESULTS,
) -> None:
    """Simulate the batching plan beside others: cost and padded tokens, over real tokens."""
    with reporting(BundleError):
        pieces = Tokenizer(tokenizer)
    lines = [text for file in texts for text in read_texts(file)]
    lengths = [min(len(ids), batch_tokens) for ids in pieces.encode_batch(lines) if ids]
    arriving = list(islice(cycle(spread(lengths, len(lengths))), sentences))
    if sentences <= max(depth):
        raise typer.BadParameter(f"more than the deepest queue, {max(depth)}, must arrive", param_hint="--sentences")  # noqa: EM102, TRY003 - typer's own idiom
    budget = BatchBudget(batch_tokens, batch_items, overhead)
    found = {
        name: {waiting: simulate(policy, arriving, waiting, budget) for waiting in depth}
        for name, policy in POLICIES.items()
    }
    typer.echo(render(found, depth))
    content = {
        "texts": [file.name for file in texts],
        "lengths": {"count": len(lengths), "mean": fmean(lengths), "p5_p50_p95": list(percentiles(lengths))},
        "budget": asdict(budget),
        "outcomes": {name: {str(w): asdict(one) for w, one in by_depth.items()} for name, by_depth in found.items()},
    }
    typer.echo(f"\nall figures: {save('planner', content, output)}", err=True)
