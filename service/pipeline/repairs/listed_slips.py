"""Slips that a pattern finds: `slips` puts them right, and others."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from service.pipeline.numbers.calendar import WHOLE_DAY, WHOLE_MONTH
from service.pipeline.numbers.times_of_day import HOURS

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ANY_SLIP", "DAYS_OF_MONTH", "IN_BRACKETS", "SLIPS", "Slip"]

_NEVER = re.compile(r"(?!)")


class Slip(NamedTuple):
    """What finds slips in a translation, in a group, what excuses them in the sentence, and what to write instead.

    That is one for all of them, or by what each is.
    """

    slip: re.Pattern[str]
    excuse: re.Pattern[str] = _NEVER
    instead: str | Mapping[str, str] = ""


_NO_ARTICLE = r"(?!(?:[Dd](?:as|em|en|er|es|ie)|[Ee]in(?:e[mnrs]?)?|[Tt]he|An?)\b)"
"""After an article the hyphen belongs to a word that was lost."""
_IN_EITHER = (
    Slip(re.compile(rf"(?<!\w){_NO_ARTICLE}\w*[^\W_]-( )(?=[A-ZÄÖÜ]\w)"), re.compile(r"\w- ")),  # Browser- Plugin
    Slip(re.compile(r"(?<!\d)(,)(?=[.,;:!?])"), re.compile(r",[.,;:!?]")),
    Slip(re.compile(r"(?<=[^\s.])(\.)(?=\.(?!\.))"), re.compile(r"\.\.")),
    Slip(re.compile(r"(?<=[^\s.])(\.\.)(?=\.$)"), re.compile(r"\.\.|…|[^.]$")),  # 8 p.m...
    Slip(re.compile(r"(?<=[a-zäöüß],)()(?=[A-Za-zÄÖÜäöü])"), re.compile(r"[^\W\d_],[^\W\d_]"), " "),
    Slip(re.compile(r"(?<=\S )([-–—] )(?=[-–—] \S)"), re.compile(r"[-–—] ?[-–—]")),
    Slip(re.compile(r"(?<=[^\s?])(\?)(?=\?(?!\?))"), re.compile(r"\?\?")),
    Slip(re.compile(r"(?<!\S)\*( \*)(?!\S)"), re.compile(r"\* ?\*")),
    Slip(re.compile(r"(?<=[^\W_]:)()(?=[^\W\d_]{2})"), re.compile(r"\w:\w"), " "),  # TOP 2:Phoenix
    Slip(re.compile(r"(?<!\S)~( )(?=\d)"), re.compile(r"~ ")),
    Slip(re.compile(r"(?<=\w)()(?=/ \w)"), re.compile(r"\w/ \w|^(?!.*\w / \w)"), " "),  # OK/ Cancel
)
IN_BRACKETS = (
    Slip(re.compile(r"(?<=[(\[])( )"), re.compile(r"[(\[] ")),
    Slip(re.compile(r"(?<![(\[])( |[,;] ?)(?=[)\]])"), re.compile(r"[ ,;][)\]]")),
)
"""Spaces and commas, whatever else changes beside them."""
DAYS_OF_MONTH = rf"\d{{1,2}}\. (?:bis (?:zum )?\d{{1,2}}\. )?{WHOLE_MONTH['de']}\b"
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
_VEHICLE = "(?:Auto|Bus|Lastwagen|LKW|Lkw|Motorrad|Straßenbahn|Taxi|Wagen|Zug)"
_BEGIN_OR_LIKE = "likes?|liked|loves?|loved|hates?|hated|starts?|started|begins?|began"
_THEY_ALL = r"(?:^|(?<=[.!?,] )|(?<=and ))(?:I|[Yy]ou|[Hh]e|[Ss]he|[Ww]e|[Tt]hey)"
_ONE = r"\b(?:I|[Hh]e|[Ss]he|[Ii]t)"
_LETTER_A = re.compile(r"(?<!\w)[Aa](?!\w)")
_IN_ONE = {
    # Center -Anwendung; but und -Anwendung is short for another word.
    "de": (
        Slip(re.compile(rf"(?<!\w){_NO_ARTICLE}[A-ZÄÖÜ]\w*( )(?=-[A-ZÄÖÜ][a-zäöüß])"), re.compile(r" -\w")),
        Slip(
            re.compile(r"(?<![\d.,:])(?:[01]?\d|2[0-3])(,)(?=[0-5]\d (?:Uhr|bis [\d.:]+ Uhr)\b)"),
            re.compile(r",\d"),
            ".",
        ),
        Slip(re.compile(r"(?<=\d Uhr)(\.)(?= \S)"), re.compile(r"[!?] |[ap]\.m\. (?:[A-Z][a-z]|I\b)|[^\W\d_]{3}\. ")),
        Slip(
            re.compile(rf"\b(?:[Aa]m|[Vv]om|[Zz]um) {WHOLE_DAY['de']}, (der)(?= {DAYS_OF_MONTH})"),
            instead="dem",
        ),
        Slip(re.compile(r"(?<=\b[12]\d{3})(\.)(?= [a-zäöü])"), re.compile(r"\d(?:th\b|\.\s*[a-z])")),  # 2024. bis
        Slip(re.compile(rf"(?<=\w )({_TWICE})")),  # um sechs zurück zurückzukehren
        Slip(re.compile(rf"\b({_ZU_TWICE})")),  # im Laden zu einzukaufen
        Slip(re.compile(r"\bnicht(, nicht)\b"), re.compile(r"\bnot\b.*\bnot\b")),
        Slip(re.compile(_TOO_LATE), instead="Verspätung"),  # der Bus hatte eine Stunde zu spät
        Slip(re.compile(rf"{_DAYS}()(?![\w-]| (?:alt|lang))"), instead="n"),  # seit zwei Tage, in zwei Werktage
        Slip(re.compile(r"\b[Ss]eit (?:letzt|vorig)(es)(?= [A-ZÄÖÜ])"), _SINCE_THEN, "em"),  # seit letztes Jahr
        # Sie lebte seit fünf Jahren dort, for "she lived there for five years"
        Slip(re.compile(rf"\b(seit )(?=(?:{_NUMBER}) (?:Jahren|Monaten|Tagen|Wochen|Stunden|Minuten)\b)"), _HOW_LONG),
        Slip(re.compile(rf"\bseit (?:{_NUMBER}) (?:Jahre|Monate|Tage)(n)\b"), _HOW_LONG, " lang"),
        Slip(re.compile(rf"\bseit (?:{_NUMBER}) (?:Wochen|Stunden|Minuten)()\b"), _HOW_LONG, " lang"),
        Slip(
            re.compile(rf"(?:^|(?<=[.!?] ))({'|'.join(_WHO_FEELS)})(?= (?:\w+ )?(?:kalt|heiß|warm)\b)"),
            _FEELS,
            _WHO_FEELS,
        ),
        Slip(re.compile(rf"(?:{_LINE})\b[^.,;:!?]{{0,20}} (läuft)\b"), _NO_LINE, "fährt"),
        Slip(re.compile(rf"(?:{_LINE})\b[^.,;:!?]{{0,40}} (laufen)\b"), _NO_LINE, "fahren"),
        Slip(re.compile(rf"\b(Läuft)\b[^.,;:!?]{{0,20}}(?:{_LINE})\b"), _NO_LINE, "Fährt"),
        Slip(re.compile(r"\b([Aa]m)(?= Fuß\b)"), re.compile(r"^(?!.*\b(?:on foot|walk))|\bfoot of\b"), "zu"),
        Slip(re.compile(r"\bi(m Ferien)\b"), instead="m Urlaub"),
        Slip(re.compile(r"\b[Ss]eit (?:sehr )?(lange)(?= Zeit\b)"), instead="langer"),
        Slip(re.compile(r"\b[Ss]eit (?:sehr )?(lange)(?=[.,;:!?]| (?!Zeit\b|vor\b))"), instead="langem"),
        Slip(re.compile(rf"\b([Aa]m )(?=(?:Ende|Anfang) {WHOLE_MONTH['de']}\b)")),  # am Ende Juni
        Slip(re.compile(r"\b(Bestellungsn)(?=ummern?\b)"), instead="Bestelln"),
        Slip(re.compile(r"\b[Bb]itte\b[^.,;:!?]{1,40}( bitte)\b"), re.compile(r"please.*please", re.IGNORECASE)),
        Slip(re.compile(r"^[Ii]ch glaube (ich )(?=nicht[.!]*$)")),
        Slip(
            re.compile(
                rf"\bvon (?:eine[mr]|de[mr]|seinem|ihrem) (?:\w+ )?{_VEHICLE}\b[^.,;:!?]{{0,30}} (geschlagen)\b"
            ),
            instead="angefahren",
        ),
    ),
    "en": (
        Slip(
            re.compile(r"(?<=[^\W\d]-)( )(?!(?:and|or|to|as|but)\b)(?=[a-z]{2})"), re.compile(r"\w-(?!\w)")
        ),  # Lego- set
        Slip(re.compile(rf"(?<![\w.'’-])(an? )(?={_THE} [a-z])"), _LETTER_A),  # of a the firm
        Slip(re.compile(rf"(?<![\w.'’-])(the )(?=(?!the){_THE} [a-z])"), _LETTER_A),  # by the its people
        Slip(
            re.compile(r"(?<=\d )(f(?:ee|oo)?t)(?![\w-])"),
            re.compile(r"^(?!.*\d\s?m\b)|Fuß|Fuss|feet|ft\b", re.DOTALL),
            "m",
        ),
        Slip(re.compile(r"\b(?:[Nn]ever|ever) been (in)(?= [A-Z][a-z])"), instead="to"),
        Slip(re.compile(rf"^(?!.*\b{_WHAT}\b)[^.,;:!?]* ((?:is|are) )(?=do(?:es)?n['’]t\b)")),  # the bus is doesn't go
        # We know you well, for "wir kennen uns gut"
        Slip(re.compile(r"^We\b[^.,;:!?]{0,40}? (you|us)\b(?! (?:the|an?|our|some)\b)"), _NOT_EACH_OTHER, "each other"),
        Slip(re.compile(r"^(What)(?= )"), re.compile(rf"^(?!Bis wann\b.*(?:{_VALID}))"), "Until when"),
        Slip(re.compile(r"^(What)(?= )"), re.compile(rf"^(?!Bis wann\b)|{_VALID}"), "By when"),
        Slip(re.compile(rf"{_THEY}(['’](?:m|re) (?:out of no|no out of|no of))(?= [a-z])"), instead=" have no"),
        Slip(re.compile(_NOT_NO), instead="any"),  # can't find it nowhere
        Slip(re.compile(rf"(?<!\ba )(?<!\bthe ){_MAY} (to )(?=[a-z])")),  # you may to stay
        Slip(
            re.compile(rf"\b(?:{_BEGIN_OR_LIKE}) (to )(?!(?:br|sw|st|spr|cl|fl|str)ing\b)(?=[a-z]{{2,}}ing\b)")
        ),  # likes to playing
        Slip(re.compile(rf"{_THEY_ALL} (used)(?= to (?:it|that|this|him|her|them)\b)"), instead="got used"),
        Slip(re.compile(r"\b[Hh]aving (had )(?=\w+(?:ed|en)\b)")),  # after having had eaten
        Slip(re.compile(r"\bthink (so that)(?=[.!]*$)"), instead="so"),
        Slip(re.compile(rf"{_ONE} ()(?=able to [a-z])"), instead="was "),
        Slip(re.compile(r"\b(?:[Ww]e|[Tt]hey|[Yy]ou) ()(?=able to [a-z])"), instead="were "),
        Slip(re.compile(r"\b(?:fires?|flames|blaze)\b[^.,;:!?]{0,50} (deleted)\b"), instead="extinguished"),
        Slip(re.compile(r"(?<!\w)(Nr)(?=\. ?\d)"), re.compile(r"^(?!.*Nr)", re.DOTALL), "No"),
        Slip(re.compile(r"(?:(?<=\d )|(?<=illion ))(eur)(?![\w-])"), re.compile(r"\beur\b"), "euros"),
        Slip(re.compile(r"(?<!\w)\$\d[\d,.]*(?: [bmt]r?illion)?( (?:US )?dollars?)(?![\w-])"), re.compile(r"\$")),
    ),
}
ANY_SLIP = re.compile(
    r"- |~ |\* |/ |,[.,;:!?A-Za-zÄÖÜäöü]|:[^\W\d_]|\.\.|\?\?| -|\bUhr\b|\bNr\.|\d\. "
    r"|\bseit | (?:kalt|heiß|warm)\b|\b(?:[Ll]äuft|laufen)\b|\bim Ferien\b|^What "
    r"|^We\b.* (?:you|us)\b| (?:is|are) do(?:es)?n['’]t\b|['’](?:m|re) (?:out of no|no)\b"
    r"| bitte\b| to [a-z]+ing\b| used to (?:it|th|h)|[Hh]aving had | so that[.!]|able to "
    r"| deleted\b| am Fuß\b|\b[Aa]m (?:Ende|Anfang) |Bestellungsn|glaube ich | geschlagen\b"
    r"| lange\b| zu spät\b|, nicht\b|(?:[Tt]age|[Mm]onate|[Jj]ahre)\b|[Ss]eit (?:letzt|vorig)es\b"
    rf"| (?:{_TWICE}|{_ZU_TWICE})|{_MAY} to\b|n['’]t .{{0,60}} no(?:where|body|thing| one)\b"
    rf"|\b(?:been in|dollars?|eur|feet|foot|ft|(?:an?|the) {_THE})\b"
)
"""What all of these have: most translations have none of it."""

SLIPS = {language: (*_IN_EITHER, *its) for language, its in _IN_ONE.items()}
"""By the language of the translation."""
