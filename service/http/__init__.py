"""HTTP: what callers see. A request goes from above to below, and its answer back.

listening         sockets
connections       HTTP/1.1 on them, every wait bounded
headers           what browsers may do with an answer
middleware        an id, metrics, one log line, and a last net
concurrency       whether there is room, before anything is read
authentication    who calls
limiting          how much each may have translated

translate         POST /translate, our own API
libretranslate    the API of LibreTranslate, which has the same path
deepl             that of DeepL; compat is what these two share
health, status    how the service does; admin has it changed, page and documentation are for people

context           what routes reach, and what is noted of a request
dependencies      the same, as routes ask for it
calls             a request that has texts worked on
body              reads, bounds and unpacks what was sent
forms             the texts in it, in whichever way they were sent
parameters        the query
orders            what is wanted, in the terms of the pipeline, and what comes of it
disconnect        ends work for a caller who has left

negotiation       which kind of answer is preferred
answers           our own, as JSON; schemas has what it is made of
streaming         the same, segment by segment
problems          the one table from errors to statuses; dialects says them as other APIs do
openapi           the description of all of this
"""
