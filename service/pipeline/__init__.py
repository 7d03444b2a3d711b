"""The stages a text goes through. `translator` names them all in order; no stage imports another.

fast   validation -> segmentation -> tokenisation -> batcher -> decoding -> detokenisation -> assembly
best   ... tokenisation -> batcher -> decoding -> batcher -> reranking -> detokenisation -> assembly

The batcher has admission and planning below it, and runs whatever `work` describes.
"""
