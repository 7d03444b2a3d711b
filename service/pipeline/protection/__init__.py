"""What must survive is replaced before the network reads a sentence, and put back into what it writes.

stand_ins    takes out what must survive
restoration  puts it back, and puts numbers, punctuation marks and articles right
punctuation  quotation marks, brackets, final points
articles     "a" and "an"
"""
