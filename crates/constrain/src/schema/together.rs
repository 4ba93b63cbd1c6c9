//! What of a schema may come at once, and what it takes to compile.
//!
//! The library goes through all properties that may come next, those of branches together, and fails in the midst of an answer at some more than
//! [`OPTIONAL_MAX`]. It puts schemas of the same value together one by one, copies what it puts together for each branch and each value of `enum`, and looks each
//! time at all pairs of their patterns, which takes long, or much memory, and cannot be stopped. So all of it is counted first, over the normal form.

mod alternative;
mod weight;

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::ptr;
use std::rc::Rc;

use serde_json::{Map, Value};

use self::alternative::{Added, All, Alternative, Part};
use self::weight::Weight;
use super::Refusal;
use super::ends::definition_number;
use super::pattern::Cost;
use crate::repetitions::COUNTS_MAX;

/// Properties that may be left out and come next.
const OPTIONAL_MAX: usize = 400;
/// The library's items in one place, of which a property that may be left out has up to four and an object or an array about seven. Twice as many double a
/// mask's time; what is really there is up to this, and the library stops at four times as many.
pub(crate) const ITEMS_MAX: usize = 2_000;
/// What compiling may take, in about as many microseconds of the library.
const MICROS_MAX: usize = 1_000_000;
/// What may be copied for branches, values and references, in bytes.
const BYTES_MAX: usize = 64 << 20;
/// Microseconds for an interval of numbers that have a `multipleOf`.
const MULTIPLES_MICROS: usize = 400;
/// The same for one of them that is named.
const NAMED_MICROS: usize = 20;
/// Schemas that are looked at in a microsecond.
const LOOKED_PER_MICRO: usize = 10;
/// Bytes of constants that are printed in a microsecond.
const PRINTED_PER_MICRO: usize = 500;
/// How many times as much counts take of patterns that one string has to match: for two that are searched for, of 81 counts each, masks took 95 ms on average and up to
/// 250 (65,000 tokens, 2026-11-28).
pub(crate) const SEVERAL_WEIGHT: u64 = 8;
/// References and branches in each other, and parts of values that are put together in each other. The library refuses what is deeper.
const DEPTH_MAX: usize = 128;

/// What compiling a form takes, of all its schemas together.
#[derive(Debug, Default)]
pub(crate) struct Work {
    micros: usize,
    bytes: usize,
    /// What each pattern takes, as it is written for the library.
    costs: HashMap<String, Cost>,
}

impl Work {
    fn pay(&mut self, micros: usize) -> Result<(), String> {
        self.micros = self.micros.saturating_add(micros);
        if self.micros > MICROS_MAX {
            return Err("too much has to be put together: write fewer branches, or fewer patterns of properties, that speak of the same value, or fewer properties that have a `format` beside other bounds; where two schemas speak of one part by references that lead back to themselves, let one of them alone do so".to_owned());
        }
        Ok(())
    }

    /// For what the library has once more.
    pub(super) fn pay_copies(&mut self, bytes: usize) -> Result<(), String> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > BYTES_MAX {
            return Err(format!(
                "too much has to be put together: more than {} MiB of names, constants and patterns would be copied for branches, values of `enum` and references that have something beside them; write shorter ones, or put them where nothing is put together with them",
                BYTES_MAX >> 20
            ));
        }
        Ok(())
    }

    /// For numbers with a `multipleOf`, which are so many intervals and so many that are named.
    pub(super) fn pay_multiples(&mut self, (intervals, named): (usize, usize)) -> Result<(), String> {
        self.micros = self.micros.saturating_add(intervals.saturating_mul(MULTIPLES_MICROS) + named * NAMED_MICROS);
        if self.micros > MICROS_MAX {
            return Err("the form's numbers with a `multipleOf` take too long to compile, all together: write fewer, or refer to one schema of them".to_owned());
        }
        Ok(())
    }

    /// For a pattern that is compiled once more, where it is copied to.
    pub(super) fn pay_pattern_again(&mut self, written: &str) -> Result<(), String> {
        self.pay(Cost::of(written, &self.costs).micros)?;
        self.pay_copies(written.len())
    }

    /// For names of so many bytes that are matched by a pattern, and looked at beside it.
    pub(super) fn pay_names(&mut self, written: &str, bytes: usize) -> Result<(), String> {
        let letter_micros = Cost::of(written, &self.costs).letter_micros();
        self.pay_matching(2usize.saturating_mul(bytes).saturating_mul(letter_micros))
    }

    pub(super) fn pay_matching(&mut self, micros: usize) -> Result<(), String> {
        self.micros = self.micros.saturating_add(micros);
        if self.micros > MICROS_MAX {
            return Err("names of properties take too long to be looked at by `propertyNames` and `patternProperties`, all together: write fewer or shorter ones, or simpler patterns".to_owned());
        }
        Ok(())
    }

    pub(super) fn pay_pattern(&mut self, written: &str, cost: Cost) -> Result<(), String> {
        self.micros = self.micros.saturating_add(cost.micros);
        if self.micros > MICROS_MAX {
            return Err(
                "the form's patterns take too long to compile, all together: write fewer or simpler ones".to_owned()
            );
        }
        self.costs.insert(written.to_owned(), cost);
        Ok(())
    }
}

/// Refuses a schema that would take too long to compile, or more than may come at once. No definition leads back to itself without going into a part of
/// the value.
pub(super) fn check(definitions: &[Value], pointers: &[String], work: &mut Work) -> Result<(), Refusal> {
    let mut counted = Counted::new(definitions, work);
    for (definition, pointer) in definitions.iter().zip(pointers) {
        counted.place(definition, pointer)?;
        let refused = |reason: String| Refusal { at: pointer.clone(), reason };
        let whole = counted.weigh(definition, 0).map_err(refused)?;
        counted.work.pay(whole.micros).map_err(refused)?;
        counted.work.pay_copies(whole.bytes).map_err(refused)?;
    }
    Ok(())
}

type Found<'a> = Vec<Rc<Alternative<'a>>>;

struct Counted<'a, 'w> {
    definitions: &'a [Value],
    work: &'w mut Work,
    /// By the addresses of schemas: what a value has to fit that fits them alone, and what they take.
    found: HashMap<usize, Rc<Found<'a>>>,
    weights: HashMap<usize, Weight>,
    /// Constants by their addresses, numbered so that equal ones have the same number.
    constants: HashMap<usize, usize>,
    printed: HashMap<String, usize>,
    /// Choices among definitions that were looked at.
    choices: BTreeSet<BTreeSet<usize>>,
}

/// Looking at places.
impl<'a, 'w> Counted<'a, 'w> {
    fn new(definitions: &'a [Value], work: &'w mut Work) -> Self {
        let (found, weights, constants) = (HashMap::new(), HashMap::new(), HashMap::new());
        Counted { definitions, work, found, weights, constants, printed: HashMap::new(), choices: BTreeSet::new() }
    }

    /// Looks at a schema that stands for a value of its own, and at those of its parts.
    fn place(&mut self, schema: &'a Value, pointer: &str) -> Result<(), Refusal> {
        // What is chosen among definitions, or one of them, is looked at where they stand, and once for all places that choose so.
        let is_known = self.chosen(schema).is_some_and(|chosen| chosen.len() < 2 || !self.choices.insert(chosen));
        if is_known {
            return Ok(());
        }
        let refused = |reason: String| Refusal { at: pointer.to_owned(), reason };
        self.value(schema).map_err(refused)?;
        self.parts(schema, pointer)
    }

    /// The definitions among which a schema lets choose, beside values without parts; `None` where it says more.
    fn chosen(&self, schema: &Value) -> Option<BTreeSet<usize>> {
        if let Some(number) = only_reference(schema) {
            return Some(BTreeSet::from([number]));
        }
        let branches = branches_alone(schema)?;
        let (named, others): (Vec<_>, Vec<_>) = branches.iter().partition(|branch| only_reference(branch).is_some());
        let has_any = !named.is_empty() && others.iter().all(|schema| is_scalar(schema));
        has_any.then(|| named.into_iter().filter_map(only_reference).collect())
    }

    fn parts(&mut self, schema: &'a Value, pointer: &str) -> Result<(), Refusal> {
        for (name, value) in schema.as_object().into_iter().flatten() {
            let pointer = format!("{pointer}/{name}");
            match (name.as_str(), value) {
                ("const" | "enum" | "required", _) => {}
                ("properties" | "patternProperties", Value::Object(schemas)) => {
                    for (key, schema) in schemas {
                        let key = key.replace('~', "~0").replace('/', "~1");
                        self.place(schema, &format!("{pointer}/{key}"))?;
                    }
                }
                ("allOf" | "anyOf" | "oneOf", Value::Array(branches)) => {
                    for (position, branch) in branches.iter().enumerate() {
                        self.parts(branch, &format!("{pointer}/{position}"))?;
                    }
                }
                (_, Value::Array(schemas)) => {
                    for (position, schema) in schemas.iter().enumerate() {
                        self.place(schema, &format!("{pointer}/{position}"))?;
                    }
                }
                (_, Value::Object(_)) => self.place(value, &pointer)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Looks at a value, and at those of its parts that several schemas speak of.
    fn value(&mut self, schema: &'a Value) -> Result<(), String> {
        let mut open = VecDeque::from([(vec![vec![self.resolve(schema)]], 0)]);
        let mut seen = BTreeSet::new();
        while let Some((choices, depth)) = open.pop_front() {
            let mut alternatives = Vec::new();
            for all in &choices {
                alternatives.extend(self.all_of(all)?);
            }
            let groups = self.groups(&alternatives)?;
            check_optional(&groups)?;
            self.check_counts(&alternatives)?;
            self.check_named(&alternatives)?;
            self.check_items(&alternatives, &groups)?;
            let shared: Vec<_> = groups.iter().flat_map(|group| self.shared_parts(group)).collect();
            for choices in shared {
                self.work.pay(choices.iter().map(Vec::len).sum())?;
                // What is put together is paid for each time, as the library does it each time.
                let is_new = choices.iter().any(|all| all.len() > 1) || seen.insert(addresses(&choices));
                if is_new && depth < DEPTH_MAX {
                    open.push_back((choices, depth + 1));
                }
            }
        }
        Ok(())
    }

    /// Patterns that a string may have to match, and those of names, are kept one beside the other. Where it has to match several, each of one's counts may meet each of
    /// the other's.
    fn check_counts(&self, alternatives: &Found<'a>) -> Result<(), String> {
        let counts = |pattern: &str| Cost::of(pattern, &self.work.costs).counts;
        let (mut texts, mut names) = (BTreeMap::new(), BTreeMap::new());
        for alternative in alternatives {
            let have_several = alternative.texts().filter(|text| counts(text) > 1).nth(1).is_some();
            for text in alternative.texts() {
                let weight = if have_several { SEVERAL_WEIGHT } else { 1 };
                let most = texts.entry(text).or_insert(0);
                *most = weight.saturating_mul(counts(text)).max(*most);
            }
            names.extend(alternative.patterns_of_names().map(|pattern| (pattern, counts(pattern))));
        }
        for (patterns, what) in [(texts, "a string"), (names, "a property's name")] {
            let counts = patterns.values().copied().fold(0, u64::saturating_add);
            if counts > COUNTS_MAX {
                return Err(format!(
                    "{} patterns that {what} may match here take {counts} counts at a time together, those of branches included and {SEVERAL_WEIGHT} times as many where one has to match several, and {COUNTS_MAX} are supported: repeat with `+` or `*`, lower the numbers, or write fewer patterns",
                    patterns.len()
                ));
            }
        }
        Ok(())
    }

    /// Of numbers within values that are named in full the library judges in floats whether they are multiples.
    fn check_named(&mut self, alternatives: &Found<'a>) -> Result<(), String> {
        let named = alternatives.iter().filter(|each| each.names_numbers_within());
        let mut open: Vec<&'a Value> = named.flat_map(|each| each.parts.values().flatten().copied()).collect();
        let (mut seen, mut looked) = (BTreeSet::new(), 0);
        while let Some(schema) = open.pop() {
            looked += 1;
            match schema {
                Value::Array(schemas) => open.extend(schemas),
                Value::Object(keywords) => {
                    if keywords.get("multipleOf").and_then(Value::as_f64).is_some_and(|step| step.fract() != 0.0) {
                        return Err("a `multipleOf` with a fraction speaks of parts of an array or an object that `enum` or `const` names, numbers among them: name those alone that fit, and leave out what else is said of their parts".to_owned());
                    }
                    let referred = keywords.get("$ref").and_then(|reference| self.referred(reference));
                    open.extend(referred.filter(|schema| seen.insert(address(schema))));
                    open.extend(
                        keywords.iter().filter(|(name, _)| *name != "enum" && *name != "const").map(|(_, value)| value),
                    );
                }
                _ => {}
            }
        }
        self.work.pay(looked / LOOKED_PER_MICRO)
    }

    /// What the library's items would be where the value has begun, or gone on.
    fn check_items(&mut self, alternatives: &Found<'a>, groups: &[Found<'a>]) -> Result<(), String> {
        let objects = alternatives.iter().map(|each| each.object_items()).sum();
        let later = groups.iter().map(|group| group.iter().map(|each| each.later_items()).sum()).max().unwrap_or(0);
        let mut arrays = 0usize;
        for each in alternatives {
            let mut first = 1usize;
            for schema in each.first_item() {
                let schema = self.resolve(schema);
                first = first.saturating_mul(self.alternatives(schema, 0)?.len());
            }
            arrays = arrays.saturating_add(each.array_items()).saturating_add(if first > 1 { first } else { 0 });
        }
        let items: usize = arrays.max(objects).max(later);
        if items > ITEMS_MAX {
            return Err(format!(
                "about {items} ways to go on would stand side by side here, those of branches together: at most {ITEMS_MAX} are supported; write fewer branches or properties, or first in each branch a property that is required and has a `const`"
            ));
        }
        Ok(())
    }

    /// The parts that more than one schema speaks of, by branches or within one.
    fn shared_parts(&self, group: &Found<'a>) -> Vec<Vec<All<'a>>> {
        let mut shared: BTreeMap<Part<'a>, Vec<All<'a>>> = BTreeMap::new();
        for alternative in group {
            for (part, all) in &alternative.parts {
                let behind = match part {
                    Part::Pattern(_) => alternative.all_of(Part::Rest),
                    Part::Item(_) => alternative.all_of(Part::Items),
                    _ => &[],
                };
                let all: All<'a> = all.iter().chain(behind).map(|schema| self.resolve(schema)).collect();
                let choices = shared.entry(*part).or_default();
                if all.len() > 1 || !choices.iter().any(|other| other.len() == 1 && ptr::eq(other[0], all[0])) {
                    choices.push(all);
                }
            }
        }
        shared.into_values().filter(|choices| choices.len() > 1 || choices[0].len() > 1).collect()
    }

    /// Alternatives that may go on together: those without properties, and of the others those that no property tells apart by its one value, which all of them
    /// begin with or have behind others that they all begin with.
    fn groups(&mut self, alternatives: &Found<'a>) -> Result<Vec<Found<'a>>, String> {
        let (plain, objects): (Found<'a>, Found<'a>) =
            alternatives.iter().cloned().partition(|each| each.order.is_empty());
        let Some(first) = objects.get(..2).and_then(<[_]>::first) else { return Ok(vec![plain, objects]) };
        let begins = |position: usize, name: &str| {
            let has =
                |each: &Rc<Alternative<'_>>| each.order.get(position) == Some(&name) && each.required.contains(name);
            objects.iter().all(has)
        };
        let common = first.order.iter().enumerate().take_while(|(position, name)| begins(*position, name));
        let telling = |name: &'a str| objects.iter().map(|each| each.constant(name)).collect::<Option<Vec<_>>>();
        let values = common.map(|(_, name)| *name).find_map(telling);
        let Some(values) = values else { return Ok(vec![plain, objects]) };
        let mut groups: BTreeMap<usize, Found<'a>> = BTreeMap::new();
        for (value, alternative) in values.iter().zip(objects) {
            groups.entry(self.constant(value)?).or_default().push(alternative);
        }
        Ok(groups.into_values().chain([plain]).collect())
    }

    /// The number of a constant. One may be that of many alternatives, and is large: it is printed once.
    fn constant(&mut self, value: &Value) -> Result<usize, String> {
        if let Some(number) = self.constants.get(&address(value)) {
            return Ok(*number);
        }
        let printed = value.to_string();
        self.work.pay(1 + printed.len() / PRINTED_PER_MICRO)?;
        let next = self.printed.len();
        let number = *self.printed.entry(printed).or_insert(next);
        self.constants.insert(address(value), number);
        Ok(number)
    }
}

/// Putting schemas together.
impl<'a> Counted<'a, '_> {
    /// What a schema refers to that says nothing else.
    fn resolve(&self, schema: &'a Value) -> &'a Value {
        let mut resolved = schema;
        loop {
            let referred = lone(resolved, "$ref").and_then(|reference| self.referred(reference));
            match referred.or(only_branch(resolved)) {
                Some(next) => resolved = next,
                None => return resolved,
            }
        }
    }

    fn referred(&self, reference: &Value) -> Option<&'a Value> {
        self.definitions.get(definition_number(reference.as_str()?)?)
    }

    /// What a value has to fit that fits all of these schemas.
    fn all_of(&mut self, all: &All<'a>) -> Result<Found<'a>, String> {
        if let [schema] = all.as_slice() {
            return Ok(self.alternatives(schema, 0)?.to_vec());
        }
        let mut found = vec![Alternative::default()];
        for schema in all {
            found = self.apply(schema, found, 0)?;
        }
        Ok(found.into_iter().map(Rc::new).collect())
    }

    /// What a value has to fit that fits this schema. Of branches that nothing stands beside the library keeps references as they are, and so those of a
    /// definition are found once.
    fn alternatives(&mut self, schema: &'a Value, depth: usize) -> Result<Rc<Found<'a>>, String> {
        let schema = self.resolve(schema);
        if let Some(found) = self.found.get(&address(schema)) {
            self.work.pay(found.len())?;
            return Ok(found.clone());
        }
        check_depth(depth)?;
        let found: Found<'a> = match branches_alone(schema) {
            Some(branches) => {
                let mut found = Vec::new();
                for branch in branches {
                    found.extend(self.alternatives(branch, depth + 1)?.iter().cloned());
                }
                if lone(schema, "oneOf").is_some() {
                    self.compare(found.iter().map(Rc::as_ref))?;
                }
                found
            }
            None => self.apply(schema, vec![Alternative::default()], depth)?.into_iter().map(Rc::new).collect(),
        };
        let found = Rc::new(found);
        self.found.insert(address(schema), found.clone());
        Ok(found)
    }

    /// What a schema takes in the library's form, with all of its parts but for what is behind references that stand alone.
    fn weigh(&mut self, schema: &'a Value, depth: usize) -> Result<Weight, String> {
        let is_kept = lone(schema, "$ref").is_some() || schema.as_object().is_none_or(Map::is_empty);
        if is_kept {
            return Ok(Weight::LEAST);
        }
        if let Some(weight) = self.weights.get(&address(schema)) {
            return Ok(*weight);
        }
        check_depth(depth)?;
        // The library refuses what holds itself without such a reference.
        self.weights.insert(address(schema), Weight::LEAST);
        let branches = only_branch(schema).map(std::slice::from_ref).or(branches_alone(schema));
        let mut weight = Weight::LEAST;
        match branches {
            Some(branches) => {
                for branch in branches {
                    weight = weight.and(self.weigh(branch, depth + 1)?);
                }
            }
            None => {
                weight = self.alternatives(schema, depth)?.iter().map(|each| each.weight()).fold(weight, Weight::and)
            }
        }
        self.weights.insert(address(schema), weight);
        Ok(weight)
    }

    /// What the parts take that a schema speaks of itself.
    fn added(&mut self, keywords: &'a Map<String, Value>, depth: usize) -> Result<Added, String> {
        let mut added = Added::default();
        for (name, value) in keywords {
            let schemas: Vec<&'a Value> = match (name.as_str(), value) {
                ("properties" | "patternProperties", Value::Object(schemas)) => schemas.values().collect(),
                ("prefixItems" | "items", Value::Array(schemas)) => schemas.iter().collect(),
                ("additionalProperties" | "items" | "additionalItems", _) => vec![value],
                _ => continue,
            };
            let mut most = Weight::default();
            for schema in schemas {
                let weight = self.weigh(schema, depth + 1)?;
                added.inner = added.inner.and(weight);
                most = Weight { bytes: most.bytes.max(weight.bytes), micros: most.micros.max(weight.micros) };
            }
            // Properties that a pattern matches have to fit its schema as well, and what stands behind others is put together with them.
            if name != "properties" && !value.is_array() && most.bytes > Weight::LEAST.bytes {
                added.spread = added.spread.and(most);
            }
        }
        Ok(added)
    }

    /// What is left of the alternatives where they have to fit a schema as well.
    fn apply(
        &mut self,
        schema: &'a Value,
        before: Vec<Alternative<'a>>,
        depth: usize,
    ) -> Result<Vec<Alternative<'a>>, String> {
        self.work.pay(1)?;
        check_depth(depth)?;
        let Value::Object(keywords) = schema else {
            return Ok(if schema == &Value::Bool(false) { Vec::new() } else { before });
        };
        let mut alternatives = before;
        let added = self.added(keywords, depth)?;
        for alternative in &mut alternatives {
            alternative.take(keywords, &added, &self.work.costs)?;
            self.work.pay(alternative.work())?;
            if alternative.number > 1 {
                self.work.pay_copies(alternative.bytes())?;
            }
        }
        for (name, value) in keywords {
            let branches = value.as_array().map_or(&[][..], Vec::as_slice);
            match name.as_str() {
                "allOf" => {
                    for branch in branches {
                        alternatives = self.apply(branch, alternatives, depth + 1)?;
                    }
                }
                "anyOf" | "oneOf" => {
                    let mut all = Vec::new();
                    for branch in branches {
                        self.work.pay(alternatives.iter().map(Alternative::size).sum())?;
                        self.work.pay_copies(alternatives.iter().map(Alternative::bytes).sum())?;
                        all.extend(self.apply(branch, alternatives.clone(), depth + 1)?);
                    }
                    alternatives = all;
                    alternatives.iter_mut().for_each(|each| each.is_exclusive |= name == "oneOf");
                }
                "$ref" => {
                    if let Some(definition) = self.referred(value) {
                        let copied = self.weigh(definition, depth + 1)?.times(alternatives.len());
                        self.work.pay_copies(copied.bytes)?;
                        alternatives = self.apply(definition, alternatives, depth + 1)?;
                    }
                }
                _ => {}
            }
        }
        self.compare(alternatives.iter().filter(|each| each.is_exclusive))?;
        Ok(alternatives)
    }

    /// The library compares all branches of `oneOf` with each other.
    fn compare<'s>(&mut self, exclusive: impl Iterator<Item = &'s Alternative<'a>>) -> Result<(), String>
    where
        'a: 's,
    {
        let (mut count, mut most) = (0usize, 0);
        for each in exclusive {
            count = count.saturating_add(each.number);
            most = most.max(each.comparison());
        }
        self.work.pay(count.saturating_mul(count).saturating_mul(most) / 256)
    }
}

fn check_optional(groups: &[Found<'_>]) -> Result<(), String> {
    let at_once = |group: &Found<'_>| group.iter().map(|alternative| alternative.at_once()).sum();
    let Some(group) = groups.iter().max_by_key(|group| at_once(group)) else { return Ok(()) };
    let optional: usize = at_once(group);
    if optional <= OPTIONAL_MAX {
        return Ok(());
    }
    let anew = match group.iter().any(|alternative| alternative.is_written_anew()) {
        true => ", counted anew for each of them where `minProperties` asks for one",
        false => "",
    };
    Err(format!(
        "{optional} properties that `required` does not name may come at once, those of branches together{anew}: at most {OPTIONAL_MAX} are supported"
    ))
}

fn check_depth(depth: usize) -> Result<(), String> {
    if depth > DEPTH_MAX {
        return Err(format!(
            "references and branches are too deep: more than {DEPTH_MAX} are within each other and speak of one value"
        ));
    }
    Ok(())
}

/// The value of a keyword that stands alone.
fn lone<'v>(schema: &'v Value, name: &str) -> Option<&'v Value> {
    schema.as_object().filter(|keywords| keywords.len() == 1)?.get(name)
}

/// Branches that nothing stands beside.
fn branches_alone(schema: &Value) -> Option<&[Value]> {
    ["anyOf", "oneOf"].into_iter().find_map(|name| lone(schema, name)?.as_array()).map(Vec::as_slice)
}

/// The branch of a schema that has one alone.
fn only_branch(schema: &Value) -> Option<&Value> {
    let branches = ["allOf", "anyOf"].into_iter().find_map(|name| lone(schema, name)?.as_array())?;
    branches.first().filter(|_| branches.len() == 1)
}

/// The number of the definition that is all a schema says.
fn only_reference(schema: &Value) -> Option<usize> {
    match only_branch(schema) {
        Some(branch) => only_reference(branch),
        None => definition_number(lone(schema, "$ref")?.as_str()?),
    }
}

/// Whether a schema speaks of values without parts alone, by their types.
fn is_scalar(schema: &Value) -> bool {
    let Some(keywords) = schema.as_object() else { return false };
    let has_branches = ["allOf", "anyOf", "oneOf", "$ref"].into_iter().any(|name| keywords.contains_key(name));
    let is_scalar = |name: &Value| name.as_str().is_some_and(|name| !matches!(name, "array" | "object"));
    let types = match keywords.get("type") {
        Some(Value::Array(types)) => types.as_slice(),
        Some(name) => std::slice::from_ref(name),
        None => return false,
    };
    !has_branches && types.iter().all(is_scalar)
}

fn addresses(choices: &[All<'_>]) -> Vec<usize> {
    choices.iter().flatten().map(|schema| address(schema)).collect()
}

pub(super) fn address(value: &Value) -> usize {
    ptr::from_ref(value).addr()
}
