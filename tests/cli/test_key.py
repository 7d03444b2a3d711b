"""`reder key`: what it shows, and that the service accepts it."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from cli.main import app
from service.keys import Keyring
from tests.cli.support import ENVIRONMENT, LIMIT_S, one_line, reder


def test_makes_a_key_and_its_line() -> None:
    """Standard output has the line for the file and nothing else; the key of its hash is shown on standard error."""
    run = reder("key", "web-1")
    assert run.returncode == 0, run.stderr
    line = run.stdout.decode()
    (key,) = re.findall(r"^key, shown only now: ([\w-]{43})$", run.stderr.decode(), flags=re.MULTILINE)
    assert line == f"web-1:{hashlib.sha256(key.encode()).hexdigest()}\n"
    assert key not in line
    assert Keyring.parse(line).name_of(key) == "web-1"


def test_no_two_are_alike() -> None:
    """Keys of one name differ, so that one can replace the other."""
    lines = {reder("key", "web").stdout for _ in range(2)}
    assert len(lines) == 2


@pytest.mark.parametrize("name", ["", "the web", "web:1", "-web", "w" * 33, "wëb", "web\n"])
def test_refuses_names_that_do_not_fit(name: str) -> None:
    """A name that could not stand in the file, in a log or in a label: one line that says what fits, and no key."""
    run = CliRunner().invoke(app, ["key", "--", name])
    assert run.exit_code == 2
    assert "letters, digits" in one_line(run.stderr)
    assert run.stdout == ""


@pytest.mark.parametrize(
    ("to", "code", "said"), [(">/dev/full", 1, "No space left on device"), (">&-", 2, "standard output is closed")]
)
def test_shows_no_key_whose_line_is_lost(to: str, code: int, said: str) -> None:
    """Where the line cannot be written there is no key either: one line says why."""
    command = f"{sys.executable} -m cli.main key web {to}"
    run = subprocess.run(["/bin/sh", "-c", command], env=ENVIRONMENT, capture_output=True, check=False, timeout=LIMIT_S)
    assert run.returncode == code
    assert one_line(run.stderr) == f"reder: {said}\n"
