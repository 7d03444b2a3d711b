"""Text to token ids and back: one joint SentencePiece vocabulary for both languages.

The vocabulary has byte fallback, so every text can be encoded. Normalisation is gentler than
NFKC, which would turn x² into x2, ½ into 1⁄2 and ™ into TM: those survive here.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import TYPE_CHECKING

import sentencepiece

from model.bundle.errors import ManifestError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["BLANK_ID", "UNKNOWN_ID", "Tokenizer", "fold", "normalise"]

BLANK_ID = 0
"""CTC's blank, and the filler of padded positions."""

UNKNOWN_ID = 1
"""Required by SentencePiece; byte fallback keeps it from ever being produced."""

_FOLDED = ("<wide>", "<narrow>", "<noBreak>")
_LATIN_LIGATURES = range(0xFB00, 0xFB07)
_SOFT_HYPHEN, _BYTE_ORDER_MARK = 0xAD, 0xFEFF
_SENTENCEPIECE_SPACE = 0x2581


@cache
def _fold_table() -> dict[int, str | None]:
    """Map characters that differ from another only in width, breaking or ligature."""
    table: dict[int, str | None] = {_SOFT_HYPHEN: None, _BYTE_ORDER_MARK: None, _SENTENCEPIECE_SPACE: "_"}
    for code in range(0x80, 0x10000):
        char = chr(code)
        if code in _LATIN_LIGATURES or unicodedata.decomposition(char).startswith(_FOLDED):
            table[code] = unicodedata.normalize("NFKC", char)
    return table


def normalise(text: str) -> str:
    """Canonical composition (NFC), plus the part of NFKC that loses no meaning.

    Full-width forms, no-break spaces and Latin ligatures become their plain forms; soft hyphens
    and byte-order marks go; U+2581, by which SentencePiece means a space, becomes an underscore.
    Superscripts, fractions, symbols and ellipses stay as typed.
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", text.translate(_fold_table()))


def fold(text: str) -> str:
    """Letters and digits only, in lower case: what stays of a text when it is merely written another way."""
    return "".join(char for char in unicodedata.normalize("NFKC", text).casefold() if char.isalnum())


def _utf8(text: str) -> bytes:
    """Normalised, as bytes: SentencePiece would report a lone surrogate less clearly."""
    return normalise(text).encode("utf-8")


class Tokenizer:
    """A SentencePiece model with the ids this project relies on.

    Safe to share between threads: encoding and decoding keep no state.

    Raises:
        ManifestError: the file is not a SentencePiece model, or reserves other ids.
    """

    def __init__(self, path: Path) -> None:
        self._pieces = sentencepiece.SentencePieceProcessor()
        try:
            self._pieces.Load(str(path))
        except (OSError, RuntimeError) as error:
            msg = f"{path.name} is not a SentencePiece model: {error}"
            raise ManifestError(msg) from error
        if self._pieces.pad_id() != BLANK_ID or self._pieces.unk_id() != UNKNOWN_ID:
            msg = f"{path.name} must reserve id {BLANK_ID} for blank and {UNKNOWN_ID} for unknown"
            raise ManifestError(msg)

    @property
    def vocabulary_size(self) -> int:
        """Number of tokens, blank included."""
        return int(self._pieces.GetPieceSize())

    def encode(self, text: str) -> list[int]:
        """Token ids of `text`; empty for text that is only white space.

        Lone surrogates cannot be written as UTF-8 and raise UnicodeEncodeError.
        """
        ids: list[int] = self._pieces.EncodeAsIds(_utf8(text))
        return ids

    def encode_batch(self, texts: Sequence[str]) -> list[list[int]]:
        """`encode` for many texts at once."""
        ids: list[list[int]] = self._pieces.EncodeAsIds([_utf8(text) for text in texts])
        return ids

    def decode(self, ids: Sequence[int]) -> str:
        """Text of token ids. Bytes that form no valid UTF-8 become U+FFFD."""
        text: str = self._pieces.DecodeIds(list(ids))
        return text

    def pieces(self, ids: Sequence[int]) -> list[str]:
        """The vocabulary entries themselves, for reading and debugging."""
        return [self._pieces.IdToPiece(int(token)) for token in ids]
