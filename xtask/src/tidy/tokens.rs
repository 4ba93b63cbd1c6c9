//! Rust source as a flat list of tokens and the comments between them.
//!
//! The rules need no syntax tree: each looks for a short run of tokens. What stands in a string literal or a comment
//! is no token, so that a rule's own tests do not break it.

use std::ops::Range;

use proc_macro2::{Delimiter, LexError, Spacing, TokenStream, TokenTree};

/// A Rust file's tokens and comments, in order.
pub(crate) struct Source {
    pub(crate) tokens: Vec<Token>,
    /// Every comment, documentation included, with the line of each of its lines.
    pub(crate) comments: Vec<(usize, String)>,
    /// Why there are none.
    pub(crate) error: Option<(usize, String)>,
}

/// One token; a group is its two delimiters and what is between them.
#[derive(Debug)]
pub(crate) struct Token {
    pub(crate) text: String,
    /// Counted from 1.
    pub(crate) line: usize,
    /// Of an opening delimiter, the position of its closing one; of any other token, its own position.
    pub(crate) close: usize,
}

impl Source {
    pub(crate) fn read(text: &str) -> Self {
        let mut source = Self { tokens: Vec::new(), comments: Vec::new(), error: None };
        let stream: Result<TokenStream, LexError> = text.parse();
        match stream {
            Ok(stream) => {
                let mut reader = Reader { text, source: &mut source, end: 0 };
                reader.stream(stream);
                reader.gap(text.len());
            }
            Err(error) => source.error = Some((error.span().start().line, error.to_string())),
        }
        source
    }

    /// Positions at which the tokens read as `pattern`; `_` stands for any one token.
    pub(crate) fn find<'a>(&'a self, pattern: &'a [&'a str]) -> impl Iterator<Item = usize> + 'a {
        let windows = self.tokens.windows(pattern.len()).enumerate();
        windows.filter(|(_, window)| matches(window, pattern)).map(|(at, _)| at)
    }

    /// The ranges of tokens that exist only in tests: `#[cfg(test)]` and `#[test]` items, from the attribute to the
    /// item's end.
    pub(crate) fn test_ranges(&self) -> Vec<Range<usize>> {
        let marks = self.find(&["#", "[", "cfg", "(", "test", ")", "]"]).map(|at| (at, at + 7));
        let marks = marks.chain(self.find(&["#", "[", "test", "]"]).map(|at| (at, at + 4)));
        marks.map(|(at, after)| at..self.item_end(after)).collect()
    }

    /// The position after the first `;` or braces that begin at or after `at`, other groups skipped.
    pub(crate) fn item_end(&self, mut at: usize) -> usize {
        while let Some(token) = self.tokens.get(at) {
            match token.text.as_str() {
                ";" => return at + 1,
                "{" => return token.close + 1,
                _ => at = token.close + 1,
            }
        }
        self.tokens.len()
    }
}

fn matches(tokens: &[Token], pattern: &[&str]) -> bool {
    tokens.iter().zip(pattern).all(|(token, wanted)| *wanted == "_" || token.text == *wanted)
}

struct Reader<'a> {
    text: &'a str,
    source: &'a mut Source,
    /// Byte after the last token.
    end: usize,
}

impl Reader<'_> {
    fn stream(&mut self, stream: TokenStream) {
        let mut trees = stream.into_iter().peekable();
        while let Some(tree) = trees.next() {
            let range = tree.span().byte_range();
            let is_doc_comment = self.text[range.clone()].starts_with(['/'])
                && matches!(&tree, TokenTree::Punct(mark) if mark.as_char() == '#');
            if is_doc_comment {
                // The lexer gives `/// text` as `#[doc = " text"]`, or `#![doc = …]`, all with the span of the comment.
                self.gap(range.end);
                self.end = range.end;
                while trees.next_if(|tree| tree.span().byte_range() == range).is_some() {}
                continue;
            }
            match tree {
                TokenTree::Group(group) => {
                    let (open, close) = match group.delimiter() {
                        Delimiter::Parenthesis => ("(", ")"),
                        Delimiter::Brace => ("{", "}"),
                        Delimiter::Bracket => ("[", "]"),
                        Delimiter::None => ("", ""),
                    };
                    let at = self.source.tokens.len();
                    self.token(open, group.span_open());
                    self.stream(group.stream());
                    self.source.tokens[at].close = self.source.tokens.len();
                    self.token(close, group.span_close());
                }
                TokenTree::Punct(first) if first.as_char() == ':' && first.spacing() == Spacing::Joint => {
                    let second = trees.next_if(|next| matches!(next, TokenTree::Punct(next) if next.as_char() == ':'));
                    self.token(if second.is_some() { "::" } else { ":" }, first.span());
                    self.end = second.map_or(self.end, |second| second.span().byte_range().end);
                }
                other => self.token(&other.to_string(), other.span()),
            }
        }
    }

    fn token(&mut self, text: &str, span: proc_macro2::Span) {
        let range = span.byte_range();
        self.gap(range.start);
        self.end = range.end;
        let close = self.source.tokens.len();
        self.source.tokens.push(Token { text: text.to_owned(), line: span.start().line, close });
    }

    /// Takes what is between the last token and `to`, which is white space and comments.
    fn gap(&mut self, to: usize) {
        let Some(gap) = self.text.get(self.end..to) else { return };
        let line = self.text[..self.end].matches('\n').count() + 1;
        let comments = gap.lines().enumerate().map(|(index, text)| (line + index, text.trim().to_owned()));
        self.source.comments.extend(comments.filter(|(_, text)| !text.is_empty()));
    }
}

#[cfg(test)]
mod tests {
    use super::Source;

    #[test]
    fn comments_are_told_from_tokens_and_strings() {
        let source = Source::read("//! a\n/// b\nfn f() { // c\n  \"// no\"; /* d\n e */ g::h }\n// last\n");
        let comments: Vec<_> = source.comments.iter().map(|(line, text)| format!("{line} {text}")).collect();
        assert_eq!(comments, ["1 //! a", "2 /// b", "3 // c", "4 /* d", "5 e */", "6 // last"]);
        let tokens: Vec<_> = source.tokens.iter().map(|token| token.text.as_str()).collect();
        assert_eq!(tokens, ["fn", "f", "(", ")", "{", "\"// no\"", ";", "g", "::", "h", "}"]);
        assert_eq!((source.tokens[4].close, source.tokens[4].line, source.tokens[10].line), (10, 3, 5));
    }

    #[test]
    fn an_item_of_a_test_ends_with_its_braces() {
        let source = Source::read("#[cfg(test)] mod a; #[test] fn f(x: [u8; 2]) {} fn g() {}");
        let ends: Vec<_> = source.test_ranges().iter().map(|range| source.tokens[range.end].text.clone()).collect();
        assert_eq!(ends, ["#", "fn"]);
    }
}
