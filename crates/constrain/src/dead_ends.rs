//! Whether a text can be begun that cannot be ended.
//!
//! The library finds which expressions of a grammar match nothing, and lets come what stands before them: of a property whose name none is left for, the comma.
//! Of the compiled grammar it is told here whether there is such a place.

use llguidance::TokenParser;
use llguidance::earley::regexvec::LexemeSet;
use llguidance::earley::{CGrammar, CSymIdx};

/// Whether something may come in front of what nothing matches, in some rule that a text can lead to.
pub(crate) fn has_one(parser: &mut TokenParser) -> bool {
    let all = parser.parser.grammar().lexer_spec().all_lexemes();
    // The lexer has this state from its beginning.
    let matching = parser.parser.with_recognizer(|text| {
        let state = text.lexer_mut().start_state(&all);
        text.lexer().possible_lexemes(state).clone()
    });
    if all.iter().all(|lexeme| matching.contains(lexeme)) {
        return false;
    }
    let grammar = parser.parser.grammar();
    let symbols = below(grammar);
    let is_derivable = derivable(grammar, &symbols, &matching);
    leads_nowhere(grammar, &is_derivable)
}

/// The symbols that rules lead to from the first, each once. A condition of a rule is taken to hold.
fn below(grammar: &CGrammar) -> Vec<CSymIdx> {
    let mut found = Marks::default();
    let mut symbols = vec![grammar.start()];
    found.add(grammar.start());
    let mut next = 0;
    while let Some(symbol) = symbols.get(next).copied() {
        next += 1;
        for rule in grammar.rules_of(symbol) {
            let parts = grammar.rule_rhs(*rule).0;
            symbols.extend(parts.iter().copied().filter(|part| found.add(*part)));
        }
    }
    symbols
}

/// Those of which some text is: of a rule all parts have to be.
fn derivable(grammar: &CGrammar, symbols: &[CSymIdx], matching: &LexemeSet) -> Marks {
    let mut is_derivable = Marks::default();
    let (mut open, mut left, mut rules_with) = (Vec::new(), Vec::new(), Vec::new());
    for symbol in symbols {
        let data = grammar.sym_data(*symbol);
        if data.is_nullable || data.lexeme.is_some_and(|lexeme| matching.contains(lexeme)) {
            is_derivable.add(*symbol);
            open.push(*symbol);
        }
        for rule in grammar.rules_of(*symbol) {
            let parts = grammar.rule_rhs(*rule).0;
            for part in parts {
                let needed = part.as_index() + 1;
                rules_with.resize_with(rules_with.len().max(needed), Vec::new);
                rules_with[part.as_index()].push(left.len());
            }
            left.push((*symbol, parts.len()));
        }
    }
    while let Some(symbol) = open.pop() {
        for rule in rules_with.get(symbol.as_index()).into_iter().flatten() {
            let (whole, parts) = &mut left[*rule];
            *parts -= 1;
            if *parts == 0 && is_derivable.add(*whole) {
                open.push(*whole);
            }
        }
    }
    is_derivable
}

fn leads_nowhere(grammar: &CGrammar, is_derivable: &Marks) -> bool {
    let mut met = Marks::default();
    met.add(grammar.start());
    let mut open = vec![grammar.start()];
    while let Some(symbol) = open.pop() {
        for rule in grammar.rules_of(symbol) {
            for (position, part) in grammar.rule_rhs(*rule).0.iter().enumerate() {
                if met.add(*part) {
                    open.push(*part);
                }
                if !is_derivable.has(*part) {
                    if position > 0 {
                        return true;
                    }
                    break;
                }
            }
        }
    }
    false
}

/// Symbols of a grammar.
#[derive(Default)]
struct Marks(Vec<bool>);

impl Marks {
    /// Whether it is new.
    fn add(&mut self, symbol: CSymIdx) -> bool {
        let index = symbol.as_index();
        self.0.resize(self.0.len().max(index + 1), false);
        !std::mem::replace(&mut self.0[index], true)
    }

    fn has(&self, symbol: CSymIdx) -> bool {
        self.0.get(symbol.as_index()).copied().unwrap_or(false)
    }
}
