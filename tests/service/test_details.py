"""What is told of each segment: where it stands, how sure it is, what it may be otherwise."""

from __future__ import annotations

import asyncio
import math
from dataclasses import replace
from itertools import chain, pairwise
from typing import TYPE_CHECKING

import pytest

from model.bundle import DIRECTIONS, EN_DE, Task
from service.app import run
from service.errors import InvalidRequest
from service.observability.metrics import Metrics
from service.types import Batch, Format, Quality, Request, Term, Translated
from tests.service.support import FaultyEngine, SilentEngine, serve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from model.bundle import Direction
    from service.app import Loaded
    from service.settings import Settings
    from service.types import Translation
    from tests.service.support import Served

    Ask = Callable[..., Translated]

TEXT = "  Two dogs play in the park.\n\n- A man sits on a bench, 42 years old.  He reads. 1234\n"


@pytest.fixture(scope="module")
def translated(settings: Settings, loaded: Loaded) -> Iterator[Ask]:
    """Translates with the real network, without HTTP."""
    with asyncio.Runner() as runner:
        opened = run(settings, loaded, Metrics())
        translator = runner.run(opened.__aenter__()).translator

        def ask(
            texts: str | tuple[str, ...],
            direction: Direction = EN_DE,
            quality: Quality = Quality.FAST,
            **options: object,
        ) -> Translated:
            texts = (texts,) if isinstance(texts, str) else texts
            request = Request(direction, texts, quality, **options)  # type: ignore[arg-type] # of Request, all of them
            return runner.run(translator.translate(request, timeout_s=20))

        yield ask
        runner.run(opened.__aexit__(None, None, None))


def joined(text: str, translation: Translation, side: str) -> str:
    """A text put together from its segments and what is between them."""
    spans = [getattr(one, f"{side}_span") for one in translation.segments]
    bounds = [0, *chain.from_iterable((span.start, span.end) for span in spans), len(text)]
    parts = [text[start:end] for start, end in zip(bounds[::2], bounds[1::2], strict=True)]
    return "".join(
        chain.from_iterable(zip(parts, [*(getattr(one, side) for one in translation.segments), ""], strict=True))
    )


@pytest.mark.parametrize("quality", Quality)
def test_segments_are_the_text(translated: Ask, quality: Quality) -> None:
    """Each stands in both texts where it says; what is between is the same; and asking changes no translation."""
    plain = translated(TEXT, quality=quality).translations[0]
    told = translated(TEXT, quality=quality, details=True).translations[0]
    assert told.text == plain.text
    assert told.confidence == pytest.approx(plain.confidence)
    assert not plain.segments
    assert joined(TEXT, told, "source") == TEXT
    assert joined(told.text, told, "target") == told.text
    sources = [(one.source_span.start, one.source_span.end) for one in told.segments]
    targets = [(one.target_span.start, one.target_span.end) for one in told.segments]
    gaps = [TEXT[end:start] for (_, end), (start, _) in pairwise(sources)]
    assert gaps == [told.text[end:start] for (_, end), (start, _) in pairwise(targets)]


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("quality", Quality)
def test_the_reverse_score_is_what_the_other_direction_says(
    translated: Ask, loaded: Loaded, quality: Quality, direction: Direction
) -> None:
    """The geometric mean of the probability of each source token, given the translation; asked of the engine here."""
    text = {"en": "Two dogs play in the park.", "de": "Zwei Hunde spielen im Park."}[direction.source]
    (segment,) = translated(text, direction, quality=quality, details=True).translations[0].segments
    encode = loaded.bundle.tokenizer.encode
    source, target = encode(text), encode(segment.target)
    (log_prob,) = loaded.engine.score(direction.reverse, Batch.pad([target]), Batch.pad([source]))
    assert segment.reverse_score == pytest.approx(math.exp(log_prob / len(source)), rel=0.02)


def test_what_a_reader_should_look_at_is_weak(translated: Ask) -> None:
    """Plain words lead back and are not flagged; rare ones do not; those that were merely copied do, and are too."""
    texts = (
        "A dog runs.",
        "Wizened crofters thatching byres with marram",
        "Hamburg Berlin Frankfurt Dresden",
        "Barack Obama",
    )
    plain, rare, copied, name = (one.segments[0] for one in translated(texts, details=True).translations)
    assert (plain.reverse_score or 0) > 0.1 > (rare.reverse_score or 0)
    assert copied.target == copied.source
    assert [one.flags for one in (plain, rare, copied, name)] == [(), ("weak",), ("weak",), ()]


@pytest.mark.parametrize("quality", [Quality.GOOD, Quality.BEST])
def test_alternatives_are_other_translations(translated: Ask, quality: Quality) -> None:
    """Up to as many as wanted, each once, none the translation itself; kept words are in all of them."""
    text = "Two dogs play with {name} in the park."
    (segment,) = translated(text, quality=quality, details=True, alternatives=3).translations[0].segments
    assert len(segment.alternatives) == 3
    assert len({segment.target, *segment.alternatives}) == 4
    assert all(other.count("{name}") == 1 for other in (segment.target, *segment.alternatives))


def test_alternatives_need_a_search(translated: Ask, served: Served) -> None:
    """With the fast quality there are none: asking for them is an error that says so."""
    with pytest.raises(InvalidRequest) as raised:
        served.context.translator.validate(EN_DE, ["A dog."], Quality.FAST, details=True, alternatives=1)
    assert [error.location for error in raised.value.errors] == ["query.alternatives"]
    assert not translated("A dog.", details=True).translations[0].segments[0].alternatives


def test_what_needs_no_network(translated: Ask) -> None:
    """A number passes through and a lone term is looked up: both are sure, and neither has a score."""
    told = translated("1234\nHDD.", details=True, glossary=(Term("HDD", "Festplatte"),)).translations[0]
    assert told.text == "1234\nFestplatte."
    assert [(one.confidence, one.reverse_score) for one in told.segments] == [(1.0, None), (1.0, None)]


def test_markup_follows_its_words(translated: Ask) -> None:
    """Through all stages: elements stand around the same words, those that end in another sentence too."""
    html = "<p>Two <b>dogs</b> play. <i>A man sits. He</i> reads.</p>"
    (translation,) = translated(html, format=Format.HTML).translations
    assert translation.text.startswith("<p>Zwei <b>Hunde</b> ")
    assert translation.text.endswith("</p>")
    assert translation.text.count("<i>") == translation.text.count("</i>") == 1
    assert "<i>Ein Mann" in translation.text


def test_a_document_that_is_none_is_named(translated: Ask) -> None:
    """Which text, and what is wrong with it, before anything is translated."""
    with pytest.raises(InvalidRequest) as raised:
        translated(('{"a": "A dog."}', "{"), format=Format.JSON)
    assert [error.location for error in raised.value.errors] == ["text.1"]


def test_a_translation_without_words_has_no_way_back(settings: Settings, loaded: Loaded) -> None:
    """The network is not asked what nothing leads back to: the score is 0, and the segment weak."""
    engine = FaultyEngine(SilentEngine())
    with serve(settings, replace(loaded, engine=engine)) as served:
        for quality in Quality:
            params = {"dir": "en-de", "quality": quality, "details": "true"}
            response = served.client.post("/translate", params=params, json={"text": ["A dog."]})
            (segment,) = response.json()["translations"][0]["segments"]
            assert (segment["reverse_score"], segment["flags"]) == (0.0, ["weak"])
    assert Task.SCORE not in {call.task for call in engine.calls}
