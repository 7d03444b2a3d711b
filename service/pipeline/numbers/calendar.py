"""What months and days of the week are called, and how days and times are written: parts of patterns."""

from __future__ import annotations

from itertools import chain

__all__ = [
    "ANY_MONTH",
    "DAYS",
    "DAY_OF_MONTH",
    "HOUR",
    "MINUTES",
    "MONTHS",
    "ORDINAL_ENDING",
    "QUARTER_OF_YEAR",
    "SHORT_DAY",
    "WHOLE_DAY",
    "WHOLE_MONTH",
    "WHOLE_MONTHS",
    "YEAR",
]

_NAMES = {
    "en": (
        *("January Jan", "February Feb", "March Mar", "April Apr", "May", "June Jun", "July Jul", "August Aug"),
        *("September Sept Sep", "October Oct", "November Nov", "December Dec"),
    ),
    "de": (
        *("Januar Jänner Jan", "Februar Feber Feb", "März Mrz", "April Apr", "Mai", "Juni Jun", "Juli Jul"),
        *("August Aug", "September Sept Sep", "Oktober Okt", "November Nov", "Dezember Dez"),
    ),
}


def _one_of(*names: str) -> str:
    """A pattern tries the longest first."""
    return f"(?:{'|'.join(sorted(names, key=len, reverse=True))})"


MONTHS = {language: tuple(tuple(names.split()) for names in months) for language, months in _NAMES.items()}
"""Names of each month, the one to write first."""
WHOLE_MONTHS = {language: tuple(names[0] for names in months) for language, months in MONTHS.items()}
"""That one of each."""
ANY_MONTH = {language: _one_of(*chain(*months)) for language, months in MONTHS.items()}
"""A month, by any of its names."""
WHOLE_MONTH = {language: _one_of(*names) for language, names in WHOLE_MONTHS.items()}
"""A month, by the first of its names."""
DAYS = {
    "en": {day[:3]: day for day in ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")},
    "de": {day[:2]: day for day in ("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag")},
}
"""Days of the week, by how they are abbreviated."""
WHOLE_DAY = {"en": _one_of(*DAYS["en"].values()), "de": _one_of(*DAYS["de"].values(), "Sonnabend")}
"""A day of the week, not abbreviated."""
SHORT_DAY = {language: _one_of(*days) for language, days in DAYS.items()}
"""One that is."""

DAY_OF_MONTH = r"(?:0?[1-9]|[12]\d|3[01])"
"""3, 03 or 31."""
YEAR = r"(?:19|20)\d\d"
QUARTER_OF_YEAR = (
    r"(?i:\b(?:before|by|during|for|from|in|of|since|through|to|until)\s)"
    rf"(?P<quarter>Q(?P<number>[1-4])(?:\s(?:of\s)?|/)(?P<year>{YEAR}))(?![\w%/-]|[.,]\d"
    r"|\s(?!(?:and|are|but|for|had|has|have|than|was|were|will|with)\b)[a-z]{3})"
)
"""In Q1 2024, by Q4/2023, which are read as words. Not those of another noun: the Q1 2024 results."""
ORDINAL_ENDING = "(?:st|nd|rd|th)"
"""Of an English day: 3rd."""
HOUR, MINUTES = r"(?:[01]?\d|2[0-4])", r"[.:][0-5]\d"
"""9, 09 or 24; :30 or .30."""
