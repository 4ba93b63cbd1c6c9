//! Being asked to stop.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::Error;

/// [`Error::Stopped`] once `stop` is set.
pub(crate) fn unless_stopped(stop: &AtomicBool) -> Result<(), Error> {
    if stop.load(Ordering::Relaxed) { Err(Error::Stopped) } else { Ok(()) }
}
