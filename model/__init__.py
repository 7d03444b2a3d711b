"""Training, evaluation and export of reversible translation models.

Only :mod:`model.bundle` is imported by the service; everything else needs the `train` extra.
"""
