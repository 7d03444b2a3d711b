"""What routes depend on costs them no thread."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, cast

from fastapi.routing import APIRoute, iter_route_contexts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fastapi import FastAPI
    from fastapi.dependencies.models import Dependant

    from tests.service.support import Served


def called(dependant: Dependant) -> Iterator[Callable[..., Any] | None]:
    """A route's function, and all that it depends on."""
    yield dependant.call
    for one in dependant.dependencies:
        yield from called(one)


def test_nothing_that_a_route_calls_is_a_plain_function(served: Served) -> None:
    """FastAPI would run it in a thread, and the event loop would wait for that with every request."""
    routes = iter_route_contexts(cast("FastAPI", served.server.config.app).routes)
    calls = [
        (str(one.path), call)
        for one in routes
        if isinstance(one.original_route, APIRoute)
        for call in called(one.original_route.dependant)
    ]
    assert {"/translate", "/admin/bundle", "/v2/translate"} <= {path for path, _ in calls}
    plain = [one for one in calls if not (inspect.iscoroutinefunction(one[1]) or inspect.isasyncgenfunction(one[1]))]
    assert plain == []
