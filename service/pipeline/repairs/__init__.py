"""What the network gets wrong and the sentence shows to be wrong is put right; numbers have a package of their own.

address         whom German text speaks to: not *du* after a command with *Sie*
agreement       German articles and nouns that do not go together
articles        "a" and "an"
auxiliaries     German auxiliaries: the perfect with *sein*, the passive
capitals        how it begins, and names with a capital within
copies          words that were merely copied
doubled         words that follow themselves, and adverbs that a clause has twice
flaws           what is no German or English: it cannot be put right, but another candidate may be without
halves          am, pm, or neither: in which half of the day English times are
lost_past       whether German tells of the past where English does: other candidates may
lost_verbs      whether it has a verb: other candidates may
lost_words      whether the translation has what plain words of the sentence say: other candidates may have it
lower_bounds    German prices, times and dates from which on something is: ab 12 €
negation        whether the translation still denies what the sentence does: it cannot be put right, but is told of
nonwords        words that do not exist
pairs           quotation marks and brackets
perfect         what has been so for some time: how long have you lived here
punctuation     these, final points, and other marks
quoted_words    single words in quotation marks or brackets of which a piece was written
repetitions     what a German translation says at both of the places where it may stand
slips           two words in one, a mark or a space too many
  listed_slips  those that a pattern finds
verb_forms      English verbs after others: did not respond, has announced
vocabulary      which words a language has, for `nonwords`
"""
