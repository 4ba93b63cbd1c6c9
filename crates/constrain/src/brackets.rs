//! Brackets and escapes of expressions, as those read them who write them.

/// Writes brackets, each atom by `write_atom`, and gives what is behind them. A hyphen at the side of a class stands for itself (ECMA-262, annex B), where the library would take
/// it for a range's; so does one at the beginning, at the end and behind a range.
fn write_brackets<'a>(pattern: &'a str, written: &mut String, write_atom: impl Fn(&str, &mut String)) -> &'a str {
    let begin = if pattern.starts_with("[^") { "[^" } else { "[" };
    written.push_str(begin);
    let mut rest = &pattern[begin.len()..];
    while !rest.is_empty() {
        if let Some(behind) = rest.strip_prefix(']') {
            written.push(']');
            return behind;
        }
        let (first, behind) = split_atom(rest);
        rest = behind;
        let last = rest.strip_prefix('-').filter(|behind| !behind.is_empty() && !behind.starts_with(']'));
        let last = last.map(split_atom);
        write_atom(if first == "-" { "\\-" } else { first }, written);
        if let Some((last, behind)) = last {
            written.push_str(if is_class(first) || is_class(last) { "\\-" } else { "-" });
            write_atom(last, written);
            rest = behind;
        }
    }
    rest
}

/// The first character, with what it escapes, and what is behind it.
fn split_atom(pattern: &str) -> (&str, &str) {
    let mut characters = pattern.chars();
    if characters.next() == Some('\\') {
        let escaped = characters.next();
        let behind = characters.as_str();
        match escaped {
            // The name of a property, of one letter or in braces.
            Some('p' | 'P') => match behind.split_once('}').filter(|_| behind.starts_with('{')) {
                Some((_, behind)) => characters = behind.chars(),
                None => _ = characters.next(),
            },
            Some('c') if behind.starts_with(|letter: char| letter.is_ascii_alphabetic()) => _ = characters.next(),
            // With digits behind it is another character's number, or a mistake.
            Some('0') => characters = behind.trim_start_matches(|digit: char| digit.is_ascii_digit()).chars(),
            _ => {}
        }
    }
    pattern.split_at(pattern.len() - characters.as_str().len())
}

/// An atom for the library, which does not know ECMA-262's names of control characters: `\0`, and `\cA` to `\cZ` for the numbers of the letters.
pub(crate) fn write_atom(atom: &str, written: &mut String) {
    let control = match atom.as_bytes() {
        b"\\0" => Some(0),
        [b'\\', b'c', letter] => Some(letter % 32),
        _ => None,
    };
    match control {
        Some(number) => written.push_str(&format!("\\x{number:02X}")),
        None => written.push_str(atom),
    }
}

fn is_class(atom: &str) -> bool {
    atom.starts_with('\\') && atom[1..].starts_with(['d', 'D', 's', 'S', 'w', 'W', 'p', 'P'])
}

/// The expression with hyphens that stand for themselves written so, and its atoms by `outside` of brackets and by `within` them.
pub(crate) fn rewritten(
    pattern: &str,
    outside: impl Fn(&str, &mut String),
    within: impl Fn(&str, &mut String),
) -> String {
    let mut written = String::with_capacity(pattern.len());
    let mut rest = pattern;
    while !rest.is_empty() {
        if rest.starts_with('[') {
            rest = write_brackets(rest, &mut written, &within);
        } else {
            let (atom, behind) = split_atom(rest);
            outside(atom, &mut written);
            rest = behind;
        }
    }
    written
}

/// The expression with such hyphens and control characters, where it has no brackets that the library reads in a way of its own.
pub(crate) fn as_ecma(pattern: &str) -> Option<String> {
    check_classes(pattern).ok().map(|()| rewritten(pattern, write_atom, write_atom))
}

/// Within brackets `[`, `&&`, `--` and `~~` are characters to ECMA-262 and operators to the library. `]` behind the first bracket ends them there, and is a
/// character here. The text of an error goes on behind what names the pattern.
pub(crate) fn check_classes(pattern: &str) -> Result<(), String> {
    let mut inside = false;
    let mut before = None;
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        let doubled = before.replace(character) == Some(character) && ['&', '-', '~'].contains(&character);
        match character {
            '\\' => {
                characters.next();
                before = None;
            }
            '[' if inside => {
                return Err("has `[` within brackets: write `\\[`".to_owned());
            }
            '[' => {
                inside = true;
                let within = characters.as_str();
                if within.strip_prefix('^').unwrap_or(within).starts_with(']') {
                    return Err(
                        "has brackets with nothing within: write `\\]` for the character, or `[\\s\\S]` for any"
                            .to_owned(),
                    );
                }
            }
            ']' => inside = false,
            _ if inside && doubled => {
                return Err(format!("has `{character}{character}` within brackets: write `\\{character}`"));
            }
            _ => {}
        }
    }
    Ok(())
}
