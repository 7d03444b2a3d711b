"""Options of the form PATTERN=SHARE."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cli.errors import USAGE, fail

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["TranslatedShares", "parse_shares"]

TranslatedShares = Annotated[
    list[str] | None,
    typer.Option(
        "--share",
        metavar="PATTERN=SHARE",
        help="Translate only this share (0 to 1) of the sources whose name matches. Repeatable; the first that "
        "matches counts.",
    ),
]
"""Which part of a corpus a teacher is to translate."""


def parse_shares(option: str, texts: Sequence[str] | None) -> tuple[tuple[str, float], ...]:
    """Read each PATTERN=SHARE, or end the command with a message that names the option."""
    return tuple(_parse(option, text) for text in texts or ())


def _parse(option: str, text: str) -> tuple[str, float]:
    pattern, _, number = text.rpartition("=")
    try:
        share = float(number)
    except ValueError:
        share = -1.0
    if not pattern or not 0 <= share <= 1:
        fail(f"{option} {text!r}: expected PATTERN=SHARE, with a share from 0 to 1", code=USAGE)
    return pattern, share
