"""Every collector of the service, in one registry of its own.

Labels take few values: directions, tasks, qualities, route templates, status codes, stages. Never text or ids.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Info,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["NONE", "Metrics"]

NONE = "none"
"""The labels `dir` and `quality` of requests that have none, or not a known one."""

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
_STAGE_SECONDS = (0.0001, 0.0005, 0.001, 0.0025, *_SECONDS)
_ITEMS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
_TOKENS = (16, 64, 256, 1024, 2048, 4096, 8192, 16_384, 32_768)


class Metrics:
    """The collectors. One instance per service, so that two services in one process do not mix."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)

        self.requests = Counter(
            "reder_requests", "Requests answered", ["route", "dir", "quality", "code"], registry=self.registry
        )
        self.request_seconds = Histogram(
            "reder_request_duration_seconds",
            "Time from the first byte of a request to the last of its answer",
            ["route", "dir", "quality", "code"],
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.rejected = Counter(
            "reder_rejected",
            "Requests not answered with success, by kind of problem",
            ["reason"],
            registry=self.registry,
        )
        self.stage_seconds = Histogram(
            "reder_stage_duration_seconds",
            "Time one request spent in one stage",
            ["stage"],
            buckets=_STAGE_SECONDS,
            registry=self.registry,
        )

        self.queue_tokens = Gauge("reder_queue_tokens", "Tokens waiting for the engine", registry=self.registry)
        self.queue_items = Gauge("reder_queue_items", "Sentences waiting for the engine", registry=self.registry)
        self.promised_tokens = Gauge(
            "reder_promised_tokens",
            "Tokens that requests under way may still queue; they count towards the limit of what may wait",
            registry=self.registry,
        )
        self.dropped_items = Counter(
            "reder_dropped_items", "Sentences whose caller left before they were run", registry=self.registry
        )

        self.batch_items = Histogram(
            "reder_batch_items", "Sentences in a batch", ["dir", "task"], buckets=_ITEMS, registry=self.registry
        )
        self.batch_padded_tokens = Histogram(
            "reder_batch_padded_tokens",
            "Tokens in a batch, padding included",
            ["dir", "task"],
            buckets=_TOKENS,
            registry=self.registry,
        )
        self.padded_tokens = Counter(
            "reder_padded_tokens", "Tokens run, padding included", ["dir", "task"], registry=self.registry
        )
        self.real_tokens = Counter(
            "reder_real_tokens", "Tokens run, without padding", ["dir", "task"], registry=self.registry
        )
        self.batch_failures = Counter("reder_batch_failures", "Batches that raised", ["kind"], registry=self.registry)
        self.batch_budget = Gauge(
            "reder_batch_budget_tokens", "Padded tokens a batch may have now", registry=self.registry
        )
        self.engine_up = Gauge(
            "reder_engine_up", "1 while the engine works, 0 when it hangs or has died", registry=self.registry
        )
        self.engine_info = Info("reder_engine", "How the network runs here", registry=self.registry)
        self.bundle_info = Info("reder_bundle", "What is served", registry=self.registry)

        self.round_trip_scores = Gauge(
            "reder_round_trip_score",
            "Scores of the last run of the canary sentences: bleu and chrf 0 to 100, rates 0 to 1",
            ["dir", "score"],
            registry=self.registry,
        )
        self.round_trip_ok = Gauge(
            "reder_round_trip_ok",
            "1 if the last run of the canary sentences was within the bundle's thresholds",
            ["dir"],
            registry=self.registry,
        )
        self.round_trip_seconds = Gauge(
            "reder_round_trip_duration_seconds", "Time the last run took", ["dir"], registry=self.registry
        )
        self.round_trip_timestamp = Gauge(
            "reder_round_trip_timestamp_seconds", "When the last run ended, as Unix time", registry=self.registry
        )
        self.round_trip_failures = Counter(
            "reder_round_trip_failures", "Runs of the canary sentences that did not end", registry=self.registry
        )

    def observe_stages(self, stage_s: Mapping[str, float]) -> None:
        """Record the seconds one request spent in each stage."""
        for stage, seconds in stage_s.items():
            self.stage_seconds.labels(stage).observe(seconds)

    def exposition(self) -> bytes:
        """The Prometheus text format."""
        return generate_latest(self.registry)
