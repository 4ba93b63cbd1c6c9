//! Masks of many texts side by side.

use std::sync::{Mutex, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use crate::Constraint;

/// As much as a process's main thread usually has.
const STACK_BYTES: usize = 8 << 20;

/// Threads that compute masks beside the thread that asks for them. They begin when there is something for two to do, and end with this.
#[derive(Debug)]
pub struct MaskThreads {
    /// How many there are beside the one that asks.
    helpers: usize,
    /// `None` where nothing was asked of them yet. Where the system gives no threads, whoever asks computes alone.
    pool: Option<Result<ThreadPool, ThreadPoolBuildError>>,
}

impl MaskThreads {
    /// As many as the processor runs at once, the one that asks among them, and no more than there are texts.
    pub fn new(texts_max: usize) -> MaskThreads {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        MaskThreads::beside(cores.min(texts_max).saturating_sub(1))
    }

    /// So many beside the one that asks.
    fn beside(helpers: usize) -> MaskThreads {
        MaskThreads { helpers, pool: None }
    }

    /// Computes the masks of the places where these texts stand, so that [`Constraint::mask`] has them at hand. They are those that each text computes
    /// alone, and what goes wrong with one is its own.
    pub fn compute(&mut self, texts: Vec<&mut Constraint>) {
        let mut wanting: Vec<&mut Constraint> = texts.into_iter().filter(|text| text.wants_mask()).collect();
        // Nobody is woken for one.
        let helpers = self.helpers.min(wanting.len().saturating_sub(1));
        let queue = Mutex::new(wanting.iter_mut());
        let work = || {
            loop {
                // Nothing panics while it is locked.
                let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some(text) = next else { break };
                // It stays with the text.
                let _ = text.mask();
            }
        };
        match self.pool_for(helpers) {
            Some(pool) => pool.in_place_scope(|scope| {
                (0..helpers).for_each(|_| scope.spawn(|_| work()));
                work();
            }),
            None => work(),
        }
    }

    /// The threads, where some are wanted and there are any.
    fn pool_for(&mut self, wanted: usize) -> Option<&ThreadPool> {
        if wanted == 0 {
            return None;
        }
        let count = self.helpers;
        let begin = || {
            let name = |number| format!("masks-{number}");
            ThreadPoolBuilder::new().num_threads(count).thread_name(name).stack_size(STACK_BYTES).build()
        };
        self.pool.get_or_insert_with(begin).as_ref().ok()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{ConstraintError, Grammar, Vocabulary};

    const END: u32 = 256;

    /// Texts of several forms, each some tokens after its beginning.
    fn texts(vocabulary: &Arc<Vocabulary>) -> Vec<Constraint> {
        let forms = ["[a-c]{3,}x", "(ab|cd)*e?", "\\d+(,\\d+)*", "(?s:.)*"].map(|text| Grammar::Regex(text.to_owned()));
        let of = |form: &Grammar| Constraint::new(vocabulary, form).unwrap();
        let mut texts: Vec<_> = forms.iter().cycle().take(41).map(of).collect();
        for (steps, text) in texts.iter_mut().enumerate() {
            (0..steps % 5).for_each(|_| go_on(text));
        }
        texts
    }

    /// Takes the last token that is allowed, other than the end, if there is one.
    fn go_on(text: &mut Constraint) {
        if text.is_complete() {
            return;
        }
        let mask = text.mask().unwrap();
        let last = (0..END).rev().find(|id| mask[*id as usize / 32] >> (id % 32) & 1 == 1);
        if let Some(last) = last {
            text.accept(last).unwrap();
        }
    }

    /// Whichever thread computes them, however many there are, and whatever becomes of others.
    #[test]
    fn masks_are_those_of_each_text_alone() {
        let words = (0..=255).map(|byte| vec![byte]).chain([vec![]]).collect();
        let vocabulary = Vocabulary::from_words(words, Vec::new(), &[END]).unwrap();
        let masks = |texts: &mut [Constraint]| -> Vec<Result<Vec<u32>, ConstraintError>> {
            texts.iter_mut().map(|text| text.mask().map(<[u32]>::to_vec)).collect()
        };
        let mut alone = texts(&vocabulary);
        let expected = masks(&mut alone);
        for helpers in [0, 1, 3, 50] {
            let mut threads = MaskThreads::beside(helpers);
            let mut texts = texts(&vocabulary);
            let failed = [0, 7, 40];
            failed.iter().for_each(|at| texts[*at].panic_next());
            threads.compute(texts.iter_mut().collect());
            assert!(texts.iter().all(|text| !text.wants_mask()), "{helpers} helpers have left some");
            assert_eq!(threads.pool.is_some(), helpers > 0);
            for (at, (found, expected)) in masks(&mut texts).iter().zip(&expected).enumerate() {
                match failed.contains(&at) {
                    true => assert_eq!(found, &Err(ConstraintError::Mask("computing them panicked".to_owned()))),
                    false => assert_eq!(found, expected, "text {at} beside {helpers} helpers"),
                }
            }
            // What is computed is not computed again, and what has failed stays so.
            threads.compute(texts.iter_mut().collect());
            assert!(failed.iter().all(|at| texts[*at].mask().is_err() && texts[*at].accept(END).is_err()));
        }
    }

    #[test]
    fn one_text_wakes_nobody() {
        let words = (0..=255).map(|byte| vec![byte]).chain([vec![]]).collect();
        let vocabulary = Vocabulary::from_words(words, Vec::new(), &[END]).unwrap();
        let mut threads = MaskThreads::beside(3);
        let mut texts = texts(&vocabulary);
        // All others have theirs.
        texts[1..].iter_mut().for_each(|text| assert!(text.mask().is_ok()));
        go_on(&mut texts[0]);
        threads.compute(texts.iter_mut().collect());
        assert!(!texts[0].wants_mask() && threads.pool.is_none());
    }
}
