"""What is set apart within a line: columns, cells of tables, options of programs, parts of paths and menus, labels."""

from __future__ import annotations

import re
from itertools import chain, pairwise

from service.pipeline.finders.phrases import find_labels
from service.pipeline.lists import is_given_name
from service.pipeline.numbers.amounts import CURRENCY_SIGNS
from service.pipeline.numbers.calendar import SHORT_DAY
from service.pipeline.segmentation.edges import DOTS, is_quoting

__all__ = ["columns", "crumbs", "labelled", "valued"]

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
    rf"|{DOTS} ?(?=\d{{1,4}}\s*$)"  # leads to a page in a table of contents
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


_FIELD = r"(?:\"[^\"]*\"|[^\s\",;(){}<>\[\]=][^\",;(){}<>\[\]=]*+|)"
_FIELDS = re.compile(rf"(?!.*://){_FIELD}(?:,{_FIELD}){{2,}}+\s*")
"""Of a table with commas between, as spreadsheets write it: no space follows one, as it does in a sentence."""
_PART_OF_FIELDS = re.compile(r"\"[^\"]*\"|[^\",]+|,")
_WORD_IN_FIELD = re.compile(r"(?:^|,)\"?[^\W\d_][^,]")


def columns(line: str) -> list[str]:
    """What is set apart in a line, and what is between."""
    if "," in line and len(_WORD_IN_FIELD.findall(line)) > 1 and _FIELDS.fullmatch(line):
        return _PART_OF_FIELDS.findall(line)
    option = list(found.groups()) if "  " in line and (found := _OPTION.match(line)) else []
    rest = line[sum(map(len, option)) :]
    if not any(map(rest.__contains__, _BETWEEN_COLUMNS)):
        return [*option, rest]
    parts = (_NARROW_COLUMN if _WIDE.search(rest) else _COLUMN).split(rest)
    return [*option, *chain.from_iterable(map(_cells, parts))]


def _cells(column: str) -> list[str]:
    """What stands between upright lines, unless one is within brackets or a quotation, as in P(A | B), or of code."""
    cells = _CELL.split(column) if " | " in column else [column]
    is_code = len(cells) == 2 and cells[1].lstrip(" |")[:1].islower()  # noqa: PLR2004 - one line: cat x | sort
    is_cut = any(cell.count('"') % 2 or cell.count("(") - cell.count(")") for cell in cells)
    return [column] if is_code or is_cut else cells


def crumbs(chunk: str) -> list[str]:
    """The parts of a path such as "Home › Shoes", each by itself: in a sentence, the sign would be read as a word."""
    if _LABELS.fullmatch(chunk):
        return _BETWEEN_LABELS.split(chunk)
    if not any(map(chunk.__contains__, "»›·☐☑☒□")):  # most have none of these, and are done with
        return [chunk]
    if len(answers := _BOX.split(chunk)) > 2:  # noqa: PLR2004 - one box may be a part of a sentence
        return answers
    return [chunk] if is_quoting(chunk) else _CRUMB.split(chunk)


def valued(chunk: str, language: str) -> list[str]:
    """A label and its value; not who speaks, and what is said.

    English labels of sentences are left to the network: of Baker and Spoiler alone it makes a Bäcker and a Verwüster.
    """
    label = _DAY[language].match(chunk)
    if not label:
        label = _VALUE.match(chunk)
        if not label or is_given_name(label["label"]) or (language == "en" and _SENTENCE_END.search(chunk)):
            return [chunk]
    return [chunk[: label.end()], chunk[label.end() :]]


def labelled(line: str, language: str) -> list[str]:
    """The labels of a line in the header of a mail, and its value, each by itself."""
    places = [0, *find_labels(line, language), len(line)]
    return [line[start:end] for start, end in pairwise(places)]
