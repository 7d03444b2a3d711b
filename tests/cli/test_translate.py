"""`reder translate` on the bundle of this repository: what comes out is laid out as what went in."""

from __future__ import annotations

import io
import re
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from cli.main import app
from cli.translate_text import CHARACTERS, groups, pieces
from tests.cli.support import BUNDLE, ENVIRONMENT, LIMIT_S, one_line, reder
from tests.client.support import Answer, live_parts, live_settings, problem, server
from tests.service.processes import free_port
from tests.service.support import serve

if TYPE_CHECKING:
    from pathlib import Path

    from typer.testing import Result

COMMON = ("translate", "--bundle", BUNDLE, "--dir")


def translate(*arguments: object, text: bytes = b"", quality: str | None = None) -> Result:
    """Run the command in this process, with REDER_QUALITY or without; its modules take longer to load than it runs."""
    runner = CliRunner(env={"REDER_QUALITY": quality})
    return runner.invoke(app, [*map(str, (*COMMON, *arguments))], input=text)


def layout(text: str) -> list[str]:
    """The white space of a text that is not between words of one sentence."""
    return re.findall(r"^[ \t]+|\t+|\r?\n|\f", text, flags=re.MULTILINE)


def test_prints_the_translation_alone() -> None:
    """A text gives its translation and a line end on standard output, and nothing on standard error."""
    run = reder(*COMMON, "en-de", "Two dogs run.")
    assert run.returncode == 0
    assert run.stderr == b""
    assert re.fullmatch(r"\S[^\n]*\n", run.stdout.decode())
    assert run.stdout.decode().strip() != "Two dogs run."


def test_texts_each_on_a_line() -> None:
    """Several texts come out in order, a line each; one that is blank stays blank."""
    together = translate("de-en", "Zwei Hunde rennen.", " ", "Ein Mann liest.").stdout.splitlines()
    assert together[0] == translate("de-en", "Zwei Hunde rennen.").stdout.strip()
    assert together[1] == " "
    assert len(together) == 3


def test_a_text_that_names_a_file(tmp_path: Path) -> None:
    """It is translated as a text, as it says, and whoever meant the file is told how to name one."""
    (tmp_path / "letter.txt").write_text("Two dogs run.", encoding="utf-8")
    run = translate("en-de", str(tmp_path / "letter.txt"))
    assert run.stdout.strip() == str(tmp_path / "letter.txt")
    assert one_line(run.stderr) == "reder: text 1 is the name of a file; to translate the file, say --file\n"


def test_standard_input_keeps_its_layout() -> None:
    """Line breaks of both kinds, tabs, indentation, blank lines and the missing last line end survive."""
    text = "A man reads.\tTwo dogs run.\r\n\r\n   It is cold. It snows.\n\f\n\n\tThe end"
    run = translate("en-de", text=text.encode())
    assert run.exit_code == 0
    assert layout(run.stdout_bytes.decode()) == layout(text)
    assert not run.stdout.endswith("\n")


def test_files_are_joined(tmp_path: Path) -> None:
    """Files come out one after the other, just as each alone would."""
    first, second = tmp_path / "first.txt", tmp_path / "second.txt"
    first.write_text("A man reads.\n", encoding="utf-8")
    second.write_text("Two dogs run.\n", encoding="utf-8")
    run = translate("en-de", "--file", first, "--file", second)
    assert run.stdout == translate("en-de", text=first.read_bytes() + second.read_bytes()).stdout
    assert run.stdout.count("\n") == 2


def test_a_dash_is_standard_input(tmp_path: Path, url: str) -> None:
    """As a text alone and among files it stands for standard input; for a file in --output it has no name."""
    first = tmp_path / "first.txt"
    first.write_text("A man reads.\n", encoding="utf-8")

    def run(*arguments: object) -> Result:
        command = ["translate", "--dir", "en-de", "--url", url, *map(str, arguments)]
        return CliRunner().invoke(app, command, input="Two dogs run.\n")

    expected = run().stdout
    assert run("-").stdout == expected != "Two dogs run.\n"
    assert run("-f", first, "-f", "-").stdout == run("-f", first).stdout + expected
    for arguments in (("-f", "-", "-o", tmp_path), ("-f", "-", "-f", "-")):
        refused = run(*arguments)
        assert (refused.exit_code, "standard input" in one_line(refused.stderr)) == (2, True)


@pytest.mark.parametrize("text", [b"", b"\n \n\n"])
def test_nothing_to_translate(text: bytes) -> None:
    """Empty input, or white space alone, comes out as it is."""
    run = translate("en-de", text=text)
    assert (run.exit_code, run.stdout_bytes, run.stderr) == (0, text, "")


def test_reader_leaves_early() -> None:
    """When the reader closes the pipe, the command ends as filters do, without complaint."""
    command = [sys.executable, "-m", "cli.main", "translate", "--dir", "en-de", "--bundle", str(BUNDLE)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=ENVIRONMENT) as process:
        assert process.stdout
        process.stdout.close()
        process.stdout = None
        _, complaint = process.communicate(b"Two dogs run.\n", timeout=LIMIT_S)
    assert complaint == b""
    assert process.returncode == 128 + signal.SIGPIPE


def test_goes_on_after_a_restart_of_the_service(tmp_path: Path) -> None:
    """A service that is stopped and started again while a long text goes through it costs none of the text."""
    port, source = free_port(), tmp_path / "long.txt"
    source.write_text("".join(f"A man reads {number} books.\n" for number in range(400)), encoding="utf-8")
    command = [sys.executable, "-m", "cli.main", "translate", "--dir", "en-de", "--url", f"http://127.0.0.1:{port}"]
    pipe = subprocess.PIPE
    with serve(live_settings(), live_parts(), port=port):
        command += ["-f", str(source)]
        process = subprocess.Popen(command, bufsize=0, stdout=pipe, stderr=pipe, env=ENVIRONMENT)
        assert process.stdout
        begun = process.stdout.readline()
    with serve(live_settings(), live_parts(), port=port):
        rest, complaint = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 0, complaint
    assert (begun + rest).count(b"\n") == 400


def test_says_why_it_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A service that is busy for long is named once, with what it answers; one that soon has time is not."""
    busy = problem(503, "draining", "shutting\ndown")
    with server(busy, Answer(), busy, busy) as (url, _):
        command = ["translate", "--dir", "en-de", "--url", url, "a"]
        assert CliRunner().invoke(app, command).stderr == ""
        monkeypatch.setattr("cli.translate_engines._SILENT_S", 0.4)
        run = CliRunner().invoke(app, command)
    assert (run.exit_code, run.stdout) == (0, "A\n")
    assert one_line(run.stderr) == f"reder: waiting: {url} answers 503: shutting down\n"


@pytest.mark.parametrize(
    ("arguments", "text", "said"),
    [
        ([], b"Caf\xe9\n", "standard input is not UTF-8"),
        ([b"Caf\xe9".decode(errors="surrogateescape")], b"", "text 1 is not UTF-8"),
    ],
    ids=["input", "argument"],
)
def test_what_is_not_utf_8(arguments: list[str], text: bytes, said: str) -> None:
    """It is named in one line, and nothing is printed."""
    command = [sys.executable, "-m", "cli.main", "translate", "--dir", "en-de", "--bundle", str(BUNDLE), *arguments]
    run = subprocess.run(command, input=text, env=ENVIRONMENT, capture_output=True, check=False, timeout=LIMIT_S)
    assert run.returncode in {1, 2}
    assert said in one_line(run.stderr)
    assert run.stdout == b""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--file", "nowhere.txt"), "nowhere.txt: No such file or directory"),
        (("--bundle", "nowhere", "word"), "nowhere is not a bundle"),
    ],
    ids=["file", "bundle"],
)
def test_what_is_not_there(arguments: tuple[str, ...], said: str) -> None:
    """Likewise."""
    run = translate("en-de", *arguments)
    assert run.exit_code in {1, 2}
    assert said in one_line(run.stderr)
    assert run.stdout == ""


@pytest.mark.parametrize(
    ("closed", "code", "said"),
    [
        ("<&-", 2, "reder: standard input is closed\n"),
        (">&-", 2, "reder: standard output is closed\n"),
        ("2>&-", 0, ""),
    ],
)
def test_closed_streams(closed: str, code: int, said: str) -> None:
    """Without a stream that it needs the command says which; it does without standard error."""
    command = f"{sys.executable} -m cli.main translate --dir en-de --bundle {BUNDLE} {closed}"
    run = subprocess.run(
        ["/bin/sh", "-c", command], input=b"", env=ENVIRONMENT, capture_output=True, check=False, timeout=LIMIT_S
    )
    assert (run.returncode, run.stderr.decode()) == (code, said)


@pytest.mark.parametrize("unit", ["word ", "A sentence. ", "A line\r\n", "Two\nlines\n\n", "Two\r\nlines\r\n\r\n", "x"])
def test_long_input_is_read_in_bounded_pieces(unit: str) -> None:
    """Pieces are the text, each is bounded, and each ends where a paragraph, line, sentence or word does, if any."""
    text = unit * (5 * CHARACTERS // len(unit)) + "rest"
    read = list(pieces(io.StringIO(text, newline="")))
    assert "".join(read) == text
    assert max(map(len, read)) <= 2 * CHARACTERS
    assert all(piece.endswith(unit) for piece in read[:-1])
    grouped = list(groups(read))
    assert ["".join(group) for group in grouped if len(group) > 1 and sum(map(len, group)) > CHARACTERS] == []
    assert [piece for group in grouped for piece in group] == read


@pytest.mark.parametrize("text", ["Two dogs play in the snow.", "We met. Dr. Smith spoke", "x " * CHARACTERS])
def test_the_end_of_a_text_is_not_cut_off(text: str) -> None:
    """A short text is one piece, and the last sentence of a long one is not parted from its last word."""
    *_, end = pieces(io.StringIO(text, newline=""))
    assert end == text if len(text) < CHARACTERS else len(end) > CHARACTERS // 4


def test_a_text_is_translated_as_a_line_of_standard_input() -> None:
    """The last word of a text that ends without a line end belongs to its sentence."""
    text = "A man is reading a newspaper on a bench in the snow."
    line = translate("en-de", text=f"{text}\n".encode()).stdout
    assert translate("en-de", text).stdout == line
    assert translate("en-de", text=text.encode()).stdout == line.rstrip("\n")


def test_the_environment_says_how_hard_to_look() -> None:
    """REDER_QUALITY counts for the command, too, unless it is told otherwise; where neither says, it is good."""
    text = "Two men are discussing the federal government's unemployment measures."
    fast, good = (translate("en-de", "--quality", quality, text).stdout for quality in ("fast", "good"))
    assert fast != good
    assert translate("en-de", text).stdout == good
    assert translate("en-de", text, quality="fast").stdout == fast
    assert translate("en-de", "--quality", "good", text, quality="fast").stdout == good


def test_best_quality_keeps_the_layout() -> None:
    """With best quality, too, every text comes out on its line, and a group of many texts is not refused."""
    texts = [f"A man reads {number} books. It is cold." for number in range(40)]
    run = translate("en-de", "--quality", "best", *texts)
    assert run.exit_code == 0, run.stderr
    lines = run.stdout.splitlines()
    assert len(lines) == 40
    assert all(line.strip() for line in lines)


def test_attributes(tmp_path: Path, url: str) -> None:
    """In HTML what attributes say is text, too, if that is wanted, here and with a service; other files go as ever."""
    page, letter = tmp_path / "page.html", tmp_path / "letter.txt"
    page.write_text('<p><img alt="A red car"></p>\n', encoding="utf-8")
    letter.write_text("Two dogs run.\n", encoding="utf-8")

    def lines(*arguments: object) -> list[str]:
        run = CliRunner().invoke(app, ["translate", *map(str, arguments), "-f", str(page), "-f", str(letter)])
        assert run.exit_code == 0, run.stderr
        return run.stdout.splitlines()

    untouched, translation = lines("--dir", "auto", "--url", url)
    assert (untouched, translation == "Two dogs run.") == (page.read_text(encoding="utf-8").strip(), False)
    for arguments in (("--dir", "auto", "--bundle", BUNDLE), ("--dir", "en-de", "--url", url)):
        first, second = lines(*arguments, "--attributes")
        assert "Auto" in first
        assert second not in {"", "Two dogs run."}
    wrong = translate("en-de", "--attributes", "Two dogs run.")
    assert wrong.exit_code == 2
    assert one_line(wrong.stderr) == "reder: --attributes belongs to HTML and Markdown: say --format\n"
