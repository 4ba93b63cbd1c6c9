//! How many connections each address has.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};

/// Connections by the address of whoever has them.
#[derive(Debug)]
pub(crate) struct Peers {
    most: usize,
    counts: Mutex<HashMap<IpAddr, usize>>,
}

/// A connection that was let in. It is counted until this is dropped.
#[derive(Debug)]
pub(crate) struct Peer {
    peers: Arc<Peers>,
    /// `None`: it is not counted.
    address: Option<IpAddr>,
}

impl Peers {
    pub(crate) fn new(most: usize) -> Arc<Peers> {
        Arc::new(Peers { most, counts: Mutex::default() })
    }

    /// Lets a connection in; `None` if its address has as many as it may.
    pub(crate) fn enter(self: &Arc<Peers>, address: IpAddr) -> Option<Peer> {
        let address = whose(address);
        if let Some(address) = address {
            let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
            let count = counts.entry(address).or_default();
            if *count >= self.most {
                return None;
            }
            *count += 1;
        }
        Some(Peer { peers: Arc::clone(self), address })
    }
}

/// By what an address is counted. Who has one address of IPv6 has the other 2^64 of its network; this machine is not counted.
fn whose(address: IpAddr) -> Option<IpAddr> {
    match address.to_canonical() {
        own if own.is_loopback() => None,
        IpAddr::V6(address) => Some(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into()),
        address => Some(address),
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let Some(address) = self.address else { return };
        let mut counts = self.peers.counts.lock().unwrap_or_else(PoisonError::into_inner);
        match counts.get_mut(&address) {
            Some(count) if *count > 1 => *count -= 1,
            _ => _ = counts.remove(&address),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_so_many_connections_and_no_more() {
        let peers = Peers::new(2);
        let enter = |address: &str| peers.enter(address.parse().unwrap());
        let (first, _second) = (enter("192.0.2.1").unwrap(), enter("::ffff:192.0.2.1").unwrap());
        assert!(enter("192.0.2.1").is_none());
        assert!(enter("192.0.2.2").is_some(), "another has its own");
        drop(first);
        assert!(enter("192.0.2.1").is_some(), "what is closed is not counted");
        let _network = (enter("2001:db8::1").unwrap(), enter("2001:db8::2").unwrap());
        assert!(enter("2001:db8::3").is_none() && enter("2001:db8:0:1::1").is_some());
        let own: Vec<_> = (0..9).map(|_| enter("127.0.0.1")).collect();
        assert!(own.iter().all(Option::is_some));
        drop(own);
        assert_eq!(peers.counts.lock().unwrap().len(), 2, "who is gone is forgotten");
    }
}
