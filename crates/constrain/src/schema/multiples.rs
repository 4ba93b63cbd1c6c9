//! Multiples of decimal numbers, and the bounds beside them.
//!
//! The library divides digits, which is exact, but misreads what stands around that. It finds a step's digits by multiplying by ten until no fraction is left, in
//! floats, which rounds. Of 0.25 it wants all digits, so that 0.50 would pass and 0.5 would not. And it looks in floats whether two bounds have a multiple between
//! them, and finds none from 0.3 to 0.35 where the step is 0.1. So a step is given as a float next to it whose digits are found, and as one step for each number of
//! digits; bounds become the multiples next to them, which are named one by one where they are few. Numbers without bounds are as large as all who read JSON tell
//! them apart, but for those of large whole steps: others would be multiples that are none to who reads them as floats.

use std::collections::BTreeSet;
use std::{iter, slice};

use serde_json::{Map, Value, json};

use super::bounds;
use super::interval::{BOUNDS, number};
use super::keywords::TYPES;

/// The least common multiple of all steps, in units of their last digit: the library multiplies two such numbers in 32 bits.
const COMMON_MAX: u64 = 65_535;
/// The largest step, in such units, of which the library finds the multiples within bounds. It looks for one from each remainder that a token leads to: masks of
/// 1,000 took up to 20 ms on a busy machine, of 4,000 up to 126, and of 30,011 more than the library may spend (tokens of three digits, 2026-11-29).
pub(super) const SEARCHED_MAX: u64 = 1_024;
/// The largest step of whole numbers that go on without a bound, of which there is always one.
const OPEN_MAX: u64 = 10_000;
/// Multiples of a larger step are named up to so many: 5,000 take 80 ms to compile, and masks up to 6 (2026-11-29).
const LARGE_NAMED_MAX: i128 = 5_000;
/// Up to so many multiples between two bounds are named one by one. With more the library finds some, however it rounds.
const NAMED_MAX: i128 = 4;
/// The largest number that is told apart from the next in floats, where numbers are whole, and in units of the last digit, where they are not.
const WHOLE_MAX: i64 = (1 << 53) - 1;
const UNITS_MAX: i64 = 1_000_000_000_000_000;
/// Floats on each side of a step that are tried.
const FLOATS_MAX: usize = 4;

/// What a number is a multiple of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    units: u64,
    /// Digits of the units behind the point: the last one is not zero.
    behind: u32,
}

/// What all `multipleOf` of a schema have in common, each of which another may be put together with, in all numbers of digits ([`Step::by_digits`]).
#[derive(Debug, Default)]
pub(super) struct Steps(Option<Step>);

impl Steps {
    pub(super) fn add(&mut self, value: &Value) -> Result<(), String> {
        let unsupported = || {
            format!(
                "`multipleOf` is {value}: all of a schema, and 0.1 where one has a fraction, may have a common multiple of up to {COMMON_MAX} units of their last digit"
            )
        };
        if value.as_f64().is_none_or(|step| step <= 0.0) {
            return Err(format!("`multipleOf` has to be a number above 0, and {value} is none"));
        }
        let step = Step::of(value).ok_or_else(unsupported)?;
        if step.units > SEARCHED_MAX && !step.may_be_open() {
            return Ok(());
        }
        let fewest_digits = Step { units: 1, behind: step.behind.min(1) };
        let mut others = [Some(fewest_digits), self.0].into_iter().flatten();
        let common = others.try_fold(step, Step::common);
        self.0 = Some(common.ok_or_else(unsupported)?);
        if step.by_digits().any(|step| step.value().is_none()) {
            return Err(format!(
                "`multipleOf` is {value}, whose digits are lost in floats, as those of some decimals are: write one of which it is a multiple, such as {}",
                10f64.powi(-(step.behind as i32))
            ));
        }
        Ok(())
    }
}

/// Takes `multipleOf` out of a schema's keywords, and the bounds; what they ask for is a schema of its own. `None` where all numbers are whole and the step is small:
/// there it is, and all stays.
///
/// # Errors
/// The step is large, and the bounds do not leave few enough multiples.
pub(super) fn take(keywords: &mut Map<String, Value>) -> Result<Option<Value>, String> {
    let Some(step) = keywords.get("multipleOf").and_then(Step::of) else { return Ok(None) };
    if ["const", "enum"].into_iter().any(|name| keywords.contains_key(name)) {
        return Ok(step.choose(keywords).then_some(Value::Bool(false)));
    }
    let has_fractions = has_fractions(keywords);
    if step.units > SEARCHED_MAX {
        let branches = step.large(keywords, has_fractions)?;
        return Ok(Some(in_place_of_numbers(keywords, branches)));
    }
    if !has_fractions {
        step.with_digits(0).hold_whole(keywords);
        return Ok(None);
    }
    let (least, most) = step.ends(keywords);
    let is_few = most - least < NAMED_MAX;
    let named: BTreeSet<i128> = match is_few {
        true => (least..=most).collect(),
        false => [least, most].into_iter().flat_map(|end| step.prefixes(end)).collect(),
    };
    let inside = named.into_iter().filter(|times| (least..=most).contains(times));
    let [least, most] = [least, most].map(|end| step.times(end));
    let steps = step.by_digits().filter(|_| !is_few).filter_map(Step::value);
    let between = steps.map(|step| json!({"type": "number", "multipleOf": step, "minimum": least, "maximum": most}));
    let alone = inside.map(|times| step.times(times));
    let alone = alone.map(|value| json!({"type": "number", "minimum": value, "maximum": value}));
    let branches = between.chain(alone).collect();
    Ok(Some(in_place_of_numbers(keywords, branches)))
}

/// Puts what numbers are in place of what is said of them.
fn in_place_of_numbers(keywords: &mut Map<String, Value>, numbers: Vec<Value>) -> Value {
    BOUNDS.into_iter().chain(["multipleOf"]).for_each(|name| drop(keywords.shift_remove(name)));
    let others: Vec<&str> = TYPES.into_iter().filter(|name| !matches!(*name, "integer" | "number")).collect();
    let branches: Vec<Value> = iter::once(json!({"type": others})).chain(numbers).collect();
    json!({"anyOf": branches})
}

/// How many intervals and how many named numbers a schema of [`take`] has.
pub(super) fn size(numbers: &Value) -> (usize, usize) {
    let branches = numbers["anyOf"].as_array().map_or(&[][..], Vec::as_slice);
    let named = branches.iter().filter_map(|branch| branch.get("enum")?.as_array()).map(Vec::len).sum();
    (branches.len(), named)
}

/// What numbers are multiples of that are multiples of both; `None` where it cannot be told.
pub(super) fn common_multiple(one: &Value, other: &Value) -> Option<Value> {
    let mut common = Step::of(one)?.least_common(Step::of(other)?)?;
    while common.behind > 0 && common.units.is_multiple_of(10) {
        (common.units, common.behind) = (common.units / 10, common.behind - 1);
    }
    common.nearest().and_then(number).map(Value::Number).filter(|value| Step::of(value) == Some(common))
}

/// Whether numbers may have fractions by what is said of the type.
fn has_fractions(keywords: &Map<String, Value>) -> bool {
    let types = match keywords.get("type") {
        Some(Value::Array(types)) => types.as_slice(),
        Some(name) => slice::from_ref(name),
        None => return true,
    };
    types.iter().any(|name| name == "number")
}

impl Step {
    fn of(value: &Value) -> Option<Step> {
        bounds::decimal(value).map(|(units, behind)| Step { units, behind })
    }

    /// The least common multiple, where that is small.
    fn common(self, other: Step) -> Option<Step> {
        self.least_common(other).filter(|common| common.units <= COMMON_MAX)
    }

    fn least_common(self, other: Step) -> Option<Step> {
        let behind = self.behind.max(other.behind);
        let scaled = |step: Step| step.units.checked_mul(10u64.checked_pow(behind - step.behind)?);
        let (units, others) = (scaled(self)?, scaled(other)?);
        let units = (units / bounds::greatest_divisor(units, others)).checked_mul(others)?;
        Some(Step { units, behind })
    }

    fn nearest(self) -> Option<f64> {
        format!("{}e-{}", self.units, self.behind).parse().ok()
    }

    /// Whether whole numbers may be its multiples without a bound.
    fn may_be_open(self) -> bool {
        self.behind == 0 && self.units <= OPEN_MAX
    }

    /// Multiples of a large step: each is named, but for whole numbers in a direction without a bound.
    fn large(self, keywords: &Map<String, Value>, has_fractions: bool) -> Result<Vec<Value>, String> {
        let is_open = self.may_be_open();
        let step = if has_fractions { self } else { self.with_digits(0) };
        let refused = || {
            let value = self.nearest().and_then(number).map_or(Value::Null, Value::Number);
            format!(
                "`multipleOf` is {value}: of a step of more than {SEARCHED_MAX} units of its last digit, bounds in the same schema have to leave at most {LARGE_NAMED_MAX} multiples, since which of more may come is not told fast enough; a whole number up to {OPEN_MAX} may have none in a direction. Set closer bounds, or of such a number none in one direction, or leave `multipleOf` out"
            )
        };
        let mut branches = Vec::new();
        let mut open = |name: &str, times: i128| {
            branches.push(json!({"type": "integer", "multipleOf": step.units, name: step.times(times)}));
            is_open.then_some(0).ok_or_else(refused)
        };
        let [least, most] = step.bounded(keywords);
        let first = least.map_or_else(|| open("maximum", most.unwrap_or(-1).min(-1)), Ok)?;
        let last = most.map_or_else(|| open("minimum", least.unwrap_or(1).max(1)), Ok)?;
        if last.saturating_sub(first) >= LARGE_NAMED_MAX {
            return Err(refused());
        }
        let named: Vec<Value> = (first..=last).map(|times| step.times(times)).collect();
        branches.extend((!named.is_empty()).then(|| json!({"enum": named})));
        Ok(branches)
    }

    /// The float nearest to it of which the library finds its digits.
    fn value(self) -> Option<Value> {
        let nearest = self.nearest()?;
        let [above, below] = [f64::next_up, f64::next_down]
            .map(|next| iter::successors(Some(nearest), move |value| Some(next(*value))).take(FLOATS_MAX));
        let found = |value: f64| {
            let tenfold = |value: f64| (value.fract() != 0.0).then_some(value * 10.0);
            (0..self.behind).try_fold(value, |value, _| tenfold(value))
        };
        let mut tried = above.chain(below);
        tried.find(|value| found(*value) == Some(self.units as f64)).and_then(number).map(Value::Number)
    }

    /// The step of its multiples that have no more digits behind the point.
    fn with_digits(self, behind: u32) -> Step {
        let units = self.units / bounds::greatest_divisor(self.units, 10u64.pow(self.behind - behind));
        Step { units, behind }
    }

    /// The steps of its multiples with each number of digits, the most first. Of powers of ten the library takes them all.
    fn by_digits(self) -> impl Iterator<Item = Step> {
        let fewest = if self.units == 1 { self.behind } else { self.behind.min(1) };
        (fewest..=self.behind).rev().map(move |behind| self.with_digits(behind))
    }

    /// Leaves out the values that `const` and `enum` name which are no multiples or not within the bounds, so that nothing is asked of numbers beside them: of one
    /// number the library finds in floats that it is no multiple, as of 0.29 and 0.01. Whether none is left.
    fn choose(self, keywords: &mut Map<String, Value>) -> bool {
        let [least, most] = self.bounded(keywords);
        let is_taken = |value: &Value| {
            value.as_f64().is_none_or(|value| {
                let (times, rest) = self.within(value);
                rest == 0 && least.is_none_or(|least| times >= least) && most.is_none_or(|most| times <= most)
            })
        };
        let mut is_empty = keywords.get("const").is_some_and(|value| !is_taken(value));
        if let Some(Value::Array(values)) = keywords.get_mut("enum") {
            values.retain(is_taken);
            is_empty |= values.is_empty();
        }
        BOUNDS.into_iter().chain(["multipleOf"]).for_each(|name| drop(keywords.shift_remove(name)));
        if is_empty {
            ["const", "enum"].into_iter().for_each(|name| drop(keywords.shift_remove(name)));
        }
        is_empty
    }

    /// Whole numbers are bounded where they were not.
    fn hold_whole(self, keywords: &mut Map<String, Value>) {
        self.value().into_iter().for_each(|step| keywords["multipleOf"] = step);
        for (names, bound) in
            [(["minimum", "exclusiveMinimum"], -WHOLE_MAX), (["maximum", "exclusiveMaximum"], WHOLE_MAX)]
        {
            if self.units > 1 && !names.into_iter().any(|name| keywords.contains_key(name)) {
                keywords.insert(names[0].to_owned(), bound.into());
            }
        }
    }

    /// The first and the last multiple within bounds, as times of the step; without bounds, of those that all who read JSON tell apart.
    fn ends(self, keywords: &Map<String, Value>) -> (i128, i128) {
        let end = i128::from(if self.behind == 0 { WHOLE_MAX } else { UNITS_MAX }) / i128::from(self.units);
        let [least, most] = self.bounded(keywords);
        (least.map_or(-end, |least| least.max(-end)), most.map_or(end, |most| most.min(end)))
    }

    /// The first and the last multiple that the bounds leave, as times of the step, where there are bounds.
    fn bounded(self, keywords: &Map<String, Value>) -> [Option<i128>; 2] {
        let within = BOUNDS.map(|name| keywords.get(name).and_then(Value::as_f64).map(|bound| self.within(bound)));
        let [least, above, most, below] = within;
        let least = least.map(|(times, rest)| times + i128::from(rest > 0));
        let below = below.map(|(times, rest)| times - i128::from(rest == 0));
        let above = above.map(|(times, _)| times + 1);
        let most = most.map(|(times, _)| times);
        [least.into_iter().chain(above).max(), most.into_iter().chain(below).min()]
    }

    /// How many times it is within a number, rounded down, and what is left in units of the finer of the two.
    fn within(self, number: f64) -> (i128, i128) {
        let text = number.to_string();
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        // Bounds and values have at most 17 digits and at most 26 places behind the point, and a step five.
        let digits: i128 = format!("{whole}{fraction}").parse().expect("a float is written in digits, few enough");
        let scaled = digits * 10i128.pow(self.behind);
        let step = i128::from(self.units) * 10i128.pow(fraction.len() as u32);
        (scaled.div_euclid(step), scaled.rem_euclid(step))
    }

    /// So many times the step.
    fn times(self, times: i128) -> Value {
        let value = format!("{}e-{}", times * i128::from(self.units), self.behind).parse::<f64>().ok();
        value.and_then(number).map_or(Value::Null, Value::Number)
    }

    /// A multiple's beginnings behind the point that are multiples, itself among them: of a bound such as 1.25 the library wants all digits or none.
    fn prefixes(self, times: i128) -> impl Iterator<Item = i128> {
        let (step, whole) = (i128::from(self.units), 10i128.pow(self.behind));
        let cut = move |left_out: u32| times * step / 10i128.pow(left_out) * 10i128.pow(left_out);
        let cut = (0..self.behind).map(cut).filter(move |units| units % step == 0 && units % whole != 0);
        cut.map(move |units| units / step)
    }
}
