"""Words that the network garbles where a text begins, though it knows them elsewhere, are read after *And* or *Please*.

The first word has no article to go by, and in English a capital that it has nowhere else: *Curtains are expensive* was
*Die sind teuer*, *And curtains are expensive* is *Und Vorhänge sind teuer*, of which *Und* is taken away again. So is
what an instruction tells to do: *Please wear gloves* has a verb in German, and *sie* no other form of address.

Adjectives have a capital only there, and most are in pieces then: *Günstige Preise für Familien* was *Ged prices for
families*, *Crowded room* was *Gekter Zimmer*. So labels and headings that begin with one, of three pieces at least, are
read after *And*: in English those of two words, of longer ones as many become worse.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit, with_small_letter
from service.pipeline.lists import kinds_of
from service.pipeline.substitution.parts_of_speech import AFTER_COMMAND
from service.types import Span

if TYPE_CHECKING:
    from model.bundle import Dictionary, Tokenizer

__all__ = ["find_beginning", "without_beginning"]

_FILE, _COMMANDS = "beginnings.txt", "commands.txt"
_FIRST = {
    "en": re.compile(rf"(?P<word>[A-Z][a-z]+),?(?!{AFTER_COMMAND.pattern}) [a-z]"),
    "de": re.compile(r"(?P<word>[A-ZÄÖÜ][a-zäöüß]+),? (?![a-zäöüß]+n[.!]?$|[a-zäöüß ]+n$)[a-zäöüß]"),
}
"""A word that is no part of a name, nor of a command: Deckel öffnen."""
_COMMAND = {
    "en": re.compile(
        r"(?P<word>[A-Z][a-z]+) (?=(?:the|an?|your|this|these|those|all|both|one|two|three|four|five|ten|half|\d+|it"
        r"|them|in|out|some|any|enough|plenty|more|each|every|at least|gloves|protective|fresh)\b)"
    ),
    "de": re.compile(r"(?P<word>[A-ZÄÖÜ][a-zäöüß]+n) Sie (?!bitte\b)(?=\w)"),
}
_NOUN = r"[A-ZÄÖÜ][\w-]+"
_PREPOSITION = (
    "ab|an|am|auf|aus|bei|beim|bis|der|des|direkt|durch|für|gegen|im|in|innerhalb|mit|nach|ohne|pro|rund|über|und|unter"
    "|vo[mnr]|zu[mr]?|zwischen"
)
_VERB = "ist|sind|war|waren|hat|haben|hatten?|wird|werden|wurden?|kann|können|muss|müssen|soll|sollen|gibt"
_DESCRIBED = re.compile(
    rf"(?P<word>(?P<stem>[A-ZÄÖÜ][a-zäöüß]+?)e[mnrs]?) (?!Sie\b|Ihnen\b|Ihr)(?:[a-zäöüß]+e[mnrs]? )?{_NOUN}"
    rf"(?:,? (?:{_PREPOSITION})\b(?=.* (?:{_NOUN}|\d[\d.,]*|[$€%])[.!]?$)(?:(?! (?:{_VERB})\b)[^.!?:])*)?[.!]?$"
)
"""An adjective, a noun, and no more than what belongs to that."""
_OF_TWO_WORDS = re.compile(r"(?P<word>[A-Z][a-z]{2,}(?<!ing)) (?P<noun>[a-z]{3,})[.!]?$")
_DETERMINER = re.compile("all|beid|[dms]ein|dies|eue?r|ihr|je[dn]|k?ein|manch|solch|unse?r")
_PIECES = 3
_AND = {"en": "And ", "de": "Und "}
_PLEASE = {"en": "Please ", "de": "Bitte "}
_BEGIN = re.compile(r"(?:[Aa]nd|[Uu]nd|Please|Bitte),? (?:[b-hj-z] )?(?=\w)")
"""What a translation begins with then; in the sentence's language where the network has copied it."""


def find_beginning(
    text: str, language: str, dictionary: Dictionary | None = None, tokenizer: Tokenizer | None = None
) -> list[Edit]:
    """What to read where a text of a language ("en", "de") begins with such a word.

    Without a dictionary of the direction, and the tokenizer, adjectives are not found.
    """
    command = _COMMAND[language].match(text)
    if command and command["word"] in kinds_of(_COMMANDS)[language]:
        return [Edit(Span(0, 1), _PLEASE[language] + with_small_letter(text[0]))]
    if dictionary and tokenizer and _is_in_pieces(text, language, dictionary, tokenizer):
        return [Edit(Span(0, 1), _AND[language] + with_small_letter(text[0]))]
    first = _FIRST[language].match(text)
    if not first or first["word"] not in kinds_of(_FILE)[language]:
        return []
    letter = with_small_letter(text[0]) if language == "en" else text[0]
    return [Edit(Span(0, 1), _AND[language] + letter)]


def _is_in_pieces(text: str, language: str, dictionary: Dictionary, tokenizer: Tokenizer) -> bool:
    """Whether a text is a noun with an adjective before it of which the network sees pieces."""
    found = (_DESCRIBED if language == "de" else _OF_TWO_WORDS).match(text)
    if not found or len(tokenizer.encode(found["word"])) < _PIECES:
        return False
    if language == "en":
        one, other = (dictionary.translations(word) for word in (found["word"].lower(), found["noun"]))
        return bool(one and other) and one[0].islower() and not one[0].endswith("en") and other[0][0].isupper()
    stem = found["stem"].lower()
    return not _DETERMINER.fullmatch(stem) and (stem in dictionary or f"{stem[:-1]}e{stem[-1]}" in dictionary)  # dunkle


def without_beginning(text: str) -> tuple[list[Edit], list[Edit]]:
    """What takes the word away again from a translation, and the capital for the one after it."""
    begin = _BEGIN.match(text)
    if not begin:
        return [], []
    end = begin.end()
    return [Edit(Span(0, end), "")], [Edit(Span(end, end + 1), text[end].upper())]
