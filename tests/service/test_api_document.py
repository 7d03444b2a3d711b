"""docs/api.md: every example runs, and answers with what the document shows."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from service.http import problems
from service.http.forms import DOCUMENTS
from service.http.translate import Options
from service.settings import Settings
from tests.service.support import PATIENCE_S, serve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from service.app import Loaded
    from tests.service.support import Served

TEXT = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```sh\n(.*?)^```\n(?:```(json|text)\n(.*?)^```\n)?", TEXT, re.MULTILINE | re.DOTALL)
ADDRESS = "http://127.0.0.1:8000"
ANY = "…"


def like(shown: Any, found: Any) -> bool:  # noqa: ANN401 - whatever JSON holds
    """Whether an answer is as shown: the same names and kinds, texts equal but where any is meant."""
    if isinstance(shown, dict):
        return isinstance(found, dict) and shown.keys() == found.keys() and all(like(shown[k], found[k]) for k in shown)
    if isinstance(shown, list):
        if not isinstance(found, list) or bool(shown) > bool(found):
            return False
        return all(like(shown[min(place, len(shown) - 1)], one) for place, one in enumerate(found)) if shown else True
    if isinstance(shown, str):
        return isinstance(found, str) and shown in (ANY, found)
    if isinstance(shown, float):
        return isinstance(found, float)
    return type(shown) is type(found)


@pytest.fixture(scope="module")
def as_it_comes(settings: Settings, loaded: Loaded) -> Iterator[Served]:
    """A service with the quality that it has by default."""
    with serve(settings, loaded, quality=Settings.model_fields["quality"].default) as served:
        yield served


@pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed")
@pytest.mark.parametrize(("script", "kind", "shown"), EXAMPLES, ids=[str(place) for place in range(len(EXAMPLES))])
def test_examples(as_it_comes: Served, tmp_path: Path, script: str, kind: str, shown: str) -> None:
    """Each is followed by its answer, and gets it."""
    assert ADDRESS in script
    assert shown
    script = script.replace(ADDRESS, as_it_comes.url)
    run = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],  # noqa: S607 - wherever it is
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=PATIENCE_S,
    )
    if kind == "json":
        assert like(json.loads(shown), json.loads(run.stdout)), run.stdout
    else:
        assert re.fullmatch(re.escape(shown).replace(ANY, ".+"), run.stdout), run.stdout


def test_the_document_is_complete() -> None:
    """It has examples, every parameter with its values, and every media type of a document."""
    assert len(EXAMPLES) > 8
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*?) \|", TEXT, re.MULTILINE))
    assert rows.keys() == Options.model_fields.keys()
    properties = Options.model_json_schema()
    for name, row in rows.items():
        schema = json.dumps(properties["properties"][name])
        values = properties["$defs"].get({"quality": "Quality", "format": "Format"}.get(name), {}).get("enum", [])
        for value in re.findall(r"`([\w-]+)`", row):
            assert value in values or f'"{value}"' in schema or value in ("true", "false")
        assert set(values) <= set(re.findall(r"`([\w-]+)`", row))
    assert [media for media in DOCUMENTS if media not in TEXT] == []


def test_every_kind_of_problem_is_listed() -> None:
    """With its status, and no other kind."""
    rows = re.findall(r"^\| (\d[\d, ]+) \| (`.*?`) \|", TEXT, re.MULTILINE)
    shown = {kind: re.findall(r"\d+", statuses) for statuses, kinds in rows for kind in re.findall(r"`(.*?)`", kinds)}
    kinds = {kind.slug: str(kind.status) for kind in (*problems._KINDS.values(), problems._UNEXPECTED)}
    assert shown.keys() == kinds.keys()
    assert {kind for kind, status in kinds.items() if status not in shown[kind]} == set()
