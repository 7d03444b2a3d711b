"""Gaps and sentences: nothing is lost, whatever the text."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.pipeline.segmentation import cut, segment
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
        ("de", "Das ist z. B. gut. Am 3. Mai war es kalt.", ["Das ist z. B. gut.", "Am 3. Mai war es kalt."]),
        ("en", "  One line\nand another.\r\n\r\nThe end", ["One line", "and another.", "The end"]),
        ("en", "- Milk\n• two eggs\n* bread", ["Milk", "two eggs", "bread"]),
        ("en", "Name\tAge      Town  hall", ["Name", "Age", "Town  hall"]),
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


def test_what_is_kept_is_no_sign_around_a_sentence() -> None:
    """A sign that is part of what must not be translated stays in its sentence."""
    assert segment("→ One →", "en", [Span(0, 1)]).sentences == ("→ One",)
    assert segment("One →", "en", [Span(0, 5)]).sentences == ("One →",)


def test_what_the_library_panics_on_stays_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """A panic in Rust is no Exception; it costs the boundaries, not the request."""
    monkeypatch.setattr("service.pipeline.segmentation._PLAIN_SPACES", {})
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
