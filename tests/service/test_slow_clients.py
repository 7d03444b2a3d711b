"""Clients that are slow, silent, gone half way or too many: each is waited for so long, and others are served."""

from __future__ import annotations

import json
import re
import socket
import struct
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from service.http.connections import _BoundedProtocol
from tests.service.support import (
    PATIENCE_S,
    CopyingEngine,
    captured_logs,
    distinct,
    serve,
    serve_faulty,
    wait_until,
)

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Iterator

    from service.app import Loaded
    from service.settings import Settings
    from tests.service.support import Served

CLIENT_TIMEOUT_S = 0.4
BODY_TIMEOUT_S = 3.0
LARGEST = 2000
HEAD = b"POST /translate?dir=en-de HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
HEALTH = b"GET /healthz HTTP/1.1\r\nHost: x\r\n"


@pytest.fixture(scope="module")
def impatient(settings: Settings, loaded: Loaded) -> Iterator[Served]:
    """A service that soon gives up on a client."""
    limits = {"client_timeout_s": CLIENT_TIMEOUT_S, "timeout_s": BODY_TIMEOUT_S, "max_body_bytes": LARGEST}
    with serve(settings.model_copy(update=limits), loaded) as served:
        yield served


@contextmanager
def connected(served: Served, content: bytes = b"") -> Iterator[socket.socket]:
    """A connection on which so much was sent."""
    with socket.create_connection(served.address, timeout=PATIENCE_S) as connection:
        connection.sendall(content)
        yield connection


def is_open(served: Served, client: object) -> bool:
    """Whether the server still has the connection with this address of its client."""
    return any(getattr(one, "client", None) == client for one in tuple(served.server.server_state.connections))


def closed_by_server(connection: socket.socket) -> bytes:
    """What is received until the server closes, which must be in time; a reset is a close too."""
    received = b""
    with suppress(ConnectionResetError):
        while chunk := connection.recv(65_536):
            received += chunk
    return received


def send(connection: socket.socket, content: bytes) -> None:
    """Send all of it, as far as the server takes it."""
    with suppress(OSError):
        connection.sendall(content)


def trickle(connection: socket.socket, content: bytes, interval_s: float) -> None:
    """Send byte by byte until it is done, or the server has had enough."""
    with suppress(OSError):
        for place in range(len(content)):
            connection.sendall(content[place : place + 1])
            time.sleep(interval_s)


@pytest.mark.parametrize(
    ("content", "answer"),
    [
        (b"", b""),
        (b"POST /transl", b""),
        (HEAD + b"X-Endless: ", b""),
        (HEALTH + b"\r\n" + HEALTH, b"HTTP/1.1 200 "),
        (HEAD + b"Content-Length: 9000\r\n\r\n" + b" " * 100, b"HTTP/1.1 413 "),
    ],
    ids=["nothing", "half a line", "half a header", "half a second request", "the rest of a refused body"],
)
def test_a_client_that_stops(impatient: Served, content: bytes, answer: bytes) -> None:
    """A client that stops sending where it is its turn is disconnected; what it had asked before is answered."""
    with connected(impatient, content) as connection:
        assert closed_by_server(connection).startswith(answer)
        assert impatient.client.get("/healthz").status_code == 200


@pytest.mark.parametrize(
    ("before", "trickled"),
    [
        (b"", HEALTH + b"X-Long: " + b"a" * 500),
        (HEALTH + b"\r\n", HEALTH + b"X-Long: " + b"a" * 500),
        (b"", b"\r\n" * 250),
        (HEAD + b"Content-Length: 9000\r\n\r\n", b" " * 500),
    ],
    ids=["a header", "a second header", "blank lines", "a body already refused"],
)
def test_a_client_that_trickles(impatient: Served, before: bytes, trickled: bytes) -> None:
    """Sending a byte now and then does not buy more time: a header of 500 bytes would take 10 seconds."""
    with connected(impatient, before) as connection, ThreadPoolExecutor(1) as pool:
        started = time.monotonic()
        sending = pool.submit(trickle, connection, trickled, 0.02)
        closed_by_server(connection)
        assert time.monotonic() - started < 10
        sending.result()


def test_a_connection_that_rests(settings: Settings, loaded: Loaded) -> None:
    """Between two requests it may rest for longer than a header may take; then it is closed, in order and not reset."""
    limits = {"client_timeout_s": CLIENT_TIMEOUT_S, "keep_alive_s": 2}
    with serve(settings.model_copy(update=limits), loaded) as served, connected(served) as connection:
        for _ in range(2):
            connection.sendall(HEALTH + b"\r\n")
            assert connection.recv(65_536).startswith(b"HTTP/1.1 200 ")
            time.sleep(3 * CLIENT_TIMEOUT_S)
        assert connection.recv(65_536) == b""


def test_a_connection_that_rests_after_a_large_answer(
    settings: Settings, loaded: Loaded, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So may one whose answer was not sent at once; what begins then has its own time, and has to come to its end."""
    unsent = []
    made, complete = _BoundedProtocol.connection_made, _BoundedProtocol.on_response_complete

    def with_little_room(self: _BoundedProtocol, transport: asyncio.Transport) -> None:
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        made(self, transport)

    def noting(self: _BoundedProtocol) -> None:
        complete(self)
        unsent.append(self.transport.get_write_buffer_size())

    monkeypatch.setattr(_BoundedProtocol, "connection_made", with_little_room)
    monkeypatch.setattr(_BoundedProtocol, "on_response_complete", noting)
    body = json.dumps({"text": [" ".join(distinct("The dog runs along the beach.", 100))] * 30}).encode()
    limits = {"client_timeout_s": 1.2, "keep_alive_s": 4}
    copying = replace(loaded, engine=CopyingEngine())
    with serve(settings.model_copy(update=limits), copying) as served, connected(served) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 32_768)
        for wait_s in (0.3, 1.8):
            connection.sendall(HEAD + b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
            head, _, received = connection.recv(65_536).partition(b"\r\n\r\n")
            (length,) = re.findall(rb"content-length: (\d+)", head)
            while len(received) < int(length):
                received += connection.recv(65_536)
            time.sleep(wait_s)
        assert min(unsent) > 0
        connection.sendall(HEALTH)
        time.sleep(0.3)
        connection.sendall(b"\r\n")
        assert connection.recv(65_536).startswith(b"HTTP/1.1 200 ")
        connection.sendall(HEALTH)
        assert closed_by_server(connection) == b""


def test_a_body_byte_by_byte(impatient: Served) -> None:
    """A slow body is read for as long as the request may take, then answered 408; one that comes in time is read."""
    body = json.dumps({"text": "A dog."}).encode()
    for interval_s, status in ((0.001, b"200"), (0.3, b"408")):
        with connected(impatient, HEAD + b"Content-Length: %d\r\n\r\n" % len(body)) as connection:
            sender = threading.Thread(target=trickle, args=(connection, body, interval_s))
            sender.start()
            assert impatient.client.post("/translate?dir=en-de", json={"text": "A cat."}).status_code == 200
            assert connection.recv(1000).startswith(b"HTTP/1.1 " + status)
            connection.close()
            sender.join()


def test_a_client_that_never_reads(impatient: Served) -> None:
    """Answers that pile up unread are thrown away with their connection; no more requests are read from it."""
    request = b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(PATIENCE_S)
        connection.connect(impatient.address)
        connection.sendall(request * 400)  # the answers are more than the buffers of both sides hold
        client = connection.getsockname()
        assert connection.recv(1) == b"H"
        assert impatient.client.get("/healthz").status_code == 200
        wait_until(lambda: not is_open(impatient, client))
        assert len(closed_by_server(connection)) < 400 * len(impatient.client.get("/openapi.json").content)


def leave_half_way(served: Served, content: bytes) -> None:
    """Connect, send that much, and be gone: the server must have the connection, and then have it no more."""
    with connected(served, content) as connection:
        client = connection.getsockname()
        wait_until(lambda: is_open(served, client))
    wait_until(lambda: not is_open(served, client))


def test_a_client_that_leaves_half_way(served: Served) -> None:
    """Connections closed in the middle of a request leave nothing behind: no connection, nothing queued, no error."""
    errors = served.metric("reder_rejected_total", reason="internal-error")
    for content in (b"", b"POST", HEAD, HEAD + b'Content-Length: 100\r\n\r\n{"text": "A'):
        leave_half_way(served, content)
    assert served.metric("reder_queue_items") == served.metric("reder_promised_tokens") == 0
    assert served.metric("reder_rejected_total", reason="internal-error") == errors


@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize(("size", "status"), [(LARGEST, b"200"), (LARGEST + 1, b"413")])
def test_the_largest_body(impatient: Served, size: int, status: bytes, *, chunked: bool) -> None:
    """A body of exactly the limit is read, one of a byte more is refused, whether or not its size is declared."""
    body = b'{"text": "A dog."}'.ljust(size)
    if chunked:
        content = HEAD + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
    else:
        content = HEAD + b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
    with connected(impatient, content) as connection:
        assert connection.recv(1000).startswith(b"HTTP/1.1 " + status)


def test_headers_after_a_body(impatient: Served) -> None:
    """What looks like a header and comes after a body in chunks is none: a proxy may not have seen it."""
    body = b'{"text": "A dog."}'
    chunks = b"%x\r\n%b\r\n0\r\nX-Request-Id: late\r\n\r\n" % (len(body), body)
    for name, told in ((b"X-Request-Id: early", b"early"), (b"X-Other: early", b"")):
        with connected(impatient, HEAD + name + b"\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks) as connection:
            answer = connection.recv(65_536)
        assert answer.startswith(b"HTTP/1.1 200 ")
        assert b"x-request-id: " + told in answer
        assert b"late" not in answer


@pytest.mark.parametrize(
    ("content", "status", "kind", "reason"),
    [
        pytest.param(content, status, kind, reason, id=name)
        for name, content, status, kind, reason in (
            ("TLS", b"\x16\x03\x01\x02\x00\x01\x00", 400, "not-http", "Invalid method"),
            ("words", b"hello\r\n\r\n", 400, "not-http", "Invalid method"),
            ("no host", b"GET / HTTP/1.1\r\n\r\n", 400, "not-http", "names its host"),
            ("two hosts", HEALTH + b"Host: y\r\n\r\n", 400, "not-http", "one only"),
            ("unknown method", b"BREW /coffee HTTP/1.1\r\nHost: x\r\n\r\n", 400, "not-http", "Invalid method"),
            ("a proxy's method", b"CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n", 400, "not-http", "CONNECT"),
            ("HTTP/2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, "not-http", "PRI"),
            ("path in Latin-1", b"GET /caf\xe9 HTTP/1.1\r\nHost: x\r\n\r\n", 400, "not-http", "escaped"),
            ("text in UTF-8", b"GET /?text=sch\xc3\xb6n HTTP/1.1\r\nHost: x\r\n\r\n", 400, "not-http", "%C3%A4"),
            ("no address", b"GET http:///geheim HTTP/1.1\r\nHost: x\r\n\r\n", 400, "not-http", "address"),
            (
                "long address",
                b"GET /" + b"a" * 66_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
                414,
                "address-too-long",
                "body",
            ),
            ("endless address", b"GET /" + b"a" * 200_000, 414, "address-too-long", "body"),
            ("long header", HEALTH + b"X-Long: " + b"a" * 200_000, 431, "head-too-large", "65536"),
            ("many headers", HEALTH + b"X-Short: a\r\n" * 6_000 + b"\r\n", 431, "head-too-large", "65536"),
            ("compressed", HEAD + b"Transfer-Encoding: gzip, chunked\r\n\r\n", 400, "not-http", "for the transfer"),
            ("two lengths", HEAD + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n", 400, "not-http", "Length"),
            ("bad chunk", HEAD + b"Transfer-Encoding: chunked\r\n\r\nno size\r\n", 400, "not-http", "chunk"),
        )
    ],
)
def test_what_is_not_http(impatient: Served, content: bytes, status: int, kind: str, reason: str) -> None:
    """What no request can be read from is answered, counted and logged as every error is, and the connection closed."""
    answered = {"code": str(status), "dir": "none", "quality": "none", "route": "other"}
    before = impatient.metric("reder_rejected_total", reason=kind), impatient.metric("reder_requests_total", **answered)
    with captured_logs() as lines, connected(impatient) as connection, ThreadPoolExecutor(1) as pool:
        pool.submit(send, connection, content)
        head, _, body = closed_by_server(connection).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 %d " % status)
    headers = dict(line.split(b": ", 1) for line in head.lower().split(b"\r\n")[1:])
    problem = json.loads(body)
    assert problem["type"] == f"urn:reder:problem:{kind}"
    assert reason in problem["detail"]
    assert "geheim" not in problem["detail"]
    assert headers[b"content-type"] == b"application/problem+json"
    assert headers[b"x-request-id"].decode() == problem["request_id"]
    assert headers[b"server-timing"].startswith(b"total;dur=")
    assert headers[b"cache-control"] == b"no-store"
    assert headers[b"x-content-type-options"] == b"nosniff"
    assert b"default-src 'none'" in headers[b"content-security-policy"]
    (told,) = [line for line in lines if line.get("problem") == kind]
    assert (told["event"], told["status"]) == ("request", status)
    assert impatient.metric("reder_rejected_total", reason=kind) == before[0] + 1
    assert impatient.metric("reder_requests_total", **answered) == before[1] + 1


def request_for(text: str, head: bytes = HEAD) -> bytes:
    """A request that is complete."""
    body = json.dumps({"text": text}).encode()
    return head + b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def test_an_answer_comes_in_one_piece(impatient: Served) -> None:
    """Head and body share a TCP segment, so that of a service that dies none is ever without the other."""
    with connected(impatient) as connection:
        for number in range(1, 4):
            connection.sendall(request_for(f"Dog {number}."))
            head, _, body = connection.recv(65_536).partition(b"\r\n\r\n")
            assert f"content-length: {len(body)}".encode() in head
            (segments,) = struct.unpack_from("=I", connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256), 152)
            assert segments == number  # tcpi_data_segs_in of Linux's tcp_info


def test_nonsense_behind_requests(impatient: Served) -> None:
    """Requests that came before what is not HTTP are answered, in order, and then the connection is closed."""
    with connected(impatient, request_for("A dog.") + request_for("Two cats.") + b"no request\r\n\r\n") as connection:
        received = closed_by_server(connection)
    assert received.count(b"HTTP/1.1 ") == received.count(b"HTTP/1.1 200 ") == 2


def test_a_client_that_would_rather_speak_another_protocol(impatient: Served) -> None:
    """The offer of HTTP/2 that Java's client makes is passed over; a thousand of them at once are not looked at."""
    offer = request_for("A dog.", HEAD + b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n")
    with connected(impatient, offer) as connection:
        for _ in range(2):
            assert connection.recv(65_536).startswith(b"HTTP/1.1 200 ")
            connection.sendall(offer)
        assert connection.recv(65_536).startswith(b"HTTP/1.1 200 ")
    with connected(impatient, offer * 1000) as connection:
        received = closed_by_server(connection)
    assert received.count(b"HTTP/1.1 ") == received.count(b"HTTP/1.1 200 ") < 10


def test_nonsense_after_the_answer(impatient: Served, caplog: pytest.LogCaptureFixture) -> None:
    """What is no chunk, in a body that was refused already, ends the connection, and is no error of ours in the log."""
    with connected(impatient, HEAD + b"Transfer-Encoding: chunked\r\n\r\n") as connection:
        connection.sendall(b"bb8\r\n" + b" " * 3000 + b"\r\n")
        assert connection.recv(1000).startswith(b"HTTP/1.1 413 ")
        connection.sendall(b"no size\r\n")
        closed_by_server(connection)
    assert [record.name for record in caplog.records if record.levelname in ("ERROR", "CRITICAL")] == []


@pytest.mark.parametrize(
    ("content", "answers"),
    [
        (HEAD + b"Connection: close\r\nContent-Length: 9000000\r\n\r\n", [b"413"]),
        (HEAD.replace(b"1.1", b"1.0") + b"Content-Length: 9000000\r\n\r\n", [b"413"]),
        (HEAD + b"X-Long: ", [b"431"]),
        (HEALTH + b"\r\n" + b"nonsense", [b"200"]),
    ],
    ids=["a body of the last request", "a body of HTTP/1.0", "a header", "nonsense behind a request"],
)
def test_an_answer_that_ends_the_connection_arrives(served: Served, content: bytes, answers: list[bytes]) -> None:
    """A client that is still sending then gets the answer, not a reset; once it closes, the connection is gone."""
    with connected(served, content + b"a" * 9_000_000) as connection:
        client, received = connection.getsockname(), b""
        while chunk := connection.recv(65_536):
            received += chunk
        assert re.findall(rb"HTTP/1\.1 (\d+)", received) == answers
    wait_until(lambda: not is_open(served, client))


def test_more_connections_than_there_may_be(settings: Settings, loaded: Loaded) -> None:
    """When too many connections rest, the one that has rested longest makes room: the service can be reached."""
    with serve(settings, loaded, max_requests=3) as served, ExitStack() as stack:
        silent = []
        for _ in range(12):
            silent.append(stack.enter_context(connected(served)).getsockname())
            wait_until(lambda: is_open(served, silent[-1]))
            assert served.client.get("/healthz").status_code == 200
        wait_until(lambda: len(served.server.server_state.connections) <= 6)
        still_open = [is_open(served, client) for client in silent]
        assert still_open == sorted(still_open)
        assert still_open[-1]
        assert served.client.post("/translate?dir=en-de", json={"text": "A dog."}).status_code == 200


def test_more_requests_than_there_may_be(settings: Settings, loaded: Loaded) -> None:
    """Requests beyond the limit get 429 before their body is read, probes are answered; then all is as before."""
    half = HEAD + b"Content-Length: 100\r\n\r\n{"
    few = serve_faulty(settings, loaded, held=True, max_requests=3)
    with few as (served, engine), ThreadPoolExecutor(1) as pool:
        accepted = pool.submit(served.client.post, "/translate?dir=en-de", json={"text": "A dog."})
        wait_until(lambda: len(engine.calls) == 1)
        with connected(served, half), connected(served, half):
            wait_until(lambda: len(served.server.server_state.tasks) == 3)
            refused = served.client.post("/translate?dir=en-de", json={"text": "A cat."})
            assert refused.status_code == 429
            assert refused.json()["type"] == "urn:reder:problem:overloaded"
            assert int(refused.headers["retry-after"]) >= 1
            assert {served.client.get(path).status_code for path in ("/healthz", "/readyz", "/metrics")} == {200}
            for path, route in (("/detect", "/detect"), ("/nowhere", "other")):
                assert served.client.post(path).status_code == 429
                assert served.metric("reder_requests_total", code="429", dir="none", quality="none", route=route) == 1
        engine.gate.set()
        assert accepted.result().status_code == 200
        wait_until(lambda: not served.server.server_state.tasks)
        assert served.client.post("/translate?dir=en-de", json={"text": "A cat."}).status_code == 200
