"""Folders that are written whole or not at all."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["written_whole"]


@contextmanager
def written_whole(target: Path) -> Iterator[Path]:
    """A new folder that takes the place of `target` at the end, or vanishes if anything fails.

    What was there is gone only once the new one is in its place. `target` may be the working directory, or a link:
    then the folder that it leads to is replaced.
    """
    target = target.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".new-") as temporary:
        folder, former = Path(temporary) / target.name, Path(temporary) / "former"
        folder.mkdir()
        yield folder
        if not target.exists():
            folder.rename(target)
            return
        target.rename(former)
        try:
            folder.rename(target)
        except OSError:
            former.rename(target)
            raise
