"""Compose, Prometheus and Grafana: what one refers to, another provides. No engine runs them here."""

from __future__ import annotations

import json
import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import pytest

from tests.operations.support import ROOT, documents

if TYPE_CHECKING:
    from pathlib import Path

(COMPOSE,) = documents(ROOT / "docker-compose.yml")
GRAFANA = ROOT / "deploy" / "grafana"
BEHIND = ("prometheus", "grafana")
"""Services that only people on this machine may reach."""


@pytest.fixture(scope="module")
def dashboard() -> dict[str, Any]:
    """The dashboard."""
    loaded: dict[str, Any] = json.loads((GRAFANA / "dashboards" / "reder.json").read_text(encoding="utf-8"))
    return loaded


@pytest.mark.parametrize("name", ["reder-cpu", "reder-gpu"])
def test_settings_come_from_a_file(name: str) -> None:
    """Keys, above all: the file need not exist, and git leaves it out. What the profile itself sets is set still."""
    service = COMPOSE["services"][name]
    assert service["env_file"] == [{"path": "reder.env", "required": False}]
    assert "/reder.env" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert not [setting for setting in service.get("environment", {}) if "KEYS" in setting]


def test_the_recipe_for_keys_fits() -> None:
    """docs/security.md has a key made by a service that is there, in its profile, without starting it."""
    document = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    pattern = r"--profile (\w+) run --rm --no-deps -T --entrypoint reder (\S+) key web\) &&\n +echo .* >> (\S+)"
    ((profile, name, file),) = re.findall(pattern, document)
    service = COMPOSE["services"][name]
    assert service["profiles"] == [profile]
    assert [one["path"] for one in service["env_file"]] == [file]


@pytest.mark.parametrize("name", BEHIND)
def test_hardened_and_on_loopback(name: str) -> None:
    """Pinned to a version, read-only, without rights, limited, checked, and reachable from this machine alone."""
    service = COMPOSE["services"][name]
    assert re.fullmatch(r"[\w./-]+:v?\d+\.\d+\.\d+", service["image"])
    assert service["read_only"]
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert set(service["deploy"]["resources"]["limits"]) == {"cpus", "memory", "pids"}
    assert service["healthcheck"]["test"]
    assert [port for port in service["ports"] if not port.startswith("127.0.0.1:")] == []
    assert "profiles" not in service, "it runs in every profile"


@pytest.mark.parametrize("name", BEHIND)
def test_what_is_mounted_is_there_and_read_only(name: str) -> None:
    """Every file and folder of this repository that is mounted exists, and cannot be written to."""
    assert mounts(name)
    assert {source for source in mounts(name).values() if not source.exists()} == set()
    bound = [volume for volume in COMPOSE["services"][name]["volumes"] if volume.startswith("./")]
    assert [volume for volume in bound if not volume.endswith(":ro")] == []


def test_prometheus_finds_its_alerts() -> None:
    """Rule files lie where the mounted configuration looks for them."""
    (configuration,) = documents(ROOT / "deploy" / "prometheus" / "prometheus.yml")
    there = mounts("prometheus")
    (command,) = [one for one in COMPOSE["services"]["prometheus"]["command"] if one.startswith("--config.file=")]
    folder = PurePosixPath(command.removeprefix("--config.file=")).parent
    assert configuration["rule_files"]
    assert {name for name in configuration["rule_files"] if str(folder / name) not in there} == set()


def test_grafana_finds_dashboard_and_data(dashboard: dict[str, Any]) -> None:
    """The folder of dashboards is mounted where it is looked for; every panel asks the one data source there is."""
    there = mounts("grafana")
    (providers,) = documents(GRAFANA / "provisioning" / "dashboards" / "reder.yml")
    assert [there[one["options"]["path"]] for one in providers["providers"]] == [GRAFANA / "dashboards"]
    home = PurePosixPath(COMPOSE["services"]["grafana"]["environment"]["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"])
    assert (there[str(home.parent)] / home.name).is_file()
    (sources,) = documents(GRAFANA / "provisioning" / "datasources" / "prometheus.yml")
    (source,) = sources["datasources"]
    assert source["url"].split("/")[2].split(":")[0] in COMPOSE["services"]
    asked = {target["datasource"]["uid"] for panel in dashboard["panels"] for target in panel.get("targets", [])}
    assert asked == {source["uid"]}


def test_panels_are_told_apart(dashboard: dict[str, Any]) -> None:
    """Ids and titles are unique, each panel says what it shows, and none lies on another."""
    panels = [panel for panel in dashboard["panels"] if panel["type"] != "row"]
    assert len({panel["id"] for panel in dashboard["panels"]}) == len(dashboard["panels"])
    assert len({panel["title"] for panel in panels}) == len(panels)
    assert [panel["title"] for panel in panels if not panel.get("description")] == []
    taken = [cell for panel in dashboard["panels"] for cell in cells(panel["gridPos"])]
    assert len(set(taken)) == len(taken)
    assert {x for x, _ in taken} == set(range(24))


def mounts(name: str) -> dict[str, Path]:
    """Path in the container -> file or folder of this repository."""
    bound = [volume.split(":") for volume in COMPOSE["services"][name]["volumes"] if volume.startswith("./")]
    return {target: ROOT / source for source, target, *_ in bound}


def cells(position: dict[str, int]) -> list[tuple[int, int]]:
    """The cells of the grid that a panel covers."""
    xs = range(position["x"], position["x"] + position["w"])
    ys = range(position["y"], position["y"] + position["h"])
    return [(x, y) for x in xs for y in ys]
