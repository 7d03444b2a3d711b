"""What the network reads instead of a text: all steps together, in their order."""

from __future__ import annotations

import pytest

from model.bundle import DE_EN, EN_DE, Bundle, Direction
from service.pipeline.normalisation.normaliser import Normaliser
from service.types import Span
from tests.cli.support import BUNDLE

OPENED = Bundle.open(BUNDLE, verify=False)
FLUENCY, DICTIONARIES = OPENED.fluency(), OPENED.dictionaries()


def normaliser(direction: Direction) -> Normaliser:
    """With all that the bundle has."""
    return Normaliser(direction.source, DICTIONARIES[direction], FLUENCY[direction.reverse], OPENED.tokenizer)


ENGLISH, GERMAN = normaliser(EN_DE), normaliser(DE_EN)
BARE = Normaliser("en", None, None, OPENED.tokenizer)


def test_all_at_once() -> None:
    """Lines, abbreviations, capitals, slips and the end; places lead back to the text, and capitals are known."""
    text = "WIR HABEN DIE\nBESTELUNG BZGL. IHRER ANFRAGE ERHALTEN"
    read = GERMAN.normalised(text)
    assert read.edited.text == "Wir haben die Bestellung bezüglich ihrer Anfrage erhalten."
    assert read.is_corrected
    assert read.end_mark == "."
    assert read.capitals == (Span(0, len(read.edited.text) - 1),)
    start = read.edited.text.index("bezüglich")
    assert text[read.edited.back(Span(start, start + len("bezüglich"))).start :].startswith("BZGL.")


@pytest.mark.parametrize("text", ["Please wait for us.", "The museum opens at nine.", "{name}: 42 %", ""])
def test_ordinary_text_is_read_as_it_is(text: str) -> None:
    """Nothing is edited where nothing is unusual."""
    edited, capitals, is_corrected, end_mark = ENGLISH.normalised(text)
    assert (edited.text, edited.new, capitals, is_corrected, end_mark) == (text, (), (), False, "")


def test_without_dictionary_and_language_model() -> None:
    """Lines and abbreviations need neither; words stay as they are."""
    assert BARE.normalised("See teh\nFIGURE on p. 5.").edited.text == "See teh FIGURE on page 5."


def test_text_that_is_too_long_for_one_piece() -> None:
    """It will be cut: until then, only its lines are joined."""
    text = "recieve teh\n" * 100
    assert ENGLISH.normalised(text).edited.text == "recieve teh " * 100
