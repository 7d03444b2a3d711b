"""The joint SentencePiece vocabulary."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import sentencepiece

from model.bundle import BLANK_ID, UNKNOWN_ID
from model.data.corpus import CorpusError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from model.data.corpus import Pair

__all__ = ["train_vocabulary"]


def train_vocabulary(pairs: Sequence[Pair], path: Path, *, size: int, max_sentences: int, seed: int = 1) -> None:
    """Learn one vocabulary from both sides and write it to `path`.

    Text is already normalised (`bundle.normalise`), so SentencePiece changes nothing itself.
    Digits are single tokens, so that numbers can be copied; bytes stand in for characters never
    seen; the pad slot is CTC's blank.

    Args:
        pairs: cleaned text.
        path: the .model file to write.
        size: number of tokens, blank, unknown and 256 bytes included.
        max_sentences: how many sentences, drawn at random from both sides, to learn from.
        seed: for that draw.

    Raises:
        CorpusError: too little text for a vocabulary of this size.
    """
    sentences = [side for pair in pairs for side in (pair.english, pair.german)]
    if len(sentences) > max_sentences:
        sentences = random.Random(seed).sample(sentences, max_sentences)
    try:
        with path.open("wb") as file:
            sentencepiece.SentencePieceTrainer.Train(
                sentence_iterator=iter(sentences),
                model_writer=file,
                vocab_size=size,
                model_type="unigram",
                normalization_rule_name="identity",
                byte_fallback=True,
                split_digits=True,
                character_coverage=0.9998,
                pad_id=BLANK_ID,
                pad_piece="<blank>",
                unk_id=UNKNOWN_ID,
                bos_id=-1,
                eos_id=-1,
                num_threads=2,
                minloglevel=2,
            )
    except RuntimeError as error:
        path.unlink(missing_ok=True)
        msg = f"cannot learn a vocabulary of {size} tokens from {len(sentences)} sentences: {error}"
        raise CorpusError(msg) from error
