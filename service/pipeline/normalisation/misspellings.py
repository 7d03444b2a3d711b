"""Misspelt words are read as they were meant (decision 0021).

A word that the dictionary does not know is held against those that a slip may have made it of. The one that reads best
where it stands is read instead, if the language model finds it so much likelier that a slip is a better explanation
than a rare word.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit, alike_at_both_ends, apply, with_capital
from service.pipeline.numbers.calendar import DAYS, MONTHS
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from model.bundle import Dictionary, Lexicon
    from service.pipeline.edits import Edited
    from service.pipeline.normalisation.likelihood import Likelihood

__all__ = ["Corrector", "slip_cost"]

_WORD = re.compile(r"""(?<![^\s(\["“„‚‘»«–—…,;:!?¿¡])[^\W\d_]+(?=[\s)\]"“”»«–—…,;:!?]|[.'‘’](?!\w)|$)""")
"""Not what is part of a name of a file, a compound with hyphens, or a word with an apostrophe."""

_APOSTROPHES = "'’"
_VOWELS = frozenset("aeiouy")
_PAIR = 2

# Natural logs: how much likelier a text must be with the other word.
_SLIP = 3.0
"""Two letters the wrong way round, one left out, or twice or once instead of the other."""
_VOWEL = 7.0
"""One for another."""
_OTHER_LETTER = 10.0
"""Any other letter or one too many; and one less at the end, where words have endings."""
_APOSTROPHE = 2.0
"""Left out, as in dont."""
_SPACE = 6.0
"""Left out, as in alot."""
_CAPITAL = 6.0
"""Added: what begins with one may be a name, and what does not is seldom one."""
_SEEN = 4.0
"""Added to all but a space: the training text has the word as it stands."""

_CONFUSED = 6.0
"""One word of `_CONFUSIONS` for another."""

_CONFUSIONS = {
    "en": (
        *("its it's", "your you're", "their there they're", "were where we're", "whose who's", "im I'm", "id I'd"),
        *("ill I'll", "well we'll", "lets let's", "then than", "loose lose", "weather whether", "affect effect"),
        *("quiet quite", "thing think", "passed past", "brake break", "accept except", "hole whole", "right write"),
        *("hear here", "advice advise", "choose chose", "peace piece"),
    ),
    "de": ("das dass", "seit seid", "den denn", "wen wenn", "man Mann", "war wahr", "viel fiel", "wieder wider"),
}
"""Words that are often written for one another, being pronounced alike."""
_CONTEXT = 3
"""Words of a text by which they are told apart, at least."""

_SHORTEST, _LONGEST = 3, 40
"""Letters of a word that may be misspelt."""
_SHORTEST_OTHER = 4
"""Letters of one that may have another letter: shorter ones are abbreviations."""
_SHORTEST_DOUBLES = 5
"""Letters of one in which several may be doubled, or not, at once."""
_SHORTEST_PART = 2
"""Letters of a word that a space may have been left out at, but for those in `_LETTER_WORDS`."""
_LETTER_WORDS = {"a", "I"}

_MOST_UNKNOWN, _MOST_CONFUSED = 10, 20
"""Words of a text: of more it is no prose."""
_PROSE = 0.5
"""Share of a text's words that are known; or, of those that are not, of those that are misspelt. Else it is in another
language."""

_MOST_CACHED = 10_000


class Corrector:
    """Tells what misspelt words of one language were meant to be.

    Args:
        language: "en" or "de".
        dictionary: of the language; what words may be meant.
        lexicon: which other words there are.
        likelihood: of words of the language.
    """

    def __init__(self, language: str, dictionary: Dictionary, lexicon: Lexicon | None, likelihood: Likelihood) -> None:
        self._nouns_have_capitals = language == "de"
        self._has_compounds = language == "de"
        groups = [group.split() for group in _CONFUSIONS[language]]
        self._calendar = {*DAYS[language], *chain(*MONTHS[language])}
        self._confused = {typed.lower(): [one for one in group if one != typed] for group in groups for typed in group}
        self._dictionary = dictionary
        self._seen: Lexicon | frozenset[str] = lexicon or frozenset()
        self._likelihood = likelihood
        self._meant = lru_cache(_MOST_CACHED)(self._find)
        self._is_known = lru_cache(_MOST_CACHED)(self._look_up)

    def correct(self, text: str) -> Edited:
        """The text with other words for those that are misspelt."""
        words = list(_WORD.finditer(text))
        unknown = [word for word in words if not (self._is_known(word[0]) or self._may_be_name(text, word))]
        if len(unknown) > _MOST_UNKNOWN:
            return apply(text, ())
        confused = [word for word in words if word[0].lower() in self._confused]
        confused = [word for word in confused if word[0].islower() or _begins(text[: word.start()])]
        if len(words) < _CONTEXT or len(confused) > _MOST_CONFUSED:
            confused = []
        edits = list(self._corrections(text, sorted([*unknown, *confused], key=re.Match.start)))
        known = len(words) - len(unknown)
        is_prose = known >= _PROSE * len(words) or len(edits) >= _PROSE * len(unknown)
        return apply(text, edits if is_prose else ())

    def _corrections(self, text: str, words: Sequence[re.Match[str]]) -> Iterator[Edit]:
        longer = 0
        for word in words:
            start, end = word.start() + longer, word.end() + longer
            if meant := self._best(text[:start], word[0], text[end:]):
                yield Edit(Span(*word.span()), meant)
                text = text[:start] + meant + text[end:]
                longer += len(meant) - len(word[0])

    def _look_up(self, typed: str) -> bool:
        """Whether a word is not misspelt: the dictionary or the calendar has it, or it may be no word."""
        may_be_word = _SHORTEST <= len(typed) <= _LONGEST and typed[1:].islower() and typed.isalpha()
        return not may_be_word or typed in self._calendar or bool(self._dictionary.usual_form(typed))

    def _may_be_name(self, text: str, word: re.Match[str]) -> bool:
        return word[0][0].isupper() and not self._nouns_have_capitals and not _begins(text[: word.start()])

    def _best(self, before: str, typed: str, after: str) -> str:
        """What a word was meant to be; nothing if itself."""
        costs = self._meant(typed, _begins(before))
        if not costs:
            return ""
        meant = self._likelihood.best(before, after, {typed: 0.0, **costs})
        return "" if meant == typed else meant

    def _find(self, typed: str, begins: bool) -> Mapping[str, float]:  # noqa: FBT001 - a cache takes no names
        """What a word may have been meant to be, and what it costs to think so."""
        if others := self._confused.get(typed.lower()):
            return {_cased(one, typed): _CONFUSED for one in others}
        seen = _SEEN if typed in self._seen else 0.0
        found: dict[str, float] = {}
        for word in self._dictionary.alike(typed):
            cost = slip_cost(typed.lower(), word.lower())
            if cost is None or not self._may_be(typed, word, begins=begins):
                continue
            meant = _cased(word, typed)
            found[meant] = cost + seen + (_CAPITAL if meant[0].isupper() else 0.0)
        if not self._has_compounds:
            found |= dict.fromkeys(self._parted(typed), _SPACE)
        return found

    def _may_be(self, typed: str, word: str, *, begins: bool) -> bool:
        """Whether the capitals fit: those of a name, or of what begins a text, say little."""
        if typed[0].isupper():
            return word[1:].islower() and (begins or word[0].isupper())
        return word[1:].islower() and (word[0].islower() or word.lower() not in self._dictionary)

    def _parted(self, typed: str) -> Iterator[str]:
        """A word as two, both of which are known."""
        for place in range(1, len(typed) - _SHORTEST_PART + 1):
            parts = typed[:place], typed[place:]
            if all(map(self._is_part, parts)):
                yield " ".join(parts)

    def _is_part(self, word: str) -> bool:
        return (len(word) >= _SHORTEST_PART or word in _LETTER_WORDS) and word in self._dictionary


def slip_cost(typed: str, meant: str) -> float | None:
    """How unlikely it is that somebody writes one word who means another; None if it would take several slips.

    Args:
        typed: in lower case.
        meant: the same.
    """
    start, end = alike_at_both_ends(typed, meant)
    wrong, right = typed[start : len(typed) - end], meant[start : len(meant) - end]
    if not wrong and right in {*_APOSTROPHES}:
        return _APOSTROPHE
    if len(wrong) <= 1 and len(right) <= 1:
        is_left_out = not wrong and end > 0
        is_doubled = not right and typed[start - 1 : start] == wrong
        is_doubling_left_out = not wrong and meant[start - 1 : start] == right
        if is_left_out or is_doubled or is_doubling_left_out:
            return _SLIP
        if len(typed) < _SHORTEST_OTHER:
            return None
        return _VOWEL if end > 0 and {wrong, right} <= _VOWELS else _OTHER_LETTER
    are_swapped = len(wrong) == len(right) <= _PAIR and wrong == right[::-1]
    may_be_doubled = start > 0 and end > 0 and len(typed) >= _SHORTEST_DOUBLES
    if are_swapped or (may_be_doubled and _undoubled(typed) == _undoubled(meant)):
        return _SLIP
    return None


def _cased(word: str, typed: str) -> str:
    return with_capital(word) if typed[0].isupper() else word


def _undoubled(word: str) -> str:
    return re.sub(r"(.)\1+", r"\1", word)


def _begins(before: str) -> bool:
    """Whether no word comes before."""
    return not any(map(str.isalnum, before))
