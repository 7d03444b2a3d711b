"""Errors raised while a bundle is read or checked.

BundleError
├── ManifestError    the manifest is missing, malformed, or of a format this code does not know
├── IntegrityError   a file is missing, or its size or hash differs from the manifest
└── ContractError    a graph's inputs or outputs are not those of the contract
"""

__all__ = ["BundleError", "ContractError", "IntegrityError", "ManifestError"]


class BundleError(Exception):
    """A bundle cannot be used; the message says which part and why."""


class ManifestError(BundleError):
    """The manifest is missing, malformed, or of a format this code does not know."""


class IntegrityError(BundleError):
    """A file named in the manifest is missing, or its size or hash differs."""


class ContractError(BundleError):
    """A graph's inputs or outputs are not those of the contract."""
