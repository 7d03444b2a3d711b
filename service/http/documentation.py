"""The interactive documentation: one page around Swagger UI.

The browser fetches Swagger UI from a public server, as with FastAPI's own page. Unlike there, the version is fixed,
each file must have the hash given here, and the page may do nothing but run these files and call this service. Until
they are there, or where they never come, it says where the description is.
"""

from __future__ import annotations

import base64
import hashlib

from fastapi import FastAPI
from fastapi.responses import HTMLResponse

__all__ = ["install"]

# To go to another version, replace it and both hashes, which are those of the files in the npm package
# of the same version: openssl dgst -sha384 -binary FILE | base64
_SWAGGER_UI = "https://cdn.jsdelivr.net/npm/swagger-ui-dist@5.35.0/"
_STYLE_HASH = "sha384-WlYgdmXYOOBWL5apwjDEZwN+U3HmXSSu5R6V5aGxEcf7z+KuRNwBhoxKVN1i3D5I"
_SCRIPT_HASH = "sha384-gjRm0bEPMeTmMh5jT2cHccIwCUZSTd8YC+j0d0sXw0MdGEfScduGpSyF3ZSSLkX9"

_START = 'SwaggerUIBundle({url: "openapi.json", dom_id: "#swagger-ui", deepLinking: true});'
_PAGE = f"""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>REDER</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="{_SWAGGER_UI}swagger-ui.css" integrity="{_STYLE_HASH}" crossorigin="anonymous">
</head>
<body>
<div id="swagger-ui">
<p>This page needs JavaScript, and files from cdn.jsdelivr.net.
The same description of the API is in <a href="openapi.json">openapi.json</a>.</p>
</div>
<script src="{_SWAGGER_UI}swagger-ui-bundle.js" integrity="{_SCRIPT_HASH}" crossorigin="anonymous"></script>
<script>{_START}</script>
</body>
</html>
"""
_START_HASH = base64.b64encode(hashlib.sha256(_START.encode()).digest()).decode()
_POLICY = "; ".join(
    [
        "default-src 'none'",
        "connect-src 'self'",
        "img-src data:",
        f"script-src {_SWAGGER_UI} 'sha256-{_START_HASH}'",
        f"style-src {_SWAGGER_UI} 'unsafe-inline'",  # Swagger UI writes style elements
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)


def install(app: FastAPI) -> None:
    """Answer /docs with the page."""

    @app.api_route("/docs", methods=["GET", "HEAD"], include_in_schema=False)
    async def documentation() -> HTMLResponse:
        return HTMLResponse(_PAGE, headers={"Content-Security-Policy": _POLICY})
