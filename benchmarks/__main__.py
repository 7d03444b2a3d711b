"""The command line: one command a measurement."""

from __future__ import annotations

import typer

from benchmarks.abbreviations import abbreviations
from benchmarks.ablation import ablation
from benchmarks.batchers import batchers
from benchmarks.clock_times import clock_times
from benchmarks.compounds import compounds
from benchmarks.detection import detection
from benchmarks.engine import engine
from benchmarks.glossary import glossary
from benchmarks.gpu import gpu
from benchmarks.listed_words import listed_words
from benchmarks.load import load
from benchmarks.misspellings import misspellings
from benchmarks.number_words import number_words
from benchmarks.plain_sentences import plain_sentences
from benchmarks.planner import planner
from benchmarks.quality import quality
from benchmarks.quantities import quantities
from benchmarks.scaling import scaling
from benchmarks.search import search
from benchmarks.segments import segments
from benchmarks.service_load import service_load
from benchmarks.single_words import single_words
from benchmarks.soundness import soundness
from benchmarks.spelling import spelling
from benchmarks.stand_ins import stand_ins
from benchmarks.training import training
from benchmarks.variants import variants
from benchmarks.wrapping import wrapping

__all__ = ["app"]

app = typer.Typer(
    name="benchmarks",
    help="Measure a service: its speed under load, alone and beside other servers and engines, and its translations "
    "beside published systems. And the method: what each part of it is worth, and which size to train.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command()(load)
app.command("service")(service_load)
app.command()(variants)
app.command()(batchers)
app.command()(engine)
app.command()(gpu)
app.command()(planner)
app.command()(quality)
app.command()(glossary)
app.command("stand-ins")(stand_ins)
app.command("single-words")(single_words)
app.command()(spelling)
app.command()(misspellings)
app.command()(abbreviations)
app.command()(soundness)
app.command("listed-words")(listed_words)
app.command()(compounds)
app.command()(quantities)
app.command("number-words")(number_words)
app.command("clock-times")(clock_times)
app.command("plain-sentences")(plain_sentences)
app.command()(wrapping)
app.command()(ablation)
app.command()(scaling)
app.command()(training)
app.command()(detection)
app.command()(search)
app.command()(segments)

if __name__ == "__main__":
    app()
