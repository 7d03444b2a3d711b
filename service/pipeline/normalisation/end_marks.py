"""The mark that a sentence lacks at its end, as people leave it out in chats, captions and lists.

The network has seen sentences with one, and translates them better so: it knows then that they end, and that they ask.
A label is no sentence, and has none in its training text, either: "Hidden files and folders". Which is which is told by
the words that sentences begin with, and by verbs that few labels have, as the headline "Police seek witnesses" has.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from service.pipeline.lists import kinds_of

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["missing_end_mark"]

_FEWEST_WORDS, _FEWEST_ASKING, _FEWEST_TOLD = 5, 3, 3
"""Of a sentence, of one that asks, and of one that has a verb which tells it from a label."""
_ENDS_OPEN = re.compile(r"[^\W\d_]{2}$")
"""A number with a point after it is an ordinal one in German, and a letter an initial."""
_LONGEST_END = len("xy\n")
_WORD = re.compile(r"[\w'’/-]+|,")
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
    pronouns: frozenset[str]  # that begin nothing but sentences
    dependent: frozenset[str]  # before verbs of what is no sentence by itself: how it works
    third: frozenset[str]  # verbs in the third person
    plural: frozenset[str]  # others that a word alone may be the subject of
    several: re.Pattern[str]  # such a word
    unfinished: frozenset[str]  # at the end of a part of one, as subtitles have them


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_FINITE, _ENGLISH = kinds_of("finite_verbs.txt"), kinds_of("verbs.txt")
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
        pronouns=_words("i you he she it we they"),
        dependent=_words(
            "that which who whom whose where when if whether because as than before after while until since what how "
            "why for to"
        ),
        third=_FINITE["en-third"] | _ENGLISH["third"],
        plural=_FINITE["en-several"] | _ENGLISH["base"],
        several=re.compile(
            "(?!(?:across|always|besides|perhaps|press|previous|sometimes|this|thus|towards|unless|yes)$)"
            "(?:[a-z]{3,}[^sui]s|police|people|men|women|children)$"
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
        pronouns=_words("ich du er sie es wir man"),
        dependent=_words(
            "dass ob weil wenn als bis während bevor nachdem damit falls wie was wo wer wann warum woher wohin womit"
        ),
        third=_FINITE["de-third"],
        plural=_FINITE["de-several"],
        several=re.compile("[a-zäöüß]{2,}[enrs]$"),
        unfinished=_words("der die das den dem des ein eine einen einem einer und oder aber sowie weil dass"),
    ),
}


_NOT_FINITE = frozenset({"be", "been", "weiß"})
"""White, too."""
_INFINITIVE = re.compile("e?n$")


def missing_end_mark(text: str, language: str) -> str:
    """The full stop or question mark that a sentence of a language ("en", "de") lacks; empty if it lacks none."""
    if not _ENDS_OPEN.search(text, max(0, len(text) - _LONGEST_END)):
        return ""
    written = _WORD.findall(text)
    words = [word.lower().replace("’", "'") for word in written]
    known = _LANGUAGES[language]
    if words[-1] in known.unfinished:
        return ""
    if len(words) >= _FEWEST_ASKING and _asks(words[words[0] in known.before :], known):
        return "?"
    if len(words) >= _FEWEST_WORDS and _is_sentence(words, known):
        return "."
    is_told = len(words) >= _FEWEST_TOLD and _is_told(written if language == "de" else words, words, known)
    return "." if is_told else ""


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


def _is_told(written: Sequence[str], words: Sequence[str], known: _Words) -> bool:
    """Whether a verb behind what may be its subject makes a sentence of a text, however short.

    Args:
        written: its words, those of German as they are: a noun is no verb.
        words: in small letters.
        known: of their language.
    """
    first, second = words[:2]
    if second in known.plural and known.several.match(first):
        return words[2] not in known.before and words[2] != ","
    pronoun, _, is_short = first.partition("'")
    if (is_short and pronoun in known.subjects) or (first in known.pronouns and second not in known.before):
        return True
    for number, word in enumerate(written):
        if word == "," or words[number] in known.dependent:
            return False
        if number and (
            word in known.third or word.endswith("n't") or _is_finite(word, known, is_last=number == len(written) - 1)
        ):
            return True
    return False


def _is_finite(word: str, known: _Words, *, is_last: bool) -> bool:
    """Whether a common verb is finite, which at the end an infinitive is not: zur nächsten Seite gehen."""
    return word in known.verbs and word not in _NOT_FINITE and not (is_last and _INFINITIVE.search(word))
