"""Is a text clearly in the wrong language? Asked of training pairs only."""

from __future__ import annotations

from functools import cache

from lingua import Language, LanguageDetector, LanguageDetectorBuilder

__all__ = ["is_other_language"]

_LANGUAGES = {"en": Language.ENGLISH, "de": Language.GERMAN}
_CERTAIN = 0.95
_FEWEST_WORDS = 5


@cache
def _detector() -> LanguageDetector:
    return LanguageDetectorBuilder.from_languages(*_LANGUAGES.values()).with_low_accuracy_mode().build()


def is_other_language(text: str, language: str) -> bool:
    """Whether `text` is almost certainly in the other of the two languages.

    Short texts are let through: names, commands and terms look alike in both.

    Args:
        text: one sentence.
        language: "en" or "de", the language it should be in.
    """
    if len(text.split()) < _FEWEST_WORDS:
        return False
    return _detector().compute_language_confidence(text, _LANGUAGES[language]) < 1 - _CERTAIN
