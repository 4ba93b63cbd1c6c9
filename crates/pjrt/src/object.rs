//! Ownership of the plugin's objects.

use std::ptr::NonNull;

use crate::api::{Api, Call};
use crate::error::Failure;
use crate::sys;

/// A type of object that the plugin makes and that its caller frees.
pub(crate) trait Object: Sized {
    /// The argument struct of the function that frees it.
    type Destroy: Call;

    fn destroy(object: *mut Self) -> Self::Destroy;
}

macro_rules! objects {
    ($($object:ident, $args:ident, $field:ident;)*) => { $(
        impl Object for sys::$object {
            type Destroy = sys::$args;

            fn destroy(object: *mut Self) -> Self::Destroy {
                sys::$args { $field: object, ..Call::new() }
            }
        }
    )* };
}

objects! {
    PJRT_Event, PJRT_Event_Destroy_Args, event;
    PJRT_Client, PJRT_Client_Destroy_Args, client;
    PJRT_Buffer, PJRT_Buffer_Destroy_Args, buffer;
    PJRT_Executable, PJRT_Executable_Destroy_Args, executable;
    PJRT_LoadedExecutable, PJRT_LoadedExecutable_Destroy_Args, executable;
    PJRT_TopologyDescription, PJRT_TopologyDescription_Destroy_Args, topology;
}

/// An object of the plugin that is freed when this is dropped.
pub(crate) struct Owned<T: Object> {
    pub(crate) api: Api,
    raw: NonNull<T>,
}

// SAFETY: PJRT objects belong to no thread, and their functions may be called from several threads at a time.
unsafe impl<T: Object> Send for Owned<T> {}
// SAFETY: as above.
unsafe impl<T: Object> Sync for Owned<T> {}

impl<T: Object> Owned<T> {
    /// Takes over an object that a call reported as made; a null pointer is the plugin's fault.
    ///
    /// # Safety
    /// `raw` is null, or a live object of this plugin that nobody else frees.
    pub(crate) unsafe fn new(api: Api, raw: *mut T) -> Result<Self, Failure> {
        let made = NonNull::new(raw).map(|raw| Owned { api, raw });
        made.ok_or_else(|| Failure::Status {
            code: crate::Code::Internal,
            message: "the plugin reported success but returned nothing".to_owned(),
        })
    }

    /// The object, alive as long as `self`.
    pub(crate) fn raw(&self) -> *mut T {
        self.raw.as_ptr()
    }
}

impl<T: Object> Drop for Owned<T> {
    fn drop(&mut self) {
        // SAFETY: the object is alive and ours, and is not used after this. There is nobody to tell of a failure.
        let _ = unsafe { self.api.call(T::destroy(self.raw())) };
    }
}

/// Blocks until an event has happened, frees it, and returns how the work that it stands for ended.
///
/// # Safety
/// `event` is null (already happened), or a live event that nobody else frees.
pub(crate) unsafe fn wait(api: Api, event: *mut sys::PJRT_Event) -> Result<(), Failure> {
    if event.is_null() {
        return Ok(());
    }
    // SAFETY: the caller vouches for the event.
    let event = unsafe { Owned::new(api, event) }?;
    // SAFETY: the event lives until the end of this function.
    unsafe { api.call(sys::PJRT_Event_Await_Args { event: event.raw(), ..Call::new() }) }.map(drop)
}
