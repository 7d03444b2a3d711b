"""What belongs to a German verb and stands beside it: a reflexive pronoun, a preposition, or both, *sich freuen auf*.

The network takes each of these for itself. A verb that is read as another one, which needs none of them, has them left
out: *sie freut sich auf den Urlaub* is read as *sie respektiert den Urlaub*. Or it is meant with some subjects
alone, which stay: *der Zug fällt aus*.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["find_frame"]

_SICH, _SICH_WITH_OBJECT = "sich", "sich etwas"
_WHOSE = {"mich": "ich", "mir": "ich", "dich": "du", "dir": "du", "uns": "wir", "euch": "ihr"}
"""A pronoun is reflexive beside its own one, and in a command."""
_TAKE_DATIVE = {"aus", "bei", "mit", "nach", "von", "vor", "zu"}
_TAKE_ACCUSATIVE = {"für", "gegen", "um"}
_DATIVE_MARK = " + Dativ"
"""After a preposition that may take the accusative as well, which else is meant."""
_WITH_DAS = {f"{preposition}s": preposition for preposition in ("an", "auf", "für", "in", "um", "über")}
_WITH_DEM = {"am": "an", "beim": "bei", "im": "in", "vom": "von", "zum": "zu"}
_ARTICLES = dict.fromkeys(_WITH_DAS, " das") | dict.fromkeys(_WITH_DEM, " dem") | {"zur": " der"}

_NO_ADVERB = r"(?![a-zäöüß]+(?:[.,:;!?]|$))"
"""After *zu*, which may be part of one: *entwickelt sich zu langsam*."""

_FARTHEST = 120
_OTHER_CLAUSE = r"(?:und|oder|aber|sondern|ha(?:t|be|ben|tten?)|ist|sind|waren?|w[iu]rde?n?)\b"
"""What follows has another verb."""
_LETS = re.compile(r"\b(?:l[aä](?:ss|ß)|lie(?:ß|ss))\w*\b[^.,:;!?]*$")
"""Before what is done by somebody else: *lässt sich ausziehen*."""
_WORDS = rf"(?: (?!{_OTHER_CLAUSE})[\w-]+){{0,7}}?"
_SAME_CLAUSE = re.compile(rf"{_WORDS} ?")
_OBJECT_BEFORE_VERB = re.compile(r"(?: [\w-]+)+(?<! und)(?<! oder) ")
_OTHER_PARTS = ("in Bewegung", "in Verbindung", "zur Wehr")
"""Beside a verb they make another one of it: *setzt sich in Verbindung*."""
_OTHER_VERB = re.compile(
    r"[^.,:;!?]*? (?:ab|an|auf|aus|auseinander|bei|durch|ein|entgegen|fest|fort|frei|gegenüber|heim|her\w*|hin\w*|los"
    r"|mit|nach|nieder|um|unter|vor\w*|weg|weiter|wieder|zu|zurecht|zurück|zusammen"
    rf"|{'|'.join(_OTHER_PARTS)})"
    r"(?=[.,:;!?)\"”“»]|$| (?:und|oder|aber)\b)"
)
"""After a verb, the prefix that makes another one of it, or such a part: *setzt sich zusammen*."""
_PREPOSITIONS = "an|auf|aus|bei|für|gegen|hinter|in|mit|neben|um|unter|von|vor|zu|über"
_NO_PREPOSITION = "".join(rf"(?<!\b{preposition})" for preposition in _PREPOSITIONS.split("|") if preposition != "um")
_PRONOUN = rf"{_NO_PREPOSITION} (?P<pronoun>sich|[md]i(?:ch|r)|uns|euch)\b(?! (?:selbst|selber|gegenseitig|einander)\b)"
_DATIVE_PLURAL = r"den [A-ZÄÖÜ]\w*e[lr]?n\b"
_DETERMINER = (
    rf"(?!{_DATIVE_PLURAL})(?:d(?:as|en|ie|iesen?|ieses?)|[mdsk]?eine?n?|ihre?n?|unsere?n?|es|etwas|nichts|viel\w*)\b"
)
_DATIVE = r"(?:de[mr]|[mdsk]?eine[mr]|ihre[mr]|unsere[mr]|eure[mr]|diese[mr]|jede[mr]|alle[mr]) "
_END_OF_CLAUSE = re.compile("[.:;!?]")
_AFTER_PREPOSITION = re.compile(
    rf"\b(?:{_PREPOSITIONS}|am|beim|durch|im|ins|nach|ohne|seit|trotz|vom|während|wegen|zum|zur)"
    r"(?: (?:d(?:as|e[mnrs]|ie)|(?:[mdsk]?ein|ihr|unser|dies|jed)e?[mnrs]?))?(?: [a-zäöüß]+)? $",
    re.IGNORECASE,
)
"""Before a noun that is neither: im Zug, mit dem alten Motor."""


def find_frame(text: str, verb: Span, prefix: Span, frame: str) -> tuple[Edit, ...] | None:
    """What leaves out the words of a frame in the clause of a verb, or None if one of them is not there.

    Args:
        text: in German.
        verb: where it is.
        prefix: where its prefix is, if that stands apart.
        frame: of the verb, as it is listed: *sich auf*, or nouns of which one is its subject, *Zug, Bus*, or its
            object, *Antrag*, and stays.
    """
    first = max(0, verb.start - _FARTHEST)
    last = prefix.start if prefix.start < prefix.end else verb.end + _FARTHEST
    is_reflexive_one = _SICH not in frame and _SICH in text[first:last].split()
    is_prefixed_one = prefix.start == prefix.end and _OTHER_VERB.match(text, verb.end, last)
    has_other_part = text.endswith(_OTHER_PARTS, first, max(first, verb.start - 1))
    is_done_by_another = text.startswith((" lassen", " gelassen"), verb.end) or _LETS.search(text, first, verb.start)
    if is_reflexive_one or is_prefixed_one or has_other_part or is_done_by_another:
        return None
    if frame[0].isupper():
        return () if _has_noun(text, verb, first, last, frame) else None
    for found in _pattern(frame).finditer(text, first, last):
        if found.end() <= verb.start:
            between = _OBJECT_BEFORE_VERB if "left_out" in found.groupdict() else _SAME_CLAUSE
            is_beside = between.fullmatch(text, found.end(), verb.start) is not None
        else:
            is_beside = _SAME_CLAUSE.fullmatch(text, verb.end, found.start()) is not None
        if is_beside and _is_reflexive(found, verb):
            return tuple(_left_out(found))
    return None


def _is_reflexive(found: re.Match[str], verb: Span) -> bool:
    """Whether a pronoun is that of the subject; there may be none."""
    whose = _WHOSE.get(found.groupdict().get("pronoun", ""))
    is_command = found.string[: verb.start].strip() == ""
    return whose is None or is_command or re.search(rf"\b{whose}\b", found.string, re.IGNORECASE) is not None


def _left_out(found: re.Match[str]) -> Iterator[Edit]:
    groups = found.groupdict()
    if groups.get("pronoun"):
        yield Edit(Span(found.start("pronoun") - 1, found.end("pronoun")), "")
    if written := groups.get("left_out"):
        yield Edit(Span(found.start("left_out") - 1, found.end("left_out")), _ARTICLES.get(written, ""))


def _has_noun(text: str, verb: Span, first: int, last: int, frame: str) -> bool:
    """Whether one of the nouns may be the subject of the verb or its object: in its clause, after no preposition."""
    for found in _pattern_of_nouns(frame).finditer(text, first, last):
        between = text[found.end() : verb.start] if found.end() <= verb.start else text[verb.end : found.start()]
        if not _END_OF_CLAUSE.search(between) and not _AFTER_PREPOSITION.search(text, first, found.start()):
            return True
    return False


@cache
def _pattern_of_nouns(frame: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{frame.replace(', ', '|')})\b")


@cache
def _pattern(frame: str) -> re.Pattern[str]:
    """Finds a pronoun, a preposition, or both, with the words between them."""
    if frame in (_SICH, _SICH_WITH_OBJECT):
        follows = "?=" if frame == _SICH_WITH_OBJECT else "?!"
        return re.compile(
            rf"{_PRONOUN}({follows}(?: (?!(?:{_PREPOSITIONS}|am|beim|im|vom|zum|zur)\b)[a-zäöüß]+)?? {_DETERMINER})"
        )
    is_reflexive = frame.startswith(f"{_SICH} ")
    preposition = frame.removeprefix(f"{_SICH} ").removesuffix(_DATIVE_MARK)
    is_dative = preposition in _TAKE_DATIVE or frame.endswith(_DATIVE_MARK)
    contracted = _WITH_DEM | {"zur": "zu"} if is_dative else _WITH_DAS
    forms = "|".join([preposition, *(form for form, of in contracted.items() if of == preposition)])
    unfit = _unfit(preposition, is_dative=is_dative)
    return re.compile(
        rf"{_PRONOUN + _WORDS if is_reflexive else ''} (?P<left_out>{forms})(?= {unfit}(?!und\b|oder\b)\w)"
    )


def _unfit(preposition: str, *, is_dative: bool) -> str:
    """What must not follow a preposition: an adverb that it is part of, or an object in the other case."""
    if preposition == "zu":
        return _NO_ADVERB
    if is_dative:
        return ""
    return f"(?!{_DATIVE})" if preposition in _TAKE_ACCUSATIVE else f"(?!{_DATIVE}|{_DATIVE_PLURAL})"
