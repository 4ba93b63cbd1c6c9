// An answer as it is seen: drawn while it comes, with its tokens to be pointed at.

import { blocks, element } from "./markdown.js";

/** The part of a page that shows a `TokenText`. */
export class AnswerView {
  #root;
  #isPlain;
  /** What each block was drawn from, so that only those that change are drawn again. */
  #drawn = [];

  /** `isPlain`: the text as it is, without Markdown. */
  constructor(root, isPlain) {
    this.#root = root;
    this.#isPlain = isPlain;
  }

  draw(answer) {
    const text = answer.text;
    const leaf = (start, end) => leaves(answer, start, end);
    const all = this.#isPlain ? [{ kind: "paragraph", ranges: [[0, text.length]] }] : blocks(text);
    all.forEach((block, at) => {
      const key = JSON.stringify(block);
      if (this.#drawn[at] === key) return;
      const made = this.#isPlain ? plain(leaf, text) : element(text, block, leaf);
      if (this.#root.children[at]) this.#root.children[at].replaceWith(made);
      else this.#root.append(made);
      this.#drawn[at] = key;
    });
    while (this.#root.children.length > all.length) this.#root.lastChild.remove();
    this.#drawn.length = all.length;
  }
}

function plain(leaf, text) {
  const made = document.createElement("p");
  made.append(...leaf(0, text.length));
  return made;
}

/** The text from `start` to `end`: what belongs to tokens in elements of theirs. */
function leaves(answer, start, end) {
  const nodes = [];
  let done = start;
  for (const group of answer.groups(start, end)) {
    if (group.start > done) nodes.push(document.createTextNode(answer.text.slice(done, group.start)));
    const token = document.createElement("span");
    token.className = "token";
    token.dataset.first = group.first;
    token.dataset.last = group.last;
    const least = Math.min(...answer.tokens.slice(group.first, group.last + 1).map(token => token.logprob));
    token.style.setProperty("--doubt", (1 - Math.exp(least)).toFixed(3));
    token.textContent = answer.text.slice(group.start, group.end);
    nodes.push(token);
    done = group.end;
  }
  if (done < end) nodes.push(document.createTextNode(answer.text.slice(done, end)));
  return nodes;
}
