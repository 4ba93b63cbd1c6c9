// The chat page: a conversation with a model, or with an adapter of it.

import { AnswerView } from "./answer.js";
import * as card from "./card.js";
import * as keys from "./keys.js";
import { Refusal, chat, completion, models } from "./requests.js";
import * as settings from "./settings.js";
import { TokenText } from "./tokens.js";

const at = id => document.getElementById(id);
const MODEL = "finery.model";
/** Tokens of a continuation where the settings say nothing: the server's own number is small. */
const CONTINUATION_TOKENS = 256;
const RETRY_MS = 2000;
const FRAME_MS = 16;

/** What was said: `{question, answer, element}`; an answer that failed has no text, and is not sent again. */
let turns = [];
/** The answer that is under way: `{abort}`. */
let running = null;
/** False once the server has said that the model has no chat template. */
let hasTemplate = true;
let listed = [];
/** When the server is asked again that does not answer. */
let retry = 0;

function make(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#icon-${name}`);
  svg.append(use);
  return svg;
}

function tool(name, label, act) {
  return make("button", { type: "button", className: `tool ${name}`, onclick: act }, icon(name), make("span", { textContent: label }));
}

// Models.

const chosen = () => listed.find(model => model.id === at("model").value);

/** The models that are no adapters, as one text. */
const bases = () => listed.filter(model => !model.parent).map(model => model.id).join("\n");

async function list() {
  clearTimeout(retry);
  const known = bases();
  try {
    listed = await keys.keyed(models);
  } catch (error) {
    const isRefusal = error.status < 500;
    at("greeting").textContent = error.status === 401 ? "This server wants a key" : `The server ${isRefusal ? "refuses" : "does not answer"}`;
    const again = make("button", { type: "button", textContent: "Try again", onclick: list });
    at("about").replaceChildren(error instanceof Refusal ? error.message : "It may be starting, or gone.", again);
    at("start").classList.add("failed");
    // A server that starts answers late.
    if (!isRefusal) retry = setTimeout(list, RETRY_MS);
    return;
  }
  // Another server's model may have a template.
  if (bases() !== known) {
    hasTemplate = true;
    at("note").hidden = true;
  }
  const select = at("model");
  const wanted = select.disabled ? settings.remembered(MODEL) : select.value;
  const group = (label, models) => make("optgroup", { label }, ...models.map(model => new Option(model.id, model.id)));
  const adapters = listed.filter(model => model.parent);
  const all = [group("Model", listed.filter(model => !model.parent))];
  if (adapters.length > 0) all.push(group("Adapters", adapters));
  select.replaceChildren(...all);
  if (listed.some(model => model.id === wanted)) select.value = wanted;
  select.disabled = false;
  greet();
  refresh();
}

function greet() {
  const model = chosen();
  if (!model) return;
  at("greeting").textContent = `Talk to ${model.id}`;
  const kind = model.parent ? `An adapter of ${model.parent}` : "A model";
  at("about").textContent = `${kind} that reads and writes up to ${model.max_model_len.toLocaleString("en")} tokens.`;
  at("start").classList.remove("failed");
  document.title = `${model.id} · Finery`;
}

// The conversation.

function messages(before) {
  const said = turns.slice(0, turns.indexOf(before)).filter(turn => turn.answer.text);
  const both = said.flatMap(turn => [{ role: "user", content: turn.question }, { role: "assistant", content: turn.answer.text }]);
  const system = settings.system();
  return [...(system ? [{ role: "system", content: system }] : []), ...both, { role: "user", content: before.question }];
}

/** Begins an answer: its pieces, the first of which has come. */
async function begin(turn, model, signal) {
  const request = { model, ...settings.sampling(), alternatives: settings.alternatives() };
  const said = messages(turn);
  const first = async pieces => ({ pieces, first: await pieces.next() });
  if (hasTemplate) {
    try {
      return await keys.keyed(key => first(chat({ ...request, messages: said }, key, signal)));
    } catch (error) {
      if (error.code !== "no_chat_template") throw error;
      hasTemplate = false;
      at("note").textContent =
        "This model has no chat template, so it cannot converse: it continues all the text above as it stands, " +
        `by ${CONTINUATION_TOKENS} tokens at most unless the settings say otherwise.`;
      at("note").hidden = false;
    }
  }
  const prompt = said.map(message => message.content).join("");
  return keys.keyed(key => first(completion({ max_tokens: CONTINUATION_TOKENS, ...request, prompt }, key, signal)));
}

async function answer(turn) {
  const model = at("model").value;
  const abort = new AbortController();
  running = { abort };
  turn.answer = new TokenText();
  const { text, error, stats } = show(turn, model);
  const speaker = new Speaker();
  const times = { sent: performance.now(), first: null, last: null };
  let view = null;
  let usage = null;
  let finish = null;
  let timer = 0;
  let took = 0;
  const draw = () => {
    const began = performance.now();
    timer = 0;
    view.draw(turn.answer);
    stats.textContent = told(turn.answer, usage, times, finish);
    follow();
    took = performance.now() - began;
  };
  turn.element.dataset.state = "waiting";
  refresh();
  follow();
  try {
    const { pieces, first } = await begin(turn, model, abort.signal);
    view = new AnswerView(text, !hasTemplate);
    for (let { value: piece, done } = first; !done; { value: piece, done } = await pieces.next()) {
      if (piece.text || piece.tokens.length > 0) {
        times.last = performance.now();
        times.first ??= times.last;
        turn.element.dataset.state = "streaming";
      }
      turn.answer.append(piece.text, piece.tokens);
      speaker.hear(piece.text);
      usage = piece.usage ?? usage;
      finish = piece.finish ?? finish;
      // The longer a block, the longer it takes to draw, and the more seldom it is drawn.
      timer ||= setTimeout(draw, Math.max(FRAME_MS, 4 * took));
    }
    turn.element.dataset.state = "done";
  } catch (reason) {
    const isStopped = abort.signal.aborted;
    finish = isStopped ? "stopped" : finish;
    turn.element.dataset.state = isStopped ? "stopped" : "failed";
    if (!isStopped) blame(reason, error);
  } finally {
    // Another one may be under way, in a new conversation.
    if (running?.abort === abort) running = null;
    // It would take back what is said of an answer that is empty.
    clearTimeout(timer);
    if (view) draw();
    if (!turn.answer.text && !error.textContent) stats.textContent = finish === "stopped" ? "stopped before it began" : "an empty answer";
    text.tabIndex = turn.answer.tokens.length > 0 ? 0 : -1;
    speaker.finish(finish === "stopped" ? "Stopped." : "");
    refresh();
    follow();
  }
}

/** Says what went wrong in the server's words. */
function blame(reason, place) {
  place.textContent = reason instanceof Refusal ? reason.message : `The answer was cut: ${reason.message}`;
  place.hidden = false;
  if (reason.param && settings.blame(reason.param)) place.append(make("small", { textContent: "It is marked in the settings." }));
  if (reason.code === "model_not_found") list();
}

/** An answer in numbers. */
function told(answer, usage, times, finish) {
  const count = usage?.completion_tokens ?? answer.tokens.length;
  const parts = [];
  if (count > 0) parts.push(`${count} ${count === 1 ? "token" : "tokens"}`);
  const seconds = (times.last - times.first) / 1000;
  // Of few tokens that come in one piece there is no rate to tell.
  if (count > 1 && seconds >= 0.02) {
    const rate = (count - 1) / seconds;
    parts.push(`${rate < 10 ? rate.toFixed(1) : Math.round(rate)} tokens/s`);
  }
  if (times.first !== null) parts.push(`first after ${Math.round(times.first - times.sent)} ms`);
  if (usage) {
    const cached = usage.prompt_tokens_details?.cached_tokens;
    parts.push(`prompt ${usage.prompt_tokens}${cached ? `, ${cached} of it cached` : ""}`);
  }
  if (finish === "length") parts.push("cut off: no room for more tokens");
  if (finish === "stopped") parts.push("stopped");
  return parts.join(" · ");
}

/** Puts an empty answer in a turn. */
function show(turn, model) {
  const name = make("h3", { className: "name", textContent: model });
  const text = make("div", { className: "text", role: "group", tabIndex: -1 });
  text.ariaLabel = `Answer of ${model}. Left and right arrow keys go through its tokens.`;
  const error = make("p", { className: "error", role: "alert", hidden: true });
  const stats = make("span", { className: "stats" });
  const copying = tool("copy", "Copy", () => copy(turn.answer.text, copying));
  const tools = make("div", { className: "tools" }, copying, tool("again", "Regenerate", () => running || answer(turn)), stats);
  const article = make("article", { className: "answer" }, name, text, error, tools);
  card.answers.set(text, turn.answer);
  turn.element.querySelector(".answer")?.remove();
  turn.element.append(article);
  return { text, error, stats };
}

function ask(question) {
  // What is being edited is no end of the conversation any more.
  document.querySelectorAll(".editing").forEach(form => form.close());
  // What failed is out of the conversation, and stays to be seen no longer than until something else is said.
  const failed = turns.filter(turn => !turn.answer.text);
  failed.forEach(turn => turn.element.remove());
  turns = turns.filter(turn => !failed.includes(turn));
  const turn = { question, answer: new TokenText(), element: make("li", { className: "turn" }) };
  turns.push(turn);
  turn.element.append(questioned(turn));
  at("turns").append(turn.element);
  isAtEnd = true;
  answer(turn);
}

function questioned(turn) {
  const text = make("div", { className: "text", textContent: turn.question });
  const tools = make("div", { className: "tools" }, tool("edit", "Edit", () => running || edit(turn)));
  return make("article", { className: "question" }, make("h3", { className: "unseen", textContent: "You" }), text, tools);
}

function edit(turn) {
  const field = make("textarea", { value: turn.question, rows: 1, ariaLabel: "Your message" });
  const close = () => form.replaceWith(questioned(turn));
  const leave = () => {
    close();
    at("message").focus();
  };
  const form = make(
    "form",
    { className: "question editing", close },
    field,
    make("div", { className: "actions" }, make("button", { type: "button", textContent: "Cancel", onclick: leave }), make("button", { className: "strong", textContent: "Send" })),
  );
  form.addEventListener("submit", event => {
    event.preventDefault();
    const question = worded(field);
    if (running || !question) return;
    turn.question = question;
    leave();
    answer(turn);
  });
  field.addEventListener("input", () => grow(field));
  field.addEventListener("keydown", event => {
    if (event.key === "Escape") leave();
    sendOnEnter(event, form);
  });
  turn.element.querySelector(".question").replaceWith(form);
  grow(field);
  field.focus();
}

/** What a field asks for; empty: nothing. A text to be continued may end in a space or a line break. */
function worded(field) {
  const trimmed = field.value.trim();
  return hasTemplate || !trimmed ? trimmed : field.value;
}

async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // A page that came without TLS from another machine has no clipboard of its own.
    const field = make("textarea", { value: text, className: "unseen" });
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  const label = button.querySelector("span");
  label.textContent = "Copied";
  setTimeout(() => (label.textContent = "Copy"), 1500);
}

/** Reads an answer out by sentences, for those who listen. */
class Speaker {
  #waiting = "";

  hear(text) {
    this.#waiting += text;
    const end = Math.max(...[". ", "! ", "? ", "\n"].map(end => this.#waiting.lastIndexOf(end)));
    if (end < 0) return;
    this.#say(this.#waiting.slice(0, end + 1));
    this.#waiting = this.#waiting.slice(end + 1);
  }

  finish(more) {
    this.#say(`${this.#waiting} ${more}`);
  }

  #say(text) {
    if (text.trim()) at("spoken").textContent = text.trim();
  }
}

// The page.

let isAtEnd = true;

/** Keeps the end in sight, if it was. */
function follow() {
  const talk = at("talk");
  if (isAtEnd) talk.scrollTop = talk.scrollHeight;
  at("latest").hidden = isAtEnd;
}

function grow(field) {
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight}px`;
}

/** Shows what can be done. */
function refresh() {
  const isRunning = running !== null;
  const active = document.activeElement;
  at("send").hidden = isRunning;
  at("stop").hidden = !isRunning;
  at("send").disabled = at("model").disabled || at("message").value.trim() === "";
  at("new").disabled = turns.length === 0;
  at("start").hidden = turns.length > 0;
  at("turns").classList.toggle("busy", isRunning);
  at("talk").ariaBusy = isRunning;
  if (isRunning && active === at("send")) at("stop").focus();
  if (!isRunning && active === at("stop")) at("message").focus();
}

function sendOnEnter(event, form) {
  const hasKeyboard = !matchMedia("(pointer: coarse)").matches;
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || !hasKeyboard) return;
  event.preventDefault();
  form.requestSubmit();
}

function prepare() {
  settings.prepare();
  keys.prepare(list);
  card.prepare();
  const field = at("message");
  at("composer").addEventListener("submit", event => {
    event.preventDefault();
    const question = worded(field);
    if (!question || running || at("model").disabled) return;
    field.value = "";
    grow(field);
    ask(question);
  });
  field.addEventListener("keydown", event => sendOnEnter(event, at("composer")));
  field.addEventListener("input", () => {
    grow(field);
    refresh();
  });
  at("stop").addEventListener("click", () => running?.abort.abort());
  document.addEventListener("keydown", event => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    if (!at("card").hidden) card.hide();
    else running?.abort.abort();
  });
  at("new").addEventListener("click", () => {
    running?.abort.abort();
    turns = [];
    at("turns").replaceChildren();
    refresh();
    field.focus();
  });
  at("model").addEventListener("change", () => {
    settings.remember(MODEL, at("model").value);
    greet();
  });
  at("talk").addEventListener("scroll", () => {
    const { scrollHeight, scrollTop, clientHeight } = at("talk");
    isAtEnd = scrollHeight - scrollTop - clientHeight < 40;
    at("latest").hidden = isAtEnd;
  });
  at("latest").addEventListener("click", () => {
    isAtEnd = true;
    follow();
  });
  // Adapters come and go while the page is elsewhere.
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && !running && !at("model").disabled && list());
  if (!matchMedia("(pointer: coarse)").matches) field.focus();
  list();
}

prepare();
