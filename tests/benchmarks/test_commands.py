"""Every command of the measurements, called as it should not be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import typer
from typer.testing import CliRunner

from benchmarks.__main__ import app
from tests.cli.support import one_line

if TYPE_CHECKING:
    from pathlib import Path

MORE = {"variants": ["--variant", "quality=best"]}
"""What a command wants besides."""

WITH_BUNDLE = [
    name
    for name, command in sorted(typer.main.get_group(app).commands.items())
    if any("--bundle" in parameter.opts for parameter in command.params)
]


@pytest.mark.parametrize("name", WITH_BUNDLE)
def test_bundle_that_is_not_there(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line says so, or what else is not there, before anything is installed or measured."""
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, [name, "--bundle", "nowhere", *MORE.get(name, [])])
    assert one_line(result.stderr)
    assert result.exit_code in {1, 2}
    assert list(tmp_path.iterdir()) == []
