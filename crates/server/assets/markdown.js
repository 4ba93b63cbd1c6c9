// The little of Markdown that models write: headings, lists, quotes, code, bold, italic. What is shown is made of text nodes, and each knows
// its place in the source, so that tokens can be found in it. Links stay text: nothing that a model says is fetched or followed.

const FENCE = /^\s{0,3}(`{3,}|~{3,})\s*([\w+#.-]*)[^`]*$/;
const HEADING = /^\s{0,3}(#{1,6})\s+(?=\S)/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(?=\S)/;
const QUOTE = /^\s{0,3}>\s?/;
const RULE = /^\s{0,3}([-*_])(\s*\1){2,}\s*$/;

function* lines(source) {
  for (let start = 0; start < source.length; ) {
    const found = source.indexOf("\n", start);
    const end = found < 0 ? source.length : found;
    yield { start, end, text: source.slice(start, end) };
    start = end + 1;
  }
}

/** The blocks of a text. Each has `ranges` of the source, `[start, end]`; an item of a list is `{depth, ranges}`. */
export function blocks(source) {
  const found = [];
  let open = null;
  const add = block => found.push((open = block));
  for (const line of lines(source)) {
    if (open?.kind === "code" && !open.isClosed) {
      const isEnd = FENCE.exec(line.text)?.[1].startsWith(open.fence) && line.text.trim().length === FENCE.exec(line.text)[1].length;
      if (isEnd) open.isClosed = true;
      else open.ranges = [[open.ranges[0]?.[0] ?? line.start, line.end]];
      continue;
    }
    let match;
    if (line.text.trim() === "") {
      // A list goes on behind an empty line.
      if (open?.kind !== "list") open = null;
      else open.isLoose = true;
    } else if ((match = FENCE.exec(line.text))) {
      add({ kind: "code", fence: match[1], language: match[2], ranges: [] });
    } else if (RULE.test(line.text)) {
      add({ kind: "rule", ranges: [[line.start, line.end]] });
    } else if ((match = HEADING.exec(line.text))) {
      add({ kind: "heading", level: match[1].length, ranges: [[line.start + match[0].length, line.end]] });
    } else if ((match = ITEM.exec(line.text))) {
      const item = { depth: match[1].length, ranges: [[line.start + match[0].length, line.end]] };
      const isOrdered = /\d/.test(match[2]);
      if (open?.kind === "list" && (open.isOrdered === isOrdered || item.depth > open.items[0].depth)) open.items.push({ ...item, isOrdered });
      else add({ kind: "list", isOrdered, first: Number.parseInt(match[2]) || 1, items: [{ ...item, isOrdered }] });
      open.isLoose = false;
    } else if ((match = QUOTE.exec(line.text))) {
      if (open?.kind !== "quote") add({ kind: "quote", ranges: [] });
      open.ranges.push([line.start + match[0].length, line.end]);
    } else if (open?.kind === "list" && (!open.isLoose || /^\s/.test(line.text))) {
      const indent = line.text.length - line.text.trimStart().length;
      open.items.at(-1).ranges.push([line.start + indent, line.end]);
    } else if (open?.kind === "paragraph") {
      open.ranges[0][1] = line.end;
    } else {
      add({ kind: "paragraph", ranges: [[line.start, line.end]] });
    }
  }
  return found;
}

const INLINE = /(?<code>(`+)(?!`)([^]{1,2000}?)(?<!`)\2(?!`))|(?<bold>(\*\*|(?<!\w)__)(?=\S)([^]{0,2000}?\S)\5)|(?<italic>(\*|(?<!\w)_)(?=[^\s*_])([^]{0,2000}?[^\s*_])\8(?![\w*]))/g;

/** Adds what stands from `start` to `end` to `parent`; `leaf` makes the nodes of plain text. */
function inline(source, [start, end], leaf, parent) {
  let done = start;
  for (const match of source.slice(start, end).matchAll(INLINE)) {
    const { code, bold } = match.groups;
    const from = start + match.index;
    const width = (match[2] ?? match[5] ?? match[8]).length;
    const inner = [from + width, from + match[0].length - width];
    parent.append(...leaf(done, from));
    const made = document.createElement(code ? "code" : bold ? "strong" : "em");
    if (code) made.append(...leaf(...inner));
    else inline(source, inner, leaf, made);
    parent.append(made);
    done = from + match[0].length;
  }
  parent.append(...leaf(done, end));
}

function list(source, block, leaf) {
  const begin = item => document.createElement(item.isOrdered ? "ol" : "ul");
  const root = begin(block.items[0]);
  if (block.isOrdered) root.start = block.first;
  const levels = [{ depth: block.items[0].depth, list: root }];
  for (const item of block.items) {
    while (levels.length > 1 && item.depth < levels.at(-1).depth) levels.pop();
    // Two spaces and more make a list of their own in the item before.
    if (item.depth >= levels.at(-1).depth + 2 && levels.at(-1).list.lastChild) {
      const inner = begin(item);
      levels.at(-1).list.lastChild.append(inner);
      levels.push({ depth: item.depth, list: inner });
    }
    const made = document.createElement("li");
    item.ranges.forEach((range, at) => {
      if (at > 0) made.append("\n");
      inline(source, range, leaf, made);
    });
    levels.at(-1).list.append(made);
  }
  return root;
}

const TAGS = { paragraph: "p", quote: "blockquote", rule: "hr" };

/** The element of a block; `leaf(start, end)` makes the nodes of a part of the source. */
export function element(source, block, leaf) {
  if (block.kind === "list") return list(source, block, leaf);
  if (block.kind === "code") {
    const made = document.createElement("pre");
    const code = document.createElement("code");
    block.ranges.forEach(range => code.append(...leaf(...range)));
    made.append(code);
    // It scrolls, so that it has to be reached by keyboard.
    made.tabIndex = 0;
    if (block.language) made.dataset.language = block.language;
    return made;
  }
  // Below the headings of the page itself.
  const made = document.createElement(TAGS[block.kind] ?? `h${Math.min(6, block.level + 2)}`);
  if (block.kind !== "rule") {
    block.ranges.forEach((range, at) => {
      if (at > 0) made.append("\n");
      inline(source, range, leaf, made);
    });
  }
  return made;
}
