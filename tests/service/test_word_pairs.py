"""A bundle's word pairs decide among what the search finds; without them its order stands."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from benchmarks.in_process import translated
from model.bundle import DE_EN, EN_DE, MANIFEST, Candidate, ManifestError, WordPairs, word_pairs_file
from model.bundle.word_pairs import differences
from service.app import load, open_translator
from service.pipeline.pieces import Piece, Protected
from service.pipeline.writing import Writer
from service.types import Candidates
from tests.service import bundles

if TYPE_CHECKING:
    from pathlib import Path

    from service.app import Loaded
    from service.settings import Settings

SIZE = 1 << 14
TEXTS = ["A man is standing in front of a shop.", "The children were playing with an old ball."]


def with_word_pairs(loaded: Loaded, folder: Path, pairs: WordPairs | bytes) -> Path:
    """The bundle, and such a file for translations into German."""
    bundle = bundles.link(loaded.bundle.path.resolve(), folder)
    name = word_pairs_file(EN_DE)
    (bundle / name).unlink(missing_ok=True)  # a link: the bundle's own must not be written to
    if isinstance(pairs, bytes):
        (bundle / name).write_bytes(pairs)
    else:
        pairs.save(bundle / name)
    files = json.loads((bundle / MANIFEST).read_text(encoding="utf-8"))["files"]
    bundles.alter(bundle, files=[*{*files, name}])
    return bundle


def all_of(settings: Settings, bundle: Path) -> list[str]:
    """What a service with such a bundle makes of the texts."""

    async def translate() -> list[str]:
        async with open_translator(settings.model_copy(update={"bundle": bundle})) as translator:
            return await translated(translator, EN_DE, TEXTS)

    return asyncio.run(translate())


def test_what_pairs_speak_for(loaded: Loaded, settings: Settings, tmp_path: Path) -> None:
    """Whatever the usual translations have, against them: another that is nearly as likely is found."""
    usual = all_of(settings, with_word_pairs(loaded, tmp_path / "no", WordPairs(np.zeros(SIZE, np.int8))))
    weights = np.zeros(SIZE, np.int8)
    for text, translation in zip(TEXTS, usual, strict=True):
        for places, _ in differences(text, [translation, ""], SIZE):
            weights[places] = -127
    others = all_of(settings, with_word_pairs(loaded, tmp_path / "against", WordPairs(weights)))
    assert all(others)
    assert others != usual


def test_the_order_of_candidates(loaded: Loaded) -> None:
    """What speaks for a candidate puts it first, with that much more; one without words comes after all others.

    What is much less likely is not compared.
    """
    ids = [tuple(loaded.bundle.tokenizer.encode(text)) for text in ("Sie wohnt hier.", "Sie wohnte hier.")]
    now, then, nothing = Candidate(ids[0], -1.0), Candidate(ids[1], -2.0), Candidate((), -0.5)
    weights = np.zeros(SIZE, np.int8)
    for places, shares in differences("She lived here.", ["Sie wohnt hier.", "Sie wohnte hier."], SIZE):
        weights[places[:, shares[1] > 0]] = 127
    piece = Piece(Protected("She lived here.", "She lived here."), (1,))
    found = Candidates((nothing, now, then), frames=8)
    writer = Writer(loaded.bundle, {}, word_pairs={EN_DE: WordPairs(weights)})
    first, *others = writer.compare(piece, found, EN_DE).candidates
    assert others == [now, nothing]
    assert first.ids == then.ids
    assert first.gain > 1
    far = Candidates((now, Candidate(ids[1], -4.5)), 8)
    for unchanged in (found, Candidates((now,), 8), Candidates((nothing, now), 8), far):
        assert writer.compare(piece, unchanged, DE_EN if unchanged is found else EN_DE) is unchanged


def test_a_damaged_file(loaded: Loaded, settings: Settings, tmp_path: Path) -> None:
    """The service does not start, and the message names the file."""
    bundle = with_word_pairs(loaded, tmp_path / "bundle", b"junk")
    with pytest.raises(ManifestError, match=r"word_pairs\.en-de\.npz"):
        load(settings.model_copy(update={"bundle": bundle}))
