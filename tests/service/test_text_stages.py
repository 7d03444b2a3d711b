"""Tokenisation, detokenisation and assembly on the real tokenizer."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.bundle import DE_EN, EN_DE
from service import pipeline
from service.pipeline.assembly import Assembled, assemble
from service.pipeline.decoding.frames import collapse_frames
from service.pipeline.pieces import Piece, Protected, Tokenised
from service.pipeline.protection.restoration import restore
from service.pipeline.protection.stand_ins import protect
from service.pipeline.reading import find_sentences
from service.pipeline.segmentation.sentences import segment
from service.pipeline.tokenisation import tokenise
from service.pipeline.writing import Writer
from service.settings import MIN_SEGMENT_TOKENS
from service.types import (
    Block,
    Decoded,
    Inline,
    InlineKind,
    Quality,
    Request,
    SegmentChoices,
    SegmentFrames,
    Span,
    Written,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from service.app import Loaded

EXAMPLE = (pipeline.__doc__ or "").partition("For example")[2]


def test_example_of_the_overview(loaded: Loaded) -> None:
    """Each stage makes of the text what the pipeline's overview says, whatever network has written that."""
    text, sentences, read, written, restored, assembled = re.findall(r"^\w[a-z ]+?  +(.+)$", EXAMPLE, re.MULTILINE)
    reader = loaded.reader
    request = Request(DE_EN, (text,), Quality.GOOD)
    (found,) = reader.tokenise(request, find_sentences(request))[0].blocks
    assert [piece.text for piece in found.pieces] == sentences.split(" | ")
    sentence, phrase = found.pieces
    assert sentence.protected.text == read
    assert restore(sentence.protected, written, (), DE_EN, loaded.dictionaries).text == restored
    assert f"{restored} {phrase.settled}" == assembled


@given(text=st.text(st.characters(exclude_categories=["Cs"]), max_size=400), max_tokens=st.integers(16, 40))
def test_pieces_fit_and_are_the_text(loaded: Loaded, text: str, max_tokens: int) -> None:
    """However long a sentence or a word, every piece fits the network, and together with the gaps they are the text."""
    tokenised = tokenise(segment(text, "en"), loaded.bundle.tokenizer, max_tokens=max_tokens)
    texts = (*(piece.text for piece in tokenised.pieces), "")
    assert "".join(chain.from_iterable(zip(tokenised.gaps, texts, strict=True))) == text
    assert all(len(piece.ids) <= max_tokens for piece in tokenised.pieces)


@pytest.mark.parametrize("character", ["\U0001d160", "\U00012345", "ẅ", "\ufb2c"])
def test_any_character_fits_the_smallest_piece(loaded: Loaded, character: str) -> None:
    """Characters that decompose into several of several bytes stay below the least limit that settings allow."""
    assert len(loaded.bundle.tokenizer.encode(character)) <= MIN_SEGMENT_TOKENS


@pytest.mark.parametrize(
    "text", ["123", "3.14 %", "…", "--- * ---", "https://example.org/a?b=c 5 €", "(me@example.org)", "☃"]
)
def test_nothing_to_translate_has_no_ids(loaded: Loaded, text: str) -> None:
    """Numbers, punctuation and addresses pass through."""
    tokenised = tokenise(segment(text, "en"), loaded.bundle.tokenizer, max_tokens=64)
    assert not any(piece.ids for piece in tokenised.pieces)
    assert assemble(Block(text), tokenised, iter(())) == Assembled(Block(text), 1.0, 0)


class Protects:
    """As a request without a glossary does, into German."""

    def protect(self, text: str, kept: Sequence[Span]) -> Protected:
        """See `tokenise`."""
        return protect(text, kept, [])

    def settle(self, protected: Protected) -> str:
        """See `tokenise`."""
        return restore(protected, protected.text, (), EN_DE).text


@pytest.mark.parametrize(
    ("text", "kept", "expected"),
    [
        ("1,250.50", [], "1.<b>250</b>,50"),
        ("5,250.5%", [], "5.<b>250</b>,5%"),
        ("1,250.50", [Span(0, 8)], "1,<b>250</b>.50"),
        ("1.250.50", [], "1.<b>250</b>.50"),
        ("1.250. 5.5%", [], "1.<b>250</b>. 5,5%"),
        ("$1.25. 5.5%", [], "1,<b>25</b> $. 5,5%"),
    ],
)
def test_numbers_alone_are_localised(loaded: Loaded, text: str, kept: list[Span], expected: str) -> None:
    """A piece of numbers has no ids and is no guess, but is localised, unless kept; its markup stays where it was."""
    block = Block(text, (Inline(2, "<b>", InlineKind.OPEN, 0), Inline(5, "</b>", InlineKind.CLOSE, 0)))
    tokenised = tokenise(segment(text, "en"), loaded.bundle.tokenizer, max_tokens=64, kept=kept, protects=Protects())
    assert not any(piece.ids for piece in tokenised.pieces)
    assembled = assemble(block, tokenised, iter(()))
    (opened, closed), localised = assembled.block.inlines, assembled.block.text
    parts = localised[: opened.at], "<b>", localised[opened.at : closed.at], "</b>", localised[closed.at :]
    assert ("".join(parts), assembled.confidence) == (expected, 1.0)


def test_confidence_is_weighted_by_tokens() -> None:
    """Three tokens at 0.9 and one at 0.1 make 0.7; what passes through does not count."""
    pieces = tuple(Piece(Protected(text, text), ids) for text, ids in (("a", (5, 6, 7)), ("42", ()), ("b", (8,))))
    tokenised = Tokenised(gaps=("\n", "  ", " ", "\n"), pieces=pieces)
    written = iter([Written("A", 0.9), Written("B", 0.1)])
    assembled = assemble(Block("\na  42 b\n"), tokenised, written)
    assert assembled.block.text == "\nA  42 B\n"
    assert assembled.confidence == pytest.approx(0.7)


def read(loaded: Loaded, ids: list[int]) -> Written:
    """What frames say that spell these tokens, each sure to 0.8."""
    frames = SegmentFrames(np.array(ids, np.int64), np.full(len(ids), np.log(0.8), np.float32))
    (hypothesis,) = collapse_frames([frames], blank_id=0)
    decoded = [Decoded(hypothesis, frames)]
    (written,) = Writer(loaded.bundle, {}).write(
        [Piece(protect("A dog", [], []), (5, 6))], decoded, Request(EN_DE, ("A dog",), Quality.FAST)
    )
    return written


def test_what_is_sound(loaded: Loaded) -> None:
    """A candidate has the numbers of its piece and what was kept; where there is neither, any is sound."""
    writer, tokenizer = Writer(loaded.bundle, {}), loaded.bundle.tokenizer

    def is_sound(source: str, candidate: str) -> bool:
        piece = Piece(protected := protect(source, [], []), tuple(tokenizer.encode(protected.text)))
        ids = np.array([tokenizer.encode(candidate)], np.int64).T
        return writer.is_sound(piece, SegmentChoices(ids, np.zeros(ids.shape, np.float32)), EN_DE, tuple(ids[:, 0]))

    assert is_sound("12 dogs", "12 Hunde")
    assert not is_sound("12 dogs", "13 oder 14 Hunde")
    assert is_sound("Open {file} now.", "X1 jetzt öffnen.")
    assert not is_sound("Open {file} now.", "Jetzt öffnen.")
    assert is_sound("Some dogs", "13 Hunde")


def test_flaws_that_are_put_right_do_not_count(loaded: Loaded) -> None:
    """What the network wrote is judged by what becomes of it: a letter that stands alone is taken away."""
    writer, tokenizer = Writer(loaded.bundle, {}), loaded.bundle.tokenizer

    def count(candidate: str) -> int:
        ids = np.array([tokenizer.encode(candidate)], np.int64).T
        piece = Piece(protect("Reduce the brush", [], []), (5, 6))
        choices = SegmentChoices(ids, np.zeros(ids.shape, np.float32))
        return writer.count_flaws(piece, choices, EN_DE, tuple(ids[:, 0]))

    assert count("Den Pinsel verkleinern") == 0
    assert count("Den v Pinsel verkleinern") == 0
    assert count("Den Pinsel ist wird verkleinert") == 1


def test_all_blank_is_empty_and_unsure(loaded: Loaded) -> None:
    """A translation without a word has confidence 0, however sure every blank was."""
    written = read(loaded, [0, 0, 0])
    assert (written.text, written.confidence) == ("", 0.0)


def test_broken_characters_go(loaded: Loaded) -> None:
    """Of a character of which the network writes some of the bytes, nothing stays."""
    tokenizer = loaded.bundle.tokenizer
    first_byte = tokenizer.encode("€")[1]
    translation = read(loaded, [*tokenizer.encode("Hund"), first_byte, *tokenizer.encode("a")])
    assert translation.text.split() == ["Hund", "a"]


def test_frames_are_read_as_one_line(loaded: Loaded) -> None:
    """Byte tokens can spell line breaks and NUL: a sentence stays one line without controls."""
    tokenizer = loaded.bundle.tokenizer
    breaks = tokenizer.encode("\x0b\x00\x85")
    spelled = list(
        chain.from_iterable((token, 0) for token in [*tokenizer.encode("Hund"), *breaks, *tokenizer.encode("a")])
    )
    translation = read(loaded, spelled)
    assert translation.text.split() == ["Hund", "a"]
    assert len(translation.text.splitlines()) == 1
    assert translation.confidence == pytest.approx(0.8)
