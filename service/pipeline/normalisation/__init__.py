"""Text is read as the network's training text is written; what it is given remains as it is.

normaliser        all of it, in order
abbreviations     are written out
end_marks         are given to sentences that lack one
expressions       that are not their words become plain ones
  ages              died at 82, Mitte vierzig
gender            forms for more than one gender become one
misspellings      become what was meant
number_words      are read in figures
orthography       capitals, umlauts written as vowels, quotes and apostrophes as typed
prices            have words for bn and k, and no dashes for cents
time_expressions  dates, times of day and seconds are written out, in order
  dates             with names of months
  times_of_day      in figures, with minutes
likelihood        which of several words fits, by the language model
"""
