"""Training, evaluation and export of reversible translation models.

Only :mod:`model.bundle` is imported by the service. Of the rest, preparing text, counting n-grams and scoring do
without torch; networks need it, from the `train` extra. The commands are in `cli`; `recipes/README.md` is the run book.

config            recipes: every setting of a run, and what it does
data              from parallel text to batches, as people or as a teacher wrote it
grammar           parallel text that nobody wrote: sentences constructed in both languages

architecture      which networks there are, and what each is trained on and translates with
  reder             REDER, whole
    reversible        its layers, and the end of a language; their way back, in training
  baselines         autoregressive ones: teachers, and what to compare with

train             the loop
  objective         the loss of a direction of a batch: all terms, with the weights of the recipe
    losses            CTC, cross-entropy
    ctc_alignment     for agreement, the best alignment of the target
    bigram_matching   bigrams in any order
    minimum_risk      what the search finds
    sentence_scores   and how good that is
    sparse_softmax    what all of them take of the logits
  retention         what the network has learned before stays
  optim             optimisers, schedule
    muon              Muon on a GPU
  averaging         running mean of the weights
  distributed       several processes
  precision         bfloat16 where a device multiplies it, float32 elsewhere
  meter             clock, progress, curves
checkpoint        weights, and whatever else resuming needs, in files

decode            search and reranking, by one of the next two
  tasks             the network in torch
  onnx_runner       a bundle's graphs
evaluate          BLEU and chrF

export            from weights to a bundle
  graphs            ONNX
  quantise          its int8 variant
  model_card        the card
ngrams            language models
  words             words that exist
dictionary        which word becomes which
shortlist         which token becomes which
word_alignment    for both
word_pairs        which candidate of a search is right, by pairs of words
descriptions      what was made of what
folders           written whole or not at all
processes         that work for another, and end with it
bundle            what the service reads: the format, and whatever both halves compute
"""

import os

# As in `service.engine`: ONNX Runtime, which export and evaluation use too, is to report nothing to its makers.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
