"""`reder evaluate`: BLEU and chrF of a bundle, of weights, or of a running service."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer

from cli.errors import USAGE, fail, needs, refuse, reporting
from cli.options import ApiKey, LanguageWeight, RepeatedWordCost, TokenBonus, UnknownWordCost, tokenizer_file
from cli.test_sets import find_test_sets
from model.bundle import MAX_BEAM, SearchSettings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from model.architecture import Network
    from model.bundle import Direction, Tokenizer

    _Translate = Callable[[Direction, Sequence[str]], list[str]]

__all__ = ["evaluate"]

_SEARCH = SearchSettings()


def evaluate(  # noqa: PLR0917 - typer passes them by name
    context: typer.Context,
    sets: Annotated[
        list[Path], typer.Argument(metavar="SET", help="A set, PATH for PATH.en and PATH.de, or a folder of sets.")
    ],
    bundle: Annotated[Path | None, typer.Option(help="Evaluate the graphs of this bundle.")] = None,
    precision: Annotated[
        Literal["fp32", "int8", "fp16"], typer.Option(help="With --bundle: which of its graphs.")
    ] = "int8",
    weights: Annotated[Path | None, typer.Option(help="Evaluate this weights file (.safetensors).")] = None,
    tokenizer: Annotated[
        Path | None, typer.Option(help="The weights' vocabulary: a file, a packed corpus or a bundle.")
    ] = None,
    quality: Annotated[
        Literal["fast", "good", "best"],
        typer.Option(help="With --bundle or --url: greedy, searched, or searched and reranked."),
    ] = "fast",
    beam: Annotated[
        int, typer.Option(min=0, max=MAX_BEAM, help="With --weights: search this many prefixes; 0 is greedy.")
    ] = 0,
    reverse_weight: Annotated[
        float,
        typer.Option(
            min=0, help="With --beam: weight of the other direction when reranking; 0 leaves the beam's order."
        ),
    ] = _SEARCH.reverse_weight,
    language_models: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="With --beam: search with these: of `reder language-models`, or a bundle's.",
        ),
    ] = None,
    language_weight: LanguageWeight = _SEARCH.language_weight,
    token_bonus: TokenBonus = _SEARCH.token_bonus,
    unknown_word_cost: UnknownWordCost = _SEARCH.unknown_word_cost,
    repeated_word_cost: RepeatedWordCost = _SEARCH.repeated_word_cost,
    teacher: Annotated[
        Path | None,
        typer.Option(help="With --beam: an autoregressive network (.safetensors) that scores candidates, too."),
    ] = None,
    teacher_weight: Annotated[float, typer.Option(min=0, help="With --teacher: how much its scores count.")] = 1.0,
    url: Annotated[str | None, typer.Option(help="Evaluate the service that runs here.")] = None,
    api_key: ApiKey = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first sentences of each set.")] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the scores to this file, too.")
    ] = None,
) -> None:
    r"""Score a bundle, weights or a running service: BLEU and chrF.

    Reads one of --bundle, --weights and --url, and test sets: two text files each, NAME.en and
    NAME.de, line by line. Every set is scored in both directions; one called NAME.en-de or
    NAME.de-en in that direction only. Prints a Markdown table of sacreBLEU's scores, with their
    signatures.

    Examples:
      reder evaluate --bundle bundles/reder-medium data/test
      reder evaluate --weights runs/small-cpu/mean.safetensors \
        --tokenizer data/packed data/test/wmt13
      reder evaluate --url http://127.0.0.1:8000 data/test/multi30k_val
    """
    _check(context)

    from cli.remote import RemoteTranslator
    from model.bundle import BundleError
    from model.data.corpus import CorpusError
    from model.evaluate import evaluate as score_sets
    from model.evaluate import table
    from reder import RederError

    with reporting(BundleError, CorpusError, RederError):
        test_sets = find_test_sets(sets, limit=limit)
        written = json_file.open("w", encoding="utf-8") if json_file else None  # which may fail, and scoring takes long
        if weights and tokenizer:
            search = SearchSettings(
                beam=max(beam, 1),
                reverse_weight=reverse_weight,
                language_weight=language_weight,
                token_bonus=token_bonus,
                unknown_word_cost=unknown_word_cost,
                repeated_word_cost=repeated_word_cost,
            )
            judges = _Judges(language_models, teacher, teacher_weight)
            translate = _searching(weights, tokenizer, search, judges) if beam else _greedy(weights, tokenizer)
        elif bundle:
            translate = _graphs(bundle, precision, quality)
        else:
            translate = RemoteTranslator(url or "", quality=quality, api_key=api_key).translate
        scores = score_sets(translate, test_sets)
        typer.echo(table(scores))
        if written:
            with written:
                written.write(json.dumps([entry.to_dict() for entry in scores], indent=2) + "\n")


def _check(context: typer.Context) -> None:
    """End the command if options contradict each other, or one has no effect, which scores would be taken for."""
    given = context.params
    if sum(given[option] is not None for option in ("bundle", "weights", "url")) != 1:
        fail("give exactly one of --bundle, --weights and --url", code=USAGE)
    if (given["weights"] is None) != (given["tokenizer"] is None):
        fail("--weights and --tokenizer belong together", code=USAGE)
    if given["weights"] and given["quality"] != "fast":
        fail("--quality needs --bundle or --url; for --weights there is --beam", code=USAGE)
    if given["beam"] and given["weights"] is None:
        fail("--beam needs --weights", code=USAGE)
    needed = {
        "beam": ("language_models", "teacher", "reverse_weight"),
        "bundle": ("precision",),
        "url": ("api_key",),
        "language_models": ("language_weight", "token_bonus", "unknown_word_cost", "repeated_word_cost"),
        "teacher": ("teacher_weight",),
    }
    for option, others in needed.items():
        if not given[option]:
            refuse(context, *others, because=f"needs --{option.replace('_', '-')}")


def _graphs(path: Path, precision: str, quality: str) -> _Translate:
    with needs("train"):
        from model.decode import translate, translate_best
        from model.onnx_runner import GraphRunner

    from model.bundle import Bundle

    bundle = Bundle.open(path)
    runner = GraphRunner(bundle, precision)
    if quality != "fast":
        settings = bundle.manifest.search
        search = settings.of_good() if quality == "good" else settings
        return partial(translate_best, runner, bundle.tokenizer, settings=search, fluency=bundle.fluency())
    return partial(translate, runner, bundle.tokenizer)


class _Judges(NamedTuple):
    """Who has a say about candidates besides the network: language models, and an autoregressive network."""

    language_models: Path | None
    teacher: Path | None
    teacher_weight: float


def _greedy(weights: Path, tokenizer: Path) -> _Translate:
    network, vocabulary = _load(weights, tokenizer)
    from model.architecture import translate

    return partial(translate, network, vocabulary)


def _searching(weights: Path, tokenizer: Path, settings: SearchSettings, judges: _Judges) -> _Translate:
    network, vocabulary = _load(weights, tokenizer)
    from model.architecture import Decoding, search
    from model.baselines.dual import Dual
    from model.bundle import read_fluency
    from model.checkpoint import CheckpointError, load_network
    from model.decode import first
    from model.descriptions import check_vocabulary

    with reporting(CheckpointError):
        teacher = load_network(judges.teacher, vocabulary) if judges.teacher else None
    if teacher is not None and not isinstance(teacher, Dual):
        fail(f"{judges.teacher} holds no autoregressive network", code=USAGE)
    if teacher is not None and teacher.config.vocabulary_size != network.config.vocabulary_size:
        fail(f"{judges.teacher} has another vocabulary than {weights}", code=USAGE)
    if isinstance(network, Dual) and (judges.language_models or teacher):
        fail(f"{weights} is autoregressive: language models and a teacher have no say in its search", code=USAGE)
    check_vocabulary(judges.language_models, vocabulary)
    decoding = Decoding(
        beam=settings.beam,
        reverse_weight=settings.reverse_weight,
        fluency=read_fluency(judges.language_models, settings, vocabulary),
        teacher=teacher,
        teacher_weight=judges.teacher_weight,
    )
    return lambda direction, texts: first(search(network, vocabulary, direction, texts, decoding))


def _load(weights: Path, tokenizer: Path) -> tuple[Network, Tokenizer]:
    """A network and its vocabulary."""
    with needs("train"):
        from model.checkpoint import CheckpointError, load_network

    from model.bundle import Tokenizer

    vocabulary = Tokenizer(tokenizer_file(tokenizer))
    with reporting(CheckpointError):
        return load_network(weights, vocabulary), vocabulary
