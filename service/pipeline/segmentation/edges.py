"""What stands before and after a sentence, and is none of its words: bullets, markers, times of a log, signs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.finders.placeholders import EMPHASIS
from service.pipeline.finders.signs import RUN, SIGN, SMILEY
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

__all__ = ["DOTS", "is_quoting", "without_edges"]

_GUILLEMET = "[«»‹›]"
DOTS = r"(?<![.\s]) ?\.(?: ?\.){3,}+"
"""More than an ellipsis has."""
_MEASURE = (
    r"(?:(?:Giga|Kilo|Kubik|Mega|Milli|Quadrat|See|Tera|Zenti)?(?i:Byte|Gramm|Hertz|Liter|Meile|Meter|Pixel|Tonne|Watt)"
    "|Beben|Cent|Dollar|Euro|Grad|Inch|Jahr|Kilo|Lichtjahr|Magnitude|Millione?|Milliarde|Minute|Mio|Monat|Mrd|Pfund|Point"
    "|Prozent|Punkt|Quake|Sekunde|Star|Stern|Stück|Stunde|Tag|Tausend|Uhr|Volt|Woche|Zoll|[GKMT](?:bit|bps|Hz))"
    r"(?:e[ns]?|[ns])?(?!\w)"
)
_SECTION = (
    r"[1-9]\d?(?:\.(?:0|[1-9]\d?)){1,5}+"
    rf"(?:\.|(?=\s+[\"'„“‚‘«»]?(?!{_MEASURE})(?:[A-ZÄÖÜ][a-zäöüß]|[A-Z]\s)))"
)
"""The number of a section, before a word with a capital that is no measure."""
_PARAGRAPH = (
    r"§\s?\d{1,4}[a-z]?(?=\s+(?!(?:Abs|Alt|Art|Buchst|Halbs|Nr|Nummer|Satz|Ziff)|\w*(?i:gesetz|ordnung))[A-ZÄÖÜ][a-zäöüß]{2}"
    r"(?:[^.,;:!?]{0,60}|[^\s.]{0,30}(?:\s[^\s.]{1,30})?\.)\Z)"
)
"""The number of a paragraph, before its title: § 5 Kündigung."""
_MARKER = (
    rf"(?:{_PARAGRAPH}|\(?(?:[A-Za-z]|[ivx]{{2,4}}|[IVX]{{2,4}}|\d{{1,2}})\.?\)|(?:[IVX]{{2,4}}|[a-i]|[ivx]{{2,4}})\.(?=\s+[A-ZÄÖÜ]\w)|\d{{1,2}}/"
    rf"|{_SECTION})\s+(?=[\"'„“‚‘«»]?[^\W\d_])"
)
"""Of an item of a list, before a word: "a)", "(iv)", "1.)", "IV.", "b.", "2.1"; and "2/" of a thread."""
_SCOPE = r"\([\w ./,-]{1,40}\)"
_COMMIT = (
    rf"(?:(?:chore|ci|docs|feat|fix|perf|refactor|revert)(?:{_SCOPE})?|(?:build|style|test){_SCOPE}):\s+(?=[^\W\d_])"
)
"""What a change is, in a changelog: "feat(ui): add a button"."""
_LEVEL = r"\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\]?:?"
_LOGGED = (
    r"\[?(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[-+]\d\d:?\d\d)?\]?"
    rf"(?:\s+(?:-\s)?{_LEVEL}(?:\s-)?|(?<=\d-\d\d[T ]\d\d:\d\d:\d\d)|(?<=\]))"
    r"(?:\s+\[[\w./:-]{1,40}\])?\s+(?=[^\W\d_])"
    r"|\[?\d{1,2}[./]\d{1,2}[./](?:\d\d){1,2}, \d{1,2}:\d\d(?::\d\d)?(?: ?[AaPp][Mm])?(?:\]| -) (?=[^\W\d_])"
)
"""What a line of a log or of a chat begins with: 2024-05-01 12:00:03 ERROR [main], 14/03/2024, 18:02 -."""
_HOUR = r"(?:[01]?\d|2[0-3]):[0-5]\d"
_AGENDA = rf"{_HOUR}(?:\s?[-–]\s?{_HOUR})?\s+[-–—]\s+(?=[\"'„“‚‘«»]?[A-ZÄÖÜ])"
"""When an item of an agenda begins: 10:30 - Coffee break."""
_MARKS = r"(?<=(?<![!?])[!?])(?:[!?]{2,}+|(?<=!)!|(?<=\?)\?)"
"""What "!!" and "???" have after the first mark, and "?!" has not."""


def _edges(sign: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What stands before a sentence, and after it, as "[1]" for a footnote and "¶" to link to a heading.

    Read as a word, a sign becomes part of a compound.
    """
    signs = rf"(?:{sign}|[0-9#*]?\ufe0f\u20e3|[\ufe0f\u200d])+"
    bullet = (
        rf"(?:(?:[-*+•‣◦·–—>#=|/†‡]+|\[[ xX]\]|{signs})\s+|;(?=\w)|{RUN}\s*+|{_MARKER}|{_COMMIT}|{_LOGGED}|{_AGENDA})++"
    )
    after = rf"(?<!\s)(?:\s++(?:{sign}|[\ufe0f\u200d]){{1,8}}){{1,3}}$"
    run = rf"(?<!\s)\s*+(?:{RUN}|(?<=\s)(?:==|##|\|))$|{DOTS}$|{_MARKS}$"
    note = r"(?<=[.!?])(?:\[\d{1,3}\]){1,9}$"
    return re.compile(bullet), re.compile(rf"(?=[\W_])(?:{after}|{run}|\s?¶$|{note})")  # most characters are letters


_EDGES = {True: _edges(f"(?:{SIGN}|{SMILEY})"), False: _edges(f"(?:{SIGN}|{SMILEY}|{_GUILLEMET})")}
"""By whether the guillemets of the sentence are quotation marks. If not they lead on or back, as in "« Back"."""
_PLAIN_END = re.compile(r"\w[.,:!?]\Z")
"""How most sentences end: with a word and one sign, and nothing after them."""
_IN_BRACKETS = re.compile(r"\[[^\W\d_][^\[\]\n]*+(?<=[\w.!?…])\]")
"""[music playing]: what the network would leave out."""
_EMPHASISED = re.compile(rf"(?P<sign>{EMPHASIS})[^*_~]++(?P=sign)")


def without_edges(chunk: str, place: int, ends: AbstractSet[int], whole: AbstractSet[Span]) -> tuple[int, int]:
    """Where the sentence in a part of a text begins and ends, without the space and the signs around it.

    Args:
        chunk: the part.
        place: where it begins.
        ends: where what is to be kept has its first and its last characters.
        whole: what is to be kept.
    """
    core = chunk.strip()
    start = chunk.index(core)
    bullets, trailers = _EDGES[is_quoting(core)]
    if (bullet := bullets.match(core)) and _is_apart(ends, place + start, len(bullet[0])):
        start += len(bullet[0])
        core = core[len(bullet[0]) :]
    core = _without_trailer(core, place + start, ends, trailers)
    if sign := _emphasis_around(core, place + start, whole):
        start += sign
        core = _without_trailer(core[sign:-sign], place + start, ends, trailers)
    if _IN_BRACKETS.fullmatch(core) and _is_apart(ends, place + start, 1):
        start, core = start + 1, core[1:-1]
    return start, start + len(core)


def _without_trailer(core: str, place: int, ends: AbstractSet[int], trailers: re.Pattern[str]) -> str:
    """A sentence that begins at a place, without the signs after it."""
    trailer = None if _PLAIN_END.match(core, len(core) - 2) else trailers.search(core)
    return core[: trailer.start()] if trailer and _is_apart(ends, place + trailer.start(), len(trailer[0])) else core


def _is_apart(ends: AbstractSet[int], start: int, length: int) -> bool:
    """Whether nothing that is to be kept begins or ends among these characters."""
    return ends.isdisjoint(range(start, start + length))


def _emphasis_around(sentence: str, place: int, kept: AbstractSet[Span]) -> int:
    """How long the sign is that begins and ends a sentence, if it is kept by itself."""
    if not (around := _EMPHASISED.fullmatch(sentence)):
        return 0
    sign, end = len(around["sign"]), place + len(sentence)
    return sign if Span(place, place + sign) in kept and Span(end - sign, end) in kept else 0


def is_quoting(text: str) -> bool:
    """Whether guillemets come in pairs, as quotation marks do."""
    return ("«" in text and "»" in text) or ("‹" in text and "›" in text)
