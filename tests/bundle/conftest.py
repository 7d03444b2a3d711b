"""A vocabulary and a whole bundle folder. The graphs' bytes are arbitrary: the format never looks inside."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from model.bundle import (
    BLANK_ID,
    DIRECTIONS,
    MANIFEST,
    GoldenExample,
    Manifest,
    RoundTripThresholds,
    SearchSettings,
    Task,
    Tokenizer,
    file_record,
)
from model.data.vocabulary import train_vocabulary
from tests.model import toy

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def vocabulary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SentencePiece model learned from toy sentences."""
    path = tmp_path_factory.mktemp("vocabulary") / "tokenizer.model"
    train_vocabulary(toy.sentences(200), path, size=toy.VOCABULARY_SIZE, max_sentences=1000)
    return path


@pytest.fixture(scope="session")
def tokenizer(vocabulary: Path) -> Tokenizer:
    """The same, loaded."""
    return Tokenizer(vocabulary)


@pytest.fixture
def folder(tmp_path: Path, vocabulary: Path) -> Path:
    """A bundle, written file by file, its manifest last."""
    path = tmp_path / "toy"
    path.mkdir()
    (path / "tokenizer.model").write_bytes(vocabulary.read_bytes())
    graphs = {}
    for direction in map(str, DIRECTIONS):
        graphs[direction] = {
            precision: {str(task): f"{direction}.{task}.{precision}.onnx" for task in Task}
            for precision in ("fp32", "int8")
        }
        for name in (name for tasks in graphs[direction].values() for name in tasks.values()):
            (path / name).write_bytes(f"the graph {name}".encode())
    golden = GoldenExample("en-de", "A man.", [5, 6], [7, 8, 9], "Ein Mann.")
    (path / "golden.jsonl").write_text(
        json.dumps({name: getattr(golden, name) for name in GoldenExample.__slots__}) + "\n", encoding="utf-8"
    )
    for language, lines in (("en", "A man.\n\nA dog.\n"), ("de", "Ein Mann.\nGrüße!\n")):
        (path / f"canary.{language}.txt").write_text(lines, encoding="utf-8")
    manifest = Manifest(
        name="toy",
        upsampling=2,
        max_source_tokens=64,
        vocabulary_size=toy.VOCABULARY_SIZE,
        blank_id=BLANK_ID,
        graphs=graphs,
        files={file.name: file_record(file) for file in sorted(path.iterdir())},
        round_trip={str(direction): RoundTripThresholds(min_chrf=60.0, max_copy_rate=0.1) for direction in DIRECTIONS},
        search=SearchSettings(beam=7, candidates=3, reverse_weight=0.25),
        parity={"fp32": {"frames": 0.9999}},
        scores=[{"test_set": "toy", "bleu": 99.5}],
        training={"updates": 100, "note": "größer"},
    )
    (path / MANIFEST).write_text(manifest.to_json(), encoding="utf-8")
    return path
