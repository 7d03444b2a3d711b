"""How many cores the service takes: as many as there are, or as many as its control group has the time of."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from service.engine.cores import usable_cores

if TYPE_CHECKING:
    from pathlib import Path

HAS = 8
UNIFIED = "0::/"
LEGACY = "5:devices:/\n1:cpu,cpuacct:/docker/1a2b"


@pytest.fixture(autouse=True)
def _eight_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(HAS)), raising=False)


def write(system: Path, files: dict[str, str]) -> None:
    """Files of a made-up system."""
    for name, content in files.items():
        path = system / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{content}\n", encoding="ascii")


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param({}, HAS, id="no control groups"),
        pytest.param({"proc/self/cgroup": UNIFIED, "sys/fs/cgroup/cpu.max": "max 100000"}, HAS, id="no limit"),
        pytest.param({"proc/self/cgroup": UNIFIED, "sys/fs/cgroup/cpu.max": "200000 100000"}, 2, id="a container"),
        pytest.param({"proc/self/cgroup": UNIFIED, "sys/fs/cgroup/cpu.max": "150000 100000"}, 2, id="one and a half"),
        pytest.param({"proc/self/cgroup": UNIFIED, "sys/fs/cgroup/cpu.max": "20000 100000"}, 1, id="a fifth of one"),
        pytest.param({"proc/self/cgroup": UNIFIED, "sys/fs/cgroup/cpu.max": "1600000 100000"}, HAS, id="too many"),
        pytest.param({"proc/self/cgroup": UNIFIED, "sys/fs/cgroup/cpu.max": "nonsense"}, HAS, id="unreadable"),
        pytest.param(
            {"proc/self/cgroup": "0::/a.slice/b.service", "sys/fs/cgroup/a.slice/b.service/cpu.max": "300000 100000"},
            3,
            id="a unit of systemd",
        ),
        pytest.param(
            {
                "proc/self/cgroup": "0::/a.slice/b.service",
                "sys/fs/cgroup/a.slice/cpu.max": "200000 100000",
                "sys/fs/cgroup/a.slice/b.service/cpu.max": "max 100000",
            },
            2,
            id="a unit of a limited slice",
        ),
        pytest.param(
            {
                "proc/self/cgroup": LEGACY,
                "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "200000",
                "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000",
            },
            2,
            id="version 1, a container",
        ),
        pytest.param(
            {
                "proc/self/cgroup": LEGACY,
                "sys/fs/cgroup/cpu/docker/1a2b/cpu.cfs_quota_us": "-1",
                "sys/fs/cgroup/cpu/docker/1a2b/cpu.cfs_period_us": "100000",
            },
            HAS,
            id="version 1, no limit",
        ),
    ],
)
def test_a_limit_on_processor_time_is_a_limit_on_cores(tmp_path: Path, files: dict[str, str], expected: int) -> None:
    """A process that may use the time of two cores starts as many threads as two cores need."""
    write(tmp_path, files)
    assert usable_cores(tmp_path) == expected
