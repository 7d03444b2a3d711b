"""Text to token ids and back: one joint SentencePiece vocabulary for both languages.

The vocabulary has byte fallback, so every text can be encoded. Normalisation is gentler than
NFKC, which would turn x² into x2, ½ into 1⁄2 and ™ into TM: those survive here.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from functools import cache, cached_property
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, cast

import sentencepiece

from model.bundle.errors import ManifestError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

__all__ = ["BLANK_ID", "UNKNOWN_ID", "Tokenizer", "fold", "normalise"]

BLANK_ID = 0
"""CTC's blank, and the filler of padded positions."""

UNKNOWN_ID = 1
"""Required by SentencePiece; byte fallback keeps it from ever being produced."""

_FOLDED = ("<wide>", "<narrow>", "<noBreak>")
_LATIN_LIGATURES = range(0xFB00, 0xFB07)
_SOFT_HYPHEN = 0xAD
_UNSEEN = (_SOFT_HYPHEN, 0x200B, 0x200C, 0x200E, 0x200F, *range(0x202A, 0x202F), 0x2060, *range(0x2066, 0x206A), 0xFEFF)
"""Soft hyphens, spaces and joints without width, marks of the direction of writing, byte-order marks. The joiner is not
among them, of which emoji are made."""
_SENTENCEPIECE_SPACE = 0x2581

_FIRST_COMBINING = "\u0300"
"""No character before it joins the one before itself, but for the soft hyphen, which goes."""

_UNPAIRED_BYTES = range(0xDC80, 0xDD00)
"""What Python's `surrogateescape` makes of bytes that are no UTF-8, one of each."""

_LOST_AT_ONCE = 8
"""Characters of a text, other than white space, that may stand between two of its tokens without having one."""


@cache
def _fold_table() -> dict[int, str | None]:
    """Map characters that differ from another only in width, breaking or ligature."""
    table: dict[int, str | None] = {**dict.fromkeys(_UNSEEN), _SENTENCEPIECE_SPACE: "_"}
    for code in range(0x80, 0x10000):
        char = chr(code)
        if code in _LATIN_LIGATURES or unicodedata.decomposition(char).startswith(_FOLDED):
            table[code] = unicodedata.normalize("NFKC", char)
    return table


@cache
def _folded() -> re.Pattern[str]:
    """What finds such a character: hardly a text has one, and to look for them takes a tenth of the time."""
    return re.compile(f"[{re.escape(''.join(map(chr, _fold_table())))}]")


def normalise(text: str) -> str:
    """Canonical composition (NFC), plus the part of NFKC that loses no meaning.

    Full-width forms, no-break spaces and Latin ligatures become their plain forms; soft hyphens
    and what else is not seen goes; U+2581, by which SentencePiece means a space, becomes an underscore.
    Superscripts, fractions, symbols and ellipses stay as typed.
    """
    if text.isascii():
        return text
    folded = text.translate(_fold_table()) if _folded().search(text) else text
    return unicodedata.normalize("NFC", folded)


def _origins(text: str, normal: str) -> list[tuple[int, int]]:
    """For each character of `normal`, the normalised text, where what became it starts and ends in `text`."""
    origins: list[tuple[int, int]] = []
    for start, end in pairwise([*_cluster_starts(text), len(text)]):
        count = len(normalise(text[start:end]))
        origins += [(start, end)] * count
    if len(origins) != len(normal):  # should a character ever join another in a way not foreseen below
        scale = len(text) / max(1, len(normal))
        return [(int(place * scale), min(len(text), int(place * scale) + 1)) for place in range(len(normal))]
    return origins


def _cluster_starts(text: str) -> Iterator[int]:
    """Where characters start that normalisation leaves apart from those before them."""
    before = ""
    for place, char in enumerate(text):
        joins, alone = False, char
        if char >= _FIRST_COMBINING or ord(char) == _SOFT_HYPHEN:
            alone, together = normalise(char), normalise(before + char)
            joins = not alone or bool(unicodedata.combining(alone[0])) or together != before + alone
            alone = together[-1:] if joins else alone
        if not joins or not place:
            yield place
        before = alone


def fold(text: str) -> str:
    """Letters and digits only, in lower case: what stays of a text when it is merely written another way."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))


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
        written = [self.written[token] for token in ids]
        if None in written or written[:1] == [" "]:
            text: str = self._pieces.DecodeIds(list(ids))
            return text
        return "".join(cast("list[str]", written)).removeprefix(" ")  # the same in less time, and Python's lock is kept

    def spelled(self, text: str) -> set[str]:
        """The characters of `text` that the vocabulary lacks, and that take several tokens, one for each byte."""
        if text.isascii():
            return set()
        missing = {char for char in set(normalise(text)) - self._alphabet if not (char.isascii() or char.isspace())}
        if not missing:
            return missing
        return {char for char in set(text) if not missing.isdisjoint(normalise(char))}

    def source_spans(self, ids: Sequence[int], text: str) -> list[tuple[int, int]]:
        """Where in `text`, which encodes to `ids`, each token stands: start and end, in characters."""
        normal = normalise(text)
        spans = self.target_spans(ids, normal)
        if normal == text:
            return spans
        origins = [*_origins(text, normal), (len(text), len(text))]
        return [
            (origins[start][0], origins[end - 1][1]) if end > start else (origins[start][0],) * 2
            for start, end in spans
        ]

    def target_spans(self, ids: Sequence[int], text: str) -> list[tuple[int, int]]:
        """Where in `text`, to which `ids` decode, each token stands: start and end, in characters.

        White space may have been added to it or taken away, and so may control characters. All bytes of a character
        stand where it does; a token of which no character is left stands, empty, where it would.
        """
        spans: list[tuple[int, int]] = []
        place, end = 0, len(text)
        for letters in self._letters(ids):
            if letters is None:
                spans.append(spans[-1])
                continue
            while place < end and text[place].isspace():
                place += 1
            found = text.find(letters, place, place + len(letters) + _LOST_AT_ONCE) if letters else -1
            start = place if found < 0 else found
            place = start if found < 0 else found + len(letters)
            spans.append((start, place))
        return spans

    def _letters(self, ids: Sequence[int]) -> Iterator[str | None]:
        """What each token writes, white space aside; None for the second byte of a character and those that follow."""
        for kind, run in groupby((self._entries[token] for token in ids), key=type):
            if kind is str:
                yield from cast("Iterator[str]", run)
                continue
            for char in bytes(cast("Iterator[int]", run)).decode(errors="surrogateescape"):
                if ord(char) in _UNPAIRED_BYTES:
                    yield "\ufffd"
                else:
                    yield char.strip()
                    yield from [None] * (len(char.encode()) - 1)

    @cached_property
    def written(self) -> list[str | None]:
        """What each token of the vocabulary writes, with the space before a word; None where that is no character."""
        return [
            None if token <= UNKNOWN_ID or self._pieces.IsByte(token) else piece.replace(chr(_SENTENCEPIECE_SPACE), " ")
            for token, piece in enumerate(self.pieces(range(self.vocabulary_size)))
        ]

    @cached_property
    def digest(self) -> str:
        """Hexadecimal digits that tell the vocabulary from any other, by what each of its tokens writes."""
        return hashlib.sha256(json.dumps(self.written).encode()).hexdigest()

    @cached_property
    def _entries(self) -> list[str | int]:
        """What each token of the vocabulary writes, white space aside: letters, or one byte."""
        return [
            int(piece[3:-1], 16) if self._pieces.IsByte(token) else piece.replace(chr(_SENTENCEPIECE_SPACE), "")
            for token, piece in enumerate(self.pieces(range(self.vocabulary_size)))
        ]

    @cached_property
    def _alphabet(self) -> frozenset[str]:
        """Every character of the vocabulary."""
        own = self._entries[UNKNOWN_ID + 1 :]  # those before are named, not written
        return frozenset("".join(entry for entry in own if isinstance(entry, str)))

    def pieces(self, ids: Sequence[int]) -> list[str]:
        """The vocabulary entries themselves, for reading and debugging."""
        return [self._pieces.IdToPiece(int(token)) for token in ids]
