"""The stages a text goes through. `translator` names them all in order; no stage imports another.

fast   validation -> segmentation -> tokenisation -> batcher -> decoding -> detokenisation -> assembly
best   ... tokenisation -> batcher -> decoding -> batcher -> reranking -> detokenisation -> assembly

The batcher has admission and planning below it, and runs whatever `work` describes.
"""

import tempfile

# A library (portalocker, for sacrebleu) asks for the folder of temporary files as soon as it is imported, and fails
# where none can be written: the disk is full, or read-only. The service writes no files; it must start there too.
try:
    tempfile.gettempdir()
except FileNotFoundError:
    tempfile.tempdir = "/"
