"""POST /translate?quality=best: what it answers."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import onnxruntime as ort
import pytest

from model.bundle import SIGNATURES, Direction, Task, WordPairs, collapse, prefix_beam_search
from service.pipeline.decoding.frames import find_candidates
from service.pipeline.reading import find_sentences
from service.pipeline.repairs.flaws import count_flaws
from service.pipeline.repairs.lost_words import count_lost
from service.types import Quality, Request
from tests.service.support import PATIENCE_S, CopyingEngine, captured_logs, serve, translate, wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import httpx
    from numpy.typing import NDArray

    from model.bundle import Bundle
    from service.app import Loaded
    from service.settings import Settings
    from service.types import Candidates
    from tests.service.support import Served

COMPARED, REACH = 10, 3.0
"""How many candidates word pairs tell apart, and how much less likely than the first they are at most."""
SENTENCES = {
    "en-de": [
        "A dog runs through the grass.",
        "Two men talk.",
        "The old woman, who had never seen the sea before, bought a small red boat and gave it to her neighbour.",
        "Why are you late?",
    ],
    "de-en": [
        "Ein Hund läuft durch das Gras.",
        "Zwei Männer reden.",
        "Die alte Frau, die das Meer nie zuvor gesehen hatte, kaufte ein kleines rotes Boot für ihren Nachbarn.",
        "Warum kommst du zu spät?",
    ],
}


@pytest.mark.parametrize("direction", ["en-de", "de-en"])
def test_alone_and_in_a_crowd(client: httpx.Client, direction: str) -> None:
    """Many texts come back in order, each as it comes back alone and among concurrent requests of other qualities."""
    alone = [translate(client, direction, text, quality="best")[0] for text in SENTENCES[direction]]
    crowd = [(text, quality) for text in SENTENCES[direction] for quality in ("best", "fast", "good")] * 3
    with ThreadPoolExecutor(8) as pool:
        concurrent = list(pool.map(lambda one: translate(client, direction, one[0], quality=one[1])[0], crowd))
    together = translate(client, direction, SENTENCES[direction] * 3, quality="best")
    assert [one["text"] for one in together] == [one["text"] for one in alone] * 3
    assert [one["text"] for one in concurrent[::3]] == [one["text"] for one in alone] * 3
    assert all(0 < one["confidence"] <= 1 for one in together)
    assert [one["confidence"] for one in together] == pytest.approx([one["confidence"] for one in alone] * 3, abs=1e-3)


@pytest.mark.parametrize("quality", ["good", "best"])
def test_many_are_searched_in_groups(client: httpx.Client, quality: str) -> None:
    """Of more sentences than are searched together each has the translation that it has alone, in its own place."""
    texts = [f"{'A very ' * (number % 5)}old dog runs to house number {number}." for number in range(40)]
    together = translate(client, "en-de", texts, quality=quality)
    alone = [translate(client, "en-de", text, quality=quality)[0] for text in texts[::7]]
    assert [one["text"] for one in together[::7]] == [one["text"] for one in alone]
    assert [str(number) in one["text"] for number, one in enumerate(together)] == [True] * 40


def test_long_text_is_never_cut(settings: Settings, loaded: Loaded) -> None:
    """With an engine whose best candidate is a copy, long text comes back whole; candidates are read no further."""
    engine, longest = CopyingEngine(), loaded.bundle.manifest.max_source_tokens
    long = "the quick brown fox jumps over the lazy dog, and nobody minds; " * 40
    full = " ".join(["dog"] * longest)  # some candidates have a token more
    assert len(loaded.bundle.tokenizer.encode(full)) == longest
    with serve(settings, replace(loaded, engine=engine)) as served:
        returned = translate(served.client, "en-de", [long, full], quality="best")
    assert [one["text"].strip() for one in returned] == [long.strip(), full]
    assert engine.longest == longest


@pytest.mark.parametrize("name", ["en-de", "de-en"])
def test_it_is_the_best_by_both_directions(client: httpx.Client, loaded: Loaded, name: str) -> None:
    """Answers are what reranking chooses, worked out sentence by sentence with bare sessions; some beat greedy's."""
    direction = Direction.parse(name)
    network = _Network(loaded.bundle)
    sentences = _read_as_they_are(loaded, direction, network)[:8]
    answers = [translate(client, name, sentence, quality="best")[0]["text"] for sentence in sentences]
    fast = [translate(client, name, sentence, quality="fast")[0]["text"] for sentence in sentences]
    gains = []
    for sentence, answer in zip(sentences, answers, strict=True):
        source = loaded.bundle.tokenizer.encode(sentence)
        chosen = max(network.candidates(direction, source), key=network.total(direction, source))
        assert loaded.bundle.tokenizer.decode(chosen) == answer
        greedy = network.greedy(direction, source)
        gains.append(network.exact(direction, source, chosen) - network.exact(direction, source, greedy))
    assert answers != fast
    assert sum(gains) > 0


@pytest.mark.parametrize("name", ["en-de", "de-en"])
def test_good_is_what_the_search_prefers(client: httpx.Client, loaded: Loaded, name: str) -> None:
    """Answers are the search's first candidates, worked out with bare sessions; some are neither fast's nor best's."""
    direction = Direction.parse(name)
    network = _Network(loaded.bundle)
    sentences = _read_as_they_are(loaded, direction, network)
    found = {
        quality: [translate(client, name, sentence, quality=quality)[0]["text"] for sentence in sentences]
        for quality in ("fast", "good", "best")
    }
    for sentence, answer in zip(sentences, found["good"], strict=True):
        source = loaded.bundle.tokenizer.encode(sentence)
        first, *_ = network.candidates(direction, source)
        assert loaded.bundle.tokenizer.decode(first) == answer
    assert found["good"] != found["fast"]
    assert found["good"] != found["best"]


def test_good_asks_the_network_once(served: Served) -> None:
    """Nothing is scored, and it takes as much room in the queue as fast."""
    before = served.metric("reder_batch_items_count", dir="de-en", task="score")
    response = served.client.post("/translate?dir=en-de&quality=good", json={"text": "A dog runs."})
    assert response.status_code == 200
    assert "score" not in response.headers["server-timing"]
    assert served.metric("reder_batch_items_count", dir="de-en", task="score") == before
    translator = served.context.translator
    candidates = served.context.bundle.manifest.search.candidates
    assert [translator.passes(quality) for quality in Quality] == [1, 1, 1 + candidates]


def test_stages_are_told(served: Served) -> None:
    """The answer's header, the metrics and the log line tell a best request and its stages from a fast one."""
    stages = ("queue", "search", "beam", "score", "detokenise")

    def sample() -> list[float]:
        request = {"route": "/translate", "dir": "en-de", "quality": "best", "code": "200"}
        return [
            served.metric("reder_requests_total", **request),
            served.metric("reder_batch_items_sum", dir="en-de", task="search"),
            served.metric("reder_batch_items_count", dir="de-en", task="score"),
            *(served.metric("reder_stage_duration_seconds_count", stage=stage) for stage in stages),
        ]

    before = sample()
    with captured_logs() as logs:
        response = served.client.post("/translate?dir=en-de&quality=best", json={"text": "A dog runs."})
        afterwards = sample()  # the line is written after the answer, and before the next
    assert [after - earlier for after, earlier in zip(afterwards, before, strict=True)] == [1] * (3 + len(stages))
    assert [line["quality"] for line in logs if line["event"] == "request" and line["route"] == "/translate"] == [
        "best"
    ]
    assert all(f"{stage};dur=" in response.headers["server-timing"] for stage in stages)
    assert "inference" not in response.headers["server-timing"]
    assert served.metric("reder_queue_tokens") == served.metric("reder_promised_tokens") == 0


def test_an_operator_sets_what_is_meant_without_a_quality(settings: Settings, loaded: Loaded) -> None:
    """With REDER_QUALITY=best all three APIs search and rerank unless a request says otherwise, which still counts."""
    with serve(settings, loaded, quality="best") as served:
        client = served.client
        text = {"text": "Two dogs play in the snow."}

        def used(**query: str) -> str:
            answer = client.post("/translate", params={"dir": "en-de", **query}, json=text)
            assert answer.status_code == 200, answer.text
            return str(answer.json()["quality"])

        assert (used(), used(quality="fast"), used(alternatives="1")) == ("best", "fast", "best")
        client.post("/translate", json={"q": "Two dogs.", "source": "en", "target": "de"}).raise_for_status()
        assert searched(served, "/translate") == 3
        deepl = {"text": ["Two dogs."], "target_lang": "DE", "source_lang": "EN"}
        for model_type in ({}, {"model_type": "latency_optimized"}):
            client.post("/v2/translate", json=deepl | model_type).raise_for_status()
        assert searched(served, "/v2/translate") == 1


def test_searches_count_as_work_that_waits(settings: Settings, loaded: Loaded, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a text thread searches, its sentences count as waiting: else more would be let in than is done in time."""
    begun, gate = threading.Event(), threading.Event()

    def held(*args: Any, **options: Any) -> list[Candidates]:  # noqa: ANN401 - whatever it takes
        begun.set()
        assert gate.wait(PATIENCE_S)
        return find_candidates(*args, **options)

    monkeypatch.setattr("service.pipeline.decoding.decoder.find_candidates", held)
    with serve(settings, loaded) as served, ThreadPoolExecutor(1) as pool:
        answer = pool.submit(translate, served.client, "en-de", "Two men talk.", quality="good")
        assert begun.wait(PATIENCE_S)
        held_tokens = served.metric("reder_promised_tokens")
        gate.set()
        assert answer.result()
        assert held_tokens == len(loaded.bundle.tokenizer.encode("Two men talk."))
        wait_until(lambda: served.metric("reder_promised_tokens") == 0)


def searched(served: Served, route: str) -> float:
    """How many requests of best quality a route has answered."""
    return served.metric("reder_requests_total", route=route, dir="en-de", quality="best", code="200")


def _read_as_they_are(loaded: Loaded, direction: Direction, network: _Network) -> list[str]:
    """Sentences of the canary of which the network reads every word, and none in the place of another.

    Those are left out for which the search finds a candidate with a flaw or without a word: the service avoids these.
    """
    reader = loaded.reader
    request = Request(direction, tuple(loaded.bundle.canary(direction.source)), Quality.GOOD)
    texts = reader.tokenise(request, find_sentences(request))
    pieces = [[piece for block in text.blocks for piece in block.pieces] for text in texts]
    both = zip(request.texts, pieces, strict=True)
    read = [text for text, its in both if [piece.protected.text for piece in its if piece.ids] == [text]]
    return [text for text in read if not any(_is_poor(text, one, direction) for one in network.texts(direction, text))]


def _is_poor(sentence: str, candidate: str, direction: Direction) -> bool:
    return bool(count_flaws(sentence, candidate, direction.target) or count_lost(sentence, candidate, direction))


class _Network:
    """A bundle's fp32 graphs, one sentence at a time."""

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle
        self._search = bundle.manifest.search
        self._fluency = bundle.fluency()
        self._word_pairs = bundle.word_pairs()
        self._sessions: dict[tuple[Direction, Task], ort.InferenceSession] = {}

    def greedy(self, direction: Direction, source: Sequence[int]) -> tuple[int, ...]:
        ids, log_probs = self._run(direction, Task.GREEDY, source)
        return tuple(collapse(ids, log_probs, np.array([ids.shape[1]]), blank_id=0)[0].ids)

    def candidates(self, direction: Direction, source: Sequence[int]) -> list[tuple[int, ...]]:
        """The search's, the most probable first, in the order in which word pairs, too, have them."""
        ids, log_probs = self._run(direction, Task.SEARCH, source)
        fluency = self._fluency.get(direction)
        found = prefix_beam_search(
            ids[0], log_probs[0], beam=self._search.beam, blank_id=0, fluency=fluency, source=source
        )
        first = [one for one in found if one.ids][:COMPARED]
        near = [one for one in first if one.total >= first[0].total - REACH]
        decode = self._bundle.tokenizer.decode
        word_pairs = self._word_pairs.get(direction, WordPairs(np.zeros(2, np.int8)))
        gains = word_pairs.gains(decode(source), [decode(one.ids) for one in near])
        self._forward = {one.ids: one.total + gain for one, gain in zip(near, gains, strict=True)}
        return sorted(self._forward, key=self._forward.__getitem__, reverse=True)[: self._search.candidates]

    def texts(self, direction: Direction, sentence: str) -> list[str]:
        """Those candidates of a sentence."""
        tokenizer = self._bundle.tokenizer
        return [tokenizer.decode(ids) for ids in self.candidates(direction, tokenizer.encode(sentence))]

    def total(self, direction: Direction, source: Sequence[int]) -> Callable[[tuple[int, ...]], float]:
        """What reranking goes by, for candidates of the last search."""
        weight = self._search.reverse_weight
        return lambda ids: self._forward[ids] + weight * self._log_prob(direction.reverse, ids, source)

    def exact(self, direction: Direction, source: Sequence[int], target: Sequence[int]) -> float:
        """The same of any target, with every path counted."""
        backward = self._log_prob(direction.reverse, target, source)
        gain = self._gain(direction, source, target)
        return self._log_prob(direction, source, target) + gain + self._search.reverse_weight * backward

    def _gain(self, direction: Direction, source: Sequence[int], target: Sequence[int]) -> float:
        """What language model and lexicon say of a target: a search in which every frame is sure of it."""
        frames = np.array([[token] for one in target for token in (one, 0)])
        fluency = self._fluency.get(direction)
        (only,) = prefix_beam_search(frames, np.zeros(frames.shape), beam=1, blank_id=0, fluency=fluency, source=source)
        assert only.ids == tuple(target)
        return only.gain

    def _log_prob(self, direction: Direction, source: Sequence[int], target: Sequence[int]) -> float:
        """Log p(target | source) by the textbook's forward recursion."""
        (blank,), (tokens,) = self._run(direction, Task.SCORE, source, target)
        labels = [0, *(label for token in target for label in (token, 0))]
        emissions = np.empty((len(blank), len(labels)))
        emissions[:, ::2], emissions[:, 1::2] = blank[:, None], tokens
        reached_from = [
            [before for before in (state, state - 1) if before >= 0]
            + ([state - 2] if state > 1 and label and label != labels[state - 2] else [])
            for state, label in enumerate(labels)
        ]
        alpha = np.array([*emissions[0, :2], *[-np.inf] * (len(labels) - 2)])
        for emission in emissions[1:]:
            alpha = emission + [np.logaddexp.reduce(alpha[before]) for before in reached_from]
        return float(np.logaddexp(alpha[-1], alpha[-2]))

    def _run(self, direction: Direction, task: Task, *sides: Sequence[int]) -> list[NDArray[Any]]:
        source, *target = (np.array([side], np.int64) for side in sides)
        arrays = [source, np.array([source.shape[1]]), *target]
        if (direction, task) not in self._sessions:
            path = self._bundle.graph(direction, "fp32", task)
            self._sessions[direction, task] = ort.InferenceSession(str(path), providers=["CPUExecutionProvider"])
        names = [spec.name for spec in SIGNATURES[task].inputs]
        outputs: list[NDArray[Any]] = self._sessions[direction, task].run(None, dict(zip(names, arrays, strict=True)))
        return outputs
