//! What a value has to fit, one of several.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::{Map, Value};

use super::weight::{NODE_BYTES, Patterns, Weight};
use crate::schema::interval::BOUNDS;
use crate::schema::multiples::SEARCHED_MAX;
use crate::schema::pattern::Cost;

/// Patterns of one object's properties.
const PATTERNS_MAX: usize = 64;
/// Patterns that one string has to match: what matches all of them takes as many states as the product of theirs.
const TEXTS_MAX: usize = 8;
/// Microseconds for a part that is named.
const NAME_WORK: usize = 4;

/// Schemas of one value, of which all have to fit.
pub(super) type All<'a> = Vec<&'a Value>;

/// Where in a value another one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part<'a> {
    Property(&'a str),
    Pattern(&'a str),
    /// Properties that nothing else speaks of.
    Rest,
    Item(usize),
    /// Items behind those that have a schema of their own.
    Items,
}

/// What an object, an array or a string has to fit, one of several.
#[derive(Clone)]
pub(super) struct Alternative<'a> {
    /// The names of properties, as they come.
    pub(super) order: Vec<&'a str>,
    pub(super) parts: BTreeMap<Part<'a>, All<'a>>,
    pub(super) required: BTreeSet<&'a str>,
    /// Patterns of the text itself.
    texts: BTreeSet<&'a str>,
    least_properties: u64,
    most_properties: Option<u64>,
    /// Whether nothing but what is named may come.
    is_closed: bool,
    may_be_object: bool,
    may_be_array: bool,
    /// What `const` and `enum` name in full, which leaves nothing out.
    named: Option<Named>,
    /// Whether a number is to be a multiple of a decimal, and whether one is named.
    has_decimal_step: bool,
    has_number: bool,
    /// Whether one is within a value that is named.
    has_number_within: bool,
    /// Whether a number is to be a multiple of a large step, and whether another schema has bounds.
    has_large_step: bool,
    has_bounds: bool,
    /// How many values stand for it: each is put together with all beside it.
    pub(super) number: usize,
    /// Whether `oneOf` has it, so that it is compared with the others.
    pub(super) is_exclusive: bool,
    patterns: Patterns,
    /// Microseconds to compile the patterns of the text, for each value.
    texts_micros: usize,
    /// Names, and patterns of properties and of the text.
    text_bytes: usize,
    /// Schemas of parts, once each.
    inner: Weight,
    /// Those that other parts have to fit as well.
    spread: Weight,
    /// Values that are named in full, all together.
    literals: Weight,
}

/// Values that are named in full and have parts.
#[derive(Clone, Copy)]
struct Named {
    objects: usize,
    arrays: usize,
}

/// How many properties have to come beside those that are required.
#[derive(Clone, Copy)]
enum Asked {
    Any,
    OneOrMore,
    One,
}

/// What a schema's keywords add to each alternative, but for branches.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Added {
    pub(super) inner: Weight,
    pub(super) spread: Weight,
}

impl Default for Alternative<'_> {
    fn default() -> Self {
        Alternative {
            order: Vec::new(),
            parts: BTreeMap::new(),
            required: BTreeSet::new(),
            texts: BTreeSet::new(),
            least_properties: 0,
            most_properties: None,
            is_closed: false,
            may_be_object: true,
            may_be_array: true,
            named: None,
            has_decimal_step: false,
            has_number: false,
            has_number_within: false,
            has_large_step: false,
            has_bounds: false,
            number: 1,
            is_exclusive: false,
            patterns: Patterns::default(),
            texts_micros: 0,
            text_bytes: 0,
            inner: Weight::default(),
            spread: Weight::default(),
            literals: Weight::default(),
        }
    }
}

/// Taking what schemas say.
impl<'a> Alternative<'a> {
    /// Takes what a schema says beside its branches.
    pub(super) fn take(
        &mut self,
        keywords: &'a Map<String, Value>,
        added: &Added,
        costs: &HashMap<String, Cost>,
    ) -> Result<(), String> {
        self.inner = self.inner.and(added.inner);
        self.spread = self.spread.and(added.spread);
        self.take_types(keywords);
        self.take_properties(keywords, costs);
        self.take_items(keywords);
        if let Some(text) = keywords.get("pattern").and_then(Value::as_str).filter(|text| self.texts.insert(text)) {
            self.texts_micros += Cost::of(text, costs).again_micros;
            self.text_bytes += text.len();
        }
        keywords.get("const").into_iter().for_each(|value| self.take_values(std::slice::from_ref(value)));
        let values = keywords.get("enum").and_then(Value::as_array);
        values.into_iter().for_each(|values| self.take_values(values));
        let step = keywords.get("multipleOf").and_then(Value::as_f64);
        self.has_decimal_step |= step.is_some_and(|step| step.fract() != 0.0);
        self.has_large_step |= step.is_some_and(|step| step > SEARCHED_MAX as f64);
        self.has_bounds |= step.is_none() && BOUNDS.iter().any(|name| keywords.contains_key(*name));
        // The library would judge in floats whether it is a multiple, and lose some that are.
        if self.has_decimal_step && self.has_number {
            return Err("a `multipleOf` with a fraction speaks of numbers that `enum` or `const` of another schema names: write it in the same schema as them, or name the multiples alone and leave it out".to_owned());
        }
        if self.has_large_step && self.has_bounds {
            return Err(format!(
                "a `multipleOf` of more than {SEARCHED_MAX} speaks of numbers that another schema, or a `format`, has bounds for: write them in the same schema, beside a `format` both of them, where the multiples between them are named if they are few"
            ));
        }
        let (patterns, texts) = (self.patterns.count, self.texts.len());
        if patterns > PATTERNS_MAX {
            return Err(format!(
                "`patternProperties` has {patterns} patterns for one object, those of branches included: at most {PATTERNS_MAX} are supported"
            ));
        }
        if texts > TEXTS_MAX {
            return Err(format!("one string has to match {texts} patterns: at most {TEXTS_MAX} are supported"));
        }
        Ok(())
    }

    fn take_types(&mut self, keywords: &'a Map<String, Value>) {
        let Some(types) = keywords.get("type") else { return };
        let has = |name: &str| match types {
            Value::Array(types) => types.iter().any(|other| other == name),
            other => other == name,
        };
        self.may_be_object &= has("object");
        self.may_be_array &= has("array");
    }

    fn take_properties(&mut self, keywords: &'a Map<String, Value>, costs: &HashMap<String, Cost>) {
        let members = |name: &str| keywords.get(name).and_then(Value::as_object);
        let rest = keywords.get("additionalProperties").filter(|rest| *rest != &Value::Bool(true));
        let properties = members("properties");
        let is_new = |name: &str| properties.is_none_or(|properties| !properties.contains_key(name));
        for (part, all) in &mut self.parts {
            if matches!(part, Part::Property(name) if is_new(name)) {
                all.extend(rest);
            }
        }
        let rest_before = self.all_of(Part::Rest).to_vec();
        for (name, schema) in properties.into_iter().flatten() {
            let all = self.parts.entry(Part::Property(name)).or_insert_with(|| {
                self.order.push(name);
                self.text_bytes += name.len();
                rest_before.clone()
            });
            all.push(schema);
        }
        for (pattern, schema) in members("patternProperties").into_iter().flatten() {
            if !self.parts.contains_key(&Part::Pattern(pattern)) {
                self.patterns.add(pattern, costs);
                self.text_bytes += pattern.len();
            }
            self.push(Part::Pattern(pattern), schema);
        }
        rest.into_iter().for_each(|rest| self.push(Part::Rest, rest));
        self.is_closed |= rest == Some(&Value::Bool(false));
        let required = keywords.get("required").and_then(Value::as_array).into_iter().flatten();
        for name in required.filter_map(Value::as_str) {
            self.text_bytes += if self.required.insert(name) { name.len() } else { 0 };
        }
        let least = keywords.get("minProperties").and_then(Value::as_u64).unwrap_or(0);
        self.least_properties = self.least_properties.max(least);
        let most = keywords.get("maxProperties").and_then(Value::as_u64);
        self.most_properties = self.most_properties.into_iter().chain(most).min();
    }

    fn take_items(&mut self, keywords: &'a Map<String, Value>) {
        for name in ["prefixItems", "items"] {
            let places = keywords.get(name).and_then(Value::as_array).into_iter().flatten();
            places.enumerate().for_each(|(position, schema)| self.push(Part::Item(position), schema));
        }
        let behind = ["items", "additionalItems"].into_iter().filter_map(|name| keywords.get(name));
        behind.filter(|schema| schema.is_object()).for_each(|schema| self.push(Part::Items, schema));
    }

    /// Each value is put together with all that is there.
    fn take_values(&mut self, values: &[Value]) {
        let own = values.iter().map(Weight::of_literal).fold(Weight::default(), Weight::and);
        self.literals = self.literals.times(values.len()).and(own.times(self.number));
        self.number = self.number.saturating_mul(values.len());
        self.has_number |= values.iter().any(Value::is_number);
        self.has_number_within |= values.iter().any(|value| !value.is_number() && has_number(value));
        let [objects, arrays] =
            [Value::is_object, Value::is_array].map(|is| values.iter().filter(|value| is(value)).count());
        let before = self.named.unwrap_or(Named { objects, arrays });
        self.named = Some(Named { objects: objects.min(before.objects), arrays: arrays.min(before.arrays) });
    }

    pub(super) fn names_numbers_within(&self) -> bool {
        self.has_number_within
    }

    fn push(&mut self, part: Part<'a>, schema: &'a Value) {
        self.parts.entry(part).or_default().push(schema);
    }

    pub(super) fn all_of(&self, part: Part<'a>) -> &[&'a Value] {
        self.parts.get(&part).map_or(&[], Vec::as_slice)
    }
}

/// Patterns.
impl<'a> Alternative<'a> {
    /// Those that a string has to match.
    pub(super) fn texts(&self) -> impl Iterator<Item = &'a str> {
        self.texts.iter().copied()
    }

    /// Those that the names of properties may match.
    pub(super) fn patterns_of_names(&self) -> impl Iterator<Item = &'a str> {
        self.parts.keys().filter_map(|part| match part {
            Part::Pattern(pattern) => Some(*pattern),
            _ => None,
        })
    }
}

/// What it takes to compile.
impl Alternative<'_> {
    /// Microseconds to put it together with one more schema.
    pub(super) fn work(&self) -> usize {
        self.number.saturating_mul(self.once().saturating_add(self.patterns.micros(self.names(), self.text_bytes)))
    }

    /// Microseconds to have it once more.
    pub(super) fn size(&self) -> usize {
        self.number.saturating_mul(self.once())
    }

    fn once(&self) -> usize {
        let schemas: usize = self.parts.values().map(Vec::len).sum();
        NAME_WORK * (1 + self.parts.len()) + schemas + self.required.len() + self.texts.len()
    }

    fn names(&self) -> usize {
        self.parts.len() + self.required.len()
    }

    /// Bytes of it, of all that it stands for.
    pub(super) fn bytes(&self) -> usize {
        let names = self.names();
        let each = NODE_BYTES * (1 + names) + self.text_bytes + self.inner.bytes;
        let each = each.saturating_add(self.spread.bytes.saturating_mul(names));
        each.saturating_mul(self.number).saturating_add(self.literals.bytes)
    }

    /// The same, and microseconds to make a grammar of it.
    pub(super) fn weight(&self) -> Weight {
        let names = self.names();
        let missing = self.required.iter().filter(|name| !self.parts.contains_key(&Part::Property(name))).count();
        let whole = match names {
            0 => Weight::LEAST,
            _ => Weight::of_parts(self.parts.len() + missing, self.order.len() + missing),
        };
        let parts = self.inner.and(self.spread.times(names));
        let each = self.texts_micros.saturating_add(whole.micros).saturating_add(parts.micros);
        let micros = each.saturating_mul(self.number).saturating_add(self.literals.micros);
        Weight { bytes: self.bytes(), micros }
    }

    /// Microseconds for each pair of those that `oneOf` has, times 256.
    pub(super) fn comparison(&self) -> usize {
        1 + 13 * self.required.len() * (1 + 2 * self.patterns.count)
    }
}

/// What may come at once.
impl<'a> Alternative<'a> {
    /// How many properties that may be left out stand between those that may not.
    fn runs(&self) -> Vec<usize> {
        let mut runs = vec![0];
        for name in &self.order {
            match runs.last_mut() {
                Some(run) if !self.required.contains(name) => *run += usize::from(self.may_come(name)),
                _ => runs.push(0),
            }
        }
        runs
    }

    fn may_come(&self, name: &'a str) -> bool {
        !self.all_of(Part::Property(name)).contains(&&Value::Bool(false))
    }

    /// The one value that a property has.
    pub(super) fn constant(&self, name: &'a str) -> Option<&'a Value> {
        let constant = |schema: &&'a Value| match schema.get("enum").and_then(Value::as_array) {
            Some(values) if values.len() == 1 => values.first(),
            _ => schema.get("const"),
        };
        self.all_of(Part::Property(name)).iter().find_map(constant)
    }

    /// How many of the properties have to come that `required` does not name. Where one has to and nothing else may be it, the library writes the object anew for
    /// each of them.
    fn asked(&self) -> Asked {
        let required = self.required.len() as u64;
        match self.is_closed && self.least_properties > required {
            true if self.most_properties == Some(required + 1) => Asked::One,
            true => Asked::OneOrMore,
            false => Asked::Any,
        }
    }

    /// Properties that may be left out and may come at once, at the most. Where the object is written anew for each, the one that has to be there comes with
    /// those before it.
    pub(super) fn at_once(&self) -> usize {
        if self.named.is_some() {
            return 0;
        }
        let runs = self.runs();
        let optional: usize = runs.iter().sum();
        match self.asked() {
            Asked::One => optional,
            Asked::OneOrMore => optional * (optional + 1) / 2,
            Asked::Any => runs.into_iter().max().unwrap_or(0),
        }
    }

    /// Whether one is written anew for each of its properties.
    pub(super) fn is_written_anew(&self) -> bool {
        self.named.is_none() && matches!(self.asked(), Asked::OneOrMore)
    }

    /// The library's items where an object has begun.
    pub(super) fn object_items(&self) -> usize {
        self.items(|runs, optional| match self.asked() {
            Asked::One => 2 * optional + 2,
            Asked::OneOrMore => optional * (optional + 2),
            Asked::Any => match self.rest_items() {
                rest if rest > 0 && self.required.is_empty() => 4 * optional + 6 + rest,
                _ => (4 * runs.first().unwrap_or(&0)).max(1),
            },
        })
    }

    /// Those where some of its properties have come.
    pub(super) fn later_items(&self) -> usize {
        self.items(|runs, optional| match self.asked() {
            Asked::One => optional + 1,
            Asked::OneOrMore => optional * (optional + 3) / 2,
            Asked::Any => runs.iter().max().unwrap_or(&0) + 4 + self.rest_items(),
        })
    }

    /// As many as there are objects that are named in full, or as its runs of properties that may be left out, and all of these together, say.
    fn items(&self, of_properties: impl Fn(&[usize], usize) -> usize) -> usize {
        match self.named {
            Some(named) => named.objects,
            None if self.may_be_object => {
                let runs = self.runs();
                of_properties(&runs, runs.iter().sum())
            }
            None => 0,
        }
    }

    /// Ways in which a property may come that no name stands for.
    fn rest_items(&self) -> usize {
        self.patterns.count + usize::from(!self.is_closed)
    }

    /// Those where an array has begun, but for what its first item may be.
    pub(super) fn array_items(&self) -> usize {
        match self.named {
            Some(named) => 3 * named.arrays,
            None if self.may_be_array => 7,
            None => 0,
        }
    }

    /// What its first item has to fit.
    pub(super) fn first_item(&self) -> &[&'a Value] {
        let first = if self.parts.contains_key(&Part::Item(0)) { Part::Item(0) } else { Part::Items };
        if self.named.is_some() || !self.may_be_array { &[] } else { self.all_of(first) }
    }
}

fn has_number(value: &Value) -> bool {
    match value {
        Value::Array(values) => values.iter().any(has_number),
        Value::Object(members) => members.values().any(has_number),
        other => other.is_number(),
    }
}
