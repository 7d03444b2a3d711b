"""What an export derives from measurements."""

from __future__ import annotations

from random import Random

import pytest

from model.export import weak_threshold


@pytest.mark.parametrize(
    ("judged", "threshold"),
    [
        pytest.param([(0.1, False), (0.3, False)], 0.0, id="none-is-poor"),
        pytest.param([(0.1, True), (0.3, True)], 1.0, id="all-are-poor"),
        pytest.param([(0.1, True), (0.2, True), (0.3, False), (0.4, False)], 0.4, id="two-in-three"),
        pytest.param([(0.1, False), (0.2, True), (0.3, False), (0.4, True)], 0.0, id="it-says-nothing"),
        pytest.param([(n / 10, n in {1, 3}) for n in range(1, 11)], 0.5, id="two-and-a-half-times-as-many-as-of-all"),
        pytest.param([(0.0, True), (0.0123456, False), (0.5, False)], 0.012, id="two-digits"),
    ],
)
def test_weak_threshold(judged: list[tuple[float, bool]], threshold: float) -> None:
    """Of what scores less, two in three are poor, or fewer if few are at all; no higher score would do."""
    Random(1).shuffle(judged)
    assert weak_threshold(judged) == threshold
