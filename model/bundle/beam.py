"""CTC prefix beam search (Graves 2012, section 7.5.3; REDER section 3): several candidates a sentence.

Greedy decoding takes the best path; the best *translation* is the one whose paths together are most
probable. The search walks the frames and keeps the most probable prefixes, each with two masses:
of the paths that end in a blank, and of those that end in the prefix's last token.

A language model may have its say, token by token (Kasner et al. 2020): the frames are independent of each other, and
only the search sees what the words come to. It multiplies the masses of a prefix, so that sums over paths stay right.
A lexicon may, too, wherever a word ends.

A trained network is sure of most frames, so that a prefix has few ways to grow that come near. `search.c` looks at
those alone, one after another.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING

from model.bundle.search import Judges, in_vocabulary, search

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from model.bundle.language_model import LanguageModel
    from model.bundle.lexicon import Lexicon

__all__ = ["Candidate", "Fluency", "prefix_beam_search"]

_NO_JUDGES = Judges()


@dataclass(frozen=True, slots=True)
class Candidate:
    """Token ids, the natural log of the mass of all paths found that collapse to them, and what fluency adds to it."""

    ids: tuple[int, ...]
    log_prob: float
    gain: float = 0.0

    @property
    def total(self) -> float:
        """What candidates are compared by."""
        return self.log_prob + self.gain


@dataclass(frozen=True, slots=True)
class Fluency:
    """What a language model and a lexicon add to the log mass of a candidate.

    `weight` x log p(tokens), its end included, + `bonus` for each token: the model alone prefers short texts;
    - `unknown_word_cost` for each word that neither the lexicon has nor the source, and `repeated_word_cost` for each
    that follows itself, as none does in the source.
    """

    model: LanguageModel
    weight: float
    bonus: float
    lexicon: Lexicon | None = None
    unknown_word_cost: float = 0.0
    repeated_word_cost: float = 0.0

    def judges(self, source: Sequence[int]) -> Judges:
        """The same for the search, and for translations of these token ids."""
        judges = Judges(self.model.ngrams, self.weight, self.bonus)
        if self.lexicon is None:
            return judges
        return judges._replace(
            words=self.lexicon.table,
            unknown_word_cost=self.unknown_word_cost,
            repeated_word_cost=0.0 if self.lexicon.flaws(source).repeated else self.repeated_word_cost,
            spared=self.lexicon.hashes(source),
        )


def prefix_beam_search(
    token_ids: NDArray[np.int64],
    log_probs: NDArray[np.floating],
    *,
    beam: int,
    blank_id: int,
    fluency: Fluency | None = None,
    source: Sequence[int] = (),
) -> list[Candidate]:
    """Search one sentence. Does not hold Python's lock meanwhile.

    Without fluency it is exact if `beam` holds every prefix and the frames list every token; with it, a prefix that
    is far behind is given up, however wide the beam.

    Args:
        token_ids: [frames, choices], the most probable tokens of each frame, none twice; the blank need not be one.
        log_probs: [frames, choices], their natural log probabilities.
        beam: how many prefixes to keep after each frame.
        blank_id: the token that means "write nothing".
        fluency: the language model's part, and the lexicon's; without it the network decides alone.
        source: token ids of what is translated: its words are no unknown ones.

    Returns:
        At most `beam` candidates, the best first.

    Raises:
        ValueError: there are not as many probabilities as tokens, or nothing is to be kept; or a frame lists a token
            that the language model does not have.
    """
    if token_ids.shape != log_probs.shape or beam < 1:
        msg = f"{token_ids.shape} tokens, {log_probs.shape} log probabilities and a beam of {beam} are no search"
        raise ValueError(msg)
    size = fluency.model.vocabulary_size if fluency else 0
    if fluency and not (0 <= blank_id < size and in_vocabulary(token_ids, size)):
        msg = "a frame lists a token that the language model does not have"
        raise ValueError(msg)
    judges = fluency.judges(source) if fluency else _NO_JUDGES
    found = search(token_ids, log_probs, beam, blank_id, judges)
    candidates = []
    start = 0
    for end, mass, gain in zip(found.ends, found.masses, found.gains, strict=True):
        candidates.append(Candidate(tuple(found.tokens[start:end]), mass, gain))
        start = end
    return sorted(candidates, key=attrgetter("total"), reverse=True)
