"""`reder prepare` on small corpora in every form it reads."""

from __future__ import annotations

import gzip
import json
import lzma
from functools import partial
from typing import TYPE_CHECKING

import pytest

from model.data import prepare as module
from model.data.packed import PackedCorpus
from tests.cli.support import here, one_line
from tests.model import toy

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from typer.testing import Result

    from model.data.corpus import Pair

PAIRS = toy.sentences(200)


def tsv(pairs: Sequence[Pair], *, sources: bool = True) -> bytes:
    """Pairs as TSV, with or without the third field."""
    fields = [(pair.english, pair.german, pair.source)[: 3 if sources else 2] for pair in pairs]
    return "".join("\t".join(line) + "\n" for line in fields).encode()


def prepare(*arguments: object) -> Result:
    """Run the command with a small vocabulary if it learns one, without the language check unless asked for."""
    options = [] if "--tokenizer" in arguments else ["--vocabulary-size", toy.VOCABULARY_SIZE]
    if "--language-check" not in arguments:
        options.append("--no-language-check")
    return here("prepare", *arguments, *options)


def texts(corpus: PackedCorpus) -> list[tuple[str, str]]:
    """Both sides of every pair, decoded."""
    decode = corpus.tokenizer().decode
    return [(decode(corpus.english[i].tolist()), decode(corpus.german[i].tolist())) for i in range(len(corpus))]


def described(folder: Path) -> dict[str, dict[str, object]]:
    """What packed.json says."""
    description: dict[str, dict[str, object]] = json.loads((folder / "packed.json").read_text(encoding="utf-8"))
    return description


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    """The same 200 pairs spread over a TSV.gz, a TSV.xz, a plain TSV and a pair of files in a subfolder."""
    folder = tmp_path / "raw"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.tsv.gz").write_bytes(gzip.compress(tsv(PAIRS[:50])))
    (folder / "b.tsv.xz").write_bytes(lzma.compress(tsv(PAIRS[50:100], sources=False)))
    (folder / "c.tsv").write_bytes(tsv(PAIRS[100:150]))
    for language, side in (("en", "english"), ("de", "german")):
        lines = "".join(f"{getattr(pair, side)}\n" for pair in PAIRS[150:])
        (folder / "sub" / f"d.{language}").write_text(lines, encoding="utf-8")
    (folder / "README.md").write_text("Not a corpus.", encoding="utf-8")
    return folder


def test_reads_every_form(raw: Path, tmp_path: Path) -> None:
    """A folder of mixed files is packed whole; a pair without a source is named for its file."""
    result = prepare(raw, "--output", tmp_path / "packed", "--language-check")
    assert result.exit_code == 0, result.stderr
    corpus = PackedCorpus.open(tmp_path / "packed")
    assert sorted(texts(corpus)) == sorted((pair.english, pair.german) for pair in PAIRS)
    assert corpus.source_names == ["b", "d", "dialogue", "stories"]
    assert corpus.tokenizer().vocabulary_size == toy.VOCABULARY_SIZE
    assert "| kept | 200 | 100.0% |" in result.stdout
    assert "| b | 50 | 50 | 100.0% |" in result.stdout


def test_reads_both_files_of_a_pair(raw: Path, tmp_path: Path) -> None:
    """Named in any order, as a pattern of the shell would name them; the German one alone is refused."""
    german, english, held_out = raw / "sub" / "d.de", raw / "sub" / "d.en", tmp_path / "test.de"
    held_out.write_text(PAIRS[199].german, encoding="utf-8")
    result = prepare(german, english, "--output", tmp_path / "packed", "--hold-out", held_out)
    assert result.exit_code == 0, result.stderr
    assert len(PackedCorpus.open(tmp_path / "packed")) == 49
    alone = prepare(raw / "c.tsv", german, "--output", tmp_path / "none")
    assert alone.exit_code == 1
    assert f"{german} is one of a pair: give {english} as well" in one_line(alone.stderr)


def test_counts_what_it_drops(tmp_path: Path) -> None:
    """Each bad pair is dropped for its own reason; the table and packed.json say how many of each."""
    bad = [
        "\tLeer.\tx",
        "A word.\t" + "Wort " * 90 + "\tx",
        "Yes.\tJa, das ist eine sehr lange Antwort auf eine sehr kurze Frage gewesen.\tx",
        "...\t!!!\tx",
        "This one was never translated.\tThis one was never translated.\tx",
        "Dies ist ganz sicher ein deutscher Satz, kein anderer.\tDies ist sicher auch ein deutscher Satz, oder?\tx",
        f"{PAIRS[0].english.upper()}\t{PAIRS[0].german}\tx",
        f"{PAIRS[199].english}\tDas hier wird zurückgehalten.\tx",
        "Left out by name.\tNamentlich ausgelassen.\tunwanted-7",
    ]
    corpus, held_out = tmp_path / "corpus.tsv", tmp_path / "test.de"
    corpus.write_bytes(tsv(PAIRS[:150]) + "\n".join(bad).encode())
    held_out.write_text("Das hier wird zurückgehalten!\n", encoding="utf-8")
    result = prepare(
        *(corpus, "--output", tmp_path / "packed", "--hold-out", held_out, "--language-check"),
        *("--exclude-source", "unwanted-*"),
    )
    assert result.exit_code == 0, result.stderr
    reasons = {
        "empty", "too long", "out of proportion", "no letters", "copy", "wrong language", "duplicate", "held out",
        "excluded source",
    }  # fmt: skip
    assert described(tmp_path / "packed")["dropped"] == dict.fromkeys(reasons, 1)
    assert all(f"| {reason} | 1 | 0.6% |" in result.stdout for reason in reasons)
    assert described(tmp_path / "packed")["by_source"]["x"] == {"read": 8, "kept": 0}
    assert len(PackedCorpus.open(tmp_path / "packed")) == 150


@pytest.mark.parametrize("pattern", ["noise.*", "nois?"])
def test_vocabulary_share(pattern: str, tmp_path: Path) -> None:
    """What a pattern of file or source leaves out of the draw does not shape the vocabulary, but is packed."""
    noise = [f"zqxj{i} vvkk{i} zqxj.\tzqxj{i} vvkk{i} yyww." for i in range(100)]
    (tmp_path / "noise.tsv").write_text("\n".join(noise), encoding="utf-8")
    (tmp_path / "toy.tsv").write_bytes(tsv(PAIRS))
    pieces = {}
    for name, options in (("with", []), ("without", ["--vocabulary-share", f"{pattern}=0"])):
        result = prepare(tmp_path / "noise.tsv", tmp_path / "toy.tsv", "--output", tmp_path / name, *options)
        assert result.exit_code == 0, result.stderr
        corpus = PackedCorpus.open(tmp_path / name)
        assert len(corpus) == 300
        tokenizer = corpus.tokenizer()
        pieces[name] = len(tokenizer.encode("zqxj vvkk yyww"))
    assert pieces["without"] > 2 * pieces["with"]
    assert described(tmp_path / "without")["prepared"]["vocabulary"] == {
        "size": toy.VOCABULARY_SIZE, "sentences": 500_000, "shares": [[f"{pattern}", 0.0]], "seed": 1,
    }  # fmt: skip


def test_same_input_same_output(raw: Path, tmp_path: Path) -> None:
    """Two runs with a random draw write the same bytes."""
    for name in ("one", "two"):
        run = prepare(raw, "--output", tmp_path / name, "--vocabulary-share", "d=0.5", "--vocabulary-sentences", 200)
        assert run.exit_code == 0, run.stderr
    first, second = ({file.name: file.read_bytes() for file in (tmp_path / n).iterdir()} for n in ("one", "two"))
    assert first == second


def test_reuses_a_vocabulary(raw: Path, tmp_path: Path) -> None:
    """With --tokenizer, text is packed with the ids of an earlier corpus."""
    assert prepare(raw, "--output", tmp_path / "first").exit_code == 0
    result = prepare(raw / "c.tsv", "--output", tmp_path / "second", "--tokenizer", tmp_path / "first")
    assert result.exit_code == 0, result.stderr
    first, second = (tmp_path / name / "tokenizer.model" for name in ("first", "second"))
    assert first.read_bytes() == second.read_bytes()
    assert texts(PackedCorpus.open(tmp_path / "second")) == [(pair.english, pair.german) for pair in PAIRS[100:150]]


def test_replaces_only_when_told(raw: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An earlier corpus stays unless --force is given, and stays whole if the new one fails on the way."""
    output = tmp_path / "packed"
    again = partial(prepare, raw / "c.tsv", "--output", output)
    assert prepare(raw, "--output", output).exit_code == 0
    assert "--force" in one_line(again().stderr)
    with monkeypatch.context() as broken:
        broken.setattr(module, "pack", disk_full)
        assert "No space left" in one_line(again("--force").stderr)
    assert len(PackedCorpus.open(output)) == 200
    assert again("--force").exit_code == 0
    assert len(PackedCorpus.open(output)) == 50
    assert {file.name for file in tmp_path.iterdir()} == {"raw", "packed"}


def disk_full(*_: object, **__: object) -> None:
    """What writing does on a full disk."""
    raise OSError(28, "No space left on device", "en.ids.npy")
