"""`reder refresh`: a bundle's graphs anew, by this release."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.errors import needs, reporting
from cli.export import tell
from cli.test_sets import find_test_sets

__all__ = ["refresh"]


def refresh(
    bundle: Annotated[Path, typer.Argument(metavar="BUNDLE", help="Whose network to export again.")],
    validation: Annotated[
        list[Path], typer.Option(metavar="SET", help="Sets to measure parity and every precision on. Repeatable.")
    ],
    test: Annotated[
        list[Path] | None, typer.Option(metavar="SET", help="Sets that are only reported, in int8. Repeatable.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="Folder to write; an earlier bundle there is replaced. [default: BUNDLE]")
    ] = None,
) -> None:
    r"""Write a bundle's graphs anew from its own weights, and measure it.

    A newer release may write faster graphs for the same network. Reads weights, vocabulary, search
    settings and what the card tells of training from the bundle, and keeps them; parity, scores,
    golden examples and round-trip thresholds are measured again, as by `reder export`.

    Example:
      reder refresh bundles/reder-small --validation data/test/wmt13 --test data/test/gnome-help
    """
    with needs("train"):
        from model.checkpoint import CheckpointError
        from model.export import ExportError, ExportRequest
        from model.export import export as write
        from model.graphs import WEIGHTS
        from model.model_card import PARAMETERS, recorded_sources

    from model.bundle import Bundle, BundleError
    from model.data.corpus import CorpusError

    with reporting(BundleError, CheckpointError, CorpusError, ExportError):
        former = Bundle.open(bundle)
        refreshed = write(
            ExportRequest(
                weights=bundle / WEIGHTS["fp32"],
                tokenizer=bundle / "tokenizer.model",
                output=output or bundle,
                name=former.manifest.name,
                validation=find_test_sets(validation),
                test=find_test_sets(test or ()),
                search=former.manifest.search,
                training={key: value for key, value in former.manifest.training.items() if key != PARAMETERS},
                sources=recorded_sources(former),
            )
        )
    tell(refreshed)
