"""What has lasted until now is read in the present, as German says it: she has been ill for two days.

The network takes the perfect of a state for what is over. *She is ill since two days* is no English, but becomes *sie
ist seit zwei Tagen krank*. Verbs in -ing it knows, if no year follows and nobody asks how long.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.conjugation import BASE, THIRD_PERSON, base_of, english_forms
from service.pipeline.edits import Edit
from service.types import Span

if TYPE_CHECKING:
    from model.bundle import Dictionary

__all__ = ["find_lasting"]

_UNIT = "(?:second|minute|hour|night|day|week|month|year|decade|centur)(?:s|y|ies)?"
_NUMBER = (
    "(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty"
    r"|a hundred|\d+|several|many|some|a few|a couple of|quite some|half an|one and a half|two and a half)"
)
_ABOUT = "(?:(?:about|almost|nearly|over|more than|at least|around|well over|roughly|exactly|only) )?"
_SINCE = re.compile(
    rf"(?<![\w-])(?:(?P<for>for) (?:(?P<span>{_ABOUT}{_NUMBER} (?:[a-z]+ )?(?:{_UNIT}|time|while))"
    rf"|the (?:last|past) (?P<last>{_NUMBER} {_UNIT})|(?P<many>hours|days|weeks|months|years|decades))(?![\w-])"
    r"|since (?=\w))",
    re.IGNORECASE,
)
"""What says how long, or since when."""
_NEXT_CLAUSE = re.compile(
    r"\b(?:that|who|which|because|but|if|when|while|whether|and|or|so|as|before|after)\b|[.,;:!?()]"
)

_STATE = (
    "an?|the|my|your|his|her|its|our|their|in|on|at|out|under|without|with|here|there|away|back|ill|sick|broken|closed"
    "|open|married|divorced|engaged|dead|single|retired|unemployed|pregnant|together|friends|missing|gone|vegetarian"
    "|vegan|busy|empty|available|offline|online|down|up|self-employed|allergic|interested|active|employed|tired|cold"
    "|warm|wet|dry|full|blocked|occupied|vacant|ready|popular|quiet|loud|dirty|damaged"
)
"""What may follow *been* if that tells of a state."""
_BASES = {
    "known": "know",
    "lived": "live",
    "worked": "work",
    "owned": "own",
    "had": "have",
    "wanted": "want",
    "loved": "love",
    "hated": "hate",
    "suffered": "suffer",
    "belonged": "belong",
    "existed": "exist",
}
"""Of participles that tell of a state without *been*."""
_WHAT = (
    rf"(?:been (?:(?P<ing>[a-z]{{2,}}ing)\b|(?P<state>{_STATE})\b)"
    rf"|(?P<participle>{'|'.join(_BASES)})\b(?! (?:to|each other|been)\b))"
)
_PERFECT = re.compile(
    r"(?<![\w-])(?:(?P<have>have|has)(?P<not>n't| not)?|(?P<who>I|we|you|they|he|she|it|who)'(?P<short>ve|s))"
    rf"(?P<adverb> (?:always|also|only|now|already|just|really|all|both))? {_WHAT}",
    re.IGNORECASE,
)
_HOW_LONG = re.compile(
    r"\b(?P<how>[Hh])ow long (?P<have>have|has) (?P<who>(?:(?:my|your|his|her|our|their|the|this|that) )?[A-Za-z]+)"
    rf"(?: already)? {_WHAT}"
)
_AFTER_I = re.compile(r"\bI $")
_NO_SUBJECT = re.compile(r"\b(?:there|it|that|what) $", re.IGNORECASE)
"""Before a state: it has been a year since."""
_LONGEST_BEFORE, _LONGEST_AFTER = 10, 150


def find_lasting(text: str, words: Dictionary) -> list[Edit]:
    """What to read for the first perfect that tells of what goes on, and for *for*, in order.

    Args:
        text: English, with straight apostrophes.
        words: of English.
    """
    if asked := _HOW_LONG.search(text):
        base = _verb(asked, words)
        do, be = ("does", "is") if asked["have"] == "has" else ("do", "are")
        rest = f"{be} {asked['who']} {asked['state']}" if asked["state"] else f"{do} {asked['who']} {base}"
        if base == "know":  # "Since when do you know him" is garbled
            return [Edit(Span(*asked.span()), f"{asked['how']}ow long {do} {asked['who']} already know")]
        when = "Since when" if asked["how"] == "H" else "since when"
        return [Edit(Span(*asked.span()), f"{when} {rest}")] if base else []
    for found in _PERFECT.finditer(text):
        verb, time = _verb(found, words), _time_beside(text, found)
        if verb and time and _is_for_it(text, found, time) and (read := _present(text, found, verb)):
            edits = [Edit(Span(*found.span()), read)]
            if time["for"]:
                since = "Since" if time["for"][0] == "F" else "since"
                how_long = time["span"] or time["last"] or f"many {time['many']}"
                edits.append(Edit(Span(*time.span()), f"{since} {how_long}"))
            return sorted(edits, key=lambda edit: edit.span.start)
    return []


def _is_for_it(text: str, found: re.Match[str], time: re.Match[str]) -> bool:
    """Whether the network needs it: verbs in -ing it loses before a year alone, since 2010."""
    return not found["ing"] or text[time.end() : time.end() + 1].isdigit()


def _verb(found: re.Match[str], words: Dictionary) -> str | None:
    """The base of the verb, if it is known."""
    if found["state"]:
        return "be"
    return _BASES[found["participle"].lower()] if found["participle"] else base_of(found["ing"], words)


def _time_beside(text: str, found: re.Match[str]) -> re.Match[str] | None:
    """How long, after the verb in the same clause, or where the text begins."""
    after = _SINCE.search(text, found.end(), found.end() + _LONGEST_AFTER)
    if after and not _NEXT_CLAUSE.search(text, found.end(), after.start()):
        return after
    before = _SINCE.match(text)
    return before if before and not before["many"] else None


def _present(text: str, found: re.Match[str], base: str) -> str | None:
    """The present of the verb with what stands beside *have*; None if it tells of no state."""
    is_third = (found["have"] or found["short"]).lower() in {"has", "s"}
    before = max(0, found.start() - _LONGEST_BEFORE)
    who, adverb = f"{found['who']} " if found["who"] else "", found["adverb"] or ""
    if found["state"]:
        if _NO_SUBJECT.search(f"{text[before : found.start()]}{who}"):
            return None
        is_me = who == "I " or _AFTER_I.search(text, before, found.start())
        be = "is" if is_third else "am" if is_me else "are"
        return f"{who}{be}{' not' if found['not'] else ''}{adverb} {found['state']}"
    if found["not"]:
        return f"{'does' if is_third else 'do'} not{adverb} {base}" if found["ing"] else None
    verb = english_forms([base])[THIRD_PERSON if is_third else BASE]
    return f"{who}{adverb.lstrip()}{' ' if adverb else ''}{verb}"
