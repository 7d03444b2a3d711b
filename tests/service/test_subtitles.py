"""Format srt, SubRip and WebVTT: captions are translated, times and settings stay; pysubs2 reads the result."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pysubs2
import pytest
from hypothesis import example, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from service.formats import parse, split
from service.types import Format
from tests.service.documents import (
    FLOOD,
    check_flood,
    from_gallery,
    read_or_refuse,
    refusal,
    rewrite,
    swapped,
    translate_document,
)

if TYPE_CHECKING:
    import httpx

TIMES = "00:00:01,000 --> 00:00:02,500"
LINES = [TIMES, "1", "12 ", "", "Hello", "- Yes.", "<i>so", "</i>", "{\\an8}a", "A --> B", "♪ la", "<b>x</b> y", " \t"]
SCRIPTS = st.lists(st.tuples(st.sampled_from(LINES), st.sampled_from(["\n", "\r\n", "\n\n", "\r"])), max_size=20).map(
    lambda lines: "".join(line + end for line, end in lines)
)
# What a translation may hold: anything but control characters.
TEXTS = st.lists(
    st.sampled_from([" ", "-->", "\n", "\r\n", TIMES]) | st.characters(exclude_categories=["Cc", "Cs"])
).map("".join)

FILM = from_gallery("film.srt")
WEB = from_gallery("film.vtt")


def spoken(source: str, form: str = "srt") -> list[tuple[int, int, str]]:
    """Start, end and text of each caption, in milliseconds, as pysubs2 reads them."""
    events = pysubs2.SSAFile.from_string(source.removeprefix("\ufeff"), format_=form).events
    return [(event.start, event.end, event.text) for event in events]


@given(SCRIPTS)
@hypothesis_settings(max_examples=60)
def test_any_script_comes_back_byte_for_byte(source: str) -> None:
    """With its own texts a file is itself, however odd; without any times it is refused."""
    assert read_or_refuse(Format.SRT, source) == (source if TIMES in source else None)
    assert read_or_refuse(Format.SRT, f"WEBVTT\n\n{source}") == (f"WEBVTT\n\n{source}" if TIMES in source else None)


@given(SCRIPTS, TEXTS)
@example("Hello\n", "--->")
@hypothesis_settings(max_examples=60)
def test_no_translation_upsets_the_times(source: str, text: str) -> None:
    """Whatever the translations are, even line ends and arrows: the captions are as many, their times the same."""
    source = f"{TIMES}\n{source}"
    for header in ("", "WEBVTT\n\n"):
        written = rewrite(Format.SRT, header + source, lambda _: text)
        assert written.splitlines().count(TIMES) == source.splitlines().count(TIMES)
        assert written.count("-->") == (header + source).count("-->") - sum(
            block.text.count("-->") for block in parse(Format.SRT, header + source).blocks
        )


@pytest.mark.parametrize(
    ("caption", "text", "written"),
    [
        ("One two three\nfour five six", "Eins zwei drei vier fünf sechs", "Eins zwei drei\nvier fünf sechs"),
        ("Well, then,\nlet us go now", "Nun gut, dann gehen wir jetzt", "Nun gut,\ndann gehen wir jetzt"),
        ("a b\nc d\ne f", "u v w x y z", "u v\nw x\ny z"),
        ("one\ntwo", "Eins", "Eins"),
        ("one\ntwo\nthree", "a b", "a\nb"),
        ("{\\an8}<i>One\ntwo</i>", "eins zwei", "{\\an8}<i>eins\nzwei</i>"),
        ("One\ntwo", "", ""),
        ("One", "a\n\nb --> c", "a  b ->> c"),
    ],
)
def test_lines_are_broken_again(caption: str, text: str, written: str) -> None:
    """About where they were, at a space, after a comma if there it was; markup around all of it stays around it."""
    source = f"1\n{TIMES}\n{{}}\n\n2\n{TIMES}\n42\n"
    assert len(parse(Format.SRT, source.format(caption)).blocks) == 1
    assert rewrite(Format.SRT, source.format(caption), lambda _: text) == source.format(written)


def test_speakers_keep_their_lines() -> None:
    """Lines that begin with a dash are texts of their own, without it; a line that goes on is not."""
    texts = [block.text for block in parse(Format.SRT, f"1\n{TIMES}\n<i>- Yes,\nI do.\n– No.</i>\n").blocks]
    assert texts == ["Yes, I do.", "No."]
    (block,) = parse(Format.SRT, f"1\n{TIMES}\n- <i>Yes.</i>\n").blocks
    assert block.text == "Yes."

    for start in (">>", "&gt;&gt;"):
        blocks = parse(Format.SRT, f"WEBVTT\n\n{TIMES}\n{start} Yes,\nI do.\n{start} No.\n").blocks
        assert [block.text for block in blocks] == ["Yes, I do.", "No."]


@pytest.mark.parametrize(
    "caption", ["-a", "– a", "- <i>a</i>", ">> a > b", "<i>&gt;&gt; a &gt; b</i>", "-5 a", "a\n-b\n- c"]
)
def test_signs_stay_as_they_are(caption: str) -> None:
    """Those of speakers with a space after them or without, and those that may be entities as they were."""
    source = f"WEBVTT\n\n{TIMES}\n{{}}\n"
    after = re.sub(r"(?<![a-z&])[a-c](?![a-z])", lambda found: found[0].upper(), caption)
    assert swapped(Format.SRT, source.format(caption)) == source.format(after)


def test_a_line_with_a_space_is_not_blank() -> None:
    """It begins captions of YouTube's WebVTT: the words below it are text, a name after a blank line is not."""
    source = f"WEBVTT\n\n{TIMES}\n \none<00:00:01.500><c> two</c>\n\nname\n{TIMES}\nthree\n \n"
    after = rewrite(Format.SRT, source, str.upper)
    assert after == source.replace("one<", "ONE<").replace(" two", " TWO").replace("three", "THREE")
    assert "".join(part.text for part in split(Format.SRT, source, 70)) == source


def test_the_language_of_the_header() -> None:
    """As YouTube writes it, where it is that of the captions; a line of a caption is a line of a caption."""
    source = "WEBVTT\r\nKind: captions\r\nLanguage: {}\r\n\r\n00:01.000 --> 00:02.000\r\nLanguage: en\r\n"
    for before, after in (("en", "de"), ("en-GB", "de"), ("fr", "fr")):
        written = rewrite(Format.SRT, source.format(before), str.upper, ("en", "de"))
        assert written == source.format(after).replace("Language: en\r\n", "LANGUAGE: EN\r\n")


def test_times_within_a_caption_keep_growing() -> None:
    """They follow their words, which may have changed places, but the earlier one comes first."""
    source = f"WEBVTT\n\n{TIMES}\n<00:00:01.000>one <00:00:01.500>two <00:00:02.000>three\n"
    document = parse(Format.SRT, source)
    (block,) = document.blocks
    one, two = block.inlines
    assert document.render([replace(block, text="x y z", inlines=(replace(two, at=0), replace(one, at=4)))]) == (
        source.replace("one <00:00:01.500>two <00:00:02.000>three", "<00:00:01.500>x y <00:00:02.000>z")
    )


def test_subrip_translated_by_the_service(client: httpx.Client) -> None:
    """Numbers, times, line ends, positions and markup are those of the file; the captions are German."""
    translated = translate_document(client, Format.SRT, FILM)
    before, after = spoken(FILM), spoken(translated)
    assert [one[:2] for one in after] == [one[:2] for one in before]
    assert all(old[2] != new[2] for old, new in zip(before[:2], after[:2], strict=True))
    assert after[2] == before[2]
    lines = translated.splitlines()
    assert lines[:2] == FILM.splitlines()[:2]
    assert lines[2].startswith("{\\an8}<i>")
    assert lines[3].endswith("</i>")
    assert [line[:2] for line in lines[7:9]] == ["- ", "- "]
    assert len(re.findall("<b>[^<]*</b>", lines[8])) == 1
    assert translated.count("\r\n") == FILM.count("\r\n") == translated.count("\n")


def test_webvtt_translated_by_the_service(client: httpx.Client) -> None:
    """Header, style, comments, names and settings are those of the file; entities are read and written."""
    translated = translate_document(client, Format.SRT, WEB)
    before, after = spoken(WEB, "vtt"), spoken(translated, "vtt")
    assert [one[:2] for one in after] == [one[:2] for one in before]
    start = WEB.index("<v Anna>")
    assert translated.startswith(WEB[:start] + "<v Anna>Zwei Männer")
    assert not re.search("&(?!amp;|nbsp;|lt;|gt;)", translated)
    assert len(re.findall(r"<c\.loud>[^<]*</c>", translated)) == 1
    assert "\n\nNOTE nor is this\n\n00:05.000 --> 00:06.000\n" in translated
    assert translated.endswith("Guten Morgen!\n")


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("Just a text.", "no caption: there is no line with a start and an end"),
        (f"1\n{TIMES}\nHi\n\n2\n00:00:0x,000 --> 00:00:04,000\nHo\n", "line 6: not a start and an end in hours"),
    ],
)
def test_refusals_say_where(source: str, reason: str) -> None:
    """A file without captions, and a line that is meant to be times but is not."""
    assert refusal(Format.SRT, source).startswith(reason)


@pytest.mark.parametrize(
    "source",
    [
        f"{TIMES}\n" * (FLOOD // 30),
        f"{TIMES}\n" + "a\n" * (FLOOD // 2),
        f"{TIMES}\n" + "a " * (FLOOD // 2) + "\nb",
        f"{TIMES}\n" + "<i>a" * (FLOOD // 4),
        f"{TIMES}\n" + "<i>a</b>" * (FLOOD // 8),
        f"{TIMES}\n- " + "<" * FLOOD,
        f"{TIMES}\n" + "{\\" * (FLOOD // 2) + "a",
        f"{TIMES}\n" + " " * FLOOD + "a",
        "1" * FLOOD + " -->",
        f"WEBVTT\n{TIMES}\n" + "&a" * (FLOOD // 2),
    ],
)
def test_floods(source: str) -> None:
    """Lines, words, spaces and markup without end take time in proportion."""
    check_flood(Format.SRT, source)
