"""Sentences of every kind, in the shares that they have of all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from model.grammar.kinds import (
    amounts,
    attitudes,
    attributes,
    belonging,
    bodies,
    comparisons,
    consequences,
    coordination,
    departures,
    directions,
    groups,
    imperatives,
    impressions,
    indirect_questions,
    infinitives,
    offers,
    passives,
    places,
    possession,
    predicates,
    preferences,
    questions,
    relative_clauses,
    spans,
    statements,
    supplies,
    tenses,
    things,
    times,
    weather,
    wishes,
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
    spans.age: 0.4,
    spans.birthday: 0.4,
    spans.years_older: 0.25,
    spans.taking_time: 0.5,
    spans.being_late: 0.3,
    supplies.having_left: 0.5,
    supplies.there_is_left: 0.3,
    bodies.hurting: 0.6,
    bodies.having_illness: 0.4,
    bodies.treating: 0.9,
    belonging.belonging: 0.7,
    belonging.is_mine: 0.2,
    belonging.older_than_mine: 0.5,
    belonging.friend_of_mine: 0.4,
    consequences.so_heavy_that: 0.5,
    consequences.too_heavy_to: 0.3,
    consequences.enough_to: 0.6,
    consequences.the_more_one_does: 0.4,
    consequences.the_more_one_is: 0.4,
    weather.weather: 1.6,
    weather.if_weather: 0.7,
    weather.because_of_weather: 0.2,
    impressions.impression: 1.6,
    impressions.wellbeing: 0.5,
    impressions.asked_wellbeing: 0.2,
    impressions.wishing_well: 0.25,
    attitudes.attitude: 3,
    attitudes.object_of_attitude: 0.5,
    wishes.wish: 0.5,
    wishes.in_your_place: 0.3,
    wishes.if_had: 0.4,
    coordination.two_subjects: 0.7,
    coordination.two_objects: 0.5,
    coordination.two_predicates: 0.8,
    preferences.preferring: 0.2,
    preferences.rather: 0.3,
    offers.requested: 1.3,
    offers.permission: 0.5,
    offers.offered: 0.4,
    offers.minding: 0.3,
    offers.instruction: 0.5,
    indirect_questions.embedded: 1.4,
    directions.where_is: 0.3,
    directions.on_the_way: 0.4,
    indirect_questions.asked_if: 0.4,
    indirect_questions.what_to_do: 0.4,
    groups.several: 1.1,
    groups.to_several: 0.3,
    things.something: 0.6,
    things.something_to: 0.4,
    things.everything_is: 0.1,
    times.timed: 2.8,
    times.asked_timed: 0.6,
    attributes.attributed_subject: 0.6,
    attributes.attributed_object: 1.0,
    attributes.described: 0.7,
    amounts.amount: 0.6,
    departures.train_to: 0.4,
    places.named_place: 1.2,
    places.place_and_time: 1.0,
    places.being_in: 0.4,
    places.been_to: 0.6,
    places.born_in: 0.2,
    places.near: 0.4,
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
