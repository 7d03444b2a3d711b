"""The stages a text goes through. `translator` puts them in order; no stage imports another.

translator        all stages, in order
validation        what a caller may send
reading           parsing, segmentation, protection, tokenisation
  segmentation      sentences
  finders           what of them is not for the network to translate
  normalisation     the rest as the network's training text is written
  protection        stand-ins for what must survive, and their way back
batching          the queue before the engine
decoding          the engine's answer becomes token ids: collapse, search, reranking
writing           detokenisation, alignment, restoration
  alignment         which words became which
  numbers           are right, or put right
  single_words      one of the dictionary's translations
assembly          the document again, from its segments

detection         which language a text is in
roundtrip         there and back; canary does it at an interval, with the bundle's sentences
text_threads      where long texts are worked on
edits, lists      a text and what it was edited to; lists of words

Packages say in their own words what their modules are for.
"""
