"""The comparison of ways to put in a glossary's terms, its constrained decoder against all paths; what is copied."""

from __future__ import annotations

import itertools
import json
import lzma
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from benchmarks.constrained import Posterior, constrained_path
from benchmarks.glossary import find_cases
from benchmarks.stand_ins import find_pairs
from tests.benchmarks.support import golden, here, write_set
from tests.cli.support import BUNDLE, one_line

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

TOKENS = 4
"""The blank, 0, and three tokens, of which the last is part of a word."""

BEGINS_WORD = np.array([False, True, True, False])


def _accepts(path: tuple[int, ...], best: list[int], term: list[int], within: tuple[int, int] | None) -> bool:
    """Whether a path is the greedy one but for a stretch that writes the term, and nothing is glued to that."""
    frames = len(path)
    for start, end in itertools.combinations(range(frames + 1), 2):
        if within and not (start <= within[0] and within[1] < end):
            continue
        inside = path[start:end]
        if path[:start] != tuple(best[:start]) or path[end:] != tuple(best[end:]):
            continue
        if [token for token, _ in itertools.groupby(inside) if token] != term:
            continue
        if start and inside[0] == path[start - 1] != 0:
            continue
        if end < frames and (not BEGINS_WORD[path[end]] or path[end] == inside[-1]):
            continue
        return True
    return False


def _log_prob(path: tuple[int, ...], log_probs: NDArray[np.float64]) -> float:
    return float(sum(log_probs[frame, token] for frame, token in enumerate(path)))


@hypothesis_settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.integers(1, 5), st.lists(st.integers(1, 3), min_size=1, max_size=2), st.data())
def test_constrained_decoding_is_exact(seed: int, frames: int, term: list[int], data: st.DataObject) -> None:
    """Of all paths of a few frames, it finds the most probable that writes the term, here or anywhere, or says none."""
    log_probs = np.log(np.random.default_rng(seed).dirichlet(np.ones(TOKENS), size=frames))
    best = log_probs.argmax(axis=1)
    places = data.draw(st.none() | st.tuples(st.integers(0, frames - 1), st.integers(0, frames - 1)))
    within = (min(places), max(places)) if places else None
    posterior = Posterior(best, log_probs.max(axis=1), log_probs[:, 0], log_probs[:, term])
    found = constrained_path(posterior, term, BEGINS_WORD, within=within)
    paths = itertools.product(range(TOKENS), repeat=frames)
    scores = [_log_prob(path, log_probs) for path in paths if _accepts(path, best.tolist(), term, within)]
    if found is None:
        assert not scores
    else:
        assert _log_prob(tuple(found.tolist()), log_probs) == pytest.approx(max(scores))


def test_cases_have_their_term_in_both_languages() -> None:
    """A pair counts if the term stands in it once, and its translation, a noun, once in the reference."""
    pairs = [
        ("The old house stands near the river bank.", "Das alte Haus steht nahe am Ufer des Flusses."),
        ("One house is as good as another house here.", "Ein Haus ist hier so gut wie ein anderes."),
        ("We will house all of the guests for a night.", "Wir bringen alle Gäste eine Nacht lang unter."),
        ("A house.", "Ein Haus."),
    ]
    dictionary = [("house", "Haus"), ("bank", "Bank"), ("old", "alt"), ("house", "Gebäude")]
    assert find_cases(pairs, dictionary, 10) == [(*pairs[0], "house", "Haus")]


def test_run_on_real_sentences(tmp_path: Path) -> None:
    """The table and the file agree; every way but none has the terms; stand-ins do not differ from themselves."""
    english = ["A young woman opens the window of her house.", "The teacher is reading a newspaper on the bench."]
    german = ["Eine junge Frau öffnet das Fenster ihres Hauses.", "Der Lehrer liest auf der Bank eine Zeitung."]
    write_set(tmp_path, "real", english, german)
    with lzma.open(tmp_path / "terms.xz", "wt", encoding="utf-8") as file:
        file.write("window\tFenster\tx\nnewspaper\tZeitung\tx\n")
    run = here(
        *("glossary", "--set", tmp_path / "real", "--dictionary", tmp_path / "terms.xz"),
        *("--bundle", BUNDLE, "--output", tmp_path),
    )
    assert run.exit_code == 0, run.stderr
    found = json.loads((tmp_path / "glossary.json").read_text(encoding="utf-8"))
    assert found["sentences"] == 2
    rows = {
        cells[1].strip(): [cell.strip() for cell in cells[2:4]] for cells in map(_cells, run.stdout.splitlines()[4:])
    }
    for direction, ways in found["ways"].items():
        assert ways["stand-in"]["difference"] == 0.0
        for way, one in ways.items():
            assert rows[f"{direction} {way}"] == [f"{one['exact']:.2f}", f"{one['chrf']:.2f}"]
            assert way == "none" or one["exact"] == 100.0


def _cells(line: str) -> list[str]:
    return line.split("|")


def test_missing_files_are_clear_errors(tmp_path: Path) -> None:
    """A dictionary that is not there is named, and so is a set; sentences without terms are told of."""
    write_set(tmp_path, "real", *golden(3))
    run = here("glossary", "--set", tmp_path / "real", "--dictionary", tmp_path / "none.xz", "--bundle", BUNDLE)
    assert run.exit_code == 2
    assert f"{tmp_path / 'none.xz'} has no pairs" in one_line(run.stderr)
    with lzma.open(tmp_path / "terms.xz", "wt", encoding="utf-8") as file:
        file.write("zygote\tZygote\tx\n")
    run = here("glossary", "--set", tmp_path / "real", "--dictionary", tmp_path / "terms.xz", "--bundle", BUNDLE)
    assert run.exit_code == 2
    assert "fewer than two sentences" in one_line(run.stderr)


def test_what_the_network_copies(tmp_path: Path) -> None:
    """Sentences that share a name are found; X1 in its place is copied by the bundle, and the file has the figures."""
    english = ["The president of France met Obama in the new house.", "The man gave Peter a newspaper."]
    german = ["Der Präsident von Frankreich traf Obama im neuen Haus.", "Der Mann gab Peter eine Zeitung."]
    cases = find_pairs(zip(english, german, strict=True), 5)
    assert {name for _, _, name in cases} == {"Obama", "Peter"}
    write_set(tmp_path, "real", english, german)
    options = ("--set", tmp_path / "real", "--bundle", BUNDLE, "--output", tmp_path, "--text", "X1", "--text", "`a b`")
    run = here("stand-ins", *options)
    assert run.exit_code == 0, run.stderr
    found = json.loads((tmp_path / "stand-ins.json").read_text(encoding="utf-8"))
    for figures in found["texts"]["X1"].values():
        assert figures["copied"] == 100.0
        assert figures["chrf"] > 20
    row = next(line for line in run.stdout.splitlines() if line.startswith("| X1"))
    assert row.split(" | ")[1:4:2] == ["100.00", "100.00"]
    missing = here("stand-ins", "--set", tmp_path / "none", "--bundle", BUNDLE, "--output", tmp_path)
    assert missing.exit_code == 2
    assert "cannot be read" in one_line(missing.stderr)
