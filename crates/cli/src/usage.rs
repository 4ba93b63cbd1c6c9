//! Wrong usage: what clap does not find, and what it would say in numbers that nobody reads.

use std::error::Error;
use std::fmt;
use std::ops::RangeInclusive;

/// Arguments that a command refuses whatever it would meet: with exit code 2, as clap refuses others.
#[derive(Debug)]
pub(crate) struct Misuse(pub(crate) String);

/// The exit code.
pub(crate) const MISUSE: u8 = 2;

/// Whether this is a whole number, of whatever size.
pub(crate) fn is_whole(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Takes whole numbers of a range that are the type's, and says of others what they should be. The end of one that goes as far as numbers do is not named.
pub(crate) fn whole<N: TryFrom<u64>>(range: RangeInclusive<u64>) -> impl Fn(&str) -> Result<N, String> + Clone {
    let of_type = (0..u64::BITS).map(|unused| u64::MAX >> unused).find(|most| N::try_from(*most).is_ok());
    let (least, most) = (*range.start(), of_type.map_or(0, |of_type| of_type.min(*range.end())));
    move |text| {
        let number = text.parse().ok().filter(|number| (least..=most).contains(number));
        number.and_then(|number| N::try_from(number).ok()).ok_or_else(|| match most {
            u64::MAX if is_whole(text) && !text.starts_with('-') && text.parse::<u64>().is_err() => {
                format!("it is too large: {most} is the largest")
            }
            u64::MAX => format!("it should be a whole number from {least} on"),
            most => format!("it should be a whole number from {least} to {most}"),
        })
    }
}

/// A seed, of which all numbers that there are can be one.
pub(crate) fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("it should be a whole number from 0 to {}", u64::MAX))
}

/// A count of any size.
pub(crate) fn count(text: &str) -> Result<u64, String> {
    whole(1..=u64::MAX)(text)
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Misuse {}
