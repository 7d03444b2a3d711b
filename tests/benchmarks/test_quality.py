"""The comparison of translation quality: its table, its published figures, and a run against a real service."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import TYPE_CHECKING

from benchmarks.comparison import Case, Published, Quoted, Results, notes, read_published, table
from benchmarks.quality import SETS
from model.bundle import DE_EN, DIRECTIONS, EN_DE
from model.evaluate import score
from tests.benchmarks.support import SENTENCES, benchmarks, golden, here, write_set
from tests.cli.support import BUNDLE, one_line

if TYPE_CHECKING:
    from pathlib import Path


def results() -> Results:
    """Both qualities of two sets, the second in both directions; one score is missing."""
    cases = [Case("news.en-de", EN_DE, quality) for quality in ("fast", "best")]
    cases += [Case("manuals", direction, quality) for quality in ("fast", "best") for direction in DIRECTIONS]
    perfect, wrong = score("", EN_DE, ["Das ist gut so."], ["Das ist gut so."]), score("", EN_DE, ["x"], ["Nein."])
    scores = dict.fromkeys(cases, wrong) | {Case("manuals", DE_EN, "best"): perfect}
    del scores[Case("manuals", EN_DE, "fast")]
    seconds = {case: 10.0 if case.quality == "best" else 2.5 for case in scores}
    return Results("tiny, int8 on cpu", 7, cases, scores, seconds, {Case("manuals", EN_DE, "fast"): "refused"})


PUBLISHED = Published(
    detokenised=Quoted(
        source="a report",
        systems={"a": "System A", "b": "System B"},
        bleu={"news.en-de": {"en-de": {"b": Decimal("27.0")}}, "manuals": {"de-en": {"a": Decimal("1.5")}}},
    ),
    tokenised=Quoted(
        source="a paper",
        systems={"p": "P greedy", "q": "P best"},
        bleu={"news.en-de": {"en-de": {"p": Decimal("26.90"), "q": Decimal("28.9")}}},
    ),
)


def test_table_has_every_cell() -> None:
    """Scores and figures stand in their columns, what failed says so, what is unknown is blank."""
    titles, *rows = table(results(), PUBLISHED).splitlines()
    measured = "| set | direction | REDER fast: BLEU / chrF | REDER best: BLEU / chrF "
    assert titles == f"{measured}| System A | System B | papers (tokenised BLEU) |"
    assert rows == [
        "| --- | --- | ---: | ---: | ---: | ---: | --- |",
        "| news.en-de | en-de | 0.0 / 0.0 | 0.0 / 0.0 |  | 27.0 | P greedy 26.90, P best 28.9 |",
        "| manuals | en-de | failed | 0.0 / 0.0 |  |  |  |",
        "| manuals | de-en | 0.0 / 0.0 | 100.0 / 100.0 | 1.5 |  |  |",
    ]


def test_notes_tell_measured_from_quoted() -> None:
    """Under the table: each signature once, what was served, and where every column comes from."""
    bleu, chrf, served, cost, origin = notes(results(), PUBLISHED).split("\n\n")
    assert bleu.startswith("BLEU|nrefs:1|")
    assert chrf.startswith("chrF2|nrefs:1|")
    assert served == "Bundle: tiny, int8 on cpu."
    assert cost == "In time, REDER best / fast: 4.0."  # of what was translated in both
    measured, _, quoted = origin.partition(" Quoted: ")
    assert measured == "Measured by this run: REDER fast, REDER best, on the first 7 sentences of each set only."
    assert quoted.startswith("System A, System B from a report; tokenised BLEU")
    assert "a paper" in quoted


def test_published_figures_are_well_formed() -> None:
    """Every set, direction and system of published.toml is known, and every figure lies between 0 and 100."""
    published = read_published()
    for quoted in (published.detokenised, published.tokenised):
        assert quoted.source
        assert quoted.bleu
        assert quoted.bleu.keys() <= set(SETS)
        for test_set, directions in quoted.bleu.items():
            used = [str(direction) for direction in DIRECTIONS if test_set.endswith(f".{direction}")]
            assert directions.keys() <= set(used or map(str, DIRECTIONS)), test_set
            for figures in directions.values():
                assert figures.keys() <= quoted.systems.keys(), test_set
                assert all(0 < figure < 100 for figure in figures.values()), test_set


def test_run_measures_every_set_that_works(tmp_path: Path) -> None:
    """A real service is scored in both directions; a text that it refuses costs its own score only, and exit code 1."""
    english, german = golden()
    write_set(tmp_path, "tiny", english, german)
    write_set(tmp_path, "refused", ["No control\0characters.", *english[1:]], german)
    file = tmp_path / "scores.json"
    run = here("quality", "--bundle", BUNDLE, "--sets", tmp_path, "--set", "refused", "--set", "tiny", "--json", file)
    assert run.exit_code == 1, run.stderr
    assert "refused en-de fast: " in run.stderr
    assert "answers 422" in run.stderr
    assert "Traceback" not in run.stderr

    rows = [[cell.strip() for cell in line.split("|")[1:6]] for line in run.stdout.splitlines() if line.startswith("|")]
    found = json.loads(file.read_text(encoding="utf-8"))
    cells = {
        (one["test_set"], one["direction"], one["quality"]): f"{one['bleu']:.1f} / {one['chrf']:.1f}"
        for one in found["scores"]
    }
    assert rows[2:] == [
        ["refused", "en-de", "failed", "failed", "failed"],
        *(
            [test_set, direction, *(cells[test_set, direction, quality] for quality in ("fast", "good", "best"))]
            for test_set, direction in (("refused", "de-en"), ("tiny", "en-de"), ("tiny", "de-en"))
        ),
    ]
    assert {(one["test_set"], one["direction"]) for one in found["failures"]} == {("refused", "en-de")}
    assert all(one["seconds"] > 0 for one in found["scores"])
    assert "In time, REDER best / fast: " in run.stdout
    greedy = next(one for one in found["scores"] if one["test_set"] == "tiny" and one["direction"] == "en-de")
    assert (greedy["quality"], greedy["segments"]) == ("fast", SENTENCES)
    assert greedy["chrf"] > 60, "the reference is the bundle's own greedy translation"


def test_unknown_set_is_a_clear_error(tmp_path: Path) -> None:
    """A set that is not there ends the run before a service starts; the message names it and those that are."""
    write_set(tmp_path, "tiny", ["One."], ["Eins."])
    run = here("quality", "--bundle", BUNDLE, "--sets", tmp_path, "--set", "wmt99")
    assert run.exit_code == 2
    assert run.stdout == ""
    assert one_line(run.stderr) == f"reder: no set wmt99 in {tmp_path}; there are: tiny\n"


def test_nothing_listens(tmp_path: Path) -> None:
    """A service that cannot be reached is one line, not a table of failures."""
    write_set(tmp_path, "tiny", ["One."], ["Eins."])
    run = here("quality", "--url", "http://127.0.0.1:9", "--sets", tmp_path, "--set", "tiny")
    assert run.exit_code == 1
    assert run.stdout == ""
    assert "http://127.0.0.1:9: ConnectError" in one_line(run.stderr)


def test_help_lists_the_commands() -> None:
    """`python -m benchmarks --help` names each measurement."""
    run = benchmarks("--help")
    assert run.returncode == 0
    listed = [line.split()[0] for line in run.stdout.partition("Commands:")[2].splitlines() if line]
    assert {"load", "quality"} <= set(listed)
