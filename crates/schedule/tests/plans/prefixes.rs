//! Sequences that begin alike.

use expect_test::expect;
use schedule::{Arrival, Limits, Refused};

use crate::{Case, LIMITS, arrival, check};

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

/// What nobody will ask for takes no place from what others may.
#[test]
fn what_is_not_kept_is_the_first_to_go() {
    let arrivals = |shares| {
        let other = Arrival { shares, salt: 1, ..arrival(2, 20..36, 1) };
        [(0, arrival(1, 0..8, 1)), (4, other), (8, arrival(3, 40..60, 1)), (13, arrival(4, 0..9, 1))]
    };
    let found = |shares| {
        let mut case = Case::new(LIMITS);
        let mut at = 0;
        for (iteration, arrival) in arrivals(shares) {
            case.steps(iteration - at);
            at = iteration;
            case.scheduler.submit(arrival).unwrap();
        }
        case.step().split(';').next().unwrap().to_owned()
    };
    assert_eq!([found(true), found(false)], ["start 4 with 0", "start 4 with 8"]);
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
fn what_pages_hold_is_found_when_there_are_more() {
    let mut case = Case::new(Limits { pages: 4, context: 13, ..LIMITS });
    case.scheduler.submit(arrival(1, 0..9, 1)).unwrap();
    case.steps(3);
    let longer = || arrival(2, 0..13, 6);
    assert!(matches!(case.scheduler.submit(longer()), Err(Refused::TooLong { .. })));
    case.scheduler.grow(9, 64);
    case.scheduler.submit(longer()).unwrap();
    expect![[r#"
        start 2 with 8; 2 8..13!. in 1 [1, 2, 3, 4]
        2@13 in 1 [1, 2, 3, 4]
        2@14 in 1 [1, 2, 3, 4]
    "#]]
    .assert_eq(&case.steps(3));
}
