"""Relatives of REDER: models to teach it, and to compare it with.

dual     the network, one for both directions
beam     search, scores and dual inference
greedy   whole corpora on a GPU
"""
