"""What this repository ships: bundles that are whole and of bearable size; by default the better one is served."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from model.bundle import DIRECTIONS, Bundle, Direction
from model.bundle.lexicon import words_in
from service.app import load
from service.settings import Settings
from tests.service.support import Served, serve

if TYPE_CHECKING:
    from collections.abc import Iterator

BUNDLES = Path(__file__).parents[2] / "bundles"
MEGABYTE = 1_000_000


@pytest.fixture(scope="module")
def by_default() -> Iterator[Served]:
    """A service without settings of its own but one thread."""
    settings = Settings(bundle=BUNDLES / Settings().bundle.name, threads=1)
    with serve(settings, load(settings)) as served:
        yield served


def test_bundles_are_of_bearable_size() -> None:
    """No file has 95 MB, all together have less than 200."""
    sizes = [path.stat().st_size for path in BUNDLES.glob("*/*")]
    assert max(sizes) < 95 * MEGABYTE
    assert sum(sizes) < 200 * MEGABYTE


@pytest.mark.parametrize("quality", ["fast", "best"])
@pytest.mark.parametrize("metric", ["bleu", "chrf"])
def test_default_is_the_best_bundle(metric: str, quality: str) -> None:
    """Of the bundles here, the one that settings name has the highest mean over the test sets, by either metric."""
    means = {}
    for folder in BUNDLES.glob("reder-*"):
        scores = [e for e in Bundle.open(folder).manifest.scores if (e["use"], e["quality"]) == ("test", quality)]
        means[folder.name] = sum(entry[metric] for entry in scores) / len(scores)
    assert len(means) > 1
    assert max(means, key=means.__getitem__) == Settings().bundle.name


@pytest.mark.parametrize("quality", ["fast", "best"])
@pytest.mark.parametrize(
    ("direction", "text", "wanted"),
    [
        ("en-de", "Two dogs are playing in the snow.", ["Zwei Hunde spielen im Schnee."]),
        (
            *("de-en", "Zwei Hunde spielen im Schnee."),
            [f"Two dogs {verb} in the snow." for verb in ("are playing", "play", "playing")],  # the last as in captions
        ),
    ],
)
def test_translates(by_default: Served, direction: str, text: str, wanted: list[str], quality: str) -> None:
    """A short sentence comes out as a person might write it, in either direction and quality."""
    answer = by_default.client.post("/translate", params={"dir": direction, "quality": quality}, json={"text": text})
    (found,) = answer.json()["translations"]
    assert found["text"] in wanted


@pytest.mark.parametrize("quality", ["fast", "best"])
@pytest.mark.parametrize("direction", DIRECTIONS, ids=str)
def test_neighbours_make_no_difference(by_default: Served, direction: Direction, quality: str) -> None:
    """A sentence is translated as it is alone, whatever is in the same batch."""
    texts = by_default.context.bundle.canary(direction.source)
    params = {"dir": str(direction), "quality": quality}
    together = by_default.client.post("/translate", params=params, json={"text": texts}).json()["translations"]
    alone = [by_default.client.post("/translate", params=params, json={"text": text}).json() for text in texts]
    assert [one["text"] for one in together] == [one["translations"][0]["text"] for one in alone]


@pytest.mark.parametrize("name", sorted(folder.name for folder in BUNDLES.glob("reder-*")))
def test_bundles_know_words(name: str) -> None:
    """Their lexicons have the words that people use, and not what a network makes of two of them."""
    bundle = Bundle.open(BUNDLES / name)
    for direction, fluency in bundle.fluency().items():
        assert fluency.lexicon
        text = " ".join(bundle.canary(direction.target))
        assert fluency.lexicon.flaws(bundle.tokenizer.encode(text)).unknown < len(words_in(text)) / 50
        assert fluency.lexicon.flaws(bundle.tokenizer.encode("regnnet, zeitungung")).unknown == 2


def test_the_search_shuns_words_that_do_not_exist(by_default: Served) -> None:
    """Of real sentences good makes half as many words that neither lexicon nor source have as fast, or fewer."""
    bundle = by_default.context.bundle
    unknown = dict.fromkeys(("fast", "good"), 0)
    for direction, fluency in bundle.fluency().items():
        texts = [one.source for one in bundle.golden() if one.direction == str(direction)]
        sources = bundle.tokenizer.encode(" ".join(texts))
        for quality in unknown:
            params = {"dir": str(direction), "quality": quality}
            answer = by_default.client.post("/translate", params=params, json={"text": texts}).json()
            written = bundle.tokenizer.encode(" ".join(one["text"] for one in answer["translations"]))
            assert fluency.lexicon
            unknown[quality] += fluency.lexicon.flaws(written, sources).unknown
    assert 2 * unknown["good"] <= unknown["fast"]
    assert unknown["fast"] > 0


def test_round_trip_passes(by_default: Served) -> None:
    """The canary sentences survive the way there and back in both directions."""
    report = by_default.client.get("/roundtrip").json()
    assert set(report["directions"]) == set(map(str, DIRECTIONS))
    assert report["status"] == "ok"
