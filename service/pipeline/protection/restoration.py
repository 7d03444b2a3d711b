"""What was kept from the network comes back into what it wrote; numbers, punctuation and articles are put right."""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from service.pipeline.alignment.links import LazyLinks
from service.pipeline.alignment.tagging import place_inlines
from service.pipeline.edits import Edit, Edited, apply, is_word, with_capital
from service.pipeline.finders.dollars import DOLLAR, without_dollars
from service.pipeline.finders.quantities import without_megabytes
from service.pipeline.normalisation.orthography import in_capitals
from service.pipeline.numbers.amounts import sign_of
from service.pipeline.numbers.checking import check_numbers
from service.pipeline.numbers.rewording import reworded
from service.pipeline.protection.entities import encode, encoded
from service.pipeline.protection.placement import Placed, place_stand_ins, with_signs_moved, with_space
from service.pipeline.repairs.address import check_address
from service.pipeline.repairs.agreement import check_agreement
from service.pipeline.repairs.articles import check_articles
from service.pipeline.repairs.auxiliaries import check_auxiliaries
from service.pipeline.repairs.capitals import find_names, find_start
from service.pipeline.repairs.copies import find_copies
from service.pipeline.repairs.doubled import find_doubled
from service.pipeline.repairs.halves import check_halves
from service.pipeline.repairs.lower_bounds import check_lower_bounds
from service.pipeline.repairs.negation import loses_negation
from service.pipeline.repairs.pairs import with_quotes_of
from service.pipeline.repairs.perfect import check_perfect
from service.pipeline.repairs.punctuation import check_punctuation
from service.pipeline.repairs.quoted_words import find_quoted_words
from service.pipeline.repairs.repetitions import find_repetitions
from service.pipeline.repairs.slips import find_slips, find_spaces
from service.pipeline.repairs.verb_forms import check_verb_forms
from service.pipeline.substitution.beginnings import without_beginning
from service.pipeline.substitution.substitutes import has_substitutes, without_substitutes
from service.types import Link, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from model.bundle import Dictionary, Direction
    from service.pipeline.numbers.repairing import Repair
    from service.pipeline.pieces import Item, Protected
    from service.pipeline.repairs.nonwords import NonWords

__all__ = ["Restored", "is_sound", "restore"]

_UNSOUND = frozenset({"kept", "negation", "number", "term"})
"""Flags of what another candidate may have right."""

_NO_DICTIONARIES: Mapping[Direction, Dictionary] = MappingProxyType({})
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Restored:
    """The translation with everything in its place; `links` join it and the sentence.

    `flags` are ``spelling`` where words were taken for misspelt; ``kept`` and ``term`` where the network lost a
    stand-in and the place of what it stood for was guessed, or the sentence was left untranslated for its sake;
    ``kept`` also where it lost a word that it had read instead of another; ``number`` where a number is wrong;
    and ``negation`` where nothing of the translation denies what the sentence does.
    """

    text: str
    links: Sequence[Link]
    flags: tuple[str, ...] = ()


class _Checked(NamedTuple):
    """What is to be put in place of stand-ins, of wrong numbers, and of what was read instead of what is `meant`.

    And all flags but of what gets lost.
    """

    placed: list[Placed]
    numbers: Sequence[Edit]
    meant: Sequence[Edit]
    flags: set[str]


def restore(
    protected: Protected,
    target: str,
    links: Sequence[Link],
    direction: Direction,
    dictionaries: Mapping[Direction, Dictionary] = _NO_DICTIONARIES,
    nonwords: NonWords | None = None,
) -> Restored:
    """Put everything in its place, and what the network got wrong right.

    All is found in what the network wrote, and edited at once. First comes what must be there: stand-ins, numbers,
    punctuation, articles, units, written in the currency and with the entities of the sentence; then marks, which are
    code; and last what gives way to all that is placed before it.

    Whatever `target` is, everything kept is in the result as often as it was taken out, and no more often than it is in
    the sentence; only a single word of letters alone may be, being a word of the other language too.

    Args:
        protected: the sentence.
        target: what the network made of ``protected.text``.
        links: between these two; without any, places are guessed where stand-ins do not show them.
        direction: of the translation.
        dictionaries: of both directions, for words that were merely copied.
        nonwords: of the direction, for words that do not exist.
    """
    language, words = direction.target, dictionaries.get(direction.reverse)
    target = with_quotes_of(protected.text, target)
    placed, numbers, meant, flags = _check(protected, target, links, direction)
    placed = list(with_signs_moved(placed, target, language))
    marks = check_punctuation(protected.text, target, links, language, protected.end_mark)
    articles = _placed_apart(check_articles(protected.text, target, language), [*map(Placed, meant)], 1)
    halves = [Placed(edit) for edit in check_halves(protected.sentence, target)] if language == "en" else []
    words_again = _placed_apart(reworded(protected.sentence, target, direction), [*map(Placed, numbers)], 0)
    placed += [*halves, *words_again, *_placed_apart((*numbers, *marks), halves, 0), *articles]
    if currency := protected.currency:
        dollars = without_dollars(target, currency, language)
        placed = _rewritten(placed, lambda text: text.replace(DOLLAR, currency), dollars)
    start = [*find_start(protected, target, words, language)]
    if protected.has_beginning:
        without, start = without_beginning(target)
        placed += map(Placed, without)
    placed += map(Placed, _begun(meant, start))
    if entities := protected.entities:
        placed = _rewritten(placed, lambda text: encoded(text, entities), encode(target, entities))
    placed += _marks_placed(protected, target, links)
    for apart, edits in (  # what they leave between themselves and what is placed already, which brings its own spaces
        (0, find_quoted_words(protected.text, target, dictionaries, direction)),
        (1, find_slips(protected.text, target, language)),
        (0, find_spaces(protected.text, target)),
        (1, _begun([*nonwords.find(protected.text, target)], start) if nonwords else ()),
        (0, find_doubled(protected.text, target, language)),
        (0, find_repetitions(protected.text, target) if language == "de" else ()),
        (1, _begun([*check_agreement(target)], start) if language == "de" else ()),
        (0, check_lower_bounds(protected.text, target) if language == "de" else ()),
        (0, check_address(target) if language == "de" else ()),
        (0, check_auxiliaries(target) if language == "de" else ()),
        (0, check_perfect(protected.sentence, target) if language == "en" else ()),
        (0, check_verb_forms(target, words or frozenset()) if language == "en" else ()),
        (1, find_copies(protected.text, target, dictionaries, direction)),
        (0, find_names(protected.text, target)),
        (0, _capitals(protected, target, links)),
        (0, start),
    ):
        placed += _placed_apart(edits, placed, apart)
    if not placed and not protected.edited:
        return Restored(target, links, tuple(sorted(flags)))
    placed.sort(key=lambda one: (one.edit.span.start, one.edit.span.end))
    edited = apply(target, [one.edit for one in placed])
    if not _is_complete(protected, edited.text):
        return _untranslated(protected.sentence, {*flags, "kept"})
    moved = LazyLinks(lambda: tuple(_links(protected, placed, edited, links)))
    return Restored(edited.text, moved, tuple(sorted(flags)))


def is_sound(protected: Protected, target: str, links: Sequence[Link], direction: Direction) -> bool:
    """Whether `restore` would have numbers, what was kept and what is denied in their places, without a guess.

    What is mostly wrong with what is not is looked at first: all of many candidates may lack a word.
    """
    target = with_quotes_of(protected.text, target)
    if not has_substitutes(target, protected.substitutes, direction.target):
        return False
    if loses_negation(protected.text, target, direction):
        return False
    if protected.kept:  # only the whole text tells whether everything is in it
        return _UNSOUND.isdisjoint(restore(protected, target, links, direction).flags)
    placed = place_stand_ins(protected, target, links, direction.source) if protected.items else []
    if any(one.item and one.is_guess for one in placed):
        return False
    if protected.quantities and not without_megabytes(target, protected.quantities)[1]:
        return False
    return _check_numbers(protected, target, placed, links, direction, judged=True).sound


def _check(protected: Protected, target: str, links: Sequence[Link], direction: Direction) -> _Checked:
    placed = place_stand_ins(protected, target, links, direction.source) if protected.items else []
    repair = _check_numbers(protected, target, placed, links, direction)
    units, has_units = without_megabytes(target, protected.quantities) if protected.quantities else ([], True)
    words, has_words = without_substitutes(target, protected.substitutes, direction.target)
    wrong = {
        "kept": not has_words,
        "negation": loses_negation(protected.text, target, direction),
        "number": not (repair.sound and has_units),
        "spelling": protected.is_corrected,
    }
    flags = {flag for flag, is_so in wrong.items() if is_so}
    flags |= {"term" if one.item.is_term else "kept" for one in placed if one.item and one.is_guess}
    return _Checked(placed, repair.edits, [*units, *words], flags)


def _check_numbers(
    protected: Protected,
    target: str,
    placed: Sequence[Placed],
    links: Sequence[Link],
    direction: Direction,
    *,
    judged: bool = False,
) -> Repair:
    source = _signs_alone(protected.text, [(item.shown, item) for item in protected.items])
    written = _signs_alone(target, [(one.edit.span, one.item) for one in placed])
    return check_numbers(source, written, links, direction, judged=judged)


def _signs_alone(text: str, placed: Sequence[tuple[Span, Item | None]]) -> str:
    """The text with spaces for what is placed there, but for what must be seen beside a number, if there is room."""
    if not placed:
        return text
    edits = []
    for span, item in sorted(placed, key=lambda one: one[0].start):
        width = span.end - span.start
        edits.append(Edit(span, (sign_of(item.output) if item else "").ljust(width)[:width]))
    return apply(text, edits).text


def _rewritten(placed: Sequence[Placed], write: Callable[[str], str], edits: Iterable[Edit]) -> list[Placed]:
    """The same edits, in other writing unless they are of items, and more edits where none of them is."""
    taken = {place for one in placed for place in range(one.edit.span.start, one.edit.span.end)}
    free = (edit for edit in edits if taken.isdisjoint(range(edit.span.start, edit.span.end)))
    written = (one if one.item else Placed(Edit(one.edit.span, write(one.edit.text))) for one in placed)
    return [*written, *map(Placed, free)]


def _marks_placed(protected: Protected, target: str, links: Sequence[Link]) -> list[Placed]:
    """Marks follow their words; one that was shown as a space takes the place of a space."""
    if not protected.marks:
        return []
    is_space = {(mark.inline.element, mark.inline.kind): mark.is_space for mark in protected.marks}
    placed = []
    for inline in place_inlines(protected.text, [mark.inline for mark in protected.marks], links, target):
        span, code = Span(inline.at, inline.at), inline.code
        if is_space[inline.element, inline.kind]:
            span = with_space(target, span, (True, True))
            code = code if span.start > 0 else code.lstrip()
            code = code if is_word(target, span.end) else code.rstrip()
        placed.append(Placed(Edit(span, code)))
    return placed


def _placed_apart(edits: Iterable[Edit], placed: Sequence[Placed], apart: int) -> list[Placed]:
    """Edits with so many characters or more between them and all that is placed."""
    taken = [Span(one.edit.span.start - apart, one.edit.span.end + apart) for one in placed]
    return [Placed(edit) for edit in edits if not any(map(Span(edit.span.start, edit.span.end + apart).meets, taken))]


def _begun(meant: Sequence[Edit], start: Sequence[Edit]) -> list[Edit]:
    """What is meant by words, with a capital where the translation is to begin with one."""
    begins = {edit.span.start for edit in start if edit.text.isupper()}
    return [Edit(one.span, with_capital(one.text)) if one.span.start in begins else one for one in meant]


def _capitals(protected: Protected, target: str, links: Sequence[Link]) -> Iterator[Edit]:
    """Capitals for what was in capitals."""
    for span in in_capitals(protected.capitals, protected.text, target, links):
        yield Edit(span, target[span.start : span.end].upper())


def _is_complete(protected: Protected, text: str) -> bool:
    """Whether everything kept is in the text as often as it must be.

    That is as often as it was taken out. It may be in other words of the sentence too, as `id` is in `valid`: those are
    translated and need not have it.
    """
    terms = [item.output for item in protected.items if item.is_term]
    taken = [*(item.output for item in protected.items), *(mark.inline.code for mark in protected.marks)]
    for one in protected.kept:
        least = sum(output.count(one) for output in taken)
        most = protected.sentence.count(one) + sum(term.count(one) for term in terms)
        if not least <= text.count(one) <= (len(text) if one.isalpha() else most):
            return False
    return True


def _untranslated(sentence: str, flags: set[str]) -> Restored:
    links = [Link(Span(*word.span()), Span(*word.span())) for word in _WORD.finditer(sentence)]
    return Restored(sentence, links, tuple(sorted(flags)))


def _links(protected: Protected, placed: Sequence[Placed], edited: Edited, links: Sequence[Link]) -> Iterator[Link]:
    """The same links between the sentence and the text after editing, and those of everything placed."""
    for one, new in zip(placed, edited.new, strict=True):
        if one.item and one.item.output:
            start = new.start + one.edit.text.index(one.item.output)
            yield Link(one.item.source, Span(start, start + len(one.item.output)))
    shown = [item.shown for item in protected.items]
    for link in links:
        if any(map(link.source.meets, shown)):
            continue
        source = protected.edited.back(link.source) if protected.edited else link.source
        target = edited.forth(link.target)
        if source.start < source.end and target.start < target.end:
            yield Link(source, target)
