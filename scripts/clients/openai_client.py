"""The stock `openai` client against a server: `openai_client.py BASE_URL MODEL [ADAPTER [--tools]]`, with BASE_URL as in http://127.0.0.1:8000/v1.

What a client's user relies on, each checked: chat and completions, streamed and not, tools, structured outputs, log-probabilities, n, stop, seed,
embeddings, models, errors as the client's classes, retries, leaving. OPENAI_API_KEY is the key, if there is one. With --tools the model's chat template has to have tools. The server
has to hold 8 answers at most, so that 12 clients fill it. Written with openai 3.54.0.
"""

import json
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Literal
from urllib.request import Request, urlopen

import openai
from pydantic import BaseModel

BASE, MODEL = sys.argv[1], sys.argv[2]
ADAPTER = sys.argv[3] if len(sys.argv) > 3 else None
TOOLS = "--tools" in sys.argv
KEY = os.environ.get("OPENAI_API_KEY", "none")
client = openai.OpenAI(base_url=BASE, api_key=KEY, max_retries=0, timeout=120)
HELLO = [{"role": "user", "content": "Hello"}]


def chat(**settings):
    return client.chat.completions.create(**{"model": MODEL, "messages": HELLO, "max_tokens": 12, "temperature": 0} | settings)


def models():
    names = [model.id for model in client.models.list()]
    assert MODEL in names, names
    assert ADAPTER is None or ADAPTER in names, names
    assert client.models.retrieve(MODEL).id == MODEL


def chat_and_stream_agree():
    whole = chat()
    choice = whole.choices[0]
    assert choice.message.role == "assistant" and choice.finish_reason in ("stop", "length")
    assert whole.usage.total_tokens == whole.usage.prompt_tokens + whole.usage.completion_tokens
    chunks = list(chat(stream=True, stream_options={"include_usage": True}))
    assert chunks[-1].choices == [] and chunks[-1].usage.completion_tokens == whole.usage.completion_tokens
    assert len({chunk.id for chunk in chunks}) == 1
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks[:-1])
    assert text == choice.message.content, (text, choice.message.content)
    reasons = [chunk.choices[0].finish_reason for chunk in chunks[:-1]]
    assert reasons[-1] == choice.finish_reason and not any(reasons[:-1])


def completions():
    one = client.completions.create(model=MODEL, prompt="One", max_tokens=8, temperature=0, logprobs=3)
    tokens = one.choices[0].logprobs.tokens
    assert len(tokens) == one.usage.completion_tokens == len(one.choices[0].logprobs.token_logprobs)
    both = client.completions.create(model=MODEL, prompt=["One", "Two"], max_tokens=8, temperature=0)
    assert both.choices[0].text == one.choices[0].text and both.choices[1].index == 1
    echoed = client.completions.create(model=MODEL, prompt="One", max_tokens=8, temperature=0, echo=True)
    assert echoed.choices[0].text == "One" + one.choices[0].text


def log_probabilities():
    choice = chat(logprobs=True, top_logprobs=4).choices[0]
    assert choice.logprobs.content
    for token in choice.logprobs.content:
        assert len(token.top_logprobs) == 4 and token.logprob <= 0
        # Greedy: the chosen one is the likeliest.
        assert abs(token.top_logprobs[0].logprob - token.logprob) < 1e-4
        assert bytes(token.bytes) == token.token.encode() or "\ufffd" in token.token


def several_with_a_seed():
    drawn = [chat(n=3, temperature=1.0, seed=7) for _ in range(2)]
    texts = [[choice.message.content for choice in answer.choices] for answer in drawn]
    assert texts[0] == texts[1] and len(texts[0]) == 3
    assert [choice.index for choice in drawn[0].choices] == [0, 1, 2]


def stop_strings():
    # A model that ends at once would leave nothing to stop at.
    settings = {"max_tokens": 24, "extra_body": {"ignore_eos": True}}
    text = chat(**settings).choices[0].message.content
    assert len(text) >= 4, text
    stop = text[2:4]
    stopped = chat(**settings, stop=[stop]).choices[0]
    assert stopped.message.content == text[: text.index(stop)] and stopped.finish_reason == "stop"


class Point(BaseModel):
    x: int
    label: str


class Answer(BaseModel):
    """Of few tokens, and of white space no more than a grammar has, so that no model is cut within it."""

    sure: bool
    label: Literal["yes", "no"]


def structured_outputs():
    parse = lambda form, **settings: client.chat.completions.parse(model=MODEL, messages=HELLO, response_format=form, seed=1, **settings)
    for temperature in (0, 1.5):
        parsed = parse(Answer, max_tokens=450, temperature=temperature).choices[0].message.parsed
        assert isinstance(parsed, Answer), parsed
        try:
            parsed = parse(Point, max_tokens=300, temperature=temperature).choices[0].message.parsed
        except openai.LengthFinishReasonError:
            # A small model may never close its string.
            continue
        assert isinstance(parsed, Point), parsed
    try:
        parse(Answer, max_tokens=3, temperature=0)
    except openai.LengthFinishReasonError:
        return
    raise AssertionError("a form that is cut says so")


def tools():
    schema = {"type": "object", "properties": {"city": {"enum": ["Rome", "Oslo"]}}, "required": ["city"], "additionalProperties": False}
    tool = {"type": "function", "function": {"name": "weather", "parameters": schema}}
    try:
        answer = chat(tools=[tool], tool_choice="required", max_tokens=100)
    except openai.BadRequestError as error:
        # A model whose template knows no tools.
        assert not TOOLS and "tool" in str(error), error
        return
    choice = answer.choices[0]
    call = choice.message.tool_calls[0]
    assert choice.finish_reason == "tool_calls" and call.function.name == "weather"
    assert json.loads(call.function.arguments)["city"] in ("Rome", "Oslo")
    parts = [chunk.choices[0].delta.tool_calls or [] for chunk in chat(tools=[tool], tool_choice="required", max_tokens=100, stream=True)]
    joined = "".join(part.function.arguments or "" for chunk in parts for part in chunk)
    assert json.loads(joined) == json.loads(call.function.arguments)


def embeddings():
    texts = ["one text", "another", "one text"]
    packed = client.embeddings.create(model=MODEL, input=texts)
    plain = client.embeddings.create(model=MODEL, input=texts, encoding_format="float")
    vectors = [item.embedding for item in packed.data]
    assert vectors[0] == vectors[2] != vectors[1] and abs(sum(x * x for x in vectors[0]) - 1) < 1e-4
    assert all(abs(a - b) < 1e-6 for a, b in zip(vectors[1], plain.data[1].embedding))


def expect(kind, call):
    try:
        call()
    except kind as error:
        assert error.body and {"message", "type", "param", "code"} <= set(error.body), error.body
        return error
    raise AssertionError(f"no {kind.__name__}")


def errors():
    expect(openai.NotFoundError, lambda: chat(model="nobody"))
    expect(openai.BadRequestError, lambda: chat(temperature=-1))
    expect(openai.BadRequestError, lambda: chat(messages=[]))
    expect(openai.BadRequestError, lambda: chat(extra_body={"temprature": 1}))
    error = expect(openai.BadRequestError, lambda: chat(response_format={"type": "json_schema", "json_schema": {"name": "x", "schema": {"not": {}}}}))
    assert "not" in str(error)
    error = expect(openai.BadRequestError, lambda: chat(messages=[{"role": "user", "content": "word " * 100_000}]))
    assert error.code == "context_length_exceeded", error.body


def retries():
    """More clients than the server holds: it refuses some, and their own retries get all of them through."""
    retrying = openai.OpenAI(base_url=BASE, api_key=KEY, max_retries=20, timeout=120)

    def ask(index):
        settings = {"messages": HELLO, "max_tokens": 100, "n": 4, "extra_body": {"ignore_eos": True}}
        return retrying.chat.completions.with_raw_response.create(model=MODEL, seed=index, **settings)

    with ThreadPoolExecutor(12) as clients:
        answers = list(clients.map(ask, range(12)))
    assert any(answer.retries_taken > 0 for answer in answers), "the server was never full"
    assert all(len(answer.parse().choices) == 4 for answer in answers)


def full():
    """What a client is told that does not try again."""
    refusals = []

    def ask(index):
        try:
            chat(max_tokens=100, n=4, extra_body={"ignore_eos": True})
        except openai.RateLimitError as error:
            refusals.append(error)

    with ThreadPoolExecutor(12) as clients:
        list(clients.map(ask, range(12)))
    assert refusals, "the server was never full"
    for error in refusals:
        assert error.code == "queue_full" and float(error.response.headers["retry-after-ms"]) > 0, error.body
        assert error.response.headers["x-should-retry"] == "true"


def aborted():
    """Answers whose readers left, as the server counts them."""
    address = BASE.removesuffix("/v1") + "/metrics"
    with urlopen(Request(address, headers={"authorization": f"Bearer {KEY}"})) as page:
        lines = page.read().decode().splitlines()
    line = next(line for line in lines if line.startswith("vllm:request_success_total") and '"abort"' in line)
    return float(line.split()[-1])


def disconnecting_cancels():
    before = aborted()
    stream = chat(stream=True, max_tokens=1000, extra_body={"ignore_eos": True})
    next(iter(stream))
    stream.close()
    end = time.monotonic() + 60
    while aborted() <= before:
        assert time.monotonic() < end, "the server goes on"
        time.sleep(0.05)


def adapter():
    if ADAPTER is not None:
        assert chat(model=ADAPTER).model == ADAPTER


CHECKS = [
    models, chat_and_stream_agree, completions, log_probabilities, several_with_a_seed, stop_strings, structured_outputs, tools,
    embeddings, errors, retries, full, disconnecting_cancels, adapter,
]
failed = 0
for check in CHECKS:
    try:
        check()
        print(f"ok      {check.__name__}")
    except Exception as error:
        failed += 1
        print(f"FAILED  {check.__name__}: {type(error).__name__}: {error}")
print(f"{len(CHECKS) - failed} passed, {failed} failed")
sys.exit(failed > 0)
