"""The running service against its own OpenAPI document; `make soak` sends many more of these requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.service.support import PATIENCE_S
from tests.soak.fuzzing import fuzz

if TYPE_CHECKING:
    from pathlib import Path

    from tests.service.support import Served

EXAMPLES = 8
"""For each operation."""


def test_every_answer_is_as_documented(served: Served, tmp_path: Path) -> None:
    """Made-up requests, right and wrong, to every operation: each answer is documented, none is a server error."""
    host, port = served.address
    found = fuzz(f"http://{host}:{port}", tmp_path, examples=EXAMPLES, limit_s=6 * PATIENCE_S, seed=1)
    assert found.failures == 0, found.report
    assert found.requests > 40
    assert served.metric("reder_rejected_total", reason="internal-error") == 0
