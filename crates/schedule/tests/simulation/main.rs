//! Thousands of random schedules on a model of a device. A run that fails prints its seed; `SCHEDULE_SEED=7 cargo test -p schedule` runs
//! that one alone.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod device;
mod engine;
mod random;
mod text;
mod world;

use engine::{Engine, Seen};
use random::Random;
use schedule::{Arrival, Limits, Stats};
use world::World;

/// Says which seed it was when a run fails.
struct Seed(u64);

impl Drop for Seed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the failing seed is {}", self.0);
        }
    }
}

fn simulate(seed: u64) -> (Seen, Stats) {
    let _told = Seed(seed);
    let mut random = Random(seed);
    let world = World::new(&mut random);
    let mut engine = Engine::new(&world.limits, world.vocab, world.behind);
    let mut requests = 0;
    // What a request computes at most, if each of the others has it preempted once for each of its tokens: nothing is computed for ever.
    let longest = world.limits.context * world.requests * (world.limits.rows + 1) * world.limits.context;
    while requests < world.requests || !engine.is_idle() {
        if requests < world.requests && random.chance(world.arrivals) {
            for _ in 0..random.within(1, 4) {
                engine.submit(world.arrival(requests as u64, &mut random));
                requests += 1;
            }
        }
        if random.chance(world.cancels) {
            engine.cancel(&mut random);
        }
        engine.step();
        assert!(engine.seen.iterations < longest + 10_000, "requests go round");
    }
    engine.finish()
}

#[test]
fn every_request_is_answered_as_if_it_ran_alone() {
    if let Ok(seed) = std::env::var("SCHEDULE_SEED") {
        simulate(seed.parse().unwrap());
        return;
    }
    let mut all = Seen::default();
    let (mut preemptions, mut hits) = (0, 0);
    for seed in 0..6000 {
        let (seen, stats) = simulate(seed);
        all.answers += seen.answers;
        all.iterations += seen.iterations;
        all.copies += seen.copies;
        all.refusals += seen.refusals;
        all.cancels += seen.cancels;
        all.ends += seen.ends;
        all.wasted += seen.wasted;
        all.learned_late += seen.learned_late;
        all.anew += seen.anew;
        all.proposed += seen.proposed;
        all.accepted += seen.accepted;
        all.preempted_verifying += seen.preempted_verifying;
        all.gave_way += seen.gave_way;
        preemptions += stats.preemptions;
        hits += stats.prefix_hits;
    }
    // What never happens is not tried.
    println!("{all:?}, {preemptions} preemptions, {hits} tokens found");
    for count in [all.answers, all.copies, all.refusals, all.cancels, all.ends, all.wasted, all.learned_late, all.anew]
    {
        assert!(count > 500, "{all:?}");
    }
    assert!(all.accepted > 500 && all.proposed > all.accepted + 500 && all.preempted_verifying > 20, "{all:?}");
    assert!(preemptions > 500 && hits > 10_000 && all.gave_way > 20, "{all:?}");
}

#[test]
fn the_same_calls_give_the_same_plans() {
    for seed in 0..300 {
        assert_eq!(simulate(seed), simulate(seed), "seed {seed}");
    }
}

/// Requests of ever new keys fill the queue; those of key 0 are submitted in bursts. None waits longer than it takes to serve each key that can be there
/// what its own key asks for.
#[test]
fn nobody_waits_for_ever() {
    let limits = Limits {
        rows: 3,
        page_tokens: 4,
        pages: 16,
        context: 24,
        step_tokens: 12,
        chunk: 8,
        prefill_rows: 2,
        prefill_tokens: 12,
        prefill_unit: 1,
        waiting: 8,
        shares_prefixes: true,
        chunk_aligned: false,
        anew_at: None,
        proposals: 0,
    };
    for seed in 0..20 {
        let _told = Seed(seed);
        let mut random = Random(seed);
        let mut engine = Engine::new(&limits, 30, 1);
        // What waits, with what was computed when it came and the requests of its key before it.
        let mut waiting: Vec<(u64, usize, usize)> = Vec::new();
        let (mut computed, mut longest) = (0, 0);
        let mut id = 0;
        for iteration in 0..4000 {
            while engine.scheduler.stats().waiting < limits.waiting {
                let burst = iteration % 300 < 10;
                let key = if burst { 0 } else { id + 1 };
                let prompt = (0..random.within(1, 12)).map(|_| random.within(1, 9) as u32).collect();
                let before = if burst { waiting.len() } else { 0 };
                engine.submit(Arrival {
                    id,
                    prompt,
                    max_tokens: random.within(1, 12),
                    priority: 0,
                    key,
                    salt: 0,
                    shares: true,
                });
                waiting.push((id, computed, before));
                id += 1;
            }
            computed += engine.step();
            let keys = limits.waiting + limits.rows;
            waiting.retain(|&(id, since, before)| {
                let waited = computed - since;
                longest = longest.max(waited);
                assert!(
                    waited <= (before + 2) * limits.context * keys,
                    "{id} waits for {waited} tokens, with {before} before it"
                );
                !engine.has_started(id)
            });
        }
        assert!(longest > 50, "the queue was full");
    }
}
