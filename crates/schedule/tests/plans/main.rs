//! Plans of small cases, line by line.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod order;
mod prefixes;
mod requests;

use expect_test::{Expect, expect};
use schedule::{Arrival, Limits, Scheduler};

const LIMITS: Limits = Limits {
    rows: 4,
    page_tokens: 4,
    pages: 9,
    context: 64,
    step_tokens: 16,
    chunk: 8,
    prefill_rows: 2,
    prefill_tokens: 16,
    prefill_unit: 1,
    waiting: 4,
    shares_prefixes: true,
    chunk_aligned: false,
    anew_at: None,
    proposals: 0,
};

/// A request for `max_tokens` behind the tokens `prompt`.
fn arrival(id: u64, prompt: impl IntoIterator<Item = u32>, max_tokens: usize) -> Arrival {
    Arrival { id, prompt: prompt.into_iter().collect(), max_tokens, priority: 0, key: 0, salt: 0, shares: true }
}

/// A scheduler whose user learns the tokens of a plan, all of which are 9, when the next plan is made.
struct Case {
    scheduler: Scheduler,
    untold: Vec<u64>,
}

impl Case {
    fn new(limits: Limits) -> Case {
        Case { scheduler: Scheduler::new(limits).unwrap(), untold: Vec::new() }
    }

    /// The next plan: `id@position` for a row that decodes, `id start..end` for a chunk (`!` if it is the sequence's first in the slot, `.` if a
    /// token is chosen behind it), and for both slot and pages.
    fn step(&mut self) -> String {
        self.scheduler.invariants().unwrap();
        let plan = self.scheduler.plan();
        let mut words = Vec::new();
        words.extend(plan.started.iter().map(|(id, cached)| format!("start {id} with {cached}")));
        words.extend(plan.copies.iter().map(|(from, to)| format!("copy {from} to {to}")));
        words.extend(plan.preempted.iter().map(|id| format!("preempt {id}")));
        words.extend(
            plan.decode.iter().map(|row| format!("{}@{} in {} {:?}", row.id, row.position, row.slot, row.pages)),
        );
        for row in &plan.prefill {
            let (first, last) = (if row.is_first { "!" } else { "" }, if row.is_last { "." } else { "" });
            let end = row.start + row.tokens.len();
            words.push(format!("{} {}..{end}{first}{last} in {} {:?}", row.id, row.start, row.slot, row.pages));
        }
        let chunks = plan.prefill.iter().filter(|row| row.is_last).map(|row| row.id);
        let chosen = plan.decode.iter().map(|row| row.id).chain(chunks).collect();
        for id in std::mem::replace(&mut self.untold, chosen) {
            self.scheduler.learned(id, 9);
        }
        self.scheduler.invariants().unwrap();
        if words.is_empty() { "nothing\n".to_owned() } else { words.join("; ") + "\n" }
    }

    /// So many plans.
    fn steps(&mut self, iterations: usize) -> String {
        (0..iterations).map(|_| self.step()).collect()
    }
}

/// What becomes of requests of which each arrives before the iteration of the given number.
fn check(limits: Limits, arrivals: &[(usize, Arrival)], iterations: usize, expected: &Expect) {
    let mut case = Case::new(limits);
    let mut text = String::new();
    let mut at = 0;
    for (iteration, arrival) in arrivals {
        text += &case.steps(iteration - at);
        at = *iteration;
        case.scheduler.submit(arrival.clone()).unwrap();
    }
    text += &case.steps(iterations - at);
    expected.assert_eq(&text);
}

#[test]
fn chunks_then_a_token_each_to_the_last_by_count() {
    check(
        LIMITS,
        &[(0, arrival(1, 0..13, 3))],
        6,
        &expect![[r#"
        start 1 with 0; 1 0..8! in 1 [1, 2, 3, 4]
        1 8..13. in 1 [1, 2, 3, 4]
        1@13 in 1 [1, 2, 3, 4]
        1@14 in 1 [1, 2, 3, 4]
        nothing
        nothing
    "#]],
    );
}

#[test]
fn what_is_left_beside_decoding_goes_to_chunks() {
    let limits = Limits { step_tokens: 6, pages: 20, ..LIMITS };
    check(
        limits,
        &[(0, arrival(1, 0..5, 9)), (0, arrival(2, 10..20, 9)), (0, arrival(3, 20..22, 9))],
        6,
        &expect![[r#"
            start 1 with 0; start 2 with 0; 1 0..5!. in 1 [1, 2]; 2 0..1! in 2 [3, 4, 5]
            1@5 in 1 [1, 2]; 2 1..6 in 2 [3, 4, 5]
            start 3 with 0; 1@6 in 1 [1, 2]; 2 6..10. in 2 [3, 4, 5]; 3 0..1! in 3 [6]
            1@7 in 1 [1, 2]; 2@10 in 2 [3, 4, 5]; 3 1..2. in 3 [6]
            1@8 in 1 [1, 2, 7]; 2@11 in 2 [3, 4, 5]; 3@2 in 3 [6]
            1@9 in 1 [1, 2, 7]; 2@12 in 2 [3, 4, 5, 8]; 3@3 in 3 [6]
        "#]],
    );
}

#[test]
fn states_that_sum_up_all_tokens_need_no_pages() {
    let limits = Limits { page_tokens: 0, pages: 0, shares_prefixes: false, rows: 2, ..LIMITS };
    check(
        limits,
        &[(0, arrival(1, 0..9, 2)), (0, arrival(2, 0..9, 2)), (0, arrival(3, 0..9, 2))],
        8,
        &expect![[r#"
            start 1 with 0; start 2 with 0; 1 0..8! in 1 []; 2 0..8! in 2 []
            1 8..9. in 1 []; 2 8..9. in 2 []
            1@9 in 1 []; 2@9 in 2 []
            nothing
            start 3 with 0; 3 0..8! in 2 []
            3 8..9. in 2 []
            3@9 in 2 []
            nothing
        "#]],
    );
}

#[test]
fn aligned_chunks_are_the_same_beside_any_others() {
    let limits = Limits { chunk_aligned: true, pages: 20, step_tokens: 11, ..LIMITS };
    check(
        limits,
        &[(0, arrival(1, 0..21, 2)), (2, arrival(2, 0..14, 9)), (5, arrival(3, 0..21, 2))],
        10,
        &expect![[r#"
            start 1 with 0; 1 0..8! in 1 [1, 2, 3, 4, 5, 6]
            1 8..16 in 1 [1, 2, 3, 4, 5, 6]
            1 16..21. in 1 [1, 2, 3, 4, 5, 6]
            start 2 with 8; 1@21 in 1 [1, 2, 3, 4, 5, 6]; 2 8..14!. in 2 [1, 2, 7, 8, 9, 10]
            2@14 in 2 [1, 2, 7, 8, 9, 10]
            start 3 with 16; 2@15 in 2 [1, 2, 7, 8, 9, 10]; 3 16..21!. in 1 [1, 2, 3, 4, 5, 6]
            2@16 in 2 [1, 2, 7, 8, 9, 10]; 3@21 in 1 [1, 2, 3, 4, 5, 6]
            2@17 in 2 [1, 2, 7, 8, 9, 10]
            2@18 in 2 [1, 2, 7, 8, 9, 10]
            2@19 in 2 [1, 2, 7, 8, 9, 10]
        "#]],
    );
}
