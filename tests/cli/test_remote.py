"""The translator that evaluation uses, against servers that are well, busy and broken."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.main import app
from cli.remote import RemoteTranslator
from model.bundle import EN_DE
from reder import BusyError, RederError
from tests.client.support import Answer, server


@pytest.fixture
def one_sentence(tmp_path: Path) -> Path:
    """A test set of one sentence, as `reder evaluate` wants it named."""
    for language in ("en", "de"):
        (tmp_path / f"set.{language}").write_text("A DOG\n", encoding="utf-8")
    return tmp_path / "set"


def test_batches_in_order() -> None:
    """Many texts go in several requests with the quality asked for, and come back in order, blank ones too."""
    texts = [f"text {number}" for number in range(150)] + ["", "long " * 3000]
    with server() as (url, seen):
        assert RemoteTranslator(f"{url}/", quality="best").translate(EN_DE, texts) == [text.upper() for text in texts]
    assert {request.path for request in seen} == {"/translate?dir=en-de&quality=best"}
    assert len(seen) > 2


def test_asks_again_while_there_is_patience() -> None:
    """A busy service is asked again, but not for longer than was said."""
    with server(Answer(503)) as (url, seen):
        assert RemoteTranslator(url).translate(EN_DE, ["a"]) == ["A"]
    assert len(seen) == 2
    with server(Answer(429, (("Retry-After", "60"),))) as (url, _), pytest.raises(BusyError):
        RemoteTranslator(url, patience_s=5).translate(EN_DE, ["a"])


def test_fails() -> None:
    """A service that answers with an error is an error that says so."""
    with server(Answer(500, body="oops")) as (url, _), pytest.raises(RederError, match="answers 500: oops"):
        RemoteTranslator(url).translate(EN_DE, ["a"])


def test_sends_the_key(one_sentence: Path) -> None:
    """A service that wants a key is given the one of --api-key, or of the environment."""
    with server() as (url, seen):
        arguments = ["evaluate", str(one_sentence), "--url", url]
        assert CliRunner().invoke(app, [*arguments, "--api-key", "one"]).exit_code == 0
        assert CliRunner(env={"REDER_API_KEY": "two"}).invoke(app, arguments).exit_code == 0
    assert {request.headers["X-API-Key"] for request in seen} == {"one", "two"}


def test_a_file_for_scores_that_cannot_be_had(one_sentence: Path, tmp_path: Path) -> None:
    """It is told before anything is translated."""
    with server() as (url, seen):
        arguments = ["evaluate", str(one_sentence), "--url", url, "--json", str(tmp_path / "nowhere" / "x.json")]
        run = CliRunner().invoke(app, arguments)
    assert (run.exit_code, run.stdout, seen) == (1, "", [])
    assert "No such file" in run.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full disk")
def test_scores_are_printed_whatever_becomes_of_the_file(one_sentence: Path) -> None:
    """A disk that is full by then costs the file, and not the scores that took so long."""
    with server() as (url, _):
        run = CliRunner().invoke(app, ["evaluate", str(one_sentence), "--url", url, "--json", "/dev/full"])
    assert run.exit_code == 1
    assert "No space left" in run.stderr
    assert "| set |" in run.stdout
