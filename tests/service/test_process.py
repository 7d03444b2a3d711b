"""The program as it is run: starts from the environment, logs JSON without text, drains on SIGTERM."""

from __future__ import annotations

import json
import signal
import socket
import time
from typing import TYPE_CHECKING

import pytest

from tests.service.processes import Running, free_port, listens, started
from tests.service.support import PATIENCE_S, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from service.settings import Settings

SECRET = "Geheimnis"  # noqa: S105 - no password: a word that must not be logged


@pytest.fixture(scope="module")
def running(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """The program, ready, with one of its settings misspelt; the last test that has it ends it."""
    log, misspelt = tmp_path_factory.mktemp("running") / "log", {"REDER_BATCH_TOKEN": "3"}
    with started(settings.bundle, log, environment=misspelt, drain_delay_s=2) as running:
        yield running.ready()


WITHOUT_STREAMS = """
import os, sys
for descriptor in {descriptors}:
    os.close(descriptor)
os.execv(sys.executable, [sys.executable, "-m", "service"])
"""
"""The program as `<&-` and the like start it."""

FAULTY = """
import sys, time, dataclasses, service.__main__ as program
from tests.service.support import FaultyEngine
def load(settings, load=program.load):
    loaded = load(settings)
    engine = FaultyEngine(loaded.engine)
    {fault}
    return dataclasses.replace(loaded, engine=engine)
program.load = load
sys.exit(program.main())
"""
"""The program around an engine with a fault; the canary at start is what meets it."""

TELLS_OF_LISTS = """
import sys, service.__main__ as program
def tell(event, arguments):
    if event == "open" and "/pipeline/lists/" in str(arguments[0]):
        print("list", arguments[0], file=sys.stderr)
sys.addaudithook(tell)
sys.exit(program.main())
"""
"""The program, logging each list of words that is opened."""

NEVER_ANSWERS, ALWAYS_FAILS = "engine.gate.clear()", "engine.error = RuntimeError()"
SLOW = "engine._meet = lambda *_: [time.sleep(0.01) for _ in range(20)]"  # of its own time, not of the clock's


def test_logs_are_json_and_hold_no_text(running: Running) -> None:
    """Every line is an object, requests have their ids, unread ones too, and no text of callers is told."""
    with running.client() as client:
        for text in (f"A {SECRET} runs.", f"{SECRET}\0", 3):
            client.post("/translate?dir=en-de", json={"text": text}, headers={"X-Request-Id": "told-1"})
        client.get("/roundtrip", params={"dir": "en-de", "text": SECRET})
        client.get(f"/{SECRET}")
    with socket.create_connection(running.address, timeout=PATIENCE_S) as connection:
        connection.sendall(f"BREW /{SECRET} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        problem = json.loads(connection.recv(10_000).partition(b"\r\n\r\n")[2])
    log = running.logged()
    lines = [json.loads(line) for line in log.splitlines()]
    told = [(one["status"], one["request_id"]) for one in lines if one["event"] == "request"]
    assert [(one["variable"], one["meant"]) for one in lines if one["event"] == "unknown_setting"] == [
        ("REDER_BATCH_TOKEN", "REDER_BATCH_TOKENS")
    ]
    assert told[:3] == [(200, "told-1"), (422, "told-1"), (422, "told-1")]
    (unread,) = [one for one in lines if one.get("request_id") == problem["request_id"]]
    assert (unread["status"], unread["problem"], unread["detail"]) == (400, "not-http", problem["detail"])
    assert SECRET not in log


def test_a_port_in_use(settings: Settings, running: Running, tmp_path: Path) -> None:
    """A second service on the same port ends with an error and no traceback; the first goes on."""
    with started(settings.bundle, tmp_path / "second", port=running.port) as second:
        assert second.process.wait(PATIENCE_S) == 3
    assert second.logged().endswith("address already in use\n")
    assert "Traceback" not in second.logged()
    assert running.process.poll() is None


def test_sigterm_answers_what_was_accepted(running: Running) -> None:
    """A request that was under way at SIGTERM is answered; meanwhile the service is unready; it ends with 0."""
    body = json.dumps({"text": "A dog runs."}).encode()
    head = (
        "POST /translate?dir=en-de HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        f"Expect: 100-continue\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    with socket.create_connection(running.address, timeout=PATIENCE_S) as connection:
        connection.sendall(head.encode())
        assert connection.recv(100).startswith(b"HTTP/1.1 100 ")
        running.process.send_signal(signal.SIGTERM)
        wait_until(lambda: running.get("/readyz").status_code == 503)
        wait_until(lambda: not listens(running.port))
        connection.sendall(body)
        answer = b""
        while chunk := connection.recv(10_000):
            answer += chunk
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert b'"translations"' in answer
    assert running.process.wait(PATIENCE_S) == 0


def test_the_first_caller_waits_for_no_lists(settings: Settings, tmp_path: Path) -> None:
    """All lists of words that sentences of either language need have been read when it is ready."""
    with started(settings.bundle, tmp_path / "log", program=("-c", TELLS_OF_LISTS)) as running:
        running.ready()
        read = running.logged().count("list ")
        with running.client() as client:
            for direction, text in (
                ("en-de", "The sparrow is in the garden."),
                ("de-en", "Die Spatzen singen."),
                ("de-en", "Hund rettet Kind"),
            ):
                assert client.post("/translate", params={"dir": direction}, json={"text": text}).is_success
        assert running.logged().count("list ") == read > 0


def test_closed_standard_streams(settings: Settings) -> None:
    """Started without them it serves, and ends in order: no connection takes their place."""
    program = ("-c", WITHOUT_STREAMS.format(descriptors=(0, 1, 2)))
    with started(settings.bundle, program=program) as running:
        assert running.ready().end() == 0


def test_a_refusal_that_nobody_can_read(tmp_path: Path) -> None:
    """Without standard error the exit code tells."""
    program = ("-c", WITHOUT_STREAMS.format(descriptors=(2,)))
    with started(tmp_path / "none", program=program) as running:
        assert running.process.wait(PATIENCE_S) == 2


def test_a_second_interrupt_ends_it_at_once(settings: Settings, tmp_path: Path) -> None:
    """It waits for load balancers no longer, nor for a request under way, which is answered 503; no error is logged."""
    head = (
        "POST /translate?dir=en-de HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n"
    )
    with (
        started(settings.bundle, tmp_path / "log", timeout_s=600, drain_delay_s=600, drain_timeout_s=600) as running,
        socket.create_connection(running.ready().address, timeout=PATIENCE_S) as connection,
    ):
        connection.sendall(head.encode())
        running.process.send_signal(signal.SIGINT)
        wait_until(lambda: not running.is_ready())
        running.process.send_signal(signal.SIGINT)
        assert connection.recv(100).startswith(b"HTTP/1.1 503 ")
        assert running.process.wait(PATIENCE_S) == 0
    lines = map(json.loads, running.logged().splitlines())
    assert {line["level"] for line in lines} == {"info"}


def test_an_engine_that_hangs_does_not_hold_up_the_end(settings: Settings) -> None:
    """SIGTERM while the engine hangs: when the time to drain is over the process ends, with 1 instead of 0."""
    program = ("-c", FAULTY.format(fault=NEVER_ANSWERS))
    with started(settings.bundle, program=program, drain_timeout_s=0.5, canary_on_start=True) as running:
        assert running.ready().end() == 1


def test_a_call_that_ends_soon_is_waited_for(settings: Settings) -> None:
    """SIGTERM while the engine works for longer than there is to drain: the process ends after that, with 0."""
    program = ("-c", FAULTY.format(fault=SLOW))
    with started(settings.bundle, program=program, drain_timeout_s=0.05, canary_on_start=True) as running:
        running.ready()
        time.sleep(0.2)  # for the canary to begin its first call
        assert running.end() == 0


def test_an_engine_is_not_blamed_for_a_frozen_process(settings: Settings, tmp_path: Path) -> None:
    """Stopped for longer than an engine call may ever take, and continued, the service goes on as if nothing was."""
    program = ("-c", FAULTY.format(fault=SLOW))
    with started(
        settings.bundle, tmp_path / "log", program=program, engine_timeout_s=0.5, canary_on_start=True
    ) as running:
        running.ready()
        time.sleep(0.2)  # for the canary to begin its first call
        running.process.send_signal(signal.SIGSTOP)
        time.sleep(2)
        running.process.send_signal(signal.SIGCONT)
        assert running.get("/roundtrip?dir=en-de&text=A+dog+runs.").is_success
        assert running.is_ready()
    assert '"engine_hangs"' not in running.logged()


@pytest.mark.parametrize("fault", [NEVER_ANSWERS, ALWAYS_FAILS])
def test_an_engine_that_has_died_ends_the_process(settings: Settings, tmp_path: Path, fault: str) -> None:
    """An engine that never answers, or fails on everything, for long: it ends by itself with 1, and says why."""
    program = ("-c", FAULTY.format(fault=fault))
    with started(
        settings.bundle, tmp_path / "log", program=program, engine_timeout_s=0.3, canary_on_start=True
    ) as running:
        assert running.process.wait(PATIENCE_S) == 1
    assert '"engine_died"' in running.logged()


def test_two_that_start_at_once(settings: Settings, tmp_path: Path) -> None:
    """Both are given the port, for neither listens yet; the one that is ready later says so and ends."""
    port, log = free_port(), tmp_path / "log"
    with started(settings.bundle, log, port=port) as one, started(settings.bundle, log, port=port) as other:
        codes = one.process.poll, other.process.poll
        wait_until(lambda: any(code() is not None for code in codes))
        assert sorted((code() for code in codes), key=str) == [3, None]
        wait_until(lambda: listens(port))
    refusal = one.logged()
    assert f"reder: cannot start: host 127.0.0.1, port {port}: address already in use\n" in refusal
    assert "Traceback" not in refusal
