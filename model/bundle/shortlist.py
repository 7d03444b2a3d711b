"""Which tokens a translation is chosen from: few of the vocabulary, by those of the source (decision 0029).

The file of a direction:

    shortlist.en-de.npz     `common`: tokens that may stand in any translation
                            `counts`: [vocabulary], how many more each token of the source speaks for
                            `steps`: those, token by token, in ascending order, each less the one before it, the first
                            of a token as it is: [bytes, total], a row for each byte, which compresses best
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from model.bundle.arrays import read_arrays
from model.bundle.direction import read_each
from model.bundle.errors import ManifestError
from model.bundle.search import in_vocabulary

if TYPE_CHECKING:
    from collections.abc import Container, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from model.bundle.direction import Direction

__all__ = ["Shortlist", "read_shortlists", "shortlist_file"]


@dataclass(frozen=True, slots=True, eq=False)
class Shortlist:
    """What each token of a source speaks for.

    `common` is int32, in ascending order. Token `n` speaks for `tokens[starts[n]:starts[n + 1]]`, int32 in ascending
    order; `starts` is int64 [vocabulary + 1].
    """

    common: NDArray[np.int32]
    starts: NDArray[np.int64]
    tokens: NDArray[np.int32]

    @classmethod
    def of(cls, common: NDArray[Any], sources: NDArray[Any], targets: NDArray[Any], vocabulary_size: int) -> Shortlist:
        """From pairs of tokens, each of which is there once: of the source, and what it speaks for."""
        order = np.lexsort((targets, sources))
        starts = np.searchsorted(sources[order], np.arange(vocabulary_size + 1))
        return cls(np.unique(common).astype(np.int32), starts, targets[order].astype(np.int32))

    @classmethod
    def open(cls, path: Path, vocabulary_size: int) -> Shortlist:
        """Read a file.

        Raises:
            ManifestError: it is no shortlist, or one of another vocabulary.
        """
        arrays = read_arrays(path)
        try:
            common, counts, rows = arrays["common"], arrays["counts"], arrays["steps"]
            steps = np.ascontiguousarray(rows.T).view(_steps_type(vocabulary_size)).ravel().astype(np.int64)
            starts = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
            fits = counts.shape == (vocabulary_size,) and counts.min() >= 0 and starts[-1] == len(steps)
            sums = np.concatenate([[0], np.cumsum(steps)])
            tokens = sums[1:] - np.repeat(sums[starts[:-1]], counts)
            fits = fits and common.ndim == 1 and all(in_vocabulary(ids, vocabulary_size) for ids in (common, tokens))
        except (KeyError, ValueError, TypeError, IndexError) as error:
            msg = f"{path.name} is no shortlist: {error!r}"
            raise ManifestError(msg) from error
        if not fits:
            msg = f"{path.name} is no shortlist for a vocabulary of {vocabulary_size} tokens"
            raise ManifestError(msg)
        return cls(common.astype(np.int32), starts, tokens.astype(np.int32))

    def save(self, path: Path) -> None:
        """Write a file."""
        counts = np.diff(self.starts)
        kind = _steps_type(len(counts))
        steps = np.diff(self.tokens, prepend=0)
        first = self.starts[:-1][counts > 0]
        steps[first] = self.tokens[first]
        rows = np.ascontiguousarray(steps.astype(kind).view(np.uint8).reshape(-1, kind.itemsize).T)
        with path.open("wb") as file:
            np.savez_compressed(file, common=self.common, counts=counts.astype(np.uint32), steps=rows)

    def listed(self, source: Sequence[int]) -> NDArray[np.int64]:
        """The tokens that the translation of a source is chosen from, in ascending order: its own are among them."""
        parts = [self.tokens[self.starts[token] : self.starts[token + 1]] for token in source]
        return np.unique(np.concatenate([self.common, np.asarray(source, np.int64), *parts]))


def _steps_type(vocabulary_size: int) -> np.dtype[Any]:
    """Of a difference of two tokens."""
    return np.dtype("<u2" if vocabulary_size <= np.iinfo(np.uint16).max + 1 else "<u4")


def read_shortlists(folder: Path, files: Container[str], vocabulary_size: int) -> dict[Direction, Shortlist]:
    """The shortlists in a folder that are among some files.

    Raises:
        ManifestError: one is malformed, or of another vocabulary.
    """
    return read_each(folder, files, shortlist_file, lambda path: Shortlist.open(path, vocabulary_size))


def shortlist_file(direction: Direction) -> str:
    """What the file of a direction is called, in a bundle and elsewhere."""
    return f"shortlist.{direction}.npz"
