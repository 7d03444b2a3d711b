"""A text becomes "gap sentence gap sentence … gap", and nothing is lost.

Gaps are white space, line breaks, indentation, list bullets and markers as "a)", and signs such as emoji, arrows and
"====" that stand before or after a sentence, or around it; sentences are what lies between. In the
header of a mail, so are labels such as "Subject:"; elsewhere one of a single word is a sentence of its own.
Tabs, upright lines with space around, runs of three spaces or more (two in a line that has such runs, and where a line
begins with a time or an option of a program, as "-v, --verbose"), dots that lead to a page, and line breaks separate,
unless a line is wrapped. Between them, `sentencex` finds the sentences of the language.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING

import sentencex

from service.pipeline.finders.phrases import find_labels
from service.pipeline.finders.placeholders import EMPHASIS, merge_spans
from service.pipeline.finders.signs import EMOJI, RUN, SIGN, SMILEY
from service.pipeline.lists import is_given_name
from service.pipeline.numbers.amounts import CURRENCY_SIGNS
from service.pipeline.numbers.calendar import SHORT_DAY
from service.pipeline.segmentation.joints import goes_on
from service.pipeline.segmentation.wrapping import UNFINISHED, find_paragraphs
from service.types import Segmented, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

__all__ = ["cut", "segment"]

_GUILLEMET = "[«»‹›]"
_DOTS = r"(?<![.\s]) ?\.(?: ?\.){3,}+"
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
_NUMBER = re.compile(r"\d[\d.:,]*+")
_MARKS = r"(?<=(?<![!?])[!?])(?:[!?]{2,}+|(?<=!)!|(?<=\?)\?)"
"""What "!!" and "???" have after the first mark, and "?!" has not."""


def _edges(sign: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What stands before a sentence, and after it, as "[1]" for a footnote and "¶" to link to a heading.

    Read as a word, a sign becomes part of a compound.
    """
    signs = rf"(?:{sign}|[0-9#*]?\ufe0f\u20e3|[\ufe0f\u200d])+"
    bullet = rf"(?:(?:[-*+•‣◦·–—>#=|/†‡]+|\[[ xX]\]|{signs})\s+|;(?=\w)|{RUN}\s*+|{_MARKER}|{_COMMIT}|{_LOGGED})++"
    after = rf"(?<!\s)(?:\s++(?:{sign}|[\ufe0f\u200d]){{1,8}}){{1,3}}$"
    run = rf"(?<!\s)\s*+(?:{RUN}|(?<=\s)(?:==|##|\|))$|{_DOTS}$|{_MARKS}$"
    note = r"(?<=[.!?])(?:\[\d{1,3}\]){1,9}$"
    return re.compile(bullet), re.compile(rf"(?=[\W_])(?:{after}|{run}|\s?¶$|{note})")  # most characters are letters


_EDGES = {True: _edges(f"(?:{SIGN}|{SMILEY})"), False: _edges(f"(?:{SIGN}|{SMILEY}|{_GUILLEMET})")}
"""By whether the guillemets of the sentence are quotation marks. If not they lead on or back, as in "« Back"."""
_PLAIN_END = re.compile(r"\w[.,:!?]\Z")
"""How most sentences end: with a word and one sign, and nothing after them."""
_EMPHASISED = re.compile(rf"(?P<sign>{EMPHASIS})[^*_~]++(?P=sign)")
_NUMBERED = re.compile(r"\((\d{1,2})\)\s")
_IN_WORDS = re.compile(
    r"\b(?:eine[mnrs]?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|elf|zwölf|[a-zäöüß]{0,9}(?:zehn|z?wanzig|[zß]ig))$"
)
"""Fünf of "fünf (5) Werktage"."""
_CLOSING = re.compile(r"(?:[*_~]{1,3}|‘)(?:\s+|$)")
"""A sign of emphasis, or what ends ‚a quotation.‘ in German."""
_FELT = re.compile(rf"(?=\W)(?<=[\w.!?])\s*(?:{EMOJI}++|{SMILEY})\s+(?=[\"„“]?[A-ZÄÖÜ])")
"""How a sentence ends that has a face instead of a full stop."""
_SPEAKER = (
    "(?:Amber|Bill|Chase|Eve|Faith|Gene|Grant|Hazel|Hope|Hunter|Ivy|Joy|Lily|Mark|May|Miles|Pearl|Rose|Ruby|Sue|Victor"
    "|Violet|You)"
)
"""Names that are words; others are known as names."""
_VALUE = re.compile(
    rf"\s*(?:[^\w\s]{{1,3}}\s+)?(?P<label>(?!{_SPEAKER}:)[A-ZÄÖÜ](?:[a-zäöüß]{{2,}}|[A-ZÄÖÜ]{{3,}})):"
    r"(?=[ \t\u00a0]+(?:[\"„“]?[A-ZÄÖÜ]|[$£€]\d|\d[^:]*[^\W\d_]|\d[\d.,]*\s?%\s*\Z|\d+\s*\Z))"
    r"(?!(?<=[A-ZÄÖÜ]:)\s+[\"„“]?[A-ZÄÖÜ]{2})"  # IN CAPITALS: LIKE ALL
)
"""A label of one word, which the network takes for a part of what follows: Brand: Samsung, Voltage: 230 V."""
_TIME = r"\d\d?(?:[.:]\d\d)? Uhr"
_DAY = {
    language: re.compile(
        rf"\s*(?:[^\w\s]{{1,3}}\s+)?(?:{day}|{_TIME}):(?=\s+\S)"
        r"(?<!So:(?!\s+(?:\d|geschlossen|Ruhetag)))"
    )
    for language, day in SHORT_DAY.items()
}
"""Mon: of opening hours and forecasts, 20 Uhr: of programmes. So: is a word, too."""
_SENTENCE_END = re.compile(r"[.!?…][\"'“”’)]{0,2}\s*\Z")
_SUBJECT = re.compile(r"(?<!\S)(?:du|er|he|i|ich|she|they|we|wir)$")
"""Of a sentence whose verb is a sign, as in "I ❤ Berlin"."""
_CRUMB = re.compile(
    r"(?<=[^\s:])(?=\s+[»›]\s+\S)|(?<=[^\W\d_]{2}|\S[.!?%€])(?=\s+·\s+\S)|(?<=\S)(?=\s+·\s+[^\W\d_]{2})"
)
"""Where a path such as "Home › Shoes" has its next part, and what has points in the middle between."""
_BOX = re.compile(r"(?<=\S)(?=\s+[☐☑☒□]\s+\S)")
"""Before an answer to tick, of several."""
_LABEL = "[A-ZÄÖÜ0-9][^.,!?;:()·•→]"
_SHORT_LABEL = r"[A-ZÄÖÜ][^\s.,!?;:()|/]{0,20}(?: [^\s.,!?;:()|/]{1,20})?"
_LABELS = re.compile(
    rf"\s*{_LABEL}{{1,40}}+(?:(?<=\s)[·•]\s+{_LABEL}{{1,40}}+)+\s*"
    rf"|{_LABEL}{{1,24}}+(?:(?<=\s)→\s+\w[^.,!?;:()·•→]{{1,24}}+){{2,}}[.!?]?\s*"  # longer ones may be in a sentence
    rf"|\s*{_SHORT_LABEL}(?: / {_SHORT_LABEL})+\s*"
    rf"|\s*{_SHORT_LABEL}(?: > {_SHORT_LABEL}){{2,}}\s*"
    r"|\s*[^;\s][^;]{0,40}+(?:;[^;\s][^;]{0,40}+){2,}"
)
"""Parts of a menu, a path or the title of a page, none of which is a sentence."""
_BETWEEN_LABELS = re.compile(r"(?<=\S)(?=\s+[·•→/>]\s+\S|;)")
_COLUMN = re.compile(
    r"(\t+| {3,}"
    rf"|(?<=\S) {{2,}}(?=[-+]?(?:[{CURRENCY_SIGNS}] ?)?\d[\d.,]*+(?: ?[{CURRENCY_SIGNS}%])?\s*$)"  # of prices
    rf"|{_DOTS} ?(?=\d{{1,4}}\s*$)"  # leads to a page in a table of contents
    r"|(?<=_{3}) +(?=[A-ZÄÖÜ](?:[^\W\d_]{0,40}+|[^_:.,;!?]{0,40}+:) ?_{3}))"  # between fields of a form
)
_CELL = re.compile(r"(?<=\S)(?=\s+\|\s+\S)")
"""Before a cell of a table drawn with such lines, and the second part of what has one in the middle."""
_NARROW_COLUMN = re.compile(_COLUMN.pattern.replace(" {3,}", " {2,}"))
_WIDE = re.compile(r"\S {3,}\S")
"""Where columns are so wide apart, others may be less so: a long heading leaves little space."""
_BETWEEN_COLUMNS = ("\t", "  ", "..", ". .", "_ ", " | ")
"""Of which each of these has one. Most lines have none, and are done with."""
_OPTION = re.compile(
    r"(\s*+(?:(?:-[^\W\d](?!\w)|--[^\W\d]|-[^\W\d][\w-]*+(?=[=,]|  ))(?:\S| (?! ))*+"
    r"|\d\d?[:.]\d\d(?:[\d:.–-]| (?! ))*+))( {2,}+)(?=\S)"
)
"""Of a program, and the space before what it does; or a time, before what is then."""

# Where to cut a sentence that is too long, best first; what is matched becomes the gap, with signs of a quotation.
_SPACE = r"(?:[ \t]*(?:\r\n|\n)(?:[ \t]*>)+[ \t]*|\s+)"
_CUTS = (
    re.compile(rf"(?<=[;:]){_SPACE}|(?<=\s[–—]){_SPACE}"),
    re.compile(rf"(?<=,){_SPACE}"),
    re.compile(_SPACE),
)

_UNIT_END = re.compile(r"(?<=\d [ghlmst]\.\s)(?=[A-Z])")
"""After 45 l., which to `sentencex` is the initial of a name."""
_WIDE_SPACE = re.compile(f"[{''.join(char for char in map(chr, range(0x80, 0x3001)) if char.isspace())}]")
"""`sentencex` (1.0.32) panics where such white space, of several bytes, comes between a capital and a full stop."""

_WINDOW = 2000
"""Characters looked at together. On some texts, such as closing quotes without end, `sentencex` takes time that grows
with the square of their length, and so does Unicode normalisation on combining marks."""


def segment(text: str, language: str, kept: Sequence[Span] = ()) -> Segmented:
    """Split a text of `language` (ISO 639-1), but not within the spans of it that are to be kept.

    The text has no lone surrogates; the spans are in order, none overlapping another.
    """
    gaps, sentences, gap = [], [], ""
    cells = chain.from_iterable(map(_columns, text.splitlines(keepends=True)))
    parts = chain.from_iterable(_labelled(cell, language) for cell in cells)
    lines = chain.from_iterable(_sentences(part, language) for part in parts)
    chunks: Iterable[str] = chain.from_iterable(map(_crumbs, chain.from_iterable(map(_felt, lines))))
    chunks = chain.from_iterable(_valued(chunk, language) for chunk in chunks)
    signs = (span for span in kept if not _NUMBER.fullmatch(text, span.start, span.end))  # of a section, or a log
    edges = {place for span in signs for place in (span.start, span.end - 1)}
    whole = frozenset(kept)
    wrapped = [span for paragraph in find_paragraphs(text) for span in paragraph.breaks] if "\n" in text else []
    if kept or wrapped:
        chunks = _joined(chunks, merge_spans([*kept, *map(_around, wrapped)]))
    place = 0
    for chunk in chunks:
        core = chunk.strip()
        start = chunk.index(core)
        bullets, trailers = _EDGES[_is_quoting(core)]
        if (bullet := bullets.match(core)) and _is_apart(edges, place + start, len(bullet[0])):
            start += len(bullet[0])
            core = core[len(bullet[0]) :]
        trailer = None if _PLAIN_END.match(core, len(core) - 2) else trailers.search(core)
        if trailer and _is_apart(edges, place + start + trailer.start(), len(trailer[0])):
            core = core[: trailer.start()]
        if sign := _emphasis_around(core, place + start, whole):
            start += sign
            core = core[sign:-sign]
        place += len(chunk)
        if core:
            gaps.append(gap + chunk[:start])
            sentences.append(core)
            gap = chunk[start + len(core) :]
        else:
            gap += chunk
    return Segmented(gaps=(*gaps, gap), sentences=tuple(sentences))


def _around(span: Span) -> Span:
    return Span(span.start - 1, span.end + 1)


def _is_apart(edges: AbstractSet[int], start: int, length: int) -> bool:
    """Whether nothing that is to be kept begins or ends among these characters."""
    return edges.isdisjoint(range(start, start + length))


def _emphasis_around(sentence: str, place: int, kept: AbstractSet[Span]) -> int:
    """How long the sign is that begins and ends a sentence, if it is kept by itself."""
    if not (around := _EMPHASISED.fullmatch(sentence)):
        return 0
    sign, end = len(around["sign"]), place + len(sentence)
    return sign if Span(place, place + sign) in kept and Span(end - sign, end) in kept else 0


def _is_quoting(text: str) -> bool:
    """Whether guillemets come in pairs, as quotation marks do."""
    return ("«" in text and "»" in text) or ("‹" in text and "›" in text)


def _columns(line: str) -> list[str]:
    """What is set apart in a line, and what is between."""
    option = list(found.groups()) if "  " in line and (found := _OPTION.match(line)) else []
    rest = line[sum(map(len, option)) :]
    if not any(map(rest.__contains__, _BETWEEN_COLUMNS)):
        return [*option, rest]
    columns = (_NARROW_COLUMN if _WIDE.search(rest) else _COLUMN).split(rest)
    return [*option, *chain.from_iterable(map(_cells, columns))]


def _cells(column: str) -> list[str]:
    """What stands between upright lines, unless one is within brackets or a quotation, as in P(A | B), or of code."""
    cells = _CELL.split(column) if " | " in column else [column]
    is_code = len(cells) == 2 and cells[1].lstrip(" |")[:1].islower()  # noqa: PLR2004 - one line: cat x | sort
    is_cut = any(cell.count('"') % 2 or cell.count("(") - cell.count(")") for cell in cells)
    return [column] if is_code or is_cut else cells


def _felt(chunk: str) -> Iterator[str]:
    """The sentences of what has been taken for one, where emoji or smileys end them."""
    start = 0
    for end in _FELT.finditer(chunk):
        before = chunk[start : end.start()].lower()
        if not UNFINISHED.search(before) and not _SUBJECT.search(before):
            yield chunk[start : end.end()]
            start = end.end()
    yield chunk[start:]


def _crumbs(chunk: str) -> list[str]:
    """The parts of a path such as "Home › Shoes", each by itself: in a sentence, the sign would be read as a word."""
    if _LABELS.fullmatch(chunk):
        return _BETWEEN_LABELS.split(chunk)
    if not any(map(chunk.__contains__, "»›·☐☑☒□")):  # most have none of these, and are done with
        return [chunk]
    if len(answers := _BOX.split(chunk)) > 2:  # noqa: PLR2004 - one box may be a part of a sentence
        return answers
    return [chunk] if _is_quoting(chunk) else _CRUMB.split(chunk)


def _valued(chunk: str, language: str) -> list[str]:
    """A label and its value; not who speaks, and what is said.

    English labels of sentences are left to the network: of Baker and Spoiler alone it makes a Bäcker and a Verwüster.
    """
    label = _DAY[language].match(chunk)
    if not label:
        label = _VALUE.match(chunk)
        if not label or is_given_name(label["label"]) or (language == "en" and _SENTENCE_END.search(chunk)):
            return [chunk]
    return [chunk[: label.end()], chunk[label.end() :]]


def _labelled(line: str, language: str) -> list[str]:
    """The labels of a line in the header of a mail, and its value, each by itself."""
    places = [0, *find_labels(line, language), len(line)]
    return [line[start:end] for start, end in pairwise(places)]


def _joined(chunks: Iterable[str], kept: Sequence[Span]) -> Iterator[str]:
    """The same chunks, but those between which lies the inside of a span as one."""
    waiting, end, spans = [], 0, iter(kept)
    span = next(spans, None)
    for chunk in chunks:
        waiting.append(chunk)
        end += len(chunk)
        while span and span.end <= end:
            span = next(spans, None)
        if span is None or span.start >= end:
            yield "".join(waiting)
            waiting.clear()
    if waiting:
        yield "".join(waiting)


def _sentences(line: str, language: str) -> list[str]:
    """Consecutive parts of one line that together are the line, none longer than the window."""
    parts, start = [], 0
    while len(line) - start > _WINDOW:
        taken = _first(line[start : start + _WINDOW], language)
        parts += taken
        start += sum(map(len, taken))
    return [*parts, *_split(line[start:], language)]


def _first(window: str, language: str) -> list[str]:
    """The first sentences of a text that goes on: at least a quarter of the window, so that the end is reached soon.

    The next window begins where they end. What ends in the last quarter is left to it: a bracket or quotation that
    is open there makes the end of a sentence uncertain.
    """
    quarter = len(window) // 4
    sentences = _split(window, language)
    ends = list(accumulate(map(len, sentences)))
    for count in (bisect_right(ends, len(window) - quarter), len(sentences) - 1):
        if count and ends[count - 1] >= quarter:
            return sentences[:count]
    left, gap, _ = cut(window)
    return [left + gap]


def _split(text: str, language: str) -> list[str]:
    """Sentences with the white space around them; together they are the text."""
    if not text or text.isspace():
        return [text]
    plain = _WIDE_SPACE.sub(" ", text)
    try:
        parts: list[str] = sentencex.segment(language, plain)
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # the library is in Rust, whose panics are no Exception here
            raise
        return [text]
    # Everything above relies on it: should the library ever drop a character, the text stays whole.
    if "".join(parts) != plain:
        return [text]
    if language == "en":
        parts = list(chain.from_iterable(map(_UNIT_END.split, parts)))
    parts = _rejoined(parts, language)
    return [text[end - len(part) : end] for part, end in zip(parts, accumulate(map(len, parts)), strict=True)]


def _rejoined(parts: Sequence[str], language: str) -> list[str]:
    """Sentences, those that are none put together: after an abbreviation or an ordinal number, and within a name.

    A sign of emphasis right after a full stop belongs to what it ends, and so does a closing quotation mark.
    """
    text = "".join(parts)
    joined: list[str] = []
    place = 0
    for part in parts:
        closing = _CLOSING.match(part)
        if joined and (goes_on(joined[-1], text, place, language) or _is_out_of_order(text, place)):
            joined[-1] += part
        elif joined and closing and not joined[-1][-1].isspace():
            joined[-1] += closing[0]
            joined += filter(None, [part[closing.end() :]])
        else:
            joined.append(part)
        place += len(part)
    return joined


def _is_out_of_order(text: str, place: int) -> bool:
    """Whether a number in brackets there numbers no item: it is in words before it, or does not follow another."""
    found, before = _NUMBERED.match(text, place), text[:place].rstrip()
    if not found or not before[-1:].isalnum():
        return False
    return bool(_IN_WORDS.search(before)) or (int(found[1]) > 1 and f"({int(found[1]) - 1})" not in before)


def cut(sentence: str, kept: Sequence[Span] = ()) -> tuple[str, str, str]:
    """Cut a sentence of two characters or more in two: left part, gap, right part; together they are the sentence.

    The cut is at the clause boundary nearest the middle, or at a space, or, in a word without
    end, between two characters. Cuts in the outer quarters are not considered, so that repeated
    cutting ends soon and leaves no crumbs. Neither part is empty or has white space at the cut.
    No cut is within a span that is to be kept, unless the sentence is nothing else.
    """
    middle, quarter = len(sentence) / 2, len(sentence) / 4
    inside = {place for span in kept for place in range(span.start + 1, span.end)}
    for pattern in _CUTS:
        found = [m for m in pattern.finditer(sentence) if abs((m.start() + m.end()) / 2 - middle) <= quarter]
        found = [
            m
            for m in found
            if m.start() > 0 and m.end() < len(sentence) and inside.isdisjoint(range(m.start(), m.end() + 1))
        ]
        if found:
            best = min(found, key=lambda m: abs((m.start() + m.end()) / 2 - middle))
            return sentence[: best.start()], best[0], sentence[best.end() :]
    places = [i for i, (_, right) in enumerate(pairwise(sentence), 1) if not unicodedata.combining(right)]
    places = [i for i in places if i not in inside] or places
    place = min(places, key=lambda i: abs(i - middle), default=len(sentence) // 2)
    left, right = sentence[:place].rstrip(), sentence[place:].lstrip()
    return left, sentence[len(left) : len(sentence) - len(right)], right
