"""Settings, read from the environment (``REDER_PORT=9000``) or passed by name. Frozen and cross-checked."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, Self

from pydantic import Field, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

__all__ = ["MIN_SEGMENT_TOKENS", "Settings"]

MIN_SEGMENT_TOKENS = 16
"""Any single character fits: at worst four byte tokens for each of the three characters it decomposes into."""


class Settings(BaseSettings):
    """Everything that can be set. Names of environment variables are ``REDER_`` and the name in capitals."""

    model_config = SettingsConfigDict(env_prefix="REDER_", frozen=True, extra="forbid")

    # Where
    host: str = Field("127.0.0.1", description="Address to listen on; 0.0.0.0 for every interface.")
    port: int = Field(8000, ge=0, le=65535, description="Port to listen on; 0 takes a free one.")
    bundle: Path = Field(Path("bundles/reder-small"), description="Folder of the bundle to serve.")
    verify_bundle: bool = Field(default=True, description="Check the SHA-256 of every file of the bundle at start.")

    # Engine
    provider: Literal["auto", "cpu", "cuda"] = Field(
        "auto", description="Processor: auto takes CUDA if it works; cuda refuses to start without it."
    )
    precision: Literal["auto", "fp32", "int8", "fp16"] = Field(
        "auto",
        description="Which graphs: auto takes int8 on CPU and fp16 on CUDA where the bundle has them, else fp32.",
    )
    threads: int = Field(0, ge=0, description="Threads of one inference on CPU; 0 is one per usable core.")
    engine_timeout_s: float = Field(
        30.0, gt=0, description="An engine call longer than this makes the service unready and answers 503."
    )
    golden_min_similarity: float = Field(
        0.8,
        ge=0,
        le=1,
        description="Mean similarity to the translations recorded at export, and agreement of search and scoring with "
        "greedy translation, below which the service refuses to start.",
    )

    # Batches
    max_segment_tokens: int | None = Field(
        None,
        ge=MIN_SEGMENT_TOKENS,
        description="Sentences of more tokens are split; by default as many as the model takes.",
    )
    # A CPU gains little from large batches, and a short sentence waits for them; a GPU needs them.
    batch_tokens: int = Field(1024, ge=1, description="Padded tokens in one batch at most; a GPU wants about 16384.")
    batch_items: int = Field(64, ge=1, description="Sentences in one batch at most.")
    batch_overhead_tokens: int = Field(
        8,
        ge=0,
        description="Fixed cost of running a batch, in tokens it could have computed in that time; "
        "a GPU's is about 1000.",
    )
    plan_lookahead: int = Field(256, ge=1, description="How many waiting sentences, oldest first, a plan considers.")

    # Admission
    queue_tokens: int = Field(
        65_536,
        ge=1,
        description="Tokens that may wait, quality best's scoring included; beyond it requests are answered 429.",
    )
    timeout_s: float = Field(30.0, gt=0, description="Longest time for one request; X-Timeout-Ms may ask for less.")
    max_body_bytes: int = Field(1_048_576, ge=1, description="Bytes in a request body at most.")
    max_characters: int = Field(100_000, ge=1, description="Characters in all texts of a request together, at most.")
    max_texts: int = Field(512, ge=1, description="Texts in a request at most.")
    text_threads: int = Field(2, ge=1, description="Threads that segment, tokenise, search beams and detokenise.")

    # Round trip
    canary_on_start: bool = Field(default=True, description="Run the canary sentences there and back after start.")
    canary_timeout_s: float = Field(60.0, gt=0, description="Longest time for a run of the canary sentences.")

    # Shutdown
    drain_delay_s: float = Field(
        0.0, ge=0, description="On SIGTERM keep accepting this long while unready, so that load balancers notice."
    )
    drain_timeout_s: float = Field(30.0, gt=0, description="Then finish accepted requests for at most this long.")

    # Logs
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="Least severe line logged.")
    log_format: Literal["json", "console"] = Field("json", description="JSON lines, or text for a terminal.")

    @model_validator(mode="after")
    def _agree(self) -> Self:
        """Check what one field alone cannot show."""
        if self.max_segment_tokens is not None and self.max_segment_tokens > self.batch_tokens:
            msg = f"max_segment_tokens ({self.max_segment_tokens}) exceeds batch_tokens ({self.batch_tokens})"
            raise ValueError(msg)
        if self.batch_tokens > self.queue_tokens:
            msg = f"batch_tokens ({self.batch_tokens}) exceeds queue_tokens ({self.queue_tokens}): no batch could fill"
            raise ValueError(msg)
        if self.provider == "cpu" and self.precision == "fp16":
            msg = "precision fp16 needs CUDA, and provider is cpu"
            raise ValueError(msg)
        return self
