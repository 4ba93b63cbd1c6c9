//! Sequences longer than a model's context, read in windows that overlap.

use std::ops::Range;

use crate::error::{Error, Result};

/// How sequences are cut for scoring: each token is scored once, in the first window that holds it.
///
/// A window of `context` tokens moves on by `stride`; the smaller the stride, the more each token has before it and the longer it takes. This
/// is the perplexity of models of fixed length as <https://huggingface.co/docs/transformers/perplexity> has it, but that the last window is
/// moved back to be full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Windows {
    context: usize,
    /// `None`: one window must do.
    stride: Option<usize>,
}

/// A stretch of a sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    /// The tokens that the model sees.
    pub(crate) tokens: Range<usize>,
    /// The first of them that is scored here.
    pub(crate) scored: usize,
}

impl Windows {
    /// Tokens of a window where the model sets no limit: what Mamba was trained with (Gu and Dao 2023). A long text as a single window would
    /// take memory for the logits of all its tokens.
    pub const WITHOUT_LIMIT: usize = 2048;

    /// Windows of `context` tokens, or of `longest`, which the model is meant for, or of [`Windows::WITHOUT_LIMIT`]. Without a stride there is
    /// one for a sequence.
    ///
    /// # Errors
    /// `context` is below 2 or longer than the model's, or the stride leaves tokens with nothing before them.
    pub fn new(context: Option<usize>, stride: Option<usize>, longest: Option<usize>) -> Result<Windows> {
        let context = context.or(longest).unwrap_or(Windows::WITHOUT_LIMIT);
        if context < 2 || longest.is_some_and(|longest| context > longest) {
            let rule = match longest {
                Some(longest) => format!("it should be from 2 to the longest that the model is meant for, {longest}"),
                None => "it should be 2 or more".to_owned(),
            };
            return Err(Error::Setting { name: "context", value: context.to_string(), rule });
        }
        if let Some(stride) = stride.filter(|stride| !(1..context).contains(stride)) {
            let rule = format!("it should be from 1 to {}, below the context of {context}", context - 1);
            return Err(Error::Setting { name: "stride", value: stride.to_string(), rule });
        }
        Ok(Windows { context, stride })
    }

    /// The most tokens of a window.
    pub fn context(&self) -> usize {
        self.context
    }

    /// Whether a sequence of `length` tokens can be scored.
    pub fn cover(&self, length: usize) -> bool {
        self.stride.is_some() || length <= self.context
    }

    /// The windows of a sequence that they cover.
    pub(crate) fn of(self, length: usize) -> impl Iterator<Item = Window> {
        let inner = (self.context..length).step_by(self.stride.unwrap_or(usize::MAX));
        let mut scored = 1;
        inner.chain([length]).map(move |end| {
            let window = Window { tokens: end.saturating_sub(self.context)..end, scored };
            scored = end;
            window
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_token_is_scored_once_with_a_full_window_before_it() {
        for (length, context, stride) in
            [(1, 4, 2), (4, 4, 2), (5, 4, 2), (6, 4, 2), (50, 16, 15), (50, 16, 1), (49, 16, 7)]
        {
            let windows = Windows::new(Some(context), Some(stride), Some(64)).unwrap();
            let mut next = 1;
            for Window { tokens, scored } in windows.of(length) {
                assert_eq!(scored, next, "of {length}");
                assert_eq!(tokens.len(), length.min(context), "of {length}");
                assert!(scored == 1 || scored - tokens.start >= context - stride, "of {length}");
                next = tokens.end;
            }
            assert_eq!(next, length.max(1));
        }
    }

    #[test]
    fn settings_out_of_range_are_refused() {
        let refusal = |context, stride| Windows::new(context, stride, Some(64)).unwrap_err().to_string();
        assert_eq!(
            refusal(Some(65), None),
            "context is 65, but it should be from 2 to the longest that the model is meant for, 64"
        );
        assert!(refusal(Some(1), None).starts_with("context is 1, but it should be from 2 to "));
        assert_eq!(refusal(None, Some(64)), "stride is 64, but it should be from 1 to 63, below the context of 64");
        assert!(refusal(Some(8), Some(0)).starts_with("stride is 0, but it should be from 1 to 7,"));
        let one = Windows::new(None, None, Some(64)).unwrap();
        assert!(one.cover(64) && !one.cover(65));
        let usual = Windows::new(None, None, None).unwrap();
        assert!(usual.cover(2048) && !usual.cover(2049));
        assert!(Windows::new(Some(100_000), None, None).unwrap().cover(100_000));
        let refusal = Windows::new(Some(1), None, None).unwrap_err().to_string();
        assert_eq!(refusal, "context is 1, but it should be 2 or more");
    }
}
