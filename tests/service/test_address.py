"""German speaks to one person in one way."""

from __future__ import annotations

import pytest

from service.pipeline.edits import apply
from service.pipeline.repairs.address import check_address


@pytest.mark.parametrize(
    ("german", "expected"),
    [
        ("Nehmen Sie es nicht, wenn du schwanger bist.", "Nehmen Sie es nicht, wenn Sie schwanger sind."),
        ("Bitte rufen Sie an, bevor du kommst.", "Bitte rufen Sie an, bevor Sie kommen."),
        ("Ziehen Sie deinen Mantel an.", "Ziehen Sie Ihren Mantel an."),
        ("Gehen Sie, wenn du dich krank fühlst.", "Gehen Sie, wenn Sie sich krank fühlen."),
        ("Sagen Sie, was ich dir geben soll.", "Sagen Sie, was ich Ihnen geben soll."),
        ("Schließen Sie es, wenn du es öffnest.", "Schließen Sie es, wenn Sie es öffnen."),
        ("Warten Sie, bis du gegessen hast.", "Warten Sie, bis Sie gegessen haben."),
        ("Warten Sie, bis du es benutzt hast.", "Warten Sie, bis Sie es benutzt haben."),
        ("Rufen Sie an, wenn du es erhältst.", "Rufen Sie an, wenn Sie es erhalten."),
        ("Achten Sie darauf, dass du fest sitzt.", "Achten Sie darauf, dass Sie fest sitzen."),
        ("Sagen Sie mir, ob du kommen kannst.", "Sagen Sie mir, ob Sie kommen können."),
        ("Gehen Sie nicht, bevor du arbeitetest.", "Gehen Sie nicht, bevor Sie arbeiteten."),
        # one way alone, or of somebody else
        ("Nimm es nicht, wenn du krank bist.", ""),
        ("Sie sagt, dass du kommst.", ""),
        ("Kannst du kommen, bevor Sie gehen?", ""),
        ('Lesen Sie das Buch "Wenn du kommst".', ""),
    ],
)
def test_address(german: str, expected: str) -> None:
    """A command with Sie at the beginning makes what follows polite, with its verb."""
    assert apply(german, check_address(german)).text == (expected or german)
