//! What is refused, what is ignored, and what is cancelled.

use std::fmt::Write as _;
use std::sync::Arc;

use expect_test::expect;
use schedule::{Arrival, Learned, Limits, Refused, Scheduler};

use crate::{Case, LIMITS, arrival};

#[test]
fn limits_that_cannot_work_are_refused() {
    let cases = [
        Limits { rows: 0, ..LIMITS },
        Limits { pages: 1, ..LIMITS },
        Limits { step_tokens: 3, ..LIMITS },
        Limits { step_tokens: 10, chunk_aligned: true, ..LIMITS },
        Limits { page_tokens: 0, ..LIMITS },
        Limits { chunk: 6, chunk_aligned: true, ..LIMITS },
        Limits { chunk: 6, prefill_unit: 4, ..LIMITS },
        Limits { prefill_tokens: 3, prefill_unit: 4, ..LIMITS },
        Limits { rows: usize::MAX, step_tokens: usize::MAX, ..LIMITS },
        Limits { waiting: 0, ..LIMITS },
        Limits { anew_at: Some(9), ..LIMITS },
        Limits { chunk_aligned: true, proposals: 2, ..LIMITS },
    ];
    let text: String = cases.map(|limits| Scheduler::new(limits).unwrap_err().to_string() + "\n").concat();
    expect![[r#"
        the scheduler's limit `rows` is 0, which is less than 1: nothing would ever run
        the scheduler's limit `pages` is 1, which is less than 2: page 0 is not given out
        the scheduler's limit `step_tokens` is 3, which is less than 4: beside all other rows a prompt must go on
        the scheduler's limit `step_tokens` is 10, which is less than 11: beside all other rows a prompt must go on
        pages of 0 tokens keep no prefixes: set `shares_prefixes` to false, or give pages their tokens
        with `chunk_aligned` a chunk is a number of whole pages, and `chunk` is 6 where a page has 4 tokens: make it a multiple
        a chunk has up to 6 tokens where each row of a prefill has room for 4: make it a multiple
        the scheduler's limit `prefill_tokens` is 3, which is less than 4: no prompt would ever be computed
        the scheduler's limit `rows` is 18446744073709551615: it must be less than 2^32
        the scheduler's limit `waiting` is 0, which is less than 1: no request could be submitted
        what is computed anew at 9 tokens keeps no prefixes for others: set `shares_prefixes` to false
        with `chunk_aligned` a token is computed alone, and up to 2 are proposed: set `proposals` to 0
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
    // 4 wait, and 4 more have rows to come.
    assert!((6..10).all(|id| scheduler.submit(arrival(id, 0..3, 1)).is_ok()));
    assert_eq!(scheduler.submit(arrival(10, 0..3, 1)), Err(Refused::Full { waiting: 8 }));
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
fn answers_to_one_prompt_have_it_in_common_until_a_token_is_learned() {
    let mut scheduler = Scheduler::new(Limits { rows: 1, ..LIMITS }).unwrap();
    let prompt: Arc<[u32]> = (0..3).collect();
    for id in 1..4 {
        scheduler.submit(Arrival { prompt: Arc::clone(&prompt), ..arrival(id, 0..0, 3) }).unwrap();
    }
    assert_eq!(scheduler.plan().prefill[0].tokens, [0, 1, 2]);
    assert_eq!(Arc::strong_count(&prompt), 4);
    assert_eq!(scheduler.learned(1, 7), Learned::GoesOn);
    assert_eq!(Arc::strong_count(&prompt), 3);
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
fn what_is_proposed_is_held_to_what_is_chosen() {
    let limits = Limits { proposals: 3, page_tokens: 2, pages: 20, ..LIMITS };
    let mut scheduler = Scheduler::new(limits).unwrap();
    scheduler.submit(arrival(1, 0..3, 7)).unwrap();
    assert_eq!(scheduler.plan().prefill.len(), 1);
    assert_eq!(scheduler.learned(1, 3), Learned::GoesOn);
    let mut asked = Vec::new();
    let mut plan = |scheduler: &mut Scheduler| {
        let plan = scheduler.plan_with(&mut |id, tokens, most| {
            asked.push((id, tokens.len(), most));
            vec![4, 5, 6, 7]
        });
        plan.decode.iter().map(|row| (row.position, row.tokens.to_vec(), row.pages.len())).collect::<Vec<_>>()
    };
    assert_eq!(plan(&mut scheduler), [(3, vec![3, 4, 5, 6], 4)], "no more than there may be");
    assert_eq!(plan(&mut scheduler), [], "until it is learned which are right");
    scheduler.invariants().unwrap();
    assert_eq!(scheduler.verified(1, &[4, 9, 6]), Learned::Ignored, "no token is behind one that is wrong");
    assert_eq!(scheduler.verified(1, &[]), Learned::Ignored);
    assert_eq!(scheduler.verified(1, &[4, 9]), Learned::GoesOn);
    assert_eq!(scheduler.stats().pages_used, 3, "of seven tokens one was wrong, and one is not fed");
    scheduler.invariants().unwrap();
    assert_eq!(plan(&mut scheduler), [(5, vec![9, 4, 5, 6], 5)]);
    assert_eq!(scheduler.verified(1, &[1]), Learned::GoesOn);
    assert_eq!(plan(&mut scheduler), [(6, vec![1, 4, 5], 5)], "as many as the answer has room for");
    assert_eq!(scheduler.verified(1, &[4, 5, 8]), Learned::Ended);
    scheduler.invariants().unwrap();
    assert_eq!(asked, [(1, 4, 3), (1, 6, 3), (1, 7, 2)]);
    // Two tokens of its prompt and all that was right can be found: ten tokens, of which the last was not fed.
    scheduler.submit(arrival(2, [0, 1, 2, 3, 4, 9, 1, 4, 5, 8], 1)).unwrap();
    assert_eq!(scheduler.plan().started, [(2, 8)]);
    scheduler.end(2);
    scheduler.submit(arrival(3, [0, 1, 2, 3, 4, 5, 6, 7, 8, 8], 1)).unwrap();
    assert_eq!(scheduler.plan().started, [(3, 5)], "nothing of what was wrong");
}

/// The proposals get the page that is left to the first, which may yet take one, and no more.
#[test]
fn nobody_waits_for_the_pages_of_proposals() {
    let limits = Limits { proposals: 4, pages: 5, step_tokens: 20, ..LIMITS };
    let mut scheduler = Scheduler::new(limits).unwrap();
    scheduler.submit(arrival(1, 0..4, 13)).unwrap();
    scheduler.plan();
    scheduler.learned(1, 9);
    scheduler.submit(arrival(2, 20..24, 1)).unwrap();
    let plan = scheduler.plan_with(&mut |_, _, most| vec![9; most]);
    assert_eq!(plan.started, [(2, 0)]);
    let rows: Vec<_> = plan.decode.iter().map(|row| (row.proposals().len(), row.pages.len())).collect();
    assert_eq!(rows, [(4, 3)]);
    scheduler.invariants().unwrap();
}

/// A smaller model is to find them, in the pages that the plan has for them.
#[test]
fn what_is_proposed_may_be_said_behind_the_plan() {
    let limits = Limits { proposals: 3, page_tokens: 2, pages: 20, ..LIMITS };
    let mut scheduler = Scheduler::new(limits).unwrap();
    scheduler.submit(arrival(1, 0..3, 9)).unwrap();
    scheduler.plan();
    scheduler.propose_instead(1, &[9]);
    assert_eq!(scheduler.learned(1, 3), Learned::GoesOn);
    let places = |scheduler: &mut Scheduler| {
        let plan = scheduler.plan_with(&mut |_, _, most| vec![0; most]);
        plan.decode.iter().map(|row| (row.position, row.proposals().len(), row.pages.len())).collect::<Vec<_>>()
    };
    assert_eq!(places(&mut scheduler), [(3, 3, 4)]);
    scheduler.propose_instead(1, &[4, 5, 6, 7]);
    assert_eq!(scheduler.verified(1, &[0, 0, 0, 8]), Learned::Ignored, "it had places for what was said, and no more");
    assert_eq!(scheduler.verified(1, &[4, 5, 6, 7]), Learned::GoesOn);
    scheduler.invariants().unwrap();
    assert_eq!(places(&mut scheduler), [(7, 3, 6)]);
    scheduler.propose_instead(1, &[8]);
    assert_eq!(scheduler.verified(1, &[8, 0]), Learned::GoesOn);
    assert_eq!(scheduler.stats().pages_used, 5, "those of the places that nothing was proposed for are given back");
    scheduler.invariants().unwrap();
    assert_eq!(places(&mut scheduler), [(9, 1, 6)]);
    scheduler.propose_instead(1, &[]);
    assert_eq!(places(&mut scheduler), [], "until the token behind it is learned");
    assert_eq!(scheduler.verified(1, &[0, 0]), Learned::Ignored);
    assert_eq!(scheduler.learned(1, 3), Learned::GoesOn);
    scheduler.propose_instead(2, &[1]);
    scheduler.invariants().unwrap();
}

#[test]
fn what_was_not_computed_is_not_found() {
    let mut scheduler = Scheduler::new(LIMITS).unwrap();
    let ask = |scheduler: &mut Scheduler, id| {
        scheduler.submit(arrival(id, 0..13, 2)).unwrap();
        scheduler.plan().started.iter().map(|(_, cached)| *cached).collect::<Vec<_>>()
    };
    assert_eq!(ask(&mut scheduler, 1), [0]);
    assert_eq!(scheduler.plan().prefill[0].start, 8, "the first chunk was computed");
    assert!(scheduler.end_uncomputed(1));
    scheduler.invariants().unwrap();
    assert_eq!(ask(&mut scheduler, 2), [8], "and the second was not");
    assert!(scheduler.end_uncomputed(2));
    assert!(!scheduler.end_uncomputed(2));
    scheduler.invariants().unwrap();
}

/// Down to plans of a row.
#[test]
fn plans_are_parted() {
    let mut scheduler = Scheduler::new(LIMITS).unwrap();
    [1, 2, 3].into_iter().for_each(|id| scheduler.submit(arrival(id, [id as u32; 2], 9)).unwrap());
    assert!(scheduler.plan().ids().eq([1, 2]));
    let plan = scheduler.plan();
    let [decode, prefill] = plan.halves(1).unwrap();
    assert!(decode.ids().eq([1, 2]) && prefill.ids().eq([3]));
    assert!(prefill.halves(2).unwrap_err().ids().eq([3]));
    let [first, second] = decode.halves(1).unwrap();
    assert!(first.ids().eq([1]) && second.ids().eq([2]));
}

/// Where a row has room for 2 tokens all rows but the last are full.
#[test]
fn a_chunk_is_parted() {
    let mut scheduler = Scheduler::new(LIMITS).unwrap();
    scheduler.submit(arrival(1, 1..8, 9)).unwrap();
    let halves = scheduler.plan().halves(2).unwrap();
    let parts = halves.each_ref().map(|half| &half.prefill[0]);
    assert_eq!(parts.map(|part| (part.start, part.tokens)), [(0, &[1, 2, 3, 4][..]), (4, &[5, 6, 7])]);
    assert_eq!(parts.map(|part| (part.is_first, part.is_last)), [(true, false), (false, true)]);
    let [_, second] = halves;
    let [second, third] = second.halves(2).unwrap().map(|half| half.prefill[0].tokens.to_vec());
    assert_eq!([second, third], [vec![5, 6], vec![7]]);
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
