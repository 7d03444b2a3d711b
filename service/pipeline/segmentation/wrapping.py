"""Lines that end where the paper did, not the sentence: mails, notes and manuals are written so (decision 0022).

A line is wrapped if the first word of the next one would not have fitted within the longest line of its paragraph, and
that goes on as sentences do. Headings, lists, poems and a sentence on each line do not look like that.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit, apply
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from model.bundle import Dictionary
    from service.pipeline.edits import Edited

__all__ = ["UNFINISHED", "Paragraph", "find_paragraphs", "unwrap", "wrap"]

_LINE = re.compile(
    r"(?P<lead>(?:[ \t]*>)*[ \t]*)(?P<marker>(?:[-*+•‣◦·–—#]+|\(?(?:\d{1,3}|[A-Za-z])[.)])\s+)?"
    r"(?P<rest>[^\r\n]*+)(?:\r\n|\n|\r|\Z)"
)
_TABLE = re.compile(r"\t| {3}|\|")
_FIRST_WORD = re.compile(r"\S+")
_FIRST_LETTER = re.compile(r"[^\W_]")
_SENTENCE_END = re.compile(r"[.!?:…][\"'”“’«»)\]]*$")
_CLAUSE_END = re.compile(r";(?:\s(?:and|or|und|oder))?$")
"""Of a list in a contract, each item of which may begin with a capital."""
_LABEL = re.compile(r"[^\W\da-zäöü][^:.!?]{1,60}?(?:\([^)]{1,60}\))?:\s\S")
"""IBAN: DE89, Häufig (bis zu 1 von 10): Schwindel."""
_ABBREVIATION = re.compile(r"(?<!\w)\w{1,4}\.$")
_HYPHEN = r"(?<=[a-zäöüß])-(?=[ \t]*[\r\n][\s>]*[a-zäöüß])"
_BREAK = re.compile(rf"(?P<hyphen>{_HYPHEN})?(?<![ \t])[ \t]*+(?:(?:\r\n|\n|\r)(?:[ \t]*>)*[ \t]*)++")
_LETTERS_BEFORE, _LETTERS_AFTER = re.compile(r"[^\W\d_]+$"), re.compile(r"[^\W\d_]+")
_LEAVES_OUT = {"und", "oder", "bis", "bzw", "sowie", "and", "or", "to"}
"""Before these a hyphen stands for what two words have in common: Vor- und Nachteile."""

UNFINISHED = re.compile(
    r"(?<!\S)(?:an?|and|are|as|at|by|for|from|in|into|is|my|of|on|or|our|that|the|their|this|to|was|were|which|with|your"
    r"|als|am|beim|dass?|de[mnrs]|die|eine[mnrs]?|für|gegen|ihre?|im|ist|oder|ohne|seine?|sind|sowie|und|unter|vom|von"
    r"|war|wegen|weil|wenn|werden|wird|wurde|zu[mr]|zwischen)$"
)
"""A word that hardly ever ends a sentence or a heading."""

_GREETING = re.compile(r",[ \t]*(?:\r\n|\n|\r)(?:[ \t>]*(?:\r\n|\n|\r)){1,3}\Z")
"""What a German letter goes on after with a small letter."""
_LONGEST_GAP = 40

_NARROWEST, _WIDEST = 45, 130
"""Characters of the longest line of a paragraph that is wrapped."""
_FULL = 0.6
"""Of these, what a line has at least before it is wrapped."""
_SURE = 3
"""Lines, all of them full but the last, that need not look like sentences otherwise."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines of a text that are wrapped: their place, the longest, what a new line begins with, and where they break."""

    span: Span
    width: int
    lead: str
    breaks: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a text: where it starts, and `words` of it, before which is nothing but `lead` and a list's marker."""

    start: int
    lead: str
    is_item: bool
    words: Span
    text: str

    @property
    def length(self) -> int:
        return self.words.end - self.start


def find_paragraphs(text: str) -> list[Paragraph]:
    """The paragraphs of a text whose lines are wrapped."""
    runs = [lines for lines in _runs(text) if len(lines) > 1]
    found = [one for lines in runs if (one := _paragraph(text, lines))]
    if not found or len(found) == len(runs):
        return found
    width = max(one.width for one in found)  # what is wrapped there is here, too, however little it looks like it
    return [one for lines in runs if (one := _paragraph(text, lines, width))]


def _lines(text: str) -> Iterator[_Line]:
    """All of a text; the last one is empty."""
    for line in _LINE.finditer(text):
        words = line["rest"].rstrip(" \t")
        start = line.start("rest")
        yield _Line(line.start(), line["lead"], bool(line["marker"]), Span(start, start + len(words)), words)


def _runs(text: str) -> Iterator[list[_Line]]:
    """Lines that may belong together: one after the other, quoted alike, none but the first an item of a list."""
    run: list[_Line] = []
    for line in _lines(text):
        is_prose = 0 < len(line.text) <= _WIDEST and not _TABLE.search(line.text)
        if run and not (is_prose and not line.is_item and _are_quoted_alike(run, line)):
            yield run
            run = []
        if is_prose:
            run.append(line)


def _are_quoted_alike(run: Sequence[_Line], line: _Line) -> bool:
    if len(run) > 1 and run[-1].lead != line.lead:
        return False
    return run[0].lead.count(">") == line.lead.count(">")


def _paragraph(text: str, lines: Sequence[_Line], known_width: int = 0) -> Paragraph | None:
    """What is wrapped of some lines, by themselves, or where others of the text are wrapped; None if nothing is."""
    width = max(known_width, *(line.length for line in lines))
    if not _NARROWEST <= width <= _WIDEST:
        return None
    full = [(*pair, _flows(*pair)) for pair in pairwise(lines) if _is_full(*pair, width)]
    is_sure = len(full) == len(lines) - 1 and len(lines) >= _SURE
    is_begun = _GREETING.search(text, max(0, lines[0].start - _LONGEST_GAP), lines[0].start) is not None
    is_prose = any(flows for *_, flows in full) and (is_begun or not _begins_small(lines[0]))
    wrapped = [(one, other) for one, other, _ in full if not _ends_sentence(one, other)]
    if not wrapped or not (is_sure or is_prose or known_width):
        return None
    breaks = tuple(Span(one.words.end, other.words.start) for one, other in wrapped)
    lead = text[lines[0].words.end : lines[1].words.start].lstrip(" \t")
    return Paragraph(Span(lines[0].start, lines[-1].words.end), width, lead, breaks)


def _is_full(line: _Line, following: _Line, width: int) -> bool:
    """Whether the next word would not have fitted; of one that is hyphenated, its first part might have."""
    if line.length < _FULL * width:
        return False
    word = _FIRST_WORD.match(following.text)
    return line.text.endswith("-") or line.length + 1 + len(word[0] if word else "") > width


def _flows(line: _Line, following: _Line) -> bool:
    """Whether a line looks as if it went on in the next one."""
    is_unfinished = _begins_small(following) or UNFINISHED.search(line.text) is not None
    return is_unfinished and not _ends_sentence(line, following)


def _ends_sentence(line: _Line, following: _Line) -> bool:
    if _begins_small(following) and _ABBREVIATION.search(line.text):
        return False
    if not _begins_small(following) and _CLAUSE_END.search(line.text):
        return True
    if _LABEL.match(line.text) and _LABEL.match(following.text):
        return True
    return _SENTENCE_END.search(line.text) is not None


def _begins_small(line: _Line) -> bool:
    letter = _FIRST_LETTER.search(line.text)
    return letter is not None and letter[0].islower()


def unwrap(text: str, dictionary: Dictionary | None, language: str) -> Edited:
    """A sentence as one line."""
    if "\n" not in text and "\r" not in text:
        return apply(text, ())
    breaks = _BREAK.finditer(text)
    return apply(text, [Edit(Span(*one.span()), _joint(text, one, dictionary, language)) for one in breaks])


def _joint(text: str, wrapped: re.Match[str], dictionary: Dictionary | None, language: str) -> str:
    """What stands instead of the break of a line: a space, or of a word that was hyphenated, nothing or the hyphen."""
    if not wrapped["hyphen"]:
        return " "
    before = _LETTERS_BEFORE.search(text, max(0, wrapped.start() - _WIDEST), wrapped.start())
    after = _LETTERS_AFTER.match(text, wrapped.end())
    if not before or not after:
        return " "
    if after[0] in _LEAVES_OUT:
        return "- "
    is_one_word = language == "de" or (dictionary is not None and bool(dictionary.usual_form(before[0] + after[0])))
    return "" if is_one_word else "-"


def wrap(text: str, column: int, paragraph: Paragraph) -> Edited:
    """A sentence with new lines, none longer than its paragraph's, unless a word is, or ends with a sign.

    Args:
        text: the sentence, which has none.
        column: characters that stand before it in its line.
        paragraph: where it stands.
    """
    edits = []
    indent = len(paragraph.lead.lstrip("\r\n"))
    for word in _FIRST_WORD.finditer(text):
        length = word.end() - word.start()
        may_begin = text.endswith(" ", 0, word.start()) and any(map(str.isalnum, word[0]))  # not € or a dash
        if column + length > paragraph.width and may_begin:
            edits.append(Edit(Span(word.start() - 1, word.start()), paragraph.lead))
            column = indent
        column += length + 1
    return apply(text, edits)
