"""Texts that make trouble for programs that work on text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random

__all__ = ["ALPHABET", "UNITS", "flood", "random_text"]

ALPHABET = (
    "aZß1 .,;:!?…-–—•#*@/_'\"“”„‘’«»()[]{}<>&%"
    "\t\n\r\u2028\u00a0\u2003\u3000"  # white space that is more than a space, and ends of lines
    "\u0301\u0308\u0316\u0323\u20dd\u094d"  # combining, of several classes
    "\u200b\u200c\u200d\u2060\ufeff\u00ad\u034f\u115f\u3164"  # of no width
    "\u202a\u202e\u202c\u2066\u2067\u2069\u200f\u061c"  # of direction
    "\u1100\u1161\u11a8\ufb01\ufdfa\uff21\u2581\ufffd\ufffc\uffff\ufdd0"
    "日。、」हिตعא中👨👩🏽🇩🇪"  # of many scripts
    "\U0001d160\U0001f600\U00020000\U000e0041\U000f0000\U0010ffff"
)
"""Characters of every kind that the service accepts."""

UNITS = {
    "one word": "a",
    "a word of combining marks": "\u0301\u0316",
    "marks of one class": "\u0301",
    "closing quotes": "”。",
    "quotes of two kinds": '"‚',
    "guillemets": "«",
    "open brackets": "(",
    "full stops": ".",
    "abbreviations": "A. ",
    "addresses that are none": "a@.",
    "mail without end": "a.",
    "spaces": " ",
    "no-break spaces": "a\u00a0",
    "line breaks": "\n",
    "one-letter lines": "a\n",
    "bullets": "- ",
    "commas": "a,",
    "right to left": "\u202eab",
    "zero width": "\u200b",
    "soft hyphens": "\u00ad",
    "ligatures that are sentences": "\ufdfa",
    "Hangul in parts": "\u1100\u1161\u11a8",
    "families": "👨\u200d👩\u200d👧",
    "tags": "\U000e0061",
    "musical notes": "\U0001d160",
}
"""What a flood is made of. Some made a stage take time that grows with the square of the length."""


def flood(unit: str, characters: int) -> str:
    """So many characters of it, between an address-like beginning and end that no part may take for an address."""
    return ("a@" + unit * (characters // len(unit) + 1))[: characters - 1] + "@"


def random_text(source: random.Random, characters: int) -> str:
    """Some of everything, in runs: many rules look at what repeats."""
    text = ""
    while len(text) < characters:
        text += source.choice(ALPHABET) * source.choice((1, 1, 1, 2, 5, 50))
    return text[:characters]
