"""Relatives of REDER: models to teach it, and to compare it with."""
