"""Words that follow themselves, and adverbs that a clause has twice: heute Abend heute Abend, gestern im Bus gestern.

A network that writes all places at once writes a word at both of those that it may have. Of a million sentences that
people wrote 450 have the like, mostly by mistake; of ten thousand that the network has written 60.
"""

from __future__ import annotations

import re
from operator import eq
from typing import TYPE_CHECKING

from model.bundle import OTHER_LANGUAGE
from service.pipeline.edits import Edit
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["find_doubled"]

_WORD = re.compile(r"[^\W_]+")
_MOST = 4
"""Words in a row that may follow themselves."""
_IN_A_ROW = re.compile(
    rf"(?<![\w'’-])(?P<words>[^\W\d_]+(?: [^\W\d_]+){{1,{_MOST - 1}}})(?P<again>(?: (?i:(?P=words)))+)(?![\w'’-])"
)
_ONE = {
    "en": re.compile(
        r"(?<![\w'’-])(?!(?:bye|do|had|her|his|in|is|it|no|on|really|so|that|there|very|was|you)\b)"
        r"(?P<words>[A-Za-z][a-z]+)(?P<again>(?: (?P=words))+)(?![\w'’-])"
    ),
    "de": re.compile(
        r"(?<![\w-])(?!(?:Ihne|Ihre|[Dd]iese|[Jj]ene|immer)[a-z]?\b)"
        r"(?P<words>[A-ZÄÖÜ][a-zäöüß]{3,}|[a-zäöüß]{6,}|auch|bei|eine?|für|im|kein|nicht|noch|nur|oder|sich|und|vo[mn]|wird)"
        r"(?P<again>(?: (?P=words))+)(?![\w-])"
    ),
}
"""Single words that are not meant to follow themselves, as articles, pronouns and some others may."""
_ANY_IN_A_ROW = re.compile(
    r"(?<!\w)(?!(?:das|dem|den|der|die|sie)\b)([^\W\d_]{2,}(?: [^\W\d_]+){0,3}),? \1(?!\w)", re.IGNORECASE
)
"""In a sentence; pronouns and articles say nothing of its translation: Frauen, die die Kinder sehen."""
_MAY_FOLLOW = re.compile(r"\b(?:and|or|und|oder)\b|^\S+ (?:after|an|auf|by|für|in|nach|to|um|zu)$", re.IGNORECASE)
"""Round and round and round, from place to place to rest, Hand in Hand in die Stadt."""

_DAY = "(?: (?:Morgen|Vormittag|Mittag|Nachmittag|Abend|Nacht|früh))"
_ADVERBS = {
    "en": (
        "today|yesterday|tomorrow|tonight|now|here|then|already|always|again|often|sometimes|also|only|still|soon|just"
        "|really|actually|automatically|clearly|completely|continuously|currently|especially|exactly|finally|immediately"
        "|normally|probably|quickly|recently|regularly|slowly|suddenly|usually|outside|inside|however|therefore|yet"
    ),
    "de": (
        rf"(?:heute|gestern|morgen|vorgestern|übermorgen){_DAY}?"
        "|jetzt|nun|hier|dort|dann|bereits|immer|wieder|oft|manchmal|auch|nur|zusammen|sofort|schließlich|tatsächlich"
        "|wirklich|vielleicht|wahrscheinlich|normalerweise|derzeit|weiterhin|bald|früher|plötzlich|leider|natürlich"
        "|zurück|draußen|drinnen|heutzutage|kürzlich|gern|gerne|zuerst|außerdem|jedoch|daher|dennoch|lange"
    ),
}
_OTHER_CLAUSE = {
    "en": "and|or|than|as|but|if|when|that|who|which|until|because|where|while|what|how|so|too?",
    "de": "und|oder|als|wie|sondern|bis|aber|sowie",
}
"""Words after which an adverb may be meant once more."""
_ADVERB_TWICE = {
    language: re.compile(
        rf"(?<![\w'’-])(?P<adverb>(?i:{adverbs}))(?: (?!(?:{_OTHER_CLAUSE[language]}) )[^\s.,;:!?()\"„“”»«–—/-]+)+?"
        rf"(?P<again> (?=[a-zäöü])(?i:(?P=adverb)))(?![\w'’-])(?!{_DAY}\b| (?:dann|mehr)\b)"
    )
    for language, adverbs in _ADVERBS.items()
}
_ANY_ADVERB = {
    language: re.compile(rf"(?<![\w'’-])(?:{adverbs})(?![\w'’-])", re.IGNORECASE)
    for language, adverbs in _ADVERBS.items()
}
_FIRST_WORDS = {
    language: frozenset(re.findall(r"(?<!\w)[a-zäöüß]+", adverbs)) for language, adverbs in _ADVERBS.items()
}
"""Of adverbs: most sentences have no two of these."""


_PLEASE, _BITTE = re.compile(r"(?<=\w),? please(?=\W{0,3}$)"), re.compile(r"\bbitte\b", re.IGNORECASE)
"""Could you please come, please?"""


def find_doubled(source: str, target: str, language: str) -> Iterator[Edit]:
    """What to leave out of a translation, of a language, that has these: in order, and none meets another.

    Where the sentence has words twice in a row, or an adverb twice, so may its translation.
    """
    words = _WORD.findall(target.casefold())
    if len(words) == len({*words}):
        return
    found = []
    # whether each is as the one so many words on, as a byte: a run as long as that is words that follow themselves
    if any(b"\1" * size in bytes(map(eq, words, words[size:])) for size in range(1, _MOST + 1)):
        found += _in_a_row(source, target, language)
    if sum(map(_FIRST_WORDS[language].__contains__, words)) > 1:
        found += _adverbs(source, target, language)
    if language == "en" and words.count("please") > 1 and words[-2:] != ["please", "please"]:
        last = _PLEASE.search(target) if len(_BITTE.findall(source)) <= 1 else None
        found += [Edit(Span(*last.span()), "")] if last else []
    end = 0
    for edit in sorted(found, key=lambda edit: edit.span.start):
        if edit.span.start >= end:
            yield edit
            end = edit.span.end


def _in_a_row(source: str, target: str, language: str) -> list[Edit]:
    """Without the words that are followed by themselves, whose capital the last of them get.

    Rather than without those that follow: what comes next may be put right together with the last.
    """
    doubled = [one for one in _ONE[language].finditer(target) if one[0] not in source]
    for one in _IN_A_ROW.finditer(target):
        differ = len({*one["words"].casefold().split()}) > 1
        if differ and not _MAY_FOLLOW.search(one["words"]):
            doubled.append(one)
    if not doubled or _ANY_IN_A_ROW.search(source):
        return []
    edits = []
    for one in doubled:
        first, last = one.start(), one.end() - len(one["words"])
        moves = target[first].isupper() and not target[last].isupper()
        edits.append(Edit(Span(first, last + moves), target[last].upper() if moves else ""))
    return edits


def _adverbs(source: str, target: str, language: str) -> list[Edit]:
    """Without the second of an adverb that one clause has twice."""
    adverbs = _ANY_ADVERB[language].findall(target.lower())
    if len(adverbs) == len({*adverbs}):
        return []
    its = _ANY_ADVERB[OTHER_LANGUAGE[language]].findall(source.lower())
    if len(its) > len({*its}):
        return []
    return [Edit(Span(*one.span("again")), "") for one in _ADVERB_TWICE[language].finditer(target)]
