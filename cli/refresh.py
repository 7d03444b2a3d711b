"""`reder refresh`: a bundle's graphs anew, by this release."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.errors import needs, reporting
from cli.export import known_sources, listed_sources, merged, tell
from cli.options import ReportedSets, tokenizer_file
from cli.test_sets import find_test_sets
from model.bundle import MAX_BEAM

__all__ = ["refresh"]


def refresh(  # noqa: PLR0917 - typer passes them by name
    bundle: Annotated[Path, typer.Argument(metavar="BUNDLE", help="Whose network to export again.")],
    validation: Annotated[
        list[Path], typer.Option(metavar="SET", help="Sets to measure parity and every precision on. Repeatable.")
    ],
    test: ReportedSets = None,
    language_models: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Of `reder language-models` or a bundle. [default: what BUNDLE has]"),
    ] = None,
    beam: Annotated[
        int | None, typer.Option(min=1, max=MAX_BEAM, help="Prefixes kept in the search. [default: as BUNDLE says]")
    ] = None,
    language_weight: Annotated[
        float | None, typer.Option(min=0, help="How much the language models count. [default: as BUNDLE says]")
    ] = None,
    token_bonus: Annotated[
        float | None, typer.Option(min=0, help="What each token gains beside that. [default: as BUNDLE says]")
    ] = None,
    unknown_word_cost: Annotated[
        float | None,
        typer.Option(min=0, help="What a word costs that the language models do not know. [default: as BUNDLE says]"),
    ] = None,
    repeated_word_cost: Annotated[
        float | None, typer.Option(min=0, help="What a word costs that follows itself. [default: as BUNDLE says]")
    ] = None,
    sources: Annotated[
        Path | None,
        typer.Option(metavar="TSV", help="With --language-models: origin and licence of their sources, for the card."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="Folder to write; an earlier bundle there is replaced. [default: BUNDLE]")
    ] = None,
) -> None:
    r"""Write a bundle's graphs anew from its own weights, and measure it.

    A newer release may write faster graphs for the same network. Reads weights, vocabulary, search
    settings, language models and what the card tells of training from the bundle, and keeps them;
    parity, scores, golden examples and round-trip thresholds are measured again, as by `reder
    export`. Other language models may take the place of those that it has, and the search may be
    another one.

    Example:
      reder refresh bundles/reder-medium --validation data/test/wmt13 --test data/test/gnome-help
    """
    with needs("train"):
        from model.checkpoint import CheckpointError
        from model.export import ExportError, ExportRequest
        from model.export import export as write
        from model.model_card import PARAMETERS, recorded_sources

    from model.bundle import Bundle, BundleError
    from model.bundle.weights import WEIGHTS
    from model.data.corpus import CorpusError

    with reporting(BundleError, CheckpointError, CorpusError, ExportError):
        former = Bundle.open(bundle)
        changes: dict[str, Any] = {
            "beam": beam,
            "language_weight": language_weight,
            "token_bonus": token_bonus,
            "unknown_word_cost": unknown_word_cost,
            "repeated_word_cost": repeated_word_cost,
        }
        search = replace(former.manifest.search, **{name: new for name, new in changes.items() if new is not None})
        counted, recorded = known_sources(language_models)
        refreshed = write(
            ExportRequest(
                weights=bundle / WEIGHTS,
                tokenizer=tokenizer_file(bundle),
                output=output or bundle,
                name=former.manifest.name,
                validation=find_test_sets(validation),
                test=find_test_sets(test or ()),
                search=search,
                language_models=language_models or (bundle if former.fluency() else None),
                tables=(language_models, bundle) if language_models else (bundle,),
                training={key: value for key, value in former.manifest.training.items() if key != PARAMETERS},
                sources=merged(listed_sources(sources, counted), recorded, recorded_sources(former)),
            )
        )
    tell(refreshed)
