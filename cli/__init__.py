"""The command `reder`. It may use both halves, model and service; nothing that is installed imports it.

Commands import what they need when they run: `reder --help` and `reder serve` load no torch. Each is a module of its
name, put together in main; what begins with translate_ and corpus_ are parts of `translate` and `translate-corpus`.
Shared are errors, glossary, options, recipes, settings, shares and test_sets.
"""
