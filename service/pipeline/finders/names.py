"""Names of persons, which the network takes for words: it made a tailor of Frau Schneider and a bird of Herr Vogel.

A title tells of a name. So does a given name, but in German any noun has a capital letter, and may follow one, as may
any word in an English heading: what the bundle's dictionary knows as a word only is left to the network.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from service.pipeline.finders.match import Match
from service.pipeline.lists import is_given_name
from service.pipeline.numbers.calendar import SHORT_DAY
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from model.bundle import Dictionary, Direction

__all__ = ["DEGREES", "find_labelled_names", "find_names"]

_CAPITAL = "[A-ZÀ-ÖØ-ÞĆČĐİŁŚŞŠŻŽ]"
_WORD = rf"{_CAPITAL}[^\W\d_]*+(?:['’-]{_CAPITAL}[^\W\d_]*+)*+"
"""Maier, Müller-Lüdenscheidt, D’Angelo."""
_INITIALS = rf"(?:{_CAPITAL}\.\s?){{0,3}}"
"""J. R. R."""
_PARTICLE = r"(?:(?:von|van|vom|zu|zur|de|del|di|da)\s(?:(?:und\szu|der|den|dem|la|las|los)\s)?)?"
"""von, von der, de la."""
_PART = rf"{_INITIALS}(?!(?:Herrn?|HERRN?|Frau|[IVX]+)\b){_WORD}"
"""J. Maier."""
_NEXT = re.compile(rf"\s(?P<particle>{_PARTICLE}){_PART}")
"""After a name, what may be more of it: von Maier."""
_DEGREE = r"(?:Prof|Dr|Dipl|Mag|Ing|med|phil|rer|nat|jur|pol|dent|vet|oec|theol|habil|h|c|mult)\.(?:\s|-)?"
DEGREES = rf"(?:{_DEGREE})*+"
"""Before a name, some of them or none. Letters into English leave out all after the first."""
_NO_NAME = (
    r"(?!\w*(?i:präsident|profess|doktor|minister|meister(?:in)?\b|kanzler|kolleg|kommissar|direktor|vorsitzend|sprecher"
    r"|abgeordnete|berichterstatter|botschafter|sekretär|senator|pfarrer|pastor|nachbar|inspektor|leutnant|kapitän"
    r"|anwalt|anwältin|rektor|dekan|lehrer|richterin|[a-zäöüß]{2}rat\b)"
    r"|(?:General|Oberst|Ober|Graf|Gräfin|Baron(?:in)?|Major|Rat|Jesus?|Christus|Gott|Zebaoth)\b)"
)
"""What Herr and Frau stand before, too: offices, and the Lord."""
_GERMAN = re.compile(
    rf"(?<![\w-])(?:(?P<couple>Herrn?\sund\s)?(?P<title>Herrn?|Hrn?\.|Frau|Fr\.)\s(?P<degrees>{DEGREES})"
    rf"(?P<name>{_NO_NAME}(?P<particle>{_PARTICLE}){_PART})"
    rf"|(?P<degree>(?=(?:Prof|Dr)\.)(?:{_DEGREE}){{1,6}}+)(?P<doctor>{_NO_NAME}{_PARTICLE}{_PART})"
    rf"|(?P<initials>(?:{_CAPITAL}\.\s?){{1,3}})(?<![^\W\d_]{{2}}\.)(?P<last>(?=[^\W\d_]{{2}}){_WORD})"
    rf"|(?:[Dd](?:ie|er)\s)?(?P<family>Familie|Fam\.)\s(?P<surname>{_PART})|(?P<given>{_WORD}(?=\s{_PART})))"
)
"""Herrn Dr. Maier, Familie Maier, Dr. Maier, A. Maier; Anna before Maier."""
_CITY = re.compile(
    rf"\d\d(?!000)\d{{3}}\s(?:(?:(?<=\bin\s.{{6}})|(?<=\baus\s.{{6}})|(?<=\bnach\s.{{6}})|(?<=[,|·•:]\s.{{6}}))(?P<city>{_WORD})(?![\w-])"
    rf"|(?<=^.{{6}})(?P<alone>(?!Euro\b|Deutsche|Dollar\b){_WORD}(?:\s(?:am|an\sder|bei|im|in\sder|ob\sder|vor\sder)\s{_WORD}|\s\({_WORD}\))?)[.,]?$)"
)
"""In 04109 Leipzig, 79098 Freiburg im Breisgau; what follows a postcode, and no 50000, which is an amount."""
_LABELLED = re.compile(
    r"(?<![\w-])(?:Name|(?:First|Last|Family)\s[Nn]ame|Surname|(?:Vor|Nach|Familien|Geburts)name|Author|Autor(?:in)?"
    r"|Artist|Brand|Marke|Company|Firma|Publisher|Verlag):[ \t]+(?P<name>"
    r"(?!(?:Unknown|Anonymous|Unbekannt|Anonym|None|Keine[rs]?|Various|Diverse)\b)"
    rf"{_WORD}(?:[ ]{_WORD}){{0,2}})(?=[ \t]*(?:[|•·\r]|$))",
    re.MULTILINE,
)
"""Nachname: Weber, Brand: Apple."""
_ABBREVIATED = re.compile(r"\w\.\s?$")
"""z. of z. B. Maier."""
_GERMAN_GENITIVE = re.compile(rf"(?<=[^s]s)(?=\s{_CAPITAL})")
"""Where a genitive ends: Annas Haus."""
_ENGLISH = re.compile(
    r"(?<![\w-])(?:(?P<frau>Mrs|Ms)(?!\.\s\w+\s\d)|(?P<other>Mr|Miss)|(?P<degree>Dr|Professor|Prof))\.?\s(?P<name>"
    r"(?!(?:President|Speaker|Chair\w*|Commissioner|Ambassador|Secretary|Mayor|Justice|Judge|Minister|Chancellor|General"
    rf"|Right|Wrong|Emeritus)\b){_PARTICLE}{_PART}(?:\s{_PARTICLE}{_PART}){{0,2}})"
    rf"|(?<![\w-])(?P<given>{_WORD}(?=\s{_PART}))"
)
"""Mrs. Smith’s, Dr Jane Smith; Jane before Smith."""
_GENITIVE = re.compile(r"['’]s?(?!\w)")

_OF_SOMEBODY = re.compile(r"\b(?:[Mm]ein|[DdSs]ein|[Ii]hr|[Uu]ns(?:er|re)|[Ee]u(?:er|re))(?:e[mnrs]?|[nrs])?\s$")
"""Before a wife, or the Lord."""
_DETERMINED = re.compile(
    r"(?<!\w)(?:ein|als|pro|zur|mann\sund|(?!(?:aber|bitten?|danken?|fragen?|geehrte[nr]?|gegen|hab(?:en?)?"
    r"|hatten?|hinter|liebe[nr]?|möchten?|neben|oder|über|unter|wegen|werden?|würden?|wurden?|zwischen)\s)"
    r"[a-zäöüß]{1,30}e[mnrs]?)\s$",
    re.IGNORECASE,
)
"""What may stand before any woman: articles and adjectives, and other words with their endings."""
_FRIDAY = re.compile(rf"\b(?:{SHORT_DAY['de']}\.?(?:\s?[,/+&–-]|\s(?:und|u\.|oder|bis))|[Aa][bm]|[Jj]eden)\s?$")
"""Mi. und, am: where Fr. is no woman."""
_LONGEST_BEFORE = 40
_LAST_INITIAL = re.compile(r"\s[A-Z]\.")
"""Of Anna K."""
_MOST_PARTS = 3


def find_names(text: str, direction: Direction, dictionary: Dictionary | None) -> Iterator[Match]:
    """The names that the network must not read: of persons, with their titles, and of German cities after a postcode.

    Args:
        text: a sentence.
        direction: of the translation.
        dictionary: of the direction, which knows what is a noun.
    """
    return (
        chain(_cities(text, dictionary), _in_german(text, dictionary))
        if direction.source == "de"
        else _in_english(text, dictionary)
    )


def find_labelled_names(text: str) -> Iterator[Span]:
    """The names of persons and companies after a label that says so: they would be read as words, all alone."""
    return (Span(*found.span("name")) for found in (_LABELLED.finditer(text) if ":" in text else ()))


def _in_english(text: str, dictionary: Dictionary | None) -> Iterator[Match]:
    """Of a man, the name alone: whether he is Herr or Herrn, the sentence decides. A Miss is one in German, too."""
    place = 0
    while found := _ENGLISH.search(text, place):
        start, end = found.start("name" if found["other"] else 0), found.end()
        if found["given"]:
            place = end
            end = _end(text, found, dictionary, in_any_case=True) if _is_given(found["given"]) else place
            if end == place:
                continue
        place = end
        name = found["name"] or text[start:end]
        if genitive := _GENITIVE.match(text, end):
            place = genitive.end()
            name += "’" if name[-1] in "sxzß" else "s"
        if found["frau"]:
            name = f"Frau {name}"
        elif found["degree"]:
            name = f"{found['degree']}{'' if found['degree'] == 'Professor' else '.'} {name}"
        yield Match(Span(start, place), name)


def _cities(text: str, dictionary: Dictionary | None) -> Iterator[Match]:
    for found in _CITY.finditer(text):
        city = found["city"] or found["alone"]
        if _may_be_name(city.partition(" ")[0], dictionary) or _is_name_abroad(city, dictionary):
            yield Match(Span(*found.span(found.lastgroup or 0)), city)


def _in_german(text: str, dictionary: Dictionary | None) -> Iterator[Match]:
    place = 0
    while found := _GERMAN.search(text, place):
        place = found.end()
        if found["given"] and not _is_given(found["given"]):
            continue
        titled = {"title": bool(found["title"]), "degree": bool(found["degree"])}
        start, end = found.start(found.lastgroup or 0), _end(text, found, dictionary, **titled)
        if found["title"]:
            is_name = _is_titled(text, found, dictionary)
        elif found["degree"]:
            is_name = True
        elif found["initials"]:
            before = text[max(0, found.start() - 3) : found.start()]
            is_name = not _ABBREVIATED.search(before) and _may_be_name(found["last"], dictionary)
        elif found["family"]:
            is_name = _may_be_name(found["surname"], dictionary)
        else:
            is_name = end > place
        if is_name:
            place = end
            yield Match(Span(found.start(), end), _translated(text, found, text[start:end], dictionary))


def _is_titled(text: str, found: re.Match[str], dictionary: Dictionary | None) -> bool:
    """Whether it is a name that follows Herr or Frau."""
    if found["degrees"] or found["couple"]:
        return True
    before = text[max(0, found.start() - _LONGEST_BEFORE) : found.start()]
    if found["title"] == "Fr." and (_FRIDAY.search(before) or not _may_be_name(found["name"], dictionary)):
        return False
    if _OF_SOMEBODY.search(before):
        return False
    return not _DETERMINED.search(before) or (not found["particle"] and _is_known(found["name"], dictionary))


def _end(
    text: str,
    found: re.Match[str],
    dictionary: Dictionary | None,
    *,
    title: bool = False,
    degree: bool = False,
    in_any_case: bool = False,
) -> int:
    """Where a name ends: after words that may be part of one, and what follows a title and a given name is."""
    end, word = found.end(), found[found.lastgroup or 0]
    for number in range(_MOST_PARTS - 1):
        following = _NEXT.match(text, end)
        if not following or (following["particle"] and not title):
            break
        is_surname = (title or degree or number > 0) and _is_given(word)  # Dr. Karl Bauer, Franz Josef Strauß
        if not is_surname and not _may_be_name(following[0], dictionary, in_any_case=in_any_case):
            break
        end, word = following.end(), following[0]
    return end + bool(_LAST_INITIAL.match(text, end - 2))


def _translated(text: str, found: re.Match[str], name: str, dictionary: Dictionary | None) -> str:
    """A German name in English, with its title."""
    if found["family"]:
        return f"{'the' if found.start() else 'The'} {name} family"
    if _GERMAN_GENITIVE.match(text, found.start(found.lastgroup or 0) + len(name)) and not _is_known(name, dictionary):
        name = f"{name.removesuffix('s')}'s"
    if found["degree"]:
        return f"{'Prof.' if 'Prof' in found['degree'] else 'Dr.'} {name}"
    if found["initials"]:
        return f"{found['initials']}{name}"
    if not found["title"]:
        return name
    if found["couple"]:
        return f"Mr and Mrs {name}"
    titles = (("Prof", "Prof."), ("Dr", "Dr"), ("", "Ms" if found["title"].startswith("F") else "Mr"))
    return next(f"{english} {name}" for german, english in titles if german in found["degrees"])


def _is_given(word: str) -> bool:
    return is_given_name(word.strip().partition("-")[0])


def _is_known(word: str, dictionary: Dictionary | None) -> bool:
    """Whether the last word is a given name, or the dictionary says that it stays as it is, as names do."""
    word = word.rsplit(maxsplit=1)[-1]
    return _is_given(word) or (dictionary is not None and word in dictionary.translations(word))


def _is_name_abroad(word: str, dictionary: Dictionary | None) -> bool:
    """Whether the dictionary has a name for it, as for Köln: Cologne."""
    return dictionary is not None and any(one[:1].isupper() for one in dictionary.translations(word)[:1])


def _may_be_name(word: str, dictionary: Dictionary | None, *, in_any_case: bool = False) -> bool:
    """Whether the last word, and the last part of one with a hyphen, is known as a name or not at all."""
    words = {word.rsplit(maxsplit=1)[-1], re.split(r"[\s-]", word)[-1]}
    return dictionary is not None and all(
        _is_known(one, dictionary) or not (one in dictionary or (in_any_case and one.lower() in dictionary))
        for one in words
    )
