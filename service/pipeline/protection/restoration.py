"""What was kept from the network comes back into what it wrote; numbers, punctuation and articles are put right."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from service.pipeline.alignment.links import LazyLinks
from service.pipeline.alignment.tagging import place_inlines
from service.pipeline.edits import Edit, Edited, apply, blank
from service.pipeline.finders.dollars import DOLLAR, without_dollars
from service.pipeline.finders.quantities import without_megabytes
from service.pipeline.normalisation.orthography import in_capitals
from service.pipeline.numbers.amounts import ANY_CURRENCY, sign_of
from service.pipeline.numbers.checking import check_numbers
from service.pipeline.numbers.numerals import Words
from service.pipeline.numbers.scales import SCALES
from service.pipeline.protection.compounds import split_compound
from service.pipeline.protection.entities import encode, encoded
from service.pipeline.protection.stand_ins import is_word
from service.pipeline.protection.substitutes import without_substitutes
from service.pipeline.repairs.articles import check_articles
from service.pipeline.repairs.copies import find_copies
from service.pipeline.repairs.negation import loses_negation
from service.pipeline.repairs.punctuation import check_punctuation
from service.pipeline.repairs.repetitions import find_repetitions
from service.pipeline.repairs.slips import find_slips
from service.types import Link, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from model.bundle import Dictionary, Direction
    from service.pipeline.pieces import Item, Protected

__all__ = ["Restored", "is_sound", "restore"]

_UNSOUND = frozenset({"kept", "negation", "number", "term"})
"""Flags of what another candidate may have right."""

_GLUED = re.compile(r"[^\W\d_]+(?!\d)")
_LOOSE_HYPHEN = re.compile(r"-(?=\s)(?!\s(?:und|oder|bis|sowie|bzw\.|and|or|to)\b)")
"""Not as in X1- und X2-Dateien."""

_LONGEST_ENDING = 2
"""Letters right after a stand-in: as many are an ending that it was given, and go; more are a word."""

_WITH_CAPITAL = re.compile(r"[\"'„“‚‘(\[]{0,3}[A-ZÄÖÜ](?:.*[.!?…][\"'“”‘’)\]]{0,3}|.{0,60})", re.DOTALL)
"""A sentence, or a label: what is longer may be a part of a sentence, and begin with a noun."""
_SMALL_START = re.compile(r"[\"'„“‚‘(\[]{0,3}(?P<word>[a-zäöü][a-zäöüß]*+)(?![\w./@-]|:\S)")

_CAPITAL_START = re.compile(r"(?!(?:Sie|Ihr(?:e[mnrs]?)?|Ihnen)\b)[A-ZÄÖÜ][a-zäöüß]*+(?![\w./@-])")
"""Of a German sentence; Sie has a capital wherever it is."""

_PRICE = {
    "en": re.compile(rf"(?<![\w.,–-])(\d[\d.,]{{0,20}}(?<=\d)(?:\s(?:{SCALES['en']}))?)\s?$"),
    "de": re.compile(rf"\s?(\d[\d.,]{{0,20}}(?<=\d)(?:\s(?:{SCALES['de']}))?)(?![\w–-]|\s[–-]|[.,]\d)"),
}
"""Before a sign that English has before it, and after one that German has after it."""
_RANGE_OR_NUMBER = re.compile(r"(?:\d|[–-])\s?$")
_LONGEST_PRICE = 40
_BARE_NUMBER = re.compile(r"(?<![\d.,:/-])[1-9][0-9]?(?![\d/]|[.,:]\d)")
_CURLY = frozenset("“”„‟«»")
_STRAIGHT = dict.fromkeys(map(ord, "“”„‟"), '"')
_DIGITS = re.compile(r"\d+")
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


@dataclass(frozen=True, slots=True)
class _Placed:
    """An edit of what the network wrote; `item` is what it puts there, if it does."""

    edit: Edit
    item: Item | None = None


class _Checked(NamedTuple):
    """What is to be put in place of stand-ins, of wrong numbers, and of what was read instead of what is `meant`.

    And all flags but of what gets lost.
    """

    placed: list[_Placed]
    numbers: Sequence[Edit]
    meant: Sequence[Edit]
    flags: set[str]


def restore(
    protected: Protected,
    target: str,
    links: Sequence[Link],
    direction: Direction,
    dictionaries: Mapping[Direction, Dictionary] = _NO_DICTIONARIES,
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
    """
    language = direction.target
    target = _with_quotes_of(protected.text, target)
    placed, numbers, meant, flags = _check(protected, target, links, direction)
    placed = list(_with_signs_moved(placed, target, language))
    marks = check_punctuation(protected.text, target, links, language)
    articles = _placed_apart(check_articles(protected.text, target, language), [*map(_Placed, meant)], 1)
    placed += [*map(_Placed, (*numbers, *marks)), *articles]
    if currency := protected.currency:
        dollars = without_dollars(target, currency, language)
        placed = _rewritten(placed, lambda text: text.replace(DOLLAR, currency), dollars)
    placed += map(_Placed, meant)
    if entities := protected.entities:
        placed = _rewritten(placed, lambda text: encoded(text, entities), encode(target, entities))
    placed += _marks_placed(protected, target, links)
    for apart, edits in (  # what they leave between themselves and what is placed already, which brings its own spaces
        (1, find_slips(protected.text, target, language)),
        (0, find_repetitions(protected.text, target) if language == "de" else ()),
        (1, find_copies(protected.text, target, dictionaries, direction)),
        (0, _capitals(protected, target, links)),
        (0, _start(protected, target, dictionaries.get(direction.reverse), language)),
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
    """Whether `restore` would have numbers, what was kept and what is denied in their places, without a guess."""
    if protected.kept:  # only the whole text tells whether everything is in it
        return _UNSOUND.isdisjoint(restore(protected, target, links, direction).flags)
    return _UNSOUND.isdisjoint(_check(protected, _with_quotes_of(protected.text, target), links, direction).flags)


def _check(protected: Protected, target: str, links: Sequence[Link], direction: Direction) -> _Checked:
    placed = _stand_ins_placed(protected, target, links, direction.source) if protected.items else []
    source = _signs_alone(protected.text, [(item.shown, item) for item in protected.items])
    written = _signs_alone(target, [(one.edit.span, one.item) for one in placed])
    repair = check_numbers(source, written, links, direction)
    units, has_units = without_megabytes(target, protected.quantities) if protected.quantities else ([], True)
    words, has_words = without_substitutes(target, protected.substitutes, direction.target)
    wrong = {
        "kept": not has_words,
        "negation": loses_negation(protected.text, target, direction),
        "number": not (repair.sound and has_units),
        "spelling": protected.is_corrected,
    }
    flags = {flag for flag, is_so in wrong.items() if is_so}
    flags |= {"term" if one.item.is_term else "kept" for one in placed if one.item and _is_guess(one)}
    return _Checked(placed, repair.edits, [*units, *words], flags)


def _with_quotes_of(source: str, target: str) -> str:
    """Straight quotation marks where the sentence has only such, so that all of a text are alike."""
    return target.translate(_STRAIGHT) if '"' in source and _CURLY.isdisjoint(source) else target


def _signs_alone(text: str, placed: Sequence[tuple[Span, Item | None]]) -> str:
    """The text with spaces for what is placed there, but for what must be seen beside a number, if there is room."""
    if not placed:
        return text
    edits = []
    for span, item in sorted(placed, key=lambda one: one[0].start):
        width = span.end - span.start
        edits.append(Edit(span, (sign_of(item.output) if item else "").ljust(width)[:width]))
    return apply(text, edits).text


def _with_signs_moved(placed: Iterable[_Placed], target: str, language: str) -> Iterator[_Placed]:
    """The same, but signs of currencies that were kept are on the side of their number where the language has them."""
    for one in placed:
        span, item = one.edit.span, one.item
        is_sign = item and sign_of(item.output) == ANY_CURRENCY and one.edit.text == item.output and not _is_guess(one)
        price = _price_beside(span, target, language) if is_sign else None
        if not item or not price:
            yield one
        elif language == "en":
            yield _Placed(Edit(Span(price.start, price.start), item.output), item)
            yield _Placed(Edit(Span(price.end, span.end), ""))
        else:
            yield _Placed(Edit(Span(span.start, price.start), ""))
            yield _Placed(Edit(Span(price.end, price.end), f" {item.output}"), item)


def _price_beside(sign: Span, target: str, language: str) -> Span | None:
    """The price that a sign stands on the wrong side of: in English before it, in German after it."""
    if language == "en":
        before = max(0, sign.start - _LONGEST_PRICE)
        found = _PRICE["en"].search(target[before : sign.start])
        is_other = target[sign.end : sign.end + 1].isdigit()
        return Span(before + found.start(1), before + found.end(1)) if found and not is_other else None
    found = _PRICE["de"].match(target, sign.end)
    return Span(*found.span(1)) if found and not _RANGE_OR_NUMBER.search(target[: sign.start]) else None


def _is_guess(placed: _Placed) -> bool:
    return placed.edit.span.start == placed.edit.span.end


def _stand_ins_placed(protected: Protected, target: str, links: Sequence[Link], language: str) -> list[_Placed]:
    """What to put for each stand-in, once; those the network lost go where the links say."""
    waiting = dict(enumerate(protected.items, 1))
    found = list(_stand_ins(protected.letter).finditer(target))
    named = {int(one[1]) for one in found if one[1]}
    unnamed = iter([number for number in waiting if number not in named])  # their digits may have been lost
    placed = []
    for one in sorted(found, key=lambda one: one["compound"] is not None):
        number = int(one[1]) if one[1] else next(unnamed, 0)
        span, item = Span(*one.span()), waiting.pop(number, None)
        if number or not one["compound"]:
            placed.append(_substituted(protected, target, span, item))
        else:
            placed.append(_Placed(Edit(Span(span.start, span.end + 1), "")))  # the sentence has no such letter
    rest = blank(target, [one.edit.span for one in placed])
    bare = [one for one in _BARE_NUMBER.finditer(rest) if int(one[0]) <= len(protected.items)]
    placed += _bare_numbers_placed(protected, target, bare, waiting, language)
    compounds = (split_compound(protected, one.item, target, one.edit.span.end, language) for one in placed if one.item)
    placed += [_Placed(edit) for edit in compounds if edit]
    lost: dict[int, list[Item]] = {}
    for item in waiting.values():
        place = _place(item.shown, protected.text, target, links)
        inside = (one.edit.span.end for one in placed if one.edit.span.start < place < one.edit.span.end)
        lost.setdefault(next(inside, place), []).append(item)
    return [*placed, *chain.from_iterable(_inserted(target, place, items) for place, items in lost.items())]


def _bare_numbers_placed(
    protected: Protected, target: str, found: Sequence[re.Match[str]], waiting: dict[int, Item], language: str
) -> Iterator[_Placed]:
    """What to put for the numbers of stand-ins that have lost their letter, if the sentence has no such number.

    One that stands alone is the stand-in itself, one at the end of a word is a leftover.
    """
    if not found:
        return
    source = blank(protected.text, [item.shown for item in protected.items])
    words, digits = Words(source, language), {*_DIGITS.findall(source)}
    articles = {"1"} if 1 in waiting else set()
    for one in found:
        if one[0] not in digits and (one[0] in articles or not words.has_number(one[0])):
            item = None if is_word(target, one.start() - 1) else waiting.pop(int(one[0]), None)
            yield _substituted(protected, target, Span(*one.span()), item)


def _substituted(protected: Protected, target: str, span: Span, item: Item | None) -> _Placed:
    """The item for its stand-in, apart from words that the network has joined with it; nothing for what is none."""
    if item is None:
        return _Placed(Edit(_with_space(target, span, (True, False)), ""))
    glued = _GLUED.match(target, span.end)
    lead = " " if not item.tight[0] and span.start > 0 and target[span.start - 1].isalpha() else ""
    trail = ""
    if glued and not item.tight[1]:
        is_ending = glued.end() - glued.start() <= _LONGEST_ENDING
        span, trail = (Span(span.start, glued.end()), "") if is_ending else (span, " ")
        if glued[0] == "s" and _has_genitive(protected.text, item):
            trail = "s"
    if item.output.endswith(".") and not item.output.endswith("..") and target.startswith(".", span.end):
        span = Span(span.start, span.end + 1)  # one point ends both "n. Chr." and the sentence
    if target.startswith("-", span.end) and not protected.text.startswith("-", item.shown.end):
        span = Span(span.start, span.end + bool(_LOOSE_HYPHEN.match(target, span.end)))
    tight = item.tight[0], item.tight[1] and not _lost_ending(protected.text, item, target, span.end)
    return _Placed(Edit(_with_space(target, span, tight), lead + item.output + trail), item)


def _lost_ending(text: str, item: Item, target: str, end: int) -> bool:
    """Whether a stand-in, ending at `end` of the target, stands before another word than its ending was: {n}s ago."""
    ending, word = (_GLUED.match(one, at + 1) for one, at in ((text, item.shown.end), (target, end)))
    return bool(ending and word and len(ending[0]) <= _LONGEST_ENDING < len(word[0]))


def _has_genitive(text: str, item: Item) -> bool:
    """Whether 's follows the stand-in of a thing that may have an s in German, too: {name}s Profil, but not :names."""
    may_have = item.output.startswith("%") or not item.output[-1:].isalnum()
    return may_have and text.startswith(("'s", "’s"), item.shown.end)


def _inserted(target: str, place: int, items: Sequence[Item]) -> Iterator[_Placed]:
    """Several items at one place, with white space around them."""
    for number, item in enumerate(items, 1):
        lead = " " if number > 1 or (place > 0 and not target[place - 1].isspace()) else ""
        trail = " " if number == len(items) and is_word(target, place) else ""
        yield _Placed(Edit(Span(place, place), lead + item.output + trail), item)


def _with_space(text: str, span: Span, sides: tuple[bool, bool]) -> Span:
    """The span, and the white space before it, and after it, where asked for."""
    start = len(text[: span.start].rstrip()) if sides[0] else span.start
    end = len(text) - len(text[span.end :].lstrip()) if sides[1] else span.end
    return Span(start, end)


def _place(shown: Span, text: str, target: str, links: Sequence[Link]) -> int:
    """Where to put what the network lost: after what it followed, else before what it preceded, else in proportion."""
    before = [(link.source.end, link.target.end) for link in links if link.source.end <= shown.start]
    if before:
        return max(before)[1]
    after = [(link.source.start, link.target.start) for link in links if link.source.start >= shown.end]
    if after:
        return min(after)[1]
    place = len(target) * shown.start // max(1, len(text))
    return next((space.start() for space in re.finditer(r"\s", target) if space.start() >= place), len(target))


def _rewritten(placed: Sequence[_Placed], write: Callable[[str], str], edits: Iterable[Edit]) -> list[_Placed]:
    """The same edits, in other writing unless they are of items, and more edits where none of them is."""
    taken = {place for one in placed for place in range(one.edit.span.start, one.edit.span.end)}
    free = (edit for edit in edits if taken.isdisjoint(range(edit.span.start, edit.span.end)))
    written = (one if one.item else _Placed(Edit(one.edit.span, write(one.edit.text))) for one in placed)
    return [*written, *map(_Placed, free)]


def _marks_placed(protected: Protected, target: str, links: Sequence[Link]) -> list[_Placed]:
    """Marks follow their words; one that was shown as a space takes the place of a space."""
    if not protected.marks:
        return []
    is_space = {(mark.inline.element, mark.inline.kind): mark.is_space for mark in protected.marks}
    placed = []
    for inline in place_inlines(protected.text, [mark.inline for mark in protected.marks], links, target):
        span, code = Span(inline.at, inline.at), inline.code
        if is_space[inline.element, inline.kind]:
            span = _with_space(target, span, (True, True))
            code = code if span.start > 0 else code.lstrip()
            code = code if is_word(target, span.end) else code.rstrip()
        placed.append(_Placed(Edit(span, code)))
    return placed


def _placed_apart(edits: Iterable[Edit], placed: Sequence[_Placed], apart: int) -> list[_Placed]:
    """Edits with so many characters or more between them and all that is placed."""
    taken = [Span(one.edit.span.start - apart, one.edit.span.end + apart) for one in placed]
    return [_Placed(edit) for edit in edits if not any(map(Span(edit.span.start, edit.span.end + apart).meets, taken))]


def _capitals(protected: Protected, target: str, links: Sequence[Link]) -> Iterator[Edit]:
    """Capitals for what was in capitals."""
    for span in in_capitals(protected.capitals, protected.text, target, links):
        yield Edit(span, target[span.start : span.end].upper())


def _start(protected: Protected, target: str, back: Dictionary | None, language: str) -> Iterator[Edit]:
    """A capital for what begins with one, but for a word that the source has as well, such as a command.

    After the greeting of a letter, English always has one, and German none but for nouns and Sie: what is no noun there
    becomes a word with a capital, by the dictionary of the way back.
    """
    if protected.is_greeted and language == "de":
        first = _CAPITAL_START.match(target)
        if (
            first
            and back
            and first[0].lower() in back
            and all(one[:1].isupper() for one in back.translations(first[0])[:1])
        ):
            yield Edit(Span(0, 1), target[0].lower())
        return
    small = _SMALL_START.match(target)
    begins = protected.is_greeted or (
        _WITH_CAPITAL.fullmatch(protected.text)
        and not (small and re.search(rf"(?<!\w){small['word']}(?!\w)", protected.text))
    )
    if small and begins:
        place = small.start("word")
        yield Edit(Span(place, place + 1), target[place].upper())


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


def _links(protected: Protected, placed: Sequence[_Placed], edited: Edited, links: Sequence[Link]) -> Iterator[Link]:
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


def _stand_ins(letter: str) -> re.Pattern[str]:
    """What may be a stand-in: X1; where no letter is before it, also x1 and X 1; and a lone X, its number lost.

    Of those in compounds, as X-Datei, an X-ray is none: in German no X is in it.
    """
    numbered = rf"(?:(?<![^\W\d_])(?i:{letter}) ?|{letter})([0-9]{{1,3}})(?![0-9])"
    return re.compile(
        rf"{numbered}|(?<![\w'’-]){letter}(?![\w'’-])|(?<![\w'’-])(?P<compound>{letter})(?=-\w)(?!-[Rr]ay)"
    )
