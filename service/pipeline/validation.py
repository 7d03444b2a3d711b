"""First stage: is this a request at all? Raises with the place and the reason, never with the text.

Most of what is wrong with a request is found before, in service/http: parameters.py, schemas.py, forms.py and body.py.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from service.errors import FieldError, InvalidRequest, TooLarge
from service.types import CONTROLS, FORBIDDEN, Quality

if TYPE_CHECKING:
    from collections.abc import Sequence

    from service.types import Request

__all__ = ["RequestLimits", "check_size", "validate", "without_controls"]

_CONTROL = re.compile(f"[{CONTROLS}]")
_FORBIDDEN = re.compile(f"[{FORBIDDEN}]")
_LINE_BREAK = re.compile(r"[\x0b\x0c\x85]")


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """Texts in one request, and characters in all of them together."""

    max_texts: int
    max_characters: int


def check_size(texts: Sequence[str], limits: RequestLimits) -> None:
    """Check that texts fit one request.

    Raises:
        TooLarge: there are too many, or too many characters in them.
    """
    if len(texts) > limits.max_texts:
        msg = f"{len(texts)} texts; at most {limits.max_texts} fit one request"
        raise TooLarge(msg)
    if (characters := sum(map(len, texts))) > limits.max_characters:
        msg = f"{characters} characters; at most {limits.max_characters} fit one request"
        raise TooLarge(msg)


def validate(request: Request, limits: RequestLimits) -> None:
    """Check what a caller sent.

    Single texts of several may be empty: they are documents' blank lines, and pass through.

    Raises:
        TooLarge: as `check_size`.
        InvalidRequest: nothing but white space in any text, or a control character or lone surrogate; alternatives
            that are not searched for.
    """
    texts = request.texts
    check_size(texts, limits)
    errors = [
        FieldError(f"text.{index}", f"{_name(found[0])} at position {found.start()} is not allowed")
        for index, text in enumerate(texts)
        if (found := _FORBIDDEN.search(text))
    ]
    if not errors and not any(text.strip() for text in texts):
        errors = [FieldError("text", "nothing to translate: empty, or only white space")]
    if request.alternatives and request.quality is Quality.FAST:
        errors.append(FieldError("query.alternatives", "only quality=good and quality=best find alternatives"))
    if errors:
        raise InvalidRequest(*errors)


def without_controls(text: str) -> str:
    """The text as `validate` allows it, but for surrogates: controls that break a line or page do so, others go."""
    return _CONTROL.sub("", _LINE_BREAK.sub("\n", text))


def _name(character: str) -> str:
    kind = "lone surrogate" if "\ud800" <= character <= "\udfff" else "control character"
    return f"{kind} U+{ord(character):04X}"
