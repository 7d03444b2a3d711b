"""What routes depend on costs them no thread."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

from tests.service.support import routes

if TYPE_CHECKING:
    from tests.service.support import Served


def test_nothing_that_a_route_calls_is_a_plain_function(served: Served) -> None:
    """FastAPI would run it in a thread, and the event loop would wait for that with every request."""
    calls = [(path, call) for path, several in routes(served) for call in several]
    assert {"/translate", "/admin/bundle", "/v2/translate"} <= {path for path, _ in calls}
    plain = [one for one in calls if not (inspect.iscoroutinefunction(one[1]) or inspect.isasyncgenfunction(one[1]))]
    assert plain == []
