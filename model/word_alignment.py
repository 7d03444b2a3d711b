"""Which words of two texts stand for one another, by a statistical aligner: eflomal (Östling and Tiedemann 2016)."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Links", "align_words"]

Links = list[tuple[int, int]]
"""Places of words in the one sentence and in the other."""


def align_words(source: Sequence[str], target: Sequence[str]) -> Iterator[tuple[Links, Links]]:
    """Align sentences, and give the links of each pair both ways.

    One way has one link at most for each word of the target, and the other for each word of the source.

    Args:
        source: words with spaces between them, at least one in each sentence.
        target: as many sentences.

    Raises:
        ImportError: eflomal is not installed; when the first pair is asked for.
    """
    from eflomal import Aligner  # noqa: PLC0415 - it is compiled where it is installed: only this needs it

    with tempfile.TemporaryDirectory() as folder:
        forth, back = Path(folder, "forth"), Path(folder, "back")
        Aligner().align(source, target, links_filename_fwd=str(forth), links_filename_rev=str(back), quiet=True)
        yield from zip(_read(forth), _read(back), strict=True)


def _read(file: Path) -> Iterator[Links]:
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            yield [(int(one), int(other)) for one, _, other in (link.partition("-") for link in line.split())]
