//! What ranks and the coordinator say to each other once they are joined.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::Failure;

/// From a rank.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum ToCoordinator {
    /// Answered by [`ToRank::Reply`] with the same number, in any order.
    Request { id: u64, request: Request },
    /// A sign of life, with the step that the rank is at.
    Beat { step: Option<u64> },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Request {
    /// The value of a key, waited for if it is not there; without an end if no time is given.
    Get { key: Vec<u8>, timeout: Option<Duration> },
    /// The value of a key, if it is there.
    TryGet { key: Vec<u8> },
    /// Stores a value, in place of an earlier one.
    Put { key: Vec<u8>, value: Vec<u8> },
    /// Waits until all ranks are at the meeting of this name; the answer is what follows from what they bring.
    Meet { name: String, brings: Brought, timeout: Option<Duration> },
    /// Waits until all ranks have; connections that close behind it are no failures.
    Leave,
    /// The rank gives up; all others are told.
    Fail { message: String },
}

/// To a rank.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum ToRank {
    Reply {
        id: u64,
        reply: Reply,
    },
    /// A sign of life, with the step of rank 0.
    Beat {
        step: Option<u64>,
    },
    /// The run has failed.
    Failed(Failure),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Reply {
    Done,
    Value(Vec<u8>),
    Absent,
    Sum(Vec<u64>),
    /// Large, and the same for all.
    All(Arc<Vec<Vec<u8>>>),
    /// Time is up; of a meeting, the ranks that have not come.
    TimedOut {
        missing: Vec<u32>,
    },
    /// The store holds as much as it may.
    Full,
}

/// What a rank brings to a meeting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Brought {
    /// All get their sum, place by place.
    Terms(Vec<u64>),
    /// All get all of them, in the order of the ranks.
    Value(Vec<u8>),
}
