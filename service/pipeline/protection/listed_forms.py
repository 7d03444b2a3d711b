"""Where a text has words that the network does not know, and in which form."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from model.bundle import EN_DE
from service.pipeline.edits import with_small_letter
from service.pipeline.protection.conjugation import APART
from service.pipeline.protection.german_compounds import find_compound
from service.pipeline.protection.listed_words import Form, listed, other_genitives, substitutes_and_words
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from model.bundle import Dictionary, Direction
    from service.pipeline.protection.listed_words import Word

__all__ = ["BEGIN", "PREFIX_APART", "WORD", "FoundForm", "find_forms", "first_form", "forms_by_beginning"]

BEGIN = re.compile(r"\W*")
"""What may be before the first word of a text."""
WORD = re.compile(r"(?<![\w@./-])[^\W\d_]+")
_NEXT_WORD = re.compile(r" [^\W\d_]+")
_NEXT_WORDS = re.compile(r"(?: [^\W\d_]+){1,2}")
_GOES_ON = re.compile(r"[\w-]|'(?!s\b)\w|\.\w")
"""Follows a part of a word."""
_NAME_GOES_ON = re.compile(r"\s(?!I\b)[A-Z]")
"""Follows a part of a name in English: Welsh Assembly."""
_BEFORE_VERB = (
    re.compile(
        r"\b(?:to|not|can|could|will|would|shall|should|may|might|must|do|does|did|let's|let us|please|I|you|we|they"
        r"|who|never|always|often|\w+n't|\w+'ll|(?:can|could|will|would|should|may|might|must|do|does|did|\w+n't)"
        r" (?:he|she|it)) $",
        re.IGNORECASE,
    ),
    re.compile(r"\b(?:he|she|it|who|that|which|never|always|often) $", re.IGNORECASE),
)
"""Its base form and its third person."""
_BEFORE_PRESENT = re.compile(
    r"\b(?:am|is|are|was|were|been?|\w+'(?:m|re)|(?:he|she|it|who|that)'s)"
    r"(?: (?:I|you|he|she|it|we|they|not|now|still))? $",
    re.IGNORECASE,
)
"""Tells the form in -ing of a verb from the noun that is listed, too: it is swelling, a swelling."""
_LONGEST_BEFORE_VERB = 12
_BEFORE_PAST = re.compile(
    r"\b(?:has|had|have|\w+'ve|was|were|is|are|be|been|being"
    r"|(?<!did )(?<!does )(?<!ould )(?<!can )(?<!will )(?:he|she|it)) $",
    re.IGNORECASE,
)
"""Tells the past of a verb from its base where they are alike: he put up with it."""
_AFTER_COMMAND = re.compile(r" (?:the|an?|your|it|them|this|these|that|those|all|some|him|her|me|us)\b")
"""Tell verbs from nouns in English: to peel an orange, orange peel, what smells and that smell."""
_TO_YOU = " Sie "
"""Tells verbs from nouns that begin a German text: Reiben Sie den Käse, not Reiben sind scharf."""
_COMMAND = 10
_OTHER_WORDS = frozenset({9, *range(18, 24)})
"""Numbers of forms of German verbs; these often are other words: ihr schlicht, aufregend."""
_BASE, _THIRD_PERSON, _PAST, _, _PRESENT = range(5)
"""Numbers of forms of English verbs; the first two are those that nouns have, too."""

PREFIX_APART = r"(?:\s[^.:;!?]{{0,150}}?)?\s(?P<prefix>{})(?=[.,:;!?…)\"”“»]|$|\s(?:und|oder|aber|als|wie)\b|\s[–-]\s)"
"""After a form of a German verb, the prefix at the end of the clause: *lehnte das Angebot ab*."""


class FoundForm(NamedTuple):
    """Where a form is, and where its prefix, which may be nowhere."""

    span: Span
    prefix: Span
    form: Form


def find_forms(text: str, direction: Direction, dictionary: Dictionary | None = None) -> Iterator[FoundForm]:
    """Where which forms are, in order. One that is listed in lower case has a capital only where the text begins.

    Args:
        text: in the source language.
        direction: whose words are meant.
        dictionary: of the source language; without one, compounds that are not listed are not found.
    """
    forms = forms_by_beginning(str(direction))
    text = text.replace("’", "'")
    begin, done = BEGIN.match(text), 0
    for word in WORD.finditer(text):
        start = word.start()
        is_first = begin is not None and start == begin.end()
        if start < done:
            continue
        found = _found_at(word, forms, direction, is_first=is_first) or _compound_at(word, direction, dictionary)
        if found:
            done = found.span.end
            yield found


def first_form(text: str, direction: Direction, dictionary: Dictionary | None = None) -> FoundForm | None:
    """The form that a text begins with."""
    first = WORD.match(text.replace("’", "'"))
    if not first:
        return None
    found = _found_at(first, forms_by_beginning(str(direction)), direction, is_first=True)
    return found or _compound_at(first, direction, dictionary)


def _compound_at(word: re.Match[str], direction: Direction, dictionary: Dictionary | None) -> FoundForm | None:
    """The German compound that a word is, if it is one that is not listed."""
    end = word.end()
    if direction.source != "de" or dictionary is None or _GOES_ON.match(word.string, end):
        return None
    form = find_compound(word[0], dictionary)
    return FoundForm(Span(*word.span()), Span(end, end), form) if form else None


def _found_at(
    word: re.Match[str], forms: Mapping[str, Sequence[Form]], direction: Direction, *, is_first: bool
) -> FoundForm | None:
    """Which form begins with a word, if one does and is meant there."""
    may_begin = _listed(word[0], word, forms)
    if is_first and (small := with_small_letter(word[0])) != word[0]:
        may_begin = [*may_begin, *_listed(small, word, forms)]
    text, start = word.string, word.start()
    for form in may_begin:
        span = Span(start, start + len(form.written))
        is_same = text[start + 1 : span.end] == form.written[1:] and not _GOES_ON.match(text, span.end)
        if is_same and _is_meant(text, span, form, direction, is_first=is_first):
            prefix = _prefix_after(text, span.end, form.prefix)
            if prefix is not None:
                return FoundForm(span, prefix, form)
    return None


def _listed(first: str, word: re.Match[str], forms: Mapping[str, Sequence[Form]]) -> Sequence[Form]:
    """The forms that may begin with a word."""
    if first not in forms:
        return ()
    second = _NEXT_WORD.match(word.string, word.end())
    if not second:
        return forms[first]
    third = _NEXT_WORD.match(word.string, second.end())
    of_three = forms.get(first + second[0] + third[0], ()) if third else ()
    return [*of_three, *forms.get(first + second[0], ()), *forms[first]]


def _prefix_after(text: str, start: int, prefix: str) -> Span | None:
    """Where the prefix of a verb is that ends before `start`; none is nowhere."""
    if not prefix:
        return Span(start, start)
    if text.find(f" {prefix}", start) < 0:  # so that most verbs take no time
        return None
    found = _at_end_of_clause(prefix).match(text, start)
    return Span(*found.span("prefix")) if found else None


@cache
def _at_end_of_clause(prefix: str) -> re.Pattern[str]:
    return re.compile(PREFIX_APART.format(prefix))


def _is_meant(text: str, span: Span, form: Form, direction: Direction, *, is_first: bool) -> bool:
    """Whether a form is that word where it stands, and not another one or part of a name."""
    if form.word.is_verb:
        return _is_verb(text, span, form, direction, is_first=is_first)
    is_name = direction.source == "en" and _NAME_GOES_ON.match(text, span.end)
    return not is_name and not (is_first and form.word.is_inside and text[span.start].isupper())


def _is_verb(text: str, span: Span, form: Form, direction: Direction, *, is_first: bool) -> bool:
    """Whether a form of a verb is not the noun that it may be as well."""
    is_base = form.number == _BASE
    if direction.source == "de":
        is_to_you = is_first and is_base and text.startswith(_TO_YOU, span.end)
        is_noun = form.word.is_inside and text[span.start].isupper()
        is_other = form.number == _COMMAND and not is_first  # alter!
        return is_to_you or not (is_noun or is_other)
    before = max(0, span.start - _LONGEST_BEFORE_VERB)
    if form.number == _PAST and form.written == form.word.source[_BASE]:
        return _BEFORE_PAST.search(text, before, span.start) is not None
    if form.number == _PRESENT and form.written in _nouns_and_adjectives():
        return _BEFORE_PRESENT.search(text, before, span.start) is not None
    if not form.word.is_inside or form.number > _THIRD_PERSON:
        return True
    if is_first and is_base and _AFTER_COMMAND.match(text, span.end):
        return True
    return _BEFORE_VERB[form.number].search(text, before, span.start) is not None


def _written(word: Word, direction: str) -> Iterator[tuple[str, int]]:
    """Its forms and their numbers, of equal ones the first; Buchs beside Buches, where one alone is listed.

    Of English verbs whose past is like their base that comes first, see `_is_verb`.
    """
    if direction == "en-de" and word.is_verb and word.source[_PAST] == word.source[_BASE]:
        yield word.source[_PAST], _PAST
    unread = _OTHER_WORDS if direction == "de-en" and word.is_verb else ()
    numbered = ((form, word.source.index(form)) for form in dict.fromkeys(word.source))
    yield from ((form, number) for form, number in numbered if number not in unread)
    if direction == "de-en":
        yield from ((form, 1) for form in other_genitives(word))


@cache
def _nouns_and_adjectives() -> frozenset[str]:
    """All forms of the English words that are no verbs."""
    return frozenset(form for word in listed(EN_DE) if not word.is_verb for form in word.source)


@cache
def forms_by_beginning(direction: str) -> Mapping[str, Sequence[Form]]:
    """All forms of the words of one direction, by their first three words: zu begins hundreds of infinitives.

    The longest come first, then those whose prefix stands apart, and verbs before nouns.
    """
    forms: dict[str, list[Form]] = {}
    for substitutes, words in substitutes_and_words(direction):
        for word in words:
            for written, number in _written(word, direction):
                if first := WORD.match(written):
                    verb, _, prefix = written.partition(APART)
                    its = forms.setdefault(first[0], [])
                    begin = _NEXT_WORDS.match(verb, first.end())
                    its = forms.setdefault(first[0] + begin[0], []) if begin else its
                    its.append(Form(verb, prefix, number, word, substitutes))
    for its in forms.values():
        its.sort(key=lambda form: (len(form.written), form.prefix, form.word.is_verb), reverse=True)
    return forms
