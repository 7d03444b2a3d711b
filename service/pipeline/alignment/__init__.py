"""Which words of a translation came of which words of its source, and what goes by that.

links    the links of a sentence, by the lexicon and the frames
units    words and punctuation marks, and which became which
tagging  inline markup goes to where its words are
"""
