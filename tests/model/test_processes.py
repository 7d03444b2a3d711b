"""Processes that work for another, and end with it."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from model.processes import workers

if TYPE_CHECKING:
    from pathlib import Path

PATIENCE_S = 60.0
BUSY = """
import os, time
from model.processes import workers

processes = workers(1)
print(processes.submit(os.getpid).result(), flush=True)
processes.submit(time.sleep, 600)
time.sleep(600)
"""


def test_they_are_prepared(tmp_path: Path) -> None:
    """Each is prepared before it works, and is none of ours."""
    with workers(1, os.chdir, tmp_path) as processes:
        assert processes.submit(os.getcwd).result(PATIENCE_S) == str(tmp_path)
        assert processes.submit(os.getpid).result(PATIENCE_S) != os.getpid()


def test_they_end_with_the_process_they_work_for() -> None:
    """Who kills a command need not look for what it had started."""
    with subprocess.Popen([sys.executable, "-c", BUSY], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        assert parent.stdout.readline()
        parent.kill()
        # both hold an end of this pipe, which is closed when the last of them has ended
        more, _ = parent.communicate(timeout=PATIENCE_S)
    assert not more
