"""Which words a language has: those of its dictionary, their forms and German compounds, and of the training text.

What is none of these is either a rare word or no word at all; `nonwords` asks the sentence which of the two.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from model.bundle import Dictionary, Lexicon

__all__ = ["Vocabulary"]

_MOST_CACHED = 10_000

_ENDINGS = {
    "de": (
        *("e", "en", "er", "es", "em", "n", "s", "t", "te", "ten", "st", "ens", "end", "ende", "enden", "ender", "in"),
        *("innen", "ste", "sten", "ster", "stes", "chen", "ler", "lern"),
    ),
    "en": ("s", "es", "ed", "d", "ing", "er", "ers", "ly", "ness", "ite", "ites", "ian", "ians", "ist", "ists"),
}
_SHORTEST_STEM = 4
_DROP_E = frozenset({"es", "ed", "ing", "er", "ers"})
"""Endings before which a verb loses its e, has its last letter twice, or i for y."""
_SPELLINGS = (("is", "iz"), ("iz", "is"), ("or", "our"), ("our", "or"))
"""British and American."""

_JOINTS = ("", "s", "es", "n", "en", "er", "e")
"""Between the parts of a compound."""
_BEGINNING = re.compile(
    "ab|alt|an|anti|auf|aus|be|bei|bio|durch|ei|ein|ent|er|fest|fort|frei|ge|groß|her|heraus|herein|herum|hin|hinaus"
    "|hinein|hoch|in|los|mega|mini|miss|mit|nach|neu|nicht|nieder|öko|öl|super|über|um|un|unter|ur|ver|vor|voraus|vorbei"
    "|weg|weiter|wider|wieder|wohl|zer|zu|zurück|zusammen"
)
_LONG_PART = 4
_SHORT_PART = 3
"""Letters of a part that must be a noun of the dictionary: Rat, Erz."""
_BESIDE_SHORT = 6
_TWO_PARTS = 8


class Vocabulary:
    """The words of one language.

    Args:
        language: its code.
        dictionary: its words, and what they become.
        lexicon: words of the training text, if the bundle has them.
    """

    def __init__(self, language: str, dictionary: Dictionary, lexicon: Lexicon | None) -> None:
        self.language = language
        self._dictionary = dictionary
        self._lexicon = lexicon
        self.has = lru_cache(_MOST_CACHED)(self._has)
        self.may_be_word = lru_cache(_MOST_CACHED)(self._may_be_word)

    def _has(self, word: str) -> bool:
        """Whether it is a word, whatever its capitals."""
        return self._seen(word) or (
            self.language == "en" and any(self._seen(word.replace(*two)) for two in _SPELLINGS if two[0] in word)
        )

    def _may_be_word(self, word: str) -> bool:
        """Whether it is a word, a form of one, or a compound: nothing of it looks garbled. In lower case."""
        return self.has_form(word) or (self.language == "de" and self._is_compound(word))

    def _seen(self, word: str) -> bool:
        return self._is_listed(word) or (self._lexicon is not None and word in self._lexicon)

    def _is_listed(self, word: str) -> bool:
        """Whether the dictionary has it: of words of the training text, some are names, typing errors and code."""
        return word in self._dictionary or word.capitalize() in self._dictionary

    def has_form(self, word: str) -> bool:
        """Whether it is a word, or one with an ending. In lower case."""
        if self._is_listed(word) or (self.language == "de" and self._has_longer(word)):
            return True
        return any(
            self._has_stem(word[: -len(ending)], ending)
            for ending in _ENDINGS[self.language]
            if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM
        )

    def _has_stem(self, stem: str, ending: str) -> bool:
        if ending == "s" and stem[-1] in "sx":
            return self.language == "de" and self._is_listed(stem)
        if self._is_listed(stem):
            return True
        if self.language == "de":
            return self._has_longer(stem)
        return ending in _DROP_E and (
            self._is_listed(stem + "e")
            or (stem[-1] == "i" and self._is_listed(stem[:-1] + "y"))
            or (stem[-1] == stem[-2] and self._is_listed(stem[:-1]))
        )

    def _has_longer(self, stem: str) -> bool:
        """Whether an adjective, or a noun that ends in e, is known by one of its usual forms."""
        return self._is_listed(stem + "e") or self._is_listed(stem + "en")

    def _is_compound(self, word: str, *, of_two: bool = False) -> bool:
        """Whether a word begins as compounds do, and ends with a form of a word, or, unless `of_two`, of two."""
        return any(
            self._may_begin(word[:cut]) and self._may_end(word[:cut], word[cut:], of_two=of_two)
            for cut in range(2, len(word) - 2)
        )

    def _may_begin(self, part: str) -> bool:
        """Whether compounds begin so; a long part may be the stem of a verb, too."""
        return (
            bool(_BEGINNING.fullmatch(part))
            or self.may_modify(part)
            or (len(part) >= _LONG_PART and self.may_go_on(part))
        )

    def _may_end(self, before: str, part: str, *, of_two: bool) -> bool:
        if len(part) < _LONG_PART:
            return len(before) >= _BESIDE_SHORT and part.capitalize() in self._dictionary
        return self.has_form(part) or (not of_two and len(part) >= _TWO_PARTS and self._is_compound(part, of_two=True))

    def may_modify(self, part: str) -> bool:
        """Whether it is a word, with what joins it to the next. In lower case."""
        for joint in _JOINTS:
            stem = part.removesuffix(joint)
            if not part.endswith(joint):
                continue
            if len(stem) >= _LONG_PART and self._is_listed(stem):
                return True
            if len(stem) == _SHORT_PART and stem.capitalize() in self._dictionary:
                return True
        return False

    def is_plain_compound(self, word: str) -> bool:
        """Whether it is of two long words, neither with an ending. In lower case."""
        cuts = range(_LONG_PART, len(word) - _LONG_PART)
        return any(self.has(word[cut:]) and self.may_modify(word[:cut]) for cut in cuts)

    def may_go_on(self, part: str) -> bool:
        """Whether longer words begin so. In lower case."""
        return self._dictionary.has_beginning(part)
