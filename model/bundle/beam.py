"""CTC prefix beam search (Graves 2012, section 7.5.3; REDER section 3): several candidates a sentence.

Greedy decoding takes the best path; the best *translation* is the one whose paths together are most
probable. The search walks the frames and keeps the most probable prefixes, each with two masses:
of the paths that end in a blank, and of those that end in the prefix's last token.

A language model may have its say, token by token (Kasner et al. 2020): the frames are independent of each other, and
only the search sees what the words come to. It multiplies the masses of a prefix, so that sums over paths stay right.
A lexicon may, too, wherever a word ends.

A trained network is sure of most frames, so that a prefix has few ways to grow that come near. Looking at those alone,
one after another, is faster than array operations on all of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from heapq import heapify, heappush, heappushpop
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from model.bundle.language_model import LanguageModel
    from model.bundle.lexicon import Lexicon

__all__ = ["Candidate", "Fluency", "prefix_beam_search"]

_ZERO = -math.inf
_NO_TOKEN = -1
_BEFORE, _NEVER = -1, -2  # in the place of a frame: before the first of them, after none
_REACH = 8.0
"""A longer prefix so far behind the best, as a log, is given up without asking the language model."""

_Entry = tuple[float, "_Prefix", float, float]
"""A prefix after a frame: its log mass, itself, and what of the mass ends in a blank and in its last token."""

_mass = itemgetter(0)


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
    - `unknown_word_cost` for each word that neither the lexicon has nor the source.
    """

    model: LanguageModel
    weight: float
    bonus: float
    lexicon: Lexicon | None = None
    unknown_word_cost: float = 0.0

    def spared(self, source: Sequence[int]) -> frozenset[str]:
        """Words that may be written because they are in the source, names for one."""
        return self.lexicon.words(source) if self.lexicon else frozenset()

    def after(
        self, context: int, word: str | None, token: int, spared: frozenset[str]
    ) -> tuple[int, str | None, float]:
        """One more token after a context and the letters of a word: both after it, and what it adds."""
        gain = self.weight * self.model.log_prob(context, token) + self.bonus
        if self.lexicon:
            word, unknown = self.lexicon.after(word, token, spared)
            gain -= unknown * self.unknown_word_cost
        return self.model.extended(context, token), word, gain

    def end(self, context: int, word: str | None, spared: frozenset[str], blank_id: int) -> float:
        """What the end of the text adds."""
        gain = self.weight * self.model.log_prob(context, blank_id)
        if self.lexicon and self.lexicon.unknown(word, spared):
            gain -= self.unknown_word_cost
        return gain


class _Prefix:
    """Tokens, as a last one after another prefix.

    `context` is what the language model knows it by, `word` what the lexicon does; `gain` what they have added to its
    masses, and `last_gain` what of it came with the last token. `longer` holds the prefixes that it was ever thought to
    grow into, by their last token.

    `blank` and `token` are the log masses of its paths that end in a blank and in its last token, `both` is their sum;
    `kept` is the last frame after which it was among the best, and they count.
    """

    __slots__ = ("blank", "both", "context", "gain", "kept", "last", "last_gain", "longer", "parent", "token", "word")

    def __init__(
        self, parent: _Prefix | None, last: int, context: int = 0, word: str | None = "", last_gain: float = 0.0
    ) -> None:
        self.parent = parent
        self.last = last
        self.context = context
        self.word = word
        self.last_gain = last_gain
        self.gain: float = parent.gain + last_gain if parent else 0.0
        self.longer: dict[int, _Prefix] = {}
        self.blank = self.token = self.both = _ZERO
        self.kept = _NEVER

    def ids(self) -> tuple[int, ...]:
        """Its tokens."""
        found = []
        prefix = self
        while prefix.parent:
            found.append(prefix.last)
            prefix = prefix.parent
        return tuple(reversed(found))


def prefix_beam_search(
    token_ids: NDArray[np.int64],
    log_probs: NDArray[np.floating],
    *,
    beam: int,
    blank_id: int,
    fluency: Fluency | None = None,
    source: Sequence[int] = (),
) -> list[Candidate]:
    """Search one sentence.

    Exact if `beam` holds every prefix and the frames list every token.

    Args:
        token_ids: [frames, choices], the most probable tokens of each frame, none twice; the blank need not be one.
        log_probs: [frames, choices], their natural log probabilities.
        beam: how many prefixes to keep after each frame.
        blank_id: the token that means "write nothing".
        fluency: the language model's part, and the lexicon's; without it the network decides alone.
        source: token ids of what is translated: its words are no unknown ones.

    Returns:
        At most `beam` candidates, the best first.
    """
    search = _Search(beam, blank_id, fluency, fluency.spared(source) if fluency else frozenset())
    prefixes = search.start()
    for frame, (tokens, logs) in enumerate(zip(token_ids.tolist(), log_probs.tolist(), strict=True)):
        choices = sorted(zip(logs, tokens, strict=True), reverse=True)
        prefixes = search.step(prefixes, choices, frame)
    return sorted(map(search.candidate, prefixes), key=attrgetter("total"), reverse=True)


@dataclass(frozen=True, slots=True)
class _Search:
    """One frame after another; arguments as in `prefix_beam_search`, and the words that the lexicon need not have."""

    beam: int
    blank_id: int
    fluency: Fluency | None
    spared: frozenset[str]

    def start(self) -> list[_Prefix]:
        """The empty prefix alone."""
        empty = _Prefix(None, _NO_TOKEN, self.fluency.model.start if self.fluency else 0)
        empty.blank = empty.both = 0.0
        empty.kept = _BEFORE
        return [empty]

    def candidate(self, prefix: _Prefix) -> Candidate:
        """A prefix, when the text ends with it."""
        end = self.fluency.end(prefix.context, prefix.word, self.spared, self.blank_id) if self.fluency else 0.0
        return Candidate(prefix.ids(), prefix.both - prefix.gain, prefix.gain + end)

    def step(self, prefixes: list[_Prefix], choices: list[tuple[float, int]], frame: int) -> list[_Prefix]:
        """Read a frame.

        Args:
            prefixes: the best before it, the best first.
            choices: log probability and token, the most probable first.
            frame: its number.

        Returns:
            The best after it, the best first.
        """
        log_prob_of = {token: log_prob for log_prob, token in choices}
        blank = log_prob_of.pop(self.blank_id, _ZERO)
        found = [_stayed(prefix, log_prob_of.get(prefix.last, _ZERO), blank, frame) for prefix in prefixes]
        self._grow(found, prefixes, choices, frame)
        found.sort(key=_mass, reverse=True)
        kept = []
        for both, prefix, blank_mass, token_mass in found[: self.beam]:
            if both > _ZERO:
                prefix.both, prefix.blank, prefix.token, prefix.kept = both, blank_mass, token_mass, frame
                kept.append(prefix)
        return kept

    def _grow(self, found: list[_Entry], prefixes: list[_Prefix], choices: list[tuple[float, int]], frame: int) -> None:
        """Add to what is found after a frame the longer prefixes that may be among the best; the rest as in `step`."""
        masses = [entry[0] for entry in found]  # the largest of all, as many as are kept
        heapify(masses)
        # the language model adds its bonus at most
        bonus, reach = (self.fluency.bonus, max(masses) - _REACH) if self.fluency else (0.0, _ZERO)
        least = max(reach, masses[0] - bonus) if len(masses) == self.beam else reach
        for log_prob, token in choices:
            if token == self.blank_id:
                continue
            for prefix in prefixes:
                if prefix.both + log_prob <= least:
                    break  # nor do those after it come near
                # its last token once more needs a blank in between
                mass = (prefix.blank if token == prefix.last else prefix.both) + log_prob
                if mass <= least:
                    continue
                longer = prefix.longer.get(token) or self._grown(prefix, token)
                if longer.kept == frame - 1:
                    continue  # it is one of the prefixes, and has inherited this
                mass += longer.last_gain
                found.append((mass, longer, _ZERO, mass))
                (heappushpop if len(masses) == self.beam else heappush)(masses, mass)
                if len(masses) == self.beam:
                    least = max(reach, masses[0] - bonus)

    def _grown(self, prefix: _Prefix, token: int) -> _Prefix:
        if self.fluency:
            longer = _Prefix(prefix, token, *self.fluency.after(prefix.context, prefix.word, token, self.spared))
        else:
            longer = _Prefix(prefix, token)
        prefix.longer[token] = longer
        return longer


def _stayed(prefix: _Prefix, log_prob: float, blank: float, frame: int) -> _Entry:
    """A prefix after a frame that gives its last token and the blank these log probabilities."""
    token_mass = prefix.token + log_prob
    parent = prefix.parent
    if parent and parent.kept == frame - 1:  # what grows into it from there adds to it
        inherited = (parent.blank if parent.last == prefix.last else parent.both) + log_prob + prefix.last_gain
        token_mass = _sum(token_mass, inherited)
    blank_mass = prefix.both + blank
    return _sum(blank_mass, token_mass), prefix, blank_mass, token_mass


def _sum(one: float, other: float) -> float:
    """Of two masses, as logs."""
    if one < other:
        one, other = other, one
    return one if other == _ZERO else one + math.log1p(math.exp(other - one))
