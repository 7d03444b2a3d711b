"""Measure several systems side by side: A B C, A B C, …, so that drift of the machine hits all alike."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar

from tqdm import tqdm

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["interleaved"]

Measured = TypeVar("Measured")


def interleaved(
    systems: Mapping[str, Callable[[], Measured]], rounds: int, *, pause_s: float = 0.3
) -> dict[str, list[Measured]]:
    """Call each system once a round; gives what it returned in each.

    Args:
        systems: by name, in the order of the first round. Every other round runs backwards, so that
            none always follows the same one.
        rounds: how often.
        pause_s: between two systems: threads of the one before have stopped spinning by then.
    """
    found: dict[str, list[Measured]] = {name: [] for name in systems}
    with tqdm(total=rounds * len(systems), unit=" runs", disable=None) as bar:
        for turn in range(rounds):
            names = list(systems)
            for name in names if turn % 2 == 0 else reversed(names):
                bar.set_description(name)
                time.sleep(pause_s)
                found[name].append(systems[name]())
                bar.update()
    return found
