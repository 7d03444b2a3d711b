"""What recurs in a request is translated once and stands wherever it stood."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.service.support import translate, wait_until

if TYPE_CHECKING:
    import httpx

    from tests.service.support import Served

DOG, MEN = "A dog runs through the grass.", "Two men talk."
RUN = {"direction": "en-de", "task": "greedy"}


def tokens_run(served: Served) -> float:
    """What the network has read so far."""
    return served.metric("reder_real_tokens_total", **RUN)


def test_equal_sentences_are_run_once(served: Served) -> None:
    """A request in which two sentences recur costs the network what these two cost, and every text is answered."""
    before = tokens_run(served)
    dog, men = translate(served.client, "en-de", [DOG, MEN])
    cost = tokens_run(served) - before
    mixed = translate(served.client, "en-de", [DOG, DOG, MEN, f"{MEN} {DOG}", DOG])
    assert mixed[:3] + mixed[4:] == [dog, dog, men, dog]
    assert mixed[3]["text"] == f"{men['text']} {dog['text']}"
    wait_until(lambda: tokens_run(served) >= before + 2 * cost)
    assert tokens_run(served) == before + 2 * cost


def test_what_differs_is_not_taken_for_the_same(served: Served) -> None:
    """Sentences that the network reads alike, but whose marks, names or signs differ, come back as each was."""
    texts = ["Open <code>.", "Open <code>!", "OPEN <code>.", "Open {x}.", "Open {y}.", "Open {x}."]
    alone = [translate(served.client, "en-de", text)[0] for text in texts]
    assert translate(served.client, "en-de", texts) == alone


def test_cells_of_a_table_recur(client: httpx.Client) -> None:
    """Equal cells of a document, with their markup, are each put in their place; so are their details."""
    row = "<tr><td>A <b>dog</b> runs.</td><td>Two men talk.</td></tr>"
    (once,) = translate(client, "en-de", row, format="html", details="true")
    (thrice,) = translate(client, "en-de", row * 3, format="html", details="true")
    assert thrice["text"] == once["text"] * 3
    assert thrice["segments"] == once["segments"] * 3


def test_stream_tells_of_every_place(client: httpx.Client) -> None:
    """A text of many equal lines is told of line by line, and is in the end what it is at once."""
    text = "\n".join([DOG, MEN, DOG] * 9)
    (at_once,) = translate(client, "en-de", text)
    parameters = {"dir": "en-de"}
    with client.stream(
        "POST", "/translate", params=parameters, json={"text": text}, headers={"Accept": "text/plain"}
    ) as response:
        assert "".join(response.iter_text()) == at_once["text"]
