"""All forms of a verb come from those that a dictionary lists."""

from __future__ import annotations

import pytest

from service.pipeline.conjugation import APART, english_forms, german_forms


@pytest.mark.parametrize(
    ("listed", "forms"),
    [
        ("vaccinate", "vaccinate vaccinates vaccinated vaccinated vaccinating"),
        ("kiss", "kiss kisses kissed kissed kissing"),
        ("carry", "carry carries carried carried carrying"),
        ("obey", "obey obeys obeyed obeyed obeying"),
        ("hug", "hug hugs hugged hugged hugging"),
        ("admit", "admit admits admitted admitted admitting"),
        ("offer", "offer offers offered offered offering"),
        ("limit", "limit limits limited limited limiting"),
        ("fix", "fix fixes fixed fixed fixing"),
        ("peel", "peel peels peeled peeled peeling"),
        ("dye", "dye dyes dyed dyed dyeing"),
        ("free", "free frees freed freed freeing"),
        ("veto", "veto vetoes vetoed vetoed vetoing"),
        ("tattoo", "tattoo tattoos tattooed tattooed tattooing"),
        ("have fun, had fun, having fun", "have-fun has-fun had-fun had-fun having-fun"),
        ("kneel, knelt, kneeling", "kneel kneels knelt knelt kneeling"),
        ("sew, sewed, sewn, sewing", "sew sews sewed sewn sewing"),
        ("tidy up", "tidy-up tidies-up tidied-up tidied-up tidying-up"),
        ("die out, died out, dying out", "die-out dies-out died-out died-out dying-out"),
    ],
)
def test_english(listed: str, forms: str) -> None:
    """Regular ones from the base, others from their principal parts; words that follow stay."""
    assert english_forms(listed.split(", ")) == tuple(form.replace("-", " ") for form in forms.split())


@pytest.mark.parametrize(
    ("listed", "forms"),
    [
        ("impfen", "impfen impft impfte geimpft impfe impfst impft impften impftest impftet impf"),
        ("niesen", "niesen niest nieste geniest niese niest niest niesten niestest niestet nies"),
        (
            "kichern",
            "kichern kichert kicherte gekichert kichere kicherst kichert kicherten kichertest kichertet kicher",
        ),
        ("betteln", "betteln bettelt bettelte gebettelt bettle bettelst bettelt bettelten betteltest betteltet bettel"),
        ("umarmen", "umarmen umarmt umarmte umarmt umarme umarmst umarmt umarmten umarmtest umarmtet umarm"),
        ("ernten", "ernten erntet erntete geerntet ernte erntest erntet ernteten erntetest erntetet ernte"),
        ("atmen", "atmen atmet atmete geatmet atme atmest atmet atmeten atmetest atmetet atme"),
        ("filmen", "filmen filmt filmte gefilmt filme filmst filmt filmten filmtest filmtet film"),
        (
            "beneiden",
            "beneiden beneidet beneidete beneidet beneide beneidest beneidet beneideten beneidetest beneidetet beneide",
        ),
        (
            "kopieren",
            "kopieren kopiert kopierte kopiert kopiere kopierst kopiert kopierten kopiertest kopiertet kopier",
        ),
        ("bellen", "bellen bellt bellte gebellt belle bellst bellt bellten belltest belltet bell"),
        ("spielen", "spielen spielt spielte gespielt spiele spielst spielt spielten spieltest spieltet spiel"),
        (
            "bestechen, besticht, bestach, bestochen",
            "bestechen besticht bestach bestochen besteche bestichst bestecht bestachen bestachst bestacht bestich",
        ),
        (
            "halten, hält, hielt, gehalten",
            "halten hält hielt gehalten halte hältst haltet hielten hieltest hieltet halt",
        ),
        (
            "flechten, flicht, flocht, geflochten",
            "flechten flicht flocht geflochten flechte flichtst flechtet flochten flochtest flochtet flicht",
        ),
        (
            "werden, wird, wurde, geworden",
            "werden wird wurde geworden werde wirst werdet wurden wurdest wurdet werd",
        ),
        ("laden, lädt, lud, geladen", "laden lädt lud geladen lade lädst ladet luden ludest ludet lad"),
        ("reißen, reißt, riss, gerissen", "reißen reißt riss gerissen reiße reißt reißt rissen rissest risset reiß"),
        (
            "binden, bindet, band, gebunden",
            "binden bindet band gebunden binde bindest bindet banden bandest bandet binde",
        ),
        (
            "rechnen",
            "rechnen rechnet rechnete gerechnet rechne rechnest rechnet rechneten rechnetest rechnetet rechne",
        ),
        (
            "rennen, rennt, rannte, gerannt",
            "rennen rennt rannte gerannt renne rennst rennt rannten ranntest ranntet renn",
        ),
    ],
)
def test_german_persons(listed: str, forms: str) -> None:
    """Principal parts, other persons and the imperative, of weak and strong verbs."""
    assert german_forms(listed.split(", "))[:11] == tuple(forms.split())


def test_german_adjectives_and_noun() -> None:
    """Both participles with their endings, and the infinitive as a noun."""
    assert german_forms(["impfen"])[12:26] == (
        *("geimpft", "geimpfte", "geimpften", "geimpfter", "geimpftes", "geimpftem"),
        *("impfend", "impfende", "impfenden", "impfender", "impfendes", "impfendem"),
        *("Impfen", "Impfens"),
    )


@pytest.mark.parametrize(
    ("listed", "main", "dependent"),
    [
        (
            "auf|hören",
            "aufhören hört hörte aufgehört höre hörst hört hörten hörtest hörtet hör hören",
            "aufhört aufhörte aufhöre aufhörst aufhört aufhörten aufhörtest aufhörtet aufhör aufhören aufzuhören",
        ),
        (
            "an|schreien, schreit, schrie, geschrien",
            "anschreien schreit schrie angeschrien schreie schreist schreit schrien schriest schriet schrei schreien",
            (
                "anschreit anschrie anschreie anschreist anschreit anschrien anschriest anschriet anschrei anschreien"
                " anzuschreien"
            ),
        ),
        (
            "in Brand |setzen",
            "in_Brand_setzen setzt setzte in_Brand_gesetzt setze setzt setzt setzten setztest setztet setz setzen",
            (
                "in_Brand_setzt in_Brand_setzte in_Brand_setze in_Brand_setzt in_Brand_setzt in_Brand_setzten"
                " in_Brand_setztest in_Brand_setztet in_Brand_setz in_Brand_setzen in_Brand_zu_setzen"
            ),
        ),
    ],
)
def test_prefix_that_stands_apart(listed: str, main: str, dependent: str) -> None:
    """It follows in main clauses, and is before the verb elsewhere; *zu* and *ge* are between them. It may be words."""
    forms = german_forms(listed.split(", "))
    prefix = APART + listed.partition("|")[0].strip()
    assert [form.removesuffix(prefix).replace(" ", "_") for form in forms[:12]] == main.split()
    assert [form.endswith(prefix) for form in forms[:12]] == [number not in {0, 3} for number in range(12)]
    assert [form.replace(" ", "_") for form in forms[26:]] == dependent.split()
    assert len(forms) == len(german_forms(["impfen"]))


def test_unstressed_endings() -> None:
    """The e of erobern is none of its stem, which begins with a prefix; that of bescheren is."""
    assert [german_forms([verb])[3] for verb in ("erobern", "bescheren", "entern")] == [
        "erobert",
        "beschert",
        "geentert",
    ]
