"""Tags of templates in HTML, as their engines write them: {{ name }}, {% if … %}, <% … %>, @if (…) {.

An engine has put something in their place before a browser gets to see the page.
"""

from __future__ import annotations

import re

from service.formats.html_tokens import SCRIPTLET

__all__ = ["BRANCH", "OPENS_TAG", "STATEMENT", "TEMPLATE_TAG", "TEMPLATE_TAGS", "WRITES"]

TEMPLATE_TAG = re.compile(
    rf"{SCRIPTLET}"  # it goes before what it is in
    r"""
    | \{\{(?:[^{}<]|<(?!%)|\{(?!\{)|\}(?!\}))*+\}\}\}?+                 # {{ … }} {{{ … }}}
    | \{%(?:[^{%<]|<(?!%)|\{(?!%)|%(?!\}))*+%\}                         # {% … %}
    | \{\#(?:[^{\#<]|<(?!%)|\{(?!\#)|\#(?!\}))*+\#\}                   # {# … #}
    | \{(?:[\#:/@][a-z]++|(?:if|else|elseif|foreach|foreachelse)\b)[^{}<>]*+\}  # {#if …} {@html …} {/if} {else}
    | </?[\#@][A-Za-z](?:[^<>"']|"[^"]*+"|'[^']*+')*+>                  # <#if …>
    | (?<![\w@])@(?:case|defer|else\ ?if|for|foreach|forelse|if|isset|switch|unless|while)\ ?  # @if (…) {
      \((?:[^()<]|<(?!%)|\((?:[^()<]|<(?!%)){0,200}\)){0,300}\)(?:\ ?\{)?+
    | (?<![\w@])@(?:default|else|empty|error|loading|placeholder)\ ?\{
    """,
    re.VERBOSE,
)
"""What an engine reads as it stands, before there are any character references."""
TEMPLATE_TAGS = re.compile(f"(?:{TEMPLATE_TAG.pattern})++", re.VERBOSE)
"""Several that touch are one."""
OPENS_TAG = re.compile(r"\{[{%]|<%")
"""How one begins, whether it ends or not."""
STATEMENT = re.compile(
    r"""
    \{\{[~-]?\s*+ (?: [#/^] | else\b | end\s*-?\} | (?:block|define|if|range|with)\s+[\w."$(] )
    | \{%[-+~]?\s*+ (?: assign|autoescape|block|capture|case|elif|else|elseif|elsif|empty|end\w+|extends|filter|for
      |foreach|if\w*|load|macro|plural|set|spaceless|switch|trans\s*-?%|blocktrans\w*|unless|when|with ) (?![\w(.|])
    | \{(?: [\#/](?:await|block|capture|each|for|foreach|function|if|key|section|snippet|strip|while)
      | :(?:catch|else|then) | else|foreach|if )\b | </?\# | </?@(?![^<>]*/>) | <%(?![=\#-]) | @
    | <\?(?:php)?\s+(?:case|else|elseif|end\w+|for|foreach|if|switch|while)\b
    """,
    re.VERBOSE,
)
"""What begins a tag that says when, or how often, the text after it is there."""
BRANCH = re.compile(r"\b(?:case|el(?:se|s?if)|when)")
"""What is in a tag after which there is another text instead, as `else` is."""
WRITES = ("<?=", "<?php echo ")
"""How PHP begins that writes text into the page."""
