//! Tensors on their way from the thread that copies them from the devices to the one that writes them.
//!
//! As many as there is room for in host memory: where there is room for all of them training waits for the copies alone, and where there
//! is not it waits for the disk, too.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use checkpoint::TensorPart;
use graph::HostTensor;

type Item = (TensorPart, HostTensor<'static>);

#[derive(Default)]
struct Held {
    queue: VecDeque<Item>,
    /// Bytes of those in the queue, and of the one that was taken last.
    bytes: u64,
    /// Whether one of the two ends is gone.
    is_closed: bool,
}

#[derive(Default)]
struct Shared {
    held: Mutex<Held>,
    changed: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Held> {
        // A queue is whole whatever happened while it was locked.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }
}

/// The end of whoever copies.
pub(crate) struct Giver {
    shared: Arc<Shared>,
    room: u64,
}

/// The end of whoever writes.
pub(crate) struct Taker {
    shared: Arc<Shared>,
    /// Of the tensor that was taken last.
    bytes: u64,
}

/// The writer is gone, and knows why.
#[derive(Debug)]
pub(crate) struct Gone;

/// Room for so many bytes, and for one tensor of any size.
pub(crate) fn handover(room: u64) -> (Giver, Taker) {
    let shared = Arc::new(Shared::default());
    (Giver { shared: Arc::clone(&shared), room }, Taker { shared, bytes: 0 })
}

impl Giver {
    /// Hands a part over, once there is room for it.
    pub(crate) fn give(&self, part: TensorPart, tensor: HostTensor<'static>) -> Result<(), Gone> {
        let bytes = tensor.bytes().len() as u64;
        let has_no_room = |held: &mut Held| !held.is_closed && held.bytes > 0 && held.bytes + bytes > self.room;
        let waited = self.shared.changed.wait_while(self.shared.lock(), has_no_room);
        let mut held = waited.unwrap_or_else(PoisonError::into_inner);
        if held.is_closed {
            return Err(Gone);
        }
        held.bytes += bytes;
        held.queue.push_back((part, tensor));
        self.shared.changed.notify_all();
        Ok(())
    }
}

impl Taker {
    /// The next part, and with it the room of the one before; `None` if there is none to come.
    pub(crate) fn take(&mut self) -> Option<Item> {
        let mut held = self.shared.lock();
        held.bytes -= std::mem::take(&mut self.bytes);
        self.shared.changed.notify_all();
        let waited = self.shared.changed.wait_while(held, |held| held.queue.is_empty() && !held.is_closed);
        let (part, tensor) = waited.unwrap_or_else(PoisonError::into_inner).queue.pop_front()?;
        self.bytes = tensor.bytes().len() as u64;
        Some((part, tensor))
    }
}

impl Drop for Giver {
    fn drop(&mut self) {
        self.shared.close();
    }
}

impl Drop for Taker {
    fn drop(&mut self) {
        self.shared.close();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use checkpoint::TensorSpec;
    use graph::DType;

    use super::*;

    fn item(number: u8) -> Item {
        let part = TensorPart::of_all(TensorSpec::new(number.to_string(), DType::U8, [10]));
        (part, HostTensor::from_vec(&[10], vec![number; 10]).unwrap())
    }

    fn give(giver: &Giver, number: u8) -> Result<(), Gone> {
        let (part, tensor) = item(number);
        giver.give(part, tensor)
    }

    #[test]
    fn all_come_in_order_after_their_giver_has_gone() {
        let (giver, mut taker) = handover(u64::MAX);
        for number in 0..5 {
            give(&giver, number).unwrap();
        }
        drop(giver);
        for number in 0..5 {
            assert_eq!(taker.take(), Some(item(number)));
        }
        assert_eq!(taker.take(), None);
    }

    /// The one that was taken is still in memory until the next is asked for.
    #[test]
    fn no_more_are_held_than_there_is_room_for() {
        for (room, most) in [(0, 1), (9, 1), (20, 2), (29, 2), (30, 3)] {
            let (giver, mut taker) = handover(room);
            std::thread::scope(|scope| {
                let giving = scope.spawn(move || (0..20).for_each(|number| give(&giver, number).unwrap()));
                std::thread::sleep(Duration::from_millis(5));
                for number in 0..20 {
                    assert_eq!(taker.take(), Some(item(number)));
                    let bytes = taker.shared.lock().bytes;
                    assert!(bytes <= most * 10, "{bytes} bytes where there is room for {room}");
                }
                giving.join().unwrap();
            });
        }
    }

    #[test]
    fn whoever_gives_to_nobody_is_told() {
        let (giver, taker) = handover(10);
        give(&giver, 0).unwrap();
        std::thread::scope(|scope| {
            let giving = scope.spawn(|| give(&giver, 1));
            std::thread::sleep(Duration::from_millis(5));
            drop(taker);
            assert!(giving.join().unwrap().is_err());
        });
        assert!(give(&giver, 2).is_err());
    }
}
