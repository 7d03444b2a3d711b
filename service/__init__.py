"""The translation service: opens a bundle, serves it over HTTP. Reads top down from `service.app`.

__main__       settings -> app -> uvicorn
app            composition root: the only place that wires concrete parts
http           routes, schemas, the table of errors and statuses
pipeline       the stages a text goes through
engine         what runs the network
observability  metrics and logging
"""
