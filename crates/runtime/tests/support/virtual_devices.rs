//! Several virtual devices of the CPU, for one test at a time.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use runtime::plugins::{self, Environment, Platform, Purpose};
use runtime::{Session, SessionOptions};

/// So many devices, the same number for all tests of a process, to the test that asks until it ends: exchanges of programs that run at once meet in XLA's CPU
/// plugin, also of several clients. Some devices were then seen to wait in one and some in another, and programs to get each other's numbers, or memory that
/// is gone.
pub(crate) fn session(count: u32) -> &'static Session {
    static TURN: Mutex<()> = Mutex::new(());
    thread_local! {
        // A thread runs one test.
        static OWN: MutexGuard<'static, ()> = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    }
    OWN.with(|_| {});
    static SESSION: OnceLock<(u32, Session)> = OnceLock::new();
    let (opened, session) = SESSION.get_or_init(|| {
        let environment = Environment::from_process();
        let plugin = plugins::ensure(&environment, Platform::Cpu, &mut |_| {}).unwrap();
        let plugin = plugin.load(&environment, Purpose::Run).unwrap();
        let options =
            SessionOptions { cpu_device_count: Some(count), ..SessionOptions::new(Platform::Cpu, &environment) };
        (count, Session::open(plugin, options).unwrap())
    });
    assert_eq!(*opened, count, "devices of a process are as many for all its tests");
    session
}
