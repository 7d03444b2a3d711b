"""What months and days of the week are called, and how days and times are written: parts of patterns."""

from __future__ import annotations

from itertools import chain

__all__ = [
    "DAYS",
    "DAY_NAMES",
    "DAY_OF_MONTH",
    "HOUR",
    "MINUTES",
    "MONTHS",
    "MONTH_NAMES",
    "ORDINAL_ENDING",
    "WHOLE_MONTHS",
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
MONTHS = {language: tuple(tuple(names.split()) for names in months) for language, months in _NAMES.items()}
"""Names of each month, the one to write first."""
WHOLE_MONTHS = {language: tuple(names[0] for names in months) for language, months in MONTHS.items()}
"""That one of each."""
MONTH_NAMES = {
    language: sorted(chain.from_iterable(months), key=len, reverse=True) for language, months in MONTHS.items()
}
"""Those of all months, the longest first, as a pattern must try them."""
DAYS = {
    "en": {day[:3]: day for day in ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")},
    "de": {day[:2]: day for day in ("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag")},
}
"""Days of the week, by how they are abbreviated."""
DAY_NAMES = {"en": tuple(DAYS["en"].values()), "de": (*DAYS["de"].values(), "Sonnabend")}
"""All names of these, none abbreviated."""

DAY_OF_MONTH = r"(?:0?[1-9]|[12]\d|3[01])"
"""3, 03 or 31."""
ORDINAL_ENDING = "(?:st|nd|rd|th)"
"""Of an English day: 3rd."""
HOUR, MINUTES = r"(?:[01]?\d|2[0-4])", r"[.:][0-5]\d"
"""9, 09 or 24; :30 or .30."""
