"""Abbreviations: read as what they stand for, where they are no words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.bundle import Bundle
from service.pipeline.lists import lines_of
from service.pipeline.normalisation.abbreviations import expand
from service.pipeline.normalisation.likelihood import Likelihood
from service.types import Span
from tests.cli.support import BUNDLE

if TYPE_CHECKING:
    import httpx

ROWS = [line.split("\t") for line in lines_of("abbreviations.tsv")]
OPENED = Bundle.open(BUNDLE, verify=False)
LIKELIHOODS = {
    direction.target: Likelihood(fluency.model, OPENED.tokenizer) for direction, fluency in OPENED.fluency().items()
}


def test_the_list_says_what_it_should() -> None:
    """Three columns, of one of the languages, each abbreviation once."""
    assert all(len(row) == 3 and row[0] in {"de", "en"} and all(map(str.strip, row)) for row in ROWS)
    assert len({(language, abbreviation) for language, abbreviation, _ in ROWS}) == len(ROWS)


@pytest.mark.parametrize(("language", "abbreviation", "meanings"), ROWS)
def test_every_abbreviation(language: str, abbreviation: str, meanings: str) -> None:
    """It becomes the first of what it stands for if nothing tells which is likelier, or stays if it may be a word."""
    written = abbreviation.replace("#", "12").replace("*", "Opq")
    read = expand(f"Xyz {written} abc", language, None).text
    meaning = abbreviation if meanings.endswith("?") else meanings.split("|", maxsplit=1)[0]
    left = "12. " if abbreviation.startswith("#. ") else "12 " if abbreviation.startswith("#") else ""
    right = " 12" if abbreviation.endswith("#") else " Opq" if abbreviation.endswith("*") else ""
    bare = meaning.replace("# ", "").replace(" #", "")
    expected = bare[0].upper() + bare[1:] if written[0].isupper() and not written.isupper() else bare
    assert read == f"Xyz {left}{expected}{right} abc"


@pytest.mark.parametrize(
    ("language", "text", "read"),
    [
        ("de", "im 2. Weltkrieg, Ende des 1. Weltkriegs", "im Zweiten Weltkrieg, Ende des Ersten Weltkriegs"),
        ("de", "Die o. g. und die o.g. Punkte", "Die oben genannten und die oben genannten Punkte"),
        ("de", "Bzgl. der Abb. 3 auf S. 12: s. u.", "Bezüglich der Abbildung 3 auf Seite 12: siehe unten."),
        ("de", "Die sog. Experten sind teuer.", "Die sogenannten Experten sind teuer."),
        ("de", "50 € zzgl. MwSt.", "50 € plus Mehrwertsteuer."),
        ("de", "Mo.–Fr. 9–17 Uhr, Sa + So geschlossen", "Montag bis Freitag 9–17 Uhr, Samstag + Sonntag geschlossen"),
        ("de", "So ist das. Herr S. Art kommt mit Max.", "So ist das. Herr S. Art kommt mit Max."),
        ("de", "Er (geb. 1749, gest. 1832), Gr. 38, Gr. M", "Er (geboren 1749, gestorben 1832), Größe 38, Gr. M"),
        ("de", "1 Stk.", "1 Stück"),
        (
            "de",
            "Die Fahrt (ca. 2 Std.) ist für Kinder (ab 6 J.)",
            "Die Fahrt (etwa 2 Stunden) ist für Kinder (von 6 Jahre)",
        ),
        ("en", "30+ hrs in rm. 5 on Tues", "30+ hours in room 5 on Tuesday"),
        ("en", "Sun & public holidays", "Sunday & public holidays"),
        ("de", "40 Std./Woche, gem. Ziff. 5", "40 Stunden/Woche, gemäß Nr. 5"),
        (
            "de",
            "3. OG, im EG, 2 OG; s. Abb. 3, 20 s. Danach",
            "3. Stockwerk, im Erdgeschoss, 2 OG; siehe Abbildung 3, 20 s. Danach",
        ),
        (
            "de",
            "Pommes m. Salat o. Brot, o. Ä., § 14 f. BGB, 5 Euro p. m. Die",
            "Pommes mit Salat oder Brot, oder Ähnliches, § 14 f. BGB, 5 Euro p. m. Die",
        ),
        ("de", "Kinder (4 und 7 J.), 500 m ü. NN", "Kinder (4 und 7 Jahre), 500 m über dem Meeresspiegel"),
        (
            "de",
            "So u. Feiertage geschl., jeden ersten Sa im Mai",
            "Sonntag und Feiertage geschlossen, jeden ersten Samstag im Mai",
        ),
        ("de", "So nach Vereinbarung, So ist es.", "Sonntag nach Vereinbarung, So ist es."),
        ("de", "Di, Mi und Do.", "Dienstag, Mittwoch und Donnerstag."),
        ("de", "Mi. u. Fr. geschlossen, Sa u. So frei", "Mittwoch und Freitag geschlossen, Samstag und Sonntag frei"),
        (
            "de",
            "Hunde u. Katzen u./o. Kinder, u. a. Anna U.",
            "Hunde und Katzen und/oder Kinder, unter anderem Anna U.",
        ),
        ("de", "Brot u. v. a. m., u. dgl. od. Wurst", "Brot und vieles andere mehr, und dergleichen oder Wurst"),
        ("de", "3 Zi., Kü., Bad in der Whg., 5 € pro Std.", "3 Zimmer, Küche, Bad in der Wohnung, 5 € pro Stunde."),
        ("de", "Siehe Abb. [3], die dt. Fassung.", "Siehe Abbildung [3], die deutsche Fassung."),
        ("de", "www.inkl.de und max.mustermann@example.org", "www.inkl.de und max.mustermann@example.org"),
        ("de", "Do: 9-18 Uhr, So: geschlossen, Mo 14 Uhr", "Donnerstag: 9-18 Uhr, Sonntag: geschlossen, Montag 14 Uhr"),
        ("de", "So, 5. Mai. Bis Fr! Am Mi, den 3. Juni", "Sonntag, 5. Mai. Bis Freitag! Am Mittwoch, den 3. Juni"),
        ("de", "So, 5 Minuten. So geht das. Do it.", "So, 5 Minuten. So geht das. Do it."),
        ("de", "Das kostet Fr. 12.50. Fr. 9-17 Uhr", "Das kostet CHF 12.50. Freitag 9-17 Uhr"),
        (
            "en",
            "Tue, March 5; Mon 9-5; Sat, 9 am; Sun closed",
            "Tuesday, March 5; Monday 9-5; Saturday, 9 am; Sunday closed",
        ),
        ("en", "See you on Fri! Mon: closed.", "See you on Friday! Monday: closed."),
        (
            "en",
            "The Sun closed an office on Sun 3 and by Mon Mothma.",
            "The Sun closed an office on Sun 3 and by Mon Mothma.",
        ),
        ("en", "Approx. 20 lbs., min. 10.", "Approximately 20 pounds, at least 10."),
        ("en", "born c. 1450, 10 lb/in, list C. 5", "born about 1450, 10 lb/in, list C. 5"),
        ("en", "See Fig. 3 on p. 5.", "See Figure 3 on page 5."),
        (
            "en",
            "The min. age, 5 min. bc of the no. of dogs",
            "The minimum age, 5 minutes because of the number of dogs",
        ),
        ("en", "The acct. b/c of the bldg. thru May", "The account because of the building through May"),
        ("en", "Monday through Friday, from Monday to Friday", "Monday until Friday, from Monday to Friday"),
        ("en", "Sat/Sun, Mon / Tue", "Saturday and Sunday, Monday and Tuesday"),
        ("de", "Sa/So geschlossen", "Samstag und Sonntag geschlossen"),
        ("en", "Open Mon-Fri, Sat and Sun.", "Open Monday until Friday, Saturday and Sunday."),
        (
            "en",
            "Avail. w/c 3 May for £950 pcm, till COB Fri, on Thu",
            "Available the week of 3 May for £950 per month, till the end of the day Friday, on Thursday",
        ),
        ("en", "I'm gonna call u asap, w/o delay.", "I'm going to call you as soon as possible, without delay."),
        ("en", "ASAP", "as soon as possible"),
        ("en", "How are u? B4 is U, b4 is b4.", "How are you? B4 is U, before is before."),
        ("en", "1 lb. of beef, 10 ft long", "1 pound of beef, 10 feet long"),
        ("en", "1 hr 20 mins, 1.1 hr, 1 ft, 72 bpm", "1 hour 20 minutes, 1.1 hours, 1 foot, 72 beats per minute"),
        ("en", "5% p.a., 20 hrs/wk by EOD.", "5% per year, 20 hours a week by the end of the day."),
        ("en", "The price incl. tax, breakfast is incl., too", "The price including tax, breakfast is included, too"),
        ("en", "on Wed or Thu, a break (15 min.)", "on Wednesday or Thursday, a break (15 minutes)"),
        ("en", "2hrs 15mins, 4lbs, a 5min-walk, 1hr", "2 hours 15 minutes, 4 pounds, a 5min-walk, 1 hour"),
        ("en", "serial no. B-7, my order no.", "serial number B-7, my order number."),
        ("en", "Tue or Thu, or this Fri, on Fri evening.", "Tuesday or Thursday, or this Friday, on Friday evening."),
        ("de", "Art.-Nr. 5, Kd.-Nr. 7 in KW 12", "Artikel-Nr. 5, Kundennummer 7 in Woche 12"),
        (
            "de",
            "gg. 9 Uhr im li. Knie, Z. n. Sturz, b. Bed. Eis",
            "gegen 9 Uhr im linken Knie, Zustand nach Sturz, bei Bedarf Eis",
        ),
        ("de", "Ich hab nen Hund, das ist iwie gut.", "Ich hab einen Hund, das ist irgendwie gut."),
        ("en", "Is there no? No. I said no. Then I sat.", "Is there no? No. I said no. Then I sat."),
        ("en", "the sun. The minute, our urn, faint", "the sun. The minute, our urn, faint"),
    ],
)
def test_abbreviations_in_sentences(language: str, text: str, read: str) -> None:
    """The likeliest form is taken, capitals and full stops stay, and what only looks like an abbreviation does."""
    edited = expand(text, language, LIKELIHOODS[language])
    assert edited.text == read
    assert edited.back(Span(0, len(read))) == Span(0, len(text))


@given(st.text(st.sampled_from("MoFrSaSun.–- 12zBggfS\u00a0\n,bis")), st.sampled_from(["de", "en"]), st.booleans())
def test_whatever_the_text(text: str, language: str, is_judged: bool) -> None:  # noqa: FBT001
    """Places are found again, and nothing else changes."""
    edited = expand(text, language, LIKELIHOODS[language] if is_judged else None)
    assert edited.back(Span(0, len(edited.text))) == Span(0, len(text))


@pytest.mark.parametrize(
    ("direction", "text", "same"),
    [
        ("de-en", "Weitere Bilder auf S. 12.", "Weitere Bilder auf Seite 12."),
        ("en-de", "Please wait approx. 5 min.", "Please wait approximately 5 minutes."),
    ],
)
def test_the_same_translation(client: httpx.Client, direction: str, text: str, same: str) -> None:
    """A sentence with abbreviations is translated as the one without them, and linked where they stand."""
    body = {"text": [text, same]}
    one, other = client.post(f"/translate?dir={direction}&details=true", json=body).json()["translations"]
    assert one["text"] == other["text"]
    (segment,) = one["segments"]
    assert segment["source"]["text"] == text
    assert all(0 <= start < end <= len(text) for start, end, *_ in segment["alignment"])
