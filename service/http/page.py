"""The pages for people: one that translates, one that shows how the service does, and the files that they need.

All of them lie in service/page and are served from memory. They load nothing from elsewhere, and their policy allows
nothing else: no inline script or style, no other origin, no frame around them.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from importlib import resources

from fastapi import APIRouter, Request
from fastapi.responses import Response

from model.bundle import DIRECTIONS
from service.http.dependencies import Leased
from service.http.negotiation import preferred
from service.http.schemas import Index

__all__ = ["PATHS", "router"]

_FOLDER = resources.files("service") / "page"
_PAGES = ("index.html", "status.html")
_ASSETS = (
    *("base.css", "icon.svg", "marks.js", "memory.js", "plot.js", "service.js", "status.css", "status.js"),
    *("text.js", "translate.css", "translate.js", "wording.js"),
)
_HTML = "text/html; charset=utf-8"
_TYPES = {
    "css": "text/css; charset=utf-8",
    "html": _HTML,
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
_POLICY = (
    "default-src 'none'; connect-src 'self'; img-src 'self'; script-src 'self'; style-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"  # no string becomes markup or script
)
_VERSION = b"?v=0"
"""In the files, after the name of another; replaced by one that changes with any of them, so that browsers may keep
them for ever and still never mix two releases."""

_METHODS = ["GET", "HEAD"]
_FOR_EVER = "public, max-age=31536000, immutable"
_ASK_EACH_TIME = "no-cache"

PATHS = frozenset({"/status", *(f"/assets/{name}" for name in _ASSETS)})
"""What is answered here, but for /."""

_LINKS = {
    "documentation": "/docs",
    "metrics": "/metrics",
    "readiness": "/readyz",
    "round_trip": "/roundtrip",
    "status": "/status.json",
}

router = APIRouter()


@dataclass(frozen=True, slots=True)
class _File:
    content: bytes
    packed: bytes
    media_type: str
    version: str

    def answer(self, request: Request) -> Response:
        """The file, compressed if that is welcome; only the news that it is still the same, if the client has it."""
        coding = preferred(request.headers.get("accept-encoding"), ("identity", "gzip"))
        welcome = coding == "gzip" and len(self.packed) < len(self.content)
        tag = f'"{self.version}{"-gzip" if welcome else ""}"'
        headers = {"ETag": tag, "Vary": "Accept, Accept-Encoding"}
        # Only who names the version may keep it: another release has other files under the same names.
        headers["Cache-Control"] = _FOR_EVER if request.query_params.get("v") == self.version else _ASK_EACH_TIME
        if self.media_type == _HTML:
            headers["Content-Security-Policy"] = _POLICY
        if tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if welcome:
            headers["Content-Encoding"] = "gzip"
        return Response(self.packed if welcome else self.content, media_type=self.media_type, headers=headers)


@router.head("/", include_in_schema=False)
@router.get(
    "/",
    summary="What this is",
    description="Clients that ask for `text/html`, as browsers do, get a page to translate with.",
    responses={200: {"content": {"text/html": {}}}},
    response_model=Index,
)
async def index(request: Request, context: Leased) -> Response:
    if preferred(request.headers.get("accept"), ("application/json", "text/html")) == "text/html":
        return _files()["index.html"].answer(request)
    about = Index(
        name="reder",
        version=context.version,
        bundle=context.bundle.manifest.name,
        directions=list(map(str, DIRECTIONS)),
        max_characters=context.settings.max_characters,
        links=_LINKS,
    )
    return Response(about.model_dump_json(), media_type="application/json", headers={"Vary": "Accept"})


@router.api_route("/status", methods=_METHODS, include_in_schema=False)
async def status(request: Request) -> Response:
    return _files()["status.html"].answer(request)


def _asset(name: str) -> Callable[[Request], Awaitable[Response]]:
    async def asset(request: Request) -> Response:
        return _files()[name].answer(request)

    return asset


for _name in _ASSETS:
    router.add_api_route(f"/assets/{_name}", _asset(_name), methods=_METHODS, include_in_schema=False)


@cache
def _files() -> dict[str, _File]:
    """Every file, with the version that all of them together have in the place of the one written in them."""
    raw = {name: (_FOLDER / name).read_bytes() for name in (*_PAGES, *_ASSETS)}
    version = hashlib.sha256(b"\0".join(raw.values())).hexdigest()[:16]
    files = {}
    for name, content in raw.items():
        whole = content.replace(_VERSION, f"?v={version}".encode())
        files[name] = _File(whole, gzip.compress(whole, mtime=0), _TYPES[name.rpartition(".")[2]], version)
    return files
