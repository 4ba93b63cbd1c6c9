//! What a model's tokens spell.

use std::collections::HashSet;
use std::sync::Arc;

use data::Tokenizer;
use llguidance::api::{GrammarInit, ParserLimits, TopLevelGrammar};
use llguidance::earley::{BiasComputer, ParserRecognizer};
use llguidance::{Logger, ParserFactory, TokenParser};
use toktrie::{ApproximateTokEnv, InferenceCapabilities, SimpleVob, TokEnv, TokRxInfo, TokTrie};

use crate::schema;

/// Lexer states that a constraint may make before it begins anew. Each takes 200 to 500 bytes, and up to 1,500 where all bytes are told apart: 20 to 150 MB for an answer that
/// makes as many. A string whose length is counted makes some 7 a character and keeps one a byte: it begins anew after 14,000 characters (128,000 tokens, 2026-11-27), and fails at some 100,000 bytes. Expressions
/// whose counts begin behind some of the letters that go on make up to 12,000 with each token.
const LEXER_STATES_MAX: usize = 100_000;

/// What the library spends on the expressions of one mask, at the most: 10 to 50 ns each. Most of what [`crate::repetitions`] lets through was seen to take up to half of it, and with
/// 3,000,000 common expressions, as `([a-z]{1,30}([sy]|e[sd])? ?){1,44}`, would be spelled. A mask that would take more is of letters alone, on which no more is spent either.
const MASK_FUEL_MAX: u64 = 4_000_000;

/// The same for reading whole texts, on which about as much was spent while they were written.
const READ_FUEL_MAX: u64 = 1 << 40;

/// Symbols of a compiled grammar.
const GRAMMAR_SIZE_MAX: usize = 200_000;

/// Items in which the library tells what may come next, in one place and in all that a mask looks at: four times as many as a schema is let have, and as its masks
/// have been seen to take, so that no answer fails for a count that is not exact. Masks with 2,000 take up to 20 ms, with 4,400 to 8,000 from 60 to 120 ms (128,000
/// tokens, one core, 2026-11-27).
const ITEMS_MAX: usize = 4 * schema::ITEMS_MAX;
const MASK_ITEMS_MAX: usize = 200_000;

/// Ways in which what stands there may be read and go on, in a grammar that a user writes. Where one is ambiguous, a step takes as long as their square: half a
/// second for 2,000, and all other texts would wait.
const WAYS_MAX: usize = 1_000;
const MASK_WAYS_MAX: usize = 50_000;

/// Levels of the library's trie, and its nodes: as many bytes may a token spell, and all together. GLM-4's longest has 1,024.
const WORD_BYTES_MAX: usize = 1 << 10;
const ALL_BYTES_MAX: usize = (1 << 22) - 2;

/// A model's vocabulary, as what its tokens spell, shared by all constraints.
///
/// Special tokens spell nothing: text cannot contain them, whatever their names are, and only a grammar that names one allows it. Ids without
/// a token, which models have that round their vocabulary up, are never allowed, nor are tokens of more than 1,024 bytes: others spell the same.
pub struct Vocabulary {
    factory: ParserFactory,
    vocab_size: usize,
    end_ids: Vec<u32>,
    /// The tokens that spell something or are special, in the form of a mask.
    known: Vec<u32>,
    letters: Arc<dyn BiasComputer>,
    /// Special tokens by their names.
    special: Vec<(String, u32)>,
}

/// Why a vocabulary cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum VocabularyError {
    /// The tokenizer does not tell its tokens' bytes.
    #[error("cannot read what the tokens spell")]
    Tokenizer(#[from] data::Error),
    /// No token ends an answer.
    #[error(
        "output can be held to a form only where a token ends an answer, and this tokenizer names none (eos_token)"
    )]
    NoEnd,
    /// An end token is not the model's.
    #[error("the end token {id} is not among the model's {vocab_size}")]
    End {
        /// The token.
        id: u32,
        /// How many the model knows.
        vocab_size: usize,
    },
    /// The library that computes masks refuses it.
    #[error("cannot prepare the vocabulary for masks: {0}")]
    Preparation(String),
}

impl Vocabulary {
    /// The tokens of a model with `vocab_size` rows of embeddings; `end_ids` end an answer.
    ///
    /// # Errors
    /// The tokenizer's tokens have no bytes of their own, or `end_ids` is empty or not the model's.
    pub fn new(tokenizer: &Tokenizer, vocab_size: usize, end_ids: &[u32]) -> Result<Arc<Vocabulary>, VocabularyError> {
        let mut words = vec![Vec::new(); vocab_size];
        let mut special = Vec::new();
        for (id, word) in (0u32..).zip(&mut words).take(tokenizer.vocab_size()) {
            if !tokenizer.is_special(id) && !end_ids.contains(&id) {
                *word = tokenizer.token_bytes(id)?.unwrap_or_default();
            } else if let Some(name) = tokenizer.id_to_token(id) {
                // The marker keeps it out of text.
                word.push(TokTrie::SPECIAL_TOKEN_MARKER);
                word.extend(name.as_bytes());
                special.push((name, id));
            }
        }
        Self::from_words(words, special, end_ids)
    }

    /// As [`Vocabulary::new`], of what each token spells; a special one begins with the marker.
    pub(crate) fn from_words(
        mut words: Vec<Vec<u8>>,
        special: Vec<(String, u32)>,
        end_ids: &[u32],
    ) -> Result<Arc<Vocabulary>, VocabularyError> {
        let vocab_size = words.len();
        let refused = |error: &dyn ToString| VocabularyError::Preparation(error.to_string());
        let first = *end_ids.first().ok_or(VocabularyError::NoEnd)?;
        if let Some(&id) = end_ids.iter().find(|&&id| id as usize >= vocab_size) {
            return Err(VocabularyError::End { id, vocab_size });
        }
        let rows = u32::try_from(vocab_size).map_err(|error| refused(&error))?;
        words.iter_mut().filter(|word| word.len() > WORD_BYTES_MAX).for_each(Vec::clear);
        let all: usize = words.iter().map(Vec::len).sum();
        if all > ALL_BYTES_MAX {
            return Err(refused(&format!(
                "all tokens spell {all} bytes together, and there is room for {ALL_BYTES_MAX}"
            )));
        }
        let mut known = vec![0; vocab_size.div_ceil(32)];
        let spelled = words.iter().enumerate().filter(|(_, word)| !word.is_empty()).map(|(id, _)| id);
        for id in spelled.chain(end_ids.iter().map(|&id| id as usize)) {
            known[id / 32] |= 1 << (id % 32);
        }
        let trie = TokTrie::from(&TokRxInfo::new(rows, first), &words).with_eos_tokens(end_ids);
        let letters = Arc::new(OfLetters::new(&trie, &words));
        // It does not tokenise as the model's tokenizer would, and says so: nothing is forced, and any spelling of a text is allowed.
        let env: TokEnv = Arc::new(ApproximateTokEnv::new(trie));
        let slices = llguidance::earley::SlicedBiasComputer::general_slices();
        let mut factory =
            ParserFactory::new(&env, InferenceCapabilities::default(), &slices).map_err(|error| refused(&error))?;
        factory.quiet();
        let limits = factory.limits_mut();
        *limits = ParserLimits {
            max_lexer_states: LEXER_STATES_MAX,
            step_lexer_fuel: MASK_FUEL_MAX,
            max_grammar_size: GRAMMAR_SIZE_MAX,
            max_items_in_row: ITEMS_MAX,
            step_max_items: MASK_ITEMS_MAX,
            verbose_errors: false,
            ..ParserLimits::default()
        };
        Ok(Arc::new(Vocabulary { factory, vocab_size, end_ids: end_ids.to_vec(), known, letters, special }))
    }

    /// No more may be spent on a mask.
    #[cfg(test)]
    pub(crate) fn limit_fuel(&mut self, fuel: u64) {
        self.factory.limits_mut().step_lexer_fuel = fuel;
    }

    /// How many tokens the model knows, so the bits of a mask.
    pub fn vocab_size(&self) -> usize {
        self.vocab_size
    }

    /// The tokens that end an answer.
    pub fn end_ids(&self) -> &[u32] {
        &self.end_ids
    }

    /// Compiles what holds texts to a grammar, which `is_written` by a user as such.
    pub(crate) fn compile(
        &self,
        grammar: TopLevelGrammar,
        is_written: bool,
    ) -> Result<TokenParser, impl ToString + use<>> {
        self.compile_within(self.limits(is_written), grammar)
    }

    /// The same, of a grammar that was compiled, for what reads whole texts: it may spend more before a first mask.
    pub(crate) fn compile_reader(
        &self,
        grammar: TopLevelGrammar,
        is_written: bool,
    ) -> Result<TokenParser, impl ToString + use<>> {
        let limits = ParserLimits { initial_lexer_fuel: READ_FUEL_MAX, ..self.limits(is_written) };
        self.compile_within(limits, grammar)
    }

    fn limits(&self, is_written: bool) -> ParserLimits {
        let mut limits = self.factory.limits().clone();
        if is_written {
            (limits.max_items_in_row, limits.step_max_items) = (WAYS_MAX, MASK_WAYS_MAX);
        }
        limits
    }

    fn compile_within(
        &self,
        limits: ParserLimits,
        grammar: TopLevelGrammar,
    ) -> Result<TokenParser, impl ToString + use<>> {
        let factory = &self.factory;
        let logger = Logger::new(factory.buffer_log_level(), factory.stderr_log_level());
        let capabilities = InferenceCapabilities::default();
        factory.create_parser_from_init_ext(GrammarInit::Serialized(grammar), logger, capabilities, limits)
    }

    pub(crate) fn factory(&self) -> &ParserFactory {
        &self.factory
    }

    pub(crate) fn known(&self) -> &[u32] {
        &self.known
    }

    /// What computes masks of letters alone, where those of all tokens take too much.
    pub(crate) fn letters(&self) -> Arc<dyn BiasComputer> {
        self.letters.clone()
    }

    /// The id of a special token.
    pub(crate) fn special_id(&self, name: &str) -> Option<u32> {
        self.special.iter().find(|(known, _)| known == name).map(|(_, id)| *id)
    }
}

/// The tokens that spell all others: single bytes where the vocabulary has them, and what they do not spell. Whatever may follow begins with one of them.
struct OfLetters(TokTrie);

impl OfLetters {
    fn new(trie: &TokTrie, words: &[Vec<u8>]) -> OfLetters {
        let mut letters = trie.alloc_token_set();
        letters_of(words).into_iter().for_each(|id| letters.allow_token(id));
        OfLetters(trie.filter(&letters))
    }
}

impl BiasComputer for OfLetters {
    fn compute_bias(&self, text: &mut ParserRecognizer<'_>, start: &[u8]) -> SimpleVob {
        let mut allowed = self.0.alloc_token_set();
        self.0.add_bias(text, &mut allowed, start);
        allowed
    }

    fn trie(&self) -> &TokTrie {
        &self.0
    }
}

/// The shortest words, each of which those before it do not spell; what spells the same as one of them is among them. Special tokens are none: a grammar that names one allows it by its id.
fn letters_of(words: &[Vec<u8>]) -> Vec<u32> {
    let mut by_length: Vec<(u32, &[u8])> = (0u32..).zip(words).map(|(id, word)| (id, word.as_slice())).collect();
    by_length.retain(|(_, word)| !matches!(word, [] | [TokTrie::SPECIAL_TOKEN_MARKER, _, ..]));
    by_length.sort_by_key(|(id, word)| (word.len(), *id));
    let mut letters: HashSet<&[u8]> = HashSet::new();
    let (mut longest, mut ids) = (0, Vec::new());
    for (id, word) in by_length {
        if letters.contains(word) || !is_spelled(word, &letters, longest) {
            letters.insert(word);
            longest = word.len();
            ids.push(id);
        }
    }
    ids
}

/// Whether these, of so many bytes at the most, put together are the word.
fn is_spelled(word: &[u8], letters: &HashSet<&[u8]>, longest: usize) -> bool {
    let mut is_end = vec![false; word.len() + 1];
    is_end[0] = true;
    for begin in 0..word.len() {
        if is_end[begin] {
            let ends = begin + 1..=word.len().min(begin + longest);
            ends.filter(|end| letters.contains(&word[begin..*end])).for_each(|end| is_end[end] = true);
        }
    }
    is_end[word.len()]
}

impl std::fmt::Debug for Vocabulary {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Vocabulary").field("vocab_size", &self.vocab_size).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The library would panic.
    #[test]
    fn words_that_the_trie_has_no_room_for_are_left_out() {
        let word = |bytes: usize| vec![b'a'; bytes];
        let words =
            vec![vec![b'a'], word(WORD_BYTES_MAX), word(WORD_BYTES_MAX + 1), vec![b'b'; WORD_BYTES_MAX], vec![]];
        let vocabulary = Vocabulary::from_words(words, Vec::new(), &[4]).unwrap();
        assert_eq!(vocabulary.known, [0b11011]);
        let different = (0..5000u32).map(|id| [&id.to_be_bytes()[..], &word(1000)].concat()).collect();
        let refused = Vocabulary::from_words(different, Vec::new(), &[4]).err().map(|error| error.to_string());
        assert!(refused.is_some_and(|error| error.contains("spell 5020000 bytes together")));
        // Nearly as much as there is room for.
        let different = (0..4000u32).map(|id| [&id.to_be_bytes()[..], &word(1000)].concat()).collect();
        assert!(Vocabulary::from_words(different, Vec::new(), &[4]).is_ok());
    }

    /// By hand.
    #[test]
    fn letters_spell_all_words() {
        let letters = |words: &[&[u8]]| letters_of(&words.iter().map(|word| word.to_vec()).collect::<Vec<_>>());
        assert_eq!(letters(&[b"a", b"ab", b"b", b"", b"abba", b"c"]), [0, 2, 5]);
        assert_eq!(letters(&[b"queen", b"qu", b"e", b"n", b"ink", b" b", b"b"]), [2, 3, 6, 1, 5, 4]);
        let bytes: [&[u8]; 4] = [b"a", "é".as_bytes(), b"\xc3", b"\xa9"];
        assert_eq!(letters(&bytes), [0, 2, 3], "bytes spell it");
        assert_eq!(letters(&bytes[..3]), [0, 2, 1], "one of them is missing");
        assert_eq!(
            letters(&[b"a", b"\xff<|call|>", b"a", b"\xff"]),
            [0, 2, 3],
            "special, and a byte that is there twice"
        );
    }
}
