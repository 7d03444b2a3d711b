"""The alerts and the configuration of Prometheus, by its own tool, and what they promise to whoever is woken."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from service.http import problems
from service.http.concurrency import PROBES
from tests.operations.support import ROOT, documents

if TYPE_CHECKING:
    from pathlib import Path

DEPLOYED = ROOT / "deploy" / "prometheus"
ALERTS: dict[str, dict[str, Any]] = {
    rule["alert"]: rule
    for document in documents(DEPLOYED / "alerts.yml")
    for group in document["groups"]
    for rule in group["rules"]
}

CONSUMERS = ("prometheus/alerts.yml", "grafana/dashboards/reder.json")
"""What asks Prometheus."""

PROMTOOL = shutil.which("promtool")


needs_promtool = pytest.mark.skipif(
    PROMTOOL is None, reason="promtool is not installed (it comes with Debian's package prometheus)"
)


@needs_promtool
@pytest.mark.parametrize("command", ["test rules alerts_test.yml", "check config prometheus.yml"])
def test_promtool_agrees(command: str) -> None:
    """The configuration is valid, and each alert fires when alerts_test.yml says so and not when not."""
    run = subprocess.run(
        [str(PROMTOOL), *command.split()], cwd=DEPLOYED, capture_output=True, text=True, timeout=60, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


@needs_promtool
@pytest.mark.parametrize(("busy", "share"), [(2, 1), (1, 0.5)])
def test_an_engine_all_of_whose_lanes_run_is_busy(tmp_path: Path, busy: int, share: float) -> None:
    """The dashboard's "Engine busy" is 100 % where both lanes of a replica run all the time, half where one does."""
    board = json.loads((DEPLOYED.parent / "grafana" / "dashboards" / "reder.json").read_text(encoding="utf-8"))
    (panel,) = [one for one in board["panels"] if one["title"] == "Engine busy"]
    (query,) = [one["expr"] for one in panel["targets"]]
    series = {"reder_batch_duration_seconds_sum": f"0+{15 * busy}x20", "reder_engine_lanes": "2x20"}
    test = {
        "interval": "15s",
        "input_series": [{"series": f'{name}{{instance="a"}}', "values": values} for name, values in series.items()],
        "promql_expr_test": [
            {
                "expr": query.replace("$__rate_interval", "1m").replace("$instance", ".*"),
                "eval_time": "5m",
                "exp_samples": [{"labels": '{instance="a"}', "value": share}],
            }
        ],
    }
    (tmp_path / "test.yml").write_text(yaml.safe_dump({"tests": [test]}), encoding="utf-8")
    command = [str(PROMTOOL), "test", "rules", "test.yml"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


def test_every_alert_is_tested() -> None:
    """alerts_test.yml has each alert fire at least once."""
    (tests,) = documents(DEPLOYED / "alerts_test.yml")
    expected = [one for test in tests["tests"] for one in test.get("alert_rule_test", [])]
    assert {one["alertname"] for one in expected if one["exp_alerts"]} == set(ALERTS)


@pytest.mark.parametrize("name", ALERTS)
def test_alert_tells_what_to_do(name: str) -> None:
    """It has a severity, says what happens, and names a section of the runbook that is there."""
    alert = ALERTS[name]
    assert alert["labels"]["severity"] in {"critical", "warning"}
    assert set(alert["annotations"]) == {"summary", "description", "runbook"}
    document, anchor = alert["annotations"]["runbook"].split("#")
    assert anchor == f"alert-{name.lower()}"
    assert anchor in anchors((ROOT / document).read_text(encoding="utf-8"))


def test_one_name_of_the_job() -> None:
    """Alerts and dashboard look for the job that the configuration, shipped or documented, gives the replicas."""
    texts = [(DEPLOYED.parent / file).read_text(encoding="utf-8") for file in CONSUMERS]
    asked = {job for text in texts for job in re.findall(r'job=\\?"(\w+)', text)}
    document = (ROOT / "docs" / "observability.md").read_text(encoding="utf-8")
    (documented,) = re.findall(r"```yaml\n(.*?)```", document, flags=re.DOTALL)
    configurations = [*documents(DEPLOYED / "prometheus.yml"), yaml.safe_load(documented)]
    given = {job["job_name"] for one in configurations for job in one["scrape_configs"]}
    assert asked == given == {"reder"}


def test_reasons_are_kinds_of_problems() -> None:
    """The reasons that alerts look for are what the service counts rejections by."""
    reasons = {reason for alert in ALERTS.values() for reason in re.findall(r'reason="([^"]+)"', alert["expr"])}
    assert reasons
    assert reasons <= {kind.slug for kind in problems._KINDS.values()}


@pytest.mark.parametrize("file", CONSUMERS)
def test_probes_are_left_out(file: str) -> None:
    """Where some requests do not count, none that a probe sends does: many good answers would hide bad ones."""
    left_out = re.findall(r'route!~\\?"([^"\\]+)', (DEPLOYED.parent / file).read_text(encoding="utf-8"))
    assert left_out
    assert [route for route in PROBES for one in left_out if not re.fullmatch(one, route)] == []


def anchors(document: str) -> set[str]:
    """The anchors that a Markdown document's headings have, as they are shown by forges."""
    headings = re.findall(r"^#+ (.+)$", document, flags=re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
