// What is asked of the server: the public routes of OpenAI's API, and no others.

/** A refusal, in the server's words. */
export class Refusal extends Error {
  constructor(status, error) {
    super(error.message);
    this.status = status;
    this.code = error.code ?? null;
    this.param = error.param ?? null;
  }
}

const headers = key => ({ "Content-Type": "application/json", ...(key && { Authorization: `Bearer ${key}` }) });

async function refusal(response) {
  const text = await response.text();
  try {
    return new Refusal(response.status, JSON.parse(text).error);
  } catch {
    // Something between this page and the server has answered.
    return new Refusal(response.status, { message: `${response.status} ${response.statusText} ${text}`.trim().slice(0, 500) });
  }
}

/** The models and adapters that can be asked. */
export async function models(key) {
  const response = await fetch("v1/models", { headers: headers(key), cache: "no-store" });
  if (!response.ok) throw await refusal(response);
  return (await response.json()).data;
}

/** The data of server-sent events, up to `[DONE]`. */
async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) throw new Error("The connection ended before the answer did.");
      const frames = (rest + value).split("\n\n");
      rest = frames.pop();
      for (const frame of frames) {
        const data = frame.split("\n").filter(line => line.startsWith("data:")).map(line => line.slice(5).trimStart()).join("\n");
        if (data === "[DONE]") return;
        if (data) yield JSON.parse(data);
      }
    }
  } finally {
    // Whoever stops reading ends the request, and the server its work.
    reader.cancel().catch(() => {});
  }
}

async function* streamed(path, request, key, signal) {
  const options = { stream: true, stream_options: { include_usage: true } };
  const body = JSON.stringify({ ...request, ...options });
  const response = await fetch(path, { method: "POST", headers: headers(key), body, signal });
  if (!response.ok) throw await refusal(response);
  for await (const event of events(response.body)) {
    if (event.error) throw new Refusal(response.status, event.error);
    yield event;
  }
}

/**
 * Continues a conversation. Yields pieces `{text, tokens, finish, usage}`, in which a token is
 * `{text, bytes, logprob, likeliest: [{text, bytes, logprob}]}`.
 */
export async function* chat({ alternatives, ...request }, key, signal) {
  const logprobs = alternatives > 0 ? { logprobs: true, top_logprobs: alternatives } : {};
  const read = token => ({ text: token.token, bytes: token.bytes, logprob: token.logprob });
  for await (const { choices, usage } of streamed("v1/chat/completions", { ...request, ...logprobs }, key, signal)) {
    const choice = choices[0];
    const content = choice?.logprobs?.content ?? [];
    const tokens = content.map(token => ({ ...read(token), likeliest: token.top_logprobs.map(read) }));
    yield { text: choice?.delta.content ?? "", tokens, finish: choice?.finish_reason, usage };
  }
}

/** Continues a text, in the same pieces. */
export async function* completion({ alternatives, ...request }, key, signal) {
  const logprobs = alternatives > 0 ? { logprobs: alternatives } : {};
  for await (const { choices, usage } of streamed("v1/completions", { ...request, ...logprobs }, key, signal)) {
    const choice = choices[0];
    const { tokens = [], token_logprobs = [], top_logprobs = [] } = choice?.logprobs ?? {};
    const read = (text, at) => {
      const likeliest = Object.entries(top_logprobs[at] ?? {}).map(([text, logprob]) => ({ text, logprob }));
      return { text, logprob: token_logprobs[at], likeliest: likeliest.sort((a, b) => b.logprob - a.logprob) };
    };
    yield { text: choice?.text ?? "", tokens: tokens.map(read), finish: choice?.finish_reason, usage };
  }
}
