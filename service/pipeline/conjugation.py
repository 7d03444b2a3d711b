"""All forms of a verb from those that a dictionary lists: to hug, hugged, hugging; zu fangen, fängt, fing, gefangen.

Of a regular verb the infinitive is enough. A prefix that stands apart is before a bar: zu auf|hören is *hört … auf*,
and zu im Stich |lassen is *lässt … im Stich*.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.edits import with_capital

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.bundle import Dictionary

__all__ = [
    "ADJECTIVES_AND_NOUNS",
    "APART",
    "BASE",
    "COMMAND",
    "PARTICIPLE",
    "PAST",
    "PAST_OF_SEVERAL",
    "PRESENT",
    "PRESENT_PARTICIPLES",
    "THIRD_PERSON",
    "base_of",
    "english_forms",
    "german_forms",
]

APART = " … "
"""Between a form of a German verb and its prefix, where other words are."""

BASE, THIRD_PERSON, PAST, PARTICIPLE, PRESENT = range(5)
"""Numbers of the forms of English verbs; that of the base is that of the German infinitive, too."""
PAST_OF_SEVERAL, COMMAND = 9, 10
PRESENT_PARTICIPLES = range(18, 24)
"""Numbers of forms of German verbs: ihr fandet, finde, and findend with its endings."""
ADJECTIVES_AND_NOUNS = range(12, 26)
"""Those of *gefundene*, *findende* and *das Finden*."""

_SIBILANT = re.compile("(?:[sxz]|[^o]o|ch|sh)$")
_CONSONANT_Y = re.compile("(?<![aeiou])y$")
_MUTE_E = re.compile("(?<![eoyi])e$")
_IE = re.compile("ie$")
_DOUBLED = re.compile(
    "^(?:[^aeiou]*[aeiou]|(?:ad|com|e|o|per|re|sub|trans)mi(?=t)|(?:con|in|oc|re)cu(?=r)|(?:con|de|in|pre|re|trans)fe(?=r)"
    "|equi(?=p)|forge(?=t)|begi(?=n))([^aeiouwxy])$"
)
"""The last letter of verbs of one syllable, and of others that end in one with the stress: admit, not offer."""

_PREFIX = re.compile("(?:be|emp|ent|er|ge|ver|zer|miss|durch|hinter|über|um|unter|voll|wider|wieder)(?=.*[aeiouäöü].)")
_UNSTRESSED = re.compile("e[lr]$")
_NEEDS_E = re.compile("(?:[dt]|[^aeiouäöülrhmn][mn]|ch[mn])$")
_HISSES = re.compile("[sßzx]$")
_HAS_E = re.compile("e[^aeiouäöü]+$")
_ADJECTIVE = ("", "e", "en", "er", "es", "em")

_NO_VERB = re.compile("dur|morn|even|spr|str|k|r|w|th|ceil|s|sibl|accord|includ|regard|concern|(?:no|some|any|every)th")
"""What is before -ing in words that are no verbs, or prepositions as often."""

_BAR = "|"
_FINITE = {1, 2, *range(4, 12)}
_NOUN, _DEPENDENT = 24, 26
"""Numbers of the forms of main clauses, of the noun, and of the first one of dependent clauses."""


def english_forms(listed: Sequence[str]) -> tuple[str, ...]:
    """Base, third person, past, participle, and the form in -ing.

    Args:
        listed: the base; base, past and -ing; or base, past, participle and -ing. Words that follow stay: *wake up*.
    """
    base, *after = listed[0].split(" ", 1)
    third = "has" if base == "have" else base + "es" if _SIBILANT.search(base) else _CONSONANT_Y.sub("ie", base) + "s"
    third = " ".join([third, *after])
    if len(listed) > 1:
        return listed[0], third, listed[1], listed[-2], listed[-1]
    doubled = _DOUBLED.sub(lambda match: match[0] + match[1], base)
    past = base + "d" if base.endswith("e") else _CONSONANT_Y.sub("i", doubled) + "ed"
    past, present = (" ".join([form, *after]) for form in (past, _IE.sub("y", _MUTE_E.sub("", doubled)) + "ing"))
    return listed[0], third, past, past, present


def base_of(ing: str, words: Dictionary) -> str | None:
    """The base of an English verb from its form in -ing, if a dictionary has that: *hoping* is of *hope*."""
    stem = ing.lower().removesuffix("ing")
    if _NO_VERB.fullmatch(stem):
        return None
    if stem.endswith("y") and f"{stem[:-1]}ie" in words:  # lying
        return f"{stem[:-1]}ie"
    if stem[-1:] == stem[-2:-1] and stem not in words and stem[:-1] in words:  # forgetting
        return stem[:-1]
    known = (one for one in (stem, f"{stem}e") if one in words)
    return next((one for one in known if english_forms([one])[PRESENT] == f"{stem}ing"), None)


def german_forms(listed: Sequence[str]) -> tuple[str, ...]:
    """Infinitive, third person, past and participle; other persons, the imperative, adjectives, and the noun.

    At last the forms of dependent clauses, which have the prefix that else stands apart, *ablehnt*, and the infinitive
    with *zu*.

    Args:
        listed: the infinitive, or the first four of what is returned; others than the infinitive without a prefix that
            stands apart.
    """
    if _BAR in listed[0]:
        prefix, infinitive = listed[0].split(_BAR)
        return _with_prefix(prefix, german_forms([infinitive, *listed[1:]]))
    infinitive = listed[0]
    is_unstressed = infinitive.endswith(("eln", "ern"))  # erobern, not beschweren
    stem = infinitive.removesuffix("n" if is_unstressed else "en")
    e = "e" if _NEEDS_E.search(stem) else ""
    if len(listed) == 1:
        has_prefix = stem.endswith("ier") or _PREFIX.match(_UNSTRESSED.sub("", stem) if is_unstressed else stem)
        listed = infinitive, f"{stem}{e}t", f"{stem}{e}te", f"{'' if has_prefix else 'ge'}{stem}{e}t"
    _, third, past, participle = listed
    first = f"{stem.removesuffix('el')}le" if infinitive.endswith("eln") else f"{stem}e"
    changes = third != f"{stem}{e}t"  # hält, nimmt: a strong verb
    second = third if _HISSES.search(stem) else f"{third if changes and stem.endswith('t') else third[:-1]}st"
    command = first if e and not changes else stem
    if changes and third.endswith("t") and _HAS_E.search(stem):  # nimm, tritt
        command = third if stem.endswith("t") else third[:-1]
    past_e = "e" if past[-1] in "dtsßz" else ""  # fandest
    pasts = past + ("n" if past.endswith("e") else "en"), f"{past}{past_e}st", f"{past}{past_e}t"
    persons = (first, second, f"{stem}{e}t", *pasts, command, infinitive)
    adjectives = [f"{one}{ending}" for one in (participle, f"{infinitive}d") for ending in _ADJECTIVE]
    noun = with_capital(infinitive)
    main = *listed, *persons, *adjectives, noun, f"{noun}s"
    return (*main, third, past, *persons, f"zu {infinitive}")


def _with_prefix(prefix: str, forms: Sequence[str]) -> tuple[str, ...]:
    """Those of a verb with a prefix that stands apart, from those of the verb without it.

    One that ends in a blank is a word, or several, before the verb, too: *im Stich lassen*.
    """
    together = [prefix + form for form in forms]
    noun = with_capital(together[0])
    apart = APART + prefix.strip()
    main = [form + apart if number in _FINITE else together[number] for number, form in enumerate(forms)]
    zu = "zu " if prefix.endswith(" ") else "zu"
    return (*main[:_NOUN], noun, f"{noun}s", *together[_DEPENDENT:-1], prefix + zu + forms[0])
