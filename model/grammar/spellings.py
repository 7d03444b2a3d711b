"""The same English, written another way: American words and spelling, and short forms."""

from __future__ import annotations

import re
from functools import cache

from model.grammar.reading import interchangeable, read_lexicon

__all__ = ["respelled"]

_ENDS_SHORT = re.compile(r"'(?:s|re|m)[.?]$")
"""No sentence ends so."""


def respelled(text: str) -> list[str]:
    """A sentence, and whatever else it can be written as."""
    spellings = list(dict.fromkeys([text, _interchanged(text)]))
    short = [_contracted(one) for one in spellings]
    spellings += [new for new, one in zip(short, spellings, strict=True) if new != one and not _ENDS_SHORT.search(new)]
    if "I think that" in text:
        spellings.append(text.replace("I think that", "I think"))
    return spellings


def _interchanged(text: str) -> str:
    return _words().sub(_other, text)


def _other(match: re.Match[str]) -> str:
    """What may stand for a word; after a plural in s the genitive has none: policemen's, police officers'."""
    word, genitive = match.groups()
    other = interchangeable()[word]
    return other + ("'" if genitive and other.endswith("s") else genitive or "")


@cache
def _words() -> re.Pattern[str]:
    longest_first = sorted(interchangeable(), key=len, reverse=True)
    return re.compile(rf"\b({'|'.join(map(re.escape, longest_first))})\b('s)?")


def _contracted(text: str) -> str:
    """With one of each kind of short forms, but no n't where there is another."""
    for long, short in _short_forms():
        if "n't" in short or "n't" not in text:
            text = long.sub(short, text, count=1)
    return text


@cache
def _short_forms() -> list[tuple[re.Pattern[str], str]]:
    """What becomes what; "have" only before a participle, since it may be the verb itself; not "she and I'll"."""
    participles = {verb.english.participle.split()[0] for verb in read_lexicon().verbs} | {"been"}
    participles |= {interchangeable().get(participle, participle) for participle in participles}
    return [
        (re.compile(r"\b(I) am\b"), r"\1'm"),
        (re.compile(r"\b([Hh]e|[Ss]he|[Ii]t|[Tt]hat) is\b"), r"\1's"),
        (re.compile(r"\b([Ww]e|[Yy]ou|[Tt]hey) are\b"), r"\1're"),
        (re.compile(r"\b((?<!and )I|[Ww]e|[Yy]ou|[Tt]hey|[Hh]e|[Ss]he) will\b(?! not)"), r"\1'll"),
        (re.compile(r"\b(is|are|was|were|has|have|had|did|does|do|would|could|should) not\b"), r"\1n't"),
        (re.compile(rf"\b((?<!and )I|[Ww]e|[Yy]ou|[Tt]hey) have (?=(?:{'|'.join(sorted(participles))})\b)"), r"\1've "),
    ]
