"""What the network wrote becomes text, and what was protected from it comes back."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from functools import lru_cache, partial
from itertools import islice
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING

from model.bundle import DIRECTIONS, EN_DE, Candidate, best_path, fold, last_frames
from service.pipeline.alignment.links import Aligned, LazyLinks, align
from service.pipeline.detokenisation import one_line
from service.pipeline.edits import with_small_letter
from service.pipeline.numbers.numerals import has_digits
from service.pipeline.protection.restoration import is_sound, restore
from service.pipeline.repairs.flaws import count_flaws
from service.pipeline.repairs.lost_past import loses_past
from service.pipeline.repairs.lost_verbs import has_lost_verb
from service.pipeline.repairs.lost_words import count_lost
from service.pipeline.repairs.negation import denies
from service.pipeline.repairs.nonwords import NonWords
from service.pipeline.repairs.vocabulary import Vocabulary
from service.pipeline.single_words import check_word
from service.types import Link, SegmentChoices, Span, Written

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from model.bundle import Bundle, Dictionary, Direction, Fluency, WordPairs
    from service.pipeline.pieces import Piece
    from service.pipeline.protection.restoration import Restored
    from service.pipeline.single_words import SingleWord
    from service.types import Candidates, Decoded, Hypothesis, Request, SegmentFrames

__all__ = ["Writer", "nonwords"]

_CORRECTED, _REPLACED = "spelling", "dictionary"
"""Flags of what was taken for misspelt, and of a word that the dictionary has put in the place of the network's."""

_PLACEHOLDER = re.compile(r"[{%$<\[]")
_CANDIDATES = 512
"""Whose texts are kept: all for some pieces are compared, then one is asked whether it is sound, and how many flaws it
has, and what becomes of it."""

_COMPARED = 10
"""Candidates for one piece, the most probable, that word pairs tell apart: as many as these have learned from."""
_IN_REACH = 3.0
"""How much likelier, as a logarithm, the first of them may be: pairs seldom say so much, and comparing takes time."""

_COPY_WORDS = 3
"""So many words in a row are not the same in both languages. A copy leads back perfectly, and says nothing."""


class Writer:
    """Detokenises, aligns and restores pieces of one bundle's making."""

    def __init__(
        self,
        bundle: Bundle,
        dictionaries: Mapping[Direction, Dictionary],
        fluency: Mapping[Direction, Fluency] = MappingProxyType({}),
        word_pairs: Mapping[Direction, WordPairs] = MappingProxyType({}),
    ) -> None:
        self._tokenizer = bundle.tokenizer
        self._text = lru_cache(_CANDIDATES)(partial(one_line, tokenizer=bundle.tokenizer))
        self._blank_id = bundle.manifest.blank_id
        self._upsampling = bundle.manifest.upsampling
        self._weak_below = bundle.manifest.weak_below
        self._dictionaries = dictionaries
        self._nonwords = nonwords(dictionaries, fluency)
        self._word_pairs = word_pairs

    def warm_up(self, texts: Mapping[Direction, Sequence[str]]) -> None:
        """Look for flaws in texts of the source of each direction now: with the first ones come lists of words."""
        for direction, its in texts.items():
            for text in its:
                count_flaws("", text, direction.source)
                count_lost(text, "", direction)

    def write(self, pieces: Sequence[Piece], decoded: Sequence[Decoded], request: Request) -> list[Written]:
        """The text of each piece, and what the request wants to know of it."""
        return [self._write(piece, one, request) for piece, one in zip(pieces, decoded, strict=True)]

    def compare(self, piece: Piece, found: Candidates, direction: Direction) -> Candidates:
        """The same candidates, the first of them in the order in which word pairs, too, would have them."""
        word_pairs = self._word_pairs.get(direction)
        first = [candidate for candidate in found.candidates if candidate.ids][:_COMPARED]
        first = [candidate for candidate in first if candidate.total >= first[0].total - _IN_REACH]
        if word_pairs is None or len(first) < 2:  # noqa: PLR2004 - one has nothing to be compared with
            return found
        gains = word_pairs.gains(piece.protected.text, [self._text(candidate.ids) for candidate in first])
        compared = [Candidate(one.ids, one.log_prob, one.gain + gain) for one, gain in zip(first, gains, strict=True)]
        compared.sort(key=attrgetter("total"), reverse=True)
        of_first = {candidate.ids for candidate in first}
        others = (candidate for candidate in found.candidates if candidate.ids not in of_first)
        return replace(found, candidates=(*compared, *others))

    def is_sound(self, piece: Piece, choices: SegmentChoices, direction: Direction, ids: tuple[int, ...]) -> bool:
        """Whether a candidate has a verb, the numbers of a piece and what was kept of it, and denies what it denies."""
        protected = piece.protected
        text, links = self._detokenised(piece, ids, choices, direction)
        if has_lost_verb(protected.text, text, direction, self._dictionaries.get(EN_DE)):
            return False
        has_numbers = protected.quantities or has_digits(protected.text)
        if not (protected.items or protected.substitutes or has_numbers or denies(protected.text, direction.source)):
            return True
        return is_sound(protected, text, links, direction)

    def count_flaws(self, piece: Piece, choices: SegmentChoices, direction: Direction, ids: tuple[int, ...]) -> int:
        """How much a candidate for a piece has lost, and how much in it cannot be.

        The latter in what becomes of it, where there is any in what the network wrote.
        """
        text, _ = self._detokenised(piece, ids, choices, direction)
        lost = count_lost(piece.protected.text, text, direction)
        if direction.target == "de":
            lost += loses_past(piece.protected.text, text)
        if not count_flaws(piece.protected.text, text, direction.target):
            return lost
        return lost + count_flaws(piece.text, self._restore(piece, ids, choices, direction).text, direction.target)

    def _write(self, piece: Piece, decoded: Decoded, request: Request) -> Written:
        hypothesis, direction = decoded.hypothesis, request.direction
        restored = self._restore(piece, hypothesis.ids, decoded.frames, direction)
        word = self._check_word(piece, restored.text, direction)
        if word and word.is_replaced:
            return _of_dictionary(piece, word, hypothesis.confidence, request)
        reverse_score = _reverse_score(piece, hypothesis) if request.details else None
        weak = reverse_score is not None and (reverse_score < self._weak_below or _is_copy(piece, restored.text))
        others: Sequence[str] = ()
        if request.alternatives:
            found = word.others if word else self._others(piece, decoded, restored.text, direction)
            others = tuple(islice(found, request.alternatives))
        return Written(
            word.text if word else restored.text,
            # Where the network writes nothing it may be sure of it: the caller gave words and gets none.
            hypothesis.confidence if restored.text else 0.0,
            restored.links,
            (*restored.flags, "weak") if weak else tuple(restored.flags),
            reverse_score,
            tuple(others),
        )

    def _check_word(self, piece: Piece, text: str, direction: Direction) -> SingleWord | None:
        dictionary = self._dictionaries.get(direction)
        if not dictionary or len(piece.protected.items) > 1:
            return None
        if piece.protected.items:
            return _check_word_beside(piece, text, dictionary, direction)
        source = piece.protected.text if piece.protected.is_corrected else piece.text
        return check_word(source, text, dictionary, direction)

    def _others(self, piece: Piece, decoded: Decoded, text: str, direction: Direction) -> Iterator[str]:
        """Other translations, each once."""
        told = {text, ""}
        for ids in decoded.others:
            other = self._restore(piece, ids, decoded.frames, direction).text
            if other not in told:
                told.add(other)
                yield other

    def _restore(
        self, piece: Piece, ids: tuple[int, ...], frames: SegmentFrames | SegmentChoices, direction: Direction
    ) -> Restored:
        text, links = self._detokenised(piece, ids, frames, direction)
        return restore(piece.protected, text, links, direction, self._dictionaries, self._nonwords.get(direction))

    def _detokenised(
        self, piece: Piece, ids: tuple[int, ...], frames: SegmentFrames | SegmentChoices, direction: Direction
    ) -> tuple[str, LazyLinks]:
        """The text, and its links with what the network has read."""
        text = self._text(ids)
        return text, LazyLinks(lambda: self._links(piece, ids, frames, text, direction))

    def _links(
        self,
        piece: Piece,
        ids: tuple[int, ...],
        frames: SegmentFrames | SegmentChoices,
        text: str,
        direction: Direction,
    ) -> tuple[Link, ...]:
        read = piece.protected.text
        path = frames.ids
        if isinstance(frames, SegmentChoices):
            path = best_path(path, frames.log_probs, ids, blank_id=self._blank_id)
        origins = [frame // self._upsampling for frame in last_frames(path, blank_id=self._blank_id)]
        source = Aligned(read, self._tokenizer.source_spans(piece.ids, read))
        target = Aligned(text, self._tokenizer.target_spans(ids, text))
        known = self._dictionaries
        return align(source, target, origins, known.get(direction), known.get(direction.reverse))


def nonwords(
    dictionaries: Mapping[Direction, Dictionary], fluency: Mapping[Direction, Fluency]
) -> dict[Direction, NonWords]:
    """What finds words that do not exist, for each direction; nothing, unless there are dictionaries of both."""
    if not set(DIRECTIONS) <= set(dictionaries):
        return {}
    known = {
        direction.target: Vocabulary(
            direction.target,
            dictionaries[direction.reverse],
            fluency[direction].lexicon if direction in fluency else None,
        )
        for direction in DIRECTIONS
    }
    return {one: NonWords(dictionaries[one], known[one.source], known[one.target]) for one in DIRECTIONS}


def _check_word_beside(piece: Piece, text: str, dictionary: Dictionary, direction: Direction) -> SingleWord | None:
    """The same of a word beside a placeholder, which is all else there is: %d dogs."""
    (item,) = piece.protected.items
    if not _PLACEHOLDER.match(item.output):
        return None
    before, after = piece.text[: item.source.start], piece.text[item.source.end :]
    source = before.strip() or after.strip()
    if not source or (before.strip() and after.strip()) or text.count(item.output) != 1:
        return None
    word = check_word(source, text.replace(item.output, ""), dictionary, direction)
    if not word or not word.is_replaced:
        return None
    written = with_small_letter(word.text) if direction.target == "en" and after.strip() else word.text
    return word._replace(text=f"{before}{item.output}{after}".replace(source, written), others=())


def _of_dictionary(piece: Piece, word: SingleWord, confidence: float, request: Request) -> Written:
    """What is written in the place of the network's word; it says how sure that was."""
    link = Link(Span(0, len(piece.text)), Span(0, len(word.text)))
    others = word.others[: request.alternatives]
    flags = (_REPLACED, _CORRECTED) if piece.protected.is_corrected else (_REPLACED,)
    return Written(word.text, confidence, (link,), flags, alternatives=others)


def _reverse_score(piece: Piece, hypothesis: Hypothesis) -> float:
    """The geometric mean of the probability of each source token, given the hypothesis; 0 of an empty one."""
    if hypothesis.reverse_log_prob is None:
        return 0.0
    return math.exp(min(hypothesis.reverse_log_prob / len(piece.ids), 0.0))


def _is_copy(piece: Piece, text: str) -> bool:
    """Whether the words that were there to translate were merely repeated."""
    translatable = [word for word in piece.protected.text.split() if word.isalpha()]
    return len(translatable) >= _COPY_WORDS and fold(text) == fold(piece.text)
