"""`reder distill-packed`: a packed corpus translated by a teacher of its own vocabulary."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from cli.errors import needs, reporting
from cli.options import Minutes, PackedFolder, ShardSentences
from cli.shares import TranslatedShares, parse_shares

__all__ = ["distill_packed"]


def distill_packed(  # noqa: PLR0917 - typer passes them by name
    corpus: PackedFolder,
    weights: Annotated[Path, typer.Option(help="The teacher (.safetensors): architecture dual, trained on PACKED.")],
    output: Annotated[Path, typer.Option(help="Folder for the packed corpus that is written.")],
    direction: Annotated[Literal["en-de", "de-en"], typer.Option("--dir", help="Which way.")],
    share: TranslatedShares = None,
    longest: Annotated[int, typer.Option(min=1, help="Leave out sentences of more tokens.")] = 96,
    batch_tokens: Annotated[int, typer.Option(min=1, help="Source tokens in a batch.")] = 1 << 18,
    shard_sentences: ShardSentences = 100_000,
    minutes: Minutes = None,
) -> None:
    r"""Translate a packed corpus with a teacher, greedily, one way: `reder distill` for a GPU.

    Token ids in, token ids out: nothing is cleaned and encoded again. Reads what `reder prepare`
    wrote, and writes a packed corpus that a recipe names under `also`; a source is called NAME.en-de
    where its German is the teacher's, and NAME.de-en where its English is. Each sentence is
    translated once, in random order. The same command goes on where it stopped.

    Example:
      reder distill-packed data/packed --weights runs/teacher/mean.safetensors --dir en-de \
        --output data/packed-en-de --share 'dictionary*=0' --minutes 5
    """
    with needs("train"):
        from model.architecture import for_inference
        from model.baselines.dual import Dual
        from model.baselines.greedy import translate_ids
        from model.checkpoint import CheckpointError, load_network

    from model.bundle import BundleError, Direction
    from model.data.corpus import CorpusError
    from model.data.distillation import teacher_name
    from model.data.packed import PackedCorpus
    from model.data.packed_distillation import PackedDistillation, is_complete
    from model.data.packed_distillation import distill_packed as run

    with reporting(BundleError, CheckpointError, CorpusError):
        opened = PackedCorpus.open(corpus)
        vocabulary = opened.tokenizer()
        teacher = for_inference(load_network(weights, vocabulary))
        if not isinstance(teacher, Dual) or teacher.config.vocabulary_size != vocabulary.vocabulary_size:
            msg = f"{weights} is not an autoregressive teacher (architecture dual) of the vocabulary of {corpus}"
            raise CheckpointError(msg)
        way = Direction.parse(direction)
        task = PackedDistillation(
            corpus=opened,
            output=output,
            teacher=teacher_name(weights.name, weights),
            translate=partial(translate_ids, teacher, way, batch_tokens=batch_tokens),
            direction=way,
            shares=parse_shares("--share", share),
            longest=longest,
            shard_sentences=shard_sentences,
        )
        written = run(task, minutes=minutes)
    state = "complete" if is_complete(task) else "not complete: run it again to go on"
    typer.echo(f"{output}: {len(written):,} pairs; {state}")
