"""What must not be translated leaves the sentence before the network reads it, and comes back afterwards.

In its place the network reads a stand-in, X1, X2 and so on, which it nearly always copies to where the thing belongs.
Tags, signs of emphasis, enumerators and white space written as a code are not shown to it at all: they follow the words
they stood at.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from service.pipeline.amounts import sign_of
from service.pipeline.currencies import DOLLAR, find_prices, without_dollars
from service.pipeline.edits import Edit, Edited, apply
from service.pipeline.glossary import find_terms
from service.pipeline.numbers import check_numbers
from service.pipeline.numerals import in_words
from service.pipeline.orthography import Respelled, in_capitals
from service.pipeline.placeholders import EMPHASIS, ENUMERATOR, find_placeholders, merge_spans
from service.pipeline.punctuation import check_punctuation
from service.pipeline.tagging import place_inlines
from service.types import Inline, InlineKind, Link, Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from model.bundle import Direction
    from service.pipeline.glossary import Match
    from service.types import Term

__all__ = ["Protected", "Restored", "in_dollars", "protect", "reread", "restore"]

_LETTERS = "XQZVJKWHGUYNTRPDLBMFCAEIOS"
"""Stand-ins begin with the first that no digit follows in the sentence; the first two have been measured."""

_MOST_ITEMS = 100
"""A sentence with more than that in it is no prose: it stays as it is."""

_LIKE_STAND_IN = re.compile(r"([A-Za-z])(?: ?[0-9]|(?<!\w[A-Za-z])(?!\w))")
_GLUED = re.compile(r"[^\W\d_]+(?!\d)")
_LOOSE_HYPHEN = re.compile(r"-(?=\s)(?!\s(?:und|oder|bis|sowie|bzw\.|and|or|to)\b)")
"""Not as in X1- und X2-Dateien."""

_LONGEST_ENDING = 2
"""Letters right after a stand-in: as many are an ending that it was given, and go; more are a word."""

_BARE_NUMBER = re.compile(r"(?<![\d.,:/-])[1-9][0-9]?(?![\d/]|[.,:]\d)")
_DIGITS = re.compile(r"\d+")
_PUNCTUATION = re.compile(r"[^\w\s]*")
_WORD = re.compile(r"\S+")
_MARK = re.compile(
    r"<!--(?:[^<>-]|-(?!->))*+-->|</?+(?:[A-Za-z][^<>]{0,500}+|[0-9]{1,2}+/?+)>"
    rf"|\\[nrt]|&(?:nbsp|ensp|emsp|thinsp|#160|#[xX][aA]0);|{EMPHASIS}|{ENUMERATOR}"
)
_TAG = re.compile(r"<(/?+)([A-Za-z][\w:.-]*+|[0-9]++)[^<>]*?(/?)>")
_EMPHASIS = re.compile(EMPHASIS)
_ENUMERATOR = re.compile(ENUMERATOR)
_VOID = {"area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
_SEPARATES = re.compile(r"\\|&|</?(?:br|hr|p|div|li|td|th|tr|h[1-6])\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Item:
    """Something kept, or a term: `source` in the sentence, its stand-in at `shown`, `output` in the translation.

    `tight`: a letter or digit stands directly before it, and after it.
    """

    source: Span
    shown: Span
    output: str
    is_term: bool
    tight: tuple[bool, bool]


@dataclass(frozen=True, slots=True)
class _Mark:
    """What is not shown; instead of it the network sees a space if `is_space`, else nothing."""

    inline: Inline
    is_space: bool


@dataclass(frozen=True, slots=True)
class Protected:
    """A sentence, and `text`, which the network is to read instead; of that, `capitals` are to be in capitals again.

    `is_corrected`: whether words of it have been taken for misspelt. `currency`: the sign that dollars stand for.
    """

    sentence: str
    text: str
    items: tuple[_Item, ...] = ()
    marks: tuple[_Mark, ...] = ()
    letter: str = ""
    edited: Edited | None = None
    kept: frozenset[str] = frozenset()
    capitals: tuple[Span, ...] = ()
    is_corrected: bool = False
    currency: str = ""

    @property
    def translatable(self) -> bool:
        """Whether words are left for the network to read; if not, `text` itself is what to restore."""
        return any(map(str.isalpha, _blank(self.text, [(item.shown, "") for item in self.items])))


@dataclass(frozen=True, slots=True)
class Restored:
    """The translation with everything in its place; `links` join it and the sentence.

    `flags` are ``spelling`` where words were taken for misspelt; ``kept`` and ``term`` where the network lost a
    stand-in and the place of what it stood for was guessed, or the sentence was left untranslated for its sake; and
    ``number`` where a number is wrong.
    """

    text: str
    links: Sequence[Link]
    flags: tuple[str, ...] = ()


# ----------------------------------------------------------------------------------------- protect


def protect(sentence: str, kept: Sequence[Span], terms: Sequence[Term], known: Sequence[Match] = ()) -> Protected:
    """Take out of a sentence what must survive: `kept`, what its form shows, a glossary's terms, and others `known`."""
    found = [*(_stripped(sentence, span) for span in kept), *find_placeholders(sentence)]
    spans: Sequence[Span] = merge_spans(found)
    matches = find_terms(sentence, terms, spans)
    for one in known[:_MOST_ITEMS]:
        others = [span for span in spans if not _fills(sentence, span, one)]
        if not any(map(one.span.meets, [*others, *(match.span for match in matches)])):
            matches.append(one)
            spans = others
    if not spans and not matches:
        return Protected(sentence, sentence)
    strings = frozenset(sentence[span.start : span.end] for span in found) - {""}
    marks = [span for span in spans if _is_mark(sentence, span)]
    items = _joined(sentence, [span for span in spans if not _is_mark(sentence, span)], marks)
    outputs = [(span, sentence[span.start : span.end], False) for span in items]
    outputs += [(match.span, match.term.target, True) for match in matches]
    tags = sum(len(_MARK.findall(sentence, span.start, span.end)) for span in marks)
    if max(len(found), len(outputs) + tags) > _MOST_ITEMS:
        strings, outputs, marks = frozenset({sentence}), [(Span(0, len(sentence)), sentence, False)], []
    return replace(_hidden(sentence, sorted(outputs, key=lambda one: one[0].start), marks), kept=strings)


def _fills(sentence: str, span: Span, match: Match) -> bool:
    """Whether something kept is part of a match, and of its translation as well."""
    is_inside = match.span.start <= span.start and span.end <= match.span.end
    return is_inside and sentence[span.start : span.end] in match.term.target


def reread(protected: Protected, read: Respelled) -> Protected:
    """Have the network read some words of ``protected.text`` otherwise, none of which is a stand-in."""
    edited, capitals, is_corrected = read
    if not edited.new and not capitals:
        return protected
    return replace(
        protected,
        text=edited.text,
        items=tuple(replace(item, shown=edited.forth(item.shown)) for item in protected.items),
        marks=tuple(replace(mark, inline=_shifted(mark.inline, edited)) for mark in protected.marks),
        edited=protected.edited.then(edited) if protected.edited else edited,
        capitals=capitals,
        is_corrected=is_corrected,
    )


def in_dollars(protected: Protected, currency: str) -> Protected:
    """Have the network read the prices of a currency as dollars; there are no others."""
    prices = find_prices(protected.text, {currency})
    read = reread(protected, Respelled(apply(protected.text, [Edit(price, DOLLAR) for price in prices])))
    return replace(read, currency=currency if prices else "")


def _shifted(inline: Inline, edited: Edited) -> Inline:
    return replace(inline, at=edited.forth(Span(inline.at, inline.at)).start)


def _stripped(sentence: str, span: Span) -> Span:
    """Without white space at its ends."""
    text = sentence[span.start : span.end]
    start = span.start + len(text) - len(text.lstrip())
    return Span(start, start + len(text.strip()))


def _is_mark(sentence: str, span: Span) -> bool:
    end = span.start
    while end < span.end and (mark := _MARK.match(sentence, end, span.end)):
        end = mark.end()
    return end == span.end


def _joined(sentence: str, spans: Sequence[Span], marks: Sequence[Span]) -> list[Span]:
    """Spans with nothing but punctuation between them have become one: it belongs to them."""
    between = {mark.start for mark in marks}
    joined: list[Span] = []
    for span in spans:
        last = joined[-1].end if joined else span.start
        if (
            joined
            and _PUNCTUATION.fullmatch(sentence, last, span.start)
            and between.isdisjoint(range(last, span.start))
        ):
            joined[-1] = Span(joined[-1].start, span.end)
        else:
            joined.append(span)
    return joined


def _hidden(sentence: str, outputs: Sequence[tuple[Span, str, bool]], marks: Sequence[Span]) -> Protected:
    """Write the text that the network reads.

    Args:
        sentence: as it is.
        outputs: what gets a stand-in, in order: where it is, what stands for it in the translation, whether a term.
        marks: what is not shown, in order.
    """
    used = {match[1].upper() for match in _LIKE_STAND_IN.finditer(sentence)}
    letter = next((one for one in _LETTERS if one not in used), _LETTERS[0])
    stand_ins = []
    for number, (span, _, _) in enumerate(outputs, 1):
        before, after = _is_word(sentence, span.start - 1), _is_word(sentence, span.end)
        stand_ins.append(Edit(span, f"{' ' * before}{letter}{number}{' ' * after}"))
    gone = [edit for span in marks for edit in _unmarked(sentence, span)]
    edits = sorted([*stand_ins, *gone], key=lambda edit: edit.span.start)
    edited = apply(sentence, edits)
    items, codes = [], []
    rest = iter(outputs)
    for edit, old, new in zip(edits, edited.old, edited.new, strict=True):
        if not edit.text.strip():
            code = sentence[old.start : old.end]
            is_before = _ENUMERATOR.match(code, 1)  # what follows
            codes.append((new.end if is_before else new.start, code, edit.text == " "))
            continue
        span, output, is_term = next(rest)
        tight = edit.text[0] == " ", edit.text[-1] == " "
        items.append(_Item(span, Span(new.start + tight[0], new.end - tight[1]), output, is_term, tight))
    return Protected(sentence, edited.text, tuple(items), _elements(codes), letter, edited)


def _is_word(text: str, place: int) -> bool:
    return 0 <= place < len(text) and text[place].isalnum()


def _unmarked(sentence: str, span: Span) -> Iterator[Edit]:
    """Take away each mark of a run, so that words it separated stay apart by one space."""
    before = span.start == 0 or sentence[span.start - 1].isspace()
    after = span.end == len(sentence) or sentence[span.end].isspace()
    found = [Span(*mark.span()) for mark in _MARK.finditer(sentence, span.start, span.end)]
    separates = any(_SEPARATES.match(sentence, mark.start) for mark in found)
    if 0 < span.start < span.end < len(sentence) and before and after and _ENUMERATOR.match(sentence, span.start):
        yield Edit(Span(span.start - 1, span.end + 1), " ")
        return
    if before and after and span.end < len(sentence):
        found[-1] = Span(found[-1].start, span.end + 1)
    elif before and after and span.start > 0:
        found[0] = Span(span.start - 1, found[0].end)
    yield from (Edit(mark, "") for mark in found[:-1])
    yield Edit(found[-1], " " if separates and not before and not after else "")


def _elements(codes: Sequence[tuple[int, str, bool]]) -> tuple[_Mark, ...]:
    """Marks as inline markup: where, its code, whether a space is shown. A tag and its counterpart are one element."""
    opened: dict[str, list[int]] = {}
    ends: dict[int, int] = {}
    for number, (_, code, _) in enumerate(codes):
        tag = _TAG.search(code)
        if _EMPHASIS.fullmatch(code):
            name, opens = code, not opened.get(code)  # the same at both ends
        elif tag and not tag[3] and tag[2].lower() not in _VOID:
            name, opens = tag[2].lower(), not tag[1]
        else:
            continue
        waiting = opened.setdefault(name, [])
        if opens:
            waiting.append(number)
        elif waiting:
            ends[number] = waiting.pop()
    starts = set(ends.values())
    marks = []
    for number, (at, code, is_space) in enumerate(codes):
        kind = InlineKind.CLOSE if number in ends else InlineKind.OPEN if number in starts else InlineKind.SINGLE
        marks.append(_Mark(Inline(at, code, kind, ends.get(number, number)), is_space))
    return tuple(marks)


def _stand_ins(letter: str) -> re.Pattern[str]:
    """What may be a stand-in: X1; where no letter is before it, also x1 and X 1; and a lone X, its number lost.

    Of those in compounds, as X-Datei, an X-ray is none: in German no X is in it.
    """
    numbered = rf"(?:(?<![^\W\d_])(?i:{letter}) ?|{letter})([0-9]{{1,3}})(?![0-9])"
    return re.compile(
        rf"{numbered}|(?<![\w'’-]){letter}(?![\w'’-])|(?<![\w'’-])(?P<compound>{letter})(?=-\w)(?!-[Rr]ay)"
    )


# ----------------------------------------------------------------------------------------- restore


@dataclass(frozen=True, slots=True)
class _Placed:
    """An edit of what the network wrote; `item` is what it puts there, if it does."""

    edit: Edit
    item: _Item | None = None


def restore(protected: Protected, target: str, links: Sequence[Link], direction: Direction) -> Restored:
    """Put everything in its place, and numbers and punctuation marks right.

    Whatever `target` is, everything kept is in the result as often as it was taken out, and no more often than it is in
    the sentence; only a single word of letters alone may be, being a word of the other language too.

    Args:
        protected: the sentence.
        target: what the network made of ``protected.text``.
        links: between these two; without any, places are guessed where stand-ins do not show them.
        direction: of the translation.
    """
    placed = _stand_ins_placed(protected, target, links, direction.source) if protected.items else []
    flags = {"term" if one.item.is_term else "kept" for one in placed if one.item and _is_guess(one)}
    source = _blank(protected.text, [(item.shown, sign_of(item.output)) for item in protected.items])
    put = [(one.edit.span, sign_of(one.item.output) if one.item else "") for one in placed]
    repair = check_numbers(source, _blank(target, put), links, direction)
    marks = check_punctuation(protected.text, target, links, direction.target)
    placed += [_Placed(Edit(span, text)) for span, text in (*repair.edits, *marks)]
    if protected.currency:
        placed = _in_currency(protected.currency, placed, target, direction.target)
    flags |= set() if repair.sound else {"number"}
    flags |= {"spelling"} if protected.is_corrected else set()
    placed += _marks_placed(protected, target, links)
    placed += _capitals_placed(protected, target, links, placed)
    if not placed and not protected.edited:
        return Restored(target, links, tuple(flags))
    placed.sort(key=lambda one: (one.edit.span.start, one.edit.span.end))
    edited = apply(target, [one.edit for one in placed])
    if not _is_complete(protected, edited.text):
        return _untranslated(protected.sentence, {*flags, "kept"})
    return Restored(edited.text, tuple(_links(protected, placed, edited, links)), tuple(sorted(flags)))


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
        if number or not one["compound"]:
            placed.append(_substituted(protected, target, Span(*one.span()), waiting.pop(number, None)))
    rest = _blank(target, [(one.edit.span, "") for one in placed])
    bare = [one for one in _BARE_NUMBER.finditer(rest) if int(one[0]) <= len(protected.items)]
    placed += _bare_numbers_placed(protected, target, bare, waiting, language)
    lost: dict[int, list[_Item]] = {}
    for item in waiting.values():
        place = _place(item.shown, protected.text, target, links)
        inside = (one.edit.span.end for one in placed if one.edit.span.start < place < one.edit.span.end)
        lost.setdefault(next(inside, place), []).append(item)
    return [*placed, *chain.from_iterable(_inserted(target, place, items) for place, items in lost.items())]


def _bare_numbers_placed(
    protected: Protected, target: str, found: Sequence[re.Match[str]], waiting: dict[int, _Item], language: str
) -> Iterator[_Placed]:
    """What to put for the numbers of stand-ins that have lost their letter, if the sentence has no such number.

    One that stands alone is the stand-in itself, one at the end of a word is a leftover.
    """
    if not found:
        return
    source = _blank(protected.text, [(item.shown, "") for item in protected.items])
    words = in_words(source, language).numbers
    known = {*_DIGITS.findall(source), *(words - {"1"} if 1 in waiting else words)}  # 1 may be an article
    for one in found:
        if one[0] not in known:
            item = None if _is_word(target, one.start() - 1) else waiting.pop(int(one[0]), None)
            yield _substituted(protected, target, Span(*one.span()), item)


def _substituted(protected: Protected, target: str, span: Span, item: _Item | None) -> _Placed:
    """The item for its stand-in, apart from words that the network has joined with it; nothing for what is none."""
    if item is None:
        return _Placed(Edit(_with_space(target, span, (True, False)), ""))
    glued = _GLUED.match(target, span.end)
    lead = " " if not item.tight[0] and span.start > 0 and target[span.start - 1].isalpha() else ""
    trail = ""
    if glued and not item.tight[1]:
        is_ending = glued.end() - glued.start() <= _LONGEST_ENDING
        span, trail = (Span(span.start, glued.end()), "") if is_ending else (span, " ")
    if target.startswith("-", span.end) and not protected.text.startswith("-", item.shown.end):
        span = Span(span.start, span.end + bool(_LOOSE_HYPHEN.match(target, span.end)))
    return _Placed(Edit(_with_space(target, span, item.tight), lead + item.output + trail), item)


def _inserted(target: str, place: int, items: Sequence[_Item]) -> Iterator[_Placed]:
    """Several items at one place, with white space around them."""
    for number, item in enumerate(items, 1):
        lead = " " if number > 1 or (place > 0 and not target[place - 1].isspace()) else ""
        trail = " " if number == len(items) and _is_word(target, place) else ""
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


def _in_currency(currency: str, placed: Sequence[_Placed], target: str, language: str) -> list[_Placed]:
    """The same edits and those of dollars, so that all prices are in another currency."""
    edited = [
        one if one.item else _Placed(Edit(one.edit.span, one.edit.text.replace(DOLLAR, currency))) for one in placed
    ]
    taken = {place for one in placed for place in range(one.edit.span.start, one.edit.span.end)}
    for span, text in without_dollars(target, currency, language):
        if taken.isdisjoint(range(span.start, span.end)):
            edited.append(_Placed(Edit(span, text)))
    return edited


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
            code = code if _is_word(target, span.end) else code.rstrip()
        placed.append(_Placed(Edit(span, code)))
    return placed


def _capitals_placed(
    protected: Protected, target: str, links: Sequence[Link], placed: Sequence[_Placed]
) -> list[_Placed]:
    """Capitals for what was in capitals, but not where something else is placed."""
    spans = in_capitals(protected.capitals, protected.text, target, links)
    free = [span for span in spans if not any(one.edit.span.meets(span) for one in placed)]
    return [_Placed(Edit(span, target[span.start : span.end].upper())) for span in free]


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


def _blank(text: str, spans: Sequence[tuple[Span, str]]) -> str:
    """The text with spaces for the characters of spans, but for the sign that is given with each, if there is room."""
    ordered = sorted(spans, key=lambda one: one[0].start)
    edits = [Edit(span, sign.ljust(span.end - span.start)[: span.end - span.start]) for span, sign in ordered]
    return apply(text, edits).text if edits else text
