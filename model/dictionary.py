"""Which word of a corpus becomes which: the dictionary of a bundle (decision 0019).

The pairs are aligned word by word, both ways. What a word is linked with counts as its translation, if both ways have
one of the links: that may be several words in a row, as of a German compound. The more of the word's links a
translation has, and the fewer of its own go elsewhere, the likelier it is.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import groupby
from typing import TYPE_CHECKING

from model.bundle import DIRECTIONS, dictionary_file, write_dictionary_file
from model.bundle.dictionary import WORD, spellings
from model.data.corpus import CorpusError
from model.descriptions import DICTIONARY, write_description
from model.word_alignment import align_words
from model.words import LEAST_OCCURRENCES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from model.bundle import Direction, Tokenizer
    from model.data.packed import PackedCorpus, Side
    from model.word_alignment import Links

    Words = list[str]

__all__ = ["Uses", "base_form", "linked", "translations", "write_dictionary"]

_PAIRS_OF_A_SOURCE = 80_000
"""At most: a word shall mean what it means in most sources, not in the largest."""

_LONGEST = 40
"""Words of a sentence; those of longer ones are linked worse."""

_WORD = re.compile(WORD)
_ACRONYM = 3
"""Letters. What is longer and in capitals is a word that shouts."""

_WORDS_OF_A_TRANSLATION = 3
_ARTICLES = {
    "en": frozenset({"the", "a", "an", "to", "of"}),
    "de": frozenset(
        {"der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer", "eines", "zu"}
    ),
}
_RARENESS = 0.35
"""How much the share of a translation's own links counts, beside the share of the word's: chosen on words of a printed
dictionary, where 0.2 and 0.5 are hardly worse."""

_LEAST_OF_USUAL = 0.2
"""How often a word is there, for each time that another is that it may be a way to write: else that is all it is."""

_LEAST_OF_LOWER_CASE = 0.02
"""How often a word has a capital, for each time that it has none: of less, a title or a sentence begins with it."""

_LEAST_LINKS = 2
_LEAST_SHARE = 0.03
_LEAST_SCORE = 0.01
_MOST = 6

_INFLECTED = re.compile(r"([a-zäöüß]{3,})(?:e|en|er|es|em)")
_TELLING_ENDINGS = (("er", "es", "em"), ("t", "st", "te"))
"""Those that only adjectives have, and those that only verbs have."""

_ADJECTIVE = re.compile(r".*(?:lich|isch|bar|sam|los|haft|end)")


class Uses:
    """What the words of one language are linked with in the other."""

    def __init__(self) -> None:
        self.words: Counter[str] = Counter()
        """How often each is linked."""
        self.pairs: Counter[tuple[str, str]] = Counter()
        """How often a word is linked with such a translation."""

    def count(self, source: Words, target: Words, links: Links, sure: set[tuple[int, int]], language: str) -> None:
        """Count a sentence.

        Args:
            source: its words.
            target: those of its translation.
            links: places in both; a place of the source may have several.
            sure: those of them that the other way has, too.
            language: of the target, for its articles.
        """
        for place, group in groupby(sorted(links), key=lambda link: link[0]):
            self.words[source[place]] += 1
            places = [other for _, other in group]
            if not any((place, other) in sure for other in places):
                continue
            while len(places) > 1 and target[places[0]] in _ARTICLES[language]:
                del places[0]
            if len(places) <= _WORDS_OF_A_TRANSLATION and places[-1] - places[0] == len(places) - 1:
                self.pairs[source[place], " ".join(target[other] for other in places)] += 1


def write_dictionary(corpus: PackedCorpus, output: Path, *, excluded_sources: Sequence[str] = ()) -> dict[str, int]:
    """Write the dictionaries of both directions to a folder, and a description.

    Args:
        corpus: of each source a random part, if it is large.
        output: the folder.
        excluded_sources: patterns; sources whose name matches are left out.

    Returns:
        How many words each direction has.

    Raises:
        CorpusError: nothing is left to align, or a pattern matches no source.
        ImportError: eflomal is not installed.
    """
    sources = corpus.sources_without(excluded_sources)
    chosen = corpus.sample(sources, _PAIRS_OF_A_SOURCE).tolist()
    tokenizer = corpus.tokenizer()
    english, german = (_sentences(side, chosen, tokenizer) for side in (corpus.english, corpus.german))
    kept = [n for n, pair in enumerate(zip(english, german, strict=True)) if all(0 < len(w) <= _LONGEST for w in pair)]
    if not kept:
        msg = f"{corpus.path} has no pairs of at most {_LONGEST} words a side"
        raise CorpusError(msg)
    english, german = ([side[n] for n in kept] for side in (english, german))
    uses = linked(english, german)
    output.mkdir(parents=True, exist_ok=True)
    sizes = {}
    for direction, counted in uses.items():
        entries = translations(counted, direction)
        write_dictionary_file(output / dictionary_file(direction), entries)
        sizes[str(direction)] = len(entries)
    description = {"pairs": len(kept), "words": sizes, "sources": [corpus.source_names[source] for source in sources]}
    write_description(output / DICTIONARY, description)
    return sizes


def _sentences(side: Side, chosen: Sequence[int], tokenizer: Tokenizer) -> list[Words]:
    """The words of sentences, the first with a capital letter only if it has one elsewhere, too."""
    sentences = [_WORD.findall(tokenizer.decode(side[number].tolist())) for number in chosen]
    forms: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for words in sentences:
        for word in words[1:]:
            forms[word.lower()][word] += 1
    usual = {word: max(found, key=lambda form: (found[form], form.islower())) for word, found in forms.items()}
    for words in sentences:
        for place, word in enumerate(words):
            begins = place == 0 and len(words) > 1 and word[:1].isupper()
            if len(word) > _ACRONYM if word.isupper() else begins:
                words[place] = usual.get(word.lower(), word)
    return sentences


def linked(english: Sequence[Words], german: Sequence[Words]) -> dict[Direction, Uses]:
    """Align sentences, and count what each word is linked with.

    Raises:
        ImportError: eflomal is not installed.
    """
    uses = {direction: Uses() for direction in DIRECTIONS}
    texts = ([" ".join(words) for words in side] for side in (english, german))
    for ours, theirs, (there, back) in zip(english, german, align_words(*texts), strict=True):
        sure = set(there) & set(back)
        for direction, uses_of in uses.items():
            if direction.source == "en":
                uses_of.count(ours, theirs, there, sure, "de")
            else:
                turned = [(german_place, place) for place, german_place in back]
                uses_of.count(theirs, ours, turned, {(other, place) for place, other in sure}, "en")
    return uses


def translations(uses: Uses, direction: Direction) -> dict[str, list[str]]:
    """The likeliest translations of each word that occurs often enough, the best first.

    German adjectives are listed as they stand alone, English words in the case that they have most often: titles have
    capitals.

    Args:
        uses: what the words are linked with.
        direction: from their language.
    """
    own: Counter[str] = Counter()
    found: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for (word, translation), count in uses.pairs.items():
        own[translation] += count
        found[word][translation] = count
    entries = {}
    for word, counts in found.items():
        links = uses.words[word]
        meant = (form for one in spellings(word) for form in (one, one.capitalize() if one.islower() else one))
        usual = max(uses.words[form] for form in meant)
        if links < max(LEAST_OCCURRENCES, _LEAST_OF_USUAL * usual, _LEAST_OF_LOWER_CASE * uses.words[word.lower()]):
            continue
        listed = _base_forms(counts) if direction.target == "de" else _usual_cases(counts)
        forms: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for translation, count in counts.items():
            if count >= max(_LEAST_LINKS, _LEAST_SHARE * links):
                forms[listed[translation]].append((count, own[translation]))
        scores = Counter({base: _score(counted, links) for base, counted in forms.items()})
        best = [base for base, score in scores.most_common(_MOST) if score >= _LEAST_SCORE]
        if best:
            entries[word] = best
    return entries


def _usual_cases(counts: Mapping[str, int]) -> dict[str, str]:
    """Each translation in the case that it has most often."""
    usual: dict[str, str] = {}
    for translation in sorted(counts, key=counts.__getitem__, reverse=True):
        usual.setdefault(translation.lower(), translation)
    return {translation: usual[translation.lower()] for translation in counts}


def _base_forms(counts: Mapping[str, int]) -> dict[str, str]:
    """Each translation as it stands alone."""
    return {translation: base_form(translation, counts) for translation in counts}


def _score(forms: Sequence[tuple[int, int]], links: int) -> float:
    """How likely a translation is, from 0 to 1.

    Args:
        forms: of each of its forms, how often the word is linked with it, and how often any word.
        links: of the word.
    """
    count = sum(ours for ours, _ in forms)
    own_share = sum(ours * ours / all_ for ours, all_ in forms) / count
    return float(count / links * own_share**_RARENESS)


def base_form(word: str, siblings: Mapping[str, int]) -> str:
    """A German adjective as it stands alone; any other word as it is.

    Args:
        word: in lower case, or it is no adjective.
        siblings: what has the same meaning, and how often; verbs have some of the endings, too, and others.
    """
    inflected = _INFLECTED.fullmatch(word)
    if not inflected:
        return word
    stem = inflected[1]
    if _ADJECTIVE.fullmatch(stem):
        return stem
    adjectives, verbs = (sum(siblings.get(stem + ending, 0) for ending in some) for some in _TELLING_ENDINGS)
    if adjectives <= verbs:
        return word
    return stem if stem in siblings else stem + "e"  # which is the shortest of some: there is no "neuest"
