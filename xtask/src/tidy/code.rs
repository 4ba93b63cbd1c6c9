//! Rules about Rust code.

use super::{File, Findings, Tree};

const FUNCTION_LINES_MAX: usize = 70;

/// Where `unsafe` may stand, and how often.
const UNSAFE: &[(&str, usize)] = &[
    ("crates/pjrt/", usize::MAX),
    ("crates/checkpoint/src/safetensors_file.rs", 2),
    ("crates/host_kernels/src/threads.rs", 1),
];

/// Names that say nothing of what is inside.
pub(crate) const BANNED_NAMES: &[&str] =
    &["util", "utils", "common", "helper", "helpers", "types", "core", "misc", "manager", "shared", "stuff"];
/// Ends of type names that stand for a missing idea.
const BANNED_TYPE_ENDS: &[&str] = &["Manager", "Helper", "Helpers", "Util", "Utils", "Factory"];

/// A function fits on a screen.
pub(crate) fn function_length(tree: &Tree, findings: &mut Findings) {
    for (file, source) in tree.rust() {
        if let Some((line, error)) = &source.error {
            findings.add(file, *line, format!("not read as Rust: {error}"));
        }
        // `fn(` is a type, which has no name between `fn` and the parenthesis.
        for at in source.find(&["fn", "_"]).filter(|at| source.tokens[at + 1].text != "(") {
            let end = source.item_end(at) - 1;
            let lines = source.tokens[end].line - source.tokens[at].line + 1;
            if lines > FUNCTION_LINES_MAX {
                let name = &source.tokens[at + 1].text;
                let message = format!("`{name}` has {lines} lines; split it, the limit is {FUNCTION_LINES_MAX}");
                findings.add(file, source.tokens[at].line, message);
            }
        }
    }
}

/// Nothing is left for later.
pub(crate) fn left_open(tree: &Tree, findings: &mut Findings) {
    for (file, source) in tree.rust() {
        for name in ["todo", "unimplemented", "dbg"] {
            for at in source.find(&[name, "!"]) {
                findings.add(file, source.tokens[at].line, format!("`{name}!` is for work in progress"));
            }
        }
        for (line, comment) in &source.comments {
            let words = comment.split(|c: char| !c.is_alphanumeric());
            for word in words.filter(|word| ["FIXME", "XXX", "TODO"].contains(word)) {
                findings.add(file, *line, format!("{word}: mend it, or open an issue and state the limit"));
            }
        }
    }
}

/// A lint is met where it speaks up, with `#[expect(…, reason = "…")]`, which fails once it no longer does. A test
/// runs or goes.
pub(crate) fn lint_switched_off(tree: &Tree, findings: &mut Findings) {
    for (file, source) in tree.rust() {
        for at in source.find(&["#"]) {
            let open = if source.tokens.get(at + 1).is_some_and(|token| token.text == "!") { at + 2 } else { at + 1 };
            let Some(attribute) = source.tokens.get(open).filter(|token| token.text == "[") else { continue };
            let line = source.tokens[at].line;
            let words: Vec<_> = source.tokens[open..attribute.close].iter().map(|token| token.text.as_str()).collect();
            if words.windows(2).any(|pair| pair == ["allow", "("]) {
                findings.add(file, line, "`allow` hides a lint for good; use `#[expect(…, reason = \"…\")]`");
            }
            if words.get(1) == Some(&"ignore") {
                findings.add(file, line, "an ignored test tests nothing; mend it or remove it");
            }
            if words.windows(2).any(|pair| pair == ["expect", "("]) && !words.contains(&"reason") {
                findings.add(file, line, "`expect` without a `reason`");
            }
        }
    }
}

/// A library returns errors. `expect` with the invariant that makes it impossible to fail stays.
pub(crate) fn panicking_call(tree: &Tree, findings: &mut Findings) {
    for (file, source) in tree.rust().filter(|(file, _)| is_library(file)) {
        let tests = source.test_ranges();
        let unwraps = source.find(&[".", "unwrap", "(", ")"]).map(|at| (at, "`unwrap()` panics without a reason"));
        let expects = source.find(&[".", "expect", "(", "\"\"", ")"]).map(|at| (at, "`expect` with an empty reason"));
        for (at, what) in unwraps.chain(expects).filter(|(at, _)| !tests.iter().any(|range| range.contains(at))) {
            let message = format!("{what}; return an error, or `expect` with the invariant that holds");
            findings.add(file, source.tokens[at].line, message);
        }
    }
}

/// The greatest of some differences is a comparison, and `f32::max` passes over NaN: whatever is NaN compares as equal. `total_cmp` finds
/// it the greatest.
pub(crate) fn nan_blind(tree: &Tree, findings: &mut Findings) {
    for (file, source) in tree.rust() {
        let tests = source.test_ranges();
        let text = |at: usize| source.tokens.get(at).map_or("", |token| token.text.as_str());
        let chooses = |at: usize| ["max", "min"].contains(&text(at));
        // `f32::max`, given to `fold` or called.
        let named = source.find(&["_", "::", "_"]).filter(|at| ["f32", "f64"].contains(&text(*at)) && chooses(at + 2));
        let in_test = |at: &usize| !is_library(file) || tests.iter().any(|range| range.contains(at));
        // `fold(0.0, |a, b| a.max(b))`. Of what type a variable is cannot be seen: in a test, where differences are compared, it counts as
        // a fraction, because for whole numbers there is `Iterator::max`.
        let may_be_float = |at: usize| {
            let is_number = text(at).starts_with(|c: char| c.is_ascii_digit());
            is_float(text(at)) || !is_number && in_test(&at)
        };
        let folds = source.find(&["fold", "("]).filter(|at| {
            let mut inside = at + 2..source.tokens[at + 1].close;
            may_be_float(at + 2) && inside.any(|at| text(at) == "." && chooses(at + 1))
        });
        // `a.abs().max(b.abs())` in a test: the greater of two differences.
        let pairs = source.find(&["abs", "(", ")", ".", "_", "("]).filter(|at| {
            let mut inside = at + 6..source.tokens[at + 5].close;
            in_test(at) && chooses(at + 4) && inside.any(|at| text(at) == "abs")
        });
        for at in named.chain(folds).chain(pairs) {
            let message = "this passes over NaN; take `abs` and `max_by(f32::total_cmp)`, which finds it the greatest (`max` of whole numbers)";
            findings.add(file, source.tokens[at].line, message);
        }
    }
}

/// Whether a token is a number with a fraction, or one of such a type or the type itself.
fn is_float(text: &str) -> bool {
    text.contains('.') || text.ends_with("f32") || text.ends_with("f64")
}

/// `crates/*/src`, save files of tests.
fn is_library(file: &File) -> bool {
    let path = &file.path;
    let is_source = path
        .strip_prefix("crates/")
        .and_then(|rest| rest.split_once('/'))
        .is_some_and(|(_, rest)| rest.starts_with("src/"));
    is_source && !path.ends_with("/tests.rs") && !path.contains("/tests/")
}

/// The foreign API is one crate, and outside it only a file is mapped and work lent to threads.
pub(crate) fn unsafe_place(tree: &Tree, findings: &mut Findings) {
    for (file, source) in tree.rust() {
        let allowed = UNSAFE.iter().find(|(prefix, _)| file.path.starts_with(prefix)).map_or(0, |(_, count)| *count);
        for at in source.find(&["unsafe"]).skip(allowed) {
            let message = "`unsafe` stands in crates/pjrt, at the two calls on mapped files and where work is lent to threads, nowhere else";
            findings.add(file, source.tokens[at].line, message);
        }
    }
}

/// A module or type is named for what it holds.
pub(crate) fn banned_item_name(tree: &Tree, findings: &mut Findings) {
    for (file, source) in tree.rust() {
        for at in source.find(&["mod", "_"]) {
            let name = source.tokens[at + 1].text.as_str();
            if BANNED_NAMES.contains(&name) {
                findings.add(
                    file,
                    source.tokens[at].line,
                    format!("a module named `{name}` says nothing of its content"),
                );
            }
        }
        for keyword in ["struct", "enum", "trait"] {
            for at in source.find(&[keyword, "_"]) {
                let name = source.tokens[at + 1].text.as_str();
                if let Some(end) = BANNED_TYPE_ENDS.iter().find(|end| name.ends_with(**end)) {
                    let message = format!("`{name}`: say what it is or does, in place of `{end}`");
                    findings.add(file, source.tokens[at].line, message);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::assert_finds;
    use super::*;

    #[test]
    fn long_functions() {
        let long = |lines: usize| {
            format!("struct A;\nimpl A {{\n    fn g<T: Fn(u8) -> [u8; 2]>() {{\n{}    }}\n}}\n", "\n".repeat(lines))
        };
        assert_finds(function_length, &[("a.rs", &long(68))], &expect![[r#""#]]);
        assert_finds(
            function_length,
            &[("a.rs", &long(69))],
            &expect!["a.rs:3: [rule] `g` has 71 lines; split it, the limit is 70"],
        );
        assert_finds(
            function_length,
            &[("a.rs", "fn f( {")],
            &expect!["a.rs:1: [rule] not read as Rust: cannot parse string into token stream"],
        );
        assert_finds(
            function_length,
            &[("a.rs", &format!("// {}\n{}", super::super::GENERATED, long(80)))],
            &expect![[r#""#]],
        );
    }

    #[test]
    fn work_left_open() {
        let bad =
            "fn f() {\n todo!();\n vec![dbg!(1)];\n}\n/// FIXME later\n// a XXX b\nconst A: &str = \"TODO\"; // XXXL\n";
        assert_finds(
            left_open,
            &[("a.rs", bad)],
            &expect![[r#"
            a.rs:2: [rule] `todo!` is for work in progress
            a.rs:3: [rule] `dbg!` is for work in progress
            a.rs:5: [rule] FIXME: mend it, or open an issue and state the limit
            a.rs:6: [rule] XXX: mend it, or open an issue and state the limit"#]],
        );
    }

    #[test]
    fn lints_switched_off() {
        let bad = "#![allow(dead_code)]\n#[cfg_attr(test, allow(unused))]\nfn a() {}\n#[test]\n#[ignore]\nfn b() {}\n#[ignore = \"slow\"]\nfn c() {}
#[expect(unsafe_code)]\nfn d() {}\n#[expect(unsafe_code, reason = \"why\")]\nfn allow() {}\n";
        assert_finds(
            lint_switched_off,
            &[("a.rs", bad)],
            &expect![[r#"
            a.rs:1: [rule] `allow` hides a lint for good; use `#[expect(…, reason = "…")]`
            a.rs:2: [rule] `allow` hides a lint for good; use `#[expect(…, reason = "…")]`
            a.rs:5: [rule] an ignored test tests nothing; mend it or remove it
            a.rs:7: [rule] an ignored test tests nothing; mend it or remove it
            a.rs:9: [rule] `expect` without a `reason`"#]],
        );
    }

    #[test]
    fn panicking_calls() {
        let bad = "fn f() {\n x.unwrap();\n y.expect(\"\");\n println!(\"{}\", z.unwrap());\n w.expect(\"checked above\");\n v.unwrap_or(1);\n}
#[cfg(test)]\nmod tests {\n fn g() { x.unwrap(); }\n}\nfn h() {\n x.unwrap();\n}\n";
        let files = [
            ("crates/a/src/b.rs", bad),
            ("crates/a/src/b/tests.rs", bad),
            ("crates/a/tests/b.rs", bad),
            ("xtask/src/b.rs", bad),
        ];
        assert_finds(
            panicking_call,
            &files,
            &expect![[r#"
            crates/a/src/b.rs:2: [rule] `unwrap()` panics without a reason; return an error, or `expect` with the invariant that holds
            crates/a/src/b.rs:3: [rule] `expect` with an empty reason; return an error, or `expect` with the invariant that holds
            crates/a/src/b.rs:4: [rule] `unwrap()` panics without a reason; return an error, or `expect` with the invariant that holds
            crates/a/src/b.rs:13: [rule] `unwrap()` panics without a reason; return an error, or `expect` with the invariant that holds"#]],
        );
    }

    #[test]
    fn comparisons_that_pass_over_nan() {
        let bad = "fn f() {\n a.fold(0.0, f32::max);\n a.reduce(f64::min);\n a.fold(0f64, |l, x| l.max(x.abs()));\n
 a.max_by(f32::total_cmp);\n a.fold(0, |l, x| l.max(x));\n b.max(1.0);\n a.fold(f32::INFINITY, |l, x| l.min(x));\n a.fold(0.0, |l, x| l + x);
 a.fold(0.0, |l, x| f32::max(l, x));\n a.fold(first, |l, x| l.max(x));\n x.abs().max(y.abs());\n a.fold(most, i32::max);\n x.abs().max(1.0);
 f32::MAX;\n}\n";
        assert_finds(
            nan_blind,
            &[
                ("a.rs", bad),
                ("crates/a/src/b.rs", "fn f() { x.abs().max(y.abs()); a.fold(first, |l, x| l.max(x)) }\n"),
            ],
            &expect![[r#"
                a.rs:2: [rule] this passes over NaN; take `abs` and `max_by(f32::total_cmp)`, which finds it the greatest (`max` of whole numbers)
                a.rs:3: [rule] this passes over NaN; take `abs` and `max_by(f32::total_cmp)`, which finds it the greatest (`max` of whole numbers)
                a.rs:4: [rule] this passes over NaN; take `abs` and `max_by(f32::total_cmp)`, which finds it the greatest (`max` of whole numbers)
                a.rs:9: [rule] this passes over NaN; take `abs` and `max_by(f32::total_cmp)`, which finds it the greatest (`max` of whole numbers)
                a.rs:11: [rule] this passes over NaN; take `abs` and `max_by(f32::total_cmp)`, which finds it the greatest (`max` of whole numbers)
                a.rs:12: [rule] this passes over NaN; take `abs` and `max_by(f32::total_cmp)`, which finds it the greatest (`max` of whole numbers)
                a.rs:13: [rule] this passes over NaN; take `abs` and `max_by(f32::total_cmp)`, which finds it the greatest (`max` of whole numbers)"#]],
        );
    }

    #[test]
    fn unsafe_outside_its_place() {
        let bad = "#![deny(unsafe_code)]\nunsafe fn f() {}\n// unsafe\nfn g() { unsafe { f() } }\n";
        let files = [
            ("crates/pjrt/src/a.rs", bad),
            ("crates/graph/src/a.rs", bad),
            ("crates/checkpoint/src/safetensors_file.rs", &format!("{bad}fn h() {{ unsafe {{ f() }} }}\n")),
        ];
        assert_finds(
            unsafe_place,
            &files,
            &expect![[r#"
            crates/checkpoint/src/safetensors_file.rs:5: [rule] `unsafe` stands in crates/pjrt, at the two calls on mapped files and where work is lent to threads, nowhere else
            crates/graph/src/a.rs:2: [rule] `unsafe` stands in crates/pjrt, at the two calls on mapped files and where work is lent to threads, nowhere else
            crates/graph/src/a.rs:4: [rule] `unsafe` stands in crates/pjrt, at the two calls on mapped files and where work is lent to threads, nowhere else"#]],
        );
    }

    #[test]
    fn names_of_items() {
        let bad = "mod utils;\nmod helpers { }\nmod attention;\nstruct CacheManager;\nenum LayerFactory {}\ntrait Factory2 {}\n";
        assert_finds(
            banned_item_name,
            &[("a.rs", bad)],
            &expect![[r#"
            a.rs:1: [rule] a module named `utils` says nothing of its content
            a.rs:2: [rule] a module named `helpers` says nothing of its content
            a.rs:4: [rule] `CacheManager`: say what it is or does, in place of `Manager`
            a.rs:5: [rule] `LayerFactory`: say what it is or does, in place of `Factory`"#]],
        );
    }
}
