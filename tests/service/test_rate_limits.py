"""How much one caller gets: counted in full, apart for each key and address, refused with a time that is true."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections import UserDict
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

import pytest
from pydantic import ValidationError

from service.errors import ConfigurationError
from service.http.authentication import ADMIN, OPEN
from service.http.calls import _called
from service.http.limiting import _SWEEP_S, RateLimits
from service.keys import generate
from service.observability.metrics import Metrics
from service.settings import Settings
from service.types import Quality
from tests.service.processes import free_port, listens
from tests.service.support import PATIENCE_S, captured_logs, routes, serve, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import httpx
    from fastapi import FastAPI

    from service.app import Loaded
    from service.http.limiting import _Memory
    from tests.service.support import Served

WEB, SHOP = generate("web"), generate("shop")
KEYS = f"{WEB.line},{SHOP.line}"
TEN = "A dog runs"  # ten characters
EN_DE = "/translate?dir=en-de"


@contextmanager
def limited(settings: Settings, loaded: Loaded, **given: str) -> Iterator[Served]:
    """A service with rate limits."""
    with serve(settings.model_copy(update=given), loaded) as served:
        yield served


def post(
    served: Served, text: str | Sequence[str] = TEN, *, key: str = "", address: str = "", quality: str = "fast"
) -> httpx.Response:
    """One request, with a key and from an address as a proxy tells it."""
    headers = ({"X-API-Key": key} if key else {}) | ({"X-Forwarded-For": address} if address else {})
    return served.client.post(f"{EN_DE}&quality={quality}", json={"text": text}, headers=headers)


def assert_limited(response: httpx.Response) -> None:
    """429, and by its type not to be taken for an overload of the service."""
    assert response.status_code == 429, response.text
    assert response.headers["content-type"] == "application/problem+json"
    assert response.json()["type"] == "urn:reder:problem:rate-limited"
    assert int(response.headers["retry-after"]) >= 1


def test_no_limit_by_default(client: httpx.Client) -> None:
    """Where no limit is set nothing is counted."""
    codes = {client.post(EN_DE, json={"text": TEN}).status_code for _ in range(10)}
    assert codes == {200}


def test_each_key_has_its_own_share(settings: Settings, loaded: Loaded) -> None:
    """A key whose share is used up is refused, and counted so; another key is not affected."""
    with limited(settings, loaded, api_keys=KEYS, rate_limit_per_key="25/hour") as served:
        codes = [post(served, key=WEB.key).status_code for _ in range(2)]
        assert codes == [200, 200]
        refused = post(served, key=WEB.key)
        assert_limited(refused)
        assert refused.json()["detail"] == "the rate limit per key is reached: 25 characters per hour"
        assert 3500 < int(refused.headers["retry-after"]) <= 3600
        assert post(served, key=SHOP.key).status_code == 200
        assert served.metric("reder_rejected_total", reason="rate-limited") == 1


def test_new_key_same_share(settings: Settings, loaded: Loaded) -> None:
    """Keys of one name have one share: rotating them does not double it."""
    new = generate("web")
    with limited(settings, loaded, api_keys=f"{WEB.line},{new.line}", rate_limit_per_key="15/hour") as served:
        assert post(served, key=WEB.key).status_code == 200
        assert_limited(post(served, key=new.key))


def test_arrays_count_in_full(settings: Settings, loaded: Loaded) -> None:
    """Ten texts of ten characters use up what one text of a hundred does; a refused request uses up nothing."""
    with limited(settings, loaded, rate_limit_per_address="100/hour") as served:
        assert post(served, [TEN] * 6).status_code == 200
        assert_limited(post(served, [TEN] * 5))
        assert post(served, [TEN] * 4).status_code == 200
        assert_limited(post(served, "A"))


def test_a_document_that_cannot_be_read_counts(settings: Settings, loaded: Loaded) -> None:
    """To find out that a document is not written in its format is work; fields that are not valid cost nothing."""
    with limited(settings, loaded, rate_limit_per_address="15/hour") as served:
        for url in (f"{EN_DE}&format=nonsense", "/translate?dir=nonsense"):
            assert served.client.post(url, json={"text": TEN}).status_code == 422
        assert served.client.post(f"{EN_DE}&format=xliff", json={"text": TEN}).status_code == 422
        assert_limited(post(served))


def test_more_than_a_limit_ever_allows(settings: Settings, loaded: Loaded) -> None:
    """No Retry-After would be true for it: it is too large, as is one with more characters than a request may have."""
    with limited(settings, loaded, rate_limit_per_address="100/2 minutes") as served:
        for text in ("a" * 101, ["a" * 10] * 10 + ["b"]):
            response = post(served, text)
            assert response.status_code == 413
            assert "retry-after" not in response.headers
            assert response.json()["detail"].endswith("the rate limit per address is 100 characters per 2 minutes")


def test_work_counts_as_often_as_it_is_done(settings: Settings, loaded: Loaded) -> None:
    """Quality best counts once for each time it reads a text, a round trip twice, and the canary with all it runs."""
    with limited(settings, loaded, rate_limit_per_address="1000000/hour") as served:
        passes = served.context.translator.passes(Quality.BEST)
        canary = served.context.canary.characters
    assert passes > 1
    assert canary > 1000
    best = 10 * passes
    with limited(settings, loaded, rate_limit_per_address=f"{best + 20}/hour") as served:
        assert post(served, quality="best").status_code == 200
        there_and_back = {"dir": "en-de", "text": TEN}
        assert served.client.get("/roundtrip", params=there_and_back).status_code == 200
        assert_limited(post(served, "A"))
    with limited(settings, loaded, rate_limit_per_address=f"{canary}/hour") as served:
        assert post(served, "A").status_code == 200
        assert_limited(served.client.get("/roundtrip"))


def test_several_limits(settings: Settings, loaded: Loaded) -> None:
    """Where several limits are set each holds; the long one is told when it is the one that is reached."""
    with limited(settings, loaded, rate_limit_per_address="20/hour; 25/day") as served:
        assert post(served, [TEN] * 2).status_code == 200
        refused = post(served)
        assert_limited(refused)
        assert refused.json()["detail"].endswith("20 characters per hour")


def test_addresses_and_keys_are_apart(settings: Settings, loaded: Loaded) -> None:
    """Two keys at one address have one share of the address; one key has its share wherever it comes from."""
    shares = {"rate_limit_per_key": "30/hour", "rate_limit_per_address": "40/hour"}
    with limited(settings, loaded, api_keys=KEYS, trusted_proxies="127.0.0.0/8", **shares) as served:
        assert post(served, [TEN] * 3, key=WEB.key, address="192.0.2.1").status_code == 200
        of_address = post(served, [TEN] * 2, key=SHOP.key, address="192.0.2.1")
        assert_limited(of_address)
        assert "per address" in of_address.json()["detail"]
        of_key = post(served, key=WEB.key, address="192.0.2.2")
        assert_limited(of_key)
        assert "per key" in of_key.json()["detail"]
        assert post(served, [TEN] * 3, key=SHOP.key, address="192.0.2.2").status_code == 200


def test_forwarded_addresses_are_believed_of_trusted_proxies_only(settings: Settings, loaded: Loaded) -> None:
    """Without a trusted proxy the client is who opened the connection, whatever it claims to be."""
    with limited(settings, loaded, rate_limit_per_address="15/hour") as served:
        assert post(served, address="192.0.2.1").status_code == 200
        assert_limited(post(served, address="192.0.2.2"))
    with limited(settings, loaded, rate_limit_per_address="15/hour", trusted_proxies="192.0.2.9") as served:
        assert post(served, address="192.0.2.1").status_code == 200
        assert_limited(post(served, address="192.0.2.2"))


def test_what_the_client_claims_through_a_proxy_is_not_believed(settings: Settings, loaded: Loaded) -> None:
    """Of X-Forwarded-For counts what the nearest trusted proxy added, not what the client had put there before."""
    with limited(settings, loaded, rate_limit_per_address="15/hour", trusted_proxies="127.0.0.1, 10.0.0.0/8") as served:
        assert post(served, address="198.51.100.1, 192.0.2.1").status_code == 200
        assert_limited(post(served, address="198.51.100.2, 192.0.2.1, 10.1.2.3"))


@pytest.mark.parametrize(
    ("first", "second"),
    [("2001:db8::1", "2001:db8::ffff:2"), ("192.0.2.1", "::ffff:192.0.2.1"), ("unknown", "unknown")],
    ids=["one-site", "mapped", "no-address"],
)
def test_one_client_under_two_addresses(settings: Settings, loaded: Loaded, first: str, second: str) -> None:
    """An IPv6 client has a whole network of addresses, and an IPv4 one may be written as IPv6: each has one share."""
    with limited(settings, loaded, rate_limit_per_address="15/hour", trusted_proxies="127.0.0.1") as served:
        assert post(served, address=first).status_code == 200
        assert_limited(post(served, address=second))
        assert post(served, address="2001:db8:0:1::1").status_code == 200


def test_many_callers_make_no_request_dearer(settings: Settings, loaded: Loaded) -> None:
    """A request does not look through all addresses that are known."""
    walks = []

    class Noting(UserDict[str, float]):
        def __iter__(self) -> Iterator[str]:
            walks.append(len(self))
            return super().__iter__()

    with limited(settings, loaded, rate_limit_per_address="15/hour", trusted_proxies="127.0.0.1") as served:
        known = windows(served)
        known.expirations = cast("dict[str, float]", Noting())
        known._swept_at = time.monotonic()
        started = time.monotonic()
        for number in range(20):
            assert post(served, address=f"192.0.2.{number}").status_code == 200
        assert len(known.expirations) == 20
        assert len(walks) <= (time.monotonic() - started) / _SWEEP_S


def test_windows_that_are_over_are_forgotten(
    settings: Settings, loaded: Loaded, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An address is not remembered for longer than its window lasts, whoever else comes."""
    monkeypatch.setattr("service.http.limiting._SWEEP_S", 0.01)
    given = {"rate_limit_per_address": "15/second; 25/2 seconds", "trusted_proxies": "127.0.0.1"}
    with limited(settings, loaded, **given) as served:
        known = windows(served)
        assert post(served, address="192.0.2.1").status_code == 200
        assert sum("192.0.2.1/" in name for name in known.expirations) == 2
        deadline = time.monotonic() + PATIENCE_S
        while any("192.0.2.1/" in name for name in (*known.expirations, *known.storage)):
            assert time.monotonic() < deadline, "it is never forgotten"
            assert post(served, "A", address="192.0.2.2").status_code in (200, 429)
            time.sleep(0.1)


def windows(served: Served) -> _Memory:
    """What is counted in the memory of the process."""
    app = cast("FastAPI", served.server.config.app)
    return cast("_Memory", app.state.rate_limits._windows.storage)


def use_up(served: Served) -> httpx.Response:
    """Requests until one is refused."""
    deadline = time.monotonic() + PATIENCE_S
    while (response := post(served)).status_code == 200:
        assert time.monotonic() < deadline, "no limit is ever reached"
    return response


def test_retry_after_is_true(settings: Settings, loaded: Loaded) -> None:
    """Who comes back when Retry-After says so is let in, with as much as the limit allows."""
    with limited(settings, loaded, rate_limit_per_address="20/second") as served:
        refused = use_up(served)
        assert_limited(refused)
        assert int(refused.headers["retry-after"]) <= 2
        time.sleep(int(refused.headers["retry-after"]))
        assert post(served, [TEN] * 2).status_code == 200


@pytest.mark.parametrize("span", ["second", "2 seconds", "minute"])
def test_retry_after_is_within_the_window(settings: Settings, loaded: Loaded, span: str) -> None:
    """Right after a window began, too: who has a limit per minute never waits for longer than a minute."""
    with limited(settings, loaded, rate_limit_per_address=f"10/{span}") as served:
        refused = use_up(served)
        window = {"second": 1, "2 seconds": 2, "minute": 60}[span]
        assert int(refused.headers["retry-after"]) <= window


def test_concurrent_requests_do_not_slip_through(settings: Settings, loaded: Loaded) -> None:
    """Of twenty requests at once, exactly as many are let in as the limit allows."""
    with limited(settings, loaded, rate_limit_per_address="75/hour") as served, ThreadPoolExecutor(20) as pool:
        codes = [response.status_code for response in pool.map(lambda _: post(served), range(20))]
    assert sorted(codes) == [200] * 7 + [429] * 13


def test_what_is_open_is_not_limited(settings: Settings, loaded: Loaded) -> None:
    """Probes and Prometheus are answered when the caller has nothing left."""
    with limited(settings, loaded, rate_limit_per_address="10/hour") as served:
        assert post(served).status_code == 200
        assert_limited(post(served))
        assert {served.client.get(path).status_code for path in OPEN} == {200}


def test_every_route_that_works_takes_from_the_meter(served: Served) -> None:
    """Each route but the open ones and those of administration has a call with a meter, so that none is a way around.

    /translate begins its own, as the tests above show. The others that have none do no work on texts.
    """
    working = [(path, calls) for path, calls in routes(served) if path not in OPEN and not path.startswith(f"{ADMIN}/")]
    assert {"/roundtrip", "/detect", "/v2/translate"} <= {path for path, calls in working if _called in calls}
    assert {path for path, calls in working if _called not in calls} == {
        *("/translate", "/v2/usage", "/v2/glossary-language-pairs", "/v2/glossaries", "/v3/glossaries"),
        *("/v2/document", "/v2/document/", "/v2/write/rephrase", "/v2/write/correct"),
    }


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A Redis server of its own: its address, and the process."""
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("redis-server is not installed")
    port = free_port()
    command = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        try:
            wait_until(lambda: listens(port))
            yield f"redis://127.0.0.1:{port}/0", process
        finally:
            process.kill()


def test_replicas_share_limits_in_redis(
    settings: Settings,
    loaded: Loaded,
    redis: tuple[str, subprocess.Popen[bytes]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is used at one replica is gone at the other, and Retry-After is true; without Redis both go on."""
    monkeypatch.setattr("service.http.limiting._STORAGE_TIMEOUT_S", PATIENCE_S)
    address, process = redis
    # the hour's is not reached before a second's, though a request or two may come in the next second
    given = {"rate_limit_per_address": "20/second; 70/hour", "rate_limit_storage": address}
    with limited(settings, loaded, **given) as first, limited(settings, loaded, **given) as second:
        refused = use_up(first)
        assert_limited(refused)
        time.sleep(int(refused.headers["retry-after"]))
        assert post(second, [TEN] * 2).status_code == 200
        deadline = time.monotonic() + PATIENCE_S
        while "per hour" not in (refused := post(second)).text:
            assert time.monotonic() < deadline, "the hour's limit is not shared"
        assert_limited(refused)
        assert "per hour" in post(first).text
        assert first.metric("reder_rate_limit_failures_total") == 0
        process.kill()
        process.wait()
        assert post(first).status_code == 200
        assert first.metric("reder_rate_limit_failures_total") == 1


@pytest.mark.parametrize("listening", [False, True], ids=["closed-port", "silent-server"])
def test_a_storage_that_fails_lets_everybody_through(settings: Settings, loaded: Loaded, *, listening: bool) -> None:
    """Without its storage the service translates uncounted, soon, says so in the log, and counts it."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        if listening:
            server.listen()
        storage = f"redis://user:geheim@127.0.0.1:{server.getsockname()[1]}/0"
        given = {"rate_limit_per_address": "15/hour", "rate_limit_storage": storage}
        with limited(settings, loaded, **given) as served, captured_logs() as logs:
            codes = [post(served).status_code for _ in range(5)]
            assert codes == [200] * 5
            assert served.metric("reder_rate_limit_failures_total") == 5
            assert "rate_limits_not_counted" in {line["event"] for line in logs}
            assert "geheim" not in str(logs) + served.client.get("/metrics").text


@pytest.mark.parametrize(
    "wrong",
    [
        {"rate_limit_per_address": "many"},
        {"rate_limit_per_address": "100"},
        {"rate_limit_per_address": "0/minute"},
        {"rate_limit_per_address": "100/fortnight"},
        {"rate_limit_per_key": "100/minute"},
        {"rate_limit_storage": "mongodb://127.0.0.1:1"},
        {"rate_limit_storage": "redis://127.0.0.1"},
        {"rate_limit_storage": "redis://127.0.0.1:6379/limits"},
        {"trusted_proxies": "proxy.example"},
        {"trusted_proxies": "10.0.0.1/8"},
        {"trusted_proxies": "*"},
        {"cors_origins": "app.example"},
        {"cors_origins": "https://app.example/"},
    ],
    ids=lambda wrong: "=".join(*wrong.items()),
)
def test_wrong_settings_are_refused(wrong: dict[str, str]) -> None:
    """What would limit nothing, or trust somebody else, is an error at start."""
    with pytest.raises(ValidationError) as refusal:
        Settings.model_validate(wrong)
    (error,) = refusal.value.errors()
    assert error["loc"] in ((*wrong,), ())
    assert error["msg"]


@pytest.mark.parametrize("option", ["socket_timeuot=1", "socket_timeout=soon", "protocol=9"])
def test_an_address_with_a_wrong_option_is_refused(option: str) -> None:
    """With the first request it would be too late: each would be answered 500."""
    settings = Settings(rate_limit_storage=f"redis://127.0.0.1:1/0?{option}")
    with pytest.raises(ConfigurationError, match="rate_limit_storage"):
        RateLimits(settings, Metrics())
