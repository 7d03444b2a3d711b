"""Which work on text the event loop does itself, and which it leaves to threads."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TYPE_CHECKING

import pytest

from service.pipeline.text_threads import TextThreads
from tests.service.support import serve, text_threads_taken

if TYPE_CHECKING:
    import httpx

    from service.app import Loaded
    from service.settings import Settings
    from tests.service.support import Served

SHORT = "A dog runs through the grass."
LONG = f"{SHORT} " * 100
TERMS = [{"source": f"term {number}", "target": f"Begriff {number}"} for number in range(100)]


def post(served: Served, direction: str, body: dict[str, object]) -> httpx.Response:
    """One request."""
    return served.client.post(f"/translate?dir={direction}&quality=fast", json=body)


@pytest.mark.parametrize("direction", ["en-de", "auto"])
def test_a_short_text_waits_for_no_thread(settings: Settings, loaded: Loaded, direction: str) -> None:
    """While all threads are at work on something else, a sentence is translated."""
    with serve(settings, loaded) as served, text_threads_taken(served.context):
        assert post(served, direction, {"text": SHORT}).status_code == 200


@pytest.mark.parametrize("body", [{"text": LONG}, {"text": [SHORT] * 20}, {"text": SHORT, "glossary": TERMS}])
def test_much_text_is_left_to_threads(settings: Settings, loaded: Loaded, body: dict[str, object]) -> None:
    """One long text, many short ones and a large glossary wait for a thread, and others are answered meanwhile."""
    with serve(settings, loaded) as served, ThreadPoolExecutor(1) as pool:
        with text_threads_taken(served.context):
            much = pool.submit(post, served, "en-de", body)
            assert not wait({much}, timeout=0.5).done
            assert post(served, "en-de", {"text": SHORT}).status_code == 200
        assert much.result().status_code == 200


def test_all_threads_are_there_from_the_start() -> None:
    """None is started for a request: there may be no memory for it then."""
    before = set(threading.enumerate())
    text_threads = TextThreads(3)
    assert [thread.name.startswith("text") for thread in set(threading.enumerate()) - before] == [True] * 3
    text_threads.close()
