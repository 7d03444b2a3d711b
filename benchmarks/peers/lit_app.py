"""LitServe: `predict` is given what came while it waited, up to a number.

python -m benchmarks.peers.lit_app
"""

from __future__ import annotations

from typing import Any

import litserve

from benchmarks.peers.pipeline import Pipeline, setting

__all__ = ["Translation"]


class Translation(litserve.LitAPI):
    """Texts in lists are batched by LitServe as they are."""

    def setup(self, device: str) -> None:  # noqa: ARG002 - the CPU is the only one
        """Once in each worker."""
        self.pipeline = Pipeline.told()

    def decode_request(self, request: dict[str, str]) -> str:
        """The text."""
        return request["text"]

    def batch(self, inputs: list[str]) -> list[str]:
        """The pipeline pads by itself."""
        return inputs

    def predict(self, x: list[str]) -> list[str]:
        """One batch."""
        return self.pipeline.translate(x)

    def unbatch(self, output: list[str]) -> list[str]:
        """They are apart already."""
        return output

    def encode_response(self, output: str) -> dict[str, Any]:
        """The answer."""
        return {"translation": output}


if __name__ == "__main__":
    api = Translation(max_batch_size=setting("ITEMS"), batch_timeout=setting("WAIT_MS") / 1000, api_path="/translate")
    # fast_queue: what LitServe recommends for hundreds of requests a second
    server = litserve.LitServer(
        api, accelerator="cpu", workers_per_device=setting("WORKERS"), timeout=60, fast_queue=True
    )
    server.run(host="127.0.0.1", port=setting("PORT"), generate_client_file=False, log_level="warning")
