"""Shards of a corpus, Parquet or JSON lines: rows come out as they went in, and in their order, with columns added."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from pathlib import Path

    from reder import Translation

    Translate = Callable[[Sequence[str | None]], Sequence[Translation | None]]
    """None for a row without a text, and from one that could not be translated."""

__all__ = ["Columns", "ShardError", "rewrite", "shard_form"]

_LINES, _PARQUET = "jsonl", "parquet"
_FORMS = {".jsonl": _LINES, ".ndjson": _LINES, ".parquet": _PARQUET}
_COMPRESSIONS = {".bz2": "bz2", ".gz": "gzip", ".zst": "zstd"}
"""For JSON lines, by extension; Parquet has its own."""

_ROWS = 1024
"""Translated at a time; a row group of Parquet, or so many lines, is in memory."""

_TYPES = {"confidence": pa.float32(), "reverse_score": pa.float32(), "flags": pa.list_(pa.string())}
"""Of the columns that are added; any other has text."""

_MARK = b"\xef\xbb\xbf"  # some editors begin a file with it; it is no part of the JSON


class ShardError(ValueError):
    """A shard cannot be read, or has not the columns that it should have."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Which column is translated, and which are added.

    Args:
        text: has the texts; missing values stay missing.
        translation: for the translations; ``confidence`` is added with it.
        direction: add ``direction``, missing where a text is in the target language already.
        details: add ``reverse_score``, the lowest of a row's segments, and ``flags``, those of any of them.
    """

    text: str
    translation: str
    direction: bool = False
    details: bool = False

    def added(self) -> list[str]:
        """The names of the columns that are added."""
        names = [self.translation, "confidence"]
        return names + ["direction"] * self.direction + ["reverse_score", "flags"] * self.details

    def values(self, translation: Translation | None) -> dict[str, Any]:
        """What one row gets."""
        if translation is None:
            return dict.fromkeys(self.added())
        values: dict[str, Any] = {self.translation: translation.text, "confidence": round(translation.confidence, 4)}
        if self.direction:
            values["direction"] = None if translation.unchanged else translation.direction
        if self.details:
            scores = [one.reverse_score for one in translation.segments if one.reverse_score is not None]
            values["reverse_score"] = round(min(scores), 4) if scores else None
            values["flags"] = sorted({flag for one in translation.segments for flag in one.flags})
        return values


def shard_form(path: Path) -> str | None:
    """What a shard is written in, by its extensions; None if it is none."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes[-1:] and suffixes[-1] in _COMPRESSIONS:
        return _LINES if _FORMS.get("".join(suffixes[-2:-1])) == _LINES else None
    return _FORMS.get("".join(suffixes[-1:]))


def rewrite(source: Path, target: Path, columns: Columns, translate: Translate) -> int:
    """Write a shard to another file, with translations. Gives the number of its rows.

    Raises:
        ShardError: see there; it does not name the shard.
        OSError: a file cannot be read or written.
    """
    write = _parquet if shard_form(source) == _PARQUET else _lines
    try:
        return write(source, target, columns, translate)
    except (pa.ArrowException, UnicodeDecodeError) as error:
        raise ShardError(str(error)) from error


def _parquet(source: Path, target: Path, columns: Columns, translate: Translate) -> int:
    with pq.ParquetFile(source) as file:
        schema = file.schema_arrow
        _check(columns, schema.names)
        if schema.names.count(columns.text) > 1:
            msg = f"there are several columns {columns.text!r}"
            raise ShardError(msg)
        if not _is_text(kind := schema.field(columns.text).type):
            msg = f"column {columns.text!r} has no text but {kind}"
            raise ShardError(msg)
        added = [pa.field(name, _TYPES.get(name, pa.string())) for name in columns.added()]
        for field in added:
            schema = schema.append(field)
        with pq.ParquetWriter(target, schema, compression="zstd") as writer:
            for number in range(file.num_row_groups):
                table = file.read_row_group(number)
                texts = table.column(columns.text).cast(pa.large_string())
                values = [
                    columns.values(one)
                    for start in range(0, len(texts), _ROWS)
                    for one in translate(texts.slice(start, _ROWS).to_pylist())
                ]
                for field in added:
                    table = table.append_column(field, pa.array([row[field.name] for row in values], field.type))
                writer.write_table(table, row_group_size=max(1, len(table)))
        return int(file.metadata.num_rows)


def _lines(source: Path, target: Path, columns: Columns, translate: Translate) -> int:
    compression = _COMPRESSIONS.get(source.suffix.lower())
    rows = 0
    has_column = False
    with (
        pa.input_stream(str(source), compression=compression) as stream,
        pa.output_stream(str(target), compression=compression) as output,
    ):
        found = _rows(io.BufferedReader(stream), columns)
        while part := list(islice(found, _ROWS)):
            has_column |= any(columns.text in fields for _, fields in part)
            translations = translate([fields.get(columns.text) for _, fields in part])
            for (line, _), one in zip(part, translations, strict=True):
                output.write(_with(line, columns.values(one)))
            rows += len(part)
    if rows and not has_column:
        _check(columns, ())
    return rows


def _rows(lines: Iterable[bytes], columns: Columns) -> Iterator[tuple[bytes, dict[str, Any]]]:
    """Each line that is not blank, and what it says."""
    for number, line in enumerate(lines, 1):
        row = line.removeprefix(_MARK).strip() if number == 1 else line.strip()
        if row:
            try:
                yield row, _fields(row, columns)
            except ShardError as error:
                msg = f"line {number}: {error}"
                raise ShardError(msg) from error


def _fields(row: bytes, columns: Columns) -> dict[str, Any]:
    try:
        fields = json.loads(row)
    except (ValueError, RecursionError) as error:
        msg = "no JSON"
        raise ShardError(msg) from error
    if not isinstance(fields, dict):
        msg = "no JSON object"
        raise ShardError(msg)
    if not isinstance(fields.get(columns.text), str | None):
        msg = f"{columns.text!r} is no text"
        raise ShardError(msg)
    _check(columns, {columns.text, *fields})
    return fields


def _with(row: bytes, values: dict[str, Any]) -> bytes:
    """The object with more members: what was in it stays as it is written, numbers and escapes too."""
    members = row[:-1].rstrip()
    comma = b"" if members == b"{" else b", "
    return members + comma + json.dumps(values, ensure_ascii=False).encode()[1:] + b"\n"


def _check(columns: Columns, names: Collection[str]) -> None:
    if columns.text not in names:
        msg = f"there is no column {columns.text!r}"
        raise ShardError(msg)
    if taken := [name for name in columns.added() if name in names]:
        msg = f"there is a column {taken[0]!r} already"
        raise ShardError(msg)


def _is_text(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        return _is_text(kind.value_type)
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))
