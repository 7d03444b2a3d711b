"""Constructions that the network gets wrong are read as others of the same language that it gets right.

So *I was sent the wrong item* is read as *I received the wrong item*, and *mir wurde das Handy gestohlen* as *mein
Handy wurde gestohlen*. What is words in a row, whatever is around them, is in `lists/expressions.tsv`.

english       those of English
german        those of German
construction  what each is: a pattern, and what is read for it
"""
