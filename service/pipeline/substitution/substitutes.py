"""Words that the network does not know are read as others of their kind that it knows: a hedgehog as a tiger.

What it writes for that becomes what the other language calls the word that was meant, in the same form: *des Tigers* is
*des Igels*. So articles and endings are right, which they would not be around a stand-in.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from service.pipeline.conjugation import APART, BASE, PRESENT
from service.pipeline.edits import Edit, blank, with_capital
from service.pipeline.pieces import Substitute
from service.pipeline.repairs.articles import article_before
from service.pipeline.substitution.listed_forms import BEGIN, PREFIX_APART, WORD, find_forms, first_form
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from model.bundle import Dictionary, Direction
    from service.pipeline.substitution.listed_words import Form, Word

__all__ = ["find_substitutes", "find_word", "has_substitutes", "without_substitutes"]

_FIRST_PART = "-"
_ENDS = re.compile(r"[.,:;!?…]*")

_NEVER_COPIED = {"die", "half", "hat", "kind", "war"}
"""Forms of what words are read as that are frequent words of the other language."""
_START = attrgetter("span.start")

_LETTERS = re.compile(r"[^\W_]+")
"""What a form begins with, and where it may begin."""

_MOST = 20
"""Words of a sentence; one with more is a list of them, and stays as it is."""

_MOST_SPACES = 10
"""Within a listed word, which may be several: in Schutt und Asche legen."""

_BEFORE_COMMAND = re.compile(r"\W*(?:(?:do not|don['’]t|never|always|first|then|now|finally),? )?", re.IGNORECASE)
"""What may be before a verb that is a command: Do not renovate it."""

_ARTICLE = re.compile(r"(?<!\w)(?P<a>[Aa])n? $")
_LONGEST_ARTICLE = 4
_ATTRIBUTE = re.compile(r"(?<=[\w,] )[^\W\d_]+e[nrsm]? (?=[A-ZÄÖÜ])")
"""An adjective in a German sentence, which the network often gives the capital that it has in English."""
_GENITIVE = re.compile(r"(?<!\w)(?:des|(?:[mdsk]?ein|ihr|unser|eur)es)(?: [^\W\d_]+en)? $", re.IGNORECASE)
"""Before a German noun that is in the genitive, whose ending the network often leaves out."""
_DATIVE = re.compile(r"(?<!\w)(?:den|aus|bei|mit|nach|seit|von|zu)(?: [^\W\d_]+en)? $", re.IGNORECASE)
"""Before a German plural that is in the dative, whose ending it leaves out as well."""
_LONGEST_CASE = 40
_DEGREE = re.compile(r"(?<!\w)(?P<degree>[Mm]o(?:re|st)) $")
_LONGEST_DEGREE = 6
_SHORT_ADJECTIVE = re.compile(
    "bland|blunt|bold|brave|brief|bright|calm|clear|crude|cute|fair|fierce|frail|harsh|hoarse|lame|loud|meek|neat|pale|plain"
    "|plump|rare|ripe|rough|shrewd|slight|steep|strange|swift|tame|tough|vile|warm|[a-z]{2,6}[^aeioul]y"
)
"""English ones that are compared by an ending: braver, not more brave."""
_ZU = "zu"
_MUTE = re.compile("e?$")
_REST = r"(?:en|es(?!ch)|er|n|s(?!ch)|e)?-?(?P<rest>[a-zäöüß]{3,})"
"""What follows the first part of a German compound."""


class _Meant(NamedTuple):
    """The forms of a word that the network has read, and what is meant by each, in any case.

    In small letters: `forms` by what they begin with, the longest first, and the `verbs` whose `prefix` stands apart,
    which is `twice` where the network writes it before a form that has it, as it may write *zu*.
    """

    read: AbstractSet[str]
    in_any_case: Mapping[str, str]
    forms: Mapping[str, Sequence[str]]
    verbs: AbstractSet[str]
    prefix: re.Pattern[str] | None
    twice: str


class _Written(NamedTuple):
    """Where the network has written a form, and its prefix if that stands apart."""

    span: Span
    prefix: Span | None = None


def find_substitutes(
    text: str, direction: Direction, dictionary: Dictionary | None = None
) -> tuple[list[Edit], tuple[Substitute, ...]]:
    """What the network is to read for words of a text, and what is to become of what it writes for that.

    Each word is read as another one, and as none that the text has itself. A command is read as one that is right in a
    command, if there is one: *Sell it* is *Verkauf es*, *Replace it* *Ersetzen Sie es*; so is one in -ing.
    The dictionary is of the source language.
    """
    found = [] if text.isupper() else [*find_forms(text, direction, dictionary)]
    if not 0 < len(found) <= _MOST:
        return [], ()
    rest = blank(text, [span for one in found for span in (one.span, one.prefix, *(edit.span for edit in one.frame))])
    words = {one[0].lower() for one in WORD.finditer(rest)}
    used: dict[Word, Word] = {}
    edits: list[Edit] = []
    counts = Counter(one.form.word for one in found)
    for span, prefix, form, frame in found:
        if form.word not in used:
            substitute = _free(form.substitutes, words, is_command=_is_command(text, span, form))
            if not substitute:
                continue
            used[form.word] = substitute
            words.update(map(str.lower, substitute.source))
        read, _, read_prefix = used[form.word].source[form.number].partition(APART)
        is_first = BEGIN.fullmatch(text, 0, span.start) is not None
        has_capital = text[span.start].isupper() and (is_first or form.written[0].islower())  # an Allen key: a bucket
        edits += _replaced(text, span, with_capital(read) if has_capital else read, direction.source)
        edits += [_with_prefix(prefix, read_prefix)] if form.prefix else []
        edits += frame
    return sorted(edits, key=_START), tuple(_substitute(read, word, counts[word]) for word, read in used.items())


def _is_command(text: str, span: Span, form: Form) -> bool:
    is_verb = form.word.is_verb and form.number in {BASE, PRESENT}
    return is_verb and _BEFORE_COMMAND.fullmatch(text, 0, span.start) is not None


def _free(substitutes: Sequence[Word], words: AbstractSet[str], *, is_command: bool) -> Word | None:
    """The first that has no form among some words, and is right in a command if it is for one."""
    free = (one for one in substitutes if words.isdisjoint(map(str.lower, one.source)))
    first = next(free, None)
    if first and is_command and first.is_homograph:
        return next((one for one in free if not one.is_homograph), first)
    return first


def find_word(text: str, direction: Direction, dictionary: Dictionary | None = None) -> str | None:
    """What the other language calls a word that is all of a text, with its capital and what ends it.

    None if it is not listed, or not as it is in the list. The network has nothing to go by then.
    """
    if text.count(" ") > _MOST_SPACES:
        return None
    found = first_form(text, direction, dictionary)
    if not found or found.form.number > 0:
        return None
    form = found.form
    rest, word = text[len(form.written) :], form.word.target[0]
    return (with_capital(word) if text[0].isupper() else word) + rest if _ENDS.fullmatch(rest) else None


def _substitute(read: Word, word: Word, count: int) -> Substitute:
    copied = tuple(form for form in read.source if form not in read.target and form.lower() not in _NEVER_COPIED)
    return Substitute(read.target, word.target, count, copied)


def without_substitutes(text: str, substitutes: Sequence[Substitute], language: str) -> tuple[list[Edit], bool]:
    """What to write for the words that the network has read instead, to have those meant.

    Returns:
        Edits, in order, and whether none of the words is missing after them.
    """
    edits: list[Edit] = []
    is_complete = True
    words = _words(text) if substitutes else []
    for one in substitutes:
        forms, found, compounds = _found(text, words, one, language)
        edits += [edit for written in found for edit in _as_meant(text, written, forms, one, language)]
        edits += compounds
        is_complete = is_complete and len(found) + len(compounds) >= one.count
    return sorted(edits, key=_START), is_complete


def has_substitutes(text: str, substitutes: Sequence[Substitute], language: str) -> bool:
    """Whether none of the words is missing, as `without_substitutes` tells, and none is there too often."""
    words = _words(text) if substitutes else []
    found = ((one, _found(text, words, one, language)) for one in substitutes)
    return all(len(forms) + len(compounds) == one.count for one, (_, forms, compounds) in found)


def _words(text: str) -> list[tuple[int, str]]:
    """Where each word of a text is, and the word in small letters."""
    return [(word.start(), word[0].lower()) for word in _LETTERS.finditer(text)]


def _found(
    text: str, words: Sequence[tuple[int, str]], one: Substitute, language: str
) -> tuple[_Meant, list[_Written], list[Edit]]:
    """The forms of a word, where they are, and what to write for compounds with it if some are missing."""
    forms = _meant(one.read, one.meant)
    found = [*_find(text, words, forms)]
    if len(found) < one.count and one.copied:
        forms = _meant((*one.read, *one.copied), (*one.meant, *(one.meant[0] for _ in one.copied)))
        found = [*_find(text, words, forms)]
    has_compounds = language == "de" and one.read[0][0].isupper() and len(found) < one.count
    return forms, found, [*_compounds(text, one)] if has_compounds else []


def _find(text: str, words: Sequence[tuple[int, str]], forms: _Meant) -> Iterator[_Written]:
    """Where its forms are, none within another."""
    end = 0
    for start, word in [one for one in words if one[1] in forms.forms]:
        if start < end:
            continue
        if form := next((form for form in forms.forms[word] if _is_at(start, text, form)), None):
            end = start + len(form)
            yield _Written(Span(start, end))
        elif word in forms.verbs and forms.prefix and (apart := forms.prefix.match(text, start + len(word))):
            end = apart.end()
            yield _Written(Span(start, start + len(word)), Span(*apart.span("prefix")))


def _is_at(start: int, text: str, form: str) -> bool:
    """Whether the form is there, in any case, and no part of a longer word."""
    end = start + len(form)
    return text[start:end].lower() == form and not _LETTERS.match(text, end)


def _as_meant(text: str, written: _Written, forms: _Meant, one: Substitute, language: str) -> Iterator[Edit]:
    """What to write for one place where the network has written a form."""
    span, apart = written
    form = text[span.start : span.end] + (f"{APART}{text[apart.start : apart.end]}" if apart else "")
    if form.lower() in forms.read and _ATTRIBUTE.match(text, span.start):
        form = form.lower()
    word, _, prefix = (forms.in_any_case.get(form) or forms.in_any_case[form.lower()]).partition(APART)
    word = _in_case(word, one.meant, text, span.start) if language == "de" else word
    word = word.removesuffix(".") if text.startswith(".", span.end) else word  # at 6:00 p.m.
    begins = form[0].isupper() and form not in forms.read
    if language == "en" and (compared := _compared(text, span, word)):
        yield compared
        return
    yield from _replaced(text, span, with_capital(word) if begins else word, language)
    if apart:
        yield _with_prefix(apart, prefix)
    elif forms.twice and form.lower().startswith(forms.twice):
        before = _ZU if form.lower().startswith(forms.twice + _ZU) else forms.twice
        if text.endswith(f" {before} ", 0, span.start):
            yield Edit(Span(span.start - len(before) - 1, span.start), "")


@lru_cache(maxsize=1024)
def _meant(read: Sequence[str], meant: Sequence[str]) -> _Meant:
    """Candidates of a sentence are all read with the same, and words recur."""
    words = dict(zip(reversed(read), reversed(meant), strict=True))  # of equal forms the first counts
    apart = [form.split(APART) for form in words if APART in form]
    forms: dict[str, list[str]] = defaultdict(list)
    for form in sorted((form.lower() for form in words if APART not in form), key=len, reverse=True):
        forms[_LETTERS.findall(form)[0]].append(form)
    verbs = {verb.lower() for verb, _ in apart}
    forms.update((verb, []) for verb in verbs - forms.keys())
    return _Meant(
        words.keys(),
        {form.lower(): word for form, word in words.items()} | words,
        forms,
        verbs,
        re.compile(PREFIX_APART.format(apart[0][1]), re.IGNORECASE) if apart else None,
        apart[0][1] if apart else "",
    )


def _replaced(text: str, span: Span, word: str, language: str) -> Iterator[Edit]:
    """A word, and in English its article."""
    article = _ARTICLE.search(text, max(0, span.start - _LONGEST_ARTICLE), span.start) if language == "en" else None
    if article and (fitting := article["a"] + article_before(word)[1:]) != text[article.start() : span.start - 1]:
        yield Edit(Span(article.start(), span.start - 1), fitting)
    yield Edit(span, word)


def _compared(text: str, span: Span, word: str) -> Edit | None:
    """Braver for *more effective*: of a word that is compared by an ending, with what compares it in the text."""
    degree = _DEGREE.search(text, max(0, span.start - _LONGEST_DEGREE), span.start)
    if not degree or not _SHORT_ADJECTIVE.fullmatch(word):
        return None
    ending = "er" if degree["degree"].endswith("re") else "est"
    stem = f"{word[:-1]}i" if word.endswith("y") else word.removesuffix("e")
    compared = stem + ending
    return Edit(Span(degree.start(), span.end), with_capital(compared) if degree[0][0].isupper() else compared)


def _with_prefix(span: Span, prefix: str) -> Edit:
    """That of the other verb; where it has none, the blank before it goes, too."""
    return Edit(span if prefix else Span(span.start - 1, span.end), prefix)


def _in_case(word: str, forms: Sequence[str], text: str, start: int) -> str:
    """A German noun that starts there in the case that what is before it needs: des Gast is des Gastes."""
    singular, genitive, plural, dative = (*forms, "", "", "")[:4]
    before = max(0, start - _LONGEST_CASE), start
    if word == singular and genitive.endswith("s") and _GENITIVE.search(text, *before):
        return genitive
    is_plural = word == plural != singular and dative == f"{plural}n"
    return dative if is_plural and _DATIVE.search(text, *before) else word


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
