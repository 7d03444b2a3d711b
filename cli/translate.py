"""`reder translate`: text in, text out, with the service's own pipeline in this process."""

from __future__ import annotations

import asyncio
import io
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from tqdm import tqdm

from cli.errors import USAGE, fail, needs, reporting
from cli.settings import load_settings
from model.bundle import MAX_CANDIDATES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TextIO

    from service.settings import Settings

__all__ = ["translate"]

_CHARACTERS = 16_384
"""Read, translated and written at a time, or half as many more: enough to fill batches, and memory stays bounded."""

_TOKENS_PER_CHARACTER = 12
"""At worst: a character decomposes into three, each of which takes four byte tokens."""

_PASSES = {"fast": 1, "best": 1 + MAX_CANDIDATES}
"""How often the network reads a sentence, at most."""

_TIMEOUT_S = 600.0
"""For one group of `_CHARACTERS`; a slow machine may take its time, a hung one may not."""


def translate(
    direction: Annotated[Literal["en-de", "de-en"], typer.Option("--dir", help="From and to which language.")],
    texts: Annotated[
        list[str] | None, typer.Argument(metavar="TEXT", help="Texts, each printed on a line of its own.")
    ] = None,
    files: Annotated[
        list[Path] | None,
        typer.Option("--file", "-f", metavar="FILE", help="Translate a UTF-8 text file; may be repeated."),
    ] = None,
    quality: Annotated[
        Literal["fast", "best"],
        typer.Option(help="Greedy, or searched and reranked: better, at many times the work."),
    ] = "fast",
    bundle: Annotated[
        Path | None, typer.Option(help="Folder of the bundle. [default: $REDER_BUNDLE or bundles/reder-small]")
    ] = None,
) -> None:
    """Translate texts, files or standard input to standard output.

    Reads a bundle and UTF-8 text of any length; needs no torch and no running service. Sentences
    are translated in batches; line breaks and white space come out as they went in.

    Examples:
      reder translate --dir en-de "Good morning."
      reder translate --dir de-en --quality best --file brief.txt > letter.txt
      zcat notes.gz | reder translate --dir en-de | less
    """
    if texts and files:
        fail("give texts or files, not both", code=USAGE)
    settings = load_settings(bundle=bundle, queue_tokens=2 * _CHARACTERS * _TOKENS_PER_CHARACTER * _PASSES[quality])
    with needs("cpu"):
        import service.app  # noqa: F401 - loaded here, where a missing runtime can be named

    from model.bundle import BundleError
    from service.errors import ServiceError
    from service.observability.logging import configure_logging

    configure_logging("error", "console")
    pieces = _each_on_its_line(texts) if texts else _read(files)
    try:
        with reporting(BundleError, ServiceError):
            asyncio.run(_translate(settings, (direction, quality), pieces, show_progress=not texts))
    except BrokenPipeError:
        # Whoever reads has enough (`| head`). Without this, Python complains when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(128 + signal.SIGPIPE) from None


async def _translate(settings: Settings, way: tuple[str, str], pieces: Iterable[str], *, show_progress: bool) -> None:
    """Translate pieces and write them out; `way` is direction and quality."""
    from model.bundle import Direction
    from service.app import open_translator
    from service.types import Quality, Request

    direction, quality = Direction.parse(way[0]), Quality(way[1])

    hidden = not show_progress or not sys.stderr.isatty() or sys.stdout.isatty()
    output = sys.stdout.buffer
    async with open_translator(settings) as translator:
        with tqdm(desc="translated", unit=" characters", unit_scale=True, disable=hidden) as bar:
            for group in _groups(pieces):
                request = Request(direction, group, quality)
                done = await translator.translate(request, timeout_s=_TIMEOUT_S)
                output.write("".join(translation.text for translation in done.translations).encode())
                output.flush()
                bar.update(sum(map(len, group)))


def _each_on_its_line(texts: list[str]) -> Iterator[str]:
    for number, text in enumerate(texts, 1):
        try:
            text.encode()
        except UnicodeEncodeError:
            fail(f"text {number} is not UTF-8", code=USAGE)
        yield from _pieces(io.StringIO(text, newline=""))
        yield "\n"


def _read(files: list[Path] | None) -> Iterator[str]:
    """Pieces of the files, or of standard input if there are none."""
    if not files:
        if sys.stdin.isatty():
            typer.echo("reading standard input; Ctrl-D ends it", err=True)
        yield from _decoded(io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", newline=""), "standard input")
    for path in files or ():
        with path.open(encoding="utf-8", newline="") as stream:
            yield from _decoded(stream, str(path))


def _decoded(stream: TextIO, name: str) -> Iterator[str]:
    try:
        yield from _pieces(stream)
    except UnicodeDecodeError as error:
        fail(f"{name} is not UTF-8: {error}")


def _pieces(stream: TextIO) -> Iterator[str]:
    """The text in pieces of about `_CHARACTERS`, cut after a line, a sentence or a word where there is one.

    Together they are the text.
    """
    held = ""
    while block := stream.read(_CHARACTERS):
        held += block
        ends = (held.rfind("\n") + 1, held.rfind(". ") + 2, held.rfind(" ") + 1)
        end = next((end for end in ends if end > len(held) // 2), len(held))
        yield held[:end]
        held = held[end:]
    if held:
        yield held


def _groups(pieces: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Pieces that go together: up to `_CHARACTERS`, or one that alone is longer."""
    group: list[str] = []
    for piece in pieces:
        if group and sum(map(len, group)) + len(piece) > _CHARACTERS:
            yield tuple(group)
            group = []
        group.append(piece)
    if group:
        yield tuple(group)
