"""Words that the network does not know are read as others of their kind that it knows: a hedgehog as a dog.

What it writes for that becomes what the other language calls the word that was meant, in the same form: *des Hundes* is
*des Igels*. So articles and endings are right, which they would not be around a stand-in.

The lists of `lists/substitutes`, by field, have lines of three columns: what it is, English, German. `@` is a word that
the network knows, as which those under it may be read. Others say which way: `=` both, `>` into German, `<` into
English. English and German are all forms of each, in the same order for all words under an `@`, or adjectives with `~`
for their endings, or verbs with *to* and *zu*, the infinitive alone or its principal parts (see `conjugation`). "…"
says that a word is another one where the text begins, or that a verb is a noun as well, in German with a capital.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from service.pipeline.edits import Edit, blank, with_capital
from service.pipeline.lists import WAYS, lines_of
from service.pipeline.pieces import Substitute
from service.pipeline.protection.conjugation import APART, english_forms, german_forms
from service.pipeline.repairs.articles import article_before
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from model.bundle import Direction

__all__ = ["find_substitutes", "find_word", "substitutes_and_words", "without_substitutes", "words_and_meanings"]

_FOLDER = "substitutes"
_SUBSTITUTE = "@"
_INSIDE = "… "
_ADJECTIVE = "~"
_VERBS = {"to ": english_forms, "zu ": german_forms}
_TO = len("to ")
_FIRST_PART = "-"
_ENDINGS = ("", "e", "en"), ("", "e", "en", "er", "es", "em")
"""Of adjectives as nouns, with a capital, and others."""

_WORD = re.compile(r"(?<![\w@./-])[^\W\d_]+")
_NEXT_WORD = re.compile(r" [^\W\d_]+")
_GOES_ON = re.compile(r"[\w-]|'(?!s\b)\w|\.\w")
"""Follows a part of a word."""
_NAME_GOES_ON = re.compile(r"\s(?!I\b)[A-Z]")
"""Follows a part of a name in English: Welsh Assembly."""
_BEGIN = re.compile(r"\W*")
_ENDS = re.compile(r"[.,:;!?…]*")

_BEFORE_VERB = (
    re.compile(
        r"\b(?:to|not|can|could|will|would|shall|should|may|might|must|do|does|did|let's|let us|please|I|you|we|they"
        r"|who|never|always|often|\w+n't|\w+'ll) $",
        re.IGNORECASE,
    ),
    re.compile(r"\b(?:he|she|it|who|that|which|never|always|often) $", re.IGNORECASE),
)
"""Its base form and its third person."""
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
_ADJECTIVES = {9, *range(18, 24)}
"""Numbers of forms of German verbs that often are other words: alter!, ihr schlicht, aufregend."""
_NEVER_COPIED = {"die", "half", "hat", "kind", "war"}
"""Forms of what words are read as that are frequent words of the other language."""
_START = attrgetter("span.start")
_BASE, _THIRD_PERSON, _PAST = range(3)
"""Numbers of forms of English verbs; the first two are those that nouns have, too."""

_PREFIX_APART = r"(?:\s[^.:;!?]{{0,150}}?)?\s(?P<prefix>{})(?=[.,:;!?…)\"”“»]|$|\s(?:und|oder|aber|als|wie)\b|\s[–-]\s)"
"""After a form of a German verb, the prefix at the end of the clause: *lehnte das Angebot ab*."""

_NEVER = "(?!)"

_MOST = 20
"""Words of a sentence; one with more is a list of them, and stays as it is."""

_ARTICLE = re.compile(r"(?<!\w)(?P<a>[Aa])n? $")
_LONGEST_ARTICLE = 4
_MUTE = re.compile("e?$")
_REST = r"(?:en|es|er|n|s|e)?-?(?P<rest>[a-zäöüß]{3,})"
"""What follows the first part of a German compound."""


class _Word(NamedTuple):
    """The forms of a word, and those of what the other language calls it.

    One `is_inside` that is another word where the text begins: in English a name, in German a verb or a name. A
    verb that `is_inside` is a noun as well: in English a verb after a pronoun or an auxiliary, in German where it has
    no capital.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    is_inside: bool
    is_verb: bool


class _Form(NamedTuple):
    """A form of a word, its prefix if that stands apart, which one it is, and what the word may be read as."""

    written: str
    prefix: str
    number: int
    word: _Word
    substitutes: tuple[_Word, ...]


class _Found(NamedTuple):
    """Where a form is, and where its prefix, which may be nowhere."""

    span: Span
    prefix: Span
    form: _Form


class _Meant(NamedTuple):
    """What finds the forms of a word that the network has read, and what is meant by each, also in lower case."""

    pattern: re.Pattern[str]
    in_any_case: Mapping[str, str]


def find_substitutes(text: str, direction: Direction) -> tuple[list[Edit], tuple[Substitute, ...]]:
    """What the network is to read for words of a text, and what is to become of what it writes for that.

    Each word is read as another one, and as none that the text has itself.
    """
    found = [] if text.isupper() else [*_found(text, direction)]
    if not 0 < len(found) <= _MOST:
        return [], ()
    rest = blank(text, [span for one in found for span in (one.span, one.prefix)])
    words = {one[0].lower() for one in _WORD.finditer(rest)}
    used: dict[_Word, _Word] = {}
    edits: list[Edit] = []
    counts = dict.fromkeys((one.form.word for one in found), 0)
    for span, prefix, form in found:
        if form.word not in used:
            free = (one for one in form.substitutes if words.isdisjoint(map(str.lower, one.source)))
            substitute = next((one for one in free if one not in used.values()), None)
            if substitute is None:
                continue
            used[form.word] = substitute
        read, _, read_prefix = used[form.word].source[form.number].partition(APART)
        is_first = _BEGIN.fullmatch(text, 0, span.start) is not None
        has_capital = text[span.start].isupper() and (is_first or form.written[0].islower())  # an Allen key: a bucket
        edits += _replaced(text, span, with_capital(read) if has_capital else read, direction.source)
        edits += [_with_prefix(prefix, read_prefix)] if form.prefix else []
        counts[form.word] += 1
    return sorted(edits, key=_START), tuple(_substitute(read, word, counts[word]) for word, read in used.items())


def find_word(text: str, direction: Direction) -> str | None:
    """What the other language calls a word that is all of a text, with its capital and what ends it.

    None if it is not listed, or not as it is in the list. The network has nothing to go by then.
    """
    first = _WORD.match(text.replace("’", "'"))
    found = _found_at(first, _read(str(direction)), direction, is_first=True) if first else None
    if not found or found.form.number > 0:
        return None
    form = found.form
    rest, word = text[len(form.written) :], form.word.target[0]
    return (with_capital(word) if text[0].isupper() else word) + rest if _ENDS.fullmatch(rest) else None


def _substitute(read: _Word, word: _Word, count: int) -> Substitute:
    copied = tuple(form for form in read.source if form not in read.target and form.lower() not in _NEVER_COPIED)
    return Substitute(read.target, word.target, count, copied)


def _found(text: str, direction: Direction) -> Iterator[_Found]:
    """Where which forms are, in order. One that is listed in lower case has a capital only where the text begins."""
    forms = _read(str(direction))
    text = text.replace("’", "'")
    begin, done = _BEGIN.match(text), 0
    for word in _WORD.finditer(text):
        start = word.start()
        is_first = begin is not None and start == begin.end()
        if start >= done and (found := _found_at(word, forms, direction, is_first=is_first)):
            done = found.span.end
            yield found


def _found_at(
    word: re.Match[str], forms: Mapping[str, Sequence[_Form]], direction: Direction, *, is_first: bool
) -> _Found | None:
    """Which form begins with a word, if one does and is meant there."""
    listed = _listed(word[0], word, forms)
    if is_first and (small := word[0][:1].lower() + word[0][1:]) != word[0]:
        listed = [*listed, *_listed(small, word, forms)]
    text, start = word.string, word.start()
    for form in listed:
        span = Span(start, start + len(form.written))
        is_same = text[start + 1 : span.end] == form.written[1:] and not _GOES_ON.match(text, span.end)
        if is_same and _is_meant(text, span, form, direction, is_first=is_first):
            prefix = _prefix_after(text, span.end, form.prefix)
            if prefix is not None:
                return _Found(span, prefix, form)
    return None


def _listed(first: str, word: re.Match[str], forms: Mapping[str, Sequence[_Form]]) -> Sequence[_Form]:
    """The forms that may begin with a word."""
    if first not in forms:
        return ()
    following = _NEXT_WORD.match(word.string, word.end())
    return [*forms.get(first + following[0], ()), *forms[first]] if following else forms[first]


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
    return re.compile(_PREFIX_APART.format(prefix))


def _is_meant(text: str, span: Span, form: _Form, direction: Direction, *, is_first: bool) -> bool:
    """Whether a form is that word where it stands, and not another one or part of a name."""
    if form.word.is_verb:
        return _is_verb(text, span, form, direction, is_first=is_first)
    is_name = direction.source == "en" and _NAME_GOES_ON.match(text, span.end)
    return not is_name and not (is_first and form.word.is_inside and text[span.start].isupper())


def _is_verb(text: str, span: Span, form: _Form, direction: Direction, *, is_first: bool) -> bool:
    """Whether a form of a verb is not the noun that it may be as well."""
    is_base = form.number == _BASE
    if direction.source == "de":
        is_to_you = is_first and is_base and text.startswith(_TO_YOU, span.end)
        is_noun = form.word.is_inside and text[span.start].isupper()
        is_other = form.number in _ADJECTIVES or (form.number == _COMMAND and not is_first)
        return is_to_you or not (is_noun or is_other)
    before = max(0, span.start - _LONGEST_BEFORE_VERB)
    if form.number == _PAST and form.written == form.word.source[_BASE]:
        return _BEFORE_PAST.search(text, before, span.start) is not None
    if not form.word.is_inside or form.number > _THIRD_PERSON:
        return True
    if is_first and is_base and _AFTER_COMMAND.match(text, span.end):
        return True
    return _BEFORE_VERB[form.number].search(text, before, span.start) is not None


def without_substitutes(text: str, substitutes: Sequence[Substitute], language: str) -> tuple[list[Edit], bool]:
    """What to write for the words that the network has read instead, to have those meant.

    Returns:
        Edits, in order, and whether none of the words is missing after them.
    """
    edits: list[Edit] = []
    is_complete = True
    for one in substitutes:
        read, forms = one.read, _meant(one.read, one.meant)
        found = [*forms.pattern.finditer(text)]
        if len(found) < one.count:
            read = *read, *one.copied
            forms = _meant(read, (*one.meant, *(one.meant[0] for _ in one.copied)))
            found = [*forms.pattern.finditer(text)]
        for written in found:
            form = written["word"] or f"{written['verb']}{APART}{written['prefix']}"
            word, _, prefix = (forms.in_any_case.get(form) or forms.in_any_case[form.lower()]).partition(APART)
            begins = form[0].isupper() and form not in read
            span = Span(*written.span("verb" if written["verb"] else "word"))
            edits += _replaced(text, span, with_capital(word) if begins else word, language)
            edits += [_with_prefix(Span(*written.span("prefix")), prefix)] if written["verb"] else []
        has_compounds = language == "de" and one.read[0][0].isupper() and len(found) < one.count
        compounds = [*_compounds(text, one)] if has_compounds else []
        edits += compounds
        is_complete = is_complete and len(found) + len(compounds) >= one.count
    return sorted(edits, key=_START), is_complete


@lru_cache(maxsize=1024)
def _meant(read: Sequence[str], meant: Sequence[str]) -> _Meant:
    """Candidates of a sentence are all read with the same, and words recur."""
    words = dict(zip(reversed(read), reversed(meant), strict=True))  # of equal forms the first counts
    apart = [form.split(APART) for form in words if APART in form]
    whole = "|".join(map(re.escape, sorted((form for form in words if APART not in form), key=len, reverse=True)))
    verbs = "|".join(sorted((verb for verb, _ in apart), key=len, reverse=True)) or _NEVER
    prefix = _PREFIX_APART.format(apart[0][1] if apart else _NEVER)
    return _Meant(
        re.compile(rf"(?<![^\W_])(?:(?P<word>{whole})(?![^\W_])|(?P<verb>{verbs}){prefix})", re.IGNORECASE),
        {form.lower(): word for form, word in words.items()} | words,
    )


def _replaced(text: str, span: Span, word: str, language: str) -> Iterator[Edit]:
    """A word, and in English its article."""
    article = _ARTICLE.search(text, max(0, span.start - _LONGEST_ARTICLE), span.start) if language == "en" else None
    if article and (fitting := article["a"] + article_before(word)[1:]) != text[article.start() : span.start - 1]:
        yield Edit(Span(article.start(), span.start - 1), fitting)
    yield Edit(span, word)


def _with_prefix(span: Span, prefix: str) -> Edit:
    """That of the other verb; where it has none, the blank before it goes, too."""
    return Edit(span if prefix else Span(span.start - 1, span.end), prefix)


def _compounds(text: str, one: Substitute) -> Iterator[Edit]:
    """Those that it is a part of: Rosengarten is Tulpengarten, Hundefutter Igelfutter, Strauchrose Strauchtulpe."""
    pairs = zip(one.read, one.meant, strict=True)
    listed = ((read[:-1], meant[:-1]) for read, meant in pairs if read.endswith(_FIRST_PART))
    read, meant = next(listed, (_MUTE.sub("", one.read[0]), _first_part(one.meant[0])))
    for compound in re.finditer(rf"(?<![^\W_]){re.escape(read)}{_REST}", text):
        yield Edit(Span(*compound.span()), meant + compound["rest"])
    last = {read.lower(): meant.lower() for read, meant in zip(one.read, one.meant, strict=True) if read.isalpha()}
    names = "|".join(sorted(last, key=len, reverse=True))
    for compound in re.finditer(rf"(?<=[a-zäöüß]{{3}})(?:{names})(?![^\W_])", text):
        yield Edit(Span(*compound.span()), last[compound[0]])


def _first_part(word: str) -> str:
    """As it stands before the rest of a compound."""
    return f"{word}n" if word.endswith("e") and not word.endswith("ie") else word


def words_and_meanings(direction: Direction) -> dict[str, tuple[str, ...]]:
    """All that are listed, and the forms of what the other language calls them."""
    return {word.source[0]: word.target for _, words in substitutes_and_words(str(direction)) for word in words}


def substitutes_and_words(direction: str) -> Iterator[tuple[tuple[_Word, ...], tuple[_Word, ...]]]:
    """What words are read as, and these words."""
    rows = (line.split("\t") for line in lines_of(_FOLDER))
    substitutes: tuple[_Word, ...] = ()
    for are_substitutes, lines in groupby(rows, lambda row: row[0] == _SUBSTITUTE):
        words = tuple(
            _word(english, german) if direction == "en-de" else _word(german, english)
            for way, english, german in lines
            if are_substitutes or way in WAYS[direction]
        )
        if are_substitutes:
            substitutes = words
        else:
            yield substitutes, words


def _word(source: str, target: str) -> _Word:
    listed = source.removeprefix(_INSIDE)
    return _Word(_forms(listed), _forms(target.removeprefix(_INSIDE)), listed != source, listed[:_TO] in _VERBS)


def _forms(listed: str) -> tuple[str, ...]:
    """Igel, Igels; lettisch~ is an adjective with its endings, and as the name of a language; to knit, zu niesen."""
    if conjugated := _VERBS.get(listed[:_TO]):
        return conjugated(listed[_TO:].split(", "))
    forms: list[str] = []
    for form in listed.split(", "):
        if form.endswith(_ADJECTIVE):
            stem = form.removesuffix(_ADJECTIVE)
            forms += [with_capital(stem) + ending for ending in _ENDINGS[0]]
            forms += [stem + ending for ending in _ENDINGS[1]]
        else:
            forms.append(form)
    return tuple(forms)


def _written(word: _Word, direction: str) -> Iterator[tuple[str, int]]:
    """Its forms and their numbers, of equal ones the first; Buchs beside Buches, where one alone is listed.

    Of English verbs whose past is like their base that comes first, see `_is_verb`.
    """
    if direction == "en-de" and word.is_verb and word.source[_PAST] == word.source[_BASE]:
        yield word.source[_PAST], _PAST
    yield from ((form, word.source.index(form)) for form in dict.fromkeys(word.source))
    genitives = f"{word.source[0]}s", f"{word.source[0]}es"
    if direction == "de-en" and word.source[1:2] and word.source[1] in genitives:
        yield from ((form, 1) for form in genitives if form not in word.source)


@cache
def _read(direction: str) -> Mapping[str, Sequence[_Form]]:
    """All forms of the words of one direction, by their first word and the next: zu begins hundreds of infinitives.

    The longest come first, then those whose prefix stands apart, and verbs before nouns.
    """
    forms: dict[str, list[_Form]] = {}
    for substitutes, words in substitutes_and_words(direction):
        for word in words:
            for written, number in _written(word, direction):
                if first := _WORD.match(written):
                    verb, _, prefix = written.partition(APART)
                    following = _NEXT_WORD.match(verb, first.end())
                    its = forms.setdefault(first[0], [])
                    its = forms.setdefault(first[0] + following[0], []) if following else its
                    its.append(_Form(verb, prefix, number, word, substitutes))
    for its in forms.values():
        its.sort(key=lambda form: (len(form.written), form.prefix, form.word.is_verb), reverse=True)
    return forms
