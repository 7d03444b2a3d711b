"""The stages a text goes through. `translator` names them all in order; no stage imports another.

validation -> segmentation -> tokenisation -> batcher (planning, engine) -> detokenisation -> assembly
"""
