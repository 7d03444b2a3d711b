"""What must survive a translation as it stands, found by its form alone: addresses, placeholders, code, markup.

Takes time in proportion to the length of the text, whatever it holds: repetitions in the patterns are possessive (they
give nothing back) or bounded, braces are paired with a stack, and everything else is decided word by word.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.edits import blank
from service.pipeline.finders.arguments import find_arguments
from service.pipeline.numbers.calendar import ANY_MONTH, YEAR
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["BRACKET", "EMPHASIS", "ENUMERATOR", "find_placeholders", "merge_spans"]

_PROMISING = re.compile(
    r"\{|%|\$|<|&|@|/|\\|`|_|\*|~|\.(?<=[\w)]\.)\w|--|-(?<!\S-)\w|:(?<!\w:)[A-Za-z]|::|\(\)|www\."
    r"|==|\+\+|\[|\(\(|E(?<=[a-z]E)(?:rror|xception)|\([aAiI]\) |#[^\W\d_]"
    r"|:(?:[0-9A-Fa-f]{1,4}[:-]){3}|-(?:[0-9A-Fa-f]{1,4}[:-]){3}"
)
"""Every text in which something without a digit can be found matches; most sentences do not, and are done with.

Each alternative begins with one character, so that those between are skipped.
"""
_ENGLISH_ENDING = (
    "(?:Avenue|Boulevard|Crescent|Drive|Gardens|Lane|Road|Row|Square|Street|Terrace"
    r"|(?:Ave|Blvd|Rd|St)(?:\.|(?!\ [A-Z])))(?![\w-])"
)
"""Of the name of a street."""
_DIGIT = re.compile("[0-9]")
_PROMISING_DIGIT = re.compile(
    r"[A-Z]{2}[0-9]{2}|[0-9][A-Za-z][0-9A-Za-z-]|[A-Za-z][0-9][0-9A-Za-z-]|-[0-9]{2,40}-[A-Z]|\[[0-9]{1,3},|:[0-9]{2},[0-9]|[0-9]['′\"″]\s?[x×0-9]"
    r"|(?:[Ss]tra(?:ß|ss)e|[Ss]tr\.|gasse|[Aa]llee|[Ww]eg|[Dd]amm|[Uu]fer|[Cc]haussee|[ -](?:Platz|Ring|Markt))\s?[0-9]"
    rf"|\ {_ENGLISH_ENDING}"
    r"|[0-9][a-h]?,?\s{1,3}(?:D-|A-|CH-)?[0-9]{4,5}\s[A-ZÄÖÜ]|[0-9][0-9A-Z]?\ [0-9][A-Z]{2}"
)
"""The same of what has digits."""

_TWO_WORDS = r"[^\W\d_]{2}\ [^\W\d_]{2}"
"""Is in prose, and in neither code nor a formula."""

# LaTeX. In a formula two words stand in an argument or an index only, as in \text{if it is}.
_ARGUMENT = r"\{[^{}$\n]*+\}"
"""{a + b}."""
_IN_FORMULA = (
    rf"(?:\\[A-Za-z]++\*?+|[_^])(?:{_ARGUMENT})*+ | \\[^A-Za-z0-9\n()[\]] | (?!{_TWO_WORDS})[^$\\\n]"  # one step of it
)
_HAS_SIGN = r"(?=[^$\\^_{}=]*+(?:[\^_{}=]|\\[^)\]]))"
"""Follows what begins a formula: x_1, x = 1."""
_HAS_NO_WORD = r"(?![^$\\]*[^\W\d_]{3})"
"""The same of what needs no sign: x + y."""
_LATEX = rf"""
    (?<![\w$\\])\$\$(?!\$){_HAS_SIGN}(?:{_IN_FORMULA}|\n)++\$\$(?!\$)    # $$ x = 1 $$
    | (?<![\w$\\])\$(?!\s|\$|\{{\w){_HAS_SIGN}(?:(?![0-9])|{_HAS_NO_WORD})  # $x = 1$; not the prices $5 = 4 and $6
      (?:{_IN_FORMULA})++(?<!\s)\$(?![\w${{])
    | (?<![$\\])\$(?:[_^](?:[^\W_]|[-+*]|\\[A-Za-z]++|{_ARGUMENT})|\\[A-Za-z]{{2,30}}+)++\$(?![_${{])    # CO$_2$
    | (?<!\\)\\\((?:{_HAS_SIGN}|{_HAS_NO_WORD})(?:{_IN_FORMULA}|\n)++\\\)    # \(x\)
    | (?<!\\)\\\[(?:{_HAS_SIGN}|{_HAS_NO_WORD})(?:{_IN_FORMULA}|\n)++\\\]    # \[x\]
"""
_COMMAND = r"(?<!\\)(?<![^\W\d_]{2})\\[A-Za-z]{2,30}+\*?+(?:\[[^][{}\n]{0,100}+\])?+(?=[_^]?\{)"
"""Of LaTeX outside of formulas. Its arguments are braces like others: the words of \\emph{two words} are translated."""

_GROUP = "[0-9A-Fa-f]{1,4}+"
_IPV6 = (
    "(?=[A-Fa-f:]{0,38}+[0-9])"  # without digits it is a name, as in a::b
    rf"(?:(?:{_GROUP}:){{7}}{_GROUP}"
    rf"|(?:{_GROUP}(?::{_GROUP}){{0,6}}+)?+::(?:{_GROUP}(?::{_GROUP}){{0,6}}+(?:(?:\.[0-9]{{1,3}}+){{3}})?+)?+)"
    r"(?:%\w{1,30}+)?+(?:/[0-9]{1,3}+)?+"
)
_MAC = "[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){5}|(?=[0-9-]{0,16}+[A-Fa-f])[0-9A-Fa-f]{2}(?:-[0-9A-Fa-f]{2}){5}"

_STREET = r"""
    (?<![\w-])[A-ZÄÖÜ][\wß.-]{1,30}+                                    # Platz der Republik 1, 11011 Berlin
      (?:\ (?:[A-ZÄÖÜ][\wß.-]{1,30}+|d(?:e[mnrs]|ie)|a[mn]|im|und|von|zu[mr]?)(?!\w)){0,4}
      \ [0-9]{1,3}+(?:\ ?[a-h](?!\w))?+
      (?:,\ (?:(?:D-|A-|CH-)[0-9]{4,5}|[0-9]{5})\ [A-ZÄÖÜ][a-zäöüß]{2,30}+(?:[ -][A-ZÄÖÜ][a-zäöüß]{1,30}+){0,2}
        (?:\ (?:am\ (?:Inn|Main|Neckar|Rhein|See)|an\ der\ [A-ZÄÖÜ][a-zäöüß]{2,12}))?(?!\w)
        |(?=,?[ ]?\n[ >]{0,9}+(?:(?:D-|A-|CH-)[0-9]{4,5}|[0-9]{5})\ [A-ZÄÖÜ][a-zäöüß]{2}))
    | (?<![\w-])(?!(?:Bundes|Landes?|Kreis|Schnell|Fern)str
      |(?:Aus|Brems|Fuß|Hin|Rad|Rechts|Rück|Um|Wander|\w{3,20}ungs)weg
      |(?:Erst|Zweit|Dritt|Letzt|Best|Dies|Ein|Eu|Frei|Ihr|Jed|Kein|Sein|Uns|Unter|Welch|Ober)er\ )
      (?:                                                                  # Bahnhofstr. 5, Berliner Straße 12a
        (?:[A-ZÄÖÜ][\wß]{1,30}+(?:(?<=er)\ |-)){1,3}+(?:Straße|Str\.|Allee|Weg|Platz|Ring|Ufer|Damm|Markt|Chaussee)
        | [A-ZÄÖÜ][a-zäöüß]{2,30}(?:straße|strasse|str\.|gasse|allee|weg|damm|(?<!ä)ufer|chaussee)
      )\ ?[0-9]{1,3}+(?:\ ?[a-h](?!\w))?+(?!\w|\ (?:k?m|Meter|Kilometer|Minuten|Stunden|Jahre)\b)
"""
"""Streets with a number, and what a postcode shows to be one. What a road of a country is called is no name."""
_ENGLISH_STREET = (
    rf"(?<![\w.,/-])(?!{YEAR}\ )[0-9]{{1,4}}[A-Za-z]?(?:[-–/][0-9]{{1,4}}[A-Za-z]?)?\ (?!{ANY_MONTH['en']}\b)"
    rf"(?:[A-Z][\w'’.-]{{0,30}}+\ ){{1,3}}?{_ENGLISH_ENDING}"
    r"| (?:(?m:^)|(?<=:\ ))(?:[A-Z][\w'’.-]{1,30}+,?\ ){1,6}?[A-Z]{1,2}[0-9][0-9A-Z]?\ [0-9][A-Z]{2}(?m:$)"
)
"""118 Queen's Road, 14 High St.; a line that ends with a British postcode: Mill Lane, Bath BA2 4PQ."""

_SIZE = r"[0-9]{1,4}+(?:[.,][0-9]{1,3}+)?+[\"″]"
_INCHES = rf"(?<![\w.,])(?:[0-9]{{1,3}}+['′]\ ?[0-9]{{1,2}}+[\"″](?!\w)|{_SIZE}(?:\ ?[x×]\ ?{_SIZE}){{1,2}}+(?!\w))"
"""And feet: 6'2" tall, 12.5" x 8.3"."""

_COORDINATE = (
    r"(?<![\w.,])[0-9]{1,3}+°\ ?[0-9]{1,2}+['′’]"
    r"(?:\ ?[0-9]{1,2}+(?:[.,][0-9]{1,4}+)?+(?:[\"″”]|'')(?:\ ?[NESWO](?!\w))?)?"
)
"""A degree with minutes: 40°26'46"N."""

_BEGINS = r"(?=[][$\\`<{&%_+:A-ZÄÖÜ0-9]|(?<!\w)[a-f])"
"""What all of the following do: most characters of a text are small letters, and passed by."""
_ANYWHERE = re.compile(
    rf"{_BEGINS}(?:{_LATEX}"
    r"""
    | (?<!`)(?P<ticks>`{1,3}+)[^`]++(?P=ticks)(?!`)                       # `code` ``code``
    | <!--(?:[^<>-]|-(?!->))*+--> | </?+[A-Za-z][^<>]{0,500}+>           # <!-- comment --> <tag> </tag> <tag/>
    | </?+[0-9]{1,2}+/?+>                                               # <0> </0> <0/>
    | <%(?:[^<%]|<(?!%)|%(?!>))*+%> | \{%(?:[^{%]|\{(?!%)|%(?!\}))*+%\}  # <% tag %> {% tag %}
    | \{\#(?:[^{\#]|\{(?!\#)|\#(?!\}))*+\#\}                          # {# comment #}
    | (?<!\w)[A-Z][A-Z0-9_]{2,50}+=(?:"-[^"\n]{1,200}+"|'-[^'\n]{1,200}+')    # NAME="--option -v"
    | (?<![\w+])\+\+[a-z0-9]++(?:[+-][a-z0-9]++)*+\+\+(?![\w+])              # ++ctrl+alt+delete++
    | \[%[^\[\]%\n]{1,300}+%\]                                         # [% tag %]
    | (?<!\[)\[\[[a-z][a-z0-9_.-]{0,63}+\]\](?!\])                       # [[name]]; [[A page]] is a link
    | &(?:amp;)?(?:[A-Za-z][A-Za-z0-9]{1,31}+|\#[0-9]{1,7}+|\#[xX][0-9A-Fa-f]{1,6}+);
    | (?<![\w%])%%[A-Za-z_]\w{1,63}+%%(?![\w%])                         # %%NAME%%
    | (?<!\w)__[a-z][a-z0-9]{0,50}+__(?!\w)                              # __name__
    | %%                                                                # %% is printf's way to write %
    | (?<![\w%])%[A-Za-z_]\w{1,63}+%(?![\w%])                           # %NAME%
    | (?<!\w)%\(\w{1,64}+\)[-+#0]{0,5}+[0-9]{0,5}+(?:\.[0-9]{1,5}+)?+[a-zA-Z]
    | (?<!\w)%(?:[0-9]{1,3}+\$)?+[-+#0]{0,5}+[0-9]{0,5}+(?:\.[0-9]{1,5}+)?+(?:hh?+|ll?+|[Lqjzt])?+
      [diouxXeEfFgGcsaAp@](?![^\W\d_]{3})                               # %s %1$s %-5.2f %lu; 100%ig is a word
    | (?<![\w$])\$t\([^()]{1,200}+\)                                    # $t(name)
    | (?<![\w$])\$[A-Za-z_]\w*+(?:\$(?![\w${]))?+                       # $NAME $NAME$
    | \\(?:[nrt](?![a-z])|u[0-9A-Fa-f]{4})                                # \n as strings of programs spell it
    | \[(?!0)[0-9]{1,3}+(?:,\ ?(?:[0-9]{1,3}+|\*)){1,9}+\]                # [3,4] of citations, [2,*] of plurals
    | (?m:^|(?<=[:;,]\ ))(?:[A-ZÄÖÜ][\w'’.-]{0,30}+\ ){2,4}+               # Karl Weiss <karl@example.org>
      (?=<[\w.+%-]{1,64}+@[\w.-]{1,100}+>[ ]*+(?m:[,;]|$))
    | (?<!\w)[A-Z]{2}[0-9]{2}\ ?[A-Z0-9]{4}\ ?[0-9]{4}(?:\ ?[A-Z0-9]{4}){1,5}(?:\ ?[0-9][A-Z0-9]{0,2})?(?!\w)  # IBAN
    """
    rf"| {_STREET} | {_ENGLISH_STREET} | {_COORDINATE} | {_INCHES} | {_COMMAND}"
    rf"| (?<![\w:.-])(?:\[{_IPV6}\](?::[0-9]{{1,5}}+)?+ | {_IPV6} | {_MAC})(?!:?\w))",
    re.VERBOSE,
)

# Tags in square brackets: WordPress's shortcodes, BBCode. [HR=0.8] is a statistic.
_TAG_NAME = r"[A-Za-z][\w-]{0,50}+"
"""url, vc_row."""
_TAG = re.compile(
    rf"""
    \[/(?P<closes>{_TAG_NAME})\]
    | \[{_TAG_NAME}(?:\s++(?:[\w-]{{1,50}}+=(?:"[^"\[\]]*+"|'[^'\[\]]*+')|[\w-]{{2,50}}+=[^\s\[\]"'=]++))++\s*+/?\]
    | \[[A-Za-z][\w-]{{1,50}}+=(?![0-9]++[.,][0-9])(?:"[^"\[\]\n]*+"[^"\[\]\n]*+|[^\s\[\]"]++)\]
    | \[(?P<opens>{_TAG_NAME})(?:[=\s][^\[\]\n]*+)?+\]                    # if it is closed
    """,
    re.VERBOSE,
)

# Around an address or a name, not part of it.
_OPENING = "([{<\"'„“”‚‘’«»›‹*_"
_CLOSING = ".,;:!?…)]}>\"'„“”‚‘’«»›‹*_"
_GENITIVE = re.compile(r"['’]s$")
"""As of Config.java's."""

_EXTENSIONS = (
    "bat|bmp|cfg|conf|cpp|css|csv|dll|docx?|eps|exe|gif|gz|hpp|html?|ini|iso|jar|java|jpe?g|js|json|lock|log|lua|md|"
    "mp[34]|od[st]|onnx|pdf|php|png|po|pptx?|py|rar|rb|rs|rst|rtf|service|sh|sql|srt|svg|tar|tiff?|toml|ts|tsv|ttf|"
    "txt|wav|webp|xlf|xlsx?|xml|ya?ml|zip"
)
_NO_ESCAPE = r"(?![nrt]|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2})"
"""Follows a backslash that is none of \\n or \\u00e4, as strings of programs spell them within words."""
_IN_PATH = r"[\w.$%@*+-]++"
_IDENTIFIER = "[A-Za-z_][A-Za-z0-9_]++"
"""Of two characters or more, which most abbreviations do not have before each full stop."""
_WHOLE_WORD = re.compile(
    rf"""
    [A-Za-z][A-Za-z0-9+.-]{{0,20}}+://\S++ | www\.\S++ | (?:mailto|tel):\S++
    | [\w.+%-]++@[\w-]++(?:\.[\w-]++)++                                 # mail address
    | @{{1,2}}[A-Za-z0-9_]\w*+ | @[a-z0-9][\w.-]*+/[\w./@-]++               # @name, @@name, @scope/package
    | @(?:\.[a-z]++)?+:[A-Za-z_][\w.-]*+             # @name, @:key of another message
    | :(?![DPO]\Z)[A-Za-z_][\w+-]*+                                     # :name; :D is a smiley
    | (?=[\w.-]{{1,253}}\.(?:com|org|net|edu|gov|info|io|dev|app|de|at|ch|eu)(?![\w.-]))[\w.-]++(?:[:/]\S*+)?+
    | \#[^\W\d_]\w*+                                                    # #hashtag
    | [0-9]{{2}}(?::[0-9]{{2}}){{2}},[0-9]{{3}}                                # 10:23:45,123 in a log
    | (?:[A-Za-z]:\\|\\\\\w)\S*+                                        # C:\folder, \\server
    | (?!(?:and\\or|und\\oder)\Z)(?=\S{{0,300}}?\\{_NO_ESCAPE}\w)     # folder\file DOMAIN\name \command
      (?:{_IN_PATH})?+(?:\\{{1,2}}{_IN_PATH})++\\?+
    | (?=\S{{0,300}}?\\[bBdDsSwW](?![A-Za-z]))\S++                     # \d+ ^\w{{2}}$
    | (?:~|\.\.?+)?+/[\w.~]\S*+                                         # /folder ./file ~/file
    | (?=\S{{0,300}}[\w-]\.(?:{_EXTENSIONS})\Z)[\w./+-]++               # file.txt folder/file.txt
    | --[A-Za-z][\w-]*+(?:=\S*+)?+ | -[A-Za-z]                          # --option=value -v
    | v[0-9]++(?:\.[0-9]++)++(?:[-+][\w.+-]++)?+                        # v1.2-rc1
    | (?![0-9]{{1,3}}(?:\.[0-9]{{3}}){{1,9}}\Z)(?![0-9]{{1,2}}\.[0-9]{{1,2}}\.(?:[0-9]{{2}}){{1,2}}\Z)
      [0-9]++(?:\.[0-9]++){{2,9}}+(?:[-+][\w.+-]++)?+                   # 1.2.3 and 127.0.0.1; not 1.234.567, 3.10.2024
    | (?![A-Z][a-z]++_in(?:nen)?\Z)                                     # not Kund_innen
      (?=\S{{0,300}}\w(?:_|::)\w)[A-Za-z_](?:[\w.]|::)*+(?:\(\))?+      # some_name some::name
    | [A-Za-z_][\w.]*+\(\)                                              # name()
    | \w[\w.[\]-]*+==[\w.*-]++                                          # name==1.2
    | (?!(?:TT|DD)\.MM\.)
      (?:{_IDENTIFIER}\.){{2,9}}+{_IDENTIFIER}                            # java.util.List; not e.g. and U.S.A.
    | {_IDENTIFIER}\.[A-Za-z0-9]*[a-z][A-Z][A-Za-z0-9]*+                 # user.firstName Console.WriteLine
    | [A-Z](?=\w*[a-z])[A-Za-z0-9]++\.[A-Z][A-Z0-9]++                    # Math.PI
    | [A-Z](?=\w{{0,60}}[a-z](?:Error|Exception)\Z)[A-Za-z0-9]++           # TypeError
    | [0-9A-Fa-f]{{8}}(?:-[0-9A-Fa-f]{{4}}){{3}}-[0-9A-Fa-f]{{12}}            # UUID
    | 0x[0-9A-Fa-f]{{2,99}} | (?=[A-Fa-f]*+[0-9])(?=[0-9]*+[A-Fa-f])[0-9A-Fa-f]{{7,199}}+    # checksum
    | (?![0-9]{{1,2}}-[A-Z]{{3}}-)(?=[A-Z-]*+[0-9])(?=[0-9-]*+[A-Z])
      [A-Z0-9]{{2,40}}+(?:-[A-Z0-9]{{2,40}}+){{2,12}}+                      # FS-268-H65, a key of a licence
    | (?=[^0-9]*+[0-9]++[^0-9]++[0-9])(?=[^A-Za-z]*+[A-Za-z][^A-Za-z]*+[A-Za-z])
      [A-Za-z0-9+/_]{{12,999}}+={{0,2}}                                   # 1Z999AA10123456784, base64
    """,
    re.VERBOSE,
)
_WORD = re.compile(r"\S++")
_FIELD = re.compile(r"[^,;\"]++")
"""Of a table with commas or semicolons between: user_id,"first_name"."""

EMPHASIS = r"(?:(?<!\*)\*{1,3}+(?!\*)|(?<!_)_(?!_)|(?<!~)~{1,2}+(?!~)|(?<!=)==(?!=))"
"""The signs around *words* that are emphasised, in chats as in Markdown."""
BRACKET = r"(?:\[\[?|\]\]?|\(\(|\)\))"
"""Of double ones the network would write one, and within others it loses the word."""
_IN_DOUBLE_BRACKETS = re.compile(
    r"(?<!\[)\[\[(?!\s)[^\[\]\n]++(?<!\s)\]\](?!\])|(?<!\()\(\((?!\s)[^()\n]++(?<!\s)\)\)(?!\))"
)
"""[[A page]], ((a remark))."""
_IN_BRACKET = r"[^\W\d_][^\W\d_-]{1,30}(?:[ -][^\W\d_]{1,30}){0,2}"
_IN_BRACKETS = re.compile(
    rf"""
    (?<=[\w>]\ )\[
    (?!(?:sic|an?|the|by|of|in|on|at|to|for|from|with(?:out)?|der|die|das|de[mns]|eine?[mnrs]?|vo[mn]|ohne|mit|bei
       |für|aus|auf|im|am|zu[mr]?)\b)
    (?:{_IN_BRACKET}\](?=,|-\w|\ [\w>]) | (?=[A-ZÄÖÜ]){_IN_BRACKET}\](?=[.!?;:]))
    """,
    re.VERBOSE,
)
"""Click [Save] to go on: what is on a button, not what is explained, as in "they [the children] left"."""
_EMPHASISED = re.compile(rf"(?<![^\s(\[\"'„“‚«»›‹–—-])(?P<sign>{EMPHASIS})\0+(?P=sign)(?![^\W_])")
"""What is kept, once it is blanked, with such signs around it: **{name}**."""
_EMPHASIS = re.compile(
    rf"""
    (?P<opens>(?<![^\s(\["'„“‚«»›‹*_~–—-]){EMPHASIS}(?=[("'„“‚«»›‹*_~]{{0,2}}[^\W_]))
    | (?P<closes>(?<!\s){EMPHASIS}(?![^\W_]))
    | (?P<ends_line>\n)
    """,
    re.VERBOSE,
)

ENUMERATOR = r"\((?:[a-h]|[A-H]|[ivx]{1,4}|[IVX]{1,4})\)"
"""Within a text, as in "to (i) pay and (ii) leave"."""
_ENUMERATOR = re.compile(rf"(?<=\S ){ENUMERATOR}(?= \S)")
_FIRST_ENUMERATOR = re.compile(rf"^{ENUMERATOR}(?= \S)", re.MULTILINE)
_SERIES = ({"(a)", "(b)"}, {"(A)", "(B)"}, {"(i)", "(ii)"}, {"(I)", "(II)"})

_BRACE = re.compile(r"[{}]")
_LONGEST_IN_BRACES = 500
_BEFORE_BRACE = "$%#@"
_UNIT = re.compile(r"(?:(?:px|pt|r?em|ms|[kKMGT]i?B|[kMG]?Hz|[cmk]?m|k?g)(?!\w))?")
"""Behind a brace: {width}px."""
_PROSE = re.compile(_TWO_WORDS)
_MESSAGE_FORMAT = re.compile(
    r"\{\s*+\w++\s*+,\s*+(?:(?:plural|select|selectordinal)\s*+,|choice\s*+,\s*+-?(?:[0-9.]++|∞)\s*+[#<≤])"
)
"""What has a text for each case, and so may be long."""
_FORMAT = re.compile(r"\{\s*+\w++\s*+,\s*+(?:number|date|time|spellout|ordinal|duration)\s*+[,}]")
"""{n, number}."""


def find_placeholders(text: str) -> tuple[Span, ...]:
    """Spans of `text` that no translation may change, in order; none touches another."""
    if not _is_promising(text):
        return ()
    tags = list(_tags(text))
    found = [Span(*match.span()) for match in _ANYWHERE.finditer(text)]
    spans = merge_spans([*tags, *found, *_braced(text), *_words(blank(text, tags)), *find_arguments(text)])
    signs = [*_emphasis(blank(text, spans)), *_brackets(text), *_enumerators(text)]
    if spans and any(sign in text for sign in "*_~="):
        signs += [Span(*found.span()) for found in _EMPHASISED.finditer(blank(text, spans, "\0"))]
    return merge_spans([*spans, *signs]) if signs else spans


def _is_promising(text: str) -> bool:
    return bool(_PROMISING.search(text) or (_DIGIT.search(text) and _PROMISING_DIGIT.search(text)))


def merge_spans(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The same characters in order; spans that overlap or touch have become one, empty ones are gone."""
    merged: list[Span] = []
    for span in sorted(spans, key=lambda span: span.start):
        if span.start >= span.end:
            continue
        if merged and span.start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return tuple(merged)


def _tags(text: str) -> Iterator[Span]:
    """[name attribute="value"] [name=value] [/name]; [name] only if the text has [/name]: [sic] is prose."""
    found = list(_TAG.finditer(text))
    closed = {match["closes"].casefold() for match in found if match["closes"]}
    for match in found:
        if not match["opens"] or match["opens"].casefold() in closed:
            yield Span(*match.span())


def _words(text: str) -> Iterator[Span]:
    """Addresses, paths, names of files, options, versions: what a word shows to be one once its punctuation is off."""
    for match in _WORD.finditer(text):
        word = match[0]
        if not _is_promising(word):
            continue
        start = match.start() + len(word) - len(word.lstrip(_OPENING))
        core = text[start : match.end()]
        core = _GENITIVE.sub("", _without_closing(core))
        if core and _WHOLE_WORD.fullmatch(core):
            yield Span(start, start + len(core))
            continue
        for field in _FIELD.finditer(core) if "," in core or ";" in core else ():
            if _is_promising(field[0]) and _WHOLE_WORD.fullmatch(field[0]):
                yield Span(start + field.start(), start + field.end())


def _emphasis(text: str) -> Iterator[Span]:
    """Both signs of each pair around words of one line."""
    opened: dict[str, Span] = {}
    for match in _EMPHASIS.finditer(text):
        sign = match[0]
        if match["ends_line"]:
            opened.clear()
        elif match["opens"]:
            opened[sign] = Span(*match.span())
        elif sign in opened:
            yield from (opened.pop(sign), Span(*match.span()))


def _brackets(text: str) -> Iterator[Span]:
    """Those before and after words of one line: double ones, and single ones within a sentence."""
    for match in _IN_DOUBLE_BRACKETS.finditer(text):
        yield from (Span(match.start(), match.start() + 2), Span(match.end() - 2, match.end()))
    for match in _IN_BRACKETS.finditer(text):
        yield from (Span(match.start(), match.start() + 1), Span(match.end() - 1, match.end()))


def _enumerators(text: str) -> Iterator[Span]:
    """(a) … (b) … (c): if the first two are there."""
    found = {Span(*match.span()): match[0] for match in _ENUMERATOR.finditer(text)}
    there = {*found.values(), *_FIRST_ENUMERATOR.findall(text)}
    if any(first <= there for first in _SERIES):
        yield from found


def _without_closing(word: str) -> str:
    """The word without the punctuation that ends it; a bracket that it has opened itself stays."""
    core = word.rstrip(_CLOSING)
    rest = word[len(core) :]
    if rest.startswith(")") and core.count("(") > core.count(")"):
        core += ")"
    return core


def _braced(text: str) -> Iterator[Span]:
    """{name} {{name}} ${name} {width}px {n, plural, …}: braces that pair, the outermost; not prose in braces."""
    opened: list[int] = []
    for match in _BRACE.finditer(text):
        if match[0] == "{":
            opened.append(match.start())
            continue
        if not opened:
            continue
        start, end = opened.pop(), match.end()
        is_short = end - start <= _LONGEST_IN_BRACES
        if _MESSAGE_FORMAT.match(text, start, end) or (is_short and _is_placeholder(text[start:end])):
            unit = _UNIT.match(text, end)
            yield Span(start - (start > 0 and text[start - 1] in _BEFORE_BRACE), unit.end() if unit else end)


def _is_placeholder(braced: str) -> bool:
    return not _PROSE.search(braced) or braced.startswith("{{") or bool(_FORMAT.match(braced))
