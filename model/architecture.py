"""The kinds of network that can be trained, and what each is trained on and translates with."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import torch

from model.baselines.beam import BeamSettings, score_pairs, translate_dual
from model.baselines.dual import Dual
from model.bundle import ManifestError, SearchSettings
from model.decode import Rescorer, first, translate_all
from model.decode import translate as translate_greedily
from model.objective import CrossEntropyObjective, DuplexObjective
from model.precision import product_dtype
from model.reder import Reder
from model.tasks import TorchRunner

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from model.bundle import Direction, Fluency, Tokenizer
    from model.config import ModelConfig, TrainConfig
    from model.minimum_risk import MinimumRisk
    from model.objective import Objective

__all__ = ["Decoding", "Network", "build", "check_vocabulary", "for_inference", "objective_for", "search", "translate"]

Network = Reder | Dual

_GREEDY = BeamSettings(beam=1)


def build(config: ModelConfig) -> Network:
    """A network with random weights."""
    return Reder(config) if config.architecture == "reder" else Dual(config)


def for_inference(network: Network) -> Network:
    """The network where and how it translates fastest: on a GPU if there is one; the baseline in bfloat16.

    bfloat16, where the device multiplies it, halves the baseline's time on a CPU and changes its
    BLEU by a tenth at most. REDER's reversible sums would lose more.
    """
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    network.to(device)
    return network.to(product_dtype(device)) if isinstance(network, Dual) else network


def objective_for(network: Network, config: TrainConfig, risk: MinimumRisk | None = None) -> Objective:
    """What a network is trained on; `risk` is the search's, if the recipe gives it a weight."""
    if isinstance(network, Dual):
        return CrossEntropyObjective(network, config)
    return DuplexObjective(network, config, risk)


def translate(network: Network, tokenizer: Tokenizer, direction: Direction, texts: Sequence[str]) -> list[str]:
    """Greedy translations, in order: what validation scores.

    Raises:
        ManifestError: the tokenizer is another network's.
    """
    check_vocabulary(network, tokenizer)
    if isinstance(network, Reder):
        return translate_greedily(TorchRunner(network), tokenizer, direction, texts)
    return first(translate_dual(network, tokenizer, direction, texts, _GREEDY))


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoding:
    """How to search for translations.

    `beam` prefixes are kept, and `candidates` of them compared by log p(y|x) + `reverse_weight` x log p(x|y):
    duplex reranking for REDER, dual inference for the baseline, whose alpha is
    1 / (1 + `reverse_weight`). A teacher of the same vocabulary may add its own log p(y|x),
    `teacher_weight` times, to REDER's (section 3 of its paper); and language models theirs, which the
    baseline has no need of.
    """

    beam: int
    candidates: int = SearchSettings().candidates
    reverse_weight: float = 0.0
    fluency: Mapping[Direction, Fluency] = field(default_factory=dict)
    teacher: Dual | None = None
    teacher_weight: float = 1.0


def search(
    network: Network, tokenizer: Tokenizer, direction: Direction, texts: Sequence[str], decoding: Decoding
) -> list[list[str]]:
    """For each text the translations that beam search and reranking find, the best first.

    Raises:
        ManifestError: the tokenizer is another network's.
    """
    check_vocabulary(network, tokenizer)
    if isinstance(network, Reder):
        settings = SearchSettings(decoding.beam, decoding.candidates, decoding.reverse_weight)
        teacher = None
        if decoding.teacher is not None:
            teacher = Rescorer(partial(score_pairs, decoding.teacher), decoding.teacher_weight)
        return translate_all(TorchRunner(network), tokenizer, direction, texts, settings, decoding.fluency, teacher)
    beam = BeamSettings(beam=decoding.beam, dual_weight=1 / (1 + decoding.reverse_weight))
    return translate_dual(network, tokenizer, direction, texts, beam)


def check_vocabulary(network: Network, tokenizer: Tokenizer) -> None:
    """See that a tokenizer has as many tokens as a network.

    Raises:
        ManifestError: it is another network's.
    """
    if tokenizer.vocabulary_size != network.config.vocabulary_size:
        msg = f"the tokenizer has {tokenizer.vocabulary_size} tokens, the network has {network.config.vocabulary_size}"
        raise ManifestError(msg)
