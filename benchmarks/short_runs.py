"""Short runs of training, each a recipe in a folder of its own: what comparisons of methods and sizes are made of.

A run that is finished is not repeated, so a command can be stopped and called again.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import typer

from cli.errors import USAGE, fail

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["reder", "trained_and_scored"]


def trained_and_scored(run: Path, recipe: str, score: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Train a recipe and score what came of it, or read the scores if both are done.

    Ends the command if training fails, or if the folder holds a run of another recipe.

    Args:
        run: folder of the run; scores.json in it says that it is finished.
        recipe: its text.
        score: called once the run is trained.
    """
    result, path = run / "scores.json", run / "recipe.toml"
    if path.exists() and path.read_text(encoding="utf-8") != recipe:
        fail(f"{run} holds a run of another recipe; name another folder", code=USAGE)
    if not result.exists():
        run.mkdir(parents=True, exist_ok=True)
        path.write_text(recipe, encoding="utf-8")
        reder("train", path, "--run", run, "--processes", 1)
        result.write_text(json.dumps(score(), indent=2) + "\n", encoding="utf-8")
    scores: dict[str, Any] = json.loads(result.read_text(encoding="utf-8"))
    typer.echo(f"{run.name}: {scores}", err=True)
    return scores


def reder(*arguments: object, limit_s: float | None = None) -> None:
    """Run the command in a process of its own, with one thread."""
    command = [sys.executable, "-m", "cli.main", *map(str, arguments)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(  # noqa: S603 - our own command
        command, capture_output=True, text=True, timeout=limit_s, check=False, env=environment
    )
    if done.returncode:
        typer.echo(done.stderr, err=True)
        raise typer.Exit(done.returncode)
