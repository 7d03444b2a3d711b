"""Articles and their like, with the German endings of them and of the adjectives that follow."""

from __future__ import annotations

from enum import StrEnum

from model.grammar.categories import Case, Gender

__all__ = ["POSSESSIVES", "Determiner", "adjective_ending", "german_determiner", "strong_form", "with_article"]

Table = dict[Gender, dict[Case, str]]


class Determiner(StrEnum):
    """What a noun phrase begins with."""

    THE = "the"
    A = "a"
    THIS = "this"
    EVERY = "every"
    NO = "no"
    MY = "my"
    HIS = "his"
    HER = "her"
    OUR = "our"
    THEIR = "their"
    QUANTITY = "quantity"  # two, many
    NONE = "none"  # a plural by itself


POSSESSIVES = (Determiner.MY, Determiner.HIS, Determiner.HER, Determiner.OUR, Determiner.THEIR)


def _table(masculine: str, feminine: str, neuter: str, plural: str) -> Table:
    """Of nominative, accusative, dative and genitive each; - is no ending."""
    rows = (masculine, feminine, neuter, plural)
    return {
        gender: dict(zip(Case, (form.strip("-") for form in row.split()), strict=True))
        for gender, row in zip(Gender, rows, strict=True)
    }


_DEFINITE = _table("der den dem des", "die die der der", "das das dem des", "die die den der")
_DER_WORD = _table("er en em es", "e e er er", "es es em es", "e e en er")
_EIN_WORD = _table("- en em es", "e e er er", "- - em es", "e e en er")

_AFTER_DER = _table("e en en en", "e e en en", "e e en en", "en en en en")
_AFTER_EIN = _table("er en en en", "e e en en", "es es en en", "en en en en")
_AFTER_NOTHING = _table("er en em en", "e e er er", "es es em en", "e e en er")

_DER_STEMS = {Determiner.THIS: "dies", Determiner.EVERY: "jed"}
_EIN_STEMS = {
    Determiner.A: "ein",
    Determiner.NO: "kein",
    Determiner.MY: "mein",
    Determiner.HIS: "sein",
    Determiner.HER: "ihr",
    Determiner.OUR: "unser",
    Determiner.THEIR: "ihr",
}


def german_determiner(determiner: Determiner, gender: Gender, case: Case) -> str:
    """Der, diesem, meine; empty for a quantity and for none."""
    if determiner is Determiner.THE:
        return _DEFINITE[gender][case]
    if determiner in _DER_STEMS:
        return strong_form(_DER_STEMS[determiner], gender, case)
    if determiner in _EIN_STEMS:
        return _EIN_STEMS[determiner] + _EIN_WORD[gender][case]
    return ""


def strong_form(stem: str, gender: Gender, case: Case) -> str:
    """A word that is inflected like dieser: welch, welchem."""
    return stem + _DER_WORD[gender][case]


def adjective_ending(determiner: Determiner, gender: Gender, case: Case) -> str:
    """That of an adjective after it: der alte, ein alter."""
    if determiner is Determiner.THE or determiner in _DER_STEMS:
        return _AFTER_DER[gender][case]
    if determiner in _EIN_STEMS:
        return _AFTER_EIN[gender][case]
    return _AFTER_NOTHING[gender][case]


def with_article(english: str) -> str:
    """With a or an, by how it is spoken: an hour, a university."""
    vowel = english[0].lower() in "aeiou" and not english.startswith(("uni", "use"))
    return f"an {english}" if vowel or english.startswith("hour") else f"a {english}"
