"""Sentences of chats without their subject are read with it: *Hope you like it* as *I hope you like it*.

The network takes their first word for a command or a question. In German *Hab meinen Schlüssel vergessen* is read as
*Ich habe meinen Schlüssel vergessen*.
"""

from __future__ import annotations

import re

from service.pipeline.edits import Edit
from service.types import Span

__all__ = ["find_subject"]

_ENGLISH = {
    "I hope": r"Hope(?= (?:you|this|that|to|it|everything|everyone|all|your|the|we|he|she|they)\b)",
    "I just": r"Just(?= (?:got|wanted|saw|finished|heard|bought|woke)\b)",
    "I can't": r"Can't(?= (?:believe|come|remember|sleep|stay|talk|wait)\b)",
    "I don't": r"Don't(?= (?:care|know|want to|think (?:so|I|you|he|she|we|they|it's|that))\b)",
    "I'm not": r"Not(?= sure\b)",
    "I have": r"Have(?= to\b)",
    "I haven't": r"Haven't(?= (?:been|done|got|had|heard|seen)\b)",
    "I am": r"Am(?= (?:at|back|here|in|just|late|not|on|running|so|still)\b)",
    "I will": r"Will(?= (?:be (?:away|back|home|in touch|late|there)|(?:ask|call|let|send|text) you)\b)",
    "I got": r"Got(?= (?:your|my|the|a|an)\b)",
    "I forgot": r"Forgot(?= (?:my|to|that)\b)",
    "I thought": r"Thought(?= (?:you|that|I|we|it)\b)",
    "It was": r"Was(?= (?:good|great|lovely|nice) to\b)",
}
_ENGLISH_BEGINNING = re.compile("|".join(f"({pattern})" for pattern in _ENGLISH.values()))
_LATER = "bald|dringend|erst|gerade|gleich|heute|jetzt|leider|mal|morgen|noch|später"
_GERMAN_BEGINNING = re.compile(
    r"(?P<verb>Bin|Freue mich|Habe?|Hatte|Hoffe|Melde mich|Ruf dich|Stehe|War|Wollte"
    rf"|(?:Kann|Konnte|Muss|Musste)(?= (?:{_LATER})\b)|Werde(?= (?:{_LATER}|dich|dir|euch|mich|wohl)\b)"
    rf"|Komme(?= (?:{_LATER}|etwas|gegen|gern|mit|nicht|um|zu)\b)|Weiß(?= (?:{_LATER}|auch|gar|nicht|schon)\b))"
    r"(?:,| (?!(?:ich|du|er|sie|es|wir|ihr|man|das|d[eiu]\w|dies\w*|ein|jemand|keine? Angst|niemand|so ein|wer)\b)"
    r"(?=[a-zäöü]))"
)
"""No more than these: *Kann zu Müdigkeit führen* says of a drug what it may do, *Werde aktiv* is a command."""
_PASSIVE = re.compile(r" werden[.!]*$")
_WISH = re.compile(r"Habe? (?:bitte |doch )?(?:einen (?:guten|schönen)|noch |viel )")
"""Hab noch einen schönen Tag: a command."""
_ENDINGS = {"Hab": "habe", "Ruf dich": "rufe dich"}


def find_subject(text: str, language: str) -> list[Edit]:
    """What to read for the verb that a sentence begins with, if its subject can only be left out.

    Args:
        text: with straight apostrophes.
        language: of the text.
    """
    if text.rstrip().endswith("?"):
        return []
    if language == "en":
        found = _ENGLISH_BEGINNING.match(text)
        return [Edit(Span(*found.span()), [*_ENGLISH][(found.lastindex or 1) - 1])] if found else []
    german = _GERMAN_BEGINNING.match(text)
    if not german or _WISH.match(text) or _PASSIVE.search(text):
        return []
    verb = german["verb"]
    return [Edit(Span(*german.span("verb")), f"Ich {_ENDINGS.get(verb, verb[0].lower() + verb[1:])}")]
