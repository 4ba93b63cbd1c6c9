//! `finery models`: which families run, and which shapes have names.

use std::fmt::Write as _;
use std::io::Write as _;

use anyhow::Context as _;
use models::{FamilyInfo, LanguageModel, Summary, known_families, presets};
use serde_json::json;

use crate::narrow;

/// List the model families that run, with their restrictions
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    /// The shapes that `model_config` knows by name, in place of families
    #[arg(long)]
    presets: bool,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
    /// The families as docs/models.md has them
    #[arg(long, hide = true, conflicts_with_all = ["presets", "json"])]
    markdown: bool,
}

/// Prints the list.
///
/// # Errors
/// It cannot be written.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut text = String::new();
    if args.markdown {
        text = markdown();
    } else if args.presets {
        for preset in presets() {
            let model = LanguageModel::from_json(&preset.config)?;
            let Summary { parameters, .. } = Summary::of(&model, None)?;
            match args.json {
                true => {
                    let (name, source, config) = (preset.name, preset.source, &preset.config);
                    let line = json!({"name": name, "parameters": parameters, "source": source, "config": config});
                    writeln!(text, "{line}")?;
                }
                false => {
                    writeln!(text, "{:<12} {:>8}  {}", preset.name, super::inspect::count(parameters), preset.source)?
                }
            }
        }
    } else {
        for family in known_families() {
            match args.json {
                true => writeln!(text, "{}", serde_json::to_string(&family)?)?,
                false => {
                    writeln!(text, "{:<13} {}", family.model_type, family.architecture)?;
                    for restriction in family.restrictions {
                        writeln!(text, "{:<13}   not with {restriction}", "")?;
                    }
                }
            }
        }
    }
    if !args.json && !args.markdown {
        // Each by itself, so that one that is too wide leaves the others as they are.
        text = text.lines().map(|line| narrow::fitted(line, narrow::columns()) + "\n").collect();
    }
    std::io::stdout().write_all(text.as_bytes()).context("printing the list")
}

/// docs/models.md.
fn markdown() -> String {
    let row = |family: FamilyInfo| {
        let parity = family.parity.map(|difference| format!("{difference:e}")).unwrap_or_default();
        format!(
            "| `{}` | `{}` | {parity} | {} |\n",
            family.model_type,
            family.architecture,
            family.restrictions.join("; ")
        )
    };
    known_families().map(row).fold(include_str!("models/head.md").to_owned(), |text, row| text + &row)
}
