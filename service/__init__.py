"""The translation service: opens a bundle, serves it over HTTP. Reads top down from `service.app`.

__main__       settings -> app -> uvicorn
app            composition root: the only place that wires concrete parts
serving        which bundle serves; how another takes its place
http           routes, schemas, the table of errors and statuses
page           the page that translates and the status page
formats        finds the text in a document, and puts it back
pipeline       the stages a text goes through
engine         what runs the network
observability  metrics, logs and traces
settings       every setting; keys reads API keys
types, errors  what all of these exchange and raise
"""

import importlib.metadata

__all__ = ["version"]


def version() -> str:
    """The installed release, or a mark that this is a bare source tree."""
    try:
        return importlib.metadata.version("reder")
    except importlib.metadata.PackageNotFoundError:
        return "0+source"
