"""Names of companies, which stay as they are: the network made birds and sons of Vogel & Söhne OHG.

What tells of one is its legal form. Before it every word with a capital is of the name, unless it says who they are.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.finders.match import Match
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from model.bundle import Dictionary, Direction

__all__ = ["find_companies"]

_FORM = re.compile(
    r"\s(?<=[^\W_]\s)(?:(?:g?GmbH|AG|UG|SE)(?:\s&\sCo\.\s?KG(?:aA)?)?|KG(?:aA)?|OHG|GbR|eG|e\.\s?K\.|(?P<club>e\.\s?V\.))"
    r"(?![\w-])"
)
"""GmbH & Co. KG, e. V., and the space before it."""
_ENGLISH_FORM = re.compile(
    r"\s(?:(?<=[^\W_]\s)|(?<=\w,\s))(?:(?:Pty\s)?L(?:td|TD)\b\.?|plc|PLC|LLC|LLP|(?:Inc|Corp)\b\.?|GmbH|AG|B\.V\.|N\.V\.|S\.A\.)(?![\w-])"
)
"""Ltd, Inc."""
_WORD = r"[A-ZÄÖÜ][\w'’&+-]*"
_ENGLISH_NAME = re.compile(rf"(?<!\S)(?:{_WORD}(?:\s(?:[&+]|(?<=Bank\s)of|\d{{2,4}}|{_WORD})){{0,5}},?\s)$")
"""Marks & Spencer, Bank of Scotland."""
_NO_ENGLISH_PART = re.compile(
    r"(?:(?:The|Th(?:is|at|ese|ose)|An?|Our|Your|My|His|Her|Their|Its|Any|Each|Every|Some"
    r"|About|After|Against|Although|And|As|At|Because|Before|Between|Both|But|By|Despite|During|For|From|How|If|In|Into|Like"
    r"|Of|On|Once|Or|Since|So|Than|Though|To|Under|Unless|Until|What|When|Where|Whether|Which|While|Who|Why|With|Without"
    r"|Are|Can|Could|Did|Do|Does|Had|Has|Have|Is|May|Might|Must|Should|Was|Were|Will|Would|Not|Now|Today|Tomorrow|Yesterday"
    r"|Ask|Call|Choose|Contact|Dear|Email|Follow|Join|Meet|Pay|Please|Visit|Welcome|Mr|Mrs|Ms|Dr),?\s)+"
)
"""What stands before a name and is none."""
_NAME = re.compile(rf"(?<!\S)(?:{_WORD}\s(?:(?:[&+]|u\.|\d{{2,4}}|{_WORD})\s){{0,4}})$")
"""Müller Maschinenbau, Vogel & Söhne, TSV Grünwald 1921."""
_NO_PART = re.compile(
    r"(?:(?:D(?:ie|er|as|e[mns])|Diese[mnrs]?|(?:E|Ke|Me|De|Se)ine?[mnrs]?|(?:Unser|Euer|Ihr)e?[mnrs]?|A[mnu]|Als|Auch|Auf|Aus|Bei"
    r"|Beim|Durch|Für|Gegen|Gemäß|Im|In|Laut|Liebe[rs]?|Mit|Nach|Ob|Ohne|Seit|Und|Vo[mn]|Wegen|Wenn|Wir|Zu[mr]?|Über"
    r"|Unter|Zwischen|Frau|Herrn?|\w*(?i:firma|führer(?:in)?|unternehmens?|konzern|tochter|gesellschaft|hersteller"
    r"|anbieter|händler|kunde|partner|vermieterin|vermieter|arbeitgeber|versicherer|dienstleister|lieferant|betreiber"
    r"|inhaber|vertrag|rechnung|angebot|auftrag|verein))\s)+"
)
"""What stands before a name and is none: articles, and who they are."""
_READ = {"de": (_FORM, _NAME, _NO_PART), "en": (_ENGLISH_FORM, _ENGLISH_NAME, _NO_ENGLISH_PART)}
_LONGEST = 80


def find_companies(text: str, direction: Direction, dictionary: Dictionary | None) -> Iterator[Match]:
    """Those of a text with their legal form, in order.

    Args:
        text: a sentence.
        direction: of the translation.
        dictionary: of the direction: what a club is called may be no name at all.
    """
    if text.isupper():
        return
    forms, names, others = _READ[direction.source]
    done = 0
    for form in forms.finditer(text):
        end = form.start() + 1  # of the name, with the space
        name = names.search(text, max(done, end - _LONGEST), end)
        if not name:
            continue
        other = others.match(text, name.start(), end)
        start = other.end() if other else name.start()
        is_club = form.lastgroup == "club" and _is_known(text[start:end], dictionary)
        if start < end and not is_club:
            done = form.end()
            yield Match(Span(start, done), text[start:done])


def _is_known(name: str, dictionary: Dictionary | None) -> bool:
    """Whether all of its words are in the dictionary."""
    words = (word for word in name.split() if word[0].isalpha())
    return dictionary is not None and all(word in dictionary for word in words)
