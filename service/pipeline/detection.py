"""Which of the two languages is this? Lingua's judgement, from the beginning of a text, and small words in its doubts.

On whole sentences of public sets that is right in 99.9%, on three words in 99%, on one in 91%. The confidence errs on
the low side: of the single words with 0.7 to 0.8, 91% are right (`python -m benchmarks detection`). Text in another
script has 0.

Lingua goes by letters that follow each other: it takes "He was fast" for nearly as likely German, and "Er ist Student."
for English. Function words tell, which each language has of its own.

Phrases that are looked up are known to be of their language.

Asked about two languages only, lingua is as sure of text in a third. So it is asked about 14 others too, which lowers
the confidence where it takes the text for one of theirs. Of messages of programs in 15 other languages one in ten still
has 0.7 or more, of those with eight words or more one in thirty (`--third`). Languages not among the 14 are found less
often.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from lingua import Language, LanguageDetector, LanguageDetectorBuilder

from model.bundle import DIRECTIONS, Direction
from service.pipeline.finders.phrases import find_phrase

if TYPE_CHECKING:
    from service.formats import Document

__all__ = ["UNCERTAIN", "Detection", "detect", "detect_document", "warm_up", "way"]

UNCERTAIN = 0.7
"""Less confidence than this is a guess: of single words with less, one in four is in the other language."""

_LANGUAGES = {"en": Language.ENGLISH, "de": Language.GERMAN}
_OTHERS = (
    Language.BOKMAL,
    Language.CZECH,
    Language.DANISH,
    Language.DUTCH,
    Language.FINNISH,
    Language.FRENCH,
    Language.HUNGARIAN,
    Language.ITALIAN,
    Language.POLISH,
    Language.PORTUGUESE,
    Language.ROMANIAN,
    Language.SPANISH,
    Language.SWEDISH,
    Language.TURKISH,
)
"""A text may be in one of these. With more of them, more short texts in ours would be taken for theirs."""
_FOREIGN = 0.01
"""Below this share of the two languages among all, a text is likely in another."""
_SETTLED = 0.95
"""What is told of a text that function words settle. Of 2,233 texts of two to eight words and less than 0.7, of public
sets, programs and books, they get all but two right; lingua gets 1,981."""
_DOUBTED, _THIRD = 0.9, 0.5
"""Between these function words are asked. Above, lingua errs less; below is what may be in a third language."""
_FUNCTION_WORDS = {
    "en": """a and any are as at be been but by can could did does for from had has have he her here him his how i if
        into is it its just me my not of on only or our out she should than that the their them then there these they
        this those to up us very we were what when where which who why with would you your""",
    "de": """aber als auch auf aus bei beim bis dann das dass daß dein deine dem den denn der des dich die diese diesem
        diesen dieser dieses doch du durch ein eine einem einen einer eines er es euch für gegen habe haben hatte ich
        ihm ihn ihr ihre im ist jetzt kann kein keine mein meine mich mit muss nach nicht noch nur ob oder ohne sehr
        sein seine sich sie sind um und uns unser unter vom von vor wenn werden wie wieder wir wird wo wurde zu zum zur
        zwischen über""",
}
"""Frequent words that the other language hardly has, which "was", "am", "so" and "an" are not."""
_SETTLING = {language: frozenset(words.split()) for language, words in _FUNCTION_WORDS.items()}
_WORD = re.compile(r"(?<![\w-])(?:[^\W\d_]{2,}|[ai](?!\.))(?![\w-])", re.IGNORECASE)
"""Not "a. M.", nor parts of compounds, such as "To-do-Liste"."""
_READ = 1000  # characters; it takes time in proportion to the square of a word's length
_LATIN_END = "\u0250"


@dataclass(frozen=True, slots=True)
class Detection:
    """The likelier language, ``en`` or ``de``, and how sure that is, from 0 to 1.

    0.5 is undecided between the two; less means that some of the text is in another script, or all of it in a third
    language; 0 that there is nothing to go by, and then the language is ``en``.
    """

    language: str
    confidence: float


def detect(text: str) -> Detection:
    """Judge a text by its beginning. Takes a few milliseconds at most. Several threads may call it at once."""
    if language := _of_phrase(text):
        return Detection(language, 1.0)
    beginning = text[:_READ]
    letters = [character for character in beginning if character.isalpha()]
    if not letters:
        return Detection("en", 0.0)
    scores = _scores(_detector(), beginning)
    language = max(_LANGUAGES, key=lambda name: scores[_LANGUAGES[name]])  # the first of equals
    latin = sum(letter < _LATIN_END for letter in letters) / len(letters)
    among_all = _scores(_wide_detector(), beginning)
    ours = min(1.0, sum(among_all[one] for one in _LANGUAGES.values()) / _FOREIGN)
    confidence = min(1.0, scores[_LANGUAGES[language]]) * latin * ours
    if _THIRD <= confidence < _DOUBTED and (settled := _of_function_words(beginning)):
        return Detection(settled, _SETTLED)
    return Detection(language, confidence)


def _of_phrase(text: str) -> str | None:
    """The language of a text that is a phrase of one alone, as "Hallo", which lingua takes for English."""
    languages = [one.source for one in DIRECTIONS if find_phrase(text, one)]
    return languages[0] if len(languages) == 1 else None


def _of_function_words(text: str) -> str | None:
    """The language of which a text has function words, if it has none of the other's.

    Words in capitals are names more often: IT, US, WHO.
    """
    words = {word.lower() for word in _WORD.findall(text) if len(word) == 1 or not word.isupper()}
    languages = [language for language, its in _SETTLING.items() if not words.isdisjoint(its)]
    return languages[0] if len(languages) == 1 else None


def detect_document(document: Document) -> Detection:
    """Judge what people read of a text: names of elements and keys are English whatever the language."""
    return detect("\n".join(block.text for block in document.blocks))


def way(found: Detection, target: str | None = None) -> Direction | None:
    """Which way a text goes, into the other language unless `target` names one; None if it is in that one already.

    Whoever asks for German has reason to think that this is not German yet: what is uncertain is translated.
    """
    if target == found.language and found.confidence >= UNCERTAIN:
        return None
    return next(one for one in DIRECTIONS if (one.target == target if target else one.source == found.language))


def warm_up() -> None:
    """Load the language models now (half a second, 85 MB), not with the first text."""
    detect("Where are we? Wo sind wir?")


def _scores(detector: LanguageDetector, text: str) -> dict[Language, float]:
    return {found.language: found.value for found in detector.compute_language_confidence_values(text)}


@cache
def _detector() -> LanguageDetector:
    return LanguageDetectorBuilder.from_languages(*_LANGUAGES.values()).with_preloaded_language_models().build()


@cache
def _wide_detector() -> LanguageDetector:
    """At low accuracy: it takes 10 MB, and at high accuracy 250."""
    languages = LanguageDetectorBuilder.from_languages(*_LANGUAGES.values(), *_OTHERS)
    return languages.with_low_accuracy_mode().with_preloaded_language_models().build()
