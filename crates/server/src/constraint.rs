//! From the form that a request asks for to the engine's constraint: the one place that knows both.

use api::{ResponseFormat, Settings};
use constrain::{Constraint, Grammar};

use crate::error::Error;

/// The form that the settings ask for.
///
/// # Errors
/// They ask for a form, which is not supported yet.
pub(crate) fn grammar(settings: &Settings) -> Result<Option<Grammar>, Error> {
    let asked = [
        ("response_format", settings.response_format.as_ref().is_some_and(|format| *format != ResponseFormat::Text)),
        ("structured_outputs", settings.structured_outputs.is_some()),
        ("guided_json", settings.guided_json.is_some()),
        ("guided_regex", settings.guided_regex.is_some()),
        ("guided_choice", settings.guided_choice.is_some()),
        ("guided_grammar", settings.guided_grammar.is_some()),
    ];
    match asked.iter().find(|(_, is_asked)| *is_asked) {
        Some((field, _)) => Err(Error::field(*field, format!("`{field}` is not supported yet: answers are free text"))),
        None => Ok(None),
    }
}

/// The constraint of an answer.
pub(crate) fn constraint(_form: Option<&Grammar>) -> Result<Option<Constraint>, Error> {
    Ok(None)
}
