"""German articles, adjectives and nouns that do not go together: einem Maschine, ein graue Haus, die Nähe des Wasser.

A network that writes all words at once may write the article of one noun, and another noun. Where the case is certain,
so is what belongs there: einer Maschine, ein graues Haus, des Wassers. For "eine Weg" it may be "ein" or "einen": that
is but a flaw, for which another candidate is taken if there is one.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from service.pipeline.edits import Edit, with_capital
from service.pipeline.lists import kinds_of
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["FEMININE_END", "check_agreement", "find_disagreements", "listed_genders"]

FEMININE_END = r"(?:ung|heit|keit|(?<=\w\w\w)schaft|[st]ion|tät)"
"""How nouns end that are feminine; not Ursprung and Schwung."""


class _Other(NamedTuple):
    """What stands before a noun instead of an article, and how an adjective between them ends then."""

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
    "diese": {"n": _Other("dieses", "e"), "m": _UNCERTAIN, "mn": _UNCERTAIN},
    "diesem": {"f": _Other("dieser", "en")},
    "dieser": {"n": _Other("dieses", "e")},
    "dieses": {"f": _UNCERTAIN},
    "jedem": {"f": _Other("jeder", "en")},
    "jeder": {"n": _Other("jedes", "e")},
    "jedes": {"f": _Other("jede", "e")},
    "am": {"f": _Other("an der", "en")},
    "beim": {"f": _Other("bei der", "en")},
    "im": {"f": _Other("in der", "en")},
    "ins": {"f": _Other("in die", "e"), "m": _Other("in den", "en")},
    "vom": {"f": _Other("von der", "en")},
    "zum": {"f": _Other("zur", "en")},
    "zur": dict.fromkeys(("m", "n", "mn"), _Other("zum", "en")),
}
"""Articles, some with their prepositions, and the genders of nouns in the singular that they do not go with."""
_POSSESSIVES = ("kein", "mein", "dein", "sein", "unser", "ihr")
"""Declined as *ein* is, and before plurals, too: aus ihren Stadt may be meant to be "ihrer" or "Städten"."""
_ARTICLES |= {
    stem + ending: {
        gender: _Other(stem + other.article.removeprefix("ein"), other.ending)
        if other.article and ending != "en"
        else _UNCERTAIN
        for gender, other in _ARTICLES[f"ein{ending}"].items()
        if gender == "f" or ending != "en"
    }
    for stem in _POSSESSIVES
    for ending in ("", "e", "en", "em", "es", "er")
    if stem + ending != "ihr"  # a pronoun
}
_GENITIVES = frozenset(("des", *(f"{stem}es" for stem in ("ein", *_POSSESSIVES))))
_DATIVES = frozenset(
    ("dem", "diesem", "jedem", "am", "beim", "im", "vom", "zum", *(f"{stem}em" for stem in ("ein", *_POSSESSIVES)))
)
_WITH_EN = _GENITIVES | _DATIVES
"""Articles after which adjectives end so, whatever the gender."""
_OTHER_CASES = _DATIVES | {"das", "ins", "ein", "einen", *_POSSESSIVES}
"""Articles that show the case to be no genitive."""
_MAY_BE_PRONOUN = frozenset({"das", "dem", "den", "der", "die"})
_BEFORE_PLURALS = frozenset(
    ("das", "den", "der", "die", "diese", "dieser", *(stem + ending for stem in _POSSESSIVES for ending in ("e", "er")))
)
"""So or as pronouns: die Fenster, meiner Fenster, das Wähler wissen."""

_OF_PLURALS = frozenset({"die", "diese", *(f"{stem}e" for stem in _POSSESSIVES)})
_MAY_END_IN_ER = re.compile(r"(?:zig|^vi|bess|^ält|größ|höh|jüng|kürz|läng|näh|schwäch|stärk)$")
"""Der achtziger Jahre, der größer geworden ist, der vier Jahre."""

_WITH_E_ALONE = ("eine", "das", "der", "die", "diese", "dieser", "jeder", "ins")
_ENDINGS = {"ein": ("er", "es"), **dict.fromkeys(_WITH_E_ALONE, ("e",))}
"""Of adjectives in the singular after an article, of whichever gender; after the others, en."""
_NO_ADJECTIVE = (
    "(?:alle|andere|beide|diese|einige|gerade|gerne|heute|jede|jene|mehrere|manche|ohne|solche|sowie|viele|welche|wenige"
    "|[kmds]?eine|ihre|unsere|die)[nmrs]?|aber|außer|bisschen|gegen|hinter|immer|leider|lieber|neben|nieder|oder|sicher"
    "|über|unter|weder|wegen|weiter|wieder|zwischen"
)
_WRITTEN = "|".join(sorted([*_ARTICLES, *map(with_capital, _ARTICLES)], key=len, reverse=True))
_NOUN_PHRASE = re.compile(
    rf"(?<![\w-])(?<!\b[Dd]e[mnrs] )(?<!\b[Dd]ie )(?<!\b[Dd]as )(?P<article>{_WRITTEN})"
    rf"(?: (?!(?:{_NO_ADJECTIVE}) )(?P<stem>[a-zäöüß]{{2,}}?)(?P<ending>e[mnrs]?))?"
    r" (?P<noun>[A-ZÄÖÜ][a-zäöüß]{2,})(?![\w-]| [A-ZÄÖÜ\d])"
)
"""An article, an adjective if there is one, and a noun: not "auf der einen Seite", nor "ein Insel Staat"."""
_AFTER_COMMA = re.compile(r",\s(?:\w+\s)?$")
"""What follows may begin a relative clause: der Raum, in dem Maschinen stehen."""
_LONGEST_BEFORE = 20

_LIST = "genders.txt"
_FEMININE = re.compile(rf"(?:{FEMININE_END}|(?:er|or|ist|ent|ant|og|eur|ekt)in)$(?<!prung)(?<!chwung)")
_NO_GENDER = re.compile(r"ischen?$")
"""Adjectives as nouns, of any gender: das Japanische."""
_SHORTEST_FIRST, _SHORTEST_LAST = 3, 5
"""Letters of the parts of a compound."""
_MOST_CACHED = 10_000
_MAY_BE_PLURAL = ("e", "el", "er", "lein", "n")
"""How masculine and neuter nouns end that may be plurals: seiner Mitarbeiter, die Zeichen."""
_WITHOUT_S = re.compile(r"(?:[aiouyäöüsßxz]|en)$")
"""Nouns whose genitive is not told here: it may be as the nominative, or be a plural that the list has as a noun."""
_WEAK = re.compile(
    r"(?:e|ent|ant|ist|at|og|arch|oph|ad|ekt|ot|nom|graf|(?i:mensch|held|bär|herr|prinz|nachbar|bauer|fürst|narr|ochs"
    r"|hirt|christ|asket|planet|zar))$"
)
"""Masculine nouns that may have -en in all other cases."""
_WITH_E = ("sch", "st", "zt")
"""What *es* rather than *s* is put after."""


def check_agreement(target: str) -> Iterator[Edit]:
    """What to change in a German translation for its articles and nouns to go together, where that is certain."""
    return (edit for _, edit in _disagreements(target) if edit)


def find_disagreements(target: str) -> list[int]:
    """Where the articles of a German translation are that do not go with their nouns, in order, each as often."""
    return [place for place, _ in _disagreements(target)]


def _disagreements(target: str) -> Iterator[tuple[int, Edit | None]]:
    """Where the article is, and what to change; nothing, where that is not certain."""
    for found in _NOUN_PHRASE.finditer(target):
        article, noun, ending = found["article"].lower(), found["noun"], found["ending"]
        before = max(0, found.start() - _LONGEST_BEFORE), found.start()
        if article in _MAY_BE_PRONOUN and _AFTER_COMMA.search(target, *before):
            continue
        gender = _gender(noun)
        if ending and (as_plural := _ending_of_plural(article, found["stem"], ending, noun, gender)):
            yield found.start(), Edit(Span(*found.span("ending")), as_plural)
            continue
        is_declined = not ending or ending in _ENDINGS.get(_declined_as(article), ("en",))
        may_be_plural = gender != "f" and article in _BEFORE_PLURALS and noun.endswith(_MAY_BE_PLURAL)
        if other := _ARTICLES[article].get(gender):
            if is_declined and not may_be_plural:
                yield found.start(), _with_article(found, other) if other.article else None
            continue
        right = _ending_after(article, gender)
        if ending and right and ending != right:
            is_certain = (ending, right) != ("en", "er")  # ein starken Wind: or "einen"
            yield found.start(), Edit(Span(*found.span("ending")), right) if is_certain else None
        if (is_declined or right) and (in_case := _in_case_of(article, noun, gender)):
            yield found.start(), Edit(Span(*found.span("noun")), in_case)


def _with_article(found: re.Match[str], other: _Other) -> Edit:
    article = other.article if found["article"].islower() else with_capital(other.article)
    adjective = f" {found['stem']}{other.ending}" if found["stem"] else ""
    return Edit(Span(found.start(), found.start("noun") - 1), article + adjective)


def _declined_as(article: str) -> str:
    """Ein, for mein and the others that are declined as it is."""
    stem = next((stem for stem in _POSSESSIVES if article.startswith(stem)), "")
    return f"ein{article.removeprefix(stem)}" if stem else article


def _ending_after(article: str, gender: str) -> str:
    """That of an adjective between an article and a noun that it goes with, if there is but one."""
    if gender == "f":
        return {"eine": "e", "einer": "en", "zur": "en"}.get(article, "")
    if gender and article in _WITH_EN:
        return "en"
    after = {"das": {"n": "e"}, "einen": {"m": "en", "mn": "en"}, "ein": {"m": "er", "n": "es"}}
    return after.get(_declined_as(article), {}).get(gender, "")


def _ending_of_plural(article: str, stem: str, ending: str, noun: str, gender: str) -> str:
    """That of an adjective before a plural, or after "der", if it has the one of a singular, or of no article."""
    if article == "der" and ending == "er" and not _MAY_END_IN_ER.search(stem):
        if gender == "m" and not noun.endswith(_MAY_BE_PLURAL):
            return "e"
        return "en" if gender in ("f", "n") or _is_plural(noun) else ""
    return "en" if ending == "e" and article in _OF_PLURALS and _is_plural(noun) else ""


def _is_plural(noun: str) -> bool:
    """Whether it is one in -n of a noun whose gender is known."""
    return not _gender(noun) and any(noun.endswith(end) and _gender(noun.removesuffix(end)) for end in ("en", "n"))


def _in_case_of(article: str, noun: str, gender: str) -> str:
    """The noun with the s of the genitive, or without it, if its article wants that; nothing if it is right."""
    if not gender:
        stems = (noun.removesuffix(ending) for ending in ("es", "s") if noun.endswith(ending))
        return next((stem for stem in stems if _gender(stem) not in ("", "f")), "") if article in _OTHER_CASES else ""
    if article not in _GENITIVES or gender == "f" or _WITHOUT_S.search(noun) or (gender != "n" and _WEAK.search(noun)):
        return ""
    return noun + ("es" if noun.endswith(_WITH_E) else "s")


@lru_cache(_MOST_CACHED)
def _gender(noun: str) -> str:
    """That of a noun in the singular, as the list has it; nothing if it is not known."""
    listed = listed_genders()
    if noun in listed:
        return listed[noun]
    if _FEMININE.search(noun):
        return "f"
    if _NO_GENDER.search(noun):
        return ""
    parts = (noun[cut:].capitalize() for cut in range(_SHORTEST_FIRST, len(noun) - _SHORTEST_LAST + 1))
    return next((listed[part] for part in parts if part in listed), "")


@cache
def listed_genders() -> Mapping[str, str]:
    """The genders of the list by noun: m, f, n, or several."""
    return {noun: gender for gender, nouns in kinds_of(_LIST).items() for noun in nouns}
