//! Axes: where the ticks are and what they say.

/// How values are spread along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Equal steps are equal differences.
    Linear,
    /// Equal steps are equal ratios; only for positive values.
    Log,
}

/// A range of values with labelled ticks.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Axis {
    low: f64,
    high: f64,
    scale: Scale,
    pub(crate) ticks: Vec<Tick>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tick {
    pub(crate) value: f64,
    pub(crate) label: String,
}

impl Axis {
    /// A linear axis as of [`Axis::new`], whose ticks are whole numbers if `whole` says so.
    pub(crate) fn linear(low: f64, high: f64, whole: bool, tick_count: usize) -> Self {
        let axis = Self::new(low, high, Scale::Linear, tick_count);
        if !whole || axis.ticks.iter().all(|tick| tick.value.fract().abs() < 1e-6) {
            return axis;
        }
        // The range is so short that a step of 1 gives no more ticks than are asked for.
        let ticks = (axis.low.ceil() as i64..=axis.high.floor() as i64).map(|value| value as f64);
        let ticks = ticks.map(|value| Tick { value, label: trimmed(value, 0) }).collect();
        Self { ticks, ..axis }
    }

    /// An axis from `low` to `high`, both finite, with about `tick_count` ticks at round values. An empty range is widened.
    pub(crate) fn new(low: f64, high: f64, scale: Scale, tick_count: usize) -> Self {
        let (low, high) = widen(low, high, scale);
        let of_decades = match scale {
            Scale::Linear => None,
            Scale::Log => log_ticks(low, high, tick_count),
        };
        let (labels, values) = match of_decades {
            Some(values) => (log_labels(&values), values),
            None => {
                let values = linear_ticks(low, high, tick_count);
                (linear_labels(&values), values)
            }
        };
        let ticks = values.into_iter().zip(labels).map(|(value, label)| Tick { value, label }).collect();
        Self { low, high, scale, ticks }
    }

    /// Like [`Axis::new`], with a margin of `part` of the range at both ends, but none below a `low` of 0.
    pub(crate) fn with_margin(low: f64, high: f64, scale: Scale, tick_count: usize, part: f64) -> Self {
        let (low, high) = widen(low, high, scale);
        match scale {
            Scale::Linear => {
                let margin = (high - low) * part;
                Self::new(if low == 0.0 { 0.0 } else { low - margin }, high + margin, scale, tick_count)
            }
            Scale::Log => {
                let factor = (high / low).powf(part);
                Self::new(low / factor, high * factor, scale, tick_count)
            }
        }
    }

    /// Where `value` lies: 0 at the low end, 1 at the high end.
    pub(crate) fn position(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Log => (value / self.low).log10() / (self.high / self.low).log10(),
        }
    }
}

fn widen(low: f64, high: f64, scale: Scale) -> (f64, f64) {
    let is_flat = (high - low).abs() <= high.abs().max(low.abs()) * 1e-9;
    match scale {
        _ if !is_flat => (low, high),
        Scale::Linear if high == 0.0 => (0.0, 1.0),
        Scale::Linear => (low - low.abs() * 0.1, high + high.abs() * 0.1),
        Scale::Log => (low / 1.1, high * 1.1),
    }
}

fn linear_ticks(low: f64, high: f64, tick_count: usize) -> Vec<f64> {
    let step = round_step((high - low) / tick_count.max(1) as f64);
    let slack = step * 1e-6;
    let first = ((low - slack) / step).ceil();
    let last = ((high + slack) / step).floor();
    // The step may be wider than the range, with no multiple inside.
    let count = (last - first + 1.0).max(0.0) as usize;
    (0..count).map(|index| (first + index as f64) * step).collect()
}

/// The nearest of 1, 2 and 5 times a power of ten, by ratio.
fn round_step(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    let mantissa = step / power;
    // Halfway, as ratios go, between neighbours.
    let bounds = [(2f64.sqrt(), 1.0), (10f64.sqrt(), 2.0), (50f64.sqrt(), 5.0)];
    power * bounds.into_iter().find(|(bound, _)| mantissa < *bound).map_or(10.0, |(_, factor)| factor)
}

/// Powers of ten; 1, 2 and 5 of each where those are few; nothing where those are few too, as within less than a decade.
fn log_ticks(low: f64, high: f64, tick_count: usize) -> Option<Vec<f64>> {
    let decades = (low.log10().floor() as i32)..=(high.log10().ceil() as i32);
    let multiples = |factors: &[f64], stride: usize| -> Vec<f64> {
        let values =
            decades.clone().step_by(stride).flat_map(|decade| factors.iter().map(move |f| f * 10f64.powi(decade)));
        values.filter(|value| (low * (1.0 - 1e-9)..=high * (1.0 + 1e-9)).contains(value)).collect()
    };
    let powers = multiples(&[1.0], 1);
    if powers.len() > tick_count {
        return Some(multiples(&[1.0], powers.len().div_ceil(tick_count)));
    }
    if powers.len() > 2 {
        return Some(powers);
    }
    let fine = multiples(&[1.0, 2.0, 5.0], 1);
    (fine.len() > 2).then_some(fine)
}

/// One notation for all values at equal steps, with one exponent or SI prefix, chosen by the largest.
fn linear_labels(values: &[f64]) -> Vec<String> {
    let largest = values.iter().map(|value| value.abs()).max_by(f64::total_cmp).unwrap_or(0.0);
    let exponent = largest.log10().floor();
    let (unit, suffix) = match largest {
        0.0 => (1.0, String::new()),
        small if small < 1e-2 => (10f64.powf(exponent), format!("e{exponent}")),
        large if large >= 1e4 => si_unit(large),
        _ => (1.0, String::new()),
    };
    let label = |value: f64| if value == 0.0 { "0".to_owned() } else { trimmed(value / unit, 6) + &suffix };
    values.iter().map(|&value| label(value)).collect()
}

/// Values over decades lie too far apart for one notation.
fn log_labels(values: &[f64]) -> Vec<String> {
    // A multiple of a power of ten may be off in its last digit.
    let small = |value: f64| {
        let text = format!("{value:.5e}");
        let (mantissa, exponent) = text.split_once('e').expect("a float in this form has an exponent");
        format!("{}e{exponent}", mantissa.trim_end_matches('0').trim_end_matches('.'))
    };
    values.iter().map(|&value| if value < 1e-2 { small(value) } else { si(value, 4) }).collect()
}

/// A number as ticks have it: `12.5k`, with at most `digits` significant digits.
pub fn si(value: f64, digits: usize) -> String {
    // Half a unit in the last place, so that 999,960 is 1M and not 1000k.
    let (unit, suffix) = si_unit(value.abs() * (1.0 + 0.5 * 10f64.powi(-(digits as i32))));
    let scaled = value / unit;
    let digits_before = if scaled.abs() < 1.0 { 1 } else { scaled.abs().log10().floor() as usize + 1 };
    trimmed(scaled, digits.saturating_sub(digits_before)) + &suffix
}

fn si_unit(magnitude: f64) -> (f64, String) {
    const PREFIXES: [(f64, &str); 4] = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    PREFIXES
        .into_iter()
        .find(|(unit, _)| magnitude >= *unit)
        .map_or((1.0, String::new()), |(unit, prefix)| (unit, prefix.to_owned()))
}

/// A decimal without trailing zeros.
fn trimmed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(low: f64, high: f64, scale: Scale, tick_count: usize, expected: &str) {
        let axis = Axis::new(low, high, scale, tick_count);
        let labels: Vec<_> = axis.ticks.iter().map(|tick| tick.label.as_str()).collect();
        assert_eq!(labels.join(" "), expected);
        assert!(axis.ticks.iter().all(|tick| (-1e-6..=1.0 + 1e-6).contains(&axis.position(tick.value))), "{axis:?}");
    }

    #[test]
    fn linear_ticks_are_round_and_inside() {
        check(0.0, 1.0, Scale::Linear, 5, "0 0.2 0.4 0.6 0.8 1");
        check(1.93, 9.71, Scale::Linear, 5, "2 4 6 8");
        check(0.0, 3e-4, Scale::Linear, 5, "0 0.5e-4 1e-4 1.5e-4 2e-4 2.5e-4 3e-4");
        check(0.0, 1.05e-3, Scale::Linear, 5, "0 0.2e-3 0.4e-3 0.6e-3 0.8e-3 1e-3");
        check(0.0, 61_234.0, Scale::Linear, 5, "0 10k 20k 30k 40k 50k 60k");
        check(0.0, 12_000.0, Scale::Linear, 5, "0 2k 4k 6k 8k 10k 12k");
        check(0.0, 2.4e9, Scale::Linear, 5, "0 0.5G 1G 1.5G 2G");
        check(-0.3, 0.3, Scale::Linear, 4, "-0.2 0 0.2");
        check(4.001, 4.004, Scale::Linear, 4, "4.001 4.002 4.003 4.004");
        check(1000.0, 1001.0, Scale::Linear, 2, "1000 1000.5 1001");
        check(11.0, 19.0, Scale::Linear, 1, "");
        check(9.0, 15.0, Scale::Linear, 1, "10 15");
    }

    #[test]
    fn a_flat_range_is_widened() {
        check(5.0, 5.0, Scale::Linear, 4, "4.6 4.8 5 5.2 5.4");
        check(0.0, 0.0, Scale::Linear, 2, "0 0.5 1");
        check(5.0, 5.0, Scale::Log, 4, "4.6 4.8 5 5.2 5.4");
    }

    #[test]
    fn ticks_of_counts_are_whole() {
        let labels = |low, high, whole| {
            let axis = Axis::linear(low, high, whole, 6);
            axis.ticks.iter().map(|tick| tick.label.as_str()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(labels(0.0, 3.0, true), "0 1 2 3");
        assert_eq!(labels(0.0, 3.0, false), "0 0.5 1 1.5 2 2.5 3");
        assert_eq!(labels(7.0, 7.0, true), "7");
        assert_eq!(labels(0.0, 300.0, true), "0 50 100 150 200 250 300");
    }

    #[test]
    fn log_ticks_fit_the_number_of_decades() {
        check(1.0, 1e4, Scale::Log, 5, "1 10 100 1k 10k");
        check(1.8, 11.0, Scale::Log, 5, "2 5 10");
        check(0.8, 1.2, Scale::Log, 4, "0.8 0.9 1 1.1 1.2");
        check(1e-6, 1e6, Scale::Log, 5, "1e-6 1e-3 1 1k 1M");
        check(6e-7, 6e-5, Scale::Log, 3, "1e-6 2e-6 5e-6 1e-5 2e-5 5e-5");
        check(2e-4, 6e-3, Scale::Log, 5, "2e-4 5e-4 1e-3 2e-3 5e-3");
    }

    #[test]
    fn ticks_within_a_decade_tell_what_they_differ_in() {
        check(0.0105, 0.0125, Scale::Log, 4, "0.0105 0.011 0.0115 0.012 0.0125");
        check(2.2e-4, 9e-4, Scale::Log, 4, "4e-4 6e-4 8e-4");
        check(2.345, 2.3475, Scale::Log, 4, "2.345 2.3455 2.346 2.3465 2.347 2.3475");
        check(21_000.0, 24_000.0, Scale::Log, 4, "21k 22k 23k 24k");
    }

    #[test]
    fn si_rounds_before_it_chooses_the_prefix() {
        let cases = [(0.0, "0"), (7.25, "7.25"), (999.4, "999"), (999.9, "1k"), (12_345.0, "12.3k"), (999_960.0, "1M")];
        for (value, expected) in cases {
            assert_eq!(si(value, 3), expected);
        }
    }
}
