//! Which tokens may come next.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use llguidance::api::{StopReason, TopLevelGrammar};
use llguidance::{Matcher, TokenParser};

use crate::advice::advised;
use crate::dead_ends;
use crate::grammar::{Grammar, GrammarError};
use crate::vocabulary::Vocabulary;

/// Compiling goes as deep as schemas are nested, and from rule to rule; a thread of its own has room for that, however deep the caller is. What is not
/// gone down to is no memory.
const COMPILE_STACK_BYTES: usize = 256 << 20;

/// What compiles within this may be compiled once more in a step, for which others wait.
const IN_A_STEP: Duration = Duration::from_millis(5);

/// How many masks are of letters alone where one of all tokens took too much, the first time and at the most. Each try takes up to some tenths of a second.
const SPELLED_FIRST: u32 = 4;
const SPELLED_MAX: u32 = 64;

/// Where a text stands that is held to a grammar.
pub struct Constraint {
    vocabulary: Arc<Vocabulary>,
    matcher: Matcher,
    form: Arc<Form>,
    /// What has read the text up to some place and computed no mask. `None`: nothing has.
    reader: Option<Arc<TokenParser>>,
    /// The tokens of the text behind that place, without the end.
    unread: Vec<u32>,
    mask: Vec<u32>,
    /// Whether the mask is that of the place.
    has_mask: bool,
    /// Whether masks are of letters alone.
    is_by_letters: bool,
    spelled: Spelled,
    place: Place,
    /// Why there is no mask here, nor anywhere behind.
    failure: Option<ConstraintError>,
}

/// What texts are held to, in common to those that are.
struct Form {
    grammar: TopLevelGrammar,
    /// Whether a user has written it as such.
    is_written: bool,
    /// What texts are read by from their beginning, as soon as one has to be.
    fresh_reader: OnceLock<TokenParser>,
}

impl Form {
    /// What stands at the beginning of a text, to be copied, and computes no mask: until one is computed states are not limited, and what is spent hardly.
    fn fresh_reader(&self, vocabulary: &Vocabulary) -> Result<&TokenParser, ConstraintError> {
        if let Some(reader) = self.fresh_reader.get() {
            return Ok(reader);
        }
        let compile = || vocabulary.compile_reader(self.grammar.clone(), self.is_written);
        let parser = with_room(compile).map_err(|error| ConstraintError::Mask(error.to_string()))?;
        let mut reader = parser.map_err(|error| error_of(&error))?;
        reader.start_without_prompt();
        Ok(self.fresh_reader.get_or_init(|| reader))
    }
}

/// How long masks are of letters alone.
#[derive(Clone, Copy, Debug, Default)]
struct Spelled {
    /// So many more masks, until all tokens are tried again.
    left: u32,
    /// As many as there were behind the last try that failed, fewer the more have not since.
    run: u32,
}

impl Spelled {
    fn failed(&mut self) {
        let run = (2 * self.run).clamp(SPELLED_FIRST, SPELLED_MAX);
        *self = Spelled { left: run, run };
    }

    fn succeeded(&mut self) {
        self.run /= 2;
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Something has to follow.
    Within,
    /// The text may end here, and may go on.
    MayEnd,
    /// Nothing but the end may follow.
    Complete,
    /// An end token has come.
    Ended,
}

/// Why a text cannot go on. It stays so: nothing is allowed from there on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConstraintError {
    /// The token is not among those that were allowed.
    #[error("token {0} is not one that may come next")]
    NotAllowed(u32),
    /// An end token has come already.
    #[error("the text has ended")]
    Ended,
    /// No token of the vocabulary spells what would have to follow.
    #[error("no token of the vocabulary can follow")]
    DeadEnd,
    /// The computation outgrew its limits.
    #[error("the tokens that may follow cannot be computed: {0}")]
    Limit(String),
    /// The computation went wrong.
    #[error("the tokens that may follow cannot be computed: {0}")]
    Mask(String),
}

impl Constraint {
    /// The beginning of a text that is held to a grammar.
    ///
    /// # Errors
    /// The grammar is impossible, too large, or asks for what is not supported.
    pub fn new(vocabulary: &Arc<Vocabulary>, grammar: &Grammar) -> Result<Constraint, GrammarError> {
        Self::begin(vocabulary, grammar, IN_A_STEP)
    }

    /// As [`Constraint::new`]; what texts are read on by is compiled at once where compiling takes longer than `in_a_step`.
    fn begin(vocabulary: &Arc<Vocabulary>, grammar: &Grammar, in_a_step: Duration) -> Result<Constraint, GrammarError> {
        let lowered = grammar.lower(vocabulary)?;
        let is_written = matches!(grammar, Grammar::Lark(_));
        let compile = || {
            let compiled = vocabulary.compile(lowered.clone(), is_written);
            let mut parser = compiled.map_err(|error| GrammarError::refused(grammar, &error))?;
            match dead_ends::has_one(&mut parser) {
                true => Err(GrammarError::leading_nowhere(grammar)),
                false => Ok(parser),
            }
        };
        let begun = Instant::now();
        let parser = with_room(compile)??;
        let takes_long = begun.elapsed() > in_a_step;
        let form = Arc::new(Form { grammar: lowered, is_written, fresh_reader: OnceLock::new() });
        if takes_long {
            // Most texts need none: what fails is tried again, and told, where one does.
            let _ = form.fresh_reader(vocabulary);
        }
        let mut constraint = Constraint {
            vocabulary: vocabulary.clone(),
            matcher: Matcher::new(Ok(parser)),
            form,
            reader: None,
            unread: Vec::new(),
            mask: vec![0; vocabulary.known().len()],
            has_mask: false,
            is_by_letters: false,
            spelled: Spelled::default(),
            place: Place::Within,
            failure: None,
        };
        constraint.settle().map_err(|error| GrammarError::Library(error.to_string()))?;
        // What allows nothing at its very beginning allows nothing at all, and what takes too much there would do so later.
        constraint.guarded(|text| text.compute_mask(Self::fill_mask)).map_err(|error| match error {
            ConstraintError::DeadEnd => GrammarError::Impossible { what: grammar.name() },
            other => GrammarError::Library(other.to_string()),
        })?;
        constraint.has_mask = true;
        Ok(constraint)
    }

    /// The tokens that may come next: bit `id % 32` of word `id / 32`, in `vocab_size.div_ceil(32)` words. End tokens are among them exactly
    /// where the text may end. Where telling all of them takes too much they are letters alone, of which one or another begins whatever may come.
    ///
    /// # Errors
    /// The text has ended, cannot go on, or what may follow takes too much to compute. A mask without a token is an error.
    pub fn mask(&mut self) -> Result<&[u32], ConstraintError> {
        if self.wants_mask() {
            self.guarded(|text| text.compute_mask(Self::fill_mask_or_spell))?;
            self.has_mask = true;
        }
        match &self.failure {
            Some(failure) => Err(failure.clone()),
            None if self.place == Place::Ended => Err(ConstraintError::Ended),
            None => Ok(&self.mask),
        }
    }

    /// Whether a mask is still to be computed for the place.
    pub(crate) fn wants_mask(&self) -> bool {
        !self.has_mask && self.failure.is_none() && self.place != Place::Ended
    }

    /// Computes the mask, which `fill` fills with all that may come but for ends.
    fn compute_mask(
        &mut self,
        fill: impl FnOnce(&mut Self) -> Result<(), ConstraintError>,
    ) -> Result<(), ConstraintError> {
        self.mask.fill(0);
        if self.place != Place::Complete {
            fill(self)?;
        }
        // The matcher may see by its mask alone that nothing more comes.
        if self.place == Place::MayEnd && self.allows_only_ends() {
            self.place = Place::Complete;
        }
        for &id in self.vocabulary.end_ids() {
            let (word, bit) = (id as usize / 32, 1 << (id % 32));
            self.mask[word] = if self.may_end() { self.mask[word] | bit } else { self.mask[word] & !bit };
        }
        if self.mask.iter().all(|&word| word == 0) {
            return Err(ConstraintError::DeadEnd);
        }
        Ok(())
    }

    /// Fills the mask with what may come, of all tokens or, for a while where that took too much, of letters.
    fn fill_mask_or_spell(&mut self) -> Result<(), ConstraintError> {
        if self.spelled.left == 0 {
            if self.is_by_letters {
                self.renew(false)?;
            }
            match self.fill_mask() {
                Err(ConstraintError::Limit(_)) => {
                    self.spelled.failed();
                    self.renew(true)?;
                }
                other => {
                    self.spelled.succeeded();
                    return other;
                }
            }
        }
        self.spelled.left -= 1;
        self.fill_mask()
    }

    /// Fills the mask with what may come, of those that masks are of here.
    fn fill_mask(&mut self) -> Result<(), ConstraintError> {
        let mut allowed = self.matcher.compute_mask_or_eos();
        let is_renewed = self.reader.is_some() && self.unread.is_empty();
        if !is_renewed && allowed.as_ref().is_err_and(|error| is_outgrown(error)) {
            self.renew(self.is_by_letters)?;
            allowed = self.matcher.compute_mask_or_eos();
        }
        let allowed = allowed.map_err(|error| error_of(&error))?;
        for ((word, allowed), known) in self.mask.iter_mut().zip(allowed.as_slice()).zip(self.vocabulary.known()) {
            *word = allowed & known;
        }
        Ok(())
    }

    /// Takes the token that was chosen; an end token ends the text.
    ///
    /// # Errors
    /// The token may not come here.
    pub fn accept(&mut self, token: u32) -> Result<(), ConstraintError> {
        match &self.failure {
            Some(failure) => Err(failure.clone()),
            None => self.guarded(|text| text.take(token)),
        }
    }

    fn take(&mut self, token: u32) -> Result<(), ConstraintError> {
        if self.place == Place::Ended {
            return Err(ConstraintError::Ended);
        }
        if self.vocabulary.end_ids().contains(&token) {
            if !self.may_end() {
                return Err(ConstraintError::NotAllowed(token));
            }
            self.place = Place::Ended;
            return Ok(());
        }
        let known = self.vocabulary.known().get(token as usize / 32).is_some_and(|word| word >> (token % 32) & 1 == 1);
        if !known || self.place == Place::Complete {
            return Err(ConstraintError::NotAllowed(token));
        }
        let mut is_taken = self.try_take(token);
        // What the library has no room for, or has spent too much on since the last mask, it tells as what may not come.
        let is_at_its_end = match &is_taken {
            Ok(true) => false,
            Ok(false) => self.matcher.compute_mask_or_eos().is_err(),
            Err(error) => is_outgrown(error) || is_limit(error),
        };
        if is_at_its_end {
            self.renew(self.is_by_letters)?;
            is_taken = self.try_take(token);
        }
        if !is_taken.map_err(|error| error_of(&error))? {
            return Err(ConstraintError::NotAllowed(token));
        }
        self.unread.push(token);
        self.settle()
    }

    fn try_take(&mut self, token: u32) -> Result<bool, String> {
        self.matcher.try_consume_tokens(&[token]).map(|taken| taken == 1).map_err(|error| error.to_string())
    }

    /// Goes on with a copy of what reads the text, which is made to read what it has not, for masks of all tokens or of letters. What masks have met remains in the lexer's tables,
    /// and little of it is of use again; those of the text alone are small.
    fn renew(&mut self, is_by_letters: bool) -> Result<(), ConstraintError> {
        let mut reader = match self.reader.take() {
            Some(reader) => Arc::try_unwrap(reader).unwrap_or_else(|shared| shared.deep_clone()),
            None => self.form.fresh_reader(&self.vocabulary)?.deep_clone(),
        };
        read(&mut reader, &self.unread)?;
        let mut parser = reader.deep_clone();
        if is_by_letters {
            parser.bias_computer = self.vocabulary.letters();
        }
        self.matcher = Matcher::new(Ok(parser));
        self.is_by_letters = is_by_letters;
        self.reader = Some(Arc::new(reader));
        self.unread.clear();
        self.settle()
    }

    /// Whether nothing but the end may follow.
    pub fn is_complete(&self) -> bool {
        matches!(self.place, Place::Complete | Place::Ended)
    }

    /// Whether the last mask was of letters alone, since one of all tokens takes too much.
    pub fn is_by_letters(&self) -> bool {
        self.is_by_letters
    }

    /// Whether the text may end here.
    pub fn may_end(&self) -> bool {
        self.place != Place::Within
    }

    /// Whether all of `text` may come here, and nothing behind it: what is cut elsewhere than where its tokens end is judged by this.
    pub fn allows_whole(mut self, text: &str) -> bool {
        let trie = self.vocabulary.factory().tok_env().tok_trie();
        // Any spelling will do. One that lacks bytes is none.
        let tokens = trie.greedy_tokenize(text.as_bytes());
        let is_spelt = tokens.iter().flat_map(|token| trie.token(*token)).eq(text.as_bytes());
        is_spelt && tokens.into_iter().all(|token| self.accept(token).is_ok()) && self.may_end()
    }

    /// The next mask of this text is one whose computation panics, past what the library catches.
    #[cfg(test)]
    pub(crate) fn panic_next(&mut self) {
        (self.has_mask, self.mask) = (false, Vec::new());
    }

    /// Looks where the text stands.
    fn settle(&mut self) -> Result<(), ConstraintError> {
        self.has_mask = false;
        self.place = if self.matcher.is_stopped() {
            if !self.matcher.stop_reason().is_ok() {
                return Err(ConstraintError::Mask(self.matcher.stop_reason().to_string()));
            }
            Place::Complete
        } else if self.matcher.is_accepting().map_err(|error| error_of(&error))? {
            Place::MayEnd
        } else {
            Place::Within
        };
        Ok(())
    }

    fn allows_only_ends(&self) -> bool {
        let ends = self.vocabulary.end_ids();
        let of_word = |number: usize| {
            ends.iter().filter(move |&&id| id as usize / 32 == number).fold(0, |bits, id| bits | 1u32 << (id % 32))
        };
        self.mask.iter().enumerate().all(|(number, word)| *word == 0 || word & !of_word(number) == 0)
    }

    /// Does what may leave the text where it cannot go on: then it stays so. What the library does not catch is no more than an error of this text.
    fn guarded<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T, ConstraintError>) -> Result<T, ConstraintError> {
        let done = catch_unwind(AssertUnwindSafe(|| work(self)));
        let done = done.unwrap_or_else(|_| Err(ConstraintError::Mask("computing them panicked".to_owned())));
        if let Err(failure @ (ConstraintError::DeadEnd | ConstraintError::Limit(_) | ConstraintError::Mask(_))) = &done
        {
            (self.failure, self.place) = (Some(failure.clone()), Place::Within);
        }
        done
    }
}

/// Reads tokens on, of a text that may come. Nothing limits that: whatever goes wrong is no limit that letters could keep.
fn read(parser: &mut TokenParser, tokens: &[u32]) -> Result<(), ConstraintError> {
    let read = tokens.iter().try_for_each(|token| parser.consume_token(*token).map(drop));
    let settled = read.and_then(|()| parser.check_stop());
    settled.map(drop).map_err(|error| ConstraintError::Mask(error.to_string()))
}

/// What the library says where it gives no mask, or takes no token.
fn error_of(error: &dyn ToString) -> ConstraintError {
    let text = error.to_string();
    match text.lines().next().unwrap_or_default() {
        reason if reason == StopReason::NoExtensionBias.to_string() => ConstraintError::DeadEnd,
        reason if is_limit(&text) => ConstraintError::Limit(advised(reason)),
        reason => ConstraintError::Mask(advised(reason)),
    }
}

/// Whether the lexer's tables may be full. The library says the same of a token that does not fit and of one that has no room: only the first is still said once the text
/// was read on.
fn is_outgrown(error: &dyn ToString) -> bool {
    let error = error.to_string();
    ["too many states", "doesn't satisfy the grammar"].iter().any(|said| error.contains(said))
}

/// Whether the library meets one of the limits that letters may keep: states that it has made, and what it may spend before the next mask. The ways in which an ambiguous grammar may be read
/// are as many by letters, and a try takes seconds.
fn is_limit(error: &dyn ToString) -> bool {
    let error = error.to_string();
    ["too many states", "too many expressions constructed"].iter().any(|said| error.contains(said))
}

/// Another text that stands at the same place and goes on by itself, for several answers to one request: nothing is compiled again.
impl Clone for Constraint {
    fn clone(&self) -> Self {
        // Without the lexer's tables, which grow with the text and are behind a lock, in common.
        let (vocabulary, form, reader) = (self.vocabulary.clone(), self.form.clone(), self.reader.clone());
        let (matcher, unread) = (self.matcher.deep_clone(), self.unread.clone());
        let (mask, failure) = (self.mask.clone(), self.failure.clone());
        Constraint {
            vocabulary,
            matcher,
            form,
            reader,
            unread,
            mask,
            has_mask: self.has_mask,
            is_by_letters: self.is_by_letters,
            spelled: self.spelled,
            place: self.place,
            failure,
        }
    }
}

impl std::fmt::Debug for Constraint {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Constraint").field("place", &self.place).finish_non_exhaustive()
    }
}

/// Runs what recurses on a stack of its own.
fn with_room<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, GrammarError> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name("grammar".to_owned())
            .stack_size(COMPILE_STACK_BYTES)
            .spawn_scoped(scope, work)
            .map_err(|error| GrammarError::Library(format!("no thread to compile it on: {error}")))?;
        thread.join().map_err(|_| GrammarError::Library("compiling it panicked".to_owned()))
    })
}

/// A constraint goes with its request to the engine's thread.
const _: fn() = || {
    fn is_send<T: Send>() {}
    is_send::<Constraint>();
    is_send::<TokenParser>();
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Vocabulary>();
};

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toktrie::TokTrie;

    use super::*;

    /// Where the library has failed no token is allowed any more, nor are those that were before.
    #[test]
    fn what_has_failed_allows_nothing() {
        let words = (0..=255).map(|byte| vec![byte]).chain([vec![]]).collect();
        let vocabulary = Vocabulary::from_words(words, Vec::new(), &[256]).unwrap();
        let mut text = Constraint::new(&vocabulary, &Grammar::Regex("a*".to_owned())).unwrap();
        let letter = u32::from(b'a');
        text.accept(letter).unwrap();
        assert!(text.mask().is_ok());
        let panicked = text.matcher.test_trigger_lexer_error().unwrap_err();
        let failure = Err(error_of(&panicked));
        assert_eq!(text.accept(letter), failure);
        assert_eq!(text.clone().mask().map(<[u32]>::to_vec), failure.map(|()| Vec::new()));
        assert!(text.accept(256).is_err() && !text.allows_whole(""));
    }

    /// A step would wait for it.
    #[test]
    fn what_takes_long_is_not_compiled_in_a_step() {
        let words = (0..=255).map(|byte| vec![byte]).chain([vec![]]).collect();
        let vocabulary = Vocabulary::from_words(words, Vec::new(), &[256]).unwrap();
        for (in_a_step, is_there) in [(Duration::ZERO, true), (Duration::MAX, false)] {
            let beginning = Constraint::begin(&vocabulary, &Grammar::JsonObject, in_a_step).unwrap();
            assert_eq!(beginning.form.fresh_reader.get().is_some(), is_there, "{in_a_step:?}");
        }
    }

    /// Within characters of several bytes, behind special tokens, and of answers that have read together so far.
    #[test]
    fn masks_are_the_same_wherever_a_text_is_read_on() {
        let marked = [&[TokTrie::SPECIAL_TOKEN_MARKER][..], b"<|call|>"].concat();
        let words = (0..=255).map(|byte| vec![byte]).chain([vec![], marked]).collect();
        let vocabulary = Vocabulary::from_words(words, vec![("<|call|>".to_owned(), 257)], &[256]).unwrap();
        let bytes = |text: &str| text.bytes().map(u32::from).collect::<Vec<_>>();
        let calls =
            "start: NAME <|call|> (sum \";\")+\nNAME: /[à-ÿ]{2,4}/\nsum: /[0-9]{1,3}/ | \"(\" sum \"+\" sum \")\"";
        let schema = json!({"type": "object", "properties": {"a": {"type": "string", "pattern": "[aeiou].{3,9}$"}}, "required": ["a"]});
        for (grammar, text) in [
            (Grammar::Lark(calls.to_owned()), [bytes("éàü"), vec![257], bytes("(1+(23+4));777;")].concat()),
            (Grammar::JsonSchema(schema), bytes("{\"a\": \"né \\n e猫1234\", \"b\": [1, {}]}")),
            (Grammar::Choice(vec!["née".to_owned(), "néé".to_owned()]), bytes("néé")),
        ] {
            // By masks alone, and read on at each place.
            let mut walked = Constraint::new(&vocabulary, &grammar).unwrap();
            let mut read = walked.clone();
            for (at, token) in text.into_iter().enumerate() {
                let expected = (walked.mask().map(<[u32]>::to_vec), walked.may_end());
                let mut other = read.clone();
                for (read_on, is_by_letters) in [(&mut other, true), (&mut read, false)] {
                    // All that this vocabulary has are letters.
                    read_on.renew(is_by_letters).unwrap();
                    read_on.spelled.left = u32::from(is_by_letters);
                    assert!(read_on.unread.is_empty() && read_on.reader.is_some());
                    let found = (read_on.mask().map(<[u32]>::to_vec), read_on.may_end());
                    assert_eq!(found, expected, "{grammar:?} at {at}");
                    read_on.accept(token).unwrap();
                }
                walked.accept(token).unwrap();
                if at % 3 == 0 {
                    read = other;
                }
            }
            assert!(walked.may_end() && read.may_end(), "{grammar:?}");
        }
    }

    /// Bytes, an end, and words of two to eight letters.
    fn words(count: usize, mut below: impl FnMut(usize) -> usize) -> Vec<Vec<u8>> {
        let mut word = |length: usize| (0..length).map(|_| b'a' + below(26) as u8).collect();
        let bytes = (0..=255).map(|byte| vec![byte]).chain([vec![]]);
        bytes.chain((2..9).cycle().take(count).map(&mut word)).collect()
    }

    fn numbers() -> impl FnMut(usize) -> usize {
        let mut random = 1u32;
        move |bound| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 8) as usize % bound
        }
    }

    fn limited(words: &[Vec<u8>], fuel: u64) -> Arc<Vocabulary> {
        let mut limited = Vocabulary::from_words(words.to_vec(), Vec::new(), &[256]).unwrap();
        Arc::get_mut(&mut limited).unwrap().limit_fuel(fuel);
        limited
    }

    fn tokens(mask: &[u32]) -> Vec<u32> {
        (0..mask.len() as u32 * 32).filter(|id| mask[*id as usize / 32] >> (id % 32) & 1 == 1).collect()
    }

    const HEAVY: &str = "([a-z]{1,30}(e[a-z]|[a-df-z]) ?){1,44}";

    /// Of each place the letters among all that may come, for as long as said, where all take more than may be spent; then all again.
    #[test]
    fn what_takes_too_much_is_spelled_for_a_while() {
        let mut below = numbers();
        let words = words(20_000, &mut below);
        let form = Grammar::Regex(format!("{HEAVY}!a*"));
        let whole = Vocabulary::from_words(words.clone(), Vec::new(), &[256]).unwrap();
        let [mut text, mut judge] =
            [&limited(&words, 400_000), &whole].map(|vocabulary| Constraint::new(vocabulary, &form).unwrap());
        let mut runs = Vec::new();
        for at in 0..150 {
            let mut expected = tokens(judge.mask().unwrap());
            assert!(!judge.is_by_letters, "at {at}");
            let mut other = text.clone();
            let found = tokens(text.mask().unwrap());
            if at % 5 == 0 {
                assert_eq!((tokens(other.mask().unwrap()), other.is_by_letters), (found.clone(), text.is_by_letters));
            }
            if text.is_by_letters {
                expected.retain(|id| *id <= 256);
            }
            assert_eq!(found, expected, "at {at}");
            expected.retain(|id| words[*id as usize].iter().all(u8::is_ascii_lowercase));
            let id = expected[below(expected.len())];
            text.accept(id).unwrap();
            judge.accept(id).unwrap();
            if text.is_by_letters && text.spelled.left + 1 == text.spelled.run {
                runs.push(text.spelled.run);
            }
        }
        assert_eq!(runs, [4, 8, 16, 32, 64, 64]);
        text.accept(u32::from(b'!')).unwrap();
        while text.is_by_letters {
            text.mask().unwrap();
            text.accept(u32::from(b'a')).unwrap();
        }
        assert_eq!(text.spelled.run, 32, "a try that does not fail halves what follows one that does");
        assert!(tokens(text.mask().unwrap()).iter().all(|id| words[*id as usize].iter().all(|byte| *byte == b'a')));
        assert_eq!(text.spelled.run, 16);
    }

    /// Then there is no mask any more.
    #[test]
    fn letters_have_the_limits_of_all() {
        let mut below = numbers();
        let words = words(2_000, &mut below);
        let mut text = Constraint::new(&limited(&words, 20_000), &Grammar::Regex(format!("x{HEAVY}"))).unwrap();
        text.accept(u32::from(b'x')).unwrap();
        let failure = loop {
            match text.mask() {
                Ok(_) => text.accept(u32::from(b'a') + below(26) as u32).unwrap(),
                Err(failure) => break failure,
            }
        };
        assert!(matches!(failure, ConstraintError::Limit(_)) && text.is_by_letters, "{failure}");
        assert_eq!(text.accept(u32::from(b'a')), Err(failure.clone()));
        assert_eq!(text.clone().mask(), Err(failure));
    }

    /// Also where no mask was asked for, and none of all tokens could be computed.
    #[test]
    fn a_token_that_may_not_come_changes_nothing() {
        let words = words(20_000, numbers());
        let mut text = Constraint::new(&limited(&words, 400_000), &Grammar::Regex(HEAVY.to_owned())).unwrap();
        for letter in b"sofarsogoodandfartherstill" {
            assert_eq!(text.accept(u32::from(b'!')), Err(ConstraintError::NotAllowed(u32::from(b'!'))));
            text.accept(u32::from(*letter)).unwrap();
        }
        assert!(text.mask().is_ok());
    }

    /// Of vocabularies that do not have all letters by themselves: as far as words are begun by such, and no farther.
    #[test]
    fn letters_of_any_vocabulary_are_those_of_its_masks() {
        let spelled = ["queen", "qu", "e", "n", "ink", " b", "b", "é", "née", "e"].map(str::as_bytes);
        let mut words: Vec<Vec<u8>> = spelled.iter().map(|word| word.to_vec()).collect();
        words.extend([vec![0xc3], vec![]]);
        let end = words.len() as u32 - 1;
        let vocabulary = Vocabulary::from_words(words, Vec::new(), &[end]).unwrap();
        let letters = [1, 2, 3, 4, 5, 6, 7, 9, 10, end];
        let mut below = numbers();
        for pattern in ["(queen|ink)( b)*", "n?(é|e){2,5}( b|ink)+", "(née|b){1,4}"] {
            let beginning = Constraint::new(&vocabulary, &Grammar::Regex(pattern.to_owned())).unwrap();
            for _ in 0..40 {
                let mut text = beginning.clone();
                while !text.is_complete() {
                    let mut spelled = text.clone();
                    spelled.renew(true).unwrap();
                    spelled.spelled.left = 1;
                    // Behind half of a letter whose other half is no token nothing can follow.
                    let mut expected = text.mask().map(tokens);
                    if let Ok(expected) = &mut expected {
                        expected.retain(|id| letters.contains(id));
                    }
                    assert_eq!(spelled.mask().map(tokens), expected, "{pattern}");
                    let Ok(found) = expected else { break };
                    let id = found[below(found.len())];
                    text.accept(id).unwrap();
                }
            }
        }
    }

    /// A text is read at once, which takes more than the library would spend on the beginning of one, and from there on, as one that is written token by token.
    #[test]
    fn what_is_read_once_more_stands_at_the_same_place() {
        let words = (0..=255).map(|byte| vec![byte]).chain([vec![]]).collect();
        let vocabulary = Vocabulary::from_words(words, Vec::new(), &[256]).unwrap();
        let pattern = "(([a-z]{1,30} ?){1,49}\n)*".to_owned();
        let begin = || Constraint::begin(&vocabulary, &Grammar::Regex(pattern.clone()), Duration::MAX).unwrap();
        // Words of any length, so that hardly a state is met twice.
        let mut below = numbers();
        let mut letters = "a".repeat(40_000).into_bytes();
        for at in 1..letters.len() {
            if letters[at - 1] == b'a' && below(256) < 40 {
                letters[at] = b' ';
            }
            if at % 200 == 199 {
                letters[at] = b'\n';
            }
        }
        let mut text = begin();
        for (at, letter) in letters[..6_000].iter().enumerate() {
            let mask = text.mask().unwrap().to_vec();
            if at % 3_000 == 2_999 {
                text.renew(false).unwrap();
                assert_eq!(text.mask().unwrap(), mask, "{at}");
            }
            text.accept(u32::from(*letter)).unwrap();
        }
        assert!(text.may_end());
        let beginning = begin();
        let form = beginning.form.clone();
        assert!(beginning.allows_whole(std::str::from_utf8(&letters).unwrap()), "without masks");
        assert!(form.fresh_reader.get().is_some(), "too much was spent, and it was read on");
    }
}
