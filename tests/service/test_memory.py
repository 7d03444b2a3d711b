"""What the garbage collector is told."""

from __future__ import annotations

import gc
import weakref

from service.engine.memory import give_back, settle


class _Ring:
    """Refers to itself: only the collector can take it."""

    def __init__(self) -> None:
        self.itself = self


def test_what_was_loaded_is_left_in_peace_until_memory_is_given_back() -> None:
    """Garbage goes at once; what is there is passed over, even as garbage, until a bundle is released."""
    kept = _Ring()
    garbage, loaded = weakref.ref(_Ring()), weakref.ref(kept)
    try:
        settle()
        assert garbage() is None
        del kept
        gc.collect()
        assert loaded() is not None
        give_back()
        assert loaded() is None
    finally:
        gc.unfreeze()


def test_nothing_is_settled_unasked() -> None:
    """Memory is given back in a process that never settled, a test or a tool, without freezing anything."""
    give_back()
    assert gc.get_freeze_count() == 0
