"""A client of the translation service.

    from reder import Client

    with Client("http://127.0.0.1:8000") as client:
        print(client.translate("Good morning.", "en-de").text)
        for translation in client.translate(["Ein Hund rennt.", "It rains."], target="en"):
            print(translation.text, translation.unchanged)

`AsyncClient` is the same with `await`. Every error is a `RederError`; which there are is in `reder._errors`.
"""

from __future__ import annotations

from reder._async_client import AsyncClient, AsyncStream
from reder._client import Client, Stream
from reder._errors import (
    AuthenticationError,
    BusyError,
    ConnectionFailedError,
    DeadlineError,
    FieldProblem,
    InvalidRequestError,
    ProblemError,
    RederError,
    ServiceFailedError,
    TooLargeError,
    UnexpectedAnswerError,
)
from reder._options import Options
from reder._results import (
    Detection,
    Excerpt,
    Link,
    Readiness,
    RoundTrip,
    Segment,
    StreamedSegment,
    Translation,
)

__all__ = [
    "AsyncClient",
    "AsyncStream",
    "AuthenticationError",
    "BusyError",
    "Client",
    "ConnectionFailedError",
    "DeadlineError",
    "Detection",
    "Excerpt",
    "FieldProblem",
    "InvalidRequestError",
    "Link",
    "Options",
    "ProblemError",
    "Readiness",
    "RederError",
    "RoundTrip",
    "Segment",
    "ServiceFailedError",
    "Stream",
    "StreamedSegment",
    "TooLargeError",
    "Translation",
    "UnexpectedAnswerError",
]
