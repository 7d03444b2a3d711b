"""Runs `reder` as users do: a process of its own, or in this one where that is all the same."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from typer.testing import CliRunner

from cli.main import app

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest
    from typer.testing import Result

ROOT = Path(__file__).parents[2]
BUNDLE = Path(os.environ.get("REDER_BUNDLE", ROOT / "bundles" / "reder-small"))
COMMANDS = (
    "serve",
    "translate",
    "translate-corpus",
    "key",
    "fetch",
    "prepare",
    "language-models",
    "dictionary",
    "shortlists",
    "word-pairs",
    "distill",
    "distill-packed",
    "construct",
    "train",
    "evaluate",
    "export",
    "refresh",
)
LIMIT_S = 280  # exporting takes two minutes where something else has the cores, too

ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("REDER_")},
    "PYTHONPATH": str(ROOT),
}


def reder(*arguments: object, text: bytes = b"", folder: Path = ROOT) -> subprocess.CompletedProcess[bytes]:
    """Run the command with `text` on standard input."""
    command = [sys.executable, "-m", "cli.main", *map(str, arguments)]
    return subprocess.run(
        command, input=text, cwd=folder, env=ENVIRONMENT, capture_output=True, check=False, timeout=LIMIT_S
    )


def here(*arguments: object) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(app, list(map(str, arguments)))


def train_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have `train` train in this process, which has loaded PyTorch: two that are started would load it again."""

    def launched(work: Callable[[], None], _processes: int, **_: object) -> None:
        work()

    monkeypatch.setattr("cli.launch.launch", launched)


def one_line(output: bytes | str) -> str:
    """What a failed command said; fails if it is more than one line, or a traceback."""
    text = output.decode() if isinstance(output, bytes) else output
    assert text.startswith("reder: "), text
    assert text.count("\n") == 1, text
    return text
