"""The CPU image, started as docker-compose.yml has it, limited to one core.

Needs a Docker engine and the image as it is now: `docker compose --profile cpu build reder-cpu`. Skips without.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from typing import TYPE_CHECKING

import httpx
import pytest

from tests.operations.support import ROOT
from tests.service.processes import free_port

if TYPE_CHECKING:
    from collections.abc import Iterator

SERVICE = "reder-cpu"
IMAGE = "reder:cpu"
LIMIT_S = 120
DOCKER = shutil.which("docker") or ""
COMPOSE = ("compose", "--project-name", "reder-test", "--profile", "cpu")


def docker(*arguments: str, check: bool = True, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command of Docker's."""
    return subprocess.run(
        [DOCKER, *arguments],
        check=check,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        cwd=ROOT,
        env=os.environ | environment,
    )


def inside(container: str, command: str) -> str:
    """What a shell command in a container writes, whether or not it succeeds."""
    done = docker("exec", container, "sh", "-c", command, check=False)
    return (done.stdout + done.stderr).strip()


@pytest.fixture(scope="module")
def started() -> Iterator[tuple[str, str]]:
    """A container that is healthy, and the address it is published at."""
    needed = ("image", "inspect", IMAGE), (*COMPOSE, "version")
    if not DOCKER or any(docker(*command, check=False).returncode for command in needed):
        pytest.skip(f"needs a Docker engine with {IMAGE}, and compose")
    port = str(free_port())
    try:
        docker(*COMPOSE, "up", "--detach", "--wait", "--no-build", SERVICE, PUBLISH_PORT=port, CPUS="1")
        container = docker(*COMPOSE, "ps", "--quiet", SERVICE).stdout.strip()
        yield container, f"http://127.0.0.1:{port}"
    finally:
        docker(*COMPOSE, "down", "--volumes", check=False)


def test_a_healthy_container_translates(started: tuple[str, str]) -> None:
    """Once its health check passes, the service is reached through the published port and translates."""
    _, url = started
    with httpx.Client(base_url=url, timeout=LIMIT_S) as client:
        assert client.get("/readyz").status_code == 200
        answer = client.post("/translate", params={"dir": "de-en"}, json={"text": "Zwei Hunde spielen im Schnee."})
    assert "dogs" in answer.json()["translations"][0]["text"]


def test_it_has_no_rights(started: tuple[str, str]) -> None:
    """No root, no capabilities, no new privileges, and nothing to write to but /tmp."""
    container, _ = started
    assert inside(container, "id -u") == "10001"
    status = dict(line.split(":", 1) for line in inside(container, "cat /proc/1/status").splitlines())
    assert int(status["CapEff"], 16) == 0
    assert status["NoNewPrivs"].strip() == "1"
    for folder in ("/", "/opt/reder", "/bundle"):
        assert "Read-only file system" in inside(container, f"touch {folder}/file")
    assert not inside(container, "touch /tmp/file")


def test_it_holds_what_it_needs_and_no_more(started: tuple[str, str]) -> None:
    """No compiler, no pip, no torch, no tests."""
    container, _ = started
    assert not inside(container, "command -v gcc cc make pip")
    for module in ("pip", "torch", "tests"):
        assert "ModuleNotFoundError" in inside(container, f"python -c 'import {module}'")


def test_it_has_as_many_threads_as_cores(started: tuple[str, str]) -> None:
    """Limited to the time of one core, it runs one thread of inference, whatever the host has."""
    _, url = started
    metrics = httpx.get(f"{url}/metrics", timeout=LIMIT_S).text
    info = next(line for line in metrics.splitlines() if line.startswith("reder_engine_info{"))
    assert 'threads="1"' in info


def test_it_makes_keys(started: tuple[str, str]) -> None:  # noqa: ARG001 - the image is there
    """The command of docs/security.md writes the line of a key, and nothing else."""
    command = re.search(r"docker (compose .* key web)\)", (ROOT / "docs" / "security.md").read_text(encoding="utf-8"))
    assert command
    made = docker("compose", "--project-name", "reder-test", *command[1].split()[1:])
    assert re.fullmatch(r"web:[0-9a-f]{64}\n", made.stdout)


def test_told_to_stop_it_ends_in_order(started: tuple[str, str]) -> None:
    """Stopped, the process drains and exits with 0, not killed; the last test, since nothing is left to ask."""
    container, _ = started
    docker("stop", "--time", "45", container)
    (found,) = json.loads(docker("inspect", container).stdout)
    assert (found["State"]["ExitCode"], found["State"]["OOMKilled"]) == (0, False)
