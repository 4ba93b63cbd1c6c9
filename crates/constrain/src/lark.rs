//! Grammars in Lark's notation that users write: what is looked at before the library reads them.

mod terminals;

use llguidance::api::TopLevelGrammar;

use crate::advice::shown;
use crate::grammar::TEXT_BYTES_MAX;
use crate::repetitions::{self, Ahead};

/// How deep a grammar may be at the most, by [`depth_bound`]: the library goes down from rule to rule on the stack.
const DEPTH_MAX: usize = 10_000;
/// Signs for what expressions have in common in a grammar, those that are characters among them: the library goes through 2 to the power of their number at
/// once, which its limits do not stop.
const AND_MAX: usize = 16;
/// Counts are told of texts of so many bytes: some milliseconds. Of longer ones a request has hardly more answers than of those that count the most.
const TOLD_BYTES_MAX: usize = 100_000;

/// A grammar as the library is given it. JSON within a grammar would be read by rules of its own, past the checks of this crate.
///
/// # Errors
/// It is refused; the text goes on behind what names the grammar.
pub(crate) fn lower(text: &str) -> Result<TopLevelGrammar, String> {
    if text.len() > TEXT_BYTES_MAX {
        return Err(format!("it is longer than {TEXT_BYTES_MAX} bytes"));
    }
    if text.trim().is_empty() {
        return Err("it is empty".to_owned());
    }
    for statement in ["%json", "%llguidance"] {
        if text.contains(statement) {
            return Err(format!("`{statement}` is not supported within a grammar"));
        }
    }
    let bound = depth_bound(text);
    if bound > DEPTH_MAX {
        return Err(format!(
            "it has more than {DEPTH_MAX} rules, terminals and brackets together ({bound} as they are counted), which may stand one in the other"
        ));
    }
    let signs = text.matches('&').count();
    if signs > AND_MAX {
        return Err(format!(
            "it has {signs} times `&`, and at most {AND_MAX} are supported: write `\\x26` where it is a character"
        ));
    }
    check_expressions(text)?;
    Ok(TopLevelGrammar::from_lark(text.to_owned()))
}

/// No less than how deep the library's parser and compiler go on the stack for this text, whatever in it is a string or a comment: a parser of our own
/// that reads it in another way would let something through.
///
/// Rules and terminals may each be the next one's only part, and so may each bracket's contents, of which a rule has several within each other. A rule begins
/// on a line of its own, behind an alias (`->`), or behind a statement (`%`), and has a colon.
fn depth_bound(text: &str) -> usize {
    let beginnings = text.lines().filter(|line| line.contains(':')).count();
    let behind_others = text.matches("->").count() + text.matches('%').count();
    beginnings + behind_others + text.matches(['(', '[', '{', '~']).count()
}

/// Whether each expression of a grammar keeps so few counts that a step is short. What terminals are put together from is not looked at.
///
/// # Errors
/// One does not; the text names it.
fn check_expressions(text: &str) -> Result<(), String> {
    for (expression, flags) in expressions(text) {
        repetitions::check(&flagged(expression, flags), expression, false)
            .map_err(|rule| format!("the expression `/{}/` {rule}", shown(expression)))?;
    }
    Ok(())
}

/// The expression as the library reads it. A group around it would not be the same: with the flag `x` a comment goes to the end of the line, over the group's bracket.
fn flagged(expression: &str, flags: &str) -> String {
    if flags.is_empty() { expression.to_owned() } else { format!("(?{flags}){expression}") }
}

/// Adds the counts that the expressions of a grammar keep. They are not known where it repeats by numbers itself.
pub(crate) fn add_counts(text: &str, ahead: &mut Ahead) {
    let repeats = |text: &str| {
        let is_number = |next: char| next.is_ascii_digit() || "+,".contains(next);
        text.match_indices(['{', '~']).any(|(at, _)| text[at + 1..].trim_start().starts_with(is_number))
    };
    if text.len() > TOLD_BYTES_MAX {
        return ahead.add_unknown();
    }
    let pieces = pieces(text);
    let repeats = pieces.iter().any(|piece| matches!(piece, Piece::Own(text) if repeats(text)));
    match terminals::put_together(&pieces).filter(|_| !repeats) {
        None => ahead.add_unknown(),
        Some(bound) => {
            ahead.add_bound(bound);
            expressions(text).for_each(|(expression, flags)| ahead.add_or_unknown(&flagged(expression, flags)));
        }
    }
}

/// What stands between slashes, and the flags behind.
fn expressions(text: &str) -> impl Iterator<Item = (&str, &str)> {
    pieces(text).into_iter().filter_map(|piece| match piece {
        Piece::Expression(expression, flags) => Some((expression, flags)),
        Piece::Own(_) | Piece::Text => None,
    })
}

/// What a grammar's text consists of, beside comments and the names of special tokens.
enum Piece<'t> {
    /// Names of rules and signs between them.
    Own(&'t str),
    /// What stands between slashes, and the flags behind.
    Expression(&'t str, &'t str),
    /// What stands between quotes.
    Text,
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(begin) = rest.find(['"', '/', '#', '<']) {
        found.push(Piece::Own(&rest[..begin]));
        let (sign, behind) = rest[begin..].split_at(1);
        rest = match sign {
            "#" => behind_line(behind),
            "/" if behind.starts_with('/') => behind_line(behind),
            "<" => behind_name(behind).unwrap_or(behind),
            _ => {
                let Some(end) = closing(behind, sign) else { break };
                let (inner, after) = (&behind[..end], &behind[end + 1..]);
                let known = if sign == "/" { "imslux" } else { "i" };
                let flags = &after[..after.find(|letter| !known.contains(letter)).unwrap_or(after.len())];
                found.push(if sign == "/" { Piece::Expression(inner, flags) } else { Piece::Text });
                &after[flags.len()..]
            }
        };
    }
    found.push(Piece::Own(rest));
    found
}

fn behind_line(text: &str) -> &str {
    text.find('\n').map_or("", |end| &text[end..])
}

/// What is behind the name of a special token, if one begins here.
fn behind_name(text: &str) -> Option<&str> {
    let end = text.find(|letter: char| letter.is_whitespace() || "<>".contains(letter))?;
    text[end..].strip_prefix('>')
}

/// Where the sign stands that closes what it opened, not escaped.
fn closing(text: &str, sign: &str) -> Option<usize> {
    let mut is_escaped = false;
    for (at, letter) in text.char_indices() {
        if !is_escaped && sign.contains(letter) {
            return Some(at);
        }
        is_escaped = !is_escaped && letter == '\\';
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_of_a_grammar() {
        let text = r##"
            start: "a/b" A | </s> /c"\/\\/i  # no /comment/
            A: /[a-z]+/ "\"/" B // nor /this/
            B: "x"i | /é<\/(b)
                /x"##;
        let expressions = |text| expressions(text).collect::<Vec<_>>();
        assert_eq!(expressions(text), [("c\"\\/\\\\", "i"), ("[a-z]+", ""), ("é<\\/(b)\n                ", "x")]);
        assert_eq!(expressions("start: /open"), []);
        assert_eq!(expressions("start: \"open /x/"), []);
    }

    #[test]
    fn counts_of_a_grammar_are_those_of_its_expressions_together() {
        for (text, expected) in [
            ("start: /([a-z]{1,30} ?){1,9}/ A \"{1,2}\" // {1,3}\nA: /([0-9]{1,9} ?){1,9}/i", 270 + 81),
            ("start: A{1,9}\nA: /[a-z]{1,30} ?/", 1500),
            ("start: A ~ 1..9\nA: /[a-z]{1,30} ?/", 1500),
            ("start: A{+9}\nA: /[a-z]{1,30} ?/", 1500),
            ("start: A ~ +1..9\nA: /[a-z]{1,30} ?/", 1500),
            ("start: A B\nA: /[a-z]+/ & ~/x/\nB: \"{\" A* \"}\"", 56),
            ("start: /([a-z]{1,9} ?){1,9}/ A A\nA: /([a-z]{1,9} ?){1,9}/", 81),
            ("start: /([a-z]{1,9} ?){1,5} # a/x", 45),
            ("start: /([a-z]{1,99}){1,99} # a/x", 1500),
            ("start: /(/", 1500),
        ] {
            assert_eq!(counts(text), expected, "{text}");
        }
    }

    fn counts(text: &str) -> u64 {
        let mut ahead = Ahead::default();
        add_counts(text, &mut ahead);
        ahead.counts(8)
    }

    /// Each `/[a-z]{1,45} ?/` keeps one count alone, and 45 where another may have begun at any letter before.
    #[test]
    fn counts_of_what_is_put_together_are_bounded() {
        let eight = |name: &str, part: &str| format!("{name}: {}\n", [part; 8].join(" "));
        let word = "A: /[a-z]{1,45} ?/\n";
        let chain = format!("start: D\n{word}{}{}D: C C C C", eight("B", "A"), eight("C", "B"));
        assert_eq!(counts(&chain), 1500);
        for (text, expected) in [
            ("start: A A+ [A] (A | \":\")*\n", 0),
            ("start.2: A \"!\" C -> b\n_B.-3: \"-\"i // C\nc: C\nC: \"c\"\n", 0),
            ("start: B\nB: \"!\" A\n", 46),
            ("start: B\nB: (A)+\n", 47),
            ("start: B\nB: A A\n", 92),
            ("start: B\nB: \"!\" A /x{1,5}/\n", 51),
            ("start: B\n__B: (A? [A])?\n", 95),
            ("start: B -> b B: A A\n", 92),
            ("start: B -> b B // c\n: A A\n", 92),
            ("start: D -> bB: A A\n", 1500),
            ("start: D -> b1B: A A\n", 1500),
            ("start: D -> b-1B: A A\n", 1500),
            ("start: B B::_: A A\n", 1500),
            ("start: \"{\" \"}\" /x{1,9}/\n%ignore A\n", 0),
            ("start: \"{\" \"}\"\n%ignore A\n%ignore / +/\n", 47),
            ("start[stop=\"\\n\"]: A /x{1,9}/\n", 55),
            ("start[lazy]: A A A\n", 3 * 46),
            ("start: b\nb[stop=A, capture]: A\n", 2 * 46),
            ("start: b [A] B ::_: A A\nb: \"\"\n", 1500),
            ("start: B\nB: ~(A /x{1,9}/)\n", 8 * (55 + 55)),
            ("start: b %lark {\n start: B\n B: A A } B\nb: /x/\n", 1500),
        ] {
            assert_eq!(counts(&format!("{text}{word}")), expected, "{text}");
        }
        // As people write them.
        let number = "start: NUMBER\nDIGIT: /\\d/\nINT: DIGIT+\nFLOAT: INT \".\" INT\nEXP: (\"e\"|\"E\") (\"+\"|\"-\")? INT\nNUMBER: (FLOAT|INT) EXP?";
        assert!((1..100).contains(&counts(number)), "{}", counts(number));
        let names = "start: (NAME \"=\" (NUMBER | STRING) /select/i)+\nNUMBER: /\\d+(\\.\\d+)?/\nNAME: /[a-zA-Z_]\\w*/\nSTRING: /\"(\\\\.|[^\"\\\\])*\"/\n%ignore /\\s+/\n%ignore /#.*/";
        assert!(counts(names) < 100, "{}", counts(names));
        let words: Vec<String> = (0..3000).map(|number| format!("\"word{number}\"")).collect();
        assert!(counts(&format!("start: B\nA: {}\nB: A (\",\" A)*", words.join(" | "))) < 10, "texts count nothing");
        // Written out.
        assert!(counts(&format!("start: B\nB: A A\nA: /{} ?/", "[a-z]?".repeat(45))) > 90);
        for (first, optional) in
            [("/[a-z]/", "{}? {}?"), ("\"a\"..\"z\"", "[{}] [{}]"), ("\"a\"..\"z\" | \"\"", "{} {}")]
        {
            let names = || ('A'..='L').zip('B'..='M');
            let doubling: String =
                names().map(|(of, name)| format!("{name}: {}\n", optional.replace("{}", &of.to_string()))).collect();
            assert_eq!(counts(&format!("start: M\nA: {first}\n{doubling}")), 1500, "{optional}");
        }
    }

    /// Others' tokens wait for the thread that reads a small request.
    #[test]
    fn counts_are_told_in_a_short_time() {
        let began = std::time::Instant::now();
        let large = format!("start: A\nA: /x{{2}}/ {}", "/\\p{L}?/ ".repeat(5_000));
        assert_eq!(counts(&large), 1500);
        let chain: String = (0..9_000).map(|number| format!("T{number}: T{} T{0}\n", number + 1)).collect();
        assert_eq!(counts(&format!("start: T0\n{chain}")), 1500);
        assert_eq!(counts("start: A\nA: A B\nB: A"), 1500);
        for text in ["A[".repeat(49_000), "A ".repeat(49_000), "A: B\n".repeat(19_000), "~".repeat(99_000)] {
            counts(&format!("start: /x{{2}}/ {text}"));
        }
        assert!(began.elapsed() < std::time::Duration::from_secs(2), "{:?}", began.elapsed());
    }

    #[test]
    fn those_that_count_too_much_are_named() {
        assert_eq!(check_expressions("start: /([a-z]{1,30} ?){1,30}/ /(/ /a/l"), Ok(()));
        let told = check_expressions("start: \"/\" A\nA: /x([a-z]{1,50} ?){1,50}/i").unwrap_err();
        assert!(told.starts_with("the expression `/x([a-z]{1,50} ?){1,50}/` repeats"), "{told}");
        let told = check_expressions("start: /([a-z]{1,99}){1,99} # a/x").unwrap_err();
        assert!(told.starts_with("the expression `/([a-z]{1,99}){1,99} # a/` repeats"), "{told}");
    }
}
