//! The store through which the clients of several processes find each other: what a caller gives, and the callbacks through which the
//! plugin reaches it.

use std::ffi::{c_char, c_void};
use std::ptr::{null_mut, slice_from_raw_parts_mut};
use std::sync::Arc;
use std::time::Duration;

use crate::api::slice;
use crate::{Code, sys};

/// Keys and values that all processes of a run see. A plugin calls it from several threads, also while programs are loaded.
pub trait KeyValueStore: Send + Sync {
    /// The value of a key, waited for if it is not there yet.
    ///
    /// # Errors
    /// [`Code::DeadlineExceeded`] if nobody stores it in time, or why the store cannot be reached.
    fn get(&self, key: &[u8], timeout: Duration) -> Result<Vec<u8>, StoreError>;

    /// The value of a key, if it is there.
    ///
    /// # Errors
    /// Why the store cannot be reached.
    fn try_get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError>;

    /// Stores a value, which all processes see from then on.
    ///
    /// # Errors
    /// Why the store does not take it.
    fn put(&self, key: &[u8], value: &[u8]) -> Result<(), StoreError>;
}

/// What a plugin is told of a store that did not do what was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct StoreError {
    /// The kind of error.
    pub code: Code,
    /// What happened.
    pub message: String,
}

/// A store at an address that stays, for the plugin to give back to the callbacks.
pub(crate) struct SharedStore(Box<Arc<dyn KeyValueStore>>);

impl SharedStore {
    pub(crate) fn new(store: Arc<dyn KeyValueStore>) -> SharedStore {
        SharedStore(Box::new(store))
    }

    /// Fills in the callbacks. They may be called as long as `self` lives.
    pub(crate) fn offer(&self, args: &mut sys::PJRT_Client_Create_Args) {
        let store = (&raw const *self.0).cast::<c_void>().cast_mut();
        args.kv_get_callback = Some(get);
        args.kv_get_user_arg = store;
        args.kv_try_get_callback = Some(try_get);
        args.kv_try_get_user_arg = store;
        args.kv_put_callback = Some(put);
        args.kv_put_user_arg = store;
    }
}

// In the three callbacks the plugin, whose API is at least as new as our header, gives arguments of at least our struct's size.

unsafe extern "C" fn get(args: *mut sys::PJRT_KeyValueGetCallback_Args) -> *mut sys::PJRT_Error {
    // SAFETY: the arguments are alive during the call and nobody else's.
    let args = unsafe { &mut *args };
    // SAFETY: the plugin gives back what `offer` gave it, and a key that is alive during the call.
    let (store, key) = unsafe { (store(args.user_arg), slice(args.key.cast::<u8>(), args.key_size)) };
    let timeout = Duration::from_millis(u64::try_from(args.timeout_in_ms).unwrap_or(0));
    match store.get(key, timeout) {
        Ok(value) => {
            (args.value, args.value_size) = give(&value);
            args.value_deleter_callback = Some(free);
            null_mut()
        }
        // SAFETY: the plugin's own function.
        Err(error) => unsafe { report(args.callback_error, &error) },
    }
}

unsafe extern "C" fn try_get(args: *mut sys::PJRT_KeyValueTryGetCallback_Args) -> *mut sys::PJRT_Error {
    // SAFETY: as in `get`.
    let args = unsafe { &mut *args };
    // SAFETY: as in `get`.
    let (store, key) = unsafe { (store(args.user_arg), slice(args.key.cast::<u8>(), args.key_size)) };
    let absent = || {
        let message = format!("nobody has stored a value of {}", String::from_utf8_lossy(key));
        StoreError { code: Code::NotFound, message }
    };
    match store.try_get(key).and_then(|value| value.ok_or_else(absent)) {
        Ok(value) => {
            (args.value, args.value_size) = give(&value);
            args.value_deleter_callback = Some(free);
            null_mut()
        }
        // SAFETY: the plugin's own function.
        Err(error) => unsafe { report(args.callback_error, &error) },
    }
}

unsafe extern "C" fn put(args: *mut sys::PJRT_KeyValuePutCallback_Args) -> *mut sys::PJRT_Error {
    // SAFETY: as in `get`.
    let args = unsafe { &mut *args };
    // SAFETY: as in `get`, and the value lives as long as the key.
    let (store, key, value) = unsafe {
        let key = slice(args.key.cast::<u8>(), args.key_size);
        (store(args.user_arg), key, slice(args.value.cast::<u8>(), args.value_size))
    };
    match store.put(key, value) {
        Ok(()) => null_mut(),
        // SAFETY: the plugin's own function.
        Err(error) => unsafe { report(args.callback_error, &error) },
    }
}

/// The store that [`SharedStore::offer`] gave.
///
/// # Safety
/// `user_arg` comes from there, and its store lives.
unsafe fn store<'a>(user_arg: *mut c_void) -> &'a dyn KeyValueStore {
    // SAFETY: see above.
    unsafe { &**user_arg.cast::<Arc<dyn KeyValueStore>>() }
}

/// Makes an error of the plugin's own type.
///
/// # Safety
/// `make` is null or points to a function of the plugin.
unsafe fn report(make: *mut sys::PJRT_CallbackError, error: &StoreError) -> *mut sys::PJRT_Error {
    // SAFETY: see above.
    let make = unsafe { make.as_ref() }.copied().flatten();
    // Without it the plugin would take the failure for success.
    let make = make.expect("a plugin gives each callback the function that makes errors");
    // SAFETY: the message is alive during the call, which copies it.
    unsafe { make(error.code.to_raw(), error.message.as_ptr().cast(), error.message.len()) }
}

/// How many bytes before a value hold its size, which [`free`] is not told.
const PREFIX_BYTES: usize = size_of::<usize>();

/// A copy of a value that lives until [`free`], with its size.
fn give(value: &[u8]) -> (*mut c_char, usize) {
    let block = [&value.len().to_ne_bytes()[..], value].concat().into_boxed_slice();
    let block = Box::into_raw(block).cast::<u8>();
    // SAFETY: the block is at least as long.
    (unsafe { block.add(PREFIX_BYTES) }.cast(), value.len())
}

/// Frees what [`give`] made.
unsafe extern "C" fn free(value: *mut c_char) {
    // SAFETY: the value comes from `give`, behind its size, and is freed once.
    unsafe {
        let block = value.cast::<u8>().sub(PREFIX_BYTES);
        let bytes = block.cast::<usize>().read_unaligned();
        drop(Box::from_raw(slice_from_raw_parts_mut(block, PREFIX_BYTES + bytes)));
    }
}
