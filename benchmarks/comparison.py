"""What `quality` found, and the table that puts it beside what others published."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.report import bleu_and_chrf

if TYPE_CHECKING:
    from model.bundle import Direction
    from model.evaluate import Score

__all__ = ["PUBLISHED", "Case", "Published", "Quoted", "Results", "notes", "read_published", "table"]

PUBLISHED = Path(__file__).with_name("published.toml")


class Case(NamedTuple):
    """What one score is of."""

    test_set: str
    direction: Direction
    quality: str


@dataclass(frozen=True, slots=True)
class Results:
    """What is known so far of `cases`: scores, how many seconds the translations took, and why others are missing.

    `served` is what was measured, in words; `limit` how many sentences of each set, if not all.
    """

    served: str
    limit: int | None
    cases: list[Case]
    scores: dict[Case, Score] = field(default_factory=dict)
    seconds: dict[Case, float] = field(default_factory=dict)
    failures: dict[Case, str] = field(default_factory=dict)

    @property
    def qualities(self) -> list[str]:
        """Each once, in order."""
        return list(dict.fromkeys(case.quality for case in self.cases))

    def save(self, file: Path) -> None:
        """Write scores and failures as JSON; a reader sees the old file or the new, never half."""
        content = {
            "served": self.served,
            "limit": self.limit,
            "scores": [
                {"quality": case.quality, **score.to_dict(), "seconds": round(self.seconds[case], 2)}
                for case, score in self.scores.items()
            ],
            "failures": [
                {"quality": case.quality, "test_set": case.test_set, "direction": str(case.direction), "reason": reason}
                for case, reason in self.failures.items()
            ],
        }
        partial = file.with_name(f"{file.name}.partial")
        partial.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
        partial.replace(file)


@dataclass(frozen=True, slots=True)
class Quoted:
    """Figures from one kind of publication: `bleu` by set, direction and system; `systems` from key to title."""

    source: str
    systems: dict[str, str]
    bleu: dict[str, dict[str, dict[str, Decimal]]]

    def figures(self, test_set: str, direction: Direction) -> dict[str, Decimal]:
        """What is known of a set and direction, by system."""
        return self.bleu.get(test_set, {}).get(str(direction), {})


@dataclass(frozen=True, slots=True)
class Published:
    """What others published: sacreBLEU on detokenised text, and the papers' BLEU on tokenised text."""

    detokenised: Quoted
    tokenised: Quoted


def read_published(file: Path = PUBLISHED) -> Published:
    """Read published figures, with as many decimals as they were printed with."""
    with file.open("rb") as stream:
        content = tomllib.load(stream, parse_float=Decimal)
    return Published(**{kind: Quoted(**quoted) for kind, quoted in content.items()})


def table(results: Results, published: Published) -> str:
    """A Markdown table, one row a set and direction.

    A case without a score is told as failed; a figure that nobody published is left blank.
    """
    qualities, systems = results.qualities, published.detokenised.systems
    titles = ["set", "direction", *(f"REDER {quality}: BLEU / chrF" for quality in qualities), *systems.values()]
    marks = ["---", "---", *["---:"] * (len(qualities) + len(systems))]
    lines = [[*titles, "papers (tokenised BLEU)"], [*marks, "---"]]
    for test_set, direction in dict.fromkeys((case.test_set, case.direction) for case in results.cases):
        measured = [_measured(results.scores.get(Case(test_set, direction, quality))) for quality in qualities]
        figures = published.detokenised.figures(test_set, direction)
        beside = [str(figures.get(system, "")) for system in systems]
        lines.append([test_set, str(direction), *measured, *beside, _papers(published.tokenised, test_set, direction)])
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def notes(results: Results, published: Published) -> str:
    """What stands under the table: signatures, what was served, what is measured and what is quoted."""
    scores = results.scores.values()
    signatures = {f"BLEU|{score.bleu_signature}" for score in scores}
    signatures |= {f"chrF2|{score.chrf_signature}" for score in scores}
    measured = ", ".join(f"REDER {quality}" for quality in results.qualities)
    extent = f", on the first {results.limit} sentences of each set only" if results.limit else ""
    quoted = f"{', '.join(published.detokenised.systems.values())} from {published.detokenised.source}"
    papers = f"tokenised BLEU, only roughly comparable, from the papers ({published.tokenised.source})"
    origin = f"Measured by this run: {measured}{extent}. Quoted: {quoted}; {papers}."
    return "\n\n".join([*sorted(signatures), f"Bundle: {results.served}.", *_costs(results), origin])


def _costs(results: Results) -> list[str]:
    """How much longer each quality takes than the first, on what was translated in both."""
    first, *others = results.qualities
    lines = []
    for quality in others:
        pairs = [(case, case._replace(quality=first)) for case in results.seconds if case.quality == quality]
        both = [pair for pair in pairs if pair[1] in results.seconds]
        if both:
            longer, shorter = (sum(results.seconds[case] for case in side) for side in zip(*both, strict=True))
            lines.append(f"In time, REDER {quality} / {first}: {longer / shorter:.1f}.")
    return lines


def _measured(score: Score | None) -> str:
    return "failed" if score is None else bleu_and_chrf(score)


def _papers(papers: Quoted, test_set: str, direction: Direction) -> str:
    figures = papers.figures(test_set, direction)
    return ", ".join(f"{papers.systems[system]} {figure}" for system, figure in figures.items())
