"""What the network hardly knows is read as what it knows: euros as dollars, kilograms as megabytes, badgers as dogs.

Stand-ins and marks stay with the words beside them, and `restoration` makes what was meant of what was read.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit, apply, changes, is_word
from service.pipeline.finders.dollars import DOLLAR, find_prices
from service.pipeline.finders.quantities import MEGABYTES, find_quantities
from service.pipeline.normalisation.expressions import with_plain_words
from service.pipeline.protection.entities import find_entities
from service.pipeline.substitution.beginnings import find_beginning
from service.pipeline.substitution.causatives import find_causative
from service.pipeline.substitution.constructions.english import ENGLISH
from service.pipeline.substitution.constructions.german import GERMAN
from service.pipeline.substitution.existence import find_existence
from service.pipeline.substitution.gerunds import find_gerunds
from service.pipeline.substitution.lasting import find_lasting
from service.pipeline.substitution.lower_bounds import find_lower_bounds
from service.pipeline.substitution.order import find_order
from service.pipeline.substitution.pleasing import find_pleasing
from service.pipeline.substitution.subjects import find_subject
from service.pipeline.substitution.substitutes import find_substitutes
from service.pipeline.substitution.things import find_things
from service.pipeline.substitution.told import find_told
from service.types import Inline, Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.bundle import Dictionary, Direction, Tokenizer
    from service.pipeline.edits import Edited
    from service.pipeline.pieces import Protected, Substitute

__all__ = [
    "after_beginning",
    "in_dollars",
    "in_known_constructions",
    "in_known_words",
    "in_megabytes",
    "in_plain_words",
    "reread",
    "with_entities_read",
]

_CONSTRUCTIONS = {"en": ENGLISH, "de": GERMAN}


def reread(protected: Protected, edited: Edited) -> Protected:
    """Have the network read some words of ``protected.text`` otherwise, none of which is a stand-in."""
    if not edited.new:
        return protected
    return protected._replace(
        text=edited.text,
        items=tuple(replace(item, shown=edited.forth(item.shown)) for item in protected.items),
        marks=tuple(replace(mark, inline=_shifted(mark.inline, edited)) for mark in protected.marks),
        quantities=tuple(replace(one, unit=edited.forth(one.unit)) for one in protected.quantities),
        edited=protected.edited.then(edited) if protected.edited else edited,
    )


def with_entities_read(protected: Protected) -> Protected:
    """Have the network read the characters that entities stand for."""
    if not (edits := find_entities(protected.text)):
        return protected
    entities = tuple(dict.fromkeys(protected.text[edit.span.start : edit.span.end] for edit in edits))
    return reread(protected, apply(protected.text, edits))._replace(entities=entities)


def in_dollars(protected: Protected, currency: str) -> Protected:
    """Have the network read the prices of a currency as dollars; there are no others."""
    prices = find_prices(protected.text, {currency})
    read = reread(protected, apply(protected.text, [Edit(price, DOLLAR) for price in prices]))
    return read._replace(currency=currency if prices else "")


def in_megabytes(protected: Protected, direction: Direction) -> Protected:
    """Have the network read units that it knows too little as megabytes."""
    found = find_quantities(protected.text, protected.letter, direction)
    signs = {f"{protected.letter}{number}" for number, item in enumerate(protected.items, 1) if item.output[:1] == "&"}
    quantities = [one for one in found if one.number not in signs]  # an entity, as of <, is no number
    if not quantities:
        return protected
    edits = [Edit(one.unit, " " * is_word(protected.text, one.unit.start - 1) + MEGABYTES) for one in quantities]
    return reread(protected._replace(quantities=tuple(quantities)), apply(protected.text, edits))


def in_plain_words(protected: Protected, language: str) -> Protected:
    """Have the network read expressions that are not their words as plain ones."""
    return reread(protected, with_plain_words(protected.text, language))


def in_known_constructions(protected: Protected, language: str, dictionary: Dictionary | None) -> Protected:
    """Have the network read verbs and sentences that it gets wrong in other forms, or as others."""
    protected = _with_changes(protected, find_subject(_typed(protected), language))
    if language == "de":
        protected = _with_changes(protected, find_order(_typed(protected)))
    text = _typed(protected)
    for construction in _CONSTRUCTIONS[language]:
        if edit := construction.find(text):
            protected = _with_changes(protected, [edit])
            text = _typed(protected)
    if language == "de":
        protected = _with_changes(protected, find_things(protected.text))
        protected = _with_changes(protected, find_existence(protected.text) or find_pleasing(protected.text))
        return _with_substitutes(protected, *find_lower_bounds(protected.text))
    if dictionary is None:
        return protected
    for find in (find_lasting, find_told, find_gerunds):
        if edits := find(_typed(protected), dictionary):
            protected = reread(protected, apply(protected.text, edits))
    return _with_substitutes(protected, *find_causative(_typed(protected)))


def _typed(protected: Protected) -> str:
    """The text with the apostrophes of keyboards."""
    return protected.text.replace("’", "'")


def _with_changes(protected: Protected, edits: Sequence[Edit]) -> Protected:
    """Have the network read what edits change, unless that would take a stand-in from its place."""
    if not edits:
        return protected
    few = changes(protected.text, apply(protected.text, edits).text)
    if any(item.shown.meets(edit.span) for item in protected.items for edit in few):
        return protected
    return reread(protected, apply(protected.text, few))


def _with_substitutes(protected: Protected, edits: Sequence[Edit], substitutes: tuple[Substitute, ...]) -> Protected:
    """The same, where what the network writes for them becomes something else."""
    read = _with_changes(protected, edits)
    return read._replace(substitutes=(*protected.substitutes, *substitutes)) if read is not protected else protected


def in_known_words(protected: Protected, direction: Direction, dictionary: Dictionary | None = None) -> Protected:
    """Have the network read words that it does not know as others of their kind."""
    edits, substitutes = find_substitutes(protected.text, direction, dictionary)
    if not edits:
        return protected
    substitutes = (*protected.substitutes, *substitutes)
    return reread(protected, apply(protected.text, edits))._replace(substitutes=substitutes)


def after_beginning(
    protected: Protected, language: str, dictionary: Dictionary | None = None, tokenizer: Tokenizer | None = None
) -> Protected:
    """Have the network read And, or Please, before a first word that it garbles without."""
    if not (edits := find_beginning(protected.text, language, dictionary, tokenizer)):
        return protected
    return reread(protected, apply(protected.text, edits))._replace(has_beginning=True)


def _shifted(inline: Inline, edited: Edited) -> Inline:
    return replace(inline, at=edited.forth(Span(inline.at, inline.at)).start)
