"""Text of the Rust books that rustup installs, one page a line: books.jsonl in the current folder.

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


def main():
    root = pathlib.Path(sys.argv[1])
    with open("books.jsonl", "w") as file:
        for book in ("book", "reference", "nomicon", "cargo"):
            for page in sorted((root / book).rglob("*.html")):
                text = Text()
                text.feed(page.read_text())
                text = "".join(text.parts).strip()
                # The whole book once more, and pages that only lead elsewhere.
                if page.name not in ("print.html", "404.html", "toc.html", "index.html") and len(text) > 400:
                    file.write(json.dumps({"text": text}) + "\n")


if __name__ == "__main__":
    main()
