//! What commands have in common that score rows of a file: windows, and how likely the model finds each row's tokens.

use std::cmp::Reverse;

use anyhow::bail;
use engine::{Scorer, Windows};

use crate::model_args::ModelFiles;
use crate::progress::{ProgressMode, Task, Unit};
use crate::rows::{Row, RowArgs};
use crate::usage;

/// Rows that are scored together: enough to find companions of similar length for each.
const TOGETHER: usize = 256;

/// Tokens of those of them, similarly long, that are scored between two words of progress: several full steps of a GPU, and seconds of a CPU.
const TOKENS_ALIKE: usize = 1 << 14;

/// How texts are scored that are longer than the context.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct WindowArgs {
    /// Score longer texts in windows that move on by N tokens: each token once, with as much before it as its window holds
    #[arg(long, value_name = "N", value_parser = usage::whole::<usize>(1..=u64::MAX))]
    stride: Option<usize>,

    /// Most tokens that the model sees at once [default: the most that it is meant for, and 2048 where nothing limits it, as with Mamba]
    #[arg(long, value_name = "N", value_parser = usage::whole::<usize>(2..=u64::MAX))]
    context: Option<usize>,
}

impl WindowArgs {
    /// The windows of the model with these files.
    ///
    /// # Errors
    /// A setting out of its range.
    pub(crate) fn windows(&self, files: &ModelFiles) -> anyhow::Result<Windows> {
        let windows = Windows::new(self.context, self.stride, files.model.context());
        Ok(windows.map_err(|error| match error {
            engine::Error::Setting { name: "context", value, rule } => {
                engine::Error::Setting { name: "--context", value, rule }
            }
            engine::Error::Setting { name: "stride", value, rule } => {
                engine::Error::Setting { name: "--stride", value, rule }
            }
            other => other,
        })?)
    }
}

/// Refuses tokens that the model cannot score: unknown ones, or too many.
///
/// # Errors
/// As told.
pub(crate) fn check_tokens(tokens: &[u32], windows: Windows, files: &ModelFiles) -> anyhow::Result<()> {
    if let Some(id) = tokens.iter().find(|id| **id as usize >= files.model.sizes().vocab_size) {
        bail!("token id {id} is not in the model's vocabulary of {} tokens", files.model.sizes().vocab_size);
    }
    if !windows.cover(tokens.len()) {
        let (tokens, context) = (tokens.len(), windows.context());
        let longer = if files.model.context() == Some(context) { "" } else { " or a longer --context" };
        bail!("{tokens} tokens do not fit into the context of {context}: shorten the text, or give --stride{longer}");
    }
    Ok(())
}

/// Scores rows and hands each, in order, to `done` with the log-probabilities of its tokens from the second on.
///
/// # Errors
/// The device fails, the model gives something that is no number, or `done` fails.
pub(crate) fn score_rows<T>(
    scorer: &mut Scorer<'_, '_>,
    rows: &[Row<T>],
    tokens: impl Fn(&T) -> &[u32],
    windows: Windows,
    args: &RowArgs,
    progress: ProgressMode,
    mut done: impl FnMut(&Row<T>, &[f32]) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    // Of tokens, since a text may be as long as all others together. The first of each is given no score.
    let scored = |row: &Row<T>| tokens(&row.content).len().saturating_sub(1) as u64;
    let title = format!("scoring the tokens of {}", args.name());
    let task = Task::bar(progress, title, rows.iter().map(scored).sum(), Unit::Items);
    for together in rows.chunks(TOGETHER) {
        let sequences: Vec<&[u32]> = together.iter().map(|row| tokens(&row.content)).collect();
        let mut places: Vec<usize> = (0..sequences.len()).collect();
        // The longest first, which tell at once whether there is room.
        places.sort_by_key(|at| Reverse(sequences[*at].len()));
        let mut scores = vec![Vec::new(); sequences.len()];
        let mut rest = &places[..];
        while let Some(longest) = rest.first() {
            let count = TOKENS_ALIKE / sequences[*longest].len().max(1);
            let alike;
            (alike, rest) = rest.split_at(count.clamp(1, rest.len()));
            let seen: Vec<&[u32]> = alike.iter().map(|at| sequences[*at]).collect();
            let tell = &mut |tokens| task.advance(tokens as u64);
            let found = scorer.score(&seen, windows, tell).map_err(|error| match &error {
                engine::Error::NoScore { sequence, .. } => {
                    args.error_at(together[alike[*sequence]].line, error.to_string())
                }
                _ => error.into(),
            })?;
            alike.iter().zip(found).for_each(|(at, found)| scores[*at] = found);
        }
        for (row, logprobs) in together.iter().zip(&scores) {
            if let Some(place) = logprobs.iter().position(|logprob| !logprob.is_finite()) {
                let dtype = scorer.model().dtype();
                let reason = format!(
                    "the log-probability of token {} is {} for this model, which is no score: its weights are damaged, or overflow in {dtype}",
                    place + 2,
                    logprobs[place]
                );
                return Err(args.error_at(row.line, reason));
            }
            done(row, logprobs)?;
        }
    }
    task.finish();
    Ok(())
}
