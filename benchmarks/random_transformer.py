"""A Transformer for CTranslate2 with random weights: an encoder and a decoder, as fast as trained ones of its size."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from ctranslate2.specs import TransformerSpec
from ctranslate2.specs.model_spec import index_spec

if TYPE_CHECKING:
    from model.bundle import Shortlist

__all__ = ["Shape", "token_name", "write_random_transformer"]

_SEED = 1
_START, _UNKNOWN, _END = range(3)
_SPECIAL = {_START: "<s>", _UNKNOWN: "<unk>", _END: "</s>"}


@dataclass(frozen=True, slots=True)
class Shape:
    """Of a Transformer; widths in features."""

    encoder_layers: int
    decoder_layers: int
    width: int
    ffn_width: int
    heads: int
    vocabulary_size: int


def token_name(token: int) -> str:
    """How CTranslate2 is told of a token id."""
    return _SPECIAL.get(token, f"t{token}")


def write_random_transformer(folder: Path, shape: Shape, shortlist: Shortlist | None = None) -> None:
    """Write an int8 model; `folder` appears once it is whole.

    One matrix serves both embeddings and the output, as in the paper that the shape is from.

    Args:
        folder: must not exist.
        shape: its layers and widths.
        shortlist: for its vocabulary; what CTranslate2 calls a vocabulary map is written from it.
    """
    spec = TransformerSpec.from_config(
        (shape.encoder_layers, shape.decoder_layers), shape.heads, pre_norm=True, no_final_norm=False
    )
    _fill(spec, shape)
    names = [token_name(token) for token in range(shape.vocabulary_size)]
    spec.register_source_vocabulary(names)
    spec.register_target_vocabulary(names)
    spec.validate()
    spec.optimize(quantization="int8")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".random-") as temporary:
        part = Path(temporary) / folder.name
        part.mkdir()
        if shortlist:
            mapping = Path(temporary, "vmap.txt")
            mapping.write_text(_vocabulary_map(shortlist), encoding="utf-8")
            spec.register_vocabulary_mapping(str(mapping))
        spec.save(str(part))
        part.rename(folder)


def _vocabulary_map(shortlist: Shortlist) -> str:
    """A line for each token of the source, with those that it speaks for, itself among them; the first for all."""
    lists = [("", shortlist.common)]
    for token, (start, end) in enumerate(pairwise(shortlist.starts.tolist())):
        lists.append((token_name(token), np.append(shortlist.tokens[start:end], token)))
    return "".join(f"{name}\t{' '.join(map(token_name, tokens.tolist()))}\n" for name, tokens in lists)


def _fill(spec: TransformerSpec, shape: Shape) -> None:
    """Set every variable that the specification asks for, and the biases, which it leaves open."""
    random = np.random.default_rng(_SEED)
    embedding = random.normal(0, shape.width**-0.5, (shape.vocabulary_size, shape.width)).astype(np.float32)
    width, ffn_width = shape.width, shape.ffn_width
    matrices = {
        "self_attention/linear_0": (3 * width, width),
        "self_attention/linear_1": (width, width),
        "attention/linear_0": (width, width),
        "attention/linear_1": (2 * width, width),
        "attention/linear_2": (width, width),
        "ffn/linear_0": (ffn_width, width),
        "ffn/linear_1": (width, ffn_width),
    }
    for name in [name for name, value in spec.variables().items() if value is None]:
        scope, _, kind = name.rpartition("/")
        part = index_spec(spec, scope)
        if kind == "gamma":
            part.gamma = np.ones(width, np.float32)
        elif kind == "beta":
            part.beta = np.zeros(width, np.float32)
        elif "embeddings" in scope or scope == "decoder/projection":
            part.weight = embedding
        else:
            rows, columns = matrices["/".join(scope.split("/")[-2:])]
            part.weight = random.normal(0, columns**-0.5, (rows, columns)).astype(np.float32)
            part.bias = np.zeros(rows, np.float32)
