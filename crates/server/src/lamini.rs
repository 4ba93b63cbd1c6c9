//! `POST /lamini/v1/completions`.

use std::sync::Arc;

use api::{LaminiRequest, LaminiResponse, OneOrMany, Prompt, Settings};
use axum::extract::{Extension, State};
use axum::response::Response;
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};

use crate::app::{App, Shared};
use crate::ask::{Ask, Differences};
use crate::body::{self, Arrived};
use crate::choices::{Choices, Progress};
use crate::error::Error;
use crate::keys::Pass;
use crate::logprobs::Told;
use crate::prompts::{self, Affixes};
use crate::{constraint, models};

/// The property of an answer whose type nothing is said of.
const OUTPUT: &str = "output";

/// A request that was read.
struct Prepared {
    prompts: Vec<Arc<[u32]>>,
    /// Whether one answer is given, and not a list.
    is_one: bool,
    has_type: bool,
    /// The field that says how long an answer may be, where one does.
    length_field: Option<&'static str>,
    ask: Ask,
}

pub(crate) async fn completions(
    State(app): State<Shared>,
    Extension(pass): Extension<Pass>,
    body: Arrived,
) -> Result<Response, Error> {
    let shared = Shared::clone(&app);
    let make = move |request: LaminiRequest| Ok((request.model_name.clone(), prepare(&shared, request)));
    let (model, prepared) = body::read(body, make).await?;
    app.note_model(&model)?;
    let answer = async { answer(&app, prepared?, pass).await };
    models::answered(&app, &model, answer.await).await
}

async fn answer(app: &Shared, prepared: Prepared, pass: Pass) -> Result<Response, Error> {
    let Prepared { prompts, is_one, has_type, length_field, ask } = prepared;
    let mut told = Told::begin(app, &pass, 0, false)?;
    let mut choices = Choices::submit(app, &ask, prompts, pass).await?;
    let mut answers = vec![(String::new(), ""); choices.len()];
    while let Some(news) = choices.next().await {
        let (index, progress) = news?;
        let piece = match progress {
            Progress::Started | Progress::Scored(_) => continue,
            Progress::Piece(piece) => piece,
            Progress::End(piece, finish) => {
                answers[index].1 = finish;
                choices.note_finish(index, finish);
                piece
            }
        };
        told.add(app, &piece)?;
        answers[index].0.push_str(&piece.text);
    }
    let make = move |place| {
        let objects = answers.into_iter().map(|(text, finish)| object(text, finish, has_type, length_field));
        let mut objects = objects.collect::<Result<Vec<_>, _>>()?;
        let response = match objects.pop_if(|_| is_one) {
            Some(object) => LaminiResponse::One(object),
            None => LaminiResponse::Many(objects),
        };
        body::json(&response, place)
    };
    choices.told_whole(told, make).await
}

fn prepare(app: &App, request: LaminiRequest) -> Result<Prepared, Error> {
    let LaminiRequest { model_name, prompt, output_type, max_tokens, max_new_tokens } = request;
    let has_type = output_type.is_some();
    let length_field = max_new_tokens.map(|_| "max_new_tokens").or(max_tokens.map(|_| "max_tokens"));
    // Who cannot ask for anything else has the likeliest, the same each time.
    let settings = Settings { output_type, temperature: Some(0.0), ..Settings::default() };
    let differences = Differences {
        model: &model_name,
        prompt_field: "prompt",
        logprobs: None,
        logprobs_field: "logprobs",
        echoes: false,
        max_tokens: max_new_tokens.or(max_tokens).unwrap_or(usize::MAX),
        max_tokens_field: length_field.unwrap_or("max_tokens"),
    };
    let ask = Ask::new(app, &settings, constraint::form(&settings)?, differences)?;
    let is_one = matches!(prompt, OneOrMany::One(_));
    let given =
        prompts::texts(app, ("prompt", Prompt::Texts(prompt.into_vec())), Affixes::Before, (app.limits.choices, 1))?;
    let prompts = given.into_iter().map(|given| given.tokens.into()).collect();
    Ok(Prepared { prompts, is_one, has_type, length_field, ask })
}

/// What an answer is given as. There is no place for why it ended, so that one whose form is cut is an error.
fn object(
    text: String,
    finish: &str,
    has_type: bool,
    length_field: Option<&'static str>,
) -> Result<Box<RawValue>, Error> {
    if !has_type {
        return to_raw_value(&json!({ OUTPUT: text })).map_err(Error::internal);
    }
    if finish != "stop" {
        const CUT: &str = "an answer was cut before it had all properties of `output_type`";
        return Err(match length_field {
            Some(field) => Error::field(field, format!("{CUT}: give a larger `{field}`")),
            None => Error::field("prompt", format!("{CUT}, because the context was full: shorten the prompt")),
        });
    }
    RawValue::from_string(text).map_err(|error| Error::internal(format!("an answer of a form is no object: {error}")))
}
