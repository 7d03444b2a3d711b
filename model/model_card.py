"""The card that travels with a bundle: what it is, what it learned from, how good it is."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from model.bundle import Bundle, Dictionary, Direction, Fluency, Manifest, Shortlist, WordPairs

__all__ = ["PARAMETERS", "Tables", "recorded_sources", "render_card", "sources_of"]

PARAMETERS = "parameters"
"""Key under which a manifest's account of the training has the network's size."""

_SUMMARY = """\
English to German and German to English from one reversible network (REDER): {parameters:,} parameters, each used in \
both directions; vocabulary {vocabulary:,}; sources up to {longest} tokens (the service splits what is longer)."""

_METHOD = """\
sacreBLEU on detokenised text, BLEU / chrF. `fast` decodes greedily; `good`, the default, searches with a beam of \
{beam}; `best` also lets the network, run in reverse, choose among {candidates} candidates (weight {weight:g}). \
Validation sets chose the checkpoint and the settings; test sets were only measured."""

_FLUENCY = """\
The search also asks a language model of the target: {order}-grams counted in the text that is listed below, with \
weight {weight:g} and {bonus:g} for each token."""

_WORDS = """\
A word that occurs neither in that text nor in the source costs {unknown:g}: better none that does not exist. One that \
follows itself costs {repeated:g}."""

_DICTIONARY = """\
The service spells words for the network as a dictionary has them, and holds what it writes for a single word \
against that; it was made of the same text, aligned word by word. The scores below are those of the network alone."""

_SHORTLIST = """\
On most CPUs the int8 network chooses a translation from a shortlist: {common:,} tokens, those of the \
source, and what these became in text that was aligned token by token. The scores below are those without it."""

_WORD_PAIRS = """\
Of the likeliest translations that the search finds, the service takes that for which pairs of words speak, one of the \
sentence and one of the translation. The scores below are those without them."""

_LIMITS = """\
A small network trained for a short time on little text. Short everyday sentences, captions and manual-style sentences \
come out best; news and long sentences are rough, names and rare words are often misspelt or dropped, and negation or \
numbers can be lost. Do not use it where an unnoticed error does harm."""

_DATA_TITLES = "| source | origin | licence as stated |"

_NON_COMMERCIAL = {"multi30k-task1-train": "its captions carry Flickr30k's non-commercial terms"}


class Tables(NamedTuple):
    """What a bundle has besides the network and language models; only directions that have it."""

    dictionaries: Mapping[Direction, Dictionary] = MappingProxyType({})
    shortlists: Mapping[Direction, Shortlist] = MappingProxyType({})
    word_pairs: Mapping[Direction, WordPairs] = MappingProxyType({})


def render_card(
    manifest: Manifest,
    *,
    scores: Sequence[dict[str, Any]],
    round_trip: dict[str, dict[str, float]],
    sources: Sequence[tuple[str, str, str]],
    fluency: Mapping[Direction, Fluency],
    tables: Tables | None = None,
) -> str:
    """The text of MODEL_CARD.md.

    Args:
        manifest: everything but hashes and thresholds.
        scores: `Score` fields with "precision", "quality" and "use".
        round_trip: BLEU, chrF and copy rate of the canary sentences, by direction of the first hop.
        sources: source, origin, licence.
        fluency: the language models, if there are any.
        tables: those that there are.
    """
    training = manifest.training
    tables = tables or Tables()
    parts = [
        f"# {manifest.name}",
        _SUMMARY.format(
            parameters=training.get(PARAMETERS, 0),
            vocabulary=manifest.vocabulary_size,
            longest=manifest.max_source_tokens,
        ),
        "## Quality",
        _METHOD.format(
            beam=manifest.search.beam, candidates=manifest.search.candidates, weight=manifest.search.reverse_weight
        ),
        *_about_fluency(fluency),
        *_about_dictionaries(tables.dictionaries),
        *_about_shortlists(tables.shortlists),
        *_about_word_pairs(tables.word_pairs),
        *_score_tables(scores),
        "Round trip of the canary sentences (int8), there and back:",
        "\n".join(
            [
                "| first hop | BLEU | chrF | copy rate of the middle hop |",
                "|---|---:|---:|---:|",
                *(f"| {d} | {m['bleu']:.1f} | {m['chrf']:.1f} | {m['copy_rate']:.2f} |" for d, m in round_trip.items()),
            ]
        ),
        "Agreement of the fp32 graphs with torch, frame by frame: "
        + ", ".join(f"{d} {p['share']:.4%} of {p['frames']:,}" for d, p in manifest.parity.items())
        + ".",
        "## Training",
        "\n".join(f"- {key.replace('_', ' ')}: {value}" for key, value in training.items()),
        *_data(sources),
        "## Limits",
        _LIMITS,
    ]
    return "\n\n".join(parts) + "\n"


def _about_fluency(fluency: Mapping[Direction, Fluency]) -> list[str]:
    if not fluency:
        return []
    one = next(iter(fluency.values()))
    text = _FLUENCY.format(order=one.model.order, weight=one.weight, bonus=one.bonus)
    words = _WORDS.format(unknown=one.unknown_word_cost, repeated=one.repeated_word_cost)
    return [f"{text} {words}" if one.lexicon else text]


def _about_dictionaries(dictionaries: Mapping[Direction, Dictionary]) -> list[str]:
    if not dictionaries:
        return []
    sizes = ", ".join(f"{len(dictionary):,} words {direction}" for direction, dictionary in dictionaries.items())
    return [f"{_DICTIONARY} It has {sizes}."]


def _about_shortlists(shortlists: Mapping[Direction, Shortlist]) -> list[str]:
    if not shortlists:
        return []
    pairs = ", ".join(f"{len(shortlist.tokens):,} pairs {direction}" for direction, shortlist in shortlists.items())
    common = next(iter(shortlists.values())).common
    return [f"{_SHORTLIST.format(common=len(common))} It has {pairs}."]


def _about_word_pairs(word_pairs: Mapping[Direction, WordPairs]) -> list[str]:
    if not word_pairs:
        return []
    sizes = ", ".join(f"{np.count_nonzero(one.weights):,} weights {direction}" for direction, one in word_pairs.items())
    return [f"{_WORD_PAIRS} It has {sizes}."]


def _score_tables(scores: Sequence[dict[str, Any]]) -> list[str]:
    rows = list(dict.fromkeys((s["use"], s["test_set"], s["direction"], s["segments"]) for s in scores))
    columns = list(dict.fromkeys((s["precision"], s["quality"]) for s in scores))
    found = {(s["test_set"], s["direction"], s["precision"], s["quality"]): s for s in scores}
    lines = [
        "| set | use | direction | segments | " + " | ".join(f"{p} {quality}" for p, quality in columns) + " |",
        "|---|---|---|---:|" + "---:|" * len(columns),
    ]
    for use, test_set, direction, segments in rows:
        cells = [found.get((test_set, direction, *column)) for column in columns]
        figures = " | ".join(f"{cell['bleu']:.1f} / {cell['chrf']:.1f}" if cell else "" for cell in cells)
        lines.append(f"| {test_set} | {use} | {direction} | {segments} | {figures} |")
    signatures = sorted({s[key] for s in scores for key in ("bleu_signature", "chrf_signature")})
    return ["\n".join(lines), "Signatures: " + "; ".join(f"`{signature}`" for signature in signatures)]


def _data(sources: Sequence[tuple[str, str, str]]) -> list[str]:
    if not sources:
        return []
    notes = [f"`{name}` is among them: {_NON_COMMERCIAL[name]}." for name, _, _ in sources if name in _NON_COMMERCIAL]
    rows = [f"| {name} | {_cell(origin)} | {_cell(licence)} |" for name, origin, licence in sources]
    return [
        "## Data",
        " ".join(["Learned from these collections, each under the licence its origin states.", *notes]),
        "\n".join([_DATA_TITLES, "|---|---|---|", *rows]),
    ]


def recorded_sources(bundle: Bundle) -> list[tuple[str, str, str]]:
    """Source, origin and licence, as a bundle's card tells them."""
    return sources_of((bundle.path / "MODEL_CARD.md").read_text(encoding="utf-8"))


def sources_of(card: str) -> list[tuple[str, str, str]]:
    """Source, origin and licence, read back from a card; none if it does not tell."""
    _, _, below = card.partition(f"{_DATA_TITLES}\n")
    table, _, _ = below.partition("\n\n")
    cells = [line.strip("| ").split(" | ") for line in table.splitlines()[1:]]
    return [(name, origin, licence) for name, origin, licence in cells]


def _cell(text: str) -> str:
    return text.replace("|", "/").lstrip("# ") or "not stated"
