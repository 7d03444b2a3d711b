"""Are the numbers of a sentence in its translation, as the other language writes them?

checking      all of it: finds what is wrong, and puts it right
differences   what is wrong: numbers that are lost, repeated, or in the place of others
repairing     what to change then
numerals      the numbers of a text and what each comes to
amounts       what stands beside a number and makes an amount of it
calendar      names of months and days, and how dates and times are written
cardinals     numbers in words
currencies    signs of currencies
dates         days and months
decimals      which of an English text are amounts, and have a comma in German
fragments     pieces of numbers that were lost, or left behind
ordinals      ordinal numbers: the twentieth of May, the 20th time
percentages   percent signs
respelling    what comes to the same, written as the language writes it
rewording     figures that were words are words again
scales        words after numbers, as million
scores        2–0, and ranges: two numbers that stay together
times_of_day  from twelve hours to twenty-four, and back
words         words that stand for numbers
"""
