"""What must survive is replaced before the network reads a sentence, and put back into what it writes.

stand_ins    takes out what must survive
restoration  puts it back, and puts numbers and punctuation marks right
punctuation  quotation marks, brackets and final points
"""
