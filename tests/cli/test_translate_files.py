"""`reder translate` on files and folders: what is written, what is left alone, and that it goes on where it stopped."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from cli.main import app
from cli.translate_files import JobError, find_jobs, waves
from tests.cli.support import BUNDLE, ENVIRONMENT, LIMIT_S, here, one_line
from tests.client.support import Answer, live_parts, live_settings, problem, server
from tests.service.documents import from_gallery
from tests.service.support import serve, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from typer.testing import Result

    from cli.translate_files import Job

TREE = {
    "read.me": "Not of a known format.\n",
    "letter.txt": "\ufeffGood morning.\r\n\r\n  A man reads.\fTwo dogs run.\n",
    "empty.txt": "",
    "blank.txt": " \n\n",
    ".hidden.txt": "Hidden.",
    ".git/config.txt": "Hidden, too.",
    "deep/er/strings.json": '{"greeting": "Good morning.", "id": 7}\n',
    "deep/film.srt": "1\n00:00:01,000 --> 00:00:02,500\nTwo dogs run.\n\n",
}


def tree(folder: Path, files: dict[str, str]) -> Path:
    """A folder with these files."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    return folder


def content(folder: Path) -> dict[str, str]:
    """Every file in a folder, hidden ones too."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes().decode() for path in files}


def translate(*arguments: object) -> Result:
    """Run the command in this process."""
    return here("translate", *arguments)


def numbered(number: int) -> dict[str, str]:
    """So many short files."""
    return {f"{place:02}.txt": f"text {place}\n" for place in range(number)}


def test_keeps_tree_and_structure(tmp_path: Path, url: str) -> None:
    """A folder comes out with the same names; of each file only what people read is another."""
    out = tmp_path / "out"
    run = translate("--dir", "en-de", "--url", url, "-f", tree(tmp_path / "in", TREE), "-o", out)
    assert (run.exit_code, run.stdout) == (0, "")
    assert run.stderr == "5 translated, 1 of no known format\n"
    found = content(out)
    assert found.keys() == {name for name in TREE if ".hidden" not in name and ".git" not in name} - {"read.me"}
    assert found["empty.txt"] == ""
    assert found["blank.txt"] == " \n\n"
    first, blank, last = found["letter.txt"].split("\r\n") if "\r\n" in found["letter.txt"] else ("", "?", "")
    assert first.startswith("\ufeff")
    assert blank == ""
    assert last.startswith("  ")
    assert (last.count("\f"), last.count("\n")) == (1, 1)
    strings = json.loads(found["deep/er/strings.json"])
    assert (strings.keys(), strings["id"]) == ({"greeting", "id"}, 7)
    assert strings["greeting"] != "Good morning."
    assert found["deep/film.srt"].startswith("1\n00:00:01,000 --> 00:00:02,500\n")
    assert not found["deep/film.srt"].endswith("Two dogs run.\n\n")


def test_same_with_and_without_a_service(tmp_path: Path, url: str) -> None:
    """The pipeline in this process writes what the service writes, reports included; each file finds its direction."""
    files = TREE | {
        "brief.txt": "Ein Mann liest auf einer Bank die Zeitung.\n",
        "long.txt": "A man reads." + "\n" * 20_000 + "Bold.",
    }
    source = tree(tmp_path / "in", files)
    common = ("translate", "--dir", "auto", "--target", "de", "-f", source)
    environment = {"REDER_PRECISION": "fp32", "REDER_THREADS": "1"}
    for name, engine in (("here", ("--bundle", BUNDLE)), ("there", ("--url", url))):
        report = ("-o", tmp_path / name, "--report", tmp_path / f"{name}.jsonl")
        run = CliRunner(env=environment).invoke(app, [*map(str, (*common, *engine, *report))])
        assert run.exit_code == 0, run.stderr
    assert content(tmp_path / "here") == content(tmp_path / "there")
    assert content(tmp_path / "here")["brief.txt"] == files["brief.txt"]
    here, there = (sorted((tmp_path / name).read_text().splitlines()) for name in ("here.jsonl", "there.jsonl"))
    assert [scoreless(line) for line in here] == [scoreless(line) for line in there]


def scoreless(line: str) -> dict[str, object]:
    """A row of a report without its scores, which the service rounds."""
    return {name: value for name, value in json.loads(line).items() if name not in {"confidence", "reverse_score"}}


def test_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """After the process is killed, finished files are whole and stay; the next run does the others, and no more."""
    source, out = tree(tmp_path / "in", numbered(40)), tmp_path / "out"
    gate = threading.Event()
    with server(*[Answer(body='{"translations": [{"text": "DONE\\n", "confidence": 1}]}')] * 34, gate=gate) as (
        url,
        seen,
    ):
        command = [sys.executable, "-m", "cli.main", "translate", "--dir", "en-de", "--url", url]
        command += ["-f", str(source), "-o", str(out)]
        with subprocess.Popen(command, env=ENVIRONMENT, stderr=subprocess.PIPE) as process:
            wait_until(lambda: len(seen) > 34)
            process.send_signal(signal.SIGKILL)
            process.communicate(timeout=LIMIT_S)
        finished = {name: text for name, text in content(out).items() if not name.startswith(".")}
        assert 0 < len(finished) <= 34
        assert set(finished.values()) == {"DONE\n"}
        gate.set()
        before = len(seen)
        run = translate("--dir", "en-de", "--url", url, "-f", source, "-o", out)
        asked = [text for request in seen[before:] for text in request.texts]
        assert run.stderr == f"{40 - len(finished)} translated, {len(finished)} finished earlier\n"
        assert sorted(asked) == sorted(text for name, text in numbered(40).items() if name not in finished)
        assert content(out).keys() == numbered(40).keys()


def test_does_again_what_has_changed(tmp_path: Path) -> None:
    """A file that is newer than its translation is done again, and with --force every one."""
    source, out = tree(tmp_path / "in", numbered(3)), tmp_path / "out"
    with server() as (url, seen):
        again = ("--dir", "en-de", "--url", url, "-f", source, "-o", out)
        assert translate(*again).stderr == "3 translated\n"
        (source / "01.txt").write_text("changed", encoding="utf-8")
        later = (out / "01.txt").stat().st_mtime_ns + 1
        os.utime(source / "01.txt", ns=(later, later))
        assert translate(*again).stderr == "1 translated, 2 finished earlier\n"
        assert content(out)["01.txt"] == "CHANGED"
        assert translate(*again, "--force").stderr == "3 translated\n"
    assert len(seen) == 7


def test_what_one_run_begins_to_do_again_no_other_takes_for_finished(tmp_path: Path) -> None:
    """If --force is ended by an error, a run without it does the rest, and no more."""
    common = ("--dir", "en-de", "-f", tree(tmp_path / "in", numbered(40)), "-o", tmp_path / "out", "--url")
    with server(*[Answer()] * 72, *[Answer(404)] * 8) as (url, _):
        assert translate(*common, url).exit_code == 0
        assert "answers 404" in one_line(translate(*common, url, "--force").stderr)
    with server() as (url, _):
        assert translate(*common, url).stderr == "8 translated, 32 finished earlier\n"


def weak(*texts: str) -> Answer:
    """An answer with details: a segment for each text, those with a W weak."""
    segments = [
        {
            "source": {"text": text.lower(), "start": None, "end": None},
            "target": {"text": text, "start": None, "end": None},
            "confidence": 0.25,
            "reverse_score": 0.125,
            "flags": ["weak", "number"] if "W" in text else [],
            "alignment": [],
        }
        for text in texts
    ]
    return Answer(body=json.dumps({"translations": [{"text": "T", "confidence": 1, "segments": segments}]}))


@pytest.mark.parametrize("name", ["report.tsv", "report.jsonl"])
def test_report(name: str, tmp_path: Path) -> None:
    """Flagged segments are listed with their file and number; a second run keeps those of files finished earlier."""
    source, out, report = tree(tmp_path / "in", {"a.txt": "a", "b.txt": "b"}), tmp_path / "out", tmp_path / name
    tricky = 'W\t"quoted"\nnext line, \u2028'
    with server(weak("FINE", tricky), Answer(500, body="oops"), weak("WEAK")) as (url, seen):
        again = ("--dir", "en-de", "--url", url, "-o", out, "--report", report)
        assert translate(*again, "-f", source / "a.txt").stderr == "1 translated, 1 segments to look at\n"
        failed = translate(*again, "-f", source)
        assert failed.exit_code == 1
        assert failed.stderr.endswith("1 finished earlier, 1 failed, 1 segments to look at\n")
        assert translate(*again, "-f", source).stderr == "1 translated, 1 finished earlier, 2 segments to look at\n"
    assert {request.query.get("details") for request in seen} == {"true"}
    text = report.read_bytes().decode()
    if name.endswith(".tsv"):
        rows = list(csv.DictReader(io.StringIO(text, newline=""), dialect="excel-tab"))
    else:
        rows = [json.loads(line) for line in text.split("\n")[:-1]]
    assert [row["file"] for row in rows] == ["a.txt", "b.txt"]
    assert [int(row["segment"]) for row in rows] == [2, 1]
    assert [row["target"] for row in rows] == [tricky, "WEAK"]
    table = ("weak number", "0.1250")
    assert [(row["flags"], row["reverse_score"]) for row in rows] == [
        table if name.endswith(".tsv") else (["weak", "number"], 0.125)
    ] * 2


@pytest.mark.parametrize("name", ["report.tsv", "report.jsonl"])
def test_report_of_a_file_whose_name_is_not_utf_8(name: str, tmp_path: Path) -> None:
    """It is listed, and its rows stay in a second run, as those of any other."""
    source, report = tmp_path / "caf\udce9.txt", tmp_path / name
    source.write_text("a", encoding="utf-8")
    with server(weak("WEAK")) as (url, _):
        again = ("--dir", "en-de", "--url", url, "-o", tmp_path / "out", "--report", report, "-f", source)
        assert translate(*again).stderr == "1 translated, 1 segments to look at\n"
        assert translate(*again).stderr == "1 finished earlier, 1 segments to look at\n"
    assert r"caf\udce9.txt" in report.read_text(encoding="utf-8").replace("\\\\", "\\")


def test_one_bad_file_does_not_stop_the_others(tmp_path: Path, url: str) -> None:
    """What is not UTF-8, not of its format or too large is named, and leaves nothing behind; the rest is translated."""
    source, out = (
        tree(tmp_path / "in", {"a.json": "{", "c.txt": "It snows.", "d.json": f'["{"a " * 60_000}"]'}),
        tmp_path / "out",
    )
    (source / "b.txt").write_bytes(b"Caf\xe9")
    run = translate("--dir", "en-de", "--url", url, "-f", source, "-o", out)
    assert run.exit_code == 1
    *reasons, summary = run.stderr.splitlines()
    assert summary == "1 translated, 3 failed"
    assert [reason.startswith(f"reder: {source}/{name}") for reason, name in zip(reasons, "abd", strict=True)] == [
        True
    ] * 3
    assert "answers 422" in reasons[0]
    assert "not UTF-8" in reasons[1]
    assert reasons[2].endswith("it cannot be cut, and has 120004 characters; the service takes 100000 in one request")
    assert content(out).keys() == {"c.txt"}


def test_stops_when_nothing_can_be_translated(tmp_path: Path) -> None:
    """Without a valid key, or with no service there, one line says so and no file is written."""
    source, out = tree(tmp_path / "in", numbered(3)), tmp_path / "out"
    with server(*[problem(401, "unauthenticated", "send a key")] * 3) as (url, _):
        for address, said in ((url, "answers 401: send a key"), ("http://127.0.0.1:9", "ConnectError")):
            run = translate("--dir", "en-de", "--url", address, "-f", source, "-o", out)
            assert run.exit_code == 1
            assert said in one_line(run.stderr)
    assert content(out) == {}


def test_sends_the_key(tmp_path: Path) -> None:
    """The key of --api-key, or of the environment, which others on the machine cannot see, is sent."""
    source = tree(tmp_path, numbered(1)) / "00.txt"
    with server() as (url, seen):
        assert translate("--dir", "en-de", "--url", url, "-f", source, "--api-key", "one").exit_code == 0
        run = CliRunner(env={"REDER_API_KEY": "two"})
        assert run.invoke(app, ["translate", "--dir", "en-de", "--url", url, "-f", str(source)]).exit_code == 0
    assert [request.headers["X-API-Key"] for request in seen] == ["one", "two"]


def test_documents_may_hold_controls(url: str, tmp_path: Path) -> None:
    """A service refuses them, so they are sent as spaces; the documents are translated as they are without one."""
    files = {"a.html": "<p>Good morning.\x07</p>\f\n", "b.md": "Good\x1fmorning.\n\n\fTwo dogs run.\n"}
    source, out = tree(tmp_path / "in", files), tmp_path / "out"
    run = translate("--dir", "en-de", "--url", url, "-f", source, "-o", out)
    assert (run.exit_code, run.stderr) == (0, "2 translated\n")
    found = content(out)
    assert found["a.html"].startswith("<p>Guten Morgen.")
    assert found["a.html"].endswith("</p> \n")
    assert re.fullmatch(r"Guten Morgen\.\n\n.*\bHunde\b.*\n", found["b.md"])


@pytest.mark.parametrize("bad", ["latin.txt", "nowhere.txt"])
def test_what_is_before_a_bad_file_is_printed(bad: str, tmp_path: Path) -> None:
    """Without --output, too: of several files, all that come before one that cannot be read; then the error."""
    source = tree(tmp_path, {"a.txt": "first\n", "b.txt": "second\n"})
    (source / "latin.txt").write_bytes(b"Caf\xe9\n")
    named = [argument for name in ("a.txt", "b.txt", bad, "a.txt") for argument in ("-f", source / name)]
    with server() as (url, seen):
        run = translate("--dir", "en-de", "--url", url, *named)
    assert (run.exit_code, run.stdout) == (1, "FIRST\nSECOND\n")
    assert bad in one_line(run.stderr)
    assert len(seen) == 1


def test_glossary(url: str, tmp_path: Path) -> None:
    """Words of a glossary come out as it says; a file that is none is one line that says where."""
    terms = tmp_path / "terms.tsv"
    terms.write_text("museum\tHaus der Kunst\n\n", encoding="utf-8")
    run = translate("--dir", "en-de", "--url", url, "--glossary", terms, "The museum opens at nine.")
    assert "Haus der Kunst" in run.stdout
    terms.write_text("museum\tMuseum\nkitchen\n", encoding="utf-8")
    run = translate("--dir", "en-de", "--url", url, "--glossary", terms, "The museum opens at nine.")
    assert "terms.tsv, line 2: expected" in one_line(run.stderr)
    terms.write_text("museum\tMuseum\n", encoding="utf-16")
    run = translate("--dir", "en-de", "--url", url, "--glossary", terms, "The museum opens at nine.")
    assert "terms.tsv is not UTF-8" in one_line(run.stderr)


def test_documents_to_standard_output(url: str, tmp_path: Path) -> None:
    """Without --output documents go to standard output, whole; standard input is what --format says."""
    source = tree(tmp_path, {"strings.json": TREE["deep/er/strings.json"]}) / "strings.json"
    run = translate("--dir", "en-de", "--url", url, "-f", source)
    assert json.loads(run.stdout)["id"] == 7
    arguments = ["translate", "--dir", "en-de", "--url", url, "--format", "json"]
    assert CliRunner().invoke(app, arguments, input=source.read_bytes()).stdout == run.stdout
    broken = CliRunner().invoke(app, arguments, input=b"[")
    assert broken.exit_code == 1
    assert "standard input: " in one_line(broken.stderr)
    assert "answers 422" in broken.stderr


@pytest.fixture(scope="module")
def narrow() -> Iterator[str]:
    """Where a service is that takes little in one request."""
    with serve(live_settings(), live_parts(), max_characters=450) as served:
        yield served.url


@pytest.mark.parametrize("name", ["film.srt", "film.vtt", "manual.md", "shop.po", "shop.json"])
@pytest.mark.parametrize("direction", ["en-de", "auto"])
def test_long_documents_are_sent_in_parts(name: str, direction: str, url: str, narrow: str, tmp_path: Path) -> None:
    """What comes of a document that is too long for one request is what a service writes that takes more."""
    source = from_gallery(name)
    source = f"[{source},{source},{source}]" if name.endswith(".json") else source * 3
    tree(tmp_path, {name: source})
    for service, there in ((url, "wide"), (narrow, "narrow")):
        report = ("--report", tmp_path / f"{there}.jsonl")
        run = translate("--dir", direction, "--url", service, "-f", tmp_path / name, "-o", tmp_path / there, *report)
        assert run.exit_code == 0, run.stderr
    assert content(tmp_path / "narrow") == content(tmp_path / "wide") != {name: source}
    assert (tmp_path / "narrow.jsonl").read_text() == (tmp_path / "wide.jsonl").read_text()


def test_the_direction_of_a_long_document_is_that_of_its_first_words(narrow: str, tmp_path: Path) -> None:
    """Parts without words settle nothing; a later part in the other language stays with the others."""
    texts = ["1"] * 300 + ["Zwei Hunde laufen über die Wiese."] * 20 + ["Two dogs run across the meadow."]
    source = tree(tmp_path, {"texts.json": json.dumps(texts)}) / "texts.json"
    run = translate("--dir", "auto", "--target", "de", "--url", narrow, "-f", source)
    assert json.loads(run.stdout) == texts
    run = translate("--dir", "auto", "--target", "en", "--url", narrow, "-f", source)
    assert json.loads(run.stdout)[:300] == texts[:300]
    assert not set(json.loads(run.stdout)[300:320]) & set(texts)


def test_what_cannot_be_cut_is_refused(narrow: str, tmp_path: Path) -> None:
    """Before anything is translated, the reason names the limit; what is wrong with a document is told all the same."""
    long = "A dog runs. " * 50
    files = {
        "a.html": f"<p>{long}</p>",
        "b.md": f"Two men talk.\n\n{long}\n",
        "c.po": f"Two men.\n{long}",
        "d.md": "Two men talk.\n",
    }
    run = translate("--dir", "en-de", "--url", narrow, "-f", tree(tmp_path / "in", files), "-o", tmp_path / "out")
    *reasons, summary = run.stderr.splitlines()
    assert summary == "1 translated, 3 failed"
    for reason, said in zip(
        reasons,
        (
            "it cannot be cut, and has 607 characters; the service takes 450 in one request",
            "a part that cannot be cut has 602 characters; the service takes 450 in one request",
            "line 1: not a line of a gettext catalogue",
        ),
        strict=True,
    ):
        assert reason.endswith(said)


@pytest.mark.parametrize("direction", ["en-de", "auto"])
def test_long_text_is_sent_in_pieces(direction: str, narrow: str, url: str, tmp_path: Path) -> None:
    """A service that takes little in one request gets a long text in pieces, which are put together again."""
    text = "".join(f"A man reads {number} books.\r\n" for number in range(60)) + "Zwei Hunde.\r\n"
    source = tree(tmp_path, {"long.txt": text}) / "long.txt"
    common = ("--dir", direction, "--target", "de") if direction == "auto" else ("--dir", direction)
    wide, cut = (translate(*common, "--url", service, "-f", source) for service in (url, narrow))
    assert cut.exit_code == 0, cut.stderr
    assert cut.stdout_bytes == wide.stdout_bytes != text.encode()


def test_what_is_too_long_for_a_service_in_any_pieces(tmp_path: Path) -> None:
    """A service that finds everything too large is asked a few times, and then the file is refused."""
    source = tree(tmp_path / "in", {"a.txt": "A dog runs. " * 100}) / "a.txt"
    with server(*[problem(413, "too-large", "too much")] * 99) as (url, seen):
        run = translate("--dir", "en-de", "--url", url, "-f", source, "-o", tmp_path / "out")
    assert run.stderr.splitlines() == [f"reder: {source}: {url} answers 413: too much", "1 failed"]
    assert len(seen) < 9


def test_a_proxy_without_a_service_ends_the_run(tmp_path: Path) -> None:
    """Nothing can be translated then: the command does not go through all the files in vain."""
    source, out = tree(tmp_path / "in", numbered(40)), tmp_path / "out"
    with server(*[Answer()] * 32, *[Answer(502, body="<h1>Bad Gateway</h1>")] * 8) as (url, _):
        run = translate("--dir", "en-de", "--url", url, "-f", source, "-o", out)
    assert "answers 502" in one_line(run.stderr)
    assert len(content(out)) == 32


@pytest.mark.parametrize("way", ["de-en", None])
def test_the_beginning_settles_the_direction(way: str | None, tmp_path: Path) -> None:
    """With --dir auto a long text goes one way, or stays as it is, however a later part of it might be understood."""
    text = " \n" * 10_000 + "Guten Morgen.\n" * 2000 + "Bold."
    found = {"text": "X", "confidence": 1, "dir": way, "unchanged": way is None}
    found["detected"] = {"language": "de", "confidence": 1}
    source = tree(tmp_path, {"long.txt": text}) / "long.txt"
    with server(Answer(body=json.dumps({"translations": [found]}))) as (url, seen):
        run = translate("--dir", "auto", "--quality", "fast", "--url", url, "-f", source, "-o", tmp_path / "out")
    assert run.exit_code == 0, run.stderr
    asked = [request.query["dir"] for request in seen]
    assert asked == (["auto", "de-en"] if way else ["auto"])
    assert content(tmp_path / "out")["long.txt"].endswith("BOLD." if way else "Bold.")


def test_jobs(tmp_path: Path) -> None:
    """Formats go by extension or as given, folders in one another are one, and no file would replace another."""
    source, out = tree(tmp_path / "in", {"a.HTML": "", "b.log": "", "sub/c.md": ""}), tmp_path / "in" / "out"
    (out / "d.txt").parent.mkdir()
    (out / "d.txt").write_text("an earlier translation", encoding="utf-8")
    jobs, unknown = find_jobs([source], out, None)
    assert [(job.name, job.form) for job in jobs] == [("a.HTML", "html"), ("sub/c.md", "markdown")]
    assert unknown == 1
    assert [job.form for job in find_jobs([source], out, "text")[0]] == ["text"] * 3
    assert [job.form for job in find_jobs([source / "b.log", source / "b.log"], out, None)[0]] == ["text"]


@pytest.mark.parametrize("output", [[], ["-o", "out"]])
def test_what_is_no_text_is_not_taken_for_some(tmp_path: Path, output: list[str]) -> None:
    """A named file with markup of a format that is not read here; unless somebody says that it is text."""
    source = tree(tmp_path, {"a.txt": "One.\n", "b.resx": "<b>One.</b>\n"})
    run = translate("--dir", "en-de", "--url", "http://x", "-f", source / "a.txt", "-f", source / "b.resx", *output)
    assert run.exit_code == 2
    assert "b.resx is of no known format" in run.stderr
    assert not (tmp_path / "out").exists()


def test_no_source_is_replaced_by_the_translation_of_another(tmp_path: Path) -> None:
    """A folder for translations around the sources may be where one of them already is."""
    source = tree(tmp_path / "a", {"b/x.txt": "One dog.", "b/b/x.txt": "Two dogs."}) / "b"
    with pytest.raises(JobError, match=r"a/b/x\.txt would be replaced by the translation of .*a/b/b/x\.txt"):
        find_jobs([source], source.parent, None)


def test_a_folder_that_cannot_be_read_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its files would be missing, and nobody would know."""
    source = tree(tmp_path / "in", {"a.txt": "a", "secret/b.txt": "b"})
    listed = os.scandir

    def scandir(path: str) -> object:
        if str(path).endswith("secret"):
            raise PermissionError(13, "Permission denied", path)
        return listed(path)

    monkeypatch.setattr("os.scandir", scandir)
    with pytest.raises(PermissionError, match="secret"):
        find_jobs([source], tmp_path / "out", None)


def test_odd_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file with the longest name that there is is translated; one that goes away meanwhile is named at the end."""
    long = f"{'n' * 251}.txt"
    source, out = tree(tmp_path / "in", {long: "a", "gone.txt": "b", "z.txt": "c"}), tmp_path / "out"

    def going(jobs: list[Job]) -> Iterator[list[Job]]:
        (source / "gone.txt").unlink()
        return waves(jobs)

    monkeypatch.setattr("cli.translate_files.waves", going)
    with server() as (url, _):
        run = translate("--dir", "en-de", "--url", url, "-f", source, "-o", out)
    assert run.stderr.splitlines() == [
        f"reder: {source}/gone.txt: No such file or directory",
        "2 translated, 1 failed",
    ]
    assert content(out) == {long: "A", "z.txt": "C"}


def test_waves(tmp_path: Path) -> None:
    """What is under way at once is bounded in files and bytes; one file that is larger goes alone."""
    sizes = [100] * 70 + [40_000, 40_000, 200_000, 5]
    source = tree(tmp_path / "in", {f"{place:03}.txt": "x" * size for place, size in enumerate(sizes)})
    jobs, _ = find_jobs([source], tmp_path / "out", None)
    assert [[job.size for job in wave] for wave in waves(jobs)] == [
        [100] * 32, [100] * 32, [*[100] * 6, 40_000], [40_000], [200_000], [5],
    ]  # fmt: skip


USAGE: list[tuple[Sequence[str], int, str]] = [
    (["-f", "in", "-o", "in"], 1, "would be replaced by its translation"),
    (["-f", "in", "-f", "in/sub", "-o", "out"], 1, "would both become"),
    (["-f", "nowhere", "-o", "out"], 1, "nowhere: No such file"),
    (["-f", "in"], 2, "is a folder; say with --output"),
    (["-o", "out"], 2, "--output needs files"),
    (["--force", "word"], 2, "--force belongs to --output"),
    (["--target", "de", "word"], 2, "--target belongs to --dir auto"),
    (["--url", "http://127.0.0.1:9", "--bundle", "x", "word"], 2, "--url or --bundle"),
    (["--url", "", "word"], 2, "--url is empty"),
    (["--url", "http://127.0.0.1:9", "--api-key", "clé", "word"], 1, "cannot be a key"),
    (["--url", "http://127.0.0.1:9", "--report", "nowhere/r.tsv", "word"], 1, "No such file"),
]


@pytest.mark.parametrize(
    ("arguments", "code", "said"), USAGE, ids=lambda value: value if isinstance(value, str) else None
)
def test_usage(arguments: Sequence[str], code: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be meant is one line, and nothing is written."""
    before = content(tree(tmp_path, {"in/a.txt": "a", "in/sub/a.txt": "a"}))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REDER_BUNDLE", str(BUNDLE))
    run = CliRunner().invoke(app, ["translate", "--dir", "en-de", *arguments])
    assert said in one_line(run.stderr)
    assert run.exit_code == code
    assert content(tmp_path) == before


def test_not_a_report(tmp_path: Path) -> None:
    """A file that would have to be added to, and is no report, stays as it is."""
    source, out, notes = tree(tmp_path / "in", numbered(1)), tmp_path / "out", tmp_path / "notes.jsonl"
    notes.write_text("1\n", encoding="utf-8")
    with server() as (url, _):
        again = ("--dir", "en-de", "--url", url, "-f", source, "-o", out)
        assert translate(*again).exit_code == 0
        run = translate(*again, "--report", notes)
    assert "no report" in one_line(run.stderr)
    assert notes.read_text(encoding="utf-8") == "1\n"


@pytest.mark.parametrize("name", ["notes.txt", "notes.jsonl"])
@pytest.mark.parametrize("notes", [b"Two dogs run.", b"Two dogs run.\n", b"One\nTwo\n", b"\xff\xfeO\x00"])
def test_a_report_replaces_no_other_file(name: str, notes: bytes, tmp_path: Path) -> None:
    """Not even the file to translate, if it is named twice; an earlier report and an empty file are replaced."""
    path, out = tmp_path / name, tmp_path / "out"
    path.write_bytes(notes)
    with server(weak("WEAK"), weak("WEAK")) as (url, seen):
        run = translate("--dir", "en-de", "--url", url, "-f", path, "-o", out, "--report", path)
        assert f"{name} is no report" in one_line(run.stderr)
        assert (path.read_bytes(), seen) == (notes, [])
        path.write_bytes(b"")
        assert translate("--dir", "en-de", "--url", url, "--report", path, "a").exit_code == 0
        report = path.read_bytes()
        assert report
        assert translate("--dir", "en-de", "--url", url, "--report", path, "a").exit_code == 0
        assert path.read_bytes() == report


def test_a_report_replaces_no_device(tmp_path: Path) -> None:
    """A pipe stays one."""
    pipe = tmp_path / "pipe.tsv"
    os.mkfifo(pipe)
    run = translate("--dir", "en-de", "--url", "http://127.0.0.1:9", "--report", pipe, "word")
    assert "is no report" in one_line(run.stderr)
    assert pipe.is_fifo()


def test_interrupted(tmp_path: Path) -> None:
    """Ctrl-C ends the command with one line that says how to go on; no half of a file is left."""
    source, out = tree(tmp_path / "in", numbered(3)), tmp_path / "out"
    with server(gate=threading.Event()) as (url, seen):
        command = [sys.executable, "-m", "cli.main", "translate", "--dir", "en-de", "--url", url]
        command += ["-f", str(source), "-o", str(out)]
        with subprocess.Popen(command, env=ENVIRONMENT, stderr=subprocess.PIPE) as process:
            wait_until(lambda: len(seen) == 3)
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=LIMIT_S)
    assert one_line(said) == "reder: interrupted; the same command goes on from here\n"
    assert process.returncode == 128 + signal.SIGINT
    assert content(out) == {}
