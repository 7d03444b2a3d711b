"""What is no German or no English, whatever was meant: of two candidates alike, the one without it is taken.

A network that writes all words at once leaves out a noun after its article, writes two verbs, or a piece of a word.
Words tell, without any knowledge of the sentence: people's translations have one of these in 3.0 of 1,000 sentences
into German, mostly mistakes of theirs, and 0.6 into English, the service's would have them in 35 and 89. What of them
is certain to be put right (see `agreement`, `verb_forms`) does not count.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from model.bundle import OTHER_LANGUAGE
from service.pipeline.lists import kinds_of
from service.pipeline.repairs.agreement import FEMININE_END, find_disagreements
from service.pipeline.repairs.verb_forms import MODAL, listed_verbs

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["count_flaws"]

_FINITE = (
    "(?:ist|sind|war|waren|wird|wurden?|hat|hatten?|kann|konnten?|muss|mussten?|soll|sollten?|will|wollten?|darf|durften?"
    "|könnten?|würden?|wären?|hätten?)"
)
"""Of German auxiliaries, the forms that are no infinitive."""
_PREPOSITION = (
    "(?:in|an|auf|mit|von|zu|bei|nach|für|über|unter|aus|durch|gegen|um|vor|zwischen|seit|hinter|neben|während|wegen"
    "|trotz)"
)
_ADJECTIVE = (
    "(?!(?:(?:diese|jene|[dms]eine|ihre|unsere)r|unter|über|hinter|außer|immer|ohne|heute|gegen|neben|wegen|zwischen"
    "|bisschen) )[a-zäöüß]{3,}e"
)
"""With the *e* before what it is declined by; not what else may come after an article."""

_ATTRIBUTE = rf"(?!(?:dies|jen|[dkms]?ein|ihr|unser|solch|manch|viel|mehrer|einig|ander|all)e ){_ADJECTIVE}"
"""The same, and no pronoun, to which the noun after it may belong: wird das ihre Ordination sein."""
_PLURAL = rf"[A-ZÄÖÜ][a-zäöüß]{{2,}}(?:{FEMININE_END}en|(?:er|or|ist|ent|ant)innen)"

_POSSESSIVE = "his|her|their|my|your|our|its"

_FLAWS = {
    "de": (
        # An article after a preposition, and no noun: auf die richtige qualifiziert.
        re.compile(
            rf"\w {_PREPOSITION} (?:de[mnr]|die|das|eine[mnr]?)(?: (?!und\b|oder\b|ander)[a-zäöüß]+)*"
            r"(?<!bzw)(?<! eine[mr])(?:[.!?;:](?!\w)|, (?:de[mnr]|die|das|um|dass|wo|als)\b)"
        ),
        # An adjective that does not go with its article: einer graue Rampe.
        re.compile(
            rf"(?<!, )\b(?:(?i:eine) {_ADJECTIVE}[mnrs]|(?i:ein) {_ADJECTIVE}[mn]?|(?i:des) {_ADJECTIVE}[ms]"
            rf"|(?i:eine[mnr]|am|im|zum|vom|beim|zur) {_ADJECTIVE}[mrs]?|(?i:de[mrs]) {_ADJECTIVE}(?<!zige)r)"
            r" (?=[A-ZÄÖÜ][a-zäöüß]{2})"
        ),
        # A plural after the article of a singular, or an adjective in it: einer roten Lösungen, die neue Messungen.
        re.compile(
            rf"(?<!, )\b(?:(?i:eine[mnr]?|diese[ms])(?: {_ADJECTIVE}[mnrs]?)?"
            r"|(?i:die|diese|keine|[dms]eine|ihre|unsere)"
            rf" {_ATTRIBUTE}) {_PLURAL}\b(?!-)"
        ),
        # Two finite verbs in a clause: mein Bruder ist wird im Sommer verheiratet.
        re.compile(
            rf"\b{_FINITE}(?: (?!(?:und|oder|als|wie|sowie|aber|denn|sondern|noch|nachdem|weil)\b)\w+(?:-\w+)*)*?"
            rf" {_FINITE}(?=[ .,;!?])"
        ),
        # What wants a noun or an infinitive, before a finite verb: für die Kontrolle zu ist.
        re.compile(
            rf"(?:^|(?<=\w ))(?i:für|von|mit|bei|aus|gegen|ohne|zu|zum|zur|vom|beim|im|ins|des|den) {_FINITE}\b"
        ),
        # Two ways to say "you" in a sentence: rufen Sie an, wenn du Zeit hast.
        re.compile(
            r"^(?=.*\b(?:du|dich|dir|deine?[mnrs]?)\b).*?[\w,)] (?:Sie|Ihnen)\b|^(?=[^ ]+ Sie\b).*\b(?:du|dich|dir)\b"
        ),
        # An infinitive for what somebody does whom one speaks to: ob du regelmäßig üben.
        re.compile(
            r"\b(?:dass|ob|wenn|weil|was|wie|wo|wann|warum|bevor|obwohl|während) du"
            r" (?:(?!\w+(?:st|ßt)\b)[\w-]+ ){0,12}?"
            r"(?!(?:eben|gegen|morgen|oben|unten|hinten|selten|den|einen|keinen|ihnen)\b)(?!\w*ge\w+en\b)"
            r"[a-zäöüß]+en(?=[.,;!?])"
        ),
        # A piece of a word: meine Gl nicht.
        re.compile(
            r"(?<![\w.&/-])(?!Hz|Mrd|Str|Nr|Dr|Mr|Ms|St|Hr|Fr|Mc|Lkw|Pkw|Mh)[B-DF-HJ-NP-TV-Z][b-df-hj-np-tv-xz]{1,2}(?![\w.'’&/-])"
        ),
        # What wants a word after it, at the end: ein Kind hält ein Spielzeug in.
        re.compile(r"\w (?:im|in|für|von|vom|zum|zur|beim|ins|und|oder|des|gegen)[.!;](?!\w)"),
    ),
    "en": (
        # What wants a noun or a verb after it, without: the beginning of the of the war, the risk of in a fury.
        re.compile(
            r"\b(?:an?|[Tt]he) (?:of|the|an?|and|or|not|to|is|are|was|were|has|had|have|would|could|in|on|at|for|with"
            r"|from|into|than|he|she|they|we)\b(?![-/])"
            r"|(?:^|(?<=[.!?] ))A (?:of|the|was|were|has|had|on|at|for|with|from|into|than|he|she|they|we|is an?)\b"
            r"|\b(?:an?|the)(?:[;!?](?!\w)|,|\.(?= [A-Z]|$))"
            r"|\b(?:of (?:in|on|at|into|for|with)|from (?:in|for|with)|to (?:in|of|from|with|be to))\b(?!-)"
        ),
        # Two of which one is enough: an any city, its their wealth, a many ways.
        re.compile(
            rf"\b(?:(?:an?|[Tt]he|his|my|your|our|its|their) (?:{_POSSESSIVE}|this|that)|(?:an?|[Tt]he) (?:some|any)"
            r"|[Tt]he (?:these|those)|an? (?:all|both|many|several)|no an?)\b"
        ),
        # What is there twice: on a bench a bench, in an orbit an adult.
        re.compile(
            r"\b(?:(an?|the|this|his|her|their|my|your|our|its) (\w+) \1 \2"
            r"|(?:in|on|at|of|with|as|is|for|by) an? \w+ an?)\b"
        ),
        # Verbs that do not follow one another: he was had been blamed.
        re.compile(
            r"\b(?:(?:is|are|was|were|be|been) (?:is|are|was|were|be|been|has|had|have)"
            r"|(?:is|are|was|were) (?:never|not|always|already|ever|also|only|just|still)"
            r" (?:is|are|was|were|been|has|had|have)"
            rf"|(?:{MODAL}) (?:is|are|was|were|has|had|been|being)"
            r"|to (?:is|are|was|were|has|had|would|could)"
            r"|(?:of|from|into|with|by|for|at|their|its|our|my|your|his)"
            r" (?:is|are|was|were|has|had|have|will|would|be|should|could))\b"
        ),
        # A verb in the wrong form after an auxiliary: the store is closes, the printer will no longer working; of verbs
        # that are no nouns see `_TWO_VERBS`.
        re.compile(
            rf"\b(?:am|is|are|was|were|been|{MODAL}|do(?:es)?|did)(?:n['’]t| not| no longer)?"
            r" (?:becomes|closes|comes|does|feels|gets|goes|has|knows|leaves|lies|likes|lives|makes|means|meets|needs"
            r"|opens|plays|puts|rains|runs|seems|sits|sleeps|speaks|stands|stays|takes|tells|thinks|works(?! of)"
            r"|writes)\b"
            rf"|\b(?:{MODAL}|do(?:es)?|did)(?:n['’]t| not| no longer) \w*[aeiouy]\w*(?<!th)ing\b"
            r"|\bwho \w*[aeiouy]\w*(?<!th)ing\b"
            r"|\b(?:before|after|when|if|that|because|until|while|unless) (?:I|you|he|she|it|we|they)"
            r" (?!(?:being|having)\b)\w*[aeiouy]\w*(?<!th)ing\b"
            rf"|\b(?:{MODAL}|do(?:es)?|did)(?:n['’]t| not)? (?:became|brought|came|fell|felt|found|gave|got|kept|knew"
            r"|made|meant|met|said|saw|spoke|thought|told|took|went|wrote)\b"
        ),
        # What is never written together: I'ming so late, everyone' laughing, they's.
        re.compile(
            r"\b(?:I|[Hh]e|[Ss]he|[Ii]t|[Ww]e|[Yy]ou|[Tt]hey|[Ee]veryone|[Nn]obody)['’](?!(?:m|s|d|re|ve|ll)\b)"
            r"|\bI['’](?:re|s)\b|\b(?:[Hh]e|[Ss]he|[Ii]t)['’](?:re|m|ve)\b|\b(?:[Ww]e|[Yy]ou|[Tt]hey)['’](?:s|m)\b"
            r"|\b(?:[Ii]s|[Ww]as|[Aa]re|[Ww]ere|[Dd]o|[Dd]oes|[Dd]id|[Hh]as|[Hh]ad|[Hh]ave|could|would|should)['’]t\b"
        ),
    ),
}

_FRAGMENT = re.compile(
    r"(?<![\w.'’/_<&$-])(?:(?!(?:km|cm|mm|kg|mg|ml|px|pt|pm|mph|kph|sq|ms|fps|vs|th|st|nd|rd|m|x)\b)[b-df-hj-np-tv-xz]{1,4}"
    r"|e|es|ed|ing|ly|ment|ness|tion|ic|un|iss|sed|ers|le)(?![\w'’/_=<>(-]|\. ?\w)"
)
"""Of English, consonants alone and what words begin or end with. Of two German candidates one joins it to a word."""
_WORD = re.compile(r"\w+")

_TWO_VERBS = re.compile(
    r"(?<![\w'’-])(?<!\bdo )(?<!\bdoes )(?<!\bdid )(?P<first>am|is|are|was|were|be|been|has|have|had|to|do(?:es)?|did"
    rf"|{MODAL})(?:n['’]t)?(?: (?:not|also|already|always|often|just|never|no longer|recently|since|[a-z]+ly))?"
    r" (?P<second>[a-z]{3,})\b(?!['’-])"
)
"""Not "all you have to do is press a key"."""
_AFTER_BE = re.compile(r"\w['’](?:m|re)(?: not)? (?P<second>[a-z]{3,})\b(?!['’-])")
"""We're arrive."""
_WORDS = {"en": re.compile(r"[^\W\d_]{3,}"), "de": re.compile(r"(?<!\w)([^\W\d_]{3,})(?!\w|, \1\b)")}
"""German may have a verb twice: die kamen, kamen spät."""
_LIST = "function_words.txt"
_ALIKE = 4
"""So many letters at either end make two words of the sentence alike, as compounds may be: Gartenzaun, Gartentor."""
_BE_OR_HAVE = frozenset({"am", "is", "are", "was", "were", "be", "been", "has", "have", "had"})


def count_flaws(source: str, target: str, language: str) -> int:
    """How much in a sentence's translation into a language cannot be, but for what the sentence itself has."""
    places = [found.start() for pattern in _FLAWS[language] for found in pattern.finditer(target)]
    flaws = len(places) + _count_repeated(source, target, language)
    if language == "de":  # an adjective that does not go with its article is among both
        return flaws + sum(place not in places for place in find_disagreements(target))
    flaws += sum(map(_is_wrong, _TWO_VERBS.finditer(target)))
    flaws += sum(verb["second"] in listed_verbs()["base"] for verb in _AFTER_BE.finditer(target))
    fragments = _FRAGMENT.findall(target)
    return flaws + len(set(fragments).difference(_WORD.findall(source))) if fragments else flaws


def _count_repeated(source: str, target: str, language: str) -> int:
    """How many words, but for function words, are there once more, if the sentence is known and has no two alike."""
    words = _content_words(target, language)
    more = len(words) - len({*words})
    if not more:
        return 0
    its = _content_words(source, OTHER_LANGUAGE[language])
    starts, ends = ({word[:_ALIKE] for word in its}, {word[-_ALIKE:] for word in its})
    return more if its and len(starts) == len(ends) == len(its) else 0


def _content_words(text: str, language: str) -> list[str]:
    function_words = _function_words()[language]
    return [word for word in _WORDS[language].findall(text.casefold()) if word not in function_words]


@cache
def _function_words() -> Mapping[str, frozenset[str]]:
    """By language, casefolded."""
    return {language: frozenset(map(str.casefold, its)) for language, its in kinds_of(_LIST).items()}


def _is_wrong(verbs: re.Match[str]) -> bool:
    """Whether the second cannot follow the first: was announce, has exist, is brings, does not provides."""
    verb, listed = verbs["second"], listed_verbs()
    return verb in listed["third"] or (verb in listed["base"] and verbs["first"] in _BE_OR_HAVE)
