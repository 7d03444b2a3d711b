"""Quality of a service's translations, in one table with what others published on the same sets."""

from __future__ import annotations

import sys
import time
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import httpx
import typer
from prometheus_client.parser import text_string_to_metric_families
from tqdm import tqdm

from benchmarks.comparison import Case, Results, notes, read_published, table
from benchmarks.options import several
from benchmarks.server import service
from cli.errors import FAILED, USAGE, fail, reporting
from cli.remote import RemoteTranslator
from cli.test_sets import find_test_sets
from model.data.corpus import CorpusError, chunks
from model.evaluate import score
from reder import RederError
from service.types import Quality

if TYPE_CHECKING:
    from collections.abc import Mapping

    from model.evaluate import TestSet

__all__ = ["SETS", "quality"]

SETS = ("wmt13", "wmt14.en-de", "wmt14.de-en", "flores-dev", "gnome-help", "multi30k_test_2016_flickr")

TEXTS = 32
"""In one request: few enough to see progress, and about as many as the service runs at a time."""

TIMEOUT_S = 110.0
"""What the service started here allows a request: a slow machine shall be scored, too."""


def quality(
    names: Annotated[
        list[str],
        several(SETS, "--set", metavar="NAME", help="Which of the sets"),
    ],
    qualities: Annotated[
        list[Quality],
        several(tuple(Quality), "--quality", metavar="|".join(Quality), help="Which quality"),
    ],
    bundle: Annotated[Path, typer.Option(help="What to serve.")] = Path("bundles/reder-medium"),
    url: Annotated[str | None, typer.Option(help="A running service; without it one is started.")] = None,
    sets: Annotated[Path, typer.Option(metavar="DIR", help="Folder of the sets, each NAME.en and NAME.de.")] = Path(
        "data/test"
    ),
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first sentences of each set.")] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the scores to this file, too, as they come.")
    ] = None,
) -> None:
    """Score translations beside published systems.

    Translates each set over HTTP in both directions, one called NAME.en-de or NAME.de-en in that
    direction only, and prints a Markdown table. A set that fails does not stop the others.
    """
    available = sorted(file.stem for file in sets.glob("*.en"))
    if unknown := [name for name in names if name not in available]:
        fail(f"no set {', '.join(unknown)} in {sets}; there are: {', '.join(available) or 'none'}", code=USAGE)
    with reporting(CorpusError, RederError):
        cases = {
            Case(test_set.name, direction, str(quality)): test_set
            for test_set in find_test_sets([sets / name for name in names], limit=limit)
            for quality in qualities
            for direction in test_set.directions
        }
        with service(bundle, timeout_s=TIMEOUT_S) if url is None else nullcontext(url) as address:
            results = Results(served_at(address), limit, [*cases])
            measure(address, cases, results, json_file)
    published = read_published()
    typer.echo(f"{table(results, published)}\n\n{notes(results, published)}")
    if results.failures:
        raise typer.Exit(FAILED)


def served_at(url: str) -> str:
    """What a service says of itself: its bundle, and in which precision and where it runs.

    Raises:
        RederError: nothing answers there, or something else does.
    """
    try:
        response = httpx.get(f"{url.rstrip('/')}/metrics", timeout=10)
        response.raise_for_status()
        info = {
            name: value
            for family in text_string_to_metric_families(response.text)
            if family.name in {"reder_bundle_info", "reder_engine_info"}
            for sample in family.samples
            for name, value in sample.labels.items()
        }
        return f"{info['name']}, {info['precision']} on {info['provider']}"
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        msg = f"{url}: {type(error).__name__}: {error}"
        raise RederError(msg) from error
    except (ValueError, KeyError) as error:
        msg = f"{url} does not tell at /metrics what it serves, as this service does: {error!r}"
        raise RederError(msg) from error


def measure(url: str, cases: Mapping[Case, TestSet], results: Results, json_file: Path | None) -> None:
    """Score one case after another; note each in `results`, in the file and on standard error.

    Raises:
        OSError: the file cannot be written; the first attempt is made before anything is translated.
    """
    if json_file:
        results.save(json_file)
    with tqdm(total=sum(len(test_set.english) for test_set in cases.values()), unit=" sentences", disable=None) as bar:
        for case, test_set in cases.items():
            title = " ".join(map(str, case))
            bar.set_description(title)
            translator = RemoteTranslator(url, quality=case.quality)
            translations: list[str] = []
            started = time.perf_counter()
            try:
                for texts in chunks(test_set.side(case.direction.source), TEXTS):
                    translations += translator.translate(case.direction, texts)
                    bar.update(len(texts))
            except RederError as error:
                results.failures[case] = str(error)
                bar.write(f"{title}: {error}", file=sys.stderr)
            else:
                results.seconds[case] = time.perf_counter() - started
                scored = score(case.test_set, case.direction, translations, test_set.side(case.direction.target))
                results.scores[case] = scored
                bar.write(f"{title}: BLEU {scored.bleu:.1f}, chrF {scored.chrf:.1f}", file=sys.stderr)
            if json_file:
                results.save(json_file)
