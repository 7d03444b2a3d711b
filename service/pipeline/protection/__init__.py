"""What must survive is replaced before the network reads a sentence, and put back into what it writes.

stand_ins    takes out what must survive
entities     HTML entities of letters and marks, which are read as these
restoration  puts it back, and has all below, and the numbers, put right
compounds    stand-ins that make no compound: no "%d-Dateien"
punctuation  quotation marks, brackets, final points
articles     "a" and "an"
negation     whether the translation still denies what the sentence does
copies       words that were merely copied
slips        other slips of the network
"""
