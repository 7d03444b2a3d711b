"""What a user sees before anything runs: help, and what is loaded for it."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from cli.main import app
from tests.cli.support import BUNDLE, COMMANDS, ENVIRONMENT, ROOT, one_line

HEAVY = {"torch", "onnx", "safetensors", "tensorboard"}


def python(code: str) -> subprocess.CompletedProcess[str]:
    """Run code in a fresh interpreter."""
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=60
    )


def test_help_lists_every_command() -> None:
    """`reder --help` names each command with a whole first sentence."""
    result = CliRunner().invoke(app, ["--help"], terminal_width=110)
    listed = {line.split()[0]: line for line in result.stdout.partition("Commands:")[2].splitlines() if line}
    assert listed.keys() == set(COMMANDS)
    assert [line for line in listed.values() if line.endswith("...")] == []


def test_version() -> None:
    """`reder --version` names the installed release."""
    assert CliRunner().invoke(app, ["--version"]).stdout == f"reder {importlib.metadata.version('reder')}\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_command(command: str) -> None:
    """Each command's help says what it reads or needs and shows an example on lines of its own."""
    result = CliRunner().invoke(app, [command, "--help"])
    assert result.exit_code == 0
    assert "Reads " in result.stdout or "Needs " in result.stdout
    example = [line.strip() for line in result.stdout.partition("Example")[2].splitlines()]
    assert any(line.startswith(f"reder {command} ") for line in example), result.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["translate", "--dir", "en-de", "--bundle", str(BUNDLE), "Good morning."],
        ["serve", "--bundle", "no-such-bundle"],
        ["evaluate", "--url", "http://127.0.0.1:9", "no-such-set"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_loads_no_training_library(arguments: list[str]) -> None:
    """Help, and the commands that serve, run to their end without torch."""
    run = python(f"""
import sys
from cli.main import app
app({arguments}, standalone_mode=False)
print("", *sys.modules, sep="\\n")
""")
    loaded = set(run.stdout.splitlines())
    assert "cli.main" in loaded, run.stderr
    assert not HEAVY & loaded


@pytest.mark.parametrize(
    ("missing", "command", "extra"),
    [
        ("onnxruntime", "serve", "cpu"),
        ("onnxruntime", "translate --dir en-de x", "cpu"),
        ("ray", "translate-corpus --dir en-de x -o y", "ray"),
        ("torch", "train recipe.toml", "train"),
        ("torch", "export recipe.toml --output x", "train"),
        ("mtdata", "fetch", "fetch"),
    ],
)
def test_names_missing_extra(missing: str, command: str, extra: str) -> None:
    """Without a package that a command needs, one line says which extra installs it."""
    run = python(f"import sys; sys.modules[{missing!r}] = None; from cli.main import app; app({command.split()})")
    assert run.returncode == 1
    said = one_line(run.stderr)
    assert missing in said
    assert f"'.[{extra}]'" in said
