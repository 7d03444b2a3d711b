"""docs/clients.md: its examples run as they are, against the live service."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.service.support import Served

DOCUMENT = Path(__file__).parents[2] / "docs" / "clients.md"
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)
LIMIT_S = 60


def test_examples(served: Served) -> None:
    """Every Python example prints a translation; only the address is another."""
    text = DOCUMENT.read_text(encoding="utf-8")
    examples = [found.replace("http://127.0.0.1:8000", served.url) for found in PYTHON.findall(text)]
    assert len(examples) == 4
    program = "\n".join(examples)
    run = subprocess.run(
        [sys.executable, "-"],
        input=program,
        capture_output=True,
        encoding="utf-8",
        env={"NO_PROXY": "*", "PYTHONUTF8": "1"},
        timeout=LIMIT_S,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.count("Männer") >= 3
