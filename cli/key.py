"""`reder key`: make a key for somebody who may use the service, or administrate it."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from cli.errors import USAGE, fail, reporting
from service.keys import generate

__all__ = ["key"]


def key(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What logs and metrics call its holder.")],
) -> None:
    """Make a random key, for use of the service or for administration.

    Needs nothing and stores nothing. Standard error shows the key, this once, for its holder; standard
    output has the line that the service knows it by. That goes into the file that REDER_API_KEYS_FILE
    or REDER_ADMIN_KEYS_FILE names, or into REDER_API_KEYS or REDER_ADMIN_KEYS; see docs/security.md.

    Example:
      reder key web >> api-keys
    """
    try:
        made = generate(name)
    except ValueError as error:
        fail(str(error), code=USAGE)
    if sys.stdout is None:
        fail("standard output is closed", code=USAGE)
    with reporting():
        typer.echo(made.line)  # and flushed: without its line the key would be worth nothing
    typer.echo(f"key, shown only now: {made.key}", err=True)
