"""What pleases somebody is read as what he likes: *der Film hat mir gut gefallen* as *ich mochte den Film sehr*.

The network takes a dative behind the verb for an object of the English one, or loses it. Where nothing tells whether
the accusative is another word, as of *mein Zimmer*, the dative is read first, *mir gefiel mein Zimmer sehr*.
"""

from __future__ import annotations

import re

from service.pipeline.edits import Edit, with_capital, with_small_letter
from service.types import Span

__all__ = ["find_pleasing"]

_PRONOUN = "(?:[Mm]ir|[Dd]ir|[Ii]hm|[Uu]ns|[Ee]uch|Ihnen|[Ii]hr)"
"""*ihnen* would begin a sentence as *Ihnen* does."""
_PERSONS = (
    r"(?:(?:[Mm]einer|[Dd]einer|[Ss]einer|[Ii]hrer|[Uu]nserer|[Dd]er)"
    r" (?:Frau|Mutter|Tochter|Schwester|Freundin|Oma|Familie)"
    r"|(?:[Mm]einem|[Dd]einem|[Ss]einem|[Ii]hrem|[Uu]nserem|[Dd]em) (?:Mann|Vater|Sohn|Bruder|Freund|Opa|Hund|Kind)"
    r"|(?:[Mm]einen|[Dd]einen|[Ss]einen|[Ii]hren|[Uu]nseren|[Dd]en) (?:Kindern|Eltern|Freunden|Gästen|Söhnen|Töchtern))"
)
_ARTICLES = {"der": "die", "dem": "der", "den": "die"}
_DATIVE_PLURAL = re.compile(r"(?<=[er])n$(?<!Eltern)")
_WHAT = (
    r"(?:es|d(?:er|ie|as)|dies(?:er|e|es)|(?:[mds]ein|ihr|unser|euer|eur)e?)"
    r"(?: (?!(?:und|oder|nicht|sehr|auch|gut)\b)[a-zäöüß]+){0,2}?(?: [A-ZÄÖÜ][\w-]+){0,2}"
    r"(?: (?:in|auf|am|im|von|aus) (?:(?:de[mr]|diese[mr]) )?[A-ZÄÖÜ][\w-]+)?"
)
_VERB = "(?P<verb>gefällt|gefallen|gefiel|gefielen)"
_HAVE = "(?P<have>hat|haben)"
_HOW = (
    r"(?P<how> (?:wirklich |ganz |richtig |auch )?(?:sehr gut|gut|sehr|super|toll)"
    r"| (?:leider )?(?:gar |überhaupt )?nicht(?: so gut| so sehr)?)?"
)
_END = r"(?=[.,:;!]|$| und\b| aber\b)"
_WHO = rf"(?P<who>{_PRONOUN}|{_PERSONS})"
_PATTERNS = [
    re.compile(rf"(?P<what>(?i:{_WHAT})) {_VERB} {_WHO}{_HOW}{_END}"),
    re.compile(rf"(?P<what>(?i:{_WHAT})) {_HAVE} {_WHO}{_HOW} gefallen{_END}"),
    re.compile(rf"{_WHO} {_VERB} (?P<what>{_WHAT}){_HOW}{_END}"),
    re.compile(rf"{_WHO} {_HAVE} (?P<what>{_WHAT}){_HOW} gefallen{_END}"),
]
_QUESTION = re.compile(rf"Wie {_HAVE} {_WHO} (?P<what>{_WHAT}) gefallen(?=\?)")
_GOOD = re.compile(r"(?:sehr gut|gut|super|toll)$")
_PAST = {"hat": "gefiel", "haben": "gefielen"}
_SUBJECTS = {
    "mir": ("Ich", "mag", "mochte"),
    "dir": ("Du", "magst", "mochtest"),
    "ihm": ("Er", "mag", "mochte"),
    "ihr": ("Sie", "mag", "mochte"),
    "uns": ("Wir", "mögen", "mochten"),
    "euch": ("Ihr", "mögt", "mochtet"),
    "ihnen": ("Sie", "mögen", "mochten"),
}
"""And their verb, in the present and in the past."""
_POSSESSIVE = re.compile(r"(?<=e)[rn]$|em$")
_MASCULINE = re.compile(r"^(?P<article>der|dieser)(?P<adjectives>(?: [a-zäöüß]+)*)(?= [A-ZÄÖÜ])")
_MAY_BE_MASCULINE = re.compile(r"(?:[mds]ein|ihr|unser|euer) ")


def find_pleasing(text: str) -> list[Edit]:
    """What to read for the first clause of a German sentence, if it tells what somebody likes, in order."""
    if "gef" not in text:
        return []
    if question := _QUESTION.match(text):
        read = f"Wie {_PAST[question['have']]} {question['who']} {question['what']}"
        return [Edit(Span(*question.span()), read)]
    found = next((found for pattern in _PATTERNS if (found := pattern.match(text))), None)
    if not found:
        return []
    groups = found.groupdict()
    verb = groups.get("verb") or _PAST[groups["have"]]
    what, how = with_small_letter(found["what"]), _GOOD.sub("sehr", found["how"] or "")
    who = found["who"]
    if _MAY_BE_MASCULINE.match(what):
        if who.lower() == "ihr":  # which would be *ihr* of many at the beginning
            return []
        read = f"{with_capital(who)} {verb} {what}{how}"
    else:
        subject, present, past = _SUBJECTS.get(who.lower()) or _person(who)
        read = f"{subject} {past if verb.startswith('gefiel') else present} {_accusative(what)}{how}"
    return [Edit(Span(*found.span()), read)]


def _person(who: str) -> tuple[str, str, str]:
    """The same of those who are no pronoun."""
    determiner, _, person = who.partition(" ")
    nominative = with_capital(_ARTICLES.get(determiner.lower()) or _POSSESSIVE.sub("", determiner))
    if determiner.endswith("en"):
        return f"{nominative} {_DATIVE_PLURAL.sub('', person)}", "mögen", "mochten"
    return f"{nominative} {person}", "mag", "mochte"


def _accusative(what: str) -> str:
    """What is liked. Articles tell that it is masculine."""
    found = _MASCULINE.match(what)
    if not found:
        return what
    adjectives = "".join(f" {word}n" for word in found["adjectives"].split())
    return f"{found['article'][:-1]}n{adjectives}{what[found.end() :]}"
