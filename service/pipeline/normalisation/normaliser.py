"""What the network reads for a text: it has seen words as people write them with care.

unwrap -> retype -> one gender -> respell -> spell out -> write out -> expand -> correct -> end

Lines are joined first, since all else looks at what is beside a word. Dates and times are written out before
abbreviations are expanded: these know days of the week by whole names of months beside them. What is misspelt comes
last: an abbreviation is not, and of a word in capitals nobody could tell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from service.pipeline.edits import Edit, apply
from service.pipeline.normalisation.abbreviations import expand
from service.pipeline.normalisation.end_marks import missing_end_mark
from service.pipeline.normalisation.gender import with_one_gender
from service.pipeline.normalisation.likelihood import Likelihood
from service.pipeline.normalisation.misspellings import Corrector
from service.pipeline.normalisation.number_words import in_figures
from service.pipeline.normalisation.orthography import respell, retyped
from service.pipeline.normalisation.prices import spell_out
from service.pipeline.normalisation.time_expressions import write_out
from service.pipeline.segmentation.wrapping import unwrap
from service.types import Span

if TYPE_CHECKING:
    from model.bundle import Dictionary, Fluency, Tokenizer
    from service.pipeline.edits import Edited

__all__ = ["Normalised", "Normaliser"]

_LONGEST = 1000
"""Characters of a text that the network may take in one piece, unless its words are very long."""


class Normalised(NamedTuple):
    """A text as it is read.

    Args:
        edited: from the text to that.
        capitals: what of that was in capitals, words or all of it.
        is_corrected: whether words were taken for misspelt.
        end_mark: what the text lacked at its end.
    """

    edited: Edited
    capitals: tuple[Span, ...] = ()
    is_corrected: bool = False
    end_mark: str = ""

    def then(self, later: Edited) -> Normalised:
        """The same, edited once more."""
        if not later.new:
            return self
        return self._replace(edited=self.edited.then(later), capitals=tuple(map(later.forth, self.capitals)))


class Normaliser:
    """Writes texts of one language in one line, as is usual, without abbreviations, and as they were meant.

    Args:
        language: "en" or "de".
        dictionary: of the language; without one, words stay as they are written.
        fluency: of the same; without it, misspelt words stay.
        tokenizer: of the bundle.
    """

    def __init__(
        self, language: str, dictionary: Dictionary | None, fluency: Fluency | None, tokenizer: Tokenizer
    ) -> None:
        self._language = language
        self._dictionary = dictionary
        self._likelihood = Likelihood(fluency.model, tokenizer) if fluency else None
        self._corrector = None
        if dictionary and fluency and self._likelihood:
            self._corrector = Corrector(language, dictionary, fluency.lexicon, self._likelihood)

    def normalised(self, text: str) -> Normalised:
        """What is to be read instead of a text; the words of one that will be cut are left as they are until then."""
        read = Normalised(unwrap(text, self._dictionary, self._language))
        if len(text) > _LONGEST:
            return read
        read = read.then(retyped(read.edited.text))
        if self._dictionary and self._language == "de":
            read = read.then(with_one_gender(read.edited.text, self._dictionary))
        if self._dictionary:
            respelled, capitals = respell(read.edited.text, self._dictionary, self._language)
            read = read.then(respelled)._replace(capitals=capitals)
        read = read.then(spell_out(read.edited.text, self._language))
        read = read.then(in_figures(read.edited.text, self._language))
        read = read.then(write_out(read.edited.text, self._language))
        read = read.then(expand(read.edited.text, self._language, self._likelihood))
        if self._corrector:
            corrected = self._corrector.correct(read.edited.text)
            read = read.then(corrected)._replace(is_corrected=bool(corrected.new))
        mark, end = missing_end_mark(read.edited.text, self._language), len(read.edited.text)
        added = [Edit(Span(end, end), mark)] if mark else []
        return read.then(apply(read.edited.text, added))._replace(end_mark=mark)
