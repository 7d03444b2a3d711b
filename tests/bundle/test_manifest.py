"""Manifest and bundle: they round-trip, and every way of being wrong is named."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from model.bundle import (
    DIRECTIONS,
    EN_DE,
    MANIFEST,
    Bundle,
    FileRecord,
    GoldenExample,
    IntegrityError,
    Manifest,
    ManifestError,
    RoundTripThresholds,
    SearchSettings,
    Task,
    file_record,
    ngrams_file,
)
from model.ngrams import estimate, save
from tests.model import toy

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def rewrite(folder: Path, **changes: object) -> None:
    """Change fields of a bundle's manifest; None takes a field out."""
    path = folder / MANIFEST
    raw: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    for name, value in changes.items():
        raw[name] = value
        if value is None:
            del raw[name]
    path.write_text(json.dumps(raw), encoding="utf-8")


def test_manifest_survives_json(folder: Path) -> None:
    """Writing a manifest and reading it back gives an equal one, records and thresholds as their types."""
    manifest = Bundle.open(folder).manifest
    again = Manifest.from_json(manifest.to_json())
    assert again == manifest
    assert isinstance(again.files["en-de.greedy.fp32.onnx"], FileRecord)
    assert isinstance(again.round_trip["en-de"], RoundTripThresholds)
    assert isinstance(again.search, SearchSettings)
    assert "größer" in manifest.to_json()


def test_open_gives_working_parts(folder: Path) -> None:
    """An opened bundle knows its graphs, tokenizer, golden examples and canaries."""
    bundle = Bundle.open(folder)
    assert bundle.graph(EN_DE, "int8") == folder / "en-de.greedy.int8.onnx"
    assert bundle.graph(EN_DE, "fp32", Task.SEARCH) == folder / "en-de.search.fp32.onnx"
    assert bundle.tokenizer.decode(bundle.tokenizer.encode("Grüße")) == "Grüße"
    assert bundle.golden() == [GoldenExample("en-de", "A man.", [5, 6], [7, 8, 9], "Ein Mann.")]
    assert bundle.canary("en") == ["A man.", "A dog."]
    assert bundle.canary("de") == ["Ein Mann.", "Grüße!"]


def test_file_record_is_size_and_sha256(tmp_path: Path) -> None:
    """The hash is plain SHA-256, as other tools compute it."""
    path = tmp_path / "abc"
    path.write_bytes(b"abc")
    expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert file_record(path) == FileRecord(bytes=3, sha256=expected)


def test_wrong_hash(folder: Path) -> None:
    """A file changed at equal size is named; only an unverified opening lets it pass."""
    path = folder / "de-en.score.fp32.onnx"
    path.write_bytes(path.read_bytes().replace(b"the", b"THE"))
    with pytest.raises(IntegrityError, match=r"de-en\.score\.fp32\.onnx does not match its SHA-256"):
        Bundle.open(folder)
    assert Bundle.open(folder, verify=False).manifest.name == "toy"


def test_wrong_size(folder: Path) -> None:
    """A truncated file is named, with both sizes."""
    (folder / "de-en.greedy.int8.onnx").write_bytes(b"short")
    with pytest.raises(IntegrityError, match=r"de-en\.greedy\.int8\.onnx has 5 bytes, the manifest says 32"):
        Bundle.open(folder)


@pytest.mark.parametrize("name", ["en-de.greedy.fp32.onnx", "tokenizer.model", "golden.jsonl"])
def test_missing_file(folder: Path, name: str) -> None:
    """A file that is gone is named."""
    (folder / name).unlink()
    with pytest.raises(IntegrityError, match=f"{name} is missing"):
        Bundle.open(folder)


def test_missing_manifest(folder: Path) -> None:
    """A folder without a manifest, or no folder at all, is no bundle."""
    (folder / MANIFEST).unlink()
    for path in (folder, folder / "nowhere"):
        with pytest.raises(ManifestError, match=r"is not a bundle: manifest\.json cannot be read"):
            Bundle.open(path)


@pytest.mark.parametrize("version", [0, 3, "1", None])
@pytest.mark.parametrize("field", ["format", "contract"])
def test_unknown_version(folder: Path, field: str, version: object) -> None:
    """Another format or contract version, or none, is refused before anything else is read."""
    rewrite(folder, **{field: version, "files": None})
    with pytest.raises(ManifestError, match=f"bundle {field} {version!r} is not supported"):
        Bundle.open(folder)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '"format"',
        "\ufeff{}",
        pytest.param("[" * 100_000, id="deep"),
        '{"format": 1, "contract": 2}',
    ],
    ids=repr,
)
def test_malformed_json(folder: Path, text: str) -> None:
    """What is not a JSON object with the manifest's fields is an error about the manifest."""
    (folder / MANIFEST).write_text(text, encoding="utf-8")
    with pytest.raises(ManifestError, match=r"manifest\.json is malformed"):
        Bundle.open(folder)


def test_manifest_that_is_not_text(folder: Path) -> None:
    """Bytes that are not UTF-8 are an error about the manifest."""
    (folder / MANIFEST).write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ManifestError, match=r"manifest\.json cannot be read"):
        Bundle.open(folder)


@pytest.mark.parametrize(
    "changes",
    [
        {"surprise": 1},
        {"upsampling": None},
        {"files": None},
        {"files": {"en-de.onnx": {"bytes": 3}}},
        {"files": ["en-de.onnx"]},
        {"round_trip": {"en-de": {"min_chrf": 3, "max": 1}}},
        {"graphs": 7},
        {"upsampling": "2"},
        {"upsampling": 0},
        {"max_source_tokens": 3.5},
        {"blank_id": 10**10},
        {"blank_id": "0"},
        {"name": ["toy"]},
        {"round_trip": {"en-de": {"min_chrf": "60", "max_copy_rate": 0.1}}},
        {"round_trip": {"en-de": {"min_chrf": 60, "max_copy_rate": 10}}},
    ],
    ids=repr,
)
def test_fields_amiss(folder: Path, changes: dict[str, object]) -> None:
    """An unknown, missing or misshapen field is an error about the manifest."""
    rewrite(folder, **changes)
    with pytest.raises(ManifestError, match=r"manifest\.json is malformed"):
        Bundle.open(folder)


@pytest.mark.parametrize("field", ["graphs", "round_trip"])
@pytest.mark.parametrize("direction", [str(direction) for direction in DIRECTIONS])
def test_missing_direction(folder: Path, field: str, direction: str) -> None:
    """A bundle must serve both directions: the one without graph or threshold is named."""
    raw = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    del raw[field][direction]
    rewrite(folder, **{field: raw[field]})
    with pytest.raises(ManifestError, match=f"no graph or round-trip threshold for {direction}"):
        Bundle.open(folder)


@pytest.mark.parametrize("name", ["../en-de.onnx", "/etc/passwd", "below/en-de.onnx", "..", ""])
def test_names_of_other_folders_are_refused(folder: Path, name: str) -> None:
    """A file or graph that does not lie in the bundle's own folder is refused before anything is opened."""
    raw = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    files, graphs = raw["files"], raw["graphs"]
    rewrite(folder, files=files | {name: {"bytes": 3, "sha256": "0"}})
    with pytest.raises(ManifestError, match="lie in its own folder"):
        Bundle.open(folder)
    graphs["en-de"]["fp32"]["greedy"] = name
    rewrite(folder, files=files, graphs=graphs)
    with pytest.raises(ManifestError, match="lie in its own folder"):
        Bundle.open(folder)


def test_graph_without_a_hash(folder: Path) -> None:
    """A graph that nobody vouches for is refused, whatever is in it."""
    files = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["files"]
    del files["de-en.score.int8.onnx"]
    rewrite(folder, files=files)
    with pytest.raises(ManifestError, match=r"names a graph 'de-en\.score\.int8\.onnx', of which"):
        Bundle.open(folder)


def test_vocabulary_of_another_size(folder: Path) -> None:
    """A tokenizer that does not fit the manifest is an error with both sizes."""
    rewrite(folder, vocabulary_size=4000)
    with pytest.raises(ManifestError, match=r"tokenizer\.model has 380 tokens, the manifest says 4000"):
        Bundle.open(folder)


def test_missing_precision(folder: Path) -> None:
    """Asking for a precision that is not there says what is."""
    with pytest.raises(ManifestError, match=r"toy has no fp16 graph for en-de; it has \['fp32', 'int8'\]"):
        Bundle.open(folder).graph(EN_DE, "fp16")


def test_missing_task(folder: Path) -> None:
    """Asking for a task without a graph says so."""
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    del manifest["graphs"]["en-de"]["int8"]["score"]
    rewrite(folder, graphs=manifest["graphs"])
    with pytest.raises(ManifestError, match="toy has no int8 score graph for en-de"):
        Bundle.open(folder).graph(EN_DE, "int8", Task.SCORE)


AMISS: list[dict[str, Any]] = [
    {"output_ids": [[0], 7]},
    {"output_ids": 7},
    {"source_ids": ["5"]},
    {"source_ids": []},
    {"source": [0]},
    {"translation": None},
    {"direction": "en-fr"},
    {"direction": ["en-de"]},
]


@pytest.mark.parametrize(
    "line",
    [
        *("not json", '{"direction": "en-de"}', "[1]", '"text"', pytest.param("[" * 100_000, id="deep")),
        *(json.dumps(asdict(GoldenExample("en-de", "A", [5], [6], "B")) | wrong) for wrong in AMISS),
    ],
)
def test_malformed_golden(folder: Path, line: str) -> None:
    """A golden file with a line that is no example is an error that names the file."""
    bundle = Bundle.open(folder)
    (folder / "golden.jsonl").write_text(line + "\n", encoding="utf-8")
    with pytest.raises(ManifestError, match=r"golden\.jsonl is malformed"):
        bundle.golden()


def test_golden_sources_may_hold_any_line_break(folder: Path) -> None:
    """A source with one of Unicode's other line breaks is still one example."""
    bundle = Bundle.open(folder)
    example = replace(bundle.golden()[0], source="one\u2028two\x85three")
    raw = {name: getattr(example, name) for name in GoldenExample.__slots__}
    (folder / "golden.jsonl").write_text(json.dumps(raw, ensure_ascii=False) + "\n", encoding="utf-8")
    assert bundle.golden() == [example]


def test_missing_canaries(folder: Path) -> None:
    """No file, or one without sentences, is an error that names the language."""
    bundle = Bundle.open(folder)
    (folder / "canary.de.txt").write_text("\n \n", encoding="utf-8")
    with pytest.raises(ManifestError, match="no canary sentences for de: the file is empty"):
        bundle.canary("de")
    (folder / "canary.de.txt").unlink()
    with pytest.raises(ManifestError, match="no canary sentences for de"):
        bundle.canary("de")


@pytest.mark.parametrize(
    "search",
    [{"beam": 0}, {"beam": 2.5}, {"candidates": 0}, {"candidates": 1000}, {"reverse_weight": -1.0}, {"width": 3}, 7],
    ids=repr,
)
def test_bad_search_settings(folder: Path, search: object) -> None:
    """Search settings out of range, or unknown ones, are an error when the bundle is opened, not when it is asked."""
    rewrite(folder, search=search)
    with pytest.raises(ManifestError, match=r"manifest\.json is malformed"):
        Bundle.open(folder)


@pytest.mark.parametrize("weak_below", [-0.1, 1.5, "0.02"], ids=repr)
def test_bad_threshold_of_weak_segments(folder: Path, weak_below: object) -> None:
    """A reverse score is 0 to 1; a threshold that is not is an error."""
    rewrite(folder, weak_below=weak_below)
    with pytest.raises(ManifestError, match=r"manifest\.json is malformed"):
        Bundle.open(folder)


def with_language_models(folder: Path, vocabulary_size: int) -> None:
    """Give a bundle language models of a few words, and list them."""
    text, offsets = np.array([5, 6, 7, 5, 6]), np.array([0, 3, 5])
    for language in ("en", "de"):
        path = folder / ngrams_file(language)
        save(estimate(text, offsets, vocabulary_size=vocabulary_size, order=3, threshold=0.0), path)
    vouch(folder)


def vouch(folder: Path) -> None:
    """Have the manifest list every file as it is now."""
    files = {file.name: asdict(file_record(file)) for file in folder.iterdir() if file.name != MANIFEST}
    rewrite(folder, files=files)


def test_language_models_are_used_as_the_manifest_says(folder: Path) -> None:
    """By the direction whose translations they judge, with the manifest's weights; a bundle may have none."""
    assert Bundle.open(folder).fluency() == {}
    with_language_models(folder, toy.VOCABULARY_SIZE)
    rewrite(
        folder,
        search={
            "beam": 3,
            "language_weight": 0.4,
            "token_bonus": 1.5,
            "unknown_word_cost": 2.5,
            "repeated_word_cost": 3.5,
        },
    )
    fluency = Bundle.open(folder).fluency()
    assert set(fluency) == set(DIRECTIONS)
    one = fluency[EN_DE]
    assert (one.weight, one.bonus, one.unknown_word_cost, one.repeated_word_cost) == (0.4, 1.5, 2.5, 3.5)
    assert one.lexicon is None
    assert fluency[EN_DE].model.order == 3


def test_language_models_that_nobody_vouches_for_are_ignored(folder: Path) -> None:
    """A file that the manifest does not list, and so has no hash, is not read."""
    with_language_models(folder, toy.VOCABULARY_SIZE)
    listed = Bundle.open(folder).manifest.files
    rewrite(folder, files={name: asdict(record) for name, record in listed.items() if not name.startswith("ngrams.en")})
    assert set(Bundle.open(folder).fluency()) == {EN_DE}


def test_unfit_language_models_are_named(folder: Path) -> None:
    """Of another vocabulary, or arrays of another length or with more dimensions than C takes them to have."""
    with_language_models(folder, toy.VOCABULARY_SIZE - 1)
    with pytest.raises(ManifestError, match=f"has {toy.VOCABULARY_SIZE - 1} tokens"):
        Bundle.open(folder).fluency()
    with_language_models(folder, toy.VOCABULARY_SIZE)
    path = folder / ngrams_file("de")
    with np.load(path) as archive:
        arrays = dict(archive)
    beyond = arrays["buckets"].astype(np.uint64)
    beyond[1:-1] = 2**63 + 4_000_000_000  # as a difference it seems small, and as 32 bits it leads out of the arrays
    for wrong in (
        {"probs": arrays["probs"][:-1]},
        {"buckets": arrays["buckets"][:-1]},
        {"buckets": beyond},
        {"order": np.array(1)},
        {"order": np.array(np.inf)},
        *({name: np.zeros((len(arrays[name]), 0))} for name in ("probs1", "backoffs1", "probs", "backoffs", "prints")),
        {"buckets": arrays["buckets"][:, None]},
    ):
        np.savez(path, **(arrays | wrong))
        vouch(folder)
        with pytest.raises(ManifestError, match="malformed"):
            Bundle.open(folder).fluency()


DAMAGES = (
    *("no archive", "one array", "cut off", "overwritten", "a shape beyond all memory"),
    *("no array", "another compression", "encrypted", "a header that does not end"),
)


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_damaged_language_models_are_named(folder: Path, damage: str, save: Callable[..., None]) -> None:
    """Whatever is wrong with the file, the error is about that file, and one that a start or a swap knows."""
    with_language_models(folder, toy.VOCABULARY_SIZE)
    path = folder / ngrams_file("de")
    with np.load(path) as archive:
        save(path, **dict(archive))
    whole = path.read_bytes()
    middle = len(whole) // 2
    array = io.BytesIO()
    np.save(array, np.zeros(3))
    members = {
        "a shape beyond all memory": array.getvalue().replace(b"(3,), }" + 12 * b" ", b"(3" + 12 * b"0" + b",), }"),
        "a header that does not end": array.getvalue().replace(b"(3,), }", b"(3,),  "),
        "no array": b"text",
    }
    central, method, encrypted = whole.rindex(b"PK\x01\x02"), 10, 8  # where these stand in an entry of the directory
    if damage in members:
        with zipfile.ZipFile(path, "w") as file:
            file.writestr("probs1.npy", members[damage])
    elif damage in {"another compression", "encrypted"}:
        place = central + (method if damage == "another compression" else encrypted)
        path.write_bytes(whole[:place] + b"\x01" + whole[place + 1 :])
    else:
        path.write_bytes(
            {
                "no archive": b"no archive",
                "one array": array.getvalue(),
                "cut off": whole[:middle],
                "overwritten": whole[:middle] + bytes(64) + whole[middle + 64 :],
            }[damage]
        )
    vouch(folder)
    with pytest.raises(ManifestError, match=r"ngrams\.de\.npz has no arrays that can be read"):
        Bundle.open(folder).fluency()
