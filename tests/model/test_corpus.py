"""Reading parallel text in every accepted form, and cleaning it."""

from __future__ import annotations

import gzip
import lzma
from typing import TYPE_CHECKING

import pytest

from model.bundle import fold
from model.data.corpus import Cleaner, CorpusError, Pair, matches, read_lines, read_pairs
from model.data.language import is_other_language

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ENGLISH = ["A man.", "The dog barks – loudly.", "x"]
GERMAN = ["Ein Mann.", "Der Hund bellt – laut.", "ü"]
PAIRS = [Pair(left, right, "news") for left, right in zip(ENGLISH, GERMAN, strict=True)]
COMPRESSIONS: dict[str, Callable[[bytes], bytes]] = {"": bytes, ".gz": gzip.compress, ".xz": lzma.compress}

with_each_compression = pytest.mark.parametrize("suffix", list(COMPRESSIONS))


def write(path: Path, text: str) -> Path:
    """Write text, compressed as the suffix says."""
    path.write_bytes(COMPRESSIONS.get(path.suffix, bytes)(text.encode("utf-8")))
    return path


def tsv(pairs: list[Pair]) -> str:
    """English, a tab, German."""
    return "".join(f"{pair.english}\t{pair.german}\n" for pair in pairs)


def text_pair(folder: Path, name: str, suffix: str = "") -> list[Path]:
    """Write the sentences as two files."""
    return [
        write(folder / f"{name}.{language}{suffix}", "".join(f"{line}\n" for line in lines))
        for language, lines in (("en", ENGLISH), ("de", GERMAN))
    ]


@with_each_compression
def test_reads_tsv(tmp_path: Path, suffix: str) -> None:
    """A TSV file, compressed or not, gives its pairs under the file's bare name."""
    assert list(read_pairs([write(tmp_path / f"news.tsv{suffix}", tsv(PAIRS))])) == PAIRS


@with_each_compression
def test_reads_text_pairs(tmp_path: Path, suffix: str) -> None:
    """Two files that differ in the language suffix are read together, whether or not both are named."""
    english, german = text_pair(tmp_path, "news", suffix)
    assert list(read_pairs([english])) == PAIRS
    assert list(read_pairs([english, german])) == PAIRS


def test_reads_directories(tmp_path: Path) -> None:
    """A directory is searched in depth for both forms, in a fixed order; other files are passed over."""
    deep = tmp_path / "deep" / "er"
    deep.mkdir(parents=True)
    text_pair(deep, "news", ".xz")
    write(tmp_path / "talk.tsv.gz", tsv(PAIRS[:1]))
    write(tmp_path / "README.md", "not a corpus")
    assert list(read_pairs([tmp_path])) == [*PAIRS, Pair("A man.", "Ein Mann.", "talk")]


def test_third_field_names_the_source(tmp_path: Path) -> None:
    """A TSV line may name its own collection; an empty name falls back to the file's, further fields are ignored."""
    path = write(tmp_path / "mixed.tsv", "a\tb\tsubtitles\nc\td\t\n\n  \u3000 \ne\tf\tg\th\n")
    assert list(read_pairs([path])) == [Pair("a", "b", "subtitles"), Pair("c", "d", "mixed"), Pair("e", "f", "g")]


def test_lines_end_at_line_feeds_only(tmp_path: Path) -> None:
    """Windows line ends and its mark at the start go; Unicode's other separators are part of a sentence."""
    path = write(tmp_path / "a.txt", "\ufeffone\r\ntwo\u2028still two\x85 two\n\nlast")
    assert list(read_lines(path)) == ["one", "two\u2028still two\x85 two", "", "last"]


def test_tsv_line_with_one_field(tmp_path: Path) -> None:
    """A line without a tab is an error with file and line."""
    path = write(tmp_path / "bad.tsv", tsv(PAIRS) + "no tab here\n")
    with pytest.raises(CorpusError, match=r"bad\.tsv, line 4: expected English, a tab, German; found 1 field"):
        list(read_pairs([path]))


def test_bytes_that_are_not_utf8(tmp_path: Path) -> None:
    """A line in another encoding is an error with file and that line's number."""
    path = tmp_path / "bad.tsv"
    path.write_bytes(b"one\teins\ntwo\tzwei\ngreen\tgr\xfcn\n")
    with pytest.raises(CorpusError, match=r"bad\.tsv, (line 3|after line 2): .*utf-8"):
        list(read_pairs([path]))


@pytest.mark.parametrize("suffix", [".gz", ".xz"])
@pytest.mark.parametrize("damage", ["truncated", "not compressed", "changed"])
def test_damaged_archive(tmp_path: Path, suffix: str, damage: str) -> None:
    """An archive that cannot be unpacked is an error with the file's name, whatever is wrong with it."""
    path = write(tmp_path / f"bad.tsv{suffix}", tsv(PAIRS * 500))
    content = bytearray(path.read_bytes())
    if damage == "truncated":
        del content[len(content) // 2 :]
    elif damage == "not compressed":
        content[:] = b"plain text"
    else:
        content[30:60] = bytes(30)
    path.write_bytes(content)
    with pytest.raises(CorpusError, match=rf"bad\.tsv\{suffix}, after line \d+:"):
        list(read_pairs([path]))


def test_missing_file(tmp_path: Path) -> None:
    """A file that is not there is an error with its name."""
    with pytest.raises(CorpusError, match=r"gone\.tsv"):
        list(read_pairs([tmp_path / "gone.tsv"]))


def test_english_without_german(tmp_path: Path) -> None:
    """Half of a text pair is an error that names the missing half."""
    english, german = text_pair(tmp_path, "news", ".gz")
    german.unlink()
    with pytest.raises(CorpusError, match=r"news\.en\.gz has no partner news\.de\.gz"):
        list(read_pairs([english]))


def test_german_without_english(tmp_path: Path) -> None:
    """The other half alone is not passed over, whatever else is given: the missing half is named."""
    german = text_pair(tmp_path, "news", ".gz")[1]
    other = write(tmp_path / "other.tsv", tsv(PAIRS))
    with pytest.raises(CorpusError, match=r"news\.de\.gz is one of a pair: give .*news\.en\.gz as well"):
        list(read_pairs([other, german]))


@pytest.mark.parametrize("shorter", [0, 1])
def test_text_pair_of_unequal_length(tmp_path: Path, shorter: int) -> None:
    """Files that cannot be aligned line by line are an error that names both."""
    files = text_pair(tmp_path, "news")
    write(files[shorter], "only one line\n")
    with pytest.raises(CorpusError, match=r"news\.en and news\.de differ in their number of lines"):
        list(read_pairs(files))


def test_unknown_kind_of_file(tmp_path: Path) -> None:
    """A file that was named but is of no known form is an error."""
    with pytest.raises(CorpusError, match=r"corpus\.docx: expected \.tsv"):
        list(read_pairs([write(tmp_path / "corpus.docx", "?")]))


def test_nothing_to_read(tmp_path: Path) -> None:
    """An empty directory, or no path at all, is an error that says what to give."""
    for paths in ([], [tmp_path]):
        with pytest.raises(CorpusError, match=r"no text found.*: give TSV files"):
            list(read_pairs(paths))


GOOD = Pair("A man buys a red ball.", "Ein Mann kauft einen roten Ball.", "toy")
BAD = {
    "empty": Pair("A man.", " \u00a0 ", "toy"),
    "too long": Pair("word " * 200, "Wort " * 200, "toy"),
    "out of proportion": Pair("Yes.", "Ja, das habe ich gestern auch schon so gesehen.", "toy"),
    "damaged encoding": Pair("The street.", "Die Stra\ufffde.", "toy"),
    "no letters": Pair("... !", "... ?", "toy"),
    "held out": Pair("The secret sentence.", "Etwas anderes hier.", "toy"),
    "copy": Pair("This was never translated at all.", "this was never translated, at all!", "toy"),
    "duplicate": Pair("a man BUYS a red ball", "Ein Mann kauft einen roten Ball", "other"),
    "wrong language": Pair(
        "Gestern haben wir den ganzen Tag im Garten gearbeitet.",
        "Am Abend waren wir dann alle sehr müde und zufrieden.",
        "toy",
    ),
}


@pytest.fixture
def cleaner() -> Cleaner:
    """With one held-out sentence and the real language detector."""
    return Cleaner(held_out=frozenset({fold("the SECRET sentence")}), is_other_language=is_other_language)


@pytest.mark.parametrize("reason", list(BAD))
def test_drops_each_kind_of_bad_pair(cleaner: Cleaner, reason: str) -> None:
    """Every kind of bad pair is dropped and counted under its reason; the good one before it stays."""
    assert list(cleaner.clean([GOOD, BAD[reason]])) == [GOOD]
    assert cleaner.dropped == {reason: 1}


def test_counts_over_a_whole_corpus(cleaner: Cleaner) -> None:
    """Whatever is dropped counts for one reason."""
    pairs = [GOOD, *BAD.values(), GOOD]
    assert list(cleaner.clean(pairs)) == [GOOD]
    assert cleaner.dropped == dict.fromkeys(BAD, 1) | {"duplicate": 2}


def test_held_out_counts_on_either_side(cleaner: Cleaner) -> None:
    """A test sentence is kept out also where it is the German side, and however it is written."""
    pair = Pair("Something else here.", "The  secret – SENTENCE!", "toy")
    assert list(cleaner.clean([pair])) == []
    assert cleaner.dropped == {"held out": 1}


def test_cleaning_normalises(cleaner: Cleaner) -> None:
    """What passes is normalised, its white space collapsed; symbols that mean something stay."""
    pair = Pair("  The\u00a0area is 5\tm² .", "Die Fla\u0308che  beträgt 5 m²…", "toy")
    assert list(cleaner.clean([pair])) == [Pair("The area is 5 m² .", "Die Fläche beträgt 5 m²…", "toy")]


@pytest.mark.parametrize(
    "pair",
    [
        Pair("Hotel California", "Hotel California", "names may be equal"),
        Pair("No.", "Nein danke, nein.", "short sides have room"),
        Pair("Click OK.", "OK klicken.", "short text is in any language"),
        Pair("She said: „Guten Morgen“ and left the house.", "Sie sagte „Guten Morgen“ und ging.", "quotations"),
    ],
    ids=lambda pair: pair.source,
)
def test_keeps_unusual_but_good_pairs(cleaner: Cleaner, pair: Pair) -> None:
    """Names, short answers and quotations are not taken for faults."""
    assert list(cleaner.clean([pair])) == [pair]


def test_a_german_file_alone_in_a_folder(tmp_path: Path) -> None:
    """It is half of a pair like one that is named, and would be left out unseen."""
    text_pair(tmp_path, "news")
    write(tmp_path / "other.de", "Ein Satz.\n")
    with pytest.raises(CorpusError, match=r"other\.de is one of a pair"):
        list(read_pairs([tmp_path]))


def test_lines_that_end_with_carriage_returns_alone(tmp_path: Path) -> None:
    """All of the file would be one pair; with a line feed after it each is the end of a line."""
    lines = tsv(PAIRS)
    with pytest.raises(CorpusError, match="line 1: carriage returns within it"):
        list(read_pairs([write(tmp_path / "mac.tsv", lines.replace("\n", "\r"))]))
    assert list(read_pairs([write(tmp_path / "news.tsv", lines.replace("\n", "\r\n"))])) == PAIRS


@pytest.mark.parametrize(
    ("pattern", "names"), [("wiki[2020]", {"wiki[2020]"}), ("wiki*", {"wiki[2020]", "wiki3"}), ("wiki[13]", {"wiki3"})]
)
def test_names_of_sources(pattern: str, names: set[str]) -> None:
    """A name with signs of patterns is itself; other patterns are what they are."""
    assert {name for name in ("wiki[2020]", "wiki3", "news") if matches(name, pattern)} == names
