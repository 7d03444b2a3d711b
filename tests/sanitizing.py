"""What is in C, built with compilers' sanitizers, and tests that run with it in a process of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from model.bundle.libraries import digest_of, sources_of

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["SANITIZED", "check_defined", "check_sanitized"]

ROOT = Path(__file__).parent.parent
PACKAGES = ("model", "service")
OPTIONS = ("-g1", "-shared", "-fPIC")
ADDRESSES = ("-Og", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
UNDEFINED = ("-O1", "-fsanitize=undefined", "-fsanitize-trap=undefined")
ZIG = (sys.executable, "-m", "ziglang", "cc", "-mcpu=baseline")
PATIENCE_S = 300.0

SANITIZED = os.environ.get("SANITIZED", "")
"""Where the library is that was built for the tests, in the process that runs them."""


def check_sanitized(folder: Path, library: str, tests: Sequence[str]) -> None:
    """See that tests pass with a library that stops the process at any access outside of its memory.

    Args:
        folder: empty; the code is copied to it.
        library: one of the repository's, which has its sources beside it.
        tests: files of the repository, with or without `::test`. They need nothing but the packages and bundles.
    """
    compiler = shutil.which("cc")
    # the sanitizer's, and what sentencepiece throws its exceptions with, which the sanitizer must find
    runtimes = [_runtime(compiler, name) for name in ("libasan.so", "libstdc++.so.6")] if compiler else [None]
    if not (compiler and all(runtimes)):
        pytest.skip("no C compiler with sanitizers here")
    preloaded = {"LD_PRELOAD": " ".join(filter(None, runtimes)), "ASAN_OPTIONS": "detect_leaks=0"}  # Python's own
    _check(folder, library, tests, [compiler, *ADDRESSES], preloaded)


def check_defined(folder: Path, library: str, tests: Sequence[str]) -> None:
    """The same with one that stops it at what C leaves undefined, of which zig's compiler finds more than gcc."""
    _check(folder, library, tests, [*ZIG, *UNDEFINED], {})


def _check(
    folder: Path, library: str, tests: Sequence[str], compiler: Sequence[str], environment: dict[str, str]
) -> None:
    if SANITIZED:
        pytest.skip("this is one already")
    for package in PACKAGES:
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "bundles").symlink_to(ROOT / "bundles")
    path = folder / library
    path.unlink()
    sources = sources_of(ROOT / library)  # no copies: zig need not compile again what it has compiled at their paths
    code = [str(source) for source in sources if source.suffix == ".c"]
    subprocess.run([*compiler, *OPTIONS, f'-DSOURCE="{digest_of(sources)}"', "-o", str(path), *code, "-lm"], check=True)
    for name in tests:
        copied = folder / name.partition("::")[0]
        copied.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / copied.relative_to(folder), copied)
    (folder / "tests/__init__.py").touch()
    shutil.copy(__file__, folder / "tests")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-s", "-c", os.devnull, "--rootdir", str(folder)),
            *("--import-mode=importlib", "--disable-plugin-autoload", "-p", "no:cacheprovider"),
            *(str(folder / name) for name in tests),
        ],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder), "SANITIZED": str(path)} | environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def _runtime(compiler: str, name: str) -> str | None:
    found = subprocess.run([compiler, f"-print-file-name={name}"], capture_output=True, text=True, check=True)
    path = found.stdout.strip()
    return path if Path(path).is_absolute() else None
