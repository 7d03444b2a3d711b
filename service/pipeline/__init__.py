"""The stages a text goes through. `translator` puts them in order; a stage may use what is set in under it.

translator        all stages, in order
validation        what a caller may send
reading           from texts to what the engine is asked; phrases, which need no engine
  segmentation      sentences
  tokenisation      pieces of them that the network takes, and token ids of what it reads of each
    protection        that, in the order of its `protector`: stand-ins, and words that the network knows for others
      finders           what of a piece is not for the network to translate
      substitution      what of it the network loses, and what is read instead
      normalisation     the rest as the network's training text is written
batching          the queue before the engine
decoding          the engine's answer becomes token ids: collapse, search, reranking
writing           from token ids to translations
  detokenisation    text
  alignment         which words became which
  protection        what was kept comes back, and what these two find wrong is put right
    numbers           each as the other language writes it
    repairs           punctuation, negation and whatever else the network gets wrong
  single_words      one of the dictionary's translations
assembly          the document again, from its segments

detection         which language a text is in
roundtrip         there and back
canary            that at an interval, with the bundle's sentences
text_threads      where long texts are worked on
together          work side by side
pieces            what the network is asked about, and what is kept of that from it
conjugation       all forms of a verb from those that a dictionary lists
edits             a text and what it was edited to
lists             of words

Packages say in their own words what their modules are for. For example, into English:

a text is           Am 4.3. kauft Herr Vogel in <b>%s</b> einen Igel für 5,50 €. Viele Grüße
its sentences       Am 4.3. kauft Herr Vogel in <b>%s</b> einen Igel für 5,50 €. | Viele Grüße
the network reads   Am 4. März kauft X1 in X2 einen Tiger für 5,50 $.
and it writes       On March 4, X1 buys a tiger for $5.50 in X2.
this is restored    On March 4, Mr Vogel buys a hedgehog for €5.50 in <b>%s</b>.
and assembled       On March 4, Mr Vogel buys a hedgehog for €5.50 in <b>%s</b>. Best wishes
"""

import tempfile

# A library (portalocker, for sacrebleu) asks for the folder of temporary files as soon as it is imported, and fails
# where none can be written: the disk is full, or read-only. The service writes no files; it must start there too.
try:
    tempfile.gettempdir()
except FileNotFoundError:
    tempfile.tempdir = "/"
