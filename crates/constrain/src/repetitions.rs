//! How many counts an expression keeps at a time. `([a-z]{1,50} ?){1,50}` may read `abc` as one round of three letters, as three of one, and in each way
//! between: of each the library keeps how many letters and how many rounds may follow, and what it spends on a step grows with them.

mod ahead;
mod letters;
mod shape;

use regex_syntax::Parser;
use regex_syntax::ast::{self, Ast};
use regex_syntax::hir::{Hir, HirKind, Look, translate::Translator};

pub(crate) use ahead::Ahead;
use letters::Letters;
use shape::Shape;

/// The most counts at a time. With as many a mask of a vocabulary of 65,000 or 128,000 tokens was seen to take up to 0.1 s, and where rounds begin behind some letters and not behind
/// others, as of `([a-z]{1,30}(e[a-z]|[a-df-z]) ?){1,44}`, more than the library may spend: then an answer goes on letter by letter ([`crate::Constraint`]).
pub(crate) const COUNTS_MAX: u64 = 1500;

/// The most parts that an expression is made of.
const PARTS_MAX: usize = 20_000;

/// Bytes of an expression that is searched for the part that keeps too many, and of a part that is shown.
const SEARCHED_BYTES_MAX: usize = 1_000;
const SHOWN_BYTES_MAX: usize = 200;

/// How many counts the expression keeps at a time, which are so few that a step is short. `original` is what its user wrote.
///
/// # Errors
/// They are not, or it is made of too many parts to tell; the text goes on behind what names the expression.
pub(crate) fn check(pattern: &str, original: &str, within_others: bool) -> Result<u64, String> {
    // The library says what is wrong with what cannot be read.
    let Ok(tree) = Parser::new().parse(pattern) else { return Ok(1) };
    let parts = parts(&tree);
    if parts > PARTS_MAX {
        return Err(format!(
            "is made of {parts} parts (letters in a row, classes, groups, repetitions), and at most {PARTS_MAX} are supported"
        ));
    }
    let is_searched = within_others && !tree.properties().look_set_prefix().contains(Look::Start);
    let counts = counts_at_once(&tree, is_searched);
    if counts <= COUNTS_MAX {
        return Ok(counts);
    }
    let part = if pattern.len() <= SEARCHED_BYTES_MAX { costly_part(pattern, is_searched) } else { None };
    let part = part.filter(|part| part.len() <= SHOWN_BYTES_MAX && *part != original && original.contains(part));
    let within = part.map_or_else(String::new, |part| format!(", in `{part}`,"));
    let counts = if counts > 1_000_000 { "more than a million".to_owned() } else { counts.to_string() };
    let anchored = match is_searched && counts_at_once(&tree, false) <= COUNTS_MAX {
        true => ", or begin with `^` where the whole text is meant",
        false => "",
    };
    Err(format!(
        "repeats{within} up to a number of times what does not show where it ends: that takes {counts} counts at a time, and {COUNTS_MAX} are supported (those of any characters count \
         twice, of classes of 50 ranges and more, as of several scripts, three times, and of 200, as all scripts' letters, ten times); repeat with `+` or `*`, put a sign between, lower the numbers{anchored}"
    ))
}

/// How many counts are kept at a time, at the most, where a match is searched for in a text, or begins with it.
fn counts_at_once(tree: &Hir, is_searched: bool) -> u64 {
    let shape = Shape::of(tree);
    if is_searched { shape.counts.max(shape.at_once) } else { shape.at_once }
}

/// How much one count of its heaviest letters is taken for.
fn heaviest(tree: &Hir) -> u64 {
    let own = if let HirKind::Class(class) = tree.kind() { Letters::of(class).weight() } else { 1 };
    tree.kind().subs().iter().map(heaviest).fold(own, u64::max)
}

/// Of how many others an expression is made. They stand one in the other no deeper than the parser allows.
fn parts(tree: &Hir) -> usize {
    tree.kind().subs().iter().map(parts).sum::<usize>().saturating_add(1)
}

/// The smallest part that keeps too many by itself.
fn costly_part(pattern: &str, is_searched: bool) -> Option<&str> {
    let tree = ast::parse::Parser::new().parse(pattern).ok()?;
    let is_costly = |part: &Ast| {
        let read = Translator::new().translate(pattern, part);
        read.is_ok_and(|tree| counts_at_once(&tree, is_searched) > COUNTS_MAX)
    };
    let mut costly = &tree;
    while let Some(part) = parts_of(costly).iter().find(|part| is_costly(part)) {
        costly = part;
    }
    pattern.get(costly.span().start.offset..costly.span().end.offset)
}

fn parts_of(tree: &Ast) -> &[Ast] {
    match tree {
        Ast::Concat(concat) => &concat.asts,
        Ast::Alternation(alternation) => &alternation.asts,
        Ast::Group(group) => std::slice::from_ref(&group.ast),
        Ast::Repetition(repetition) => std::slice::from_ref(&repetition.ast),
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(pattern: &str, is_searched: bool) -> u64 {
        counts_at_once(&Parser::new().parse(pattern).unwrap(), is_searched)
    }

    /// Worked out by hand: rounds times what each keeps, where one may begin while the one before goes on.
    #[test]
    fn counts_that_are_kept_at_a_time() {
        for (pattern, expected) in [
            ("", 1),
            ("abc", 1),
            ("[a-z]{1,5000}", 1),
            ("([0-9]{3}){100}", 1),
            ("([a-z]{1,63}\\.){1,127}", 1),
            ("(([a-z]{1,20} ){1,20}\n){1,20}", 1),
            ("([a-z]+ ?){1,100}", 100),
            ("([a-z]{1,30} ?){1,30}", 900),
            ("([a-z]{1,50}){1,50}", 2500),
            ("([a-z]{1,50})+", 50),
            ("(([a-z]{1,9}){1,9}x?){1,9}", 9 * 82),
            ("((ab?){1,30}){1,30}", 900),
            ("(a?){100}a{100}", 200),
            ("[a-z]{2,30}[a-z0-9]{0,30}", 31),
            ("([^\"]{0,50}, ){0,50}", 101_u64.div_ceil(2) * 50),
            ("(.{1,50}[.!?]\\s){1,20}", 102 / 2 * 20),
            ("(.{1,50}[.!?][!?]){1,20}", 102 * 20),
            ("((a|ab){1,40}b){1,40}", 41 * 40),
            ("((é|è){1,9}(cat|dog){2,9} ?){1,4}", 1),
            ("((é|è){1,9}(cat|dog){2,9}e?){1,4}", 1),
            ("(.{1,9}(cat|dog){2,9} ?){1,4}", 4 * (2 * 9 + 9 + 1)),
            ("(a|[b-d]{0,7})*", 7),
            ("([a-z]{1,7}|[a-z]{1,9}x|é{1,5})!", 1 + 2),
            ("([a-z]{1,7}|[0-9]{1,9})!", 1),
            ("([ab]{1,50}b){1,2}", 102),
            ("([a-z]?[a-z]?[a-z]?){1,50}", 150),
            ("[!-~]{1,30}(\\s[!-~]{1,30}){0,39}", 1),
            ("([^。]{1,80}。){1,20}", 2),
            ("([a-z]{1,9}[a-df-z] ?){1,9}", 9 * 10),
            ("([a-z]{1,9}(e[a-z]|[a-df-z]) ?){1,9}", 9 * 11),
            ("([a-z]{1,20}([sy]|e[sd])? ?){1,20}", 20 * 21),
            ("((ing|ed)?[a-z]{2,60}){1,18}", 18 * 61),
            ("[a-z ]{1,30}[aeiou][a-z ]{1,30}", 2 + 30),
            ("[A-Za-z: ]{1,30}: [a-z][A-Za-z ]{1,30}", 3 + 30 / 3),
            ("([A-Z][a-z]{1,9} ?){1,9}", 1),
            ("https?://[a-z.-]{1,60}\\.[a-z]{2,6}(/[a-z./-]{0,200})?", 1 + 1 + 6),
            ("((n|s|e|w|ne|nw|se|sw) ?){1,200}", 200),
            ("((v[0-9]|[a-z]{2}[0-9]{2}|[A-Z][0-9]{3})[,;]? ?){1,60}", 360),
            (r#""([^"\\]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4}){0,500}""#, 1001),
            ("(cat|car|dog){1,2000}", 1),
            ("([0-9]{1,3}(,[0-9]{3}){0,9} ){1,60}", 1),
            ("banana([a-z]{0,5}n){1,2}", 12),
            ("(\\p{L}{1,9} ?){1,9}", 810),
            ("(.{1,9} ?){1,9}", 9 * 19),
            ("([α-ω]{1,9} ?){1,9}", 81),
            // Marks that cannot stand over one another are as far apart as they are long.
            ("<think>[\\s\\S]{1,2000}</think>[\\s\\S]{1,2000}", 2 + 1 + 4000_u64.div_ceil(8)),
            (".{1,500}\\.\\..{1,500}", 2 + 2 + 1000),
        ] {
            assert_eq!(counts(pattern, false), expected, "{pattern}");
        }
        for (pattern, expected) in [
            ("[a-z]{1,50}$", 50),
            ("[a-z]{7}", 7),
            ("x.", 3),
            ("```py\n[a-z`]{1,600}\n```", 3 + 600_u64.div_ceil(6) + 3),
            ("[a-z]{1,7}|[0-9]{1,9}x", 7 + 9),
            ("(word|banana|cat)s", 3),
        ] {
            assert_eq!(counts(pattern, true), expected, "{pattern} within others");
        }
        let nested = (0..30).fold("a".to_owned(), |inner, _| format!("({inner}){{1,99}}"));
        assert_eq!(counts(&nested, false), u64::MAX);
    }

    #[test]
    fn those_that_keep_too_many_are_told_where() {
        let check = |pattern: &str, is_searched| super::check(pattern, pattern, is_searched);
        assert_eq!(check("(", false), Ok(1), "it cannot be read");
        assert_eq!(check(&"[ab]c".repeat(PARTS_MAX / 2 - 1), false), Ok(1), "nothing repeats");
        assert!(check(&"[ab]c".repeat(PARTS_MAX / 2), false).unwrap_err().contains("is made of 20001 parts"));
        assert!(check(&"a?".repeat(2000), false).unwrap_err().contains("takes 2000 counts at a time"));
        let told = check("x: (?:[a-z]{1,99} ?){1,99}\n", false).unwrap_err();
        assert!(told.contains("in `(?:[a-z]{1,99} ?){1,99}`, up to"), "{told}");
        assert!(
            check("[a-z]{1,9000}!", true)
                .unwrap_err()
                .ends_with("lower the numbers, or begin with `^` where the whole text is meant")
        );
        assert!(check("([a-z]{1,9000}){1,9000}", true).unwrap_err().contains("more than a million counts"));
    }
}
