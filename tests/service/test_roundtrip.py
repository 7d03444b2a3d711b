"""GET /roundtrip: scores, thresholds, and that copying does not count as health."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from model.bundle import Task
from tests.service.support import CopyingEngine, SilentEngine, serve, serve_faulty, wait_until

if TYPE_CHECKING:
    from service.app import Loaded
    from service.settings import Settings
    from tests.service.support import Served

CANARY_SCORES = ("bleu", "chrf", "exact_match", "copy_rate")


def test_the_canary_report(served: Served, loaded: Loaded) -> None:
    """Both directions are scored and held against the bundle's thresholds; /metrics has the same figures."""
    report = served.client.get("/roundtrip").json()
    assert set(report["directions"]) == {"en-de", "de-en"}
    for name, one in report["directions"].items():
        thresholds = loaded.bundle.manifest.round_trip[name]
        healthy = one["chrf"] >= thresholds.min_chrf and one["copy_rate"] <= thresholds.max_copy_rate
        assert one["status"] == ("ok" if healthy else "degraded")
        assert bool(one["failures"]) is not healthy
        assert one["count"] == len(loaded.bundle.canary(name[:2])) >= 20
        assert one["duration_s"] > 0
        assert one["thresholds"]["min_chrf"] == thresholds.min_chrf
        for score in CANARY_SCORES:
            gauge = served.metric("reder_round_trip_score", dir=name, score=score)
            assert gauge == pytest.approx(one[score], abs=0.01)
        assert served.metric("reder_round_trip_ok", dir=name) == healthy
    assert report["status"] == (
        "ok" if all(not one["failures"] for one in report["directions"].values()) else "degraded"
    )
    assert served.client.get("/readyz").json()["round_trip"] == report["status"]


def test_a_copying_model_is_degraded(settings: Settings, loaded: Loaded) -> None:
    """It reconstructs German exactly, and English but for capitals; and that is just what gives it away."""
    with serve(settings, replace(loaded, engine=CopyingEngine())) as served:
        report = served.client.get("/roundtrip").json()
        assert report["status"] == "degraded"
        for one in report["directions"].values():
            assert one["status"] == "degraded"
            assert one["copy_rate"] > 0.7  # words of the lists, and when something is, are put right even there
            assert one["chrf"] > 85  # English that comes back as German may lack capitals there
            assert "copy rate" in one["failures"][0]
        assert report["directions"]["de-en"]["exact_match"] > 0.7
        readiness = served.client.get("/readyz")
        assert readiness.status_code == 200
        assert readiness.json()["round_trip"] == "degraded"


def test_a_silent_model_is_degraded(settings: Settings, loaded: Loaded) -> None:
    """It copies nothing, and reconstructs nothing."""
    with serve(settings, replace(loaded, engine=SilentEngine())) as served:
        for one in served.client.get("/roundtrip").json()["directions"].values():
            assert one["status"] == "degraded"
            assert (one["chrf"], one["copy_rate"]) == (0, 0)


def test_one_text(settings: Settings, loaded: Loaded) -> None:
    """All three texts are shown, with the score and whether the middle copied."""
    text = "A dog runs.\n\nTwo men talk."
    with serve(settings, replace(loaded, engine=CopyingEngine())) as served:
        answer = served.client.get("/roundtrip", params={"dir": "en-de", "text": text}).json()
    assert answer["dir"] == "en-de"
    assert answer["source"] == answer["translation"]["text"] == answer["reconstruction"]["text"] == text
    assert answer["chrf"] == 100
    assert answer["copied"] is True


def test_the_middle_text_is_the_translation(served: Served) -> None:
    """The hops shown are those that /translate makes."""
    text = "A dog runs through the grass."
    answer = served.client.get("/roundtrip", params={"dir": "en-de", "text": text}).json()
    there = served.client.post("/translate?dir=en-de", json={"text": text}).json()["translations"][0]
    assert answer["translation"] == there
    assert 0 <= answer["chrf"] <= 100


def test_concurrent_callers_share_one_run(settings: Settings, loaded: Loaded) -> None:
    """Ten calls at once cost one run: four hops, all of them fast."""
    with serve_faulty(settings, loaded, held=True) as (served, engine), ThreadPoolExecutor(10) as pool:
        answers = [pool.submit(served.client.get, "/roundtrip") for _ in range(10)]
        wait_until(lambda: len(engine.calls) > 0)
        engine.gate.set()
        assert len({answer.result().text for answer in answers}) == 1
        sentences = sum(len(call.batch.ids) for call in engine.calls)
        assert {call.task for call in engine.calls} == {Task.GREEDY}
    canaries = len(loaded.bundle.canary("en")) + len(loaded.bundle.canary("de"))
    assert sentences <= 2 * canaries * 2  # there and back; a few sentences are two for the segmentation


def test_a_run_that_takes_too_long_is_504(settings: Settings, loaded: Loaded) -> None:
    """The wait is bounded, and readiness states the failure."""
    with serve_faulty(settings, loaded, held=True, canary_timeout_s=0.2) as (served, _):
        assert served.client.get("/readyz").json()["round_trip"] == "pending"
        response = served.client.get("/roundtrip")
        assert response.status_code == 504
        assert served.client.get("/readyz").json()["round_trip"] == "failed"


@pytest.mark.parametrize(
    ("query", "location"),
    [
        pytest.param("dir=en-de&text=Hello.&quality=best", "query", id="unknown"),
        pytest.param("dir=en-de&text=Hello.&text=Bye.", "query.text", id="twice"),
        pytest.param("dir=en-fr&text=Hello.", "query.dir", id="no direction"),
        pytest.param("dir=en-de", "query", id="no text"),
        pytest.param("dir=en-de&text=%20", "query.text", id="blank"),
        pytest.param("dir=en-de&text=a%00", "query.text", id="control character"),
    ],
)
def test_a_query_that_would_not_be_heeded_is_refused(served: Served, query: str, location: str) -> None:
    """What the round trip does not know, or is told twice, is refused, as by /translate."""
    answer = served.client.get(f"/roundtrip?{query}")
    assert answer.status_code == 422
    assert [error["location"] for error in answer.json()["errors"]] == [location]
