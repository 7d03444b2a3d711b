"""Measurements of a running service, its speed and its quality; nothing here is part of it.

Each command is a module of its name, `service` being service_load; what begins with a command's name is a part of it,
and so is comparison of `quality`, constrained of `glossary`, peer_server and peers of `batchers`, random_bundle and
random_transformer of `engine`, scrape of `service`, and short_runs of `ablation` and `scaling`. Shared are ceiling,
generator, in_process, multiply_adds, options, planned, report, rounds, sentences, server and workload.
"""
