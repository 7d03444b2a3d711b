"""One service that the client's tests share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.client.support import live_parts, live_settings
from tests.service.support import serve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from service.app import Loaded
    from service.settings import Settings


@pytest.fixture(scope="session")
def settings() -> Settings:
    """Those of the service."""
    return live_settings()


@pytest.fixture(scope="session")
def loaded() -> Loaded:
    """What it serves."""
    return live_parts()


@pytest.fixture(scope="session")
def url(settings: Settings, loaded: Loaded) -> Iterator[str]:
    """Where it is."""
    with serve(settings, loaded) as served:
        yield served.url
