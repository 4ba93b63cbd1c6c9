//! What can go wrong between processes.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::Launcher;
use crate::secret::BYTES_MIN;

/// Why environment variables do not say who this process is.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldError {
    /// One variable is set and another, without which it means nothing, is not.
    #[error(
        "{given} is set and {missing} is not: {launcher} sets both; set {missing} too, or unset {given} to run one process"
    )]
    Missing {
        /// Who sets these variables.
        launcher: Launcher,
        /// The one that is set.
        given: &'static str,
        /// The one that is not.
        missing: &'static str,
    },
    /// A variable holds no whole number.
    #[error("{name}={value} is not a whole number from {min} to {max}")]
    NotNumber {
        /// The variable.
        name: &'static str,
        /// What it holds.
        value: String,
        /// The smallest number that it may hold.
        min: u64,
        /// The largest number that it may hold.
        max: u64,
    },
    /// A number is not below the one that bounds it.
    #[error("{name}={value}, but {bound_name}={bound}: numbers begin at 0, so the largest is {}", bound.saturating_sub(1))]
    NotBelow {
        /// The variable.
        name: &'static str,
        /// What it holds.
        value: u32,
        /// The variable that bounds it.
        bound_name: &'static str,
        /// What that holds.
        bound: u32,
    },
    /// There are fewer GPUs than processes on a machine.
    #[error(
        "{name}={value} shows {count} of the machine's GPUs, and this process is to compute on GPU {number} of those, counted from 0: name as many as there are \
         processes, start {count}, or unset it"
    )]
    FewDevices {
        /// The variable.
        name: &'static str,
        /// What it holds.
        value: String,
        /// How many it names.
        count: usize,
        /// This process's, from 0.
        number: u32,
    },
    /// Two launchers speak of worlds that do not fit.
    #[error(
        "{inner}={inner_size}, but srun started {outer}={outer_size} processes, each of which would run on its own: \
         unset {inner}, or start one process"
    )]
    Contradiction {
        /// The variable of the inner launcher.
        inner: &'static str,
        /// What it holds.
        inner_size: u32,
        /// SLURM's.
        outer: &'static str,
        /// What it holds.
        outer_size: u32,
    },
    /// A list of hosts is malformed.
    #[error("{name}={list}: {rule}")]
    HostList {
        /// The variable.
        name: &'static str,
        /// What it holds.
        list: String,
        /// The rule that it breaks.
        rule: &'static str,
    },
    /// There is no secret, or one that can be guessed.
    #[error(
        "{launcher} started {size} processes, which need FINERY_SECRET, a random text of at least {BYTES_MIN} characters that is the same \
         for all of them: `export FINERY_SECRET=$(od -An -N16 -tx8 /dev/urandom | tr -d ' ')` before {launcher}"
    )]
    Secret {
        /// Who started them.
        launcher: Launcher,
        /// How many processes there are.
        size: u32,
    },
}

/// Why a process did not become a rank of the run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JoinError {
    /// Rank 0 cannot serve the others.
    #[error("rank 0 cannot listen on {address} for the other ranks: {cause}; FINERY_PORT takes another port")]
    Listen {
        /// Where.
        address: String,
        /// What the system said.
        cause: std::io::Error,
    },
    /// Rank 0 is not there.
    #[error(
        "rank {rank} cannot reach rank 0 at {address} within {:.1} s: {cause}; FINERY_COORDINATOR and FINERY_PORT name another address",
        waited.as_secs_f64()
    )]
    Unreachable {
        /// This rank.
        rank: u32,
        /// Rank 0's address.
        address: String,
        /// How long it was tried.
        waited: Duration,
        /// What the system said last.
        cause: std::io::Error,
    },
    /// Whoever answers is not this run's rank 0.
    #[error(
        "what answers at {address} does not know this run's secret: it is another run's rank 0, or FINERY_SECRET differs between ranks"
    )]
    Stranger {
        /// Rank 0's address.
        address: String,
    },
    /// Rank 0 says no.
    #[error("{sentence}")]
    Refused {
        /// Its words.
        sentence: String,
    },
    /// The conversation broke off.
    #[error("joining rank 0 at {address}: {cause}")]
    Broken {
        /// Rank 0's address.
        address: String,
        /// What the system said.
        cause: std::io::Error,
    },
    /// The run ended before it began.
    #[error(transparent)]
    Failed(#[from] Failure),
    /// This rank was asked to stop.
    #[error("this rank was asked to stop before all ranks had come")]
    Stopped,
}

/// How the run failed: the rank that did, and a sentence with its host and step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The rank that failed first.
    pub rank: u32,
    /// What happened.
    pub sentence: String,
}

/// Why a rank ends that was asked to before it had begun.
pub(crate) const STOPPED: &str = "it was asked to stop";

impl Failure {
    /// Whether it is no error: the rank was asked to stop, as the others may be.
    pub fn is_stop(&self) -> bool {
        self.sentence.ends_with(STOPPED)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

impl std::error::Error for Failure {}

/// Why a rank did not get what it asked the others for.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GroupError {
    /// What all ranks should have in common differs.
    #[error("{this} has {theirs} where {first} has {ours}: give all ranks the same files and settings")]
    Differ {
        /// The first that has something else than rank 0.
        rank: u32,
        /// The same with its host.
        this: Box<str>,
        /// What it has.
        theirs: Box<str>,
        /// Rank 0 and its host.
        first: Box<str>,
        /// What that has.
        ours: Box<str>,
    },
    /// The run has failed.
    #[error(transparent)]
    Failed(#[from] Failure),
    /// This rank has left the others, or told them that it gives up.
    #[error("this rank has left the run")]
    Left,
    /// Nobody stored the value in time.
    #[error("waiting for the value of {key}: nobody has stored it within {:.1} s", waited.as_secs_f64())]
    NoValue {
        /// The key.
        key: String,
        /// How long it was waited for.
        waited: Duration,
    },
    /// Not all ranks came in time.
    #[error("waiting for all ranks at {name}: {missing} did not come within {:.1} s", waited.as_secs_f64())]
    Barrier {
        /// The barrier.
        name: String,
        /// Those that did not come, in words.
        missing: String,
        /// How long it was waited for.
        waited: Duration,
    },
    /// The store holds as much as it may.
    #[error("storing {bytes} bytes under {key}: the store of rank 0 is full")]
    Full {
        /// The key.
        key: String,
        /// The value's size.
        bytes: usize,
    },
}
