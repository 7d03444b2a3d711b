"""From parallel text to batches.

fetch                 public corpora
prepare               text to a packed corpus
  corpus                reading and cleaning
  language              which pairs are in the wrong language
  vocabulary            SentencePiece
  packed                token ids on disk
distillation          text by a teacher, from text
packed_distillation   the same, from a packed corpus
batches               a packed corpus to batches
"""
