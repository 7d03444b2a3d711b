"""CTC prefix beam search (Graves 2012, section 7.5.3; REDER section 3): several candidates a sentence.

Greedy decoding takes the best path; the best *translation* is the one whose paths together are most
probable. The search walks the frames and keeps the most probable prefixes, each with two masses:
of the paths that end in a blank, and of those that end in the prefix's last token.

A language model may have its say, token by token (Kasner et al. 2020): the frames are independent of each other, and
only the search sees what the words come to. It multiplies the masses of a prefix, so that sums over paths stay right.

All sentences of a batch are searched at once, with a fixed number of array operations a frame.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from model.bundle.language_model import LanguageModel

__all__ = ["Candidate", "Fluency", "prefix_beam_search"]

_ZERO = -np.inf
_NO_TOKEN = -1
_EMPTY, _DEAD, _NO_PARENT = np.uint64(1), np.uint64(2), np.uint64(3)
_REACH = 12.0
"""A longer prefix so far behind the best, as a log, is given up without asking the language model."""

_MULTIPLIER, _INCREMENT = np.uint64(6364136223846793005), np.uint64(1442695040888963407)


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
    """What a language model adds to the log mass of a candidate.

    `weight` x log p(tokens), its end included, + `bonus` for each token: the model alone prefers short texts.
    """

    model: LanguageModel
    weight: float
    bonus: float

    def gain(
        self, contexts: NDArray[np.uint64], rows: NDArray[np.int64], tokens: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """[queries], for one more token after contexts; `rows` is the context of each query."""
        return self.weight * self.model.log_probs(contexts, rows, tokens).astype(np.float64) + self.bonus

    def end(self, contexts: NDArray[np.uint64], blank_id: int) -> NDArray[np.float64]:
        """[queries], for the end of the text after each context."""
        each, ends = np.arange(len(contexts)), np.full(len(contexts), blank_id)
        return self.weight * self.model.log_probs(contexts, each, ends).astype(np.float64)


@dataclass(frozen=True, slots=True)
class _Beam:
    """The prefixes kept so far; every array is [batch, beam].

    A prefix is known by a hash of its tokens; `parent` is that of the prefix without its last token.
    `blank` and `token` are its two masses, as logs. Places without a prefix have no mass.

    `context` is what the language model knows the prefix by; `gain` what it has added to the masses, and `last_gain`
    what of that came with the last token. All are 0 without one.
    """

    hash: NDArray[np.uint64]
    parent: NDArray[np.uint64]
    last: NDArray[np.int64]
    blank: NDArray[np.float64]
    token: NDArray[np.float64]
    context: NDArray[np.uint64]
    gain: NDArray[np.float64]
    last_gain: NDArray[np.float64]

    @classmethod
    def start(cls, batch: int, beam: int) -> _Beam:
        """The empty prefix alone."""
        shape = batch, beam
        state = cls(
            np.full(shape, _DEAD),
            np.full(shape, _NO_PARENT),
            np.full(shape, _NO_TOKEN),
            np.full(shape, _ZERO),
            np.full(shape, _ZERO),
            np.zeros(shape, np.uint64),
            np.zeros(shape),
            np.zeros(shape),
        )
        state.hash[:, 0], state.blank[:, 0] = _EMPTY, 0.0
        return state

    def first(self, count: int) -> _Beam:
        """The first `count` sentences."""
        return _Beam(*(getattr(self, name)[:count] for name in self.__slots__))

    def mass(self) -> NDArray[np.float64]:
        """Of all paths of each prefix, as a log."""
        return np.logaddexp(self.blank, self.token)


def prefix_beam_search(
    token_ids: NDArray[np.int64],
    log_probs: NDArray[np.float32],
    frame_lengths: NDArray[np.int64],
    *,
    beam: int,
    blank_id: int,
    fluency: Fluency | None = None,
) -> list[list[Candidate]]:
    """Search a batch of sentences.

    Exact if `beam` holds every prefix and the frames list every token.

    Args:
        token_ids: [batch, frames, choices], the most probable tokens of each frame, none twice; the
            blank need not be one.
        log_probs: [batch, frames, choices], their natural log probabilities.
        frame_lengths: [batch], frames that count in each sentence, at least 1.
        beam: how many prefixes to keep after each frame.
        blank_id: the token that means "write nothing".
        fluency: the language model's part; without it the network decides alone.

    Returns:
        For each sentence at most `beam` candidates, the best first.
    """
    order = np.argsort(-frame_lengths, kind="stable")  # the longest first, so that those still going are the first
    results: list[list[Candidate]] = [[] for _ in order]
    state = _Beam.start(len(order), beam)
    trail: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
    for frame in range(int(frame_lengths.max())):
        going = int((frame_lengths > frame).sum())
        rows = order[:going]
        state, origin, written = _step(
            state.first(going), token_ids[rows, frame], log_probs[rows, frame].astype(np.float64), blank_id, fluency
        )
        trail.append((origin, written))
        ended = np.flatnonzero(frame_lengths[rows] == frame + 1)
        if len(ended):
            for place, *outcome in zip(ended.tolist(), *_outcomes(state, ended, blank_id, fluency), strict=True):
                results[rows[place]] = _candidates(trail, place, *outcome)
    return results


def _step(
    state: _Beam, tokens: NDArray[np.int64], log_probs: NDArray[np.float64], blank_id: int, fluency: Fluency | None
) -> tuple[_Beam, NDArray[np.int64], NDArray[np.int64]]:
    """Read one frame; `tokens` and `log_probs` are [batch, choices].

    Returns:
        The new beam; for each of its prefixes which old one it comes from, and the token written, or `_NO_TOKEN`.
    """
    batch, beam = state.last.shape
    both = state.mass()
    repeats = tokens[:, None, :] == state.last[:, :, None]
    is_blank = tokens == blank_id

    # a prefix stays: by a blank, or by its last token again
    stay_blank = both + np.where(is_blank, log_probs, _ZERO).max(axis=1, keepdims=True)
    last_log_prob = np.where(repeats, log_probs[:, None, :], _ZERO).max(axis=2)
    stay_token = state.token + last_log_prob

    # a prefix grows: its last token once more needs a blank in between
    grown = np.where(repeats, state.blank[:, :, None], both[:, :, None]) + log_probs[:, None, :]
    grown[np.broadcast_to(is_blank[:, None, :], grown.shape)] = _ZERO

    # a prefix that grows into one that is kept already adds to it
    child_of = state.parent[:, :, None] == state.hash[:, None, :]
    same_last = state.last[:, :, None] == state.last[:, None, :]
    inherited = np.where(child_of, np.where(same_last, state.blank[:, None, :], both[:, None, :]), _ZERO).max(axis=2)
    stay_token = np.logaddexp(stay_token, inherited + last_log_prob + state.last_gain)
    merged = child_of.transpose(0, 2, 1).astype(np.float32) @ repeats.astype(np.float32) > 0
    grown[merged] = _ZERO

    stay = np.logaddexp(stay_blank, stay_token)
    gains = np.zeros_like(grown)
    if fluency:
        # a longer prefix gains the bonus at most, and must pass the worst of a full beam
        least = np.maximum(stay.max(axis=1) - _REACH, stay.min(axis=1) - fluency.bonus)
        near = grown > least[:, None, None]
        row, prefix, choice = np.nonzero(near)
        gains[near] = fluency.gain(state.context.ravel(), row * beam + prefix, tokens[row, choice])
        grown = np.where(near, grown + gains, _ZERO)

    masses = np.concatenate([stay, grown.reshape(batch, -1)], axis=1)
    chosen = np.argpartition(-masses, beam - 1, axis=1)[:, :beam]
    rows = np.arange(batch)[:, None]
    mass = masses[rows, chosen]
    alive, stays = mass > _ZERO, chosen < beam
    growth = np.where(stays, 0, chosen - beam)
    origin = np.where(stays, chosen, growth // tokens.shape[1])
    written = np.where(stays, _NO_TOKEN, tokens[rows, growth % tokens.shape[1]])
    gain = np.where(stays, 0.0, gains.reshape(batch, -1)[rows, growth])

    def old(array: NDArray[Any]) -> NDArray[Any]:
        chosen_of: NDArray[Any] = array[rows, origin]
        return chosen_of

    hashes, context = old(state.hash), old(state.context)
    kept = _Beam(
        hash=np.where(alive, np.where(stays, hashes, _extended(hashes, written)), _DEAD),
        parent=np.where(alive, np.where(stays, old(state.parent), hashes), _NO_PARENT),
        last=np.where(stays, old(state.last), written),
        blank=np.where(stays, old(stay_blank), _ZERO),
        token=np.where(stays, old(stay_token), mass),
        context=np.where(stays, context, fluency.model.extended(context, written)) if fluency else context,
        gain=old(state.gain) + gain,
        last_gain=np.where(stays, old(state.last_gain), gain),
    )
    return kept, origin, written


def _extended(hashes: NDArray[np.uint64], tokens: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Hash of each prefix with a token more."""
    mixed = (hashes ^ (hashes >> np.uint64(29))) * _MULTIPLIER
    return mixed + tokens.astype(np.uint64) * _INCREMENT + _INCREMENT


def _outcomes(
    state: _Beam, rows: NDArray[np.int64], blank_id: int, fluency: Fluency | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """[rows, beam] each: log masses of the prefixes of sentences that have ended, and what fluency adds to them."""
    gains = state.gain[rows]
    log_probs = state.mass()[rows] - gains
    if fluency:
        gains += fluency.end(state.context[rows].ravel(), blank_id).reshape(gains.shape)
    return log_probs, gains


def _candidates(
    trail: list[tuple[NDArray[np.int64], NDArray[np.int64]]],
    row: int,
    log_probs: NDArray[np.float64],
    gains: NDArray[np.float64],
) -> list[Candidate]:
    """One sentence's prefixes, read off the trail from the last frame back to the first."""
    totals = log_probs + gains
    places = np.argsort(-totals, kind="stable")
    places = places[totals[places] > _ZERO]
    texts: list[list[int]] = [[] for _ in places]
    position = places
    for origin, written in reversed(trail):
        for text, token in zip(texts, written[row, position].tolist(), strict=True):
            if token != _NO_TOKEN:
                text.append(token)
        position = origin[row, position]
    return [
        Candidate(tuple(reversed(text)), log_prob, gain)
        for text, log_prob, gain in zip(texts, log_probs[places].tolist(), gains[places].tolist(), strict=True)
    ]
