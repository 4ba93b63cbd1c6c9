//! The limit of open files, of which each connection is one.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Lets the process have as many open files as the system allows it, and tells how many that is; `None` is without a limit.
pub(crate) fn raise() -> Option<u64> {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, ..limit };
    match setrlimit(Resource::Nofile, raised) {
        Ok(()) => limit.maximum,
        Err(error) => {
            tracing::warn!(
                "no more than {:?} connections at once: the limit of open files cannot be raised: {error}",
                limit.current
            );
            limit.current
        }
    }
}
