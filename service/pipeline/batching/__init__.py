"""The queue before the engine. What is in it are rows of work, which know nothing of texts.

admission  who may queue work, counted in tokens, and when a request is due
batcher    from requests to the queue, and from lanes back to requests
queue      what waits, and which of it goes next
planning   which of the rows that wait make a batch
lane       runs one batch after another, and finds the row on which the engine fails
work       what the engine can be asked: greedy, search, score
"""
