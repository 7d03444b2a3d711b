"""The same bundle behind other servers, each as its documentation recommends. See `benchmarks.batchers`.

Each is told what to do by environment variables:

    PEER_BUNDLE   folder of the bundle
    PEER_PORT     port on the loopback address
    PEER_THREADS  threads of one inference
    PEER_WORKERS  processes that each hold an engine
    PEER_ITEMS    sentences in a batch at most
    PEER_WAIT_MS  how long a batch may be waited for; for BentoML the latency that it aims at
"""
