//! A smaller model that proposes how texts go on.

use graph::DType;
use models::{LanguageModel, StateSize};

use crate::Model;
use crate::batch::is_paged;
use crate::error::{Error, Result};

/// The most tokens that are proposed at once: each row of a step computes as many more.
pub const PROPOSALS_MAX: usize = 16;

/// A smaller model, in the same session, and how many tokens it proposes for a text before the model computes them all at once (Leviathan et al. 2023, Fast
/// Inference from Transformers via Speculative Decoding). Those that are what the model would have chosen one after the other are kept.
#[derive(Clone, Copy)]
pub struct Draft<'m, 's> {
    /// The smaller model.
    pub model: &'m Model<'s>,
    /// From 1 to [`PROPOSALS_MAX`].
    pub tokens: usize,
}

impl Draft<'_, '_> {
    /// Refuses a `draft` that cannot propose `tokens` tokens for `model`, as far as their configurations tell.
    ///
    /// # Errors
    /// [`Error::Draft`], or [`Error::Setting`] for the number.
    pub fn check(model: &LanguageModel, draft: &LanguageModel, tokens: usize) -> Result<()> {
        check_proposals(tokens)?;
        for (who, what, model) in [("it", "take one", draft), ("the model", "serve one", model)] {
            if sums_up(model) {
                return Err(Error::Draft(format!(
                    "{who} sums up all tokens in a state that cannot take one back: {what} that has keys and values alone"
                )));
            }
        }
        let [own, other] = [model, draft].map(|model| model.sizes().vocab_size);
        if own != other {
            return Err(Error::Draft(format!(
                "its vocabulary has {other} tokens and the model's {own}: take one of the same family, with the same tokenizer"
            )));
        }
        Ok(())
    }
}

/// Whether a model sums up all tokens in one state.
pub(crate) fn sums_up(model: &LanguageModel) -> bool {
    let one = StateSize { slots: 1, pages: 1, page_tokens: 1 };
    !model.ragged_state_specs(DType::F32, one).iter().all(is_paged)
}

/// Refuses numbers of tokens to propose that make no sense.
pub(crate) fn check_proposals(tokens: usize) -> Result<()> {
    if (1..=PROPOSALS_MAX).contains(&tokens) {
        return Ok(());
    }
    let rule = format!("it should be from 1 to {PROPOSALS_MAX}");
    Err(Error::Setting { name: "the number of speculative tokens", value: tokens.to_string(), rule })
}
