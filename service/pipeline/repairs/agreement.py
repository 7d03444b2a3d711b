"""German articles and nouns that do not go together: einem Maschine, eine Glas, im kalten Küche, des Wasser, dem Chefs.

A network that writes all words at once may write the article of one noun, and another noun. Where the case is certain,
so is the article that belongs there: einer Maschine, ein Glas, in der kalten Küche. For "eine Weg" it may be "ein" or
"einen": that is but a flaw, for which another candidate is taken if there is one. And the article tells whether a noun
has the s of the genitive: des Wassers, dem Chef.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from service.pipeline.edits import Edit, with_capital
from service.pipeline.lists import lines_of
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["check_agreement", "count_disagreements"]

_LIST = "genders.txt"
_FEMININE = re.compile(
    r"(?:ung|heit|keit|(?<=\w\w\w)schaft|[st]ion|tät|(?:er|or|ist|ent|ant|og|eur|ekt)in)$(?<!prung)(?<!chwung)"
)
_NO_GENDER = re.compile(r"ischen?$")
"""Adjectives as nouns, of any gender: das Japanische."""
_SHORTEST_LAST = 5
"""Letters of the last part of a compound."""
_MOST_CACHED = 10_000


class _Other(NamedTuple):
    """What stands before a noun of another gender instead of an article, and how an adjective between them ends."""

    article: str
    ending: str


_UNCERTAIN = _Other("", "")
"""The case may be one or another."""
_ARTICLES: dict[str, dict[str, _Other]] = {
    "ein": {"f": _Other("eine", "e")},
    "einen": {"f": _Other("eine", "e"), "n": _Other("ein", "es")},
    "einem": {"f": _Other("einer", "en")},
    "eines": {"f": _Other("einer", "en")},
    "eine": {"n": _Other("ein", "es"), "m": _UNCERTAIN, "mn": _UNCERTAIN},
    "einer": dict.fromkeys(("m", "n", "mn"), _Other("einem", "en")),
    "das": {"f": _Other("die", "e"), "m": _UNCERTAIN},
    "dem": {"f": _Other("der", "en")},
    "den": {"f": _UNCERTAIN, "n": _UNCERTAIN},
    "der": {"n": _UNCERTAIN},
    "des": {"f": _Other("der", "en")},
    "die": {"n": _Other("das", "e"), "m": _UNCERTAIN, "mn": _UNCERTAIN},
    "diesem": {"f": _Other("dieser", "en")},
    "jedem": {"f": _Other("jeder", "en")},
    "am": {"f": _Other("an der", "en")},
    "beim": {"f": _Other("bei der", "en")},
    "im": {"f": _Other("in der", "en")},
    "ins": {"f": _Other("in die", "e"), "m": _Other("in den", "en")},
    "vom": {"f": _Other("von der", "en")},
    "zum": {"f": _Other("zur", "en")},
    "zur": dict.fromkeys(("m", "n", "mn"), _Other("zum", "en")),
}
"""Articles, some with their prepositions, and the genders of nouns that they do not go with."""
_POSSESSIVES = ("kein", "mein", "dein", "sein", "unser", "ihr")
"""Declined as *ein* is, and before plurals, too."""
_ENDINGS = {"ein": ("er", "es"), "eine": ("e",), "das": ("e",), "der": ("e",), "die": ("e",), "ins": ("e",)}
"""Of adjectives after an article; after the others, en."""
_BEFORE_PLURALS = frozenset({"das", "den", "der", "die"})
_MAY_BE_PLURAL = ("e", "el", "er", "lein", "n")
"""How masculine and neuter nouns end that may be plurals: seiner Mitarbeiter, die Zeichen, das Wähler wissen."""
_MAY_BE_PRONOUN = frozenset({"das", "dem", "den", "der", "die"})
_AFTER_COMMA = re.compile(r",\s(?:\w+\s)?$")
"""There they may begin a relative clause: der Raum, in dem Maschinen stehen."""
_LONGEST_BEFORE = 20


def _possessives() -> Iterator[tuple[str, dict[str, _Other]]]:
    """The same for *mein* and others, which stand before plurals, too: aus ihren Stadt may be "ihrer" or "Städten"."""
    for ending, stem in product(("", "en", "em", "es", "er"), _POSSESSIVES):
        declined = {
            gender: _UNCERTAIN if ending == "en" else _Other(stem + other.article.removeprefix("ein"), other.ending)
            for gender, other in _ARTICLES[f"ein{ending}"].items()
            if gender == "f" or ending == "er"
        }
        if (article := stem + ending) != "ihr":  # a pronoun
            yield article, declined


_ARTICLES |= dict(_possessives())
_NOT_FEMININE = frozenset({"m", "n", "mn"})
_GENITIVES = frozenset(("des", *(f"{stem}es" for stem in ("ein", *_POSSESSIVES))))
_NO_GENITIVES = frozenset(
    ("das", "dem", "diesem", "jedem", "am", "beim", "im", "ins", "vom", "zum", "ein", "einen", "einem")
) | {stem + ending for ending in ("", "em") for stem in _POSSESSIVES}
_WITHOUT_S = re.compile(r"(?:[aiouyäöüsßxz]|en)$")
"""Nouns whose genitive is not told here: it is as the nominative, or a weak one, as that of names may be."""
_WEAK = re.compile(
    r"(?:e|ent|ant|ist|at|og|arch|oph|ad|ekt|ot|nom|graf|(?i:mensch|held|bär|herr|prinz|nachbar|bauer|graf|fürst|narr|ochs"
    r"|hirt|christ|asket|planet|zar))$"
)
"""Masculine nouns that may have -en in all other cases."""
_NEEDS_E = ("sch", "st", "zt")

_BEGINNINGS = "|".join(sorted(_ARTICLES, key=len, reverse=True))
_NOUN_PHRASE = re.compile(
    rf"(?<![\w-])(?<!\bde[mnrs] )(?<!\bdie )(?P<article>{_BEGINNINGS}|{'|'.join(map(with_capital, _BEGINNINGS.split('|')))})"
    r"(?P<between> (?!(?:alle|andere|beide|diese|einige|gerade|gerne|heute|jene|mehrere|manche|ohne|solche|sowie|viele"
    r"|welche|wenige|[kmds]?eine|ihre|unsere|die)[nmrs]? )(?P<stem>[a-zäöüß]{2,}?)(?P<ending>e[nrs]?))?"
    r" (?P<noun>[A-ZÄÖÜ][a-zäöüß]{2,})(?![\w-]| [A-ZÄÖÜ\d])"
)
"""An article, an adjective if there is one, and a noun: not "auf der einen Seite", nor "ein Insel Staat"."""


def check_agreement(target: str) -> Iterator[Edit]:
    """What to change in a German translation for its articles and nouns to go together, where that is certain."""
    return (edit for edit in _disagreements(target) if edit)


def count_disagreements(target: str) -> int:
    """How many articles and nouns of a German translation do not go together."""
    return sum(1 for _ in _disagreements(target))


def _disagreements(target: str) -> Iterator[Edit | None]:
    """What to change for each; nothing, where that is not certain."""
    for found in _NOUN_PHRASE.finditer(target):
        article, noun = found["article"].lower(), found["noun"]
        if found["between"] and found["ending"] not in _ENDINGS.get(_declined_as(article), ("en",)):
            continue
        before = max(0, found.start() - _LONGEST_BEFORE), found.start()
        if article in _MAY_BE_PRONOUN and _AFTER_COMMA.search(target, *before):
            continue
        gender = _gender(noun)
        if other := _ARTICLES[article].get(gender):
            if gender == "f" or not (_may_precede_plural(article) and noun.endswith(_MAY_BE_PLURAL)):
                yield _with_article(found, other) if other.article else None
        elif written := _in_case_of(article, noun, gender):
            yield Edit(Span(*found.span("noun")), written)


def _with_article(found: re.Match[str], other: _Other) -> Edit:
    article = other.article if found["article"].islower() else with_capital(other.article)
    between = f" {found['stem']}{other.ending}" if found["between"] else ""
    return Edit(Span(found.start(), found.start("noun") - 1), article + between)


def _may_precede_plural(article: str) -> bool:
    return article in _BEFORE_PLURALS or article.removesuffix("er") in _POSSESSIVES


def _in_case_of(article: str, noun: str, gender: str) -> str:
    """The noun with the s of the genitive after "des", or without it after an article of another case, if it needs that."""
    if not gender:
        stems = (noun[: -len(ending)] for ending in ("es", "s") if noun.endswith(ending))
        base = next((stem for stem in stems if _gender(stem) in _NOT_FEMININE), "")
        return base if article in _NO_GENITIVES else ""
    if article not in _GENITIVES or gender == "f" or _WITHOUT_S.search(noun) or (gender != "n" and _WEAK.search(noun)):
        return ""
    return noun + ("es" if noun.endswith(_NEEDS_E) else "s")


def _declined_as(article: str) -> str:
    """Ein, for mein and the others that are declined as it is."""
    return "ein" if article in _POSSESSIVES else article


@lru_cache(_MOST_CACHED)
def _gender(noun: str) -> str:
    """That of a noun in the singular, as the list has it; nothing if it is not known."""
    listed = _listed()
    if noun in listed:
        return listed[noun]
    if _FEMININE.search(noun):
        return "f"
    if _NO_GENDER.search(noun):
        return ""
    parts = (noun[cut:].capitalize() for cut in range(3, len(noun) - _SHORTEST_LAST + 1))
    return next((listed[part] for part in parts if part in listed), "")


@cache
def _listed() -> Mapping[str, str]:
    """Genders by noun."""
    lines = (line.partition(": ") for line in lines_of(_LIST))
    return {noun: gender for gender, _, nouns in lines for noun in nouns.split()}
