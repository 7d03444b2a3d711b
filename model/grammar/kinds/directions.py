"""What a traveller asks: where the nearest pharmacy is, how to get there, when it opens, what time it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from model.grammar.categories import Case, Kind
from model.grammar.determiners import Determiner
from model.grammar.german_clauses import contracted
from model.grammar.kinds.indirect_questions import opened
from model.grammar.lexicon import Adjective
from model.grammar.noun_phrases import NounPhrase
from model.grammar.phrases import draw_noun_phrase
from model.grammar.writing import written

if TYPE_CHECKING:
    from model.grammar.drawing import Draw
    from model.grammar.writing import Sentence

__all__ = ["on_the_way", "where_is"]

_NEAREST = Adjective("nearest", "", "", "nächst", "", "", frozenset(), frozenset())
_SOUGHT = frozenset(
    [
        *("pharmacy", "bus stop", "supermarket", "station", "bank", "hospital", "toilet", "petrol station"),
        *("cash machine", "post office", "bakery", "hotel", "airport", "museum", "exit", "entrance", "beach"),
        *("library", "key", "wallet"),
    ]
)
_MINE = frozenset({"key", "wallet"})
_ONLY_ONE = frozenset({"exit", "entrance", "beach", "library", "museum"})
_REACHED = frozenset({"station", "airport", "museum", "hotel", "hospital", "beach", "supermarket", "castle", "library"})
_OPENED = frozenset({"museum", "shop", "bank", "pharmacy", "supermarket", "library", "restaurant", "bakery", "zoo"})
_FOR_ME = frozenset({"do you know", "can you tell me", "could you tell me", "I don't know", "please tell me"})
_LEAVING = frozenset({"train", "bus", "ship", "tram"})


def where_is(draw: Draw) -> Sentence:
    """Do you know where the nearest pharmacy is? Where is it?"""
    noun = draw.one_of([one for one in draw.lexicon.nouns if one.english in _SOUGHT])
    determiner = (
        draw.one_of((Determiner.MY, Determiner.HIS, Determiner.OUR)) if noun.english in _MINE else Determiner.THE
    )
    nearest = noun.english not in _MINE | _ONLY_ONE and draw.chance(0.6)
    what = NounPhrase(noun, determiner, adjective=_NEAREST if nearest else None)
    if draw.chance(0.3):
        return written([f"where is {what.english()}"], [f"wo ist {what.german()}"], "?")
    return opened(draw, [f"where {what.english()} is"], [f"wo {what.german()} ist"])


def on_the_way(draw: Draw) -> Sentence:
    """Can you tell me when the train leaves, how far it is to the station, what time it is?"""
    how = draw.one_of(("leaves", "opens", "opens", "far", "get to", "time", "costs", "costs"))
    if how == "time":
        return opened(draw, ["what time it is"], ["wie spät es ist", "wie viel Uhr es ist"])
    if how in {"far", "get to"}:
        noun = draw.one_of([one for one in draw.lexicon.nouns if one.english in _REACHED])
        place = NounPhrase(noun, Determiner.THE)
        there = contracted(f"zu {place.german(Case.DATIVE)}")
        if how == "far":
            return opened(
                draw,
                [f"how far away {place.english()} is"],
                [f"wie weit {place.german()} entfernt ist", f"wie weit es bis {there} ist"],
            )
        german = [f"wie ich {there} komme", f"wie man {there} kommt"]
        return opened(draw, [f"how to get to {place.english()}"], german, among=_FOR_ME)
    if how == "leaves":
        noun = draw.one_of([one for one in draw.lexicon.nouns if one.english in _LEAVING])
        subject = NounPhrase(noun, draw.one_of((Determiner.THE, Determiner.OUR)))
        return opened(
            draw,
            [f"when {subject.english()} leaves"],
            [f"wann {subject.german()} {way}" for way in ("abfährt", "fährt")],
        )
    if how == "opens":
        noun = draw.one_of([one for one in draw.lexicon.nouns if one.english in _OPENED])
        opens, ways = draw.one_of((("opens", ("öffnet", "aufmacht")), ("closes", ("schließt", "zumacht"))))
        subject = NounPhrase(noun, Determiner.THE)
        return opened(draw, [f"when {subject.english()} {opens}"], [f"wann {subject.german()} {way}" for way in ways])
    thing = draw_noun_phrase(
        draw, {Kind.GARMENT, Kind.VEHICLE, Kind.DEVICE}, determiners=(Determiner.THE, Determiner.THIS)
    )
    costs, kostet = ("cost", "kosten") if thing.plural else ("costs", "kostet")
    return opened(
        draw,
        [f"how much {thing.english()} {costs}"],
        [f"wie viel {thing.german()} {kostet}", f"was {thing.german()} {kostet}"],
    )
