"""Every collector of the service, in one registry of its own. docs/observability.md lists them.

Labels take few values: directions, tasks, qualities, route templates, status codes, stages, names of keys.
Never text or ids.
"""

from __future__ import annotations

from functools import cache
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

# Steps are finest from 10 ms to 1 s, where a sentence is answered; 30 and 60 s are the default time limits.
_SECONDS = (0.005, 0.01, 0.02, 0.035, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
_STAGE_SECONDS = (0.0001, 0.0005, 0.001, 0.0025, *_SECONDS)
_ITEMS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
_TOKENS = (16, 64, 256, 1024, 2048, 4096, 8192, 16_384, 32_768)
_RATIO = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


class Metrics:
    """The collectors. One instance per service, so that two services in one process do not mix."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        self._add_requests()
        self._add_queue()
        self._add_batches()
        self._add_engine()
        self._add_round_trip()

    def observe_stages(self, stage_s: Mapping[str, float]) -> None:
        """Record the seconds one request spent in each stage."""
        for stage, seconds in stage_s.items():
            self._stage(stage).observe(seconds)

    def forget_round_trip(self) -> None:
        """Unlearn the last run of the canary sentences: it was another bundle's."""
        for gauge in (self.round_trip_scores, self.round_trip_ok, self.round_trip_seconds):
            gauge.clear()
        self.round_trip_timestamp.set(0)

    def exposition(self) -> bytes:
        """The Prometheus text format. Call from the event loop: some figures are read from the batcher now."""
        return generate_latest(self.registry)

    # ------------------------------------------------------------------------------ the groups

    def _add_requests(self) -> None:
        by_request = "route", "dir", "quality", "code"
        self.requests = self._counter("reder_requests", "Requests answered", *by_request)
        self.request_seconds = self._histogram(
            "reder_request_duration_seconds",
            "Time from the end of a request's headers to the last byte of its answer",
            *by_request,
            buckets=_SECONDS,
        )
        self.rejected = self._counter(
            "reder_rejected", "Requests not answered with success, by kind of problem", "reason"
        )
        self.key_requests = self._counter("reder_key_requests", "Requests answered, by the name of their key", "key")
        self.key_characters = self._counter(
            "reder_key_characters", "Characters of these requests, translated or not", "key"
        )
        self.rate_limit_failures = self._counter(
            "reder_rate_limit_failures", "Requests let through because the storage of the rate limits failed"
        )
        self.stage_seconds = self._histogram(
            "reder_stage_duration_seconds", "Time one request spent in one stage", "stage", buckets=_STAGE_SECONDS
        )
        self._stage = cache(self.stage_seconds.labels)  # which each request asks for ten times

    def _add_queue(self) -> None:
        self.queue_tokens = self._gauge("reder_queue_tokens", "Tokens waiting for the engine")
        self.queue_items = self._gauge("reder_queue_items", "Sentences waiting for the engine")
        self.queue_oldest_age = self._gauge(
            "reder_queue_oldest_age_seconds",
            "How long the sentence that waits longest has waited for the engine; 0 when none waits",
        )
        self.promised_tokens = self._gauge(
            "reder_promised_tokens",
            "Tokens that requests under way may still queue, or that are searched; "
            "they count towards the limit of what may wait",
        )
        self.dropped_items = self._counter(
            "reder_dropped_items", "Sentences not run, whose caller left or whose deadline passed"
        )

    def _add_batches(self) -> None:
        by_work = "dir", "task"
        self.batch_items = self._histogram("reder_batch_items", "Sentences in a batch", *by_work, buckets=_ITEMS)
        self.batch_padded_tokens = self._histogram(
            "reder_batch_padded_tokens", "Tokens in a batch, padding included", *by_work, buckets=_TOKENS
        )
        self.batch_fill = self._histogram(
            "reder_batch_fill_ratio",
            "Tokens in a batch, padding included, as a share of what a batch may have",
            *by_work,
            buckets=_RATIO,
        )
        self.batch_seconds = self._histogram(
            "reder_batch_duration_seconds", "Time the engine took for a batch", *by_work, buckets=_STAGE_SECONDS
        )
        self.padded_tokens = self._counter("reder_padded_tokens", "Tokens run, padding included", *by_work)
        self.real_tokens = self._counter("reder_real_tokens", "Tokens run, without padding", *by_work)
        self.batch_failures = self._counter("reder_batch_failures", "Batches that raised", "kind")
        for kind in ("error", "out_of_memory"):
            self.batch_failures.labels(kind)  # 0 from the start, so that the first one is an increase
        self.batch_budget = self._gauge("reder_batch_budget_tokens", "Padded tokens a batch may have now")

    def _add_engine(self) -> None:
        self.engine_up = self._gauge(
            "reder_engine_up", "1 while the engine works, 0 when it fails on everything, hangs or has died"
        )
        self.engine_lanes = self._gauge("reder_engine_lanes", "Batches that the engine can run at the same time")
        self.engine_info = Info("reder_engine", "How the network runs here", registry=self.registry)
        self.bundle_info = Info("reder_bundle", "What is served", registry=self.registry)
        self.bundle_swaps = self._counter(
            "reder_bundle_swaps",
            "Attempts to replace the bundle: done, refused (the former one serves on), or busy with an earlier one",
            "outcome",
        )
        for outcome in ("busy", "done", "refused"):
            self.bundle_swaps.labels(outcome)

    def _add_round_trip(self) -> None:
        self.round_trip_scores = self._gauge(
            "reder_round_trip_score",
            "Scores of the last run of the canary sentences: bleu and chrf 0 to 100, rates 0 to 1",
            "dir",
            "score",
        )
        self.round_trip_ok = self._gauge(
            "reder_round_trip_ok", "1 if the last run of the canary sentences was within the bundle's thresholds", "dir"
        )
        self.round_trip_seconds = self._gauge(
            "reder_round_trip_duration_seconds", "Time the last run took, standing back for requests included", "dir"
        )
        self.round_trip_timestamp = self._gauge(
            "reder_round_trip_timestamp_seconds", "When the last run ended, as Unix time; 0 before the first"
        )
        self.round_trip_interval = self._gauge(
            "reder_round_trip_interval_seconds", "Time from the end of a run to the next; 0 where none is repeated"
        )
        self.round_trip_failures = self._counter(
            "reder_round_trip_failures", "Runs of the canary sentences that did not end"
        )
        self.round_trip_skipped = self._counter(
            "reder_round_trip_skipped", "Runs of the canary sentences given up because requests left no time for them"
        )

    def _counter(self, name: str, meaning: str, *labels: str) -> Counter:
        return Counter(name, meaning, labels, registry=self.registry)

    def _gauge(self, name: str, meaning: str, *labels: str) -> Gauge:
        return Gauge(name, meaning, labels, registry=self.registry)

    def _histogram(self, name: str, meaning: str, *labels: str, buckets: tuple[float, ...]) -> Histogram:
        return Histogram(name, meaning, labels, buckets=buckets, registry=self.registry)
