"""The page that translates and the status page, in a real browser before the real service."""

from __future__ import annotations

import json
import os
import re
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import ViewportSize, expect, sync_playwright

from service.keys import generate
from tests.service.support import PATIENCE_S, serve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

    from service.app import Loaded
    from service.settings import Settings
    from tests.service.support import Served

ONE = "A man is reading a newspaper on a bench."
TWO = f"{ONE} Two children are playing in the snow with their dog."
DIFFICULT = "Notwithstanding the foregoing, the lessee shall indemnify the lessor."
PHONE = ViewportSize(width=360, height=740)
WIDE = ViewportSize(width=1280, height=800)
RETRY_MS = 6000
"""Later than any page asks again."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, as Debian packages it: nothing is downloaded."""
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("chromium is not installed (Debian's package chromium)")
    options = ["--no-sandbox"] if os.getuid() == 0 else []  # it refuses to run as root with one
    expect.set_options(timeout=PATIENCE_S * 1000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=options)
        yield browser
        browser.close()


@contextmanager
def visit(
    browser: Browser, served: Served, path: str = "/", *, phone: bool = False, dark: bool = False
) -> Iterator[Page]:
    """A page as somebody sees it who comes for the first time. It may not complain, nor load from elsewhere."""
    context = browser.new_context(
        color_scheme="dark" if dark else "light",
        viewport=PHONE if phone else WIDE,
        has_touch=phone,
        base_url=served.url,
    )
    context.set_default_timeout(PATIENCE_S * 1000)
    page = context.new_page()
    complaints: list[str] = []
    page.on(
        "console", lambda message: complaints.append(message.text) if message.type in {"error", "warning"} else None
    )
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: None if request.url.startswith(served.url) else complaints.append(request.url))
    page.goto(path)
    # Nobody types before there is something to see, and Chromium drops what is typed then.
    page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    try:
        yield page
        # Chromium reports every answer of 400 and above.
        assert [one for one in complaints if "Failed to load resource" not in one] == []
    finally:
        context.close()


def write(page: Page, text: str) -> None:
    """Type or paste a text and wait until it is translated and read back."""
    page.get_by_role("textbox", name="English").fill(text)
    expect(page.locator("#target")).not_to_have_class(re.compile("stale"))
    expect(page.locator("#reconstruction")).not_to_be_empty()


def marked(page: Page, name: str) -> list[str]:
    """The texts that have a mark of this name, in any of the three texts."""
    found: list[str] = page.evaluate("name => [...CSS.highlights.get(name)].map(String)", name)
    return found


def hover(page: Page, element: str, word: str, *, last: bool = False) -> None:
    """Point at the middle of a word where it is first, or last."""
    x, y = page.evaluate(
        """([id, word, last]) => {
            const node = document.getElementById(id).firstChild, range = new Range();
            const at = last ? node.data.lastIndexOf(word) : node.data.indexOf(word);
            range.setStart(node, at); range.setEnd(node, at + word.length);
            const box = range.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
        }""",
        [element, word, last],
    )
    page.mouse.move(x, y)


BRING_TO_THE_BOTTOM = """distance => {
    const node = document.getElementById("target").firstChild, range = new Range();
    range.setStart(node, node.data.lastIndexOf("Zeitung")); range.setEnd(node, range.startOffset + 7);
    window.scrollBy(0, range.getBoundingClientRect().bottom - window.innerHeight + distance);
    const box = range.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
}"""
"""Scrolls until the last newspaper in the translation is so far from the window's bottom, and tells where it is."""


def refuse(page: Page, status: int, body: object = "{}", kind: str = "application/problem+json") -> None:
    """From now on every text is answered so."""
    answer = body if isinstance(body, str) else json.dumps(body)
    page.route("**/translate?*", lambda route: route.fulfill(status=status, content_type=kind, body=answer))


def relent(page: Page) -> None:
    """From now on the service answers again."""
    page.unroute("**/translate?*")


def assert_accessible(page: Page) -> None:
    """Axe-core finds nothing that is serious."""
    violations = Axe().run(page).response["violations"]
    serious = [one for one in violations if one["impact"] in {"serious", "critical"}]
    assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in serious] == []


def assert_fits(page: Page) -> None:
    """Nothing reaches beyond the right edge."""
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0


# ------------------------------------------------------------------------------------ the page that translates


def translation(served: Served, text: str) -> str:
    """What the service answers with the quality that the page begins with."""
    answer = served.client.post("/translate?dir=en-de&quality=good", json={"text": text}).json()
    return str(answer["translations"][0]["text"])


def test_a_page_load_and_a_translation(browser: Browser, served: Served) -> None:
    """What is typed is translated by itself, its translation is read back, and the time it took is told."""
    expected = translation(served, ONE)
    with visit(browser, served) as page:
        expect(page.locator("#source")).to_be_focused()
        page.keyboard.type(ONE)
        expect(page.locator("#target")).to_have_text(expected)
        expect(page.locator("#reconstruction")).to_contain_text("man")
        expect(page.locator("#returned")).to_have_text(re.compile(r"\d+ of 9 words return"))
        expect(page.locator("#timing")).to_have_text(re.compile(r"\d+ ms, \d+ of them in the model"))
        page.get_by_role("button", name="Clear").click()
        expect(page.locator("#target")).to_be_empty()
        expect(page.locator("#back")).to_be_hidden()


def test_the_switch_runs_it_backwards(browser: Browser, served: Served) -> None:
    """The translation becomes the text; the direction is in the address, the text is not."""
    with visit(browser, served) as page:
        write(page, ONE)
        translation = page.locator("#target").text_content()
        page.get_by_role("button", name="Switch direction").click()
        expect(page.get_by_role("textbox", name="German")).to_have_value(translation or "")
        expect(page.locator("#target")).to_contain_text("man")
        assert page.locator("#target").get_attribute("lang") == "en"
        assert page.url.endswith("/#de-en")
        page.reload()
        expect(page.get_by_role("textbox", name="German")).to_be_visible()


def test_words_are_aligned(browser: Browser, served: Served) -> None:
    """A word under the pointer is marked together with what it became, in all three texts, from each of them."""
    with visit(browser, served) as page:
        write(page, ONE)
        hover(page, "mirror", "newspaper")
        assert marked(page, "chosen") == ["newspaper"]
        assert "Zeitung" in marked(page, "linked")
        assert "newspaper" in marked(page, "linked")
        hover(page, "target", "Zeitung")
        assert marked(page, "chosen") == ["Zeitung"]
        assert marked(page, "linked").count("newspaper") == 2
        hover(page, "reconstruction", "newspaper")
        assert {"Zeitung", "newspaper"} <= set(marked(page, "linked"))
        page.mouse.move(1, 1)
        assert marked(page, "chosen") == marked(page, "linked") == []


def test_words_of_lines_in_other_directions(browser: Browser, served: Served) -> None:
    """A line that begins with Hebrew goes from right to left, and what lies below its letters with it."""
    with visit(browser, served) as page:
        write(page, f"שלום world, a dog.\n{ONE}")
        hover(page, "mirror", "world")
        assert marked(page, "chosen") == ["world"]
        hover(page, "mirror", "newspaper")
        assert marked(page, "chosen") == ["newspaper"]
        direction = "id => getComputedStyle(document.getElementById(id)).direction"
        assert page.evaluate(direction, "mirror") == page.evaluate(direction, "source") == "rtl"


def test_the_address_turns_an_open_page(browser: Browser, served: Served) -> None:
    """Another direction in the address of the open page is taken; the text stays and is translated that way."""
    with visit(browser, served) as page:
        page.locator("#source").fill("Ein Mann liest eine Zeitung.")
        page.evaluate("location.hash = '#de-en'")
        expect(page.get_by_role("textbox", name="German")).to_have_value("Ein Mann liest eine Zeitung.")
        expect(page.locator("#target")).to_contain_text("newspaper")
        page.evaluate("location.hash = '#source'")  # of the link to the text
        expect(page.get_by_role("textbox", name="German")).to_be_visible()


def test_copying_without_tls(browser: Browser, served: Served) -> None:
    """Where the browser has no clipboard for the page, what is copied is all of the translation nevertheless."""
    with visit(browser, served) as page:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        write(page, f"{ONE}\n\n{TWO}")
        page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })")
        page.get_by_role("button", name="Copy").click()
        expect(page.get_by_role("button", name="Copied")).to_be_visible()
        page.evaluate("delete navigator.clipboard")
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied == page.locator("#target").text_content()


def test_words_outside_the_basic_plane(browser: Browser, served: Served) -> None:
    """Characters that JavaScript counts twice do not shift what is marked."""
    with visit(browser, served) as page:
        write(page, f"😀😀 😀 Look! {ONE}")
        hover(page, "mirror", "newspaper")
        assert marked(page, "chosen") == ["newspaper"]
        assert "Zeitung" in marked(page, "linked")


def test_the_switch_keeps_what_is_not_translated_yet(browser: Browser, served: Served) -> None:
    """The translation of an earlier text does not take the place of what was typed since."""
    with visit(browser, served) as page:
        write(page, ONE)
        page.route("**/translate?*", lambda _: None)  # from now on there are no answers
        page.locator("#source").fill(TWO)
        page.get_by_role("button", name="Switch direction").click()
        expect(page.get_by_role("textbox", name="German")).to_have_value(TWO)


def test_by_keyboard_alone(browser: Browser, served: Served) -> None:
    """From the text to its translation, word by word through it, to the switch and back, without a pointer."""
    with visit(browser, served) as page:
        expect(page.locator("#source")).to_be_focused()
        page.keyboard.insert_text(ONE)
        page.keyboard.press("Control+Enter")
        expect(page.locator("#target")).to_be_focused()
        expect(page.locator("#target")).not_to_be_empty()
        page.keyboard.press("End")
        (last,) = marked(page, "chosen")
        assert (page.locator("#target").text_content() or "").rstrip(".").endswith(last)
        page.keyboard.press("ArrowLeft")
        assert marked(page, "chosen") != [last]
        expect(page.locator("#inspector")).to_contain_text("Sentence 1 of 1")
        page.keyboard.press("Escape")
        assert marked(page, "chosen") == []
        page.keyboard.press("Alt+S")
        expect(page.get_by_role("textbox", name="German")).to_be_visible()


def test_moving_the_caret_says_nothing(browser: Browser, served: Served) -> None:
    """What is told of a word is written once and not said; said is the word that the arrow keys have gone to."""
    watch = """() => {
        window.changes = [];
        const seen = new MutationObserver((found) => window.changes.push(...found.map((one) => one.target.id)));
        for (const id of ["inspector", "said"]) seen.observe(document.getElementById(id), { childList: true });
    }"""
    with visit(browser, served) as page:
        write(page, ONE)
        expect(page.get_by_role("status")).to_have_text(re.compile("Translated into German."))
        page.keyboard.press("Home")
        page.evaluate(watch)
        for _ in "A man":
            page.keyboard.press("ArrowRight")
        page.wait_for_function("window.changes.length")
        page.wait_for_timeout(200)
        assert page.evaluate("window.changes") in (["inspector"], ["inspector"] * 2)  # two words
        assert page.locator("#inspector").get_attribute("aria-live") is None
        page.locator("#target").focus()
        page.keyboard.press("Home")
        expect(page.get_by_role("status")).to_have_text(re.compile("German “Ein”"))


def test_doubtful_sentences_are_named(browser: Browser, served: Served) -> None:
    """A sentence that does not lead back to its source is marked, listed with the reason, and counted aloud."""
    answer = served.client.post("/translate?dir=en-de&details=true", json={"text": f"{ONE} {DIFFICULT}"}).json()
    flags = [segment["flags"] for segment in answer["translations"][0]["segments"]]
    assert "weak" not in flags[0]
    assert "weak" in flags[1]
    with visit(browser, served) as page:
        write(page, f"{ONE} {DIFFICULT}")
        assert len(marked(page, "weak")) == sum(map(bool, flags))
        page.get_by_role("listitem").get_by_role("button").first.click()
        assert marked(page, "chosen") == marked(page, "weak")[:1]
        expect(page.get_by_role("status")).to_have_text(re.compile("should be looked at again"))


def test_best_quality_offers_others(browser: Browser, served: Served) -> None:
    """With quality best, a sentence that is chosen shows other translations of it."""
    with visit(browser, served) as page:
        page.get_by_role("radio", name="Best").check()
        write(page, ONE)
        page.locator("#target").focus()
        page.keyboard.press("ArrowRight")
        expect(page.locator("#inspector")).to_contain_text("or: ")


@pytest.mark.parametrize("keyboard", [False, True], ids=["pointer", "keyboard"])
def test_another_translation_takes_the_place(browser: Browser, served: Served, *, keyboard: bool) -> None:
    """One that is offered is taken and read back, and the marks of all others with it; the first can be had again."""
    with visit(browser, served) as page:
        page.get_by_role("radio", name="Best").check()
        write(page, "\n".join([TWO] * 15))
        first = page.locator("#target").text_content() or ""
        page.locator("#target").focus()
        page.keyboard.press("Home")
        button = page.locator("#inspector").get_by_role("button").first
        other = button.locator("span").text_content() or ""
        assert not first.startswith(other)
        with page.expect_response(re.compile("dir=de-en")):
            button.press("Enter") if keyboard else button.click()
        expect(page.locator("#target")).to_have_text(re.compile(re.escape(other)))
        expect(page.locator("#target")).not_to_have_class(re.compile("stale"))
        assert marked(page, "chosen") == [other]
        hover(page, "target", "Kinder")
        assert "children" in marked(page, "linked")
        page.mouse.move(1, 1)
        if keyboard:
            expect(page.locator("#target")).to_be_focused()
        page.locator("#inspector").get_by_role("button").first.click()
        assert page.locator("#target").text_content() == first
        assert_accessible(page)


def test_a_long_text_comes_bit_by_bit(browser: Browser, served: Served) -> None:
    """It is asked for as a stream, and in the end is what the service answers at once, gaps and all."""
    text = "\n\n".join([f"{TWO} 😀"] * 20)
    expected = translation(served, text)
    with visit(browser, served) as page:
        with page.expect_response(re.compile("dir=en-de")) as streamed:
            page.locator("#source").fill(text)
        assert streamed.value.headers["content-type"].startswith("text/event-stream")
        expect(page.locator("#target")).not_to_have_class(re.compile("stale"))
        expect(page.locator("#timing")).to_have_text(re.compile(r"\d+ ms"))
        assert page.locator("#target").text_content() == expected


def test_text_stays_text(browser: Browser, served: Served) -> None:
    """Markup in a text, its translation and what is quoted of them is shown as it is: nothing of it runs or loads."""
    hostile = "<img src=x onerror=alert(1)> <script>alert(2)</script>"
    with visit(browser, served) as page:
        page.on("dialog", lambda dialog: pytest.fail(dialog.message))
        write(page, f"{hostile} {DIFFICULT}")
        page.locator("#target").focus()
        page.keyboard.press("ArrowRight")
        expect(page.locator("#target")).to_contain_text("<")
        assert page.locator("main img, main script").count() == 0


def test_only_the_last_text_counts(browser: Browser, served: Served) -> None:
    """However fast somebody types, what stands there in the end is the translation of what was typed last."""
    texts = ["A dog", "A dog runs", "A dog runs home.", ONE]
    expected = translation(served, ONE)
    with visit(browser, served) as page:
        for text in texts * 3:
            page.locator("#source").fill(text)
            page.wait_for_timeout(60)
        expect(page.locator("#target")).to_have_text(expected)
        expect(page.locator("#back")).not_to_have_class(re.compile("stale"))
        page.wait_for_timeout(300)
        expect(page.locator("#target")).to_have_text(expected)


def test_what_goes_wrong_is_said(browser: Browser, served: Served) -> None:
    """A text that is too long, and a service that is gone: words that say what to do, and a way to try again."""
    with visit(browser, served) as page:
        page.locator("#source").fill("a " * 50_001)
        page.keyboard.press("Control+Enter")
        alert = page.get_by_role("alert")
        expect(page.locator("#count")).to_have_text("100,002 of 100,000 characters")
        expect(alert).to_contain_text("This text is too long.")
        expect(alert).to_contain_text("100000")
        page.context.set_offline(offline=True)
        page.locator("#source").fill(ONE)
        expect(alert).to_contain_text("The service does not answer.")
        page.context.set_offline(offline=False)
        page.get_by_role("button", name="Try again").click()
        expect(page.locator("#reconstruction")).to_contain_text("man")
        expect(alert).to_be_hidden()


def test_a_key_is_asked_for(browser: Browser, settings: Settings, loaded: Loaded) -> None:
    """Where keys are needed the page itself needs none; it asks for one, says when it is wrong, and keeps it."""
    key = generate("web")
    with serve(settings, loaded, api_keys=key.line) as guarded, visit(browser, guarded) as page:
        page.locator("#source").fill(ONE)
        field = page.get_by_label("This service asks for a key")
        expect(field).to_be_visible()
        assert_accessible(page)
        field.fill("wrong…")  # has a character that no header may have
        field.press("Enter")
        field = page.get_by_label("This key is not valid.")
        field.fill("wrong")
        with page.expect_response(lambda response: response.status == 401):
            field.press("Enter")
        field.fill(key.key)
        page.get_by_role("button", name="Use this key").click()
        expect(page.locator("#target")).not_to_be_empty()
        expect(page.locator("#key-form")).to_be_hidden()
        page.reload()
        write(page, TWO)
        assert page.evaluate("localStorage.length + document.cookie.length") == 0


def test_the_need_of_a_key_is_noticed(browser: Browser, settings: Settings, loaded: Loaded) -> None:
    """It is said aloud and in sight however far down one is, takes nobody's focus, and tells of a key that expired."""
    key = generate("web")
    with (
        serve(settings, loaded, api_keys=key.line) as guarded,
        visit(browser, guarded, phone=True) as page,
    ):
        page.locator("#source").fill(ONE * 12)
        page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
        expect(page.get_by_role("alert")).to_have_text("This service asks for a key.")
        assert page.evaluate("window.scrollY") > 0
        expect(page.get_by_label("This service asks for a key.")).to_be_in_viewport(ratio=1)
        expect(page.locator("#source")).to_be_focused()
        with page.expect_response(lambda response: response.status == 401):
            page.keyboard.type(" More.")
        expect(page.locator("#source")).to_be_focused()
        page.locator("#source").fill(ONE)
        page.get_by_label("This service asks for a key.").fill(key.key)
        page.keyboard.press("Enter")
        expect(page.locator("#reconstruction")).not_to_be_empty()
        expect(page.locator("#source")).to_be_focused()
        refuse(page, 401)
        page.locator("#source").fill(TWO)
        expect(page.get_by_role("alert")).to_have_text("This key is not valid.")
        expect(page.locator("#target")).to_be_empty()


def test_a_paste_is_not_waited_for(browser: Browser, served: Served) -> None:
    """Nobody goes on typing after it: it is sent at once, and that is seen. Typing is waited for, but not for long."""
    note_pauses = """() => {
        const set = window.setTimeout;
        window.setTimeout = (what, ms) => set(what, window.pause = ms);
    }"""
    paste = """text => {
        const field = document.getElementById("source");
        field.value = text;
        field.dispatchEvent(new InputEvent("input", { inputType: "insertFromPaste" }));
    }"""
    with visit(browser, served) as page:
        page.route("**/translate?*", lambda _: None)  # no answers
        page.evaluate(note_pauses)
        page.evaluate(paste, TWO * 20)
        assert page.evaluate("window.pause") == 0
        expect(page.locator("#timing")).to_have_text("Translating…")
        assert "Translating" in page.evaluate("getComputedStyle(document.getElementById('target'), '::before').content")
        page.locator("#source").fill("x" * 60_000)
        assert 250 < page.evaluate("window.pause") <= 1000


def test_controls_that_nobody_sees_refuse_nothing(browser: Browser, served: Served) -> None:
    """Every character that the service refuses is sent as a space, so that what is marked stays in its place."""
    controls = "".join(chr(code) for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\t\n\r")
    text = ONE.replace(" a news", "\x0ca news").replace("reading", f"reading{controls}")
    expected = translation(served, re.sub(r"[\x00-\x1f\x7f-\x9f]", " ", text))
    put = "(field, text) => { field.value = text; field.dispatchEvent(new Event('input')); }"
    with visit(browser, served) as page:
        page.locator("#source").evaluate(put, text)
        expect(page.locator("#reconstruction")).not_to_be_empty()
        assert page.locator("#source").input_value() == text
        assert page.locator("#target").text_content() == expected
        hover(page, "mirror", "newspaper")
        assert marked(page, "chosen") == ["newspaper"]
        assert "Zeitung" in marked(page, "linked")


@pytest.mark.parametrize(
    ("status", "body", "kind", "words"),
    [
        (502, "<h1>Bad Gateway</h1>", "text/html", "The service does not answer."),
        (408, {"detail": "10 s", "request_id": "abc"}, "application/problem+json", "did not arrive in time."),
        (403, "<h1>Forbidden</h1>", "text/html", "This was refused. The answer has status 403."),
        (403, {"detail": ["not a sentence"]}, "application/json", "This was refused. The answer has status 403."),
        (400, {"detail": "it is not JSON", "request_id": "abc"}, "application/problem+json", "It is not JSON."),
        (500, {"detail": "unforeseen", "request_id": "abc"}, "application/problem+json", "Its log has it under abc."),
        (500, "null", "application/json", "Something went wrong in the service. The answer has status 500."),
        (200, "<form>Sign in</form>", "text/html; charset=utf-8", "not from this service. A web page came instead"),
    ],
)
def test_what_others_answer_is_named(
    browser: Browser, served: Served, status: int, body: object, kind: str, words: str
) -> None:
    """Proxies between a browser and the service have answers of their own: what is said of them is true."""
    with visit(browser, served) as page:
        refuse(page, status, body, kind)
        page.locator("#source").fill(ONE)
        alert = page.get_by_role("alert")
        expect(alert).to_contain_text(words)
        if status < 500:
            expect(alert).not_to_contain_text("log")


def test_the_focus_is_not_lost_with_a_problem(browser: Browser, served: Served) -> None:
    """Who tries again by keyboard keeps the button while it fails, and is in the text when it has worked."""
    with visit(browser, served) as page:
        refuse(page, 500)
        page.locator("#source").fill(ONE)
        again = page.get_by_role("button", name="Try again")
        with page.expect_response(lambda response: response.status == 500):
            again.press("Enter")
        expect(again).to_be_focused()
        relent(page)
        again.press("Enter")
        expect(page.locator("#reconstruction")).not_to_be_empty()
        expect(again).to_be_hidden()
        expect(page.locator("#source")).to_be_focused()


def test_a_limit_is_waited_for(browser: Browser, settings: Settings, loaded: Loaded) -> None:
    """When the service says how long to wait, the page says so and then tries again by itself."""
    with serve(settings, loaded, rate_limit_per_address="200/second") as served, visit(browser, served) as page:
        write(page, ONE)
        page.locator("#source").fill(f"{ONE} {ONE}")
        expect(page.get_by_role("alert")).to_contain_text(re.compile(r"Trying again in \d s"))
        expect(page.locator("#target")).to_contain_text(re.compile("Zeitung.*Zeitung"))
        expect(page.locator("#reconstruction")).to_contain_text(re.compile("newspaper.*newspaper"))


@pytest.mark.parametrize("gone", [False, True], ids=["a proxy says so", "no answer"])
def test_a_service_that_is_gone_is_asked_again(browser: Browser, served: Served, *, gone: bool) -> None:
    """When it does not answer, the page says when it tries again, and once the service is back translates by itself."""
    with visit(browser, served) as page:
        page.clock.install()
        if gone:
            page.context.set_offline(offline=True)
        else:
            refuse(page, 502)
        page.locator("#source").fill(ONE)
        expect(page.get_by_role("alert")).to_contain_text(re.compile(r"does not answer\..*Trying again in \d s"))
        page.context.set_offline(offline=False)
        relent(page)
        page.clock.fast_forward(RETRY_MS)
        expect(page.locator("#target")).to_contain_text("Zeitung")


def test_the_other_language_is_noticed(browser: Browser, served: Served) -> None:
    """German below "English" is noticed, and translated by one click; no question is asked about what returns."""
    text = "Zwei Kinder spielen im Schnee. Der Zug kommt heute später."
    asked: list[str] = []
    with visit(browser, served) as page:
        page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/detect") else None)
        write(page, ONE)
        assert asked == []
        write(page, text)
        expect(page.get_by_text("This looks German.", exact=True)).to_be_visible()
        expect(page.get_by_role("status")).to_contain_text("This looks German.")
        assert_accessible(page)
        page.get_by_role("button", name="Translate it into English").click()
        expect(page.get_by_role("textbox", name="German")).to_have_value(text)
        expect(page.get_by_role("textbox", name="German")).to_be_focused()
        expect(page.locator("#target")).to_contain_text("Two children")
        expect(page.locator("#other")).to_be_hidden()
        assert len(asked) == 1
        page.get_by_role("button", name="Clear").click()
        page.get_by_role("button", name="Switch direction").click()
        with page.expect_request("**/detect"):
            write(page, DIFFICULT)  # little of it returns, and it is English
        assert len(asked) == 2
        expect(page.locator("#other")).to_be_hidden()


def test_clear_and_switch_can_be_undone(browser: Browser, served: Served) -> None:
    """A text that was put away or turned by mistake comes back as what was typed does."""
    with visit(browser, served) as page:
        page.keyboard.insert_text(TWO)
        page.get_by_role("button", name="Clear").click()
        expect(page.locator("#source")).to_have_value("")
        page.keyboard.press("Control+z")
        expect(page.locator("#source")).to_have_value(TWO)
        expect(page.locator("#target")).to_contain_text("Zeitung")
        switch = page.get_by_role("button", name="Switch direction")
        switch.click()
        expect(switch).to_be_focused()
        expect(page.locator("#source")).not_to_have_value(TWO)
        page.locator("#source").focus()
        page.keyboard.press("Control+z")
        expect(page.locator("#source")).to_have_value(TWO)


@pytest.mark.parametrize("lines", [90, 150])
def test_the_switch_turns_many_lines(browser: Browser, served: Served, lines: int) -> None:
    """Also so many that browsers would take seconds to make it undoable; one goes on reading where one was."""
    with visit(browser, served) as page:
        write(page, "A dog.\n" * lines)
        translation = page.locator("#target").text_content() or ""
        page.get_by_role("button", name="Copy").focus()
        page.evaluate("window.scrollTo(0, 500)")
        page.keyboard.press("Alt+S")
        expect(page.get_by_role("textbox", name="German")).to_have_value(translation)
        assert page.evaluate("window.scrollY") == 500


def test_back_brings_the_text_back(browser: Browser, served: Served) -> None:
    """Who comes back from another page finds the text as it was left, whole and translated."""
    text = " ".join([TWO] * 6)
    expected = translation(served, text)
    with visit(browser, served) as page:
        write(page, text)
        page.get_by_role("link", name="Status").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Ready")
        page.go_back()
        expect(page.locator("#source")).to_have_value(text)
        expect(page.locator("#target")).to_have_text(expected)
        expect(page.locator("#examples")).to_be_hidden()
        hidden = "document.getElementById('source').scrollHeight - document.getElementById('source').clientHeight"
        assert page.evaluate(hidden) <= 0


def test_loading_again_loses_nothing(browser: Browser, served: Served) -> None:
    """Text, direction and quality are as they were, also by way of another page; a new tab knows none of them."""
    with visit(browser, served) as page:
        page.get_by_role("button", name="Switch direction").click()
        page.get_by_role("radio", name="Best").check()
        page.locator("#source").fill("Ein Mann liest eine Zeitung.")
        page.reload()
        for _ in range(2):
            expect(page.get_by_role("textbox", name="German")).to_have_value("Ein Mann liest eine Zeitung.")
            expect(page.locator("#target")).to_contain_text("newspaper")
            expect(page.get_by_role("radio", name="Best")).to_be_checked()
            page.get_by_role("link", name="Status").click()
            page.get_by_role("link", name="Translate").click()
        other = page.context.new_page()
        other.goto("/")
        expect(other.get_by_role("textbox", name="English")).to_have_value("")
        page.get_by_role("button", name="Clear").click()
        page.reload()
        expect(page.get_by_role("textbox", name="German")).to_have_value("")


def test_letters_that_macs_write_with_alt(browser: Browser, served: Served) -> None:
    """There Option and S write "ß": that is a letter of the text and no command."""
    key = {"modifiers": 1, "key": "ß", "code": "KeyS", "windowsVirtualKeyCode": 83}
    with visit(browser, served) as page:
        devtools = page.context.new_cdp_session(page)
        devtools.send("Input.dispatchKeyEvent", {"type": "keyDown", "text": "ß"} | key)
        devtools.send("Input.dispatchKeyEvent", {"type": "keyUp"} | key)
        expect(page.get_by_role("textbox", name="English")).to_have_value("ß")


def test_an_old_translation_is_not_taken_for_the_new_one(browser: Browser, served: Served) -> None:
    """While a text is on its way the earlier translation cannot be copied; when there is none it is gone."""
    with visit(browser, served) as page:
        write(page, ONE)
        expect(page.get_by_role("button", name="Copy")).to_be_enabled()
        page.route("**/translate?*", lambda _: None)  # no answers
        page.locator("#source").fill(TWO)
        expect(page.locator("#target")).to_contain_text("Zeitung")
        expect(page.get_by_role("button", name="Copy")).to_be_disabled()
        refuse(page, 503)
        page.locator("#source").fill(DIFFICULT)
        expect(page.get_by_role("alert")).to_contain_text("cannot translate at the moment")
        for part in ("#target", "#reconstruction", "#timing", "#inspector"):
            expect(page.locator(part)).to_be_empty()
        expect(page.get_by_role("button", name="Copy")).to_be_hidden()
        expect(page.locator("#back")).to_be_hidden()


def test_the_switch_leaves_nothing_of_the_other_language(browser: Browser, served: Served) -> None:
    """Below the name of a language, and said to be of it, never stands a text of the other."""
    with visit(browser, served) as page:
        write(page, ONE)
        page.get_by_role("button", name="Copy").focus()
        page.route("**/translate?*", lambda _: None)  # no answers
        page.keyboard.press("Alt+S")
        expect(page.get_by_role("heading", name="English", exact=True)).to_be_visible()
        expect(page.locator("#target")).to_have_attribute("lang", "en")
        expect(page.locator("#target")).to_be_empty()
        expect(page.locator("#reconstruction")).to_be_empty()
        expect(page.locator("#source")).to_be_focused()  # what had the focus is gone


def test_a_phone_shows_the_word_that_was_chosen(browser: Browser, served: Served) -> None:
    """What is told of a word leaves most of the screen to the texts, never covers the word, and can be scrolled."""
    long = DIFFICULT.rstrip(".") + ", and thereunto the lessor shall hold harmless the lessee's heirs and assignees" * 2
    places = """() => {
        const word = [...CSS.highlights.get("chosen")][0].getBoundingClientRect();
        return [word.top, word.bottom, document.getElementById("inspector").getBoundingClientRect().top];
    }"""
    with visit(browser, served, phone=True) as page:
        write(page, f"{ONE} {long}. {ONE}")
        page.locator("#target").focus()
        for key in ("End", "Home", "ArrowRight"):
            page.keyboard.press(key)
            top, bottom, below = page.evaluate(places)
            assert 0 <= top < bottom <= below
        page.get_by_role("listitem").get_by_role("button").first.click()
        below = page.evaluate(places)[2]
        assert below >= PHONE["height"] * 0.64
        assert page.locator("#inspector").evaluate("element => element.scrollHeight > element.clientHeight")
        assert_accessible(page)
        assert_fits(page)
        page.locator("#target").press("Escape")
        foot = page.locator("#copy").evaluate("element => element.parentElement.offsetHeight")
        x, y = page.evaluate(BRING_TO_THE_BOTTOM, foot + 5)
        assert y > PHONE["height"] - foot - 40
        page.touchscreen.tap(x, y)
        page.wait_for_function("CSS.highlights.get('chosen').size")
        top, bottom, below = page.evaluate(places)
        assert 0 <= top < bottom <= below


@pytest.mark.parametrize("phone", [False, True], ids=["wide", "phone"])
def test_long_texts_hide_nothing(browser: Browser, served: Served, *, phone: bool) -> None:
    """At the beginning of a text of many screens one sees its length, what is told of a word, and what went wrong."""
    text = "\n".join([TWO] * 30)
    with visit(browser, served, phone=phone) as page:
        write(page, text)
        page.locator("#target").focus()
        page.keyboard.press("Home")
        for part in ("#copy", "#timing", "#inspector"):
            expect(page.locator(part)).to_be_in_viewport(ratio=1)
        refuse(page, 500)
        page.locator("#source").fill(f"{text} {ONE}")
        page.evaluate("window.scrollTo(0, 0)")
        expect(page.get_by_role("alert")).to_be_in_viewport(ratio=1)
        expect(page.get_by_role("button", name="Try again")).to_be_in_viewport(ratio=1)
        expect(page.locator("#count")).to_be_in_viewport(ratio=1)


def test_what_stays_in_sight_hides_no_word(browser: Browser, served: Served) -> None:
    """The bar at the bottom neither takes the pointer from the word below it nor covers the line that is written."""
    with visit(browser, served) as page:
        write(page, "\n".join([TWO] * 30))
        page.evaluate(BRING_TO_THE_BOTTOM, 5)
        hover(page, "target", "Zeitung", last=True)
        page.wait_for_function("CSS.highlights.get('chosen').size")
        assert marked(page, "chosen") == ["Zeitung"]
        page.keyboard.press("Control+End")
        page.keyboard.type("\n\nThe end")
        caret = page.evaluate("""() => {
            const node = document.getElementById("mirror").firstChild, range = new Range();
            range.setStart(node, node.data.lastIndexOf("end")); range.setEnd(node, range.startOffset + 3);
            return range.getBoundingClientRect().bottom;
        }""")
        assert caret <= page.locator("#count").evaluate("element => element.parentElement.getBoundingClientRect().top")


@pytest.mark.parametrize(("phone", "dark"), [(False, False), (True, True)], ids=["wide light", "phone dark"])
def test_for_everybody(browser: Browser, served: Served, *, phone: bool, dark: bool) -> None:
    """Full, with doubts, a choice and an error: no serious finding of axe-core, nothing beyond the edge."""
    with visit(browser, served, phone=phone, dark=dark) as page:
        write(page, f"{TWO} {DIFFICULT}")
        page.locator("#target").focus()
        page.keyboard.press("ArrowRight")
        assert_fits(page)
        assert_accessible(page)
        refuse(page, 500)
        page.locator("#source").fill("x" * 1000)
        expect(page.get_by_role("alert")).to_be_visible()
        assert_fits(page)
        assert_accessible(page)


# ---------------------------------------------------------------------------------------------- the status page


@pytest.mark.parametrize(("phone", "dark"), [(False, False), (True, True)], ids=["wide light", "phone dark"])
def test_the_status_page(browser: Browser, served: Served, *, phone: bool, dark: bool) -> None:
    """It says in words whether all is well, draws the round trips, and has their figures in a table."""
    runs = len(served.client.get("/status.json").json()["round_trip"]["runs"])
    score = served.client.get("/roundtrip").json()["directions"]["en-de"]["chrf"]
    served.context.activity.take()
    with visit(browser, served, "/status", phone=phone, dark=dark) as page:
        expect(page.get_by_role("heading", level=1)).to_have_text("Ready")
        plot = page.get_by_role("img", name=re.compile(rf"chrF of .*: last {score:.1f}"))
        expect(plot.first).to_be_visible()
        assert plot.first.locator("circle").count() == runs + 1
        page.get_by_text("As a table").click()
        expect(page.get_by_role("row", name=re.compile(rf"en-de {score:.1f}")).first).to_be_visible()
        assert_accessible(page)
        assert_fits(page)


def test_the_status_page_with_little_to_do(browser: Browser, served: Served) -> None:
    """A request in a minute is not none, a median of earlier says when it was, and lone points can be seen."""
    report = served.client.get("/status.json").json()
    times = [f"2026-01-01T12:{minute:02}:{second:02}Z" for minute in range(10) for second in range(0, 60, 5)]
    idle = dict.fromkeys(("requests_per_s", "sentences_per_s", "tokens_per_s", "queue_tokens"), 0)
    steps: list[dict[str, object]] = [{"at": at, **idle, "median_ms": None, "p95_ms": None} for at in times]
    steps[-3] |= {"requests_per_s": 0.2, "sentences_per_s": 0.4}
    steps[30] |= {"requests_per_s": 0.2, "median_ms": 28, "p95_ms": 45}
    report["activity"]["steps"] = steps
    with visit(browser, served) as page:
        page.route("**/status.json", lambda route: route.fulfill(json=report))
        page.goto("/status")
        expect(page.locator("#sentences")).to_have_text("0.033")
        expect(page.locator("#requests")).to_have_text("0.017")
        expect(page.locator("#median")).to_have_text("–")
        expect(page.locator("#median-more")).to_have_text(re.compile(r"28 ms at \d\d:02"))
        assert page.locator("#work figure").last.locator("circle.dot").count() == 1
        steps[-3] |= {"median_ms": 31, "p95_ms": 50}
        page.reload()
        expect(page.locator("#median")).to_have_text("31 ms")
        expect(page.locator("#median-more")).to_have_text("19 of 20 within 50 ms")


def test_the_status_page_tells_what_is_wrong(browser: Browser, settings: Settings, loaded: Loaded) -> None:
    """A service that shuts down is said to, and one that has never answered to be gone, without figures of its past."""
    with serve(settings, loaded) as served, visit(browser, served, "/status") as page:
        served.context.serving.draining = True
        page.reload()
        expect(page.get_by_role("heading", level=1)).to_have_text("Not ready")
        expect(page.locator("#reasons")).to_contain_text("draining")
        assert_accessible(page)
        page.route("**/status.json", lambda route: route.fulfill(status=502))
        page.reload()
        expect(page.get_by_role("heading", level=1)).to_have_text("The service does not answer")
        expect(page.locator("#reasons")).to_be_hidden()


def test_the_status_page_says_the_same_at_any_width(browser: Browser, settings: Settings, loaded: Loaded) -> None:
    """When a service is gone and the window changes its size, the plots do too and the verdict does not."""
    with serve(settings, loaded) as served:
        served.client.get("/roundtrip")
        with visit(browser, served, "/status") as page:
            page.clock.install()
            page.reload()
            verdict = page.get_by_role("heading", level=1)
            expect(verdict).to_have_text("Ready")
            plot = page.locator("#trips svg").first
            before = plot.get_attribute("viewBox") or ""
            page.context.set_offline(offline=True)
            page.clock.fast_forward(RETRY_MS)
            expect(verdict).to_have_text("The service does not answer")
            page.set_viewport_size(PHONE)
            expect(plot).not_to_have_attribute("viewBox", before)
            assert verdict.text_content() == "The service does not answer"  # at once: it asks again soon
            expect(page.locator("#reasons")).to_contain_text("the last time")
