//! Tokens shown with what the loss counts of them.

use std::borrow::Cow;
use std::fmt::Write;

use crate::Tokenizer;
use crate::error::Result;
use crate::loader::Batch;

/// How targets are told from the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marks {
    /// `{+…+}` around targets, as `git diff --word-diff` marks insertions.
    Plain,
    /// Targets in bold green and the rest dim, for terminals.
    Ansi,
}

impl Marks {
    fn around(self, target: bool) -> (&'static str, &'static str) {
        match (self, target) {
            (Marks::Plain, true) => ("{+", "+}"),
            (Marks::Plain, false) => ("", ""),
            (Marks::Ansi, true) => ("\x1b[1;32m", "\x1b[0m"),
            (Marks::Ansi, false) => ("\x1b[2m", "\x1b[0m"),
        }
    }
}

/// Whether a terminal would do something else than show it, or show others in another order (Unicode's bidirectional controls).
fn acts(character: char) -> bool {
    let orders =
        matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    orders || (character.is_control() && !matches!(character, '\n' | '\t'))
}

/// The text with Rust's escapes, such as `\u{1b}`, for what would act on a terminal: data come from anywhere.
fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(acts) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match acts(character) {
            true => shown.extend(character.escape_default()),
            false => shown.push(character),
        }
    }
    Cow::Owned(shown)
}

/// The text of some tokens (`[tokens]`), with the targets marked. Special tokens are shown as they are written, and what would act on a terminal escaped.
pub fn mark_targets(tokenizer: &Tokenizer, tokens: &[u32], targets: &[bool], marks: Marks) -> Result<String> {
    let mut stream = tokenizer.stream(false);
    let mut runs: Vec<(bool, String)> = Vec::new();
    let mut add = |target: bool, text: String| match runs.last_mut() {
        Some((last, run)) if *last == target => run.push_str(&text),
        _ if text.is_empty() => {}
        _ => runs.push((target, text)),
    };
    for (&token, &target) in tokens.iter().zip(targets) {
        add(target, stream.push(token)?);
    }
    add(targets.last().copied().unwrap_or(false), stream.finish()?);
    let mut shown = String::new();
    for (target, run) in runs {
        let (before, after) = marks.around(target);
        shown.extend([before, &escaped(&run), after]);
    }
    Ok(shown)
}

/// A row of a batch, one block to a document: its positions and counts, then its text with the targets marked.
pub fn show_row(tokenizer: &Tokenizer, batch: &Batch, row: usize, marks: Marks) -> Result<String> {
    let mut out = String::new();
    let cells = row * batch.sequence_len..(row + 1) * batch.sequence_len;
    let segments = &batch.segment_ids[cells.clone()];
    let mut start = 0;
    while start < segments.len() {
        let segment = segments[start];
        let len = segments[start..].iter().take_while(|&&other| other == segment).count();
        let place = cells.start + start..cells.start + start + len;
        start += len;
        if segment == 0 {
            writeln!(out, "-- row {row}, {len} tokens of padding").ok();
            continue;
        }
        let tokens: Vec<u32> = batch.tokens[place.clone()].iter().map(|&token| token.unsigned_abs()).collect();
        // The mask at a position is about the token after it, so a document's first token is never a target.
        let masks = &batch.loss_mask[place.clone()];
        let targets: Vec<bool> =
            std::iter::once(false).chain(masks[..len - 1].iter().map(|&mask| mask != 0.0)).collect();
        let counted = masks.iter().filter(|&&mask| mask != 0.0).count();
        writeln!(
            out,
            "-- row {row}, document {segment}: {len} tokens at positions {}..={}, {counted} targets",
            batch.positions[place.start],
            batch.positions[place.end - 1],
        )
        .ok();
        writeln!(out, "{}", mark_targets(tokenizer, &tokens, &targets, marks)?).ok();
    }
    Ok(out)
}
