"""The command `reder`. It may use both halves, model and service; nothing that is installed imports it.

Commands import what they need when they run: `reder --help` and `reder serve` load no torch.
"""
