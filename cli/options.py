"""Options that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from cli.errors import USAGE, fail

__all__ = [
    "ApiKey",
    "BundleFolder",
    "ExcludedSources",
    "Form",
    "GlossaryFile",
    "LanguageWeight",
    "Minutes",
    "PackedFolder",
    "ParallelText",
    "Quality",
    "RepeatedWordCost",
    "ReportedSets",
    "ShardSentences",
    "SourceWeightsFile",
    "Target",
    "TokenBonus",
    "UnknownWordCost",
    "check_target",
    "tokenizer_file",
]

Form = Literal["text", "html", "markdown", "srt", "po", "xliff", "json"]

Quality = Annotated[
    Literal["fast", "good", "best"] | None,
    typer.Option(
        help="Greedy; searched with a language model; or reranked, too, at about three times the work. "
        "[default: $REDER_QUALITY, or what a service is set to; else good]"
    ),
]
Target = Annotated[
    Literal["en", "de"] | None,
    typer.Option(help="With --dir auto: to which language; what is in it already stays. [default: the other]"),
]
GlossaryFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="On each line a word, a tab, and what it must become."),
]
BundleFolder = Annotated[
    Path | None, typer.Option(help="Folder of the bundle. [default: $REDER_BUNDLE or bundles/reder-medium]")
]
ApiKey = Annotated[
    str | None, typer.Option(envvar="REDER_API_KEY", help="With --url: a key, if the service wants one.")
]
ParallelText = Annotated[
    list[Path], typer.Argument(metavar="INPUT", help="TSV files, pairs NAME.en and NAME.de, or folders of them.")
]
PackedFolder = Annotated[Path, typer.Argument(metavar="PACKED", help="A folder written by `prepare`.")]
ExcludedSources = Annotated[
    list[str] | None,
    typer.Option("--exclude-source", metavar="PATTERN", help="Leave out sources by name. Repeatable."),
]
SourceWeightsFile = Annotated[
    Path | None, typer.Option(metavar="TOML", help="How much a sentence of each source counts. [default: all alike]")
]
ShardSentences = Annotated[int, typer.Option(min=1, help="Sentences in a shard.")]
Minutes = Annotated[float | None, typer.Option(min=0, help="Start no new shard after so long.")]
ReportedSets = Annotated[
    list[Path] | None, typer.Option(metavar="SET", help="Sets that are only reported, in int8. Repeatable.")
]
LanguageWeight = Annotated[float, typer.Option(min=0, help="With --language-models: how much they count.")]
TokenBonus = Annotated[
    float, typer.Option(min=0, help="With --language-models: what each token gains; they prefer short texts.")
]
UnknownWordCost = Annotated[
    float, typer.Option(min=0, help="With --language-models: what a word costs that they do not know.")
]
RepeatedWordCost = Annotated[
    float, typer.Option(min=0, help="With --language-models: what a word costs that follows itself.")
]


def check_target(target: str | None, direction: str) -> None:
    """End the command if a target is named beside a direction, which names it already."""
    if target and direction != "auto":
        fail("--target belongs to --dir auto", code=USAGE)


def tokenizer_file(path: Path) -> Path:
    """The vocabulary that a packed corpus or a bundle holds, or the file itself."""
    return path / "tokenizer.model" if path.is_dir() else path
