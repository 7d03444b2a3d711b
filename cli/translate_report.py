"""A report of the segments that somebody should look at, as a table (TSV) or as JSON lines."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path
    from types import TracebackType
    from typing import TextIO

    from reder import Translation

__all__ = ["Report", "ReportError", "Row", "weak_rows"]


class ReportError(ValueError):
    """The file is there and is no report, so that it will be neither replaced nor added to."""


@dataclass(frozen=True, slots=True)
class Row:
    """One segment.

    Attributes:
        file: where it is from.
        segment: its number there, from 1.
        flags: why it is here: ``weak``, ``number``, ``term``, ``kept``, ``negation``, ``spelling``, ``dictionary``.
        reverse_score: None where there is none.
        confidence: of the network.
        source: the text before.
        target: the text after.
    """

    file: str
    segment: int
    flags: tuple[str, ...]
    reverse_score: float | None
    confidence: float
    source: str
    target: str


_COLUMNS = [field.name for field in fields(Row)]
_LINE = f'{{"{_COLUMNS[0]}": '
"""How a row begins as JSON."""


def weak_rows(file: str, translations: Iterable[Translation], *, before: int = 0) -> list[Row]:
    """Rows for the segments that are flagged; `before` is how many segments of the file came earlier."""
    name = _shown(file)
    segments = [segment for translation in translations for segment in translation.segments]
    return [
        Row(name, number, one.flags, one.reverse_score, one.confidence, one.source.text, one.target.text)
        for number, one in enumerate(segments, before + 1)
        if one.flags
    ]


class Report:
    """Writes rows to a file: JSON lines if it is called .jsonl or .ndjson, else a table.

    Args:
        path: the file. An earlier report is replaced.
        keep: but rows of these files stay, which an earlier run has translated.

    Raises:
        ReportError: it is there, and is no report.
        OSError: it cannot be read or written.
    """

    def __init__(self, path: Path, *, keep: Collection[str] = ()) -> None:
        self._path = path
        self._lines = path.suffix.lower() in {".jsonl", ".ndjson"}
        names = set(map(_shown, keep))
        kept = [row for row in self._read() if row["file"] in names] if path.exists() else []
        new = path.with_name(f".{path.name}.partial")
        with new.open("w", encoding="utf-8", newline="") as stream:
            if not self._lines:
                _write_table(stream, [dict(zip(_COLUMNS, _COLUMNS, strict=True))])
            self._write(stream, kept)
        new.replace(path)
        self._stream = path.open("a", encoding="utf-8", newline="")
        self.rows = len(kept)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._stream.close()

    def add(self, rows: Iterable[Row]) -> None:
        """Write rows, so that they are in the file when this returns.

        Raises:
            OSError: the disk is full, or so.
        """
        added = [asdict(row) for row in rows]
        self._write(self._stream, added if self._lines else [_cells(row) for row in added])
        self._stream.flush()
        self.rows += len(added)

    def _write(self, stream: TextIO, rows: Iterable[dict[str, Any]]) -> None:
        if self._lines:
            stream.writelines(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
        else:
            _write_table(stream, rows)

    def _read(self) -> list[dict[str, Any]]:
        """The rows of an earlier run. One that is not complete, because it was ended there, is left out."""
        try:
            if not self._path.is_file():  # a device or a pipe, which must not be replaced by a file
                raise ValueError  # noqa: TRY301 - told of below, as everything else that is wrong with it
            text = self._path.read_bytes().decode()
            if self._lines:
                *lines, last = text.split("\n")
                rows = [json.loads(line) for line in lines]
                known = last.startswith(_LINE) or _LINE.startswith(last)
            else:
                table = csv.DictReader(io.StringIO(text, newline=""), dialect="excel-tab", strict=False)
                rows = [row for row in table if None not in row.values()]
                known = not text or table.fieldnames == _COLUMNS
            if not known or any(row.keys() != set(_COLUMNS) for row in rows):
                raise ValueError  # noqa: TRY301 - same
        except (ValueError, AttributeError, csv.Error) as error:
            msg = f"{self._path} is no report of this command; move it away or name another"
            raise ReportError(msg) from error
        return rows


def _shown(name: str) -> str:
    """The name of a file as a report has it: one that is not UTF-8 could not be written."""
    return name.encode(errors="backslashreplace").decode()


def _cells(row: dict[str, Any]) -> dict[str, Any]:
    """A row as a table has it."""
    digits = {name: "" if row[name] is None else f"{row[name]:.4f}" for name in ("reverse_score", "confidence")}
    return {**row, **digits, "flags": " ".join(row["flags"])}


def _write_table(stream: TextIO, rows: Iterable[dict[str, Any]]) -> None:
    csv.DictWriter(stream, _COLUMNS, dialect="excel-tab", lineterminator="\n").writerows(rows)
