"""Bodies of requests and answers. Descriptions and examples appear in the OpenAPI document."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from service.pipeline.canary import RoundTripStatus
from service.types import Quality

__all__ = [
    "ONE_OR_SEVERAL",
    "REFERENCE",
    "BundleReplaced",
    "BundleRequest",
    "CanaryReport",
    "DetectedLanguage",
    "DirectionReport",
    "EngineCondition",
    "FieldProblem",
    "Frozen",
    "GlossaryTerm",
    "Index",
    "Liveness",
    "MissedThresholds",
    "Problem",
    "Readiness",
    "Reasons",
    "Segment",
    "SegmentEvent",
    "SegmentText",
    "TextRoundTrip",
    "TextTranslation",
    "Thresholds",
    "TranslateRequest",
    "TranslateResponse",
    "TranslatedText",
    "as_list",
    "reference",
]

REFERENCE = "#/components/schemas/{model}"
"""Where the OpenAPI document has the schema of a model."""

ONE_OR_SEVERAL = WithJsonSchema(
    {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1}]}
)
"""What OpenAPI says of texts that `as_list` reads."""

_TOLD = 20
"""So many wrong texts of a request are told of: a body has room for half a million."""


def reference(model: type[BaseModel]) -> dict[str, str]:
    """The schema of a model, in the OpenAPI document."""
    return {"$ref": REFERENCE.format(model=model.__name__)}


def as_list(value: Any, *, told: int = _TOLD) -> Any:  # noqa: ANN401 - whatever JSON holds
    """One text is a list of one, so that there is one path for both, and one place in error messages.

    After so many that are no texts the list is cut.
    """
    if isinstance(value, str):
        return [value]
    if isinstance(value, list):
        wrong = [place for place, text in enumerate(value) if not isinstance(text, str)]
        return value[: wrong[told - 1] + 1] if len(wrong) >= told else value
    kind, message = "text_type", "must be a string or a list of strings"
    raise PydanticCustomError(kind, message)


def _as_terms(value: Any) -> Any:  # noqa: ANN401 - whatever JSON holds
    """Others have glossaries as objects, or as pairs: whoever sends one is told what a term looks like here."""
    if isinstance(value, list) and all(isinstance(term, dict | GlossaryTerm) for term in value):
        return value
    kind, message = "terms_type", 'must be a list of terms, each written {"source": "…", "target": "…"}'
    raise PydanticCustomError(kind, message)


def _not_blank(value: str) -> str:
    if value.isspace():
        kind, message = "blank_term", "must be more than white space"
        raise PydanticCustomError(kind, message)
    return value


class Frozen(BaseModel):
    """A part of an answer or of a request."""

    model_config = ConfigDict(frozen=True)


Reasons = Annotated[list[str], Field(description="Why it is unready; empty when ready.")]
EngineCondition = Annotated[str, Field(description="running, failing, hung, dead or stopped.")]
MissedThresholds = Annotated[list[str], Field(description="Thresholds that were missed.")]


_MAX_TERMS = 256
_TermText = Annotated[
    str,
    Field(min_length=1, max_length=128, pattern=r"^[^\x00-\x1f\x7f-\x9f]*$"),
    AfterValidator(_not_blank),
]


class GlossaryTerm(Frozen):
    """Wherever `source` stands in a text, the translation has exactly `target`."""

    model_config = ConfigDict(extra="forbid", strict=True)

    source: _TermText
    target: _TermText


class TranslateRequest(Frozen):
    """What to translate."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"examples": [{"text": "The dog runs."}, {"text": ["Good morning.", "Two men talk."]}]},
    )

    text: Annotated[
        list[str],
        BeforeValidator(as_list),
        ONE_OR_SEVERAL,
    ] = Field(min_length=1, description="One text, or several. White space and line breaks between sentences survive.")
    glossary: Annotated[list[GlossaryTerm], BeforeValidator(_as_terms)] = Field(
        default=[], max_length=_MAX_TERMS, description="Terms that are to be translated in one way only."
    )


class TranslatedText(Frozen):
    """One translation."""

    text: str
    confidence: float = Field(
        ge=0,
        le=1,
        description="Probability of what was found, as a geometric mean over the network's frames: of the likeliest "
        "path with quality fast, of the chosen candidate otherwise. Averaged over sentences by their tokens. "
        "1 where nothing was to translate, 0 where the model found no words.",
    )


class DetectedLanguage(Frozen):
    """The language a text seems to be in."""

    language: str = Field(examples=["en"])
    confidence: float = Field(
        ge=0,
        le=1,
        description="0.5 is undecided between the two; about 0 is a third language, or nothing to go by.",
    )


class SegmentText(Frozen):
    """One side of a segment."""

    text: str
    start: int | None = Field(
        description="Where it begins in the whole text, in code points. Null for other formats than `text`, whose "
        "markup lies in between."
    )
    end: int | None = Field(description="Where it ends, likewise; exclusive.")


class Segment(Frozen):
    """How one sentence, or a part of a long one, was translated."""

    source: SegmentText
    target: SegmentText
    confidence: float = Field(ge=0, le=1)
    reverse_score: float | None = Field(
        None,
        ge=0,
        le=1,
        description="How well the model gets from the translation back to the source: the geometric mean of the "
        "probabilities of the source's tokens. Null where nothing was translated.",
    )
    flags: list[str] = Field(
        [],
        description="What to look at: `weak` (a low reverse score), `number`, `term` or `kept` (one may be wrong), "
        "`negation` (it may say the opposite), `spelling` (words were taken for misspelt), `dictionary` (a word that "
        "the dictionary has put in the place of the network's).",
    )
    alignment: list[tuple[int, int, int, int]] = Field(
        [],
        description="Which words became which: start and end in the source's text, start and end in the target's, in "
        "code points of these two texts.",
    )
    alternatives: list[str] = Field([], description="Other translations, the likelier first, if they were asked for.")


class SegmentEvent(Segment):
    """One segment, as soon as it and those before it in its direction are translated."""

    text: int = Field(description="Which text of the request, counted from 0.")
    index: int = Field(description="Which segment of that text, counted from 0.")


class TextTranslation(TranslatedText):
    """One translation, with what was asked for; what was not is left out."""

    dir: str | None = Field(
        None, description="With dir=auto: which way this text went; null if it went nowhere.", examples=["en-de"]
    )
    detected: DetectedLanguage | None = Field(None, description="With dir=auto.")
    unchanged: bool | None = Field(
        None,
        description="With dir=auto: whether the text is returned as it came, being in the target language already.",
    )
    segments: list[Segment] | None = Field(None, description="With details=true.")


class TranslateResponse(Frozen):
    """Translations, one per text, in order."""

    dir: str = Field(description="As it was asked for.", examples=["en-de"])
    quality: Quality
    translations: list[TextTranslation]


class Thresholds(Frozen):
    """What the bundle requires of a round trip."""

    min_chrf: float
    max_copy_rate: float


class DirectionReport(Frozen):
    """The canary sentences of one language, there and back."""

    status: Literal["ok", "degraded"]
    failures: MissedThresholds
    bleu: float = Field(description="sacreBLEU of the reconstruction, 0 to 100.")
    chrf: float = Field(description="chrF of the reconstruction, 0 to 100.")
    exact_match: float = Field(description="Share of sentences reconstructed exactly.")
    copy_rate: float = Field(description="Share of middle texts that repeat their input, case and punctuation aside.")
    count: int = Field(description="Sentences.")
    duration_s: float
    thresholds: Thresholds


class CanaryReport(Frozen):
    """The canary sentences there and back, by direction of the first hop."""

    status: Literal["ok", "degraded"]
    directions: dict[str, DirectionReport]
    finished_at: datetime


class TextRoundTrip(Frozen):
    """One text there and back."""

    dir: str
    source: str
    translation: TranslatedText
    reconstruction: TranslatedText
    chrf: float = Field(description="chrF of the reconstruction against the source, 0 to 100.")
    copied: bool = Field(description="Whether the translation merely repeats the source, case and punctuation aside.")


class Liveness(Frozen):
    """Whether the process should be left running."""

    status: Literal["alive", "dead"]


class Readiness(Frozen):
    """Whether requests should be sent here."""

    status: Literal["ready", "unready"]
    reasons: Reasons
    bundle: str = Field(description="Name of the bundle that is loaded.")
    warm: bool = Field(description="Always true: no bundle serves before its engine has been checked and warmed up.")
    engine: EngineCondition
    worker_alive: bool = Field(description="Whether the task runs that takes batches from the queue to the engine.")
    draining: bool = Field(description="Whether the service is shutting down.")
    round_trip: RoundTripStatus = Field(
        description="The last run of the canary sentences. Neither degraded nor failed makes the service unready: they "
        "are warnings to people."
    )
    round_trip_age_s: float | None = Field(description="Seconds since that run ended; null while it is pending.")


class BundleRequest(Frozen):
    """Which bundle to serve from now on."""

    model_config = ConfigDict(extra="forbid", strict=True, json_schema_extra={"examples": [{}, {"path": "reder-2"}]})

    path: str | None = Field(
        None,
        min_length=1,
        description="Its folder, in `bundle_root` if relative. Left out: the configured one, read anew.",
    )


class BundleReplaced(Frozen):
    """What has taken over from what."""

    bundle: str
    manifest: str = Field(description="The beginning of the SHA-256 of its manifest, as in `reder_bundle_info`.")
    former: str = Field(description="It still finishes the requests it has.")
    former_manifest: str
    duration_s: float = Field(description="Seconds for loading and checking.")


class Index(Frozen):
    """What this service is."""

    name: str
    version: str
    bundle: str
    directions: list[str]
    max_characters: int = Field(description="In all texts of a request together.")
    links: dict[str, str]


class FieldProblem(Frozen):
    """One thing wrong with one part of the request."""

    location: str = Field(examples=["body.text.3"])
    detail: str


class Problem(Frozen):
    """Every error, as RFC 9457 has it."""

    type: str = Field(description="Identifies the kind of problem; stable.", examples=["urn:reder:problem:too-large"])
    title: str
    status: int
    detail: str
    request_id: str
    errors: list[FieldProblem] | None = Field(None, description="Each part of the request that is wrong, if any.")
