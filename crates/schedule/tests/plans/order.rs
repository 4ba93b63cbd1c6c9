//! Who goes first, and who gives way.

use expect_test::expect;
use schedule::{Arrival, Limits};

use crate::{Case, LIMITS, arrival, check};

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
            start 3 with 0; 2 8..13!. in 1 [2, 3, 4, 5]; 3 0..1!. in 2 [1]
            2@13 in 1 [2, 3, 4, 5]
            2@14 in 1 [2, 3, 4, 5]
            2@15 in 1 [2, 3, 4, 5]
        "#]],
    );
}

/// The first three take no page after those of their prompts; the fourth may, so that one is left for it, which the fifth would have.
#[test]
fn a_newcomer_leaves_a_page_to_those_who_may_take_one() {
    let limits =
        Limits { rows: 5, pages: 6, prefill_rows: 5, prefill_tokens: 20, step_tokens: 25, waiting: 5, ..LIMITS };
    let of = |id: u64, tokens: usize| (0, arrival(id, [id as u32; 4], tokens));
    check(
        limits.clone(),
        &[of(1, 1), of(2, 1), of(3, 1), of(4, 2), of(5, 1)],
        4,
        &expect![[r#"
        start 1 with 0; start 2 with 0; start 3 with 0; start 4 with 0; 1 0..4!. in 1 [1]; 2 0..4!. in 2 [2]; 3 0..4!. in 3 [3]; 4 0..4!. in 4 [4]
        4@4 in 4 [4, 5]
        start 5 with 0; 5 0..4!. in 3 [1]
        nothing
    "#]],
    );
    check(
        limits,
        &[of(1, 1), of(2, 1), of(3, 1), of(4, 1), of(5, 1)],
        2,
        &expect![[r#"
        start 1 with 0; start 2 with 0; start 3 with 0; start 4 with 0; start 5 with 0; 1 0..4!. in 1 [1]; 2 0..4!. in 2 [2]; 3 0..4!. in 3 [3]; 4 0..4!. in 4 [4]; 5 0..4!. in 5 [5]
        nothing
    "#]],
    );
}

/// The urgent request has no room for all of its prompt when it comes; one plan later it finds a part of that, and room for the rest.
#[test]
fn an_urgent_request_goes_on_as_soon_as_enough_of_its_prompt_is_there() {
    let limits = Limits { pages: 8, ..LIMITS };
    let slow = Arrival { priority: 1, ..arrival(1, 0..20, 9) };
    check(
        limits,
        &[(0, slow), (1, arrival(2, 0..20, 1))],
        5,
        &expect![[r#"
        start 1 with 0; 1 0..8! in 1 [1, 2, 3, 4, 5]
        1 8..16 in 1 [1, 2, 3, 4, 5]
        start 2 with 16; 2 16..20!. in 2 [1, 2, 3, 4, 6]; 1 16..20. in 1 [1, 2, 3, 4, 5]
        1@20 in 1 [1, 2, 3, 4, 6, 5]
        1@21 in 1 [1, 2, 3, 4, 6, 5]
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
            start 2 with 0; start 3 with 0; 2 0..8! in 1 [3, 4, 5, 6, 2]; 3 0..2!. in 2 [1]
            2 8..16 in 1 [3, 4, 5, 6, 2]
            2 16..20. in 1 [3, 4, 5, 6, 2]
            nothing
        "#]],
    );
}

/// With one row: the second request waits for all of the first, and the urgent one for none.
#[test]
fn what_is_computed_anew_keeps_its_place() {
    let limits = Limits { rows: 1, shares_prefixes: false, anew_at: Some(5), ..LIMITS };
    let urgent = Arrival { priority: -1, ..arrival(3, 30..32, 1) };
    check(
        limits,
        &[(0, arrival(1, 0..3, 4)), (0, arrival(2, 10..12, 1)), (2, urgent)],
        9,
        &expect![[r#"
            start 1 with 0; 1 0..3!. in 1 [1]
            1@3 in 1 [1]
            nothing
            start 3 with 0; 3 0..2!. in 1 [1]
            nothing
            1 0..5!. in 1 [1, 2]
            1@5 in 1 [1, 2]
            nothing
            start 2 with 0; 2 0..2!. in 1 [1]
        "#]],
    );
}

/// Each row of a prefill has room for 4 tokens, and there are 3 rows: the first prompt takes 2 of them, and leaves one.
#[test]
fn chunks_fill_whole_rows() {
    let limits = Limits { prefill_unit: 4, prefill_tokens: 12, prefill_rows: 3, pages: 20, ..LIMITS };
    check(
        limits,
        &[(0, arrival(1, 1..6, 1)), (0, arrival(2, 11..20, 1))],
        4,
        &expect![[r#"
            start 1 with 0; start 2 with 0; 1 0..5!. in 1 [1, 2]; 2 0..4! in 2 [3, 4, 5]
            2 4..9. in 2 [3, 4, 5]
            nothing
            nothing
        "#]],
    );
}

/// A request of a key that comes before the plan of that number, behind a prompt of so many equal tokens.
fn of_key(key: u64, at: usize, id: u64, prompt: usize, max_tokens: usize) -> (usize, Arrival) {
    (at, Arrival { key, ..arrival(id, vec![id as u32; prompt], max_tokens) })
}

/// The same of a priority.
fn at_priority(priority: i32, at: usize, id: u64, prompt: usize, max_tokens: usize) -> (usize, Arrival) {
    (at, Arrival { priority, ..of_key(0, at, id, prompt, max_tokens).1 })
}

/// Both slots are one key's, whose second request gives way once it was worth while, and returns when there is room; of three keys the third waits.
#[test]
fn a_key_that_has_all_slots_gives_one_to_another() {
    let limits = Limits { rows: 2, pages: 40, ..LIMITS };
    check(
        limits,
        &[
            of_key(1, 0, 1, 3, 22),
            of_key(1, 0, 2, 3, 22),
            of_key(2, 2, 3, 3, 2),
            of_key(2, 3, 4, 3, 2),
            of_key(3, 3, 5, 3, 2),
        ],
        34,
        &expect![[r#"
            start 1 with 0; start 2 with 0; 1 0..3!. in 1 [1]; 2 0..3!. in 2 [2]
            1@3 in 1 [1]; 2@3 in 2 [2]
            1@4 in 1 [1, 3]; 2@4 in 2 [2, 4]
            1@5 in 1 [1, 3]; 2@5 in 2 [2, 4]
            1@6 in 1 [1, 3]; 2@6 in 2 [2, 4]
            1@7 in 1 [1, 3]; 2@7 in 2 [2, 4]
            1@8 in 1 [1, 3, 5]; 2@8 in 2 [2, 4, 6]
            1@9 in 1 [1, 3, 5]; 2@9 in 2 [2, 4, 6]
            1@10 in 1 [1, 3, 5]; 2@10 in 2 [2, 4, 6]
            1@11 in 1 [1, 3, 5]; 2@11 in 2 [2, 4, 6]
            1@12 in 1 [1, 3, 5, 7]; 2@12 in 2 [2, 4, 6, 8]
            1@13 in 1 [1, 3, 5, 7]; 2@13 in 2 [2, 4, 6, 8]
            1@14 in 1 [1, 3, 5, 7]; 2@14 in 2 [2, 4, 6, 8]
            1@15 in 1 [1, 3, 5, 7]; 2@15 in 2 [2, 4, 6, 8]
            1@16 in 1 [1, 3, 5, 7, 9]; 2@16 in 2 [2, 4, 6, 8, 10]
            1@17 in 1 [1, 3, 5, 7, 9]; 2@17 in 2 [2, 4, 6, 8, 10]
            start 3 with 0; preempt 2; 1@18 in 1 [1, 3, 5, 7, 9]; 3 0..3!. in 2 [10]
            1@19 in 1 [1, 3, 5, 7, 9]; 3@3 in 2 [10]
            1@20 in 1 [1, 3, 5, 7, 9, 11]
            start 5 with 0; 1@21 in 1 [1, 3, 5, 7, 9, 11]; 5 0..3!. in 2 [12]
            1@22 in 1 [1, 3, 5, 7, 9, 11]; 5@3 in 2 [12]
            1@23 in 1 [1, 3, 5, 7, 9, 11]
            start 4 with 0; 4 0..3!. in 2 [13]
            4@3 in 2 [13]; 2 16..19!. in 1 [2, 4, 6, 8, 14]
            2@19 in 1 [2, 4, 6, 8, 14]
            2@20 in 1 [2, 4, 6, 8, 14, 15]
            2@21 in 1 [2, 4, 6, 8, 14, 15]
            2@22 in 1 [2, 4, 6, 8, 14, 15]
            2@23 in 1 [2, 4, 6, 8, 14, 15]
            nothing
            nothing
            nothing
            nothing
            nothing
        "#]],
    );
}

#[test]
fn an_urgent_request_gets_the_slot_of_the_last() {
    let limits = Limits { rows: 2, pages: 40, ..LIMITS };
    check(
        limits,
        &[at_priority(0, 0, 1, 3, 20), at_priority(1, 0, 2, 3, 20), at_priority(-1, 2, 3, 3, 3)],
        26,
        &expect![[r#"
        start 1 with 0; start 2 with 0; 1 0..3!. in 1 [1]; 2 0..3!. in 2 [2]
        1@3 in 1 [1]; 2@3 in 2 [2]
        1@4 in 1 [1, 3]; 2@4 in 2 [2, 4]
        1@5 in 1 [1, 3]; 2@5 in 2 [2, 4]
        1@6 in 1 [1, 3]; 2@6 in 2 [2, 4]
        1@7 in 1 [1, 3]; 2@7 in 2 [2, 4]
        1@8 in 1 [1, 3, 5]; 2@8 in 2 [2, 4, 6]
        1@9 in 1 [1, 3, 5]; 2@9 in 2 [2, 4, 6]
        1@10 in 1 [1, 3, 5]; 2@10 in 2 [2, 4, 6]
        1@11 in 1 [1, 3, 5]; 2@11 in 2 [2, 4, 6]
        1@12 in 1 [1, 3, 5, 7]; 2@12 in 2 [2, 4, 6, 8]
        1@13 in 1 [1, 3, 5, 7]; 2@13 in 2 [2, 4, 6, 8]
        1@14 in 1 [1, 3, 5, 7]; 2@14 in 2 [2, 4, 6, 8]
        1@15 in 1 [1, 3, 5, 7]; 2@15 in 2 [2, 4, 6, 8]
        1@16 in 1 [1, 3, 5, 7, 9]; 2@16 in 2 [2, 4, 6, 8, 10]
        1@17 in 1 [1, 3, 5, 7, 9]; 2@17 in 2 [2, 4, 6, 8, 10]
        start 3 with 0; preempt 2; 1@18 in 1 [1, 3, 5, 7, 9]; 3 0..3!. in 2 [10]
        3@3 in 2 [10]; 1@19 in 1 [1, 3, 5, 7, 9]
        3@4 in 2 [10, 11]; 1@20 in 1 [1, 3, 5, 7, 9, 12]
        1@21 in 1 [1, 3, 5, 7, 9, 12]
        2 16..19!. in 2 [2, 4, 6, 8, 11]
        2@19 in 2 [2, 4, 6, 8, 11]
        2@20 in 2 [2, 4, 6, 8, 11, 12]
        2@21 in 2 [2, 4, 6, 8, 11, 12]
        nothing
        nothing
    "#]],
    );
}

/// It would be computed for nothing: there are no pages for who waits.
#[test]
fn nobody_gives_way_to_who_has_no_room() {
    let limits = Limits { rows: 2, pages: 13, ..LIMITS };
    check(
        limits,
        &[at_priority(1, 0, 1, 3, 22), at_priority(1, 0, 2, 3, 20), at_priority(0, 2, 3, 25, 1)],
        30,
        &expect![[r#"
            start 1 with 0; start 2 with 0; 1 0..3!. in 1 [1]; 2 0..3!. in 2 [2]
            1@3 in 1 [1]; 2@3 in 2 [2]
            1@4 in 1 [1, 3]; 2@4 in 2 [2, 4]
            1@5 in 1 [1, 3]; 2@5 in 2 [2, 4]
            1@6 in 1 [1, 3]; 2@6 in 2 [2, 4]
            1@7 in 1 [1, 3]; 2@7 in 2 [2, 4]
            1@8 in 1 [1, 3, 5]; 2@8 in 2 [2, 4, 6]
            1@9 in 1 [1, 3, 5]; 2@9 in 2 [2, 4, 6]
            1@10 in 1 [1, 3, 5]; 2@10 in 2 [2, 4, 6]
            1@11 in 1 [1, 3, 5]; 2@11 in 2 [2, 4, 6]
            1@12 in 1 [1, 3, 5, 7]; 2@12 in 2 [2, 4, 6, 8]
            1@13 in 1 [1, 3, 5, 7]; 2@13 in 2 [2, 4, 6, 8]
            1@14 in 1 [1, 3, 5, 7]; 2@14 in 2 [2, 4, 6, 8]
            1@15 in 1 [1, 3, 5, 7]; 2@15 in 2 [2, 4, 6, 8]
            1@16 in 1 [1, 3, 5, 7, 9]; 2@16 in 2 [2, 4, 6, 8, 10]
            1@17 in 1 [1, 3, 5, 7, 9]; 2@17 in 2 [2, 4, 6, 8, 10]
            1@18 in 1 [1, 3, 5, 7, 9]; 2@18 in 2 [2, 4, 6, 8, 10]
            1@19 in 1 [1, 3, 5, 7, 9]; 2@19 in 2 [2, 4, 6, 8, 10]
            1@20 in 1 [1, 3, 5, 7, 9, 11]; 2@20 in 2 [2, 4, 6, 8, 10, 12]
            1@21 in 1 [1, 3, 5, 7, 9, 11]; 2@21 in 2 [2, 4, 6, 8, 10, 12]
            1@22 in 1 [1, 3, 5, 7, 9, 11]
            1@23 in 1 [1, 3, 5, 7, 9, 11]
            nothing
            start 3 with 0; 3 0..8! in 1 [12, 10, 8, 6, 4, 2, 11]
            3 8..16 in 1 [12, 10, 8, 6, 4, 2, 11]
            3 16..24 in 1 [12, 10, 8, 6, 4, 2, 11]
            3 24..25. in 1 [12, 10, 8, 6, 4, 2, 11]
            nothing
            nothing
            nothing
        "#]],
    );
}

/// Those that go on take a page each in the plan that would admit the fourth: of 19 that leaves one too few for it, of 20 enough.
#[test]
fn nobody_gives_way_for_pages_that_the_plan_takes() {
    let urgent = |pages| {
        let mut case = Case::new(Limits { rows: 3, prefill_rows: 3, pages, ..LIMITS });
        (1..4).for_each(|id| case.scheduler.submit(at_priority(1, 0, id, 3, 40).1).unwrap());
        case.steps(18);
        case.scheduler.submit(at_priority(0, 18, 4, 24, 1).1).unwrap();
        case.steps(2)
    };
    expect![[r#"
        1@20 in 1 [1, 4, 7, 10, 13, 16]; 2@20 in 2 [2, 5, 8, 11, 14, 17]; 3@20 in 3 [3, 6, 9, 12, 15, 18]
        1@21 in 1 [1, 4, 7, 10, 13, 16]; 2@21 in 2 [2, 5, 8, 11, 14, 17]; 3@21 in 3 [3, 6, 9, 12, 15, 18]
    "#]]
    .assert_eq(&urgent(20));
    expect![[r#"
        start 4 with 0; preempt 3; 1@20 in 1 [1, 4, 7, 10, 13, 16]; 2@20 in 2 [2, 5, 8, 11, 14, 17]; 4 0..8! in 3 [18, 19, 20, 15, 12, 9]
        1@21 in 1 [1, 4, 7, 10, 13, 16]; 2@21 in 2 [2, 5, 8, 11, 14, 17]; 4 8..16 in 3 [18, 19, 20, 15, 12, 9]
    "#]].assert_eq(&urgent(21));
}

/// The third begins with 4 pages that the second alone has, which are not free for its other 5.
#[test]
fn nobody_gives_way_for_pages_that_the_other_begins_with() {
    let urgent = |pages| {
        let mut case = Case::new(Limits { rows: 2, pages, ..LIMITS });
        let slow = Arrival { priority: 1, ..arrival(2, vec![5; 16], 24) };
        [arrival(1, 20..23, 22), slow].into_iter().for_each(|arrival| case.scheduler.submit(arrival).unwrap());
        case.steps(17);
        case.scheduler.submit(arrival(3, [5; 16].into_iter().chain(30..47), 1)).unwrap();
        case.step()
    };
    expect![[r#"
        1@19 in 1 [1, 6, 8, 10, 12]; 2@31 in 2 [2, 3, 4, 5, 7, 9, 11, 13]
    "#]]
    .assert_eq(&urgent(15));
    expect![[r#"
        start 3 with 16; preempt 2; 1@19 in 1 [1, 6, 8, 10, 12]; 3 16..24! in 2 [2, 3, 4, 5, 13, 14, 15, 11, 9]
    "#]]
    .assert_eq(&urgent(16));
}

/// The plan serves key 1 a token, so that key 2 would be next, whose prompt has no room.
#[test]
fn whoever_another_gave_way_to_goes_first() {
    let mut case = Case::new(Limits { rows: 2, pages: 16, ..LIMITS });
    let submit = |case: &mut Case, (_, arrival)| case.scheduler.submit(arrival).unwrap();
    [of_key(1, 0, 1, 3, 40), at_priority(1, 0, 2, 3, 20)].into_iter().for_each(|arrival| submit(&mut case, arrival));
    case.steps(16);
    [of_key(1, 16, 3, 3, 1), of_key(2, 16, 4, 60, 1)].into_iter().for_each(|arrival| submit(&mut case, arrival));
    expect![[r#"
        start 3 with 0; preempt 2; 1@18 in 1 [1, 3, 5, 7, 9]; 3 0..3!. in 2 [10]
    "#]]
    .assert_eq(&case.step());
}

/// A page holds 32 tokens. In the place of the second, which comes to its 16 tokens sooner, there is no room for the third; and in that of the first there is.
#[test]
fn whoever_has_come_to_enough_tokens_gives_way() {
    let limits = Limits { rows: 2, page_tokens: 32, pages: 4, ..LIMITS };
    let mut case = Case::new(limits);
    for (_, arrival) in [at_priority(1, 0, 1, 40, 24), at_priority(1, 0, 2, 3, 29), at_priority(0, 0, 3, 40, 1)] {
        case.scheduler.submit(arrival).unwrap();
        case.step();
    }
    case.steps(14);
    expect![[r#"
        1@52 in 1 [1, 2]; 2@18 in 2 [3]
        1@53 in 1 [1, 2]; 2@19 in 2 [3]
        1@54 in 1 [1, 2]; 2@20 in 2 [3]
        start 3 with 0; preempt 1; 2@21 in 2 [3]; 3 0..8! in 1 [2, 1]
        2@22 in 2 [3]; 3 8..16 in 1 [2, 1]
        2@23 in 2 [3]; 3 16..24 in 1 [2, 1]
    "#]]
    .assert_eq(&case.steps(6));
}

/// Who would be next in the queue would come back at once, to compute all again: key 2 waits until the other was served as much.
#[test]
fn nobody_gives_way_to_a_key_that_was_served_more() {
    let limits = Limits { rows: 2, pages: 40, ..LIMITS };
    let arrivals = [of_key(1, 0, 1, 3, 26), of_key(2, 0, 2, 28, 2), of_key(1, 10, 3, 3, 22), of_key(2, 11, 4, 3, 1)];
    check(
        limits,
        &arrivals,
        36,
        &expect![[r#"
        start 1 with 0; start 2 with 0; 1 0..3!. in 1 [1]; 2 0..8! in 2 [2, 3, 4, 5, 6, 7, 8]
        1@3 in 1 [1]; 2 8..16 in 2 [2, 3, 4, 5, 6, 7, 8]
        1@4 in 1 [1, 9]; 2 16..24 in 2 [2, 3, 4, 5, 6, 7, 8]
        1@5 in 1 [1, 9]; 2 24..28. in 2 [2, 3, 4, 5, 6, 7, 8]
        1@6 in 1 [1, 9]; 2@28 in 2 [2, 3, 4, 5, 6, 7, 8, 10]
        1@7 in 1 [1, 9]
        1@8 in 1 [1, 9, 10]
        1@9 in 1 [1, 9, 10]
        1@10 in 1 [1, 9, 10]
        1@11 in 1 [1, 9, 10]
        start 3 with 0; 1@12 in 1 [1, 9, 10, 11]; 3 0..3!. in 2 [12]
        1@13 in 1 [1, 9, 10, 11]; 3@3 in 2 [12]
        1@14 in 1 [1, 9, 10, 11]; 3@4 in 2 [12, 13]
        1@15 in 1 [1, 9, 10, 11]; 3@5 in 2 [12, 13]
        1@16 in 1 [1, 9, 10, 11, 14]; 3@6 in 2 [12, 13]
        1@17 in 1 [1, 9, 10, 11, 14]; 3@7 in 2 [12, 13]
        start 4 with 0; preempt 1; 3@8 in 2 [12, 13, 14]; 4 0..3!. in 1 [15]
        3@9 in 2 [12, 13, 14]
        3@10 in 2 [12, 13, 14]; 1 16..19!. in 1 [1, 9, 10, 11, 15]
        1@19 in 1 [1, 9, 10, 11, 15]; 3@11 in 2 [12, 13, 14]
        1@20 in 1 [1, 9, 10, 11, 15, 16]; 3@12 in 2 [12, 13, 14, 17]
        1@21 in 1 [1, 9, 10, 11, 15, 16]; 3@13 in 2 [12, 13, 14, 17]
        1@22 in 1 [1, 9, 10, 11, 15, 16]; 3@14 in 2 [12, 13, 14, 17]
        1@23 in 1 [1, 9, 10, 11, 15, 16]; 3@15 in 2 [12, 13, 14, 17]
        1@24 in 1 [1, 9, 10, 11, 15, 16, 18]; 3@16 in 2 [12, 13, 14, 17, 19]
        1@25 in 1 [1, 9, 10, 11, 15, 16, 18]; 3@17 in 2 [12, 13, 14, 17, 19]
        1@26 in 1 [1, 9, 10, 11, 15, 16, 18]; 3@18 in 2 [12, 13, 14, 17, 19]
        1@27 in 1 [1, 9, 10, 11, 15, 16, 18]; 3@19 in 2 [12, 13, 14, 17, 19]
        3@20 in 2 [12, 13, 14, 17, 19, 20]
        3@21 in 2 [12, 13, 14, 17, 19, 20]
        3@22 in 2 [12, 13, 14, 17, 19, 20]
        3@23 in 2 [12, 13, 14, 17, 19, 20]
        nothing
        nothing
        nothing
        nothing
    "#]],
    );
}

/// Who keeps sums of all tokens has no pages that might be lacking.
#[test]
fn a_slot_without_pages_is_given_away_too() {
    let limits = Limits { rows: 2, page_tokens: 0, shares_prefixes: false, ..LIMITS };
    let arrivals = [of_key(1, 0, 1, 3, 20), of_key(1, 0, 2, 3, 20), of_key(2, 1, 3, 3, 2)];
    check(
        limits,
        &arrivals,
        24,
        &expect![[r#"
        start 1 with 0; start 2 with 0; 1 0..3!. in 1 []; 2 0..3!. in 2 []
        1@3 in 1 []; 2@3 in 2 []
        1@4 in 1 []; 2@4 in 2 []
        1@5 in 1 []; 2@5 in 2 []
        1@6 in 1 []; 2@6 in 2 []
        1@7 in 1 []; 2@7 in 2 []
        1@8 in 1 []; 2@8 in 2 []
        1@9 in 1 []; 2@9 in 2 []
        1@10 in 1 []; 2@10 in 2 []
        1@11 in 1 []; 2@11 in 2 []
        1@12 in 1 []; 2@12 in 2 []
        1@13 in 1 []; 2@13 in 2 []
        1@14 in 1 []; 2@14 in 2 []
        1@15 in 1 []; 2@15 in 2 []
        1@16 in 1 []; 2@16 in 2 []
        1@17 in 1 []; 2@17 in 2 []
        start 3 with 0; preempt 2; 1@18 in 1 []; 3 0..3!. in 2 []
        1@19 in 1 []; 3@3 in 2 []
        1@20 in 1 []
        1@21 in 1 []; 2 0..8! in 2 []
        2 8..16 in 2 []
        2 16..19. in 2 []
        2@19 in 2 []
        2@20 in 2 []
    "#]],
    );
}

/// It would have a slot, and nothing of it be computed until the prompt under way is.
#[test]
fn nobody_gives_way_while_a_prompt_goes_first() {
    let limits = Limits { rows: 3, pages: 60, context: 80, prefill_rows: 1, ..LIMITS };
    let arrivals = [
        at_priority(1, 0, 1, 3, 40),
        at_priority(1, 0, 2, 3, 40),
        at_priority(-1, 18, 3, 32, 2),
        at_priority(0, 19, 4, 3, 1),
    ];
    check(
        limits,
        &arrivals,
        26,
        &expect![[r#"
            start 1 with 0; 1 0..3!. in 1 [1]
            start 2 with 0; 1@3 in 1 [1]; 2 0..3!. in 2 [2]
            1@4 in 1 [1, 3]; 2@3 in 2 [2]
            1@5 in 1 [1, 3]; 2@4 in 2 [2, 4]
            1@6 in 1 [1, 3]; 2@5 in 2 [2, 4]
            1@7 in 1 [1, 3]; 2@6 in 2 [2, 4]
            1@8 in 1 [1, 3, 5]; 2@7 in 2 [2, 4]
            1@9 in 1 [1, 3, 5]; 2@8 in 2 [2, 4, 6]
            1@10 in 1 [1, 3, 5]; 2@9 in 2 [2, 4, 6]
            1@11 in 1 [1, 3, 5]; 2@10 in 2 [2, 4, 6]
            1@12 in 1 [1, 3, 5, 7]; 2@11 in 2 [2, 4, 6]
            1@13 in 1 [1, 3, 5, 7]; 2@12 in 2 [2, 4, 6, 8]
            1@14 in 1 [1, 3, 5, 7]; 2@13 in 2 [2, 4, 6, 8]
            1@15 in 1 [1, 3, 5, 7]; 2@14 in 2 [2, 4, 6, 8]
            1@16 in 1 [1, 3, 5, 7, 9]; 2@15 in 2 [2, 4, 6, 8]
            1@17 in 1 [1, 3, 5, 7, 9]; 2@16 in 2 [2, 4, 6, 8, 10]
            1@18 in 1 [1, 3, 5, 7, 9]; 2@17 in 2 [2, 4, 6, 8, 10]
            1@19 in 1 [1, 3, 5, 7, 9]; 2@18 in 2 [2, 4, 6, 8, 10]
            start 3 with 0; 1@20 in 1 [1, 3, 5, 7, 9, 11]; 2@19 in 2 [2, 4, 6, 8, 10]; 3 0..8! in 3 [12, 13, 14, 15, 16, 17, 18, 19]
            1@21 in 1 [1, 3, 5, 7, 9, 11]; 2@20 in 2 [2, 4, 6, 8, 10, 20]; 3 8..16 in 3 [12, 13, 14, 15, 16, 17, 18, 19]
            1@22 in 1 [1, 3, 5, 7, 9, 11]; 2@21 in 2 [2, 4, 6, 8, 10, 20]; 3 16..24 in 3 [12, 13, 14, 15, 16, 17, 18, 19]
            1@23 in 1 [1, 3, 5, 7, 9, 11]; 2@22 in 2 [2, 4, 6, 8, 10, 20]; 3 24..32. in 3 [12, 13, 14, 15, 16, 17, 18, 19]
            start 4 with 0; preempt 2; 3@32 in 3 [12, 13, 14, 15, 16, 17, 18, 19, 20]; 1@24 in 1 [1, 3, 5, 7, 9, 11, 21]; 4 0..3!. in 2 [22]
            1@25 in 1 [1, 3, 5, 7, 9, 11, 21]
            1@26 in 1 [1, 3, 5, 7, 9, 11, 21]; 2 20..24!. in 2 [2, 4, 6, 8, 10, 22]
            1@27 in 1 [1, 3, 5, 7, 9, 11, 21]; 2@24 in 2 [2, 4, 6, 8, 10, 22, 20]
        "#]],
    );
}

/// The pages of a beginning that others have too are not free when one of them gives way.
#[test]
fn pages_that_are_shared_make_no_room() {
    let limits = Limits { rows: 2, pages: 15, ..LIMITS };
    let alike = |at: usize, id: u64| (at, Arrival { key: 1, ..arrival(id, vec![9; 16], 24) });
    check(
        limits,
        &[alike(0, 1), alike(4, 2), of_key(2, 6, 3, 16, 1)],
        34,
        &expect![[r#"
        start 1 with 0; 1 0..8! in 1 [1, 2, 3, 4]
        1 8..16. in 1 [1, 2, 3, 4]
        1@16 in 1 [1, 2, 3, 4, 5]
        1@17 in 1 [1, 2, 3, 4, 5]
        start 2 with 15; copy 4 to 6; 1@18 in 1 [1, 2, 3, 4, 5]; 2 15..16!. in 2 [1, 2, 3, 6]
        1@19 in 1 [1, 2, 3, 4, 5]; 2@16 in 2 [1, 2, 3, 4, 6]
        1@20 in 1 [1, 2, 3, 4, 5, 7]; 2@17 in 2 [1, 2, 3, 4, 6]
        1@21 in 1 [1, 2, 3, 4, 5, 7]; 2@18 in 2 [1, 2, 3, 4, 6]
        1@22 in 1 [1, 2, 3, 4, 5, 7]; 2@19 in 2 [1, 2, 3, 4, 6]
        1@23 in 1 [1, 2, 3, 4, 5, 7]; 2@20 in 2 [1, 2, 3, 4, 5, 6]
        1@24 in 1 [1, 2, 3, 4, 5, 7, 8]; 2@21 in 2 [1, 2, 3, 4, 5, 6]
        1@25 in 1 [1, 2, 3, 4, 5, 7, 8]; 2@22 in 2 [1, 2, 3, 4, 5, 6]
        1@26 in 1 [1, 2, 3, 4, 5, 7, 8]; 2@23 in 2 [1, 2, 3, 4, 5, 6]
        1@27 in 1 [1, 2, 3, 4, 5, 7, 8]; 2@24 in 2 [1, 2, 3, 4, 5, 7, 6]
        1@28 in 1 [1, 2, 3, 4, 5, 7, 8, 9]; 2@25 in 2 [1, 2, 3, 4, 5, 7, 6]
        1@29 in 1 [1, 2, 3, 4, 5, 7, 8, 9]; 2@26 in 2 [1, 2, 3, 4, 5, 7, 6]
        1@30 in 1 [1, 2, 3, 4, 5, 7, 8, 9]; 2@27 in 2 [1, 2, 3, 4, 5, 7, 6]
        start 3 with 0; preempt 1; 2@28 in 2 [1, 2, 3, 4, 5, 7, 8, 9]; 3 0..8! in 1 [6, 10, 11, 12]
        2@29 in 2 [1, 2, 3, 4, 5, 7, 8, 9]; 3 8..16. in 1 [6, 10, 11, 12]
        2@30 in 2 [1, 2, 3, 4, 5, 7, 8, 9]
        2@31 in 2 [1, 2, 3, 4, 5, 7, 8, 9]; 1 28..32!. in 1 [1, 2, 3, 4, 5, 7, 8, 13]
        1@32 in 1 [1, 2, 3, 4, 5, 7, 8, 13, 9]; 2@32 in 2 [1, 2, 3, 4, 5, 7, 8, 13, 14]
        1@33 in 1 [1, 2, 3, 4, 5, 7, 8, 13, 9]; 2@33 in 2 [1, 2, 3, 4, 5, 7, 8, 13, 14]
        1@34 in 1 [1, 2, 3, 4, 5, 7, 8, 13, 9]; 2@34 in 2 [1, 2, 3, 4, 5, 7, 8, 13, 14]
        1@35 in 1 [1, 2, 3, 4, 5, 7, 8, 13, 9]; 2@35 in 2 [1, 2, 3, 4, 5, 7, 8, 13, 14]
        1@36 in 1 [1, 2, 3, 4, 5, 7, 8, 13, 9, 14]; 2@36 in 2 [1, 2, 3, 4, 5, 7, 8, 13, 9, 12]
        1@37 in 1 [1, 2, 3, 4, 5, 7, 8, 13, 9, 14]; 2@37 in 2 [1, 2, 3, 4, 5, 7, 8, 13, 9, 12]
        1@38 in 1 [1, 2, 3, 4, 5, 7, 8, 13, 9, 14]; 2@38 in 2 [1, 2, 3, 4, 5, 7, 8, 13, 9, 12]
        nothing
        nothing
        nothing
        nothing
        nothing
        nothing
    "#]],
    );
}
