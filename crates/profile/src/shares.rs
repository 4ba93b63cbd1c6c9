//! Whose each moment of a device is, where several kernels may run at a time.

use std::collections::BTreeSet;

/// Something that runs from one time to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) start: u64,
    pub(crate) end: u64,
    /// Of several that run, the time is one's with the lowest; among these, that of the one that began first.
    pub(crate) rank: usize,
}

/// How long each span has the device for itself by that rule, and how long nobody has it between the first start and the last end.
///
/// Taken together that is all of the time, counted once.
pub(crate) fn shares(spans: &[Span]) -> (Vec<u64>, u64) {
    let mut moments: Vec<(u64, bool, usize)> = Vec::with_capacity(2 * spans.len());
    for (place, span) in spans.iter().enumerate().filter(|(_, span)| span.end > span.start) {
        // Ends stand before starts of the same moment.
        moments.extend([(span.start, true, place), (span.end, false, place)]);
    }
    moments.sort_unstable();
    let (mut own, mut idle) = (vec![0; spans.len()], 0);
    let mut running: BTreeSet<(usize, u64, usize)> = BTreeSet::new();
    let mut before = moments.first().map_or(0, |first| first.0);
    for (moment, starts, place) in moments {
        match running.first() {
            Some((_, _, owner)) => own[*owner] += moment - before,
            None => idle += moment - before,
        }
        before = moment;
        let key = (spans[place].rank, spans[place].start, place);
        if starts {
            running.insert(key)
        } else {
            running.remove(&key)
        };
    }
    (own, idle)
}

/// How long at least one of the spans runs.
pub(crate) fn covered(spans: &[Span]) -> u64 {
    shares(spans).0.into_iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(start: u64, end: u64, rank: usize) -> Span {
        Span { start, end, rank }
    }

    #[test]
    fn each_moment_is_counted_once() {
        // A gap from 10 to 20, an exchange beside a product from 25 to 30, and for itself from 30 to 40.
        let spans = [span(0, 10, 0), span(20, 30, 0), span(25, 40, 2), span(5, 5, 0)];
        assert_eq!(shares(&spans), (vec![10, 10, 10, 0], 10));
        assert_eq!(covered(&spans), 30);
    }

    #[test]
    fn of_those_alike_the_first_has_the_time() {
        assert_eq!(shares(&[span(0, 10, 0), span(4, 20, 0), span(6, 8, 0)]), (vec![10, 10, 0], 0));
        // One that waits for what comes later has what is left of its own time.
        assert_eq!(shares(&[span(0, 10, 1), span(4, 6, 0)]), (vec![8, 2], 0));
        assert_eq!(shares(&[]), (vec![], 0));
    }
}
