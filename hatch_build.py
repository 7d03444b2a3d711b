"""Builds what is in C, the search and the network, when the package is installed or a wheel is made.

An editable installation has the libraries beside their sources; else they are built in a temporary folder and go into
the wheel alone.
Any C compiler will do: what CC names, or `cc`. Where there is none, pip gets one for as long as the build takes, zig's;
so it does where that compiler cannot compile these files, and `pip -v` shows why.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from packaging.tags import sys_tags

LIBRARIES = [Path("model/bundle/_search.so"), Path("service/engine/kernels/_network.so")]
"""Each of all C files in its folder; so they are called on every system, for they are loaded by their paths."""
OPTIONS = ["-O3", "-ffp-contract=off", "-fvisibility=hidden", "-shared"]
if sys.platform != "win32":  # where all code may be moved, and compilers refuse the option
    OPTIONS.append("-fPIC")
ZIG = "ziglang==0.17.1"


class NativeBuildHook(BuildHookInterface[Any]):
    """Has the libraries built before files are collected, and in them."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """What pip installs for the build besides hatchling."""
        return [] if _own_compiler(Path(self.root)) else [ZIG]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the libraries; the wheel is one for this system, and for any Python."""
        root = Path(self.root)
        if version != "editable":
            self._folder = tempfile.TemporaryDirectory()
        for library in LIBRARIES:
            if version == "editable":
                build(root, library, root / library)
            else:
                part = Path(self._folder.name) / library.name
                build(root, library, part)
                build_data["force_include"][str(part)] = str(library)
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{_platform()}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002 - hatchling's
        """Remove what went into the wheel."""
        if version != "editable":
            self._folder.cleanup()


def sources_of(root: Path, library: Path) -> list[Path]:
    """The C files that a library is built from, headers included."""
    return sorted((root / library.parent).glob("*.[ch]"))


def build(root: Path, library: Path, to: Path) -> None:
    """Build a library.

    Args:
        root: of the repository.
        library: one of `LIBRARIES`.
        to: the file to be written, at once, so that no process ever loads half of it.

    Raises:
        subprocess.CalledProcessError: the compiler, which has said why.
    """
    sources = sources_of(root, library)
    # without `baseline` zig builds for this processor alone
    compiler = _own_compiler(root) or [sys.executable, "-m", "ziglang", "cc", "-mcpu=baseline"]
    digest = hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()
    code = [str(source) for source in sources if source.suffix == ".c"]
    with tempfile.TemporaryDirectory(dir=to.parent, prefix=".build-") as folder:
        part = Path(folder) / to.name
        subprocess.run(
            [*compiler, *OPTIONS, f'-DSOURCE="{digest}"', "-o", str(part), *code, "-lm"],
            env={"ZIG_GLOBAL_CACHE_DIR": folder, "ZIG_LOCAL_CACHE_DIR": folder} | os.environ,
            check=True,
        )
        part.replace(to)


def _own_compiler(root: Path) -> list[str]:
    """The C compiler of this system, if it has one that works; it may lack the headers of the C library."""
    command = shlex.split(os.environ.get("CC") or "cc")
    if not shutil.which(command[0]):
        return []
    code = [str(source) for library in LIBRARIES for source in sources_of(root, library) if source.suffix == ".c"]
    checked = subprocess.run(
        [*command, "-fsyntax-only", *code], capture_output=True, text=True, errors="replace", check=False
    )
    if not checked.returncode:
        return command
    said = checked.stderr.splitlines() or [f"exit code {checked.returncode}"]
    reason = next((line for line in said if "error" in line), said[0])
    sys.stderr.write(f"{command[0]} is not used, zig's compiler is: {reason}\n")
    return []


def _platform() -> str:
    """This system and processor, as wheels that run here alone name them."""
    elsewhere = "manylinux", "musllinux"  # promises about the C library, which nobody has checked
    return next(tag.platform for tag in sys_tags() if not tag.platform.startswith(elsewhere))
