//! A smaller model that proposes tokens: which, and whether it can.

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use data::Tokenizer;
use engine::{Draft, Model, PROPOSALS_MAX};
use runtime::Session;

use crate::model_args::{ModelArgs, ModelFiles};
use crate::progress::ProgressMode;
use crate::usage;

/// Tokens that are proposed at once unless somebody says how many.
const TOKENS: usize = 4;

/// Which smaller model proposes tokens, if one does.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct DraftArgs {
    /// A smaller model with the same tokenizer, which proposes tokens that the model computes at once: the same answers, sooner where it is often right
    #[arg(long, value_name = "DIR")]
    speculative_model: Option<PathBuf>,

    /// Tokens that it proposes at once, from 1 to 16 [default: 4]
    #[arg(long, value_name = "K", requires = "speculative_model", value_parser = usage::whole::<usize>(1..=PROPOSALS_MAX as u64))]
    num_speculative_tokens: Option<usize>,
}

impl DraftArgs {
    /// What is asked for.
    pub(crate) fn asked(&self) -> Option<AskedDraft> {
        let tokens = self.num_speculative_tokens.unwrap_or(TOKENS);
        self.speculative_model.clone().map(|folder| AskedDraft { folder, tokens })
    }
}

/// A smaller model that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AskedDraft {
    pub(crate) folder: PathBuf,
    /// Tokens that it proposes at once.
    pub(crate) tokens: usize,
}

/// Its files, checked as far as that is possible without a device.
pub(crate) struct DraftFiles {
    args: ModelArgs,
    files: ModelFiles,
    tokens: usize,
}

/// The same on the devices of a session.
pub(crate) struct LoadedDraft<'s> {
    model: Model<'s>,
    tokens: usize,
}

impl AskedDraft {
    /// Opens its files; it is to be as `args` say of the model, whose `files` these are.
    ///
    /// # Errors
    /// A file is missing or damaged, or it cannot propose tokens for the model.
    pub(crate) fn files(self, args: &ModelArgs, files: &ModelFiles) -> anyhow::Result<DraftFiles> {
        let AskedDraft { folder, tokens } = self;
        let using = || format!("cannot use the draft model {}", folder.display());
        let args = args.of_draft(folder.clone());
        let own = args.files()?;
        Draft::check(&files.model, &own.model, tokens).with_context(using)?;
        // Token ids need no tokenizer, and a draft is told nothing else.
        if own.source.tokenizer_folder().join("tokenizer.json").exists() {
            check_tokenizers(files.tokenizer()?, own.tokenizer()?).with_context(using)?;
        }
        Ok(DraftFiles { args, files: own, tokens })
    }
}

impl DraftFiles {
    /// Tokens that it proposes at once.
    pub(crate) fn tokens(&self) -> usize {
        self.tokens
    }

    /// Loads it, behind the model.
    ///
    /// # Errors
    /// As [`ModelArgs::load`].
    pub(crate) fn load<'s>(&self, session: &'s Session, progress: ProgressMode) -> anyhow::Result<LoadedDraft<'s>> {
        let folder = self.files.source.model().path().display();
        let model = self.args.load(session, &self.files, progress);
        let model = model.with_context(|| format!("cannot load the draft model {folder}"))?;
        Ok(LoadedDraft { model, tokens: self.tokens })
    }
}

impl<'s> LoadedDraft<'s> {
    /// As an engine takes it.
    pub(crate) fn draft(&self) -> Draft<'_, 's> {
        Draft { model: &self.model, tokens: self.tokens }
    }
}

/// Refuses a tokenizer that means other tokens by the same ids. Special tokens may differ: families name those that they have in reserve otherwise from one
/// release to the next.
fn check_tokenizers(model: &Tokenizer, draft: &Tokenizer) -> anyhow::Result<()> {
    let all = 0..model.vocab_size().max(draft.vocab_size()) as u32;
    let plain = all.filter(|id| !model.is_special(*id) && !draft.is_special(*id));
    let mut different = plain.filter_map(|id| {
        let [own, other] = [model, draft].map(|tokenizer| tokenizer.id_to_token(id));
        (own != other).then_some((id, own, other))
    });
    let Some((id, own, other)) = different.next() else { return Ok(()) };
    let told = |token: Option<String>| token.map_or("no token".to_owned(), |token| format!("`{token}`"));
    bail!(
        "its tokenizer is another one: {} tokens differ, of which the first, {id}, is {} there and {} in the model's: take a draft with the model's \
         tokenizer",
        1 + different.count(),
        told(other),
        told(own)
    )
}
