"""Measurements of a running service; nothing here is part of it."""
