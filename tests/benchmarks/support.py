"""Runs the measurements as people do, on a few sentences whose translation by the shipped bundle is known."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from typer.testing import CliRunner

from benchmarks.__main__ import app
from tests.cli.support import BUNDLE, ENVIRONMENT, LIMIT_S, ROOT, train_here
from tests.cli.support import here as reder

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from typer.testing import Result

SENTENCES = 3


def benchmarks(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own; a service that it starts uses one thread."""
    return subprocess.run(
        [sys.executable, "-m", "benchmarks", *map(str, arguments)],
        cwd=ROOT,
        env=ENVIRONMENT | {"REDER_THREADS": "1", "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=LIMIT_S,
    )


def here(*arguments: object) -> Result:
    """Run the command in this process, which has imported everything already."""
    return CliRunner().invoke(app, list(map(str, arguments)), catch_exceptions=False)


def run_here(monkeypatch: pytest.MonkeyPatch, study: str) -> None:
    """Have a study's runs trained and scored in this process, one by one: to start others takes longer than they do."""

    class OneByOne(ThreadPoolExecutor):
        """In this thread: a run looks out for signals, which no other can."""

        map = staticmethod(map)  # type: ignore[assignment]

    def run(*arguments: object, **_: object) -> None:
        done = reder(*arguments)
        assert done.exit_code == 0, done.output

    train_here(monkeypatch)
    monkeypatch.setattr(f"benchmarks.{study}.ThreadPoolExecutor", OneByOne)
    for module in ("short_runs", study):
        monkeypatch.setattr(f"benchmarks.{module}.reder", run, raising=False)


def table_rows(output: str) -> list[str]:
    """The tables in a command's output, without what a service of another test logs meanwhile in this process."""
    return [line for line in output.splitlines() if line.startswith("|")]


def write_set(folder: Path, name: str, english: list[str], german: list[str]) -> None:
    """A set as two files."""
    for language, lines in (("en", english), ("de", german)):
        (folder / f"{name}.{language}").write_text("\n".join(lines) + "\n", encoding="utf-8")


def golden(count: int = SENTENCES) -> tuple[list[str], list[str]]:
    """English sentences, at most ten, and what the bundle makes of them."""
    examples = map(json.loads, (BUNDLE / "golden.jsonl").read_text(encoding="utf-8").splitlines())
    pairs = [(one["source"], one["translation"]) for one in examples if one["direction"] == "en-de"][:count]
    return [source for source, _ in pairs], [translation for _, translation in pairs]
