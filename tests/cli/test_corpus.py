"""`reder translate-corpus` on a Ray cluster: whatever dies, every row is there, and once."""

from __future__ import annotations

import gzip
import io
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

pytest.importorskip("ray", reason="Ray is not installed: pip install '.[ray]'")

import pyarrow as pa
import pyarrow.parquet as pq
from ray.cluster_utils import Cluster
from ray.exceptions import RayError

from cli import corpus_job
from cli.corpus_shards import Columns, shard_form
from cli.corpus_worker import ATTEMPTS, Plan, ShardWorker, attempts
from cli.translate_engines import Wishes
from tests.cli.support import BUNDLE, ENVIRONMENT, LIMIT_S, ROOT, here, one_line
from tests.client.support import live_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ray._private.node import Node
    from typer.testing import Result

    from cli.corpus_worker import Finished
    from cli.translate_files import Job

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="needs /proc, to see which process writes a shard"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning"),  # Ray's own
]

Found = TypeVar("Found")

SMALL = {"num_cpus": 1, "object_store_memory": 80 << 20}
"""A node."""

ROWS = 40
SHARDS = ("a.parquet", "b.jsonl", "c.jsonl.gz", "d.parquet", "deep/e.jsonl", "deep/f.parquet")


# -------------------------------------------------------------------------------- one shard alone


@pytest.fixture(scope="module")
def translated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., dict[str, Any]]]:
    """A function that translates a shard in this process, and gives what became of it with the path of the output."""
    plan = Plan(live_settings(), Wishes("fast", details=True), "en-de", "text", Columns("text", "translation"))
    worker = ShardWorker(plan)

    def translate(source: Path, columns: Columns = plan.columns, direction: str = plan.direction) -> dict[str, Any]:
        worker._plan = replace(plan, columns=columns, direction=direction)  # a plan each, and one engine
        target = tmp_path_factory.mktemp("out") / source.name
        done = worker({"name": [source.name], "source": [str(source)], "target": [str(target)]})
        return {"target": target} | {name: value for name, (value,) in done.items()}

    yield translate
    worker.close()


def test_parquet_keeps_all_else(tmp_path: Path, translated: Callable[..., dict[str, Any]]) -> None:
    """Columns, types, row groups and metadata are as before; translations are those that the bundle should give."""
    examples = map(json.loads, (BUNDLE / "golden.jsonl").read_text(encoding="utf-8").splitlines())
    golden = [example for example in examples if example["direction"] == "en-de"][3:5]  # in others words are put right
    first, second = (example["source"] for example in golden)
    texts = [first, None, "", f"{second}\n\n  {first}", second]
    table = pa.table(
        {
            "id": pa.array(range(5), pa.uint8()),
            "text": pa.array(texts).dictionary_encode(),
            "more": pa.array([[{"x": 1}], None, [], [{"x": None}], [{"x": 2}, {"x": 3}]]),
            "when": pa.array([1, 2, 3, 4, None], pa.timestamp("us", "Europe/Berlin")),
        }
    ).replace_schema_metadata({"made by": "us"})
    pq.write_table(table, tmp_path / "a.parquet", row_group_size=2)
    done = translated(tmp_path / "a.parquet")
    assert (done["error"], done["rows"], done["refused"]) == ("", 5, 0)
    after = pq.read_table(done["target"])
    before = pq.read_table(tmp_path / "a.parquet")
    assert after.drop_columns(["translation", "confidence"]).equals(before, check_metadata=True)
    assert after.schema.metadata == {b"made by": b"us"}
    assert pq.read_metadata(done["target"]).num_row_groups == 3
    first, second = (example["translation"] for example in golden)
    assert after["translation"].to_pylist() == [first, None, "", f"{second}\n\n  {first}", second]
    assert [value is None for value in after["confidence"].to_pylist()] == [False, True, False, False, False]


def test_json_lines_keep_all_else(tmp_path: Path, translated: Callable[..., dict[str, Any]]) -> None:
    """What a line says stays as it is written; a text that no UTF-8 can hold is left out, and counted."""
    lines = [
        r'{"n": 1e400, "n": 12345678901234567890.10, "text": "It \u0073nows." }',
        '{"text": null}',
        "  {}",
        r'{"text": "\ud800"}',
        '{"text": "Guten Tag.", "\u2028": "\u00e4"}',
    ]
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(("\ufeff" + "\r\n\n".join(lines)).encode()))
    done = translated(tmp_path / "a.jsonl.gz", Columns("text", "de"))
    assert (done["error"], done["rows"], done["refused"]) == ("", 5, 1)
    after = gzip.decompress(done["target"].read_bytes()).decode().split("\n")
    assert after.pop() == ""
    for line, before in zip(after, lines, strict=True):
        assert line.startswith(before.strip()[:-1].rstrip())
    assert after[0].startswith('{"n": 1e400, "n": 12345678901234567890.10, "text": "It \\u0073nows.", "de": "')
    assert after[1:4] == [
        '{"text": null, "de": null, "confidence": null}',
        '{"de": null, "confidence": null}',
        '{"text": "\\ud800", "de": null, "confidence": null}',
    ]


def test_direction_and_details(tmp_path: Path, translated: Callable[..., dict[str, Any]]) -> None:
    """With auto each row has its own direction; with details it has the lowest reverse score and all flags."""
    rows = [{"text": "Two men are talking in the kitchen."}, {"text": "Zwei Männer reden in der Küche."}, {"text": " "}]
    (tmp_path / "a.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    done = translated(tmp_path / "a.jsonl", Columns("text", "to", direction=True, details=True), "auto")
    there, back, blank = map(json.loads, done["target"].read_text(encoding="utf-8").splitlines())
    assert (there["direction"], back["direction"], blank["direction"]) == ("en-de", "de-en", None)
    assert 0 < there["reverse_score"] <= 1
    assert isinstance(there["flags"], list)
    assert (blank["to"], blank["reverse_score"], blank["flags"]) == (" ", None, [])


def twice_a_column() -> bytes:
    """A shard with two columns of one name, which Parquet allows."""
    stream = io.BytesIO()
    pq.write_table(pa.table([pa.array(["a"]), pa.array(["b"])], names=["text", "text"]), stream)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.jsonl", b'{"text": "x"}\n{"text": 1}\n', "line 2: 'text' is no text"),
        ("a.jsonl", b'{"text": "x"}\n{"text": \n', "line 2: no JSON"),
        ("a.jsonl", b"[]", "line 1: no JSON object"),
        ("a.jsonl", b'{"text": "x", "confidence": 1}', "line 1: there is a column 'confidence' already"),
        ("a.jsonl", b'{"txt": "x"}', "there is no column 'text'"),
        ("a.jsonl.gz", gzip.compress(b'{"text": "x"}\n', mtime=0)[:-9], ""),
        ("a.parquet", b"PAR1", ""),
        ("a.parquet", twice_a_column(), "there are several columns 'text'"),
        ("missing.parquet", None, "No such file"),
    ],
)
def test_bad_shards(
    name: str, content: bytes | None, said: str, tmp_path: Path, translated: Callable[..., dict[str, Any]]
) -> None:
    """A shard that is damaged, cut off or of other columns is refused with the line, and leaves nothing behind."""
    if content is not None:
        (tmp_path / name).write_bytes(content)
    done = translated(tmp_path / name)
    assert done["error"]
    assert said in done["error"]
    assert [*done["target"].parent.iterdir()] == []


def test_shards_by_name() -> None:
    """Extensions tell shards from other files, whatever their case."""
    names = ("a.parquet", "A.B.JSONL", "a.ndjson.gz", "a.jsonl.zst", "a.parquet.gz", "a.json", "a.gz", "a", "_SUCCESS")
    forms = ["parquet", "jsonl", "jsonl", "jsonl", None, None, None, None, None]
    assert [shard_form(Path(name)) for name in names] == forms


# ------------------------------------------------------------------------------------ the cluster


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """A head that does not work, and a node with one core, in processes of their own. The driver is in another one."""
    os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_BACKEND_LOG_LEVEL": "fatal"}
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = str(ROOT)
    # A node that is lost is missed after two seconds instead of ten.
    notices = {"health_check_initial_delay_ms": 0, "health_check_period_ms": 500, "health_check_failure_threshold": 4}
    head = {"num_cpus": 0, "include_dashboard": False, "_system_config": notices}
    nodes = Cluster(initialize_head=True, head_node_args={**SMALL, **head})
    try:
        nodes.add_node(**SMALL)
        yield nodes
    finally:
        nodes.shutdown()
        os.environ.pop("PYTHONPATH")
        if before is not None:
            os.environ["PYTHONPATH"] = before


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Shards of both kinds, some in a folder below; every row has a number of its own."""
    folder = tmp_path_factory.mktemp("corpus")
    (folder / "deep").mkdir()
    (folder / "read.me").write_text("no shard", encoding="utf-8")
    for place, name in enumerate(SHARDS):
        numbers = range(place * ROWS, (place + 1) * ROWS)
        rows = [
            {"id": number, "text": f"{number} dogs run through the snow, and a man sees them."} for number in numbers
        ]
        if name.endswith(".parquet"):
            pq.write_table(pa.Table.from_pylist(rows), folder / name)
        else:
            written = "".join(f"{json.dumps(row)}\n" for row in rows).encode()
            (folder / name).write_bytes(gzip.compress(written) if name.endswith(".gz") else written)
    return folder


def rows_in(folder: Path, names: Sequence[str] = SHARDS) -> list[dict[str, Any]]:
    """All rows of these shards, in order."""
    rows: list[dict[str, Any]] = []
    for name in names:
        path = folder / name
        if name.endswith(".parquet"):
            rows += pq.read_table(path).to_pylist()
        else:
            content = gzip.decompress(path.read_bytes()) if name.endswith(".gz") else path.read_bytes()
            rows += [json.loads(line) for line in content.splitlines()]
    return rows


def assert_complete(corpus: Path, output: Path, names: Sequence[str] = SHARDS) -> None:
    """Each row is there once and in its place, with a translation; and nothing but shards is."""
    before, after = rows_in(corpus, names), rows_in(output, names)
    assert [(row["id"], row["text"]) for row in after] == [(row["id"], row["text"]) for row in before]
    assert all(row["translation"] for row in after)
    found = {path.relative_to(output).as_posix() for path in output.rglob("*") if path.is_file()}
    assert found == {*names, "_reder.json"}


def job(corpus: Path, output: Path, *more: str) -> subprocess.Popen[str]:
    """The command, under way."""
    command = [sys.executable, "-m", "cli.main", "translate-corpus", "--dir", "en-de", str(corpus), "-o", str(output)]
    command += ["--bundle", str(BUNDLE), *more]
    return subprocess.Popen(command, cwd=ROOT, env=ENVIRONMENT, text=True, stderr=subprocess.PIPE)


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Its exit code, and the last two lines that it said."""
    _, said = process.communicate(timeout=LIMIT_S)
    *_, last, summary = ["", *said.splitlines()]
    return process.returncode, last, summary


def wait_for(condition: Callable[[], Found]) -> Found:
    """What the condition gives once it is true."""
    deadline = time.monotonic() + LIMIT_S / 2
    while not (found := condition()):
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.05)
    return found


def writers(output: Path) -> list[int]:
    """The processes that are writing shards."""
    found = []
    for process in Path("/proc").iterdir():
        try:
            files = [file.readlink() for file in (process / "fd").iterdir()] if process.name.isdecimal() else []
        except OSError:
            continue  # it has just ended
        if any(file.suffix == ".partial" and file.is_relative_to(output) for file in files):
            found.append(int(process.name))
    return found


def on_node(process: int, node: Node) -> bool:
    """Whether that node has started this process."""
    try:
        parent = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1]
    except OSError:
        return False
    return int(parent) in {each.process.pid for each in node.all_processes["raylet"]}


def test_no_row_is_lost_and_none_is_there_twice(cluster: Cluster, corpus: Path, tmp_path: Path) -> None:
    """A worker is killed in the middle of a shard, its node too, and one shard is given up: another node does the rest.

    A second run, with a Ray of its own, does the shard that was given up and no other.
    """
    output = tmp_path / "out"
    *others, victim = SHARDS
    (node,) = cluster.worker_nodes
    with job(corpus, output, "--address", cluster.address) as process:
        writing = wait_for(lambda: [each for each in writers(output) if on_node(each, node)])
        os.kill(writing[0], signal.SIGKILL)
        cluster.remove_node(node, allow_graceful=False)
        for path in attempts(output / victim):  # what three workers leave that die on it
            path.parent.mkdir(exist_ok=True)
            path.touch()
        cluster.add_node(**SMALL)  # not before: it could have done all while this one starts its worker
        code, *said = ended(process)
    assert code == 1
    assert said == [
        f"reder: {victim}: {ATTEMPTS} workers died while they translated it",
        f"5 shards translated, {5 * ROWS} rows in them, 1 shards failed, 1 files that are no shards",
    ]
    assert_complete(corpus, output, others)
    written = {name: (output / name).stat().st_mtime_ns for name in others}
    attempts(output / victim)[0].write_bytes(b"a run that is killed leaves this")
    with job(corpus, output) as process:
        code, *said = ended(process)
    summary = f"1 shards translated, {ROWS} rows in them, 5 shards finished earlier, 1 files that are no shards"
    assert (code, said[-1]) == (0, summary)
    assert_complete(corpus, output)
    assert {name: (output / name).stat().st_mtime_ns for name in others} == written


# ------------------------------------------------------------------------------------ the command


def test_workers_go_where_gpus_are(cluster: Cluster, corpus: Path, tmp_path: Path) -> None:
    """With --gpus, idle nodes without one do nothing, and no worker is waited for that finds half a GPU but no core."""
    output = tmp_path / "out"
    node = cluster.add_node(**SMALL, num_gpus=1)
    seen: set[bool] = set()
    with job(corpus, output, "--address", cluster.address, "--gpus", "0.5") as process:
        while process.poll() is None:
            seen |= {on_node(each, node) for each in writers(output)}
            time.sleep(0.1)
        code, *said = ended(process)
    assert (code, said[-1]) == (0, f"6 shards translated, {6 * ROWS} rows in them, 1 files that are no shards")
    assert seen == {True}
    assert_complete(corpus, output)


def translate_corpus(*arguments: object) -> Result:
    """Run the command in this process."""
    return here("translate-corpus", *arguments)


def test_refuses_what_cannot_be_meant(corpus: Path, tmp_path: Path) -> None:
    """Before any process is started: files that are no shards, columns of one name, a folder that is made otherwise."""
    output = tmp_path / "out"
    common = ("--dir", "en-de", "--bundle", BUNDLE, "-o", output)
    assert "neither Parquet nor JSON lines" in one_line(translate_corpus(*common, corpus / "read.me").stderr)
    assert "the same name: confidence" in one_line(translate_corpus(*common, corpus, "--column", "confidence").stderr)
    assert "no-such-bundle" in one_line(
        translate_corpus(*common[:2], "--bundle", "no-such-bundle", "-o", output, corpus).stderr
    )
    assert "would be replaced" in one_line(translate_corpus(*common[:4], "-o", corpus, corpus).stderr)
    output.mkdir()
    (output / "a.parquet").write_bytes(b"")
    run = translate_corpus(*common, corpus / "a.parquet")
    assert run.exit_code == 1
    assert "has shards made with another direction" in one_line(run.stderr)


def test_what_one_run_begins_to_do_again_no_other_takes_for_finished(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Shards of another quality, which --force was to replace when it was interrupted, are still to be done."""
    output = tmp_path / "out"
    common = ("--dir", "en-de", "--bundle", BUNDLE, "-o", output, "--quality", "best", corpus / "a.parquet")
    output.mkdir()
    (output / "a.parquet").write_bytes(b"made fast")
    waiting: list[list[str]] = []

    def interrupted(_plan: object, jobs: Sequence[Job], *_: object) -> None:
        waiting.append([one.name for one in jobs])
        raise KeyboardInterrupt

    monkeypatch.setattr("cli.corpus._run", interrupted)
    said = one_line(translate_corpus(*common, "--force").stderr)
    assert said == "reder: interrupted; the same command goes on from here, without --force\n"
    translate_corpus(*common)
    assert waiting == [["a.parquet"]] * 2
    assert (output / "a.parquet").read_bytes() == b"made fast"


def test_links_keep_their_names(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A shard may be a link to a file of another name, as those of caches are."""
    (tmp_path / "0abc").write_bytes((corpus / "a.parquet").read_bytes())
    (tmp_path / "train.parquet").symlink_to("0abc")
    names: list[str] = []

    def noted(_plan: object, jobs: Sequence[Job], *_: object) -> list[Finished]:
        names.extend(one.name for one in jobs)
        return []

    monkeypatch.setattr("cli.corpus._run", noted)
    run = translate_corpus("--dir", "en-de", "--bundle", BUNDLE, tmp_path / "train.parquet", "-o", tmp_path / "out")
    assert (run.exit_code, names) == (0, ["train.parquet"])


def test_tells_the_error_of_a_worker() -> None:
    """Of what Ray says of a worker that failed, the error itself is told, not the advice that follows."""
    stack = 'ray::MapWorker()\n  File "w.py", line 5, in __call__\n    raise KeyError("x")\nKeyError: \'x\'\n\n'
    advice = "ray.exceptions.UserCodeException: UDF failed to process a data block.\nTo change retry attempts, ask."
    assert corpus_job._reason(RayError(stack + advice)) == "KeyError: 'x'"
    assert corpus_job._reason(RayError("no room\nfor a worker")) == "no room for a worker"


def test_nothing_to_do(tmp_path: Path) -> None:
    """An empty folder is no error, and needs no cluster."""
    (tmp_path / "in").mkdir()
    run = translate_corpus("--dir", "en-de", "--bundle", BUNDLE, tmp_path / "in", "-o", tmp_path / "out")
    assert (run.exit_code, run.stderr) == (0, "no shard to translate\n")


def test_no_cluster(corpus: Path, tmp_path: Path) -> None:
    """A cluster that is not there is one line."""
    run = translate_corpus("--dir", "en-de", "--bundle", BUNDLE, corpus, "-o", tmp_path, "--address", "127.0.0.1:9")
    assert run.exit_code == 1
    assert "127.0.0.1:9" in one_line(run.stderr)
