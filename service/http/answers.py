"""What became of texts, as our own API tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from service.http.schemas import SegmentEvent, TextTranslation, TranslatedText, TranslateResponse
from service.types import Format

if TYPE_CHECKING:
    from collections.abc import Sequence

    from service.http.orders import Order, Outcome
    from service.types import SegmentReport, Span, Translation

__all__ = ["segment_event", "translate_response", "translated_text"]

_RATE_DIGITS = 4


def translate_response(name: str, order: Order, outcomes: Sequence[Outcome]) -> TranslateResponse:
    """The answer to an order; `name` is the direction it asked for. Fields that were not asked for are not set."""
    translations = [_text_translation(order, outcome) for outcome in outcomes]
    return TranslateResponse(dir=name, quality=order.quality, translations=translations)


def segment_event(order: Order, text: int, index: int, report: SegmentReport) -> SegmentEvent:
    """A segment before the rest is done; its details only if the order asks for them."""
    return SegmentEvent.model_validate({"text": text, "index": index, **_segment(order, report)})


def translated_text(translation: Translation) -> TranslatedText:
    """A translation, and nothing more."""
    return TranslatedText(text=translation.text, confidence=_rounded(translation.confidence))


def _text_translation(order: Order, outcome: Outcome) -> TextTranslation:
    translation, found = outcome.translation, outcome.detection
    told: dict[str, Any] = {"text": translation.text, "confidence": _rounded(translation.confidence)}
    if found is not None:
        told["dir"] = None if outcome.direction is None else str(outcome.direction)
        told["detected"] = {"language": found.language, "confidence": _rounded(found.confidence)}
        told["unchanged"] = outcome.direction is None
    if order.details:
        told["segments"] = [_segment(order, report) for report in translation.segments]
    return TextTranslation.model_validate(told)


def _segment(order: Order, report: SegmentReport) -> dict[str, Any]:
    told: dict[str, Any] = {
        "source": _side(order, report.source, report.source_span),
        "target": _side(order, report.target, report.target_span),
        "confidence": _rounded(report.confidence),
    }
    if order.details:
        score = report.reverse_score
        told["reverse_score"] = None if score is None else _rounded(score)
        told["flags"] = report.flags
        told["alignment"] = [(*_ends(link.source), *_ends(link.target)) for link in report.links]
    if order.alternatives:
        told["alternatives"] = report.alternatives
    return told


def _side(order: Order, text: str, span: Span) -> dict[str, Any]:
    start, end = _ends(span) if order.format is Format.TEXT else (None, None)
    return {"text": text, "start": start, "end": end}


def _ends(span: Span) -> tuple[int, int]:
    return span.start, span.end


def _rounded(rate: float) -> float:
    return round(rate, _RATE_DIGITS)
