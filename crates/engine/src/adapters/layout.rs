//! The tokenizer and the chat template that lie beside an adapter, which it was trained with.

use std::path::Path;

use data::{ChatLayout, Tokenizer};

/// How conversations with the adapter of a folder are laid out, by the files beside it; `None`: as those with the model, since it has no tokenizer or no chat
/// template.
///
/// # Errors
/// A file beside it is damaged, or a template does not parse.
pub fn chat_layout(tokenizer: &Tokenizer, adapter: &Path) -> data::Result<Option<ChatLayout>> {
    if !checkpoint::has_tokenizer(adapter) {
        return Ok(None);
    }
    let layout = tokenizer.chat_layout(adapter)?;
    Ok(layout.chat_template(false).is_some().then_some(layout))
}

/// Checks that an adapter's tokenizer, if it has one, has the tokens of the model's, which all requests share.
///
/// # Errors
/// It has others, or cannot be read.
pub(super) fn check_tokenizer(tokenizer: &Tokenizer, adapter: &Path) -> Result<(), String> {
    if !checkpoint::has_tokenizer(adapter) || tokenizer.has_vocabulary_of(adapter).map_err(|error| error.to_string())? {
        return Ok(());
    }
    let file = adapter.join("tokenizer.json");
    Err(format!(
        "{} has other tokens than the model's tokenizer, which is used with all adapters that are served: merge it (`finery merge`) and serve the result",
        file.display()
    ))
}
