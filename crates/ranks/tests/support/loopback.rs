//! Addresses at which rank 0 of a test listens.

use std::net::{Ipv4Addr, TcpListener};
use std::process;
use std::sync::atomic::{AtomicU8, Ordering};

/// A loopback address and a port on which nobody listens. On Linux the address is nobody else's: of the address that all connections go
/// out from, any may get the port before rank 0 does.
pub(crate) fn free_address() -> (String, u16) {
    static COUNT: AtomicU8 = AtomicU8::new(1);
    let [.., high, low] = process::id().to_be_bytes();
    let address = match COUNT.fetch_add(1, Ordering::Relaxed) {
        count if cfg!(target_os = "linux") => Ipv4Addr::new(127, count, high, low),
        _ => Ipv4Addr::LOCALHOST,
    };
    let port = TcpListener::bind((address, 0)).unwrap().local_addr().unwrap().port();
    (address.to_string(), port)
}
