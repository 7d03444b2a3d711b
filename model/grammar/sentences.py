"""Sentences of every kind, in the shares that they have of all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from model.grammar import (
    comparisons,
    imperatives,
    infinitives,
    passives,
    possession,
    predicates,
    questions,
    relative_clauses,
    statements,
    tenses,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from model.grammar.drawing import Draw
    from model.grammar.writing import Sentence

    Kind = Callable[[Draw], Sentence | None]

__all__ = ["KINDS", "draw_sentence", "draw_sentences"]

KINDS: dict[Kind, float] = {
    statements.statement: 25,
    statements.introduced: 6,
    statements.subordinated: 6,
    statements.connected: 0.4,
    statements.contrasted: 0.7,
    statements.so_that: 0.4,
    questions.whether: 8,
    questions.who: 1.5,
    questions.whom_or_what: 1,
    questions.when_or_where: 2.4,
    questions.why_not: 0.1,
    questions.which: 0.3,
    questions.how_many: 0.3,
    questions.how: 0.4,
    questions.whose: 1,
    relative_clauses.of_subject: 3,
    relative_clauses.of_object: 2,
    passives.passive: 5,
    comparisons.comparative: 1.6,
    comparisons.equality: 1,
    comparisons.superlative: 0.8,
    comparisons.which_is_more: 0.6,
    predicates.adjective: 2.4,
    predicates.asked_adjective: 0.7,
    predicates.future_adjective: 0.4,
    predicates.seeming: 0.4,
    predicates.becoming: 0.4,
    predicates.profession: 1,
    predicates.place: 0.7,
    predicates.this_is: 1,
    predicates.there_is: 2,
    possession.having: 1,
    possession.of_name: 1,
    possession.of_owner: 1.5,
    possession.one_of: 0.5,
    imperatives.request: 2.5,
    imperatives.prohibition: 1.2,
    imperatives.proposal: 1.2,
    infinitives.introduced_infinitive: 5,
    infinitives.in_order_to: 0.4,
    infinitives.without_doing: 0.4,
    infinitives.too_to: 0.4,
    infinitives.stopping: 0.4,
    infinitives.wanting: 2,
    infinitives.letting: 0.4,
    infinitives.seeing: 0.4,
    tenses.ongoing: 2,
    tenses.hypothetical: 2,
    tenses.used_to: 0.4,
    tenses.past_perfect: 0.4,
    tenses.would_have: 0.4,
    tenses.liking: 0.4,
}
"""By how often they are drawn. A kind returns None where what it has drawn does not go together."""


def draw_sentence(draw: Draw, kind: Kind) -> Sentence:
    """A sentence of a kind."""
    while (sentence := kind(draw)) is None:
        pass
    return sentence


def draw_sentences(draw: Draw, count: int) -> Iterator[Sentence]:
    """So many different sentences of all kinds."""
    kinds, shares = list(KINDS), list(KINDS.values())
    seen: set[tuple[str, str]] = set()
    while len(seen) < count:
        sentence = draw_sentence(draw, draw.weighted(kinds, shares))
        first = sentence.english[0], sentence.german[0]
        if first not in seen:
            seen.add(first)
            yield sentence
