"""Where a text has words that the network does not know, and in which form."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from service.pipeline.conjugation import (
    ADJECTIVES_AND_NOUNS,
    APART,
    BASE,
    PAST,
    PAST_OF_SEVERAL,
    PRESENT_PARTICIPLES,
)
from service.pipeline.edits import with_small_letter
from service.pipeline.substitution.german_compounds import find_compound
from service.pipeline.substitution.listed_words import (
    Form,
    numbered_forms,
    other_genitives,
    substitutes_and_words,
)
from service.pipeline.substitution.parts_of_speech import is_meant
from service.pipeline.substitution.time_adverbials import MOST_WORDS, find_time_adverbial, follows_clock
from service.pipeline.substitution.verb_frames import find_frame
from service.pipeline.substitution.verb_objects import has_object, particle_after_object, particle_after_pronoun
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from model.bundle import Dictionary, Direction
    from service.pipeline.edits import Edit
    from service.pipeline.substitution.listed_words import Word

__all__ = [
    "BEGIN",
    "PREFIX_APART",
    "WORD",
    "FoundForm",
    "find_forms",
    "first_form",
    "forms_that_begin",
    "words_by_beginning",
]

BEGIN = re.compile(r"\W*")
"""What may be before the first word of a text."""
WORD = re.compile(r"(?<![\w@./-])[^\W\d_]+")
_NEXT_WORD = re.compile(r" [^\W\d_]+")
_FIRST_WORDS = re.compile(r"[^\W\d_]+(?: [^\W\d_]+){0,2}")
_GOES_ON = re.compile(r"[\w-]|'(?!s\b)\w|\.\w")
"""Follows a part of a word."""
_OTHER_WORDS = frozenset({PAST_OF_SEVERAL, *PRESENT_PARTICIPLES})
"""Forms of German verbs that often are other words: ihr schlicht, aufregend."""

_WITHIN_CLAUSE = r"(?:[^.:;!?]|(?<=\d)[.:](?=\d)){{0,150}}?"
"""Nothing that ends it, but what stands within an amount or a time."""
PREFIX_APART = rf"(?:\s{_WITHIN_CLAUSE})?\s(?P<prefix>{{}})(?=[.,:;!?…)\"”“»]|$|\s(?:und|oder|aber|als|wie)\b|\s[–-]\s)"
"""After a form of a German verb, the prefix at the end of the clause: *lehnte das Angebot ab*."""
_FARTHEST_PREFIX = 152
"""Where it may begin."""
_MOST_CACHED = 1 << 13
"""Beginnings whose forms are kept."""


class FoundForm(NamedTuple):
    """Where a form is, and where its prefix, which may be nowhere, and what leaves out what else belongs to it."""

    span: Span
    prefix: Span
    form: Form
    frame: tuple[Edit, ...] = ()


def find_forms(text: str, direction: Direction, dictionary: Dictionary | None = None) -> Iterator[FoundForm]:
    """Where which forms are, in order. One that is listed in lower case has a capital only where the text begins.

    Args:
        text: in the source language.
        direction: whose words are meant.
        dictionary: of the source language; without one, compounds that are not listed are not found.
    """
    beginnings, is_german = words_by_beginning(str(direction)), direction.source == "de"
    text = text.replace("’", "'")
    may_say_when = is_german and text.count(" ") < MOST_WORDS
    begin, done, taken = BEGIN.match(text), 0, set[int]()
    first = begin.end() if begin else 0
    for word in WORD.finditer(text):
        start = word.start()
        if start < done or start in taken:
            continue
        if is_german and follows_clock(text, start):
            continue
        found = _time_adverbial_at(word, is_first=start == first) if may_say_when else None
        if not found and (start == first or word[0] in beginnings):
            found = _found_at(word, direction, taken, is_first=start == first)
        if is_german and not found and not word[0].islower():
            found = _compound_at(word, dictionary)
        if found:
            done = found.span.end
            for span in (found.span, found.prefix, *(edit.span for edit in found.frame)):
                taken.update(range(span.start, span.end))
            yield found


def first_form(text: str, direction: Direction, dictionary: Dictionary | None = None) -> FoundForm | None:
    """The form that a text begins with."""
    first = WORD.match(text.replace("’", "'"))
    if not first:
        return None
    found = _found_at(first, direction, set(), is_first=True)
    return found or (_compound_at(first, dictionary) if direction.source == "de" else None)


def _time_adverbial_at(word: re.Match[str], *, is_first: bool) -> FoundForm | None:
    """What begins with a word and says when, in German."""
    start = word.start()
    if not (form := find_time_adverbial(word.string, start, is_first=is_first)):
        return None
    end = start + len(form.written)
    return FoundForm(Span(start, end), Span(end, end), form)


def _compound_at(word: re.Match[str], dictionary: Dictionary | None) -> FoundForm | None:
    """The German compound that a word is, if it is one that is not listed."""
    if dictionary is None:
        return None
    form, end = find_compound(word[0], dictionary), word.end()
    if not form or _GOES_ON.match(word.string, end):
        return None
    return FoundForm(Span(*word.span()), Span(end, end), form)


def _found_at(
    word: re.Match[str], direction: Direction, taken: AbstractSet[int], *, is_first: bool
) -> FoundForm | None:
    """Which form begins with a word, if one does and is meant there, with what it needs of what is not taken."""
    may_begin = _listed(word[0], word, str(direction))
    if is_first and (small := with_small_letter(word[0])) != word[0]:
        may_begin = [*may_begin, *_listed(small, word, str(direction))]
    text, start = word.string, word.start()
    for form in may_begin:
        if not text.startswith(form.written[1:], start + 1):
            continue
        span = Span(start, start + len(form.written))
        if not _GOES_ON.match(text, span.end) and is_meant(text, span, form, direction, is_first=is_first):
            found = _with_what_belongs_to_it(text, span, form, direction)
            if found and all(taken.isdisjoint(range(edit.span.start, edit.span.end)) for edit in found.frame):
                return found
    return None


def _with_what_belongs_to_it(text: str, span: Span, form: Form, direction: Direction) -> FoundForm | None:
    """A form with its prefix and its frame; None if it lacks one of these, or an object with which it is meant."""
    word, prefix = form.word, Span(span.end, span.end)
    if form.prefix:
        if (apart := _prefix_after(text, span.end, form, direction)) is None:
            return None
        prefix = apart
    elif word.objects and not has_object(text, span, word.objects, form.number):
        return None
    frame = find_frame(text, span, prefix, word.frame) if word.frame else ()
    return None if frame is None else FoundForm(span, prefix, form, frame)


def _listed(first: str, word: re.Match[str], direction: str) -> Sequence[Form]:
    """The forms that may begin with a word."""
    beginnings = words_by_beginning(direction)
    if first not in beginnings:
        return ()
    of_one = forms_that_begin(first, direction)
    second = _NEXT_WORD.match(word.string, word.end())
    if not second or (two := first + second[0]) not in beginnings:
        return of_one
    third = _NEXT_WORD.match(word.string, second.end())
    of_three = forms_that_begin(two + third[0], direction) if third and two + third[0] in beginnings else ()
    return [*of_three, *forms_that_begin(two, direction), *of_one]


def _prefix_after(text: str, start: int, form: Form, direction: Direction) -> Span | None:
    """Where the prefix of a verb is that stands apart; in English, its particle after an object or a pronoun."""
    last = start + _FARTHEST_PREFIX + len(form.prefix)
    if text.find(f" {form.prefix}", start, last) < 0:  # so that most verbs take no time
        return None
    if form.word.objects:
        return particle_after_object(text, start, form.word.objects, form.prefix)
    if direction.source == "en":
        return particle_after_pronoun(text, start, form.prefix)
    found = _at_end_of_clause(form.prefix).match(text, start)
    return Span(*found.span("prefix")) if found else None


@cache
def _at_end_of_clause(prefix: str) -> re.Pattern[str]:
    return re.compile(PREFIX_APART.format(prefix))


def _written(word: Word, direction: str) -> Iterator[tuple[str, int]]:
    """Its forms and their numbers, but for those of German verbs that are left unread: with a frame, what is no verb.

    Of English verbs whose past is like their base that comes first: the base may be meant wherever it stands. Those of
    two words may have their object between them, *take your shoes off*, or a pronoun, *put it off*.
    """
    unread = ADJECTIVES_AND_NOUNS if word.frame else _OTHER_WORDS if direction == "de-en" and word.is_verb else ()
    written = [(form, number) for form, number in numbered_forms(word, direction) if number not in unread]
    if direction == "en-de" and word.is_verb and word.source[PAST] == word.source[BASE]:
        written.insert(0, (word.source[PAST], PAST))
    for form, number in written:
        if direction == "en-de" and word.is_verb and form.count(" ") == 1:
            yield form.replace(" ", APART), number
        yield form, number


@cache
def words_by_beginning(direction: str) -> Mapping[str, Sequence[tuple[Word, tuple[Word, ...]]]]:
    """The words of one direction that have a form which begins so, each with its substitutes.

    A beginning is the first three words of a form: zu begins hundreds of infinitives. No word may have a form of the
    first one or two alone.
    """
    found: dict[str, tuple[tuple[Word, tuple[Word, ...]], ...]] = {}
    for substitutes, words in substitutes_and_words(direction):
        for word in words:
            alone = ((word, substitutes),)  # one for all its forms: few begin as another word's do
            for beginning in _beginnings(word, direction):
                others = found.setdefault(beginning, alone)
                if others is not alone:
                    found[beginning] = others + alone
                if " " in beginning:
                    for fewer in accumulate(beginning.split()[:-1], "{} {}".format):
                        found.setdefault(fewer, ())
    return found


def _beginnings(word: Word, direction: str) -> AbstractSet[str]:
    """Those of its forms."""
    if word.is_verb or word.frame:
        written: Iterable[str] = (form for form, _ in _written(word, direction))
    else:  # all of them are read: most words are no verbs, and all must have been read until the service is ready
        written = {*word.source, *other_genitives(word)} if direction == "de-en" else set(word.source)
    return {form if form.isalpha() else _beginning(form) for form in written} - {""}


@lru_cache(_MOST_CACHED)
def forms_that_begin(beginning: str, direction: str) -> Sequence[Form]:
    """The forms of the words of one direction that begin so; a text has few of all that there are.

    The longest come first, then those that begin a text, those whose prefix stands apart, verbs before nouns and these
    before participles and infinitives used so, and those with more beside them or with objects.
    """
    forms = []
    for word, substitutes in words_by_beginning(direction).get(beginning, ()):
        for written, number in _written(word, direction):
            if _beginning(written) == beginning:
                verb, _, prefix = written.partition(APART)
                forms.append(Form(verb, prefix, number, word, substitutes))
    return sorted(forms, key=_order, reverse=True)


def _beginning(written: str) -> str:
    """The first three words of a form, or those that it has before its prefix; empty if it begins with none."""
    found = _FIRST_WORDS.match(written.partition(APART)[0])
    return found[0] if found else ""


def _order(form: Form) -> tuple[int, bool, str, bool, str, bool]:
    word = form.word
    is_verb = word.is_verb and form.number not in ADJECTIVES_AND_NOUNS
    return len(form.written), word.only_begins, form.prefix, is_verb, word.frame, bool(word.objects)
