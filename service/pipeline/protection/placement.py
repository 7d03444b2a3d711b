"""Where in a translation each thing kept goes: for its stand-in, wherever the network has put that, or lost it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit, blank, is_word
from service.pipeline.numbers.amounts import ANY_CURRENCY, sign_of
from service.pipeline.numbers.scales import SCALES
from service.pipeline.numbers.words import Words
from service.pipeline.protection.stand_in_compounds import split_compound
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from service.pipeline.pieces import Item, Protected
    from service.types import Link

__all__ = ["Placed", "place_stand_ins", "with_signs_moved", "with_space"]

_GLUED = re.compile(r"[^\W\d_]+(?!\d)")
_LOOSE_HYPHEN = re.compile(r"-(?=\s)(?!\s(?:und|oder|bis|sowie|bzw\.|and|or|to)\b)")
"""Not as in X1- und X2-Dateien."""
_ARROWS = re.compile("[\u2190-\u21ff]+")
"""What no compound begins with, whatever the network makes of its stand-in."""

_LONGEST_ENDING = 2
"""Letters right after a stand-in: as many are an ending that it was given, and go; more are a word."""

_PRICE = {
    "en": re.compile(rf"(?<![\w.,–-])(\d[\d.,]{{0,20}}(?<=\d)(?:\s(?:{SCALES['en']}))?)\s?$"),
    "de": re.compile(rf"\s?(\d[\d.,]{{0,20}}(?<=\d)(?:\s(?:{SCALES['de']}))?)(?![\w–-]|\s[–-]|[.,]\d)"),
}
"""Before a sign that English has before it, and after one that German has after it."""
_RANGE_OR_NUMBER = re.compile(r"(?:\d|[–-])\s?$")
_LONGEST_PRICE = 40
_BARE_NUMBER = re.compile(r"(?<![\d.,:/-])[1-9][0-9]?(?![\d/]|[.,:]\d)")
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Placed:
    """An edit of what the network wrote; `item` is what it puts there, if it does."""

    edit: Edit
    item: Item | None = None

    @property
    def is_guess(self) -> bool:
        """Whether it replaces nothing: the network has lost the stand-in."""
        return self.edit.span.start == self.edit.span.end


def with_signs_moved(placed: Iterable[Placed], target: str, language: str) -> Iterator[Placed]:
    """The same, but signs of currencies that were kept are on the side of their number where the language has them."""
    for one in placed:
        span, item = one.edit.span, one.item
        is_sign = item and sign_of(item.output) == ANY_CURRENCY and one.edit.text == item.output and not one.is_guess
        price = _price_beside(span, target, language) if is_sign else None
        if not item or not price:
            yield one
        elif language == "en":
            yield Placed(Edit(Span(price.start, price.start), item.output), item)
            yield Placed(Edit(Span(price.end, span.end), ""))
        else:
            yield Placed(Edit(Span(span.start, price.start), ""))
            yield Placed(Edit(Span(price.end, price.end), f" {item.output}"), item)


def _price_beside(sign: Span, target: str, language: str) -> Span | None:
    """The price that a sign stands on the wrong side of: in English before it, in German after it."""
    if language == "en":
        before = max(0, sign.start - _LONGEST_PRICE)
        found = _PRICE["en"].search(target[before : sign.start])
        is_other = target[sign.end : sign.end + 1].isdigit()
        return Span(before + found.start(1), before + found.end(1)) if found and not is_other else None
    found = _PRICE["de"].match(target, sign.end)
    return Span(*found.span(1)) if found and not _RANGE_OR_NUMBER.search(target[: sign.start]) else None


def place_stand_ins(protected: Protected, target: str, links: Sequence[Link], language: str) -> list[Placed]:
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
            placed.append(Placed(Edit(Span(span.start, span.end + 1), "")))  # the sentence has no such letter
    rest = blank(target, [one.edit.span for one in placed])
    bare = [one for one in _BARE_NUMBER.finditer(rest) if int(one[0]) <= len(protected.items)]
    placed += _bare_numbers_placed(protected, target, bare, waiting, language)
    compounds = (split_compound(protected, one.item, target, one.edit.span.end, language) for one in placed if one.item)
    placed += [Placed(edit) for edit in compounds if edit]
    lost: dict[int, list[Item]] = {}
    for item in waiting.values():
        place = _place(item.shown, protected.text, target, links)
        inside = (one.edit.span.end for one in placed if one.edit.span.start < place < one.edit.span.end)
        lost.setdefault(next(inside, place), []).append(item)
    return [*placed, *chain.from_iterable(_inserted(target, place, items) for place, items in lost.items())]


def _bare_numbers_placed(
    protected: Protected, target: str, found: Sequence[re.Match[str]], waiting: dict[int, Item], language: str
) -> Iterator[Placed]:
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


def _substituted(protected: Protected, target: str, span: Span, item: Item | None) -> Placed:
    """The item for its stand-in, apart from words that the network has joined with it; nothing for what is none."""
    if item is None:
        return Placed(Edit(with_space(target, span, (True, False)), ""))
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
        is_arrow = _ARROWS.fullmatch(item.output)
        span = Span(span.start, span.end + bool(is_arrow or _LOOSE_HYPHEN.match(target, span.end)))
        trail = " " if is_arrow else trail
    tight = item.tight[0], item.tight[1] and not _lost_ending(protected.text, item, target, span.end)
    return Placed(Edit(with_space(target, span, tight), lead + item.output + trail), item)


def _lost_ending(text: str, item: Item, target: str, end: int) -> bool:
    """Whether a stand-in, ending at `end` of the target, stands before another word than its ending was: {n}s ago."""
    ending, word = (_GLUED.match(one, at + 1) for one, at in ((text, item.shown.end), (target, end)))
    return bool(ending and word and len(ending[0]) <= _LONGEST_ENDING < len(word[0]))


def _has_genitive(text: str, item: Item) -> bool:
    """Whether 's follows the stand-in of a thing that may have an s in German, too: {name}s Profil, but not :names."""
    may_have = item.output.startswith("%") or not item.output[-1:].isalnum()
    return may_have and text.startswith(("'s", "’s"), item.shown.end)


def _inserted(target: str, place: int, items: Sequence[Item]) -> Iterator[Placed]:
    """Several items at one place, with white space around them."""
    for number, item in enumerate(items, 1):
        lead = " " if number > 1 or (place > 0 and not target[place - 1].isspace()) else ""
        trail = " " if number == len(items) and is_word(target, place) else ""
        yield Placed(Edit(Span(place, place), lead + item.output + trail), item)


def with_space(text: str, span: Span, sides: tuple[bool, bool]) -> Span:
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


def _stand_ins(letter: str) -> re.Pattern[str]:
    """What may be a stand-in: X1; where no letter is before it, also x1 and X 1; and a lone X, its number lost.

    Of those in compounds, as X-Datei, an X-ray is none: in German no X is in it.
    """
    numbered = rf"(?:(?<![^\W\d_])(?i:{letter}) ?|{letter})([0-9]{{1,3}})(?![0-9])"
    return re.compile(
        rf"{numbered}|(?<![\w'’-]){letter}(?![\w'’-])|(?<![\w'’-])(?P<compound>{letter})(?=-\w)(?!-[Rr]ay)"
    )
