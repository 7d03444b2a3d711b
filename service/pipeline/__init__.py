"""The stages a text goes through. `translator` puts them in order; no stage imports another.

fast   validation -> reading (parsing, segmentation, protection, tokenisation) -> batcher -> decoding
       -> writing (detokenisation, alignment, restoration, assembly, rendering)
good   the same; decoding is a search
best   the same, and after it once more the batcher, and reranking

The batcher has admission and planning below it, and runs whatever `work` describes.
"""

import tempfile

# A library (portalocker, for sacrebleu) asks for the folder of temporary files as soon as it is imported, and fails
# where none can be written: the disk is full, or read-only. The service writes no files; it must start there too.
try:
    tempfile.gettempdir()
except FileNotFoundError:
    tempfile.tempdir = "/"
