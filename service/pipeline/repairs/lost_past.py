"""Does a German translation of what is over speak of now: niemand lebt in Prag, for "nobody lived in Prague"?

The tense is an ending, and a network that writes all words at once wavers between them. Another candidate often has it.
"""

from __future__ import annotations

import re
from functools import lru_cache

from service.pipeline.edits import with_small_letter
from service.pipeline.repairs.lost_verbs import PARTICIPLE

__all__ = ["loses_past"]

_PAST = (
    "was|were|did|had|ate|became|began|bit|bought|broke|brought|built|came|caught|chose|drank|drew|drove|fell|felt|flew"
    "|forgot|fought|found|gave|grew|heard|held|hid|kept|knew|laid|lay|led|lent|lost|made|met|paid|ran|rang|rode|rose|said"
    "|sang|sat|saw|sold|sent|shook|shot|slept|spent|spoke|stole|stood|swam|swore|taught|thought|threw|told|took"
    "|understood|went|woke|won|wore|wrote"
)
_NO_SUBJECT = (
    "am|is|are|was|were|be|been|being|have|has|had|having|get|gets|got|to|the|an?|my|your|his|her|its|our|their|this|that"
    "|these|those|some|any|no|all|every|of|in|on|at|by|for|with|from|as|than|more|most|very|so|too|quite|and|or|not"
)
_NO_VERB = (
    "embed|feed|indeed|need|shed|speed|weed|allowed|based|bored|born|called|committed|composed|concerned|connected"
    "|disappointed|dressed|excited|finished|interested|involved|located|married|mentioned|named|needed|pleased|prepared"
    "|related|required|satisfied|supposed|surprised|tired|used|worried"
)
_USED = (
    r"(?<!['’]s )(?<!['’]m )(?<!['’]re )(?<!\bis )(?<!\bam )(?<!\bare )(?<!\bbe )(?<!\bget )(?<!\bnot )(?<!\bgetting )"
    r"used to (?=[a-z])"
)
"""She used to work here, but not "she is used to it"."""
_IN_THE_PAST = re.compile(
    rf"\b(?i:{_PAST})\b|(?:\b(?i:I|you|he|she|it|we|they|there)|[a-z]) {_USED}"
    rf"|(?<![\w'’])(?!(?i:{_NO_SUBJECT})\b)[A-Za-z]+ (?!(?:{_NO_VERB})\b)[a-z]{{2,}}ed\b"
)
"""A verb that is in no other tense, or a regular one that does not come after what would make it a participle."""
_MAY_BE_NOW = re.compile(r"\b(?:if|wish(?:es)?|would|could|should|might|rather|time|as though)\b", re.IGNORECASE)
"""Beside these the past may be none: if I had time, it's time you left."""
_STRONG = (
    "aß|band|barg|bat|befahl|begann|bekam|biss|blieb|blies|bog|bot|brach|briet|fand|fiel|fing|fuhr|floh|floss|flog|fraß|fror|gab|galt"
    "|gefiel|gelang|genoss|geschah|gewann|ging|glich|goss|griff|grub|half|hielt|hieß|hing|hob|kam|klang|kroch|lag|las|lieh|lief"
    "|ließ|litt|log|lud|maß|mied|nahm|pfiff|pries|riet|rief|ritt|riss|roch|sah|sang|sank|saß|schied|schien|schlief|schlug"
    "|schlich|schloss|schmolz|schnitt|schob|schoss|schrie|schrieb|schwamm|schwand|schwieg|schwor|sprach|sprang|stach|stahl"
    "|stand|starb|stieg|stieß|stritt|tat|traf|trat|trieb|trank|trug|verdarb|verlor|verzieh|wand|warb|warf|wies|wog|wuchs|wusch"
    "|zog|zwang"
)
_PAST_OR_PARTICIPLE = re.compile(
    r"\b(?:war(?:en|st|t)?|wär\w*|wurden?|(?!(?:bitte|heute|selten)\b)[a-zäöüß]*te(?:n|st|t)?"
    rf"|[a-zäöüß]{{0,9}}(?:{_STRONG})(?:en|e?st|e?t)?|{PARTICIPLE})\b"
)
"""In German, what is or may be one."""


def loses_past(source: str, target: str) -> bool:
    """Whether an English sentence is in the past, and nothing in its German translation may be."""
    return _is_past(source) and _PAST_OR_PARTICIPLE.search(with_small_letter(target)) is None


@lru_cache(maxsize=64)  # all candidates for a sentence are compared with it
def _is_past(english: str) -> bool:
    return _IN_THE_PAST.search(english) is not None and not _MAY_BE_NOW.search(english)
