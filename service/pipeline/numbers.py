"""Are the numbers of a sentence in its translation? A wrong one is put right where it is clear which it should be.

They are compared by value, as each language writes them: 1,250.5 is 1.250,5; 3/10/2024 has the parts of 10.3.2024;
4 pm is 16 Uhr; 2 million is 2000000. Digits that became a word, or a word that became digits, are equal to it.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from model.bundle import Direction
    from service.types import Link

__all__ = ["Repair", "check_numbers"]

_DIGIT = re.compile(r"\d")
_DIGITS = re.compile(r"\d+")
_SPACE = re.compile(r"\s")
_APART = "'’\u00a0\u202f"
"""Beside point and comma, what may stand between a thousand and its hundreds. A usual space may be between numbers."""

_NUMBER = re.compile(rf"\d++(?:(?:[.,:/]|[{_APART}](?=\d{{3}}(?!\d)))\d++)*+")
_ONE_NUMBER = {
    "en": re.compile(rf"\d{{1,3}}(?:[,{_APART}]\d{{3}})++(?:\.\d++)?|\d++\.\d++"),
    "de": re.compile(rf"\d{{1,3}}(?:[.{_APART}]\d{{3}})++(?:,\d++)?|\d++,\d++"),
}
_POINT = {"en": ".", "de": ","}
_SWAPPED = str.maketrans(".,", ",.")
_LETTER = re.compile(r"[^\W\d_]")

_TIME = re.compile(r"(\d\d?)(?:[:.]\d\d){0,2}+")
_DAY = 24
_HALF = 12
_MORNING = 6
"""Noon reaches to six o'clock; night is before midnight from six o'clock on."""

_RANGE = r"\s?(?:[-–—]|to|till|until|and|or|bis|und|oder)\s?"
_END = rf"(?:{_RANGE}\d[\d:.]{{0,4}}+)"

# What says after a time which half of the day it is in. After pm and am the number means nothing else. Words, and a pm
# that follows the end of a range, leave it open: "8 Uhr abends" is 8 as well as 20, "9 to 5 pm" begins in the morning.
_HALVES = {
    "en": re.compile(
        rf"""
        \s?(?:(?P<pm>p\.?m)|(?P<am>a\.?m))\b
        | {_END}\s?(?:(?P<to_pm>p\.?m)|(?P<to_am>a\.?m))\b
        | (?:\so['’]clock)?\s(?:(?:in\sthe|this)\s(?:(?P<late>afternoon|evening)|(?P<early>morning))
            | (?:at\s)?(?:(?P<noon>noon)|(?P<night>(?:mid|to)?night)))\b
        """,
        re.IGNORECASE | re.VERBOSE,
    ),
    "de": re.compile(
        rf"""
        \s?(?:(?P<pm>p\.?m)|(?P<am>a\.m))\b                                # "am" is a word
        | {_END}?(?:\sUhr)?(?:\sam|\sin\sder)?\s
          (?:(?P<late>nachmittags?|abends?)|(?P<early>vormittags?|morgens?|früh)|(?P<noon>mittags?)|(?P<night>nachts?))\b
        """,
        re.IGNORECASE | re.VERBOSE,
    ),
}
_HALVES_BEFORE = {
    "en": re.compile(r"(?:(?P<late>afternoon|evening)|(?P<night>night))\sat\s$", re.IGNORECASE),
    "de": re.compile(
        r"(?:(?P<late>nachmittag|abend)|(?P<noon>mittag)|(?P<night>nacht))s?\s(?:um|gegen|ab|bis)\s$", re.IGNORECASE
    ),
}
_BEGINNING = re.compile(rf"\d{_RANGE}$")
_LONGEST_BEFORE = 30
_STRICT = {"pm", "am"}
_LATE = {"pm", "to_pm", "late"}

_SPOKEN = re.compile(
    r"\b(half past|quarter past|quarter to|halb|viertel nach|viertel vor|dreiviertel)\s$", re.IGNORECASE
)
_MINUTES = {
    "half past": 30,
    "quarter past": 15,
    "quarter to": -15,
    "halb": -30,
    "viertel nach": 15,
    "viertel vor": -15,
    "dreiviertel": -15,
}
"""From the hour that is named after these words to the time. "Halb 8" is half past 7."""
_HOUR = 60

_SCALES = {
    "en": {"hundred": 2, "thousand": 3, "k": 3, "million": 6, "billion": 9, "bn": 9, "trillion": 12},
    "de": {"tausend": 3, "tsd": 3, "mio": 6, "million": 6, "mrd": 9, "milliarde": 9, "billion": 12},
}
"""How many noughts what follows a number adds to it."""
_SCALE = {
    "en": re.compile(r"\s?(hundred|thousand|million|billion|trillion|bn\b|k\b)", re.IGNORECASE),
    "de": re.compile(r"\s(tausend|tsd|mio|million|mrd|milliarde|billion)", re.IGNORECASE),
}

# For each number the words that may stand for it. German ones are beginnings, since German writes them together with
# what follows: fünfjährig, zweiter.
_WORDS = {
    "en": (
        "0 zero no midnight|1 one a an once first|2 two twice second both|3 three third|4 four fourth|5 five fifth|"
        "6 six sixth|7 seven seventh|8 eight eighth|9 nine ninth|10 ten tenth|11 eleven eleventh|"
        "12 twelve twelfth dozen noon|13 thirteen|14 fourteen|15 fifteen|16 sixteen|17 seventeen|18 eighteen|"
        "19 nineteen|20 twenty|24 midnight|30 thirty|40 forty|50 fifty|60 sixty|70 seventy|80 eighty|90 ninety|"
        "100 hundred|1000 thousand"
    ),
    "de": (
        "0 null kein mitternacht|1 ein erst|2 zwei zweit beide|3 drei dritt|4 vier|5 fünf|6 sechs|7 sieb|8 acht|9 neun|"
        "10 zehn|11 elf|12 zwölf dutzend mittags?\\b|13 dreizehn|14 vierzehn|15 fünfzehn|16 sechzehn|17 siebzehn|"
        "18 achtzehn|19 neunzehn|20 zwanzig|24 mitternacht|30 dreißig dreissig|40 vierzig|50 fünfzig|60 sechzig|"
        "70 siebzig|80 achtzig|90 neunzig|100 hundert|1000 tausend"
    ),
}
_MONTHS = {
    "en": (
        "1 january jan|2 february feb|3 march mar|4 april apr|5 may|6 june jun|7 july jul|8 august aug|"
        "9 september sept sep|10 october oct|11 november nov|12 december dec"
    ),
    "de": (
        "1 januar jänner|2 februar|3 märz|4 april|5 mai|6 juni|7 juli|8 august|9 september sept|10 oktober okt|"
        "11 november|12 dezember dez"
    ),
}
_AFTER_WORD = {"en": r"(?![^\W_])", "de": ""}

_MOST_NUMBERS = 400
"""In a sentence and its translation; where there are more they are not compared."""

_MOST_WRONG = 8
"""A sentence with more wrong numbers than that is not put right."""


def _patterns(table: str, after: str) -> dict[str, re.Pattern[str]]:
    rows = (row.partition(" ") for row in table.split("|"))
    return {
        value: re.compile(rf"(?<![^\W_])(?:{words.replace(' ', '|')}){after}", re.IGNORECASE)
        for value, _, words in rows
    }


_WORD_PATTERNS = {language: _patterns(_WORDS[language], after) for language, after in _AFTER_WORD.items()}
_MONTH_PATTERNS = {language: _patterns(_MONTHS[language], after) for language, after in _AFTER_WORD.items()}


class Repair(NamedTuple):
    """Spans of the translation and what to put there, in order; `sound` if no number is wrong after that."""

    edits: tuple[tuple[Span, str], ...]
    sound: bool


class _Words(NamedTuple):
    """The numbers that the words of a text stand for, and its months."""

    numbers: set[str]
    months: set[str]

    def has(self, parts: Iterable[str], number: _Number) -> bool:
        """Whether parts of a number are among them; a month only, if they are of a date."""
        known = self.numbers | self.months if len(number.parts) > 1 else self.numbers
        if number.half and number.parts[0] in known:
            known = known | {number.meant[0]}
        return known.issuperset(parts)


class _Number(NamedTuple):
    """`parts` are its value or, of a date, a time or a version, their values, written without needless digits.

    `meant` is what that comes to with what stands beside it: "2 million", "4 pm", "half past 4". `half` is the name of
    the half of the day that tells this, if one does, or "spoken"; `noughts` how many a million and the like adds.
    """

    span: Span
    text: str
    parts: tuple[str, ...]
    meant: tuple[str, ...]
    half: str = ""
    noughts: int = 0

    @property
    def spoken(self) -> bool:
        """Whether words before it make another time of it, which the other language may name by another hour."""
        return self.half == "spoken"

    @property
    def strict(self) -> bool:
        """Whether it is what is meant and nothing else."""
        return self.half in _STRICT or self.spoken

    @property
    def value(self) -> tuple[str, ...]:
        """Its parts, a time's as they are meant."""
        return self.meant if self.half else self.parts


_SOUND = Repair((), sound=True)


def check_numbers(source: str, target: str, links: Sequence[Link], direction: Direction) -> Repair:
    """Compare the numbers of a sentence and its translation. What is to be left out of account is blank in both."""
    if not _DIGIT.search(source) and not _DIGIT.search(target):
        return _SOUND
    if len(_NUMBER.findall(source)) + len(_NUMBER.findall(target)) > _MOST_NUMBERS:
        return Repair((), sound=False)
    missing, extra = _compare(source, target, direction)
    if not missing and not extra:
        return _SOUND
    if not missing or max(len(missing), len(extra)) > _MOST_WRONG:
        return Repair((), sound=False)
    pairs = [(right, wrong) for right, wrong in _pair(missing, extra, links) if _is_clear(right, wrong, source)]
    edits = [(wrong.span, _localised(right, direction)) for right, wrong in pairs]
    paired = {right.span for right, _ in pairs}
    lost = [number for number in missing if number.span not in paired]
    if len(lost) == 1 and len(pairs) == len(extra) and not lost[0].spoken:
        gap = _gap(lost[0].span, source, target, links)
        if gap is not None:
            edits.append((Span(gap, gap), f" {_localised(lost[0], direction)}"))
            lost = []
    return Repair(tuple(sorted(edits, key=lambda edit: edit[0].start)), not lost and len(pairs) == len(extra))


# ------------------------------------------------------------------------------------------- read


def _read(text: str, language: str) -> list[_Number]:
    numbers = []
    for found in _NUMBER.finditer(text):
        span, parts = Span(*found.span()), _parts(found[0], language)
        meant, half, noughts = _without_nought(parts), _half(text, span, language), 0
        if half == "spoken":
            meant = _spoken(int(parts[0]), text, span)
        elif half:
            time = tuple(_canonical(part, "") for part in _DIGITS.findall(found[0]))
            meant = _without_nought((_hour(int(time[0]), half), *time[1:]))
            parts = time if half in _STRICT else parts
        elif len(parts) == 1 and (scale := _SCALE[language].match(text, span.end)):
            noughts = _SCALES[language][scale[1].lower()]
            meant = _written_out(parts[0], noughts)
        numbers.append(_Number(span, found[0], parts, meant, half, noughts))
    return numbers


def _half(text: str, span: Span, language: str) -> str:
    """The half of the day that a number is in, if it is a time and what stands around it says so; or "spoken"."""
    time = _TIME.fullmatch(text, span.start, span.end)
    if not time or int(time[1]) > _DAY:
        return ""
    before = text[max(0, span.start - _LONGEST_BEFORE) : span.start]
    if time[0].isdigit() and 0 < int(time[0]) <= _HALF and _SPOKEN.search(before):
        return "spoken"
    found = _HALVES[language].match(text, span.end) or _HALVES_BEFORE[language].search(before)
    return (found.lastgroup or "") if found else ""


def _hour(hour: int, half: str) -> str:
    """The hour of 24 for one of 12."""
    face = hour % _HALF
    is_late = half in _LATE or (half == "noon" and face < _MORNING) or (half == "night" and face >= _MORNING)
    return str(face + _HALF if is_late else face)


def _spoken(hour: int, text: str, span: Span) -> tuple[str, ...]:
    """The time of "half past 7" and "halb 8", on a clock's face."""
    found = _SPOKEN.search(text, max(0, span.start - _LONGEST_BEFORE), span.start)
    minutes = hour * _HOUR + (_MINUTES[found[1].lower()] if found else 0)
    return str((minutes // _HOUR - 1) % _HALF + 1), str(minutes % _HOUR)


def _parts(text: str, language: str) -> tuple[str, ...]:
    if not _ONE_NUMBER[language].fullmatch(text):
        return tuple(_canonical(part, "") for part in _DIGITS.findall(text))
    whole, _, fraction = text.partition(_POINT[language])
    return (_canonical("".join(_DIGIT.findall(whole)), fraction),)


def _canonical(whole: str, fraction: str) -> str:
    """Without needless digits. Not as an int: of those Python reads only so many digits."""
    fraction = fraction.rstrip("0")
    return (whole.lstrip("0") or "0") + (f".{fraction}" if fraction else "")


def _written_out(number: str, noughts: int) -> tuple[str, ...]:
    """A number with its million."""
    whole, _, fraction = number.partition(".")
    return (_canonical(whole + fraction[:noughts].ljust(noughts, "0"), fraction[noughts:]),)


def _without_nought(time: tuple[str, ...]) -> tuple[str, ...]:
    """Of a time the hour and, unless they are nought, minutes."""
    return time[:1] if time[1:] == ("0",) else time


# ---------------------------------------------------------------------------------------- compare


def _compare(source: str, target: str, direction: Direction) -> tuple[list[_Number], list[_Number]]:
    """Numbers of the source that are not in the target, and the other way round."""
    missing, extra = _read(source, direction.source), _read(target, direction.target)

    def literally(number: _Number) -> object:
        return number.text if _is_read_alike(number, direction) and not number.strict else None

    def by_parts(number: _Number) -> object:
        return None if number.strict else number.parts

    for key in (literally, by_parts, lambda number: number.meant):
        missing, extra = _without_equal(missing, extra, key)
        if not missing and not extra:
            return [], []
    if len(missing) != len(extra) and _digits(missing, source) == _digits(extra, target):
        return [], []  # 10 000 and 10,000
    return _without_parts(missing, extra, _in_words(source, direction.source), _in_words(target, direction.target))


def _is_read_alike(number: _Number, direction: Direction) -> bool:
    """Whether the number may stay as it is: a version, a date; not 1,250 in German, nor 1.250 in English."""
    return len(number.parts) > 1 or not ("," in number.text or (direction.source == "de" and "." in number.text))


def _without_equal(
    missing: list[_Number], extra: list[_Number], key: Callable[[_Number], object]
) -> tuple[list[_Number], list[_Number]]:
    """Both without those that have the same key, as many as the other has; no key equals None."""
    ours, theirs = Counter(map(key, missing)), Counter(map(key, extra))
    del ours[None], theirs[None]
    return _beyond(missing, theirs, key), _beyond(extra, ours, key)


def _beyond(numbers: Iterable[_Number], counts: Counter[object], key: Callable[[_Number], object]) -> list[_Number]:
    beyond = []
    for number in numbers:
        if counts[key(number)] > 0:
            counts[key(number)] -= 1
        else:
            beyond.append(number)
    return beyond


def _without_parts(
    missing: list[_Number], extra: list[_Number], source_words: _Words, target_words: _Words
) -> tuple[list[_Number], list[_Number]]:
    """Both without those whose parts the other side has within other numbers, or as words."""
    pool = Counter(part for number in extra for part in number.value)
    absent = []
    for number in missing:
        wanted = Counter(number.value)
        if target_words.has(wanted - pool, number):
            pool -= wanted
        else:
            absent.append(number)
    added = []
    for number in extra:
        own = Counter(number.value) & pool
        pool -= own
        if not source_words.has(own, number):
            added.append(number)
    return absent, added


def _in_words(text: str, language: str) -> _Words:
    tables = _WORD_PATTERNS[language], _MONTH_PATTERNS[language]
    return _Words(*({value for value, words in table.items() if words.search(text)} for table in tables))


def _digits(numbers: Sequence[_Number], text: str) -> list[str]:
    """The digits of each number, in any order; numbers with one space between them are one."""
    runs: list[str] = []
    end = None
    for number in numbers:
        digits = "".join(_DIGIT.findall(number.text))
        if end is not None and _SPACE.fullmatch(text, end, number.span.start):
            runs[-1] += digits
        else:
            runs.append(digits)
        end = number.span.end
    return sorted(runs)


# ----------------------------------------------------------------------------------------- repair


def _pair(missing: list[_Number], extra: list[_Number], links: Sequence[Link]) -> list[tuple[_Number, _Number]]:
    """Which wrong number stands for which right one: they alone are linked, or of both there is one and no link."""
    linked = [(one, other) for one in missing for other in extra if _are_linked(one.span, other.span, links)]
    if not linked and len(missing) == len(extra) == 1:
        known = any(_meet(missing[0].span, link.source) or _meet(extra[0].span, link.target) for link in links)
        return [] if known else [(missing[0], extra[0])]
    ours, theirs = Counter(one.span for one, _ in linked), Counter(other.span for _, other in linked)
    return [(one, other) for one, other in linked if ours[one.span] == theirs[other.span] == 1]


def _is_clear(right: _Number, wrong: _Number, source: str) -> bool:
    """Whether one may be written for the other: no half of the day is beside it, and no range begins with 12 hours.

    Nor is one in millions and the other not.
    """
    if wrong.half or right.spoken or right.noughts != wrong.noughts:
        return False
    if right.half and (not right.strict or int(right.parts[0]) > _HALF):
        return False
    before = source[max(0, right.span.start - _LONGEST_BEFORE) : right.span.start]
    return not right.strict or not _BEGINNING.search(before)


def _are_linked(one: Span, other: Span, links: Sequence[Link]) -> bool:
    return any(_meet(one, link.source) and _meet(other, link.target) for link in links)


def _meet(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def _gap(span: Span, source: str, target: str, links: Sequence[Link]) -> int | None:
    """Where a lost number goes: what stands before it in the source, and after it, are neighbours in the target."""
    before = [(link.source.end, link.target.end) for link in links if link.source.end <= span.start]
    after = [(link.source.start, link.target.start) for link in links if link.source.start >= span.end]
    if not before or not after:
        return None
    (near, left), (far, right) = max(before), min(after)
    if left > right or target[left:right].strip() or _LETTER.search(source[near : span.start] + source[span.end : far]):
        return None
    return left


def _localised(number: _Number, direction: Direction) -> str:
    """The number as the other language writes it; dates and times as they are, but for hours of 24 from "4 pm"."""
    if number.strict:
        return _DIGITS.sub(number.meant[0], number.text, count=1)
    return number.text.translate(_SWAPPED) if _ONE_NUMBER[direction.source].fullmatch(number.text) else number.text
