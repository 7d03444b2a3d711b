"""Another bundle takes over while requests come: none is lost or answered by two, and a bad bundle changes nothing.

The second bundle translates like the first but numbers its words otherwise. So an answer that the two had made
together would be gibberish.
"""

from __future__ import annotations

import json
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from model.bundle import EN_DE, Tokenizer
from service.engine import memory
from service.keys import generate
from service.types import Batch
from tests.service import bundles
from tests.service.support import PATIENCE_S, captured_logs, distinct, serve, serve_faulty, wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import httpx

    from service.app import Loaded
    from service.pipeline.batching.batcher import Batcher
    from service.serving import Generation
    from service.settings import Settings
    from tests.service.support import Served

ADMIN = generate("operator")
BEARER = {"Authorization": f"Bearer {ADMIN.key}"}
EN = "/translate?dir=en-de"
BEST = f"{EN}&quality=best"
TEXTS = ["A dog runs through the grass.", "Two men talk.", "A woman reads a book in the garden."]
SWAP_PATIENCE_S = 5 * PATIENCE_S


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory, settings: Settings) -> Path:
    """Where bundles may lie: `second`, whose words have other ids than those of the shipped one, and `third`."""
    root = tmp_path_factory.mktemp("bundles")
    third = bundles.copy(settings.bundle, root / "third", precision="fp32")
    bundles.renumber(bundles.copy(third, root / "second", precision="fp32"))
    return root


@pytest.fixture(scope="module")
def swappable(settings: Settings, root: Path) -> Settings:
    """Settings under which bundles in `root` may be swapped to."""
    return settings.model_copy(update={"bundle_root": root, "admin_keys": ADMIN.line})


@pytest.fixture(scope="module")
def steadfast(swappable: Settings, loaded: Loaded) -> Iterator[Served]:
    """A service that is offered bad bundles only."""
    with serve(swappable, loaded) as served:
        yield served


def swap(served: Served, path: str | None = None) -> httpx.Response:
    """Ask for a bundle; without a path, for the configured one."""
    body = {} if path is None else {"path": path}
    return served.client.post("/admin/bundle", json=body, headers=BEARER, timeout=SWAP_PATIENCE_S)


def wait_for_release(served: Served) -> None:
    """Wait until the former bundle has finished and another swap may begin."""
    wait_until(served.context.serving._free.is_set)


@dataclass(frozen=True, slots=True)
class Asked:
    """One kind of request, and the answer to it: the same from either bundle."""

    path: str
    texts: list[str]
    answer: list[str]


def ask(client: httpx.Client, path: str, texts: list[str]) -> list[str]:
    """Translations."""
    response = client.post(path, json={"text": texts})
    assert response.status_code == 200, response.text
    return [one["text"] for one in response.json()["translations"]]


@contextmanager
def asking(served: Served, kinds: list[Asked], threads: int) -> Iterator[list[int]]:
    """Ask all the time, from several threads; see that every answer is right. Yields how many there were so far."""
    over, count, wrong = threading.Event(), [0], list[str]()

    def work(number: int) -> None:
        while not over.wait(0.02):  # leaves the processor some time for loading
            kind = kinds[number % len(kinds)]
            response = served.client.post(kind.path, json={"text": kind.texts})
            found = [one["text"] for one in response.json().get("translations", ())]
            if response.status_code != 200 or found != kind.answer:
                wrong.append(f"{response.status_code} {found or response.text}")
            count[0] += 1
            number += 1

    with ThreadPoolExecutor(threads) as pool:
        workers = [pool.submit(work, number) for number in range(threads)]
        try:
            yield count
        finally:
            over.set()
    for worker in workers:
        worker.result()
    assert not wrong, wrong[:3]


def test_no_request_is_lost_or_mixed(swappable: Settings, loaded: Loaded, root: Path) -> None:
    """Two swaps under load from four callers, fast and best: every answer is 200 and that of one bundle alone."""
    with serve(swappable, loaded) as served:
        kinds = [
            Asked(path, texts, ask(served.client, path, texts))
            for path, texts in ((EN, TEXTS), (EN, TEXTS[:1]), (BEST, TEXTS[:1]))
        ]
        serving, engines = served.client.get("/").json()["bundle"], []
        manifest = served.context.serving.current.info["manifest"]
        with asking(served, kinds, threads=4) as count:
            for number, path in enumerate(["second", str(root / "third")], start=1):
                before = count[0]
                replaced = swap(served, path).json()
                assert (replaced["bundle"], replaced["former"]) == (root.joinpath(path).name, serving)
                serving = replaced["bundle"]
                assert served.client.get("/").json()["bundle"] == serving
                assert replaced["former_manifest"] == manifest != replaced["manifest"]
                assert (manifest := replaced["manifest"]) == served.context.serving.current.info["manifest"]
                engines.append(weakref.ref(served.context.batcher._lanes[0]._whole))
                wait_until(lambda before=before: count[0] > before + 16)  # type: ignore[misc]
                wait_for_release(served)
                assert served.metric("reder_bundle_swaps_total", outcome="done") == number
        # Nobody else holds an engine: it goes with its last request, not at some later collection.
        wait_until(lambda: [engine() is None for engine in engines] == [True, False])

        # The test can fail: ids of the one bundle are gibberish to the other.
        other, own = Tokenizer(root / "second" / "tokenizer.model"), served.context.bundle.tokenizer
        engine = served.context.batcher._lanes[0]._whole
        right, mixed = (engine.infer(EN_DE, Batch.pad([one.encode(TEXTS[0])])).ids.tolist() for one in (own, other))
        assert right != mixed


def test_an_engine_that_hangs_is_replaced(swappable: Settings, loaded: Loaded, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new bundle brings a new engine, and the service is ready again. A further swap waits for the old one."""
    monkeypatch.setattr("service.pipeline.batching.lane._DEATH_AFTER", 1000)  # however long the other takes to load
    with serve_faulty(swappable, loaded, engine_timeout_s=2.0) as (served, engine):
        answer = ask(served.client, EN, TEXTS[:1])
        engine.gate.clear()
        assert served.client.post(EN, json={"text": TEXTS[:1]}).status_code == 503
        assert served.client.get("/readyz").status_code == 503
        assert swap(served, "second").status_code == 200
        assert served.client.get("/readyz").status_code == 200
        assert ask(served.client, EN, TEXTS[:1]) == answer
        assert swap(served, "second").status_code == 409
        assert served.context.serving.busy
        engine.gate.set()
        wait_for_release(served)
        assert not served.context.serving.busy


def test_the_former_bundle_finishes_what_it_has(swappable: Settings, loaded: Loaded) -> None:
    """While its engine is held up the new one answers; both share the queue's limit; another swap is 409 until then."""
    tight = serve_faulty(swappable, loaded, queue_tokens=512, batch_tokens=128)
    with ThreadPoolExecutor(3) as pool, tight as (served, engine):
        assert served.client.get("/roundtrip").json()["status"] == served.client.get("/readyz").json()["round_trip"]
        answer, best = ask(served.client, EN, TEXTS[:1]), ask(served.client, BEST, TEXTS[:1])
        calls = len(engine.calls)
        engine.gate.clear()
        held = [pool.submit(ask, served.client, EN, TEXTS[:1])]
        wait_until(lambda: len(engine.calls) > calls)
        held += [pool.submit(ask, served.client, path, TEXTS[:1]) for path in (EN, BEST)]
        wait_until(lambda: served.metric("reder_queue_items") == 2)
        assert swap(served, "second").status_code == 200

        assert ask(served.client, EN, TEXTS[:1]) == answer
        tokens = max(len(served.context.bundle.tokenizer.encode(text)) for text in distinct(TEXTS[0], 99))
        most = distinct(TEXTS[0], 511 // tokens)
        refused = served.client.post(EN, json={"text": most})
        assert (refused.status_code, served.metric("reder_queue_items")) == (429, 2)

        readiness = served.client.get("/readyz").json()
        assert (readiness["status"], readiness["bundle"], readiness["worker_alive"]) == ("ready", "second", True)
        assert (readiness["round_trip"], readiness["round_trip_age_s"]) == ("pending", None)
        assert served.metric("reder_round_trip_score", dir="en-de", score="chrf") == 0  # was the other bundle's
        assert served.metric("reder_engine_up") == 1
        assert 'reder_bundle_info{contract="2",' in (exposition := served.client.get("/metrics").text)
        assert 'name="second"' in exposition
        assert f'name="{loaded.bundle.manifest.name}"' not in exposition
        again = swap(served)
        assert (again.status_code, again.json()["type"]) == (409, "urn:reder:problem:swap-in-progress")
        assert int(again.headers["Retry-After"]) > 0
        assert served.metric("reder_bundle_swaps_total", outcome="busy") == 1
        assert not any(one.done() for one in held)
        engine.gate.set()
        assert [one.result() for one in held] == [answer, answer, best]
        wait_for_release(served)
        assert ask(served.client, EN, TEXTS[:1]) == answer
        assert ask(served.client, EN, most) == [one for text in most for one in ask(served.client, EN, [text])]


def damage_hash(folder: Path) -> None:
    """One letter of one file is another."""
    text = (folder / "canary.en.txt").read_text(encoding="utf-8")
    bundles.put(folder / "canary.en.txt", text.swapcase().encode())


def truncate_graph(folder: Path) -> None:
    """Half a graph, for which the manifest vouches."""
    graph = folder / "en-de.greedy.fp32.onnx"
    bundles.put(graph, graph.read_bytes()[: graph.stat().st_size // 2])
    bundles.alter(folder)


def lose_file(folder: Path) -> None:
    """No vocabulary."""
    (folder / "tokenizer.model").unlink()


def change_contract(folder: Path) -> None:
    """A bundle of another release."""
    bundles.alter(folder, contract=99)


def lead_out(folder: Path) -> None:
    """A file that lies elsewhere."""
    (folder / "extra").symlink_to(folder.parent.parent)


def refusal(served: Served, path: str | None) -> str:
    """Why a bundle is refused; sees that it is told, logged and counted, and that the present one serves on."""
    name, answer = served.client.get("/").json()["bundle"], ask(served.client, EN, TEXTS[:1])
    before = served.metric("reder_bundle_swaps_total", outcome="refused")
    with captured_logs() as logs:
        response = swap(served, path)
    problem = response.json()
    assert (response.status_code, problem["type"]) == (422, "urn:reder:problem:bundle-refused")
    assert [line["reason"] for line in logs if line["event"] == "bundle_refused"] == [problem["detail"]]
    assert served.metric("reder_bundle_swaps_total", outcome="refused") == before + 1
    assert served.client.get("/").json()["bundle"] == served.client.get("/readyz").json()["bundle"] == name
    assert ask(served.client, EN, TEXTS[:1]) == answer
    return str(problem["detail"])


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (damage_hash, "canary.en.txt does not match its SHA-256"),
        (truncate_graph, "en-de.greedy.fp32.onnx cannot be loaded"),
        (lose_file, "tokenizer.model is missing from the folder"),
        (change_contract, "bundle contract 99 is not supported"),
        (lead_out, "leads out of the folder that bundles must lie in"),
    ],
)
def test_a_bad_bundle_is_refused(steadfast: Served, root: Path, spoil: Callable[[Path], None], reason: str) -> None:
    """Refused with the reason, in an answer, a log line and a metric; the present one serves on."""
    folder = bundles.link(root / "second", root / spoil.__name__)
    spoil(folder)
    detail = refusal(steadfast, folder.name)
    assert reason in detail
    assert str(root) not in detail


@pytest.mark.parametrize("path", ["..", "../bundles-elsewhere", "/", "{shipped}", "second/../../x", "link"])
def test_a_path_outside_the_root_is_refused(steadfast: Served, settings: Settings, root: Path, path: str) -> None:
    """Neither by .. nor by an absolute path nor by a link can a bundle be reached that does not lie in the root."""
    if path == "link":
        (root / path).symlink_to(settings.bundle.resolve())
    assert "leads out of the folder" in refusal(steadfast, path.format(shipped=settings.bundle.resolve()))


@pytest.mark.parametrize(
    ("path", "reason"), [("none", "is not a bundle"), ("a\0b", "nowhere"), ("circle", "is not a bundle")]
)
def test_a_path_to_nothing_is_refused(steadfast: Served, root: Path, path: str, reason: str) -> None:
    """No such folder, no path at all, or links in a circle."""
    if path == "circle":
        (root / path).symlink_to(root / path)
    assert reason in refusal(steadfast, path)


def test_a_path_in_the_query_is_refused(steadfast: Served) -> None:
    """Passed over, it would have the configured bundle replace the one that serves."""
    answer = steadfast.client.post("/admin/bundle?path=v2", json={}, headers=BEARER)
    assert (answer.status_code, answer.json()["type"]) == (422, "urn:reder:problem:invalid-request")
    assert answer.json()["detail"] == "query: has a field that is not known here; there are none"


def test_other_translations_than_at_export_are_refused(steadfast: Served, root: Path) -> None:
    """A bundle of good form whose golden sentences come out otherwise; while it loads, another swap is 409."""
    folder = bundles.link(root / "second", root / "golden")
    examples = [json.loads(line) for line in (folder / "golden.jsonl").read_text(encoding="utf-8").splitlines()]
    for example in examples:
        example["output_ids"] = [one + 1 for one in example["output_ids"]]
    (folder / "golden.jsonl").write_text("\n".join(map(json.dumps, examples)), encoding="utf-8")
    bundles.alter(folder)
    with ThreadPoolExecutor(1) as pool:
        refused = pool.submit(refusal, steadfast, "golden")
        wait_until(lambda: not steadfast.context.serving._free.is_set() or refused.done())
        assert swap(steadfast, "second").status_code == 409
        assert "does not translate as recorded at export" in refused.result(SWAP_PATIENCE_S)
    assert steadfast.metric("reder_bundle_swaps_total", outcome="busy") == 1


def test_a_bundle_that_takes_too_long_is_refused(
    swappable: Settings, loaded: Loaded, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wait is bounded. Another swap may begin when what came too late has been released, and its memory too.

    What the metrics say of the engine is still said of the one that serves.
    """
    hasty = swappable.model_copy(update={"swap_timeout_s": 0.001, "threads": 3})
    truncate_graph(bundles.link(root / "second", root / "slow"))
    batchers: list[weakref.ref[Batcher]] = []
    left: list[int] = []
    with serve(hasty, loaded) as served:
        serving = served.context.serving
        prepare = serving._prepare

        def prepare_noted(folder: Path) -> Generation:
            generation = prepare(folder)
            batchers.append(weakref.ref(generation.batcher))
            return generation

        def give_back() -> None:
            memory.give_back()
            left.append(sum(batcher() is not None for batcher in batchers))

        monkeypatch.setattr(serving, "_prepare", prepare_noted)
        monkeypatch.setattr("service.serving.give_back", give_back)
        for path in ("slow", "second"):
            left.clear()
            assert "not loaded and checked within" in refusal(served, path)
            wait_for_release(served)
            assert not serving.busy
            assert set(left) == {0}
        assert batchers
        assert served.metric("reder_engine_lanes") == 1


def test_a_swap_for_which_no_thread_can_be_started(
    swappable: Settings, loaded: Loaded, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is refused like a bad bundle, the first one too, and does not stand in the way of the next."""

    def none_left(_: threading.Thread) -> None:
        msg = "can't start new thread"
        raise RuntimeError(msg)

    with serve(swappable, loaded) as served:
        with monkeypatch.context() as patch:
            patch.setattr(threading.Thread, "start", none_left)
            assert "cannot be loaded" in refusal(served, "second")
        assert swap(served, "second").status_code == 200


def test_without_a_root_only_siblings(settings: Settings, loaded: Loaded, root: Path, tmp_path: Path) -> None:
    """By default a bundle must lie beside the configured one; without an admin key, nobody may name any."""
    beside = settings.model_copy(update={"admin_keys": ADMIN.line, "bundle": tmp_path / "first"})
    (tmp_path / "bad").mkdir()
    with serve(beside, loaded) as served:
        assert "is not a bundle" in refusal(served, "bad")
        assert "is not a bundle" in refusal(served, None)  # the configured one, of which only the engine is there
        assert "leads out of the folder" in refusal(served, str(root / "second"))
        assert served.client.post("/admin/bundle", json={}).status_code == 401
    with serve(settings, loaded) as served:
        assert swap(served, "bad").status_code == 403
