//! When what a buffer waits for was computed.

use std::ffi::c_void;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use crate::api::{Api, Call};
use crate::error::Failure;
use crate::object::Owned;
use crate::sys;

/// The moment at which a buffer was computed: told where that happens, and not when somebody comes to look.
#[derive(Clone, Debug)]
pub struct Completion {
    at: Arc<OnceLock<Instant>>,
}

/// What the plugin holds until the event has happened.
struct Noted {
    at: Arc<OnceLock<Instant>>,
    event: Owned<sys::PJRT_Event>,
}

impl Completion {
    /// The moment; `None` before it.
    pub fn at(&self) -> Option<Instant> {
        self.at.get().copied()
    }

    /// That of an event, which may have happened.
    ///
    /// # Safety
    /// `event` is null (already happened), or a live event that nobody else frees.
    pub(crate) unsafe fn of(api: Api, event: *mut sys::PJRT_Event) -> Result<Completion, Failure> {
        let at = Arc::new(OnceLock::new());
        if event.is_null() {
            let _ = at.set(Instant::now());
            return Ok(Completion { at });
        }
        // SAFETY: the caller vouches for the event.
        let event = unsafe { Owned::new(api, event) }?;
        let raw = event.raw();
        let noted = Box::into_raw(Box::new(Noted { at: Arc::clone(&at), event }));
        let args = sys::PJRT_Event_OnReady_Args {
            event: raw,
            callback: Some(note),
            user_arg: noted.cast::<c_void>(),
            ..Call::new()
        };
        // SAFETY: the event is alive until `note` frees it, which is called once, and is of this type.
        if let Err(failure) = unsafe { api.call(args) } {
            // SAFETY: a call that failed has kept nothing.
            drop(unsafe { Box::from_raw(noted) });
            return Err(failure);
        }
        Ok(Completion { at })
    }
}

/// Called by the plugin, on a thread of its own or before the call returns that asked for it.
///
/// # Safety
/// `noted` is from [`Completion::of`], and this is called once for it; `error` is null or an error that nobody else frees.
unsafe extern "C" fn note(error: *mut sys::PJRT_Error, noted: *mut c_void) {
    let now = Instant::now();
    // SAFETY: the caller vouches for it.
    let noted = unsafe { Box::from_raw(noted.cast::<Noted>()) };
    let _ = noted.at.set(now);
    // Whoever waits for the buffer is told of it. SAFETY: the error is the plugin's own.
    let _ = unsafe { noted.event.api.outcome(error) };
}
