"""What concerns every test."""

from __future__ import annotations

import logging
import os
import signal
from typing import TYPE_CHECKING

import pytest
import structlog
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from collections.abc import Iterator


# before NumPy and PyTorch are loaded: at these sizes more threads are slower, and several tests run at a time
os.environ["OMP_NUM_THREADS"] = "1"

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # a shell's background job ignores Ctrl-C, and so would every process that a test starts to interrupt it
    signal.signal(signal.SIGINT, signal.default_int_handler)

# services that run beside a test would log among what a command prints there; pytest shows these records of a failure
structlog.configure(logger_factory=structlog.stdlib.LoggerFactory())

# a busy machine is no failure
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


@pytest.fixture(autouse=True, scope="module")
def logging_as_it_was() -> Iterator[None]:
    """What a command sets up for a whole process lasts for one module of tests."""
    root, configured = logging.getLogger(), structlog.get_config()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.configure(**configured)
