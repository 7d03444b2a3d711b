"""English constructions that the network gets wrong, and what is read for each."""

from __future__ import annotations

from service.pipeline.numbers.calendar import WHOLE_MONTH
from service.pipeline.substitution.constructions.construction import Construction

__all__ = ["ENGLISH"]

_WHO = r"(?<![\w'-])(?P<who>I|[Yy]ou|[Hh]e|[Ss]he|[Ww]e|[Tt]hey)"
_PERSON = r"(?<![\w'-])(?P<person>I|[Yy]ou|[Hh]e|[Ss]he|[Ww]e|[Tt]hey)"
_PERSONS = (
    r"(?<![\w'-])(?P<person>I|[Yy]ou|[Hh]e|[Ss]he|[Ww]e|[Tt]hey|who|(?:[Cc]ustomer|[Gg]uest|[Pp]articipant|[Uu]ser)s)"
)
_MANY = r"(?<![\w'-])(?P<person>I|[Yy]ou|[Ww]e|[Tt]hey)"
_ONE = r"(?<![\w'-])(?P<person>[Hh]e|[Ss]he)"
_HAVE_BEEN = "(?: was| were| have been| has been| had been|'ve been)"
_THING = (
    r"(?= (?:an?|the|my|your|his|her|our|their|some|two|three|four|five|no|another|money|flowers|information)\b"
    r"(?! (?:few|couple|long|short|second|minute|hour|day|night|week|month|year|century|same time)\b))"
)
"""Follows what somebody is given or sent; not a time."""
_MAY = "(?P<may>will|would|can|could|should|must|may|might|'ll)"
_ENDS = r"(?= *(?:[.,;:!?]|$)| (?:and|but|so|because)\b)"
_DET = "(?:the|my|your|his|her|its|our|their|an?|this|that|these|those)"
_DAY = (
    "(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:this|next|tomorrow) (?:morning|afternoon|evening|week)"
    "|tomorrow|today)"
)
_WHEN = (
    rf"(?:that|it|this|(?:(?:this|next|on) )*{_DAY}"
    r"(?: (?:at|morning|afternoon|evening|next|around)(?: [\w:]+(?: [ap]\.?m\.?)?)?)?"
    r"|the \d+(?:st|nd|rd|th)(?: of \w+)?|\d+(?::\d\d)?(?: ?[ap]m)?"
    r"|(?:nine|ten|eleven|two|three|four|five|noon)(?: o'clock)?)"
)
"""May be the time of an appointment."""
_DUTY = "apologi[sz]e|clean|do|go|leave|pay|promise|resign|return|sell|sign|stay|stop|wait|walk|wash|work|write"
_LEFT = rf"(?:slowly )?running out of (?P<what>[a-z]+){_ENDS}"
_SUPPLY = (
    "bread|butter|coffee|eggs|flour|food|fuel|gas|ideas|ink|milk|money|oil|paper|petrol|salt|soap|sugar|tea|toner|water"
    "|wine"
)
_GOODS = (
    "articles?|device|dress|goods|items?|jacket|jeans|orders?|package|pants|parcel|products?|shirts?|shoes|trousers"
)
_SORRY = "confusion|delays?|errors?|inconvenience|misunderstanding|mistakes?|mix-up|noise|problems?|trouble"
_CONSUMABLE = (
    "bandage|batter(?:y|ies)|(?:light )?bulbs?|(?:air|oil|water|coffee|dust|pollen) filters?|nappy|nappies|oil|tires?"
    "|tyres?|wheels?"
)
_MACHINE = (
    "boiler|bus|car|computer|dishwasher|dryer|elevator|engine|fridge|heating|laptop|lift|machine|printer|train|tram"
    "|truck|van"
)
_NO_PERSON = r"(?<!\bI)(?<!\b[Ww]e)(?<!\b[Yy]ou)(?<!\b[Hh]e)(?<!\b[Ss]he)(?<!\b[Tt]hey)"
"""Before a verb whose subject is a thing."""
_MINUTES = r"\b(?:(?:an?|the) )?(?P<number>\d+|two|three|four|five|six|ten|fifteen|twenty|thirty)[- ]minutes?'?"
_CLAUSE = r"(?:the|it|we|he|she|they|you|there|my|our|your|this)\b"
_PRICE = r"(?= (?:twice|extra|too much|more|again|full|\d|an? |[$€£]))"
_WALLS = "bathroom|bedroom|ceiling|doors?|fence|flat|garage|hall|house|kitchen|living room|room|walls?|windows?"

ENGLISH = (
    # of what somebody is told or given, he is no subject in German
    Construction("told", rf"{_WHO}{_HAVE_BEEN} told to(?= [a-z])", "it was said to {whom} that {who} should"),
    Construction("told", rf"{_WHO}{_HAVE_BEEN} told not to(?= [a-z])", "it was said to {whom} that {who} should not"),
    Construction(
        "told",
        rf"{_PERSON} (?:was|were|have been|had been) told(?: that)?(?= {_CLAUSE})",
        "{person} heard that",
    ),
    Construction("n", rf"{_PERSONS} (?:was|were) (?:given|sent){_THING}", "{person} received"),
    Construction(
        "n",
        rf"{_PERSONS}(?P<have> have| has| had|'ve) been (?:given|sent){_THING}",
        "{person}{have} received",
    ),
    Construction("n", rf"{_PERSONS}(?P<blank> ?){_MAY} be (?:given|sent){_THING}", "{person}{blank}{may} receive"),
    Construction("offered", rf"{_WHO} (?:was|were) offered{_THING}", "someone offered {whom}"),
    Construction("offered", rf"{_WHO}(?: have| has|'ve) been offered{_THING}", "someone has offered {whom}"),
    Construction("promised", rf"{_WHO} (?:was|were) promised{_THING}", "someone promised {whom}"),
    Construction("shown", rf"{_WHO} (?:was|were) shown{_THING}", "someone showed {whom}"),
    # money
    Construction("charged", rf"{_PERSONS} (?:was|were|got) charged{_PRICE}", "{person} had to pay"),
    Construction("charged", rf"{_PERSONS}(?P<have> have| has|'ve) been charged{_PRICE}", "{person}{have} paid"),
    Construction(
        "charged",
        rf"{_PERSONS}(?P<blank> ?)(?P<may>will|won't|'ll|will not) be charged\b(?! with)",
        "{person}{blank}{may} have to pay",
    ),
    Construction("fined", rf"{_PERSONS} (?:was|were|got) fined(?= [$€£\d])", "{person} had to pay a fine of"),
    Construction("fined", rf"{_PERSONS} (?:was|were|got) fined\b", "{person} had to pay a fine"),
    Construction(
        "% off",
        r"\b(?P<verb>[Gg]et|[Ss]ave|[Ee]njoy|[Tt]ake) (?P<number>\d+ ?%) off\b(?: on)?",
        "get a discount of {number} on",
    ),
    Construction(
        "ave ",
        r"\b[Ss]ave (?P<number>\d+ ?%)(?= on\b| with\b| when\b|[.!]|$)",
        "get a discount of {number}",
    ),
    Construction(
        "put up",
        rf"(?P<before>\b(?:to|will|can|may|might|must|not|n't|would|'ll)) put up (?P<what>{_DET} (?:rents?"
        r"|prices?|fees?|taxes))\b",
        "{before} increase {what}",
    ),
    Construction("put up", rf"\bput up (?P<what>{_DET} (?:rents?|prices?|fees?|taxes))\b", "increased {what}"),
    # what is wrong
    Construction(
        "wrong with",
        r"(?P<there>\b(?:[Tt]here(?:'s| is| was| must be| seems to be| might be)|[Ii]s there|[Ww]as"
        r" there)) (?:something|anything)(?: really| seriously)? wrong with\b",
        "{there} a problem with",
    ),
    Construction(
        "nothing wrong with",
        r"(?P<there>\b[Tt]here(?:'s| is| was)) nothing wrong with\b",
        "{there} no problem with",
    ),
    Construction(
        "orry",
        rf"{_PERSON}(?:'m| am|'re| are)(?: very| so| really| terribly)? sorry (?:about|for)(?= (?:the|any"
        rf"|this|that|my|our) (?:\w+ ){{0,2}}(?:{_SORRY})\b)",
        "{person} apologize for",
    ),
    Construction(
        "orry",
        rf"^Sorry (?:about|for)(?= (?:the|any|this|that|my|our) (?:\w+ )?(?:{_SORRY})\b)",
        "I apologize for",
    ),
    Construction(
        "keeping you waiting",
        r"\b[Ss]orry (?:for|about) keeping you waiting\b",
        "sorry that you had to wait",
    ),
    Construction("broken down", rf"(?P<what>\b(?:{_MACHINE})) has broken down\b(?! again)", "{what} no longer works"),
    Construction("broken down", rf"(?P<what>\b(?:{_MACHINE})s) have broken down\b(?! again)", "{what} no longer work"),
    Construction(
        "out of",
        rf"{_MANY}(?:'re|'m| are| am)(?: completely| all| almost)? out of (?P<what>{_SUPPLY})\b",
        "{person} have run out of {what}",
    ),
    Construction("out of", rf"{_MANY}(?:'m|'re| am| are) {_LEFT}", "{person} have almost no {what} left"),
    Construction("out of", rf"{_ONE}(?:'s| is) {_LEFT}", "{person} has almost no {what} left"),
    Construction(
        "won't",
        rf"{_NO_PERSON} won't (?P<verb>open|clos|charg)e?\b",
        " cannot be {verb}ed",
    ),
    Construction(
        "won't",
        rf"{_NO_PERSON} won't (?P<verb>start"
        r"|go away|turn on|switch on|print|connect|work)(?= *(?:[.!,]|$)| (?:any ?more|today|again|this"
        r" morning)\b)",
        " does not {verb}",
    ),
    # verbs
    Construction("need", rf"{_MANY} (?:needn't|need not)(?= (?!have\b|to\b)[a-z])", "{person} don't need to"),
    Construction(
        "need",
        r"(?<![\w'-])(?P<person>[Hh]e|[Ss]he|[Ii]t) (?:needn't|need not)(?= (?!have\b|to\b)[a-z])",
        "{person} doesn't need to",
    ),
    Construction(
        "used to",
        r"(?P<person>\bI)(?:'m| am)(?P<how> not)? used to(?= \w+ing\b)",
        "{person} am{how} accustomed to",
    ),
    Construction(
        "used to",
        r"(?P<be>\b(?:is|are|was|were)(?:n't| not)?|'s|'re) used to(?= \w+ing\b)",
        "{be} accustomed to",
    ),
    Construction(
        "made",
        rf"\bmade (?P<person>me|you|him|her|us|them|people)(?= (?:{_DUTY})\b)",
        "forced {person} to",
    ),
    Construction(
        "get",
        r"(?P<person>\b(?:[Ww]e|[Tt]hey|[Yy]ou))(?P<do> don't| do not| didn't| can| always)? get (?:on"
        rf"|along)(?P<how>(?: very| really)? well)?{_ENDS}",
        "{person}{do} understand each other{how}",
    ),
    Construction("pick", r"'ll pick (?P<whom>\w+) up\b", " will pick {whom} up"),
    Construction("collect", r"\bcollect (?P<whom>you|me|him|her|us)\b", "pick {whom} up"),
    Construction(
        "collect",
        rf"\bcollect(?= (?:{_DET} (?:child|children|kids|parcel|package|keys?|tickets?|car|order|luggage"
        r"|bags?|suitcase|mail|daughter|son))\b)",
        "pick up",
    ),
    Construction(
        "crashed into",
        r"\bcrashed into(?= (?:an?|the|his|her|their|another) (?:\w+ )?(?:bus|car|lorry|train|tram|truck|van)\b"
        r"(?! (?:stop|station|shop|park)))",
        "collided with",
    ),
    Construction("crashed into", r"\bcrashed into(?= (?:an?|the|his|her|their) )", "drove against"),
    Construction(
        "moving",
        r"(?P<be>\b(?:am|is|are)|'m|'re|'s)(?P<person> you| we| they)? moving(?=(?:(?<=you moving)|(?<=we"
        r" moving)|(?<=they moving)) *\?| (?:next (?:week|month|year)|soon|tomorrow|(?:on|in) "
        r"(?:[A-Z]\w+day|[A-Z]\w+|the (?:spring|summer|autumn|winter))|(?:in)?to (?:[A-Z]|(?:a|our|their"
        r"|my) (?:\w+ )?(?:flat|apartment|house))))",
        "{be}{person} moving house",
    ),
    Construction(
        "moved to",
        r"(?P<what>\b(?:meeting|appointment|event|concert|party|game|match|lesson|class|course)) (?:has"
        rf" been|was) moved to (?P<when>{_DAY})\b",
        "{what} will now take place on {when}",
    ),
    Construction(
        "urn",
        r"\b(?P<turn>[Tt]urn|turned|turns|turning) (?P<what>(?:the|your|his|her) (?:\w+ )?(?:dial|handle"
        r"|head|key|knob|screws?|wheel))(?= ?(?:to|clockwise|anti-?clockwise|counter|left|right|until"
        r"|twice|once|slowly|[.,]|$))",
        "{turn:rotate} {what}",
    ),
    Construction(
        "hang",
        rf"\b(?P<verb>[Cc]hang(?:e|es|ed|ing)) (?P<what>{_DET} (?:\w+ )?(?:{_CONSUMABLE}))\b",
        "{verb:replace} {what}",
    ),
    Construction(
        "aint",
        rf"\b(?P<verb>[Pp]aint(?:s|ed|ing)?) (?P<what>(?:(?:the|our|my|his|her|their) )(?:\w+ )?(?:{_WALLS}))\b",
        "{verb:repaint} {what}",
    ),
    Construction(
        "return",
        r"(?P<before>(?:\b(?:I|[Yy]ou|[Ww]e|[Tt]hey|[Hh]e|[Ss]he|to|can|must|may|could|would|[Pp]lease"
        r"|not|have|has|had)|n't|'ve|'d) (?:have |like to |also |just |already )*)(?P<verb>return(?:ed|s"
        rf"|ing)?) (?P<what>{_DET} (?:\w+ )?(?:{_GOODS})|(?:it|them)(?= *(?:[.,?!]|$)| (?:within|for|if"
        r"|because|by|free|without|after|and|yesterday|today)\b))\b",
        "{before}{verb:send|sent|sending} {what} back",
    ),
    Construction(
        "xtend",
        rf"\b(?P<verb>[Ee]xtend(?:s|ed|ing)?) (?P<what>{_DET} (?:\w+ )?(?:agreement|contract|deadline"
        r"|lease|license|rental|stay|subscription|visa|warranty))\b",
        "{verb:prolong} {what}",
    ),
    Construction(
        "see",
        r"\b(?P<verb>see|sees|seeing)(?= (?:an?|the|your|my|his|her|our) (?:dentist|doctor|GP|lawyer"
        r"|physician|specialist|vet)\b)(?<!\b[Cc]an I see)",
        "{verb:go to|went to|going to}",
    ),
    Construction(
        "saw",
        r"\bsaw(?= (?:an?|the|your|my|his|her|our) (?:dentist|doctor|GP|lawyer|physician|specialist|vet)\b)",
        "went to",
    ),
    Construction("meaning to", r"\b(?P<have>have|has|had|'ve|'s) been meaning to\b", " wanted to"),
    Construction(
        "work for",
        rf"\b(?:[Dd]oes|[Ww]ould|[Ww]ill) (?P<what>{_WHEN}) work for (?P<whom>you|me|us|everyone|them)\b",
        "would {what} be good for {whom}",
    ),
    Construction(
        "work?",
        rf"\b(?:[Dd]oes|[Ww]ould|[Ww]ill) (?P<what>(?!that|it|this){_WHEN}) work(?=\?)",
        "would {what} be good",
    ),
    Construction(
        "works for",
        rf"(?P<what>\b(?:{_DAY}|[Tt]hat|[Tt]he \d+\w+|\d+(?:[ap]m)?))(?: also)? works(?: well| fine|"
        r" better)? for (?P<whom>me|us|you|everyone)\b",
        "{what} is okay for {whom}",
    ),
    Construction(
        "work for",
        rf"(?P<what>\b(?:{_DAY}|[Tt]hat|[Tt]he \d+\w+)) (?:doesn't|does not|won't|will not) work for "
        r"(?P<whom>me|us|you|everyone)\b",
        "{what} is not possible for {whom}",
    ),
    Construction("get me", r"\b(?P<verb>[Gg]et)(?= me (?:an?|some|the|my)\b)", "{verb:bring}"),
    # adjectives and nouns
    Construction("minute", rf"{_MINUTES} walk\b", "{number} minutes on foot"),
    Construction("minute", rf"{_MINUTES} drive\b", "{number} minutes by car"),
    Construction("dated", rf"\bdated(?= (?:the )?(?:\d|{WHOLE_MONTH['en']}))", "from"),
    Construction(
        "s of ",
        rf"\b[Aa]s of(?= (?:today|tomorrow|next (?:week|month|year)|\d+ [A-Z]|the \d|{WHOLE_MONTH['en']}))",
        "from",
    ),
    Construction(
        " to be ",
        r"^(?P<what>(?:The|This|These|Those|All|Your|It|They|Each)(?: (?!that\b|which\b|who\b|where\b"
        r"|when\b)[\w'-]+){0,4}) (?:is|are) to be (?!(?:able|found|seen|had|expected)\b)(?=\w+(?:ed|en|wn"
        r"|pt|lt|ld|nt)\b)",
        "{what} must be ",
    ),
    Construction("battery is low", r"\bbattery is low\b", "battery is almost empty"),
    Construction(
        "phone",
        r"\b(?P<whose>[Mm]y|[Yy]our|[Hh]is|[Hh]er) phone (?:died|was dead)\b",
        "the battery of {whose:small} phone was empty",
    ),
    Construction(
        "phone is dead",
        r"\b(?P<whose>[Mm]y|[Yy]our|[Hh]is|[Hh]er) phone is dead\b",
        "the battery of {whose:small} phone is empty",
    ),
    Construction("lately", r"\blately(?=\?)", "recently"),
    Construction("lately", r"\blately(?= *[.,!])", "in the last few weeks"),
    Construction("for good", r"(?<!force )\bfor good(?= *[.!]| (?:last|next|this|in)\b)", "forever"),
    Construction(
        "eep",
        r"\b[Kk]eep (?P<what>(?:this |the |all |your )?\w+(?: \w+)?) (?:away from|out of (?:the )?"
        r"(?:sight and )?reach of) (?P<whom>(?:small )?children)\b",
        "make sure that {whom} cannot reach {what}",
    ),
    Construction(
        "eep",
        r"^Keep (?P<what>(?:the|your|all) (?:\w+ )?\w+) (?P<how>closed|shut|open|dry|clean|straight|still"
        r"|warm|cool|short|private)(?= *[.!]| (?:during|while|when|until|at)\b)",
        "{what} must remain {how}",
    ),
    # clauses
    Construction(
        "after all",
        r"^(?P<first>I|You|He|She|It|We|They|The|My|Our|There|That|This)(?P<rest> [^.!?]+?) after all(?=[.!])",
        "In the end, {first:small}{rest}",
    ),
    Construction(
        " had ",
        rf"^{_PERSON}(?P<have>'ve| have|'s| has) had (?P<what>(?:an?|my|this|these|the|no)\b[^.,!?]*?) "
        r"(?P<time>for (?:over |about |almost |more than )?(?:\d+|an?|two|three|four|five|six|several"
        r"|many|some) \w+)(?= *[.!?]|$)",
        "{time} {person}{have} had {what}",
    ),
    Construction(
        "Had",
        r"^Had (?P<person>I|you|he|she|we|they|it)(?P<not> not)?(?= (?:been|gone|had|done|known|seen|come"
        r"|left|told|\w+ed)\b[^.?!]*,)",
        "If {person} had{not}",
    ),
    Construction(
        "in case",
        r"(?<!just )\bin case(?= (?:I|you|he|she|it|we|they|there|some\w+|any\w+|the|my|your)\b)",
        "for the case that",
    ),
    Construction("Never", r"^Never (?=(?:allow|let|open|place|press|pull|put|touch|turn|use) )", "Do not "),
    Construction("shall", r", shall we(?=\?)", ""),
    Construction("Look out", r"^Look out(?=[,!])", "Be careful"),
    Construction("Still have", r"^Still have (?P<what>[^?]*)(?=\?)", "Do you still have {what}"),
    Construction(
        " yet ",
        r"\b(?P<be>is|are|was|were) (?P<how>(?!(?:here|it|none|not|nothing|never|ready|still|there|this|that|they)\b)"
        r"[a-z]+(?<!ed)(?<!en)) yet (?!(?:an?|and|as|at|because|but|by|for|he|if|in|it|of|on|or|she|since|so|that|the"
        r"|they|to|we|when|you)\b)(?=[a-z])",
        "{be} {how} but ",
    ),
    # shops and hotels
    Construction("still available", r"^Only (?P<n>\d+) still available(?=[.!]?$)", "There are only {n} left"),
    Construction(
        "ed",
        r"^(?P<what>(?:[A-Z][a-z]+ )?[A-Za-z]+[a-rt-z]s) (?=(?:not )?(?:accepted|allowed|included|permitted|provided)"
        r"(?: on request| in the price)?[.!]?$)",
        "{what} are ",
    ),
    Construction(
        "required",
        r"^(?P<what>(?:[A-Z][a-z]+ )?(?:[Bb]ooking|[Dd]eposit|[Ll]icen[cs]e|[Rr]egistration|[Rr]eservation))"
        r" (?=required[.!]?$)",
        "{what} is ",
    ),
    Construction("eep track", r"^(?P<how>Always k|K)eep track of (?=your )", "{how}eep an eye on "),
    Construction(
        "application",
        r"\b(?P<whose>an|her|his|my|the|your) application (?=(?:with (?:an?|my|your) (?:CV|cover|resume)|for the (?:job"
        r"|position|post|role)|to our (?:HR|human|personnel))\b)",
        "{whose} job application ",
    ),
    Construction(
        "sleeps ",
        r"\bsleeps (?=(?:up to )?(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve)\b(?! hours?\b))",
        "has room for ",
    ),
    Construction(
        " attached",
        r"\bfind (?P<what>(?:(?:the|my|our|your|an?) )[a-z][a-z -]{2,40}?) attached(?=[.,!]|$)",
        "find {what} in the attachment",
    ),
    Construction(
        "hipping on ",
        r"\b(?P<free>[Ff]ree) shipping on (?=(?:all )?orders\b)",
        "{free} delivery for ",
    ),
)  # fmt: skip
