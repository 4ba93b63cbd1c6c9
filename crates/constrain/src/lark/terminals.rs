//! What terminals are put together from. The library makes one expression of all that a terminal consists of, and of other terminals that it names: together they may keep
//! counts that none of them keeps alone, as each `/[a-z]{1,45} ?/` does where several stand in a row.

use std::collections::{HashMap, HashSet};

use super::{Piece, flagged};
use crate::repetitions::Ahead;
use crate::schema::SEVERAL_WEIGHT;

/// Names within each other.
const DEPTH_MAX: usize = 100;

/// What a terminal is defined by.
#[derive(Default)]
struct Terminal<'t> {
    /// Texts, expressions, names, and signs for what may be repeated or absent.
    parts: usize,
    /// No fewer counts than expressions keep, and such signs.
    bound: u64,
    names: Vec<&'t str>,
}

/// Statements together, as a terminal: what is ignored is one expression.
const STATEMENTS: &str = "%";

/// No fewer counts than are kept by what is put together from several parts, beside those of its expressions by themselves. `None`: it cannot be told.
pub(super) fn put_together(pieces: &[Piece<'_>]) -> Option<u64> {
    let grammar = Grammar::read(pieces)?;
    let named: HashSet<&str> = grammar.terminals.values().flat_map(|terminal| &terminal.names).copied().collect();
    let mut known = HashMap::new();
    let mut bound = if grammar.meets { grammar.bound } else { 0 };
    for (name, terminal) in &grammar.terminals {
        let whole = grammar.bound_of(name, DEPTH_MAX, &mut known)?;
        // What is a part of others alone is no expression by itself.
        let is_own = grammar.used.contains(name) || !named.contains(name);
        bound = bound.saturating_add(if is_own && terminal.parts > 1 { whole } else { 0 });
    }
    Some(bound.saturating_mul(if grammar.meets { SEVERAL_WEIGHT } else { 1 }))
}

#[derive(Default)]
struct Grammar<'t> {
    terminals: HashMap<&'t str, Terminal<'t>>,
    /// Terminals that rules name.
    used: HashSet<&'t str>,
    /// Whether there is a sign for what texts have to match beside others, or must not match.
    meets: bool,
    /// No fewer counts than all its expressions keep.
    bound: u64,
}

impl<'t> Grammar<'t> {
    /// The terminals, which need not begin a line: a name is a definition's where a colon follows it. `None` where names may be cut otherwise than here.
    fn read(pieces: &[Piece<'t>]) -> Option<Grammar<'t>> {
        let mut grammar = Grammar::default();
        // The terminal that is being defined, and a name that may be the next definition's.
        let (mut defined, mut name): (Option<&str>, Option<&str>) = (None, None);
        let mut has_attributes = false;
        for piece in pieces {
            let mut rest = match *piece {
                Piece::Own(text) => text,
                Piece::Text => {
                    grammar.add_name(defined, name.take());
                    grammar.add(defined, 0);
                    continue;
                }
                Piece::Expression(expression, flags) => {
                    let bound = Ahead::bound_of(&flagged(expression, flags))?;
                    grammar.bound = grammar.bound.saturating_add(bound);
                    grammar.add_name(defined, name.take());
                    grammar.add(defined, bound);
                    continue;
                }
            };
            while let Some(first) = rest.chars().next() {
                let is_of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
                let end = rest.find(|letter| !is_of_name(letter)).unwrap_or(rest.len()).max(first.len_utf8());
                let (token, behind) = rest.split_at(end);
                rest = behind;
                let is_number = token.bytes().all(|byte| byte.is_ascii_digit());
                match first {
                    // Whatever stands between a name and the colon behind it, such as a priority.
                    '.' | '-' => {}
                    _ if is_number || first.is_whitespace() => {}
                    // Attributes, of which some make a terminal of a rule, stand between its name and the colon.
                    ':' if name.is_none() && has_attributes => has_attributes = false,
                    ':' => (defined, has_attributes) = (Some(name.take()?).filter(|name| is_terminal(name)), false),
                    '*' | '+' | '?' => {
                        grammar.add_name(defined, name.take());
                        grammar.add(defined, 1);
                    }
                    _ if is_of_name(first) => {
                        let [upper, lower] = [char::is_uppercase, char::is_lowercase].map(|kind| token.contains(kind));
                        let is_whole = upper != lower && !first.is_ascii_digit();
                        grammar.add_name(defined, name.replace(Some(token).filter(|_| is_whole)?));
                    }
                    _ => {
                        grammar.meets |= "&~".contains(first);
                        let rule = name.filter(|name| !is_terminal(name));
                        grammar.add_name(defined, name.take());
                        match first {
                            '[' if rule.is_some() => (defined, has_attributes) = (rule, true),
                            // What it holds may be absent.
                            '[' => _ = grammar.add(defined, 1),
                            '%' => defined = Some(STATEMENTS),
                            _ => {}
                        }
                    }
                }
            }
        }
        grammar.add_name(defined, name);
        Some(grammar)
    }

    fn add(&mut self, defined: Option<&'t str>, bound: u64) -> Option<&mut Terminal<'t>> {
        let terminal = self.terminals.entry(defined?).or_default();
        terminal.parts += 1;
        terminal.bound = terminal.bound.saturating_add(bound);
        Some(terminal)
    }

    fn add_name(&mut self, defined: Option<&'t str>, name: Option<&'t str>) {
        let Some(name) = name.filter(|name| is_terminal(name)) else { return };
        match self.add(defined, 0) {
            Some(terminal) => terminal.names.push(name),
            None => _ = self.used.insert(name),
        }
    }

    /// The bound of all that a terminal is put together from. `None` where that goes too deep, or in a circle.
    fn bound_of(&self, name: &'t str, depth: usize, known: &mut HashMap<&'t str, u64>) -> Option<u64> {
        let Some(terminal) = self.terminals.get(name) else { return Some(0) };
        if let Some(bound) = known.get(name) {
            return Some(*bound);
        }
        let depth = depth.checked_sub(1)?;
        let mut bound = terminal.bound;
        for name in &terminal.names {
            bound = bound.saturating_add(self.bound_of(name, depth, known)?.max(1));
        }
        known.insert(name, bound);
        Some(bound)
    }
}

/// Whether a name is a terminal's.
fn is_terminal(name: &str) -> bool {
    name.trim_start_matches('_').starts_with(char::is_uppercase)
}
