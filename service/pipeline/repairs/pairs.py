"""Do quotation marks and brackets stand in a translation as in its sentence?

One of a pair that was lost comes back at the edge of the words that stand for those within it, if these stand together.
Where both are gone they stay so: technical English has names of commands without quotation marks.
Quotation marks are straight if the sentence has only such (see `with_quotes_of`) or the network begins with one, else
those of the language.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from service.pipeline.edits import Edit
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from service.types import Link

__all__ = ["SINGLES", "check_pairs", "with_quotes_of"]

_QUOTES = re.compile('["“”„‟«»]')
_STRAIGHT = {'"': '""', "'": "''"}
_USUAL = {"en": "“”", "de": "„“"}
"""What opens and closes a quotation."""
_USUAL_SINGLE = {"en": "‘’", "de": "‚‘"}
SINGLES = "'’‘‚‛‹›"
"""Single quotation marks."""
_NO_QUOTE = r"(?!(?i:n|nem|nen|ner|nes|ne|nem|s|rauf|raus|rein|ran|cause|em|round|tis|twas|til|\d{2}s?)\b)"
"""Follows a mark that is no apostrophe, as in 'tis, rock 'n' roll, 'ne and the '90s."""
_ANY_QUOTES = re.compile(rf"[\"“”„‟«»]|(?<!\w)[{SINGLES}](?=\S){_NO_QUOTE}|(?<=\S)[{SINGLES}](?!\w)")
"""Quotation marks of either kind; a single one is no apostrophe between letters."""
_GENITIVE = re.compile("(?<=[sxzß])['’]")
_BRACKETS = {"()": re.compile(r"[()]"), "[]": re.compile(r"[\[\]]")}
_BEFORE_OPENING = re.compile(r"[^\w.,;:!?…)\]%]")
_MOST_MARKS = 40
"""Of one kind, in a sentence and its translation; what has more is no prose."""

_SINGLE = re.compile(r"(?<!\w)['’‘‚‛‹›]|['’‘‚‛‹›](?!\w)")
"""A quotation mark within another one, and no apostrophe between letters."""
_SENTENCE_END = re.compile(r"[.!?…]+")
_SIGNS_OF_AMOUNTS = "%€$£°"
_WORD = re.compile(r"[^\W_]+")
_PAIRED = re.compile('["“”„‟«»()\\[\\]]')
_OF_NO_WORD = re.compile(rf"[.,;:!?…]|{_PAIRED.pattern}")

_CURLY = frozenset("“”„‟«»")
_MADE_STRAIGHT = dict.fromkeys(map(ord, _CURLY), '"')


class _Mark(NamedTuple):
    """One of a pair."""

    place: int
    opens: bool


class _Written(NamedTuple):
    """Where a mark of the translation is, or goes, whether it opens, and where the sentence has it if it was lost."""

    span: Span
    opens: bool
    origin: int = -1


class _Correction(NamedTuple):
    """What to change, and where the sentence has a mark that was lost: in one place they are in its order."""

    edit: Edit
    origin: int = -1


def _place_and_origin(correction: _Correction) -> tuple[int, int, int]:
    span = correction.edit.span
    return span.start, span.end, correction.origin


def with_quotes_of(source: str, target: str) -> str:
    """Straight quotation marks where the sentence has only such, so that all of a text are alike."""
    return target.translate(_MADE_STRAIGHT) if '"' in source and _CURLY.isdisjoint(source) else target


def check_pairs(source: str, target: str, links: Sequence[Link], language: str) -> list[Edit]:
    """Compare the marks that come in pairs in a sentence and its translation, of a language: what to change in that."""
    if not (_PAIRED.search(source) or _PAIRED.search(target) or _SINGLE.search(source)):  # as in most sentences
        return []
    corrections = [
        *_check_quotes(source, target, links, language),
        *_check_brackets(source, target, links),
        *_check_within(source, target),
    ]
    return [one.edit for one in sorted(corrections, key=_place_and_origin)]


def _check_quotes(source: str, target: str, links: Sequence[Link], language: str) -> Iterator[_Correction]:
    """Quotation marks; single ones where there are no others."""
    ours, theirs = _quotation_marks(source), _quotation_marks(target)
    if not ours and _are_pairs(singles := _any_quotation_marks(source)):
        ours, theirs = singles, _any_quotation_marks(target)
    if ours and _opens(ours) != _opens(theirs) and not _SINGLE.search(source):
        either = _any_quotation_marks(target)  # some are single ones instead
        theirs = either if not theirs or _opens(either) == _opens(ours) else theirs
    if ours:
        doubled = _doubled(ours, theirs, target, language)
        yield from (_Correction(Edit(Span(mark.place, mark.place + 1), "")) for mark in doubled)
        theirs = [mark for mark in theirs if mark not in doubled]
        marks = [target[mark.place] for mark in theirs] or [source[mark.place] for mark in ours]
        is_double = source[ours[0].place] not in SINGLES
        pair = _style(sorted(marks, key=lambda mark: is_double and mark in SINGLES), language)
        written = _Comparison(source, target, links, comma_within=language == "en").written(ours, theirs)
        yield from _corrections(written, pair, source, target)


def _check_brackets(source: str, target: str, links: Sequence[Link]) -> Iterator[_Correction]:
    """Those of each kind by themselves."""
    for pair, pattern in _BRACKETS.items():
        ours, theirs = _brackets(source, pair, pattern), _brackets(target, pair, pattern)
        if _opens(ours) != _opens(theirs) and _are_closed(ours):
            if surplus := _doubled_bracket(ours, theirs):
                yield _Correction(Edit(Span(surplus.place, surplus.place + 1), ""))
                continue
            written = _Comparison(source, target, links).written(ours, theirs)
            yield from _corrections(written, pair, source, target)


def _check_within(source: str, target: str) -> Iterator[_Correction]:
    """No space just within quotation marks, where the network has lost a word."""
    found = [*_spaces_within(target)]
    if found and not any(_spaces_within(source)):
        yield from (_Correction(Edit(span, "")) for span in found)


def _spaces_within(text: str) -> Iterator[Span]:
    marks = _quotation_marks(text)
    for mark in marks if _are_pairs(marks) else ():
        place = mark.place + 1 if mark.opens else mark.place - 1
        if text[place : place + 1] == " " and text[place - 1 : place] != " ":
            yield Span(place, place + 1)


def _quotation_marks(text: str, pattern: re.Pattern[str] = _QUOTES) -> list[_Mark]:
    """All of a text. They open before a word and close after one; where it may be either, they take turns."""
    marks: list[_Mark] = []
    for place in (found.start() for found in pattern.finditer(text)):
        before, after = text[max(0, place - 1) : place], text[place + 1 : place + 2]
        may_open = bool(after) and not after.isspace() and (not before or bool(_BEFORE_OPENING.match(before)))
        may_close = bool(before) and not before.isspace() and not after.isalnum()
        in_turn = not (marks and marks[-1].opens)
        marks.append(_Mark(place, in_turn if may_open == may_close else may_open))
    return marks


def _any_quotation_marks(text: str) -> list[_Mark]:
    """Single ones, too, but for apostrophes as in Hans' Haus."""
    marks: list[_Mark] = []
    for mark in _quotation_marks(text, _ANY_QUOTES):
        is_apostrophe = _GENITIVE.match(text, mark.place) and not (marks and marks[-1].opens)
        if not is_apostrophe:
            marks.append(mark)
    return marks


def _brackets(text: str, pair: str, pattern: re.Pattern[str]) -> list[_Mark]:
    return [_Mark(found.start(), found[0] == pair[0]) for found in pattern.finditer(text)]


def _opens(marks: Sequence[_Mark]) -> list[bool]:
    return [mark.opens for mark in marks]


def _take_turns(marks: Sequence[_Mark]) -> bool:
    return all(one.opens != other.opens for one, other in pairwise(marks))


def _are_pairs(marks: Sequence[_Mark]) -> bool:
    """Whether one opens and the next one closes, to the end: an apostrophe after a word would be one too many."""
    return len(marks) % 2 == 0 and _take_turns(marks) and _are_closed(marks)


def _are_closed(marks: Sequence[_Mark]) -> bool:
    """Whether each that opens has one that closes. A smile has not."""
    return not marks or (marks[0].opens and not marks[-1].opens)


def _style(marks: Sequence[str], language: str) -> str:
    """What opens and closes a quotation of which these are known: straight marks if the first is one."""
    usual = _USUAL_SINGLE if marks[0] in SINGLES else _USUAL
    return _STRAIGHT.get(marks[0], usual[language])


def _doubled(ours: Sequence[_Mark], theirs: Sequence[_Mark], target: str, language: str) -> list[_Mark]:
    """One too many, beside another one or with a point between: English has it after a comma, German before it."""
    if len(theirs) != len(ours) + 1:
        return []
    for one, other in pairwise(theirs):
        between = target[one.place + 1 : other.place]
        is_after = between == "," and language == "en" and not _SENTENCE_END.match(target, one.place - 1)
        surplus = one if is_after else other
        rest = [mark for mark in theirs if mark != surplus]
        if between in {"", ","} and _opens(rest) == _opens(ours):
            return [surplus]
    return []


def _doubled_bracket(ours: Sequence[_Mark], theirs: Sequence[_Mark]) -> _Mark | None:
    """One too many, beside another one."""
    if not len(theirs) == len(ours) + 1 <= _MOST_MARKS:
        return None
    for one, other in pairwise(theirs):
        rest = [mark for mark in theirs if mark != other]
        if other.place == one.place + 1 and other.opens == one.opens and _opens(rest) == _opens(ours):
            return other
    return None


def _corrections(written: Sequence[_Written], pair: str, source: str, target: str) -> Iterator[_Correction]:
    """What to write for the marks, with the space before one that has been lost."""
    for span, opens, origin in written:
        mark = pair[0] if opens else pair[1]
        if target[span.start : span.end] != mark:
            is_apart = origin > 0 and source[origin - 1].isspace() and target[: span.start][-1:].isalnum()
            yield _Correction(Edit(span, f" {mark}" if opens and is_apart else mark), origin)


@dataclass(frozen=True, slots=True)
class _Comparison:
    """A sentence and its translation. `comma_within`: whether a comma stands before what closes a quotation."""

    source: str
    target: str
    links: Sequence[Link]
    comma_within: bool = False

    def written(self, ours: Sequence[_Mark], theirs: Sequence[_Mark]) -> list[_Written]:
        """All marks of the translation and one that it lacks, in order; none if it is not clear where they belong."""
        if len(ours) + len(theirs) > _MOST_MARKS or not _take_turns(ours):
            return []
        written = [_Written(Span(mark.place, mark.place + 1), mark.opens) for mark in theirs]
        if _opens(ours) == _opens(theirs):
            return written
        index = _lost(ours, theirs)
        span = None if index is None else self._place(index, ours, theirs)
        if index is None or span is None:
            return []
        return sorted([*written, _Written(span, ours[index].opens, ours[index].place)], key=lambda one: one.span.start)

    def _place(self, index: int, ours: Sequence[_Mark], theirs: Sequence[_Mark]) -> Span | None:
        """Where the translation lacks a mark: at the edge of what stands for the words within the pair."""
        place, opens = ours[index]
        start = ours[index - 1].place + 1 if index else 0
        end = ours[index + 1].place if index + 1 < len(ours) else len(self.source)
        inside = Span(place + 1, end) if opens else Span(start, place)
        found = self._translated(inside)
        at_edge = not _WORD.search(self.source, *((0, place) if opens else (place,)))
        if found is None or (len(ours) == 1 and not at_edge):
            return None
        if opens:
            last = theirs[index].place if index < len(theirs) else found.end
            spans = [*([Span(self._first_word(), last)] if at_edge else []), Span(found.start, last)]
        else:
            first = theirs[index - 1].place + 1 if index and theirs else found.start
            spans = [*([Span(first, self._last_word())] if at_edge else []), Span(first, found.end)]
        span = next((one for one in spans if self._stands_together(inside, one, theirs)), None)
        if span is None:
            return None
        return (
            self._opening(span.start, self.source[place + 1 : place + 2]) if opens else self._closing(span.end, place)
        )

    def _translated(self, inside: Span) -> Span | None:
        """From the first to the last word that stands for one of the words within a pair."""
        words = [link.target for link in self.links if link.source.meets(inside) and self._is_word(link.target)]
        return Span(min(word.start for word in words), max(word.end for word in words)) if words else None

    def _first_word(self) -> int:
        word = _WORD.search(self.target)
        return word.start() if word else len(self.target)

    def _last_word(self) -> int:
        end = len(self.target)
        while end and not self.target[end - 1].isalnum():
            end -= 1
        return end

    def _is_word(self, span: Span) -> bool:
        return not _OF_NO_WORD.fullmatch(self.target, span.start, span.end)

    def _stands_together(self, inside: Span, found: Span, theirs: Sequence[_Mark]) -> bool:
        """Whether there is no other mark, nor a word that stands for one outside of the pair alone."""
        if found.start >= found.end or any(found.start <= mark.place < found.end for mark in theirs):
            return False
        there = [link for link in self.links if link.target.meets(found) and self._is_word(link.target)]
        own = {link.target.start for link in there if link.source.meets(inside)}
        return all(link.target.start in own for link in there)

    def _opening(self, start: int, first: str) -> Span:
        """Before the words, and before another mark that stands between in the sentence (`first`)."""
        if start and _PAIRED.match(first) and _PAIRED.match(self.target, start - 1):
            return Span(start - 1, start - 1)
        return Span(start - self._is_single(start - 1), start)

    def _closing(self, end: int, place: int) -> Span:
        """After the words, and after what stands between them and the mark in the sentence."""
        if self._is_single(end):
            return Span(end, end + 1)
        if self.comma_within and self.target.startswith(",", end):
            return Span(end + 1, end + 1)
        last = self.source[place - 1]
        if last in _SIGNS_OF_AMOUNTS and self.target.startswith(last, end):
            return Span(end + 1, end + 1)
        pattern = next((one for one in (_SENTENCE_END, _PAIRED) if one.match(last)), None)
        between = pattern.match(self.target, end) if pattern else None
        return Span(between.end(), between.end()) if between else Span(end, end)

    def _is_single(self, place: int) -> bool:
        """Whether a mark of another kind stands there, which the sentence does not have."""
        return place >= 0 and bool(_SINGLE.match(self.target, place)) and not _SINGLE.search(self.source)


def _lost(ours: Sequence[_Mark], theirs: Sequence[_Mark]) -> int | None:
    """Which one is missing. The others tell, since they take turns."""
    if len(ours) != len(theirs) + 1:
        return None
    expected, found = _opens(ours), _opens(theirs)
    return next((index for index in range(len(ours)) if expected[:index] + expected[index + 1 :] == found), None)
