"""English has "an" before a vowel; a network that chooses each word by itself may write "a age".

Letters tell the sound nearly always: one article of the corpus in eight hundred is not as is said here. "an" before a
consonant stays, since it is rarer, and abbreviations are spelled, "an href".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["article_before", "check_articles"]

_VOWEL = (
    r"(?!eu|ewe|onc?e)(?=[aeio]|hour|hono|heir|honest"
    r"|u(?!bi|fo|int|k|n(?:an|ary|i(?![dmn])|il)|r[ilo]|s(?:[aeiu]|r)|t[ei]|uid))"
)
"""Not a euro, a one-way street, a user, a unit; but an uncle, an unimportant one."""
_NO_NOUN = r"(?:and|another|are|either|into|off|onto|out|over|under|until)\b"
"""After one of these the article is not its own: the network has lost the noun, or it is a letter, as in option a."""
_ARTICLE = re.compile(rf"(?:(?<![\w.'’-])a|^A)(?= (?!{_NO_NOUN})(?i:{_VOWEL})[A-Za-z][a-z]{{2,}}+(?!\w|\.\w))")
_LETTER = re.compile(r"[Aa](?<![\w.'’-].)(?![\w.'’-])")
_BEGINS_WITH_VOWEL = re.compile(_VOWEL, re.IGNORECASE)


def check_articles(source: str, target: str, language: str) -> Iterator[Edit]:
    """What to change in a translation, of a language, to have "an" where it belongs."""
    if language == "en" and not _LETTER.search(source):  # else "a" may be a letter of the English, too
        for article in _ARTICLE.finditer(target):
            yield Edit(Span(article.end(), article.end()), "n")


def article_before(word: str) -> str:
    """The one that English has before a word."""
    return "an" if _BEGINS_WITH_VOWEL.match(word) else "a"
