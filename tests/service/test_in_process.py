"""The same translator without HTTP, for programs that translate in their own process."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from model.bundle import EN_DE
from service.app import open_translator
from service.types import Quality, Request

if TYPE_CHECKING:
    import httpx

    from service.settings import Settings
    from service.types import Translated


@pytest.mark.parametrize("quality", Quality)
def test_it_translates_as_over_http(settings: Settings, client: httpx.Client, quality: Quality) -> None:
    """Concurrent calls share batches, and give what HTTP gives, in either quality."""
    texts = ["A dog runs.\n", "Two men talk.", ""]

    async def both() -> list[Translated]:
        async with open_translator(settings) as translator:
            request = Request(EN_DE, tuple(texts), quality)
            return await asyncio.gather(*(translator.translate(request, timeout_s=20) for _ in range(2)))

    response = client.post("/translate", params={"dir": "en-de", "quality": quality}, json={"text": texts})
    served = response.json()["translations"]
    for translated in asyncio.run(both()):
        assert [one.text for one in translated.translations] == [one["text"] for one in served]
