"""`reder serve`: start the HTTP service."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Annotated

import typer

from cli.errors import needs
from cli.settings import load_settings

__all__ = ["serve"]


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on. [default: 127.0.0.1]")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on; 0 takes a free one. [default: 8000]")] = None,
    bundle: Annotated[
        Path | None, typer.Option(help="Folder of the bundle to serve. [default: bundles/reder-medium]")
    ] = None,
) -> None:
    r"""Serve a bundle over HTTP until SIGTERM or Ctrl-C.

    Reads a bundle; needs no torch. Every other setting comes from the environment, as REDER_HOST,
    REDER_PORT and REDER_BUNDLE do where an option is not given; see docs/configuration.md.

    Example:
      reder serve --port 9000 --bundle bundles/reder-medium
      curl -s 'http://127.0.0.1:9000/translate?dir=en-de' \
        -H 'Content-Type: application/json' -d '{"text": "Good morning."}'
    """
    if hasattr(signal, "SIGHUP"):
        # By default it ends the process. Until `main` handles it, there is no bundle that could be read anew.
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    settings = load_settings(serves=True, host=host, port=port, bundle=bundle)
    with needs("cpu"):
        from service.__main__ import main
    raise typer.Exit(main(settings))
