"""What a German translation says at both of the places where it may stand: a verb, a "nicht", or where something is.

The network writes all places at once, and German has two for many words: "Wählen Sie … aus" or "… auswählen", "nicht
das Tor öffnen" or "das Tor nicht öffnen". People hardly ever write both.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit
from service.pipeline.repairs.negation import count_negations
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["find_repetitions"]

_PARTICLES = (
    "ab|an|auf|aus|bei|durch|ein|fest|fort|frei|her|heraus|herunter|hin|hinzu|hoch|los|mit|nach|nieder|vor|weg|weiter|wieder"
    "|zu|zurück|zusammen"
)
"""What verbs begin with that stands alone when they are in the second place of a sentence."""
_BETWEEN = r"(?:(?!\b(?:und|oder|zu|sowie)\b)[^.,;:!?()])*?"
"""The rest of one clause."""
_CLAUSE_ENDS = r"(?=[.,;:!?)]|$)"
_SENTENCE_ENDS = r"(?=[.!?:…]?$)"
_VERB = re.compile(
    rf"\b(?P<verb>\w{{3,30}}n)\s(?i:Sie|wir)\b{_BETWEEN}(?P<again>\s(?P<particle>(?:{_PARTICLES})?)(?i:(?P=verb))){_CLAUSE_ENDS}"
)
"""Wählen Sie … auswählen, drücken Sie … drücken."""
_HEADING = re.compile(
    rf"^(?P<first>(?P<verb>[A-ZÄÖÜ]\w{{2,30}}n)\s)(?!Sie\b|wir\b)(?P<next>\w){_BETWEEN}"
    rf"(?P<again>\s(?i:(?P=verb))){_SENTENCE_ENDS}"
)
"""Anzeigen von … anzeigen, Entfernen … entfernen."""
_OF_NOUN = re.compile(r"(?:von|vom|des|der|in|im|mit|für|zu|zum|zur|auf|aus|eine[rs])\b")
"""What follows a noun, as "das Anzeigen" is one."""

_NOT_TWICE = re.compile(
    r"(?P<before>\b(?:noch|gar|auch|überhaupt)\s)?\b(?P<first>[Nn]icht|[Kk]ein(?:e[mnrs]?)?)(?=\s)"
    r"(?:\s(?P<stays>ohne|immer|so|einmal|mehr|alle|jede[mnrs]?)\b)?"
    r"(?:(?!\b(?:nicht|kein\w*|nur|und|oder|sondern|als|wie|aber|dass|was|wer)\b)[^.,;:!?()\"„“–])*?"
    r"(?P<again>\snicht(?:\s(?P=stays))?)\b(?!\s(?:nur|wahr)\b)(?P<ends>\s?[.,;:!?)]|$)?"
)
"""Nicht … nicht, in one clause."""
_PREPOSITION = re.compile(r"\s(?:an|auf|aus|bei|durch|für|im|in|mit|nach|über|um|unter|von|vor|zu|zum|zur)\b")

_SAME_WORDS = re.compile(
    r"(?<!\w)(?P<words>(?!(?:und|oder)\b)[^\W\d_]+(?:\s\w+){0,2}\s[^\W\d_]{4,})\b"
    r"(?:(?!\b(?:und|oder|als|wie)\b)[^.,;:!?()\"„“–])*?"
    r"(?<!\b(?:an|am|im|in|zu))(?<!\b(?:auf|aus|bei|das|dem|den|der|des|die|ein|für|mit|von|vor|zum|zur))"
    r"(?<!\b(?:eine|nach|über))(?<!\b(?:durch|einem|einen|einer|eines|unter))"
    rf"(?<!\d)(?P<again>\s(?i:(?P=words))){_SENTENCE_ENDS}"
)
"""Auf dem Boden … auf dem Boden, at the end; not "einem Park … in einem Park", whose preposition would be left.

Nor what a number has: 28 Millionen Dollar bis 69 Millionen Dollar.
"""
_LAST = re.compile(r"[^\W\d_]{4,}(?=[.!?:…]?$)")
_LONG = 4
_LONGEST = 600
"""Characters of a translation: each of its words may begin one of these, and the time grows with the square."""
_STOPS = '.,;:!?()"„“”»«–—|'
_FINITE = re.compile(
    r"(?<![\w-])(?P<first>(?P<verb>(?i:ist|sind|war|waren|hat|hatten?|wird|wurden?|würden?|kann|konnten?|könnten?|muss"
    r"|mussten?|darf|durften?|soll|sollten?))\s)"
    rf"(?:(?!\b(?:und|oder|sowie|sondern|aber|als|wie|bis|je)\b| - )[^{_STOPS}])*?"
    rf"(?P<again>\s(?=[a-zäöü])(?i:(?P=verb)))(?![\w-])(?P<ends>\s?(?:[{_STOPS}]|$|(?:und|oder)\b))?"
)
"""Ist … ist, in one clause: none of them has the form of an infinitive, as in "wir werden geliebt werden"."""
_STEM = re.compile(
    r"(?<![\w-])(?!(?:ihnen|denen|(?:k?ein|sein|ihr|mein|dein|unser|dies|jen)en|nicht)\b)"
    r"(?P<first>(?P<stem>[A-ZÄÖÜ]?[a-zäöüß]{3,20}?)(?:e?te?n?|en)\s)"
    rf"(?:(?!\b(?:und|oder|sowie|sondern|aber|als|wie|bis|statt|zu)\b| - )[^{_STOPS}])*?"
    rf"(?P<again>\s(?:ge)?(?=[a-zäöü])(?i:(?P=stem))(?:e?t|en|te))(?P<ends>\s?(?:[{_STOPS}]|$|(?:und|oder)\b))"
)
"""Erwähnt … erwähnt, wartet … warten, in one clause, and at its end."""
_HELPS = re.compile(
    r"\b(?:ist|sind|war(?:en)?|bin|sei|wäre|ha(?:t|ben|be|tten?)|w(?:ird|erden|urden?|ürden?)|(?:kann|k[oö]nnten?|können)"
    r"|m[uü]ss(?:en|ten?)?|d(?:arf|ürfen|urften?)|soll(?:en|ten?)?|w(?:ill|ollen|ollten?)|mag|möchten?|lässt|lassen|ließ)\b",
    re.IGNORECASE,
)
"""What a second verb may go with: was closed … closed may be "wurde geschlossene … geschlossen"."""
_SUBORDINATE = re.compile(
    r"\s?(?:dass|weil|ob|wenn|obwohl|da|damit|bevor|nachdem|während|sodass|falls|was|wer|wo|wie|welche[mnrs]?"
    r"|de[rnms]|die|das|denen|deren|dessen)\b"
)
"""Begins a clause whose verb is at its end."""
_ASKS = re.compile(r"\s?(?:w(?:as|er|ie|o|arum|ann)|welche[mnrs]?)\b", re.IGNORECASE)
"""Was gut ist ist gut: two clauses."""
_PLEASE = re.compile(r"Bitte\b[^.,;:!?]*?(?P<again>\sbitte)(?=[.!?]?$)|(?P<first>Bitte,\s)bitte\b")
_PLEASED = re.compile(r"\b(?:please|pls|plz)\b", re.IGNORECASE)


def find_repetitions(source: str, target: str) -> Iterator[Edit]:
    """What to change in a German translation of an English sentence, so that it says these once."""
    if len(target) > _LONGEST:
        return
    edits = [*_verbs(target)] or [*_same_verbs(target)]
    edits += _finite_verbs(target)
    twice = [*_NOT_TWICE.finditer(target)] if "nicht" in target else []
    if twice and count_negations(target, "de") > count_negations(source, "en"):
        edits += [Edit(_superfluous(found, target), "") for found in twice]
    last = _LAST.search(target, target.rfind(" ") + 1)
    may_repeat = last is not None and target.casefold().count(last[0].casefold()) > 1  # nearly never
    if may_repeat and (found := _SAME_WORDS.search(target)) and not _repeats_words(source):
        edits.append(Edit(Span(*found.span("again")), ""))
    edits += _please(source, target)
    end = 0
    for edit in sorted(edits, key=lambda edit: (edit.span.start, -edit.span.end)):
        if edit.span.start >= end:
            yield edit
            end = edit.span.end


def _please(source: str, target: str) -> Iterator[Edit]:
    """Without the second "bitte", or the comma and the first, if the sentence does not ask twice."""
    please = _PLEASE.match(target)
    if not please or len(_PLEASED.findall(source)) > 1:
        return
    if please["again"]:
        yield Edit(Span(*please.span("again")), "")
    else:
        yield Edit(Span(please.start("first"), please.end()), "Bitte")


def _verbs(target: str) -> Iterator[Edit]:
    """Without the second verb, or the first if a heading does not begin with it as a noun."""
    for found in _VERB.finditer(target):
        start, end = found.span("again")
        yield Edit(Span(start, end), f" {found['particle']}" if found["particle"] else "")
    heading = _HEADING.match(target)
    if heading and _OF_NOUN.match(target, heading.start("next")):
        yield Edit(Span(*heading.span("again")), "")
    elif heading:
        yield Edit(Span(heading.start(), heading.end("next")), heading["next"].upper())


def _finite_verbs(target: str) -> Iterator[Edit]:
    """Without the second one, or the first of a subordinate clause that ends with one."""
    for found in _FINITE.finditer(target):
        is_end = found["ends"] is not None
        head = _head(target, found.start())
        is_noun = found["first"][0].isupper() and head.strip()  # das Soll
        if not is_noun and (is_end or not _ASKS.match(head)):
            is_statement = not head.strip() and not is_end and not target.endswith("?")
            yield _once(found, target, first=is_statement or (is_end and _is_subordinate(head, found)))


def _same_verbs(target: str) -> Iterator[Edit]:
    """The same for other verbs, if the clause has none that helps them, and without the first of a heading."""
    for found in _STEM.finditer(target):
        head = _head(target, found.start())
        has_capital = found["first"][0].isupper()
        if (has_capital and (found.start() or target.endswith("?"))) or _HELPS.search(head + found[0]):
            continue
        yield _once(found, target, first=has_capital or _is_subordinate(head, found))


def _once(found: re.Match[str], target: str, *, first: bool) -> Edit:
    """Without the first, whose capital the next word gets, or without the second."""
    if not first:
        return Edit(Span(*found.span("again")), "")
    start, end = found.span("first")
    capital = target[start].isupper() and target[end].islower()
    return Edit(Span(start, end + 1), target[end].upper()) if capital else Edit(Span(start, end), "")


def _head(target: str, end: int) -> str:
    """What a clause begins with."""
    return target[max(target.rfind(stop, 0, end) for stop in (*_STOPS, "- ")) + 1 : end]


def _is_subordinate(head: str, found: re.Match[str]) -> bool:
    """Whether a clause has its verb at the end: it is not the first, and begins so."""
    return len(head) < found.start() and bool(_SUBORDINATE.match(head))


def _superfluous(found: re.Match[str], target: str) -> Span:
    """Which "nicht" to leave out: the first, before what is denied, unless it is another word or belongs to one."""
    belongs = found["before"] or found["stays"] or found["first"] != "nicht"
    if belongs or (found["ends"] is not None and _PREPOSITION.match(target, found.end("first"))):
        return Span(*found.span("again"))
    return Span(found.start("first"), found.end("first") + 1)


def _repeats_words(source: str) -> bool:
    """Whether the sentence itself has two words, the last of them no short one, twice."""
    words = re.findall(r"\w+", source.casefold())
    two = [pair for pair in pairwise(words) if len(pair[1]) >= _LONG]
    return len({*two}) < len(two)
