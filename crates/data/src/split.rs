//! Parts of a data set by name and range, written as the `datasets` library writes them: `train[:90%]+test`.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// One or more parts of a data set, in order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Split {
    text: String,
    pub(crate) parts: Vec<Part>,
}

/// Records of one split.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Part {
    pub(crate) name: String,
    from: Option<Edge>,
    to: Option<Edge>,
}

/// A place among records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Edge {
    /// From the end if negative.
    Record(i64),
    /// From the beginning: -10 % is 90 %. Rounded from either end, parts that touch would share a record.
    Percent(u64),
}

impl Part {
    /// All of a split.
    pub(crate) fn whole(name: &str) -> Part {
        Part { name: name.to_owned(), from: None, to: None }
    }

    /// What tells it from another range of the same split.
    pub(crate) fn edges(&self) -> impl fmt::Debug {
        (self.from, self.to)
    }

    /// Whether the records must be counted before the range is known.
    pub(crate) fn needs_count(&self) -> bool {
        let relative = |edge: &Option<Edge>| match edge {
            None => false,
            Some(Edge::Record(record)) => *record < 0,
            Some(Edge::Percent(_)) => true,
        };
        relative(&self.from) || relative(&self.to)
    }

    /// The records of a split that has `count` of them; `u64::MAX` where [`Part::needs_count`] says no.
    pub(crate) fn range(&self, count: u64) -> Range<u64> {
        let place = |edge: &Edge| match *edge {
            Edge::Record(record) if record < 0 => count.saturating_sub(record.unsigned_abs()),
            Edge::Record(record) => record.unsigned_abs().min(count),
            Edge::Percent(percent) => {
                // To the nearest record, and of two to the even one, as `datasets` rounds.
                let hundredths = u128::from(count) * u128::from(percent);
                let (share, rest) = (hundredths / 100, hundredths % 100);
                let share = share + u128::from(rest > 50 || rest == 50 && !share.is_multiple_of(2));
                u64::try_from(share).unwrap_or(count).min(count)
            }
        };
        let from = self.from.as_ref().map_or(0, place);
        from..self.to.as_ref().map_or(count, place).max(from)
    }
}

impl FromStr for Split {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split('+').map(|part| parse_part(part.trim()));
        Ok(Split { text: text.to_owned(), parts: parts.collect::<Result<_, _>>()? })
    }
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn parse_part(text: &str) -> Result<Part, String> {
    let refused = || format!("{text:?} is no split: expected a name such as train, or with a range train[:90%]");
    let (name, range) = match text.split_once('[') {
        None => (text, None),
        Some((name, range)) => (name, Some(range.strip_suffix(']').ok_or_else(refused)?)),
    };
    if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || "._-".contains(c)) {
        return Err(refused());
    }
    let mut part = Part::whole(name);
    if let Some(range) = range {
        let (from, to) = range.split_once(':').ok_or_else(refused)?;
        let edge = |text: &str| match text.trim() {
            "" => Ok(None),
            text => match text.strip_suffix('%') {
                Some(percent) => {
                    let percent: Option<i64> = percent.parse().ok().filter(|percent| (-100..=100).contains(percent));
                    let from_beginning = |percent: i64| if percent < 0 { 100 + percent } else { percent };
                    percent.map(|p| Some(Edge::Percent(from_beginning(p).unsigned_abs()))).ok_or_else(refused)
                }
                None => text.parse().map(|record| Some(Edge::Record(record))).map_err(|_| refused()),
            },
        };
        (part.from, part.to) = (edge(from)?, edge(to)?);
    }
    Ok(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_those_of_datasets() {
        let cases = [
            ("train", 0..10),
            ("train[:3]", 0..3),
            ("train[3:]", 3..10),
            ("train[2:5]", 2..5),
            ("train[-4:]", 6..10),
            ("train[:-4]", 0..6),
            ("train[:90%]", 0..9),
            ("train[90%:]", 9..10),
            ("train[-20%:]", 8..10),
            ("train[:25%]", 0..2),
            ("train[25%:50%]", 2..5),
            ("train[:45%]", 0..4),
            ("train[:75%]", 0..8),
            ("train[:94%]", 0..9),
            ("train[20:30]", 10..10),
            ("train[5:2]", 5..5),
        ];
        for (text, expected) in cases {
            let split: Split = text.parse().expect(text);
            assert_eq!(split.parts[0].range(10), expected, "{text}");
            assert_eq!(split.to_string(), text);
        }
        let two: Split = "train[:50%] + test".parse().expect("two parts");
        assert_eq!(two.parts.iter().map(|part| part.name.as_str()).collect::<Vec<_>>(), ["train", "test"]);
    }

    /// Whichever end the percents of either are counted from.
    #[test]
    fn parts_that_touch_share_no_record_and_leave_none_out() {
        for count in 0..250 {
            for percent in 0..=100 {
                let ranges = |text: String| text.parse::<Split>().expect("a split").parts[0].range(count);
                for (before, after) in [
                    (format!("train[:{percent}%]"), format!("train[-{}%:]", 100 - percent)),
                    (format!("train[:-{percent}%]"), format!("train[{}%:]", 100 - percent)),
                ] {
                    // -0 is 0.
                    if !before.contains("-0%") && !after.contains("-0%") {
                        let (before, after) = (ranges(before), ranges(after));
                        assert_eq!((before.start, before.end, after.end), (0, after.start, count), "{percent} %");
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_no_split_is_refused() {
        for text in ["", "train[", "train[:90", "train[1]", "train[a:b]", "train[:101%]", "a/b", "train+"] {
            let message = text.parse::<Split>().expect_err(text);
            assert!(message.contains("is no split: expected a name such as train"), "{message}");
        }
    }
}
