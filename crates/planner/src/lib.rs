//! What a training step would take on hardware that is not here: memory, products, exchanges, time.
//!
//! A [`Cluster`] says for what. A [`Compiler`] makes the step's program for it with the vendor's own compiler, and a [`Plan`] tells what that
//! takes; its [`Estimate`] of time is a roofline whose rates are [`Rates`].

mod cluster;
mod compiler;
mod plan;
mod rates;
mod roofline;
mod work;

pub use cluster::{Cluster, ClusterError};
pub use compiler::{Compiled, Compiler};
pub use plan::{Exchange, MemoryPlan, Plan, PlanError};
pub use rates::Rates;
pub use roofline::Estimate;
pub use work::Work;
