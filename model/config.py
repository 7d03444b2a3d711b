"""Recipes: frozen settings read from TOML. An unknown key is an error, not a silent default.

[model]     the network's shape; `preset` names one of `PRESETS`, other keys override it
[data]      packed corpora, weights by source, validation sets
[train]     batches, schedule, limits
"""

from __future__ import annotations

import json
import tomllib
from dataclasses import asdict, field, replace
from fnmatch import fnmatchcase
from pathlib import Path  # noqa: TC003 - pydantic reads annotations at run time
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, TypeVar

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError, model_validator
from pydantic.dataclasses import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "EQUAL",
    "PRESETS",
    "ConfigError",
    "DataConfig",
    "ModelConfig",
    "Recipe",
    "SourceWeights",
    "TrainConfig",
    "ValidationSet",
    "Way",
    "load_recipe",
    "load_source_weights",
    "model_config_from_toml",
    "model_config_to_toml",
    "without_dropout",
]

_STRICT = ConfigDict(extra="forbid")
_UNKNOWN = "unexpected_keyword_argument"
Count = Annotated[int, Field(ge=1)]
Share = Annotated[float, Field(ge=0, lt=1)]
Weight = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Way = Literal["en-de", "de-en"]


class ConfigError(ValueError):
    """A recipe cannot be used; the message names the key."""


@dataclass(frozen=True, slots=True, kw_only=True, config=_STRICT)
class ModelConfig:
    """The network's shape. Widths are in features, `relative_clip` in frames.

    `architecture` is `reder`, or `dual` for the autoregressive baseline, which has no use for
    `upsampling` and `relative_clip`.
    """

    architecture: Literal["reder", "dual"] = "reder"
    vocabulary_size: Count
    width: Count = 512
    ffn_width: Count = 2048
    layers_per_end: Count = 6
    heads: Count = 8
    max_source_tokens: Count = 256
    upsampling: Count = 2
    relative_clip: Count = 32
    dropout: Share = 0.1

    @model_validator(mode="after")
    def _width_can_be_divided(self) -> Self:
        if self.width % self.heads:
            msg = f"heads = {self.heads} does not divide width = {self.width}"
            raise ValueError(msg)
        if self.architecture == "dual" and self.width % 2:
            msg = f"width = {self.width} is odd; the positions of architecture = 'dual' come in pairs"
            raise ValueError(msg)
        return self

    @property
    def max_frames(self) -> int:
        """The longest frame sequence the positions cover."""
        return self.max_source_tokens * self.upsampling


PRESETS: dict[str, dict[str, Any]] = {
    # CPU, minutes: tests and first experiments
    "tiny": {
        "width": 128,
        "ffn_width": 256,
        "layers_per_end": 2,
        "heads": 4,
        "max_source_tokens": 64,
        "dropout": 0.0,
    },
    # CPU, hours
    "small": {
        "width": 256,
        "ffn_width": 1024,
        "layers_per_end": 3,
        "heads": 4,
        "max_source_tokens": 96,
        "dropout": 0.0,
    },
    # a GPU, half an hour
    "medium": {
        "width": 384,
        "ffn_width": 1536,
        "layers_per_end": 6,
        "heads": 6,
        "max_source_tokens": 128,
        "dropout": 0.0,
    },
    # the paper's WMT setting
    "base": {"width": 512, "ffn_width": 2048, "layers_per_end": 6, "heads": 8, "dropout": 0.1},
}


@dataclass(frozen=True, slots=True, kw_only=True, config=_STRICT)
class ValidationSet:
    """Two text files, one sentence a line, read up to `limit` lines."""

    name: str
    english: Path
    german: Path
    limit: Count = 1000


@dataclass(frozen=True, slots=True, kw_only=True, config=_STRICT)
class SourceWeights:
    """How much each source counts beside the others.

    Keys of `weights` are names of sources, or patterns with `*`: a name counts before a pattern, and the first pattern
    that matches counts. What none matches gets `default_weight`.
    """

    default_weight: Weight = 1.0
    weights: dict[str, Weight] = field(default_factory=dict)

    def weight(self, source: str) -> float:
        """That of a source."""
        return _first_match(self.weights, source, self.default_weight)


EQUAL = SourceWeights()
"""A sentence counts as much as any other."""


@dataclass(frozen=True, slots=True, kw_only=True, config=_STRICT)
class DataConfig(SourceWeights):
    """What to train on.

    `packed` is a folder written by `reder prepare`; `also` names more, packed with the same vocabulary.
    `weights` says how often a pair of a source is seen in one epoch (2.0: twice; 0.25: a different
    quarter each epoch; 0: never).
    `one_way`, with keys alike, names the only direction that a source teaches: the one whose target a
    machine wrote, so that no direction learns to write what is harder to predict.
    `retained` has weights like those, of sources whose text only serves to keep what the network makes of it already.
    """

    packed: Path
    also: list[Path] = field(default_factory=list)
    max_tokens: Count = 128
    one_way: dict[str, Way] = field(default_factory=dict)
    retained: dict[str, Weight] = field(default_factory=dict)
    validation: list[ValidationSet] = field(default_factory=list)

    def way(self, source: str) -> Way | None:
        """The only direction that a source teaches; None for both."""
        return _first_match(self.one_way, source, None)

    def to_retain(self) -> DataConfig:
        """The same for the text that is there to be retained, both ways."""
        return replace(self, default_weight=0.0, weights=self.retained, one_way={})


@dataclass(frozen=True, slots=True, kw_only=True, config=_STRICT)
class TrainConfig:
    """How to train.

    Tokens are those of both sides, padding included, about twice as many as the paper counts; times are in minutes.

    `schedule` is `inverse_sqrt` (the paper's: linear warm-up, then 1/sqrt(update)) or `hold`
    (linear warm-up, constant, and over the last `decay_updates` a linear fall to zero).
    A run ends after `max_updates`, or once it has trained for `max_minutes`, validation left out; then the
    fall may be given as its last `decay_minutes`.
    With `micro_batch_tokens` (padding included, both sides) a process computes its batch in parts of that
    size and adds up their gradients: parts that fit into the cache of a CPU are computed faster, and memory
    holds one part at a time.
    `directions` are trained; one alone makes a simplex network, to compare with.
    From update `stage_two_update` on (never, if it is left out), forward-backward agreement and cycle consistency
    join the loss, with the weights given. `recompute` trades a third more computation for memory that does not grow
    with depth; stage two's agreement needs every layer's state and does without it. `compile` has PyTorch compile
    the layers, for a GPU: what lies between matrix products becomes a few kernels, for a minute at the start.
    CTC counts `ctc_weight` in the loss. For the last updates of a network that it has trained, matching of bigrams
    (`model.bigram_matching`) joins it with `bigram_weight`, and with `risk_weight` the risk of what is found by the
    search of `searched_with` (`model.minimum_risk`), a bundle of the same vocabulary.
    With `retain_weight`, each update has a batch of text to be retained beside its own, on which every frame is to stay
    what it is for the network of `retained_from` (`model.retention`), a weights file: usually what the run starts from.
    `optimizer` is `adam` (the paper's, with decoupled weight decay) or `muon` (Jordan 2024: for the
    layers' matrices, with updates scaled to Adam's size; Adam for the rest).
    With `average_exponent`, what is validated and kept is a running mean of the weights
    (`model.averaging`), not the latest network.
    """

    seed: Annotated[int, Field(ge=0, lt=1 << 63)] = 1
    directions: Annotated[list[Way], Field(min_length=1)] = field(default_factory=lambda: ["en-de", "de-en"])
    max_updates: Count = 300_000
    max_minutes: Annotated[float, Field(gt=0)] | None = None
    batch_tokens: Count = 65_536
    micro_batch_tokens: Count | None = None
    optimizer: Literal["adam", "muon"] = "adam"
    learning_rate: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 5e-4
    schedule: Literal["inverse_sqrt", "hold"] = "inverse_sqrt"
    warmup_updates: Count = 4000
    decay_updates: Annotated[int, Field(ge=0)] = 0
    decay_minutes: Annotated[float, Field(ge=0)] = 0.0
    weight_decay: Annotated[float, Field(ge=0)] = 0.01
    label_smoothing: Share = 0.1
    clip_norm: Annotated[float, Field(gt=0)] = 1.0
    average_exponent: Weight | None = None
    stage_two_update: Annotated[int, Field(ge=0)] | None = None
    agreement_weight: Weight = 0.1
    cycle_weight: Weight = 0.1
    ctc_weight: Weight = 1.0
    bigram_weight: Weight = 0.0
    risk_weight: Weight = 0.0
    searched_with: Path | None = None
    retain_weight: Weight = 0.0
    retained_from: Path | None = None
    recompute: bool = False
    compile: bool = False
    validate_every: Annotated[float, Field(gt=0)] = 10.0
    save_every: Annotated[float, Field(gt=0)] = 5.0
    keep_best: Count = 5

    @model_validator(mode="after")
    def _something_to_learn_from(self) -> Self:
        from_the_start = self.stage_two_update == 0 and (self.agreement_weight or self.cycle_weight)
        if not (self.ctc_weight or self.bigram_weight or self.risk_weight or from_the_start):
            msg = "ctc_weight = 0 leaves nothing to learn from: no other loss has a weight from the first update on"
            raise ValueError(msg)
        return self

    @model_validator(mode="after")
    def _minutes_to_fall_in(self) -> Self:
        if (self.decay_updates or self.decay_minutes) and self.schedule != "hold":
            msg = "decay_updates and decay_minutes are of schedule = 'hold'"
            raise ValueError(msg)
        if self.decay_minutes and self.max_minutes is None:
            msg = "decay_minutes are the last of max_minutes, which is not given"
            raise ValueError(msg)
        return self

    @model_validator(mode="after")
    def _something_to_search_with(self) -> Self:
        if self.risk_weight and self.searched_with is None:
            msg = "risk_weight needs searched_with, a bundle"
            raise ValueError(msg)
        return self

    @model_validator(mode="after")
    def _something_to_retain(self) -> Self:
        if self.retain_weight and self.retained_from is None:
            msg = "retain_weight needs retained_from, a weights file"
            raise ValueError(msg)
        return self


@dataclass(frozen=True, slots=True, kw_only=True, config=_STRICT)
class Recipe:
    """One training run, whole."""

    model: ModelConfig
    data: DataConfig
    train: TrainConfig

    @model_validator(mode="after")
    def _retained_by_what_can(self) -> Self:
        if bool(self.train.retain_weight) != bool(self.data.retained):
            msg = "train.retain_weight and data.retained go together: how much, and which text"
            raise ValueError(msg)
        if self.train.retain_weight and self.model.architecture != "reder":
            msg = "train.retain_weight is for architecture = 'reder'"
            raise ValueError(msg)
        return self


_Section = TypeVar("_Section", ModelConfig, Recipe, SourceWeights)
_Value = TypeVar("_Value")
_Default = TypeVar("_Default")


def load_recipe(path: Path, *, vocabulary_size: int) -> Recipe:
    """Read a recipe; relative paths in it are relative to the working directory.

    Args:
        path: the TOML file.
        vocabulary_size: of the tokenizer that packed the data; a recipe does not repeat it.

    Raises:
        ConfigError: not TOML, an unknown section or key, or a value that cannot be used.
    """
    raw = read_toml(path)
    model = {"vocabulary_size": vocabulary_size, **_expand_preset(raw.get("model", {}))}
    return _validated(Recipe, {"data": {}, "train": {}, **raw, "model": model}, path.name)


def load_source_weights(path: Path | None) -> SourceWeights:
    """Read how much each source counts, outside a recipe: `default_weight` and a table `weights`; all alike if None.

    Raises:
        ConfigError: not TOML, an unknown key, or a value that cannot be used.
    """
    return EQUAL if path is None else _validated(SourceWeights, read_toml(path), path.name)


def read_toml(path: Path) -> dict[str, Any]:
    """Parse a TOML file.

    Raises:
        ConfigError: it cannot be read or is not TOML.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))  # editors on Windows write a mark first
    except (OSError, ValueError) as error:
        msg = f"{path}: {error}"
        raise ConfigError(msg) from error


def model_config_from_toml(text: str) -> ModelConfig:
    """Read a bundle's config.toml.

    Raises:
        ConfigError: an unknown key or a value that cannot be used.
    """
    try:
        values = tomllib.loads(text).get("model", {})
    except tomllib.TOMLDecodeError as error:
        msg = f"config.toml: {error}"
        raise ConfigError(msg) from error
    return _validated(ModelConfig, values, "config.toml")


def model_config_to_toml(config: ModelConfig) -> str:
    """The text of a bundle's config.toml."""
    lines = [f"{name} = {json.dumps(value)}" for name, value in asdict(config).items()]
    return "\n".join(["[model]", *lines, ""])


def without_dropout(config: ModelConfig) -> ModelConfig:
    """The same network for inference."""
    return replace(config, dropout=0.0)


def _first_match(values: Mapping[str, _Value], source: str, default: _Default) -> _Value | _Default:
    """What a source is given by its name or else by the first pattern that matches it."""
    if source in values:
        return values[source]
    return next((value for pattern, value in values.items() if fnmatchcase(source, pattern)), default)


def _expand_preset(raw: object) -> dict[str, Any]:
    if not isinstance(raw, dict):
        msg = f"model must be a table, [model]; found {raw!r}"
        raise ConfigError(msg)
    values = dict(raw)
    preset = values.pop("preset", "base")
    if not isinstance(preset, str) or preset not in PRESETS:
        msg = f"model.preset = {preset!r}; known: {', '.join(PRESETS)}"
        raise ConfigError(msg)
    return {**PRESETS[preset], **values}


def _validated(kind: type[_Section], values: dict[str, Any], name: str) -> _Section:
    try:
        return TypeAdapter(kind).validate_python(values)
    except ValidationError as error:
        unknown_first = sorted(error.errors(include_url=False), key=lambda entry: entry["type"] != _UNKNOWN)
        first = unknown_first[0]
        key = ".".join(map(str, first["loc"])) or "model"
        msg = f"{name}: {key}: {first['msg']} (found {first['input']!r})"
        if first["type"] == _UNKNOWN:
            msg = f"{name}: unknown key {key}"
        raise ConfigError(msg) from error
