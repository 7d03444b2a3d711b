"""Words that do not exist, where the sentence shows which are meant.

Where the network wavers between two words, or loses a token of one, it writes what is none: *garettes*,
*Gebäudenmt*, *Krebsmlikationen*. The search avoids such words where it can (decision 0014); what is left is
replaced by a real one that is much like it, in this order:

- the same without a stutter: *sayss*, *Brotherhoodhood*;
- what the dictionary has for a word of the sentence of which nothing is in the translation: *cigarettes*,
  *Gebäuden*, *Krebskomplikationen*;
- a name of the sentence: *Boekenberg* for *ekenberg*.

A word is left alone if it may be one that nobody has counted: a form of a known word, a compound, a name.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from model.bundle import fold
from service.pipeline.edits import Edit, alike_at_both_ends, begin_alike, with_capital
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from collections.abc import Set as AbstractSet

    from model.bundle import Dictionary
    from service.pipeline.repairs.vocabulary import Vocabulary

__all__ = ["NonWords"]

_WORD = re.compile(r"[^\W\d_]+")
_ONE_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_JUDGED = re.compile(r"(?<![\w.@/&'’])[^\W\d_]{5,40}(?![\w@/&]|[.:]\w|['’]\w)")
_MOST = 8
"""Words of one translation that are looked at: one that has more is beyond repair."""

_ENDINGS = {
    "de": frozenset(("", "e", "en", "er", "es", "em", "n", "s", "ste", "sten", "ster", "te", "ten", "t")),
    "en": frozenset(("", "s", "es", "d", "ed", "er", "ers", "ing", "ings", "ly", "ness")),
}
_OF_PLACES = frozenset(("n", "an", "ans", "ian", "ians", "ns"))
"""Endings that names of places have as well: Texan."""
_GERMAN_FORMS = ("", "e", "en", "er", "es", "em", "n", "s")
_MUST_JOIN = ("ung", "heit", "keit", "schaft", "ion", "tät")
"""What such nouns are followed by in a compound is an s."""
_SMALL_WORDS = {
    "de": re.compile(r"vo[nm]|d(?:as|e[mnrs]|ie)|eine?[mnrs]?|und|mit|für|zu[mr]"),
    "en": re.compile(r"of|to|the|and|for|with|from|his|her|their|its|that"),
}
"""What may have been written together with the word after it."""

_FEWEST = 4
"""Letters that are the same at the beginning, or at the end."""
_SHORTEST = 5
_PIECE, _BLEND, _PART, _NAME = 0.5, 0.7, 0.6, 0.6
"""Share of the longer word that is the same at both ends: if one word is all in the other or has lost its middle, if
both have letters of their own, for a part of a compound, and for a name."""
_LOST = 2
"""Letters that a garbled name has lost or twice; less is another spelling of it."""
_SURE = 0.8
"""So like a whole word, it is no compound."""
_MOST_STUTTERS, _MOST_VARIANTS = 2, 40


class _Sentence(NamedTuple):
    """What the words of a sentence may become, as far as none of it is in the translation.

    `meant` is what the dictionary has for them, `names` may be such, and `folded` are all of its words without capitals
    and accents.
    """

    meant: tuple[str, ...]
    names: tuple[str, ...]
    folded: frozenset[str]


class NonWords:
    """Finds them in translations of one direction.

    Args:
        dictionary: of the direction.
        source: the words of its source language.
        target: those of its target language.
    """

    def __init__(self, dictionary: Dictionary, source: Vocabulary, target: Vocabulary) -> None:
        self._dictionary = dictionary
        self._source = source
        self._target = target
        self._is_german = target.language == "de"
        self._endings = _GERMAN_FORMS if self._is_german else ("",)

    def find(self, source: str, target: str) -> Iterator[Edit]:
        """What to write for those of a translation, in order."""
        unknown = [
            one for one in _JUDGED.finditer(target) if not (one[0].isupper() or self._target.has(one[0].lower()))
        ]
        if not unknown:
            return
        copied = frozenset(_WORD.findall(source))
        garbled = [one for one in unknown if one[0] not in copied and not self._target.may_be_word(one[0].lower())]
        if not garbled:
            return
        sentence = self._read(source, target)
        for one in islice(garbled, _MOST):
            begins = not _WORD.search(target, 0, one.start())
            word = self._replacement(one[0], sentence, begins=begins)
            if word:
                yield Edit(Span(*one.span()), with_capital(word) if begins else word)

    def _read(self, source: str, target: str) -> _Sentence:
        words = list(dict.fromkeys(_WORD.findall(source)))
        said = {word.lower() for word in _WORD.findall(target)}
        meant: list[str] = []
        for word in words:
            translations = [
                one for one in self._dictionary.translations(word) if one.isalpha() or _ONE_WORD.fullmatch(one)
            ]
            if said.isdisjoint(map(str.lower, translations)):
                meant += translations
        return _Sentence(
            tuple(dict.fromkeys(meant)),
            tuple(word for word in words if word[0].isupper() and not word.isupper() and word.lower() not in said),
            frozenset(map(fold, words)),
        )

    def _replacement(self, written: str, sentence: _Sentence, *, begins: bool) -> str | None:
        word = written.lower()
        folded = fold(word)
        if folded in sentence.folded:
            return None
        endings = _ENDINGS[self._target.language] | (_OF_PLACES if written[0].isupper() else frozenset())
        likely = (one for one in map(str.lower, sentence.meant) if one[0] == word[0])
        if any(_is_form(one, word, endings) or fold(one) == folded for one in likely):
            return None
        found = self._without_stutter(written, sentence)
        if not found and (meant := self._meant(written, sentence, begins=begins)):
            found = meant if self._is_german or written[0].islower() else with_capital(meant)
        return found or self._name(word, sentence)

    # ---------------------------------------------------------------------------- stutters

    def _without_stutter(self, written: str, sentence: _Sentence) -> str | None:
        """The longest word that is left without one or two repetitions of letters in it, rather one that is meant."""
        meant = {one.lower() for one in sentence.meant}
        variants = {written.lower(): True}
        for _ in range(_MOST_STUTTERS):
            shorter: dict[str, bool] = {}
            for variant, is_plain in variants.items():
                for other, may_be_right in _once(variant):
                    shorter[other] = is_plain and not may_be_right
            shown = {one: fold(one) in sentence.folded or one in meant for one in shorter if len(one) >= _FEWEST}
            found = [
                (is_shown, len(one), one)
                for one, is_shown in shown.items()
                if is_shown
                or (shorter[one] and self._target.has(one))
                or (self._is_german and self._target.is_plain_compound(one))
            ]
            if found:
                word = max(found)[-1]
                return with_capital(word) if written[0].isupper() else word
            if len(shorter) > _MOST_VARIANTS:
                break
            variants = shorter
        return None

    # ------------------------------------------------------------------------ what is meant

    def _meant(self, written: str, sentence: _Sentence, *, begins: bool) -> str | None:
        """What a word of the sentence may become and this is most like, or a compound with such a part."""
        word, small_words = written.lower(), _SMALL_WORDS[self._target.language]
        likeness, best = 0.0, ""
        for one, is_listed in self._forms(sentence.meant, word):
            form = one.lower()
            if self._is_german and not begins and not _may_be_capital(one, written):
                continue
            ends = word.endswith(form) and small_words.fullmatch(word, 0, len(word) - len(form))
            alike = self._alike(form, word)
            is_liker = (alike, -len(one)) > (likeness, -len(best))
            if not (ends or is_liker) or not (is_listed or self._target.has(form)):
                continue
            if ends:
                return f"{written[: -len(one)]} {one}"
            likeness, best = alike, one
        if self._is_german:
            if likeness < _SURE and (compound := self._compound(word, sentence)):
                return compound
            base = best[:-1]
            if (
                best[:1].isupper()
                and best.endswith("s")
                and word.startswith(best.lower())
                and self._target.has(base.lower())
            ):
                return base  # Zugangs, of a compound that is lost
        return best or None

    def _forms(self, meant: Iterable[str], word: str) -> Iterator[tuple[str, bool]]:
        """Those that begin or end as the word does, with the endings that they may have in German.

        And whether it surely is a word: that takes long to look up.
        """
        tails = {ending: word[-_FEWEST : len(word) - len(ending)] for ending in self._endings if word.endswith(ending)}
        for one in meant:
            if len(one) < _SHORTEST:
                continue
            form = one.lower()
            begins = form.startswith(word[:_FEWEST])
            endings = self._endings if begins else [ending for ending, tail in tails.items() if form.endswith(tail)]
            yield from ((one + ending, not ending) for ending in endings)

    def _alike(self, meant: str, word: str, least: float = _PIECE) -> float:
        """What share of the longer one is the same at both ends; 0 if it is too little. Both in lower case."""
        if _differ_at_both_ends(meant, word):
            return 0.0
        start, end = alike_at_both_ends(meant, word)
        if max(start, end) < _FEWEST:
            return 0.0
        alike = (start + end) / max(len(meant), len(word))
        if len(meant) in (start, end):  # and letters before or behind it
            rest = word[start:].removeprefix("s") if start == len(meant) else word[:-end]
            is_part = len(rest) >= _FEWEST - 1 and self._target.may_go_on(rest)
            return 0.0 if is_part else _at_least(alike, least)
        if start + end == len(word):  # of which some were lost
            return _at_least(alike, max(least, _PART if start and end else _PIECE))
        return _at_least(alike, _BLEND)

    def _compound(self, word: str, sentence: _Sentence) -> str | None:
        """One part of it is a word, and the other is like a noun that is meant."""
        likeness, best = 0.0, ""
        for cut in range(_SHORTEST, len(word) - _FEWEST + 1):
            first, last = word[:cut], word[cut:]
            has_first, has_last = self._target.may_modify(first), len(last) >= _SHORTEST and self._target.has_form(last)
            if has_first == has_last:
                continue
            for one in sentence.meant:
                noun = one.lower()
                if one[0].islower() or len(one) < _SHORTEST:
                    continue
                if has_first and not noun.startswith(first[:_FEWEST]):
                    alike, compound = self._alike(noun, last, _PART), first + noun
                elif has_last and not noun.endswith(last) and not self._target.may_go_on(first):
                    joined = noun + "s" if noun.endswith(_MUST_JOIN) else noun
                    alike, compound = self._alike(joined, first, _PART), joined + last
                else:
                    continue
                if alike and alike >= likeness:
                    likeness, best = alike, compound
        return with_capital(best) or None

    def _name(self, word: str, sentence: _Sentence) -> str | None:
        """A name of the sentence that has lost its beginning, or letters in its middle."""
        for name in sentence.names:
            whole = name.lower()
            start, end = alike_at_both_ends(whole, word)
            has_lost = whole.endswith(word) or (end >= _FEWEST - 1 and abs(len(whole) - len(word)) >= _LOST)
            is_alike = has_lost and (start + end) / max(len(whole), len(word)) >= _NAME
            if is_alike and not self._source.may_be_word(whole):
                return name
        return None


def _at_least(share: float, least: float) -> float:
    return share if share >= least else 0.0


def _differ_at_both_ends(meant: str, word: str) -> bool:
    """As most words do: none of these is garbled from the other. Both in lower case."""
    return meant[:_FEWEST] != word[:_FEWEST] and meant[-_FEWEST:] != word[-_FEWEST:]


def _may_be_capital(meant: str, written: str) -> bool:
    """Whether capitals go together: only what was written with the word before, or lost its beginning, has lost one."""
    if meant[0].islower() or written[0].isupper():
        return meant[0].isupper() == written[0].isupper()
    noun, word = meant.lower(), written.lower()
    return word.endswith(noun) or noun.endswith(word) or not begin_alike(noun, word)


def _is_form(meant: str, word: str, endings: AbstractSet[str]) -> bool:
    """Whether two words are alike but for their endings. Both in lower case."""
    same = begin_alike(meant, word)
    return same >= _FEWEST and meant[same:] in _GERMAN_FORMS and word[same:] in endings and word[-2:] != "ss"


def _once(word: str) -> Iterator[tuple[str, bool]]:
    """The word with each repetition in it once, and whether that may be right: a consonant is often written twice."""
    for length in range(1, len(word) // 2 + 1):
        for start in range(len(word) - 2 * length + 1):
            middle, end = start + length, start + 2 * length
            if word[start:middle] == word[middle:end]:
                inside = start > 0 and end < len(word) and word[start] not in "aiuy"
                may_be_right = (
                    length == 1 and (inside or word[start] in "aeiouy") and word[end : end + 1] != word[start]
                )
                yield word[:start] + word[middle:], may_be_right
