"""`reder export`: trained weights in, a measured bundle out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.errors import needs, reporting
from cli.options import LanguageWeight, RepeatedWordCost, ReportedSets, TokenBonus, UnknownWordCost, tokenizer_file
from cli.recipes import default_run, open_recipe
from cli.test_sets import find_test_sets
from model.bundle import MAX_BEAM, MAX_CANDIDATES, SearchSettings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.bundle import Bundle
    from model.config import Recipe
    from model.data.packed import PackedCorpus

__all__ = ["export", "merged", "tell"]

_SEARCH = SearchSettings()


def export(  # noqa: PLR0917 - typer passes them by name
    recipe: Annotated[Path, typer.Argument(metavar="RECIPE", help="The recipe that the weights were trained by.")],
    output: Annotated[Path, typer.Option(help="Folder to write; an earlier bundle there is replaced.")],
    weights: Annotated[Path | None, typer.Option(help="The network. [default: runs/<recipe>/mean.safetensors]")] = None,
    name: Annotated[str | None, typer.Option(help="What the bundle calls itself. [default: the folder's name]")] = None,
    validation: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="SET", help="Sets to measure parity and every precision on. Repeatable. [default: the recipe's]"
        ),
    ] = None,
    test: ReportedSets = None,
    beam: Annotated[
        int, typer.Option(min=1, max=MAX_BEAM, help="Good and best quality: prefixes kept in the search.")
    ] = _SEARCH.beam,
    candidates: Annotated[
        int, typer.Option(min=1, max=MAX_CANDIDATES, help="Best quality: candidates reranked.")
    ] = _SEARCH.candidates,
    reverse_weight: Annotated[
        float, typer.Option(min=0, help="Best quality: weight of the other direction when reranking.")
    ] = _SEARCH.reverse_weight,
    language_models: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Good and best quality: language models, of `reder language-models` or a bundle."
        ),
    ] = None,
    language_weight: LanguageWeight = _SEARCH.language_weight,
    token_bonus: TokenBonus = _SEARCH.token_bonus,
    unknown_word_cost: UnknownWordCost = _SEARCH.unknown_word_cost,
    repeated_word_cost: RepeatedWordCost = _SEARCH.repeated_word_cost,
    built_on: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="RECIPE|BUNDLE",
            help="What the weights come from, for the card: an earlier recipe, their teacher's, or the bundle that "
            "training started from. Repeatable.",
        ),
    ] = None,
    sources: Annotated[
        Path | None, typer.Option(metavar="TSV", help="Origin and licence of each source, for the model card.")
    ] = None,
) -> None:
    r"""Write a bundle from trained weights, and measure it.

    The bundle holds graphs for both directions in fp32, int8 and fp16, and how good they are, with
    every quality.

    Reads a recipe, its packed corpus (for the vocabulary and the names of the sources) and the
    weights. Refuses when the fp32 graphs disagree with torch on 500 real sentences, which the
    validation sets must have. A SET is PATH for PATH.en and PATH.de, or a folder of sets.

    Example:
      reder export model/recipes/small-cpu.toml --output bundles/reder-small \
        --validation data/test/wmt13 --test data/test/multi30k_test_2016_flickr
    """
    with needs("train"):
        from model.checkpoint import CheckpointError
        from model.export import ExportError, ExportRequest
        from model.export import export as write
        from model.model_card import recorded_sources

    from model.bundle import MANIFEST, Bundle, BundleError
    from model.config import ConfigError
    from model.data.corpus import CorpusError
    from model.evaluate import load_test_set

    with reporting(BundleError, CheckpointError, ConfigError, CorpusError, ExportError):
        settings, corpus = open_recipe(recipe)
        bundles = [Bundle.open(path) for path in built_on or () if (path / MANIFEST).exists()]
        recipes = [path for path in built_on or () if not (path / MANIFEST).exists()]
        earlier = [open_recipe(path) for path in recipes]
        counted, recorded = known_sources(language_models)
        used = counted.union(*(_used(*one) for one in [(settings, corpus), *earlier]))
        listed = listed_sources(sources, used)
        network = weights or default_run(recipe) / "mean.safetensors"
        bundle = write(
            ExportRequest(
                weights=network,
                tokenizer=tokenizer_file(corpus.path),
                output=output,
                name=name or output.resolve().name,
                validation=find_test_sets(validation)
                if validation
                else [load_test_set(spec) for spec in settings.data.validation],
                test=find_test_sets(test or ()),
                search=SearchSettings(
                    beam=beam,
                    candidates=candidates,
                    reverse_weight=reverse_weight,
                    language_weight=language_weight,
                    token_bonus=token_bonus,
                    unknown_word_cost=unknown_word_cost,
                    repeated_word_cost=repeated_word_cost,
                ),
                language_models=language_models,
                tables=(language_models,) if language_models else (),
                training={"recipe": recipe.name, **_progress(network.parent), **_origins(bundles, recipes)},
                sources=merged(listed, *map(recorded_sources, bundles), recorded),
            )
        )
    tell(bundle)


def tell(bundle: Bundle) -> None:
    """Say what has been written, and how well its graphs agree with torch."""
    typer.echo(f"{bundle.path}: {bundle.manifest.name}, described in {bundle.path / 'MODEL_CARD.md'}")
    for direction, parity in bundle.manifest.parity.items():
        typer.echo(f"{direction}: {parity['equal_frames']:,} of {parity['frames']:,} frames as torch has them")


def _progress(run: Path) -> dict[str, Any]:
    """How far the run that holds the weights had come, for the card; empty if they lie elsewhere."""
    try:
        lines = (run / "log.jsonl").read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return {}
    last = next((record for line in reversed(lines) if (record := _record(line))), None)
    if last is None:
        return {}
    return {"updates": last["update"], "tokens": last["tokens"], "hours": round(last["seconds"] / 3600, 2)}


def _record(line: str) -> dict[str, Any] | None:
    """One of a log; None of a line that was being written when its run was killed."""
    try:
        record: dict[str, Any] = json.loads(line)
    except json.JSONDecodeError:
        return None
    return record


def _origins(bundles: Sequence[Bundle], recipes: Sequence[Path]) -> dict[str, str]:
    """Names of all recipes that came before, for the card; empty if there is none."""
    former = [one.manifest.training for one in bundles]
    names = [name for one in former for name in (*one.get("built_on", "").split(", "), one.get("recipe", "")) if name]
    names += [path.name for path in recipes]
    return {"built_on": ", ".join(dict.fromkeys(names))} if names else {}


def merged(*tables: Sequence[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """The rows of several tables of sources, each source once."""
    return list({row[0]: row for table in reversed(tables) for row in table}.values())


def listed_sources(table: Path | None, used: set[str]) -> list[tuple[str, str, str]]:
    """Rows for the card: what a table has of the sources used, and constructed text, which comes from here.

    Raises:
        ExportError: the table has another header than `model.export.read_sources` expects.
    """
    from model.export import read_sources
    from model.grammar.construction import SOURCE

    rows = read_sources(table, used) if table else []
    if SOURCE in used:
        rows.append((SOURCE, "sentences of a grammar, by `reder construct`", "as this project"))
    return rows


def known_sources(language_models: Path | None) -> tuple[set[str], list[tuple[str, str, str]]]:
    """What language models were counted in: names of sources, or rows of a card where they are a bundle's.

    Without language models it is nothing.

    Raises:
        BundleError, CorpusError: the folder holds none, or none that can be read.
    """
    from model.bundle import MANIFEST, Bundle
    from model.descriptions import described_sources
    from model.model_card import recorded_sources

    if not language_models:
        return set(), []
    if (language_models / MANIFEST).exists():
        return set(), recorded_sources(Bundle.open(language_models))
    return described_sources(language_models), []


def _used(recipe: Recipe, corpus: PackedCorpus) -> set[str]:
    """The sources that the recipe gives weight to, or has retained; of distilled ones, those that were translated."""
    from model.data.distillation import original_source

    retained = recipe.data.to_retain() if recipe.train.retain_weight else recipe.data
    counted = (name for name in corpus.source_names if recipe.data.weight(name) > 0 or retained.weight(name) > 0)
    return {original_source(name) for name in counted}
