"""What every measurement ends with: a Markdown table to read, and a JSON file with all that was measured."""

from __future__ import annotations

import json
import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from service.engine.cores import usable_cores

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from model.evaluate import Score

__all__ = ["RESULTS", "bleu_and_chrf", "machine", "number", "save", "table", "warn_if_busy"]

RESULTS = Path("build/bench")
"""Where the JSON files go, unless told otherwise."""

_PACKAGES = ("onnxruntime", "onnxruntime-gpu", "ctranslate2", "numpy", "fastapi", "uvicorn", "aiohttp")
_QUIET_LOAD = 0.3
_CPU_INFO = Path("/proc/cpuinfo")


def table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; the first column is left-aligned, all others are numbers."""
    lines = [titles, ["---", *["---:"] * (len(titles) - 1)], *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def number(value: float | None, digits: int = 2) -> str:
    """A cell; empty where nothing was measured."""
    return "" if value is None else f"{value:,.{digits}f}"


def bleu_and_chrf(score: Score) -> str:
    """A cell with both."""
    return f"{score.bleu:.1f} / {score.chrf:.1f}"


def save(name: str, content: dict[str, Any], folder: Path) -> Path:
    """Write NAME.json: the content, and where it was measured. A reader sees the old file or the new, never half."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.json"
    partial = file.with_name(f"{file.name}.partial")
    partial.write_text(json.dumps({"machine": machine(), **content}, indent=2) + "\n", encoding="utf-8")
    partial.replace(file)
    return file


def machine() -> dict[str, Any]:
    """Processor, cores, load before the last minute's end, and versions of what is measured."""
    return {
        "processor": _processor(),
        "cores": usable_cores(),
        "load": round(os.getloadavg()[0], 2),
        "python": platform.python_version(),
        **{name: found for name in _PACKAGES if (found := _version(name))},
    }


def warn_if_busy() -> None:
    """Say so on standard error if other programs use the processor: ratios survive that, but less exactly."""
    load = os.getloadavg()[0]
    if load > _QUIET_LOAD:
        typer.echo(f"warning: the machine is not idle (load {load:.1f}); figures will vary more", err=True)


def _processor() -> str:
    """The model's name, where the system tells."""
    if _CPU_INFO.exists():
        for line in _CPU_INFO.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
