"""A bundle on disk: everything needed to translate, in one folder, each file hashed.

    manifest.json            what is here: graphs, hashes, settings, scores, thresholds
    en-de.greedy.fp32.onnx   one graph per direction, task and precision
    weights.safetensors      the network's weights, float16: stored once, for the graphs of every
                             precision; also readable without ONNX
    weights.int8.safetensors what the int8 graphs have quantised
    activations.json         the scales of int8 products; may be missing
    tokenizer.model          the joint SentencePiece vocabulary
    config.toml              the network's shape
    golden.jsonl             sources, ids and translations: the start-up self-check
    ngrams.en.npz, .de.npz   how fluent a text is, and which words there are; may be missing
    dictionary.en-de.tsv.gz  what single words may become, a file per direction; may be missing
    shortlist.en-de.npz      what tokens may become, likewise
    word_pairs.en-de.npz     what a word here says for a word there, likewise
    canary.en.txt, .de.txt   sentences for the round trip
    MODEL_CARD.md            data, licences, scores, limits

Nothing in it is pickled. The exporter writes the manifest last, so a folder that has one is whole.
"""

from __future__ import annotations

import hashlib
import json
import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from itertools import chain
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from model.bundle.beam import Fluency
from model.bundle.contract import CONTRACT_VERSION, Task
from model.bundle.dictionary import Dictionary, dictionary_file
from model.bundle.direction import DIRECTIONS, Direction, read_each
from model.bundle.errors import IntegrityError, ManifestError
from model.bundle.language_model import LanguageModel
from model.bundle.lexicon import Lexicon
from model.bundle.shortlist import Shortlist, read_shortlists
from model.bundle.tokenizer import BLANK_ID, Tokenizer
from model.bundle.word_pairs import WordPairs, read_word_pairs

if TYPE_CHECKING:
    from collections.abc import Container, Sequence
    from pathlib import Path

__all__ = [
    "FORMAT_VERSION",
    "MANIFEST",
    "MAX_BEAM",
    "MAX_CANDIDATES",
    "POOR_CHRF",
    "PRECISIONS",
    "Bundle",
    "FileRecord",
    "GoldenExample",
    "Manifest",
    "RoundTripThresholds",
    "SearchSettings",
    "file_record",
    "ngrams_file",
    "read_dictionaries",
    "read_fluency",
]

FORMAT_VERSION = 1
MANIFEST = "manifest.json"
PRECISIONS = ("fp32", "int8", "fp16")
MAX_BEAM, MAX_CANDIDATES = 100, 20
POOR_CHRF = 40.0
"""A translation with less chrF against people's is poor: its reader has to look at the source."""


@dataclass(frozen=True, slots=True)
class FileRecord:
    """Size in bytes and SHA-256 (hex) of one file."""

    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class RoundTripThresholds:
    """What the canary set must reach for a direction to count as healthy.

    `min_chrf` is sacreBLEU's chrF, 0 to 100, of the reconstruction against the original.
    `max_copy_rate` is the share (0 to 1) of middle hops that repeat their input: a model that
    copies reconstructs perfectly and translates nothing.

    Raises:
        ValueError: a number is out of its range.
    """

    min_chrf: float
    max_copy_rate: float

    def __post_init__(self) -> None:
        if not (0 <= self.min_chrf <= 100 and 0 <= self.max_copy_rate <= 1):  # noqa: PLR2004
            msg = f"min_chrf must be 0 to 100, max_copy_rate 0 to 1: {self}"
            raise ValueError(msg)


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How hard to look for the best translation, as was best on validation sets.

    `beam` prefixes are kept after each frame. Where there is a language model, each has
    log p(prefix | source) + `language_weight` x log p(prefix) + `token_bonus` for each of its tokens
    - `unknown_word_cost` for each of its words that neither that model's lexicon has nor the source,
    and `repeated_word_cost` for each that follows itself, where none does in the source.
    To that of the `candidates` best `reverse_weight` x log p(source | candidate) is added: duplex reranking.

    Raises:
        ValueError: a number is out of its range.
    """

    beam: int = 10
    candidates: int = 5
    reverse_weight: float = 0.3
    language_weight: float = 0.3
    token_bonus: float = 2.0
    unknown_word_cost: float = 3.0
    repeated_word_cost: float = 4.0

    def __post_init__(self) -> None:
        whole = _are(int, self.beam, self.candidates)
        if not (whole and 1 <= self.beam <= MAX_BEAM and 1 <= self.candidates <= MAX_CANDIDATES):
            msg = f"beam must be 1 to {MAX_BEAM}, candidates 1 to {MAX_CANDIDATES}: {self}"
            raise ValueError(msg)
        costs = self.unknown_word_cost, self.repeated_word_cost
        weights = self.reverse_weight, self.language_weight, self.token_bonus, *costs
        if not all(0 <= weight < math.inf for weight in weights):
            msg = f"reverse_weight, language_weight, token_bonus and the costs of words must not be negative: {self}"
            raise ValueError(msg)

    def of_good(self) -> SearchSettings:
        """The same for quality good, which does not rerank."""
        return replace(self, candidates=1, reverse_weight=0.0)


@dataclass(frozen=True, slots=True)
class Manifest:
    """The contents of manifest.json.

    `graphs` maps a direction, a precision and a task to a file; `files` covers every file but the
    manifest itself; `round_trip` has one entry per direction of the first hop. Of segments with a
    reverse score (`service.types.SegmentReport`) under `weak_below` far more are poor than of others. `parity`,
    `scores` and `training` record how the bundle was measured and made, for people.

    Raises:
        ValueError: a number is out of its range, or the name is no text.
    """

    name: str
    upsampling: int
    max_source_tokens: int
    vocabulary_size: int
    blank_id: int
    graphs: dict[str, dict[str, dict[str, str]]]
    files: dict[str, FileRecord]
    round_trip: dict[str, RoundTripThresholds]
    search: SearchSettings = field(default_factory=SearchSettings)
    weak_below: float = 0.02
    parity: dict[str, Any] = field(default_factory=dict)
    scores: list[dict[str, Any]] = field(default_factory=list)
    training: dict[str, Any] = field(default_factory=dict)
    contract: int = CONTRACT_VERSION
    format: int = FORMAT_VERSION

    def __post_init__(self) -> None:
        for name in ("upsampling", "max_source_tokens", "vocabulary_size"):
            if not (isinstance(value := getattr(self, name), int) and value >= 1):
                msg = f"{name} must be a whole number from 1: {value!r}"
                raise ValueError(msg)
        if self.blank_id != BLANK_ID or not _are(int, self.blank_id):
            msg = f"blank_id must be {BLANK_ID}, as in every vocabulary: {self.blank_id!r}"
            raise ValueError(msg)
        if not _are(str, self.name):
            msg = f"name must be a text: {self.name!r}"
            raise ValueError(msg)
        if not 0 <= self.weak_below <= 1:
            msg = f"weak_below must be 0 to 1: {self.weak_below}"
            raise ValueError(msg)

    def to_json(self) -> str:
        """The text of manifest.json."""
        return json.dumps(asdict(self), indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Manifest:
        """Read the text of manifest.json.

        Raises:
            ManifestError: not JSON, another format or contract version, or fields amiss.
        """
        try:
            raw = json.loads(text)
            if (version := raw.get("format")) != FORMAT_VERSION:
                msg = f"bundle format {version!r} is not supported; this release reads {FORMAT_VERSION}"
                raise ManifestError(msg)
            if (version := raw.get("contract")) != CONTRACT_VERSION:
                msg = f"bundle contract {version!r} is not supported; this release serves {CONTRACT_VERSION}"
                raise ManifestError(msg)
            raw["files"] = {name: FileRecord(**record) for name, record in raw["files"].items()}
            raw["round_trip"] = {name: RoundTripThresholds(**limits) for name, limits in raw["round_trip"].items()}
            raw["search"] = SearchSettings(**raw["search"])
            manifest = cls(**raw)
            served = set(manifest.graphs) & set(manifest.round_trip)
            foreign = [
                name
                for name in (*manifest.files, *_graph_names(manifest))
                if name in {"", ".."} or PurePath(name).name != name
            ]
            unlisted = [name for name in _graph_names(manifest) if name not in manifest.files]
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            msg = f"{MANIFEST} is malformed: {error!r}"
            raise ManifestError(msg) from error
        if foreign:
            msg = f"{MANIFEST} names {foreign[0]!r}: a bundle's files lie in its own folder"
            raise ManifestError(msg)
        if unlisted:
            msg = f"{MANIFEST} names a graph {unlisted[0]!r}, of which its files have no hash"
            raise ManifestError(msg)
        for direction in map(str, DIRECTIONS):
            if direction not in served:
                msg = f"{MANIFEST} has no graph or round-trip threshold for {direction}"
                raise ManifestError(msg)
        return manifest


@dataclass(frozen=True, slots=True)
class GoldenExample:
    """One sentence whose outcome was recorded at export, with the fp32 graph.

    `source_ids` must come out of the tokenizer exactly; `output_ids` and `translation` may differ
    a little in other precisions and on other processors.

    Raises:
        ValueError: a field is of another type, there is no source, or no such direction.
    """

    direction: str
    source: str
    source_ids: list[int]
    output_ids: list[int]
    translation: str

    def __post_init__(self) -> None:
        Direction.parse(self.direction)
        texts, ids = (self.source, self.translation), (self.source_ids, self.output_ids)
        if not (_are(str, *texts) and _are(list, *ids) and _are(int, *chain(*ids)) and self.source_ids):
            msg = f"not the texts and token ids of an example: {self}"
            raise ValueError(msg)


@dataclass(frozen=True, slots=True)
class Bundle:
    """An opened bundle folder. Graphs are loaded elsewhere: this package knows no runtime."""

    path: Path
    manifest: Manifest
    tokenizer: Tokenizer

    @classmethod
    def open(cls, path: Path, *, verify: bool = True) -> Bundle:
        """Read a bundle and, unless told otherwise, check the hash of every file.

        Raises:
            ManifestError: no manifest, or one that cannot be used.
            IntegrityError: a file is missing or is not the one that was exported.
        """
        try:
            text = (path / MANIFEST).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            msg = f"{path} is not a bundle: {MANIFEST} cannot be read ({error})"
            raise ManifestError(msg) from error
        manifest = Manifest.from_json(text)
        if verify:
            _verify_files(path, manifest)
        tokenizer = Tokenizer(path / "tokenizer.model")
        if tokenizer.vocabulary_size != manifest.vocabulary_size:
            msg = (
                f"tokenizer.model has {tokenizer.vocabulary_size} tokens, the manifest says {manifest.vocabulary_size}"
            )
            raise ManifestError(msg)
        return cls(path=path, manifest=manifest, tokenizer=tokenizer)

    def graph(self, direction: Direction, precision: str, task: Task = Task.GREEDY) -> Path:
        """Path of one ONNX graph.

        Raises:
            ManifestError: the bundle has no graph of that precision, or none of it for that task.
        """
        graphs = self.manifest.graphs[str(direction)]
        if precision not in graphs:
            msg = f"bundle {self.manifest.name} has no {precision} graph for {direction}; it has {sorted(graphs)}"
            raise ManifestError(msg)
        if task not in graphs[precision]:
            msg = f"bundle {self.manifest.name} has no {precision} {task} graph for {direction}"
            raise ManifestError(msg)
        return self.path / graphs[precision][task]

    def fluency(self) -> dict[Direction, Fluency]:
        """What good and best quality search with besides the network; only directions that have a language model.

        Raises:
            ManifestError: a file is not a language model, or one of another vocabulary.
        """
        listed = [one for one in DIRECTIONS if ngrams_file(one.target) in self.manifest.files]
        return read_fluency(self.path, self.manifest.search, self.tokenizer, listed)

    def dictionaries(self) -> dict[Direction, Dictionary]:
        """What single words may become; only directions that have a dictionary.

        Raises:
            ManifestError: a file is malformed.
        """
        return read_dictionaries(self.path, self.manifest.files)

    def shortlists(self) -> dict[Direction, Shortlist]:
        """Which tokens a translation is chosen from; only directions that have a shortlist.

        Raises:
            ManifestError: a file is malformed, or of another vocabulary.
        """
        return read_shortlists(self.path, self.manifest.files, self.manifest.vocabulary_size)

    def word_pairs(self) -> dict[Direction, WordPairs]:
        """What candidates are compared by besides; only directions that have word pairs.

        Raises:
            ManifestError: a file is malformed.
        """
        return read_word_pairs(self.path, self.manifest.files)

    def golden(self) -> list[GoldenExample]:
        """The examples recorded at export, both directions.

        Raises:
            ManifestError: the file is malformed.
        """
        try:
            lines = (self.path / "golden.jsonl").read_text(encoding="utf-8").split("\n")
            return [GoldenExample(**json.loads(line)) for line in lines if line]
        except (OSError, ValueError, TypeError, RecursionError) as error:
            msg = f"golden.jsonl is malformed: {error}"
            raise ManifestError(msg) from error

    def canary(self, language: str) -> list[str]:
        """The round-trip sentences of one language, one a line in the file.

        Raises:
            ManifestError: the file is missing or empty.
        """
        try:
            text = (self.path / f"canary.{language}.txt").read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            msg = f"no canary sentences for {language}: {error}"
            raise ManifestError(msg) from error
        sentences = [line for line in text.split("\n") if line.strip()]
        if not sentences:
            msg = f"no canary sentences for {language}: the file is empty"
            raise ManifestError(msg)
        return sentences


def _are(kind: type, *values: object) -> bool:
    """Whether all values are of a type; those from JSON may be of another than is declared."""
    return all(isinstance(value, kind) for value in values)


def read_fluency(
    folder: Path | None, search: SearchSettings, tokenizer: Tokenizer, directions: Sequence[Direction] = DIRECTIONS
) -> dict[Direction, Fluency]:
    """The language models in a folder, by the direction whose translations they judge, as a search is to use them.

    No folder, no models.

    Raises:
        ManifestError: one is missing, malformed, or of another vocabulary.
    """
    fluency: dict[Direction, Fluency] = {}
    if folder is None:
        return fluency
    for direction in directions:
        path = folder / ngrams_file(direction.target)
        model = LanguageModel.open(path)
        if model.vocabulary_size != tokenizer.vocabulary_size:
            msg = f"the language model has {model.vocabulary_size} tokens, the network has {tokenizer.vocabulary_size}"
            raise ManifestError(msg)
        lexicon = Lexicon.open(path, tokenizer)
        fluency[direction] = Fluency(
            model,
            search.language_weight,
            search.token_bonus,
            lexicon,
            search.unknown_word_cost,
            search.repeated_word_cost,
        )
    return fluency


def read_dictionaries(folder: Path, files: Container[str]) -> dict[Direction, Dictionary]:
    """The dictionaries in a folder that are among some files.

    Raises:
        ManifestError: one is malformed.
    """
    return read_each(folder, files, dictionary_file, Dictionary.open)


def ngrams_file(language: str) -> str:
    """What the file with a language's model is called, in a bundle and elsewhere."""
    return f"ngrams.{language}.npz"


def _graph_names(manifest: Manifest) -> list[str]:
    """Every file that is named as a graph."""
    return [name for precisions in manifest.graphs.values() for tasks in precisions.values() for name in tasks.values()]


def file_record(path: Path) -> FileRecord:
    """Size and hash of a file, read in blocks."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256")
    return FileRecord(bytes=path.stat().st_size, sha256=digest.hexdigest())


def _verify_files(path: Path, manifest: Manifest) -> None:
    """Compare every file with the manifest; sizes of all first, since they cost nothing.

    Raises:
        IntegrityError: names the first file that differs.
    """
    for name, expected in manifest.files.items():
        file = path / name
        if not file.is_file():
            msg = f"{name} is missing from {path}"
            raise IntegrityError(msg)
        if (size := file.stat().st_size) != expected.bytes:
            msg = f"{name} has {size} bytes, the manifest says {expected.bytes}"
            raise IntegrityError(msg)
    with ThreadPoolExecutor() as pool:  # hashing leaves Python's lock alone
        found = pool.map(file_record, [path / name for name in manifest.files])
        for (name, expected), record in zip(manifest.files.items(), found, strict=True):
            if record.sha256 != expected.sha256:
                msg = f"{name} does not match its SHA-256 in the manifest"
                raise IntegrityError(msg)
