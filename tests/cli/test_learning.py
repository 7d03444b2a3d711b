"""From text to a trained, scored network with the commands a user would type."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest
from sacrebleu import corpus_chrf

from model.architecture import build
from model.checkpoint import save_weights
from tests.cli.support import BUNDLE, ENVIRONMENT, LIMIT_S, here, one_line, train_here
from tests.model import toy

if TYPE_CHECKING:
    from pathlib import Path


RECIPE = """
[model]
preset = "tiny"
width = 32
heads = 2

[data]
packed = "packed"

[[data.validation]]
name = "toy"
english = "sets/toy.en"
german = "sets/toy.de"

[train]
max_updates = {updates}
batch_tokens = 400
warmup_updates = 2
validate_every = 60.0
save_every = 60.0
"""


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a packed corpus and test sets, as `reder prepare` left it."""
    folder = tmp_path_factory.mktemp("workshop")
    pairs = toy.sentences(120)
    lines = [f"{pair.english}\t{pair.german}\t{pair.source}\n" for pair in pairs[:100]]
    (folder / "toy.tsv").write_text("".join(lines), encoding="utf-8")
    (folder / "sets").mkdir()
    toy.validation_set(folder / "sets", pairs[100:])
    toy.validation_set(folder / "sets", pairs[100:110], "one-way.de-en")
    where = folder / "toy.tsv", "--output", folder / "packed", "--hold-out", folder / "sets"
    run = here("prepare", *where, "--no-language-check", "--vocabulary-size", toy.VOCABULARY_SIZE)
    assert run.exit_code == 0, run.stderr
    return folder


def test_train_then_evaluate(workshop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few updates write a mean network; evaluating it gives a table, and the same scores as JSON."""
    monkeypatch.chdir(workshop)
    (workshop / "few.toml").write_text(RECIPE.format(updates=4), encoding="utf-8")
    train_here(monkeypatch)
    trained = here("train", "few.toml", "--processes", 1)
    assert trained.exit_code == 0, trained.stderr
    assert trained.stdout.splitlines()[-1] == "runs/few/mean.safetensors"

    network = ["--weights", "runs/few/mean.safetensors", "--tokenizer", "packed"]
    scored = here("evaluate", *network, "sets", "--limit", "15", "--json", "scores.json")
    assert scored.exit_code == 0, scored.stderr
    rows = [line.split(" | ")[:3] for line in scored.stdout.splitlines() if line.startswith("| ")][1:]
    assert rows == [["| one-way.de-en", "de-en", "10"], ["| toy", "en-de", "15"], ["| toy", "de-en", "15"]]
    assert "version:" in scored.stdout
    scores = json.loads((workshop / "scores.json").read_text(encoding="utf-8"))
    assert [[f"| {entry['test_set']}", entry["direction"], str(entry["segments"])] for entry in scores] == rows

    (workshop / "weights.toml").write_text("[weights]\n'*' = 2.0\n", encoding="utf-8")
    counting = "language-models", "packed", "--output", "models", "--threshold", "0", "--validation", "sets/toy"
    counted = here(*counting, "--weights", "weights.toml")
    assert counted.exit_code == 0, counted.stderr
    told = counted.stdout.splitlines()
    assert [line.split(": ")[1] for line in told] == ["n-grams of en", "n-grams of de", "perplexity of toy"]
    assert re.fullmatch(r".*: en \d+\.\d, de \d+\.\d", told[-1])
    (workshop / "weights.toml").write_text("[weight]\n", encoding="utf-8")
    astray = here(*counting, "--weights", "weights.toml")
    assert astray.exit_code == 1
    assert "weights.toml: unknown key weight" in one_line(astray.stderr)
    monkeypatch.setitem(sys.modules, "eflomal", None)
    for command in ("dictionary", "shortlists"):
        alone = here(command, "packed", "--output", "models")
        assert alone.exit_code == 1
        assert "eflomal is not installed: pip install -c constraints.txt '.[align]'" in one_line(alone.stderr)
    monkeypatch.undo()
    monkeypatch.chdir(workshop)
    if find_spec("eflomal"):
        for command, counted_in in (("dictionary", "words"), ("shortlists", "pairs of tokens")):
            also = ("--also", "packed") if command == "shortlists" else ()
            aligned = here(command, "packed", "--output", "models", *also)
            assert aligned.exit_code == 0, aligned.stderr
            told = [line.split(maxsplit=2)[2] for line in aligned.stdout.splitlines()]
            assert told == [f"{counted_in} en-de", f"{counted_in} de-en"]
    searching = ["evaluate", *network, "sets/toy", "--beam", "4"]
    tables = set()
    for extra in ([], ["--language-models", "models", "--token-bonus", "4", "--language-weight", "0.5"]):
        searched = here(*searching, *extra)
        assert searched.exit_code == 0, searched.stderr
        tables.add(searched.stdout)
    assert len(tables) == 2
    for code, why, options in (
        (1, "mean.safetensors was trained with another vocabulary", (*network[:-1], BUNDLE)),
        (2, "--language-models needs --beam", (*network, "--language-models", "models")),
    ):
        astray = here("evaluate", *options, "sets/toy")
        assert astray.exit_code == code
        assert why in one_line(astray.stderr)

    refused = here("export", "few.toml", "--output", "sets", "--test", "sets")
    assert refused.exit_code == 1
    assert "sets exists and is not a bundle" in one_line(refused.stderr)


def test_word_pairs(workshop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few sentences of the grammar and of the corpus, searched by a bundle; too few to draw from are refused."""
    monkeypatch.chdir(workshop)
    learning = "word-pairs", "packed", "--bundle", BUNDLE, "--output", "pairs", "--sentences", "4", "--pairs"
    learned = here(*learning, "3")
    assert learned.exit_code == 0, learned.stderr
    assert re.fullmatch(r"pairs: en-de from \d sentences\npairs: de-en from \d sentences\n", learned.stdout)
    astray = here(*learning, "1000")
    assert astray.exit_code == 1
    assert "has no 1000 pairs" in one_line(astray.stderr)


def test_interrupted_run_is_saved(workshop: Path) -> None:
    """Ctrl-C ends a run of two processes in order: validated, saved and averaged, exit code 0."""
    (workshop / "many.toml").write_text(RECIPE.format(updates=1_000_000), encoding="utf-8")
    command = [sys.executable, "-m", "cli.main", "train", "many.toml", "--processes", "2", "--run", "stopped"]
    log = workshop / "stderr"
    with (
        log.open("wb") as stderr,
        subprocess.Popen(command, cwd=workshop, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=stderr) as process,
    ):
        deadline = time.monotonic() + LIMIT_S
        while not re.search(r"[1-9]\d*/1000000", log.read_text(encoding="utf-8")) and time.monotonic() < deadline:
            assert process.poll() is None, log.read_text(encoding="utf-8")
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 0, log.read_text(encoding="utf-8")
    assert output.decode().splitlines()[-1] == "stopped/mean.safetensors"
    assert {"training.pt", "log.jsonl", "mean.safetensors"} <= {file.name for file in (workshop / "stopped").iterdir()}


def test_needs_a_validation_set(workshop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A recipe by which nothing could be chosen is refused before hours are spent on it."""
    text = RECIPE.format(updates=4)
    start, end = text.index("[[data.validation]]"), text.index("[train]")
    (workshop / "blind.toml").write_text(text[:start] + text[end:], encoding="utf-8")
    monkeypatch.chdir(workshop)
    run = here("train", "blind.toml")
    assert run.exit_code == 1
    assert "no validation set" in one_line(run.stderr)
    assert not (workshop / "runs" / "blind").exists()


def test_packed_text_is_distilled_by_a_teacher_of_its_own(workshop: Path) -> None:
    """A network that is no autoregressive teacher of the corpus' vocabulary is refused in one line."""
    where = workshop / "packed", "--output", workshop / "out"
    save_weights(workshop / "reder.safetensors", build(toy.tiny()))
    for weights, what in (
        (BUNDLE / "weights.safetensors", "was trained with another vocabulary"),
        (workshop / "reder.safetensors", "is not an autoregressive teacher"),
    ):
        run = here("distill-packed", *where, "--weights", weights, "--dir", "en-de")
        assert run.exit_code == 1
        assert what in one_line(run.stderr)
        assert not (workshop / "out").exists()


def test_a_bundle_distils_as_it_translates(workshop: Path) -> None:
    """By its graphs with its language models: the first of its beam, or what is closest to people's, with less chrF."""
    texts = ["A man is reading a newspaper on a bench.", "Two dogs play in the snow."]
    wanted = ["Ein Mann liest auf einer Bank Zeitung.", "Zwei Hunde tollen im Schnee herum."]
    lines = [f"{english}\t{german}\tcaptions\n" for english, german in zip(texts, wanted, strict=True)]
    (workshop / "captions.tsv").write_text("".join(lines), encoding="utf-8")
    common = "distill", workshop / "captions.tsv", "--bundle", BUNDLE, "--beam", "10", "--dir", "en-de"
    for output, *options in (("first",), ("closest", "--closest")):
        run = here(*common, "--output", workshop / output, *options)
        assert run.exit_code == 0, run.stderr

    def german(output: str) -> list[str]:
        shard = (workshop / output / "en-de-00000.tsv").read_text(encoding="utf-8")
        rows = [line.split("\t") for line in shard.splitlines()]
        assert [(row[0], row[2]) for row in rows] == [(text, "captions.en-de") for text in texts]
        return [row[1] for row in rows]

    good = here("translate", *texts, "--dir", "en-de", "--bundle", BUNDLE, "--quality", "good")
    assert german("first") == good.stdout.splitlines()
    assert corpus_chrf(german("closest"), [wanted]).score > corpus_chrf(german("first"), [wanted]).score


@pytest.mark.parametrize(
    "teacher",
    [(), ("--weights", "w"), ("--tokenizer", "t"), ("--bundle", "b", "--weights", "w", "--tokenizer", "t")],
)
def test_distils_with_one_teacher(workshop: Path, teacher: tuple[str, ...]) -> None:
    """Weights with their vocabulary, or a bundle: anything else is refused."""
    run = here("distill", workshop / "toy.tsv", *teacher, "--output", workshop / "none")
    assert run.exit_code == 2
    assert "either --weights and --tokenizer, or --bundle" in one_line(run.stderr)
