"""Quotation marks around what is kept, or a phrase, stay there, as the other language has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from model.bundle import DE_EN, EN_DE, Direction
from service.pipeline.finders.placeholders import find_placeholders
from service.pipeline.finders.quoted import find_quoted

if TYPE_CHECKING:
    import httpx


@pytest.mark.parametrize(
    ("text", "direction", "written"),
    [
        ("Delete \"%s\" and '%d'?", EN_DE, ['"%s"', "'%d'"]),
        ("The folder “{name}”, not ‘config.yml’", EN_DE, ["„{name}“", "‚config.yml‘"]),
        ("„{name}“ oder „{x}” nach »{y}« und ‚{z}‘", DE_EN, ['"{name}"', '"{x}"', '"{y}"', "'{z}'"]),
        ('"the {name}", \'{x}s, 5"{y}" and "<b>{z}</b>"', EN_DE, []),
        ('"**{name}**"', EN_DE, ['"**{name}**"']),
        ("{name}", EN_DE, []),
        ('Press "Sign in", not “sold out”', EN_DE, ['"Anmelden"', "„ausverkauft“"]),
        ("Er sagte „Vielen Dank.“ und »Gute Besserung!«", DE_EN, ['"Thank you very much."', '"Get well soon!"']),
        ('"Hello," said the man, "Sign in", he said.', EN_DE, ['"Anmelden"']),
        ('5" and "Sign in"s, "Hi {name}", "fixed" rates', EN_DE, []),
    ],
)
def test_what_is_written(text: str, direction: Direction, written: list[str]) -> None:
    """Where nothing else is within, neither a word nor a tag."""
    found = list(find_quoted(text, find_placeholders(text), direction))
    assert [one.target for one in found] == written


@pytest.mark.parametrize(
    ("direction", "text", "kept"),
    [
        ("en-de", "The folder “{name}” contains {n} files.", ["„{name}“", "{n}"]),
        ("de-en", "„%s“ wurde gelöscht.", ['"%s"']),
        ("en-de", 'Press "Sign in" to continue.', ['"Anmelden"']),
        ("de-en", "Die Datei „a.txt“ ist im Ordner „%s“.", ['"a.txt"', '"%s"']),
    ],
)
def test_through_the_service(client: httpx.Client, direction: str, text: str, kept: list[str]) -> None:
    """Each of them once."""
    translation = client.post("/translate", params={"dir": direction}, json={"text": text}).json()["translations"][0]
    assert all(translation["text"].count(one) == 1 for one in kept), translation["text"]
