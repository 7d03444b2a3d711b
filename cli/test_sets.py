"""Which test sets a path names: NAME.en and NAME.de, line by line."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from model.evaluate import TestSet

__all__ = ["find_test_sets"]


def find_test_sets(paths: Sequence[Path], *, limit: int | None = None) -> list[TestSet]:
    """Read test sets.

    A path is a folder, of which every set is taken, or one set: `data/test/wmt13` (its `.en` or
    `.de` may be given too) is `data/test/wmt13.en` and `data/test/wmt13.de`. A set whose name ends in
    `.en-de` or `.de-en` was translated that way by people, and is used for that direction only.

    Args:
        paths: folders or sets.
        limit: the first sentences of each set; all without it.

    Raises:
        CorpusError: there is no set, or one cannot be read.
    """
    from model.bundle import DIRECTIONS
    from model.config import ValidationSet
    from model.data.corpus import CorpusError
    from model.evaluate import load_test_set

    found = []
    for path in paths:
        stems = [path.with_suffix("") if path.suffix in {".en", ".de"} else path]
        if path.is_dir():
            stems = sorted(file.with_suffix("") for file in path.glob("*.en") if file.with_suffix(".de").is_file())
        if not stems:
            msg = f"{path} holds no test set, that is no NAME.en with a NAME.de"
            raise CorpusError(msg)
        for stem in stems:
            english, german = (stem.with_name(f"{stem.name}.{language}") for language in ("en", "de"))
            spec = ValidationSet(name=stem.name, english=english, german=german, limit=limit or sys.maxsize)
            only = tuple(direction for direction in DIRECTIONS if stem.name.endswith(f".{direction}"))
            found.append(load_test_set(spec, only or DIRECTIONS))
    return found
