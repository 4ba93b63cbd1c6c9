// The card that tells how probable a token of an answer was, and what might have stood in its place.

const at = id => document.getElementById(id);

/** A probability for people. */
function percent(logprob) {
  const share = 100 * Math.exp(logprob);
  if (share < 0.1) return "< 0.1 %";
  return `${share > 99.9 && share < 100 - 1e-4 ? "> 99.9" : share.toFixed(1)} %`;
}

const MARKS = { " ": "·", "\n": "↵", "\t": "⇥", "\r": "␍" };

/** A token's text with its white space to be seen. */
function visible(token) {
  const hex = token.bytes?.map(byte => byte.toString(16).padStart(2, "0")).join(" ");
  if (token.text === "" || token.text.includes("\ufffd")) return hex ? `bytes ${hex}` : "no text of its own";
  return token.text.replace(/[ \n\t\r]/g, space => MARKS[space]);
}

/** A token's text to be listened to. */
function audible(token) {
  if (/^\s+$/.test(token.text)) return token.text.includes("\n") ? "line break" : "space";
  return token.text.trim() || visible(token);
}

const isSame = (a, b) => a.text === b.text && String(a.bytes ?? "") === String(b.bytes ?? "");

/** The likeliest tokens, and the chosen one where it is not among them. */
function candidates(token) {
  const rows = token.likeliest.map(other => ({ ...other, isChosen: isSame(other, token) }));
  return rows.some(row => row.isChosen) ? rows : [...rows, { ...token, isChosen: true, isBehind: rows.length > 0 }];
}

/** What a group of tokens says for itself, to be listened to. */
function spoken(tokens) {
  return tokens.map(token => {
    const others = candidates(token).filter(row => !row.isChosen).slice(0, 3);
    const list = others.map(row => `${audible(row)} ${percent(row.logprob)}`).join(", ");
    return `${audible(token)}, ${percent(token.logprob)}${list && `; else ${list}`}`;
  }).join(". ");
}

function element(tag, className, text = "") {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

function table(token) {
  const rows = candidates(token).map(row => {
    const line = element("tr", `${row.isChosen ? "chosen" : ""} ${row.isBehind ? "behind" : ""}`.trim());
    const bar = element("i", "bar");
    bar.style.setProperty("--share", String(Math.exp(row.logprob)));
    const share = element("td", "share");
    share.append(bar);
    line.append(element("th", "text", visible(row)), share, element("td", "percent", percent(row.logprob)));
    return line;
  });
  const made = document.createElement("table");
  made.append(...rows);
  return made;
}

const GAP = 8;

/** Shows the card for a group of tokens beside the element that has their text. */
function showCard(tokens, target) {
  const card = at("card");
  card.replaceChildren(...tokens.map(table));
  card.hidden = false;
  const place = target.getClientRects()[0] ?? target.getBoundingClientRect();
  const { width, height } = card.getBoundingClientRect();
  const left = Math.min(Math.max(GAP, place.left + place.width / 2 - width / 2), document.documentElement.clientWidth - width - GAP);
  const above = place.top - height - GAP;
  card.style.left = `${Math.max(GAP, left)}px`;
  card.style.top = `${above > GAP ? above : place.bottom + GAP}px`;
}

/** The answers by the elements that show them. */
export const answers = new WeakMap();
let marked = [];

export function hide() {
  at("card").hidden = true;
  marked.forEach(token => token.classList.remove("marked"));
  marked = [];
}

function mark(token) {
  if (marked.includes(token)) return null;
  hide();
  const text = token.closest(".text");
  const [first, last] = [Number(token.dataset.first), Number(token.dataset.last)];
  // A token that reaches over the end of a block or of what is bold has several elements.
  marked = [...text.querySelectorAll(`[data-first="${first}"]`)];
  marked.forEach(part => part.classList.add("marked"));
  const tokens = answers.get(text).tokens.slice(first, last + 1);
  showCard(tokens, token);
  return tokens;
}

export function prepare() {
  const list = at("turns");
  list.addEventListener("pointerover", event => {
    const token = event.target.closest(".token");
    if (token) mark(token);
    else hide();
  });
  list.addEventListener("pointerleave", event => event.pointerType === "mouse" && hide());
  document.addEventListener("pointerdown", event => event.target.closest?.(".token") || hide());
  at("talk").addEventListener("scroll", hide, { passive: true });
  list.addEventListener("focusout", hide);
  list.addEventListener("keydown", event => {
    const text = event.target;
    if (!answers.has(text) || event.ctrlKey || event.metaKey || event.altKey) return;
    const tokens = [...text.querySelectorAll(".token")];
    const here = tokens.indexOf(marked.at(event.key === "ArrowLeft" ? 0 : -1));
    const next = { ArrowRight: here + 1, ArrowLeft: here < 0 ? tokens.length - 1 : here - 1, Home: 0, End: tokens.length - 1 }[event.key];
    if (next === undefined || !tokens[next]) return;
    event.preventDefault();
    tokens[next].scrollIntoView({ block: "nearest" });
    // What scrolls hides the card: it is shown when that is over.
    requestAnimationFrame(() => requestAnimationFrame(() => {
      const marked = mark(tokens[next]);
      if (marked) at("spoken").textContent = spoken(marked);
    }));
  });
}
