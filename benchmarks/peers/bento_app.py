"""BentoML: adaptive batching, which learns how long a batch takes and how long to wait for one.

bentoml serve benchmarks.peers.bento_app:Translation
"""

from __future__ import annotations

import bentoml

from benchmarks.peers.pipeline import Pipeline, setting

__all__ = ["Translation"]


@bentoml.service(workers=setting("WORKERS"), traffic={"timeout": 60}, logging={"access": {"enabled": False}})
class Translation:
    """One API, whose argument is a batch; a request brings a list, too, here of one text."""

    def __init__(self) -> None:
        self.pipeline = Pipeline.told()

    @bentoml.api(route="/translate", batchable=True, max_batch_size=setting("ITEMS"), max_latency_ms=setting("WAIT_MS"))
    def translate(self, texts: list[str]) -> list[str]:
        """Translate the texts of all requests in the batch."""
        return self.pipeline.translate(texts)
