"""FastAPI and a lock: what one writes first. No batches; requests take turns.

python -m benchmarks.peers.lock_app
"""

from __future__ import annotations

from threading import Lock

import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel

from benchmarks.peers.pipeline import Pipeline, setting

app = FastAPI()
pipeline = Pipeline.told()
lock = Lock()


class Body(BaseModel):
    """What is sent."""

    text: str


@app.post("/translate")
def translate(body: Body) -> dict[str, str]:
    """FastAPI runs this in a thread of its own."""
    with lock:
        return {"translation": pipeline.translate([body.text])[0]}


@app.get("/health")
async def health() -> str:
    """Ready, since the module is loaded."""
    return "ok"


if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=setting("PORT"), log_level="warning", access_log=False)
