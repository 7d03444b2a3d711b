"""A real service on the bundle of this repository (or of REDER_BUNDLE), over HTTP."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from service.app import Loaded, load
from service.settings import Settings
from tests.service.support import BUNDLE, Reached, Served, connected, serve

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx


@pytest.fixture(scope="module", autouse=True)  # no longer: others have tests of this variable
def no_proxy() -> Iterator[None]:
    """Clients that take proxies from the environment reach the service without one."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("NO_PROXY", "*")
        yield


@pytest.fixture(scope="session")
def settings() -> Settings:
    """Fp32, the precision of the golden examples: it is their graphs that tests damage, renumber and replace.

    What a request asks of the engine is counted, held up and broken: by default one pass, of which nothing else comes.
    """
    return Settings(
        bundle=BUNDLE, precision="fp32", threads=1, quality="fast", canary_on_start=False, canary_interval_s=0
    )


@pytest.fixture(scope="session")
def loaded(settings: Settings) -> Loaded:
    """The bundle, checked, and a warm engine."""
    return load(settings)


@pytest.fixture(scope="session")
def served(settings: Settings, loaded: Loaded) -> Iterator[Served]:
    """One service that most tests share; none may break it."""
    with serve(settings, loaded) as served:
        yield served


@pytest.fixture(scope="session")
def service(request: pytest.FixtureRequest) -> Iterator[Reached]:
    """What tests that only call a service call: the one that runs at SERVICE_URL, or else the shared one."""
    url = os.environ.get("SERVICE_URL")
    if url is None:
        yield request.getfixturevalue("served")
        return
    with connected(url) as client:
        yield Reached(client=client)


@pytest.fixture(scope="session")
def client(service: Reached) -> httpx.Client:
    """A client of that service."""
    return service.client
