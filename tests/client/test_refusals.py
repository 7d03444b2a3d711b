"""Both clients against servers that are busy, broken, or something else: what they repeat, and what they raise."""

from __future__ import annotations

import copy
import json
import pickle
import threading
import time
from email.utils import formatdate

import pytest

from reder import (
    AsyncClient,
    AuthenticationError,
    BusyError,
    Client,
    ConnectionFailedError,
    DeadlineError,
    FieldProblem,
    InvalidRequestError,
    ProblemError,
    RederError,
    ServiceFailedError,
    TooLargeError,
    UnexpectedAnswerError,
)
from reder._errors import Problem
from reder._events import EventDecoder
from tests.client.support import KINDS, Answer, Either, problem, server
from tests.service.support import wait_until

EVENTS = (("Content-Type", "text/event-stream; charset=utf-8"),)
SEGMENT = json.dumps(
    {"text": 0, "index": 0, "source": {"text": "a"}, "target": {"text": "A\u2028B"}, "confidence": 0.5},
    ensure_ascii=False,
)
DONE = json.dumps({"translations": [{"text": "A", "confidence": 0.5}]})


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    """Either client."""
    return str(request.param)


def test_waits_as_long_as_asked(kind: str) -> None:
    """A busy service is asked again, no earlier than its Retry-After says, in seconds or as a date; else soon."""
    date = formatdate(time.time() - 60, usegmt=True)
    told = ("1", date, f"Fri, 27 Nov 2026 00:00:{10**11} GMT")  # the last is no date
    busy = [Answer(503, (("Retry-After", retry_after),)) for retry_after in told]
    with server(*busy) as (url, seen):
        assert Either(kind, url).translate("a", "en-de").text == "A"
    assert [request.texts for request in seen] == [["a"]] * 4
    assert seen[1].at - seen[0].at >= 1
    assert seen[3].at - seen[2].at >= 0.5


def test_pauses_are_told(kind: str) -> None:
    """A program is told before each pause why it is, and for how long."""
    told: list[tuple[str, float]] = []
    with server(Answer(503, body="busy"), Answer(cut=0), Answer(cut=0)) as (url, _):
        either = Either(kind, url, on_pause=lambda error, pause_s: told.append((type(error).__name__, pause_s)))
        assert either.translate("a", "en-de").text == "A"
    assert told == [("BusyError", 0.5), ("ConnectionFailedError", 1.0)]


def test_patience_is_bounded(kind: str) -> None:
    """When the service wants more time than there is patience, the error comes at once and says how much."""
    refusal = problem(429, "rate-limited", "the rate limit is reached", ("Retry-After", "3600"))
    with server(refusal) as (url, seen), pytest.raises(BusyError, match="answers 429: the rate limit") as caught:
        Either(kind, url, patience_s=5).translate("a", "en-de")
    assert len(seen) == 1
    assert caught.value.retry_after_s == 3600
    assert caught.value.kind == "rate-limited"


def test_a_limit_per_minute_is_waited_for(kind: str) -> None:
    """By default, too, where the service says that its limit is free again in a whole minute."""

    def leave(_: RederError, pause_s: float) -> None:
        raise KeyboardInterrupt(pause_s)

    refusal = problem(429, "rate-limited", "the rate limit is reached", ("Retry-After", "60"))
    with server(refusal) as (url, _), pytest.raises(KeyboardInterrupt, match=r"60\.0"):
        Either(kind, url, on_pause=leave).translate("a", "en-de")


def test_patience_ends(kind: str) -> None:
    """A service that is always busy and never says for how long is asked a few times, then no more."""
    with server(*[Answer(503)] * 9) as (url, seen), pytest.raises(BusyError):
        Either(kind, url, patience_s=1).translate("a", "en-de")
    assert 2 <= len(seen) <= 3


def test_never_asks_without_a_pause(kind: str) -> None:
    """A proxy that asks for no pause at all, as some do while nothing is behind them, is given one."""
    with server(*[Answer(503, (("Retry-After", "0"),))] * 99) as (url, seen), pytest.raises(BusyError):
        Either(kind, url, patience_s=1).translate("a", "en-de")
    assert 2 <= len(seen) <= 3


@pytest.mark.parametrize(
    ("answer", "error", "said"),
    [
        (problem(400, "malformed-request", "not JSON"), InvalidRequestError, "answers 400: not JSON"),
        (problem(401, "unauthenticated", "send a key"), AuthenticationError, "send a key"),
        (problem(408, "body-timeout", "did not arrive"), DeadlineError, "did not arrive"),
        (problem(413, "too-large", "999 texts"), TooLargeError, "999 texts"),
        (Answer(414, body="URI too long"), TooLargeError, "answers 414: URI too long"),
        (problem(418, "teapot", "short and stout"), ProblemError, "answers 418: short"),
        (problem(431, "head-too-large", "65536 bytes"), InvalidRequestError, "65536 bytes"),
        (problem(503, "engine-failed", "on this text"), ServiceFailedError, "on this text"),
        (problem(504, "deadline-exceeded", "not done"), DeadlineError, "not done"),
        (Answer(502, body="<html>Bad gateway"), ServiceFailedError, "answers 502: <html>Bad gateway"),
        (Answer(500, body='{"detail": ["odd"]}'), ServiceFailedError, "odd"),
        (Answer(500, body='{"detail": "x", "status": 1e999}'), ServiceFailedError, "answers 500: {"),
        (Answer(307, (("Location", "http://127.0.0.1:9/"),)), UnexpectedAnswerError, "somewhere else"),
        (Answer(body="<html>"), UnexpectedAnswerError, "does not answer as this service does"),
        (Answer(body="[" * 100_000), UnexpectedAnswerError, "does not answer as this service does"),
        (Answer(body='{"translations": 5}'), UnexpectedAnswerError, "does not answer as this service does"),
        (Answer(body='{"translations": [{"text": 5}]}'), UnexpectedAnswerError, "does not answer as"),
        (Answer(body='{"translations": []}'), UnexpectedAnswerError, "gave 0 translations of 1 texts"),
    ],
    ids=[
        "400",
        "401",
        "408",
        "413",
        "414",
        "418",
        "431",
        "503 of a text",
        "504",
        "502",
        "odd",
        "infinite",
        "redirect",
        "html",
        "deep",
        "number",
        "typed",
        "few",
    ],
)
def test_is_not_repeated(kind: str, answer: Answer, error: type[RederError], said: str) -> None:
    """What would not get better is asked once, and is an error of its own type that says what the service says."""
    with server(answer) as (url, seen), pytest.raises(RederError, match=said) as caught:
        Either(kind, url).translate("a", "en-de")
    assert type(caught.value) is error
    assert str(caught.value).startswith(url)
    assert len(seen) == 1


def test_tells_which_part_is_wrong(kind: str) -> None:
    """The places and reasons of an invalid request, and the id to look for in the log, are attributes of the error."""
    errors = [{"location": "body.text.3", "detail": "control character"}]
    refusal = problem(422, "invalid-request", "not valid", errors=errors)
    with server(refusal) as (url, _), pytest.raises(InvalidRequestError) as caught:
        Either(kind, url).translate("a", "en-de")
    assert caught.value.errors == (FieldProblem("body.text.3", "control character"),)
    assert (caught.value.status, caught.value.request_id, caught.value.kind) == (422, "r-1", "invalid-request")


def test_places_as_an_older_service_tells_them(kind: str) -> None:
    """They are those of the caller's texts, too; what is wrong elsewhere stays where it is."""
    errors = [{"location": "text.1", "detail": "bad"}, {"location": "query.quality", "detail": "none"}]
    refusal = problem(422, "invalid-request", "text.1: bad; query.quality: none", errors=errors)
    with server(refusal) as (url, _), pytest.raises(InvalidRequestError) as caught:
        Either(kind, url).translate(["", "a", " ", "b"], "en-de")
    assert caught.value.detail == "text.3: bad; query.quality: none"
    assert caught.value.errors == (FieldProblem("text.3", "bad"), FieldProblem("query.quality", "none"))


def test_broken_connection(kind: str) -> None:
    """A connection that breaks is tried once more, for it may have rested too long; breaking again is an error."""
    with server(Answer(cut=0)) as (url, seen):
        assert Either(kind, url).translate("a", "en-de").text == "A"
    assert len(seen) == 2
    with server(Answer(cut=0), Answer(cut=0)) as (url, seen), pytest.raises(ConnectionFailedError, match=url):
        Either(kind, url).translate("a", "en-de")
    assert len(seen) == 2


@pytest.mark.parametrize("sign", [Answer(), Answer(503)], ids=["answered", "busy"])
def test_outlives_a_restart(kind: str, sign: Answer) -> None:
    """A service that gave a sign of life is asked again while it cannot be reached, as long as there is patience."""
    with server(sign, *[Answer(cut=0)] * 2) as (url, seen):
        assert [one.text for one in Either(kind, url).translate(["a"] * 65, "en-de")] == ["A"] * 65
    assert len(seen) == 5 if sign.status == 503 else 4
    with server(sign, *[Answer(cut=0)] * 9) as (url, seen), pytest.raises(ConnectionFailedError, match=url):
        Either(kind, url, patience_s=0.9).translate(["a"] * 65, "en-de")
    assert len(seen) < 5


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://127.0.0.1:9", "http://127.0.0.1:9: ConnectError"),
        ("nonsense", "nonsense: UnsupportedProtocol"),
        ("http://host:port", "http://host:port: InvalidURL"),
        ("http://127.0.0.1:80000", "http://127.0.0.1:80000: InvalidURL: Invalid port"),
        ("http://.example", "http://.example: InvalidURL: Invalid host"),
        ("http://xn--a", "http://xn--a: InvalidURL: Invalid characters"),
        ("http://host/\udce9", "http://host/\udce9: InvalidURL: Invalid characters"),
        ("http://caller:secret@127.0.0.1:9", "http://127.0.0.1:9: ConnectError"),
        ("http://caller:sec/ret@127.0.0.1:9", "http://127.0.0.1:9: InvalidURL: special characters"),
    ],
)
def test_unreachable(kind: str, url: str, said: str) -> None:
    """An address where nothing answers, or that is none, is an error that names it, without a password in it."""
    with pytest.raises(ConnectionFailedError, match=f"^{said}"):
        Either(kind, url).translate("a", "en-de")
    with pytest.raises(ConnectionFailedError, match=f"^{said}"):
        Either(kind, url).ready()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"ALL_PROXY": "socks5://127.0.0.1:9"}, "ALL_PROXY of the environment cannot be used: .*socksio"),
        ({"all_proxy": "socks://127.0.0.1:9"}, "all_proxy of the environment cannot be used: Unknown scheme"),
        ({"HTTP_PROXY": "http://.x", "NO_PROXY": "a.b"}, "HTTP_PROXY of the environment cannot be used: Invalid host"),
        (
            {"HTTPS_PROXY": "http://me:sec/ret@host"},
            "HTTPS_PROXY of the environment cannot be used: special characters",
        ),
        (
            {"HTTP_PROXY": "127.0.0.1:9", "NO_PROXY": "[::1]"},
            "NO_PROXY of the environment cannot be used: Invalid port",
        ),
        ({"SSL_CERT_FILE": "/nonexistent"}, "SSL_CERT_FILE=/nonexistent cannot be used: No such file"),
        ({"SSLKEYLOGFILE": "/nonexistent/log"}, "SSLKEYLOGFILE=/nonexistent/log cannot be used: No such file"),
    ],
    ids=["no socks", "no scheme", "no host", "password", "no address", "no certificates", "no log"],
)
@pytest.mark.parametrize("client", [Client, AsyncClient])
def test_settings_of_the_environment(
    client: type[Client | AsyncClient], settings: dict[str, str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proxy or certificates that cannot be used are an error at once that names the setting, without a password."""
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(RederError, match=f"^http://127.0.0.1:9: {said}") as caught:
        client("http://127.0.0.1:9")
    assert type(caught.value) is RederError
    assert "ret@" not in str(caught.value)


def test_no_proxies_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """What NO_PROXY turns off need not be usable."""
    monkeypatch.setenv("ALL_PROXY", "socks://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "localhost, *")
    with server() as (url, _), Client(url) as client:
        assert client.translate("a", "en-de").text == "A"


def test_a_text_too_long_for_an_address(kind: str) -> None:
    """A round trip whose text no address holds is refused as too large before it is sent; callers can tell."""
    with server() as (url, seen), pytest.raises(TooLargeError, match=f"^{url}: the text is too long for") as caught:
        Either(kind, url).roundtrip("ä" * 11_000, "de-en")
    assert (caught.value.status, caught.value.kind, seen) == (414, "too-large", [])


def classes(base: type[RederError] = RederError) -> list[type[RederError]]:
    """Those of every error."""
    return [base, *(found for derived in base.__subclasses__() for found in classes(derived))]


@pytest.mark.parametrize("error", classes())
def test_errors_leave_a_process(error: type[RederError]) -> None:
    """Every error can be pickled, as a pool of processes does, and copied, and has all its fields afterwards."""
    refusal = Problem(422, "not valid", "invalid-request", "r-1", (FieldProblem("body.text.3", "control character"),))
    made = error("http://x", refusal, 3.5) if issubclass(error, ProblemError) else error("http://x: broke off")
    made.add_note("on the way")
    pickled = [pickle.loads(pickle.dumps(made, protocol)) for protocol in (0, 5)]  # noqa: S301 - our own
    for again in (*pickled, copy.copy(made), copy.deepcopy(made)):
        assert type(again) is error
        assert (str(again), again.args, vars(again)) == (str(made), made.args, vars(made))


def test_slow_answer(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A service that does not answer in time is an error, and has been told the time that there was."""
    monkeypatch.setattr("reder._exchange._GRACE_S", 0.0)
    with server(gate=threading.Event()) as (url, seen):
        with pytest.raises(ConnectionFailedError, match="ReadTimeout"):
            Either(kind, url, timeout_s=0.2).translate("a", "en-de")
        wait_until(lambda: bool(seen))
    assert seen[0].headers["X-Timeout-Ms"] == "200"


@pytest.mark.parametrize(
    ("answer", "error", "said"),
    [
        (Answer(headers=EVENTS, body=f"event: segment\r\ndata: {SEGMENT}\r\n\r\n"), ConnectionFailedError, "broke off"),
        (Answer(headers=EVENTS, body="x" * 100, cut=50), ConnectionFailedError, "RemoteProtocolError"),
        (
            Answer(headers=EVENTS, body="data: {\n\nevent: segment\ndata: {\n\n"),
            UnexpectedAnswerError,
            "does not answer",
        ),
        (Answer(headers=EVENTS, body="event: segment\ndata: {}\n\n"), UnexpectedAnswerError, "does not answer as"),
        (
            Answer(headers=EVENTS, body='event: error\ndata: {"status": 503, "detail": "shutting down"}\n\n'),
            BusyError,
            "answers 503: shutting down",
        ),
        (Answer(body="{}"), UnexpectedAnswerError, "no event stream"),
        (problem(413, "too-large", "999 texts"), TooLargeError, "999 texts"),
    ],
    ids=["ends early", "breaks off", "not json", "no segment", "fails", "no stream", "refused"],
)
def test_streams_that_fail(kind: str, answer: Answer, error: type[RederError], said: str) -> None:
    """A stream that ends too early, fails on the way or is none: an error that says which."""
    with server(answer) as (url, _), pytest.raises(error, match=said):
        Either(kind, url).stream("a", "en-de")


def test_stream_reads_events_as_they_are_defined(kind: str) -> None:
    """Comments, unknown events and both line ends are read; a line separator within a text does not end its line."""
    unknown = "event: news\ndata: {}\n\n"
    body = f": hello\n\n{unknown}event:segment\r\ndata:{SEGMENT}\r\n\r\nid: 1\nevent: done\ndata: {DONE}\n\n"
    with server(Answer(503), Answer(headers=EVENTS, body=body)) as (url, seen):
        segments, translations = Either(kind, url).stream("a", "en-de")
    assert [one.segment.target.text for one in segments] == ["A\u2028B"]
    assert [one.text for one in translations] == ["A"]
    assert [request.headers["Accept"] for request in seen] == ["text/event-stream"] * 2


@pytest.mark.parametrize("size", range(1, 9))
def test_events_in_any_chunks(size: int) -> None:
    """However the bytes of an answer are cut, within a character or a line end too, the events are the same."""
    raw = "event: a\r\ndata: schön\r\ndata:\u2028 two\r\n\r\n: ping\n\ndata: €\n\ndata: not ended\n".encode()
    decoder = EventDecoder()
    events = [event for start in range(0, len(raw), size) for event in decoder.feed(raw[start : start + size])]
    assert events == [("a", "schön\n\u2028 two"), ("message", "€")]


def test_translations_before_the_end() -> None:
    """The whole of a stream that has not been read is an error, not a part."""
    body = f"event: done\ndata: {DONE}\n\n"
    with server(Answer(headers=EVENTS, body=body)) as (url, _), Client(url) as client, client.stream("a") as stream:
        with pytest.raises(RuntimeError, match="not been read"):
            _ = stream.translations
        assert list(stream) == []
        assert len(stream.translations) == 1
