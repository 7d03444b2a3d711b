"""Sentences of chats and reviews without their subject are read with it: *Hope you like it* as *I hope you like it*.

The network takes their first word for a command or a question. In German *Hab meinen Schlüssel vergessen* is read as
*Ich habe meinen Schlüssel vergessen*.
"""

from __future__ import annotations

import re

from service.pipeline.edits import Edit, with_small_letter
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
    "I bought": r"Bought(?= (?:this|these|it|one|two|a|an|the|for|as)\b)",
    "I would": r"Would(?= (?:buy|recommend|definitely|highly|not (?:buy|recommend))\b)",
    "I love": r"Love(?= (?:it|this|these)\b)",
    "It arrived": r"Arrived(?= (?:on time|late|early|quickly|damaged|broken|yesterday|today|within|safely|well)\b)",
    "It works": r"Works(?= (?:great|well|fine|perfectly|as|like|very|really|just|for)\b)",
    "It fits": r"Fits(?= (?:perfectly|well|great|nicely|my|like|very)\b)",
    "It looks": r"Looks(?= (?:great|good|nice|like|very|really|cheap|exactly|amazing)\b)",
    "It smells": r"Smells(?= (?:of|like|good|great|nice|bad|very|really)\b)",
    "It tastes": r"Tastes(?= (?:of|like|good|great|nice|bad|very|really)\b)",
    "It broke": r"Broke(?= (?:after|within|on the)\b)",
    "It stopped": r"Stopped(?= working\b)",
    "It was": r"Was(?= (?:good|great|lovely|nice) to\b)",
}
"""Of chats, and of what people write about what they have bought."""
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
_GERMAN_HAVE = re.compile(r"Habe?(?= (?:es|ihn|sie|das|den|die|der|eine?|einen|mir|mein\w*)\b)")
_GERMAN_IT = re.compile(
    r"(?P<verb>Funktioniert|Hält|Kam|Lädt|Passt|Riecht|Schmeckt|Sieht)"
    r"(?= (?!(?:ich|du|er|sie|es|wir|ihr|man|das|die|der|jemand|niemand|jede\w*|nicht)\b)[a-zäöü])"
)
_RECOMMENDED = re.compile(r"Kann ich (?=(?:nur|sehr|jedem|wirklich|leider nicht|nicht) )(?=.*\bempfehlen[.!]*$)")
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
    return [] if _WISH.match(text) else _german(text)


def _german(text: str) -> list[Edit]:
    if have := _GERMAN_HAVE.match(text):
        return [Edit(Span(*have.span()), "Ich habe")]
    if it := _GERMAN_IT.match(text):
        return [Edit(Span(*it.span()), f"Es {with_small_letter(it['verb'])}")]
    if recommended := _RECOMMENDED.match(text):
        return [Edit(Span(*recommended.span()), "Ich kann es ")]
    german = _GERMAN_BEGINNING.match(text)
    if not german or _PASSIVE.search(text):
        return []
    verb = german["verb"]
    return [Edit(Span(*german.span("verb")), f"Ich {_ENDINGS.get(verb, with_small_letter(verb))}")]
