"""What must not be translated leaves the sentence before the network reads it; `restoration` puts it back.

In its place the network reads a stand-in, X1, X2 and so on, which it nearly always copies to where the thing belongs.
Tags, signs of emphasis, enumerators and white space written as a code are not shown to it at all: they follow the words
they stood at.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit, apply, is_word
from service.pipeline.finders.glossary import find_terms
from service.pipeline.finders.placeholders import (
    BRACKET,
    EMPHASIS,
    ENUMERATOR,
    find_placeholders,
    merge_spans,
)
from service.pipeline.pieces import Item, Mark, Protected
from service.pipeline.protection.entities import without_entities
from service.pipeline.protection.rereading import with_entities_read
from service.types import Inline, InlineKind, Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from service.pipeline.finders.match import Match
    from service.types import Term

__all__ = ["protect"]

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
    rf"|\\[nrt]|&(?:nbsp|ensp|emsp|thinsp|#160|#[xX][aA]0);|{EMPHASIS}|{BRACKET}|{ENUMERATOR}|{_THREE_QUOTES}"
)
_TAG = re.compile(r"<(/?+)([A-Za-z][\w:.-]*+|[0-9]++)[^<>]*?(/?)>")
_EMPHASIS = re.compile(EMPHASIS)
_LONE_SIGN = re.compile(rf"(?<!\S){EMPHASIS}(?=[.,;:!?)]?(?:\s|\Z))")
"""Not around anything: the == operator."""
_OPENS = {"[": "[", "[[": "[[", "((": "((", "]": "[", "]]": "[[", "))": "(("}
"""Brackets, by which opens each."""
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
        return with_entities_read(Protected(sentence, sentence))
    strings = frozenset(sentence[span.start : span.end] for span in found) - {""}
    marks = [span for span in spans if _is_mark(sentence, span)]
    items = _joined(sentence, [span for span in spans if not _is_mark(sentence, span)], marks)
    outputs = [(span, sentence[span.start : span.end], False) for span in items]
    outputs += [(match.span, match.target, True) for match in matches]
    tags = sum(len(_MARK.findall(sentence, span.start, span.end)) for span in marks)
    if max(len(found), len(outputs) + tags) > _MOST_ITEMS:
        strings, outputs, marks = frozenset({sentence}), [(Span(0, len(sentence)), sentence, False)], []
    hidden = _hidden(sentence, sorted(outputs, key=lambda one: one[0].start), marks)
    return with_entities_read(hidden._replace(kept=strings))


def _fills(sentence: str, span: Span, match: Match) -> bool:
    """Whether something kept is part of a match, and of its translation as well."""
    is_inside = match.span.start <= span.start and span.end <= match.span.end
    return is_inside and sentence[span.start : span.end] in match.target


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
