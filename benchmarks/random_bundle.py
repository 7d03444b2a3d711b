"""A bundle of any size with random weights: what it says is nonsense, but it takes as long as a trained one.

It has graphs and a tokenizer, which is what an engine needs; there is no model card, and no
self-check that a service could start with. It is written once and kept:

    python -m benchmarks.random_bundle FOLDER PRESET TOKENIZER
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Annotated

import torch
import typer

from model.bundle import (
    BLANK_ID,
    DIRECTIONS,
    MANIFEST,
    Manifest,
    RoundTripThresholds,
    Tokenizer,
    file_record,
    shortlist_file,
)
from model.config import PRESETS, ModelConfig, model_config_to_toml, without_dropout
from model.graphs import write_graphs
from model.reder import Reder

__all__ = ["write_random_bundle"]

_SEED = 1
_SENTENCES = 20
_SENTENCE_TOKENS = 30


def write_random_bundle(folder: Path, preset: str, tokenizer: Path) -> None:
    """Write the bundle; `folder` appears once it is whole.

    Args:
        folder: must not exist.
        preset: of `model.config.PRESETS`.
        tokenizer: its vocabulary, a SentencePiece model as `reder prepare` writes it. Shortlists beside it come along.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".random-") as temporary:
        part = Path(temporary) / folder.name
        part.mkdir()
        shutil.copyfile(tokenizer, part / "tokenizer.model")
        for name in map(shortlist_file, DIRECTIONS):
            if (tokenizer.parent / name).exists():
                shutil.copyfile(tokenizer.parent / name, part / name)
        size = Tokenizer(tokenizer).vocabulary_size
        config = without_dropout(ModelConfig(vocabulary_size=size, **PRESETS[preset]))
        (part / "config.toml").write_text(model_config_to_toml(config), encoding="utf-8")
        torch.manual_seed(_SEED)
        ids = torch.randint(BLANK_ID + 1, size, (_SENTENCES, _SENTENCE_TOKENS)).tolist()
        graphs = write_graphs(Reder(config).half().float().eval(), part, dict.fromkeys(DIRECTIONS, ids))
        manifest = Manifest(
            name=folder.name,
            upsampling=config.upsampling,
            max_source_tokens=config.max_source_tokens,
            vocabulary_size=size,
            blank_id=BLANK_ID,
            graphs=graphs,
            files={path.name: file_record(path) for path in sorted(part.iterdir())},
            round_trip={str(direction): RoundTripThresholds(0.0, 1.0) for direction in DIRECTIONS},
            training={"weights": "random"},
        )
        (part / MANIFEST).write_text(manifest.to_json(), encoding="utf-8")
        part.rename(folder)


def _main(
    folder: Annotated[Path, typer.Argument(help="To write; must not exist.")],
    preset: Annotated[str, typer.Argument(help=", ".join(PRESETS))],
    tokenizer: Annotated[Path, typer.Argument(help="A SentencePiece model.")],
) -> None:
    """Write a bundle with random weights."""
    write_random_bundle(folder, preset, tokenizer)


if __name__ == "__main__":
    typer.run(_main)
