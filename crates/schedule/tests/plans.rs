//! Plans of small cases, line by line.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use schedule::{Arrival, Learned, Limits, Refused, Scheduler};

const LIMITS: Limits = Limits {
    rows: 4,
    page_tokens: 4,
    pages: 9,
    context: 64,
    step_tokens: 16,
    chunk: 8,
    prefill_rows: 2,
    waiting: 4,
    shares_prefixes: true,
    chunk_aligned: false,
};

/// A request for `max_tokens` behind the tokens `prompt`.
fn arrival(id: u64, prompt: impl IntoIterator<Item = u32>, max_tokens: usize) -> Arrival {
    Arrival { id, prompt: prompt.into_iter().collect(), max_tokens, priority: 0, key: 0, salt: 0 }
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
fn prefixes_are_found_and_a_page_that_agrees_in_part_is_copied() {
    let divergent = (0..6).chain([50, 51, 52]);
    check(
        LIMITS,
        &[(0, arrival(1, 0..9, 1)), (3, arrival(2, 0..8, 1)), (6, arrival(3, divergent, 1)), (9, arrival(4, 0..4, 1))],
        12,
        &expect![[r#"
            start 1 with 0; 1 0..8! in 1 [1, 2, 3]
            1 8..9. in 1 [1, 2, 3]
            nothing
            start 2 with 7; copy 2 to 3; 2 7..8!. in 1 [1, 3]
            nothing
            nothing
            start 3 with 6; copy 2 to 3; 3 6..9!. in 1 [1, 3, 4]
            nothing
            nothing
            start 4 with 3; copy 1 to 4; 4 3..4!. in 1 [4]
            nothing
            nothing
        "#]],
    );
    let other = Arrival { salt: 1, ..arrival(2, 0..9, 1) };
    check(
        LIMITS,
        &[(0, arrival(1, 0..9, 1)), (3, other)],
        5,
        &expect![[r#"
        start 1 with 0; 1 0..8! in 1 [1, 2, 3]
        1 8..9. in 1 [1, 2, 3]
        nothing
        start 2 with 0; 2 0..8! in 1 [3, 4, 5]
        2 8..9. in 1 [3, 4, 5]
    "#]],
    );
}

#[test]
fn answers_are_found_too() {
    check(
        LIMITS,
        &[(0, arrival(1, 0..3, 6)), (8, arrival(2, [0, 1, 2, 9, 9, 9, 9, 9, 5], 1))],
        10,
        &expect![[r#"
        start 1 with 0; 1 0..3!. in 1 [1]
        1@3 in 1 [1]
        1@4 in 1 [1, 2]
        1@5 in 1 [1, 2]
        1@6 in 1 [1, 2]
        1@7 in 1 [1, 2]
        nothing
        nothing
        start 2 with 8; 2 8..9!. in 1 [1, 2, 3]
        nothing
    "#]],
    );
}

#[test]
fn the_same_prompt_waits_for_the_one_that_is_computed() {
    let limits = Limits { pages: 30, ..LIMITS };
    let same = |id| arrival(id, 0..18, 2);
    check(
        limits,
        &[(0, same(1)), (0, same(2)), (0, same(3)), (0, arrival(4, 30..33, 2))],
        7,
        &expect![[r#"
        start 1 with 0; start 4 with 0; 1 0..8! in 1 [1, 2, 3, 4, 5]; 4 0..3!. in 2 [6]
        4@3 in 2 [6]; 1 8..16 in 1 [1, 2, 3, 4, 5]
        start 2 with 16; 1 16..18. in 1 [1, 2, 3, 4, 5]; 2 16..18!. in 3 [1, 2, 3, 4, 7]
        start 3 with 16; 1@18 in 1 [1, 2, 3, 4, 5]; 2@18 in 3 [1, 2, 3, 4, 7]; 3 16..18!. in 2 [1, 2, 3, 4, 8]
        3@18 in 2 [1, 2, 3, 4, 8]
        nothing
        nothing
    "#]],
    );
}

#[test]
fn the_last_in_order_gives_its_pages_and_returns() {
    let limits = Limits { pages: 5, ..LIMITS };
    check(
        limits,
        &[(0, arrival(1, 0..4, 9)), (0, arrival(2, 10..13, 6))],
        18,
        &expect![[r#"
        start 1 with 0; start 2 with 0; 1 0..4!. in 1 [1]; 2 0..3!. in 2 [2]
        1@4 in 1 [1, 3]; 2@3 in 2 [2]
        1@5 in 1 [1, 3]; 2@4 in 2 [2, 4]
        1@6 in 1 [1, 3]; 2@5 in 2 [2, 4]
        1@7 in 1 [1, 3]; 2@6 in 2 [2, 4]
        preempt 2; 1@8 in 1 [1, 3, 4]
        1@9 in 1 [1, 3, 4]
        1@10 in 1 [1, 3, 4]
        1@11 in 1 [1, 3, 4]
        nothing
        2 4..8!. in 1 [2, 4]
        nothing
        nothing
        nothing
        nothing
        nothing
        nothing
        nothing
    "#]],
    );
}

#[test]
fn priorities_go_first_and_keys_take_turns() {
    let limits = Limits { rows: 1, pages: 3, waiting: 9, ..LIMITS };
    let of = |id: u64, key: u64, priority: i32| (0, Arrival { key, priority, ..arrival(id, [id as u32; 3], 1) });
    check(
        limits,
        &[of(1, 1, 0), of(2, 1, 0), of(3, 1, 0), of(4, 2, 0), of(5, 2, 0), of(6, 3, -1)],
        13,
        &expect![[r#"
            start 6 with 0; 6 0..3!. in 1 [1]
            nothing
            start 1 with 0; 1 0..3!. in 1 [1]
            nothing
            start 4 with 0; 4 0..3!. in 1 [1]
            nothing
            start 2 with 0; 2 0..3!. in 1 [1]
            nothing
            start 5 with 0; 5 0..3!. in 1 [1]
            nothing
            start 3 with 0; 3 0..3!. in 1 [1]
            nothing
            nothing
        "#]],
    );
}

#[test]
fn the_tokens_of_answers_count_among_keys() {
    let limits = Limits { rows: 1, waiting: 9, ..LIMITS };
    let of = |id: u64, key: u64, tokens: usize| (0, Arrival { key, ..arrival(id, [id as u32; 3], tokens) });
    // Key 1 was fed 3 tokens of its prompt and 4 of its answer; so 3 prompts of key 2 go before its next one.
    check(
        limits,
        &[of(1, 1, 5), of(2, 1, 1), of(3, 2, 1), of(4, 2, 1), of(5, 2, 1)],
        16,
        &expect![[r#"
        start 1 with 0; 1 0..3!. in 1 [1]
        1@3 in 1 [1]
        1@4 in 1 [1, 2]
        1@5 in 1 [1, 2]
        1@6 in 1 [1, 2]
        nothing
        start 3 with 0; 3 0..3!. in 1 [2]
        nothing
        start 4 with 0; 4 0..3!. in 1 [2]
        nothing
        start 5 with 0; 5 0..3!. in 1 [2]
        nothing
        start 2 with 0; 2 0..3!. in 1 [2]
        nothing
        nothing
        nothing
    "#]],
    );
}

#[test]
fn a_prompt_of_a_higher_priority_goes_before_one_that_is_begun() {
    let limits = Limits { prefill_rows: 1, pages: 20, ..LIMITS };
    let urgent = Arrival { priority: -1, ..arrival(2, 30..40, 1) };
    check(
        limits,
        &[(0, arrival(1, 0..20, 1)), (1, urgent)],
        6,
        &expect![[r#"
            start 1 with 0; 1 0..8! in 1 [1, 2, 3, 4, 5]
            start 2 with 0; 2 0..8! in 2 [6, 7, 8]
            2 8..10. in 2 [6, 7, 8]
            1 8..16 in 1 [1, 2, 3, 4, 5]
            1 16..20. in 1 [1, 2, 3, 4, 5]
            nothing
        "#]],
    );
}

#[test]
fn a_prompt_of_a_lower_priority_is_not_waited_for() {
    let limits = Limits { pages: 20, ..LIMITS };
    let urgent = Arrival { priority: -1, ..arrival(2, 0..20, 1) };
    check(
        limits,
        &[(0, arrival(1, 0..20, 1)), (1, urgent)],
        3,
        &expect![[r#"
            start 1 with 0; 1 0..8! in 1 [1, 2, 3, 4, 5]
            start 2 with 8; 2 8..16! in 2 [1, 2, 6, 7, 8]; 1 8..16 in 1 [1, 2, 3, 4, 5]
            2 16..20. in 2 [1, 2, 6, 7, 8]; 1 16..20. in 1 [1, 2, 6, 7, 5]
        "#]],
    );
}

#[test]
fn a_newcomer_does_not_get_what_was_taken_from_another() {
    let limits = Limits { pages: 6, ..LIMITS };
    // The second loses its pages with a token that is not learned, so that it is not in the queue at once.
    check(
        limits,
        &[(0, arrival(1, 0..4, 9)), (0, arrival(2, 10..19, 8)), (3, arrival(3, [30], 1))],
        14,
        &expect![[r#"
            start 1 with 0; start 2 with 0; 1 0..4!. in 1 [1]; 2 0..8! in 2 [2, 3, 4]
            1@4 in 1 [1, 5]; 2 8..9. in 2 [2, 3, 4]
            1@5 in 1 [1, 5]; 2@9 in 2 [2, 3, 4]
            1@6 in 1 [1, 5]; 2@10 in 2 [2, 3, 4]
            1@7 in 1 [1, 5]; 2@11 in 2 [2, 3, 4]
            preempt 2; 1@8 in 1 [1, 5, 4]
            1@9 in 1 [1, 5, 4]
            1@10 in 1 [1, 5, 4]
            1@11 in 1 [1, 5, 4]
            nothing
            2 8..13!. in 1 [2, 3, 4, 5]
            2@13 in 1 [2, 3, 4, 5]
            2@14 in 1 [2, 3, 4, 5]
            2@15 in 1 [2, 3, 4, 5]
        "#]],
    );
}

#[test]
fn a_longer_request_is_not_passed_by_shorter_ones() {
    let limits = Limits { pages: 7, ..LIMITS };
    check(
        limits,
        &[(0, arrival(1, 0..8, 4)), (1, arrival(2, 20..40, 1)), (1, arrival(3, 50..52, 1))],
        9,
        &expect![[r#"
            start 1 with 0; 1 0..8!. in 1 [1, 2]
            1@8 in 1 [1, 2, 3]
            1@9 in 1 [1, 2, 3]
            1@10 in 1 [1, 2, 3]
            nothing
            start 2 with 0; 2 0..8! in 1 [3, 4, 5, 6, 2]
            2 8..16 in 1 [3, 4, 5, 6, 2]
            2 16..20. in 1 [3, 4, 5, 6, 2]
            nothing
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

#[test]
fn limits_that_cannot_work_are_refused() {
    let cases = [
        Limits { rows: 0, ..LIMITS },
        Limits { pages: 1, ..LIMITS },
        Limits { step_tokens: 3, ..LIMITS },
        Limits { step_tokens: 10, chunk_aligned: true, ..LIMITS },
        Limits { page_tokens: 0, ..LIMITS },
        Limits { chunk: 6, chunk_aligned: true, ..LIMITS },
        Limits { rows: usize::MAX, step_tokens: usize::MAX, ..LIMITS },
        Limits { waiting: 0, ..LIMITS },
    ];
    let text: String = cases.map(|limits| Scheduler::new(limits).unwrap_err().to_string() + "\n").concat();
    expect![[r#"
        the scheduler's limit `rows` is 0, which is less than 1: nothing would ever run
        the scheduler's limit `pages` is 1, which is less than 2: page 0 is not given out
        the scheduler's limit `step_tokens` is 3, which is less than 4: beside all other rows a prompt must go on
        the scheduler's limit `step_tokens` is 10, which is less than 11: beside all other rows a prompt must go on
        pages of 0 tokens keep no prefixes: set `shares_prefixes` to false, or give pages their tokens
        with `chunk_aligned` a chunk is a number of whole pages, and `chunk` is 6 where a page has 4 tokens: make it a multiple
        the scheduler's limit `rows` is 18446744073709551615: it must be less than 2^32
        the scheduler's limit `waiting` is 0, which is less than 1: no request could be submitted
    "#]].assert_eq(&text);
}

#[test]
fn requests_that_cannot_be_answered_are_refused() {
    let mut scheduler = Scheduler::new(LIMITS).unwrap();
    let mut text = String::new();
    // 8 pages hold 32 tokens, and the last one is not fed.
    for (id, tokens, max_tokens) in [
        (1, 0, 1),
        (1, 1, 0),
        (1, 32, 1),
        (1, 1, 1),
        (2, 32, 2),
        (2, 64, 1),
        (2, 9, usize::MAX),
        (3, 3, 30),
        (4, 3, 3),
        (5, 3, 3),
    ] {
        if let Err(refused) = scheduler.submit(arrival(id, 0..tokens, max_tokens)) {
            writeln!(text, "{refused}").unwrap();
        }
    }
    assert_eq!(scheduler.submit(arrival(6, 0..3, 1)), Err(Refused::Full { waiting: 4 }));
    expect![[r#"
        the prompt is empty
        an answer of 0 tokens was asked for: ask for at least 1
        a request with the number 1 is there already
        the prompt has 32 tokens and the answer may have 2, where 33 have room together: ask for less
        the prompt has 64 tokens and the answer may have 1, where 33 have room together: ask for less
        the prompt has 9 tokens and the answer may have 55, where 33 have room together: ask for less
    "#]]
    .assert_eq(&text);
}

#[test]
fn mistakes_change_nothing() {
    let mut scheduler = Scheduler::new(LIMITS).unwrap();
    scheduler.submit(arrival(1, 0..3, 3)).unwrap();
    assert_eq!(scheduler.learned(1, 7), Learned::Ignored, "nothing is chosen");
    assert_eq!(scheduler.plan().prefill.len(), 1);
    assert_eq!(scheduler.learned(1, 7), Learned::GoesOn);
    assert_eq!(scheduler.learned(1, 7), Learned::Ignored, "one token is chosen");
    assert_eq!(scheduler.learned(2, 7), Learned::Ignored);
    assert!(!scheduler.end(2));
    assert_eq!(scheduler.plan().decode.len(), 1);
    assert!(scheduler.end(1));
    assert!(!scheduler.end(1));
    assert_eq!(scheduler.learned(1, 7), Learned::Ignored, "it was computed for nothing");
    assert!(scheduler.plan().is_empty());
    scheduler.invariants().unwrap();
    let stats = scheduler.stats();
    assert_eq!((stats.running, stats.waiting, stats.pages_used, stats.pages_cached, stats.pages), (0, 0, 0, 1, 8));
}

#[test]
fn what_is_cancelled_leaves_nothing_wherever_it_is() {
    let limits = Limits { rows: 2, pages: 6, ..LIMITS };
    for cancelled in 1..=4 {
        for after in 0..12 {
            let mut case = Case::new(limits.clone());
            // The second follows the first, and the others wait for a row.
            for (id, first) in [(1, 0), (2, 0), (3, 20), (4, 30)] {
                case.scheduler.submit(arrival(id, first..first + 9, 4)).unwrap();
            }
            case.steps(after);
            case.scheduler.end(cancelled);
            case.steps(40);
            let stats = case.scheduler.stats();
            assert_eq!((stats.running, stats.waiting, stats.pages_used), (0, 0, 0), "{cancelled} after {after}");
        }
    }
}
