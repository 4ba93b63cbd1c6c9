//! Output that is held to a form: which tokens may come next.
//!
//! A [`Grammar`] says what text is wanted, a [`Vocabulary`] what a model's tokens spell, and a [`Constraint`] follows a text token by token and
//! tells the tokens that may come next as bits. Masks are computed by the `llguidance` crate (Earley's parser over lexemes found by
//! derivatives of regular expressions, along a trie of the vocabulary), as they are asked for: nothing is tabulated for a grammar beforehand.
//!
//! A mask is never open: what is not supported is refused before there is a constraint, where telling all tokens takes too much a mask has single
//! letters, and what goes wrong later is an error.

mod advice;
mod brackets;
mod constraint;
mod dead_ends;
mod expression;
mod grammar;
mod lark;
mod output_type;
mod repetitions;
mod schema;
mod threads;
mod tools;
mod vocabulary;

pub use constraint::{Constraint, ConstraintError};
pub use grammar::{Grammar, GrammarError};
pub use output_type::{OutputType, OutputTypeError};
pub use schema::{Narrowing, is_schema_type};
pub use threads::MaskThreads;
pub use tools::{Tool, ToolChoice, ToolDelta, ToolEnd, ToolFormat, ToolParser, Tools};
pub use vocabulary::{Vocabulary, VocabularyError};
