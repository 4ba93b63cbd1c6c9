//! What is asked of servers that tests play.

use std::time::Duration;

use load::{Arrivals, Endpoint, Lengths, Options, Prompts};

/// One client that asks for completions of a few tokens, so many of them.
pub(crate) fn options(url: &str, models: &[&str], requests: u64) -> Options {
    Options {
        target: url.parse().unwrap(),
        endpoint: Endpoint::Completions,
        models: models.iter().map(|model| (*model).to_owned()).collect(),
        all_models: false,
        zipf: 0.0,
        arrivals: Arrivals::Closed { clients: 1, ramp: Duration::ZERO },
        requests: Some(requests),
        time: None,
        prompts: Prompts::Made(Lengths::Fixed(10)),
        answer: Lengths::Fixed(4),
        certificates: None,
        keys: Vec::new(),
        slow_readers: 0.0,
        timeout: Duration::from_secs(20),
        seed: 1,
        words_seed: 1,
        bounds: None,
    }
}
