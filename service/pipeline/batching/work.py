"""What may be asked of the engine. The batcher runs any of it, and knows neither arrays nor tasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeVar

from model.bundle import Task
from service.types import Batch, ScorePair, SegmentChoices, SegmentFrames

if TYPE_CHECKING:
    from model.bundle import Direction
    from service.engine.protocol import Engine

__all__ = ["Greedy", "Score", "Search", "TokenIds", "Work"]

TokenIds = Sequence[int]
"""Token ids of one piece, at least one."""

Row = TypeVar("Row")
Result_co = TypeVar("Result_co", covariant=True)


class Work(Protocol[Row, Result_co]):
    """One kind of question, in one direction. Rows of equal work may share a batch."""

    @property
    def task(self) -> Task:
        """Which graph answers it."""
        ...

    @property
    def direction(self) -> Direction:
        """From which language to which."""
        ...

    def length(self, row: Row) -> int:
        """Tokens the network reads for a row: what it costs."""
        ...

    def probe(self, source: TokenIds) -> Row:
        """The row that asks this of a sentence whose answer nobody needs."""
        ...

    def run(self, engine: Engine, rows: Sequence[Row]) -> Sequence[Result_co]:
        """One result a row, from one call of the engine. Blocks, and raises what the engine raises."""
        ...


@dataclass(frozen=True, slots=True)
class _OfSources:
    """What is asked of sources alone: each is a row."""

    direction: Direction

    def length(self, row: TokenIds) -> int:
        """See `Work.length`."""
        return len(row)

    def probe(self, source: TokenIds) -> TokenIds:
        """See `Work.probe`."""
        return source


class Greedy(_OfSources):
    """The best token of each frame."""

    __slots__ = ()
    task: ClassVar[Task] = Task.GREEDY

    def run(self, engine: Engine, rows: Sequence[TokenIds]) -> list[SegmentFrames]:
        """See `Work.run`."""
        frames = engine.infer(self.direction, Batch.pad(rows))
        return [
            SegmentFrames(ids=frames.ids[row, :count], log_probs=frames.log_probs[row, :count])
            for row, count in enumerate(frames.lengths.tolist())
        ]


class Search(_OfSources):
    """The best few tokens of each frame."""

    __slots__ = ()
    task: ClassVar[Task] = Task.SEARCH

    def run(self, engine: Engine, rows: Sequence[TokenIds]) -> list[SegmentChoices]:
        """See `Work.run`."""
        choices = engine.search(self.direction, Batch.pad(rows))
        return [
            SegmentChoices(ids=choices.ids[row, :count], log_probs=choices.log_probs[row, :count])
            for row, count in enumerate(choices.lengths.tolist())
        ]


@dataclass(frozen=True, slots=True)
class Score:
    """The log probability of given targets."""

    direction: Direction
    task: ClassVar[Task] = Task.SCORE

    def length(self, row: ScorePair) -> int:
        """See `Work.length`. The network reads the source alone; the target is only looked up in what it gives."""
        return len(row.source)

    def probe(self, source: TokenIds) -> ScorePair:
        """See `Work.probe`."""
        return ScorePair(tuple(source), tuple(source))

    def run(self, engine: Engine, rows: Sequence[ScorePair]) -> list[float]:
        """See `Work.run`."""
        sources, targets = Batch.pad([row.source for row in rows]), Batch.pad([row.target for row in rows])
        log_probs: list[float] = engine.score(self.direction, sources, targets).tolist()
        return log_probs
