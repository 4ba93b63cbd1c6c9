//! Under which other names files hold what a model asks for.

use std::borrow::Cow;

/// What parts of a model were called in older files, by what they are called: `backbone.embedding.weight` of the first Mambas.
const RENAMED: [(&str, &str); 1] = [(".embeddings.", ".embedding.")];

/// The names that files may have for a model's tensor, the likeliest first. Those of the model without its head, as older ones on hubs
/// often are, lack the first part: `h.0.ln_1.weight` in place of `transformer.h.0.ln_1.weight`.
pub(crate) fn names(name: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let renamed = RENAMED.iter().filter(|(now, _)| name.contains(now));
    let whole = std::iter::once(Cow::Borrowed(name)).chain(renamed.map(|(now, then)| name.replace(now, then).into()));
    whole.flat_map(|name| {
        let without = name.split_once('.').map(|(_, rest)| rest.to_owned().into());
        std::iter::once(name).chain(without)
    })
}
