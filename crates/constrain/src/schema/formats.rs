//! Formats of strings, and of numbers.
//!
//! The library's own expressions let through what is not of the format (the 29th of February in any year, a leap second at any time, parts of
//! an address of any length), so these are written here. Where a format has corners that few validators agree on, less is let through: no
//! leap seconds, no addresses in place of an e-mail's domain, no doubled hyphens in a host's name.

use serde_json::{Value, json};

use super::keywords::TYPES;

/// Formats of strings that are held to.
const FORMATS: [&str; 10] =
    ["date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uri", "uuid"];

/// What OpenAPI and pydantic write of values of any kind: that they are secret, or bytes, or paths, or how many bits hold a fraction.
const ANY: [&str; 7] = ["binary", "directory-path", "double", "file-path", "float", "password", "path"];
/// RFC 4122's and RFC 9562's, with the digit of their version.
const UUIDS: [(&str, char); 7] =
    [("uuid1", '1'), ("uuid3", '3'), ("uuid4", '4'), ("uuid5", '5'), ("uuid6", '6'), ("uuid7", '7'), ("uuid8", '8')];
/// RFC 4648, sections 4 and 5, with padding: what they have beside letters and digits.
const BASE64: [(&str, &str); 3] = [("base64", "+/"), ("base64url", "\\-_"), ("byte", "+/")];
/// Whole numbers of so many bits: OpenAPI's, and those that Rust's types have.
const INTEGERS: [(&str, u32); 10] = [
    ("int", 64),
    ("int8", 8),
    ("int16", 16),
    ("int32", 32),
    ("int64", 64),
    ("uint", 64),
    ("uint8", 8),
    ("uint16", 16),
    ("uint32", 32),
    ("uint64", 64),
];
/// Bits of a whole number that is the same in floats, as all who read JSON have it.
const EXACT_BITS: u32 = 53;

/// RFC 3339, appendix A: the Gregorian calendar's leap years.
const DATE: &str = "(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)\
    |02-(?:0[1-9]|1[0-9]|2[0-8]))|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)";
const TIME: &str =
    "(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,9})?(?:[zZ]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])";
/// RFC 1034: letters, digits and hyphens between them, and how long each of a host's labels is.
const LABEL: &str = "[a-zA-Z0-9](?:-?[a-zA-Z0-9])*";
const LABEL_LENGTHS: &str = "[^.]{1,63}(?:\\.[^.]{1,63})*";
/// RFC 5322's atoms.
const ATOM: &str = "[a-zA-Z0-9!#$%&'*+\\-/=?^_`{|}~]+";

/// What a format asks for: schemas that all have to fit. `None`: the library's own reading does.
///
/// # Errors
/// The format is not supported.
pub(super) fn schemas(name: &str) -> Result<Option<Vec<Value>>, String> {
    let host = format!("{LABEL}(?:\\.{LABEL})*");
    let schemas = match name {
        "date" => vec![json!({"pattern": format!("^{DATE}$")})],
        "time" => vec![json!({"pattern": format!("^{TIME}$")})],
        "date-time" => vec![json!({"pattern": format!("^{DATE}[tT]{TIME}$")})],
        "hostname" => vec![
            json!({"pattern": format!("^{host}$")}),
            json!({"pattern": format!("^{LABEL_LENGTHS}$")}),
            json!({"maxLength": 253}),
        ],
        "email" => vec![
            json!({"pattern": format!("^{ATOM}(?:\\.{ATOM})*@{host}$")}),
            json!({"pattern": format!("^[^@]{{1,64}}@{LABEL_LENGTHS}$")}),
            json!({"maxLength": 254}),
        ],
        _ if FORMATS.contains(&name) => return Ok(None),
        _ if ANY.contains(&name) => Vec::new(),
        _ => match (of(&INTEGERS, name), of(&UUIDS, name), of(&BASE64, name)) {
            (Some(bits), ..) => vec![integers(bits, name.starts_with('u'))],
            (_, Some(version), _) => vec![json!({"pattern": uuid(version)})],
            (.., Some(others)) => vec![json!({"pattern": base64(others)})],
            _ => return Err(format!("the format `{name}` is not supported; those that are: {}", names())),
        },
    };
    Ok(Some(schemas))
}

fn of<T: Copy>(known: &[(&str, T)], name: &str) -> Option<T> {
    known.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
}

fn uuid(version: char) -> String {
    let digits = |count: usize| format!("[0-9a-fA-F]{{{count}}}");
    format!("^{}-{}-{version}{}-[89abAB]{}-{}$", digits(8), digits(4), digits(3), digits(3), digits(12))
}

/// What bytes are written as: of the last of them no bits are left over.
fn base64(others: &str) -> String {
    let any = format!("[A-Za-z0-9{others}]");
    format!("^(?:{any}{{4}})*(?:{any}[AQgw]==|{any}{{2}}[AEIMQUYcgkosw048]=)?$")
}

/// Whole numbers that so many bits hold, as far as all who read JSON have the same, or what is no number.
fn integers(bits: u32, is_unsigned: bool) -> Value {
    let (positive, exact) = (if is_unsigned { bits } else { bits - 1 }, (1i64 << EXACT_BITS) - 1);
    let end = 1i128 << positive;
    let most = i64::try_from(end - 1).unwrap_or(exact).min(exact);
    let least = if is_unsigned { 0 } else { i64::try_from(-end).unwrap_or(-exact).max(-exact) };
    let types: Vec<&str> = TYPES.into_iter().filter(|name| *name != "number").collect();
    json!({"type": types, "minimum": least, "maximum": most})
}

fn names() -> String {
    let [uuids, base64] = [UUIDS.map(|(name, _)| name).to_vec(), BASE64.map(|(name, _)| name).to_vec()];
    let mut names = [&FORMATS[..], &ANY, &INTEGERS.map(|(name, _)| name), &uuids, &base64].concat();
    names.sort_unstable();
    names.join(", ")
}
