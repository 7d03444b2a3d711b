"""Kinds of sentences, each a function that draws one and says it in both languages.

statements         of one clause, of two
questions          whether, who, what, which, how
indirect_questions do you know when he reads
directions         where the nearest pharmacy is
imperatives        please, do not, let us
offers             could you read, may I, would you like to
tenses             had read, would read, used to read
wishes             I wish I had, if I were you, if I had read
infinitives        to read, without reading; wants her to read
relative_clauses   who reads
coordination       my brother and I, either the book or the lamp
preferences        prefers tea to coffee, would rather read
passives           was read

predicates         is old, is a teacher, is in the house
attitudes          is proud of him
impressions        looks tired, feels better
weather            is raining, is getting dark
  states             what these have in common
possession         has a book; the man's book
belonging          is mine, a friend of mine
bodies             my back hurts, breaks her arm
supplies           has no milk left
spans              turned ninety, took two hours, was two hours late
comparisons        older than
  degrees            very, much
consequences       too heavy to carry; the more, the better

groups             everyone, all of us
things             something new, nothing to eat
attributes         the key to the house
amounts            a cup of coffee
departures         the train to Berlin leaves at six
times              at six, two years ago, all night
places             in Italy, to Berlin, near Munich
"""
