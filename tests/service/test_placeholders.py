"""What is found by its form: messages, formulas, tags in brackets, addresses, names in programs; and prose is not."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from service.pipeline.finders.placeholders import find_placeholders

if TYPE_CHECKING:
    import httpx

BOUND_S = 0.5
"""Of processor time, for 20,000 characters; a twentieth is needed. What grew with their square took minutes."""

GENDERS = "{gender, select, male {%s} female {%s} other {%s}}"
COUNTS = (
    "{count, plural, one {There is one new message in the inbox that all of them share with each other} "
    "other {There are # new messages in the inbox that all of them share with each other}}"
)

CHOICE = "{0,choice,0#are no files|1#is one file|1<are {0,number,integer} files}"
QUOTED = '[quote="Anna", post:1, topic:2]'


def shown(text: str) -> list[str]:
    """What is found in it."""
    return [text[span.start : span.end] for span in find_placeholders(text)]


@pytest.mark.parametrize(
    "message",
    [
        CHOICE,
        "{n, choice, -1≤no files are left | 0.5<some files are left}",
        GENDERS % (COUNTS, COUNTS, COUNTS),
        "{count, selectordinal, " + "one {is the #st of them} other {is the #th of them} " * 20 + "}",
        "{count, plural, =0 {no new files} other {" + "and so on " * 100 + "}}",
        "{n, spellout, with no words}",
        "{n, ordinal, in the feminine}",
        "{n, duration, in long words}",
    ],
)
def test_a_message_is_found_whole(message: str) -> None:
    """A message in ICU's format is kept with all its cases, however long they are."""
    assert shown(message) == [message]
    assert shown(f"You see: {message}, all of it.") == [message]


@pytest.mark.parametrize(
    "text",
    [
        "{in the usual way} of all things",
        "{quality, choice, price and so on}",
        "{the choice, one of them}",
        "{plural, select and other words}",
        "{today, date: " + "as it was said before, " * 40 + "}",
        "{name, date, " + "as it was said before, " * 40 + "}",
    ],
)
def test_prose_in_braces_is_none(text: str) -> None:
    """What a message's format is named for is a word too."""
    assert shown(text) == []


def test_a_unit_belongs_to_its_placeholder() -> None:
    """So does no ending of a word."""
    assert shown("The image is {width}px or ${size}MB.") == ["{width}px", "${size}MB"]
    assert shown("All {item}s of {user}mb and {n}msec") == ["{item}", "{user}", "{n}"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"The area is $A = \pi r^2$, with $r_0$.", [r"$A = \pi r^2$", "$r_0$"]),
        (r"($\bar{x} = \frac{1}{n}\sum_{i=1}^n x_i$)", [r"$\bar{x} = \frac{1}{n}\sum_{i=1}^n x_i$"]),
        (r"$f(x) = 1 \text{ if it is so}$ and $x_{max value} = \{2\}$", [
            r"$f(x) = 1 \text{ if it is so}$",
            r"$x_{max value} = \{2\}$",
        ]),
        (r"For $n$ of $x$ is $2x = 10$.", ["$n$", "$x$", "$2x = 10$"]),
        (r"It costs \$5 or $c_\$ = 5$.", [r"$c_\$ = 5$"]),
        ("$$\nE = mc^2\n$$ and $$a_1$$", ["$$\nE = mc^2\n$$", "$$a_1$$"]),
        (r"CO$_2$ at 90$^\circ$, H$_2$O, Na$^+$, 10$^{-3}$ and 2$\times$3", [
            "$_2$", r"$^\circ$", "$_2$", "$^+$", "$^{-3}$", r"$\times$",
        ]),
        (r"Of \(x\), \(a_i + b\) and \[ \sum_i x_i \].", [r"\(x\)", r"\(a_i + b\)", r"\[ \sum_i x_i \]"]),
        (r"See \ref{fig:a}, \frac{\bar{x}}{n}, \sqrt[3]{x}.", [r"\ref{fig:a}", r"\frac{\bar{x}}{n}", r"\sqrt[3]{x}"]),
        (r"This is \emph{two words}.", [r"\emph"]),
    ],
)  # fmt: skip
def test_latex(text: str, expected: list[str]) -> None:
    """Formulas are found whole, words in the arguments of their commands included, and commands outside of them."""
    assert shown(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tickets cost from $5 to $10, or $5=€4 to $6.", []),
        ("It is $5 (= 4 EUR), they pay 10$ and we 20$.", []),
        ("In US$5 = A$7, $5 = 4 EUR for 10$", []),
        ("It costs $5/$10 in a_b and 3 $.", ["a_b"]),
        ("Make $$$ fast, $$ bills and $$", []),
        ("$name_first is nice; we paid 5$", ["$name_first"]),
        ("$_GET,$name or ${a}${b}, ${a} and {b}$", ["$_GET", "$name", "${a}${b}", "${a}", "{b}"]),
        ("PATH=$HOME/a_b:$PATH", ["$HOME", "$PATH"]),
        ("$a = $b; $c_d = $e", ["$a", "$b", "$c_d", "$e"]),
        ("$A is $5", ["$A"]),
        (r"An \(optional\) word, \(see below\), \[see the note a_b\]", []),
        (r"Folder C:\new{x} and foo\nbar{x}, \u00e4 or a\b", [r"C:\new{x}", "{x}", r"\u00e4", r"a\b"]),
    ],
)
def test_money_and_variables_are_no_formulas(text: str, expected: list[str]) -> None:
    """Prices stay text, variables of shells stay variables, and nothing between two of them is kept."""
    assert shown(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('See [gallery ids="1,2,3" columns="2"].', ['[gallery ids="1,2,3" columns="2"]']),
        ("[gallery ids=1,2,3 /] [vc_row el_class='my row']", ["[gallery ids=1,2,3 /]", "[vc_row el_class='my row']"]),
        ('[contact-form-7 id="12" title="Contact form"]', ['[contact-form-7 id="12" title="Contact form"]']),
        ('[caption id="a" width="300"]The old house[/caption]', ['[caption id="a" width="300"]', "[/caption]"]),
        ("[quote]Hello, you two.[/quote]", ["[quote]", "[/quote]"]),
        ("[QUOTE=Anna Schmidt]Hello.[/quote] [b]bold[/B]", ["[QUOTE=Anna Schmidt]", "[/quote]", "[b]", "[/B]"]),
        (f"{QUOTED}\nHello, [color=#ff0000]red", [QUOTED, "[color=#ff0000]"]),
        ("[url=https://example.org/a]the link[/url]", ["[url=https://example.org/a]", "[/url]"]),
        ("[url]https://example.org/a[/url] [img]b.png[/img]", [
            "[url]https://example.org/a[/url]",
            "[img]b.png[/img]",
        ]),
        ("[video controls]a film[/video] with [/b]", ["[video controls]", "[/video]", "[/b]"]),
    ],
)  # fmt: skip
def test_tags_in_square_brackets(text: str, expected: list[str]) -> None:
    """Shortcodes and BBCode are found with their attributes; what is between them is text, or an address."""
    assert shown(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "He said [sic] that [1] they [the children] were there [optional] [...].",
        "[quote] of the day, and [b] without its end",
        "[see x = 5], [where n=5 and m=3], [n=25] and [HR=0.75]",
        "[Note: the end=near] [this is that x=y]",
        "An [and/or] in brackets, [/ no name], [] and [ ]",
    ],
)
def test_prose_in_square_brackets_is_none(text: str) -> None:
    """Words in brackets are no tags while nothing closes them, and neither are figures."""
    assert shown(text) == []


def test_names_in_double_brackets() -> None:
    """They stand for something; with a capital or a space they are text, as of a wiki."""
    text = "Hello [[name]], see [[user.first_name]], [[Home Page]], [[Haus]] and [[[a]]]."
    assert shown(text) == ["[[name]]", "[[user.first_name]]", "[[", "]]", "[[", "]]"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Click [here], then [Save changes] and press the [Ein]-Taste.", 3),
        ("Choose [File] > [Save].", 2),
        ('[Optional] They [the parents] wrote: "Well, [laughs] it is late [optional]."', 0),
    ],
)
def test_brackets_around_what_is_on_a_button(text: str, words: int) -> None:
    """They stand beside a word that the sentence needs; what is explained or told of a scene does not."""
    assert shown(text) == ["[", "]"] * words


@pytest.mark.parametrize(
    "address",
    [
        "2001:db8::1", "::1", "fe80::1%eth0", "[::1]:8080", "[2001:db8::1]", "::ffff:192.0.2.1", "2001:db8::/32",
        "2001:db8::", "2001:0db8:85a3:0000:0000:8a2e:0370:7334", "2001:DB8:0:0:1:0:0:1/64",
        "00:1A:2b:3c:4d:5e", "00-1A-2B-3C-4D-5E", "aa:bb:cc:dd:ee:ff",
    ],
)  # fmt: skip
def test_addresses_of_networks(address: str) -> None:
    """Addresses of IPv6 and MAC addresses are found whole, whatever punctuation is around them."""
    for text in ("The address {} is used.", "It is {}.", "({}), of course", "{}: unreachable"):
        assert shown(text.format(address)) == [address]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("At 10:30:00, 10:30 or 01:02:03:04, a score of 3:2", []),
        ("Note:: a list, add::, a :: b and 01-02-03-04-05-06", []),
        ("a::b, dead::beef, std::sort and Face::add()", ["a::b", "dead::beef", "std::sort", "Face::add()"]),
        ("Call 030-12-34-56-78 on 2024-10-03", []),
        ("1:2:3:4:5:6:7 is no address, 12345::1 neither", []),
    ],
)
def test_times_and_code_are_no_addresses(text: str, expected: list[str]) -> None:
    """Times, telephone numbers and lists are text, names of C++ are names."""
    assert shown(text) == expected


@pytest.mark.parametrize(
    "name",
    [
        "System.Collections.Generic", "java.util.List", "os.path.join", "org.example.viewer", "System.Drawing.Point2D",
        "user.firstName", "Console.WriteLine", "Math.PI", "Number.EPSILON",
    ],
)  # fmt: skip
def test_dotted_names(name: str) -> None:
    """Names of programs with dots in them are found whole."""
    for text in ("Use {} for it.", "It is {}.", "“{}”, of course", "{}'s value"):
        assert shown(text.format(name)) == [name]


@pytest.mark.parametrize(
    "text",
    [
        "This is e.g. true, z.B. hier, d.h. i.d.R. so, a.m. and p.m., v.Chr. and u.v.a.m.",
        "The U.S.A. and Dr.Müller, Prof.Dr.Müller, St.Gallen, Ph.D. and Dipl.Ing. Meier",
        "This is the end.Next sentence, Das ist das Ende.Der nächste Satz, Eine GmbH.Die Firma",
        "word.word, Haus.Garten, und.VER, E.ON and ASP.NET",
        "Geburtsdatum (TT.MM.JJJJ), date of birth DD.MM.YYYY",
        "It is 3.10.2024, 1.234.567 or 10.30.Uhr; wait...what",
    ],
)
def test_abbreviations_and_ends_of_sentences_are_no_names(text: str) -> None:
    """A full stop within a word is an abbreviation's, or a space is missing after it."""
    assert shown(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("In Rome #italy2024, (#Urlaub) and #a_b!", ["#italy2024", "#Urlaub", "#a_b"]),
        ("C# and F#, Bug#12 and #12, # Note, a#b, #debian-women", []),
        ("[2024-05-01 10:23:45,123] INFO 09:10:11,000: done", ["10:23:45,123", "09:10:11,000"]),
        ("2:03:45,12 hours, at 10:23:45, 123 of them, 10:23,123", []),
        ("It is funny :D and :P", []),
    ],
)
def test_hashtags_and_times_of_logs(text: str, expected: list[str]) -> None:
    """Hashtags of one word, and times with thousandths of a second; a smiley is no placeholder."""
    assert shown(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("An: Klaus Grün <k.g@a.de>, Anna Holz <b@a.de>", ["Klaus Grün <k.g@a.de>", "Anna Holz <b@a.de>"]),
        ("Ask Tom Bell <t@a.org> or\nSales <s@a.org>", ["<t@a.org>", "<s@a.org>"]),
        ("In [3,4], [1, 12] and [2,*], not [0,5], [1.5] or (3,4)", ["[3,4]", "[1, 12]", "[2,*]"]),
        ("Install tool==4.2.0, (a.b==c), ==this== or a == b", ["tool==4.2.0", "a.b==c", "==", "=="]),
        ("See @:a.b, @.lower:c_d: and @:", ["@:a.b", "@.lower:c_d"]),
    ],
)
def test_what_other_programs_read(text: str, expected: list[str]) -> None:
    """Names before addresses of mail, numbers in square brackets, versions, links between messages."""
    assert shown(text) == expected


@pytest.mark.parametrize("before", ["", "$x_", r"\(", "[a ", "{a,plural,"])
@pytest.mark.parametrize(
    "unit",
    [
        "$", "[", "{", ":", "$$", "$a_", "$_", "$_a", r"$\a{", r"\(", r"\(x_", r"\[", r"\aa{", r"\aa[", r"\\", r"\$",
        "_{", r"\text{aa aa} ", "[a ", "[a b=", "[a b=c ", "bb=cc ", '[a b="', 'b="c" ', "[aa=", "[/a", "[a]", "[/a]",
        "1:", "ab:", "ab-", "1::", "[::1", "aa.", "aA.", "{a,", "{a,plural,", "{a,choice,1", "}", "$\n", "#a", "10:",
        "\nA a ", ": A B <", "[1,", "@:a",
    ],
)  # fmt: skip
def test_floods_take_no_time(before: str, unit: str) -> None:
    """What begins one of these and never ends it is searched in time that is bounded."""
    text = before + (unit * 20_000)[:20_000]
    started = time.process_time()
    find_placeholders(text)
    assert time.process_time() - started < BOUND_S


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (f"The folder says: {GENDERS % (COUNTS, COUNTS, COUNTS)}.", [GENDERS % (COUNTS, COUNTS, COUNTS)]),
        (r"The area of a circle is $A = \pi r^2$ and the mean is $\bar{x}$.", [r"$A = \pi r^2$", r"$\bar{x}$"]),
        ("The formula is\n$$\nx^2 = 1\n$$\nand it is small.", ["\n$$\nx^2 = 1\n$$\n"]),
        (
            '[caption id="a" width="300"]The old house by the sea[/caption]',
            ['[caption id="a" width="300"]', "[/caption]"],
        ),
        ("The address 2001:db8::1 is used.", [" 2001:db8::1 "]),
        ("The class System.Collections.Generic is used.", ["System.Collections.Generic"]),
    ],
)
def test_through_the_service(client: httpx.Client, text: str, kept: list[str]) -> None:
    """The words around them are translated, they come out as they were."""
    response = client.post("/translate?dir=en-de", json={"text": text})
    assert response.status_code == 200, response.text
    translation = response.json()["translations"][0]["text"]
    assert translation != text
    assert all(translation.count(one) == 1 for one in kept), translation


def test_inches_and_feet() -> None:
    """Signs of inches beside each other are no quotation marks; other quotation marks after numbers are."""
    assert shown('He is 6\'2" tall, it is 12.5" x 8.3".') == ["6'2\"", '12.5" x 8.3"']
    assert shown("\"Windows 10\" and '2024' and the 90's, 1' x \"5\"") == []
