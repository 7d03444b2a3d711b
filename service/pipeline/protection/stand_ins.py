"""What must not be translated leaves the sentence before the network reads it; `restoration` puts it back.

In its place the network reads a stand-in, X1, X2 and so on, which it nearly always copies to where the thing belongs.
Tags, signs of emphasis, enumerators and white space written as a code are not shown to it at all: they follow the words
they stood at.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit, Edited, apply
from service.pipeline.finders.dollars import DOLLAR, find_prices
from service.pipeline.finders.glossary import find_terms
from service.pipeline.finders.placeholders import (
    DOUBLE_BRACKET,
    EMPHASIS,
    ENUMERATOR,
    find_placeholders,
    merge_spans,
)
from service.pipeline.finders.quantities import MEGABYTES, find_quantities
from service.pipeline.normalisation.expressions import with_plain_words
from service.pipeline.normalisation.orthography import Respelled
from service.pipeline.pieces import Item, Mark, Protected
from service.pipeline.protection.entities import find_entities, without_entities
from service.pipeline.protection.substitutes import find_substitutes
from service.types import Inline, InlineKind, Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from model.bundle import Dictionary, Direction
    from service.pipeline.finders.match import Match
    from service.types import Term

__all__ = ["in_dollars", "in_known_words", "in_megabytes", "in_plain_words", "is_word", "protect", "reread"]

_LETTERS = "XQZVJKWHGUYNTRPDLBMFCAEIOS"
"""Stand-ins begin with the first that no digit follows in the sentence; the first two have been measured."""

_MOST_ITEMS = 100
"""A sentence with more than that in it is no prose: it stays as it is."""

_LIKE_STAND_IN = re.compile(r"([A-Za-z])(?: ?[0-9]|(?<!\w[A-Za-z])(?!\w))")

_VALUE = re.compile(r"%|.*\}\Z", re.DOTALL)
"""What stands for something: {n}, %d."""
_ENDING = re.compile(r"(?:s|e?d|ing)(?!\w)")
_PUNCTUATION = re.compile(r"[^\w\s]*")
_THREE_QUOTES = '"""'
"""Around a docstring."""
_MARK = re.compile(
    r"<!--(?:[^<>-]|-(?!->))*+-->|</?+(?:[A-Za-z][^<>]{0,500}+|[0-9]{1,2}+/?+)>"
    rf"|\\[nrt]|&(?:nbsp|ensp|emsp|thinsp|#160|#[xX][aA]0);|{EMPHASIS}|{DOUBLE_BRACKET}|{ENUMERATOR}|{_THREE_QUOTES}"
)
_TAG = re.compile(r"<(/?+)([A-Za-z][\w:.-]*+|[0-9]++)[^<>]*?(/?)>")
_EMPHASIS = re.compile(EMPHASIS)
_LONE_SIGN = re.compile(rf"(?<!\S){EMPHASIS}(?=[.,;:!?)]?(?:\s|\Z))")
"""Not around anything: the == operator."""
_OPENS = {"[[": "[[", "((": "((", "]]": "[[", "))": "(("}
"""Double brackets, by which opens each."""
_ENUMERATOR = re.compile(ENUMERATOR)
_VOID = {"area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
_SEPARATES = re.compile(r"\\|&|</?(?:br|hr|p|div|li|td|th|tr|h[1-6])\b", re.IGNORECASE)


def protect(sentence: str, kept: Sequence[Span], terms: Sequence[Term], known: Sequence[Match] = ()) -> Protected:
    """Take out of a sentence what must survive: `kept`, what its form shows, a glossary's terms, and others `known`."""
    found = [without_entities(sentence, _with_ending(sentence, _stripped(sentence, span))) for span in kept]
    found += [without_entities(sentence, span) for span in find_placeholders(sentence)]
    spans: Sequence[Span] = merge_spans(found)
    matches = find_terms(sentence, terms, spans)
    for one in known[:_MOST_ITEMS]:
        others = [span for span in spans if not _fills(sentence, span, one)]
        if not any(map(one.span.meets, [*others, *(match.span for match in matches)])):
            matches.append(one)
            spans = others
    if not spans and not matches:
        return _decoded(Protected(sentence, sentence))
    strings = frozenset(sentence[span.start : span.end] for span in found) - {""}
    marks = [span for span in spans if _is_mark(sentence, span)]
    items = _joined(sentence, [span for span in spans if not _is_mark(sentence, span)], marks)
    outputs = [(span, sentence[span.start : span.end], False) for span in items]
    outputs += [(match.span, match.target, True) for match in matches]
    tags = sum(len(_MARK.findall(sentence, span.start, span.end)) for span in marks)
    if max(len(found), len(outputs) + tags) > _MOST_ITEMS:
        strings, outputs, marks = frozenset({sentence}), [(Span(0, len(sentence)), sentence, False)], []
    hidden = _hidden(sentence, sorted(outputs, key=lambda one: one[0].start), marks)
    return _decoded(replace(hidden, kept=strings))


def _fills(sentence: str, span: Span, match: Match) -> bool:
    """Whether something kept is part of a match, and of its translation as well."""
    is_inside = match.span.start <= span.start and span.end <= match.span.end
    return is_inside and sentence[span.start : span.end] in match.target


def reread(protected: Protected, read: Respelled) -> Protected:
    """Have the network read some words of ``protected.text`` otherwise, none of which is a stand-in."""
    edited, capitals, is_corrected, end_mark = read
    if not edited.new and not capitals:
        return protected
    return replace(
        protected,
        text=edited.text,
        items=tuple(replace(item, shown=edited.forth(item.shown)) for item in protected.items),
        marks=tuple(replace(mark, inline=_shifted(mark.inline, edited)) for mark in protected.marks),
        quantities=tuple(replace(one, unit=edited.forth(one.unit)) for one in protected.quantities),
        edited=protected.edited.then(edited) if protected.edited else edited,
        capitals=capitals,
        is_corrected=is_corrected,
        end_mark=end_mark,
    )


def _decoded(protected: Protected) -> Protected:
    """Have the network read the characters that entities stand for."""
    if not (edits := find_entities(protected.text)):
        return protected
    entities = tuple(dict.fromkeys(protected.text[edit.span.start : edit.span.end] for edit in edits))
    return replace(reread(protected, Respelled(apply(protected.text, edits))), entities=entities)


def in_dollars(protected: Protected, currency: str) -> Protected:
    """Have the network read the prices of a currency as dollars; there are no others."""
    prices = find_prices(protected.text, {currency})
    read = reread(protected, Respelled(apply(protected.text, [Edit(price, DOLLAR) for price in prices])))
    return replace(read, currency=currency if prices else "")


def in_megabytes(protected: Protected, direction: Direction) -> Protected:
    """Have the network read units that it knows too little as megabytes."""
    found = find_quantities(protected.text, protected.letter, direction)
    signs = {f"{protected.letter}{number}" for number, item in enumerate(protected.items, 1) if item.output[:1] == "&"}
    quantities = [one for one in found if one.number not in signs]  # an entity, as of <, is no number
    if not quantities:
        return protected
    apart = (" " if is_word(protected.text, one.unit.start - 1) else "" for one in quantities)
    edited = apply(
        protected.text, [Edit(one.unit, f"{space}{MEGABYTES}") for space, one in zip(apart, quantities, strict=True)]
    )
    return reread(replace(protected, quantities=tuple(quantities)), Respelled(edited))


def in_plain_words(protected: Protected, language: str) -> Protected:
    """Have the network read expressions that are not their words as plain ones."""
    edited = with_plain_words(protected.text, language)
    return reread(protected, Respelled(edited)) if edited.new else protected


def in_known_words(protected: Protected, direction: Direction, dictionary: Dictionary | None = None) -> Protected:
    """Have the network read words that it does not know as others of their kind."""
    edits, substitutes = find_substitutes(protected.text, direction, dictionary)
    if not edits:
        return protected
    return replace(reread(protected, Respelled(apply(protected.text, edits))), substitutes=substitutes)


def is_word(text: str, place: int) -> bool:
    """Whether a letter or digit is there."""
    return 0 <= place < len(text) and text[place].isalnum()


def _shifted(inline: Inline, edited: Edited) -> Inline:
    return replace(inline, at=edited.forth(Span(inline.at, inline.at)).start)


def _with_ending(sentence: str, span: Span) -> Span:
    """With the ending that the name of something was given: `Promise`s, `ref`ed."""
    found = _ENDING.match(sentence, span.end)
    is_name = found and span.start < span.end and not _VALUE.match(sentence, span.start, span.end)
    return Span(span.start, found.end()) if found and is_name and not _is_mark(sentence, span) else span


def _stripped(sentence: str, span: Span) -> Span:
    """Without white space at its ends."""
    text = sentence[span.start : span.end]
    start = span.start + len(text) - len(text.lstrip())
    return Span(start, start + len(text.strip()))


def _is_mark(sentence: str, span: Span) -> bool:
    end = span.start
    if (sign := _LONE_SIGN.match(sentence, end)) and sign.end() == span.end:
        return False
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
        before, after = is_word(sentence, span.start - 1), is_word(sentence, span.end)
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
        items.append(Item(span, Span(new.start + tight[0], new.end - tight[1]), output, is_term, tight))
    return Protected(sentence, edited.text, tuple(items), _elements(codes), letter, edited)


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


def _elements(codes: Sequence[tuple[int, str, bool]]) -> tuple[Mark, ...]:
    """Marks as inline markup: where, its code, whether a space is shown. A tag and its counterpart are one element."""
    opened: dict[str, list[int]] = {}
    ends: dict[int, int] = {}
    for number, (_, code, _) in enumerate(codes):
        tag = _TAG.search(code)
        if code == _THREE_QUOTES or _EMPHASIS.fullmatch(code):
            name, opens = code, not opened.get(code)  # the same at both ends
        elif code in _OPENS:
            name, opens = _OPENS[code], code == _OPENS[code]
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
        marks.append(Mark(Inline(at, code, kind, ends.get(number, number)), is_space))
    return tuple(marks)
