"""What words are sorted by, and what they are inflected for."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["AdverbTrait", "Case", "Gender", "Kind", "Person", "Position", "Tense", "VerbTrait"]


class Case(StrEnum):
    """Of a German noun phrase. English only tells the nominative of pronouns from all others."""

    NOMINATIVE = "nominative"
    ACCUSATIVE = "accusative"
    DATIVE = "dative"
    GENITIVE = "genitive"


class Gender(StrEnum):
    """What German articles and adjectives agree with: a plural has no gender, but endings of its own."""

    MASCULINE = "m"
    FEMININE = "f"
    NEUTER = "n"
    PLURAL = "p"


class Person(StrEnum):
    """What verbs agree with. The polite "Sie" is a THEY."""

    I = "I"  # noqa: E741 - the pronoun
    YOU = "you"
    IT = "it"
    WE = "we"
    THEY = "they"

    @property
    def plural(self) -> bool:
        """Whether it is more than one."""
        return self in {Person.WE, Person.THEY}


class Tense(StrEnum):
    """When a clause happens, or that a modal verb says so."""

    PRESENT = "present"
    PAST = "past"
    MODAL = "modal"


class Position(StrEnum):
    """Where English has an adverb: "Today I often sleep here" has front, middle and end."""

    FRONT = "front"
    MIDDLE = "middle"
    END = "end"


class Kind(StrEnum):
    """What a noun is the name of: on that depends which verbs and adjectives go with it."""

    PERSON = "person"
    PROFESSION = "profession"  # a person by what they do
    RELATIVE = "relative"  # somebody's: my uncle
    SOLE_RELATIVE = "sole_relative"  # of which nobody has two: my mother
    ANIMAL = "animal"
    VEHICLE = "vehicle"
    DEVICE = "device"
    ELECTRIC = "electric"  # what is turned on and off
    THING = "thing"
    LOAD = "load"  # what is carried, not worn
    TEXT = "text"
    STORY = "story"  # what is told
    GARMENT = "garment"
    FOOD = "food"
    BUILDING = "building"
    PLACE = "place"  # where one can be
    SIGHT = "sight"  # what one goes to see
    DOOR = "door"  # what is opened
    MATTER = "matter"  # what is thought of
    WORK = "work"  # of art
    SHOW = "show"  # what is watched
    SONG = "song"
    EXTENDED = "extended"  # what is long or short


class VerbTrait(StrEnum):
    """What a verb does not do, or does unlike others."""

    LASTING = "lasting"  # for two years
    FINISHED = "finished"  # by Friday; bis Freitag is until Friday with others
    POSTURE = "posture"  # rather "is sitting" than "sits"
    RESTING = "resting"  # not suddenly, nor here or there
    INVOLUNTARY = "involuntary"  # nobody is told to
    UNPLEASANT = "unpleasant"  # nobody likes it
    ONCE = "once"  # nobody used to
    NO_PASSIVE = "no_passive"
    PLACELESS = "placeless"  # nobody asks where


class AdverbTrait(StrEnum):
    """What an adverb goes with, or does unlike others."""

    NEGATED = "negated"  # goes with "not"
    TIMED = "timed"  # goes with "at six o'clock"
    MAYBE_PROGRESSIVE = "maybe_progressive"  # "only sleeps" and "is only sleeping"
    MAYBE_PERFECT = "maybe_perfect"  # "only slept" and "has only slept"
    DENYING = "denying"  # does not go with "nobody", "no"
    AFFIRMING = "affirming"  # does not go with a subject "nobody", "no"
    PLACE = "place"
    SUDDEN = "sudden"  # does not go with verbs of resting
    PLURAL = "plural"  # only what several do
    ENDING = "ending"  # "no longer", German "nicht mehr" or "kein … mehr"
    NO_COMMA = "no_comma"  # none after it at the beginning
    DYNAMIC = "dynamic"  # only goes with verbs that have a progressive
