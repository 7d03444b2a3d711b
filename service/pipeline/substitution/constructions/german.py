"""German constructions that the network gets wrong, and what is read for each."""

from __future__ import annotations

from service.pipeline.numbers.calendar import WHOLE_DAY
from service.pipeline.substitution.constructions.construction import Construction

__all__ = ["GERMAN"]

_DATIVE = "(?P<who>[MmDd]ir|[Ii]h[mr]|[Uu]ns|[Ee]uch|[Ii]hnen)"
_WHEN_AND_WHERE = (
    r"(?: (?:gestern|heute|letzte (?:Woche|Nacht)|neulich|vorgestern|schon (?:zweimal|einmal)|leider|einfach)"
    r"| (?:im|am|auf dem|in de[rm]|vor de[rm]) [A-ZÄÖÜ][\w-]+){0,2}"
)
_STOLEN = r"(?: (?:gestohlen|geklaut))(?: worden)?\b"
_OF_HIS = rf"(?P<what>(?:[a-zäöüß]+e )?[A-ZÄÖÜ][\w-]+)(?P<where>{_WHEN_AND_WHERE}){_STOLEN}"
_DAY = WHOLE_DAY["de"]
_APPOINTMENT = (
    rf"(?:(?:am|der|nächsten|nächster?|dieser|diesen|um) )*(?:{_DAY}|morgen|heute|Termin|Uhrzeit|Zeit|Tag"
    r"|halb|zehn|elf|zwölf|eins?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|\d\d?(?:[:.]\d\d)?)"
    r"(?: (?:Uhr|Abend|Vormittag|Nachmittag|Morgen|früh|um [\w:.]+|gegen [\w:.]+))*"
)
_ENDS = r"(?= *(?:[.,;:!?]|$)| (?:und|aber|weil)\b)"
_NEEDED = "(?=(?:die|das) (?:Erfahrung|Geduld|Geld|Kraft|Wissen|Zeit)\\b)"
_DEVICE = (
    "(?P<what>(?:[Dd](?:er|ie|as)|[Mm]eine?|[Uu]nsere?) (?:Aufzug|Computer|Drucker|Fahrstuhl|Fernbedienung|Fernseher"
    "|Handy|Heizung|Internet|Kamera|Klingel|Lampe|Laptop|Licht|Maschine|Radio|Rechner|Spülmaschine|Telefon|Uhr|WLAN"
    "|Waschmaschine|Website))"
)
_OPEN_DAYS = (
    r"(?: (?:leider|nicht|auch|noch|schon|immer|nur|täglich|heute|morgen|bereits|rund um die Uhr|(?:mon|diens|donners"
    rf"|frei|sams|sonn)tags|mittwochs|am (?:{_DAY}|Wochenende)|an (?:Sonn|Feier)[\w-]*(?: und Feiertagen)?"
    r"|(?:von|ab|bis)(?: \w+){1,2}(?: bis(?: \w+){1,2})?|wegen [\w ]{1,30}?|im (?:Sommer|Winter|[A-Z]\w+)))+"
)
_FUTURE = (
    rf"morgen|bald|demnächst|nächste[ns]? (?:Woche|Monat|Jahr)|am {_DAY}"
    r"|im (?:Früh(?:jahr|ling)|Sommer|Herbst|Winter)"
    r"|in (?:zwei|drei|den nächsten) (?:Tagen|Wochen|Monaten|Jahren|Stunden)"
)
_PARTICIPLE = r"(?:(?:ab|an|auf|aus|ein|vor|um|zu|statt)?ge\w+(?:t|en)|(?:be|er|ver|zer|ent)\w+t|\w{3,}iert)"
_RECEIVED = (
    "Anfrage|Anmeldung|Antrag|Antwort|Bestellung|Betrag|Bewerbung|Brief|E-Mail|Formular|Geld|Kündigung|Mail|Nachricht"
    "|Paket|Rechnung|Reklamation|Retoure|Rücksendung|Schreiben|Sendung|Überweisung|Unterlagen|Ware|Zahlung"
)
_YOURS = (
    "Abo|Adresse|Anfrage|Angaben|Anliegen|Anmeldung|Anruf|Antrag|Antwort|Aufgaben|Beitrag|Benutzername|Bestellung"
    "|Bewerbung|Buchung|Daten|Eingabe|E-Mail|Einkauf|Feedback|Flug|Gepäck|Guthaben|Karte|Konto|Kreditkarte|Kunden|Lieferung|Meinung"
    "|Mitgliedschaft|Nachricht|Paket|Passwort|Produkt|Profil|Rechnung|Reise|Reservierung|Rücksendung|Sendung"
    "|Sicherheit|Termin|Ticket|Unterlagen|Vertrag|Warenkorb|Zahlung|Zimmer|Zugang|Zufriedenheit"
)
"""What belongs to whom one writes to rather than to a woman of whom one tells."""
_RELATED = (
    r"Auge|Bruder|Chef|Cousin|Eltern|Enkel|Familie|Frau|Freund|Gesicht|Groß|Haare?\b|H[aä]nde?\b|Hund|Kater|Katze|Kind"
    r"|Kolleg|Mann|Meinung nach|Mutter|Nachbar|Name|Neffe|Nichte|Oma|Onkel|Opa|Partner|Schwester|Sohn|Stimme|Tante"
    r"|T[oö]chter|Vater"
)
_SPOKEN_TO = r"uns|unser\w*|mir|mich|bitte|Ihnen|Sie|Ihre?[nmrs]?"
_UNTIL = (
    r"(?:nur |noch |nicht mehr )*(?:bis|ab|vom|von|am|ein Jahr|ein(?:en)? Monat|(?:zwei|drei|vier|sechs|\d+) \w+)\b"
)
"""Begins how long something is valid."""
_FINITE = (
    "bin|bist|d[aü]rf\\w*|hab\\w*|hat|hatten?|ist|k[aoö]nn\\w*|lassen|lässt|muss|müss\\w*|sein|sind|soll\\w*|um|war\\w*|werden"
    "|will|wird|woll\\w*|wurden?|zu"
)
"""Not in an instruction."""
_PREPARE = (
    "(?:bestreuen|braten|hacken|kneten|kochen|reiben|rösten|schmelzen|schneiden|vermengen|vermischen|verrühren|waschen"
    "|würzen)"
)
_OFFERED = (
    "(?:Bücher|Eis|Eintrittskarten|Essen|Frühstück|Getränke|Gutscheine|Infos?|Informationen|Kaffee|Karten|Kuchen|Mittagessen"
    "|Parkplätze|Programme|Rabatte?|Snacks|Souvenirs|Tickets|Toiletten|WLAN|Wein)"
)
_HOW_OFFERED = "(?P<how>(?: nach Absprache| auf Anfrage)?)"

GERMAN = (
    # what is stolen has an owner
    *(
        Construction("ge", pattern, read)
        for article, ending in (("die", "e"), ("(?:der|das|den)", ""))
        for pattern, read in (
            (
                rf"^{_DATIVE} (?:wurde|ist)(?P<when>{_WHEN_AND_WHERE}) {article} {_OF_HIS}",
                "{whose}" + ending + " {what} wurde{when}{where} gestohlen",
            ),
            (
                rf"^(?:Man|Jemand) hat {_DATIVE}(?P<when>{_WHEN_AND_WHERE}) {article} {_OF_HIS}",
                "{whose}" + ending + " {what} wurde{when}{where} gestohlen",
            ),
            (
                rf"\b(?:wurde|ist) {_DATIVE}(?P<when>{_WHEN_AND_WHERE}) {article} {_OF_HIS}",
                "wurde{when} {whose}" + ending + " {what}{where} gestohlen",
            ),
        )
    ),
    # what somebody does who is not told: the network takes the dative for him
    Construction(
        "an hat ",
        r"\b[Mm]an hat (?P<whom>mir|uns|mich) (?P<what>[^.,;:!?]*?)\b(?P<not>nicht|nie) (?P<verb>(?:ge|be"
        r"|ver|er|ent)\w+(?:t|en)|\w+ge\w+(?:t|en)|\w+iert)\b",
        "niemand hat {whom} {what}{verb}",
    ),
    Construction(
        "an hat ",
        r"\b[Mm]an hat (?P<whom>mir|uns|mich)(?= [^.,;:!?]*(?:ge|be|ver|er|ent)\w*(?:t|en)\b)",
        "sie haben {whom}",
    ),
    # what is so for somebody
    Construction("asst", rf"^Passt {_DATIVE} (?P<what>{_APPOINTMENT})(?=\?)", "Wäre {what} gut für {whom}"),
    Construction(
        "asst",
        rf"^Passt es {_DATIVE} (?:am )?(?P<what>{_APPOINTMENT})(?=\?)",
        "Wäre {what} gut für {whom}",
    ),
    Construction("passen", rf"^Würde {_DATIVE} (?P<what>{_APPOINTMENT}) passen", "Wäre {what} gut für {whom}"),
    Construction(
        "passt",
        rf"^(?P<what>(?i:{_APPOINTMENT})) passt {_DATIVE}(?P<how> nicht| leider nicht)?(?: gut| so gut)?{_ENDS}",
        "{what} ist{how} okay für {whom}",
    ),
    Construction("Spaß", rf"(?P<what>\b(?:[Dd]as|[Ee]s)) macht {_DATIVE} (?=(?:\w+ )?Spaß\b)", "{what} macht "),
    Construction("Spaß", rf"(?P<what>\b(?:[Dd]as|[Ee]s)) hat {_DATIVE} (?=(?:\w+ )?Spaß gemacht\b)", "{what} hat "),
    Construction(
        "peinlich",
        rf"\bist {_DATIVE} (?P<how>(?:sehr |so )?)peinlich(?=[.!,])",
        "ist {how}peinlich für {whom}",
    ),
    Construction("nie passiert", rf"\bist {_DATIVE} (?=noch nie passiert\b)", "ist "),
    Construction(
        "passiert",
        rf"^{_DATIVE} ist (?P<what>(?:so )?etwas(?: [A-ZÄÖÜ]\w+)?) passiert\b",
        "{what} ist {who} passiert",
    ),
    Construction(
        "unterlaufen",
        r"\b[Mm]ir ist (?P<how>leider |wohl |hier )?(?:ein|der) Fehler unterlaufen\b",
        "ich habe {how}einen Fehler gemacht",
    ),
    Construction(
        "unterlaufen",
        r"\b[Uu]ns ist (?P<how>leider |wohl |hier )?(?:ein|der) Fehler unterlaufen\b",
        "wir haben {how}einen Fehler gemacht",
    ),
    Construction("nichts ein", rf"^{_DATIVE} fällt nichts ein\b", "{has} keine Idee"),
    Construction("fehlt ", rf"^{_DATIVE} fehlt {_NEEDED}", "{has} nicht "),
    Construction("fehlte ", rf"^{_DATIVE} fehlte {_NEEDED}", "{had} nicht "),
    # verbs
    Construction(
        "Bescheid",
        r"(?P<say>\b(?:[Ss]agt?|[Ss]agen Sie)) (?P<how>(?:bitte |einfach |kurz )*)Bescheid\b",
        "{say} mir {how}Bescheid",
    ),
    Construction("geht", r"^Das geht (?P<how>leider )?nicht(?=[.!]*$)", "Das ist {how}nicht möglich"),
    Construction(
        "geht ",
        rf"\b{_DEVICE} geht (?P<how>(?:leider |schon wieder |immer noch )?(?:nicht mehr|nicht|wieder))(?:"
        r" richtig)?(?=[.,!?]|$)",
        "{what} funktioniert {how}",
    ),
    Construction("klappt", r"\bklappt\b", "funktioniert"),
    Construction("geklappt", r"\bgeklappt\b", "funktioniert"),
    Construction(
        "eingegangen",
        rf"(?P<what>\b(?:{_RECEIVED})) (?P<be>ist|sind) (?P<how>(?:[\w.]+ ){{0,5}}?)(?:bei uns )?eingegangen\b",
        "{what} {be} {how}angekommen",
    ),
    Construction(
        "eingegangen",
        rf"\b(?P<be>ist|sind) (?P<how>(?:[\w.]+ ){{0,3}}?)(?P<what>(?:{_RECEIVED})) (?P<when>(?:[\w.]+"
        r" ){0,3}?)(?:bei uns )?eingegangen\b",
        "{be} {how}{what} {when}angekommen",
    ),
    Construction(
        "gilt ",
        r"^(?P<what>(?:Das|Der|Die|Dieser?|Dieses|Ihre?|Mein)(?: [A-ZÄÖÜa-zäöü][\w-]+){1,3}?) gilt "
        rf"(?P<rest>{_UNTIL}[^.,;:!?]{{1,50}})(?=[.!]?$)",
        "{what} ist {rest} gültig",
    ),
    Construction(
        "gelten ",
        r"^(?P<what>(?:Die|Diese|Ihre|Alle)(?: [A-ZÄÖÜa-zäöü][\w-]+){1,3}?) gelten "
        rf"(?P<rest>{_UNTIL}[^.,;:!?]{{1,50}})(?=[.!]?$)",
        "{what} sind {rest} gültig",
    ),
    Construction(
        "stimmt",
        r"\b[Mm]it (?P<what>[^.,;:!?]{3,40}?) stimmt (?:irgend)?etwas nicht\b",
        "es gibt ein Problem mit {what}",
    ),
    Construction(
        "stimmt",
        r"\b(?P<what>(?:Adresse|Anschrift|Betrag|Datum|Größe|Farbe|Nummer|Preis|Rechnung|Summe|Uhrzeit))"
        r" stimmt (?P<how>leider )?nicht\b",
        "{what} ist {how}falsch",
    ),
    Construction(
        "finde",
        r"\b(?P<person>[Ii]ch) finde (?P<what>(?:[md]eine?n?|d(?:as|ie|en)|unsere?n?|keine?n?) "
        r"(?:[a-zäöüß]+en? )?[A-ZÄÖÜ][\w-]+) (?:nicht|nirgends|nirgendwo)(?P<more> mehr| wieder)?(?="
        r" *[.,!?]|$)",
        "{person} kann {what} nicht{more} finden",
    ),
    Construction(
        "finden",
        r"\b(?P<person>[Ww]ir) finden (?P<what>(?:d(?:as|ie|en)|unsere?n?) (?:[a-zäöüß]+en?"
        r" )?[A-ZÄÖÜ][\w-]+) (?:nicht|nirgends|nirgendwo)(?P<more> mehr| wieder)?(?= *[.,!?]|$)",
        "{person} können {what} nicht{more} finden",
    ),
    Construction(
        "gesperrt",
        r"(?P<what>(?:[Ss]traße|[Bb]rücke|[Aa]utobahn|[Ss]trecke|[Tt]unnel|[Pp]latz|[Ww]eg|A\d+|B\d+)\b"
        r"(?: [^\s.,;:!?]+){0,6}?) gesperrt\b",
        "{what} geschlossen",
    ),
    Construction("hat ", rf"\bhat(?P<when>{_OPEN_DAYS}) (?:geöffnet|offen|auf)(?=[.!?,]|$)", "ist{when} offen"),
    Construction("hat ", rf"\bhat(?P<when>{_OPEN_DAYS}) (?:geschlossen|zu)(?=[.!?,]|$)", "ist{when} geschlossen"),
    Construction("haben ", rf"\bhaben(?P<when>{_OPEN_DAYS}) (?:geöffnet|offen|auf)(?=[.!?,]|$)", "sind{when} offen"),
    Construction(
        "haben ",
        rf"\bhaben(?P<when>{_OPEN_DAYS}) (?:geschlossen|zu)(?=[.!?,]|$)",
        "sind{when} geschlossen",
    ),
    Construction("Geist", r"\bhat (?P<how>leider |gestern |heute )?den Geist aufgegeben\b", "ist {how}kaputt"),
    Construction(
        "so gut wie",
        r"\bso gut wie(?= (?:nie|niemand|leer|fertig|nichts|alle|keine?|unmöglich|immer|tot|voll|sicher)\b)",
        "fast",
    ),
    Construction(
        "vor",
        r"(?P<have>\b[Hh]ast du|\b[Hh]aben Sie|\b[Hh]abt ihr)(?P<when>(?: (?:heute|morgen|am|Abend"
        r"|Wochenende|Freitag|Samstag|Sonntag|schon))*) (?:schon )?(?:et)?was vor(?=\?)",
        "{have}{when} Pläne",
    ),
    Construction(
        "ins ",
        r"\b(?P<verb>kam|kommt) (?P<when>(?:gestern |heute |sofort |verletzt )?)(?P<where>ins "
        r"(?:Krankenhaus|Gefängnis))(?=[.,!]|$)",
        "wurde {when}{where} gebracht",
    ),
    Construction("Kilo", r"\bKilo(?P<gramm>gramm)? abnehmen\b", "Kilo{gramm} verlieren"),
    Construction("Kilo", r"\bKilo(?P<gramm>gramm)? abgenommen\b", "Kilo{gramm} verloren"),
    Construction(
        "Entschuldigung",
        r"\b[Ww]ir bitten (?:Sie |euch |dich )?(?:vielmals |herzlich )?um Entschuldigung\b",
        "wir entschuldigen uns",
    ),
    Construction(
        "Entschuldigung",
        r"\b[Ii]ch bitte (?:Sie |euch |dich )?(?:vielmals |herzlich )?um Entschuldigung\b",
        "ich entschuldige mich",
    ),
    Construction(
        "gern",
        r"\b(?P<person>[Ii]ch|[Ww]ir) (?!würden?\b|hätten?\b|möchten?\b|mag\b|mögen\b)"
        r"(?P<verb>[a-zäöüß]+)(?P<whom> (?:Ihnen|Sie|dir|dich|euch|Ihre?[nrsm]?)\b[^.,;:!?]*?) gerne?\b",
        "{person} {verb}{whom}",
    ),
    Construction(
        "zukommen",
        r"\blassen (?P<what>(?:Sie |wir |uns |Ihnen )[^.,;:!?]{1,60}?) zukommen\b",
        "schicken {what}",
    ),
    Construction("zukommen", r"\bzukommen (?P<to>zu )?lassen\b", "{to}schicken"),
    Construction(
        "Mich",
        r"^Mich (?P<verb>hat|stört|ärgert|nervt) (?P<what>(?:eine?|d(?:er|ie|as)|niemand|mein\w*)(?:"
        r" [a-zäöüß]+e[rs]?)?(?: [A-ZÄÖÜ]\w+)?)\b(?=[^,;:]*[.!]?$)",
        "{what} {verb} mich",
    ),
    # nouns
    Construction(
        "Bad",
        r"\b(?P<article>(?:[Dd]as|[Ii]m|ins|[Mm]ein|unser|kein|eigenes|eigenem|neues|kleines|großes|mit"
        r"|und)) Bad\b(?! [A-ZÄÖÜ])(?!-)",
        "{article} Badezimmer",
    ),
    Construction(
        "Anschluss",
        r"\b(?P<whose>meinen|unseren|ihren|seinen|Ihren|den|deinen) Anschluss (?P<verb>verpass\w*"
        r"|erreich\w*|schaff\w*|nicht|leider|noch)\b",
        "{whose} Anschlusszug {verb}",
    ),
    Construction(
        "Stelle",
        r"(?<!an )(?<!an der )(?<!an einer )\b(?P<what>offenen?|ausgeschriebenen?) (?P<job>Stellen?)\b",
        "{what} Arbeits{job:small}",
    ),
    Construction(
        "ewerb",
        r"\b(?P<what>(?:um|auf|für) (?:die|diese|Ihre|eine)) (?P<job>Stelle)\b",
        "{what} Arbeits{job:small}",
    ),
    Construction("Stelle als", r"\bStelle als\b", "Arbeitsstelle als"),
    # whom a letter or an advert speaks to: at the beginning the network takes him for her, or for them
    Construction(
        "Ihr",
        rf"^Ihr(?P<ending>e[nmrs]?)? (?=(?:[a-zäöüß]+e[nrsm]? )?(?!Meinung nach|\S+ (?:ist|sind) unterwegs)"
        rf"(?:{_YOURS}))",
        "Dein{ending} ",
    ),
    Construction(
        "Ihr",
        rf"^Ihr(?P<ending>e[nmrs]?)? (?=(?:[a-zäöüß]+e[nrsm]? )?(?!(?:{_RELATED}))[A-ZÄÖÜ][^.!?]* "
        rf"(?:{_SPOKEN_TO})\b)",
        "Dein{ending} ",
    ),
    Construction("Sie verfügen", r"^Sie verfügen über\b", "Du verfügst über"),
    Construction("Sie bringen", r"^Sie bringen(?= [^.,;:!?]* mit[.!]?$)", "Du bringst"),
    Construction("Sie erreichen", r"^Sie erreichen(?= (?:mich|uns)\b)", "Du erreichst"),
    # moods and clauses
    Construction(
        "Hätte",
        r"^Hätten Sie(?= [^.,;:!]*\?)(?![^?]* \w*ge\w+(?:t|en)\?)(?! (?:gern|lieber))",
        "Haben Sie",
    ),
    Construction("Hätte", r"^Hättest du(?= [^.,;:!]*\?)(?![^?]* \w*ge\w+(?:t|en)\?)(?! (?:gern|lieber))", "Hast du"),
    Construction(
        "Hätte",
        r"^H(?P<verb>ätte(?:st|n|t)?) (?P<person>ich|du|er|sie|es|wir|ihr|man) (?P<what>[^.,;:?!]*\w(?:t"
        r"|en)),(?=[^?]*$)",
        "Wenn {person} {what} h{verb},",
    ),
    Construction(
        "Als Kind",
        r"^Als Kind (?P<verb>[a-zäöüß]+) (?P<person>ich|er|sie)(?<!en sie)\b",
        "Als {person} ein Kind war, {verb} {person}",
    ),
    Construction(
        "Als Kind",
        r"^Als Kind(?:er)? (?P<verb>[a-zäöüß]+en) (?P<person>wir|sie)\b",
        "Als {person} Kinder waren, {verb} {person}",
    ),
    Construction(
        "Außer",
        r"^Außer (?P<person>mir|dir|ihm|ihr|uns|ihnen) (?P<verb>war|ist|kam|hat) niemand\b",
        "Niemand außer {person} {verb}",
    ),
    Construction(
        " wird ",
        rf"^(?P<what>[^,;:]{{2,60}}?) wird(?P<rest>(?: [^\s,;:!?]+){{0,12}}? (?:{_FUTURE})(?: [^\s,;:!?]+)*?"
        rf" {_PARTICIPLE})(?=[.!]?$)",
        "{what} wird{rest} werden",
    ),
    Construction(
        " werden ",
        rf"^(?P<what>[^,;:]{{2,60}}?) werden(?P<rest>(?: [^\s,;:!?]+){{0,12}}? (?:{_FUTURE})(?: [^\s,;:!?]+)*?"
        rf" {_PARTICIPLE})(?=[.!]?$)",
        "{what} werden{rest} werden",
    ),
    # shops and events
    Construction(
        "Nur noch ",
        r"^Nur noch (?P<how>\d+|wenige|ein paar)(?P<what> [A-ZÄÖÜ][\w-]+)? (?:auf Lager|frei|übrig|verfügbar|vorrätig)"
        r"(?=[.!]?$)",
        "Es sind nur noch {how}{what} verfügbar",
    ),
    Construction(
        "en",
        rf"^(?P<what>(?:D(?:en|ie|as) [A-ZÄÖÜ]|Mit [A-ZÄÖÜ]|Alles )(?:(?! (?:{_FINITE})\b)[^.,:;!?])*)"
        rf" (?P<verb>{_PREPARE})(?=[.!]?$)",
        "{verb} Sie {what:small}",
    ),
    *(
        Construction(
            f" {is_so}",
            rf"^(?P<what>[A-ZÄÖÜ]\w*(?:ung|heit|keit|ion|tät|platz|frühstück)){_HOW_OFFERED} (?={is_so}[.!]?$)",
            "{what} ist{how} ",
        )
        for is_so in ("erforderlich", "erwünscht", "inbegriffen", "möglich", "notwendig")
    ),
    *(
        Construction(
            f" {are_so}",
            rf"^(?P<what>Getränke|Haustiere|Handtücher|Hunde|Kinder|Mahlzeiten){_HOW_OFFERED} (?={are_so}[.!]?$)",
            "{what} sind{how} ",
        )
        for are_so in ("erlaubt", "erwünscht", "inbegriffen", "willkommen")
    ),
    Construction("Auf Lager", r"^Auf Lager(?=[,;])", "Verfügbar"),
    Construction(
        " gibt es ",
        rf"^(?P<what>{_OFFERED}) gibt es (?=(?:ab|am|an|auch|auf|beim?|hier|im|in|jeden|nur|täglich|überall|unter)\b"
        r"[^?]*$)",
        "Es gibt {what} ",
    ),
    Construction(
        "nmeldung",
        r"\b(?P<one>[Dd]ie|[Ee]ine|[Kk]eine)(?P<which> vorherige)? Anmeldung ist(?P<how>(?: jedoch| aber| nicht|"
        r" unbedingt)*) (?=erforderlich|notwendig|nötig)",
        "{one}{which} Registrierung ist{how} ",
    ),
    Construction(
        "Führung",
        r"\bFührung(?P<many>en)?\b(?=[^.!?]*\b(?:statt|dauern|dauert|beginn\w*|startet|starten|teilnehm\w*|buchen|gebucht"
        r"|durch (?:das|den|die) (?:Alt|Stadt|Museum|Schloss|Burg|Dom|Kirche|Garten|Haus|Ausstellung|Höhle)\w*)\b)",
        "Tour{many}",
    ),
    Construction(
        "Führung",
        r"\b(?P<before>[Gg]ebuchte|[Tt]ägliche|[Kk]ostenlose|[Öö]ffentliche|[Ll]etzte|[Nn]ächste) Führung"
        r"(?P<many>en)?\b",
        "{before} Tour{many}",
    ),
)  # fmt: skip
