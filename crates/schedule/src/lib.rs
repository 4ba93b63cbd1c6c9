//! The scheduler of continuous batching: which sequences go on in each iteration of a model, by which tokens, and where their keys and values
//! are.
//!
//! It is pure: no device, no clock, no randomness. Requests and chosen tokens go in, plans come out, and the same calls give the same plans.
//! Tokens matter to it only as far as sequences that begin alike share pages.
//!
//! Begin at [`Scheduler::plan`]. `iteration.rs` makes it, `admission.rs` lets requests in, `order.rs` says who is next, `prefixes.rs` and
//! `pages.rs` know what the pages hold.

mod admission;
mod giving_way;
mod invariants;
mod iteration;
mod limits;
mod order;
mod pages;
mod plan;
mod prefixes;
mod request;
mod scheduler;
mod sequence;

pub use iteration::Propose;
pub use limits::{Limits, LimitsError};
pub use plan::{Decode, Plan, Prefill};
pub use request::{Arrival, Refused};
pub use scheduler::{Learned, Scheduler, Stats};
