"""What is known of HTML's elements and attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from service.formats.html_tokens import Attribute

__all__ = [
    "BLOCKS",
    "KEPT",
    "SEEN",
    "VOID",
    "is_closed_by",
    "is_text",
    "is_translated",
]

_VOID = "area base br col embed hr img input link meta param source track wbr"
_BLOCKS = """
    address article aside audio blockquote body br button canvas caption center col colgroup dd details dialog dir
    div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html
    label legend li main menu nav noscript object ol optgroup option p pre search section select summary table tbody td
    template tfoot th thead title tr ul video
"""
_NOT_AFTER_P = "audio br button canvas label legend noscript object option optgroup select title video"

VOID = frozenset(_VOID.split())
"""Elements without an end tag."""
BLOCKS = frozenset(_BLOCKS.split())
"""Elements that end a run of text. All others, unknown ones too, are within it."""
SEEN = frozenset({"embed", "iframe", "img", "input", "math", "svg", "textarea"})
"""Elements without text that take up room in the line."""
KEPT = frozenset({"code", "ignore", "kbd", "samp", "tt", "var"})
"""Elements whose text is never translated."""

_TEXT_ATTRIBUTES = frozenset({"alt", "aria-description", "aria-label", "label", "placeholder", "title"})
_DESCRIPTIONS = frozenset({"description", "og:description", "og:title", "twitter:description", "twitter:title"})
"""Kinds of `meta` whose content people read."""
_BUTTONS = frozenset({"button", "reset", "submit"})
"""Kinds of `input` whose value people read."""

_CELLS = frozenset({"td", "th"})
_ROWS = _CELLS | {"tr"}
_GROUPS = _ROWS | {"tbody", "tfoot", "thead"}
_CLOSED_BY: dict[str, frozenset[str]] = {
    "dd": frozenset({"dd", "dt"}),
    "dt": frozenset({"dd", "dt"}),
    "li": frozenset({"li"}),
    "optgroup": frozenset({"optgroup", "option"}),
    "option": frozenset({"option"}),
    "tbody": _GROUPS,
    "td": _CELLS,
    "tfoot": _GROUPS,
    "th": _CELLS,
    "thead": _GROUPS,
    "tr": _ROWS,
}
_CLOSES_P = BLOCKS - frozenset(_NOT_AFTER_P.split())


def is_closed_by(element: str, start_tag: str) -> bool:
    """Whether a start tag ends an element whose end tag may be left out."""
    return element in _CLOSED_BY.get(start_tag, ()) or (element == "p" and start_tag in _CLOSES_P)


def is_translated(name: str, attributes: Mapping[str, Attribute], *, around: bool) -> bool:
    """Whether the text of an element is, if that `around` it is or is not."""
    if name == "pre":
        return False
    if translate := attributes.get("translate"):
        value = translate.value.strip().lower()
        if value in {"", "yes", "no"}:
            return value != "no"
    if (classes := attributes.get("class")) and "notranslate" in classes.value.split():
        return False
    return around and name not in KEPT


def is_text(name: str, attribute: Attribute, attributes: Mapping[str, Attribute]) -> bool:
    """Whether people read what an attribute of an element says."""
    if attribute.name in _TEXT_ATTRIBUTES:
        return name not in {"link", "script", "style"}
    if name == "input" and attribute.name == "value":
        kind = attributes.get("type")
        return kind is not None and kind.value.lower() in _BUTTONS
    if name == "meta" and attribute.name == "content":
        described = attributes.get("name") or attributes.get("property")
        return described is not None and described.value.lower() in _DESCRIPTIONS
    return False
