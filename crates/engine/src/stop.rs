//! Texts at which generation stops, found across the pieces in which text comes.

use std::ops::ControlFlow;

/// Passes text on until a stop string appears in it. What could be the beginning of one is held back.
#[derive(Debug)]
pub struct StopStrings {
    stops: Vec<String>,
    held: String,
    /// Bytes of `held` in which no stop string may end.
    passed: usize,
}

impl StopStrings {
    /// Empty strings are passed over.
    pub fn new(stops: &[String]) -> StopStrings {
        let stops = stops.iter().filter(|stop| !stop.is_empty()).cloned().collect();
        StopStrings { stops, held: String::new(), passed: 0 }
    }

    /// Takes a piece and gives what is certain to come before any stop string; `Break` when one was found behind it.
    pub fn push(&mut self, piece: &str) -> ControlFlow<String, String> {
        self.held.push_str(piece);
        if let Some(found) = self.stops.iter().filter_map(|stop| self.find(stop)).min() {
            self.held.truncate(found);
            return ControlFlow::Break(std::mem::take(&mut self.held));
        }
        ControlFlow::Continue(self.certain())
    }

    /// As [`StopStrings::push`] of a piece in which no stop string ends, though one may begin there.
    pub fn pass(&mut self, piece: &str) -> String {
        self.held.push_str(piece);
        self.passed = self.held.len();
        self.certain()
    }

    /// Where in what is held back a stop string begins that may end there.
    fn find(&self, stop: &str) -> Option<usize> {
        let first = (self.passed + 1).saturating_sub(stop.len());
        let from = (first..=self.held.len()).find(|at| self.held.is_char_boundary(*at))?;
        self.held[from..].find(stop).map(|at| from + at)
    }

    /// Takes out what no stop string may begin in.
    fn certain(&mut self) -> String {
        let is_beginning = |rest: &str| self.stops.iter().any(|stop| stop.len() > rest.len() && stop.starts_with(rest));
        let starts = self.held.char_indices().map(|(at, _)| at);
        let certain = starts.into_iter().find(|at| is_beginning(&self.held[*at..])).unwrap_or(self.held.len());
        self.passed = self.passed.saturating_sub(certain);
        let held = self.held.split_off(certain);
        std::mem::replace(&mut self.held, held)
    }

    /// What is still held back at the end.
    pub fn finish(self) -> String {
        self.held
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pieces that come out of pieces going in, `|` between them; a `!` at the end if a stop string was found.
    fn run(stops: &[&str], pieces: &[&str]) -> String {
        let mut stream = StopStrings::new(&stops.iter().map(ToString::to_string).collect::<Vec<_>>());
        let mut out = Vec::new();
        for piece in pieces {
            match stream.push(piece) {
                ControlFlow::Continue(text) => out.push(text),
                ControlFlow::Break(text) => return [out, vec![text + "!"]].concat().join("|"),
            }
        }
        [out, vec![stream.finish()]].concat().join("|")
    }

    #[test]
    fn stop_strings_are_found_across_pieces() {
        let cases: &[(&[&str], &[&str], &str)] = &[
            (&[], &["a", "b"], "a|b|"),
            (&[""], &["a"], "a|"),
            (&["\n\n"], &["a\n", "\nb"], "a|!"),
            (&["\n\n"], &["a\n", "b"], "a|\nb|"),
            (&["END"], &["xEN", "EN", "D!"], "x|EN|!"),
            (&["END"], &["xE"], "x|E"),
            (&["b", "ab"], &["ca", "b"], "c|!"),
            (&["é!"], &["né", "e"], "n|ée|"),
            (&["aab"], &["aa", "ab"], "|a!"),
        ];
        for (stops, pieces, expected) in cases {
            assert_eq!(run(stops, pieces), *expected, "{stops:?} in {pieces:?}");
        }
    }

    #[test]
    fn a_stop_string_may_begin_in_what_is_passed_and_not_end_there() {
        for (stop, passed, pieces, expected) in [
            ("aa", &["a"][..], &["a"][..], "|!"),
            ("aa", &["a", "a"], &["a"], "|a|!"),
            ("aa", &["aaa"], &["b", "aa"], "aa|ab|!"),
            ("\n\n", &["x", "\n"], &["y", "\n", "\n"], "x||\ny||!"),
            ("éa", &["éa"], &["é", "a"], "éa||!"),
            ("END", &["END"], &["!"], "END|!|"),
            ("END", &["xE"], &["ND"], "x|!"),
        ] {
            let mut stream = StopStrings::new(&[stop.to_owned()]);
            let mut out: Vec<_> = passed.iter().map(|piece| stream.pass(piece)).collect();
            let found = pieces.iter().find_map(|piece| match stream.push(piece) {
                ControlFlow::Continue(text) => {
                    out.push(text);
                    None
                }
                ControlFlow::Break(text) => Some(text + "!"),
            });
            out.push(found.unwrap_or_else(|| stream.finish()));
            assert_eq!(out.join("|"), expected, "{stop:?} in {passed:?} and {pieces:?}");
        }
    }
}
