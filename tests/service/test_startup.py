"""What the service refuses to start with, and why: one line each."""

from __future__ import annotations

import json
import logging
import socket
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np
import onnx
import pytest
import structlog
from pydantic import ValidationError

from model.bundle import EN_DE, Bundle, BundleError, ContractError, IntegrityError, ManifestError
from service.__main__ import main
from service.app import batcher_limits, configured_engine, load
from service.engine.choice import open_engine
from service.engine.network import why_not_here
from service.errors import CannotListen, ConfigurationError, EngineOutOfMemory, SelfCheckError, StartupError
from service.http.listening import bound
from service.pipeline.batching.planning import BatchBudget
from service.settings import _OF_THE_PIPELINE, PipelineSettings, Settings, unknown_variables
from service.types import Batch, EngineInfo
from tests.service import bundles
from tests.service.processes import free_port, listens, started
from tests.service.support import PATIENCE_S

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from service.app import Loaded

INT64, FLOAT, INT32 = onnx.TensorProto.INT64, onnx.TensorProto.FLOAT, onnx.TensorProto.INT32

LITTLE_MEMORY = """
import resource, runpy
resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
runpy.run_module("service", run_name="__main__")
"""
"""The program where a thousand threads, with what they compute with, do not fit."""


@pytest.fixture(autouse=True)
def logging_as_before() -> Iterator[None]:
    """What `main` sets up for a whole process lasts for one test."""
    root, configured = logging.getLogger(), structlog.get_config()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.configure(**configured)


@pytest.fixture
def altered(loaded: Loaded, tmp_path: Path) -> Path:
    """A bundle folder of links to the real files: put another there, and it is altered."""
    return bundles.link(loaded.bundle.path.resolve(), tmp_path / "bundle")


def graph(ids_type: int, log_probs_name: str = "frame_log_probs", *, huge: bool = False) -> bytes:
    """A graph that gives each token back as a frame; with `huge`, it first asks for 4 TB of memory."""
    helper = onnx.helper
    nodes = [
        helper.make_node("Cast", ["source_ids"], ["frame_ids"], to=ids_type),
        helper.make_node("Cast", ["source_ids"], [log_probs_name], to=FLOAT),
    ]
    if huge:
        nodes[1:] = [
            helper.make_node("ConstantOfShape", ["size"], ["zeros"]),
            helper.make_node("ReduceSum", ["zeros"], ["zero"], keepdims=0),
            helper.make_node("Cast", ["source_ids"], ["as_float"], to=FLOAT),
            helper.make_node("Mul", ["as_float", "zero"], [log_probs_name]),
        ]
    model = helper.make_model(
        helper.make_graph(
            nodes,
            "echo",
            [
                helper.make_tensor_value_info("source_ids", INT64, ["batch", "source_len"]),
                helper.make_tensor_value_info("source_lengths", INT64, ["batch"]),
            ],
            [
                helper.make_tensor_value_info("frame_ids", ids_type, ["batch", "frames"]),
                helper.make_tensor_value_info(log_probs_name, FLOAT, ["batch", "frames"]),
            ],
            [onnx.numpy_helper.from_array(np.array([2**40], np.int64), "size")] if huge else [],
        ),
        opset_imports=[helper.make_opsetid("", 17)],
        ir_version=9,
    )
    return bytes(model.SerializeToString())


def refusal(settings: Settings, folder: Path, expected: type[Exception], *, verify: bool = False) -> str:
    """The message with which `load` refuses this folder."""
    with pytest.raises(expected) as caught:
        load(settings.model_copy(update={"bundle": folder, "verify_bundle": verify}))
    assert isinstance(caught.value, BundleError | StartupError)
    return str(caught.value)


def test_a_damaged_file(settings: Settings, altered: Path) -> None:
    """A file that is not the one exported is named."""
    content = bytearray((altered / "tokenizer.model").read_bytes())
    content[-1] ^= 1
    bundles.put(altered / "tokenizer.model", bytes(content))
    assert "tokenizer.model does not match its SHA-256" in refusal(settings, altered, IntegrityError, verify=True)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (graph(INT32), "outputs do not match contract"),
        (graph(INT64, "scores"), "outputs do not match contract"),
        (b"no graph at all", "cannot be loaded"),
    ],
)
def test_a_graph_that_breaks_the_contract(settings: Settings, altered: Path, content: bytes, reason: str) -> None:
    """A tensor of another type or name, or no graph, is refused before anything is served."""
    for graphs in json.loads((altered / "manifest.json").read_text())["graphs"].values():
        bundles.put(altered / graphs["fp32"]["greedy"], content)
    assert reason in refusal(settings, altered, ContractError)


def test_a_graph_that_translates_otherwise(settings: Settings, altered: Path) -> None:
    """A graph of the right form and the wrong content fails the golden examples."""
    for graphs in json.loads((altered / "manifest.json").read_text())["graphs"].values():
        bundles.put(altered / graphs["fp32"]["greedy"], graph(INT64))
    assert "does not translate as recorded at export" in refusal(settings, altered, SelfCheckError)


@pytest.mark.parametrize(("task", "name"), [("search", "search"), ("score", "scoring")])
def test_graphs_that_are_mixed_up(settings: Settings, altered: Path, task: str, name: str) -> None:
    """Graphs for search or scoring that run the other direction do not agree with greedy translation."""
    manifest = json.loads((altered / "manifest.json").read_text())
    there, back = (manifest["graphs"][way]["fp32"] for way in ("en-de", "de-en"))
    there[task], back[task] = back[task], there[task]
    bundles.put(altered / "manifest.json", json.dumps(manifest).encode())
    assert f"{name} does not agree with greedy translation" in refusal(settings, altered, SelfCheckError)


def test_a_tokenizer_that_encodes_otherwise(settings: Settings, altered: Path) -> None:
    """Token ids must come out exactly as at export."""
    examples = [json.loads(line) for line in (altered / "golden.jsonl").read_text(encoding="utf-8").splitlines()]
    examples[0]["source_ids"][0] += 1
    bundles.put(altered / "golden.jsonl", "\n".join(map(json.dumps, examples)).encode())
    assert "other ids than at export" in refusal(settings, altered, SelfCheckError)


def test_a_precision_the_bundle_lacks(settings: Settings, altered: Path) -> None:
    """Demanding it is an error, not a silent fallback; `auto` takes what there is."""
    manifest = json.loads((altered / "manifest.json").read_text())
    for graphs in manifest["graphs"].values():
        graphs.pop("int8", None)
    bundles.put(altered / "manifest.json", json.dumps(manifest).encode())
    demanding = settings.model_copy(update={"precision": "int8"})
    assert "has no int8 graph" in refusal(demanding, altered, ManifestError)
    automatic = settings.model_copy(update={"precision": "auto", "provider": "cpu", "bundle": altered})
    assert load(automatic.model_copy(update={"verify_bundle": False})).engine.info.precision == "fp32"


def test_segments_longer_than_batches(settings: Settings, loaded: Loaded) -> None:
    """A model whose longest sentence fits no batch is a contradiction of settings."""
    for name in ("batch_tokens", "queue_tokens"):  # a batch is never larger than the queue
        narrow = settings.model_copy(update={name: loaded.bundle.manifest.max_source_tokens - 1})
        assert f"raise {name}" in refusal(narrow, loaded.bundle.path, ConfigurationError)


@pytest.mark.parametrize(
    ("provider", "values", "tokens", "items", "overhead", "lookahead"),
    [
        ("cpu", {}, 512, 32, 16, 128),
        ("native", {}, 512, 32, 16, 128),
        ("cuda", {}, 16384, 512, 1000, 1024),
        ("cuda", {"queue_tokens": 3000}, 3000, 512, 1000, 1024),
        ("cpu", {"batch_tokens": 700, "batch_items": 9, "batch_overhead_tokens": 0}, 700, 9, 0, 36),
        ("cpu", {"plan_lookahead": 50}, 512, 32, 16, 50),
    ],
)
def test_batches_suit_the_engine(
    provider: str, values: dict[str, int], tokens: int, items: int, overhead: int, lookahead: int
) -> None:
    """They suit a core, and are large on a GPU, unless the settings say how large they are."""
    padded = provider != "native"
    info = EngineInfo(provider if padded else "cpu", "int8", 4, "some runtime", padded=padded)
    found = batcher_limits(Settings.model_validate(values), info)
    assert found.budget == BatchBudget(tokens, items, overhead, padded=padded)
    assert found.lookahead == lookahead


def test_cuda_where_there_is_none(settings: Settings, loaded: Loaded) -> None:
    """CUDA, or a precision that needs it, demanded and not to be had is a refusal; what is to be had is used."""
    import onnxruntime  # noqa: PLC0415 - asked only here

    for demanded, reason in (({"provider": "cuda"}, "cuda is demanded"), ({"precision": "fp16"}, "fp16 needs CUDA")):
        demanding = settings.model_copy(update={"provider": "auto", **demanded})
        if "CUDAExecutionProvider" in onnxruntime.get_available_providers():
            assert load(demanding).engine.info.provider == "cuda"
        else:
            assert reason in refusal(demanding, loaded.bundle.path, ConfigurationError)


@pytest.mark.parametrize("threads", [1, 2])
def test_memory_that_runs_out_is_recognised(loaded: Loaded, altered: Path, threads: int) -> None:
    """ONNX Runtime's own failure to allocate, on one core or in parts, becomes the error that halves batches."""
    for graphs in loaded.bundle.manifest.graphs.values():
        bundles.put(altered / graphs["fp32"]["greedy"], graph(INT64, huge=True))
    engine = open_engine(loaded.bundle.open(altered, verify=False), provider="cpu", precision="fp32", threads=threads)
    with pytest.raises(EngineOutOfMemory):
        engine.infer(EN_DE, Batch.pad([[5, 6], [7, 8]]))


def wrong_hash(folder: Path) -> None:
    """One bit of the weights."""
    content = bytearray((folder / "weights.int8.safetensors").read_bytes())
    content[len(content) // 2] ^= 1
    bundles.put(folder / "weights.int8.safetensors", bytes(content))


def truncated_graph(folder: Path) -> None:
    """A copy that broke off."""
    content = (folder / "en-de.greedy.fp32.onnx").read_bytes()
    bundles.put(folder / "en-de.greedy.fp32.onnx", content[: len(content) // 2])


def truncated_weights(folder: Path) -> None:
    """The same of what the graphs refer to."""
    content = (folder / "weights.safetensors").read_bytes()
    bundles.put(folder / "weights.safetensors", content[: len(content) // 2])


def missing_file(folder: Path) -> None:
    """One file less."""
    (folder / "tokenizer.model").unlink()


def junk_dictionary(folder: Path) -> None:
    """No file of gzip."""
    bundles.put(folder / "dictionary.en-de.tsv.gz", b"dog\tHund\n")


def junk_language_model(folder: Path) -> None:
    """No arrays."""
    bundles.put(folder / "ngrams.de.npz", b"junk")


def no_canary(folder: Path) -> None:
    """Nothing to translate there and back."""
    (folder / "canary.de.txt").unlink()


def other_contract(folder: Path) -> None:
    """From a later release."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    bundles.put(folder / "manifest.json", json.dumps(manifest | {"contract": 99}).encode())


def half_a_manifest(folder: Path) -> None:
    """A manifest that broke off."""
    content = (folder / "manifest.json").read_bytes()
    bundles.put(folder / "manifest.json", content[: len(content) // 2])


def greedy_graph(folder: Path) -> None:
    """A graph of the right form that asks for 4 TB of memory."""
    for name in ("en-de.greedy.fp32.onnx", "de-en.greedy.fp32.onnx"):
        bundles.put(folder / name, graph(INT64, huge=True))


@pytest.mark.parametrize(
    ("damage", "verify", "reason"),
    [
        (wrong_hash, True, "weights.int8.safetensors does not match its SHA-256 in the manifest"),
        (truncated_graph, True, "en-de.greedy.fp32.onnx has "),
        (truncated_graph, False, "en-de.greedy.fp32.onnx cannot be loaded"),
        (truncated_weights, False, "cannot be loaded"),
        (missing_file, True, "tokenizer.model is missing"),
        (missing_file, False, "tokenizer.model is not a SentencePiece model"),
        (junk_dictionary, False, "dictionary.en-de.tsv.gz is no dictionary"),
        (junk_language_model, False, "ngrams.de.npz"),
        (no_canary, False, "no canary sentences for de"),
        (other_contract, True, "bundle contract 99 is not supported"),
        (half_a_manifest, True, "manifest.json is malformed"),
        (greedy_graph, False, "en-de cannot be run on 1 sentences of 8 tokens"),
    ],
)
def test_a_damaged_bundle_is_never_served(
    settings: Settings,
    altered: Path,
    capfd: pytest.CaptureFixture[str],
    damage: Callable[[Path], None],
    reason: str,
    *,
    verify: bool,
) -> None:
    """A bundle that is not what was exported: exit code 2, one line that names what is wrong, and nobody listens."""
    damage(altered)
    port = free_port()
    broken = settings.model_copy(update={"bundle": altered, "verify_bundle": verify, "port": port})
    assert main(broken) == 2
    error = capfd.readouterr().err
    told = [line for line in error.splitlines() if line.startswith("reder: cannot start: ")]
    assert len(told) == 1
    assert reason in told[0]
    assert "Traceback" not in error
    assert not listens(port)


def test_main_refuses_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No bundle there: an exit code, one line, no traceback."""
    assert main(Settings(bundle=tmp_path / "none", port=0)) == 2
    error = capsys.readouterr().err
    assert error.startswith("reder: cannot start: ")
    assert error.count("\n") == 1


def test_a_wrong_setting_is_told_in_our_own_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Which setting, and what is wrong with it."""
    monkeypatch.setenv("REDER_CORS_ORIGINS", "app.example")
    assert main() == 2
    told = "REDER_CORS_ORIGINS: an origin reads like https://app.example or http://localhost:3000, without a path"
    assert capsys.readouterr().err == f"reder: cannot start: settings are wrong: {told}\n"


@pytest.mark.skipif(bool(why_not_here()) or not Path("/proc").exists(), reason="needs Linux, and the network in C")
def test_more_threads_than_there_is_memory_for(settings: Settings, tmp_path: Path) -> None:
    """Said in one line that names the setting."""
    with started(settings.bundle, tmp_path / "log", program=("-c", LITTLE_MEMORY), threads=1024) as running:
        assert running.process.wait(PATIENCE_S) == 2
    assert running.logged() == "reder: cannot start: threads: not enough memory or threads for 1024\n"


@pytest.mark.parametrize("host", ["none.invalid", "a..b", " "])
def test_a_host_that_is_none(settings: Settings, capsys: pytest.CaptureFixture[str], host: str) -> None:
    """Said in one line that names it, and before anything is loaded."""
    assert main(settings.model_copy(update={"host": host})) == 2
    assert capsys.readouterr().err == f"reder: cannot start: host: no address is known of {host}".rstrip() + "\n"


@pytest.mark.parametrize(
    ("host", "reason"), [("127.0.0.1", "address already in use"), ("192.0.2.1", "cannot assign requested address")]
)
def test_where_it_cannot_listen(tmp_path: Path, capsys: pytest.CaptureFixture[str], host: str, reason: str) -> None:
    """Said in one line that names host and port, before a bundle is looked for, and told apart by the exit code."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert main(Settings(bundle=tmp_path / "none", host=host, port=port)) == 3
    assert capsys.readouterr().err == f"reder: cannot start: host {host}, port {port}: {reason}\n"


def test_nobody_waits_while_it_loads() -> None:
    """Connections are refused until all is loaded; from then on no other program gets the port."""
    port = free_port()
    with bound("localhost", port) as listeners, socket.socket() as caller:
        assert caller.connect_ex(("127.0.0.1", port)) != 0
        for listener in listeners:
            listener.listen()
        caller.connect(("127.0.0.1", port))
        with pytest.raises(CannotListen, match="address already in use"), bound("127.0.0.1", port):
            pass


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"host": ""}, "at least 1 character"),  # or it would listen on every interface
        ({"max_segment_tokens": 200, "batch_tokens": 100}, "exceeds batch_tokens"),
        ({"batch_tokens": 200, "queue_tokens": 100}, "exceeds queue_tokens"),
        ({"provider": "cpu", "precision": "fp16"}, "needs CUDA"),
        ({"port": 70000}, "less than or equal to 65535"),
        ({"text_threads": 10**23}, "less than or equal to 1024"),
        ({"cors_origins": "https://*.app.example"}, "an origin reads like"),  # or no page at all might call
        ({"max_segment_tokens": 3}, "greater than or equal to 16"),
        ({"bundle_root": "/nonexistent"}, "bundle_root\n.*not point to a directory"),
        ({"bundle_root": __file__}, "bundle_root\n.*not point to a directory"),
        ({"prot": 8000}, "Extra inputs are not permitted"),
        ({"drain_timeout_s": float("inf")}, "finite number"),
    ],
)
def test_settings_that_contradict(values: dict[str, object], reason: str) -> None:
    """Wrong alone or wrong together: said at once."""
    with pytest.raises(ValidationError, match=reason):
        Settings.model_validate(values)


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """REDER_ and the name; every field says what it is for; nothing changes afterwards."""
    monkeypatch.setenv("REDER_BATCH_ITEMS", "7")
    settings = Settings()
    assert settings.batch_items == 7
    assert all(field.description for field in Settings.model_fields.values())
    with pytest.raises(ValidationError, match="frozen"):
        settings.batch_items = 8  # type: ignore[misc]


def test_settings_of_a_pipeline_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without HTTP the environment's settings for that are not read, so that they cannot be wrong; the others are."""
    for name, value in {"port": "tcp://10.0.0.1:80", "api_keys": "", "rate_limit_per_key": "1/day"}.items():
        monkeypatch.setenv(f"REDER_{name.upper()}", value)
    monkeypatch.setenv("REDER_QUALITY", "best")
    assert PipelineSettings(threads=3) == PipelineSettings.model_construct(quality="best", threads=3)
    assert Settings.model_fields.keys() >= _OF_THE_PIPELINE
    monkeypatch.setenv("REDER_THREADS", "many")
    with pytest.raises(ValidationError, match="threads"):
        PipelineSettings()


def test_a_pipeline_is_made_by_its_own_settings(settings: Settings) -> None:
    """What is asked of the settings to make an engine and its batcher counts without HTTP, too."""
    asked: set[str] = set()

    class Asked:
        """Settings that remember what they were asked."""

        def __getattr__(self, name: str) -> object:
            asked.add(name)
            return getattr(settings, name)

    its = cast("Settings", Asked())
    batcher_limits(its, configured_engine(Bundle.open(settings.bundle, verify=False), its).info)
    assert {"instructions", "batch_tokens"} <= asked <= _OF_THE_PIPELINE


def test_a_failure_while_it_starts_is_one_line(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What goes wrong when all has been loaded ends it like wrong settings: with 2, and a line that says so."""

    def none_left(_: int) -> None:
        raise RuntimeError

    monkeypatch.setattr("service.app.TextThreads", none_left)
    assert main(settings.model_copy(update={"port": 0})) == 2
    assert capsys.readouterr().err.splitlines()[-1] == (
        "reder: cannot start: the application did not start; why was logged before this"
    )


def test_an_empty_path_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is as if it were not set, rather than the working directory."""
    monkeypatch.setenv("REDER_BUNDLE_ROOT", "")
    monkeypatch.setenv("REDER_BUNDLE", " ")
    settings = Settings()
    assert settings.bundle_root is None
    assert settings.bundle == Settings.model_fields["bundle"].default


def test_settings_that_are_none() -> None:
    """A misspelt one is named with what was probably meant; what Kubernetes sets for a Service named reder is not."""
    foreign = ("REDER_API_KEY", "REDER_SERVICE_HOST", "REDER_PORT_8000_TCP_ADDR", "PATH")
    names = ("REDER_PORT", "reder_host", "REDER_QUEUE_TOKEN", "REDER_BOGUS", *foreign)
    assert unknown_variables(names) == {"REDER_QUEUE_TOKEN": "REDER_QUEUE_TOKENS", "REDER_BOGUS": None}
