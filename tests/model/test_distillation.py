"""Distillation: shards that resume, hold each sentence once, and feed `prepare`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from model.bundle import DE_EN, EN_DE, Direction
from model.data.corpus import CorpusError, read_pairs
from model.data.distillation import Distillation, Outcome, distill, teacher_name

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

SENTENCES = [
    ("A man reads a book.", "Ein Mann liest ein Buch.", "stories"),
    ("The dog sleeps in the garden.", "Der Hund schläft im Garten.", "stories"),
    ("a man reads a book", "Der Mann liest das Buch.", "stories"),  # English as above: once is enough
    ("Where is the station?", "Wo ist der Bahnhof?", "talk"),
    ("We are late today.", "Wir sind heute spät dran.", "talk"),
]


class Teacher:
    """Answers with the source in capitals, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[Direction, str]] = []

    def __call__(self, direction: Direction, texts: Sequence[str]) -> list[list[str]]:
        """Nothing, where the source says "late"; the second best is always the same."""
        self.asked += [(direction, text) for text in texts]
        return [
            ["" if "late" in text else f"{text.upper()}  {direction.target}\n", "Der Mann liest das Buch!"]
            for text in texts
        ]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Five pairs from two collections."""
    path = tmp_path / "corpus.tsv"
    path.write_text("".join("\t".join(pair) + "\n" for pair in SENTENCES), encoding="utf-8")
    return path


def task(corpus: Path, answers: Teacher, **changes: object) -> Distillation:
    """Two sentences in a shard."""
    values = {"inputs": [corpus], "output": corpus.parent / "out", "teacher": "t", "translate": answers}
    return Distillation(**values | {"shard_sentences": 2} | changes)  # type: ignore[arg-type]


def test_keeps_sources_and_takes_the_teachers_targets(corpus: Path) -> None:
    """Every source sentence comes out once, with the teacher's translation on one line; empty answers are left out."""
    teacher = Teacher()
    assert distill(task(corpus, teacher)) == Outcome(written=5, found=0, complete=True)
    assert len(teacher.asked) == len(set(teacher.asked)) == 4 + 5
    found = {(pair.english, pair.german, pair.source) for pair in read_pairs([corpus.parent / "out"])}
    assert ("Where is the station?", "WHERE IS THE STATION? de", "talk.en-de") in found
    assert ("WO IST DER BAHNHOF? en", "Wo ist der Bahnhof?", "talk.de-en") in found
    assert not [pair for pair in found if "late" in pair[0]]
    assert len(found) == 3 + 5


def test_resumes_by_shard(corpus: Path) -> None:
    """A call that is stopped leaves whole shards; the next call translates only the missing ones."""
    assert distill(task(corpus, Teacher()), minutes=0) == Outcome(written=0, found=0, complete=False)
    distill(task(corpus, Teacher(), directions=[EN_DE]))
    (corpus.parent / "out" / "en-de-00001.tsv").unlink()
    teacher = Teacher()
    assert distill(task(corpus, teacher)) == Outcome(written=1 + 3, found=1, complete=True)
    assert [text for direction, text in teacher.asked if direction == EN_DE] == [SENTENCES[3][0], SENTENCES[4][0]]
    assert sum(direction == DE_EN for direction, _ in teacher.asked) == 5


def test_refuses_to_mix_teachers(corpus: Path) -> None:
    """A folder of one teacher's shards is not continued with another's, nor by another search or with other shards."""
    distill(task(corpus, Teacher()))
    with pytest.raises(CorpusError, match="another distillation"):
        distill(task(corpus, Teacher(), decoding={"beam": 2}))
    with pytest.raises(CorpusError, match="another distillation"):
        distill(task(corpus, Teacher(), teacher="other"))
    with pytest.raises(CorpusError, match="another distillation"):
        distill(task(corpus, Teacher(), shard_sentences=3))


def test_refuses_to_mix_texts(corpus: Path) -> None:
    """Shards are parts of a text in its order: one of the same name with other lines has others."""
    distill(task(corpus, Teacher()))
    assert distill(task(corpus, Teacher())).written == 0
    lines = corpus.read_text(encoding="utf-8")
    corpus.write_text(f"One more.\tNoch einer.\ttalk\n{lines}", encoding="utf-8")
    with pytest.raises(CorpusError, match="another distillation"):
        distill(task(corpus, Teacher()))


def test_a_teacher_is_called_by_what_it_is(tmp_path: Path) -> None:
    """Two runs call their weights alike: what is in the file tells them apart."""
    names = []
    for run, content in (("a", b"1"), ("b", b"2"), ("c", b"1")):
        (tmp_path / run).mkdir()
        file = tmp_path / run / "mean.safetensors"
        file.write_bytes(content)
        names.append(teacher_name(file.name, file))
    assert names[0] == names[2] != names[1]
    assert names[0].startswith("mean.safetensors ")


def test_closest_to_what_people_wrote(corpus: Path) -> None:
    """The translation most like the target side is taken, though the teacher prefers another."""
    german = {}
    for closest in (False, True):
        output = corpus.parent / f"closest-{closest}"
        distill(task(corpus, Teacher(), closest=closest, directions=[EN_DE], output=output))
        german[closest] = {pair.english: pair.german for pair in read_pairs([output])}["A man reads a book."]
    assert german == {False: "A MAN READS A BOOK. de", True: "Der Mann liest das Buch!"}


def test_leaves_out_what_is_far_from_what_people_wrote(corpus: Path) -> None:
    """With a least chrF only translations that are like the target side remain, of the beam if `closest` is given."""
    kept = {}
    for closest in (False, True):
        output = corpus.parent / f"closest-{closest}"
        distill(task(corpus, Teacher(), closest=closest, min_chrf=40, directions=[EN_DE], output=output))
        kept[closest] = {(pair.english, pair.german) for pair in read_pairs([output])}
    assert kept == {False: set(), True: {("A man reads a book.", "Der Mann liest das Buch!")}}


def test_parts_share_the_work(corpus: Path) -> None:
    """Two parts together write the same shards as one call, and neither does the other's."""
    whole = {path.name for path in _shards(corpus, Teacher())}
    teachers = Teacher(), Teacher()
    for number, teacher in enumerate(teachers):
        outcome = distill(task(corpus, teacher, output=corpus.parent / "parts", part=(number, 2)))
        assert outcome.complete
    assert not set(teachers[0].asked) & set(teachers[1].asked)
    assert {path.name for path in (corpus.parent / "parts").glob("*.tsv")} == whole


def test_share_of_a_source(corpus: Path) -> None:
    """A share of zero leaves a source out, and a share in between draws the same sentences every time."""
    teacher, again = Teacher(), Teacher()
    distill(task(corpus, teacher, shares=[("talk", 0.0), ("*", 0.3)]))
    distill(task(corpus, again, output=corpus.parent / "again", shares=[("talk", 0.0), ("*", 0.3)]))
    assert teacher.asked == again.asked
    assert 0 < len(teacher.asked) < 5
    assert not [text for _, text in teacher.asked if "station" in text or "Bahnhof" in text or "late" in text]
    with pytest.raises(CorpusError, match="another distillation"):
        distill(task(corpus, Teacher(), shares=[("talk", 0.5)]))


def _shards(corpus: Path, teacher: Teacher) -> list[Path]:
    distill(task(corpus, teacher))
    return sorted((corpus.parent / "out").glob("*.tsv"))
