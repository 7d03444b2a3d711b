"""Markdown of CommonMark and other flavours, read by markdown-it, every piece of inline markup with its place.

The parser tells on which lines a block is, but not where in them a link or an emphasis begins: its inline rules are
wrapped here to note that.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, wraps
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt

from service.formats.markdown_flavours import SPAN, add_block_rules, add_inline_rules, with_attributes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

__all__ = ["Mark", "markdown", "marks_of", "visible_text"]

_NOTED = (
    "newline",
    "escape",
    "backticks",
    "strikethrough",
    "emphasis",
    "link",
    "image",
    "autolink",
    "html_inline",
    "entity",
)
_WITH_ATTRIBUTES = frozenset({"backticks", "image", "link"})
_DELIMITERS = frozenset({"strikethrough", "emphasis"})
_VISIBLE = frozenset({"text", "text_special", "code_inline", "softbreak"})


@dataclass(frozen=True, slots=True)
class Mark:
    """Markup at `start` to `end` of a block's content. `text` is what is read there, if anything is."""

    start: int
    end: int
    type: str
    text: str
    token: Token


@cache
def markdown() -> MarkdownIt:
    """The parser. Once it is here it holds no state: threads may share it."""
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"]).disable(["fragments_join", "text_join"])
    rules = parser.inline.ruler
    for rule in list(rules.__rules__):
        if rule.name in _NOTED:
            found = with_attributes(rule.fn) if rule.name in _WITH_ATTRIBUTES else rule.fn
            rules.at(rule.name, _noting(rule.name, found))
    add_inline_rules(parser, _noting)
    add_block_rules(parser)
    # It puts its rules in order when they are first used, and has none for another thread that comes meanwhile.
    parser.parse("*text*")
    return parser


def marks_of(tokens: Sequence[Token]) -> list[Mark]:
    """The markup among the tokens of one block's content, in order; between it is text."""
    marks = []
    for token in tokens:
        span = token.meta.get(SPAN)
        if span is None or token.type == "text":
            continue
        start, end = span
        if token.type == "strong_open":  # its other character is a token of its own, before it
            start -= 1
        elif token.type == "strong_close":
            end += 1
        marks.append(Mark(start, end, token.type, _text_of(token), token))
    return sorted(marks, key=lambda mark: mark.start)


def visible_text(tokens: Sequence[Token]) -> str:
    """What is read of the tokens of a heading, or of the text of a picture: all but markup."""
    return "".join(" " if token.type == "softbreak" else token.content for token in tokens if token.type in _VISIBLE)


def _text_of(token: Token) -> str:
    if token.type == "softbreak":
        return " "
    if token.type == "autolink":
        return str(token.meta["text"])
    return token.content if token.type in {"text_special", "code_inline"} else ""


def _noting(name: str, rule: Callable[[StateInline, bool], bool]) -> Callable[[StateInline, bool], bool]:
    @wraps(rule)
    def noting(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - the parser's own signature
        start, before = state.pos, len(state.tokens)
        if not rule(state, silent):
            return False
        if not silent:
            _note(name, state, state.tokens[before:], start)
        return True

    return noting


def _note(name: str, state: StateInline, tokens: list[Token], start: int) -> None:
    """Write its place onto each token that a rule has made. Text that waited may be the first of them."""
    end = state.pos
    if name in _DELIMITERS:
        place = end
        for token in reversed(tokens):
            if place <= start:
                break
            token.meta[SPAN] = (place - len(token.content), place)
            place -= len(token.content)
    elif name == "link":
        opening = next(token for token in tokens if token.type == "link_open")
        label_end = state.md.helpers.parseLinkLabel(state, start, True)  # noqa: FBT003 - its signature
        opening.meta[SPAN] = (start, start + 1)
        tokens[-1].meta[SPAN] = (label_end, end)
    elif name == "autolink":
        made: list[Token] = tokens[-3:]
        made[0].type = "autolink"
        made[0].meta |= {SPAN: (start, end), "text": made[1].content}
    elif tokens and tokens[-1].type != "text":
        tokens[-1].meta[SPAN] = (start, end)
