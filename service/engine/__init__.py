"""What runs the network: the `Engine` protocol, ONNX Runtime behind it, and the start-up self-check."""

import os

# ONNX Runtime reports use to its makers unless told before it is first imported: an outgoing connection, and an
# identifier kept in the home folder. A service that is given other people's texts makes no connections of its own.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
