//! How long the bookkeeping of an iteration takes: `cargo bench -p schedule`.
#![expect(clippy::unwrap_used, reason = "a measurement fails by panicking")]

use std::time::{Duration, Instant};

use schedule::{Arrival, Limits, Scheduler};

const ROWS: usize = 256;
const LIMITS: Limits = Limits {
    rows: ROWS,
    page_tokens: 16,
    pages: 100_000,
    context: 16_384,
    step_tokens: 4096,
    chunk: 1024,
    prefill_rows: 16,
    prefill_tokens: 4096,
    prefill_unit: 64,
    waiting: 20_000,
    shares_prefixes: true,
    chunk_aligned: false,
    anew_at: None,
    proposals: 0,
};

/// 256 sequences decode while 10,000 requests of 1,000 keys wait; the tokens of an iteration are learned when the next one is planned.
fn decode() -> Vec<Duration> {
    let mut scheduler = Scheduler::new(LIMITS).unwrap();
    for id in 0..10_000 {
        let prompt = (0..512).map(|at| (id as u32 * 7919 + at) % 32_000).collect();
        scheduler
            .submit(Arrival {
                id,
                prompt,
                max_tokens: 15_000,
                priority: 0,
                key: id % 1000,
                salt: id % 64,
                shares: true,
            })
            .unwrap();
    }
    let mut untold: Vec<u64> = Vec::new();
    let mut times = Vec::new();
    for iteration in 0..3000 {
        let begun = Instant::now();
        let plan = scheduler.plan();
        let is_decode = plan.decode.len() == ROWS;
        let chunks = plan.prefill.iter().filter(|row| row.is_last).map(|row| row.id);
        let chosen = plan.decode.iter().map(|row| row.id).chain(chunks).collect();
        for id in std::mem::replace(&mut untold, chosen) {
            scheduler.learned(id, iteration % 32_000);
        }
        if is_decode {
            times.push(begun.elapsed());
        }
    }
    times
}

/// A prompt of 8,192 tokens arrives that is in the prefix cache, beside others that begin like it.
fn admit() -> Vec<Duration> {
    let mut scheduler = Scheduler::new(LIMITS).unwrap();
    let mut times = Vec::new();
    for id in 0..200 {
        let prompt = (0..8192).map(|at| if at < 8000 { at } else { at + id as u32 % 20 }).collect();
        scheduler.submit(Arrival { id, prompt, max_tokens: 1, priority: 0, key: 0, salt: 0, shares: true }).unwrap();
        let begun = Instant::now();
        let has_all = scheduler.plan().started.iter().any(|(_, cached)| *cached == 8191);
        if has_all {
            times.push(begun.elapsed());
        }
        while !scheduler.plan().is_empty() {}
        scheduler.learned(id, 1);
    }
    times
}

fn main() {
    for (name, times) in [("256 rows decode", decode()), ("8,192 tokens are found", admit())] {
        let mut times = times;
        times.sort_unstable();
        let at = |part: usize| times[(times.len() - 1) * part / 100];
        println!("{name}: median {:?}, 99 % within {:?}, {} iterations", at(50), at(99), times.len());
    }
}
