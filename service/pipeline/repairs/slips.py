"""Slips of a network that writes all places at once: two words in one, a mark or a space too many.

Text hardly ever has the like; where the sentence has, the translation keeps it.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit
from service.pipeline.numbers.numerals import has_digits
from service.pipeline.numbers.times_of_day import HALF_A_DAY
from service.pipeline.repairs.listed_slips import ANY_SLIP, DAYS_OF_MONTH, IN_BRACKETS, SLIPS
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from service.pipeline.repairs.listed_slips import Slip

__all__ = ["find_slips", "find_spaces"]


_WITH_ARTICLE = {"an": "am", "in": "am", "um": "am", "von": "vom", "zu": "zum"}
_WITHOUT_ARTICLE = re.compile(rf"\b(?i:{'|'.join(_WITH_ARTICLE)})(?= {DAYS_OF_MONTH})")
"""Von 3. Mai, von 3. bis 5. Mai."""
_ENDING = re.compile(r"(?<![\w.,/-])(?P<number>\d{2,})(?P<ending>e[nrs]?|n|(?<=\d{4})[st])(?![\w-])")
"""403en, of a word that was lost; but 30s is a time."""
_BARE_NUMBER = re.compile(r"(?<![\w.,])\d{2,}(?![\w-]|['’]s|[.,]\d)")
_NUMBER_OF_WORD = re.compile(r"(?<![\w.,])(\d{2,})(?:['’]s|[^\W\d_])")
"""1980 of 1980s."""
_GROUPS = re.compile(
    r"(?<![\w.,/-])(?!\d{1,3}(?: \d{3})+(?![\w-]| \d))"
    r"(?:\+\d{1,3} ?\(0\) ?)?\(?\d{2,9}\)?(?:[ -]\d{2,9}){1,5}(?![\w/-]|[.,]\d)"
)
"""0345 600 0000, of a telephone or an account; not 10 000 000."""
_MOST_GROUPS = 10
_FEWEST_DIGITS = 8
_ORDINAL = re.compile(r"(?<![\w.,])(\d{1,4})(st|nd|rd|th)(?!\w)")
_TEENS = (11, 12, 13)
_HALF_DAY = re.compile(r"(?<![\d.,:])(?P<hour>\d{1,2}):[0-5]\d\s?(?P<half>[ap])\.(?=\s|$)")
"""20:00 p., which was cut off."""

_GLUED = re.compile(r"(?<![\w.@/-])[A-ZÄÖÜ]?[a-zäöüß]{2,}(?:[A-ZÄÖÜ][a-zäöüß]{2,})+(?![\w@/]|[.:]\w)")
"""BildSteuerelement, PortlandOregon."""
_JOINT = re.compile(r"[A-ZÄÖÜ](?<=[a-zäöüß].)")

_LETTER = re.compile(r"[b-hj-np-zB-HJ-NP-Z] (?<![\w.'’\"/&%°-]\w )(?<![\d'’] \w )(?=[^\W\d_]{2})")
"""What is left of a word that the network began and gave up: einen P Wurf. Looking back last, it is found sooner."""


def find_spaces(source: str, target: str) -> Iterator[Edit]:
    """Spaces and commas just within brackets to take away; the word beside one may change as well."""
    return _listed(IN_BRACKETS, source, target)


def find_slips(source: str, target: str, language: str) -> Iterator[Edit]:
    """What to change in a translation, of a language, that has such slips; in no order, and none meets another."""
    if ANY_SLIP.search(target):
        yield from _listed(SLIPS[language], source, target)
    yield from _parted(source, target, language)
    if has_digits(target):
        yield from _groups_of_digits(source, target)
        if language == "en":
            yield from _ordinals(source, target)
            yield from _half_days(source, target)
        else:
            yield from _german_endings(source, target)
    for letter in _LETTER.finditer(target):
        if not re.search(rf"(?<![^\W\d_])(?<!\w['’]){letter[0].strip()}(?![^\W\d_])", source, re.IGNORECASE):
            begins = letter.start() == 0 and letter[0].isupper()
            yield Edit(Span(letter.start(), letter.end() + begins), target[letter.end()].upper() if begins else "")


def _listed(slips: Iterable[Slip], source: str, target: str) -> Iterator[Edit]:
    """Those that patterns find and the sentence does not excuse."""
    for slip, excuse, instead in slips:
        found = [Span(*one.span(1)) for one in slip.finditer(target)]
        if found and not excuse.search(source):
            for span in found:
                yield Edit(span, instead if isinstance(instead, str) else instead[target[span.start : span.end]])


def _groups_of_digits(source: str, target: str) -> Iterator[Edit]:
    """0345 600 0000 for 0345 600.0000: numbers of telephones and accounts have spaces where the sentence has them."""
    for number in islice(_GROUPS.finditer(source), _MOST_GROUPS):
        digits = re.findall(r"\d", number[0])
        if len(digits) < _FEWEST_DIGITS or number[0] in target:
            continue
        start = r"\+" if number[0].startswith("+") else r"\(?"
        for found in re.finditer(rf"(?<![\w.,/-]){start}{'[ .,/()-]{0,3}'.join(digits)}\)?(?!\w|[.,]\d)", target):
            yield Edit(Span(*found.span()), number[0])


def _german_endings(source: str, target: str) -> Iterator[Edit]:
    """Vom 3. Mai and 403 for "von 3. Mai" and "403en", if the sentence has but those."""
    for found in _WITHOUT_ARTICLE.finditer(target):
        word = _WITH_ARTICLE[found[0].lower()]
        yield Edit(Span(*found.span()), word if found[0].islower() else word.capitalize())
    numbers = {*_BARE_NUMBER.findall(source)} - {*_NUMBER_OF_WORD.findall(source)}
    for found in _ENDING.finditer(target):
        if found["number"] in numbers:
            yield Edit(Span(*found.span("ending")), "")


def _ordinals(source: str, target: str) -> Iterator[Edit]:
    """The ending that belongs to a number: 22nd for 22th."""
    for found in _ORDINAL.finditer(target):
        last = 0 if int(found[1]) % 100 in _TEENS else int(found[1]) % 10
        ending = ("th", "st", "nd", "rd")[last if last < 4 else 0]  # noqa: PLR2004
        if found[2] != ending and found[0] not in source:
            yield Edit(Span(*found.span(2)), ending)


def _half_days(source: str, target: str) -> Iterator[Edit]:
    """The m. of p.m. and a.m., and an hour of twelve before it: 8:00 p.m. for 20:00 p."""
    for found in _HALF_DAY.finditer(target):
        if found[0] in source:
            continue
        hour = int(found["hour"])
        if found["half"] == "p" and HALF_A_DAY < hour < 2 * HALF_A_DAY:
            yield Edit(Span(*found.span("hour")), str(hour - HALF_A_DAY))
        yield Edit(Span(found.end(), found.end()), "m.")


def _parted(source: str, target: str, language: str) -> Iterator[Edit]:
    """A hyphen, or a space, between words that were written as one; a name that the sentence has is none."""
    if not _JOINT.search(target):
        return
    folded = source.casefold()
    for word in _GLUED.finditer(target):
        if word[0].casefold() not in folded:
            between = "-" if language == "de" and word[0][0].isupper() else " "
            for joint in _JOINT.finditer(target, word.start(), word.end()):
                yield Edit(Span(joint.start(), joint.start()), between)
