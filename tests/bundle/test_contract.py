"""The contract's check of a graph's inputs and outputs."""

from __future__ import annotations

import pytest

from model.bundle import SIGNATURES, ContractError, Task, TensorSpec, check_tensors

INPUTS, OUTPUTS = SIGNATURES[Task.GREEDY].inputs, SIGNATURES[Task.GREEDY].outputs
SIDES = [(kind, getattr(SIGNATURES[task], f"{kind}s")) for task in Task for kind in ("input", "output")]
RIGHT = [("source_ids", "int64", 2), ("source_lengths", "int64", 1)]
WRONG = {
    "missing": RIGHT[:1],
    "none": [],
    "extra": [*RIGHT, ("mask", "bool", 2)],
    "other name": [("input_ids", "int64", 2), RIGHT[1]],
    "other type": [("source_ids", "int32", 2), RIGHT[1]],
    "other rank": [RIGHT[0], ("source_lengths", "int64", 2)],
}


@pytest.mark.parametrize(("kind", "specs"), SIDES)
def test_accepts_the_contract(kind: str, specs: tuple[TensorSpec, ...]) -> None:
    """The contract's own tensors pass, in any order."""
    tensors = [(spec.name, spec.dtype, len(spec.axes)) for spec in specs]
    check_tensors(kind, specs, tensors)
    check_tensors(kind, specs, reversed(tensors))


@pytest.mark.parametrize("actual", WRONG.values(), ids=WRONG.keys())
def test_refuses_each_mismatch(actual: list[tuple[str, str, int]]) -> None:
    """A missing, extra, renamed, retyped or reshaped tensor is an error that shows both sides."""
    with pytest.raises(ContractError, match=r"graph inputs do not match contract version \d") as error:
        check_tensors("input", INPUTS, actual)
    for name, dtype, _ in actual:
        assert name in str(error.value)
        assert dtype in str(error.value)
    assert "source_lengths" in str(error.value)


def test_refuses_outputs_for_inputs() -> None:
    """Inputs where outputs belong are an error, and the message says which side it is about."""
    with pytest.raises(ContractError, match="graph outputs"):
        check_tensors("output", OUTPUTS, RIGHT)
