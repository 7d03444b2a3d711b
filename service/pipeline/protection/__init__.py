"""What must survive is replaced before the network reads a sentence, and put back into what it writes.

On the way there:
protector           all of it, in order
stand_ins           takes out what must survive
rereading           has the rest read otherwise where the network hardly knows it: as dollars, megabytes, other words
  beginnings        words that a text begins with are read after And
  lasting           what has lasted until now is read in the present: has been waiting
  gerunds           English verbs in -ing are read in other forms: learning German is hard
  entities          HTML entities of letters and marks are read as these
  substitutes       words that the network does not know are read as others of their kind
    listed_forms      where a text has which of these words
    parts_of_speech   whether it is the verb or the noun that is listed
    verb_objects      whether an English verb has an object with which it is meant
    time_adverbials   when something is, in German, as one word
    verb_frames       what belongs to a German verb and is left out with it: a reflexive pronoun, a preposition
    listed_words      these words, and what they may be read as, with all their forms
    conjugation       all forms of a verb from those that a dictionary lists
    german_compounds  compounds that nobody listed, by their last part

And back:
restoration         puts it back, and has numbers and the rest of the translation put right
  placement           where in the translation each thing goes
  stand_in_compounds  stand-ins that make no compound: no "%d-Dateien"
  beginnings, entities, substitutes
"""
