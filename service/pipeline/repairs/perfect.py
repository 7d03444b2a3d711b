"""What has been so for some time, of which German speaks in the present: Wie lange wohnst du schon hier?

The network keeps the present, *We have the dog for a year*, or is between it and what English has: *How long have you
have the dog?*
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.conjugation import THIRD_PERSON, english_forms
from service.pipeline.edits import Edit
from service.pipeline.repairs.verb_forms import listed_verbs, participle
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["check_perfect"]

_PAST = r"(?:war(?:en|s?t)?|(?:hatte|wurde)\w*)\b"
_HOW_LONG = re.compile(
    rf"\W*(?:Seit wann|Wie lange (?=[^.?!]{{0,80}}\bschon\b))\s?(?!{_PAST}|(?:hat|hast|habt|haben)\b.*\bge\w+\?)"
)
"""Not of what is over: Wie lange waren Sie schon krank? Wie lange hast du schon gewartet?"""
_SINCE = re.compile(rf"(?!.*\b{_PAST}).*\b[Ss]eit\s")
_QUESTION = re.compile(
    r"\W*How long (?P<verb>do|does|are|is|were|was|have|has) (?P<subject>I|you|he|she|it|we|they|there|this|that"
    r"|(?:the|your|his|her|its|my|our|their) [a-z]+|[A-Z][a-z]+)(?: (?P<next>[a-z]+))?(?![\w'’-])"
)
_STATEMENT = re.compile(
    r"\W*(?P<subject>I|You|He|She|It|We|They)(?P<verb> am| is| are|['’]m|['’]re|['’]s(?= \w+ing\b)|)"
    r" (?P<next>(?!an?\b|the\b|not?\b|only\b|one\b|still\b)[a-z]+)(?![\w'’-])"
    r"(?=[^.,;:!?]{0,60}? (?:since|for (?:[a-z\d]+ )?(?:second|minute|hour|day|week|month|year|age|decade)s?)\b)"
)
_WITH_HAVE = {"I", "you", "we", "they", "You", "We", "They"}
_WITH_HAS = {"he", "she", "it", "He", "She", "It"}
_PARTICIPLES = dict(
    one.split("-")
    for one in (
        *("do-done", "drink-drunk", "have-had", "hold-held", "know-known", "lead-led", "lie-lain", "live-lived"),
        *("read-read", "run-run", "sit-sat", "sleep-slept", "stand-stood", "wait-waited", "work-worked"),
    )
)
"""Of verbs that nouns are written like, and that so are not among those that are listed."""
_OF_THIRD_PERSON = {english_forms([verb])[THIRD_PERSON]: right for verb, right in _PARTICIPLES.items()}
_OBJECT = re.compile(r" (?:an?|the|my|your|his|her|its|our|their|this|that|these|no|\d+)\b")
"""After have, which without one may be that of a perfect."""


def check_perfect(sentence: str, target: str) -> Iterator[Edit]:
    """What to write for the verb of such a sentence, at most one edit.

    Args:
        sentence: in German.
        target: its translation.
    """
    if (found := _QUESTION.match(target)) and _HOW_LONG.match(sentence):
        yield Edit(
            Span(found.start("verb"), found.end()), f"{_have(found)} {found['subject']} {_asked(found)}".rstrip()
        )
    elif (found := _STATEMENT.match(target)) and _SINCE.match(sentence) and (said := _said(found)):
        yield Edit(Span(found.end("subject"), found.end()), f" {_have(found)} {said}")


def _have(found: re.Match[str]) -> str:
    """What goes with the subject; with a noun, what the verb that is there goes with."""
    if found["subject"] in _WITH_HAVE:
        return "have"
    return "has" if found["subject"] in _WITH_HAS or found["verb"] in ("does", "has", "is", "was") else "have"


def _asked(found: re.Match[str]) -> str:
    """What follows the subject of a question."""
    verb, after = found["verb"], found["next"] or ""
    if after and (verb in ("do", "does") or after in _PARTICIPLES or after in listed_verbs()["base"]):
        return _PARTICIPLES.get(after) or participle(after)
    return after if verb in ("have", "has") and not after.endswith("ing") else f"been {after}"


def _said(found: re.Match[str]) -> str:
    """What follows have or has in a statement; nothing if it has a perfect, or no verb that is known."""
    after = found["next"]
    if found["verb"]:
        return f"been {after}" if after != "been" else ""
    if after in ("have", "has") and not _OBJECT.match(found.string, found.end()):
        return ""
    if found["subject"] in _WITH_HAS:
        return _OF_THIRD_PERSON.get(after, "")
    return _PARTICIPLES.get(after) or (participle(after) if after in listed_verbs()["base"] else "")
