//! Random limits and requests.

use schedule::{Arrival, Limits};

use crate::random::Random;

/// What a run is drawn from.
pub(crate) struct World {
    pub(crate) limits: Limits,
    pub(crate) vocab: u32,
    /// Beginnings that prompts share.
    prefixes: Vec<Vec<u32>>,
    /// The longest prompt and the longest answer.
    tokens: (usize, usize),
    keys: usize,
    priorities: usize,
    salts: usize,
    /// Requests in all.
    pub(crate) requests: usize,
    /// How many plans are made before the tokens of one are learned.
    pub(crate) behind: usize,
    /// In so many of a hundred iterations requests arrive.
    pub(crate) arrivals: usize,
    /// In so many of a hundred iterations a request is cancelled.
    pub(crate) cancels: usize,
}

impl World {
    pub(crate) fn new(random: &mut Random) -> World {
        // Long answers of several sequences, in few pages, have many preempted.
        let is_tight = random.chance(50);
        // Few rows, of answers that seldom end early, have some give way.
        let is_crowded = is_tight && random.chance(30);
        let rows = match (is_crowded, is_tight) {
            (true, _) => random.within(2, 3),
            (false, true) => random.within(3, 8),
            (false, false) => random.within(1, 6),
        };
        let kind = random.within(0, 9);
        let page_tokens = if kind == 0 { 0 } else { random.within(1, 6) };
        let shares_prefixes = kind > 1;
        let chunk_aligned = random.chance(25);
        let mut chunk = random.within(1, 12);
        if chunk_aligned && shares_prefixes {
            chunk = page_tokens * random.within(1, 3);
        }
        let prefill_unit = if chunk_aligned { chunk } else { random.within(1, 4) };
        let chunk = chunk.next_multiple_of(prefill_unit);
        let context = random.within(if is_tight { 30 } else { 4 }, 48);
        let least = rows - 1 + prefill_unit;
        let most_pages = if is_tight { 16 } else { 40 };
        let proposes = page_tokens > 0 && !chunk_aligned && random.chance(50);
        let proposals = if proposes { random.within(1, 5) } else { 0 };
        let limits = Limits {
            rows,
            page_tokens,
            pages: random.within(3, most_pages),
            context,
            step_tokens: least + random.within(0, 12) + if proposes { chunk + random.within(0, 12) } else { 0 },
            chunk,
            prefill_rows: random.within(1, 3),
            prefill_tokens: prefill_unit + random.within(0, 24),
            prefill_unit,
            waiting: random.within(1, 20),
            shares_prefixes,
            chunk_aligned,
            anew_at: (!shares_prefixes && random.chance(50)).then(|| random.within(2, context)),
            proposals,
        };
        let vocab = if is_crowded { 1000 } else { random.within(if is_tight { 30 } else { 2 }, 60) as u32 };
        let prefix = |random: &mut Random| (0..random.within(1, 24)).map(|_| random.within(1, 3) as u32).collect();
        World {
            limits,
            vocab,
            prefixes: (0..random.within(1, 3)).map(|_| prefix(random)).collect(),
            tokens: (random.within(1, if is_tight { 12 } else { context }), random.within(1, context)),
            keys: random.within(1, 4),
            priorities: random.within(1, 3),
            salts: random.within(1, 2),
            requests: random.within(1, 30),
            behind: [1, 1, 1, 0, 2][random.within(0, 4)],
            arrivals: random.within(5, 100),
            cancels: [0, 0, 5, 20][random.within(0, 3)],
        }
    }

    /// A request, whose prompt often begins as others do.
    pub(crate) fn arrival(&self, id: u64, random: &mut Random) -> Arrival {
        let mut prompt = self.prefixes[random.within(0, self.prefixes.len() - 1)].clone();
        if random.chance(30) {
            prompt.truncate(random.within(0, prompt.len()));
        }
        if random.chance(70) {
            prompt.extend((0..random.within(0, 8)).map(|_| random.within(0, 4) as u32));
        }
        prompt.truncate(self.tokens.0);
        Arrival {
            id,
            prompt: prompt.into(),
            max_tokens: random.within(1, self.tokens.1),
            priority: random.within(0, self.priorities - 1) as i32 - 1,
            key: random.within(0, self.keys - 1) as u64,
            salt: random.within(0, self.salts - 1) as u64,
            shares: random.chance(80),
        }
    }
}
