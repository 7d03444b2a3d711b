r"""What other flavours of Markdown have and CommonMark lacks, as rules for its parser, so that it comes back as it is.

Within lines: links to pages of a wiki (`[[Page|text]]`), attributes after links and code (`[text](url){: .class }`),
addresses with tags of templates (`[text]({{ site.url }}/a)`), tags of components (`<Tab @click="a" b={c}>`), and
formulas whose backslashes CommonMark would read (`$\{x\}$`, `\(x^2\)`).
As blocks: tabs and admonitions of MkDocs, footnotes and definitions, whose indented text is no code; code between tags
of templates; and the imports and exports of MDX.
"""

from __future__ import annotations

import re
from functools import wraps
from types import ModuleType
from typing import TYPE_CHECKING

from markdown_it import helpers
from markdown_it.rules_block import reference

if TYPE_CHECKING:
    from collections.abc import Callable

    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline

__all__ = ["ATTRIBUTES", "FOOTNOTE", "SPAN", "add_block_rules", "add_inline_rules", "with_attributes"]

SPAN = "span"
"""What a token's `meta` calls its place in the content of its block."""

ATTRIBUTES = r"\{:?[ ]*(?:[#.][\w:-]|[\w-]+=)[^{}\n]*\}"
"""Of an element, as a pattern: `{#name .class key="value"}`."""

_TEMPLATE = r"\{\{[^{}\n]{0,300}\}\}|\{%[^%\n]{0,300}%\}"
_TEMPLATED = re.compile(rf"(?=[^\s()<>]{{0,100}}?(?:\{{\{{|\{{%))(?:{_TEMPLATE}|[^\s(){{]|\{{)++(?=[\s)])")
_ATTRIBUTES = re.compile(ATTRIBUTES)
_WIKI_LINK = re.compile(r"!?\[\[(?![\s\]])([^\[\]|\n]{1,200})(?:\|([^\[\]\n]{1,200}))?\]\](?![(\[])")
_COMPONENT = re.compile(
    r"""
    </?[A-Za-z][\w.:-]*+
    (?: \s++ (?: [@:\#*(\[]?[A-Za-z][\w.:@()\[\]-]*+ (?: = (?: "[^"]*" | '[^']*'
      | \{ (?: [^{}] | \{ (?: [^{}] | \{[^{}]*\} )*+ \} )*+ \} | [^\s"'{}<>=`]++ ) )?+ | \{\.{3}[^{}]*\} ) )*+
    \s*+ /?>
    """,
    re.VERBOSE,
)
_FORMULA = re.compile(
    r"\$\$[^$\n]{1,600}\$\$ | \$(?![\s$])[^$\n]{1,300}(?<!\s)\$(?!\d)"
    r"| \\\([^\n]{1,300}?\\\) | \\\[[\s\S]{1,600}?\\\]",
    re.VERBOSE,
)
_ESCAPED_SIGN = re.compile(r"\\[^\w\s]")
_COMMAND = re.compile(r"(?<!\\)\\[A-Za-z]")
_OPERATOR = re.compile(r"(?<!\\)[\^_=+<>]")
_EQUATION = re.compile(r"(?<!\\)=")
_TWO_WORDS = re.compile(r"[^\W\d_]{2,} +[^\W\d_]{2,}")

_INDENTED = re.compile(r"(?:!!!|\?\?\?\+?|===[!+]?) +\S.*")
FOOTNOTE = re.compile(r"\[\^[^\[\]\s]+\]")
"""Its mark: [^1]."""
_NOTE = re.compile(rf"^(?:{FOOTNOTE.pattern}:|:[ \t])", re.MULTILINE)
_TAGGED_CODE = re.compile(r"\{(?:%-?|\{[<%]) *(highlight|mermaid|katex)\b[^\n]*")
_IMPORT = re.compile(r"""import(?:\s*['"{*]|\s+\w+\s*(?:,\s*\{[^}]*\}\s*)?from\s*['"])""")
_EXPORT = re.compile(
    r"""
    export\s+ (?: \{ | \* | default\s+(?: [({] | \w+;?$ ) | (?:const|let|var)\s+(?: [{\[] | \w+\s*[:=] )
      | (?:default\s+)?(?: (?:async\s+)?function\b[\s*]*\w*\s*\( | class\s+(?:\w+\s*)?(?: \{ | extends\s ) ) )
    """,
    re.VERBOSE,
)
_MOST_LINES = 100
"""Of a statement of MDX after its first blank line."""


def add_inline_rules(parser: MarkdownIt, noting: Callable[..., Callable[[StateInline, bool], bool]]) -> None:
    """Have the parser read what stands within lines; `noting` is what its other rules are wrapped in."""
    reading = _Helpers("helpers")
    reading.__dict__.update(vars(helpers) | {"parseLinkDestination": _destination})
    parser.helpers = reading
    rules = parser.inline.ruler
    rules.before("escape", "formula", noting("formula", _formula))
    rules.before("link", "wiki_link", _wiki_link)
    rules.after("html_inline", "component", noting("component", _component))


def add_block_rules(parser: MarkdownIt) -> None:
    """Have the parser read blocks."""
    rules = parser.block.ruler
    rules.at("reference", _reference)
    rules.before("code", "indented", _indented)
    rules.before("code", "continuation", _continuation)
    rules.before("fence", "tagged_code", _tagged_code, {"alt": ["paragraph", "reference", "blockquote", "list"]})
    rules.before("fence", "statement", _statement)


def with_attributes(rule: Callable[[StateInline, bool], bool]) -> Callable[[StateInline, bool], bool]:
    """A rule for links, pictures or code that takes attributes behind them for a part of them.

    Not behind a reference, whose name may have to be written before them.
    """

    @wraps(rule)
    def reading(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - the parser's own signature
        if not rule(state, silent):
            return False
        if state.src[state.pos - 1] in ")`" and (found := _ATTRIBUTES.match(state.src, state.pos, state.posMax)):
            state.pos = found.end()
        return True

    return reading


class _Helpers(ModuleType):
    """What the parser's rules call; it is a module there."""


def _destination(text: str, start: int, end: int) -> object:
    result = helpers.parseLinkDestination(text, start, end)
    if found := _TEMPLATED.match(text, start, end):
        result.ok, result.pos, result.str = True, found.end(), found[0]
    return result


def _formula(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - the parser's own signature
    found = _FORMULA.match(state.src, state.pos, state.posMax)
    return found is not None and _is_formula(found[0]) and _push(state, found, "code_inline", silent=silent)


def _is_formula(written: str) -> bool:
    """Whether it is one that CommonMark would read otherwise, and no prose."""
    if written.startswith("$"):
        is_prose = _TWO_WORDS.search(written) and not _COMMAND.search(written)
        return not is_prose and _ESCAPED_SIGN.search(written) is not None
    inner, sign = written[2:-2], _OPERATOR if written[1] == "(" else _EQUATION
    return bool(_COMMAND.search(inner) or (sign.search(inner) and not _TWO_WORDS.search(inner)))


def _component(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - the parser's own signature
    found = _COMPONENT.match(state.src, state.pos, state.posMax)
    return found is not None and _push(state, found, "html_inline", silent=silent)


def _wiki_link(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - the parser's own signature
    start, most = state.pos, state.posMax
    found = _WIKI_LINK.match(state.src, start, most)
    if found is None or found[1].upper() in state.env.get("references", ()):
        return False
    if found[2] is None or found[0].startswith("!"):
        kind = "html_inline" if found[0].startswith("!") else "code_inline"
        _push(state, found, kind, silent=silent)
        if not silent:
            state.tokens[-1].meta[SPAN] = found.span()
        return True
    if not silent:
        state.push("link_open", "a", 1).meta[SPAN] = (start, found.start(2))
        state.pos, state.posMax = found.span(2)
        state.md.inline.tokenize(state)
        state.push("link_close", "a", -1).meta[SPAN] = (found.end(2), found.end())
        state.posMax = most
    state.pos = found.end()
    return True


def _push(state: StateInline, found: re.Match[str], kind: str, *, silent: bool) -> bool:
    if not silent:
        state.push(kind, "", 0).content = found[1] if found.lastindex and kind == "code_inline" else found[0]
    state.pos = found.end()
    return True


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]]


def _reference(state: StateBlock, first: int, most: int, silent: bool) -> bool:  # noqa: FBT001 - as above
    """A footnote of one word is no address."""
    return not _NOTE.match(_line(state, first)) and reference(state, first, most, silent)


def _indented(state: StateBlock, first: int, most: int, silent: bool) -> bool:  # noqa: FBT001 - as above
    """A title, and text indented below it."""
    if silent or state.is_code_block(first) or not _INDENTED.match(_line(state, first)):
        return False
    return _read_indented(state, first, first + 1, most)


def _continuation(state: StateBlock, first: int, most: int, silent: bool) -> bool:  # noqa: FBT001 - as above
    """More paragraphs of a footnote or a definition."""
    before = state.tokens[-2:]
    if silent or not state.is_code_block(first) or [one.type for one in before] != ["inline", "paragraph_close"]:
        return False
    return _NOTE.search(before[0].content) is not None and _read_indented(state, first, first, most)


def _read_indented(state: StateBlock, first: int, start: int, most: int) -> bool:
    """Read the lines from `start` on that are indented, for a block that begins at `first`; none if there are none."""
    inner = state.blkIndent + 4
    following = end = start
    while following < most and (state.isEmpty(following) or state.sCount[following] >= inner):
        following += 1
        if not state.isEmpty(following - 1):
            end = following
    if end == start:
        return False
    state.push("indented_open", "", 1).map = [first, end]
    line_max, state.lineMax = state.lineMax, end
    indent, state.blkIndent = state.blkIndent, inner
    state.md.block.tokenize(state, start, end)
    state.lineMax, state.blkIndent, state.line = line_max, indent, end
    state.push("indented_close", "", -1)
    return True


def _tagged_code(state: StateBlock, first: int, most: int, silent: bool) -> bool:  # noqa: FBT001 - as above
    opening = _TAGGED_CODE.fullmatch(_line(state, first))
    if opening is None:
        return False
    unclosed: set[tuple[str, int]] = state.env.setdefault("unclosed", set())  # not looked for again and again
    if (opening[1], most) in unclosed:
        return False
    closing = re.compile(rf"\{{(?:%-? *end|\{{[<%] */ *){opening[1]}\b")
    end = next((line for line in range(first + 1, most) if closing.match(_line(state, line))), None)
    if end is None:
        unclosed.add((opening[1], most))
        return False
    return silent or _keep(state, first, end + 1)


def _statement(state: StateBlock, first: int, most: int, silent: bool) -> bool:  # noqa: FBT001 - as above
    """Up to a blank line, but for such as are within its brackets, if these close; in lists and quotations are none."""
    line = _line(state, first)
    if silent or state.level or state.sCount[first] or not (_IMPORT.match(line) or _EXPORT.match(line)):
        return False
    depth, end, blank = 0, first, most
    for number in range(first, most):
        if number > blank + _MOST_LINES or (depth <= 0 and state.isEmpty(number)):
            break
        if state.isEmpty(number):
            blank = min(blank, number)
        else:
            line = _line(state, number)
            depth += sum(map(line.count, "([{")) - sum(map(line.count, ")]}"))
            end = number + 1
    return _keep(state, first, end if depth <= 0 else min(end, blank))


def _keep(state: StateBlock, first: int, end: int) -> bool:
    state.push("kept", "", 0).map = [first, end]
    state.line = end
    return True
