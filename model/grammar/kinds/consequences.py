"""What follows from how much so something is: so old that, too heavy to carry; the more, the better."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from model.grammar.categories import Gender, Kind, Tense
from model.grammar.clauses import draw_clause
from model.grammar.determiners import Determiner
from model.grammar.english_clauses import infinitive_in_english, said_in_english
from model.grammar.german_clauses import said_in_german
from model.grammar.lexicon import expression
from model.grammar.noun_phrases import PRONOUNS, Pronoun
from model.grammar.phrases import draw_adjective, draw_noun_phrase
from model.grammar.verb_forms import AM, DO, HABE, HATTE, HAVE, KANN, WERDE, WURDE, be_and_sein, forms, regular_present
from model.grammar.writing import joined, written

if TYPE_CHECKING:
    from model.grammar.categories import Person
    from model.grammar.clauses import Clause
    from model.grammar.drawing import Draw
    from model.grammar.german_clauses import GermanClause
    from model.grammar.noun_phrases import NounPhrase, Phrase
    from model.grammar.writing import Sentence

__all__ = ["enough_to", "so_heavy_that", "the_more_one_does", "the_more_one_is", "too_heavy_to"]

_KONNTE = forms("konnte", "konntest", "konnte", "konnten")


class _Done(NamedTuple):
    """What cannot be done: English and German infinitives, the latter also with zu, and with what."""

    english: str
    german: str
    zu: str
    kinds: frozenset[Kind]


def _done(english: str, german: str, zu: str, *kinds: Kind) -> _Done:
    return _Done(english, german, zu, frozenset(kinds))


_CARRY = _done("carry", "tragen", "zu tragen", Kind.LOAD)
_LIFT = _done("lift", "heben", "zu heben", Kind.LOAD)
_EAT = _done("eat", "essen", "zu essen", Kind.FOOD)
_BUY = _done("buy", "kaufen", "zu kaufen", Kind.THING, Kind.VEHICLE, Kind.BUILDING)
_WEAR = _done("wear", "tragen", "zu tragen", Kind.GARMENT)
_READ = _done("read", "lesen", "zu lesen", Kind.TEXT)
_UNDERSTAND = _done("understand", "verstehen", "zu verstehen", Kind.TEXT, Kind.MATTER)
_REPAIR = _done("repair", "reparieren", "zu reparieren", Kind.DEVICE)

_TOO = (
    (expression("heavy", "schwer"), (_CARRY, _LIFT)),
    (expression("big", "groß"), (_CARRY, _WEAR)),
    (expression("hot", "heiß"), (_EAT,)),
    (expression("cold", "kalt"), (_EAT,)),
    (expression("expensive", "teuer"), (_BUY,)),
    (expression("dirty", "schmutzig"), (_WEAR,)),
    (expression("small", "klein"), (_WEAR,)),
    (expression("long", "lang"), (_READ,)),
    (expression("boring", "langweilig"), (_READ,)),
    (expression("difficult", "schwierig", "schwer"), (_UNDERSTAND, _READ)),
    (expression("complicated", "kompliziert"), (_UNDERSTAND,)),
    (expression("old", "alt"), (_REPAIR,)),
)
_ENOUGH = (
    expression("old", "alt"),
    expression("strong", "stark"),
    expression("tall", "groß"),
    expression("rich", "reich"),
    expression("brave", "mutig"),
    expression("clever", "klug"),
    expression("healthy", "gesund"),
    expression("fast", "schnell"),
)
_MONEY = (expression("money", "Geld"), expression("time", "Zeit"), expression("courage", "Mut"))
_MORE = (
    expression("more", "mehr"),
    expression("more", "mehr"),
    expression("longer", "länger"),
    expression("less", "weniger"),
    expression("more often", "öfter", "häufiger"),
)
_COMPARED = (Kind.VEHICLE, Kind.BUILDING, Kind.GARMENT, Kind.TEXT, Kind.DEVICE)
_NOMINATIVES = {Gender.MASCULINE: "er", Gender.FEMININE: "sie", Gender.NEUTER: "es"}
_ACCUSATIVES = {**_NOMINATIVES, Gender.MASCULINE: "ihn"}
_MORE_OR_LESS = frozenset(
    ["laugh", "cry", "smoke", "sleep", "sing", "work", "practise", "train", "smile", "read", "talk", "wait", "learn"]
)
"""Verbs of what one does more or less."""

_TENSES = (Tense.PRESENT, Tense.PRESENT, Tense.PAST)


def so_heavy_that(draw: Draw) -> Sentence:
    """The bag was so heavy that I could not carry it."""
    noun, (adjective, ways), done = _draw_undone(draw)
    who, tense = draw.one_of(PRONOUNS), draw.one_of(_TENSES)
    be, sein = be_and_sein(noun.person, tense)
    can = ("cannot", "can't") if tense is Tense.PRESENT else ("could not", "couldn't")
    kann = (KANN if tense is Tense.PRESENT else _KONNTE)[who.person]
    it, es = _it(noun)
    return written(
        (f"{noun.english()} {be} so {adjective} that {who.english()} {one} {done.english} {it}" for one in can),
        (f"{noun.german()} {sein} so {one}, dass {who.german()} {es} nicht {done.german} {kann}" for one in ways),
    )


def too_heavy_to(draw: Draw) -> Sentence:
    """The bag is too heavy to carry: German has its object, um sie zu tragen."""
    noun, (adjective, ways), done = _draw_undone(draw)
    be, sein = be_and_sein(noun.person, draw.one_of(_TENSES))
    _, es = _it(noun)
    return written(
        [f"{noun.english()} {be} too {adjective} to {done.english}"],
        [f"{noun.german()} {sein} zu {one}, um {es} {done.zu}" for one in ways],
    )


def enough_to(draw: Draw) -> Sentence:
    """He is old enough to read; he does not have enough money to buy the house."""
    subject, tense, not_so = draw.one_of(PRONOUNS), draw.one_of(_TENSES), draw.chance(0.4)
    clause = draw_clause(draw, tenses=(Tense.PRESENT,), subject=subject, fits=_is_plain)
    to, um = infinitive_in_english(clause), [f"um {one.zu_infinitive}" for one in said_in_german(clause)]
    person, who, wer = subject.person, subject.english(), subject.german()
    if draw.chance(0.6):
        (adjective, (german,)), (be, sein) = draw.one_of(_ENOUGH), be_and_sein(person, tense)
        return written(
            [joined(who, be, "not" if not_so else "", adjective, "enough to", to)],
            (joined(wer, sein, "nicht" if not_so else "", german, "genug,", one) for one in um),
        )
    money, (geld,) = draw.one_of(_MONEY)
    past = tense is Tense.PAST
    have = [f"{'did' if past else DO[person]}{one} have" for one in (" not", "n't")] if not_so else []
    have = have or ["had" if past else HAVE[person]]
    habe = (HATTE if past else HABE)[person]
    return written(
        (f"{who} {one} enough {money} to {to}" for one in have),
        (joined(wer, habe, "nicht" if not_so else "", f"genug {geld},", one) for one in um),
    )


def the_more_one_does(draw: Draw) -> Sentence | None:
    """The more he works, the less he sleeps."""
    (more, mehr), (less, weniger) = draw.two_of(_MORE)
    subject, tense = draw.one_of(PRONOUNS), draw.one_of(_TENSES)
    first = _draw_doing(draw, subject, tense)
    if draw.chance(0.5):
        adjective = draw_adjective(draw, (Kind.PERSON,), states=True)
        if adjective is None or not adjective.german_comparative:
            return None
        past, person = tense is Tense.PAST, subject.person
        gets = [f"{subject.english()} {_get(verb, person, past=past)}" for verb in ("become", "get")]
        werde = (WURDE if past else WERDE)[person]
        return written(
            (f"the {more} {_simple(first)}, the {adjective.english_comparative} {one}" for one in gets),
            (
                f"je {je} {one.subordinate}, {desto} {adjective.german_comparative} {werde} {subject.german()}"
                for je, one, desto in product(mehr, _not_perfect(first), ("desto", "umso"))
            ),
        )
    second = _draw_doing(draw, subject, tense)
    if second.verb is first.verb:
        return None
    return written(
        [f"the {more} {_simple(first)}, the {less} {_simple(second)}"],
        (
            f"je {je} {one.subordinate}, {desto} {comparative} {other.inverted}"
            for je, one, desto, comparative, other in product(
                mehr, _not_perfect(first), ("desto", "umso"), weniger, _not_perfect(second)
            )
        ),
    )


def the_more_one_is(draw: Draw) -> Sentence | None:
    """The bigger the house is, the more expensive it is; the older he gets, the happier he is."""
    people = draw.chance(0.4)
    kinds = (Kind.PERSON,) if people else (draw.one_of(_COMPARED),)
    first, second = (draw_adjective(draw, kinds, gradable=True) for _ in range(2))
    if first is None or second is None or first.german == second.german or (people and second.german == "alt"):
        return None
    if people:
        who, tense = draw.one_of(PRONOUNS), draw.one_of(_TENSES)
        past, person = tense is Tense.PAST, who.person
        be, sein = be_and_sein(person, tense)
        werde = (WURDE if past else WERDE)[person]
        if draw.chance(0.5):
            be, sein = _get("become", person, past=past), werde
        return written(
            (
                f"the older {who.english()} {one}, the {second.english_comparative} {who.english()} {be}"
                for one in (_get("get", person, past=past), _get("become", person, past=past))
            ),
            (
                f"je älter {who.german()} {werde}, {desto} {second.german_comparative} {sein} {who.german()}"
                for desto in ("desto", "umso")
            ),
        )
    noun = draw_noun_phrase(draw, kinds, determiners=(Determiner.THE,), adjectives=0.0)
    be, sein = be_and_sein(noun.person, Tense.PRESENT)
    if noun.plural:
        it, es = "they", "sie"
    else:
        it, es = "it", _NOMINATIVES[noun.noun.gender]
    english = f"the {first.english_comparative} {noun.english()}"
    return written(
        [f"{english}{one}, the {second.english_comparative} {it} {be}" for one in (f" {be}", "")],
        (
            f"je {first.german_comparative} {noun.german()} {sein}, {desto} {second.german_comparative} {sein} {es}"
            for desto in ("desto", "umso")
        ),
    )


def _draw_undone(draw: Draw) -> tuple[NounPhrase, tuple[str, tuple[str, ...]], _Done]:
    """A thing, how it is, and what cannot be done with it, therefore."""
    adjective, several = draw.one_of(_TOO)
    done = draw.one_of(several)
    determiners = (Determiner.THE, Determiner.THE, Determiner.THIS, Determiner.HIS, Determiner.HER)
    noun = draw_noun_phrase(draw, done.kinds, determiners=determiners, adjectives=0.0)
    return noun, (adjective.english, adjective.german), done


def _it(noun: NounPhrase) -> tuple[str, str]:
    """Both languages' pronoun for it, accusative."""
    return ("them", "sie") if noun.plural else ("it", _ACCUSATIVES[noun.noun.gender])


def _draw_doing(draw: Draw, subject: Phrase, tense: Tense) -> Clause:
    """What somebody does more or less: with no object, and not in some way."""
    verbs = [
        one
        for one in draw.lexicon.verbs
        if not one.slots and not one.phrases and one.english.ing and one.english.base in _MORE_OR_LESS
    ]
    return draw_clause(draw, tenses=(tense,), subject=subject, verbs=verbs, fits=lambda one: one.manner is None)


def _is_plain(clause: Clause) -> bool:
    """Whether it neither says how nor has a pronoun, which some English verbs have before their second part."""
    return (
        clause.manner is None
        and not clause.denies
        and not any(isinstance(one.phrase, Pronoun) for one in clause.complements)
    )


def _simple(clause: Clause) -> str:
    """He works; he worked."""
    return next(one.statement for one in said_in_english(clause) if one.auxiliary not in {*AM.values(), *HAVE.values()})


def _not_perfect(clause: Clause) -> list[GermanClause]:
    return [one for one in said_in_german(clause) if not one.perfect]


def _get(verb: str, person: Person, *, past: bool) -> str:
    """Becomes, became; gets, got."""
    return {"become": "became", "get": "got"}[verb] if past else regular_present(verb, person)
