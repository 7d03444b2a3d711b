"""What constructed sentences are made of: words in all their forms, clauses in each word order."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from model.grammar.categories import Case, Gender, Person, Position, Tense
from model.grammar.clauses import Clause, Complement, draw_clause
from model.grammar.determiners import Determiner
from model.grammar.drawing import Draw
from model.grammar.english_clauses import said_in_english
from model.grammar.german_clauses import said_in_german
from model.grammar.lexicon import Adverb, Expression, FixedPhrase, GivenName, Noun, Verb, expression
from model.grammar.manners import draw_manner
from model.grammar.noun_phrases import INDEFINITES, PRONOUNS, YOU, Name, NounPhrase, Phrase
from model.grammar.reading import read_lexicon
from model.grammar.spellings import respelled
from model.grammar.writing import MAX_WAYS, written

if TYPE_CHECKING:
    from model.grammar.verb_forms import GermanVerb

LEXICON = read_lexicon()
ICH, HE, SHE, WE, _ = PRONOUNS
DU, SIE = YOU
MARIA = Name(GivenName("Maria", Gender.FEMININE))


def noun(english: str) -> Noun:
    """The noun of that name."""
    return next(one for one in LEXICON.nouns if one.english == english)


def phrase(determiner: Determiner, english: str, adjective: str = "", *, plural: bool = False) -> NounPhrase:
    """A noun phrase, with an adjective if one is named."""
    attribute = next((one for one in LEXICON.adjectives if one.english == adjective), None)
    quantity = LEXICON.quantities[0] if determiner is Determiner.QUANTITY else None
    return NounPhrase(noun(english), determiner, plural, attribute, quantity)


def verb(english: str, number: int = 0) -> Verb:
    """Of the verbs of that name the one of this number."""
    return [one for one in LEXICON.verbs if one.english.base == english][number]


def german(infinitive: str) -> GermanVerb:
    """The German verb of that infinitive."""
    return next(one for verb in LEXICON.verbs for one in verb.german if one.infinitive == infinitive)


def adverb(english: str) -> Adverb:
    """The adverb of that name."""
    return next(one for one in LEXICON.adverbs if one.english == english)


def clause(  # noqa: PLR0913 - whatever a clause has
    subject: Phrase,
    what: Verb,
    *objects: Phrase,
    tense: Tense = Tense.PRESENT,
    when: str = "",
    position: Position | None = None,
    fixed: FixedPhrase | None = None,
    modal: str = "",
    negated: bool = False,
    how: Expression | None = None,
) -> Clause:
    """A clause of these parts."""
    return Clause(
        subject=subject,
        verb=what,
        tense=Tense.MODAL if modal else tense,
        complements=tuple(Complement(one, slot) for one, slot in zip(objects, what.slots, strict=True)),
        phrase=fixed,
        negated=negated,
        modal=next((one for one in LEXICON.modals if one.german[0][Person.IT] == modal), None),
        adverb=adverb(when) if when else None,
        position=position,
        manner=how,
    )


def in_german(drawn: Clause) -> list[str]:
    """All ways to say it as a main clause."""
    return [said.main for said in said_in_german(drawn)]


def in_english(drawn: Clause) -> list[str]:
    """All ways to say it as a statement."""
    return [said.statement for said in said_in_english(drawn)]


def no_longer(drawn: Clause) -> Clause:
    """The same, but not any more."""
    return replace(drawn, adverb=adverb("no longer"), position=Position.MIDDLE)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (phrase(Determiner.THE, "man", "old"), "der alte Mann, den alten Mann, dem alten Mann, des alten Mannes"),
        (phrase(Determiner.A, "man", "old"), "ein alter Mann, einen alten Mann, einem alten Mann, eines alten Mannes"),
        (phrase(Determiner.THIS, "cow", "old"), "diese alte Kuh, diese alte Kuh, dieser alten Kuh, dieser alten Kuh"),
        (phrase(Determiner.OUR, "egg", "good"), "unser gutes Ei, unser gutes Ei, unserem guten Ei, unseres guten Eis"),
        (phrase(Determiner.THE, "boy"), "der Junge, den Jungen, dem Jungen, des Jungen"),
        (phrase(Determiner.EVERY, "student"), "jeder Student, jeden Studenten, jedem Studenten, jedes Studenten"),
        (phrase(Determiner.THE, "child", plural=True), "die Kinder, die Kinder, den Kindern, der Kinder"),
        (phrase(Determiner.NONE, "house", "new", plural=True), "neue Häuser, neue Häuser, neuen Häusern, neuer Häuser"),
        (
            phrase(Determiner.THE, "car", "expensive"),
            "das teure Auto, das teure Auto, dem teuren Auto, des teuren Autos",
        ),
        (phrase(Determiner.NO, "baby", plural=True), "keine Babys, keine Babys, keinen Babys, keiner Babys"),
        (phrase(Determiner.QUANTITY, "garden", plural=True), "zwei Gärten, zwei Gärten, zwei Gärten, zwei Gärten"),
    ],
)
def test_noun_phrases(said: NounPhrase, expected: str) -> None:
    """Articles, adjectives and nouns agree in all four cases, weak nouns and irregular genitives included."""
    assert ", ".join(said.german(case) for case in Case) == expected


def test_noun_phrases_in_english() -> None:
    """The article goes by the sound that follows; a plural has none; a negated one has "any"."""
    assert phrase(Determiner.A, "uncle").english() == "an uncle"
    assert phrase(Determiner.A, "university").english() == "a university"
    assert phrase(Determiner.A, "car", "old").english() == "an old car"
    assert phrase(Determiner.THIS, "mouse", plural=True).english() == "these mice"
    assert phrase(Determiner.NONE, "car", plural=True).english(negated=True) == "any cars"


def test_pronouns() -> None:
    """English has two forms, German three; nobody has three as well, and names have one."""
    assert [HE.english(), HE.english(Case.DATIVE)] == ["he", "him"]
    assert [SIE.german(case) for case in list(Case)[:3]] == ["Sie", "Sie", "Ihnen"]
    assert [INDEFINITES[0].german(case) for case in list(Case)[:3]] == ["niemand", "niemanden", "niemandem"]
    assert MARIA.german(Case.DATIVE) == MARIA.english() == "Maria"


@pytest.mark.parametrize(
    ("infinitive", "present", "preterite", "zu"),
    [
        ("lesen", "lese liest liest lesen", "las lasest las lasen", "zu lesen"),
        ("warten", "warte wartest wartet warten", "wartete wartetest wartete warteten", "zu warten"),
        ("halten", "halte hältst hält halten", "hielt hieltest hielt hielten", "zu halten"),
        ("sammeln", "sammle sammelst sammelt sammeln", "sammelte sammeltest sammelte sammelten", "zu sammeln"),
        ("wissen", "weiß weißt weiß wissen", "wusste wusstest wusste wussten", "zu wissen"),
        ("ändern", "ändere änderst ändert ändern", "änderte ändertest änderte änderten", "zu ändern"),
        ("ansehen", "sehe siehst sieht sehen", "sah sahst sah sahen", "anzusehen"),
        ("mögen", "mag magst mag mögen", "mochte mochtest mochte mochten", "zu mögen"),
        ("laufen", "laufe läufst läuft laufen", "lief liefst lief liefen", "zu laufen"),
    ],
)
def test_german_verb_forms(infinitive: str, present: str, preterite: str, zu: str) -> None:
    """Ich, du, er and wir in present and preterite, and the infinitive with zu."""
    people = (Person.I, Person.YOU, Person.IT, Person.WE)
    one = german(infinitive)
    assert " ".join(map(one.present, people)) == present
    assert " ".join(map(one.preterite, people)) == preterite
    assert one.zu_infinitive == zu


def test_participles_have_their_prefixes() -> None:
    """Of all verbs in the list: angesehen, since it is ansehen."""
    verbs = [one for verb in LEXICON.verbs for one in verb.german]
    assert [one.infinitive for one in verbs if not one.participle.startswith(one.prefix)] == []


def test_english_verb_forms() -> None:
    """The third person has an ending; a verb of "be" and more has the forms of "be"."""
    assert [verb("read").english.present(person) for person in (Person.I, Person.IT)] == ["read", "reads"]
    assert verb("be afraid").english.present(Person.I) == "am afraid"
    assert verb("be afraid").english.past(Person.THEY) == "were afraid"


def test_word_orders() -> None:
    """The verb is second, first or last, its prefix apart or before it; an adverb may take the first place."""
    lamp = phrase(Determiner.THE, "lamp")
    (said,) = said_in_german(clause(HE, verb("turn off"), lamp, when="often", position=Position.MIDDLE))
    assert said.main == "er schaltet oft die Lampe aus"
    assert said.inverted == "schaltet er oft die Lampe aus"
    assert said.subordinate == "er oft die Lampe ausschaltet"
    assert said.zu_infinitive == "oft die Lampe auszuschalten"
    assert said.infinitive == "oft die Lampe ausschalten"
    front = clause(HE, verb("turn off"), lamp, tense=Tense.PAST, when="yesterday", position=Position.FRONT)
    assert in_german(front) == ["gestern schaltete er die Lampe aus", "gestern hat er die Lampe ausgeschaltet"]
    assert in_english(front) == ["yesterday, he turned off the lamp", "yesterday he turned off the lamp"]


def test_english_word_orders() -> None:
    """Questions and negations have an auxiliary; statements only where there is one anyway."""
    book = phrase(Determiner.THE, "book")
    said = said_in_english(clause(HE, verb("read"), book, when="often", position=Position.MIDDLE))
    assert [one.statement for one in said] == ["he often reads the book"]
    assert [one.question for one in said] == ["does he often read the book"]
    assert in_english(clause(HE, verb("read"), book)) == ["he reads the book", "he is reading the book"]
    assert in_english(clause(HE, verb("read"), book, tense=Tense.PAST)) == ["he read the book", "he has read the book"]
    assert in_english(clause(HE, verb("read"), book, negated=True, tense=Tense.PAST))[:2] == [
        "he did not read the book",
        "he didn't read the book",
    ]


def test_tenses_with_adverbs() -> None:
    """What always is so is not going on, nor is what German says in the preterite what already has happened."""
    book, sit = phrase(Determiner.THE, "book"), verb("sit")
    always = clause(HE, sit, phrase(Determiner.THE, "garden"), when="always", position=Position.MIDDLE)
    assert in_english(always) == ["he always sits in the garden"]
    assert in_english(replace(always, adverb=None))[0] == "he is sitting in the garden"
    already = clause(HE, verb("read"), book, tense=Tense.PAST, when="already", position=Position.MIDDLE)
    assert in_english(already) == ["he has already read the book"]
    assert in_german(already) == ["er hat schon das Buch gelesen", "er hat bereits das Buch gelesen"]


def test_no_perfect_with_another_meaning() -> None:
    """What has got something has it, and nobody has left at six o'clock, though German has the perfect of both."""
    get, leave = verb("get"), verb("leave", 2)
    letter, at_six = phrase(Determiner.THE, "letter"), leave.phrases[1]
    got = clause(SHE, get, letter, tense=Tense.PAST)
    assert (in_english(got), in_german(got)) == (
        ["she got the letter"],
        ["sie bekam den Brief", "sie hat den Brief bekommen"],
    )
    left = clause(SHE, leave, tense=Tense.PAST, fixed=at_six)
    assert (in_english(left), len(in_german(left))) == (["she left at six o'clock"], 2)


def test_things_want_nothing() -> None:
    """Only people and animals want to, may and are allowed to."""
    draw, key = Draw(LEXICON, 1), phrase(Determiner.THE, "key")
    drawn = [draw_clause(draw, tenses=(Tense.MODAL,), subject=key).modal for _ in range(300)]
    said = {(modal.auxiliary, modal.rest[0]) for modal in drawn if modal}
    assert said >= {("must", ""), ("will", ""), ("might", "")}
    assert said.isdisjoint({("may", ""), ("do", "want to"), ("would", "like to"), ("be", "allowed to")})


def test_could_is_not_of_tomorrow() -> None:
    """With an adverb of the future there is no "could", which may be konnte in German."""
    draw, could = Draw(LEXICON, 1), set[str]()
    for _ in range(3000):
        one = draw_clause(draw, tenses=(Tense.MODAL,), adverbs=1.0)
        if one.adverb and one.modal and one.modal.auxiliary == "could":
            could.add(one.adverb.english)
    assert "today" in could
    assert could.isdisjoint({"tomorrow", "soon", "tonight", "next week"})


def test_negation() -> None:
    """What is indefinite becomes kein, only once; else nicht stands after objects and before prepositions."""
    read, give = verb("read"), verb("give")
    the_book, a_book = phrase(Determiner.THE, "book"), phrase(Determiner.A, "book")
    a_child = phrase(Determiner.A, "child")
    assert in_german(clause(SHE, read, the_book, negated=True)) == ["sie liest das Buch nicht"]
    assert in_german(clause(SHE, read, a_book, negated=True)) == ["sie liest kein Buch"]
    assert in_german(clause(SHE, give, a_child, a_book, negated=True)) == ["sie gibt einem Kind kein Buch"]
    assert in_german(clause(SHE, give, HE, a_book, negated=True)) == ["sie gibt ihm kein Buch"]
    assert in_german(clause(SHE, verb("wait"), HE, negated=True)) == ["sie wartet nicht auf ihn"]
    assert in_german(no_longer(clause(SHE, read, the_book))) == ["sie liest das Buch nicht mehr"]
    assert in_german(no_longer(clause(SHE, read, a_book))) == ["sie liest kein Buch mehr"]
    assert in_german(no_longer(clause(SHE, verb("be afraid"), HE))) == ["sie hat keine Angst mehr vor ihm"]
    coffee, contract = verb("drink").phrases[1], verb("sign").phrases[0]
    assert in_german(clause(SHE, verb("drink"), fixed=coffee, negated=True)) == ["sie trinkt keinen Kaffee"]
    assert in_german(no_longer(clause(SHE, verb("drink"), fixed=coffee))) == ["sie trinkt keinen Kaffee mehr"]
    assert in_german(no_longer(clause(SHE, verb("sign"), fixed=contract))) == [
        "sie unterschreibt den Vertrag nicht mehr"
    ]


def test_manners() -> None:
    """How something is done follows objects, and nicht in German, before a preposition or the verb's second part."""
    slowly = expression("very slowly", "sehr langsam")
    letter = phrase(Determiner.THE, "letter")
    read = clause(HE, verb("read"), letter, tense=Tense.PAST, negated=True, how=slowly)
    assert in_german(read)[1] == "er hat den Brief nicht sehr langsam gelesen"
    assert in_english(read)[0] == "he did not read the letter very slowly"
    said = said_in_german(clause(HE, verb("open"), letter, modal="kann", how=slowly))[0]
    assert said.subordinate == "er den Brief sehr langsam öffnen kann"
    wait = clause(SHE, verb("wait"), HE, how=slowly, when="always", position=Position.MIDDLE)
    assert in_german(wait) == ["sie wartet immer sehr langsam auf ihn"]
    assert in_english(wait) == ["she always waits very slowly for him"]


@pytest.mark.parametrize(
    ("base", "english", "expected"),
    [
        ("sign", "the contract", "er unterschreibt den Vertrag schnell"),
        ("put", "the book on the table", "er legt das Buch schnell auf den Tisch"),
        ("play", "tennis", "er spielt schnell Tennis"),
        ("explain", "everything", "er erklärt alles schnell"),
        ("drink", "a cup of tea", "er trinkt eine Tasse Tee schnell"),
    ],
)
def test_manners_with_fixed_phrases(base: str, english: str, expected: str) -> None:
    """In German behind an indefinite object, where nicht would stand, or before a noun without an article."""
    with_phrases = [one for one in LEXICON.verbs if one.english.base == base and one.phrases]
    fixed = next(one for one in with_phrases[0].phrases if one.english == english)
    quickly = expression("quickly", "schnell")
    assert in_german(clause(HE, with_phrases[0], fixed=fixed, how=quickly)) == [expected]


def test_manners_go_with_verbs_of_the_list() -> None:
    """Whatever verbs an adverb of manner names are there, and it is drawn only with them."""
    verbs = {one.english.base for one in LEXICON.verbs}
    assert [manner.english for manner in LEXICON.manners if not manner.verbs <= verbs] == []
    draw = Draw(LEXICON, 1)
    assert draw_manner(draw, verb("need")) is None
    drawn = {draw_manner(draw, verb("fight"), negated=True) for _ in range(300)}
    assert expression("harder", "härter") in drawn
    assert expression("very bravely", "sehr mutig") in drawn
    assert expression("quite hard", "ziemlich hart") not in drawn


def test_one_german_word_translates_several() -> None:
    """What a German word means goes by what it is said of."""
    words = [("schwer", {"heavy", "hard"}), ("leicht", {"easy", "light"}), ("groß", {"big", "tall"})]
    assert [(w, {one.english for one in LEXICON.adjectives if one.german == w}) for w, _ in words] == words
    marry = {one.english.base for one in LEXICON.verbs if german("heiraten") in one.german}
    assert marry == {"get married", "marry"}
    assert in_german(clause(ICH, verb("marry"), HE, negated=True)) == ["ich heirate ihn nicht"]


def test_modal_verbs() -> None:
    """Modals are auxiliaries in English or need one; German ones agree, and may be several."""
    sleep = verb("sleep", 1)
    assert in_english(clause(HE, sleep, modal="kann", negated=True)) == ["he cannot sleep", "he can't sleep"]
    assert in_english(clause(HE, sleep, modal="will")) == ["he wants to sleep"]
    assert in_english(clause(HE, sleep, modal="will", negated=True))[0] == "he does not want to sleep"
    must = next(one for one in LEXICON.modals if "have to" in one.rest)
    asked = said_in_english(replace(clause(HE, sleep, modal="muss"), modal=must))
    assert [said.question for said in asked] == ["does he have to sleep", "does he need to sleep"]
    assert in_german(clause(DU, sleep, modal="könnte")) == ["du könntest schlafen", "du konntest schlafen"]


def test_reflexive_verbs() -> None:
    """The pronoun agrees with the subject and stands before all but that."""
    after = verb("look after")
    assert in_german(clause(ICH, after, HE, tense=Tense.PAST)) == [
        "ich kümmerte mich um ihn",
        "ich habe mich um ihn gekümmert",
    ]
    assert [said.inverted for said in said_in_german(clause(WE, after, HE))] == ["kümmern wir uns um ihn"]
    assert [said.zu_infinitive for said in said_in_german(clause(DU, after, HE))] == ["dich um ihn zu kümmern"]


def test_pronouns_before_a_noun() -> None:
    """Behind the verb sich and a dative may come before a noun that is the subject, not what may be read as that."""
    man, after = phrase(Determiner.THE, "man"), verb("look after")
    said = said_in_german(clause(man, after, HE))
    assert [one.inverted for one in said] == ["kümmert der Mann sich um ihn", "kümmert sich der Mann um ihn"]
    assert [one.subordinate for one in said][1] == "sich der Mann um ihn kümmert"
    assert {one.main for one in said} == {"der Mann kümmert sich um ihn"}
    assert {one.about_subject for one in said} == {"sich um ihn kümmert"}
    helped = said_in_german(clause(MARIA, verb("help"), HE, when="yesterday", position=Position.FRONT))
    assert [one.main for one in helped] == ["gestern hilft Maria ihm", "gestern hilft ihm Maria"]
    assert [one.inverted for one in said_in_german(clause(MARIA, verb("see"), SHE))] == ["sieht Maria sie"]


def test_prepositions_join_articles() -> None:
    """Im, not in dem; but in den."""
    sleep, garden = verb("sleep"), noun("garden")
    assert in_german(clause(MARIA, sleep, NounPhrase(garden, Determiner.THE))) == ["Maria schläft im Garten"]
    assert in_german(clause(MARIA, sleep, NounPhrase(garden, Determiner.THE, plural=True))) == [
        "Maria schläft in den Gärten"
    ]


def test_respelled() -> None:
    """American words with their article, and short forms; "have" has none where it is the verb itself."""
    assert respelled("This is a flat.") == ["This is a flat.", "This is an apartment."]
    assert respelled("She talks about a plane.")[1] == "She speaks about an airplane."
    assert respelled("I have read it.") == ["I have read it.", "I've read it."]
    assert respelled("I have breakfast.") == ["I have breakfast."]
    assert respelled("She is not old.") == ["She is not old.", "She's not old."]
    assert respelled("The man is not old.") == ["The man is not old.", "The man isn't old."]
    assert respelled("The policemen's dog sleeps.")[1] == "The police officers' dog sleeps."
    assert respelled("My neighbour's dog sleeps.")[1] == "My neighbor's dog sleeps."
    assert respelled("We will not sleep.") == ["We will not sleep."]
    assert respelled("He and I will sleep.") == ["He and I will sleep."]


def test_written() -> None:
    """Ways are capitalised, marked, all different and few enough."""
    sentence = written(["he sees a film", "he sees a film"], (f"er sieht Film {number}" for number in range(20)), "?")
    assert sentence.english == ("He sees a film?", "He sees a movie?")
    assert sentence.german[0] == "Er sieht Film 0?"
    assert len(sentence.german) == MAX_WAYS
