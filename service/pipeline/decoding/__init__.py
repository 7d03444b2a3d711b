"""From token ids of a sentence to those of its translation.

decoder    what the engine is asked, and in which order, for each quality
frames     from the engine's frames to token ids: collapse, and beam search
reranking  which candidate is the translation: one that is sound, without flaws, and that the other direction chooses
"""
