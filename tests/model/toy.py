"""A toy language pair and toy networks: small enough to learn in seconds, real in every part."""

from __future__ import annotations

import itertools
import random
import shutil
from pathlib import Path
from typing import Literal, NamedTuple

import torch

from model.config import PRESETS, DataConfig, ModelConfig, Recipe, TrainConfig, ValidationSet
from model.data.corpus import Pair
from model.data.packed import PackedCorpus, pack
from model.reversible import ActNorm

VOCABULARY_SIZE = 380

OTHER_VOCABULARY = Path(__file__).parents[2] / "bundles" / "reder-small" / "tokenizer.model"


class Subject(NamedTuple):
    """A noun phrase in the nominative."""

    english: str
    german: str
    plural: bool


class Verb(NamedTuple):
    """A transitive verb in the third person, singular and plural."""

    english: tuple[str, str]
    german: tuple[str, str]


SUBJECTS = (
    Subject("a man", "ein Mann", plural=False),
    Subject("the woman", "die Frau", plural=False),
    Subject("two children", "zwei Kinder", plural=True),
    Subject("the black dog", "der schwarze Hund", plural=False),
    Subject("3 old friends", "3 alte Freunde", plural=True),
    Subject("my sister", "meine Schwester", plural=False),
    Subject("the students", "die Studenten", plural=True),
    Subject("Mr Müller", "Herr Müller", plural=False),
)
VERBS = (
    Verb(("sees", "see"), ("sieht", "sehen")),
    Verb(("buys", "buy"), ("kauft", "kaufen")),
    Verb(("carries", "carry"), ("trägt", "tragen")),
    Verb(("finds", "find"), ("findet", "finden")),
    Verb(("paints", "paint"), ("malt", "malen")),
)
OBJECTS = (
    ("a red ball", "einen roten Ball"),
    ("the new book", "das neue Buch"),
    ("some green apples", "einige grüne Äpfel"),
    ("a heavy box", "eine schwere Kiste"),
    ("12 flowers", "12 Blumen"),
    ("the small boat", "das kleine Boot"),
)
PLACES = (
    ("", ""),
    (" in the garden", " im Garten"),
    (" at the market", " auf dem Markt"),
    (" on the street", " auf der Straße"),
)
TIMES = (None, ("today", "heute"), ("tomorrow", "morgen"), ("every day", "jeden Tag"))


def sentences(count: int, seed: int = 1) -> list[Pair]:
    """Different pairs drawn from the templates; German puts the verb second, so word order differs.

    Every third pair comes from the collection `dialogue`, the others from `stories`.
    """
    combinations = list(itertools.product(SUBJECTS, VERBS, OBJECTS, PLACES, TIMES))
    chosen = random.Random(seed).sample(combinations, count)
    pairs = []
    for number, (subject, verb, thing, place, time) in enumerate(chosen):
        verb_en, verb_de = verb.english[subject.plural], verb.german[subject.plural]
        english = f"{subject.english} {verb_en} {thing[0]}{place[0]}."
        if time:
            english = f"{time[0]} {english}"
            german = f"{time[1]} {verb_de} {subject.german} {thing[1]}{place[1]}."
        else:
            german = f"{subject.german} {verb_de} {thing[1]}{place[1]}."
        source = "dialogue" if number % 3 == 0 else "stories"
        pairs.append(Pair(english[0].upper() + english[1:], german[0].upper() + german[1:], source))
    return pairs


def packed(pairs: list[Pair], vocabulary: Path, folder: Path) -> PackedCorpus:
    """Pack pairs in a folder of their own."""
    shutil.copy(vocabulary, folder / "tokenizer.model")
    return pack(pairs, folder, about={"made for": "tests"})


def tiny(*, dropout: float = 0.0, layers_per_end: int = 2, vocabulary_size: int = VOCABULARY_SIZE) -> ModelConfig:
    """A network of a few thousand parameters, odd enough that no two sizes are mixed up unnoticed."""
    return ModelConfig(
        vocabulary_size=vocabulary_size,
        width=24,
        ffn_width=40,
        layers_per_end=layers_per_end,
        heads=3,
        max_source_tokens=40,
        relative_clip=4,
        dropout=dropout,
    )


def recipe(
    data: Path, train: TrainConfig, *, model: ModelConfig | None = None, validation: list[ValidationSet] | None = None
) -> Recipe:
    """A run of a tiny network on a packed corpus."""
    model = model or tiny(dropout=0.1)
    return Recipe(
        model=model,
        data=DataConfig(packed=data, max_tokens=model.max_source_tokens, validation=validation or []),
        train=train,
    )


def overfitting_recipe(
    corpus: PackedCorpus,
    pairs: list[Pair],
    folder: Path,
    architecture: Literal["reder", "dual"],
    *,
    label_smoothing: float,
) -> Recipe:
    """A hundred updates on a small corpus, validated on `pairs`, the very pairs in it.

    The network is a little narrower than the preset `tiny`; narrower still, it would take more updates.
    """
    shape = PRESETS["tiny"] | {"width": 96, "ffn_width": 192}
    model = ModelConfig(vocabulary_size=VOCABULARY_SIZE, architecture=architecture, **shape)
    train = TrainConfig(
        max_updates=100,
        batch_tokens=600,
        optimizer="muon",
        learning_rate=1e-2,
        schedule="hold",
        warmup_updates=10,
        decay_updates=70,
        label_smoothing=label_smoothing,
        keep_best=1,
    )
    return recipe(corpus.path, train, model=model, validation=[validation_set(folder, pairs)])


def validation_set(folder: Path, pairs: list[Pair], name: str = "toy") -> ValidationSet:
    """Write pairs as a validation set's two files."""
    english, german = folder / f"{name}.en", folder / f"{name}.de"
    english.write_text("".join(f"{pair.english}\n" for pair in pairs), encoding="utf-8")
    german.write_text("".join(f"{pair.german}\n" for pair in pairs), encoding="utf-8")
    return ValidationSet(name=name, english=english, german=german)


def randomise_norms(model: torch.nn.Module) -> None:
    """Give every ActNorm a scale and bias of its own, as training would."""
    for module in model.modules():
        if isinstance(module, ActNorm):
            torch.nn.init.normal_(module.log_scale, std=0.3)
            torch.nn.init.normal_(module.bias, std=0.5)
            module.initialised.fill_(value=True)
