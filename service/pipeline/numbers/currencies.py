"""Does each amount of a sentence have its currency sign in the translation, once? A lost one is put back."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import islice, pairwise, zip_longest
from typing import TYPE_CHECKING, NamedTuple

from service.pipeline.edits import Edit, blank
from service.pipeline.numbers.amounts import ANY_CURRENCY, CURRENCY_SIGNS, is_amount, is_price
from service.pipeline.numbers.times_of_day import ends_range
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from service.pipeline.numbers.numerals import Both, Number

__all__ = ["check_signs"]

_SIGN = re.compile(f"[{CURRENCY_SIGNS}]")
_BEFORE = re.compile(rf"(?<!\d)(?:([{CURRENCY_SIGNS}])[-−–]?|(?<!\d\s)([{CURRENCY_SIGNS}])\s)$")
"""€ of €5, € 5, €-5."""
_AFTER = re.compile(rf"\s?[A-Z]{{0,2}}([{CURRENCY_SIGNS}])(?!\d)")
"""$ of 5$, 5 US$."""
_KEPT, _KEPT_BEHIND = re.compile(rf"{ANY_CURRENCY}\s*$"), re.compile(rf"\s?{ANY_CURRENCY}(?!\s*\d)")
"""A sign before a number, and behind one, that comes through as it is."""
_SCALE_WORD = re.compile(r"\s?(?:(?:Tsd|Mio|Mrd)\b\.?|[^\W\d_]+)")
"""Mio., million."""
_TO = re.compile(r"\s?(?:[-–—/]|\b(?:to|bis)\b)\s?")
"""Between two amounts of which one may have the sign of both: 5-10 $."""
_BETWEEN, _AND = re.compile(r"\b[Bb]etween\s$"), re.compile(r"\sand\s")
"""Before and between two amounts of which each has the sign: between $5 and $10."""
_BETWEEN_AMOUNTS = re.compile(r"[\s,/–—-]*(?:(?:and|or|to|und|oder|bis|zu|auf|sowie|bzw\.)\s)*(?:[^\W\d_]+\s)?")
"""What is between amounts that share a name, with one word that may be a preposition."""
_TIMES = re.compile(r"\s?x\s?")
_NAME_ENDS = 25
"""Characters behind an amount within which a name is its own: 5 kanadische Dollar."""
_JOINED = re.compile(r"[-\w]")
"""What leaves a sign no place: 5-fach."""
_LONGEST_BEFORE = 4

_ARGUMENT = re.compile(r"\$[1-9](?!\d|[.,/–-]\$?\d|\s(?:je|pro)\b)")
"""What stands for something in a program's messages: $1."""

_NAMES = {
    sign: re.compile(names, re.IGNORECASE)
    for sign, names in {
        "$": r"dollar|\busd\b|\bbucks?\b|\bpesos?\b|\breais\b",
        "¢": r"\bcents?\b|centavo",
        "€": r"\beuros?\b|\beur\b",
        "£": r"\bpounds?\b|pfund|\bgbp\b|sterling|\blir[ae]\b",
        "¥": r"\byen\b|yuan|renminbi|\bjpy\b|\bcny\b|\brmb\b",
        "₹": r"rupees?|rupien?|\binr\b",
        "₡": r"\bcol[oó]n",
        "₣": r"\bfrancs?\b|franken\b",
        "₤": r"\bpounds?\b|pfund|\blir[ae]\b",
        "₦": r"\bnairas?\b",
        "₧": r"peset[ae]",
        "₨": r"rupees?|rupien?",
        "₩": r"\bwon\b|\bkrw\b",
        "₪": r"\bsc?hekel|\bnis\b|\bils\b",
        "₫": r"\bdong\b|\bvnd\b",
        "₭": r"\bkip\b",
        "₮": r"\btugrik|\btögrög",
        "₱": r"\bpesos?\b",
        "₲": r"\bguaran[ií]",
        "₴": r"\bhryvnia|\bhrywnja|\bgriwna|\buah\b",
        "₵": r"\bcedis?\b",
        "₸": r"\btenge\b",
        "₺": r"\blir[ae]\b",
        "₼": r"\bmanats?\b",
        "₽": r"\brou?bles?\b|\brubeln?\b|\brub\b",
        "₾": r"\blari\b",
        "₿": r"bitcoin|\bbtc\b",
    }.items()
}
"""What may stand for a sign."""
_OTHERS = r"\bmark\b|\bkronen?\b|\b[zs]loty|\bzłoty|\bforint|\brand\b|\bbaht\b|\brial|\bdirham|\bdinar"
"""What else money may be called."""
_ANY_NAME = re.compile("|".join([*(names.pattern for names in _NAMES.values()), _OTHERS]), re.IGNORECASE)
_NEXT_WORD = re.compile(r"\s([^\W\d_][\w-]*)")
"""Dollar of 5 Dollar."""
_SPACED = re.compile(r"(?!0)(\d{1,3}(?:[ \u00a0\u202f]\d{3})++)(?:[.,](\d{1,2}))?+")
"""700 000, 700 000,50: a number whose thousands are set apart by spaces."""


class _Amount(NamedTuple):
    """A number with the places of the currency signs beside it, and its value."""

    number: Number
    value: tuple[str, ...]
    before: Span | None
    after: Span | None
    end: int

    def has(self, sign: str, text: str) -> bool:
        """Whether a sign is beside it; if signs are on both sides, whether both are this one."""
        return {text[span.start : span.end] for span in (self.before, self.after) if span} == {sign}


@dataclass(frozen=True, slots=True)
class _Amounts:
    """A sentence and its translation, and what stands beside each number of both: `ours` and `theirs`."""

    source: str
    target: str
    ours: list[_Amount]
    theirs: list[_Amount]
    language: str

    @classmethod
    def of(cls, both: Both, righted: Sequence[tuple[Number, Number]]) -> _Amounts:
        """Those of both texts; a wrong number counts as the right one that will be written for it."""
        values = {wrong.span: right.meant for right, wrong in righted}
        ours = [_amount(both.source, one, one.meant) for one in _joined(both.source, both.ours)]
        theirs = [
            _amount(both.target, one, values.get(one.span, one.meant)) for one in _joined(both.target, both.theirs)
        ]
        return cls(both.source, both.target, ours, theirs, both.direction.target)

    def without(self, signs: Sequence[Span]) -> _Amounts:
        """The same without some signs of the translation."""
        target = blank(self.target, signs)
        return replace(self, target=target, theirs=[_amount(target, one.number, one.value) for one in self.theirs])


def check_signs(both: Both, righted: Sequence[tuple[Number, Number]]) -> tuple[list[Edit], bool]:
    """Compare the currency signs beside the numbers of a sentence and its translation.

    Args:
        both: of these.
        righted: for each wrong number of the translation the right one that will be written for it, before it.

    Returns:
        What to change in the translation, and whether no sign is missing after that.
    """
    signs = sorted({*_SIGN.findall(both.source)})
    if not signs:
        return [], True
    amounts = _Amounts.of(both, righted)
    edits: list[Edit] = []
    is_complete = True
    for sign in signs:
        wanted = _with_sign(amounts.ours, sign, amounts.source)
        gone = _superfluous_signs(amounts, sign, wanted)
        amounts = amounts.without(gone)
        added, has_all = _lost_signs(amounts, sign, wanted)
        edits += [*(Edit(span, "") for span in gone), *added]
        is_complete = is_complete and has_all
    placed = _before_numbers(amounts) if amounts.language == "en" else _behind_numbers(amounts)
    taken = [edit.span for edit in edits]
    return [*edits, *(edit for edit in placed if edit.span not in taken)], is_complete


def _lost_signs(amounts: _Amounts, sign: str, wanted: Sequence[_Amount]) -> tuple[list[Edit], bool]:
    """Put a sign back where it was lost; and whether it is missing nowhere after that."""
    lost = len(wanted) - amounts.target.count(sign)
    if lost <= 0:
        return [], True
    lost -= sum(_shares(amounts, place, sign) for place in range(len(amounts.theirs)))
    named = _names(sign, amounts.target)
    of_amounts = named - _names(sign, amounts.source)
    places = [] if named and of_amounts <= 0 else [*_without_sign(amounts, wanted, sign)]
    if of_amounts > 0:
        places = [one for one in places if not _shares_name(amounts, one)][: max(0, lost - of_amounts)]
        lost = len(places)  # one name may be of several amounts
    outer = [_outer_end(amounts, one, places) for one in places]
    with_room = [one for one in outer if not _is_joined(amounts, one)][: max(0, lost)]
    return [_sign_added(one, sign, amounts.language) for one in dict.fromkeys(with_room)], lost <= len(with_room)


def _before_numbers(amounts: _Amounts) -> Iterator[Edit]:
    """English has the sign right before the number, and before the first one of a range: 5 € and € 5 are €5."""
    target, theirs = amounts.target, amounts.theirs
    for before, one in zip((None, *theirs), theirs, strict=False):  # of the first, none is before
        if one.before and target[one.before.end : one.number.span.start] == " " and target[one.before.start] != " ":
            yield Edit(Span(one.before.end, one.number.span.start), "")
        elif one.after and not one.before and len(sign := target[one.end : one.after.end].strip()) == 1 and sign != "¢":
            is_end = before and not before.after and _TO.fullmatch(target, before.end, one.number.span.start)
            firsts = [before if before and is_end else one]
            if before and _are_between(target, before, one):
                firsts.append(before)
            places = [first.number.span.start for first in firsts if not first.before]
            yield from (Edit(Span(place, place), sign) for place in places)
            yield Edit(Span(one.end, one.after.end), "")


def _are_between(target: str, first: _Amount, last: _Amount) -> bool:
    """Whether two amounts are those of *between … and*, and the first has no sign."""
    is_and = not first.before and not first.after and _AND.fullmatch(target, first.end, last.number.span.start)
    return bool(is_and and _BETWEEN.search(target, 0, first.number.span.start))


def _behind_numbers(amounts: _Amounts) -> Iterator[Edit]:
    """German has the sign behind the number, and behind the last one of a range: $50 is 50 $, unless it is a word."""
    target = amounts.target
    for one, following in zip_longest(amounts.theirs, amounts.theirs[1:]):
        before, start = one.before, one.number.span.start
        if not before or one.after or target[: before.start][-1:].isalpha() or _ARGUMENT.match(target, before.start):
            continue
        ends = following and _TO.fullmatch(target, one.end, (following.before or following.number.span).start)
        last, sign = following if ends else one, target[before.start]
        is_named = bool(_names(sign, _next_word(target, last)))
        if not ends and (is_named or _JOINED.match(target, one.end)):
            continue
        yield Edit(Span(before.start, start), target[before.end : start].strip())
        if not (is_named or last.after or (ends and last.before)):
            yield Edit(Span(last.end, last.end), f" {sign}")


def _joined(text: str, numbers: Sequence[Number]) -> list[Number]:
    """The same numbers, but those that make one with thousands set apart by spaces, 700 000, as one."""
    joined: list[Number] = []
    for number in numbers:
        spaced = _SPACED.fullmatch(text, joined[-1].span.start, number.span.end) if joined else None
        if spaced and not number.noughts:
            whole, fraction = "".join(filter(str.isdigit, spaced[1])), (spaced[2] or "").rstrip("0")
            value = f"{whole}.{fraction}" if fraction else whole
            joined[-1] = number._replace(span=Span(*spaced.span()), text=spaced[0], meant=(value,))
        else:
            joined.append(number)
    return joined


def _with_sign(amounts: Sequence[_Amount], sign: str, text: str) -> list[_Amount]:
    """Those that have a sign beside them, but for "$500 pesos", which may become "500 Peso"."""
    return [one for one in amounts if one.has(sign, text) and not _names(sign, _next_word(text, one))]


def _next_word(text: str, amount: _Amount) -> str:
    found = _NEXT_WORD.match(text, amount.after.end if amount.after else amount.end)
    return found[1] if found else ""


def _amount(text: str, number: Number, value: tuple[str, ...]) -> _Amount:
    """What stands beside a number; the sign after "5 million" is after the word."""
    end = number.span.end
    if number.noughts and (word := _SCALE_WORD.match(text, end)):
        end = word.end()
    start = max(0, number.span.start - _LONGEST_BEFORE)
    before = _BEFORE.search(text[start : number.span.start])
    after = _AFTER.match(text, end)
    place = start + before.start(before.lastindex or 0) if before else 0
    return _Amount(
        number, value, Span(place, place + 1) if before else None, Span(*after.span(1)) if after else None, end
    )


def _names(sign: str, text: str) -> int:
    names = _NAMES.get(sign)
    return len(names.findall(text)) if names else 0


def _superfluous_signs(amounts: _Amounts, sign: str, wanted: Sequence[_Amount]) -> list[Span]:
    """Where the sign stands twice, or beside the wrong amount, and is one too many or has been lost elsewhere."""
    needing = {one.value for one in wanted}
    bare = sum(one.value in needing and not (one.before or one.after) for one in amounts.theirs)
    surplus = max(0, amounts.target.count(sign) - amounts.source.count(sign))
    doubled = [one for one in amounts.theirs if one.before and one.after and one.has(sign, amounts.target)]
    return [
        *(_superfluous(amounts, one) for one in doubled[: max(bare, surplus)]),
        *_beside_names(amounts, sign),
        *_around_ranges(amounts, sign),
        *islice(_beside_plain(amounts, sign), surplus),
        *islice(_beside_kept(amounts, sign), surplus),
        *(_astray(amounts, sign) if bare else ()),
    ]


def _beside_names(amounts: _Amounts, sign: str) -> Iterator[Span]:
    """Where the sign stands before an amount that its name follows in German: "$13 Dollar", of "$13"."""
    if amounts.language == "de" and not _names(sign, amounts.source):
        for one in amounts.theirs:
            if one.before and one.has(sign, amounts.target) and _names(sign, _next_word(amounts.target, one)):
                yield Span(one.before.start, one.number.span.start)


def _around_ranges(amounts: _Amounts, sign: str) -> Iterator[Span]:
    """Where a range has the sign at both of its ends, "$20-25 $", that at the one where the language has none."""
    target = amounts.target
    for first, last in pairwise(amounts.theirs):
        if not first.before or first.after or last.before or not last.after:
            continue
        have_it = first.has(sign, target) and last.has(sign, target)
        if have_it and _TO.fullmatch(target, first.end, last.number.span.start):
            yield _superfluous(amounts, first if amounts.language == "de" else last)


def _beside_kept(amounts: _Amounts, sign: str) -> Iterator[Span]:
    """Where the sign stands beside an amount that has one which is kept: "£12,50 $", or "$6 €", beside "$50"."""
    target = amounts.target
    for one in amounts.theirs:
        if not one.has(sign, target) or (one.before and one.after):
            continue
        if one.after and _KEPT.search(target[: one.number.span.start]):
            yield Span(one.end, one.after.end)
        elif one.before and _KEPT_BEHIND.match(target, one.end):
            yield Span(one.before.start, one.number.span.start)


def _beside_plain(amounts: _Amounts, sign: str) -> Iterator[Span]:
    """Where the sign stands before a number that is no price, nor of a list or range of prices: "€3 x €49.90"."""
    source = amounts.source
    prices: set[tuple[str, ...]] = set()
    plain: set[tuple[str, ...]] = set()
    for one, after in zip_longest(amounts.ours, amounts.ours[1:]):
        between = source[one.end : after.number.span.start] if after else "."
        is_listed = _BETWEEN_AMOUNTS.fullmatch(between) and not _TIMES.fullmatch(between)
        is_plain = not (is_listed or one.before or one.after or is_price(source, one.number.span))
        (plain if is_plain else prices).add(one.value)
    for one in amounts.theirs:
        if one.before and not one.after and one.has(sign, amounts.target) and one.value in plain - prices:
            yield Span(one.before.start, one.number.span.start)


def _superfluous(amounts: _Amounts, amount: _Amount) -> Span:
    """Where to cut away one of two signs: German keeps that after the number, English, and US$, that before."""
    before = amount.before
    if before and amounts.language == "de" and not amounts.target[: before.start][-1:].isalpha():
        return Span(before.start, amount.number.span.start)
    return Span(amount.end, amount.after.end if amount.after else amount.end)


def _astray(amounts: _Amounts, sign: str) -> Iterator[Span]:
    """Where the sign stands beside an amount that has another one in the sentence, with the space between."""
    others = {one.value for one in amounts.ours if is_price(amounts.source, one.number.span)}
    others -= {one.value for one in amounts.ours if one.has(sign, amounts.source)}
    for one in amounts.theirs:
        if one.value in others and one.has(sign, amounts.target):
            if one.before and not one.after:
                yield Span(one.before.start, one.number.span.start)
            elif one.after and not one.before:
                yield Span(one.end, one.after.end)


def _without_sign(amounts: _Amounts, wanted: Sequence[_Amount], sign: str) -> Iterator[_Amount]:
    """The amounts of the translation that have lost it; not where other numbers of that value may be meant."""
    has = Counter(one.value for one in amounts.theirs if one.has(sign, amounts.target))
    plain = [
        one
        for place, one in enumerate(amounts.theirs)
        if not (one.number.clock or _shares(amounts, place, sign))
        and not is_amount(amounts.target, Span(one.number.span.start, one.end))
    ]
    for value, count in Counter(one.value for one in wanted).items():
        candidates = [one for one in plain if one.value == value]
        if len(candidates) <= count - has[value]:
            yield from candidates


def _shares(amounts: _Amounts, place: int, sign: str) -> bool:
    """Whether an amount of the translation is of a range, "5 to 10 $", of which the other end has the sign."""
    target, theirs = amounts.target, amounts.theirs
    one = theirs[place]
    if one.before or one.after:
        return False
    ahead = theirs[place + 1] if place + 1 < len(theirs) else None
    behind = theirs[place - 1] if place else None
    return bool(
        (ahead and ahead.has(sign, target) and ends_range(target, ahead.number.span.start))
        or (behind and behind.has(sign, target) and ends_range(target, one.number.span.start))
    )


def _shares_name(amounts: _Amounts, amount: _Amount) -> bool:
    """Whether the name of an amount may be behind the next one, "10 und 20 Dollar", or is behind itself."""
    target = amounts.target
    rest = next((one.number.span.start for one in amounts.theirs if one.end > amount.end), len(target))
    between = target[amount.end : rest]
    if _ANY_NAME.search(between[:_NAME_ENDS]):
        return True
    return rest < len(target) and _BETWEEN_AMOUNTS.fullmatch(between) is not None


def _outer_end(amounts: _Amounts, amount: _Amount, places: Sequence[_Amount]) -> _Amount:
    """Beside which amount its sign goes: of "10–15", where one has it for both, the last in German, else the first."""
    target, theirs = amounts.target, amounts.theirs
    place = theirs.index(amount) + (1 if amounts.language == "de" else -1)
    if not 0 <= place < len(theirs):
        return amount
    other = theirs[place]
    first, last = sorted((amount, other), key=lambda one: one.end)
    if not _TO.fullmatch(target, first.end, last.number.span.start):
        return amount
    if other.before or other.after or is_amount(target, Span(other.number.span.start, other.end)):
        return amount
    return amount if other in places and not _is_joined(amounts, amount) else other


def _is_joined(amounts: _Amounts, amount: _Amount) -> bool:
    """Whether a German sign has no place there: a word or a hyphen follows without a space, or a name of money does."""
    if amounts.language != "de":
        return False
    word = _next_word(amounts.target, amount)
    return bool(_JOINED.match(amounts.target, amount.end) or (word[:1].isupper() and _ANY_NAME.search(word)))


def _sign_added(amount: _Amount, sign: str, language: str) -> Edit:
    if language == "de":
        return Edit(Span(amount.end, amount.end), f" {sign}")
    return Edit(Span(amount.number.span.start, amount.number.span.start), sign)
