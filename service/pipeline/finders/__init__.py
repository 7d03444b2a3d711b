"""What of a sentence is not for the network to translate. Each finds one kind, and says where.

placeholders       addresses, code, markup and whatever else must stay as it is, by its form
arguments          $1 and $2 of a message, which are placeholders, too
signs              arrows, emoji, smileys and runs of signs
out_of_vocabulary  characters that the vocabulary lacks
dollars            as which prices are read, and written as what they were
quantities         units of measure, which the network reads as megabytes
names              of persons, after a title or a given name
companies          with their legal form
places             cities and regions that the network does not know
inches             27", which the network takes for a quotation mark
counterparts       abbreviations for which the other language has others
keystrokes         keys, which are called otherwise on other keyboards
time_spans         how long ago something was or how much is left, in labels and beside placeholders
quoted             what is kept and stands in quotation marks, with these
glossary           a caller's terms
full_stops         points that end an abbreviation or a term, and its sentence, too
attributions       who wrote what a mail quotes
citations          paragraphs and articles of German laws
phrases            greetings, wishes, labels and the like, whose translations are listed
letters            how these begin and end: with phrases beside names
match              what is found from names on: words, and what to write for them
"""
