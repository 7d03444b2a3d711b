"""The search in C: that it is there, is the one of its source, and stays within its memory."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from model.bundle import BLANK_ID, Bundle, prefix_beam_search
from tests.sanitizing import SANITIZED, check_sanitized

ROOT = Path(__file__).parent.parent.parent
BUNDLE_CODE = Path("model/bundle")
SOURCE, LIBRARY = BUNDLE_CODE / "search.c", BUNDLE_CODE / "_search.so"
CHECKED = ("test_beam.py", "test_lexicon.py", "test_search.py", "test_paths.py::test_the_best_path_is_the_best")
PATIENCE_S = 300.0


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the code, with its library."""
    if SANITIZED:
        pytest.skip("this is one already")
    (tmp_path / "model").mkdir()
    shutil.copy(ROOT / "model/__init__.py", tmp_path / "model")
    shutil.copytree(ROOT / BUNDLE_CODE, tmp_path / BUNDLE_CODE, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def run(folder: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the code of a folder before any other."""
    return subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder)} | environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def test_a_library_of_another_source_is_not_used(checkout: Path) -> None:
    """Whoever changes the source and forgets to build it is told, not served by the former one."""
    assert run(checkout, "-c", "import model.bundle").returncode == 0
    with (checkout / SOURCE).open("a") as file:
        file.write("/* changed */\n")
    error = run(checkout, "-c", "import model.bundle").stderr
    assert "_search.so was built from other C files than there are; install" in error
    (checkout / SOURCE).unlink()  # as in an installation that has no source
    assert run(checkout, "-c", "import model.bundle").returncode == 0


@pytest.mark.parametrize("damage", ["missing", "cut off"])
def test_a_library_that_cannot_be_loaded_is_named(checkout: Path, damage: str) -> None:
    """The error says what to do."""
    if damage == "missing":
        (checkout / LIBRARY).unlink()
    else:
        (checkout / LIBRARY).write_bytes((checkout / LIBRARY).read_bytes()[:100])
    error = run(checkout, "-c", "import model.bundle").stderr
    assert "ImportError: _search.so, which is built when the package is installed, cannot be loaded" in error


def test_memory_is_its_own(tmp_path: Path) -> None:
    """Built with the compiler's sanitizers, the search passes its other tests, and those with random frames."""
    check_sanitized(tmp_path, str(LIBRARY), [f"tests/bundle/{name}" for name in CHECKED])


def test_random_frames_of_a_shipped_bundle() -> None:
    """Frames of any tokens, each as likely as the others, with everything that judges them: nothing goes wrong."""
    if SANITIZED:
        assert SANITIZED in Path("/proc/self/maps").read_text(encoding="utf-8")
    bundle = Bundle.open(ROOT / "bundles/reder-small", verify=False)
    random = np.random.default_rng(5)
    for direction, fluency in bundle.fluency().items():
        for beam in (1, 3, 40):
            ids = np.stack([random.permutation(bundle.manifest.vocabulary_size)[:8] for _ in range(60)])
            logs = np.log(random.dirichlet(np.ones(8), 60))
            source = bundle.tokenizer.encode(" ".join(bundle.canary(direction.source)))
            found = prefix_beam_search(ids, logs, beam=beam, blank_id=BLANK_ID, fluency=fluency, source=source)
            assert 0 < len(found) <= beam
            assert all(np.isfinite(one.total) for one in found)


def test_frames_of_another_vocabulary_are_refused() -> None:
    """A token that the language model does not have would lead out of its arrays."""
    bundle = Bundle.open(ROOT / "bundles/reder-small", verify=False)
    for fluency in bundle.fluency().values():
        for token in (-1, bundle.manifest.vocabulary_size):
            with pytest.raises(ValueError, match="a token that the language model does not have"):
                prefix_beam_search(np.array([[token]]), np.zeros((1, 1)), beam=2, blank_id=BLANK_ID, fluency=fluency)


def test_a_blank_of_another_vocabulary_is_refused() -> None:
    """It is looked up as a token is."""
    bundle = Bundle.open(ROOT / "bundles/reder-small", verify=False)
    for fluency in bundle.fluency().values():
        for blank in (-1, bundle.manifest.vocabulary_size):
            with pytest.raises(ValueError, match="a token that the language model does not have"):
                prefix_beam_search(
                    np.zeros((1, 1), np.int64), np.zeros((1, 1)), beam=2, blank_id=blank, fluency=fluency
                )
        with pytest.raises(ValueError, match="does not have token"):
            fluency.model.log_prob(fluency.model.start, bundle.manifest.vocabulary_size)


@pytest.mark.parametrize("shape", [(60, 7), (30, 8), (60, 9), (60,)])
def test_probabilities_of_other_frames_are_refused(shape: tuple[int, ...]) -> None:
    """There must be one for each token."""
    with pytest.raises(ValueError, match="are no search"):
        prefix_beam_search(np.zeros((60, 8), np.int64), np.zeros(shape), beam=2, blank_id=BLANK_ID)


def test_a_beam_of_nothing_is_refused() -> None:
    """A search keeps one prefix at least."""
    with pytest.raises(ValueError, match="are no search"):
        prefix_beam_search(np.zeros((2, 3), np.int64), np.zeros((2, 3)), beam=0, blank_id=BLANK_ID)


def test_no_frames_have_the_empty_text() -> None:
    """Nothing read is nothing written, for certain."""
    (found,) = prefix_beam_search(np.zeros((0, 3), np.int64), np.zeros((0, 3)), beam=2, blank_id=BLANK_ID)
    assert (found.ids, found.log_prob) == ((), 0.0)
