"""Text of any length, read, translated and handed on piece by piece; documents as a whole."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import chain, groupby
from typing import TYPE_CHECKING, TextIO

from reder import Translation
from service.formats import BYTE_ORDER_MARK, SUFFIXES

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
    from pathlib import Path

    from cli.translate_engines import Engine

__all__ = [
    "CHARACTERS",
    "TEXT",
    "Source",
    "UnreadableError",
    "form_of",
    "groups",
    "is_strange",
    "pieces",
    "runs",
    "translated",
]

CHARACTERS = 16_384
"""Read, translated and written at a time, or half as many more: enough to fill batches, and memory stays bounded."""

TEXT = "text"

_STRANGE = re.compile(
    r"\.(?:adoc|ass|csv|dita|ftl|ipynb|plist|properties|res[wx]|rst|ssa|strings(?:dict)?|svg|tbx|tex|tmx|toml|ts|tsv|ttml"
    r"|xcstrings|xml|ya?ml)"
)
"""Extensions of what has markup, which would be translated, too, and is not read here."""


class UnreadableError(ValueError):
    """What is to be translated cannot be read, or is not UTF-8. The message names it."""


@dataclass(frozen=True, slots=True)
class Source:
    """Something to translate.

    Args:
        name: for messages and reports.
        form: its format.
        open: opens it, as UTF-8 with line ends as they are; closed after use.
    """

    name: str
    form: str
    open: Callable[[], TextIO]

    def pieces(self, characters: int = CHARACTERS) -> Iterator[str]:
        """All of it: text in pieces, and any other document in one.

        Raises:
            UnreadableError: see there.
        """
        try:
            with self.open() as stream:
                if self.form == TEXT:
                    yield from pieces(stream, characters)
                else:
                    yield stream.read()
        except UnicodeDecodeError as error:
            msg = f"{self.name} is not UTF-8: {error}"
            raise UnreadableError(msg) from error
        except OSError as error:
            msg = f"{self.name}: {error.strerror}"
            raise UnreadableError(msg) from error


def form_of(path: Path) -> str | None:
    """The format that the extension of a file stands for; None if it stands for none."""
    return SUFFIXES.get(path.suffix.lower())


def is_strange(path: Path) -> bool:
    """Whether a file is written in a format that is none of those, and no plain text either."""
    return _STRANGE.fullmatch(path.suffix.lower()) is not None and not path.is_dir()


def pieces(stream: TextIO, characters: int = CHARACTERS) -> Iterator[str]:
    """The text in pieces of about so many characters, cut after a paragraph, a line, a sentence or a word.

    Together they are the text. Its end is not cut off from what is before it: that may be one sentence.
    """
    held = ahead = ""
    while block := ahead + stream.read(characters):
        held += block
        if not (ahead := stream.read(1)):
            break
        blank = max(held.rfind("\n\n") + 2, held.rfind("\n\r\n") + 3)
        ends = (blank, held.rfind("\n") + 1, held.rfind(". ") + 2, held.rfind(" ") + 1)
        end = next((end for end in ends if end > len(held) // 2), len(held))
        yield held[:end]
        held = held[end:]
    if held:
        yield held


def groups(several: Iterable[str], characters: int = CHARACTERS) -> Iterator[tuple[str, ...]]:
    """Pieces that go together: up to so many characters, or one that alone is longer.

    Raises:
        UnreadableError: as `Source.pieces`, after the pieces that are before it.
    """
    group: list[str] = []
    unreadable: UnreadableError | None = None
    try:
        for piece in several:
            if group and sum(map(len, group)) + len(piece) > characters:
                yield tuple(group)
                group = []
            group.append(piece)
    except UnreadableError as error:
        unreadable = error
    if group:
        yield tuple(group)
    if unreadable is not None:
        raise unreadable


def runs(
    sources: Iterable[Source], characters: int = CHARACTERS, *, apart: bool = False
) -> Iterator[tuple[str, str, Iterator[str]]]:
    """Sources with their name, format and pieces. Texts that follow one another are one run, unless `apart`."""

    def key(numbered: tuple[int, Source]) -> tuple[str, int]:
        number, source = numbered
        return source.form, number if apart or source.form != TEXT else -1

    for (form, _), run in groupby(enumerate(sources), key=key):
        members = [source for _, source in run]
        yield members[0].name, form, chain.from_iterable(source.pieces(characters) for source in members)


async def translated(
    engine: Engine,
    several: Iterable[str],
    *,
    direction: str,
    form: str,
    characters: int = CHARACTERS,
    settle: bool = True,
) -> AsyncGenerator[tuple[tuple[str, ...], list[Translation]]]:
    """Translate the pieces of one text, a group at a time: its pieces, and what they became.

    With the direction ``auto`` its beginning settles the direction of all of it, unless `settle` is false.

    Raises:
        RefusedError, RederError, ServiceError: as `Engine.translate`.
        UnreadableError: as `Source.pieces`.
    """
    settled: str | None = direction
    for group in groups(several, characters):
        if settled is None:
            done = [Translation(text, 1.0, unchanged=True) for text in group]
        else:
            done = await _without_marks(engine, group, settled, form)
        if settle and settled == "auto" and any(text.strip() for text in group):
            settled = next((one.direction for one in done if one.direction), None)
        yield group, done


async def _without_marks(engine: Engine, group: tuple[str, ...], direction: str, form: str) -> list[Translation]:
    marks = [BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else "" for text in group]
    texts = [text.removeprefix(BYTE_ORDER_MARK) for text in group]
    done = await engine.translate(texts, direction=direction, form=form)
    return [replace(one, text=mark + one.text) if mark else one for mark, one in zip(marks, done, strict=True)]
