//! Brackets of expressions, as those read them who write them.

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
    if characters.next() == Some('\\') && matches!(characters.next(), Some('p' | 'P')) {
        // The name of a property, of one letter or in braces.
        let name = characters.clone().as_str();
        match name.split_once('}').filter(|_| name.starts_with('{')) {
            Some((_, behind)) => characters = behind.chars(),
            None => _ = characters.next(),
        }
    }
    pattern.split_at(pattern.len() - characters.as_str().len())
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

/// The expression with such hyphens, where it has no brackets that the library reads in a way of its own.
pub(crate) fn with_hyphens(pattern: &str) -> Option<String> {
    let as_it_is = |atom: &str, written: &mut String| written.push_str(atom);
    check_classes(pattern).ok().map(|()| rewritten(pattern, as_it_is, as_it_is))
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
