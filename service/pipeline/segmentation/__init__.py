"""Where sentences end, and lines that belong together. Nothing is lost: gaps and sentences are the text.

sentences  a text in sentences, and a sentence too long for the network in parts
layout     what is set apart within a line
edges      what stands before and after a sentence
joints     points that end no sentence
wrapping   lines wrapped at some width are one paragraph, and are wrapped again afterwards
"""
