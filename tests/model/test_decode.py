"""From texts to translations."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import pytest
import torch

from model.architecture import Decoding, build, search
from model.architecture import translate as translate_by
from model.bundle import BLANK_ID, DIRECTIONS, EN_DE, Direction, ManifestError, Task, Tokenizer, collapse
from model.data.batches import pad
from model.decode import translate
from model.tasks import CHOICES, TorchRunner
from tests.model import toy

if TYPE_CHECKING:
    from model.data.corpus import Pair
    from model.reder import Reder


def test_greedy_gives_each_frame_its_best_token(model: Reder, tokenizer: Tokenizer, pairs: list[Pair]) -> None:
    """Ids are the argmax and log probabilities the log softmax at it."""
    source = pad(tokenizer.encode_batch([pair.english for pair in pairs[:3]]))
    ids, log_probs = map(torch.from_numpy, TorchRunner(model).run(Task.GREEDY, EN_DE, source))
    expected = model(EN_DE, source.ids, source.lengths).logits.log_softmax(dim=2)
    assert torch.equal(ids, expected.argmax(dim=2))
    assert log_probs.dtype == torch.float32
    torch.testing.assert_close(log_probs.double(), expected.amax(dim=2), rtol=0, atol=1e-5)


def test_search_gives_each_frame_its_best_tokens(model: Reder, tokenizer: Tokenizer, pairs: list[Pair]) -> None:
    """The best few tokens of each frame, the best first, each with its log softmax."""
    source = pad(tokenizer.encode_batch([pair.english for pair in pairs[:3]]))
    ids, log_probs = map(torch.from_numpy, TorchRunner(model).run(Task.SEARCH, EN_DE, source))
    expected = model(EN_DE, source.ids, source.lengths).logits.log_softmax(dim=2).topk(CHOICES, dim=2)
    torch.testing.assert_close(log_probs.double(), expected.values, rtol=0, atol=1e-5)
    assert torch.equal(ids, expected.indices)


def test_score_gives_blank_and_target(model: Reder, tokenizer: Tokenizer, pairs: list[Pair]) -> None:
    """The log softmax on each frame at the blank and at each token of the target."""
    source = pad(tokenizer.encode_batch([pair.english for pair in pairs[:3]]))
    target = pad(tokenizer.encode_batch([pair.german for pair in pairs[:3]]))
    blank, tokens = map(torch.from_numpy, TorchRunner(model).run(Task.SCORE, EN_DE, source, target))
    expected = model(EN_DE, source.ids, source.lengths).logits.log_softmax(dim=2)
    torch.testing.assert_close(blank.double(), expected[:, :, BLANK_ID], rtol=0, atol=1e-5)
    for row, ids in enumerate(target.ids):
        torch.testing.assert_close(tokens[row].double(), expected[row][:, ids], rtol=0, atol=1e-5)


@pytest.mark.parametrize("direction", DIRECTIONS, ids=str)
def test_translate_keeps_order(model: Reder, tokenizer: Tokenizer, pairs: list[Pair], direction: Direction) -> None:
    """Texts of all lengths together, in any order, give what each gives alone; empty text gives empty text."""
    texts = ["", *(pair.english for pair in pairs[:12]), "   ", "x"]
    together = translate(TorchRunner(model), tokenizer, direction, texts)
    assert together == [translate(TorchRunner(model), tokenizer, direction, [text])[0] for text in texts]
    assert together == translate(TorchRunner(model), tokenizer, direction, texts[::-1])[::-1]
    assert together[0] == together[13] == ""
    assert len(set(together)) > 5


def test_translate_is_collapse_of_frames(model: Reder, tokenizer: Tokenizer) -> None:
    """A translation is the decoded collapse of the frames, as a bundle's reader computes it."""
    source = pad([tokenizer.encode("The black dog sees a red ball.")])
    frames = source.lengths.numpy() * model.config.upsampling
    (result,) = collapse(*TorchRunner(model).run(Task.GREEDY, EN_DE, source), frames, blank_id=BLANK_ID)
    (text,) = translate(TorchRunner(model), tokenizer, EN_DE, ["The black dog sees a red ball."])
    assert text == tokenizer.decode(result.ids)


def test_translate_cuts_what_is_too_long(model: Reder, tokenizer: Tokenizer) -> None:
    """Text past the longest source is left out; the rest is translated."""
    text = "12345 " * 20
    cut = tokenizer.decode(tokenizer.encode(text)[: model.config.max_source_tokens])
    assert len(tokenizer.encode(cut)) == model.config.max_source_tokens
    runner = TorchRunner(model)
    assert translate(runner, tokenizer, EN_DE, [text]) == translate(runner, tokenizer, EN_DE, [cut])


def test_nothing_to_translate(model: Reder, tokenizer: Tokenizer) -> None:
    """No texts give no translations."""
    assert translate(TorchRunner(model), tokenizer, EN_DE, []) == []


@pytest.mark.parametrize("architecture", ["reder", "dual"])
@pytest.mark.parametrize("difference", [-1, 1])
def test_tokenizer_of_another_network(
    tokenizer: Tokenizer, architecture: Literal["reder", "dual"], difference: int
) -> None:
    """Ids of another vocabulary would be other words, or none: they are refused, translated greedily or searched."""
    shape = toy.tiny(vocabulary_size=toy.VOCABULARY_SIZE + difference)
    network = build(replace(shape, architecture=architecture))
    with pytest.raises(ManifestError, match=f"the network has {shape.vocabulary_size}"):
        translate_by(network, tokenizer, EN_DE, ["A man."])
    with pytest.raises(ManifestError, match=f"the network has {shape.vocabulary_size}"):
        search(network, tokenizer, EN_DE, ["A man."], Decoding(beam=2))
