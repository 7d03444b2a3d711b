"""From parallel text to batches: read and clean (corpus), learn a vocabulary, pack, batch."""
