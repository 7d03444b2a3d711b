"""HTTP: what callers see. Routes and schemas, the one table of errors and statuses, the middleware."""
