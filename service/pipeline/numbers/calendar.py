"""What months and days of the week are called."""

from __future__ import annotations

from itertools import chain

__all__ = ["DAYS", "MONTHS", "MONTH_NAMES"]

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
MONTH_NAMES = {
    language: sorted(chain.from_iterable(months), key=len, reverse=True) for language, months in MONTHS.items()
}
"""Those of all months, the longest first, as a pattern must try them."""
DAYS = {
    "en": {day[:3]: day for day in ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")},
    "de": {day[:2]: day for day in ("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag")},
}
"""Days of the week, by how they are abbreviated."""
