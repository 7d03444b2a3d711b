"""What is in C, built by zig's compiler, which pip fetches where there is no other."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from packaging.requirements import Requirement

import hatch_build
from model.bundle import EN_DE, Bundle
from model.bundle.libraries import load_library
from service.engine import network as native
from service.types import Batch

if TYPE_CHECKING:
    from numpy.typing import NDArray

ROOT = Path(__file__).parent.parent
NETWORK = Path("service/engine/kernels/_network.so")
WHOLE = ("x86_64-windows-gnu", "aarch64-macos", "riscv64-linux-musl")
ASKING = ("x86_64-linux-musl", "x86_64-macos", "aarch64-linux-gnu", "aarch64-windows-gnu")
"""Systems that what asks the system is compiled for, too; the rest has but the same header of theirs."""


def greedy(bundle: Bundle) -> NDArray[np.float32]:
    """Log probabilities of the best tokens of a few sentences."""
    network = native.Network(bundle)
    batch = Batch.pad(bundle.tokenizer.encode_batch(bundle.canary("en")[:8]))
    return network.run(EN_DE, batch, native.Team(network), choices=1).log_probs


def test_either_compiler_builds_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The network built by zig finds the same instructions, and the same probabilities to the bit."""
    bundle = Bundle.open(ROOT / "bundles/reder-small", verify=False)
    usable = native.instruction_sets()
    wanted = greedy(bundle) if usable else None
    monkeypatch.setenv("CC", "there-is-no-such-compiler")
    for cache in ("ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR"):
        monkeypatch.setenv(cache, str(Path.home() / ".cache/zig"))  # what was built here before is there still
    hatch_build.build(ROOT, NETWORK, tmp_path / "_network.so")
    library = native.declared(ctypes.CDLL(str(tmp_path / "_network.so")))
    monkeypatch.setattr(native, "_library", lambda: library)
    assert native.instruction_sets() == usable
    if wanted is not None:
        assert np.array_equal(greedy(bundle), wanted)


def test_a_compiler_that_is_not_used_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With what it says is wrong, since what takes its place is a download of a hundred megabytes."""
    compiler = tmp_path / "old-cc"
    compiler.write_text("#!/bin/sh\necho In file included from amx.c: >&2\necho amx.c:9: error: no AMX >&2\nexit 1\n")
    compiler.chmod(0o755)
    monkeypatch.setenv("CC", str(compiler))
    assert hatch_build._own_compiler(ROOT) == []
    assert capsys.readouterr().err == f"{compiler} is not used, zig's compiler is: amx.c:9: error: no AMX\n"


def test_a_header_counts_as_source(tmp_path: Path) -> None:
    """Whoever changes one and forgets to build is told."""
    shutil.copytree(ROOT / NETWORK.parent, tmp_path / "kernels")
    library = tmp_path / "kernels" / NETWORK.name
    load_library(library)
    with (tmp_path / "kernels/forward.h").open("a") as header:
        header.write("/* changed */\n")
    with pytest.raises(ImportError, match=r"_network\.so was built from other C files than there are"):
        load_library(library)


@pytest.mark.parametrize("target", WHOLE + ASKING)
@pytest.mark.parametrize("library", hatch_build.LIBRARIES, ids=str)
def test_it_compiles_for_other_systems(library: Path, target: str, tmp_path: Path) -> None:
    """Without an error; on processors that there is no code for, little is left."""
    compiler = (sys.executable, "-m", "ziglang", "cc", "-target", target, "-mcpu=baseline")
    for source in hatch_build.sources_of(ROOT, library):
        if source.suffix == ".c" and (target in WHOLE or source.stem in {"network", "search"}):
            command = [*compiler, "-O0", "-c", "-o", str(tmp_path / "object"), str(source)]
            done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
            assert done.returncode == 0, done.stderr


def test_the_compiler_is_the_one_that_pip_fetches() -> None:
    """The tests have the version that hatch_build.py names."""
    (pin,) = re.findall(r"^ziglang==.*?(?= )", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE)
    assert Requirement(pin) == Requirement(hatch_build.ZIG)
