"""German auxiliaries: wäre er geblieben, for "hätte er geblieben"; er wurde gesehen, for "wurde gesehen worden".

A network that writes all words at once may have the auxiliary of most verbs before it knows which one it writes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit, with_capital
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["check_auxiliaries"]

_INSTEAD = {
    "habe": "bin",
    "hast": "bist",
    "hat": "ist",
    "haben": "sind",
    "habt": "seid",
    "hatte": "war",
    "hattest": "warst",
    "hatten": "waren",
    "hattet": "wart",
    "hätte": "wäre",
    "hättest": "wärst",
    "hätten": "wären",
    "hättet": "wärt",
}
_AWAY = "an|aus|davon|fort|heim|\\w*her|\\w*hin|her\\w+|hin\\w+|los|mit|nach|um|vorbei|vor|weg|zurück|zusammen"
_PARTICIPLE = (
    rf"(?:geblieben|gewesen|geworden|(?:{_AWAY})?(?:gekommen|gereist|gegangen)|entkommen|verreist|kaputtgegangen"
    r"|eingeschlafen|aufgewacht|aufgestanden|entstanden|(?:ge|ver)storben|(?:auf)?gewachsen|geschehen|verschwunden"
    r"|(?:miss|ge)lungen|(?:ent)?geflohen|geflüchtet|(?:heim|zurück)gekehrt|(?:ab|auf|aus|ein|um)?gestiegen|erschienen"
    r"|ertrunken|gestolpert|explodiert|(?:hin|um|herunter|runter)gefallen|gewandert)"
)
"""Of verbs that always have *sein*."""
_WORDS = r"(?: (?!(?:und|oder|aber|als|wie|\w*ge\w+t)\b)[\w-]+){0,12}"
"""Between the two; another participle may be the one that has *haben*."""
_END = r"(?=[.,;:!?]|$| (?:und|oder|aber)\b)"
_HAVE = rf"(?P<have>{'|'.join(sorted(_INSTEAD, key=len, reverse=True))})"
_FIRST = re.compile(rf"\b{_HAVE}(?={_WORDS} {_PARTICIPLE}{_END})", re.IGNORECASE)
_LAST = re.compile(rf"\b{_PARTICIPLE} {_HAVE}{_END}")
_MODAL = re.compile(r"\b(?:w[eiü]r|m[uü]ss|k[aö]nn|soll|d[aü]rf|mag|mög|zu )[^.,;:!?]*$")
"""Before an infinitive: er muss geblieben sein."""
_BE = "ist|sind|war|waren|bist|bin|seid|wart|warst|sei|seien|wäre|wären|sein|gewesen"
_BECAME_BEEN = re.compile(
    rf"\b[Ww]urde(?:n|st|t)?\b(?:(?!\b(?:{_BE})\b)[^.,;:!?()\"–-]){{0,200}}?( worden)\b(?! (?:{_BE})\b)"
)
"""Of two ways to say the passive, in one."""


def check_auxiliaries(target: str) -> Iterator[Edit]:
    """What to change in a German translation, in no order."""
    for found in (*_FIRST.finditer(target), *_LAST.finditer(target)):
        have, span = found["have"], Span(*found.span("have"))
        is_infinitive = have == "haben" and span.start > found.start() and _MODAL.search(target, 0, found.start())
        right = "sein" if is_infinitive else _INSTEAD[have.lower()]
        yield Edit(span, with_capital(right) if have[0].isupper() else right)
    for found in _BECAME_BEEN.finditer(target):
        yield Edit(Span(*found.span(1)), "")
