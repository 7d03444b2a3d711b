"""Documents as people have them: each format is a module that finds the text in a document and puts it back.

    parse(format, source)     the document, its text in blocks
    document.towards(en, de)  the same document, for a translation from English to German
    document.render(blocks)   the same document around other text
    split(format, source, n)  a long document in parts that are documents

What is not text comes back byte for byte, but for the language that a document says it is in. A format knows nothing
else of translation.

registry, parts   which module reads a format, and cuts it; document is what they have in common
slots             literal text with slots for blocks, for plain, json_strings, po, srt, xliff and xml
flow              text with markup in it, for html and markdown
accelerators      "Save _As", for interface strings in json_strings, po and xliff
footnotes         raised numbers, for html and markdown

What a module is made of has its name: html_tokens, xliff_content, markdown_writing.
"""

from __future__ import annotations

from service.formats.document import BYTE_ORDER_MARK, InvalidDocument
from service.formats.parts import Part, split
from service.formats.registry import SUFFIXES, WITH_ATTRIBUTES, parse
from service.types import Document

__all__ = [
    "BYTE_ORDER_MARK",
    "SUFFIXES",
    "WITH_ATTRIBUTES",
    "Document",
    "InvalidDocument",
    "Part",
    "parse",
    "split",
]
