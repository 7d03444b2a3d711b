"""Variants of the service under the same loads: how they are given, and a run against real services."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from benchmarks.variants import parse_variant
from tests.benchmarks.support import golden, here, table_rows, write_set
from tests.cli.support import BUNDLE, ROOT, one_line

if TYPE_CHECKING:
    from pathlib import Path


def test_variant_of_settings_environment_and_checkout() -> None:
    """Names of settings, in capitals those of variables, and the folder of a checkout are told apart."""
    variant = parse_variant(f"quality=best,checkout={ROOT / 'tests' / '..'},REDER_X=a=b,threads=1")
    assert variant.settings == {"quality": "best", "threads": "1"}
    assert variant.environment == {"REDER_X": "a=b"}
    assert variant.checkout == ROOT


def test_run_against_real_services(tmp_path: Path) -> None:
    """Each variant gets the same loads: what is faster shows as ratios, and so does what refuses to translate."""
    write_set(tmp_path, "real", *golden(10))
    refusing = f"checkout={ROOT},REDER_QUALITY=fast,max_body_bytes=10"
    run_ = here(
        *("variants", "--bundle", BUNDLE, "--set", tmp_path / "real", "--sentences", 10, "--rounds", 1),
        *("--seconds", 0.8, "--clients", 2, "--rate", 20, "--output", tmp_path, "--setting", "threads=1"),
        *("--variant", refusing),
    )
    assert run_.exit_code == 0, run_.stderr
    found = json.loads((tmp_path / "variants.json").read_text(encoding="utf-8"))
    assert found["settings"]["threads"] == "1"
    figures = {(one["load"], one["variant"]): one for one in found["found"]}
    names = ["as it is", refusing]
    assert [*figures] == [(load, name) for load in ("2 clients", "20 a second") for name in names]
    for (load, name), one in figures.items():
        assert (one["accepted"] > 0) == (name != refusing), (load, name)
        assert (one["failed"] > 0) == (name == refusing), (load, name)
    rows = table_rows(run_.stdout)
    assert len(rows) == 2 + len(figures)
    assert rows[2].startswith("| 2 clients | single | as it is | ")
    assert rows[2].endswith(" | 0 | 0 | 1.00 | 1.00 | 1.00 |")
    assert rows[3].endswith(" | 0.00 |  |  |")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--variant", "no_such=1"), "--variant no_such=1"),
        (("--variant", "threads=few"), "threads"),
        (("--variant", "checkout=/no/such"), "there is no version of this project in /no/such"),
        (("--variant", "threads=1", "--shape", "round"), "--shape round"),
    ],
)
def test_wrong_variant_is_a_clear_error(options: tuple[str, ...], said: str) -> None:
    """What cannot be run is named before anything starts."""
    run_ = here("variants", "--bundle", BUNDLE, *options)
    assert run_.exit_code == 2
    assert run_.stdout == ""
    assert said in one_line(run_.stderr)
