"""Text of the Rust books that rustup installs, in the current folder: one page a line in books.jsonl, some paragraphs a line in
paragraphs.jsonl.

    python bench/curves/corpus.py $(rustc --print sysroot)/share/doc/rust/html
"""

import html.parser
import json
import pathlib
import sys


class Text(html.parser.HTMLParser):
    """The text within <main>, a line for each paragraph."""

    def __init__(self):
        super().__init__()
        self.within = False
        self.parts = []

    def handle_starttag(self, tag, attrs):
        self.within = self.within or tag == "main"
        if self.within and tag in ("p", "pre", "li", "h1", "h2", "h3"):
            self.parts.append("\n")

    def handle_endtag(self, tag):
        self.within = self.within and tag != "main"

    def handle_data(self, data):
        if self.within:
            self.parts.append(data)


# A line of paragraphs.jsonl is at least as long, in characters, but for the last of a page.
LENGTH = 250


def passages(text):
    """Consecutive paragraphs, as many as make the length."""
    passage = ""
    for paragraph in filter(None, text.split("\n")):
        passage += paragraph + "\n"
        if len(passage) >= LENGTH:
            yield passage
            passage = ""
    if passage:
        yield passage


def main():
    root = pathlib.Path(sys.argv[1])
    with open("books.jsonl", "w") as books, open("paragraphs.jsonl", "w") as paragraphs:
        for book in ("book", "reference", "nomicon", "cargo"):
            for page in sorted((root / book).rglob("*.html")):
                text = Text()
                text.feed(page.read_text())
                text = "".join(text.parts).strip()
                # The whole book once more, and pages that only lead elsewhere.
                if page.name not in ("print.html", "404.html", "toc.html", "index.html") and len(text) > 400:
                    books.write(json.dumps({"text": text}) + "\n")
                    for passage in passages(text):
                        paragraphs.write(json.dumps({"text": passage}) + "\n")


if __name__ == "__main__":
    main()
