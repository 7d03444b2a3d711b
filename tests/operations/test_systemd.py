"""deploy/systemd/reder.service: systemd understands it, the service runs under it, and it grants little."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from service.__main__ import main
from service.settings import Settings
from tests.operations.support import ROOT
from tests.service.processes import started
from tests.service.support import BUNDLE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.service.processes import Running

UNIT = ROOT / "deploy" / "systemd" / "reder.service"
CONFINED = Path(__file__).with_name("confined.py")
SPARE_S = 10
MOST_EXPOSED = 20
"""In tenths of systemd's scale, where 100 is a service without any restriction."""


@pytest.fixture(scope="module")
def service() -> dict[str, list[str]]:
    """The section [Service]: every value of every key, in order."""
    values: dict[str, list[str]] = {}
    section = ""
    for line in UNIT.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line
        elif section == "[Service]" and line and not line.startswith("#"):
            key, _, value = line.partition("=")
            values.setdefault(key, []).append(value)
    return values


@pytest.fixture(scope="module")
def analyze() -> str:
    """The program systemd-analyze, which asks no running systemd for what is done here."""
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("systemd-analyze is not installed")
    return program


@pytest.fixture
def confined(service: dict[str, list[str]], analyze: str, tmp_path: Path) -> Iterator[Running]:
    """The service with the unit's environment, and no system call but those that the unit allows."""
    environment = dict(one.split("=", 1) for one in service["Environment"])
    environment |= {"REDER_BUNDLE": str(BUNDLE), "REDER_DRAIN_DELAY_S": "0"}
    calls = ",".join(sorted(allowed(analyze, service["SystemCallFilter"])))
    program = (str(CONFINED), calls, sys.executable, "-m", "service")
    values = {"threads": 0, "canary_on_start": True}
    with started(BUNDLE, tmp_path / "log", program=program, environment=environment, **values) as running:
        yield running.ready()


def test_systemd_understands_the_unit(analyze: str, tmp_path: Path) -> None:
    """Not one key or value that systemd ignores; only the program's path is another, where this test runs."""
    unit = tmp_path / "reder.service"
    unit.write_text(UNIT.read_text(encoding="utf-8").replace("/opt/reder/bin/reder", sys.executable), encoding="utf-8")
    run = subprocess.run(
        [analyze, "verify", "--man=no", unit], capture_output=True, encoding="utf-8", check=False, timeout=60
    )
    assert (run.returncode, run.stderr) == (0, "")


def test_the_threads_of_many_cores_are_allowed(service: dict[str, list[str]]) -> None:
    """By default every core is used: each has about seven threads, and twice as many while a bundle is replaced."""
    assert int(service["TasksMax"][0]) >= 128 * 7 * 2


def test_the_unit_is_little_exposed(analyze: str) -> None:
    """Systemd's own measure of what the service could do if it were taken over."""
    command = [analyze, "security", "--offline=true", f"--threshold={MOST_EXPOSED}", "--no-pager", str(UNIT)]
    run = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, timeout=60)
    assert run.returncode == 0, run.stdout


def test_the_service_runs_confined(confined: Running) -> None:
    """It starts, translates and ends in order with the unit's system calls only and no memory both written and run."""
    status = Path(f"/proc/{confined.process.pid}/status").read_text(encoding="utf-8")
    assert "Seccomp:\t2\n" in status
    with confined.client() as client:
        answer = client.post("/translate?dir=de-en&quality=best", json={"text": "Ein Hund läuft."})
    assert answer.status_code == 200
    assert confined.end() == 0


def test_the_unit_gives_time_to_drain(service: dict[str, list[str]]) -> None:
    """Systemd kills only after the delay and the longest drain, with some time left."""
    given = dict(one.removeprefix("REDER_").split("=", 1) for one in service["Environment"])
    settings = Settings.model_validate({name.lower(): value for name, value in given.items()})
    assert settings.drain_delay_s > 0
    assert int(service["TimeoutStopSec"][0]) > settings.drain_delay_s + settings.drain_timeout_s + SPARE_S


def test_the_unit_restarts_what_can_be_helped(service: dict[str, list[str]]) -> None:
    """A crash or a taken port is followed by a new start, wrong settings are not; SIGHUP reads the bundle again.

    Before Python can take it, SIGHUP ends the process, which to systemd is no failure.
    """
    assert service["Restart"] == ["on-failure"]
    assert service["RestartForceExitStatus"] == ["SIGHUP"]
    assert service["ExecReload"] == ["/bin/kill -HUP $MAINPID"]
    assert service["RestartPreventExitStatus"] == [str(main(Settings(bundle=Path("missing"), port=0)))]
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        assert main(Settings(port=taken)) not in (0, int(service["RestartPreventExitStatus"][0]))


def allowed(analyze: str, filters: list[str]) -> set[str]:
    """The system calls that a unit's SystemCallFilter lines let through, by the sets of the systemd installed."""
    run = subprocess.run([analyze, "syscall-filter"], capture_output=True, encoding="utf-8", check=True, timeout=60)
    sets: dict[str, list[str]] = {}
    name = ""
    for line in run.stdout.splitlines():
        if line.startswith("@"):
            name = line.strip()
            sets[name] = []
        elif line.startswith("    ") and not line.strip().startswith("#"):
            sets[name].append(line.strip())

    def expand(entry: str) -> set[str]:
        return {call for inner in sets[entry] for call in expand(inner)} if entry.startswith("@") else {entry}

    calls: set[str] = set()
    for line in filters:
        listed = {call for entry in line.removeprefix("~").split() for call in expand(entry)}
        calls = calls - listed if line.startswith("~") else calls | listed
    return calls
