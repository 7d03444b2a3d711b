"""Points that end no sentence: after abbreviations and ordinal numbers, and within names.

`sentencex` knows many; these it does not.
"""

from __future__ import annotations

import re

from service.pipeline.lists import rows_of
from service.pipeline.numbers.calendar import ANY_MONTH, DAY_OF_MONTH, WHOLE_DAY

__all__ = ["goes_on"]

_WORD = r"[\"„“»‚(]?\w"
_AMOUNT = r"[-−+±~<>]?(?:[A-Z]{3}\s?|[A-Z]{0,2}[$€£¥])?\d"
_MONTH = rf"(?!Jan\s+[^\W\d])(?i:{ANY_MONTH['de']}|Juno)s?\b"
"""Jan before a word is a name."""
_NOUN_AFTER_ORDINAL = (
    r"(?:(?:FF?|[BEHSTV])C|FSV|T?SV|(?i:Stock(?:werk)?|Etage|[OU]G|(?:Ober|Unter|Zwischen)?geschoss|Quartal|Trimester"
    r"|Semester|(?:Halb|Schul|Lehr|Lebens)?jahr|Jahrgang|Jahrhundert|Jahrtausend|Jhd?\.|Monat|Woche|Stunde"
    r"|(?:Spiel|Werk|Geburts|Hochzeits|Jahres|Todes|Verhandlungs)?tag|Jubiläum|Advent|(?:Schul|Kreis)?klasse"
    r"|(?:Bundes|Landes|Kreis|Regional)?liga|Runde|Halbzeit|Etappe|Platz|Preis|Rang|Mannschaft|Aufl(?:age|\.)|Ausgabe"
    r"|Kapitel|Band|Teil|Akt|Szene|Satz|Strophe|Staffel|Lesung|Weltkrieg|Mal|Person|Grad|Reihe|Stelle|Bezirk"
    r"|(?:Bau)?abschnitt|(?:Straf|Zivil)?senat|Mahnung|Rate|Versuch|Generation)(?:e?s)?)(?!\w)"
    # As a subject it would have an article, and "Platz 1" is no place after an ordinal number.
    r"(?!\s+(?:\d|(?:gibt|haben|hat|ist|kann|sind|und\sNacht|waren?|werden|wird|sehen|schauen)\b))"
)
_NOUN_BEFORE_NUMBER = ("Gleis", "Kapitel", "Klasse", "Nr.", "Platz", "Punkt", "Seite", "Stufe", "Tag", "Teil", "Nummer")
_OPENER = (
    r"(?i:and|an?|but|click|for|he|i|if|in|it|my|note|place|please|see|she"
    r"|so|that|the|then|there|these|they|this|those|to|we|what|when|you|your"
    r"|aber|am|bitte|da|dann|das|der|die|diese[mnrs]?|ein(?:e[mnrs]?)?|er|es|hier|ich|ihr|im|oder|sie|und|wenn|wir)\b"
)
"""A word that a sentence often begins with, and a part of a name hardly ever."""

# Pairs: what ends with a point and is no end of a sentence, beside what `sentencex` knows, and how what goes on begins.
_WITHIN_A_WORD = (  # but a sentence may also lack the space before the next
    (r"(?:^|[\s(\[/])[\"'„“‚‘«»]?\.$", rf"(?!{_OPENER})[^\W\d_]"),  # ".NET"
    (r"\b(?:[A-Z]{2,}\d*|\w*[a-zäöüß][A-ZÄÖÜ]\w*|\w{2,}\.\w{2,})\.$", rf"(?!{_OPENER})[A-ZÄÖÜ]"),  # "JSON.Parse"
    (r"\b[A-ZÄÖÜ]\w*\.$", rf"(?!{_OPENER})(?:[A-Z]{{2,}}\d*\b|[A-ZÄÖÜ]\w*\.\w)"),  # "Math.PI", "System.Web.Http"
    (r"\w\.$", r"[A-Z]\w*(?:[a-z][A-Z]|_|\()"),  # "console.WriteLine", "json.Marshal(value)"
    (r"\S$", r"[-–]"),  # "Mon.-Fri."
    (r"\w\.$", r":(?!\S)"),  # "Betr.:"
    (r"\w\.$", r"[,;]"),  # "Tel., Fax"
    (r"\.\s?(?:\[\d[\d,\s–-]*\])+$", r"[.,;:)]|\s+[a-zäöüß]"),  # "Meier et al. [5] zeigen"
    (r"\d\.$", r"[:)]"),  # "Sa., 11.5.: Flohmarkt", "1.)"
)
_LISTED = re.compile(r"[a-zäöü][^\W\d_]*\.")
_MAY_END = {"eig.", "gesch.", "gest.", "verh.", "vllt.", "vlt."}


def _listed(language: str) -> str:
    """A pattern of the abbreviations, without their point, that are no words and hardly ever end a sentence.

    Of those with a capital many do: Hbf., MwSt.
    """
    rows = rows_of("abbreviations.tsv")
    found = {one for its, one, meanings in rows if its == language and not meanings.endswith("?")} - _MAY_END
    return "|".join(sorted(one.removesuffix(".") for one in found if _LISTED.fullmatch(one)))


_GOES_ON = {
    # In English a capital letter after an abbreviation begins a sentence.
    "en": (
        (
            rf"\b(?i:{_listed('en')}|ch|eds?|eqs?|hrs|lbs|max|min|nos|oz|para?|resp|rm|vols?)\.\s+$",
            rf"[a-z]|{_AMOUNT}",
        ),
        (r"\b(?i:approx|attn|avg|intl|messrs|natl|orig)\.\s+$", r"\w"),
        (r"\b(?i:excl|incl|max|min)\.\s+$", r"[A-Z]{2,}\b"),  # incl. VAT
        (r"\b(?:(?i:mon|tues?|wed|thu|thurs|fri)|Sat|Sun)\.\s+$", rf"[a-z]|{_AMOUNT}"),
        (r"\b(?:[Aa]pt|[Ff]igs|[Rr]efs|[Ss]ecs|[Tt]abs)\.\s+$", r"\d"),  # words, too
        (r"\b(?:[Ee]qs?|[Ff]igs?)\.\s+$", r"\(\d"),
        (r"\b(?:mins|pkg|tbsps?|tsps?|wks?|yrs?|\d\s?(?:doz|gal|in|pts?|yds?))\.\s+$", r"\(?[a-z]|\(\d"),
        (
            r"\b(?:Mon|Tues?|Wed|Thu|Thurs|Fri|Sat|Sun)\.\s+$",
            rf"{ANY_MONTH['en']}\.?\s\d",
        ),
        (r"\d\s?[AaPp]\.[Mm]\.\s+$", r"\(?(?:[ECMP][SD]?T|GMT|UTC|BST|CES?T)\b"),
        (
            r"\d\s?[ap]\.m\.\s+$",
            rf"{WHOLE_DAY['en']}\b(?!\s(?:has|is|was|will)\b)",
        ),
    ),
    "de": (
        (
            r"\b(?i:abzgl|bspw|ebd|einschl|exkl|Fa|freundl|geb|Hd|Hrsg|inkl|Ing|Sek|Tsd|zzgl)\.\s+$",
            _WORD,
        ),
        (
            rf"\b(?:{_listed('de')}|ausschl|frdl|nördl|östl|örtl|prakt|spez|südl|westl)\.\s+$",
            rf"(?!{_OPENER}){_WORD}",
        ),
        (r"\d\s?(?:Be|Btl|Ds|Fl|Gl|Ltr|Msp|Pckg?|Pkg|Pkt|Pr|St?ck|Stk|Tbl)\.\s+$", rf"(?!{_OPENER})[A-ZÄÖÜ]"),
        (r"\b(?:h\.\s?c\.\smult|med\.\s(?:dent|vet)|rer\.\s(?:nat|oec|pol))\.\s+$", _WORD),
        (
            # Capitalised, some are a name or a country.
            r"\b(?:allg|[Ee]hem|Fam|Gebr|gem|gepr|ppa|Geschw|[Gg]ez|[Hh]l|Hrn|Inh|max|mind|staatl|techn|urspr|versch|wg|wiss)\.\s+$",
            _WORD,
        ),
        (
            r"\b(?:amerik|bayer|[Dd]t|engl|europ|franz|frz|griech|ital|lat|österr|preuß|röm|russ|sächs|schweiz|span)\.\s+$",
            _WORD,
        ),
        (
            r"(?i:\b(?:am|beim|d(?:as|e[mnrs]|ie)|im|vom|zu[mr]|(?:ein|ihr|jed|sein|unser)(?:e[mnrs]?)?)\s\d{1,3})\.\s+$",
            r"\w",
        ),
        (r"^[\"„»(]?(?:Allg|Ehem|Gem|Inkl|Max|Mind?|Techn|Versch|Wg)\.\s+$", _WORD),
        (r"\bKl\.\s+$", r"(?:[A-Z]|\d+\w?)\b"),
        (r"\bü\.\s+$", r"(?:M|NH?N|d)\b"),
        (rf"(?<![\w.,:]){DAY_OF_MONTH}\.\s+$", _MONTH),
        (rf"\b{_MONTH}\.\s+$", rf"[-–]\s+(?:{DAY_OF_MONTH}\.|{_MONTH})|(?:Mo|Di|Mi|Do|Fr|Sa)\b"),
        (
            rf"(?<![\w.,:]){DAY_OF_MONTH}\.\s?(?:(?:0?[1-9]|1[0-2])\.|{_MONTH}\.)\s+$",
            r"\([^()]{0,60}[^().!?]\)",  # what ends with no mark is no sentence
        ),
        (
            rf"(?i:\b(?:am|bis|de[mn]|vom|zum|ab|seit|einschließlich|spätestens)\s){DAY_OF_MONTH}\.(?:0?[1-9]|1[0-2])\.\s+$",
            rf"(?!{_OPENER}|Dank|Gr[uü]ß|LG|VG|MfG|Ok|Super)[A-ZÄÖÜ][a-zäöüß]++(?:[.!?]?$|[.!?]\s)",  # one noun is left
        ),
        (
            "".join(rf"(?<!(?i:{re.escape(noun)})\s)" for noun in _NOUN_BEFORE_NUMBER) + r"(?<![\w.,:])\d{1,3}\.\s+$",
            _NOUN_AFTER_ORDINAL,
        ),
    ),
}
_JOINTS = {
    (language, apart): [(re.compile(ending), re.compile(beginning)) for ending, beginning in pairs]
    for language in _GOES_ON
    for apart, pairs in ((True, _GOES_ON[language]), (False, _WITHIN_A_WORD))
}
"""By language and whether there is white space between the two."""
_LONGEST_ENDING = 40


def goes_on(before: str, text: str, place: int, language: str) -> bool:
    """Whether a sentence goes on with what stands at `place` of a text; `before` ends there."""
    ending = before[-_LONGEST_ENDING:]
    joints = _JOINTS[language, before[-1].isspace()]
    return any(begins.match(text, place) and ends.search(ending) for ends, begins in joints)
