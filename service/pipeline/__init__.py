"""The stages a text goes through. `translator` puts them in order; a stage may use what is set in under it.

translator        all stages, in order
validation        what a caller may send
reading           from texts to what the engine is asked
  segmentation      sentences
  finders           what of them is not for the network to translate
  protection        stand-ins for that, and for whatever else must survive; and their way back
  normalisation     the rest as the network's training text is written
  tokenisation      token ids, in pieces that the network takes
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
edits             a text and what it was edited to
lists             of words

Packages say in their own words what their modules are for. For example, into English:

a text is           Herr Vogel zahlt am 4.3. 5,50 € für <b>%s</b>. Viele Grüße
its sentences       Herr Vogel zahlt am 4.3. 5,50 € für <b>%s</b>. | Viele Grüße
the network reads   X1 zahlt am 4. März 5,50 $ für X2.
and it writes       X1 pays 5.50 for X2 on 4 March.
this is restored    Mr Vogel pays €5.50 for <b>%s</b> on 4 March.
and assembled       Mr Vogel pays €5.50 for <b>%s</b> on 4 March. Best wishes
"""

import tempfile

# A library (portalocker, for sacrebleu) asks for the folder of temporary files as soon as it is imported, and fails
# where none can be written: the disk is full, or read-only. The service writes no files; it must start there too.
try:
    tempfile.gettempdir()
except FileNotFoundError:
    tempfile.tempdir = "/"
