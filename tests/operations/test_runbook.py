"""docs/operations.md: every alert has its section, and what the text names exists."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from service.observability.metrics import Metrics
from service.settings import Settings
from tests.operations.support import ROOT, documents

RUNBOOK = Path("docs/operations.md")
TEXT = (ROOT / RUNBOOK).read_text(encoding="utf-8")
PROMISES = [line for line in TEXT.partition("\n## Promises\n")[2].splitlines() if "::" in line]


@pytest.fixture(scope="module")
def alerts() -> list[dict[str, Any]]:
    """The alerting rules of Prometheus."""
    (rules,) = documents(ROOT / "deploy" / "prometheus" / "alerts.yml")
    return [rule for group in rules["groups"] for rule in group["rules"] if "alert" in rule]


def test_every_alert_has_a_section(alerts: list[dict[str, Any]]) -> None:
    """No more, no fewer, and with text in it that names something to look at or to do."""
    sections = dict(re.findall(r"^### (alert-\S+)\n\n(.*?)(?=^##)", TEXT, flags=re.MULTILINE | re.DOTALL))
    assert sections.keys() == {f"alert-{alert['alert'].lower()}" for alert in alerts}
    assert [name for name, text in sections.items() if "`" not in text] == []


def test_alerts_lead_to_their_sections(alerts: list[dict[str, Any]]) -> None:
    """The annotation of each alert is the address of its section."""
    for alert in alerts:
        assert alert["annotations"]["runbook"] == f"{RUNBOOK}#alert-{alert['alert'].lower()}"


def test_links_within_the_document_lead_somewhere() -> None:
    """Every #anchor is a heading."""
    headings = {heading.lower().replace(" ", "-") for heading in re.findall(r"^#+ ([\w -]+)$", TEXT, re.MULTILINE)}
    assert {anchor for anchor in re.findall(r"\]\(#([^)]+)\)", TEXT) if anchor not in headings} == set()


def test_what_is_named_exists() -> None:
    """Settings, metrics and paths are those of the service."""
    settings = {f"REDER_{name.upper()}" for name in Settings.model_fields}
    assert set(re.findall(r"\bREDER_[A-Z_]+\b", TEXT)) - settings == set()
    exposed = set(re.findall(r"^# TYPE (\S+)", Metrics().exposition().decode(), flags=re.MULTILINE))
    named = {name.removesuffix("_bucket") for name in re.findall(r"\breder_[a-z_]+[a-z]\b", TEXT)}
    assert named
    assert named - exposed == set()


@pytest.mark.parametrize("promise", PROMISES, ids=lambda row: row.split("|")[1].strip())
def test_every_promise_has_its_test(promise: str) -> None:
    """Each row of the table says how the promise is broken, and names tests that are there."""
    _, _, broken, tests, _ = (cell.strip() for cell in promise.split("|"))
    assert broken
    for path, name in re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", tests):
        assert f"def {name}(" in (ROOT / path).read_text(encoding="utf-8")
    assert tests.count("::") == len(re.findall(r"`tests/[\w/]+\.py::test_\w+`", tests))
