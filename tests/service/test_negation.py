"""Sentences that deny something, and translations that do so no more."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

import pytest

from model.bundle import DE_EN, DIRECTIONS, EN_DE
from service.pipeline.protection.restoration import restore
from service.pipeline.protection.stand_ins import protect
from service.pipeline.repairs.negation import denies, loses_negation

if TYPE_CHECKING:
    import httpx

    from model.bundle import Direction

BOUND_S = 2.0
"""Of processor time, for 100,000 characters."""


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("I don’t know.", "Ich weiß es nicht."),
        ("I can't see it.", "Ich kann es nicht sehen."),
        ("Nobody came.", "Niemand kam."),
        ("It has no handle.", "Es ist grifflos."),
        ("It is not possible.", "Es ist unmöglich."),
        ("It never works.", "Es funktioniert nie."),
        ("without sugar", "zuckerfrei"),
        ("not before Monday", "erst am Montag"),
        ("They do not let you in.", "Sie verweigern den Zutritt."),
        ("I do not mind.", "Das ist mir egal."),
    ],
)
def test_what_is_denied_in_both(english: str, german: str) -> None:
    """However a translation denies something, either way round."""
    assert not loses_negation(english, german, EN_DE)
    assert not loses_negation(german, english, DE_EN)


@pytest.mark.parametrize(
    ("source", "target", "direction"),
    [
        ("Ich bin wirklich nicht beschäftigt.", "I'm really busy.", DE_EN),
        ("Ein Mann, der kein Hemd trägt.", "A man wearing a shirt.", DE_EN),
        ("Du kannst das nie vergleichen.", "You can compare that.", DE_EN),
        ("No automatic upgrade is available.", "Automatisches Upgrade ist verfügbar.", EN_DE),
        ("You can't open a board.", "Sie können eine Pinnwand öffnen.", EN_DE),
        ("Do not shake our things.", "Schütteln Sie unsere Universität.", EN_DE),
        ("Run it without Java.", "Führen Sie es unter Java aus.", EN_DE),
        ("Do not share the file.", "Geben Sie die Datei frei.", EN_DE),
        ("Don't install it on Friday.", "Installieren Sie es am Freitag.", EN_DE),
        ("Das ist nicht wichtig.", "This is important, but it increases the income of the industry.", DE_EN),
    ],
)
def test_what_says_the_opposite(source: str, target: str, direction: Direction) -> None:
    """Nothing of the translation denies what its sentence does: it is flagged, and left as it is."""
    assert loses_negation(source, target, direction)
    restored = restore(protect(source, [], []), target, [], direction)
    assert (restored.text, restored.flags) == (target, ("negation",))


def test_flags_are_in_order() -> None:
    """Of several, whatever else is edited, the alphabet decides: the same answer has them in the same order."""
    assert restore(protect("Not 12 dogs.", [], []), "Hunde.", [], EN_DE).flags == ("negation", "number")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Not only dogs bark.", "en"),
        ("That is nice, isn't it?", "en"),
        ("Why don't we go?", "en"),
        ("No. 5 is alive, no doubt, and in no time.", "en"),
        ("It is a no-go.", "en"),
        ("Nicht nur Hunde bellen.", "de"),
        ("Das ist schön, nicht wahr?", "de"),
        ("Kannst du nicht mitkommen?", "de"),
        ("Ob er kommt oder nicht?", "de"),
        ("Das geht ohne weiteres.", "de"),
        ("Nichtsdestotrotz ist er ohnehin da.", "de"),
    ],
)
def test_what_need_not_be_denied(text: str, language: str) -> None:
    """Words that deny nothing where they stand, and questions that need them in one language alone."""
    assert not denies(text, language)


@pytest.mark.parametrize("unit", ["not ", "n't", "nicht ", "un", "losfrei", "kein kannst ", "a", "-"])
@pytest.mark.parametrize("direction", DIRECTIONS, ids=str)
def test_floods_take_no_time(unit: str, direction: Direction) -> None:
    """A long text of anything is compared at once."""
    text = unit * (100_000 // len(unit))
    started = time.process_time()
    loses_negation(f"not nicht {text}", text, direction)
    assert time.process_time() - started < BOUND_S


def test_flags_of_the_service(client: httpx.Client) -> None:
    """Nearly all of these are denied by the bundle's own translations; what is not is flagged, and nothing else."""
    texts = [
        "I do not know.",
        "She has no time.",
        "Don't delete this file.",
        "Please do not reply to this email.",
        "Do not click on links in emails from unknown senders.",
        "Don't install the beta version on production servers.",
        "You cannot open two files at once.",
        "The printer does not respond.",
    ]
    answer = client.post("/translate?dir=en-de&details=true", json={"text": texts}).json()["translations"]
    flagged = [any("negation" in segment["flags"] for segment in one["segments"]) for one in answer]
    assert flagged == [not re.search(r"\b(?:nicht|kein\w*)\b", one["text"], re.IGNORECASE) for one in answer]
    assert sum(flagged) < len(texts) / 3
