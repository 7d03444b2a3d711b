"""Processes of a run start together, find each other, and end together."""

from __future__ import annotations

import os
import signal
import time
from functools import partial
from typing import TYPE_CHECKING

import pytest

from cli import launch as launcher
from cli.launch import LaunchError, launch

if TYPE_CHECKING:
    from pathlib import Path


class ForeseenError(RuntimeError):
    """Something a command reports in one line."""


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave no trace: launching sets variables for its processes, unless they are set."""
    for name in launcher._ENVIRONMENT:
        monkeypatch.setenv(name, "")  # so that it is restored
        monkeypatch.delenv(name)


def note(folder: Path) -> None:
    """Write down what a process was told about itself."""
    told = [os.environ[name] for name in ("WORLD_SIZE", "LOCAL_RANK", "OMP_NUM_THREADS")]
    (folder / os.environ["RANK"]).write_text(" ".join(told), encoding="utf-8")


def fail(how: str) -> None:
    """Process 1 fails; process 0 would go on for minutes."""
    if os.environ["RANK"] == "0":
        time.sleep(300)
    if how == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    msg = "the disk is full"
    raise ForeseenError(msg)


def test_each_knows_its_place(tmp_path: Path) -> None:
    """Every process has its rank and their number, as torchrun would say it, and one thread."""
    launch(partial(note, tmp_path), 2, foreseen=())
    assert {file.name: file.read_text(encoding="utf-8") for file in tmp_path.iterdir()} == {"0": "2 0 1", "1": "2 1 1"}


@pytest.mark.parametrize(("how", "said"), [("raised", "^the disk is full$"), ("killed", "SIGKILL; start it again")])
def test_one_failure_ends_all(how: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """When one process fails or is killed, the others are ended, and its reason is the run's."""
    monkeypatch.setattr(launcher, "_GRACE_S", 0.1)
    with pytest.raises(LaunchError, match=said):
        launch(partial(fail, how), 2, foreseen=(ForeseenError,))
