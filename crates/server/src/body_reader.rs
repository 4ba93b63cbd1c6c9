//! Bodies of requests without a connection, for whoever tries out what is read of them.

use std::sync::Arc;

use api::{ChatRequest, CompletionRequest, ErrorBody, Request};
use engine::Service;
use tokio::sync::watch;

use crate::app::{App, Shared, Stage};
use crate::ask::Ask;
use crate::compiled::FormId;
use crate::error::Error;
use crate::keys::Pass;
use crate::{ServerConfig, chat, completion, constraint};

/// Reads bodies as a server's endpoints do, up to what they ask of the engine, and asks nothing.
#[derive(Debug)]
pub struct BodyReader {
    app: Shared,
    pass: Pass,
}

impl BodyReader {
    /// For the server that `config` and `service` would make. Everyone may ask.
    pub fn new(config: ServerConfig, service: Service) -> BodyReader {
        let (_, stage) = watch::channel(Stage::Open);
        BodyReader { app: App::new(config, service, stage), pass: Pass::of_nobody() }
    }

    /// What a body of `/v1/chat/completions` asks of the engine, for the first answer.
    ///
    /// # Errors
    /// It is refused, with what the client is told.
    pub fn chat(&self, body: &[u8]) -> Result<Vec<engine::Request>, ErrorBody> {
        let read = ChatRequest::read(body).map_err(Error::from).and_then(|request| chat::prepare(&self.app, request));
        read.and_then(|read| self.requests(&read.ask, vec![read.prompt])).map_err(|error| error.body())
    }

    /// What a body of `/v1/completions` asks of the engine, for the first answer to each prompt.
    ///
    /// # Errors
    /// It is refused, with what the client is told.
    pub fn completion(&self, body: &[u8]) -> Result<Vec<engine::Request>, ErrorBody> {
        let read = CompletionRequest::read(body).map_err(Error::from);
        let read = read.and_then(|request| completion::prepare(&self.app, request));
        read.and_then(|read| self.requests(&read.ask, read.prompts)).map_err(|error| error.body())
    }

    fn requests(&self, ask: &Ask, prompts: Vec<Arc<[u32]>>) -> Result<Vec<engine::Request>, Error> {
        let sharing = (&self.pass, self.app.prefix_sharing);
        let first = match &ask.form {
            Some(form) => {
                let id = FormId::new(&form.grammar, ask.sharing(sharing.0, sharing.1).as_deref());
                Some(constraint::compile(&self.app, form, id)?)
            }
            None => None,
        };
        prompts
            .into_iter()
            .enumerate()
            .map(|(index, prompt)| ask.request(prompt, (index, 0), sharing, first.as_deref().cloned()))
            .collect()
    }
}
