"""Search and reranking by hand-made figures, without a network."""

from __future__ import annotations

import math
from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.bundle import Candidate
from service.pipeline.decoding.frames import find_candidates
from service.pipeline.decoding.reranking import choose, likeliest, likeliest_sound, pairs_to_score
from service.types import Candidates, Hypothesis, ScorePair, SegmentChoices

LIKELY, LIKELIER = Candidate((7, 8), -3.0), Candidate((7,), -2.0)
EMPTY = Candidate((), -1.0)


def choices(*frames: dict[int, float]) -> SegmentChoices:
    """Frames that give each token its probability."""
    ids = np.array([list(frame) for frame in frames], np.int64)
    return SegmentChoices(ids, np.log([list(frame.values()) for frame in frames]).astype(np.float32))


def test_the_most_probable_is_a_sum_over_paths() -> None:
    """Blank twice is the best path (0.36), but three paths spell the token (0.64 together): it comes first."""
    (found,) = find_candidates([choices({0: 0.6, 5: 0.4}, {0: 0.6, 5: 0.4})], [()], beam=4, blank_id=0)
    assert found.frames == 2
    assert [candidate.ids for candidate in found.candidates] == [(5,), ()]
    assert [np.exp(candidate.log_prob) for candidate in found.candidates] == pytest.approx([0.64, 0.36])


def test_pieces_are_searched_alone() -> None:
    """Pieces of different lengths, searched together, give what each gives alone; none give none."""
    pieces = [choices(*[{0: 0.5, token: 0.3, 9: 0.2}] * count) for token, count in ((5, 4), (6, 1), (7, 3))]
    alone = chain.from_iterable(find_candidates([piece], [()], beam=3, blank_id=0) for piece in pieces)
    assert find_candidates(pieces, [()] * len(pieces), beam=3, blank_id=0) == list(alone)
    assert find_candidates([], [], beam=3, blank_id=0) == []


def test_the_likeliest() -> None:
    """The first few candidates that have words; one that has none only if no other is found."""
    found = Candidates((EMPTY, LIKELIER, LIKELY), frames=4)
    assert likeliest(found, 3).candidates == (LIKELIER, LIKELY)
    assert likeliest(found, 2).candidates == (LIKELIER, LIKELY)
    assert likeliest(found, 1).candidates == (LIKELIER,)
    assert likeliest(Candidates((EMPTY,), frames=4), 1).candidates == (EMPTY,)


def test_sound_candidates_come_first() -> None:
    """Those that are sound are chosen among, if any of the first few is; the search's order stands among them."""
    found = Candidates((EMPTY, *(Candidate((token,), -float(token)) for token in range(1, 21))), frames=4)

    def sound(*tokens: int) -> tuple[Candidate, ...] | None:
        short = likeliest_sound(found, 2, lambda ids: ids[0] in tokens, 8, lambda _: 0)
        return short.candidates if short else None

    assert sound(3, 5, 7) == (found.candidates[3], found.candidates[5])
    assert sound(3) == (found.candidates[3],)
    assert sound(7) == (found.candidates[7],)
    assert sound(8) is None  # nobody looks so far
    assert sound() is None


@pytest.mark.parametrize(
    ("flaws", "count", "expected"),
    [
        ({}, 1, [1]),
        ({1: 1}, 1, [2]),
        ({1: 2, 2: 1, 3: 1}, 1, [2]),
        ({1: 1, 2: 1, 3: 1}, 1, [1]),  # the fourth is much less probable
        ({2: 1}, 1, [1]),
        ({1: 1}, 2, [2, 3]),
        ({1: 1, 2: 1}, 2, [3, 1]),
        ({1: 1, 2: 1, 3: 1}, 2, [1, 2]),
    ],
)
def test_candidates_with_fewer_flaws_come_first(flaws: dict[int, int], count: int, expected: list[int]) -> None:
    """Of those that are sound and nearly as probable as the likeliest; among equals the search's order stands."""
    found = Candidates(tuple(Candidate((token,), -0.9 * token) for token in range(1, 6)), frames=4)
    short = likeliest_sound(found, count, lambda _: True, 8, lambda ids: flaws.get(ids[0], 0))
    assert short is not None
    assert [candidate.ids[0] for candidate in short.candidates] == expected


def test_what_is_asked_of_the_other_direction() -> None:
    """Each candidate leads back to its own piece, cut to what the network reads; a lone candidate asks nothing."""
    found = [
        Candidates((LIKELIER, LIKELY), frames=4),
        Candidates((LIKELY,), frames=4),
        Candidates((LIKELY, LIKELIER), frames=4),
    ]
    assert pairs_to_score([(1, 2, 3), (4,), (5,)], found, max_tokens=1) == [
        ScorePair((7,), (1, 2, 3)),
        ScorePair((7,), (1, 2, 3)),
        ScorePair((7,), (5,)),
        ScorePair((7,), (5,)),
    ]


def test_the_other_direction_may_overturn_the_search() -> None:
    """By how much depends on the weight; confidence is that of the candidate chosen, over the frames."""
    found, backward = [Candidates((LIKELIER, LIKELY), frames=4)], [-5.0, -3.5]
    (first,) = choose(found, backward, reverse_weight=0.5)
    assert first == Hypothesis((7,), math.exp(-2 / 4), reverse_log_prob=-5.0)
    (first,) = choose(found, backward, reverse_weight=1.0)
    assert first == Hypothesis((7, 8), math.exp(-3 / 4), reverse_log_prob=-3.5)


def test_candidates_that_lead_nowhere_back() -> None:
    """One from which no alignment reaches the source is last; if that is all of them, the search's order stands."""
    found = [Candidates((LIKELIER, LIKELY), frames=4)]
    (first,) = choose(found, [-np.inf, -50.0], reverse_weight=0.5)
    assert first.ids == LIKELY.ids
    (neither,) = choose(found, [-np.inf, -np.inf], reverse_weight=0.5)
    assert neither.ids == LIKELIER.ids


def test_confidence_is_at_most_one() -> None:
    """Rounding may put a log probability a hair above zero."""
    assert choose([Candidates((Candidate((5,), 1e-9),), frames=2)], [], reverse_weight=0.5) == [Hypothesis((5,), 1.0)]


@given(
    st.lists(st.lists(st.tuples(st.floats(-50, 0), st.floats(-50, 0)), min_size=1, max_size=5), max_size=6),
    st.floats(0.1, 2),
)
def test_each_piece_gets_its_own_best(pieces: list[list[tuple[float, float]]], weight: float) -> None:
    """Of any number of pieces with any number of candidates, each gets the one with the best sum."""
    found = [
        Candidates(
            tuple(Candidate((10 * row + place + 1,), forward) for place, (forward, _) in enumerate(piece)), frames=3
        )
        for row, piece in enumerate(pieces)
    ]
    backward = [back for piece in pieces if len(piece) > 1 for _, back in piece]
    chosen = choose(found, backward, reverse_weight=weight)
    assert len(chosen) == len(pieces)
    for row, (piece, hypothesis) in enumerate(zip(pieces, chosen, strict=True)):
        place = hypothesis.ids[0] - 10 * row - 1
        totals = [forward + weight * back for forward, back in piece]
        assert totals[place] == max(totals)
