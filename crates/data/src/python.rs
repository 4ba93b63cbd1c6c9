//! How Python prints values, which is what chat templates were written against.
//!
//! Hugging Face renders templates with Jinja2 on Python: `{{ true }}` prints `True`, `tojson` is `json.dumps` with
//! `ensure_ascii=False`. minijinja prints otherwise, and a prompt that differs by one space is another prompt.

use std::fmt::Write;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use minijinja::value::{Kwargs, Value, ValueKind};
use minijinja::{Error, ErrorKind};
use regex_syntax::hir::{Class, Hir, HirKind};

/// Writes `value` as Python's `str()` would.
pub(crate) fn str(value: &Value) -> String {
    match value.kind() {
        ValueKind::String => value.as_str().unwrap_or_default().to_owned(),
        ValueKind::Undefined => String::new(),
        _ => repr(value),
    }
}

/// Writes `value` as Python's `repr()` would.
fn repr(value: &Value) -> String {
    match value.kind() {
        ValueKind::None => "None".to_owned(),
        ValueKind::Bool => if value.is_true() { "True" } else { "False" }.to_owned(),
        ValueKind::Number => number(value),
        ValueKind::String => quoted(value.as_str().unwrap_or_default()),
        ValueKind::Seq => format!("[{}]", items(value).iter().map(repr).collect::<Vec<_>>().join(", ")),
        ValueKind::Map => {
            let pairs = items(value).into_iter().map(|key| {
                let item = value.get_item(&key).unwrap_or_default();
                format!("{}: {}", repr(&key), repr(&item))
            });
            format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
        }
        _ => value.to_string(),
    }
}

fn items(value: &Value) -> Vec<Value> {
    value.try_iter().map(Iterator::collect).unwrap_or_default()
}

/// Single quotes unless the text holds one and no double quote; backslashes and what is not printable escaped.
fn quoted(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::from(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => out.extend(['\\', c]),
            c if is_printable(c) => out.push(c),
            c => {
                match c as u32 {
                    code @ ..=0xff => write!(out, "\\x{code:02x}"),
                    code @ ..=0xffff => write!(out, "\\u{code:04x}"),
                    code => write!(out, "\\U{code:08x}"),
                }
                .ok();
            }
        }
    }
    out.push(quote);
    out
}

/// As `str.isprintable` has it: all but the categories Other and Separator of Unicode, and the space.
fn is_printable(c: char) -> bool {
    static OTHERS: LazyLock<Vec<RangeInclusive<char>>> = LazyLock::new(|| {
        let class = regex_syntax::parse(r"[\p{C}\p{Z}]").map(Hir::into_kind);
        let Ok(HirKind::Class(Class::Unicode(class))) = class else { unreachable!("a class of characters") };
        class.iter().map(|range| range.start()..=range.end()).collect()
    });
    let after = OTHERS.partition_point(|range| *range.end() < c);
    c == ' ' || OTHERS.get(after).is_none_or(|range| !range.contains(&c))
}

fn number(value: &Value) -> String {
    match f64::try_from(value.clone()) {
        Ok(float) if !value.is_integer() => float_repr(float),
        _ => value.to_string(),
    }
}

/// Python's `float.__repr__`: the shortest digits that read back, with an exponent below 1e-4 and from 1e16 on.
fn float_repr(float: f64) -> String {
    if !float.is_finite() {
        return if float.is_nan() {
            "nan"
        } else if float > 0.0 {
            "inf"
        } else {
            "-inf"
        }
        .to_owned();
    }
    let scientific = format!("{float:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..16).contains(&exponent) {
        return format!("{float:?}");
    }
    format!("{digits}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

/// The arguments of Python's `json.dumps` that templates use.
struct Dumps {
    ensure_ascii: bool,
    indent: Option<String>,
    item_separator: String,
    key_separator: String,
    sort_keys: bool,
}

/// What the `tojson` filter writes of `value` where it has no arguments.
pub(crate) fn dumps(value: &serde_json::Value) -> String {
    let dumps = Dumps {
        ensure_ascii: false,
        indent: None,
        item_separator: ", ".to_owned(),
        key_separator: ": ".to_owned(),
        sort_keys: false,
    };
    let mut out = String::new();
    dumps.write(&mut out, &Value::from_serialize(value), 0).expect("JSON holds what is JSON alone");
    out
}

/// The `tojson` filter as transformers defines it: `json.dumps(x, ensure_ascii=False, indent=None, …)`.
pub(crate) fn tojson(
    value: &Value,
    ensure_ascii: Option<bool>,
    indent: Option<Value>,
    kwargs: Kwargs,
) -> Result<Value, Error> {
    let indent = indent.or(kwargs.get::<Option<Value>>("indent")?).filter(|indent| !indent.is_none());
    let indent = match indent {
        None => None,
        Some(indent) => Some(match (indent.as_str(), indent.as_usize()) {
            (Some(text), _) => text.to_owned(),
            (None, Some(width)) => " ".repeat(width.min(64)),
            (None, None) => return Err(invalid("indent must be a number or a string")),
        }),
    };
    let separators: Option<Vec<String>> = kwargs.get("separators")?;
    let (item, key) = match separators.as_deref() {
        Some([item, key]) => (item.clone(), key.clone()),
        Some(_) => return Err(invalid("separators must be a pair of strings")),
        None if indent.is_some() => (",".to_owned(), ": ".to_owned()),
        None => (", ".to_owned(), ": ".to_owned()),
    };
    let dumps = Dumps {
        ensure_ascii: ensure_ascii.or(kwargs.get("ensure_ascii")?).unwrap_or(false),
        indent,
        item_separator: item,
        key_separator: key,
        sort_keys: kwargs.get::<Option<bool>>("sort_keys")?.unwrap_or(false),
    };
    kwargs.assert_all_used()?;
    let mut out = String::new();
    dumps.write(&mut out, value, 0)?;
    Ok(Value::from_safe_string(out))
}

fn invalid(message: &str) -> Error {
    Error::new(ErrorKind::InvalidOperation, format!("tojson: {message}"))
}

impl Dumps {
    fn write(&self, out: &mut String, value: &Value, depth: usize) -> Result<(), Error> {
        match value.kind() {
            ValueKind::None => out.push_str("null"),
            ValueKind::Bool => out.push_str(if value.is_true() { "true" } else { "false" }),
            ValueKind::Number => out.push_str(&json_number(value)),
            ValueKind::String => self.string(out, value.as_str().unwrap_or_default()),
            ValueKind::Seq | ValueKind::Iterable => {
                self.enclose(out, ('[', ']'), depth, items(value), |out, item| self.write(out, item, depth + 1))?;
            }
            ValueKind::Map => {
                let mut keys = items(value);
                if self.sort_keys {
                    keys.sort_by_key(str);
                }
                self.enclose(out, ('{', '}'), depth, keys, |out, key| {
                    let name = match key.kind() {
                        ValueKind::String => key.as_str().unwrap_or_default().to_owned(),
                        ValueKind::None => "null".to_owned(),
                        ValueKind::Bool => if key.is_true() { "true" } else { "false" }.to_owned(),
                        _ => json_number(key),
                    };
                    self.string(out, &name);
                    out.push_str(&self.key_separator);
                    self.write(out, &value.get_item(key)?, depth + 1)
                })?;
            }
            kind => return Err(invalid(&format!("a value of type {kind} is not JSON"))),
        }
        Ok(())
    }

    /// Writes `items` between brackets, on lines of their own when there is an indent.
    fn enclose(
        &self,
        out: &mut String,
        (open, close): (char, char),
        depth: usize,
        items: Vec<Value>,
        mut write: impl FnMut(&mut String, &Value) -> Result<(), Error>,
    ) -> Result<(), Error> {
        out.push(open);
        let empty = items.is_empty();
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                out.push_str(&self.item_separator);
            }
            self.new_line(out, depth + 1);
            write(out, item)?;
        }
        if !empty {
            self.new_line(out, depth);
        }
        out.push(close);
        Ok(())
    }

    fn new_line(&self, out: &mut String, depth: usize) {
        if let Some(indent) = &self.indent {
            out.push('\n');
            (0..depth).for_each(|_| out.push_str(indent));
        }
    }

    fn string(&self, out: &mut String, text: &str) {
        out.push('"');
        for c in text.chars() {
            match c {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                '\t' => out.push_str("\\t"),
                '\u{8}' => out.push_str("\\b"),
                '\u{c}' => out.push_str("\\f"),
                c if (c as u32) < 0x20 || (self.ensure_ascii && !c.is_ascii()) => {
                    let mut units = [0; 2];
                    for unit in c.encode_utf16(&mut units) {
                        write!(out, "\\u{unit:04x}").ok();
                    }
                }
                c => out.push(c),
            }
        }
        out.push('"');
    }
}

/// `json.dumps` writes floats as `repr` does, save for the three that JSON lacks.
fn json_number(value: &Value) -> String {
    match number(value).as_str() {
        "nan" => "NaN".to_owned(),
        "inf" => "Infinity".to_owned(),
        "-inf" => "-Infinity".to_owned(),
        finite => finite.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_print_as_in_python() {
        let cases = [
            (1.0, "1.0"),
            (0.1, "0.1"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
            (1.5e-5, "1.5e-05"),
            (0.0001, "0.0001"),
            (-2.5e300, "-2.5e+300"),
        ];
        for (float, expected) in cases {
            assert_eq!(float_repr(float), expected);
        }
    }

    #[test]
    fn values_print_as_in_python() {
        let json: serde_json::Value =
            serde_json::from_str(r#"{"a": [1, 2.0, true, null, "it's"], "b": {"c": "x\n"}}"#).expect("valid JSON");
        let value = Value::from_serialize(&json);
        assert_eq!(str(&value), r#"{'a': [1, 2.0, True, None, "it's"], 'b': {'c': 'x\n'}}"#);
        // What `repr` of Python 3.12 gives.
        for (text, expected) in [
            ("a b~\u{e9}\u{732b}\u{1f600}", "'a b~\u{e9}\u{732b}\u{1f600}'"),
            ("\u{0}\u{1f}\u{7f}\u{80}\u{85}", r"'\x00\x1f\x7f\x80\x85'"),
            // No-break space, soft hyphen, zero-width space, line separator, ideographic space, mark of byte order.
            ("\u{a0}\u{ad}\u{200b}\u{2028}\u{3000}\u{feff}", r"'\xa0\xad\u200b\u2028\u3000\ufeff'"),
            // Unassigned, private, a tag.
            ("\u{378}\u{e000}\u{e0001}\u{10ffff}", r"'\u0378\ue000\U000e0001\U0010ffff'"),
        ] {
            assert_eq!(repr(&Value::from(text)), expected);
        }
    }
}
