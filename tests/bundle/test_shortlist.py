"""Which tokens a translation is chosen from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.bundle import EN_DE, ManifestError, Shortlist, read_shortlists, shortlist_file

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

SIZE = 12
tokens = st.integers(0, SIZE - 1)
pairs = st.sets(st.tuples(tokens, tokens))


def shortlist(common: list[int], of: set[tuple[int, int]], size: int = SIZE) -> Shortlist:
    """Of pairs of tokens."""
    sources, targets = np.array(sorted(of, reverse=True), np.int64).reshape(-1, 2).T
    return Shortlist.of(np.array(common, np.int64), sources, targets, size)


@given(common=st.lists(tokens, unique=True), of=pairs, source=st.lists(tokens))
def test_what_is_listed(common: list[int], of: set[tuple[int, int]], source: list[int]) -> None:
    """The common tokens, those of the source, and what they speak for: in order, each once, and nothing else."""
    listed = shortlist(common, of).listed(source)
    assert listed.tolist() == sorted({*common, *source, *(theirs for ours, theirs in of if ours in source)})


@pytest.mark.parametrize("size", [SIZE, 70_000], ids=["two bytes", "four bytes"])
@given(common=st.lists(tokens, unique=True), of=pairs)
def test_a_file_has_it_all(tmp_path_factory: pytest.TempPathFactory, size: int, common: list[int], of: Any) -> None:  # noqa: ANN401
    """What is written is read, whatever token is the last and how many bytes it takes."""
    of |= {(size - 1, ours) for ours, _ in of} | {(ours, size - 1) for ours, _ in of}
    path = tmp_path_factory.mktemp("shortlist") / shortlist_file(EN_DE)
    written = shortlist(common, of, size)
    written.save(path)
    read = Shortlist.open(path, size)
    for name in Shortlist.__slots__:
        ours, theirs = getattr(read, name), getattr(written, name)
        assert np.array_equal(ours, theirs)
        assert ours.dtype == theirs.dtype


def files() -> dict[str, dict[str, NDArray[Any]]]:
    """The arrays of files that are no shortlists for a vocabulary of SIZE tokens, by what is wrong."""
    whole: dict[str, NDArray[Any]] = {
        "common": np.array([0, 3], np.int32),
        "counts": np.array([2] + [0] * (SIZE - 1), np.uint32),
        "steps": np.array([[5, 6], [0, 0]], np.uint8),
    }
    return {
        "nothing": {},
        "no steps": {name: array for name, array in whole.items() if name != "steps"},
        "another vocabulary": whole | {"counts": whole["counts"][:-1]},
        "counts for more": whole | {"counts": whole["counts"] + 1},
        "counts below zero": whole | {"counts": np.array([3, -1] + [0] * (SIZE - 2))},
        "counts that are no whole numbers": whole | {"counts": whole["counts"] + 0.5},
        "a token too high": whole | {"steps": whole["steps"] + np.uint8(1)},
        "a common token too high": whole | {"common": np.array([0, SIZE])},
        "a common token below zero": whole | {"common": np.array([-1])},
        "half a step": whole | {"steps": whole["steps"][:1, :1]},
        "common tokens in a table": whole | {"common": whole["common"][None]},
        "steps without rows": whole | {"steps": np.array(0, np.uint8)},
    }


@pytest.mark.parametrize("arrays", files().values(), ids=files())
def test_a_file_of_something_else_is_refused(tmp_path: Path, arrays: dict[str, NDArray[Any]]) -> None:
    """Before C reads it, which does not look."""
    path = tmp_path / shortlist_file(EN_DE)
    np.savez(path, allow_pickle=False, **arrays)
    with pytest.raises(ManifestError, match=r"shortlist\.en-de\.npz is no shortlist"):
        Shortlist.open(path, SIZE)


def test_files_that_are_named(tmp_path: Path) -> None:
    """Of a folder only the shortlists that are asked for are read."""
    shortlist([0], {(1, 2)}).save(tmp_path / shortlist_file(EN_DE))
    assert set(read_shortlists(tmp_path, [shortlist_file(EN_DE), "weights.safetensors"], SIZE)) == {EN_DE}
    assert read_shortlists(tmp_path, [], SIZE) == {}
