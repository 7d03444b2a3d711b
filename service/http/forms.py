"""Reads the texts of a request, in each of the ways in which people send them.

application/json                    {"text": …, "glossary": …}
application/x-www-form-urlencoded   fields `text`, as often as there are texts, and `glossary`, which is JSON
multipart/form-data                 the same, and files in fields `file`
text/plain, text/html, …            the body is the one text
"""

from __future__ import annotations

import logging
import re
import time
from base64 import b64decode
from dataclasses import dataclass
from pathlib import PurePath
from quopri import decodestring
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from pydantic import ValidationError
from pydantic_core import from_json
from python_multipart import FormParser
from python_multipart.exceptions import FormParserError

from service.errors import FieldError, InvalidRequest, MalformedRequest, TooLarge
from service.formats import BYTE_ORDER_MARK, SUFFIXES
from service.http.body import JSON, decode, note, parse_json, read_body, refusal
from service.http.problems import UNKNOWN, only
from service.http.schemas import TranslateRequest
from service.types import Format, Term

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from python_multipart.multipart import Field as FormField
    from python_multipart.multipart import File
    from starlette.requests import Request

    from service.http.body import Body
    from service.settings import Settings

__all__ = ["DOCUMENTS", "FORM", "MULTIPART", "FormPart", "Texts", "form_fields", "read_texts"]

FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"

DOCUMENTS: Mapping[str, Format] = {
    "application/x-subrip": Format.SRT,
    "application/xliff+xml": Format.XLIFF,
    "text/html": Format.HTML,
    "text/markdown": Format.MARKDOWN,
    "text/plain": Format.TEXT,
    "text/vtt": Format.SRT,
    "text/x-gettext-translation": Format.PO,
}
"""Media types whose body is one document. JSON is none of them: it is how requests are written."""

_FIELDS = ("text", "file", "glossary")
_OTHER_FIELDS = 1  # the glossary
_HINT = "`quality` and the other options go into the query, as `dir` does"

_ENCODED_WORD = re.compile(r"=\?utf-8\?([bq])\?([^?]+)\?=", re.IGNORECASE)

logging.getLogger("python_multipart").setLevel(logging.CRITICAL)  # below that, it quotes what callers send


@dataclass(frozen=True, slots=True)
class Texts:
    """What a body holds. `format` is what the body itself says of it, if anything."""

    texts: tuple[str, ...]
    glossary: tuple[Term, ...] = ()
    format: Format | None = None


@dataclass(frozen=True, slots=True)
class FormPart:
    """A field of a form, or a file with its name."""

    name: str
    value: str
    filename: str | None = None


async def read_texts(request: Request, settings: Settings, *, timeout_s: float, declared: Format | None) -> Texts:
    """Read what is to be translated, in the format that the query has declared, if it has.

    Raises:
        UnsupportedMedia, TooLarge, BodyTimeout, ClientDisconnected, MalformedRequest: as `read_body`.
        InvalidRequest: the body lacks something, or has what is not known here.
    """
    media = {JSON, FORM, MULTIPART, *DOCUMENTS}
    body = await read_body(request, media, max_bytes=settings.max_body_bytes, timeout_s=timeout_s)
    received = time.perf_counter()
    found = _texts(body, max_fields=settings.max_texts + _OTHER_FIELDS, declared=declared)
    note(request, "parse", received)
    return found


def form_fields(body: Body, *, max_fields: int) -> list[FormPart]:
    """What a form of either type holds, in order.

    Raises:
        MalformedRequest: it is not written as declared, or not in UTF-8.
        TooLarge: more than `max_fields`.
    """
    return _multipart(body, max_fields) if body.media == MULTIPART else _urlencoded(body, max_fields)


def _texts(body: Body, *, max_fields: int, declared: Format | None) -> Texts:
    if body.media == JSON:
        return _from_model(parse_json(body.content, TranslateRequest, hint=_HINT))
    if body.media in DOCUMENTS:
        text = decode(body.content, "the request body", with_mark=_keeps_mark(declared or DOCUMENTS[body.media]))
        return Texts((text,), format=DOCUMENTS[body.media])
    parts = form_fields(body, max_fields=max_fields)
    if not any(part.name in ("text", "file") for part in parts):
        raise InvalidRequest(FieldError("body", _no_text(body.media)))
    return _from_form(parts, declared)


def _from_form(parts: Sequence[FormPart], declared: Format | None) -> Texts:
    _check_known(parts)
    guessed = None if declared else _format_of(part.filename for part in parts if part.filename is not None)
    mark = "" if _keeps_mark(declared or guessed) else BYTE_ORDER_MARK
    texts = [part.value.removeprefix(mark) for part in parts if part.name in ("text", "file")]
    glossary = [_terms(part.value) for part in parts if part.name == "glossary"]
    if len(glossary) > 1:
        raise InvalidRequest(FieldError("body.glossary", "only one is read"))
    try:
        model = TranslateRequest.model_validate({"text": texts, "glossary": glossary[0] if glossary else []})
    except ValidationError as error:
        raise refusal(error) from None
    return _from_model(model, guessed)


def _keeps_mark(known: Format | None) -> bool:
    """Whether a byte order mark is to come back: that of a document is, that of a text is no part of it."""
    return known not in (None, Format.TEXT)


def _from_model(model: TranslateRequest, guessed: Format | None = None) -> Texts:
    terms = tuple(Term(term.source, term.target) for term in model.glossary)
    return Texts(tuple(model.text), terms, guessed)


def _no_text(media: str) -> str:
    wanted = "a form without a field `text`" + (" or `file`" if media == MULTIPART else "")
    return f"{wanted}; declare JSON with the header Content-Type: {JSON}, a text as it is with Content-Type: text/plain"


def _check_known(parts: Iterable[FormPart]) -> None:
    for part in parts:
        if part.name not in _FIELDS:
            raise InvalidRequest(FieldError("body", f"{UNKNOWN}{only(_FIELDS, _HINT)}"))
        if (part.name == "file") is (part.filename is None):
            raise InvalidRequest(FieldError(f"body.{part.name}", "only `file` is to be a file, with its name"))


def _terms(text: str) -> object:
    try:
        return from_json(text)
    except ValueError:
        raise InvalidRequest(FieldError("body.glossary", "is not JSON")) from None


def _format_of(names: Iterable[str]) -> Format | None:
    """What files are, by their names; None if there are none."""
    formats = [SUFFIXES.get(PurePath(name).suffix.lower()) for name in names]
    if None in formats:
        which, known = f"file {formats.index(None)}, counted from 0,", " ".join(sorted(SUFFIXES))
        detail = f"the name of {which} does not end in any of {known}: say which `format`"
        raise InvalidRequest(FieldError("body.file", detail))
    if len(set(formats)) > 1:
        raise InvalidRequest(FieldError("body.file", "files of several formats: send them one by one"))
    return formats[0] if formats else None


def _urlencoded(body: Body, max_fields: int) -> list[FormPart]:
    text = body.text
    if text.count("&") >= max_fields:
        raise TooLarge(_too_many(max_fields))
    parts = []
    for place, pair in enumerate(filter(None, text.split("&"))):
        try:
            ((name, value),) = parse_qsl(pair, keep_blank_values=True, errors="strict")
        except UnicodeDecodeError:
            msg = f"{_field(place)} is not UTF-8"
            raise MalformedRequest(msg) from None
        parts.append(FormPart(name, value))
    return parts


def _multipart(body: Body, max_fields: int) -> list[FormPart]:
    parts: list[FormPart] = []
    ended: list[bool] = []

    def add(name: bytes | None, value: bytes, filename: bytes | None) -> None:
        if len(parts) >= max_fields:
            raise TooLarge(_too_many(max_fields))
        told = None if filename is None else _file_name(decode(filename, "the name of a file"))
        text = decode(value, _field(len(parts)), with_mark=told is not None)
        parts.append(FormPart(decode(name or b"", "a field's name"), text, told))

    def add_field(field: FormField) -> None:
        add(field.field_name, field.value or b"", None)

    def add_file(file: File) -> None:
        file.file_object.seek(0)
        add(file.field_name, file.file_object.read(), file.file_name or b"")

    config = {"MAX_MEMORY_FILE_SIZE": len(body.content) + 1}  # never on a disk: it is all in memory already
    try:
        parser = FormParser(
            MULTIPART, add_field, add_file, lambda: ended.append(True), boundary=body.boundary, config=config
        )
        parser.write(body.content)
        parser.finalize()
    except FormParserError:
        ended.clear()
    if not ended:
        msg = "the form is not written as multipart/form-data with the boundary that Content-Type names"
        raise MalformedRequest(msg)
    return parts


def _file_name(sent: str) -> str:
    """A file's name, as .NET and Spring send those that are not ASCII, too: as an encoded word of mail (RFC 2047)."""
    if not (word := _ENCODED_WORD.fullmatch(sent)):
        return sent
    kind, content = word[1].lower(), word[2].encode()
    try:
        return (b64decode(content, validate=True) if kind == "b" else decodestring(content, header=True)).decode()
    except ValueError:  # what is not UTF-8 included
        return sent


def _field(place: int) -> str:
    return f"field {place} of the form, counted from 0,"


def _too_many(max_fields: int) -> str:
    return f"the form has more than {max_fields} fields"
