"""Requests made up from the service's own OpenAPI document, each answer checked against it."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Fuzzed", "fuzz"]

_CONFIG = Path(__file__).with_name("schemathesis.toml")


@dataclass(frozen=True, slots=True)
class Fuzzed:
    """How many requests were sent, how many kinds of wrong answers they found, and the report that tells which."""

    requests: int
    failures: int
    seed: int
    report: str


def fuzz(
    url: str, folder: Path, *, examples: int, limit_s: float, minutes: float | None = None, seed: int | None = None
) -> Fuzzed:
    """Send up to so many requests for each operation, with all checks of schemathesis.

    Args:
        url: of the service.
        folder: where what schemathesis writes goes.
        examples: at most, for each operation.
        limit_s: the longest it may take.
        minutes: begin again with other examples until so much time has gone.
        seed: repeats an earlier run; by default every run is another.

    Raises:
        RuntimeError: schemathesis did not do its work.
        TimeoutExpired: it took too long.
    """
    result = folder.resolve() / "fuzzing.json"
    command = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(_CONFIG)]
    command += ["run", f"{url}/openapi.json", "--checks", "all", "--max-examples", str(examples)]
    command += ["--no-color", "--report", "json", "--report-json-path", str(result)]
    command += ["--seed", str(seed)] if seed is not None else []
    command += ["--max-time", str(round(60 * minutes))] if minutes else []
    run = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False, timeout=limit_s)
    if not result.exists():
        msg = f"schemathesis ended with {run.returncode} and no report: {run.stdout}{run.stderr}"
        raise RuntimeError(msg)
    told = json.loads(result.read_text(encoding="utf-8"))
    if not told["complete"] or told["operations"]["tested"] != told["operations"]["total"]:
        msg = f"schemathesis did not come to the end: {run.stdout}"
        raise RuntimeError(msg)
    return Fuzzed(
        requests=told["test_cases"]["generated"],
        failures=len(told["failures"]) + len(told["errors"]),
        seed=told["seed"],
        report=run.stdout,
    )
