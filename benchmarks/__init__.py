"""Measurements of a running service, its speed and its quality; nothing here is part of it."""
