"""Forms of verbs in both languages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from model.grammar.categories import Person, Tense

__all__ = [
    "AM",
    "BIN",
    "DO",
    "HABE",
    "HAETTE",
    "HATTE",
    "HAVE",
    "KANN",
    "MAG",
    "MOECHTE",
    "REFLEXIVE",
    "REFLEXIVE_DATIVE",
    "WAERE",
    "WAR",
    "WAS",
    "WERDE",
    "WURDE",
    "EnglishVerb",
    "Forms",
    "GermanVerb",
    "be_and_sein",
    "forms",
    "regular_present",
]

Forms = dict[Person, str]
"""A form of each person."""

_SIBILANTS = ("s", "ß", "z")
_NEED_E = ("t", "d", *_SIBILANTS)


def regular_present(verb: str, person: Person) -> str:
    """Of an English verb that only adds an s: he seems."""
    return f"{verb}s" if person is Person.IT else verb


def forms(i: str, you: str, it: str, plural: str) -> Forms:
    """Those of a verb, whose plurals are alike; German `you` is du."""
    return {Person.I: i, Person.YOU: you, Person.IT: it, Person.WE: plural, Person.THEY: plural}


AM = forms("am", "are", "is", "are")
WAS = forms("was", "were", "was", "were")
HAVE = forms("have", "have", "has", "have")
DO = forms("do", "do", "does", "do")

BIN = forms("bin", "bist", "ist", "sind")
WAR = forms("war", "warst", "war", "waren")
WAERE = forms("wäre", "wärst", "wäre", "wären")
HABE = forms("habe", "hast", "hat", "haben")
HATTE = forms("hatte", "hattest", "hatte", "hatten")
HAETTE = forms("hätte", "hättest", "hätte", "hätten")
KANN = forms("kann", "kannst", "kann", "können")
MAG = forms("mag", "magst", "mag", "mögen")
MOECHTE = forms("möchte", "möchtest", "möchte", "möchten")
WERDE = forms("werde", "wirst", "wird", "werden")
WURDE = forms("wurde", "wurdest", "wurde", "wurden")
_IRREGULAR = {
    "mögen": MAG,
    "sein": BIN,
    "wissen": forms("weiß", "weißt", "weiß", "wissen"),
}
"""Verbs whose present has a vowel of its own in the singular."""

REFLEXIVE = {Person.I: "mich", Person.YOU: "dich", Person.IT: "sich", Person.WE: "uns", Person.THEY: "sich"}
"""Pronouns, accusative."""

REFLEXIVE_DATIVE = {**REFLEXIVE, Person.I: "mir", Person.YOU: "dir"}
"""The same, dative."""


def be_and_sein(person: Person, tense: Tense) -> tuple[str, str]:
    """Both languages' verb of "he is", in the present or the past."""
    return (AM[person], BIN[person]) if tense is Tense.PRESENT else (WAS[person], WAR[person])


@dataclass(frozen=True, slots=True)
class EnglishVerb:
    """A verb and what belongs to it: look for, be afraid. `ing` is empty where it has no progressive."""

    base: str
    third: str
    preterite: str
    participle: str
    ing: str

    @property
    def after_be(self) -> str:
        """What follows a form of "be", if that is the verb: afraid; else nothing."""
        return self.base[3:] if self.base.startswith("be ") else ""

    def present(self, person: Person) -> str:
        """He reads, he is afraid."""
        if self.after_be:
            return f"{AM[person]} {self.after_be}"
        return self.third if person is Person.IT else self.base

    def past(self, person: Person) -> str:
        """He read, he was afraid."""
        return f"{WAS[person]} {self.after_be}" if self.after_be else self.preterite


@dataclass(frozen=True, slots=True)
class GermanVerb:
    """A verb by its principal parts: infinitive, third person and preterite are without the separable prefix."""

    stem: str
    third: str
    past: str
    participle: str
    auxiliary: Literal["haben", "sein"]
    reflexive: bool = False
    prefix: str = ""

    @property
    def infinitive(self) -> str:
        """Ansehen."""
        return self.prefix + self.stem

    @property
    def zu_infinitive(self) -> str:
        """Zu sehen, anzusehen."""
        return f"{self.prefix}zu{self.stem}" if self.prefix else f"zu {self.stem}"

    def present(self, person: Person) -> str:
        """Ich sehe, du siehst; without the prefix."""
        if self.stem in _IRREGULAR:
            return _IRREGULAR[self.stem][person]
        if person.plural:
            return self.stem
        if person is Person.I:
            root = f"{self.stem[:-3]}l" if self.stem.endswith("eln") else self.stem.removesuffix("n").removesuffix("e")
            return f"{root}e"
        if person is Person.YOU:
            return self._second
        return self.third

    @property
    def _second(self) -> str:
        """Du siehst, du liest, du hältst."""
        if self.third[:-1].endswith(_SIBILANTS):
            return self.third
        no_ending = self.stem.endswith("ten") and not self.third.endswith("tet")
        return f"{self.third if no_ending else self.third[:-1]}st"

    def preterite(self, person: Person) -> str:
        """Ich sah, du sahst; without the prefix."""
        if person in {Person.I, Person.IT}:
            return self.past
        if person.plural:
            return self.past + ("n" if self.past.endswith("e") else "en")
        return self.past + ("est" if self.past.endswith(_NEED_E) else "st")

    def auxiliary_of(self, person: Person, with_haben: Forms = HABE, with_sein: Forms = BIN) -> str:
        """Ich habe gesehen, ich bin gekommen: what stands with the participle."""
        return (with_sein if self.auxiliary == "sein" else with_haben)[person]
