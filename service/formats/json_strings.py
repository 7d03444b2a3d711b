"""JSON: the values that are strings are text; keys, numbers and white space are not.

Nor is what a key with an at sign holds, which tells of other values: `"@title": {"type": "text"}` in ARB, and
`"@type": "Person"` in JSON-LD. Nor are strings that are keys themselves (`menu.file.open`, `firstName`), parts of
addresses (`a-day-at-the-sea`), checksums or time zones (`Europe/Berlin`), and single words under a key that programs
read: `"icon": "arrow-left"`. Only the language of the file changes that ARB names: `"@@locale": "en"`.

The sign that marks a key in an interface string is kept, see `service.formats.accelerators`.
"""

from __future__ import annotations

import json
import re
from functools import partial
from typing import TYPE_CHECKING

from service.formats.accelerators import put_back, take_out
from service.formats.document import BYTE_ORDER_MARK, Cut, InvalidDocument
from service.formats.slots import BlockBuilder, LabelledDocument, Slot, SlottedDocument, is_translatable, weave

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import NoReturn

    from service.types import Block

__all__ = ["cut_json", "parse_json"]

# In a valid document a quotation mark outside of a string begins one, and a key is a string before a colon.
_STRING = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)"([ \t\r\n]*:)?')
_STRING_OR_CONSTANT = re.compile(rf"{_STRING.pattern}|-?Infinity|NaN")
_STRUCTURE = re.compile(rf"{_STRING.pattern}|[\[\]{{}},]")
_METADATA = re.compile(r"@[\w.@-]*")
_LOCALE = re.compile(r'(?<!\\)"@@locale"[ \t\r\n]*:[ \t\r\n]*"([A-Za-z0-9_-]{2,35})(?=")')
_IDENTIFIER = re.compile(
    r"[a-z]+(?:[A-Z][a-z0-9]*)+|[a-z_]\w+(?:\.\w{2,})+|[a-z0-9]+(?:-[a-z0-9]+){3,}"
    r"|(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{7,}"
    r"|(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)(?:/[A-Z]\w+)+"
)
_FOR_PROGRAMS = re.compile(
    r'"(?:align|class|className|color|css|encoding|format|href|icon|id|key|kind|lang|language|layout|locale|method|mime|ref'
    r'|rel|rule|slug|src|style|target|template|theme|type|uri|url|uuid|variant|widget)"[ \t\r\n]*:[ \t\r\n]*\Z',
    re.IGNORECASE,
)
_LONGEST_KEY = 80
_ONE_WORD = re.compile(r"[!-~]+")
_ESCAPE = re.compile(r'\\u([0-9a-fA-F]{4})|\\(["\\/bfnrt])')
_ALWAYS_ESCAPED = r'"\\\x00-\x1f\ud800-\udfff'
_NOT_ASCII = r"\u0080-\U0010ffff"


def parse_json(source: str) -> SlottedDocument:
    """See `service.formats.parse`."""
    _check(source)
    escape = _escaper(source.removeprefix(BYTE_ORDER_MARK))
    parts: list[str | Slot] = []
    done = 0
    for found in _values(source):
        builder = BlockBuilder(escape)
        builder.text(json.loads(f'"{found[1]}"'))
        block, accelerator = take_out(builder.build(), within_words=False)
        if is_translatable(block.text):
            write = partial(_write, escape=escape, accelerator=accelerator)
            parts += [source[done : found.start(1)], Slot(block, write, raw=found[1])]
            done = found.end(1)
    parts.append(source[done:])
    return LabelledDocument(parts, _LOCALE, range(len(parts)))


def _values(source: str) -> Iterator[re.Match[str]]:
    """The strings that are text."""
    for found, around in _walk(source):
        if found[0] == "," or around[-1][1] or _IDENTIFIER.fullmatch(found[1]):
            continue
        if _ONE_WORD.fullmatch(found[1]) and _FOR_PROGRAMS.search(
            source, max(0, found.start() - _LONGEST_KEY), found.start()
        ):
            continue
        yield found


def _walk(source: str) -> Iterator[tuple[re.Match[str], list[tuple[str, bool]]]]:
    """Each comma and each string that is a value, with the brackets that are open.

    The first of those is none; with each goes whether what is next in it is metadata.
    """
    around = [("", False)]
    for found in _STRUCTURE.finditer(source):
        if found[0] in ("[", "{"):
            around.append((found[0], around[-1][1]))
        elif found[0] in ("]", "}"):
            around.pop()
        elif found[2]:
            around[-1] = ("{", around[-2][1] or _METADATA.fullmatch(found[1]) is not None)
        else:
            yield found, around


def _write(block: Block, *, escape: Callable[[str], str], accelerator: str) -> str:
    return weave(put_back(block, accelerator), escape)


def cut_json(source: str) -> Iterator[Cut]:
    """See `service.formats.split`. Between two values of the same list or object, however deep."""
    _check(source)
    first = f'[{{"{_characters(source)}":0}},'
    yield Cut(0, opening=first)
    for found, around in _walk(source):
        if found[0] == ",":
            keys = ((bracket, "@" if metadata else "") for bracket, metadata in around[1:])
            opened = "".join(f'{{"{key}":' if bracket == "{" else "[" for bracket, key in keys)
            closed = "".join("}" if bracket == "{" else "]" for bracket, _ in reversed(around[1:]))
            yield Cut(found.start(), closing=f"{closed}]", opening=f"{first}{opened}0")
    yield Cut(len(source), closing="]")


def _characters(source: str) -> str:
    """All that the source writes, and all that it escapes, once: a part with this as a key is escaped as the whole."""
    escapes = dict.fromkeys(found.group() for found in _ESCAPE.finditer(source))
    return "".join((*escapes, *(one for one in sorted(set(_ESCAPE.sub("", source))) if one >= " " and one != '"')))


def _check(source: str) -> None:
    """Raise InvalidDocument unless it is JSON as in RFC 8259."""
    refuse = partial(_refuse_constant, source)
    try:
        # Numbers are not worth reading: a long one would take quadratic time.
        json.loads(source.removeprefix(BYTE_ORDER_MARK), parse_int=str, parse_float=str, parse_constant=refuse)
    except json.JSONDecodeError as error:
        reason = error.msg.partition(": ")[0]  # some versions quote the source after a colon
        msg = f"line {error.lineno}, column {error.colno}: {reason}"
        raise InvalidDocument(msg) from None
    except RecursionError:
        msg = "nested too deeply"
        raise InvalidDocument(msg) from None


def _refuse_constant(source: str, _: str) -> NoReturn:
    reason = "NaN and Infinity are not allowed"
    position = next((found.start() for found in _STRING_OR_CONSTANT.finditer(source) if found[1] is None), 0)
    raise json.JSONDecodeError(reason, source, position)


def _escaper(source: str) -> Callable[[str], str]:
    """Write characters as this document does: those that it only ever has escaped (ä, /, <) stay escaped.

    A document that is ASCII thanks to escapes stays ASCII.
    """
    written = {found.group(): found for found in _ESCAPE.finditer(source)}
    literal = set(_ESCAPE.sub("", source))
    escaped = {}
    for code, found in written.items():
        character = chr(int(found[1], 16)) if found[1] else json.loads(f'"{code}"')
        if character not in literal or character in '"\\\b\f\n\r\t':
            escaped[character] = code
    ascii_only = source.isascii() and not all(map(str.isascii, escaped))
    needed = _ALWAYS_ESCAPED + "".join(map(re.escape, escaped)) + (_NOT_ASCII if ascii_only else "")
    return partial(re.compile(f"[{needed}]").sub, lambda found: escaped.get(found[0]) or json.dumps(found[0])[1:-1])
