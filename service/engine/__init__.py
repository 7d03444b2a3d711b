"""What runs the network: the `Engine` protocol, ONNX Runtime behind it, and the start-up self-check."""
