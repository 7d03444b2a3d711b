"""Options of the form PATTERN=SHARE."""

from __future__ import annotations

from cli.errors import USAGE, fail

__all__ = ["parse_share"]


def parse_share(option: str, text: str) -> tuple[str, float]:
    """Read PATTERN=SHARE, or end the command with a message that names the option."""
    pattern, _, number = text.rpartition("=")
    try:
        share = float(number)
    except ValueError:
        share = -1.0
    if not pattern or not 0 <= share <= 1:
        fail(f"{option} {text!r}: expected PATTERN=SHARE, with a share from 0 to 1", code=USAGE)
    return pattern, share
