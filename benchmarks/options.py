"""Options that the commands share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["PRINTED", "Limit", "Printed", "several"]

Printed = Annotated[Path, typer.Argument(metavar="TSV.XZ", help="Entries of a printed dictionary: English, German.")]
Limit = Annotated[int | None, typer.Option(min=1, help="Only the first of each kind and direction.")]
PRINTED = Path("data/train/dictionary.tsv.xz")


def several(defaults: Sequence[object], *names: str, help: str, **more: Any) -> Any:  # noqa: A002, ANN401 - as typer has them
    """An option that may be repeated; if it is not given at all, it has these values."""
    return typer.Option(
        *names,
        default_factory=lambda: [*defaults],
        show_default=", ".join(map(str, defaults)),
        help=f"{help}; may be repeated.",
        **more,
    )
