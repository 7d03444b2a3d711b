"""Training, evaluation and export of reversible translation models.

Only :mod:`model.bundle` is imported by the service. Of the rest, preparing text, counting n-grams and scoring do
without torch; networks need it, from the `train` extra.
"""

import os

# As in `service.engine`: ONNX Runtime, which export and evaluation use too, is to report nothing to its makers.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
