"""The path behind a translation: which frames wrote which tokens, and where in the text tokens stand."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.bundle import BLANK_ID, best_path, collapse, last_frames

if TYPE_CHECKING:
    from model.bundle import Tokenizer

TEXTS = st.text(
    st.one_of(st.sampled_from(" aäß\u0308\u00ad\u00a0½ﬁ한ᄒ\u1161ｶﾞ😀."), st.characters(exclude_categories=["Cs"]))
)


def test_the_last_frame_of_each_token() -> None:
    """A run of one token counts once, at its end; after a blank the same token counts again."""
    path = np.array([0, 7, 7, 0, 7, 8, 8, 8, 0])
    assert last_frames(path, blank_id=BLANK_ID) == [2, 4, 7]
    assert last_frames(np.zeros(3, np.int64), blank_id=BLANK_ID) == []


@given(frames=st.integers(1, 4), length=st.integers(0, 3), seed=st.integers(0, 2**32 - 1))
def test_the_best_path_is_the_best(frames: int, length: int, seed: int) -> None:
    """Of all paths over all tokens that collapse to the target none is more probable."""
    generator = np.random.default_rng(seed)
    log_probs = np.log(generator.dirichlet(np.ones(4), frames)).astype(np.float32)
    target = tuple(generator.integers(1, 4, length).tolist())

    def spelled(path: tuple[int, ...]) -> tuple[int, ...]:
        ids = np.array([path])
        return tuple(collapse(ids, np.zeros(ids.shape, np.float32), np.array([frames]), blank_id=BLANK_ID)[0].ids)

    fitting = [path for path in itertools.product(range(4), repeat=frames) if spelled(path) == target]
    if not fitting:
        return
    choices = np.tile(np.arange(4), (frames, 1))
    found = best_path(choices, log_probs, target, blank_id=BLANK_ID)
    assert spelled(tuple(found.tolist())) == target
    best = max(float(log_probs[range(frames), path].sum()) for path in fitting)
    assert log_probs[range(frames), found].sum() == pytest.approx(best, abs=1e-4)


def test_a_token_that_no_frame_lists_is_improbable_not_impossible() -> None:
    """The path puts it on the frame where it costs least."""
    choices = np.array([[5], [0], [6]])
    found = best_path(choices, np.log(np.array([[0.9], [0.3], [0.9]], np.float32)), (5, 7, 6), blank_id=BLANK_ID)
    assert found.tolist() == [5, 7, 6]


@given(text=TEXTS)
def test_tokens_stand_in_order_and_leave_no_word_out(tokenizer: Tokenizer, text: str) -> None:
    """Spans of source tokens lie in the text, ascend, and together cover all but white space and what is removed."""
    ids = tokenizer.encode(text)
    spans = tokenizer.source_spans(ids, text)
    assert len(spans) == len(ids)
    assert all(0 <= start <= end <= len(text) for start, end in spans)
    assert spans == sorted(spans)
    covered = {place for start, end in spans for place in range(start, end)}
    left = "".join(char for place, char in enumerate(text) if place not in covered)
    assert not any(map(str.isalnum, left))


@given(ids=st.lists(st.integers(2, 100), max_size=30))
def test_tokens_of_a_translation_stand_in_it(tokenizer: Tokenizer, ids: list[int]) -> None:
    """Whatever the network writes, bytes that form no character included; each token's letters are where it stands."""
    text = tokenizer.decode(ids)
    spans = tokenizer.target_spans(ids, text)
    assert len(spans) == len(ids)
    for (start, end), piece in zip(spans, tokenizer.pieces(ids), strict=True):
        assert 0 <= start <= end <= len(text)
        if not piece.startswith("<0x"):
            assert text[start:end] == piece.replace("▁", "").strip()
