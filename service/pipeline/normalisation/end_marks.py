"""The mark that a sentence lacks at its end, as people leave it out in chats, captions and lists.

The network has seen sentences with one, and translates them better so: it knows then that they end, and that they ask.
A label is no sentence, and has none in its training text, either: "Hidden files and folders". Which is which is told by
the words that sentences begin with, and by verbs that few labels have.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["missing_end_mark"]

_FEWEST_WORDS, _FEWEST_ASKING = 5, 3
_ENDS_OPEN = re.compile(r"[^\W\d_]{2}$")
"""A number with a point after it is an ordinal one in German, and a letter an initial."""
_LONGEST_END = len("xy\n")
_WORD = re.compile(r"[\w'’-]+|,")
_WITH_VERB = re.compile(r"n't$|'(?:s|re|ll|ve|m|d)$")
_FARTHEST = 4
"""Words after one that asks, to find the verb in: how many very old files are."""

_MAY_COMMAND = frozenset({"do", "have"})
_NEVER_COMMANDED = frozenset({"i", "you", "we", "they", "anyone", "anybody"})
"""Have you read it, but not: have the file read."""


class _Words(NamedTuple):
    """Of one language, in small letters."""

    before: frozenset[str]  # a question, and no part of it
    asking: frozenset[str]
    verbs: frozenset[str]  # common ones that are finite
    ending: str  # of more of them
    subjects: frozenset[str]  # what these may begin with
    starts: frozenset[str]  # of sentences
    unfinished: frozenset[str]  # at the end of a part of one, as subtitles have them


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_LANGUAGES = {
    "en": _Words(
        before=_words("and but so or then"),
        asking=_words("who whom whose what which where when why how what's who's where's how's when's"),
        verbs=_words(
            "am is are was were do does did has have had can could will would should shall must might cannot be been "
            "came went said took happened"
        ),
        ending="n't",
        subjects=_words(
            "i you he she it we they there this that these those the a an my your his her our their its to if anyone "
            "anybody someone somebody everyone everybody"
        ),
        starts=_words(
            "the a an this that these those i you he she it we they there my your his her our their some all no two "
            "three four"
        ),
        unfinished=_words("a an the and or but of"),
    ),
    "de": _Words(
        before=_words("und aber oder also"),
        asking=_words(
            "wer wen wem wessen was wo wohin woher wann warum wieso weshalb wozu womit wofür worum woran worauf "
            "worüber wovon wie welche welcher welches welchen welchem"
        ),
        verbs=_words(
            "bin bist ist sind seid war warst waren habe hast hat habt haben hatte hatten kann kannst können könnt "
            "konnte konnten soll sollst sollen sollte sollten muss musst müssen musste mussten wird wirst werden werde "
            "wurde wurden würde würden könnte könntest könnten darf darfst dürfen will willst wollen wollte wollten "
            "möchte möchten gibt weiß geht gehen heißt heißen kommt kommen macht kostet finde findet dauert fährt "
            "beginnt steht stehen liegt liegen wohnt bekomme funktioniert passiert bedeutet sieht sagt"
        ),
        ending="st",
        subjects=_words(
            "ich du er sie es wir ihr man jemand das der die den dem ein eine einen einem dies diese dieser dieses "
            "mein meine dein deine sein seine unser unsere sich zu noch schon denn"
        ),
        starts=_words(
            "der die das den dem ein eine einen einem dies diese dieser dieses ich du sie er es wir ihr man mein meine "
            "dein deine unser unsere kein keine zwei drei vier wenn in im auf am"
        ),
        unfinished=_words("der die das den dem des ein eine einen einem einer und oder aber sowie weil dass"),
    ),
}


def missing_end_mark(text: str, language: str) -> str:
    """The full stop or question mark that a sentence of a language ("en", "de") lacks; empty if it lacks none."""
    if not _ENDS_OPEN.search(text, max(0, len(text) - _LONGEST_END)):
        return ""
    words = [word.lower().replace("’", "'") for word in _WORD.findall(text)]
    known = _LANGUAGES[language]
    if words[-1] in known.unfinished:
        return ""
    if len(words) >= _FEWEST_ASKING and _asks(words[words[0] in known.before :], known):
        return "?"
    return "." if len(words) >= _FEWEST_WORDS and _is_sentence(words, known) else ""


def _asks(words: Sequence[str], known: _Words) -> bool:
    """Whether a verb comes first and a subject next, or a verb before any subject after a word that asks."""
    first, second = words[:2]
    if first in known.asking:
        following = words[1 : 1 + _FARTHEST]
        told = next((word for word in following if word in known.subjects or word == "," or _is_verb(word, known)), "")
        return bool(_WITH_VERB.search(first)) or _is_verb(told, known)
    if "," in words or second not in known.subjects:  # Ist es kalt, heizen wir
        return False
    if first in _MAY_COMMAND:
        return second in _NEVER_COMMANDED
    return first in known.verbs or first.endswith("n't") or (first.endswith("st") and second == "du")


def _is_verb(word: str, known: _Words) -> bool:
    return word in known.verbs or word.endswith(known.ending)


def _is_sentence(words: Sequence[str], known: _Words) -> bool:
    return words[0] in known.starts or any(word in known.verbs or _WITH_VERB.search(word) for word in words)
