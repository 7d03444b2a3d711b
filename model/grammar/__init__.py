"""Sentences constructed from a small grammar of English and German, with their translations.

A sentence is drawn once, as who does what to whom, and said in all its ways in both languages. Text that people wrote
has few of some kinds, such as questions with "have to"; here all of them are right, and as many as are wanted.

construction       pairs of them, in a file
  choice             which translation: the one that a network finds likeliest

sentences          of all kinds, by how often they are drawn
  kinds              what there are: questions, comparisons, wishes

clauses            drawn: subject, verb, objects, adverb
  manners            drawn: slowly, very slowly
  english_clauses    said in English: statement, question, infinitive
  german_clauses     said in German, in each word order
    verb_forms         of both languages
  phrases            drawn: noun phrases, pronouns and names
    noun_phrases       said in English, and in German by case
      determiners        articles, and endings after them

drawing            chance, and a lexicon
lexicon            words, and what is known of them
  reading            that, from the folder `lists`
  categories         kinds, cases, persons, traits

writing            a sentence, from ways to say it
  spellings          more of them in English: American, contracted

For example, of one clause:

drawn:    you, not, buy, a blue car, yesterday
English:  You did not buy a blue car yesterday. You didn't buy a blue car yesterday.
German:   Du kauftest gestern kein blaues Auto. Du hast gestern kein blaues Auto gekauft.
"""
