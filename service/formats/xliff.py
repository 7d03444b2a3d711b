"""XLIFF 1.2 and 2: each source without a translation gets a target beside it, in a state that asks for review.

A source without words to translate is its own translation. Nothing else changes. Sources that have a target, or are
marked as not to be translated or as approved, stay alone.
Files that state other languages than they are to be translated from and to are refused. So are document types: no
entity is expanded, nothing is fetched.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, NoReturn
from xml.parsers import expat

from model.bundle import OTHER_LANGUAGE
from service.formats.document import InvalidDocument, is_language
from service.formats.slots import Slot, SlottedDocument
from service.formats.xliff_content import Content, written_attributes, written_target

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["parse_xliff"]

_NAMESPACE = "urn:oasis:names:tc:xliff:document:"
_TAG = re.compile(rb"""<(?:[^"'>]|"[^"]*"|'[^']*')*>""")
_NAME = re.compile(r"<([^\s/>]+)")
_LONGEST_INDENT = 200
_UNITS = {1: "trans-unit", 2: "segment"}
_SOURCE_LANGUAGE = {1: "source-language", 2: "srcLang"}
_TARGET_LANGUAGE = {1: ("file", "target-language"), 2: ("xliff", "trgLang")}
# A person's look at it is still to come: in 2 "translated" is what comes before "reviewed".
_TARGET_STATE = {1: {"state": "needs-review-translation", "state-qualifier": "mt-suggestion"}, 2: {}}
_UNTOUCHED = {"new", "initial"}
_COPIED_STATE = {1: {"state": "translated", "state-qualifier": None}, 2: {}}
_SEGMENT_STATE = {"state": "translated", "subState": None}
_XML = "http://www.w3.org/XML/1998/namespace"


@dataclass(slots=True)
class _Element:
    """An element being read: bytes `start` to `inner` are its start tag. `translate` and `preserve` are inherited."""

    name: str
    start: int
    inner: int
    attributes: Mapping[str, str]
    translate: bool
    preserve: bool


@dataclass(slots=True)
class _Found:
    """An element of a unit: bytes `inner` to `end` are within it, `after` is where its end tag ends."""

    element: _Element
    end: int
    after: int
    content: Content


@dataclass(slots=True)
class _Unit:
    """What is read of a trans-unit (1.2) or segment (2): its source, seg-source and target."""

    element: _Element
    found: dict[str, _Found] = field(default_factory=dict)


def parse_xliff(source: str) -> SlottedDocument:
    """See `service.formats.parse`."""
    try:
        data = source.encode()
    except UnicodeEncodeError:
        msg = "a lone surrogate is not XML"
        raise InvalidDocument(msg) from None
    reader = _Reader(data)
    return _Xliff(reader.parts(), reader.languages)


class _Languages(NamedTuple):
    """From and to which language a file says that it is translated, and on which line."""

    line: int
    source: str
    target: str


class _Xliff(SlottedDocument):
    def __init__(self, parts: Sequence[str | Slot], languages: Sequence[_Languages]) -> None:
        super().__init__(parts)
        self._languages = languages

    def towards(self, source: str, target: str) -> SlottedDocument:
        """See `service.formats.Document`."""
        for said in self._languages:
            if not (is_language(said.source, source) and is_language(said.target, target)):
                msg = f"line {said.line}: source and target language are stated, and are not {source} and {target}"
                raise InvalidDocument(msg)
        return self


class _Reader:
    """Follows the parser through a document and notes what to write where."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._line_end = "\r\n" if b"\r\n" in data else "\n"
        self._elements: list[_Element] = []
        self._unit: _Unit | None = None
        self._content: tuple[_Element, Content] | None = None
        self._native: list[str] | None = None  # the text of a `data` of XLIFF 2, while in it
        self._natives: dict[str, str] = {}
        self._namespace = ""
        self._version = 0
        self._language = ""
        self.languages: list[_Languages] = []
        self._edits: list[tuple[int, int, list[str | Slot]]] = []
        self._parser = expat.ParserCreate("utf-8", " ")
        self._parser.buffer_text = True
        self._parser.buffer_size = len(data) + 1  # so that text comes whole
        self._parser.StartDoctypeDeclHandler = self._on_doctype
        self._parser.StartElementHandler = self._on_start
        self._parser.EndElementHandler = self._on_end
        self._parser.CharacterDataHandler = self._on_text
        self._parser.CommentHandler = self._on_comment
        self._parser.ProcessingInstructionHandler = self._on_instruction

    def parts(self) -> list[str | Slot]:
        """The document, with a slot for each target that is to be written."""
        try:
            self._parser.Parse(self._data, True)  # noqa: FBT003 - the parser takes no keyword here
        except expat.ExpatError as error:
            msg = f"line {error.lineno}: {expat.ErrorString(error.code)}"
            raise InvalidDocument(msg) from None
        parts: list[str | Slot] = []
        done = 0
        for start, end, written in sorted(self._edits, key=lambda edit: edit[:2]):
            parts += [self._data[done:start].decode(), *written]
            done = end
        parts.append(self._data[done:].decode())
        return parts

    def _refuse(self, reason: str) -> NoReturn:
        msg = f"line {self._parser.CurrentLineNumber}: {reason}"
        raise InvalidDocument(msg)

    def _on_doctype(self, *_: object) -> None:
        self._refuse("a document type is not allowed")

    def _on_start(self, name: str, attributes: dict[str, str]) -> None:
        start = self._parser.CurrentByteIndex
        inner = self._end_of_tag(start)
        above = self._elements[-1] if self._elements else None
        if above is None:
            self._on_root(name, attributes)
        translate, space = attributes.get("translate"), attributes.get(f"{_XML} space")
        element = _Element(
            self._local(name),
            start,
            inner,
            attributes,
            translate=translate != "no" if translate is not None else above is None or above.translate,
            preserve=space == "preserve" if space else above is not None and above.preserve,
        )
        self._elements.append(element)
        if self._content:
            self._content[1].start(element.name, attributes, start, inner)
        elif element.name == _UNITS[self._version]:
            self._unit = _Unit(element)
        elif self._unit and above is self._unit.element and element.name in {"source", "seg-source", "target"}:
            self._content = (element, self._new_content(element))
        else:
            self._on_structure(element)

    def _on_root(self, name: str, attributes: Mapping[str, str]) -> None:
        namespace, _, local = name.rpartition(" ")
        version = namespace.removeprefix(_NAMESPACE) or attributes.get("version", "")
        known = {"1": 1, "2": 2}.get(version.partition(".")[0])
        if local != "xliff" or known is None:
            self._refuse("not XLIFF 1 or 2")
        self._namespace, self._version = namespace, known

    def _new_content(self, element: _Element) -> Content:
        return Content(
            self._data,
            self._version,
            self._natives,
            preserve=element.preserve,
            segmented=element.name == "seg-source",
            line_end=self._line_end,
        )

    def _on_structure(self, element: _Element) -> None:
        if element.name == "data":
            self._native = []
        elif element.name == "unit":
            self._natives.clear()
        self._language = element.attributes.get(_SOURCE_LANGUAGE[self._version], self._language)
        name, attribute = _TARGET_LANGUAGE[self._version]
        if element.name != name:
            return
        target = OTHER_LANGUAGE.get(self._language.partition("-")[0].lower())
        if stated := element.attributes.get(attribute):
            if self._language:
                self.languages.append(_Languages(self._parser.CurrentLineNumber, self._language, stated))
        elif target and attribute not in element.attributes:
            self._edit_tag(element, {attribute: target})

    def _on_end(self, _: str) -> None:
        end = self._parser.CurrentByteIndex
        element = self._elements.pop()
        empty = end == element.inner and self._data[end - 2 : end] == b"/>"
        after = end if empty else self._end_of_tag(end)
        if self._content and self._content[0] is not element:
            self._content[1].end(end, after)
        elif self._content and self._unit:
            self._unit.found.setdefault(element.name, _Found(element, end, after, self._content[1]))
            self._content = None
        elif self._unit and element is self._unit.element:
            self._finish(self._unit)
            self._unit = None
        elif self._native is not None and element.name == "data":
            self._natives[element.attributes.get("id", "")] = "".join(self._native)
            self._native = None

    def _on_text(self, text: str) -> None:
        if self._content:
            self._content[1].text(text)
        elif self._native is not None:
            self._native.append(text)

    def _on_comment(self, _: str) -> None:
        self._on_other(b"-->")

    def _on_instruction(self, *_: str) -> None:
        self._on_other(b"?>")

    def _on_other(self, close: bytes) -> None:
        if self._content:
            start = self._parser.CurrentByteIndex
            self._content[1].other(start, self._data.index(close, start) + len(close))

    def _finish(self, unit: _Unit) -> None:
        """Note what is to be written for a unit, if anything."""
        source, target = unit.found.get("source"), unit.found.get("target")
        if source is None:
            self._refuse("a unit without a source")
        segmented = unit.found.get("seg-source")
        cut = segmented is not None and segmented.content.segments
        origin = segmented if segmented and cut else source
        approved = unit.element.attributes.get("approved") == "yes"
        if not unit.element.translate or approved or not self._is_open(unit, source, target):
            return
        inner = origin.content.written(origin.element.inner, origin.end, whole=not cut)
        if not inner:
            return
        if target:
            start, after, lead = target.element.start, target.after, ""
            opening = self._tag(target.element)
        else:
            start = after = (segmented or source).after
            lead = self._indent(source.element.start)
            name = _NAME.match(self._tag(source.element))
            opening = f"<{name[1].removesuffix('source') if name else ''}target>"
        states = _TARGET_STATE if any(isinstance(part, Slot) for part in inner) else _COPIED_STATE
        written = written_target(opening, states[self._version], inner)
        self._edits.append((start, after, [lead, *written]))
        if self._version > 1:
            self._edit_tag(unit.element, _SEGMENT_STATE)

    def _is_open(self, unit: _Unit, source: _Found, target: _Found | None) -> bool:
        """Is there still no translation? A copy of the source in a state that says so is none, nor is bare markup."""
        if target is None:
            return True
        state = (target if self._version == 1 else unit).element.attributes.get("state", "")
        texts = [self._data[one.element.inner : one.end].strip() for one in (source, target)]
        # Tools that cut texts into segments prepare targets with empty ones.
        bare = source.content.has_text() and not target.content.has_text()
        return bare or not texts[1] or state == "needs-translation" or (state in _UNTOUCHED and texts[0] == texts[1])

    def _indent(self, start: int) -> str:
        """The white space before an element, if it begins its line."""
        line = self._data.rfind(b"\n", max(0, start - _LONGEST_INDENT), start)
        if line < 0 or self._data[line:start].strip():
            return ""
        return self._data[line - self._data.endswith(b"\r", 0, line) : start].decode()

    def _edit_tag(self, element: _Element, values: Mapping[str, str | None]) -> None:
        self._edits.append((element.start, element.inner, [written_attributes(self._tag(element), values)]))

    def _tag(self, element: _Element) -> str:
        return self._data[element.start : element.inner].decode()

    def _end_of_tag(self, start: int) -> int:
        found = _TAG.match(self._data, start)
        if found is None:
            self._refuse("a tag without an end")
        return found.end()

    def _local(self, name: str) -> str:
        """The name of one of XLIFF's own elements; nothing for those of others."""
        namespace, _, local = name.rpartition(" ")
        return local if namespace == self._namespace else ""
