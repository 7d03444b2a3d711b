"""A process that trains on a packed corpus, to be killed or joined by others.

    python -m tests.model.run_training PACKED FOLDER UPDATES

In a group (torchrun's environment variables) every process leaves its weights and one more update's
report in FOLDER.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import torch

from model.checkpoint import save_weights
from model.config import TrainConfig
from model.data.packed import PackedCorpus
from model.distributed import join
from model.train import Trainer
from tests.model import toy

SETTINGS = TrainConfig(
    batch_tokens=800,
    learning_rate=2e-3,
    warmup_updates=5,
    optimizer="muon",
    save_every=1e-6,  # before every update
)


def main(packed: Path, folder: Path, updates: int) -> None:
    """Train; with more than one process without dropout, whose masks depend on the process."""
    group = join()
    model = toy.tiny(dropout=0.1 if group.size == 1 else 0.0)
    recipe = toy.recipe(packed, replace(SETTINGS, max_updates=updates), model=model)
    trainer = Trainer(recipe, PackedCorpus.open(packed), folder, group=group)
    trainer.run()
    if group.size > 1:
        report = trainer._update(next(trainer._batches()))
        save_weights(folder / f"rank-{group.rank}.safetensors", trainer.model)
        (folder / f"rank-{group.rank}.json").write_text(json.dumps(report._asdict()), encoding="utf-8")
        torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
