"""What holds the repository together: imports, pins, and what its documents promise."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from service.settings import Settings

ROOT = Path(__file__).parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
PIN = re.compile(r"(?P<name>[a-z0-9-]+)==(?P<version>[0-9][a-z0-9.]*)  # via [\w, .-]+")
TORCH_CUDA = ("nvidia-", "cuda-", "triton")  # pinned by torch itself, where its build needs them
TRAINING_LIBRARIES = {"onnx", "onnxscript", "safetensors", "tensorboard", "torch"}

NOT_OURS = [
    re.compile(pattern)
    for pattern in (
        rb"/(?<![\w.}]/)(?:work|root|home|Users)/\w",  # a path of somebody's machine
        rb"pypi\.org",
        rb"pythonhosted\.org",
        rb"registry\.npmjs",
        rb"--(?:extra-)?index-url",
        rb"file:///\w",
    )
]
"""Each begins with what is searched for: in 200 MB of bundles that takes a tenth of the time of one pattern for all."""


def pins(name: str) -> dict[str, str]:
    """Package -> version of a constraints file; fails on a line that is anything but a plain pin."""
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    matches = {line: PIN.fullmatch(line) for line in lines if not line.startswith("#")}
    assert not [line for line, match in matches.items() if match is None], "not a plain pin"
    return {match["name"]: match["version"] for match in matches.values() if match}


def requirements(*extras: str) -> list[Requirement]:
    """What pyproject.toml asks for directly."""
    listed: list[str] = [*PROJECT["dependencies"]]
    for extra in extras:
        listed += PROJECT["optional-dependencies"][extra]
    return [Requirement(text) for text in listed]


def needed(roots: list[Requirement]) -> set[str]:
    """Every distribution that `roots` pull in here, followed through installed metadata."""
    found: set[str] = set()
    seen: set[tuple[str, str]] = set()
    waiting = [(root, extra) for root in roots for extra in ("", *root.extras)]
    while waiting:
        requirement, extra = waiting.pop()
        name = canonicalize_name(requirement.name)
        if (name, extra) in seen:
            continue
        seen.add((name, extra))
        found.add(name)
        for text in metadata.requires(name) or []:
            child = Requirement(text)
            if child.marker is None or child.marker.evaluate({"extra": extra}):
                waiting += [(child, inner) for inner in ("", *child.extras)]
    return found


def repository_files() -> list[Path]:
    """Files that are, or would be, committed."""
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    listing = subprocess.run(
        [git, "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True
    )
    return [file for name in listing.stdout.decode().split("\0") if name and (file := ROOT / name).is_file()]


@pytest.mark.parametrize("module", ["service.app", "service.__main__", "cli.main", "model.bundle"])
def test_imports_without_training_libraries(module: str) -> None:
    """A fresh interpreter that imports the service or the command line loads no torch and no training code."""
    code = f"import sys, {module}; print(*sys.modules, sep='\\n')"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60)
    loaded = run.stdout.split()
    assert module in loaded
    assert not TRAINING_LIBRARIES & set(loaded)
    ours = {name for name in loaded if name.startswith("model.")}
    assert {name for name in ours if not name.startswith("model.bundle")} == set()


def test_constraints_pin_everything_installed() -> None:
    """constraints.txt pins every direct and indirect dependency of cpu, otel, train and dev."""
    everything = needed(requirements("cpu", "otel", "train", "dev"))
    loose = {name for name in everything - pins("constraints.txt").keys() if not name.startswith(TORCH_CUDA)}
    assert loose == set()


def test_what_builds_is_pinned() -> None:
    """Whatever pip gets to build the package is one version: hatchling, and the compiler where there is none."""
    compiler = re.search(r'^ZIG = "(.*)"$', (ROOT / "hatch_build.py").read_text(encoding="utf-8"), re.MULTILINE)
    assert compiler
    for text in (*PYPROJECT["build-system"]["requires"], compiler[1]):
        (pin,) = Requirement(text).specifier
        assert pin.operator == "=="


@pytest.mark.parametrize("extra", sorted(PROJECT["optional-dependencies"]))
def test_pins_satisfy_pyproject(extra: str) -> None:
    """Each pin lies in the range that pyproject.toml gives, the GPU's and the optional ones included."""
    versions = pins("constraints.txt") | pins("constraints-gpu.txt")
    outside = [r for r in requirements(extra) if not r.specifier.contains(versions[canonicalize_name(r.name)])]
    assert outside == []


def test_constraints_do_not_contradict() -> None:
    """No package is pinned in both files, so that pip can be given both."""
    assert pins("constraints.txt").keys() & pins("constraints-gpu.txt").keys() == set()


def test_every_setting_is_documented() -> None:
    """docs/configuration.md is what `make docs` writes: every setting, with the default and description of the code."""
    run = subprocess.run(
        [sys.executable, "-m", "service.settings"], cwd=ROOT, capture_output=True, encoding="utf-8", check=True
    )
    written = (ROOT / "docs/configuration.md").read_text(encoding="utf-8")
    assert written == run.stdout, "run `make docs`"
    assert written.count("| `REDER_") == len(Settings.model_fields)


def test_readme_make_targets_exist() -> None:
    """Every `make NAME` that the README shows is a target of the Makefile."""
    shown = set(re.findall(r"\bmake ([a-z]+)\b", code_of(ROOT / "README.md")))
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE))
    assert {"serve", "test"} <= shown <= targets


@pytest.mark.parametrize(
    ("environment", "arguments", "served"),
    [
        ({}, (), ("127.0.0.1", "8000", "bundles/reder-medium")),
        ({"HOST": "build-7", "PORT": "1", "BUNDLE": "x"}, (), ("127.0.0.1", "8000", "bundles/reder-medium")),
        ({"REDER_HOST": "::1", "REDER_PORT": "9000", "REDER_BUNDLE": "b"}, (), ("::1", "9000", "b")),
        ({"REDER_HOST": "::1"}, ("HOST=0.0.0.0", "BUNDLE=b"), ("0.0.0.0", "8000", "b")),  # noqa: S104 - not opened
    ],
)
def test_where_make_serves(environment: dict[str, str], arguments: tuple[str, ...], served: tuple[str, ...]) -> None:
    """`make serve` goes by its own command line, then by the service's variables, and by no others."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith(("REDER_", "MAKE"))}
    command = ["make", "--dry-run", "serve", *arguments]
    run = subprocess.run(command, cwd=ROOT, env=ours | environment, capture_output=True, text=True, check=True)
    host, port, bundle = served
    assert f"REDER_HOST='{host}' REDER_PORT='{port}' REDER_BUNDLE='{bundle}' exec " in run.stdout


def test_readme_recipes_exist() -> None:
    """Every recipe that the README trains from is there."""
    recipes = set(re.findall(r"model/recipes/[\w.-]+", code_of(ROOT / "README.md")))
    assert recipes
    assert {recipe for recipe in recipes if not (ROOT / recipe).is_file()} == set()


def test_readme_commands_exist() -> None:
    """Every `reder NAME` that the README shows is a command, and every command is shown."""
    shown = set(re.findall(r"(?<!from )\breder ([a-z][a-z-]*)\b", code_of(ROOT / "README.md")))
    run = subprocess.run(
        [sys.executable, "-c", "from cli.main import main; main()", "--help"],
        cwd=ROOT,
        env=os.environ | {"PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=60,
    )
    commands = set(re.findall(r"^(?:[│|]| ) ([a-z][a-z-]*)\s", run.stdout, flags=re.MULTILINE))
    assert shown == commands


@pytest.mark.parametrize(
    "document", sorted(str(p.relative_to(ROOT)) for p in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
)
def test_relative_links_lead_somewhere(document: str) -> None:
    """Every relative link of the documents points to a file that exists."""
    path = ROOT / document
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", path.read_text(encoding="utf-8"))
    assert [link for link in links if not (path.parent / link).exists()] == []


def test_packages_say_what_their_modules_are_for() -> None:
    """Of each, in the package it is in; and of no other."""
    roots = ROOT / "model", ROOT / "service" / "pipeline"
    packages = {file.parent for root in roots for file in (root / "__init__.py", *root.glob("*/__init__.py"))}
    for package in packages - {ROOT / "service" / "pipeline" / "lists"}:
        named = re.findall(r"^ *(\w+) {2,}", (package / "__init__.py").read_text(encoding="utf-8"), re.MULTILINE)
        parts = [*package.glob("*.py"), *(file.parent for file in package.glob("*/__init__.py"))]
        assert {*named} == {part.stem for part in parts} - {"__init__"}, package.name


def test_security_names_tests_that_exist() -> None:
    """Every test that docs/security.md cites for a threat is there, and every threat has one."""
    document = (ROOT / "docs/security.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\|(?! threat|---)(.+)\|$", document, flags=re.MULTILINE)
    cited = [re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", row) for row in rows]
    assert cited
    assert [row for row, tests in zip(rows, cited, strict=True) if not tests] == []
    assert [
        f"{file}::{test}"
        for file, test in {one for tests in cited for one in tests}
        if not (ROOT / file).is_file() or f"def {test}(" not in (ROOT / file).read_text(encoding="utf-8")
    ] == []


def test_repository_names_no_machine() -> None:
    """No file holds a path of somebody's machine or the address of a package registry, graphs included."""
    contents = ((file, file.read_bytes()) for file in repository_files())
    found = {
        file.relative_to(ROOT): match[0]
        for file, content in contents
        for one in NOT_OURS
        if (match := one.search(content))
    }
    assert found == {}


def code_of(document: Path) -> str:
    """The fenced blocks and code spans of a Markdown file."""
    text = document.read_text(encoding="utf-8")
    return "\n".join(re.findall(r"```.*?```|`[^`\n]+`", text, flags=re.DOTALL))
