"""A service that the tests of a module share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from service.observability.logging import configure_logging
from tests.client.support import live_parts, live_settings
from tests.service.support import serve

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Where it is."""
    configure_logging("error", "console")  # its log would be standard output of the commands that run in this process
    with serve(live_settings(), live_parts()) as served:
        yield served.url
