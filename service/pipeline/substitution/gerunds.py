"""English verbs in -ing that the network takes for nouns or loses are read in other forms.

*Learning German is hard* is read as *It is hard to learn German*, *he keeps asking me* as *he always asks me*, *there
is no point in waiting* as *it makes no sense to wait*.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.conjugation import BASE, PAST, THIRD_PERSON, base_of, english_forms
from service.pipeline.edits import Edit, with_capital
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from model.bundle import Dictionary

__all__ = ["find_gerunds"]

_ING = r"(?P<ing>[A-Za-z][a-z]+ing)\b"
_PROMISING = re.compile(r"ing\b")

_GO_ON = (
    "being|driving|fighting|going|growing|living|looking|moving|playing|raining|reading|rising|running|smiling|trying"
    "|using|waiting|walking|working|writing"
)
"""What one keeps doing without a break: not always, but on."""
_KEEP = re.compile(rf"(?<![\w-])(?P<keep>keep|keeps|kept) (?!(?:{_GO_ON})\b){_ING}")
_KEPT = {"keep": BASE, "keeps": THIRD_PERSON, "kept": PAST}
_NO_KEEP = re.compile(
    r"(?:^\W*|[,;:] |\b(?:to|will|would|please|must|should|can|could|may|might|just|and|or|not|was|were|is|are|be|been"
    r"|has|have|had|then|always|now|don't|didn't|doesn't|can't|couldn't|let's|\w+'(?:ll|d|ve)) )$",
    re.IGNORECASE,
)
"""Before one that is a command, or not said of somebody: keep stirring, to keep waiting."""
_LONGEST_BEFORE = 10
_IRREGULAR = (
    "beat:beat begin:began bite:bit blow:blew break:broke bring:brought build:built buy:bought catch:caught "
    "choose:chose come:came cut:cut do:did draw:drew drink:drank drive:drove eat:ate fall:fell feel:felt "
    "fight:fought find:found fly:flew forget:forgot get:got give:gave go:went grow:grew have:had hear:heard "
    "hide:hid hit:hit hold:held hurt:hurt keep:kept know:knew leave:left lend:lent let:let lose:lost make:made "
    "mean:meant meet:met pay:paid put:put read:read ride:rode ring:rang run:ran say:said see:saw sell:sold "
    "send:sent set:set shake:shook shoot:shot shut:shut sing:sang sit:sat sleep:slept speak:spoke spend:spent "
    "stand:stood steal:stole swim:swam take:took tell:told think:thought throw:threw wake:woke wear:wore win:won "
    "write:wrote"
)
"""Of irregular verbs that somebody may keep doing, or end up doing."""
_PASTS = dict(pair.split(":") for pair in _IRREGULAR.split())

_NO_USE = re.compile(
    r"(?<![\w-])(?:it|there)(?P<be>'s| is| was| would be) (?:no (?:use|point|sense)(?: in)?|pointless|useless) "
    rf"{_ING}(?: any(?= longer| more))?",
    re.IGNORECASE,
)
_MAKES = {"'s": "makes", " is": "makes", " was": "made", " would be": "would make"}
_ENDED_UP = re.compile(rf"^(?P<who>I|We|You|He|She|They) ended up {_ING}")

_NO_ATTRIBUTE = (
    "learning|finding|getting|making|buying|taking|having|doing|giving|keeping|paying|asking|wearing|eating|speaking"
    "|studying|losing|watching|telling|stealing|bribing|owning|raising|choosing|selling|saving|sending|leaving"
)
"""Before a noun, too, these are no adjectives: finding work, but not running water."""
_BEFORE_NOUN = (
    "the|an?|this|that|these|those|my|your|his|her|its|our|their|too|up|out|off|away|in|on|at|to|with|without|from|for"
    "|through|alone|together|less|as|so|early|late|abroad|well|someone|somebody|people|children|it|him|them|me|you"
    "|one|two|all|by|about|under|over|around|down|home|like|into|after|before|enough|much|many|more|no|any|some|[a-z]+ly"
)
_PRONOUN = r"(?P<who>I|you|he|she|it|we|they)"
_QUESTION = r"(?=[^.!?]{0,150}\?)"
_VERB = rf"(?:{_ING}(?= (?:{_BEFORE_NOUN})\b|[^\w\s-]|$)|(?P<verbal>{_NO_ATTRIBUTE}|cooking|playing)\b)"
"""No adjective: prefer running in the park, but not running shoes."""
_ASIDE = r"(?<![\w-])"
_READ_AS = tuple(
    (re.compile(f"{_ASIDE}{pattern}", re.IGNORECASE), read)
    for pattern, read in (
        (rf"(?:can't|cannot|can not) help {_ING}", "must {base}"),
        (rf"(?:couldn't|could not) help {_ING}", "had to {base}"),
        (rf"how about {_ING}(?= ){_QUESTION}", "shall we {base}"),
        (rf"(?:would|do) you mind not {_ING}{_QUESTION}", "could you please not {base}"),
        (rf"(?:would|do) you mind {_ING}{_QUESTION}", "could you please {base}"),
        (rf"{_PRONOUN} (?P<verb>suggest|suggested) {_ING}", "{who} {verb} that we {base}"),
        (rf"feel like {_VERB}", "want to {base}"),
        (rf"felt like {_VERB}", "wanted to {base}"),
        (rf"enjoy {_VERB}", "like to {base}"),
        (rf"enjoys {_VERB}", "likes to {base}"),
        (rf"{_PRONOUN} (?P<verb>(?:remember|regret|admit)s?|admitted) {_VERB}", "{who} {verb} that {again} {past}"),
        (rf"(?P<who>he|she|it) (?P<verb>insists|insisted) on {_VERB}", "{who} {verb} that {again} {third}"),
        (rf"(?P<who>I|you|we|they) (?P<verb>insist|insisted) on {_VERB}", "{who} {verb} that {again} {base}"),
        (rf"(?P<it>it(?:'s| is| was)(?: not| well)?|is it) worth {_ING}", "{it} worth it to {base}"),
        (rf"(?P<verb>saw|heard|noticed) (?P<who>someone|somebody|people) {_ING}", "{verb} how {who} {past}"),
    )
)

_PREDICATE = (
    "harder and harder|"
    "allowed|forbidden|permitted|prohibited|easy|hard|difficult|dangerous|important|possible|impossible|necessary"
    "|useful|useless|expensive|cheap|fun|good|bad|better|worse|healthy|unhealthy|boring|exciting|stressful|tiring"
    "|exhausting|illegal|legal|rude|polite|impolite|pointless|harder|easier|cheaper|faster|safer|healthier|essential"
    "|crucial|vital|great|nice|wonderful|lovely|risky|safe|normal|common|helpful|relaxing|annoying|tricky|mandatory"
    "|compulsory|required|recommended|challenging|rewarding|frustrating|embarrassing|unnecessary|simple|complicated"
    "|unusual|strange|wrong|smart|stupid|sensible|selfish|hard work"
    "|more (?:and more )?(?:difficult|expensive|important|popular|dangerous|common)"
    "|(?:an?|my|your|his|her|our) (?:[a-z]+ )?(?:crime|mistake|challenge|idea|waste of time|pleasure|risk|problem"
    "|nightmare|sin|joy|hobby|offence|offense|dream|adventure|job|duty|task)"
)
_ADVERBS = (
    "not|never|always|often|usually|also|only|very|really|so|too|quite|rather|pretty|extremely|a bit|much|more|strictly"
    "|absolutely|just|still|almost|generally|sometimes|now|actually|probably|certainly|particularly|no longer"
)
_SUBJECT = re.compile(
    rf"(?:^|(?<=\bthat )|(?<=\bbecause )|(?<=\bbut )|(?<=\bthink )|(?<=\bthinks )|(?<=\balthough )){_ING} "
    r"(?P<rest>(?P<first>[\w'-]+)(?: (?!is\b|are\b|was\b|were\b|who\b|which\b|has\b|have\b|had\b)[\w'-]+){0,8}?) (?:"
    r"(?P<be>is|is becoming|is getting|has become|was|isn't|wasn't|(?:can|could|may|might|will|would|must) be)"
    rf"(?P<adverbs>(?: (?:{_ADVERBS})){{0,2}}) (?P<predicate>{_PREDICATE})"
    r"(?P<whom>(?: for (?:me|us|you))?)(?P<where>(?: (?:in|here|on|at|during|these days|nowadays|today|anymore|any more"
    r"|this)\b(?: [\w'-]+){0,4})?)"
    r"|(?:takes|requires|needs) (?P<time>(?:a lot of |much |lots of |some |more |a bit of )?(?:time|patience|practice"
    r"|courage|discipline|effort|skill|experience|money|energy|strength|years|months)(?: and [a-z]+)?))"
    r"(?=\W*$|,| and | but )"
)
_IS_NO_ATTRIBUTE = re.compile(_NO_ATTRIBUTE, re.IGNORECASE)
_FIRST_OF_REST = re.compile(f"{_BEFORE_NOUN}|[A-Z][a-z]+")
"""Shows that what is before it is no adjective."""
_ALLOWED = re.compile(r"(?:isn't|is not) (?:allowed|permitted)")
"""The network writes *nicht* again after it."""


def find_gerunds(text: str, words: Dictionary) -> list[Edit]:
    """What to read for verbs in -ing, in order.

    Args:
        text: English, with straight apostrophes.
        words: of English.
    """
    if not _PROMISING.search(text):
        return []
    edits = [edit for step in _STEPS for edit in step(text, words)]
    return sorted(edits, key=lambda edit: edit.span.start)


def _kept(text: str, words: Dictionary) -> Iterator[Edit]:
    """He keeps asking: he always asks."""
    for found in _KEEP.finditer(text):
        base = base_of(found["ing"], words)
        if base and not _NO_KEEP.search(text, max(0, found.start() - _LONGEST_BEFORE), found.start()):
            yield Edit(Span(*found.span()), f"always {_form(base, _KEPT[found['keep']])}")


def _useless(text: str, words: Dictionary) -> Iterator[Edit]:
    """There is no point in waiting: it makes no sense to wait."""
    for found in _NO_USE.finditer(text):
        if base := base_of(found["ing"], words):
            read = f"it {_MAKES[found['be'].lower()]} no sense to {base}"
            yield _edit(found, read)


def _other(text: str, words: Dictionary) -> Iterator[Edit]:
    """She couldn't help laughing: she had to laugh. Would you mind waiting: could you please wait."""
    for pattern, read in _READ_AS:
        for found in pattern.finditer(text):
            if base := base_of(found["ing"] or found["verbal"], words):
                groups = found.groupdict()
                who = groups.get("who", "")
                forms = {"base": base, "past": _form(base, PAST), "third": _form(base, THIRD_PERSON)}
                yield _edit(found, read.format(**groups, **forms, again=who if who == "I" else who.lower()))


def _ended(text: str, words: Dictionary) -> Iterator[Edit]:
    """We ended up staying: in the end we stayed."""
    for found in _ENDED_UP.finditer(text):
        if base := base_of(found["ing"], words):
            who = found["who"] if found["who"] == "I" else found["who"].lower()
            yield _edit(found, f"in the end {who} {_form(base, PAST)}")


def _subjects(text: str, words: Dictionary) -> Iterator[Edit]:
    """Learning German is hard: it is hard to learn German; takes time: you need time to learn German."""
    for found in _SUBJECT.finditer(text):
        base, rest = base_of(found["ing"], words), found["rest"]
        is_verb = _IS_NO_ATTRIBUTE.fullmatch(found["ing"]) or _FIRST_OF_REST.fullmatch(found["first"])
        if not base or not is_verb:
            continue
        if found["time"]:
            yield _edit(found, f"you need {found['time']} to {base} {rest}")
        else:
            be = _ALLOWED.sub("is forbidden", f"{found['be']}{found['adverbs']} {found['predicate']}")
            yield _edit(found, f"it {be}{found['whom']} to {base} {rest}{found['where']}")


def _edit(found: re.Match[str], read: str) -> Edit:
    return Edit(Span(*found.span()), with_capital(read) if found[0][0].isupper() else read)


def _form(base: str, number: int) -> str:
    return _PASTS[base] if number == PAST and base in _PASTS else english_forms([base])[number]


_STEPS: tuple[Callable[[str, Dictionary], Iterator[Edit]], ...] = (
    _kept,
    _useless,
    _other,
    _ended,
    _subjects,
)
