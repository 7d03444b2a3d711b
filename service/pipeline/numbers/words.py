"""Words that stand for numbers: two, zweite, einundzwanzig, and May for a 5."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from service.pipeline.lists import as_listed
from service.pipeline.numbers.calendar import MONTHS
from service.pipeline.numbers.cardinals import TENS, UNITS
from service.pipeline.numbers.ordinals import ordinal_in_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from service.pipeline.numbers.numerals import Number

__all__ = ["Words"]

# For each number the words that may stand for it. German ones are beginnings, since German writes them together with
# what follows: fünfjährig, zweiter.
_WORDS = {
    "en": (
        "0 zero no midnight|1 one a an once first|2 two twice second both|3 three third|4 four fourth|5 five fifth|"
        "6 six sixth|7 seven seventh|8 eight eighth|9 nine ninth|10 ten tenth|11 eleven eleventh|"
        "12 twelve twelfth dozen noon|13 thirteen thirteenth|14 fourteen fourteenth|15 fifteen fifteenth|"
        "16 sixteen sixteenth|17 seventeen seventeenth|18 eighteen eighteenth|19 nineteen nineteenth|"
        "20 twenty twentieth|24 midnight|30 thirty thirtieth|40 forty fortieth|50 fifty fiftieth|60 sixty sixtieth|"
        "70 seventy seventieth|80 eighty eightieth|90 ninety ninetieth|100 hundred hundredth|1000 thousand thousandth"
    ),
    "de": (
        "0 null kein mitternacht|1 ein erst|2 zwei zweit beide|3 drei dritt|4 vier|5 fünf|6 sechs|7 sieb|8 acht|9 neun|"
        "10 zehn|11 elf|12 zwölf dutzend mittags?\\b|13 dreizehn|14 vierzehn|15 fünfzehn|16 sechzehn|17 siebzehn|"
        "18 achtzehn|19 neunzehn|20 zwanzig|24 mitternacht|30 dreißig dreissig|40 vierzig|50 fünfzig|60 sechzig|"
        "70 siebzig|80 achtzig|90 neunzig|100 hundert|1000 tausend"
    ),
}


def _patterns(table: str, after: str) -> dict[str, re.Pattern[str]]:
    rows = (row.partition(" ") for row in table.split("|"))
    return {
        value: re.compile(rf"(?<![^\W_])(?:{words.replace(' ', '|')}){after}", re.IGNORECASE)
        for value, _, words in rows
    }


_WORD_PATTERNS = {"en": _patterns(_WORDS["en"], r"(?![^\W_])"), "de": _patterns(_WORDS["de"], "")}
_MONTH_PATTERNS = {
    language: {
        str(number): re.compile(rf"(?<![^\W_])(?:{'|'.join(names)})s?(?![^\W_])", re.IGNORECASE)
        for number, names in enumerate(months, 1)
    }
    for language, months in MONTHS.items()
}

# 21 to 99, unless they are 30, 40 and so on: "twenty-first", "einundzwanzig".
_UNITS = {
    "en": "|".join((*UNITS["en"], *(ordinal_in_words(unit, "en") for unit in range(1, 10)))),
    "de": "|".join(UNITS["de"]),
}
_TENS = {language: "|".join(tens) for language, tens in TENS.items()}
_DIGITS = {
    language: {
        word: place % 9 + first
        for first, words in ((1, _UNITS[language]), (2, _TENS[language]))
        for place, word in enumerate(words.split("|"))
    }
    for language in _UNITS
}
"""What each is in its place: 2 for two, second and twenty."""
_COMPOUND = {
    "en": re.compile(rf"\b(?P<tens>{_TENS['en']})[-\s](?P<unit>{_UNITS['en']})\b", re.IGNORECASE),
    "de": re.compile(rf"\b(?P<unit>{_UNITS['de']})und(?P<tens>{_TENS['de']})", re.IGNORECASE),
}
"""Twenty-one, einundzwanzig."""


@dataclass(frozen=True)
class Words:
    """What the words of a text in a language stand for. Each number is looked for once, when it is asked for."""

    text: str
    language: str
    _known: dict[str, bool] = field(default_factory=dict)

    def has(self, parts: Iterable[str], number: Number) -> bool:
        """Whether there are words for parts of a number; of a month only, if they are of a date."""
        may_be_date = len(number.parts) > 1 and not number.clock and not {".", ","}.issubset(number.text)
        return all(
            self.has_number(part)
            or (may_be_date and self.has_month(part))
            or (number.time is not None and part == number.meant[0] and self.has_number(number.parts[0]))
            for part in parts
        )

    def has_number(self, value: str) -> bool:
        """Whether there is a word for a number."""
        if value not in self._known:
            words = _WORD_PATTERNS[self.language].get(value)
            self._known[value] = bool(words and words.search(self.text)) or value in self._compounds
        return self._known[value]

    def has_month(self, value: str) -> bool:
        """Whether there is the name of the month that has this number in the year."""
        words = _MONTH_PATTERNS[self.language].get(value)
        return bool(words and words.search(self.text))

    @cached_property
    def _compounds(self) -> set[str]:
        digits, found = _DIGITS[self.language], _COMPOUND[self.language].finditer(self.text)
        return {str(digits[as_listed(one["tens"])] * 10 + digits[as_listed(one["unit"])]) for one in found}
