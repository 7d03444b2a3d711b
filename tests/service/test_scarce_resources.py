"""A machine that runs out: of disk, of file descriptors, of memory."""

from __future__ import annotations

import os
import re
import resource
import socket
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.service.processes import Running, started
from tests.service.support import PATIENCE_S, distinct, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx

    from service.settings import Settings

pytestmark = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs Linux: /dev/full, /proc and prlimit")

NO_DISK = """
import os, resource, runpy
os.environ["TMPDIR"] = "/nowhere"
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
runpy.run_module("service", run_name="__main__")
"""
"""The program where no file can be written or made."""

SPARE, SPARE_BYTES = 6, 4 << 20
SILENT = 80


@pytest.fixture(scope="module")
def without_disk(settings: Settings) -> Iterator[Running]:
    """A service that cannot write a byte, its log included, from its start on."""
    # batches for which memory can run out, and a runtime that takes more for more of them
    large: dict[str, Any] = {"batch_tokens": 16_384, "runtime": "onnxruntime"}
    with started(settings.bundle, Path("/dev/full"), program=("-c", NO_DISK), **large) as running:
        yield running.ready()


def translate(client: httpx.Client) -> int:
    """The status of a translation."""
    return client.post("/translate?dir=en-de", json={"text": "Two men talk."}).status_code


def descriptors(running: Running) -> int:
    """How many it has open."""
    return sum(1 for _ in Path(f"/proc/{running.process.pid}/fd").iterdir())


def cpu_s(running: Running) -> float:
    """Seconds of processor time it has used."""
    fields = Path(f"/proc/{running.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_a_full_disk(without_disk: Running) -> None:
    """With nowhere to log to, requests are answered as ever, wrong ones too; the metrics count them."""
    with without_disk.client() as client:
        assert [translate(client) for _ in range(3)] == [200] * 3
        assert client.post("/translate?dir=en-de", json={"text": "\0"}).status_code == 422
        assert client.get("/nothing").status_code == 404
        assert 'reder_requests_total{code="200",dir="en-de"' in client.get("/metrics").text


def test_no_memory_left(without_disk: Running) -> None:
    """A batch for which the system has no memory is run in smaller ones, and everybody is answered.

    What is left would not do for the stack of one more thread.
    """
    pid = without_disk.process.pid
    sentence = "The old woman who had never seen the sea bought a small red boat and gave it to her neighbour, "
    with without_disk.client() as client:
        assert translate(client) == 200
        before = resource.prlimit(pid, resource.RLIMIT_AS)
        size = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
        resource.prlimit(pid, resource.RLIMIT_AS, (size + SPARE_BYTES, before[1]))
        answer = client.post("/translate?dir=en-de", json={"text": distinct(f"{(sentence * 4)[:-2]}.", 40)})
        resource.prlimit(pid, resource.RLIMIT_AS, before)
        assert answer.status_code == 200
        assert len(answer.json()["translations"]) == 40
        failed = re.search(r'reder_batch_failures_total\{kind="out_of_memory"\} (\S+)', client.get("/metrics").text)
        assert failed
        assert float(failed[1]) > 0
        assert client.get("/readyz").status_code == 200
        assert translate(client) == 200


def test_no_file_descriptors_left(without_disk: Running) -> None:
    """With none left, who is connected is served, the process does not spin, and once some are free all is well."""
    pid = without_disk.process.pid
    with without_disk.client() as client, ExitStack() as silent:
        assert translate(client) == 200
        before = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        few = descriptors(without_disk) + SPARE
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (few, before[1]))
        for _ in range(SILENT):
            silent.enter_context(socket.create_connection(without_disk.address, timeout=PATIENCE_S))
        wait_until(lambda: descriptors(without_disk) >= few - 1)
        started_s = cpu_s(without_disk)
        assert [translate(client) for _ in range(3)] == [200] * 3
        time.sleep(1)
        assert cpu_s(without_disk) - started_s < 0.8
        assert translate(client) == 200
        silent.close()
        wait_until(lambda: descriptors(without_disk) < few - SPARE // 2)
        wait_until(lambda: without_disk.get("/healthz").status_code == 200)
        resource.prlimit(pid, resource.RLIMIT_NOFILE, before)


def test_the_end_without_disk(without_disk: Running) -> None:
    """That the last line of the log is lost does not change the exit code."""
    assert without_disk.end() == 0
