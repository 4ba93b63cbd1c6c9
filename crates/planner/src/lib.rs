//! What a training step would take on hardware that is not here: memory, products, exchanges, time.
//!
//! A [`Cluster`] says for what. A [`Compiler`] makes the step's program for it with the vendor's own compiler, and a [`Plan`] tells what that
//! takes; its [`Estimate`] of time is a roofline whose rates are [`Rates`]. A
//! [`Search`] proposes a mesh, a micro-batch and what is kept.

mod cluster;
mod compiler;
mod made_up;
mod plan;
mod rates;
mod roofline;
mod search;
mod work;

pub use cluster::{Cluster, ClusterError};
pub use compiler::{Compiled, Compiler};
pub use made_up::ProcessorRates;
pub use plan::{Exchange, MemoryPlan, Plan, PlanError};
pub use rates::Rates;
pub use roofline::Estimate;
pub use search::{Candidate, Proposal, Search, SearchError};
pub use work::Work;
