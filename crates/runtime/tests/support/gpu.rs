//! The NVIDIA GPU of this machine, for tests of several crates.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use runtime::Session;
use runtime::plugins::{Environment, Platform};

/// A session on it, for as long as this is held; `None`, and a word of it, where there is none.
///
/// One test at a time: seven at once had cuDNN capture a graph while others gave the device work, which failed ("capturing stream has unjoined work"), and
/// one of the others came out with a gradient that was wrong by a quarter, which it never was alone.
pub(crate) fn gpu() -> Option<MutexGuard<'static, Session>> {
    static SESSION: OnceLock<Mutex<Session>> = OnceLock::new();
    if !Path::new("/dev/nvidiactl").exists() {
        eprintln!("not tested: there is no NVIDIA GPU");
        return None;
    }
    let session = SESSION.get_or_init(|| {
        let session = runtime::open(&Environment::from_process(), Platform::Cuda, &mut |_| {});
        Mutex::new(session.expect("the CUDA plugin starts"))
    });
    // A test that failed has left nothing half done on the device.
    Some(session.lock().unwrap_or_else(PoisonError::into_inner))
}
