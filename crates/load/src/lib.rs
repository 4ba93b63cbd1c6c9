//! Load for a server with OpenAI's API, and what it makes of it: requests that come as of many people, each answer's times token by token, and
//! what they are together.
//!
//! [`Load::prepare`] asks the server what it knows, [`Load::run`] sends the requests and gives a [`Summary`].

mod arrivals;
mod ask;
mod bounds;
mod chunk;
mod client;
mod dialect;
mod draws;
mod encryption;
mod lengths;
mod load;
mod paced;
mod prepare;
mod prompts;
mod record;
mod refusals;
mod sse;
mod statistics;
mod summary;
mod target;
mod zipf;

pub use arrivals::Arrivals;
pub use bounds::{Bounds, NoBounds};
pub use dialect::Endpoint;
pub use draws::{Draws, Purpose};
pub use lengths::{Lengths, NoLengths};
pub use load::{Load, Options, SLOW_BYTES_PER_SECOND};
pub use prepare::Error;
pub use prompts::{Prompt, Prompts};
pub use record::{Outcome, Record};
pub use statistics::Statistics;
pub use summary::{Failures, Fairness, Goodput, Range, SlowReaders, Summary, Window};
pub use target::{NoTarget, Target};
pub use zipf::Zipf;
