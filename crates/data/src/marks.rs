//! `{% generation %}` … `{% endgeneration %}`: the tags that mark the assistant's part of a template.
//!
//! minijinja has no such tag and no way to add one. Transformers implements it as a call block whose function notes
//! where its body went, so the tags are rewritten into exactly that: `{% call mark() %}` … `{% endcall %}`. White-space
//! control (`{%-`, `-%}`), block trimming and scoping then work as they do there. The function wraps the body in two
//! sentinel characters that occur neither in the template nor in the messages; [`take_spans`] removes them again.

use std::ops::Range;

/// The two characters around each marked span of one rendering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sentinels {
    pub(crate) open: char,
    pub(crate) close: char,
}

impl Sentinels {
    /// Two private-use characters that no string in `inputs` contains.
    pub(crate) fn absent_from(inputs: &[&str]) -> Self {
        let mut free = ('\u{F0000}'..='\u{FFFFD}').filter(|&c| !inputs.iter().any(|input| input.contains(c)));
        // 65,534 characters to choose from: the last resort needs a message that holds nearly all of them.
        Sentinels { open: free.next().unwrap_or('\u{F0000}'), close: free.next().unwrap_or('\u{F0001}') }
    }
}

/// Rewrites the generation tags of a template into call blocks of the function named `mark`.
/// Returns `None` where the template has no such tag.
pub(crate) fn rewrite(source: &str, mark: &str) -> Option<String> {
    let mut out = String::with_capacity(source.len());
    let mut copied = 0;
    let mut found = false;
    let mut at = 0;
    while let Some(start) = find(source, at, &["{#", "{{", "{%"]) {
        let Some(end) = end_of_tag(source, start) else { break };
        at = end;
        if &source[start..start + 2] != "{%" {
            continue;
        }
        let body = start + 2..end - 2;
        let word = word_of(source, body);
        let replacement = match &source[word.clone()] {
            "generation" => format!("call {mark}()"),
            "endgeneration" => "endcall".to_owned(),
            "raw" => {
                at = end_of_raw(source, end);
                continue;
            }
            _ => continue,
        };
        out.push_str(&source[copied..word.start]);
        out.push_str(&replacement);
        copied = word.end;
        found = true;
    }
    out.push_str(&source[copied..]);
    found.then_some(out)
}

fn find(source: &str, from: usize, needles: &[&str]) -> Option<usize> {
    let bytes = source.as_bytes();
    (from..bytes.len()).find(|&at| needles.iter().any(|needle| bytes[at..].starts_with(needle.as_bytes())))
}

/// The end of the comment, expression or statement that starts at `start`; quotes hide the closing marks.
fn end_of_tag(source: &str, start: usize) -> Option<usize> {
    let bytes = source.as_bytes();
    let close: &[u8] = match bytes[start + 1] {
        b'#' => return find(source, start + 2, &["#}"]).map(|at| at + 2),
        b'{' => b"}}",
        _ => b"%}",
    };
    let mut quote = None;
    let mut at = start + 2;
    while at < bytes.len() {
        match quote {
            Some(_) if bytes[at] == b'\\' => at += 1,
            Some(open) if bytes[at] == open => quote = None,
            None if matches!(bytes[at], b'"' | b'\'') => quote = Some(bytes[at]),
            None if bytes[at..].starts_with(close) => return Some(at + 2),
            _ => {}
        }
        at += 1;
    }
    None
}

/// The words of a statement without white space and white-space control.
fn word_of(source: &str, body: Range<usize>) -> Range<usize> {
    let text = &source[body.clone()];
    let text = text.strip_prefix(['-', '+']).unwrap_or(text);
    let text = text.strip_suffix(['-', '+']).unwrap_or(text).trim();
    let start = text.as_ptr() as usize - source.as_ptr() as usize;
    start..start + text.len()
}

fn end_of_raw(source: &str, from: usize) -> usize {
    let mut at = from;
    while let Some(start) = find(source, at, &["{%"]) {
        let Some(close) = find(source, start, &["%}"]) else { break };
        if &source[word_of(source, start + 2..close)] == "endraw" {
            return close + 2;
        }
        at = start + 2;
    }
    source.len()
}

/// Removes the sentinels from a rendering; returns the text and the byte ranges that they enclosed, in order.
/// Nested marks count once.
pub(crate) fn take_spans(rendered: &str, sentinels: Sentinels) -> (String, Vec<Range<usize>>) {
    let mut text = String::with_capacity(rendered.len());
    let mut spans = Vec::new();
    let mut depth = 0_usize;
    let mut start = 0;
    for c in rendered.chars() {
        if c == sentinels.open {
            if depth == 0 {
                start = text.len();
            }
            depth += 1;
        } else if c == sentinels.close {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                spans.push(start..text.len());
            }
        } else {
            text.push(c);
        }
    }
    (text, spans)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_rewritten_and_nothing_else() {
        let cases = [
            ("{% generation %}x{% endgeneration %}", Some("{% call m() %}x{% endcall %}")),
            ("{%- generation -%}x{%-endgeneration-%}", Some("{%- call m() -%}x{%-endcall-%}")),
            ("{%+generation+%}x{%+ endgeneration %}", Some("{%+call m()+%}x{%+ endcall %}")),
            ("{# {% generation %} #}x", None),
            ("{{ '{% generation %}' }}", None),
            ("{% raw %}{% generation %}{% endraw %}", None),
            ("{% set generation = 1 %}{{ generation }}", None),
            ("{% if x == '%}' %}{% generation %}", Some("{% if x == '%}' %}{% call m() %}")),
            ("{{ 'it\\'s }}' }}{% generation %}", Some("{{ 'it\\'s }}' }}{% call m() %}")),
            ("{% unclosed", None),
            ("{", None),
            ("{%", None),
            ("{%%}{%-%}{%--%}", None),
        ];
        for (source, expected) in cases {
            assert_eq!(rewrite(source, "m").as_deref(), expected, "{source}");
        }
    }

    #[test]
    fn sentinels_avoid_the_input() {
        let taken = "a\u{F0000}b\u{F0002}";
        assert_eq!(Sentinels::absent_from(&[taken]), Sentinels { open: '\u{F0001}', close: '\u{F0003}' });
    }

    #[test]
    fn spans_are_byte_ranges_of_the_clean_text() {
        let sentinels = Sentinels { open: '<', close: '>' };
        assert_eq!(take_spans("é<ab>c<<d>>", sentinels), ("éabcd".to_owned(), vec![2..4, 5..6]));
    }
}
