"""Words and constructions that the network loses are read as others that it knows, and become what was meant again.

substitutes         words are read as others of their kind, and back
  listed_forms        where a text has which of these words
  parts_of_speech     whether it is the verb or the noun that is listed
  verb_objects        whether an English verb has an object with which it is meant
  verb_frames         what belongs to a German verb and is left out with it: a reflexive pronoun, a preposition
  time_adverbials     when something is, in German, as one word
  german_compounds    compounds that nobody listed, by their last part
  listed_words        the words of the lists, what each is read as, and all forms of both
beginnings          words that a text begins with are read after And, which goes again
lasting             what has lasted until now is read in the present: has been ill
existence           what is somewhere, in German, is read as what there is: im Kühlschrank ist noch Milch
subjects            sentences of chats are read with the subject that they leave out: Hope you like it
told                what somebody is told to do is read as what he should
gerunds             English verbs in -ing are read in other forms: learning German is hard
causatives          what somebody has done by others is read with let: I had my car repaired
pleasing            what pleases somebody, in German, is read as what he likes: der Film hat mir gefallen
lower_bounds        from how much on something is, in German, is read as over so much: ab 12 €
order               an object or leider that stands where the network loses it, in German, is read elsewhere
things              er and sie for a thing, in German, are read as es
constructions       all others, each a pattern and what is read for it
"""
