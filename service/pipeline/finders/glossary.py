"""Where the terms of a glossary stand in a sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from service.pipeline.finders.full_stops import ends_sentence
from service.pipeline.finders.match import Match
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from service.types import Term

__all__ = ["find_terms"]

_WORD = re.compile(r"\w+|[^\w\s]")
_ENDINGS = ("s", "es")
_NOUN_ENDINGS = ("e", "n", "en", "er", "ern")
_SHORTEST_STEM = 4
_SHORTEST_ACRONYM = 2
_END_MARKS = ".!?"
_HYPHENS = "-‐‑'’"
_GLOSSARIES_REMEMBERED = 4


@dataclass(slots=True)
class _Node:
    """What has been read of terms so far; `term` if it is all of one, `is_noun` if that ends in a capitalised word.

    `acronym` is the same of a term in capitals: IT is another word than "it".
    """

    following: dict[str, _Node] = field(default_factory=dict)
    term: Term | None = None
    is_noun: bool = False
    acronym: Term | None = None

    def ending_with(self, form: _Form, *, in_capitals: bool) -> Term | None:
        """The term whose last word has this form; `in_capitals` if those before it are."""
        if self.acronym and in_capitals and form.in_capitals:
            return self.acronym
        return self.term if not form.only_of_acronym and (self.is_noun or not form.only_of_noun) else None


class _Form(NamedTuple):
    """A word, or its stem if it has an ending, in lower case; `in_capitals` if that is how it is written."""

    stem: str
    in_capitals: bool
    only_of_noun: bool = False
    only_of_acronym: bool = False


def find_terms(sentence: str, terms: Sequence[Term], taken: Sequence[Span]) -> list[Match]:
    """The terms of a sentence in order, none overlapping another or `taken`, which is in order too.

    A term is found as whole words, in any case; its last word may have an ending: -s, -es, and, if both are
    capitalised, those of German nouns. Of several that begin at one place the longest counts, of equal ones the first.

    A term of two letters or more that is written in capitals is found only in capitals, maybe with a small -s. A
    sentence wholly in capitals does not tell the two apart: the term is found there.
    """
    if not terms:
        return []
    root = _tree(tuple(terms))
    starts = [0, *(span.end for span in taken)]
    ends = [*(span.start for span in taken), len(sentence)]
    return [match for stretch in zip(starts, ends, strict=True) for match in _search(sentence, *stretch, root)]


@lru_cache(maxsize=_GLOSSARIES_REMEMBERED)  # one sentence of a request follows another
def _tree(terms: tuple[Term, ...]) -> _Node:
    root = _Node()
    for term in terms:
        node = root
        words = _WORD.findall(term.source)
        for word in words:
            node = node.following.setdefault(word.casefold(), _Node())
        if _is_acronym(term.source):
            node.acronym = node.acronym or term
        elif words and node.term is None:
            node.term, node.is_noun = term, words[-1][0].isupper()
    return root


def _is_acronym(source: str) -> bool:
    return source.isupper() and sum(map(str.isalpha, source)) >= _SHORTEST_ACRONYM


def _search(sentence: str, start: int, end: int, root: _Node) -> Iterator[Match]:
    words = list(_WORD.finditer(sentence, start, end))
    forms = [_forms(word[0]) for word in words]
    at = 0
    while at < len(words):
        for count, term in reversed(_beginning(forms, at, root)):
            span = Span(words[at].start(), words[at + count - 1].end())
            if not _is_part(sentence, span):
                yield Match(_without_end_mark(sentence, span, term.target), term.target)
                at += count - 1
                break
        at += 1


def _without_end_mark(sentence: str, span: Span, target: str) -> Span:
    """What a term ends with, as Inc., ends its sentence, too: it stays there if the term's translation has no mark."""
    if sentence[span.end - 1] not in _END_MARKS or target[-1:] in _END_MARKS or not ends_sentence(sentence, span.end):
        return span
    is_all = not any(map(str.isalnum, sentence[: span.start]))
    return span if is_all else Span(span.start, span.end - 1)


def _beginning(forms: Sequence[Sequence[_Form]], at: int, root: _Node) -> list[tuple[int, Term]]:
    """The terms that begin with word `at`, and how many words each has, the shortest first."""
    terms: list[tuple[int, Term]] = []
    node: _Node | None = root
    in_capitals = True
    for place in range(at, len(forms)):
        if node is None:
            break
        for form in forms[place]:
            found = node.following.get(form.stem)
            if found and (term := found.ending_with(form, in_capitals=in_capitals)):
                terms.append((place - at + 1, term))
                break
        word = forms[place][0]
        node = node.following.get(word.stem)
        in_capitals = in_capitals and word.in_capitals
    return terms


def _forms(word: str) -> list[_Form]:
    """What the word may be a form of, first itself."""
    folded = word.casefold()
    forms = [_Form(folded, _has_no_small_letter(word))]
    for endings, only_of_noun in ((_ENDINGS, False), (_NOUN_ENDINGS, True)):
        if only_of_noun and not word[0].isupper():
            continue
        for ending in endings:
            if folded[_SHORTEST_STEM:].endswith(ending):
                in_capitals = _has_no_small_letter(word[: -len(ending)])
                forms.append(_Form(folded.removesuffix(ending), in_capitals, only_of_noun))
    if word.endswith("s") and word[:-1].isupper():
        forms.append(_Form(folded.removesuffix("s"), in_capitals=True, only_of_acronym=True))
    return forms


def _has_no_small_letter(word: str) -> bool:
    """Of a number too: it may be part of an acronym."""
    return word == word.upper()


def _is_part(sentence: str, span: Span) -> bool:
    """Whether a hyphen or an apostrophe makes the span part of a longer word; a genitive's 's does not."""
    before, after = sentence[max(0, span.start - 2) : span.start], sentence[span.end : span.end + 3]
    if len(before) == len("x-") and before[0].isalnum() and before[1] in _HYPHENS:
        return True
    if len(after) < len("-x") or after[0] not in _HYPHENS or not after[1].isalnum():
        return False
    return not (after[0] in "'’" and after[1] == "s" and not after[2:].isalnum())
