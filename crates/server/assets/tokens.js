// Where the tokens of an answer lie in its text.

/** The text of an answer with its tokens. It only grows. */
export class TokenText {
  text = "";
  /** `start` is where a token's text begins; a token without text of its own begins where the next one does. */
  tokens = [];
  #decoder = new TextDecoder();
  /** Where the next token should begin, by the length of the last. */
  #next = 0;

  /** A token of a piece begins in that piece's text: guesses that are wrong, of decoders that change spaces, are put right there. */
  append(text, tokens) {
    const start = this.text.length;
    this.text += text;
    for (const token of tokens) {
      const at = Math.min(Math.max(this.#next, start), this.text.length);
      this.tokens.push({ ...token, start: at });
      this.#next = at + this.#length(token, at);
    }
  }

  #length(token, at) {
    // Bytes that make no character yet have no text.
    const own = token.bytes ? this.#decoder.decode(new Uint8Array(token.bytes), { stream: true }) : token.text.replaceAll("\ufffd", "");
    const lostSpace = own.startsWith(" ") && !this.text.startsWith(own, at) && this.text.startsWith(own.slice(1), at);
    return own.length - (lostSpace ? 1 : 0);
  }

  /** The groups of tokens that have text, as `[first, last]`, from `start` to `end` of the text, with their parts of it. */
  *groups(start, end) {
    let first = this.#firstBehind(start);
    // The token before reaches into the range.
    if (first > 0 && (first === this.tokens.length || this.tokens[first].start > start)) first = this.#groupStart(first - 1);
    while (first < this.tokens.length && this.tokens[first].start < end) {
      const next = this.#firstBehind(this.tokens[first].start + 1);
      const until = next < this.tokens.length ? this.tokens[next].start : this.text.length;
      yield { first, last: next - 1, start: Math.max(start, this.tokens[first].start), end: Math.min(end, until) };
      first = next;
    }
  }

  /** The first token that begins at `position` or behind it. */
  #firstBehind(position) {
    let low = 0;
    let high = this.tokens.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.tokens[middle].start < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #groupStart(index) {
    return this.#firstBehind(this.tokens[index].start);
  }
}
