"""The queue before the engine. What is in it are rows of work, which know nothing of texts.

admission  who may queue work, counted in tokens
batcher    the queue, and the tasks that empty it
planning   which rows make the next batch
lane       runs one batch after another, and finds the row on which the engine fails
work       what the engine can be asked: greedy, search, score
"""
