"""The bundle format: what training writes and the service reads.

Needs numpy and sentencepiece only, so that the service can import it without torch.
"""

from model.bundle.contract import CONTRACT_VERSION, INPUTS, OUTPUTS, TensorSpec, check_tensors
from model.bundle.ctc import Collapsed, collapse
from model.bundle.direction import DE_EN, DIRECTIONS, EN_DE, Direction
from model.bundle.errors import BundleError, ContractError, IntegrityError, ManifestError
from model.bundle.manifest import (
    FORMAT_VERSION,
    MANIFEST,
    PRECISIONS,
    Bundle,
    FileRecord,
    GoldenExample,
    Manifest,
    RoundTripThresholds,
    file_record,
)
from model.bundle.tokenizer import BLANK_ID, UNKNOWN_ID, Tokenizer, normalise

__all__ = [
    "BLANK_ID",
    "CONTRACT_VERSION",
    "DE_EN",
    "DIRECTIONS",
    "EN_DE",
    "FORMAT_VERSION",
    "INPUTS",
    "MANIFEST",
    "OUTPUTS",
    "PRECISIONS",
    "UNKNOWN_ID",
    "Bundle",
    "BundleError",
    "Collapsed",
    "ContractError",
    "Direction",
    "FileRecord",
    "GoldenExample",
    "IntegrityError",
    "Manifest",
    "ManifestError",
    "RoundTripThresholds",
    "TensorSpec",
    "Tokenizer",
    "check_tensors",
    "collapse",
    "file_record",
    "normalise",
]
