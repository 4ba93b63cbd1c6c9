// The stock `openai` client for Node against a server: `node openai_client.mjs BASE_URL MODEL [ADAPTER [--tools]]`, with BASE_URL as in http://127.0.0.1:8000/v1.
//
// The same as openai_client.py, as a user of the other client relies on it. Written with openai 7.57.0, which has to lie in a node_modules that Node finds
// from this file or from the current folder.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import path from 'node:path';

const OpenAI = createRequire(path.join(process.cwd(), 'package.json'))('openai').OpenAI;

const [base, model, adapter, flag] = process.argv.slice(2);
const apiKey = process.env.OPENAI_API_KEY ?? 'none';
const client = new OpenAI({ baseURL: base, apiKey, maxRetries: 0, timeout: 120_000 });
const messages = [{ role: 'user', content: 'Hello' }];
const chat = (settings = {}) => client.chat.completions.create({ model, messages, max_tokens: 12, temperature: 0, ...settings });

async function all(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

async function models() {
  const names = (await all(client.models.list())).map((entry) => entry.id);
  assert.ok(names.includes(model) && (!adapter || names.includes(adapter)), names.join());
  assert.equal((await client.models.retrieve(model)).id, model);
}

async function chatAndStreamAgree() {
  const whole = await chat();
  const [choice] = whole.choices;
  assert.equal(choice.message.role, 'assistant');
  assert.ok(['stop', 'length'].includes(choice.finish_reason));
  assert.equal(whole.usage.total_tokens, whole.usage.prompt_tokens + whole.usage.completion_tokens);
  const chunks = await all(await chat({ stream: true, stream_options: { include_usage: true } }));
  const last = chunks.pop();
  assert.deepEqual(last.choices, []);
  assert.equal(last.usage.completion_tokens, whole.usage.completion_tokens);
  assert.equal(chunks.map((chunk) => chunk.choices[0].delta.content ?? '').join(''), choice.message.content);
  assert.equal(chunks.at(-1).choices[0].finish_reason, choice.finish_reason);
}

async function streamHelper() {
  const stream = client.chat.completions.stream({ model, messages, max_tokens: 12, temperature: 0 });
  const final = await stream.finalChatCompletion();
  assert.equal(final.choices[0].message.content, (await chat()).choices[0].message.content);
}

async function completions() {
  const settings = { model, max_tokens: 8, temperature: 0 };
  const one = await client.completions.create({ ...settings, prompt: 'One', logprobs: 3 });
  assert.equal(one.choices[0].logprobs.tokens.length, one.usage.completion_tokens);
  const both = await client.completions.create({ ...settings, prompt: ['One', 'Two'] });
  assert.equal(both.choices[0].text, one.choices[0].text);
  assert.equal(both.choices[1].index, 1);
  const streamed = await all(await client.completions.create({ ...settings, prompt: 'One', stream: true }));
  assert.equal(streamed.map((chunk) => chunk.choices[0].text).join(''), one.choices[0].text);
}

async function logProbabilities() {
  const [choice] = (await chat({ logprobs: true, top_logprobs: 4 })).choices;
  assert.ok(choice.logprobs.content.length > 0);
  for (const token of choice.logprobs.content) {
    assert.equal(token.top_logprobs.length, 4);
    // Greedy: the chosen one is the likeliest.
    assert.ok(token.logprob <= 0 && Math.abs(token.top_logprobs[0].logprob - token.logprob) < 1e-4);
  }
}

async function severalWithASeed() {
  const draw = async () => (await chat({ n: 3, temperature: 1, seed: 7 })).choices.map((choice) => choice.message.content);
  const first = await draw();
  assert.equal(first.length, 3);
  assert.deepEqual(await draw(), first);
}

async function stopStrings() {
  // A model that ends at once would leave nothing to stop at.
  const settings = { max_tokens: 24, ignore_eos: true };
  const text = (await chat(settings)).choices[0].message.content;
  assert.ok(text.length >= 4, text);
  const stop = text.slice(2, 4);
  const [stopped] = (await chat({ ...settings, stop: [stop] })).choices;
  assert.equal(stopped.message.content, text.slice(0, text.indexOf(stop)));
  assert.equal(stopped.finish_reason, 'stop');
}

async function structuredOutputs() {
  // Of few tokens, and of white space no more than a grammar has, so that no model is cut within it.
  const schema = { type: 'object', properties: { x: { enum: [1, 2] }, label: { enum: ['a', 'b'] } }, required: ['x', 'label'], additionalProperties: false };
  const response_format = { type: 'json_schema', json_schema: { name: 'point', strict: true, schema } };
  for (const temperature of [0, 1.5]) {
    const [choice] = (await chat({ response_format, max_tokens: 450, temperature, seed: 1 })).choices;
    assert.equal(choice.finish_reason, 'stop');
    const parsed = JSON.parse(choice.message.content);
    assert.ok([1, 2].includes(parsed.x) && ['a', 'b'].includes(parsed.label));
  }
  assert.equal((await chat({ response_format, max_tokens: 3 })).choices[0].finish_reason, 'length');
}

async function tools() {
  const parameters = { type: 'object', properties: { city: { enum: ['Rome', 'Oslo'] } }, required: ['city'], additionalProperties: false };
  const settings = { tools: [{ type: 'function', function: { name: 'weather', parameters } }], tool_choice: 'required', max_tokens: 100 };
  let whole;
  try {
    whole = await chat(settings);
  } catch (error) {
    // A model whose template knows no tools.
    assert.ok(flag !== '--tools' && error instanceof OpenAI.BadRequestError && error.message.includes('tool'), error.message);
    return;
  }
  const [choice] = whole.choices;
  const [call] = choice.message.tool_calls;
  assert.equal(choice.finish_reason, 'tool_calls');
  assert.equal(call.function.name, 'weather');
  assert.ok(['Rome', 'Oslo'].includes(JSON.parse(call.function.arguments).city));
  const chunks = await all(await chat({ ...settings, stream: true }));
  const parts = chunks.flatMap((chunk) => chunk.choices[0].delta.tool_calls ?? []);
  assert.deepEqual(JSON.parse(parts.map((part) => part.function.arguments ?? '').join('')), JSON.parse(call.function.arguments));
}

async function embeddings() {
  const input = ['one text', 'another', 'one text'];
  // The client asks for base64 and decodes it.
  const packed = (await client.embeddings.create({ model, input })).data.map((item) => item.embedding);
  const plain = (await client.embeddings.create({ model, input, encoding_format: 'float' })).data.map((item) => item.embedding);
  assert.deepEqual(packed[0], packed[2]);
  assert.notDeepEqual(packed[0], packed[1]);
  assert.ok(Math.abs(packed[0].reduce((sum, x) => sum + x * x, 0) - 1) < 1e-4);
  assert.ok(packed[1].every((x, at) => Math.abs(x - plain[1][at]) < 1e-6));
}

async function errors() {
  const refused = async (kind, settings) => {
    const error = await chat(settings).then(() => undefined, (error) => error);
    assert.ok(error instanceof kind, `${JSON.stringify(settings).slice(0, 80)}: ${error}`);
    for (const key of ['message', 'type', 'param', 'code']) assert.ok(key in error.error, key);
    assert.ok(error.requestID, 'an error has the id of its request');
    return error;
  };
  assert.equal((await refused(OpenAI.NotFoundError, { model: 'nobody' })).code, 'model_not_found');
  await refused(OpenAI.BadRequestError, { temperature: -1 });
  await refused(OpenAI.BadRequestError, { messages: [] });
  await refused(OpenAI.BadRequestError, { temprature: 1 });
  const long = await refused(OpenAI.BadRequestError, { messages: [{ role: 'user', content: 'word '.repeat(100_000) }] });
  assert.equal(long.code, 'context_length_exceeded');
}

// More clients than the server holds: it refuses some, and their own retries get all of them through.
async function retries() {
  const statuses = [];
  const noting = async (...request) => {
    const response = await fetch(...request);
    statuses.push(response.status);
    return response;
  };
  const retrying = new OpenAI({ baseURL: base, apiKey, maxRetries: 20, timeout: 120_000, fetch: noting });
  const settings = { model, messages, max_tokens: 100, n: 4, ignore_eos: true };
  const answers = await Promise.all(Array.from({ length: 12 }, (_, seed) => retrying.chat.completions.create({ ...settings, seed })));
  assert.ok(answers.every((answer) => answer.choices.length === 4));
  assert.ok(statuses.includes(429), `the server was never full: ${statuses}`);
  assert.equal(statuses.filter((status) => status === 200).length, 12, statuses.join());
}

// Answers whose readers left, as the server counts them.
async function aborted() {
  const page = await fetch(`${base.replace(/\/v1$/, '')}/metrics`, { headers: { authorization: `Bearer ${apiKey}` } });
  const line = (await page.text()).split('\n').find((line) => line.startsWith('vllm:request_success_total') && line.includes('"abort"'));
  return Number(line.split(' ').at(-1));
}

async function disconnectingCancels() {
  const before = await aborted();
  const stream = await chat({ stream: true, max_tokens: 1000, ignore_eos: true });
  for await (const _ of stream) break;
  const end = Date.now() + 60_000;
  while ((await aborted()) <= before) {
    assert.ok(Date.now() < end, 'the server goes on');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function anAdapter() {
  if (adapter) assert.equal((await chat({ model: adapter })).model, adapter);
}

const checks = [
  models, chatAndStreamAgree, streamHelper, completions, logProbabilities, severalWithASeed, stopStrings, structuredOutputs, tools, embeddings, errors,
  retries, disconnectingCancels, anAdapter,
];
let failed = 0;
for (const check of checks) {
  try {
    await check();
    console.log(`ok      ${check.name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${check.name}: ${error}`);
  }
}
console.log(`${checks.length - failed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
