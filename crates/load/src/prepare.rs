//! What is found out about a server before it is measured.

use std::future::Future;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use hyper::{Method, StatusCode};
use serde_json::Value;

use crate::client::{Client, Failed, checked};
use crate::dialect::Dialect;
use crate::load::Options;
use crate::prompts::{self, Asked, Prompt, Prompts, Recipe};

/// What is asked for while it is found out what the server knows.
const PROBE_TOKENS: usize = 2;
/// For the server to say what it is.
const ANSWER_TIME: Duration = Duration::from_secs(60);

/// Why there is nothing to measure.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Nobody listens there.
    #[error("there is no server at {authority}")]
    Unreached {
        /// Host and port.
        authority: String,
        /// Why.
        source: io::Error,
    },
    /// There is no encrypted connection, mostly for a certificate that is not vouched for.
    #[error("no encrypted connection to {authority}: {reason}")]
    Untrusted {
        /// Host and port.
        authority: String,
        /// What is wrong, and what to do.
        reason: String,
    },
    /// It was asked for encryption, and has none.
    #[error("the server at {authority} does not encrypt its connections: give its address as {instead}")]
    Plain {
        /// Host and port.
        authority: String,
        /// The address with the other scheme.
        instead: String,
    },
    /// It was not asked for encryption, and wants it.
    #[error("the server at {authority} encrypts its connections: give its address as {instead}")]
    Encrypted {
        /// Host and port.
        authority: String,
        /// The address with the other scheme.
        instead: String,
    },
    /// A file of certificates cannot be read.
    #[error("cannot read {} as certificates in PEM: {reason}", path.display())]
    CertificateFile {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// Nobody vouches for any server.
    #[error("{whose} has no certificates that vouch for servers{reason}: name a file of them in PEM by --ca-file")]
    NoCertificates {
        /// A file, or the system.
        whose: String,
        /// Why there are none, in parentheses, where it is known.
        reason: String,
    },
    /// A key cannot be sent.
    #[error("key {number} has characters that no HTTP header may have")]
    Key {
        /// From 1.
        number: usize,
    },
    /// The server tells no model, and none was named.
    #[error("the server at {authority} does not list its models ({reason}): name one by --model")]
    Models {
        /// Host and port.
        authority: String,
        /// What it said.
        reason: String,
    },
    /// It answers those alone who have a key of its.
    #[error(
        "the server at {authority} {what} ({reason}): give one that it takes in OPENAI_API_KEY, or in a file by --api-key-file"
    )]
    Denied {
        /// Host and port.
        authority: String,
        /// Whether there was a key.
        what: &'static str,
        /// What it said.
        reason: String,
    },
    /// The list of models has none.
    #[error("the server's list of models is empty: name one by --model")]
    NoModel,
    /// It does not answer as the endpoint should.
    #[error("{endpoint} of the server does not answer: {reason}")]
    Refused {
        /// Its path.
        endpoint: &'static str,
        /// What it said.
        reason: String,
    },
    /// Conversations are no texts.
    #[error("prompt {number} is a conversation, which only the chat endpoint takes")]
    Conversation {
        /// From 1.
        number: usize,
    },
    /// There is nothing to ask.
    #[error("there is no prompt")]
    NoPrompt,
    /// It was stopped before anything was measured.
    #[error("stopped before anything was measured")]
    Stopped,
    /// There are no threads.
    #[error("cannot start the threads of clients: {0}")]
    Threads(io::Error),
}

/// What was found out.
#[derive(Debug)]
pub(crate) struct Ready {
    pub(crate) client: Client,
    pub(crate) models: Vec<String>,
    pub(crate) dialect: Dialect,
    pub(crate) recipe: Recipe,
    pub(crate) context: Option<usize>,
    pub(crate) notes: Vec<String>,
}

pub(crate) async fn prepare(options: &Options) -> Result<Ready, Error> {
    let target = &options.target;
    check(options)?;
    let client = within(Client::connect(target, options)).await.unwrap_or_else(|| {
        let source = io::ErrorKind::TimedOut.into();
        Err(Error::Unreached { authority: target.authority.clone(), source })
    })?;
    let models = models(&client, options).await?;
    let mut notes = Vec::new();
    let dialect = dialect(&client, options, &models[0]).await?;
    if !dialect.ignores_eos {
        notes.push(
            "the server does not know `ignore_eos`: answers may end before they have the tokens that are asked for"
                .to_owned(),
        );
    }
    if !dialect.counts_tokens {
        notes.push("the server does not count a stream's tokens: each piece of an answer is taken for one, and prompts have none".to_owned());
    }
    let (mut recipe, mut context) = (Recipe::rough(), None);
    if matches!(options.prompts, Prompts::Made(_)) {
        let limit = options.timeout.min(ANSWER_TIME);
        let asked = Asked { client: &client, endpoint: options.endpoint, model: &models[0], limit };
        let calibrated = prompts::calibrate(asked, ANSWER_TIME).await;
        notes.extend(calibrated.note);
        (recipe, context) = (calibrated.recipe, calibrated.context);
    }
    if let (Prompts::Made(lengths), Some(context)) = (&options.prompts, context) {
        let (prompt, answer) = (lengths.most(), options.answer.most());
        if prompt.saturating_add(answer) > context {
            notes.push(format!(
                "the server's longest text has {context} tokens, prompt and answer: where both have more (up to {prompt} and {answer}), they are shorter than asked for"
            ));
        }
    }
    Ok(Ready { client, models, dialect, recipe, context, notes })
}

async fn within<T>(future: impl Future<Output = T>) -> Option<T> {
    tokio::time::timeout(ANSWER_TIME, future).await.ok()
}

fn check(options: &Options) -> Result<(), Error> {
    let Prompts::Given(prompts) = &options.prompts else { return Ok(()) };
    let conversation = prompts.iter().position(|prompt| matches!(prompt, Prompt::Messages(_)));
    match (options.endpoint, conversation) {
        (crate::Endpoint::Completions, Some(index)) => Err(Error::Conversation { number: index + 1 }),
        _ if prompts.is_empty() => Err(Error::NoPrompt),
        _ => Ok(()),
    }
}

/// The models that are asked for: those that were named, all of the server's, or its first.
async fn models(client: &Client, options: &Options) -> Result<Vec<String>, Error> {
    if !options.models.is_empty() {
        return Ok(options.models.clone());
    }
    let list = match within(client.json(Method::GET, "/v1/models", None)).await.unwrap_or(Err(Failed::Late)) {
        Ok(list) => list,
        Err(failed) => {
            let authority = options.target.authority.clone();
            let error = Error::Models { authority, reason: reason(&failed) };
            return Err(explained(failed, error, client, options).await);
        }
    };
    let entries = list.get("data").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let mut names: Vec<String> =
        entries.iter().filter_map(|entry| Some(entry.get("id")?.as_str()?.to_owned())).collect();
    if !options.all_models {
        names.truncate(1);
    }
    if names.is_empty() { Err(Error::NoModel) } else { Ok(names) }
}

/// What is to be said of the first request that failed: that the server wants another key; that it encrypts, where it answers with what is no HTTP, or as nginx and Go's servers
/// do where they are spoken to without TLS, and does so.
async fn explained(failed: Failed, error: Error, client: &Client, options: &Options) -> Error {
    let target = &options.target;
    if let Failed::Status { status: StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN, .. } = failed {
        let what = if options.keys.is_empty() { "wants a key" } else { "does not take the key" };
        return Error::Denied { authority: target.authority.clone(), what, reason: reason(&failed) };
    }
    let is_likely = matches!(failed, Failed::Http(_) | Failed::Status { status: StatusCode::BAD_REQUEST, .. });
    match is_likely && client.encrypts(target).await {
        true => Error::Encrypted { authority: target.authority.clone(), instead: target.otherwise() },
        false => error,
    }
}

/// Why something was not told. A message may say little without its status, as the first line of a page does.
fn reason(failed: &Failed) -> String {
    match failed {
        Failed::Status { status, message } => format!("{status}: {message}"),
        other => other.to_string(),
    }
}

/// The first way to ask that the server takes.
async fn dialect(client: &Client, options: &Options, model: &str) -> Result<Dialect, Error> {
    let given = match &options.prompts {
        Prompts::Given(prompts) => prompts.first().cloned(),
        Prompts::Made(_) => None,
    };
    let prompt = given.unwrap_or_else(|| Prompt::Text("Hello".to_owned()));
    let endpoint = options.endpoint.path();
    let mut refusal = None;
    for dialect in Dialect::ALL {
        let body = dialect.body(options.endpoint, model, &prompt, PROBE_TOKENS);
        let sent = async {
            let (response, connection) = client.send(client.request(Method::POST, endpoint, body, 0)?, false).await?;
            drop((checked(response).await?, connection));
            Ok(())
        };
        match within(sent).await.unwrap_or(Err(Failed::Late)) {
            // One that has too much to do understood what it does not do.
            Ok(())
            | Err(Failed::Status { status: StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE, .. }) => {
                return Ok(dialect);
            }
            Err(failed @ Failed::Status { status: StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY, .. }) => {
                refusal.get_or_insert(failed);
            }
            Err(failed) => {
                refusal = Some(failed);
                break;
            }
        }
    }
    let failed = refusal.expect("a dialect that is not refused is the server's");
    let error = Error::Refused { endpoint, reason: failed.to_string() };
    Err(explained(failed, error, client, options).await)
}
