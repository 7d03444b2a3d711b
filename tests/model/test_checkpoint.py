"""Checkpoints: whole or not at all, and read without running code."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import torch

from model.bundle import EN_DE, Tokenizer
from model.checkpoint import (
    CheckpointError,
    average_weights,
    load_model,
    load_training,
    save_tensors,
    save_training,
    save_weights,
)
from model.reder import Reder
from tests.model import toy
from tests.model.faults import full_disk

if TYPE_CHECKING:
    from pathlib import Path


def network(seed: int, *, layers_per_end: int = 2, dropout: float = 0.1) -> Reder:
    """A tiny network of its own."""
    torch.manual_seed(seed)
    model = Reder(toy.tiny(layers_per_end=layers_per_end, dropout=dropout))
    toy.randomise_norms(model)
    return model


def test_weights_round_trip(tmp_path: Path) -> None:
    """Weights come back bit for bit, with their shape, ready for inference."""
    model = network(1)
    save_weights(tmp_path / "a.safetensors", model)
    loaded = load_model(tmp_path / "a.safetensors")
    assert all(torch.equal(tensor, loaded.state_dict()[name]) for name, tensor in model.state_dict().items())
    assert not loaded.training
    assert loaded.config.dropout == 0
    ids, lengths = torch.randint(2, toy.VOCABULARY_SIZE, (2, 5)), torch.tensor([5, 3])
    assert torch.equal(loaded(EN_DE, ids, lengths).logits, model.eval()(EN_DE, ids, lengths).logits)


def test_training_round_trip(tmp_path: Path) -> None:
    """Tensors and plain values come back equal."""
    tensor = torch.randn(3)
    values = {"progress": {"update": 7, "best": [(61.5, 4)]}, "list": [1.5, "x", None]}
    save_training(tmp_path / "training.pt", {"tensor": tensor, **values})
    loaded = load_training(tmp_path / "training.pt")
    assert torch.equal(loaded.pop("tensor"), tensor)
    assert loaded == values


def test_code_in_a_checkpoint_is_refused(tmp_path: Path) -> None:
    """A checkpoint that would run code when loaded is an error, and the code does not run."""
    torch.save({"model": Trap(tmp_path / "sprung")}, tmp_path / "training.pt")
    with pytest.raises(CheckpointError, match=r"training\.pt is not a training checkpoint"):
        load_training(tmp_path / "training.pt")
    assert not (tmp_path / "sprung").exists()


class Trap:
    """Creates a file when unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, tuple[str, str]]:
        return open, (str(self.path), "w")


@pytest.mark.parametrize(
    "content", [b"", b"garbage", b"\x08\0\0\0\0\0\0\0{}      "], ids=["empty", "garbage", "no shape"]
)
def test_file_of_another_kind(tmp_path: Path, content: bytes) -> None:
    """What is no checkpoint is an error that names the file; so is a file that is not there."""
    path = tmp_path / "x.bin"
    path.write_bytes(content)
    for file in (path, tmp_path / "gone.bin"):
        with pytest.raises(CheckpointError, match=f"{file.name} is not a weights file"):
            load_model(file)
        with pytest.raises(CheckpointError, match=f"{file.name} is not a training checkpoint"):
            load_training(file)


def test_weights_that_do_not_fit_their_shape(tmp_path: Path) -> None:
    """A weights file whose header describes a deeper or a wider network is an error that says what is amiss."""
    path = tmp_path / "a.safetensors"
    model = network(1)
    model.config = toy.tiny(layers_per_end=3)
    save_weights(path, model)
    with pytest.raises(CheckpointError, match=r"a\.safetensors lacks ends\.\w\w\.layers\.2"):
        load_model(path)
    model.config = toy.tiny(vocabulary_size=toy.VOCABULARY_SIZE + 1)
    save_weights(path, model)
    with pytest.raises(CheckpointError, match=r"a\.safetensors does not fit its own description: [^.]*embedding"):
        load_model(path)


def test_transposed_weights_are_read(tmp_path: Path) -> None:
    """A matrix stored transposed under NAME.T, as in a bundle, is turned back; other tensors are passed over."""
    model = network(1)
    tensors = model.state_dict()
    inner = "ends.en.layers.0.feed_forward.inner.weight"
    stored = {name: tensor for name, tensor in tensors.items() if name != inner}
    stored |= {f"{inner}.T": tensors[inner].t().contiguous(), "folded.1": torch.ones(3)}
    save_tensors(tmp_path / "a.safetensors", stored, model.config)
    loaded = load_model(tmp_path / "a.safetensors").state_dict()
    assert all(torch.equal(tensor, loaded[name]) for name, tensor in tensors.items())


def test_half_precision_is_read_into_a_float32_network(tmp_path: Path) -> None:
    """The network of a float16 file, as in a bundle, has its numbers and computes in float32."""
    model = network(1).half()
    save_weights(tmp_path / "a.safetensors", model)
    loaded = load_model(tmp_path / "a.safetensors").state_dict()
    assert {tensor.dtype for tensor in loaded.values()} == {torch.float32, torch.bool}
    assert all(torch.equal(tensor, loaded[name]) for name, tensor in model.float().state_dict().items())


@pytest.mark.parametrize("kind", ["weights", "training"])
def test_full_disk_keeps_the_old_file(tmp_path: Path, kind: str) -> None:
    """Running out of space is a CheckpointError; the earlier file stays as it was and nothing half-written is left."""
    path = tmp_path / kind
    old, new = network(1), network(2)

    def save(model: Reder) -> None:
        if kind == "weights":
            save_weights(path, model)
        else:
            save_training(path, dict(model.state_dict()))

    save(old)
    before = path.read_bytes()
    with full_disk(room=len(before) // 2), pytest.raises(CheckpointError, match=f"cannot write .*{kind}"):
        save(new)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_folder_that_is_not_there(tmp_path: Path) -> None:
    """Writing into a missing folder is an error that names the file."""
    with pytest.raises(CheckpointError, match=r"cannot write .*gone/a\.safetensors"):
        save_weights(tmp_path / "gone" / "a.safetensors", network(1))


@pytest.mark.parametrize("count", [1, 2, 5])
def test_average_is_the_arithmetic_mean(tmp_path: Path, count: int) -> None:
    """Every weight of the result is the mean of that weight over the files."""
    models = [network(seed) for seed in range(count)]
    paths = [tmp_path / f"{seed}.safetensors" for seed in range(count)]
    for model, path in zip(models, paths, strict=True):
        save_weights(path, model)
    average_weights(paths, tmp_path / "mean.safetensors")
    mean = load_model(tmp_path / "mean.safetensors").state_dict()
    for name, tensor in mean.items():
        each = torch.stack([model.state_dict()[name] for model in models])
        expected = each.double().mean(dim=0).to(tensor.dtype)
        torch.testing.assert_close(tensor, expected, rtol=1e-6, atol=1e-7)
        assert tensor.dtype == each.dtype


def test_average_of_one_file_given_twice(tmp_path: Path) -> None:
    """A file named twice counts twice: the mean of equal files is that file."""
    save_weights(tmp_path / "a.safetensors", network(1))
    average_weights([tmp_path / "a.safetensors"] * 2, tmp_path / "mean.safetensors")
    first, mean = (load_model(tmp_path / f"{name}.safetensors").state_dict() for name in ("a", "mean"))
    assert all(torch.equal(tensor, mean[name]) for name, tensor in first.items())


def test_average_of_other_shapes(tmp_path: Path) -> None:
    """Networks of different shapes have no mean: the odd file is named."""
    save_weights(tmp_path / "a.safetensors", network(1))
    save_weights(tmp_path / "b.safetensors", network(1, layers_per_end=1))
    with pytest.raises(CheckpointError, match=r"b\.safetensors has another shape than .*a\.safetensors"):
        average_weights([tmp_path / "a.safetensors", tmp_path / "b.safetensors"], tmp_path / "mean.safetensors")


def test_vocabulary_of_weights(vocabulary: Path, other_vocabulary: Path, tmp_path: Path) -> None:
    """Weights are read with their vocabulary, and with none; those that do not tell theirs with any."""
    own, other = Tokenizer(vocabulary), Tokenizer(other_vocabulary)
    told, untold, mean = (tmp_path / f"{name}.safetensors" for name in ("told", "untold", "mean"))
    save_weights(told, network(1), own.digest)
    save_weights(untold, network(2))
    average_weights([told, untold], mean)
    for path, tokenizer in ((told, own), (told, None), (untold, own), (untold, other), (mean, own)):
        load_model(path, tokenizer)
    for path in (told, mean):
        with pytest.raises(CheckpointError, match=f"{path.name} was trained with another vocabulary"):
            load_model(path, other)


def test_average_of_other_vocabularies(vocabulary: Path, other_vocabulary: Path, tmp_path: Path) -> None:
    """Networks whose tokens mean different words have no mean."""
    paths = [tmp_path / name for name in ("a.safetensors", "b.safetensors")]
    for path, file in zip(paths, (vocabulary, other_vocabulary), strict=True):
        save_weights(path, network(1), Tokenizer(file).digest)
    with pytest.raises(CheckpointError, match=r"a\.safetensors, .*b\.safetensors were trained with different"):
        average_weights(paths, tmp_path / "mean.safetensors")


def test_files_may_be_read_by_whom_others_may(tmp_path: Path) -> None:
    """Weights have the mode of other files."""
    save_weights(tmp_path / "a.safetensors", network(1))
    (tmp_path / "other").touch()
    assert (tmp_path / "a.safetensors").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_average_of_nothing(tmp_path: Path) -> None:
    """No files have no mean."""
    with pytest.raises(CheckpointError, match="no weights to average"):
        average_weights([], tmp_path / "mean.safetensors")
