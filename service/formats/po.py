"""Gettext catalogues (.po, .pot): each message without a translation gets one, marked `fuzzy`.

Fuzzy, because nobody has looked at it: gettext's tools leave such messages out of a program until somebody has.
Messages with a translation, obsolete ones and comments stay as they are. The header does, too, but for the language if
it is that of the messages, and what a template leaves open and this service knows: that the translation is UTF-8, and
how plurals are formed.
Of reStructuredText, which Sphinx puts into catalogues, the texts of links are text.
The sign that marks a key in an interface string is kept, see `service.formats.accelerators`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING

from service.formats.accelerators import put_back, take_out
from service.formats.document import BYTE_ORDER_MARK, Cut, InvalidDocument
from service.formats.slots import (
    BlockBuilder,
    LabelledDocument,
    Slot,
    SlottedDocument,
    is_translatable,
    line_end,
    lines_of,
    weave,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from service.types import Block

__all__ = ["cut_po", "parse_po"]

_QUOTED = r'"([^"\\]*(?:\\.[^"\\]*)*)"\s*'
_FIELD = re.compile(rf"\s*(msgctxt|msgid_plural|msgid|msgstr)(?:\[(\d{{1,2}})\])?\s*{_QUOTED}")
_MORE = re.compile(rf"\s*{_QUOTED}")
_BYTE = re.compile(r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2}))")
_ESCAPE = re.compile(r"((?:\\(?:[0-7]{1,3}|x[0-9a-fA-F]{1,2}))+)|\\(.)", re.DOTALL)
_CHARACTERS = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_ESCAPED = {ord(character): f"\\{code}" for code, character in {**_CHARACTERS, '"': '"', "\\": "\\"}.items()}
_REST = re.compile(
    r"(?P<opening>:[\w:+.-]{1,50}:`|(?<![\w:`])`(?=[^`<>]*<[^`<>]*>`_))(?P<text>[^`<>]*[^`<>\s])(?P<closing>\s*<[^`<>]+>`_{0,2})"
    r"|(?<![\w|])\|[A-Za-z][\w.-]*\|(?![\w|])"
)
"""Of reStructuredText, as Sphinx's catalogues have it: `text <address>`_, :doc:`text <page>`, |substitution|."""
_CHUNK = re.compile(r"[^ ]* *")
_ORDER = ("msgctxt", "msgid", "msgid_plural", "msgstr")
_WIDTH = 79
_PLURALS = 2
"""One and many: German and English agree on `plural=(n != 1)`."""

_LANGUAGE = re.compile(r'(?:(?<=")|(?<=\\n))Language:[ \t]*([A-Za-z0-9_@.-]{2,35})(?=\\n|")')
"""In a line of the header. It is that of the translations."""

_LEFT_OPEN = {
    "charset=CHARSET": "charset=UTF-8",
    "nplurals=INTEGER; plural=EXPRESSION;": f"nplurals={_PLURALS}; plural=(n != 1);",
}


@dataclass(slots=True)
class _Field:
    """`msgid "…"` and the like: lines `first` to `end` (exclusive), the strings in them joined, escapes and all."""

    keyword: str
    index: int
    first: int
    end: int
    strings: list[str]

    @property
    def raw(self) -> str:
        return "".join(self.strings)


@dataclass(slots=True)
class _Message:
    """A message's fields, and the lines of its flags and of its first `#|` comment, if any."""

    fields: list[_Field] = field(default_factory=list)
    flags: int | None = None
    previous: int | None = None

    def get(self, keyword: str) -> _Field | None:
        return next((one for one in self.fields if one.keyword == keyword), None)

    def translations(self) -> list[_Field]:
        return [one for one in self.fields if one.keyword == "msgstr"]


def parse_po(source: str) -> SlottedDocument:
    """See `service.formats.parse`."""
    mark, lines = _lines(source)
    header: set[int] = set()
    parts: list[str | Slot] = [mark]
    done = 0
    for message in _messages(lines):
        parts += lines[done : message.fields[0].first]
        written = len(parts) - message.fields[0].first  # where line 0 would be among the parts
        done = message.fields[-1].end
        msgid = _required(message, "msgid")
        _required(message, "msgstr")
        body = lines[message.fields[0].first : done]
        if not msgid.raw and message.get("msgctxt") is None:
            header.update(range(len(parts), len(parts) + len(body)))
            parts += [_complete(line) for line in body]
        elif not all(one.raw for one in message.translations()):
            _set_fuzzy(message, parts, written, line_end(lines[msgid.first]))
            parts += _translated(message, lines)
        else:
            parts += body
    parts += lines[done:]
    return LabelledDocument(parts, _LANGUAGE, header)


def cut_po(source: str) -> Iterator[Cut]:
    """See `service.formats.split`. After a message: comments go with the next one."""
    mark, lines = _lines(source)
    starts = list(accumulate(map(len, lines), initial=len(mark)))
    yield Cut(0)
    for message in _messages(lines):
        yield Cut(starts[message.fields[-1].end])
    yield Cut(len(source))


def _lines(source: str) -> tuple[str, list[str]]:
    """The byte order mark, if there is one, and the lines after it."""
    content = source.removeprefix(BYTE_ORDER_MARK)
    return source[: len(source) - len(content)], lines_of(content)


def _messages(lines: Sequence[str]) -> Iterator[_Message]:
    message = _Message()
    for index, line in enumerate(lines):
        if found := _FIELD.fullmatch(line):
            keyword, plural = found[1], int(found[2] or 0)
            if message.fields and _ORDER.index(keyword) < _ORDER.index(message.fields[-1].keyword):
                yield message
                message = _Message()
            several = keyword == "msgstr" and message.get("msgid_plural") is not None  # one for each plural form
            if any(one.keyword == keyword and (one.index == plural or not several) for one in message.fields):
                msg = f"line {index + 1}: the second {keyword} of one message"
                raise InvalidDocument(msg)
            message.fields.append(_Field(keyword, plural, index, index + 1, [found[3]]))
        elif message.fields and message.fields[-1].end == index and (found := _MORE.fullmatch(line)):
            message.fields[-1].strings.append(found[1])
            message.fields[-1].end = index + 1
        elif (rest := line.lstrip(f"{BYTE_ORDER_MARK} \t")).strip() and not rest.startswith(("#", "domain ")):
            msg = f"line {index + 1}: not a line of a gettext catalogue"
            raise InvalidDocument(msg)
        else:
            if message.get("msgstr"):
                yield message
                message = _Message()
            if not message.fields:
                _note_comment(message, line, index)
    if message.fields:
        yield message


def _note_comment(message: _Message, line: str, index: int) -> None:
    if not line.strip():
        message.flags = message.previous = None
    elif line.startswith("#,"):
        message.flags = index
    elif line.startswith("#|") and message.previous is None:
        message.previous = index


def _required(message: _Message, keyword: str) -> _Field:
    found = message.get(keyword)
    if found is None:
        msg = f"line {message.fields[0].first + 1}: a message without {keyword}"
        raise InvalidDocument(msg)
    return found


def _complete(line: str) -> str:
    """Fill in what a template's header leaves open."""
    for left_open, value in _LEFT_OPEN.items():
        line = line.replace(left_open, value)
    return line


def _set_fuzzy(message: _Message, parts: list[str | Slot], written: int, ending: str) -> None:
    if message.flags is None:
        above = message.fields[0].first if message.previous is None else message.previous
        parts.insert(written + above, f"#, fuzzy{ending}")
        return
    line = str(parts[written + message.flags])
    if "fuzzy" not in re.split(r"[,\s]+", line):
        parts[written + message.flags] = f"#, fuzzy,{line.removeprefix('#,')}"


def _translated(message: _Message, lines: Sequence[str]) -> Iterable[str | Slot]:
    """The message's lines, with a slot for each translation that is missing."""
    msgid = _required(message, "msgid")
    plural = message.get("msgid_plural")
    ending = line_end(lines[msgid.first])
    written = message.fields[0].first
    for one in message.translations():
        yield from lines[written : one.first]
        written = one.end
        if one.raw:
            yield from lines[one.first : one.end]
            continue
        yield _translation(one.index, msgid if one.index == 0 or plural is None else plural, plural, ending)
        yield line_end(lines[one.end - 1])
    yield from lines[written : message.fields[-1].end]
    if plural is not None:
        for index in sorted(set(range(_PLURALS)).difference(one.index for one in message.translations())):
            closed = line_end(lines[message.fields[-1].end - 1])
            yield "" if closed else ending
            yield _translation(index, plural if index else msgid, plural, ending)
            yield ending if closed else ""


def _translation(index: int, text: _Field, plural: _Field | None, ending: str) -> str | Slot:
    block, accelerator = take_out(_block(_ESCAPE.sub(_unescape, text.raw)))
    keyword = "msgstr" if plural is None else f"msgstr[{index}]"
    write = partial(_write, accelerator=accelerator, keyword=keyword, ending=ending)
    return Slot(block, write) if is_translatable(block.text) else write(block)


def _block(text: str) -> Block:
    builder = BlockBuilder(_escape)
    done = 0
    for found in _REST.finditer(text):
        builder.text(text[done : found.start()])
        if found["opening"]:
            builder.open(_escape(found["opening"]), "link")
            builder.text(found["text"])
            builder.close(_escape(found["closing"]), "link")
        else:
            builder.keep(found[0])
        done = found.end()
    builder.text(text[done:])
    return builder.build()


def _write(block: Block, *, accelerator: str, keyword: str, ending: str) -> str:
    """As gettext's tools write it: a string that does not fit one line, or has several, begins below the keyword."""
    text = weave(put_back(block, accelerator), _escape)
    rows = _rows(text)
    if len(rows) == 1 and len(keyword) + len(text) + 3 <= _WIDTH:
        return f'{keyword} "{text}"'
    return ending.join([f'{keyword} ""', *(f'"{row}"' for row in rows)])


def _rows(text: str) -> list[str]:
    rows = [""]
    for paragraph in re.split(r"(?<=[^\\]\\n)", text):
        for chunk in _CHUNK.findall(paragraph):
            if chunk and rows[-1] and (rows[-1].endswith("\\n") or len(rows[-1]) + len(chunk) + 2 > _WIDTH):
                rows.append("")
            rows[-1] += chunk
    return rows


def _unescape(found: re.Match[str]) -> str:
    """What an escape stands for. Numbers are bytes: `msgcat --escape` writes those of UTF-8, each by itself."""
    if found[2]:
        return _CHARACTERS.get(found[2], found[2])
    written = bytes(
        int(octal, 8) & 0xFF if octal else int(hexadecimal, 16) for octal, hexadecimal in _BYTE.findall(found[1])
    )
    try:
        return written.decode()
    except UnicodeDecodeError:
        return written.decode("latin-1")


def _escape(text: str) -> str:
    return text.translate(_ESCAPED)
