"""Who wrote what a mail quotes, in the line before it: "On Jan 8, 2024 at 9:15 AM Ann Lee <ann@example.org> wrote:".

The network reads the date, but loses the verb, which German has before the name, and takes the time for the end of a
sentence.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.finders.match import Match
from service.pipeline.numbers.times_of_day import hour_of_24
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from model.bundle import Direction

__all__ = ["find_attribution"]

_CAPITALISED = r"[\"'„“(]?[A-ZÄÖÜ][\w.'’-]{0,30}+[\"'“”)]?"
"""Ann, "Ann, Lee", O'Neill."""
_WHO = (
    rf"(?P<who>(?![AP]M\b){_CAPITALISED}(?:,?\s(?:(?:von|van|vom|de|der|den|zu|zur|di|da|del)\s){{0,2}}{_CAPITALISED}){{0,4}}"
    r"(?:\s<[^<>\s]{3,80}>)?)"
)
"""Ann Lee, or Lee, Ann, or Ann von Lee <ann@example.org>."""
_BREAK = r"(?:\s|\r?\n[ \t>]*+)"
"""A space, or the end of a line that is quoted as well."""
_TIME = r"(?P<hour>[01]?\d|2[0-3])(?P<minutes>:[0-5]\d)(?::[0-5]\d)?"
_ATTRIBUTIONS = {
    "en-de": re.compile(
        r"On\s[^\r\n]{0,60}?(?:\d|[AaPp]\.?[Mm]\.?|day)"
        rf"(?:(?=,)|{_BREAK})(?P<all>(?P<comma>,{_BREAK})?"
        rf"(?:(?:at\s)?{_TIME}(?:\s?(?P<half>[AaPp])\.?[Mm]\b\.?)?,?{_BREAK})?{_WHO}{_BREAK}wrote)(?=:$)"
    ),
    "de-en": re.compile(
        rf"Am\s[^\r\n]{{2,60}}?{_BREAK}"
        rf"(?P<all>(?:um\s{_TIME}(?:\sUhr)?{_BREAK})?schrieb{_BREAK}{_WHO})(?P<comma>)(?P<half>)(?=:$)"
    ),
}
"""As "On Jan 8, 2024 at 9:15 AM, Ann Lee wrote:" and "Am 8.1.2024 um 9:15 schrieb Ann Lee:"."""
_WRITTEN = {"en-de": "schrieb {}", "de-en": "{} wrote"}
_AT = {"en-de": "um {} Uhr ", "de-en": "at {} "}


def find_attribution(text: str, direction: Direction) -> Iterator[Match]:
    """The name with its verb and the time before it, if the text is such a line; its date is left to the network."""
    if text.endswith(":") and (found := _ATTRIBUTIONS[str(direction)].match(text)):
        written = _WRITTEN[str(direction)].format(found["who"])
        if found["hour"]:
            hour = hour_of_24(int(found["hour"]), found["half"].lower()) if found["half"] else found["hour"]
            written = _AT[str(direction)].format(hour + found["minutes"]) + written
        yield Match(Span(*found.span("all")), f" {written}" if found["comma"] else written)
