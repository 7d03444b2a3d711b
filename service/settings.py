"""Settings, read from the environment (``REDER_PORT=9000``) or passed by name. Frozen and cross-checked.

``python -m service.settings`` prints docs/configuration.md, which lists them all.
"""

from __future__ import annotations

import re
import sys
from difflib import get_close_matches
from ipaddress import ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

import limits
from pydantic import DirectoryPath, Field, field_validator, model_validator
from pydantic_settings import BaseSettings, EnvSettingsSource, PydanticBaseSettingsSource, SettingsConfigDict

from service.keys import Keyring

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pydantic import ValidationError, ValidationInfo

__all__ = ["MIN_SEGMENT_TOKENS", "PipelineSettings", "Settings", "listed", "unknown_variables", "what_is_wrong"]

MIN_SEGMENT_TOKENS = 16
"""Any single character fits: at worst four byte tokens for each of the three characters it decomposes into."""


_PREFIX = "REDER_"
_FOREIGN = re.compile(r"REDER_(API_KEY|SERVICE_.*|PORT_.*)")
"""Variables that are not ours: the client's key, and what Kubernetes sets where a Service is named reder."""
_LEAVE_OUT = "leave the setting out if none is meant"
_ORIGIN = re.compile(r"\*|https?://[^/\s*]+")
_OF_THE_PIPELINE = frozenset(
    {
        *("bundle", "verify_bundle", "provider", "precision", "runtime", "instructions", "threads"),
        *("engine_timeout_s", "golden_min_similarity"),
        *("max_segment_tokens", "batch_tokens", "batch_items", "batch_overhead_tokens", "plan_lookahead"),
        *("quality", "queue_tokens", "queue_s", "text_threads"),
    }
)
"""Settings that count without HTTP, too."""
_STORAGE = re.compile(r"memory://|rediss?://[^/?\s]+:\d+(/\d*)?(\?\S*)?")


def listed(text: str | None) -> list[str]:
    """The entries of a setting that holds several, separated by commas."""
    return [entry.strip() for entry in (text or "").split(",") if entry.strip()]


def unknown_variables(names: Iterable[str]) -> dict[str, str | None]:
    """Environment variables that look like settings but are none, and the setting that was probably meant."""
    known = [name.upper() for name in Settings.model_fields]
    unknown = {name: name.upper() for name in names if name.upper().startswith(_PREFIX)}
    alike = {
        name: next(iter(get_close_matches(upper.removeprefix(_PREFIX), known, n=1)), None)
        for name, upper in unknown.items()
        if upper.removeprefix(_PREFIX) not in known and not _FOREIGN.fullmatch(upper)
    }
    return {name: meant and f"{_PREFIX}{meant}" for name, meant in alike.items()}


class Settings(BaseSettings):
    """Everything that can be set. Names of environment variables are ``REDER_`` and the name in capitals."""

    model_config = SettingsConfigDict(env_prefix=_PREFIX, frozen=True, extra="forbid", allow_inf_nan=False)

    # Where
    host: str = Field("127.0.0.1", min_length=1, description="Address to listen on; 0.0.0.0 for every interface.")
    port: int = Field(8000, ge=0, le=65535, description="Port to listen on; 0 takes a free one.")
    bundle: Path = Field(Path("bundles/reder-medium"), description="Folder of the bundle to serve.")
    verify_bundle: bool = Field(
        default=True,
        description="Check the SHA-256 of every file of the bundle at start; when it is replaced, they always are.",
    )
    bundle_root: DirectoryPath | None = Field(
        None,
        description="Folder in which a bundle must lie that POST /admin/bundle names; by default the one that the "
        "configured bundle lies in, or, if that is /, the bundle's own folder.",
    )
    swap_timeout_s: float = Field(
        300.0, gt=0, description="Longest time for loading and checking a bundle that is to replace the one served."
    )

    # Engine
    provider: Literal["auto", "cpu", "cuda"] = Field(
        "auto", description="Processor: auto takes CUDA if it works; cuda refuses to start without it."
    )
    precision: Literal["auto", "fp32", "int8", "fp16"] = Field(
        "auto",
        description="Which graphs: auto takes int8 on CPU and fp16 on CUDA where the bundle has them, else fp32.",
    )
    runtime: Literal["auto", "native", "onnxruntime"] = Field(
        "auto",
        description="What runs the network: auto takes native, which is faster, for int8 on CPU if the processor has "
        "one of the instructions below and the bundle the scales, else ONNX Runtime; native refuses to start where it "
        "cannot be.",
    )
    instructions: Literal["auto", "amx", "avx512-vnni", "avx-vnni", "avx2", "neon-i8mm", "neon-dotprod"] = Field(
        "auto",
        description="What native runs the network with: auto takes the first that the processor has of amx, "
        "avx512-vnni, avx-vnni and avx2, on Arm of neon-i8mm and neon-dotprod. All but amx compute the same, to the "
        "bit; with it a few frames in a hundred come out otherwise, which counts if replicas on several kinds of "
        "processors are to agree. Where one is demanded and cannot be, the service refuses to start.",
    )
    threads: int = Field(
        0, ge=0, le=1024, description="Cores that inference uses on CPU; 0 is all it may, or has the time of."
    )
    engine_timeout_s: float = Field(
        30.0,
        gt=0,
        description="An engine call longer than this makes the service unready and answers 503. One that fails on "
        "everything for so long is given up.",
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
    # The defaults of the next four are in service.pipeline.batching.planning.
    batch_tokens: int | None = Field(
        None,
        ge=1,
        description="Padded tokens in one batch at most; by default 512 on a CPU, where each core takes batches for "
        "itself, and 16384 on a GPU; never more than may wait. The C runtime, which does not pad, takes at most 128.",
    )
    batch_items: int | None = Field(
        None,
        ge=1,
        description="Sentences in one batch at most; by default 32 on a CPU and 512 on a GPU.",
    )
    batch_overhead_tokens: int | None = Field(
        None,
        ge=0,
        description="What a batch costs besides its tokens, in tokens that could have been computed in that time; "
        "by default 16 on a CPU and 1000 on a GPU.",
    )
    plan_lookahead: int | None = Field(
        None,
        ge=1,
        description="How many waiting sentences, of those that are due first, a plan considers; by default four full "
        "batches of them, at most 1024.",
    )

    # Translations
    quality: Literal["fast", "good", "best"] = Field(
        "good",
        description="Quality of requests that name none. `good` makes better translations than `fast` for a third more "
        "work, with AMX three fifths; `best` takes three times the work of `fast`.",
    )

    # Admission
    queue_tokens: int = Field(
        65_536,
        ge=1,
        description="Tokens that may wait, quality best's scoring included; beyond it requests are answered 429.",
    )
    queue_s: float = Field(
        5.0,
        gt=0,
        description="Longest queue a new request may find, in seconds at the engine's measured speed, without what is "
        "due later than the request; beyond it requests are answered 429.",
    )
    timeout_s: float = Field(30.0, gt=0, description="Longest time for one request; X-Timeout-Ms may ask for less.")
    max_body_bytes: int = Field(1_048_576, ge=1, description="Bytes in a request body at most.")
    max_characters: int = Field(100_000, ge=1, description="Characters in all texts of a request together, at most.")
    max_texts: int = Field(512, ge=1, description="Texts in a request at most.")
    max_requests: int = Field(
        500,
        ge=1,
        description="Requests under way at once, at most; further ones are answered 429, but for probes. Twice as many "
        "connections may be open; then those that rest are closed, the longest first.",
    )
    client_timeout_s: float = Field(
        20.0,
        gt=0,
        description="Longest wait for a client to send the header of a request, or to take an answer; then its "
        "connection is closed.",
    )
    keep_alive_s: int = Field(
        75,
        ge=1,
        description="Seconds that a connection may rest between two requests. Longer than load balancers keep one, or "
        "they might send a request while it is being closed.",
    )
    text_threads: int = Field(
        2, ge=1, le=1024, description="Threads that search beams, and work on texts that are not short."
    )

    # Access; docs/security.md has the whole picture
    api_keys: str | None = Field(
        None,
        repr=False,
        description="Keys that may use the service, as lines name:sha256hex that `reder key` prints, separated by "
        "commas or line breaks; without any key, here or in the file, it is open to all, and an empty list is refused.",
    )
    api_keys_file: Path | None = Field(None, description="File of such lines, read at start; both sources count.")
    admin_keys: str | None = Field(
        None,
        repr=False,
        description="Keys for what is under /admin, in the same form; without any, nobody may use that.",
    )
    admin_keys_file: Path | None = Field(None, description="File of such lines, read at start; both sources count.")
    rate_limit_per_key: str | None = Field(
        None,
        description="Characters that the holders of a key may have translated, such as 100000/minute, or several "
        "limits separated by semicolons; quality best and details count as often as the network reads a text.",
    )
    rate_limit_per_address: str | None = Field(
        None, description="The same for each client address, with or without a key; an IPv6 address stands for its /64."
    )
    rate_limit_storage: str = Field(
        "memory://",
        repr=False,
        description="Where rate limits are counted: in this process, or, for several replicas together, in Redis "
        "(redis://HOST:PORT/0; rediss:// is encrypted).",
    )
    trusted_proxies: str | None = Field(
        None,
        description="Addresses and networks of the proxies whose X-Forwarded-For is believed, separated by commas; "
        "without any, the client is who opened the connection.",
    )
    cors_origins: str | None = Field(
        None,
        description="Web pages that may call the service from a browser, by origin (https://app.example), separated "
        "by commas; * is every page.",
    )

    # Round trip
    canary_on_start: bool = Field(
        default=True, description="Run the canary sentences there and back after start, and after a bundle is replaced."
    )
    canary_interval_s: float = Field(
        300.0,
        ge=0,
        description="Time from the end of a run to the next, which stands back for requests; 0 is none but the first.",
    )
    canary_timeout_s: float = Field(
        60.0,
        gt=0,
        description="Longest run of the canary sentences; a caller of /roundtrip restarts the clock. If requests leave "
        "no time for it, it is skipped.",
    )

    # Shutdown
    drain_delay_s: float = Field(
        0.0, ge=0, description="On SIGTERM keep accepting this long while unready, so that load balancers notice."
    )
    drain_timeout_s: float = Field(30.0, gt=0, description="Then finish accepted requests for at most this long.")

    # Logs and traces
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="Least severe line logged: debug, info, warning or error."
    )
    log_format: Literal["json", "console"] = Field(
        "json", description="JSON lines (json), or text for a terminal (console)."
    )
    otlp_endpoint: str | None = Field(
        None,
        description="Where OpenTelemetry traces go, such as http://collector:4318; none or empty writes none. "
        "Needs the extra otel.",
    )

    @field_validator("port", mode="before")
    @classmethod
    def _number(cls, value: object) -> object:
        """Name the cause of the one wrong port that nobody set."""
        if isinstance(value, str) and "://" in value:
            msg = (
                "an address, not a number. Kubernetes sets REDER_PORT to one where a Service is named reder: "
                "put enableServiceLinks: false into the pod's spec"
            )
            raise ValueError(msg)
        return value

    @field_validator("bundle", "bundle_root", mode="before")
    @classmethod
    def _is_named(cls, value: object, info: ValidationInfo) -> object:
        """An empty path is none: it would be the working directory."""
        empty = isinstance(value, str) and not value.strip()
        return cls.model_fields[info.field_name or ""].default if empty else value

    @field_validator("api_keys_file", "admin_keys_file", mode="before")
    @classmethod
    def _is_file(cls, value: object) -> object:
        """Refuse what would leave the service open although somebody meant to close it."""
        if isinstance(value, str) and not value.strip():
            msg = f"it is empty; {_LEAVE_OUT}"
            raise ValueError(msg)
        return value

    @field_validator("api_keys", "admin_keys")
    @classmethod
    def _are_keys(cls, value: str | None) -> str | None:
        """Likewise; a secret that was not filled in is empty."""
        if value is not None and not Keyring.parse(value):
            msg = f"no key is in it; {_LEAVE_OUT}"
            raise ValueError(msg)
        return value

    @field_validator("rate_limit_per_key", "rate_limit_per_address")
    @classmethod
    def _are_limits(cls, value: str | None) -> str | None:
        try:
            amounts = [limit.amount for limit in limits.parse_many(value)] if value else []
        except ValueError:
            amounts = [0]
        if 0 in amounts:
            msg = "a limit reads like 100000/minute, several like 5000/second; 1000000/day"
            raise ValueError(msg)
        return value

    @field_validator("rate_limit_storage")
    @classmethod
    def _is_storage(cls, value: str) -> str:
        if not _STORAGE.fullmatch(value):
            msg = "must be memory://, redis://HOST:PORT/NUMBER or rediss://HOST:PORT/NUMBER"
            raise ValueError(msg)
        return value

    @field_validator("trusted_proxies")
    @classmethod
    def _are_networks(cls, value: str | None) -> str | None:
        for network in listed(value):
            ip_network(network)
        return value

    @field_validator("cors_origins")
    @classmethod
    def _are_origins(cls, value: str | None) -> str | None:
        if not all(map(_ORIGIN.fullmatch, listed(value))):
            msg = "an origin reads like https://app.example or http://localhost:3000, without a path"
            raise ValueError(msg)
        return value

    @model_validator(mode="after")
    def _agree(self) -> Self:
        """Check what one field alone cannot show."""
        if self.batch_tokens and (self.max_segment_tokens or 0) > self.batch_tokens:
            msg = f"max_segment_tokens ({self.max_segment_tokens}) exceeds batch_tokens ({self.batch_tokens})"
            raise ValueError(msg)
        if (self.batch_tokens or 0) > self.queue_tokens:
            msg = f"batch_tokens ({self.batch_tokens}) exceeds queue_tokens ({self.queue_tokens}): no batch could fill"
            raise ValueError(msg)
        if self.provider == "cpu" and self.precision == "fp16":
            msg = "precision fp16 needs CUDA, and provider is cpu"
            raise ValueError(msg)
        if self.rate_limit_per_key and not (self.api_keys or self.api_keys_file):
            msg = "rate_limit_per_key needs keys: set api_keys or api_keys_file"
            raise ValueError(msg)
        if self.otlp_endpoint and not self.otlp_endpoint.startswith(("http://", "https://")):
            msg = "otlp_endpoint must begin with http:// or https://: traces go over OTLP/HTTP"
            raise ValueError(msg)
        return self


class PipelineSettings(Settings):
    """The settings of a pipeline without HTTP: what only a service uses is not read from the environment."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - reads all
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - there is none
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - same
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """What was passed by name, and then the environment."""
        return init_settings, _PipelineEnvironment(settings_cls)


class _PipelineEnvironment(EnvSettingsSource):
    def __call__(self) -> dict[str, Any]:
        return {name: value for name, value in super().__call__().items() if name in _OF_THE_PIPELINE}


def what_is_wrong(error: ValidationError) -> str:
    """Every setting that is not as it must be, and why, in one line."""
    found = (f"{_named(one['loc'])}: {one['msg'].removeprefix('Value error, ')}" for one in error.errors())
    return f"settings are wrong: {'; '.join(found)}"


def _named(place: tuple[int | str, ...]) -> str:
    """What the setting is called where it is made: REDER_THREADS."""
    return _PREFIX + ".".join(map(str, place)).upper() if place else "together"


def _reference() -> str:
    """docs/configuration.md."""
    lines = [
        "# Configuration",
        "",
        "Every setting of the service is an environment variable. `python -m service.settings` prints this file: to",
        "change it, change `service/settings.py` and run `make docs`.",
        "",
        "`ORT_DISABLE_TELEMETRY` is ONNX Runtime's own. The service sets it to `1` unless it is set already, so that",
        "the library reports nothing to its makers. The log warns of a variable that begins with `REDER_` and is no",
        "setting.",
        "",
        "| variable | default | meaning |",
        "|---|---|---|",
    ]
    for name, field in Settings.model_fields.items():
        value = field.get_default(call_default_factory=True, validated_data={})
        text = str(value).lower() if isinstance(value, bool) else str(value)
        default = "none" if value is None else f"`{text}`"
        lines.append(f"| `REDER_{name.upper()}` | {default} | {field.description} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(_reference())
