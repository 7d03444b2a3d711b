"""The measurement of language detection."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.benchmarks.support import here, write_set

if TYPE_CHECKING:
    from pathlib import Path


def test_detection_is_measured(tmp_path: Path) -> None:
    """A row for each length: all is right where the sides are what they say, and nothing where they are swapped."""
    english, german = ["The dog runs along the beach."] * 3, ["Der Hund läuft am Strand entlang."] * 2
    write_set(tmp_path, "right", english, german)
    write_set(tmp_path, "swapped", german, english)
    for name, share in (("right", "100.0%"), ("swapped", "0.0%")):
        result = here("detection", tmp_path / name, "--sentences", 2)
        assert result.exit_code == 0
        whole = result.stdout.splitlines()[-1]
        assert re.match(rf" +all +4 +{re.escape(share)} ", whole), result.stdout
