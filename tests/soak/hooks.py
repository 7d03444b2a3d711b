"""What schemathesis's settings cannot say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import schemathesis

if TYPE_CHECKING:
    from schemathesis import Case, HookContext

_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
_NO_TEXT = (bool, int, float, list, dict, type(None))


@schemathesis.hook
def filter_case(_context: HookContext, case: Case[Any]) -> bool:
    """Whether a body that is to be refused for its types can be: text and forms know only text.

    A number in the place of a text arrives as its digits, a list within a list as what it looks like.
    """
    if case.meta is None or case.meta.generation.mode.is_positive:
        return True
    media_type = case.media_type or ""
    if media_type.startswith("text/"):
        return not isinstance(case.body, _NO_TEXT)
    if media_type in _FORMS and isinstance(case.body, dict):
        values = [each for value in case.body.values() for each in (value if isinstance(value, list) else [value])]
        return not any(isinstance(value, _NO_TEXT) for value in values)
    return True
