"""All forms of a verb come from those that a dictionary lists."""

from __future__ import annotations

import pytest

from service.pipeline.protection.conjugation import english_forms, german_forms


@pytest.mark.parametrize(
    ("listed", "forms"),
    [
        ("vaccinate", "vaccinate vaccinates vaccinated vaccinated vaccinating"),
        ("kiss", "kiss kisses kissed kissed kissing"),
        ("carry", "carry carries carried carried carrying"),
        ("obey", "obey obeys obeyed obeyed obeying"),
        ("hug", "hug hugs hugged hugged hugging"),
        ("fix", "fix fixes fixed fixed fixing"),
        ("peel", "peel peels peeled peeled peeling"),
        ("dye", "dye dyes dyed dyed dyeing"),
        ("free", "free frees freed freed freeing"),
        ("kneel, knelt, kneeling", "kneel kneels knelt knelt kneeling"),
        ("sew, sewed, sewn, sewing", "sew sews sewed sewn sewing"),
    ],
)
def test_english(listed: str, forms: str) -> None:
    """Regular ones from the base, others from their principal parts."""
    assert english_forms(listed.split(", ")) == tuple(forms.split())


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
        (
            "bestechen, besticht, bestach, bestochen",
            "bestechen besticht bestach bestochen besteche bestichst bestecht bestachen bestachst bestacht bestich",
        ),
        (
            "halten, hält, hielt, gehalten",
            "halten hält hielt gehalten halte hältst haltet hielten hieltest hieltet halt",
        ),
        ("laden, lädt, lud, geladen", "laden lädt lud geladen lade lädst ladet luden ludest ludet lad"),
        ("reißen, reißt, riss, gerissen", "reißen reißt riss gerissen reiße reißt reißt rissen rissest risset reiß"),
        (
            "binden, bindet, band, gebunden",
            "binden bindet band gebunden binde bindest bindet banden bandest bandet binde",
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
    assert german_forms(["impfen"])[11:] == (
        *("geimpft", "geimpfte", "geimpften", "geimpfter", "geimpftes", "geimpftem"),
        *("impfend", "impfende", "impfenden", "impfender", "impfendes", "impfendem"),
        *("Impfen", "Impfens"),
    )
