"""What must survive is replaced before the network reads a sentence, and put back into what it writes.

stand_ins     takes out what must survive
rereading     what of the rest is read otherwise: dollars, megabytes, plain words and known ones
entities      HTML entities of letters and marks, which are read as these
substitutes   words that the network does not know are read as others of their kind
listed_forms  where a text has which of these
listed_words  words that the network does not know, and what they may be read as, with all their forms
german_compounds  compounds that nobody listed
conjugation   all forms of a verb from those that a dictionary lists
restoration   puts it back, and has numbers and the rest of the translation put right
placement     where in the translation each thing goes
compounds     stand-ins that make no compound: no "%d-Dateien"
"""
