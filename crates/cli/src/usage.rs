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

/// A seed: any whole number of 64 bits, with a sign or without. As where it comes over HTTP, a negative one is the number without a sign of the same bits.
pub(crate) fn seed(text: &str) -> Result<u64, String> {
    let with_sign = || text.parse().ok().map(i64::cast_unsigned);
    let seed = text.parse().ok().or_else(with_sign);
    seed.ok_or_else(|| format!("it should be a whole number from {} to {}", i64::MIN, u64::MAX))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The same bits as where the seed comes over HTTP.
    #[test]
    fn seeds_are_all_numbers_of_64_bits_with_a_sign_or_without() {
        for (text, bits) in [
            ("0", 0),
            ("-1", u64::MAX),
            ("18446744073709551615", u64::MAX),
            ("-9223372036854775808", 1 << 63),
            ("9223372036854775808", 1 << 63),
        ] {
            assert_eq!(seed(text), Ok(bits), "{text}");
        }
        assert!(
            ["", "x", "1.5", "-9223372036854775809", "18446744073709551616"].iter().all(|text| seed(text).is_err())
        );
    }
}
