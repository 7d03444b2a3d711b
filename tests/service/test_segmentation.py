"""Gaps and sentences: nothing is lost, whatever the text."""

from __future__ import annotations

import re
import time
from itertools import chain
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.pipeline.finders.placeholders import find_placeholders
from service.pipeline.segmentation.sentences import cut, segment
from service.types import Span

if TYPE_CHECKING:
    from service.types import Segmented

TEXTS = st.text(
    st.one_of(st.sampled_from(" \u00a0\u2003\t\n\r.!?-•:;,–\"'aAÄ1"), st.characters(exclude_categories=["Cs"]))
)


def rebuilt(segmented: Segmented) -> str:
    """Gaps and sentences, interleaved."""
    return "".join(chain.from_iterable(zip(segmented.gaps, (*segmented.sentences, ""), strict=True)))


@given(TEXTS, st.sampled_from(["en", "de"]))
def test_gaps_and_sentences_are_the_text(text: str, language: str) -> None:
    """Interleaved, they are the text byte for byte; no sentence is empty or begins or ends with white space."""
    segmented = segment(text, language)
    assert rebuilt(segmented) == text
    assert all(sentence and sentence == sentence.strip() for sentence in segmented.sentences)
    assert not any(len(sentence.splitlines()) > 1 for sentence in segmented.sentences)


@given(st.text(st.sampled_from("aä ,;:–-́\n"), min_size=2).map(str.strip).filter(lambda text: len(text) >= 2))
def test_a_cut_loses_nothing_and_makes_progress(sentence: str) -> None:
    """The parts are the sentence, and neither is empty."""
    left, gap, right = cut(sentence)
    assert left + gap + right == sentence
    assert left
    assert right
    assert not gap.strip()


@pytest.mark.parametrize(
    ("language", "text", "sentences"),
    [
        ("en", "Mr. Smith came. He left.", ["Mr. Smith came.", "He left."]),
        ("de", "Er sagt: ‚Das ist gut.‘ Dann geht er.", ["Er sagt: ‚Das ist gut.‘", "Dann geht er."]),
        ("de", "Okt. – Apr. Mi zu. Es war im Okt. Er kam.", ["Okt. – Apr. Mi zu.", "Es war im Okt.", "Er kam."]),
        ("de", "Das ist z. B. gut. Am 3. Mai war es kalt.", ["Das ist z. B. gut.", "Am 3. Mai war es kalt."]),
        ("en", "  One line\nand another.\r\n\r\nThe end", ["One line", "and another.", "The end"]),
        (
            "en",
            "10:30 – 10:45  Coffee break\nIn 2019  I moved.\n20  Eggs",
            ["10:30 – 10:45", "Coffee break", "In 2019  I moved.", "20  Eggs"],
        ),
        ("en", "It holds 45 l. It is 2 m. Call J. Smith.", ["It holds 45 l.", "It is 2 m.", "Call J. Smith."]),
        ("en", "- Milk\n• two eggs\n* bread", ["Milk", "two eggs", "bread"]),
        ("en", "Name\tAge  now", ["Name", "Age  now"]),
        ("en", "Item          Quantity  Price", ["Item", "Quantity", "Price"]),
        (
            "de",
            "Bestellung vom 2.9. (Nr. 3) und 3. Okt. (Feiertag). Am 3.5. (Sie kam.)\nMax. Größe 3",
            ["Bestellung vom 2.9. (Nr. 3) und 3. Okt. (Feiertag).", "Am 3.5.", "(Sie kam.)", "Max. Größe 3"],
        ),
        (
            "en",
            "  -v, --verbose  print more\n-o FILE  write to it\n  -Wall  warn\n-Buy milk  and eggs\n-5  degrees",
            [
                "-v, --verbose",
                "print more",
                "-o FILE",
                "write to it",
                "-Wall",
                "warn",
                "-Buy milk  and eggs",
                "-5  degrees",
            ],
        ),
        (
            "en",
            "✅ Done\n⚠\ufe0f Warning: wait! 🎉 Yes!\n👨\u200d👩\u200d👧 Back ↑\n1\ufe0f\u20e3 One",
            [
                "Done",
                "Warning: wait!",
                "Yes!",
                "Back",
                "One",
            ],
        ),
        ("en", "It is red.[1][12]\nIt is red[1].\nSee [1]", ["It is red.", "It is red[1].", "See [1]"]),
        (
            "en",
            "It is by Smith et al. [5]. It is red.[1] So it is.",
            ["It is by Smith et al. [5].", "It is red.", "So it is."],
        ),
        (
            "de",
            "(1) Die Frist beträgt fünf (5) Tage. (2) Es gelten zwei (2) Ausnahmen.",
            ["Die Frist beträgt fünf (5) Tage.", "Es gelten zwei (2) Ausnahmen."],
        ),
        (
            "de",
            "Sie hat am 5.5. Geburtstag. Das ist am 3.4. Danke! Das war am 6.7. Danach ging er.",
            ["Sie hat am 5.5. Geburtstag.", "Das ist am 3.4.", "Danke!", "Das war am 6.7.", "Danach ging er."],
        ),
        ("en", "Heading¶\nIt costs 5 €\nGo → there\n→", ["Heading", "It costs 5 €", "Go → there", "→"]),
        (
            "en",
            "It takes approx. 10 to 12 hrs. or more, Mon.–Fri. from 9. It took 2 hrs. Then it ended.",
            [
                "It takes approx. 10 to 12 hrs. or more, Mon.–Fri. from 9.",
                "It took 2 hrs.",
                "Then it ended.",
            ],
        ),
        (
            "de",
            "Im 19. Jahrhundert, vor dem 2. Weltkrieg, lebten hier 12 Tsd. Menschen. Es sind 5. Sie gehen.",
            [
                "Im 19. Jahrhundert, vor dem 2. Weltkrieg, lebten hier 12 Tsd. Menschen.",
                "Es sind 5.",
                "Sie gehen.",
            ],
        ),
        (
            "de",
            "Fr. Dipl.-Ing. Meier kam als 3. an, inkl. Gepäck.",
            ["Fr. Dipl.-Ing. Meier kam als 3. an, inkl. Gepäck."],
        ),
        ("de", " \n\t ", []),
        (
            "de",
            "Nach Plan\u00a0A\u00a0. Das\u3000war\u2003gut. Ende",
            ["Nach Plan\u00a0A\u00a0. Das\u3000war\u2003gut.", "Ende"],
        ),
    ],
)
def test_sentences(language: str, text: str, sentences: list[str]) -> None:
    """Abbreviations and dates do not end a sentence; line breaks, tabs and bullets separate, and so do columns."""
    assert list(segment(text, language).sentences) == sentences


@pytest.mark.parametrize(
    "text",
    [
        "Montag, 3. Juni, 9 Uhr",
        "15. Mai: Treffen",
        "15. MAI: TREFFEN",
        "Bitte bis Fr., 5. Mai, antworten.",
        "Vom 1. bis 3. Juni, danach…",
        "Vom 3. Jan. bis 5. Feb., täglich",
        "Am 3./4. Juni, abends",
        "1. FC Köln gewann.",
        "5. Etage",
        "Bitte 3. Stock klingeln.",
        "Büros im 3.-5. Stock, links",
        "Wohnung, 2. OG links",
        "Ende 3. Quartal",
        "Ab 3. Klasse, schon 5. Mal in Folge, zum 100. Geburtstag",
    ],
)
def test_an_ordinal_number_in_german_ends_no_sentence(text: str) -> None:
    """Before a month, or a noun that ordinal numbers stand before."""
    assert segment(text, "de").sentences == (text,)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Das Zimmer hat die Nummer 5.", "Morgen kommt Peter."),
        ("Das Zimmer hat die Nummer 5.", "Tag und Nacht ist es laut."),
        ("Die Hausnummer ist die Nummer 12.", "Woche um Woche steht es dort."),
        ("Lesen Sie Kapitel 3.", "Kapitel 4 ist leichter."),
        ("Es endete 3:2.", "Platz eins ging an Köln."),
        ("Es kostet 3,50.", "Platz nehmen kostet nichts."),
        ("Es sind 5.", "Platz ist genug da."),
        ("Ich habe 5.", "Mal sehen, ob das reicht."),
        ("Ich bin 12.", "Jan ist 13."),
        ("Das Zimmer 45.", "Mai, Juni und Juli sind frei."),
        ("Das war 2019.", "Tag der Arbeit ist im Mai."),
        ("Erstens 2.", "Zweitens"),
    ],
)
def test_a_number_may_end_a_sentence_in_german(first: str, second: str) -> None:
    """It does if no ordinal number stands like that, whatever the noun after it."""
    assert segment(f"{first} {second}", "de").sentences == (first, second)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Use ASP.NET Core or .NET for web apps."),
        ("en", "The class System.Collections.Generic is used."),
        ("en", "Import java.util.List first."),
        ("en", "Use Math.PI with Node.js, Vue.JS and Socket.IO here."),
        ("en", 'Call MyClass.Method, console.WriteLine("x") or json.Marshal(value) now.'),
        ("de", "Verwenden Sie ASP.NET und laden Sie System.Web.Mvc oder JSON.Parse, Math.PI und die .NET-Version."),
    ],
)
def test_a_point_in_a_name_ends_no_sentence(language: str, text: str) -> None:
    """Neither half would be translated as what it is."""
    assert segment(text, language).sentences == (text,)


@pytest.mark.parametrize(
    ("language", "text", "sentences"),
    [
        ("en", "This is fine.Really it is.", ["This is fine.", "Really it is."]),
        ("en", "I came.I saw.Nobody won.", ["I came.", "I saw.", "Nobody won."]),
        ("en", "I like NASA.They fly.", ["I like NASA.", "They fly."]),
        ("en", "See README.md.Then go.", ["See README.md.", "Then go."]),
        ("en", "This is Peter.Really.", ["This is Peter.", "Really."]),
        ("en", "He left at 5 p.m.Then I went.", ["He left at 5 p.m.", "Then I went."]),
        ("en", "PLEASE WAIT.THE DOOR IS OPEN.", ["PLEASE WAIT.", "THE DOOR IS OPEN."]),
        ("en", 'He said "yes".Then he left...Really?', ['He said "yes".', "Then he left...", "Really?"]),
        ("de", "Das ist mein Auto.Es ist rot.Danach kam er.", ["Das ist mein Auto.", "Es ist rot.", "Danach kam er."]),
        ("de", "Ich nutze JavaScript.Das ist gut.", ["Ich nutze JavaScript.", "Das ist gut."]),
    ],
)
def test_a_missing_space_does_not_hide_the_end_of_a_sentence(language: str, text: str, sentences: list[str]) -> None:
    """What looks like no name is cut."""
    assert list(segment(text, language).sentences) == sentences


@pytest.mark.parametrize(
    ("language", "text", "sentences"),
    [
        ("en", "« Previous\nNext »\nRead more. »\n← Back\nMore ►", ["Previous", "Next", "Read more.", "Back", "More"]),
        (
            "de",
            "« Zurück\n‹ Zurück\nWeiterlesen »\nWeiter ›\n▸ Mehr",
            ["Zurück"] * 2 + ["Weiterlesen", "Weiter", "Mehr"],
        ),
        ("en", "Home › Products › Shoes\nHome » Bags »", ["Home", "Products", "Shoes", "Home", "Bags"]),
        ("de", "Öffnen Sie Einstellungen › Datenschutz.", ["Öffnen Sie Einstellungen", "Datenschutz."]),
        ("en", "He said « hello » to me.\n« Hello »\n»", ["He said « hello » to me.", "« Hello »", "»"]),
        ("de", "Er sagte: »Komm!« Sie kam.\n»Ja«", ["Er sagte: »Komm!«", "Sie kam.", "»Ja«"]),
        ("de", "›Halb‹ und « ganz ».", ["›Halb‹ und « ganz »."]),
    ],
)
def test_guillemets_that_quote_nothing_are_signs(language: str, text: str, sentences: list[str]) -> None:
    """Set off by a space and without a counterpart, they lead on or back; quotation marks stay in their sentence."""
    segmented = segment(text, language)
    assert list(segmented.sentences) == sentences
    assert rebuilt(segmented) == text


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Brand: Samsung", ["Brand:", "Samsung"]),
        ("It is new. Result: “No errors”", ["It is new.", "Result:", "“No errors”"]),
        ("- Voltage: 230 V\n• CAUTION: Risk of fire", ["Voltage:", "230 V", "CAUTION:", "Risk of fire"]),
        ("Price: £12 a month\nHumidity: 61%", ["Price:", "£12 a month", "Humidity:", "61%"]),
        ("Total: £12.50\nServings: 4", ["Total:", "£12.50", "Servings:", "4"]),
        ("Mon: rain\nSun: 9-5\nDo: it", ["Mon:", "rain", "Sun:", "9-5", "Do: it"]),
    ],
)
def test_a_label_is_apart_from_its_value(text: str, sentences: list[str]) -> None:
    """Within one sentence the network lost either: "Venue: Town Hall" became "Vene:"."""
    assert list(segment(text, "en").sentences) == sentences


@pytest.mark.parametrize(
    "text",
    [
        "Anna: I am hungry.",
        "Mark: I am hungry.",
        "Contains: milk, soya",
        "Time: 10:30",
        "Version: 3.2",
        "CAUTION: RISK OF FIRE",
        "She asked: Where are we?",
        "Baker: I think so.",
        "Spoiler: He “dies”!",
    ],
)
def test_no_label_with_a_value(text: str) -> None:
    """Who speaks, what goes on with a small letter, a number, a line in capitals, more words, and sentences."""
    assert segment(text, "en").sentences == (text,)


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("| Name | Price in € | Number |", ["Name", "Price in €", "Number"]),
        ("Breaking news | The Guardian", ["Breaking news", "The Guardian"]),
        ('Item,Price,Note\nTable,49.99,"Round, of oak"\n', ["Item", "Price", "Note", "Table", '"Round, of oak"']),
        ("It costs 1,250,000 dollars", ["It costs 1,250,000 dollars"]),
        ("See http://x.org/a,bc,de or a(bc,de,fg)", ["See http://x.org/a,bc,de or a(bc,de,fg)"]),
        (
            "| Pos. | Lamp (red) | $2.50 |\nPress OK. | Opens it.",
            ["Pos.", "Lamp (red)", "$2.50", "Press OK.", "Opens it."],
        ),
        ('P(A | B), say "a | b", sort x | head', ['P(A | B), say "a | b", sort x | head']),
        ("Yes / No\nName / Your company / Both", ["Yes", "No", "Name", "Your company", "Both"]),
        (
            "Yes/No\nHe / she goes.\nThe Apollo / Saturn rocket programme",
            ["Yes/No", "He / she goes.", "The Apollo / Saturn rocket programme"],
        ),
        ("Check it → restart → try again", ["Check it", "restart", "try again"]),
        ("Soup (v)  £5.50\nShe left.  5 came  back", ["Soup (v)", "£5.50", "She left.", "5 came  back"]),
        ("Home · About us · Contact\nHome • Contact", ["Home", "About us", "Contact", "Home", "Contact"]),
        ("Stand: ☐ ledig ☐ verheiratet ☑ anders", ["Stand:", "ledig", "verheiratet", "anders"]),
        ("vor 5 Min. · bearbeitet", ["vor 5 Min.", "bearbeitet"]),
        ("Home > Women > Ankle boots", ["Home", "Women", "Ankle boots"]),
        ("File → Save as → PDF.", ["File", "Save as", "PDF."]),
        ("Screw;100;0.12\nName;First name;City", ["Screw", "100", "0.12", "Name", "First name", "City"]),
    ],
)
def test_labels_are_read_one_by_one(text: str, sentences: list[str]) -> None:
    """Of a menu, a path, the title of a page, a row of a table."""
    segmented = segment(text, "en")
    assert list(segmented.sentences) == sentences
    assert rebuilt(segmented) == text


@pytest.mark.parametrize(
    "text",
    [
        "The probability P(A | B) is high.",
        "Use ls | less to see it.",
        "You can find this filter through Filters → Noise → Spread.",
        "Go → there",
        "If a > b > c, then stop.",
        "Click File > Options",
        "He came; she went; they stayed.",
        "The product 3 · 4 + x · y is",
        "Please tick ☐ here",
        "It lasts 3·5 hours; sorry;)",
    ],
)
def test_a_sentence_has_no_labels(text: str) -> None:
    """It is too long, has punctuation, or goes on with a small letter."""
    assert segment(text, "en").sentences == (text,)


@pytest.mark.parametrize(
    ("language", "text", "sentences"),
    [
        (
            "en",
            "2025-03-14 02:11:09 WARN  Retry\n[2024-05-01 12:00:03] INFO: Go\n2024-05-01T12:00:03,1Z - ERROR - Bad",
            ["Retry", "Go", "Bad"],
        ),
        ("de", "2025-03-14 08:15:22,417 INFO  [main] Start", ["Start"]),
        ("en", "14/03/2024, 18:02 - Emma: Hi\n[3/14/24, 6:02 PM] Ann: Yo", ["Emma: Hi", "Ann: Yo"]),
        ("en", "a. Quiet hours\ni. More\nA. Smith", ["Quiet hours", "More", "A. Smith"]),
        ("de", "b. Ruhe\nz. B. Obst\ni. A. Koch", ["Ruhe", "z. B. Obst", "i. A. Koch"]),
        ("en", "2024-05-01 12:00:03 Started\n12:00:03 is late.", ["Started", "12:00:03 is late."]),
        ("en", "feat(ui): add it\n- fix: crash\nfeat: 1", ["add it", "crash", "feat: 1"]),
        ("en", "Fix: done\ntest: done\ntest(api): done", ["Fix: done", "test: done", "done"]),
        ("en", "a) First option\ni) one thing\n(iv) four\n- B) two", ["First option", "one thing", "four", "two"]),
        (
            "de",
            "(b) zweite Option\n1) Erstens\n2.) „Ja“\n(12) Zwölftens",
            ["zweite Option", "Erstens", "„Ja“", "Zwölftens"],
        ),
        (
            "en",
            "a) 5 eggs\n(see) this\n(s)he went\nf(x) is\na)",
            ["a) 5 eggs", "(see) this", "(s)he went", "f(x) is", "a)"],
        ),
        ("de", "mm) Wort\nzehn) Wort", ["mm) Wort", "zehn) Wort"]),
        ("de", "II. Kosten\nXIV. Ende\nII.\nII. und III.", ["Kosten", "Ende", "II.", "II. und III."]),
        ("en", "1/ First\n2/3 of them\n† Not on Sundays.", ["First", "2/3 of them", "Not on Sundays."]),
        (
            "de",
            "§ 1 Vertragsgegenstand\n§ 2a Kündigung. Es gilt § 3.\n§ 8 Strafgesetzbuch\n§ 9 Satz 2 gilt.",
            ["Vertragsgegenstand", "Kündigung.", "Es gilt § 3.", "§ 8 Strafgesetzbuch", "§ 9 Satz 2 gilt."],
        ),
        ("en", "2.1 Invoices\n1.1 Scope\n1.2.3 A test", ["Invoices", "Scope", "A test"]),
        ("de", "2.1 „Tagesordnung“\n13.7 Haftung\n1.2.3.4 Äpfel", ["„Tagesordnung“", "Haftung", "Äpfel"]),
        *(
            (language, text, [text])
            for language, text in [
                ("en", "2.1 GB are needed"),
                ("en", "3.5 million people"),
                ("en", "6.6 Magnitude Quake"),
                ("en", "1.2.3 is the version"),
                ("en", "5.1 Mbps"),
                ("de", "3.5 Millionen Menschen"),
                ("de", "1.5 Stunden später"),
                ("de", "100.000 Euro"),
                ("de", "22.45 Uhr"),
                ("de", "01.08.14 Treffen"),
                ("de", "2.5 Quadratmeter"),
            ]
        ),
        ("en", "a choice between a) yes and b) no", ["a choice between a) yes and b) no"]),
        ("en", "- [ ] Write tests\n[x] Done\n• [X] this\n[x]y", ["Write tests", "Done", "this", "[x]y"]),
    ],
)
def test_markers_of_a_list_are_bullets(language: str, text: str, sentences: list[str]) -> None:
    """A letter, a number or a Roman numeral with a bracket, before a word; a section's number, before no measure."""
    segmented = segment(text, language, find_placeholders(text))
    assert list(segmented.sentences) == sentences
    assert rebuilt(segmented) == text


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Add 2 tbsp. sugar and 1 tsp. (5 ml) salt."),
        ("en", "On Sat. 5 May, or Mon. Dec. 5, from Sat. to Sun. evening"),
        ("en", "Figs. 1-3 / Eqs. 2 / Secs. 4"),
        ("en", "It costs max. $500, est. EUR 450, at approx. -5 degrees."),
        ("en", "The call at 3:30 p.m. EST and at 5 P.M. (GMT)"),
        ("de", "Sa., 11.5.: Flohmarkt"),
        ("en", "A desk 5 in. wide and a boy 12 yrs. old"),
        ("de", "Hrn. Schmidt, gez. Müller, Fam. Meier und Gebr. Grimm"),
        ("de", "Die ehem. DDR hatte nach dt. Recht einen engl. Text, österr. Küche und die Hl. Messe."),
        ("de", "Es gilt max. Tempo 30 wg. Bauarbeiten, ehem. „Adler“"),
        ("en", "The total is £5 incl. VAT, approx. Monday, with min. RAM and at 9 a.m. Tuesday in Leeds"),
        ("en", "The prev. version of the std. manual, Attn. Mr. Smith, bal. $5, in ref. 7"),
        ("de", "Die jährl. Kosten und zahlr. Beispiele der Dt. Bank, mit frdl. Gruß von Dr. med. dent. Meier"),
        ("de", "Dr. h. c. mult. Klaus Meier und Dr. rer. nat. Anna Huber, 2. Aufl., Berlin"),
        ("en", "See Eq. (5) and Fig. (2)."),
        ("de", "Mit 3 Pck. Zucker, 2 Fl. Wein und 1 Msp. Zimt"),
        ("de", "2 Zi., Kü., Bad; Str., Hausnr., PLZ; Abb., Tab.; Xyz.; Ende"),
        ("de", "Wie Meier et al. [5, 6] zeigen, siehe Abb. [3] und Tab. [4], [5], ist das falsch."),
        ("en", "It is kept in Rm. 101, see nos. 3 and 4."),
        ("en", "As Meyer et al. [5] and others et al.[6][7] have shown, see (Fig. [3]), it is wrong."),
    ],
)
def test_an_abbreviation_ends_no_sentence(language: str, text: str) -> None:
    """Before what may follow it."""
    assert segment(text, language).sentences == (text,)


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        ("en", ["We saw the sun.", "5 people sat.", "We came in.", "Close all tabs.", "They like figs."]),
        ("en", ["Ask the mgr.", "He knows the std.", "See the ref."]),
        ("de", ["Sie zahlt 5 € mtl.", "Die Miete ist hoch.", "Er ist verh.", "Anna kommt mit 5 Fl.", "Das ist gut."]),
        ("en", ["Add 2 tbsp.", "Stir.", "It weighs 5 kg.", "3 men lifted it.", "Open on Sat.", "Closed on Sun."]),
        (
            "de",
            [
                "Das ist Franz.",
                "Er ist Bayer.",
                "Er wohnt in einer WG.",
                "Sie ist in der Schweiz.",
                "Da ist Max.",
                "Ja.",
            ],
        ),
    ],
)
def test_an_abbreviation_may_be_a_word(language: str, sentences: list[str]) -> None:
    """At the end of a sentence it is, or the next sentence shows that it ended one."""
    assert list(segment(" ".join(sentences), language).sentences) == sentences


@pytest.mark.parametrize(
    "unit",
    [
        "3. Juni, ",
        "5. ",
        "A.B",
        "aA.",
        "ASP.NET",
        "»",
        "« ",
        " › a",
        "a) ",
        "(iv) ",
        "Hrn. ",
        "tbsp. a ",
        "→ ",
        "-",
        "!",
        ". ",
        "=== ",
        "____ A",
    ],
)  # fmt: skip
@pytest.mark.parametrize("language", ["en", "de"])
def test_repetitions_take_linear_time(unit: str, language: str) -> None:
    """Twice as much of anything that the rules look at takes about twice as long, and nothing of it is lost."""

    def seconds(text: str) -> float:
        started = time.process_time()
        assert rebuilt(segment(text, language)) == text
        return time.process_time() - started

    short, long = ((unit * size)[:size] for size in (20_000, 40_000))
    assert min(seconds(long) for _ in range(2)) < 3 * max(seconds(short) for _ in range(2)) + 0.1


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("=== Settings ===\n== Overview ==\n## Note ##", ["Settings", "Overview", "Note"]),
        ("-----Original Message-----\n+++News", ["Original Message", "News"]),
        ("Name: ________\n________\n(Signature)", ["Name:", "(Signature)"]),
        ("Date ____ Signature ____", ["Date", "Signature"]),
        ("I, ____, between ____ and ____.", ["I, ____, between ____ and ____."]),
        ("1 Scope ........ 3\n2 Terms......4\n3 End . . . . . 5", ["1 Scope", "3", "2 Terms", "4", "3 End", "5"]),
        ("I do not know.... but wait... I do", ["I do not know.... but wait... I do"]),
        ("Help!!! What?! Nice :) I know ....", ["Help!", "What?!", "Nice", "I know"]),
        ("Help!! What?? Why?!! No !!", ["Help!", "What?", "Why?", "No !"]),
        ("C# and C++\nEntry ---> here\na == b", ["C# and C++", "Entry ---> here", "a == b"]),
        ("[music playing]\n[He laughs.]\n[x] Done [1]", ["music playing", "He laughs.", "Done [1]"]),
        ("10:30 - Coffee\n9:00–9:45 – Opening\n10:30 - 11", ["Coffee", "Opening", "10:30 - 11"]),
    ],
)
def test_runs_of_signs_are_no_part_of_a_sentence(text: str, sentences: list[str]) -> None:
    """At its edges; so are dots that lead to a page, and what is between the fields of a form."""
    segmented = segment(text, "en")
    assert list(segmented.sentences) == sentences
    assert rebuilt(segmented) == text


@pytest.mark.parametrize(
    ("language", "text", "sentences"),
    [
        ("de", "Guten Morgen ☀\ufe0f Gut geschlafen?", ["Guten Morgen", "Gut geschlafen?"]),
        ("de", "Danke😊 Bis morgen 👋🏽 Anna", ["Danke😊", "Bis morgen", "Anna"]),
        ("en", "Nice :) Thanks for all ;-) “Really”", ["Nice", "Thanks for all", "“Really”"]),
        ("en", "I ❤ Berlin", ["I ❤ Berlin"]),
        ("en", "5 stars ⭐⭐⭐⭐⭐ Best app ever", ["5 stars", "Best app ever"]),
        ("de", "Der 😀 Mann, ich 🔥 Rom und du :) auch", ["Der 😀 Mann, ich 🔥 Rom und du :) auch"]),
        ("de", "Unser 🎄 Markt und 🔗 Adobe", ["Unser 🎄 Markt und 🔗 Adobe"]),
    ],
)
def test_a_face_may_end_a_sentence(language: str, text: str, sentences: list[str]) -> None:
    """Before a capital letter, unless what precedes it wants more; other signs may stand before a noun."""
    segmented = segment(text, language)
    assert list(segmented.sentences) == sentences
    assert rebuilt(segmented) == text


def test_signs_of_emphasis_may_be_around_a_whole_sentence() -> None:
    """What is in them is a sentence, a word or a phrase as any other; if more follows, they stay in it."""
    text = "- *Attention!* So it is.\n_Please note_ this.* *a _b_*"
    segmented = segment(text, "en", find_placeholders(text))
    assert segmented.sentences == ("Attention!", "So it is.", "_Please note_ this.*", "*a _b_*")
    assert rebuilt(segmented) == text
    assert segment("*One*", "en").sentences == ("*One*",)
    kept = Span(0, 1), Span(13, 14)
    assert segment("*Come here!!!* Go", "en", kept).sentences == ("Come here!", "Go")


def test_what_is_kept_is_no_sign_around_a_sentence() -> None:
    """A sign that is part of what must not be translated stays in its sentence."""
    assert segment("→ One →", "en", [Span(0, 1)]).sentences == ("→ One",)
    assert segment("One →", "en", [Span(0, 5)]).sentences == ("One →",)
    assert segment("Home › Shoes", "en", [Span(0, 12)]).sentences == ("Home › Shoes",)
    assert segment("a) One", "en", [Span(0, 2)]).sentences == ("a) One",)


def test_what_the_library_panics_on_stays_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """A panic in Rust is no Exception; it costs the boundaries, not the request."""
    monkeypatch.setattr("service.pipeline.segmentation.sentences._WIDE_SPACE", re.compile(r"(?!)"))
    assert segment("Plan A\u00a0. It ends.", "en").sentences == ("Plan A\u00a0. It ends.",)


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        ("we came home, it rained; we slept, and the sun", ("we came home, it rained;", " ", "we slept, and the sun")),
        ("es hat geregnet, und wir schliefen", ("es hat geregnet,", " ", "und wir schliefen")),
        ("a word in the middle of it", ("a word in the", " ", "middle of it")),
        ("the price is 3,500,000,000,000 now", ("the price is", " ", "3,500,000,000,000 now")),
        ("Donaudampfschiff", ("Donaudam", "", "pfschiff")),
        ("o\u0308o\u0308o\u0308", ("o\u0308", "", "o\u0308o\u0308")),
    ],
)
def test_cuts_are_at_the_best_place(sentence: str, parts: tuple[str, str, str]) -> None:
    """At a clause if there is one near the middle, else between words, else between characters with their marks."""
    assert cut(sentence) == parts


@pytest.mark.parametrize(
    ("text", "language", "sentences"),
    [
        ("> Subject: RE: Meeting tomorrow", "en", ["Subject:", "RE:", "Meeting tomorrow"]),
        ("To: Support <a@b.org>\nCc: Anna", "en", ["To:", "Support <a@b.org>", "Cc: Anna"]),
        ("Betr.: Treffen\n20 Uhr: Konzert", "de", ["Betr.:", "Treffen", "20 Uhr:", "Konzert"]),
        ("AW: WG: Treffen", "de", ["AW:", "WG:", "Treffen"]),
        ("from: the first item", "en", ["from: the first item"]),
        ("To: 10 March", "en", ["To: 10 March"]),
        ("Subject:", "en", ["Subject:"]),
        ("Colour: navy blue", "en", ["Colour:", "navy blue"]),
        ("This is it. To: Support", "en", ["This is it.", "To: Support"]),
        ("An: Support", "en", ["An: Support"]),
    ],
)
def test_labels_of_mails(text: str, language: str, sentences: list[str]) -> None:
    """What the lines of a header begin with is apart from the value; dates, to which some lead, too, are left there."""
    assert list(segment(text, language).sentences) == sentences
