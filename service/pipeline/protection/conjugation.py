"""All forms of a verb from those that a dictionary lists: to hug, hugged, hugging; zu fangen, fängt, fing, gefangen.

Of a regular verb the infinitive is enough. Verbs with a prefix that stands apart (*hört auf*) are not covered.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["PRINCIPAL_PARTS", "english_forms", "german_forms"]

PRINCIPAL_PARTS = 4
"""How many of the forms that are returned, the first, tell all others."""

_SIBILANT = re.compile("(?:[sxzo]|ch|sh)$")
_CONSONANT_Y = re.compile("(?<![aeiou])y$")
_MUTE_E = re.compile("(?<![eoy])e$")
_DOUBLED = re.compile("^[^aeiou]*[aeiou]([^aeiouwxy])$")

_PREFIX = re.compile("(?:be|emp|ent|er|ge|ver|zer|miss)(?=.*[aeiouäöü].)")
_UNSTRESSED = re.compile("e[lr]$")
_NEEDS_E = re.compile("(?:[dt]|[^aeiouäöülrhmn][mn])$")
_HISSES = re.compile("[sßzx]$")
_HAS_E = re.compile("e[^aeiouäöü]+$")
_ADJECTIVE = ("", "e", "en", "er", "es", "em")


def english_forms(listed: Sequence[str]) -> tuple[str, ...]:
    """Base, third person, past, participle, and the form in -ing.

    Args:
        listed: the base; base, past and -ing; or base, past, participle and -ing.
    """
    base = listed[0]
    third = base + "es" if _SIBILANT.search(base) else _CONSONANT_Y.sub("ie", base) + "s"
    if len(listed) > 1:
        return base, third, listed[1], listed[-2], listed[-1]
    doubled = _DOUBLED.sub(lambda match: match[0] + match[1], base)
    past = base + "d" if base.endswith("e") else _CONSONANT_Y.sub("i", doubled) + "ed"
    return base, third, past, past, _MUTE_E.sub("", doubled) + "ing"


def german_forms(listed: Sequence[str]) -> tuple[str, ...]:
    """Infinitive, third person, past and participle; other persons, the imperative, adjectives, and the noun.

    Args:
        listed: the infinitive, or the first four of what is returned.
    """
    infinitive = listed[0]
    stem = infinitive.removesuffix("n") if infinitive.endswith(("eln", "ern")) else infinitive.removesuffix("en")
    e = "e" if _NEEDS_E.search(stem) else ""
    if len(listed) == 1:
        has_prefix = stem.endswith("ier") or _PREFIX.match(_UNSTRESSED.sub("", stem))
        listed = infinitive, f"{stem}{e}t", f"{stem}{e}te", f"{'' if has_prefix else 'ge'}{stem}{e}t"
    _, third, past, participle = listed
    first = f"{stem.removesuffix('el')}le" if stem.endswith("el") else f"{stem}e"
    changes = third != f"{stem}{e}t"  # hält, nimmt: a strong verb
    second = third if _HISSES.search(stem) else f"{third if changes and stem.endswith('t') else third[:-1]}st"
    command = third[:-1] if changes and _HAS_E.search(stem) else first if e and not changes else stem
    is_weak = past.endswith("te")
    past_e = "e" if not is_weak and past[-1] in "dtsßz" else ""
    persons = (first, second, f"{stem}{e}t", past + ("n" if is_weak else "en"), f"{past}{past_e}st", f"{past}{past_e}t")
    adjectives = [f"{one}{ending}" for one in (participle, f"{infinitive}d") for ending in _ADJECTIVE]
    noun = infinitive.capitalize()
    return (*listed, *persons, command, *adjectives, noun, f"{noun}s")
