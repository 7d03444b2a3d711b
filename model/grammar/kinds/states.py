"""How somebody or something is: said as a statement, asked, or as what somebody else says, thinks or hopes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain, product, zip_longest
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from model.grammar.categories import Case, Kind, Person, Tense, VerbTrait
from model.grammar.clauses import Clause, Complement, begins_with_subject, can_be_asked, draw_clause
from model.grammar.english_clauses import said_in_english
from model.grammar.german_clauses import said_in_german
from model.grammar.lexicon import FixedPhrase, Slot, Verb
from model.grammar.noun_phrases import WHO, YOU, Phrase, Pronoun
from model.grammar.verb_forms import REFLEXIVE_DATIVE, EnglishVerb, GermanVerb
from model.grammar.writing import written

if TYPE_CHECKING:
    from collections.abc import Iterable

    from model.grammar.drawing import Draw
    from model.grammar.english_clauses import EnglishClause
    from model.grammar.german_clauses import GermanClause
    from model.grammar.writing import Sentence

__all__ = [
    "AT_TIMES",
    "HABEN",
    "IT",
    "LASTING",
    "MODALS",
    "SEIN",
    "THAT",
    "State",
    "Way",
    "draw_state",
    "english_verb",
    "for_oneself",
    "said",
    "told",
]

_Item = TypeVar("_Item")

SEIN = GermanVerb("sein", "ist", "war", "gewesen", "sein")
HABEN = GermanVerb("haben", "hat", "hatte", "gehabt", "haben")

IT = Pronoun("it", "it", "es", "es", "ihm", Person.IT)
THAT = Pronoun("that", "that", "das", "das", "dem", Person.IT)

LASTING = frozenset(
    ["probably", "unfortunately", "also", "perhaps", "maybe", "still", "no longer", "really", "already"]
)
"""Adverbs that go with what is so for a long time."""

AT_TIMES = LASTING | {"always", "often", "sometimes", "today", "yesterday", "never", "now", "tomorrow", "last week"}
"""Those that go with what is so at times."""

MODALS = frozenset({"will", "might"})
"""Modal verbs that go with everything."""

_TENSES = (*[Tense.PRESENT] * 5, *[Tense.PAST] * 3, Tense.MODAL)
_HOW = {"stated": 6, "asked": 2, "introduced": 2}
_MANY = 0.7
"""Share of those drawn with an adverb, many of which are dropped, since it is another one."""


class Way(NamedTuple):
    """German for how one is: a verb, what follows, and that negated, which is empty where it is not said so.

    `early` is a pronoun that stands before everything else: ist ihm ähnlich.
    """

    verb: GermanVerb
    phrase: str
    negated: str
    early: Complement | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Who is how: English by verbs and all that follows them, German by ways that translate any of them.

    `spoken`: German rather has the perfect: hat sich den Arm gebrochen.
    """

    subject: Phrase
    english: tuple[EnglishVerb, ...]
    german: tuple[Way, ...]
    traits: frozenset[VerbTrait] = frozenset()
    spoken: bool = False


def english_verb(forms: str, rest: str = "") -> EnglishVerb:
    """Of "be", or of the four or five forms of another verb, with what follows: looks tired."""
    if forms == "be":
        return EnglishVerb(f"be {rest}", f"is {rest}", f"was {rest}", f"been {rest}", "")
    base, third, past, participle, *ing = (f"{form} {rest}".rstrip() for form in forms.split(", "))
    return EnglishVerb(base, third, past, participle, ing[0] if ing else "")


def for_oneself(person: Person) -> Complement:
    """The reflexive pronoun in the dative: ich wasche mir die Hände."""
    oneself = REFLEXIVE_DATIVE[person]
    return Complement(Pronoun("", "", "", "", oneself, person), Slot(Case.DATIVE, frozenset()))


def told(
    draw: Draw,
    state: State,
    *,
    tenses: tuple[Tense, ...] = _TENSES,
    adverbs: frozenset[str] = frozenset(),
    modals: frozenset[str] = MODALS,
    negations: float = 0.15,
) -> Sentence:
    """She is proud of him. Is she proud of him? I think that she is proud of him.

    Args:
        draw: chance.
        state: who is how.
        tenses: one of these.
        adverbs: English of those that go with it.
        modals: the same of modal verbs.
        negations: how many statements are negated, 0 to 1.
    """
    how = draw.weighted(list(_HOW), list(_HOW.values()))
    if state.subject is WHO or (how == "asked" and state.subject.negative):
        how = "stated"
    clause = draw_state(
        draw,
        state,
        tenses=tenses,
        adverbs=adverbs,
        modals=modals,
        negations=0.0 if how == "asked" or state.subject is WHO else negations,
        plain=how != "stated" or state.subject is WHO,
        asked=how == "asked",
    )
    english, german = said(clause, state)
    if how == "asked":
        return written((one.question for one in english), (one.inverted for one in german), "?")
    if how == "introduced":
        mains = [
            one for one in draw.lexicon.main_clauses if state.subject not in YOU or "you" not in one.english.split()
        ]
        opening, openings, conjunction, mark = draw.one_of(mains)
        return written(
            (f"{opening} {one.statement}" for one in english),
            (f"{main}, {conjunction} {one.subordinate}" for one, main in product(german, openings)),
            mark,
        )
    mark = "?" if state.subject is WHO else "."
    return written((one.statement for one in english), (one.main for one in german), mark)


def draw_state(  # noqa: PLR0913 - whatever a clause has
    draw: Draw,
    state: State,
    *,
    tenses: tuple[Tense, ...] = _TENSES,
    adverbs: frozenset[str] = frozenset(),
    modals: frozenset[str] = MODALS,
    negations: float = 0.0,
    plain: bool = False,
    asked: bool = False,
) -> Clause:
    """A clause that says so; `plain`: with no adverb at the beginning; `asked`: one that makes a question."""

    def fits(clause: Clause) -> bool:
        return (
            (clause.adverb is None or clause.adverb.english in adverbs)
            and (clause.modal is None or (clause.modal.auxiliary in modals and clause.modal.rest == ("",)))
            and (begins_with_subject(clause) or not plain)
            and (can_be_asked(clause) or not asked)
        )

    first = state.german[0]
    verb = Verb(
        state.english[0],
        (first.verb,),
        frozenset(Kind),
        (),
        (FixedPhrase("", first.phrase, first.negated),),
        state.traits,
    )
    return draw_clause(
        draw,
        tenses=tenses,
        adverbs=_MANY if adverbs else 0.0,
        negations=negations,
        subject=state.subject,
        verbs=(verb,),
        fits=fits,
    )


def said(clause: Clause, state: State) -> tuple[list[EnglishClause], list[GermanClause]]:
    """All ways to say the clause that was drawn of it, the first of each verb before the second of any."""
    english = [
        said_in_english(replace(clause, phrase=None, verb=replace(clause.verb, english=verb))) for verb in state.english
    ]
    german = [
        said_in_german(_with(clause, way))
        for way in state.german
        if way.negated or not (clause.negated or clause.no_longer)
    ]
    ways = _alternately(german)
    return _alternately(english), sorted(ways, key=lambda one: not one.perfect) if state.spoken else ways


def _with(clause: Clause, way: Way) -> Clause:
    """The clause in a German way."""
    clause = replace(
        clause,
        verb=replace(clause.verb, german=(way.verb,)),
        phrase=FixedPhrase("", way.phrase, way.negated),
        complements=(way.early,) if way.early else (),
    )
    if not clause.no_longer or not way.negated.startswith("kein"):
        return clause
    keine, angst, *rest = way.negated.split()
    no_longer = " ".join((keine, angst, "mehr", *rest))
    return replace(clause, adverb=None, position=None, phrase=FixedPhrase("", no_longer, no_longer))


def _alternately(lists: Iterable[list[_Item]]) -> list[_Item]:
    return [one for one in chain.from_iterable(zip_longest(*lists)) if one is not None]
