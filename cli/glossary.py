"""A glossary as people write it: a table of two columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.errors import fail, reporting

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["read_glossary"]


def read_glossary(path: Path) -> tuple[tuple[str, str], ...]:
    """On each line a word, a tab, and what it must become. Ends the command if that is not so."""
    terms = []
    try:
        with reporting():
            lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        fail(f"{path} is not UTF-8: {error}")
    for number, line in enumerate(lines, 1):
        if line.strip():
            source, tab, target = line.partition("\t")
            if not (source.strip() and tab and target.strip()) or "\t" in target:
                fail(f"{path}, line {number}: expected a word, a tab, and what it is translated as")
            terms.append((source.strip(), target.strip()))
    return tuple(terms)
