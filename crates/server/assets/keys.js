// The key of a server that wants one. It is asked for when the server says so, and kept as long as the tab.

const at = id => document.getElementById(id);
const STORED = "finery.key";

let key = "";

/** Asks for a key; resolves to whether there is one. */
function askForKey(reason) {
  const dialog = at("key-dialog");
  at("key-error").textContent = reason;
  at("key").value = "";
  dialog.returnValue = "";
  if (!dialog.open) dialog.showModal();
  return new Promise(resolve => dialog.addEventListener("close", () => resolve(dialog.returnValue === "given"), { once: true }));
}

/** Calls with the key, and asks for another one as long as the server refuses it. */
export async function keyed(call) {
  for (;;) {
    try {
      return await call(key);
    } catch (error) {
      if (error.status !== 401 || !(await askForKey(error.message))) throw error;
    }
  }
}

function setKey(given) {
  key = given;
  at("key-settings").hidden = !given;
  try {
    if (given) sessionStorage.setItem(STORED, given);
    else sessionStorage.removeItem(STORED);
  } catch {
    // A browser that lets pages keep nothing: the key is this page's until it is loaded again.
  }
}

function stored() {
  try {
    return sessionStorage.getItem(STORED) ?? "";
  } catch {
    return "";
  }
}

/** `changed` is called when there is another key. */
export function prepare(changed) {
  const dialog = at("key-dialog");
  at("key-form").addEventListener("submit", event => {
    event.preventDefault();
    const given = at("key").value.trim();
    // A header takes nothing else.
    if (!/^[\x21-\x7e]*$/.test(given)) {
      at("key-error").textContent = "Keys are of letters, digits and signs without accents: copy it once more.";
      return;
    }
    setKey(given);
    dialog.close("given");
  });
  at("key-cancel").addEventListener("click", () => dialog.close());
  at("key-change").addEventListener("click", async () => {
    if (await askForKey("")) changed();
  });
  at("key-forget").addEventListener("click", () => setKey(""));
  setKey(stored());
}
