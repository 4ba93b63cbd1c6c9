"""The chat page in a browser: `chat_page.py FINERY MODEL ADAPTER [PICTURE]`, with the paths of the program, of a model with a chat template and of an
adapter of it that answers shortly. PICTURE is where the page is drawn to.

Serves the model, opens the page in headless Chromium, which is led over WebDriver (Debian: chromium, chromium-driver), and does what people do:
asks, watches, stops, points at tokens, changes models, goes to a phone, and to a server that wants a key and whose model has no chat template. Nothing
but Python's own library is needed.
"""

import base64
import contextlib
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import zlib
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

FINERY, MODEL, ADAPTER = map(Path, sys.argv[1:4])
PICTURE = Path(sys.argv[4]) if len(sys.argv) > 4 else None
# Its answer has several tokens.
QUESTION = "Help me out: What can Bartholomew Pell play?"
WAIT_SECONDS = 60
# Pixels of a picture to one of the page.
SCALE = 1.5
KEY = "known-to-this-test-alone"
# As WebDriver names what an element is, and keys that have no character.
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
ENTER, ESCAPE, RIGHT, LEFT = "\ue007", "\ue00c", "\ue014", "\ue012"


class Listening:
    """A process that says in a line of its output where it listens."""

    def __init__(self, command, pattern, **options):
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
        said = []
        for line in self.process.stdout:
            said.append(line)
            if found := re.search(pattern, line):
                self.address = found[1]
                break
        else:
            raise AssertionError(f"{command[0]} does not start:\n{''.join(said)}")
        # What it says later is read, so that it is not held up.
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def end(self):
        self.process.terminate()
        return self.process.wait(60)


@contextlib.contextmanager
def running(*line, **options):
    process = Listening(*line, **options)
    try:
        yield process
    finally:
        process.end()


def serving(model, *words):
    # As many requests at once as in scripts/clients/check, which finds the programs that are made here.
    command = [FINERY, "serve", model, "--port", "0", "--max-num-seqs", "4", *words]
    # What the caller has set for other servers changes nothing here.
    env = {name: value for name, value in os.environ.items() if name not in ("FINERY_API_KEY", "OPENAI_API_KEY")}
    return running([str(word) for word in command], r"serving at (http://\S+)", env=env)


class Browser:
    """A window of headless Chromium."""

    def __init__(self, driver, profile):
        self.driver = driver
        flags = ["--headless=new", "--disable-dev-shm-usage", "--hide-scrollbars", "--force-color-profile=srgb", f"--force-device-scale-factor={SCALE}", f"--user-data-dir={profile}"]
        if os.geteuid() == 0:
            flags.append("--no-sandbox")
        wanted = {"goog:chromeOptions": {"args": flags}, "goog:loggingPrefs": {"browser": "ALL"}}
        session = self.call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.session = f"/session/{session['sessionId']}"

    def call(self, method, path, body=None):
        data = json.dumps(body).encode() if body is not None else None
        request = Request(self.driver + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except HTTPError as error:
            value = json.load(error)["value"]
            raise AssertionError(f"{method} {path}: {value['error']}: {value['message'].splitlines()[0]}") from None

    def post(self, path, **body):
        return self.call("POST", self.session + path, body)

    def close(self):
        self.call("DELETE", self.session)

    def run(self, script, *arguments):
        return self.post("/execute/sync", script=script, args=list(arguments))

    def element(self, css):
        return self.post("/element", using="css selector", value=css)[ELEMENT]

    def click(self, css):
        self.post(f"/element/{self.element(css)}/click")

    def type(self, css, text):
        self.post(f"/element/{self.element(css)}/value", text=text)

    def press(self, key):
        down_and_up = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self.post("/actions", actions=[{"type": "key", "id": "keyboard", "actions": down_and_up}])

    def point(self, css):
        move = {"type": "pointerMove", "duration": 50, "x": 0, "y": 0, "origin": {ELEMENT: self.element(css)}}
        self.post("/actions", actions=[{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [move]}])

    def text(self, css):
        return self.run("return document.querySelector(arguments[0]).innerText", css)

    def devtools(self, command, **parameters):
        return self.post("/goog/cdp/execute", cmd=command, params=parameters)

    def size(self, width, height, is_phone=False):
        # 0 leaves the scale as it is: another one would move the pointer whenever a picture is taken.
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=0, mobile=is_phone)
        self.devtools("Emulation.setTouchEmulationEnabled", enabled=is_phone)

    def scheme(self, name):
        self.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def picture(self):
        return base64.b64decode(self.call("GET", self.session + "/screenshot"))

    def until(self, script, what):
        """Waits until a script gives something true, and returns it."""
        end = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < end:
            if value := self.run(script):
                return value
            time.sleep(0.02)
        raise AssertionError(f"waited {WAIT_SECONDS} s for {what}; the page says:\n{self.text('body')}")

    def complaints(self):
        """What the console has that is an error, since it was last asked."""
        return [entry["message"] for entry in self.post("/se/log", type="browser") if entry["level"] in ("SEVERE", "WARNING")]


# What scripts in the page ask.
LAST = "[...document.querySelectorAll('.turn')].at(-1)"
IS_READY = "return !document.querySelector('#model').disabled"
HAS_ENDED = f"return ['done', 'stopped', 'failed'].includes({LAST}?.dataset.state) && !document.querySelector('#send').hidden"


class Page:
    """The page of one server, as a user has it before them."""

    def __init__(self, browser, address):
        self.browser, self.address = browser, address

    def open(self):
        self.browser.post("/url", url=self.address + "/")
        self.browser.until(IS_READY, "the list of models")

    def choose(self, model):
        pick = "const s = document.querySelector('#model'); s.value = arguments[0]; s.dispatchEvent(new Event('change', {bubbles: true})); return s.value"
        assert self.browser.run(pick, model) == model, f"{model} is not in the list"

    def set(self, css, value):
        fill = "const f = document.querySelector(arguments[0]); f.value = arguments[1]; f.dispatchEvent(new Event('input', {bubbles: true}))"
        self.browser.run(fill, css, value)

    def ask(self, question):
        self.browser.type("#message", question + ENTER)

    def answered(self, question):
        self.ask(question)
        return self.ended()

    def ended(self):
        self.browser.until(HAS_ENDED, "the end of the answer")
        return self.browser.run(f"return {{state: {LAST}.dataset.state, text: {LAST}.querySelector('.answer .text').innerText, stats: {LAST}.querySelector('.stats').innerText}}")

    def overflow(self):
        return self.browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")


def metric(address, line):
    text = urlopen(address + "/metrics").read().decode()
    return sum(float(row.split()[-1]) for row in text.splitlines() if row.startswith(line[0]) and line[1] in row)


def answers(page):
    """Asking shows an answer with its numbers, and what was typed by others stays text."""
    page.choose(ADAPTER.name)
    answer = page.answered(QUESTION)
    assert answer["state"] == "done" and answer["text"].strip(), answer
    assert re.search(r"\d+ tokens? .*first after \d+ ms.*prompt \d+", answer["stats"]), answer
    assert page.browser.run(f"return {LAST}.querySelector('.name').textContent") == ADAPTER.name
    said = page.browser.run("return document.querySelector('#spoken').textContent")
    assert said and said in answer["text"], (said, answer)
    answer = page.answered("<img src=x onerror=alert(1)> **b**")
    assert answer["state"] == "done" and page.browser.run("return document.querySelectorAll('#turns img').length") == 0


def tokens_say_how_probable_they_were(page):
    page.browser.click("#new")
    page.answered(QUESTION)
    page.browser.point(".answer .token")
    page.browser.until("return !document.querySelector('#card').hidden", "the card of a token")
    rows = page.browser.run(
        "return [...document.querySelectorAll('#card tr')].map(row => [row.className, row.querySelector('.percent').innerText])"
    )
    assert len(rows) >= 5 and sum("chosen" in row[0] for row in rows) == 1, rows
    shares = [float(re.search(r"[\d.]+", row[1])[0]) for row in rows]
    assert shares == sorted(shares, reverse=True) and 0 < sum(shares) < 101, rows
    parts = page.browser.run(f"return [...{LAST}.querySelectorAll('.token')].map(token => token.textContent)")
    assert len(parts) > 1 and "".join(parts) == page.browser.run(f"return {LAST}.querySelector('.answer .text').textContent")
    # By keyboard, and aloud.
    page.browser.press(ESCAPE)
    page.browser.run(f"{LAST}.querySelector('.answer .text').focus()")
    for key, expected in ((RIGHT, 0), (RIGHT, 1), (LEFT, 0)):
        page.browser.press(key)
        page.browser.until(f"return document.querySelector('.marked') === {LAST}.querySelectorAll('.token')[{expected}]", "the marked token")
    page.browser.until("return / %/.test(document.querySelector('#spoken').textContent)", "the token's probability aloud")
    page.browser.press(ESCAPE)
    page.browser.until("return document.querySelector('#card').hidden", "the card to go")


def streams_and_stops(page):
    """Tokens are seen before the end, and Stop ends the server's work."""
    page.choose(MODEL.name)
    aborted = ("vllm:request_success_total", '"abort"')
    before = metric(page.address, aborted)
    page.browser.click("#new")
    # The answer is as long as the context unless it is stopped.
    page.browser.run("""const sent = fetch;
        window.fetch = (path, options) => sent(path, options.body ? {...options, body: JSON.stringify({...JSON.parse(options.body), ignore_eos: true})} : options)""")
    page.ask("Tell me of the town")
    seen = page.browser.until(f"return {LAST}?.dataset.state === 'streaming' && {LAST}.querySelectorAll('.answer .token').length", "tokens")
    page.browser.click("#stop")
    answer = page.ended()
    assert answer["state"] == "stopped" and answer["stats"].endswith("stopped") and answer["text"], answer
    # More came while Stop was looked for.
    assert page.browser.run(f"return {LAST}.querySelectorAll('.answer .token').length") >= seen > 0
    end = time.monotonic() + WAIT_SECONDS
    while metric(page.address, aborted) <= before:
        assert time.monotonic() < end, "the server goes on"
        time.sleep(0.05)
    page.open()


def goes_on_with_what_was_said(page):
    """A conversation has its turns; the last can be made anew or asked otherwise, with settings, and with another model."""
    browser = page.browser
    browser.click("#new")
    page.choose(ADAPTER.name)
    page.set("[name=temperature]", "0")
    first = page.answered(QUESTION)
    prompt = lambda answer: int(re.search(r"prompt (\d+)", answer["stats"])[1])
    second = page.answered("And Greta?")
    assert prompt(second) > prompt(first), "the second prompt has the first in it"
    browser.click(".turn:last-child .again")
    assert page.ended()["text"] == second["text"], "greedy answers are the same again"
    browser.click(".turn:last-child .edit")
    browser.run("document.querySelector('.editing textarea').value = ''")
    browser.type(".editing textarea", "What is the occupation of Greta?" + ENTER)
    page.ended()
    assert browser.text(".turn:last-child .question .text") == "What is the occupation of Greta?"
    assert browser.run("return document.querySelectorAll('.turn').length") == 2
    # Who says something else while a turn is being edited leaves that as it was.
    browser.click(".turn:last-child .edit")
    page.answered("And who is Dunstan?")
    assert browser.run("return [document.querySelectorAll('.editing').length, document.querySelectorAll('.turn').length]") == [0, 3]
    page.set("[name=max_tokens]", "1")
    browser.click(".turn:last-child .again")
    assert "1 token " in page.ended()["stats"]
    page.set("[name=max_tokens]", "")
    page.choose(MODEL.name)
    browser.click(".turn:last-child .again")
    page.ended()
    assert browser.text(".turn:last-child .name") == MODEL.name
    # What the server refuses is told in its words, and marked.
    page.set("[name=top_p]", "3")
    page.ask("Hello")
    assert page.ended()["state"] == "failed"
    assert "top_p" in browser.text(".turn:last-child .error") and browser.run("return document.querySelector('[name=top_p]').getAttribute('aria-invalid')") == "true"
    # The console tells of the status as well.
    assert all("400" in message for message in browser.complaints())
    page.set("[name=top_p]", "")
    page.set("[name=temperature]", "")


def fits_a_phone(page):
    browser = page.browser
    browser.size(360, 740, is_phone=True)
    page.open()
    page.choose(ADAPTER.name)
    browser.type("#message", QUESTION)
    browser.click("#send")
    page.ended()
    assert page.overflow() <= 0, f"{page.overflow()} pixels too wide"
    browser.click("#settings-button")
    browser.until("return document.querySelector('#settings:modal') !== null", "the settings over the page")
    assert page.overflow() <= 0
    browser.click("#settings-close")
    small = """return [...document.querySelectorAll('button, select')].filter(control => control.offsetParent)
        .filter(control => control.getBoundingClientRect().height < 32).map(control => control.id || control.className)"""
    assert browser.run(small) == [], "a finger misses them"
    browser.size(1180, 800)


def controls_have_names(page):
    """Each control tells a screen reader what it is, and none is out of reach."""
    page.open()
    page.browser.click("#settings-button")
    tree = page.browser.devtools("Accessibility.getFullAXTree")["nodes"]
    roles = {"button", "textbox", "combobox", "spinbutton", "checkbox", "link", "dialog"}
    value = lambda node, name: node.get(name, {}).get("value", "")
    found = [node for node in tree if not node.get("ignored") and value(node, "role") in roles]
    assert len(found) > 15, len(found)
    nameless = [value(node, "role") for node in found if not value(node, "name").strip()]
    assert nameless == [], nameless
    page.browser.click("#settings-close")


def key_and_template(page):
    """A key is asked for where the server wants one, and a model without a chat template continues texts."""
    browser = page.browser
    browser.post("/url", url=page.address + "/")
    browser.until("return document.querySelector('#key-dialog').open", "the question for a key")
    assert "no key was given" in browser.text("#key-error")
    browser.type("#key", "wrong\u2026" + ENTER)
    browser.until("return /without accents/.test(document.querySelector('#key-error').innerText)", "what keys are of")
    browser.run("document.querySelector('#key').value = ''")
    browser.type("#key", "wrong" + ENTER)
    browser.until("return /not known/.test(document.querySelector('#key-error').innerText)", "the refusal")
    browser.type("#key", KEY + ENTER)
    browser.until(IS_READY, "the list of models")
    kept = browser.run("return [sessionStorage.getItem('finery.key'), JSON.stringify(localStorage).includes(arguments[0])]", KEY)
    assert kept == [KEY, False], kept
    answer = page.answered("Emberholt lies where the river")
    assert answer["state"] == "done" and answer["text"], answer
    assert "no chat template" in browser.text("#note")
    assert browser.run(f"return {LAST}.querySelectorAll('.token').length") > 5
    assert all("401" in message or "400" in message for message in browser.complaints())


def pixels(png):
    """The rows of an 8-bit PNG, unfiltered no further than to count what differs."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, data, size = 8, b"", None
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        body = png[at + 8 : at + 8 + length]
        size = struct.unpack(">II", body[:8]) if kind == b"IHDR" else size
        data += body if kind == b"IDAT" else b""
        at += 12 + length
    return size, zlib.decompress(data)


def draw(page, path):
    """The picture in the documents: an answer with the card of a token, and the settings."""
    browser = page.browser
    browser.size(1180, 760)
    browser.scheme("light")
    page.open()
    page.choose(ADAPTER.name)
    page.set("[name=temperature]", "0")
    browser.run("document.querySelector('#colour').click()")
    if not browser.run("return document.querySelector('#settings').open"):
        browser.click("#settings-button")
    for question in (QUESTION, "Where does Dunstan Rook live, and what is his animal?"):
        page.answered(question)
    # At the one that was the least certain.
    doubts = browser.run(f"return [...{LAST}.querySelectorAll('.token')].map(token => Number(token.style.getPropertyValue('--doubt')))")
    browser.point(f".turn:last-child .answer .token:nth-child({doubts.index(max(doubts)) + 1})")
    browser.until("return !document.querySelector('#card').hidden", "the card of a token")
    png = browser.picture()
    path.write_bytes(png)
    size, data = pixels(png)
    assert size == (1180 * SCALE, 760 * SCALE), size
    assert len(set(data)) > 100 and data.count(0) < 0.99 * len(data), "the picture is blank"


def drawn(browser, source):
    """What the page makes of Markdown, as HTML, with a `|` where a leaf ends."""
    script = """return import('/assets/markdown.js').then(({blocks, element}) => {
        const source = arguments[0], leaf = (start, end) => end > start ? [source.slice(start, end) + '|'] : [];
        return blocks(source).map(block => element(source, block, leaf).outerHTML).join('');
    })"""
    return browser.run(script, source)


def reads_markdown(page):
    """What models write becomes elements, and all else stays text."""
    cases = {
        "a\nb\n\nc": "<p>a\nb|</p><p>c|</p>",
        "# One\n### Three ###": "<h3>One|</h3><h5>Three ###|</h5>",
        "a **b *c* d** `e*f*` *g*": "<p>a |<strong>b |<em>c|</em> d|</strong> |<code>e*f*|</code> |<em>g|</em></p>",
        "snake_case_name 2 * 3 * 4 ** 5": "<p>snake_case_name 2 * 3 * 4 ** 5|</p>",
        "**open `and": "<p>**open `and|</p>",
        "- a\n- b\n  more\n  1. c\n- d": "<ul><li>a|</li><li>b|\nmore|<ol><li>c|</li></ol></li><li>d|</li></ul>",
        "3. a\n\n4. b\n\nc": '<ol start="3"><li>a|</li><li>b|</li></ol><p>c|</p>',
        "> a\n> **b**\n\n---": "<blockquote>a|\n<strong>b|</strong></blockquote><hr>",
        "```rust\nlet a = \"**\";\n\n# b\n```\nc": '<pre tabindex="0" data-language="rust"><code>let a = "**";\n\n# b|</code></pre><p>c|</p>',
        "```\nstill open": '<pre tabindex="0"><code>still open|</code></pre>',
        "<b>a</b> [b](javascript:c)": "<p>&lt;b&gt;a&lt;/b&gt; [b](javascript:c)|</p>",
    }
    for source, expected in cases.items():
        html = drawn(page.browser, source)
        assert html == expected, (source, html)
    # A text without an end to what it begins takes no time that is noticed.
    started = time.monotonic()
    for source in ("**a " * 3000, "`" * 6000 + "a", "- " * 3000, "*a _b " * 2000):
        drawn(page.browser, source)
    assert time.monotonic() - started < 5


def finds_tokens_in_the_text(page):
    """Tokens lie where their text does: bytes that are parts of characters, spaces that decoders drop, and pieces with many tokens."""
    script = """return import('/assets/tokens.js').then(({TokenText}) => {
        const text = new TokenText();
        for (const [piece, tokens] of arguments[0]) text.append(piece, tokens.map(bytes => typeof bytes === 'string'
            ? {text: bytes, bytes: [...new TextEncoder().encode(bytes)]} : {text: bytes ? '\ufffd' : '', bytes}));
        return [...text.groups(...(arguments[1] ?? [0, text.text.length]))].map(({first, last, start, end}) => [first, last, text.text.slice(start, end)]);
    })"""
    at = page.browser.run
    assert at(script, [["a b", ["a", " b"]], ["c", ["c"]]]) == [[0, 0, "a"], [1, 1, " b"], [2, 2, "c"]]
    # U+1F600 in two tokens, which make one group.
    assert at(script, [["a", ["a"]], ["\U0001f600b", [[240, 159], [152, 128], "b"]]]) == [[0, 0, "a"], [1, 2, "\U0001f600"], [3, 3, "b"]]
    assert at(script, [["Hello", [" Hello"]], [" you", [" you"]]]) == [[0, 0, "Hello"], [1, 1, " you"]]
    # A decoder that tells no bytes, one token a piece.
    assert at(script, [["Hel", [None]], ["lo", [None]]]) == [[0, 0, "Hel"], [1, 1, "lo"]]
    # What may begin a stop text comes late: the token began in the piece before.
    assert at(script, [["a", ["a"]], [" b", [" bcd"]], ["cd e", [" e"]]]) == [[0, 0, "a"], [1, 1, " bcd"], [2, 2, " e"]]
    assert at(script, [["one two", ["one", " two"]]], [2, 5]) == [[0, 0, "e"], [1, 1, " t"]]


CHECKS = [reads_markdown, finds_tokens_in_the_text, answers, tokens_say_how_probable_they_were, streams_and_stops, goes_on_with_what_was_said, fits_a_phone, controls_have_names]


def run(check, *arguments):
    """Runs a check; true if it passes."""
    page = arguments[0]
    try:
        check(*arguments)
        complaints = page.browser.complaints()
        assert complaints == [], complaints
        print(f"ok      {check.__name__}")
        return True
    except Exception:
        print(f"FAILED  {check.__name__}: {traceback.format_exc()}")
        return False


def main():
    passed = []
    with tempfile.TemporaryDirectory() as scratch, contextlib.ExitStack() as stack:
        driver = stack.enter_context(running(["chromedriver", "--port=0"], r"started successfully on port (\d+)"))
        browser = Browser(f"http://127.0.0.1:{driver.address}", Path(scratch, "profile"))
        stack.callback(browser.close)
        browser.size(1180, 800)
        with serving(MODEL, "--lora-modules", f"{ADAPTER.name}={ADAPTER}") as server:
            page = Page(browser, server.address)
            page.open()
            passed += [run(check, page) for check in CHECKS]
            passed.append(run(draw, page, PICTURE or Path(scratch, "page.png")))
        plain = Path(scratch, "plain")
        shutil.copytree(MODEL, plain, ignore=shutil.ignore_patterns("chat_template.jinja", "checkpoints"))
        config = json.loads((plain / "tokenizer_config.json").read_text())
        config.pop("chat_template", None)
        (plain / "tokenizer_config.json").write_text(json.dumps(config))
        with serving(plain, "--api-key", KEY) as server:
            passed.append(run(key_and_template, Page(browser, server.address)))
    print(f"{sum(passed)} passed, {len(passed) - sum(passed)} failed")
    return not all(passed)


sys.exit(main())
