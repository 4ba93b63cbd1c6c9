//! Texts at which generation stops, found across the pieces in which text comes.

use std::ops::ControlFlow;

/// Passes text on until a stop string appears in it. What could be the beginning of one is held back.
#[derive(Debug)]
pub struct StopStrings {
    stops: Vec<String>,
    held: String,
}

impl StopStrings {
    /// Empty strings are passed over.
    pub fn new(stops: &[String]) -> StopStrings {
        let stops = stops.iter().filter(|stop| !stop.is_empty()).cloned().collect();
        StopStrings { stops, held: String::new() }
    }

    /// Takes a piece and gives what is certain to come before any stop string; `Break` when one was found behind it.
    pub fn push(&mut self, piece: &str) -> ControlFlow<String, String> {
        self.held.push_str(piece);
        if let Some(found) = self.stops.iter().filter_map(|stop| self.held.find(stop.as_str())).min() {
            self.held.truncate(found);
            return ControlFlow::Break(std::mem::take(&mut self.held));
        }
        let is_beginning = |rest: &str| self.stops.iter().any(|stop| stop.starts_with(rest));
        let starts = self.held.char_indices().map(|(at, _)| at);
        let certain = starts.into_iter().find(|at| is_beginning(&self.held[*at..])).unwrap_or(self.held.len());
        let held = self.held.split_off(certain);
        ControlFlow::Continue(std::mem::replace(&mut self.held, held))
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
}
