"""What goes wrong in plain sight: one line on standard error and an exit code, never a traceback."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from cli.main import app
from tests.cli.support import BUNDLE, one_line

if TYPE_CHECKING:
    from pathlib import Path

FILES = {
    "one.tsv": b"A lonely sentence.\n",
    "latin.tsv": "Grün.\tGreen.\n".encode("latin-1"),
    "few.tsv": b"Yes.\tJa.\n",
    "half.en": b"Good morning.\n",
    "uneven.en": b"One.\nTwo.\n",
    "uneven.de": b"Eins.\n",
    "set.en": b"Good morning.\n",
    "set.de": b"Guten Morgen.\n",
    "broken.tsv.gz": b"not gzip",
    "syntax.toml": b"[model",
    "typo.toml": b"[data]\npacked = 'x'\nweight = 3\n",
    "recipe.toml": b"[data]\npacked = 'nowhere'\n",
    "noise.safetensors": b"noise",
    "file": b"",
}

CASES = [
    # prepare
    ("prepare nowhere --output out", 1, "no such file or folder: nowhere"),
    ("prepare one.tsv --output out --no-language-check", 1, "one.tsv, line 1: expected English, a tab, German"),
    ("prepare latin.tsv --output out --no-language-check", 1, "latin.tsv"),
    ("prepare broken.tsv.gz --output out --no-language-check", 1, "broken.tsv.gz"),
    ("prepare half.en --output out --no-language-check", 1, "no partner half.de"),
    ("prepare uneven.en --output out --no-language-check", 1, "differ in their number of lines"),
    ("prepare few.tsv --output out", 1, "cannot learn a vocabulary of 8000 tokens from 2 sentences"),
    ("prepare few.tsv --output out --hold-out few.tsv", 1, "no pair is left; dropped: held out 1"),
    ("prepare few.tsv --output out --tokenizer few.tsv", 1, "few.tsv is not a SentencePiece model"),
    ("prepare few.tsv --output out --tokenizer t --vocabulary-size 9000", 2, "--vocabulary-size is for learning"),
    ("prepare few.tsv --output out --tokenizer t --vocabulary-share few=0", 2, "--vocabulary-share is for learning"),
    ("prepare few.tsv --output out --tokenizer t --seed 1", 2, "--seed is for learning a vocabulary; --tokenizer"),
    ("prepare few.tsv --output out --exclude-source fwe", 1, "no pair comes from fwe; sources read: few"),
    ("prepare few.tsv --output out --vocabulary-share few=2", 2, "a share from 0 to 1"),
    ("prepare few.tsv --output file", 1, "file exists already; --force"),
    ("prepare few.tsv --output file --force", 1, "not a packed corpus and will not be replaced"),
    ("prepare empty --output out", 1, "no text found in empty"),
    # train, export
    ("train nowhere.toml", 1, "nowhere.toml"),
    ("train syntax.toml", 1, "syntax.toml"),
    ("train typo.toml", 1, "weight"),
    ("train recipe.toml", 1, "nowhere is not a packed corpus"),
    ("export recipe.toml --output out", 1, "nowhere is not a packed corpus"),
    # evaluate
    ("evaluate set", 2, "exactly one of --bundle, --weights and --url"),
    ("evaluate set --url http://x --bundle y", 2, "exactly one of"),
    ("evaluate set --weights noise.safetensors", 2, "--weights and --tokenizer belong together"),
    ("evaluate set --weights noise.safetensors --tokenizer few.tsv", 1, "few.tsv is not a SentencePiece model"),
    (f"evaluate set --weights noise.safetensors --tokenizer {BUNDLE}", 1, "noise.safetensors is not a weights file"),
    ("evaluate set --weights noise.safetensors --tokenizer few.tsv --quality best", 2, "--quality needs --bundle"),
    ("evaluate set --bundle empty --reverse-weight 0.5", 2, "--reverse-weight needs --beam"),
    ("evaluate set --bundle empty --teacher t", 2, "--teacher needs --beam"),
    ("evaluate set --bundle empty --language-weight 0.5", 2, "--language-weight needs --language-models"),
    ("evaluate set --bundle empty --token-bonus 2", 2, "--token-bonus needs --language-models"),
    ("evaluate set --bundle empty --unknown-word-cost 2", 2, "--unknown-word-cost needs --language-models"),
    ("evaluate set --url http://x --repeated-word-cost 2", 2, "--repeated-word-cost needs --language-models"),
    ("evaluate set --bundle empty --teacher-weight 2", 2, "--teacher-weight needs --teacher"),
    ("evaluate set --bundle empty --api-key k", 2, "--api-key needs --url"),
    ("evaluate set --url http://x --precision int8", 2, "--precision needs --bundle"),
    ("evaluate set --weights w --tokenizer t --reverse-weight 0", 2, "--reverse-weight needs --beam"),
    ("evaluate set --weights w --tokenizer t --beam 2 --token-bonus 2", 2, "--token-bonus needs --language-models"),
    ("evaluate set --bundle empty", 1, "empty is not a bundle"),
    ("evaluate nowhere --bundle empty", 1, "nowhere.en"),
    ("evaluate empty --bundle empty", 1, "empty holds no test set"),
    ("evaluate uneven --bundle empty", 1, "set uneven: 2 English and 1 German lines"),
    ("evaluate set --url http://127.0.0.1:9", 1, "http://127.0.0.1:9: ConnectError"),
    ("evaluate set --url nonsense", 1, "nonsense: UnsupportedProtocol"),
    ("evaluate set --bundle {BUNDLE} --json nowhere/scores.json", 1, "nowhere/scores.json"),
    # serve, translate
    ("serve --port 99999", 2, "REDER_PORT: Input should be less than or equal to 65535"),
    ("translate --dir en-de --file one.tsv word", 2, "texts or files, not both"),
]


@pytest.mark.parametrize(("command", "code", "said"), CASES, ids=[case[0] for case in CASES])
def test_one_line(command: str, code: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong file, folder, setting or address is named in one line, and nothing is left behind."""
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    for name in ("REDER_PORT", "REDER_BUNDLE"):
        monkeypatch.delenv(name, raising=False)
    before = set(tmp_path.iterdir())
    result = CliRunner().invoke(app, command.split())
    assert said in one_line(result.stderr)
    assert result.exit_code == code
    assert set(tmp_path.iterdir()) == before


@pytest.mark.parametrize("command", ["translate --dir en-de word", "evaluate set"])
def test_an_environment_that_cannot_be_used(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy that there is no way to is named in one line by what asks a service."""
    for language in ("en", "de"):
        (tmp_path / f"set.{language}").write_bytes(FILES[f"set.{language}"])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ALL_PROXY", "socks://127.0.0.1:9")
    result = CliRunner().invoke(app, [*command.split(), "--url", "http://127.0.0.1:9"])
    assert "ALL_PROXY of the environment cannot be used: Unknown scheme" in one_line(result.stderr)
    assert result.exit_code == 1


def test_a_key_of_the_environment_is_not_for_every_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """REDER_API_KEY does not keep anybody from scoring a bundle."""
    monkeypatch.chdir(tmp_path)
    result = CliRunner(env={"REDER_API_KEY": "k"}).invoke(app, ["evaluate", "nowhere", "--bundle", "empty"])
    assert "nowhere.en" in one_line(result.stderr)


@pytest.mark.parametrize("command", ["translate --dir en-de x", "serve"])
def test_no_bundle_is_named(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where that of the repository is not, a command says how to name one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REDER_BUNDLE", raising=False)
    result = CliRunner().invoke(app, command.split())
    assert result.exit_code == 2
    assert one_line(result.stderr).endswith("reder-medium here; name a bundle with --bundle or REDER_BUNDLE\n")


def test_settings_that_a_command_does_not_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is wrong with the settings of a service keeps nobody from translating without one; what is used does."""
    monkeypatch.chdir(tmp_path)
    command = ["translate", "--dir", "en-de", "--bundle", "nowhere", "Good morning."]
    unused = {"REDER_API_KEYS": "", "REDER_PORT": "tcp://10.0.0.1:80", "REDER_LOG_FORMAT": "x"}
    assert "nowhere is not a bundle" in one_line(CliRunner(env=unused).invoke(app, command).stderr)
    wrong = CliRunner(env={"REDER_THREADS": "many"}).invoke(app, command)
    assert (wrong.exit_code, "REDER_THREADS: " in one_line(wrong.stderr)) == (2, True)


def test_more_processes_than_gpus(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each process of a training run has a GPU for itself, where there are some."""
    monkeypatch.setattr("torch.cuda.device_count", lambda: 2)
    result = CliRunner().invoke(app, ["train", "recipe.toml", "--processes", "3"])
    assert result.exit_code == 2
    assert "--processes 3: there are 2 GPUs here" in one_line(result.stderr)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("translate --dir en-fr x", "'en-de', 'de-en'"),
        ("distill few.tsv --output out --bundle b --beam 101", "less than or equal to 100"),
        ("evaluate set --weights w --tokenizer t --beam 101", "less than or equal to 100"),
    ],
)
def test_values_that_there_are_not(command: str, said: str) -> None:
    """A direction that does not exist, or too wide a beam, is refused with what there is."""
    result = CliRunner().invoke(app, command.split())
    assert result.exit_code == 2
    assert said in result.stderr
