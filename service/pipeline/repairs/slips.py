"""Slips of a network that writes all places at once: two words in one, a mark or a space too many.

Text hardly ever has the like; where the sentence has, the translation keeps it.
"""

from __future__ import annotations

import re
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from service.pipeline.edits import Edit
from service.pipeline.numbers.calendar import WHOLE_DAY, WHOLE_MONTH
from service.pipeline.numbers.numerals import has_digits
from service.pipeline.numbers.times_of_day import HALF_A_DAY, HOURS
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["find_slips"]


_NEVER = re.compile(r"(?!)")


class _Slip(NamedTuple):
    """What finds slips in a translation, in a group, what excuses them in the sentence, and what to write instead.

    That is one for all of them, or by what each is.
    """

    slip: re.Pattern[str]
    excuse: re.Pattern[str] = _NEVER
    instead: str | Mapping[str, str] = ""


_NO_ARTICLE = r"(?!(?:[Dd](?:as|em|en|er|es|ie)|[Ee]in(?:e[mnrs]?)?|[Tt]he|An?)\b)"
"""After an article the hyphen belongs to a word that was lost."""
_MARKS = (
    _Slip(re.compile(rf"(?<!\w){_NO_ARTICLE}\w*[^\W_]-( )(?=[A-ZÄÖÜ]\w)"), re.compile(r"\w- ")),  # Browser- Plugin
    _Slip(re.compile(r"(?<!\d)(,)(?=[.,;:!?])"), re.compile(r",[.,;:!?]")),
    _Slip(re.compile(r"(?<=[^\s.])(\.)(?=\.(?!\.))"), re.compile(r"\.\.")),
    _Slip(re.compile(r"(?<=[^\s.])(\.\.)(?=\.$)"), re.compile(r"\.\.|…|[^.]$")),  # 8 p.m...
    _Slip(re.compile(r"(?<=[a-zäöüß],)()(?=[A-Za-zÄÖÜäöü])"), re.compile(r"[^\W\d_],[^\W\d_]"), " "),
    _Slip(re.compile(r"(?<=\S )([-–—] )(?=[-–—] \S)"), re.compile(r"[-–—] ?[-–—]")),
    _Slip(re.compile(r"(?<=[^\s?])(\?)(?=\?(?!\?))"), re.compile(r"\?\?")),
    _Slip(re.compile(r"(?<!\S)\*( \*)(?!\S)"), re.compile(r"\* ?\*")),
    _Slip(re.compile(r"(?<=[^\W_]:)()(?=[^\W\d_]{2})"), re.compile(r"\w:\w"), " "),  # TOP 2:Phoenix
    _Slip(re.compile(r"(?<!\S)~( )(?=\d)"), re.compile(r"~ ")),
    _Slip(re.compile(r"(?<=\()( )"), re.compile(r"\( ")),
    _Slip(re.compile(r"(?<!\()( )(?=\))"), re.compile(r" \)")),
    _Slip(re.compile(r"(?<=\w)()(?=/ \w)"), re.compile(r"\w/ \w|^(?!.*\w / \w)"), " "),  # OK/ Cancel
)
_DAYS_OF_MONTH = rf"\d{{1,2}}\. (?:bis (?:zum )?\d{{1,2}}\. )?{WHOLE_MONTH['de']}\b"
_PREFIX = "ab|an|auf|aus|bei|ein|her|hin|hinzu|los|mit|nach|vor|weg|zurück|zusammen"
_NEVER_ALONE = "ab|auf|ein|mit|nach|vor|weg|zurück"
"""Of the prefixes of German verbs those that do not stand before a verb that has them: not von hier *aus* auswählen."""
_TWICE = rf"(?P<prefix>{_NEVER_ALONE}) (?=(?P=prefix)[a-zäöüß]{{2,}}(?:en|t)(?:[.,;:!?]|$))"
_ZU_TWICE = rf"zu (?=(?:{_PREFIX})zu[a-zäöüß]{{2,}}(?<!end)en\b)"
_TOO_LATE = (
    r"\bha(?:be|ben|st|t|tte|tten)\b[^.,;:!?]{0,60} (?:Minuten?|Stunden?|Tage?|Wochen?|Monate?|Jahre?) (zu spät)"
    r"(?=[.,;:!?]|$| und\b)"
)
_TIMES = "(?:Tage|Monate|Jahre|[A-ZÄÖÜ][a-zäöüß]+(?:tage|monate|jahre))"
_NUMBER = rf"\d+|{'|'.join(HOURS['de'][1:])}"
_HOW_MANY = rf"{_NUMBER}|ein paar"
_DAYS = rf"\b(?i:seit|vor|nach|von|mit|in)(?: den letzten)? (?:{_HOW_MANY}) {_TIMES}"
_SINCE_THEN = re.compile(r"(?i)\bsince (?:the )?(?:last|previous) \w+ (?:the|an?|I|you|s?he|it|we|they|there)\b")
"""Something happened: seit letztes Jahr die Brücke gesperrt wurde."""
_NOT_NO = r"n['’]t\b(?:(?!\b(?:and|or|but|that|who|if|so)\b)[^.,;:!?]){0,60}? (no)(?=where\b|body\b|thing\b| one\b)"
_MAY = r"\b(?:may|might|must|should)(?:n['’]t| not)?"
_THE = r"(?:the|its|his|her|their|my|your|our)"
_HOW_LONG = re.compile(
    r"^(?!.*\bfor (?:about |almost |nearly |over )?(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
    r" (?:years|months|weeks|days|hours|minutes)\b)|\b(?:have|has|had|having|been)\b|['’](?:ve|d|s been)\b",
    re.IGNORECASE,
)
"""No "for five years", or what has begun then and still lasts: seit fünf Jahren is right."""
_FEELS = re.compile(
    r"^(?!.*\b(?:I|you|he|she|we)\b(?:['’]\w+)?.{0,20}\b(?:cold|hot|warm)"
    r"(?:[.,;!?]|$| (?:last|all|in|and|at|here|now|today|outside|without)\b))",
    re.IGNORECASE,
)
"""Nobody who is cold; "cold towards us" is no feeling."""
_WHO_FEELS = {
    "Ich bin": "Mir ist",
    "Ich war": "Mir war",
    "Du bist": "Dir ist",
    "Du warst": "Dir war",
    "Er ist": "Ihm ist",
    "Er war": "Ihm war",
    "Sie ist": "Ihr ist",
    "Sie war": "Ihr war",
    "Wir sind": "Uns ist",
    "Wir waren": "Uns war",
    "Bist du": "Ist dir",
    "Sind Sie": "Ist Ihnen",
    "Ist er": "Ist ihm",
    "Ist sie": "Ist ihr",
}
_LINE = "[Bb]us(?:se)?|Zug|Züge|[Bb]ahn(?:en)?|Fähren?|Tram"
_NO_LINE = re.compile(r"^(?!.*\b(?:bus|train|tram|ferry|ferries|coach)\w*\b.*\bruns?\b)", re.IGNORECASE)
"""No bus or train that runs: der Busmotor läuft."""
_VALID = "bleib|dauer|gültig|geöffnet|offen|gelten|gilt|kann man"
"""What lasts until then, and is not over by then."""
_NOT_EACH_OTHER = re.compile(
    r"^(?!Wir\b[^.,;:!?]*\buns\b)|\b(?:Sie|Ihnen|dich|dir|euch|ihn|sie|es|ein\w*|d(?:as|en|ie))\b|^(?!.*(?:kennen\b|mögen\b"
    r"|lieb(?:en|ten)\b|hass|vertrau|schreib|geschrieben|gesehen|getroffen|umarm|versteh|küss))"
)
"""What German has no reciprocal pronoun in: wir kennen uns, but not "wir sehen uns das an"."""
_WHAT = r"(?:[Hh]ow|[Tt]hat|[Ww]hat|[Ww]here|[Ww]hich|[Ww]ho|[Ww]hy)"
_THEY = r"\b(?:I|[Ww]e|[Yy]ou|[Tt]hey)"
_LETTER_A = re.compile(r"(?<!\w)[Aa](?!\w)")
_MORE_MARKS = {
    # Center -Anwendung; but und -Anwendung is short for another word.
    "de": (
        _Slip(re.compile(rf"(?<!\w){_NO_ARTICLE}[A-ZÄÖÜ]\w*( )(?=-[A-ZÄÖÜ][a-zäöüß])"), re.compile(r" -\w")),
        _Slip(
            re.compile(r"(?<![\d.,:])(?:[01]?\d|2[0-3])(,)(?=[0-5]\d (?:Uhr|bis [\d.:]+ Uhr)\b)"),
            re.compile(r",\d"),
            ".",
        ),
        _Slip(re.compile(r"(?<=\d Uhr)(\.)(?= \S)"), re.compile(r"[!?] |[ap]\.m\. (?:[A-Z][a-z]|I\b)|[^\W\d_]{3}\. ")),
        _Slip(
            re.compile(rf"\b(?:[Aa]m|[Vv]om|[Zz]um) {WHOLE_DAY['de']}, (der)(?= {_DAYS_OF_MONTH})"),
            instead="dem",
        ),
        _Slip(re.compile(r"(?<=\b[12]\d{3})(\.)(?= [a-zäöü])"), re.compile(r"\d(?:th\b|\.\s*[a-z])")),  # 2024. bis
        _Slip(re.compile(rf"(?<=\w )({_TWICE})")),  # um sechs zurück zurückzukehren
        _Slip(re.compile(rf"\b({_ZU_TWICE})")),  # im Laden zu einzukaufen
        _Slip(re.compile(r"\bnicht(, nicht)\b"), re.compile(r"\bnot\b.*\bnot\b")),
        _Slip(re.compile(_TOO_LATE), instead="Verspätung"),  # der Bus hatte eine Stunde zu spät
        _Slip(re.compile(rf"{_DAYS}()(?![\w-]| (?:alt|lang))"), instead="n"),  # seit zwei Tage, in zwei Werktage
        _Slip(re.compile(r"\b[Ss]eit (?:letzt|vorig)(es)(?= [A-ZÄÖÜ])"), _SINCE_THEN, "em"),  # seit letztes Jahr
        # Sie lebte seit fünf Jahren dort, for "she lived there for five years"
        _Slip(re.compile(rf"\b(seit )(?=(?:{_NUMBER}) (?:Jahren|Monaten|Tagen|Wochen|Stunden|Minuten)\b)"), _HOW_LONG),
        _Slip(re.compile(rf"\bseit (?:{_NUMBER}) (?:Jahre|Monate|Tage)(n)\b"), _HOW_LONG, " lang"),
        _Slip(re.compile(rf"\bseit (?:{_NUMBER}) (?:Wochen|Stunden|Minuten)()\b"), _HOW_LONG, " lang"),
        _Slip(
            re.compile(rf"(?:^|(?<=[.!?] ))({'|'.join(_WHO_FEELS)})(?= (?:\w+ )?(?:kalt|heiß|warm)\b)"),
            _FEELS,
            _WHO_FEELS,
        ),
        _Slip(re.compile(rf"(?:{_LINE})\b[^.,;:!?]{{0,20}} (läuft)\b"), _NO_LINE, "fährt"),
        _Slip(re.compile(rf"(?:{_LINE})\b[^.,;:!?]{{0,40}} (laufen)\b"), _NO_LINE, "fahren"),
        _Slip(re.compile(rf"\b(Läuft)\b[^.,;:!?]{{0,20}}(?:{_LINE})\b"), _NO_LINE, "Fährt"),
        _Slip(re.compile(r"\bi(m Ferien)\b"), instead="m Urlaub"),
        _Slip(re.compile(r"\b[Ss]eit (?:sehr )?(lange)(?= Zeit\b)"), instead="langer"),
        _Slip(re.compile(r"\b[Ss]eit (?:sehr )?(lange)(?=[.,;:!?]| (?!Zeit\b|vor\b))"), instead="langem"),
    ),
    "en": (
        _Slip(
            re.compile(r"(?<=[^\W\d]-)( )(?!(?:and|or|to|as|but)\b)(?=[a-z]{2})"), re.compile(r"\w-(?!\w)")
        ),  # Lego- set
        _Slip(re.compile(rf"(?<![\w.'’-])(an? )(?={_THE} [a-z])"), _LETTER_A),  # of a the firm
        _Slip(re.compile(rf"(?<![\w.'’-])(the )(?=(?!the){_THE} [a-z])"), _LETTER_A),  # by the its people
        _Slip(
            re.compile(r"(?<=\d )(f(?:ee|oo)?t)(?![\w-])"),
            re.compile(r"^(?!.*\d\s?m\b)|Fuß|Fuss|feet|ft\b", re.DOTALL),
            "m",
        ),
        _Slip(re.compile(r"\b(?:[Nn]ever|ever) been (in)(?= [A-Z][a-z])"), instead="to"),
        _Slip(re.compile(rf"^(?!.*\b{_WHAT}\b)[^.,;:!?]* ((?:is|are) )(?=do(?:es)?n['’]t\b)")),  # the bus is doesn't go
        # We know you well, for "wir kennen uns gut"
        _Slip(
            re.compile(r"^We\b[^.,;:!?]{0,40}? (you|us)\b(?! (?:the|an?|our|some)\b)"), _NOT_EACH_OTHER, "each other"
        ),
        _Slip(re.compile(r"^(What)(?= )"), re.compile(rf"^(?!Bis wann\b.*(?:{_VALID}))"), "Until when"),
        _Slip(re.compile(r"^(What)(?= )"), re.compile(rf"^(?!Bis wann\b)|{_VALID}"), "By when"),
        _Slip(re.compile(rf"{_THEY}(['’](?:m|re) (?:out of no|no out of|no of))(?= [a-z])"), instead=" have no"),
        _Slip(re.compile(_NOT_NO), instead="any"),  # can't find it nowhere
        _Slip(re.compile(rf"(?<!\ba )(?<!\bthe ){_MAY} (to )(?=[a-z])")),  # you may to stay
        _Slip(re.compile(r"(?<!\w)(Nr)(?=\. ?\d)"), re.compile(r"^(?!.*Nr)", re.DOTALL), "No"),
        _Slip(re.compile(r"(?:(?<=\d )|(?<=illion ))(eur)(?![\w-])"), re.compile(r"\beur\b"), "euros"),
        _Slip(re.compile(r"(?<!\w)\$\d[\d,.]*(?: [bmt]r?illion)?( (?:US )?dollars?)(?![\w-])"), re.compile(r"\$")),
    ),
}
_ANY_MARK = re.compile(
    r"- |~ |\* |/ |,[.,;:!?A-Za-zÄÖÜäöü]|:[^\W\d_]|\.\.|\?\?|\( | [)-]|\bUhr\b|\bNr\.|\d\. "
    r"|\bseit | (?:kalt|heiß|warm)\b|\b(?:[Ll]äuft|laufen)\b|\bim Ferien\b|^What "
    r"|^We\b.* (?:you|us)\b| (?:is|are) do(?:es)?n['’]t\b|['’](?:m|re) (?:out of no|no)\b"
    r"| lange\b| zu spät\b|, nicht\b|(?:[Tt]age|[Mm]onate|[Jj]ahre)\b|[Ss]eit (?:letzt|vorig)es\b"
    rf"| (?:{_TWICE}|{_ZU_TWICE})|{_MAY} to\b|n['’]t .{{0,60}} no(?:where|body|thing| one)\b"
    rf"|\b(?:been in|dollars?|eur|feet|foot|ft|(?:an?|the) {_THE})\b"
)
"""What all of these have: most translations have none of it."""
_WITH_ARTICLE = {"an": "am", "in": "am", "um": "am", "von": "vom", "zu": "zum"}
_WITHOUT_ARTICLE = re.compile(rf"\b(?i:{'|'.join(_WITH_ARTICLE)})(?= {_DAYS_OF_MONTH})")
"""Von 3. Mai, von 3. bis 5. Mai."""
_ENDING = re.compile(r"(?<![\w.,/-])(?P<number>\d{2,})(?P<ending>e[nrs]?|n|(?<=\d{4})[st])(?![\w-])")
"""403en, of a word that was lost; but 30s is a time."""
_BARE_NUMBER = re.compile(r"(?<![\w.,])\d{2,}(?![\w-]|['’]s|[.,]\d)")
_NUMBER_OF_WORD = re.compile(r"(?<![\w.,])(\d{2,})(?:['’]s|[^\W\d_])")
"""1980 of 1980s."""
_GROUPS = re.compile(
    r"(?<![\w.,/-])(?!\d{1,3}(?: \d{3})+(?![\w-]| \d))"
    r"(?:\+\d{1,3} ?\(0\) ?)?\(?\d{2,9}\)?(?:[ -]\d{2,9}){1,5}(?![\w/-]|[.,]\d)"
)
"""0345 600 0000, of a telephone or an account; not 10 000 000."""
_MOST_GROUPS = 10
_FEWEST_DIGITS = 8
_ORDINAL = re.compile(r"(?<![\w.,])(\d{1,4})(st|nd|rd|th)(?!\w)")
_TEENS = (11, 12, 13)
_HALF_DAY = re.compile(r"(?<![\d.,:])(?P<hour>\d{1,2}):[0-5]\d\s?(?P<half>[ap])\.(?=\s|$)")
"""20:00 p., which was cut off."""

_GLUED = re.compile(r"(?<![\w.@/-])[A-ZÄÖÜ]?[a-zäöüß]{2,}(?:[A-ZÄÖÜ][a-zäöüß]{2,})+(?![\w@/]|[.:]\w)")
"""BildSteuerelement, PortlandOregon."""
_JOINT = re.compile(r"[A-ZÄÖÜ](?<=[a-zäöüß].)")

_LETTER = re.compile(r"[b-hj-np-zB-HJ-NP-Z] (?<![\w.'’\"/&%°-]\w )(?<![\d'’] \w )(?=[^\W\d_]{2})")
"""What is left of a word that the network began and gave up: einen P Wurf. Looking back last, it is found sooner."""


def find_slips(source: str, target: str, language: str) -> Iterator[Edit]:
    """What to change in a translation, of a language, that has such slips; in no order, and none meets another."""
    if _ANY_MARK.search(target):
        for slip, excuse, instead in chain(_MARKS, _MORE_MARKS[language]):
            found = [Span(*one.span(1)) for one in slip.finditer(target)]
            if found and not excuse.search(source):
                for span in found:
                    yield Edit(span, instead if isinstance(instead, str) else instead[target[span.start : span.end]])
    yield from _parted(source, target, language)
    if has_digits(target):
        yield from _groups_of_digits(source, target)
        if language == "en":
            yield from _ordinals(source, target)
            yield from _half_days(source, target)
        else:
            yield from _german_endings(source, target)
    for letter in _LETTER.finditer(target):
        if not re.search(rf"(?<![^\W\d_])(?<!\w['’]){letter[0].strip()}(?![^\W\d_])", source, re.IGNORECASE):
            begins = letter.start() == 0 and letter[0].isupper()
            yield Edit(Span(letter.start(), letter.end() + begins), target[letter.end()].upper() if begins else "")


def _groups_of_digits(source: str, target: str) -> Iterator[Edit]:
    """0345 600 0000 for 0345 600.0000: numbers of telephones and accounts have spaces where the sentence has them."""
    for number in islice(_GROUPS.finditer(source), _MOST_GROUPS):
        digits = re.findall(r"\d", number[0])
        if len(digits) < _FEWEST_DIGITS or number[0] in target:
            continue
        start = r"\+" if number[0].startswith("+") else r"\(?"
        for found in re.finditer(rf"(?<![\w.,/-]){start}{'[ .,/()-]{0,3}'.join(digits)}\)?(?!\w|[.,]\d)", target):
            yield Edit(Span(*found.span()), number[0])


def _german_endings(source: str, target: str) -> Iterator[Edit]:
    """Vom 3. Mai and 403 for "von 3. Mai" and "403en", if the sentence has but those."""
    for found in _WITHOUT_ARTICLE.finditer(target):
        word = _WITH_ARTICLE[found[0].lower()]
        yield Edit(Span(*found.span()), word if found[0].islower() else word.capitalize())
    numbers = {*_BARE_NUMBER.findall(source)} - {*_NUMBER_OF_WORD.findall(source)}
    for found in _ENDING.finditer(target):
        if found["number"] in numbers:
            yield Edit(Span(*found.span("ending")), "")


def _ordinals(source: str, target: str) -> Iterator[Edit]:
    """The ending that belongs to a number: 22nd for 22th."""
    for found in _ORDINAL.finditer(target):
        last = 0 if int(found[1]) % 100 in _TEENS else int(found[1]) % 10
        ending = ("th", "st", "nd", "rd")[last if last < 4 else 0]  # noqa: PLR2004
        if found[2] != ending and found[0] not in source:
            yield Edit(Span(*found.span(2)), ending)


def _half_days(source: str, target: str) -> Iterator[Edit]:
    """The m. of p.m. and a.m., and an hour of twelve before it: 8:00 p.m. for 20:00 p."""
    for found in _HALF_DAY.finditer(target):
        if found[0] in source:
            continue
        hour = int(found["hour"])
        if found["half"] == "p" and HALF_A_DAY < hour < 2 * HALF_A_DAY:
            yield Edit(Span(*found.span("hour")), str(hour - HALF_A_DAY))
        yield Edit(Span(found.end(), found.end()), "m.")


def _parted(source: str, target: str, language: str) -> Iterator[Edit]:
    """A hyphen, or a space, between words that were written as one; a name that the sentence has is none."""
    if not _JOINT.search(target):
        return
    folded = source.casefold()
    for word in _GLUED.finditer(target):
        if word[0].casefold() not in folded:
            between = "-" if language == "de" and word[0][0].isupper() else " "
            for joint in _JOINT.finditer(target, word.start(), word.end()):
                yield Edit(Span(joint.start(), joint.start()), between)
