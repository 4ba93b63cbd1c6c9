// The settings, and what is remembered of them in this browser.

const WIDE = matchMedia("(min-width: 60rem)");
const STORED = "finery.settings";

const at = id => document.getElementById(id);

/** What is kept, where the browser lets a page keep something. */
export function remembered(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
}

export function remember(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // It is asked for again, then.
  }
}

const fields = () => [...at("settings-form").querySelectorAll("input:not([type=checkbox]), textarea")];
const nameOf = field => field.name || field.id;

/** Stop texts, one a line; `\n`, `\t` and `\\` are read as in code. */
function stopTexts() {
  const escapes = { n: "\n", t: "\t", "\\": "\\" };
  const lines = at("stop-texts").value.split("\n").filter(line => line !== "");
  return lines.map(line => line.replace(/\\([nt\\])/g, (_, escape) => escapes[escape]));
}

/** The fields of a request that are set. */
export function sampling() {
  const numbers = fields().filter(field => field.name && field.type === "number" && field.value !== "");
  const stop = stopTexts();
  return { ...Object.fromEntries(numbers.map(field => [field.name, field.valueAsNumber])), ...(stop.length > 0 && { stop }) };
}

export const system = () => at("system").value.trim();
export const alternatives = () => at("alternatives").valueAsNumber || 0;

/** Marks the setting that the server refuses, if it is one; true if so. */
export function blame(param) {
  const wanted = param === "top_logprobs" || param === "logprobs" ? "alternatives" : param;
  const found = fields().find(field => nameOf(field) === wanted);
  found?.setAttribute("aria-invalid", "true");
  return found !== undefined;
}

function store() {
  const values = Object.fromEntries(fields().map(field => [nameOf(field), field.value]));
  remember(STORED, { ...values, colour: at("colour").checked });
}

function show(values) {
  for (const field of fields()) field.value = values[nameOf(field)] ?? field.defaultValue;
  at("colour").checked = values.colour ?? false;
  applyColour();
}

const applyColour = () => document.body.classList.toggle("coloured", at("colour").checked);

function open() {
  // Beside the conversation where there is room, else over it.
  if (WIDE.matches) at("settings").show();
  else at("settings").showModal();
  at("settings-button").setAttribute("aria-expanded", "true");
}

export function close() {
  if (at("settings").open) at("settings").close();
}

export function prepare() {
  show(remembered(STORED) ?? {});
  at("settings-form").addEventListener("submit", event => event.preventDefault());
  at("settings-form").addEventListener("input", event => {
    event.target.removeAttribute("aria-invalid");
    applyColour();
    store();
  });
  at("reset").addEventListener("click", () => {
    show({ system: at("system").value, colour: at("colour").checked });
    store();
  });
  const dialog = at("settings");
  const button = at("settings-button");
  button.addEventListener("click", () => (dialog.open ? close() : open()));
  at("settings-close").addEventListener("click", close);
  dialog.addEventListener("close", () => {
    button.setAttribute("aria-expanded", "false");
    button.focus();
  });
  // What lies around a dialog over the page closes it.
  dialog.addEventListener("click", event => event.target === dialog && close());
  dialog.addEventListener("keydown", event => {
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  });
  WIDE.addEventListener("change", () => {
    if (!dialog.open) return;
    close();
    open();
  });
}
