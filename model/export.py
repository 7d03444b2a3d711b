"""Turn trained weights into a bundle, measured before it is written.

Steps, in order: round the network to float16, as a bundle stores it; trace each direction;
write graphs in fp32, int8 and fp16; compare the fp32 graphs with torch on real sentences and refuse
if they differ; score every precision, and the best quality in int8; record golden examples and
round-trip thresholds; write the card, then the manifest. All of it happens in a temporary folder
that is renamed at the end, so a bundle is whole or not there.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from model.bundle import (
    BLANK_ID,
    DIRECTIONS,
    MANIFEST,
    POOR_CHRF,
    PRECISIONS,
    Bundle,
    Direction,
    GoldenExample,
    Manifest,
    RoundTripThresholds,
    SearchSettings,
    Task,
    Tokenizer,
    collapse,
    dictionary_file,
    file_record,
    fold,
    ngrams_file,
    read_dictionaries,
    read_fluency,
    read_shortlists,
    read_word_pairs,
    shortlist_file,
    word_pairs_file,
)
from model.checkpoint import load_model
from model.config import model_config_to_toml
from model.data.batches import by_length, pad
from model.data.corpus import read_lines
from model.decode import reverse_scores, translate, translate_qualities
from model.descriptions import check_vocabulary
from model.evaluate import Score, TestSet, evaluate, evaluate_qualities, score, sentence_chrf
from model.folders import written_whole
from model.graphs import write_graphs
from model.model_card import PARAMETERS, Tables, render_card
from model.onnx_runner import GraphRunner
from model.tasks import TorchRunner

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from model.bundle import Fluency
    from model.reder import Reder

__all__ = ["ExportError", "ExportRequest", "export", "weak_threshold"]

_CANARY = Path(__file__).parent / "canary"
_PARITY_SENTENCES = 500
_PARITY_FLOOR = 0.999
_PARITY_TOLERANCE = 0.01
_PARITY_BATCH_TOKENS = 2048
_GOLDEN_PER_DIRECTION = 10
_CHRF_MARGIN = 0.8
_COPY_MARGIN = 0.15
_COPY_CEILING = 0.5
_WEAK_SENTENCES = 200
_WEAK_PRECISION = 2 / 3
_WEAK_RATIO = 2.5


class ExportError(RuntimeError):
    """The bundle was not written; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRequest:
    """What to export.

    Args:
        weights: the network, a .safetensors file.
        tokenizer: its vocabulary.
        output: folder to write; an existing bundle there is replaced once the new one is whole.
        name: what the bundle calls itself.
        validation: sets for parity, golden examples and the cost of each precision.
        test: sets that are only reported, with the int8 graphs.
        search: how hard good and best quality look.
        language_models: folder of them; without one it has none.
        tables: folders of dictionaries, shortlists and word pairs; of each file the first there is counts.
        training: recorded in the manifest: data, updates, tokens.
        sources: rows (source, origin, licence) for the card.
    """

    weights: Path
    tokenizer: Path
    output: Path
    name: str
    validation: Sequence[TestSet]
    test: Sequence[TestSet] = ()
    search: SearchSettings = field(default_factory=SearchSettings)
    language_models: Path | None = None
    tables: Sequence[Path] = ()
    training: dict[str, Any] = field(default_factory=dict)
    sources: Sequence[tuple[str, str, str]] = ()


def export(request: ExportRequest) -> Bundle:
    """Write a bundle.

    Raises:
        ExportError: the graphs do not agree with torch, there is too little text to tell, the weights
            are no numbers or of another vocabulary, or the folder holds something that is not a bundle.
        CheckpointError: the weights cannot be read, or were trained with another vocabulary.
        BundleError: the tokenizer cannot be used.
        CorpusError: language models or shortlists are of another vocabulary.
    """
    output = request.output.resolve()  # it may be ".", which will be another folder afterwards
    if output.exists() and not (output / MANIFEST).exists():
        msg = f"{request.output} exists and is not a bundle; choose another folder"
        raise ExportError(msg)
    with written_whole(output) as folder:
        _fill(folder, request)
    return Bundle.open(output)


def _fill(folder: Path, request: ExportRequest) -> None:
    sentences = {direction: _sentences(request.validation, direction) for direction in DIRECTIONS}
    shutil.copyfile(request.tokenizer, folder / "tokenizer.model")
    tokenizer = Tokenizer(folder / "tokenizer.model")
    model = load_model(request.weights, tokenizer).half().float()
    _check_network(model, tokenizer, request.weights)
    for origin in {request.language_models, *request.tables}:
        check_vocabulary(origin, tokenizer)
    fluency = read_fluency(request.language_models, request.search, tokenizer)
    (folder / "config.toml").write_text(model_config_to_toml(model.config), encoding="utf-8")
    for language in ("en", "de"):
        shutil.copyfile(_CANARY / f"{language}.txt", folder / f"canary.{language}.txt")
        if request.language_models:
            shutil.copyfile(request.language_models / ngrams_file(language), folder / ngrams_file(language))
    _copy_tables(request.tables, folder)
    copied = {path.name for path in folder.iterdir()}
    tables = Tables(
        read_dictionaries(folder, copied),
        read_shortlists(folder, copied, tokenizer.vocabulary_size),
        read_word_pairs(folder, copied),
    )
    limit = model.config.max_source_tokens
    encoded = {direction: tokenizer.encode_batch(texts) for direction, texts in sentences.items()}
    sources = {direction: [ids[:limit] for ids in every] for direction, every in encoded.items()}
    draft = Manifest(
        name=request.name,
        upsampling=model.config.upsampling,
        max_source_tokens=model.config.max_source_tokens,
        vocabulary_size=tokenizer.vocabulary_size,
        blank_id=BLANK_ID,
        graphs=write_graphs(model, folder, sources),
        files={},
        round_trip={},
        search=request.search,
        training={**request.training, PARAMETERS: model.parameter_count()},
    )
    bundle = Bundle(folder, draft, tokenizer)
    draft.parity.update({str(d): _parity(model, bundle, d, sources[d]) for d in DIRECTIONS})
    _write_golden(bundle, sentences, encoded)
    scores = _scores(bundle, request, fluency)
    round_trip, thresholds = _round_trip(bundle)
    card = render_card(
        draft,
        scores=scores,
        round_trip=round_trip,
        sources=request.sources,
        fluency=fluency,
        tables=tables,
    )
    (folder / "MODEL_CARD.md").write_text(card, encoding="utf-8")
    records = {path.name: file_record(path) for path in sorted(folder.iterdir())}
    manifest = Manifest(
        **{
            **{name: getattr(draft, name) for name in draft.__slots__},
            "files": records,
            "round_trip": thresholds,
            "weak_below": _weak_below(bundle, request.validation),
            "scores": scores,
        }
    )
    (folder / MANIFEST).write_text(manifest.to_json(), encoding="utf-8")


def _copy_tables(origins: Sequence[Path], folder: Path) -> None:
    """What there is of dictionaries, shortlists and word pairs."""
    for name in (
        file(direction) for file in (dictionary_file, shortlist_file, word_pairs_file) for direction in DIRECTIONS
    ):
        if origin := next((origin for origin in origins if (origin / name).exists()), None):
            shutil.copyfile(origin / name, folder / name)


def _check_network(model: Reder, tokenizer: Tokenizer, weights: Path) -> None:
    if model.config.vocabulary_size != tokenizer.vocabulary_size:
        msg = f"{weights} knows {model.config.vocabulary_size} tokens, the tokenizer has {tokenizer.vocabulary_size}"
        raise ExportError(msg)
    if not all(bool(parameter.isfinite().all()) for parameter in model.parameters()):
        msg = f"{weights} has weights that are not numbers, or too large for float16"
        raise ExportError(msg)


def _sentences(sets: Sequence[TestSet], direction: Direction) -> list[str]:
    """Real sentences in a direction's source language, drawn from all sets alike, as far as they reach."""
    sides = [test_set.side(direction.source) for test_set in sets]
    places = sorted((row, number) for number, side in enumerate(sides) for row in range(len(side)))
    drawn = sorted((number, row) for row, number in places[:_PARITY_SENTENCES])
    mixed = [sides[number][row] for number, row in drawn]
    if len(mixed) < _PARITY_SENTENCES:
        msg = f"{len(mixed)} sentences to check parity on; {_PARITY_SENTENCES} are needed (give more validation text)"
        raise ExportError(msg)
    return mixed


def _parity(model: Reder, bundle: Bundle, direction: Direction, sources: list[list[int]]) -> dict[str, Any]:
    """How well the fp32 graphs agree with torch on the same batches, over the frames that count.

    `equal_frames` are those whose best token is the same, found greedily and as the search's first
    choice; `score_difference` is the largest between log probabilities of given targets.

    Raises:
        ExportError: they do not agree.
    """
    graphs, torch_runner = GraphRunner(bundle, "fp32"), TorchRunner(model)
    equal = total = 0
    difference = 0.0
    for rows in by_length([len(ids) for ids in sources], _PARITY_BATCH_TOKENS):
        source = pad([sources[row] for row in rows])
        expected = torch_runner.run(Task.GREEDY, direction, source)[0]
        count = np.arange(expected.shape[1]) < source.lengths.numpy()[:, None] * model.config.upsampling
        greedy = graphs.run(Task.GREEDY, direction, source)[0]
        choices = graphs.run(Task.SEARCH, direction, source)[0]
        equal += int(((greedy == expected) & (choices[:, :, 0] == expected) & count).sum())
        total += int(count.sum())
        # any target will do: the source itself is at hand
        scores = (runner.run(Task.SCORE, direction, source, source)[1] for runner in (graphs, torch_runner))
        difference = max(difference, float(np.abs(np.subtract(*scores))[count].max()))
    if equal < _PARITY_FLOOR * total:
        msg = f"{direction}: the graphs agree with torch on {equal} of {total} frames; {_PARITY_FLOOR:.1%} are needed"
        raise ExportError(msg)
    if difference > _PARITY_TOLERANCE:
        msg = f"{direction}: log probabilities differ by {difference:.3g}; at most {_PARITY_TOLERANCE} is allowed"
        raise ExportError(msg)
    return {
        "sentences": len(sources),
        "frames": total,
        "equal_frames": equal,
        "share": round(equal / total, 6),
        "score_difference": round(difference, 6),
    }


def _write_golden(
    bundle: Bundle, sentences: dict[Direction, list[str]], encoded: dict[Direction, list[list[int]]]
) -> None:
    """Record what the fp32 graphs say about a few sentences of each direction, given as texts and as token ids.

    Raises:
        ExportError: in a direction, the network reads none of them whole.
    """
    runner = GraphRunner(bundle, "fp32")
    limit = bundle.manifest.max_source_tokens
    lines = []
    for direction in DIRECTIONS:
        pairs = zip(sentences[direction], encoded[direction], strict=True)
        whole = [(text, ids) for text, ids in pairs if 0 < len(ids) <= limit]
        if not whole:
            msg = f"{direction}: no sentence to check parity on has between 1 and {limit} tokens"
            raise ExportError(msg)
        chosen = whole[:: max(1, len(whole) // _GOLDEN_PER_DIRECTION)][:_GOLDEN_PER_DIRECTION]
        source = pad([ids for _, ids in chosen])
        frames = runner.run(Task.GREEDY, direction, source)
        results = collapse(*frames, source.lengths.numpy() * runner.upsampling, blank_id=BLANK_ID)
        for (text, ids), result in zip(chosen, results, strict=True):
            example = GoldenExample(str(direction), text, ids, result.ids, bundle.tokenizer.decode(result.ids))
            lines.append(json.dumps(asdict(example), ensure_ascii=False))
    (bundle.path / "golden.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _scores(bundle: Bundle, request: ExportRequest, fluency: Mapping[Direction, Fluency]) -> list[dict[str, Any]]:
    """Validation scores of every precision; of int8 all qualities, and test scores: as the manifest has them."""
    tested = {test_set.name for test_set in request.test}
    every = [*request.validation, *request.test]
    results: list[dict[str, Any]] = []
    for precision in PRECISIONS:
        runner = GraphRunner(bundle, precision)
        if precision == "int8":
            work = partial(translate_qualities, runner, bundle.tokenizer, settings=request.search, fluency=fluency)
            scored = evaluate_qualities(work, every)
        else:
            scored = {"fast": evaluate(partial(translate, runner, bundle.tokenizer), request.validation)}
        for quality, entries in scored.items():
            for entry in entries:
                use = "test" if entry.test_set in tested else "validation"
                results.append({"precision": precision, "quality": quality, "use": use, **entry.to_dict()})
    return results


def _round_trip(bundle: Bundle) -> tuple[dict[str, dict[str, float]], dict[str, RoundTripThresholds]]:
    """Send the canary sentences there and back, and derive what the service must reach.

    The thresholds leave room for other processors and precisions, not for another model.
    """
    runner = GraphRunner(bundle, "int8")
    measured: dict[str, dict[str, float]] = {}
    thresholds: dict[str, RoundTripThresholds] = {}
    for direction in DIRECTIONS:
        originals = bundle.canary(direction.source)
        middle = translate(runner, bundle.tokenizer, direction, originals)
        back = translate(runner, bundle.tokenizer, direction.reverse, middle)
        outcome: Score = score("canary", direction, back, originals)
        copies = sum(fold(a) == fold(b) for a, b in zip(originals, middle, strict=True)) / len(originals)
        measured[str(direction)] = {"bleu": outcome.bleu, "chrf": outcome.chrf, "copy_rate": round(copies, 4)}
        thresholds[str(direction)] = RoundTripThresholds(
            min_chrf=round(outcome.chrf * _CHRF_MARGIN, 1),
            max_copy_rate=round(min(copies + _COPY_MARGIN, _COPY_CEILING), 2),
        )
    return measured, thresholds


def _weak_below(bundle: Bundle, validation: Sequence[TestSet]) -> float:
    """From translations of validation text; see `weak_threshold`."""
    runner = GraphRunner(bundle, "int8")
    judged: list[tuple[float, bool]] = []
    for test_set in validation:
        for direction in test_set.directions:
            sides = (test_set.side(direction.source), test_set.side(direction.target))
            sources, references = (side[:_WEAK_SENTENCES] for side in sides)
            translations = translate(runner, bundle.tokenizer, direction, sources)
            scores = reverse_scores(runner, bundle.tokenizer, direction, sources, translations)
            chrf = (sentence_chrf(*pair) for pair in zip(translations, references, strict=True))
            judged += zip(scores, (one < POOR_CHRF for one in chrf), strict=True)
    return weak_threshold(judged)


def weak_threshold(judged: Sequence[tuple[float, bool]]) -> float:
    """The highest score under which two in three are poor, or 2.5 times as many as of all if that is less.

    The less a network errs, the fewer scores tell of two in three. 0 if there is no such score.

    Args:
        judged: reverse scores (0 to 1), and whether the translation is poor.
    """
    threshold, poor = 0.0, 0
    ordered = sorted(judged)
    wanted = min(_WEAK_PRECISION, _WEAK_RATIO * sum(is_poor for _, is_poor in judged) / max(1, len(judged)))
    for count, (_, is_poor) in enumerate(ordered, start=1):
        poor += is_poor
        if poor and poor >= wanted * count:
            threshold = ordered[count][0] if count < len(ordered) else 1.0
    return float(f"{threshold:.2g}")


def read_sources(path: Path, used: set[str]) -> list[tuple[str, str, str]]:
    """Origin and licence of the sources a bundle learned from, for its card.

    Args:
        path: a TSV with a header that names at least source, origin and "licence as stated".
        used: names of the sources with weight.

    Raises:
        ExportError: the header is another one.
    """
    lines = read_lines(path)
    header = next(lines, "").split("\t")
    try:
        columns = [header.index(name) for name in ("source", "origin", "licence as stated")]
    except ValueError as error:
        msg = f"{path}: expected columns source, origin, licence as stated; found {header}"
        raise ExportError(msg) from error
    rows = [line.split("\t") for line in lines if line]
    picked = [tuple((row + [""] * len(header))[column].strip() for column in columns) for row in rows]
    return [(name, origin, licence) for name, origin, licence in picked if name in used]
