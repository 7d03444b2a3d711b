"""The bundle format: what training writes and the service reads.

Needs numpy and sentencepiece only, so that the service can import it without torch.

manifest         the folder, its files and settings
contract         what graphs take and give
direction        en-de, de-en
errors           what a folder may be refused for
tokenizer        text to token ids and back
ctc              from frames to tokens, and how likely they are
beam             the search
  search           its part in C, search.c
  language_model   how well a text reads
  lexicon          which words there are
  fingerprints     how both are kept
dictionary       what single words may become
shortlist        which tokens a translation is chosen from
word_pairs       what a word here says for a word there
quantisation     int8 weights, and scales of what they are multiplied with
weights          safetensors
arrays           .npz
libraries        what is written in C
"""

from model.bundle.beam import Candidate, Fluency, prefix_beam_search
from model.bundle.contract import CONTRACT_VERSION, SIGNATURES, Signature, Task, TensorSpec, check_tensors
from model.bundle.ctc import Collapsed, best_path, collapse, collapse_one, last_frames, log_likelihood
from model.bundle.dictionary import Dictionary, dictionary_file, write_dictionary_file
from model.bundle.direction import DE_EN, DIRECTIONS, EN_DE, OTHER_LANGUAGE, Direction
from model.bundle.errors import BundleError, ContractError, IntegrityError, ManifestError
from model.bundle.language_model import LanguageModel
from model.bundle.lexicon import Lexicon
from model.bundle.manifest import (
    FORMAT_VERSION,
    MANIFEST,
    MAX_BEAM,
    MAX_CANDIDATES,
    POOR_CHRF,
    PRECISIONS,
    Bundle,
    FileRecord,
    GoldenExample,
    Manifest,
    RoundTripThresholds,
    SearchSettings,
    file_record,
    ngrams_file,
    read_dictionaries,
    read_fluency,
)
from model.bundle.shortlist import Shortlist, read_shortlists, shortlist_file
from model.bundle.tokenizer import BLANK_ID, UNKNOWN_ID, Tokenizer, fold, normalise
from model.bundle.word_pairs import WordPairs, read_word_pairs, word_pairs_file

__all__ = [
    "BLANK_ID",
    "CONTRACT_VERSION",
    "DE_EN",
    "DIRECTIONS",
    "EN_DE",
    "FORMAT_VERSION",
    "MANIFEST",
    "MAX_BEAM",
    "MAX_CANDIDATES",
    "OTHER_LANGUAGE",
    "POOR_CHRF",
    "PRECISIONS",
    "SIGNATURES",
    "UNKNOWN_ID",
    "Bundle",
    "BundleError",
    "Candidate",
    "Collapsed",
    "ContractError",
    "Dictionary",
    "Direction",
    "FileRecord",
    "Fluency",
    "GoldenExample",
    "IntegrityError",
    "LanguageModel",
    "Lexicon",
    "Manifest",
    "ManifestError",
    "RoundTripThresholds",
    "SearchSettings",
    "Shortlist",
    "Signature",
    "Task",
    "TensorSpec",
    "Tokenizer",
    "WordPairs",
    "best_path",
    "check_tensors",
    "collapse",
    "collapse_one",
    "dictionary_file",
    "file_record",
    "fold",
    "last_frames",
    "log_likelihood",
    "ngrams_file",
    "normalise",
    "prefix_beam_search",
    "read_dictionaries",
    "read_fluency",
    "read_shortlists",
    "read_word_pairs",
    "shortlist_file",
    "word_pairs_file",
    "write_dictionary_file",
]
