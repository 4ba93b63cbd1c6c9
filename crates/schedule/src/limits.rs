//! What there is to give out, and the errors of limits that cannot work.

/// What there is of everything, fixed for the life of a scheduler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Sequences that run at once. Their state is in the slots 1 to `rows`; slot 0 is for rows that only fill a program up.
    pub rows: usize,
    /// Tokens whose keys and values a page holds. 0: the model has none, and needs no pages.
    pub page_tokens: usize,
    /// Pages, page 0 included, which is never given out: rows that only fill a program up write there.
    pub pages: usize,
    /// Tokens of the longest sequence, prompt and answer together.
    pub context: usize,
    /// Tokens of an iteration: one for each sequence that decodes with those that are proposed for it, and those of its prefill chunks.
    pub step_tokens: usize,
    /// The most tokens of one prefill chunk.
    pub chunk: usize,
    /// The most prefill chunks of an iteration.
    pub prefill_rows: usize,
    /// The most tokens of an iteration's prefill chunks together.
    pub prefill_tokens: usize,
    /// The tokens for which each row of a prefill has room: a chunk counts as if its last row was full.
    pub prefill_unit: usize,
    /// The most requests that wait where no row is free. For each row that is, one more may.
    pub waiting: usize,
    /// Whether what is kept of a prefix can serve another sequence. False for models whose state sums up all tokens.
    pub shares_prefixes: bool,
    /// Whether how a token is computed must follow from its own request alone, so that the same request gives the same bits beside any others.
    /// Then prompts are cut at multiples of `chunk`, what is found of a prefix is such a multiple, nothing is kept of answers and of the
    /// chunk that a prompt ends in, and a sequence gets the pages of its longest answer when it starts, so that none is preempted:
    /// a token computed again would be computed in a chunk.
    pub chunk_aligned: bool,
    /// The tokens at which all of a sequence is computed anew, for models that rotate the keys of longer texts in another way: it gives slot and pages back,
    /// and goes before all that has not run. `None`: never.
    pub anew_at: Option<usize>,
    /// The most tokens that are proposed for a sequence in an iteration, beside the one that is certain; 0: none ever. Models whose state sums up all tokens
    /// cannot take one back, and need 0.
    pub proposals: usize,
}

/// Why limits cannot work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LimitsError {
    /// There is too little of something.
    #[error("the scheduler's limit `{name}` is {value}, which is less than {least}: {reason}")]
    TooSmall {
        /// The field of [`Limits`].
        name: &'static str,
        /// Its value.
        value: usize,
        /// The least that works.
        least: usize,
        /// Why.
        reason: &'static str,
    },
    /// A number does not fit where it is kept.
    #[error("the scheduler's limit `{name}` is {value}: it must be less than 2^32")]
    TooLarge {
        /// The field of [`Limits`].
        name: &'static str,
        /// Its value.
        value: usize,
    },
    /// Prefixes that are those of other texts once they are longer.
    #[error("what is computed anew at {anew_at} tokens keeps no prefixes for others: set `shares_prefixes` to false")]
    Anew {
        /// Tokens of a text that is computed anew.
        anew_at: usize,
    },
    /// Proposals where the same request is to give the same bits beside any others.
    #[error("with `chunk_aligned` a token is computed alone, and up to {proposals} are proposed: set `proposals` to 0")]
    Proposals {
        /// The most of a sequence.
        proposals: usize,
    },
    /// Prefixes without pages.
    #[error("pages of 0 tokens keep no prefixes: set `shares_prefixes` to false, or give pages their tokens")]
    NoPages,
    /// The longest chunk would leave a part of a row empty.
    #[error(
        "a chunk has up to {chunk} tokens where each row of a prefill has room for {prefill_unit}: make it a multiple"
    )]
    PartOfRow {
        /// Tokens of a chunk.
        chunk: usize,
        /// Tokens of a row.
        prefill_unit: usize,
    },
    /// What is found of a prefix would end within a page.
    #[error(
        "with `chunk_aligned` a chunk is a number of whole pages, and `chunk` is {chunk} where a page has {page_tokens} tokens: make it a multiple"
    )]
    Misaligned {
        /// Tokens of a chunk.
        chunk: usize,
        /// Tokens of a page.
        page_tokens: usize,
    },
}

impl Limits {
    /// Whether a sequence can always go on with them.
    pub(crate) fn check(&self) -> Result<(), LimitsError> {
        let beside = self.rows.saturating_sub(1);
        let pages_least = if self.page_tokens > 0 { 2 } else { 0 };
        for (name, value, least, reason) in [
            ("rows", self.rows, 1, "nothing would ever run"),
            ("context", self.context, 2, "a prompt and an answer have a token each"),
            ("chunk", self.chunk, 1, "no prompt would ever be computed"),
            ("prefill_rows", self.prefill_rows, 1, "no prompt would ever be computed"),
            ("prefill_unit", self.prefill_unit, 1, "no prompt would ever be computed"),
            ("prefill_tokens", self.prefill_tokens, self.chunk_least(), "no prompt would ever be computed"),
            ("waiting", self.waiting, 1, "no request could be submitted"),
            ("pages", self.pages, pages_least, "page 0 is not given out"),
            (
                "step_tokens",
                self.step_tokens,
                beside.saturating_add(self.chunk_least()),
                "beside all other rows a prompt must go on",
            ),
        ] {
            if value < least {
                return Err(LimitsError::TooSmall { name, value, least, reason });
            }
        }
        for (name, value) in [("rows", self.rows), ("pages", self.pages)] {
            if u32::try_from(value).is_err() {
                return Err(LimitsError::TooLarge { name, value });
            }
        }
        if self.shares_prefixes && self.page_tokens == 0 {
            return Err(LimitsError::NoPages);
        }
        if let Some(anew_at) = self.anew_at.filter(|_| self.shares_prefixes) {
            return Err(LimitsError::Anew { anew_at });
        }
        if self.proposals > 0 && self.chunk_aligned {
            return Err(LimitsError::Proposals { proposals: self.proposals });
        }
        if !self.chunk.is_multiple_of(self.prefill_unit) {
            return Err(LimitsError::PartOfRow { chunk: self.chunk, prefill_unit: self.prefill_unit });
        }
        if self.shares_prefixes && self.chunk_aligned && !self.chunk.is_multiple_of(self.page_tokens) {
            return Err(LimitsError::Misaligned { chunk: self.chunk, page_tokens: self.page_tokens });
        }
        Ok(())
    }

    /// Tokens that must be left of an iteration's for a chunk to be begun.
    pub(crate) fn chunk_least(&self) -> usize {
        if self.chunk_aligned { self.chunk } else { self.prefill_unit }
    }

    /// Pages that hold so many tokens.
    pub(crate) fn pages_of(&self, tokens: usize) -> usize {
        if self.page_tokens == 0 { 0 } else { tokens.div_ceil(self.page_tokens) }
    }

    /// Tokens of which what is found of a prefix is a multiple, page copies aside.
    pub(crate) fn prefix_unit(&self) -> usize {
        if self.chunk_aligned { self.chunk } else { self.page_tokens.max(1) }
    }

    /// Tokens of a sequence whose pages may serve others, if its prompt has so many tokens.
    pub(crate) fn findable(&self, prompt: usize) -> usize {
        match (self.shares_prefixes, self.chunk_aligned) {
            (false, _) => 0,
            (true, false) => usize::MAX,
            (true, true) => prompt - prompt % self.chunk,
        }
    }
}
