"""Bundles to swap to: copies of a real one, told apart by name, and altered where a test wants it."""

from __future__ import annotations

import json
import shutil
import struct
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np
from sentencepiece import sentencepiece_model_pb2

from model.bundle import MANIFEST, file_record

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["alter", "copy", "link", "poison", "put", "renumber"]

_GOLDEN = 4
"""Golden examples in a copy, shortest first: each costs time at every load."""
_KEPT_IDS = 258
"""Blank, unknown and the 256 bytes keep their places in the vocabulary."""


def copy(source: Path, target: Path, *, precision: str) -> Path:
    """Copy a bundle with the graphs of one precision, under the name of the new folder."""
    manifest = json.loads((source / MANIFEST).read_text(encoding="utf-8"))
    kept = [name for name in manifest["files"] if f".{precision}.onnx" in name or not name.endswith(".onnx")]
    kept = [name for name in kept if precision == "int8" or name != "weights.int8.safetensors"]
    target.mkdir()
    for name in kept:
        shutil.copyfile(source / name, target / name)
    manifest["files"] = dict.fromkeys(kept)
    manifest["graphs"] = {way: {precision: graphs[precision]} for way, graphs in manifest["graphs"].items()}
    examples = sorted(_golden(target), key=lambda example: len(example["source_ids"]))
    chosen = [[one for one in examples if one["direction"] == way][: _GOLDEN // 2] for way in manifest["graphs"]]
    _write_golden(target, [one for examples in chosen for one in examples])
    (target / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
    alter(target, name=target.name)
    return target


def link(source: Path, target: Path) -> Path:
    """A bundle of links to the files of another, but for its manifest and golden examples, which are its own."""
    target.mkdir()
    for file in source.iterdir():
        if file.name in (MANIFEST, "golden.jsonl"):
            shutil.copyfile(file, target / file.name)
        else:
            (target / file.name).symlink_to(file)
    return target


def put(path: Path, content: bytes) -> None:
    """A file in the place of another, or of a link."""
    path.unlink()
    path.write_bytes(content)


def alter(folder: Path, **changes: object) -> None:
    """Change fields of the manifest, and have it vouch for the files as they are now."""
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8")) | changes
    manifest["files"] = {name: asdict(file_record(folder / name)) for name in manifest["files"]}
    (folder / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")


def renumber(folder: Path) -> None:
    """Give the words of an fp32 bundle other ids, in tokenizer, weights and golden examples alike.

    It translates as before, but for its language models, which go. And ids of the one bundle are gibberish to the
    other.
    """
    model = sentencepiece_model_pb2.ModelProto()  # type: ignore[attr-defined] # is made when it is imported
    model.ParseFromString((folder / "tokenizer.model").read_bytes())
    order = [*range(_KEPT_IDS), *reversed(range(_KEPT_IDS, len(model.pieces)))]  # its own inverse
    pieces = list(model.pieces)
    del model.pieces[:]
    model.pieces.extend(pieces[old] for old in order)
    (folder / "tokenizer.model").write_bytes(model.SerializeToString())
    weights = bytearray((folder / "weights.safetensors").read_bytes())
    embedding, transposed = _tensor(weights, "embedding.weight"), _tensor(weights, "embedding.weight.T")
    embedding[:] = embedding[order]
    transposed[:] = transposed[:, order]
    (folder / "weights.safetensors").write_bytes(weights)
    examples = _golden(folder)
    for example in examples:
        for ids in ("source_ids", "output_ids"):
            example[ids] = [order[old] for old in example[ids]]
    _write_golden(folder, examples)
    files = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["files"]
    alter(folder, files=[name for name in files if not name.startswith("ngrams.")])


def poison(folder: Path, token: int) -> None:
    """Have the network of an fp32 bundle answer with no numbers wherever it reads a token."""
    weights = bytearray((folder / "weights.safetensors").read_bytes())
    _tensor(weights, "embedding.weight")[token] = np.nan
    (folder / "weights.safetensors").write_bytes(weights)
    alter(folder)


def _tensor(weights: bytearray, name: str) -> np.ndarray[Any, np.dtype[np.float16]]:
    """A tensor of a safetensors file, to be changed in place: the graphs refer to places in the file."""
    (size,) = struct.unpack_from("<Q", weights)
    header = json.loads(weights[8 : 8 + size])[name]
    begin, end = header["data_offsets"]
    return np.frombuffer(memoryview(weights)[8 + size + begin : 8 + size + end], np.float16).reshape(header["shape"])


def _golden(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "golden.jsonl").read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines if line]


def _write_golden(folder: Path, examples: list[dict[str, Any]]) -> None:
    (folder / "golden.jsonl").write_text("".join(json.dumps(one) + "\n" for one in examples), encoding="utf-8")
