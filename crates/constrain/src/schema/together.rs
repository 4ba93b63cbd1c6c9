//! What of a schema may come at once.
//!
//! The library goes through all properties that may come next, those of branches together, and fails in the midst of an answer at some more than
//! [`OPTIONAL_MAX`]. It puts schemas of the same value together one by one, and looks each time at all pairs of their patterns, which takes long
//! and cannot be stopped. So both are counted first, over the normal form.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ptr;

use serde_json::{Map, Value};

use super::Refusal;
use super::ends::definition_number;

/// Properties that may be left out and come next.
const OPTIONAL_MAX: usize = 400;
/// Patterns of one object's properties.
const PATTERNS_MAX: usize = 64;
/// Patterns that one string has to match: what matches all of them takes as many states as the product of theirs.
const TEXTS_MAX: usize = 8;
/// What putting schemas together may take, in about as many microseconds of the library: for a part that is named, and for the patterns of an object a
/// sixth of their cube, as its store of expressions is copied for each pair of them and grows with it.
const WORK_MAX: usize = 1_000_000;
const NAME_WORK: usize = 4;
/// References and branches in each other, and parts of values that are put together in each other. The library refuses what is deeper.
const DEPTH_MAX: usize = 128;

/// Schemas of one value, of which all have to fit.
type All<'a> = Vec<&'a Value>;

/// Refuses a schema that would take too long to compile, or more than may come at once. No definition leads back to itself without going into a part of
/// the value.
pub(super) fn check(definitions: &[Value], pointers: &[String], work: &mut usize) -> Result<(), Refusal> {
    let mut counted = Counted { definitions, work };
    for (definition, pointer) in definitions.iter().zip(pointers) {
        counted.place(definition, pointer)?;
    }
    Ok(())
}

/// What an object, an array or a string has to fit, one of several.
#[derive(Clone, Default)]
struct Alternative<'a> {
    /// The names of properties, as they come.
    order: Vec<&'a str>,
    parts: BTreeMap<Part<'a>, All<'a>>,
    required: BTreeSet<&'a str>,
    /// Patterns of the text itself.
    texts: BTreeSet<&'a str>,
    least_properties: u64,
    most_properties: Option<u64>,
    /// Whether nothing but what is named may come.
    is_closed: bool,
    /// Whether `const` or `enum` names the value in full, and so leaves nothing out.
    is_named: bool,
}

/// Where in a value another one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part<'a> {
    Property(&'a str),
    Pattern(&'a str),
    /// Properties that nothing else speaks of.
    Rest,
    Item(usize),
    /// Items behind those that have a schema of their own.
    Items,
}

struct Counted<'a, 'w> {
    definitions: &'a [Value],
    work: &'w mut usize,
}

impl<'a> Counted<'a, '_> {
    /// Looks at a schema that stands for a value of its own, and at those of its parts.
    fn place(&mut self, schema: &'a Value, pointer: &str) -> Result<(), Refusal> {
        // What a reference that stands alone refers to is looked at where it stands.
        if !ptr::eq(self.resolve(schema), schema) {
            return Ok(());
        }
        let refused = |reason: String| Refusal { at: pointer.to_owned(), reason };
        self.value(schema).map_err(refused)?;
        self.parts(schema, pointer)
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
                let mut found = vec![Alternative::default()];
                for schema in all {
                    found = self.apply(schema, found, 0)?;
                }
                alternatives.extend(found);
            }
            let groups = groups(&alternatives);
            let optional = groups.iter().map(|group| at_once(group)).max().unwrap_or(0);
            if optional > OPTIONAL_MAX {
                return Err(format!(
                    "{optional} properties that `required` does not name may come at once, those of branches together: at most {OPTIONAL_MAX} are supported"
                ));
            }
            let shared: Vec<_> = groups.iter().flat_map(|group| self.shared_parts(group)).collect();
            for choices in shared {
                self.pay(choices.iter().map(Vec::len).sum())?;
                // What is put together is paid for each time, as the library does it each time.
                let is_new = choices.iter().any(|all| all.len() > 1) || seen.insert(addresses(&choices));
                if is_new && depth < DEPTH_MAX {
                    open.push_back((choices, depth + 1));
                }
            }
        }
        Ok(())
    }

    /// The parts that more than one schema speaks of, by branches or within one.
    fn shared_parts(&self, group: &[&Alternative<'a>]) -> Vec<Vec<All<'a>>> {
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

    /// What a reference that stands alone refers to.
    fn resolve(&self, schema: &'a Value) -> &'a Value {
        let keywords = schema.as_object().filter(|keywords| keywords.len() == 1);
        keywords.and_then(|keywords| self.referred(keywords.get("$ref")?)).unwrap_or(schema)
    }

    fn referred(&self, reference: &Value) -> Option<&'a Value> {
        self.definitions.get(definition_number(reference.as_str()?)?)
    }

    /// What is left of the alternatives where they have to fit a schema as well.
    fn apply(
        &mut self,
        schema: &'a Value,
        before: Vec<Alternative<'a>>,
        depth: usize,
    ) -> Result<Vec<Alternative<'a>>, String> {
        self.pay(1)?;
        if depth > DEPTH_MAX {
            return Err(format!(
                "references and branches are too deep: more than {DEPTH_MAX} are within each other and speak of one value"
            ));
        }
        let Value::Object(keywords) = schema else {
            return Ok(if schema == &Value::Bool(false) { Vec::new() } else { before });
        };
        let mut alternatives = before;
        for alternative in &mut alternatives {
            alternative.take(keywords)?;
            self.pay(alternative.work())?;
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
                        self.pay(alternatives.iter().map(Alternative::size).sum())?;
                        all.extend(self.apply(branch, alternatives.clone(), depth + 1)?);
                    }
                    alternatives = all;
                }
                "$ref" => {
                    if let Some(definition) = self.referred(value) {
                        alternatives = self.apply(definition, alternatives, depth + 1)?;
                    }
                }
                _ => {}
            }
        }
        Ok(alternatives)
    }

    fn pay(&mut self, work: usize) -> Result<(), String> {
        *self.work = self.work.saturating_add(work);
        if *self.work > WORK_MAX {
            return Err("too much has to be put together: write fewer branches, or fewer patterns of properties, that speak of the same value".to_owned());
        }
        Ok(())
    }
}

impl<'a> Alternative<'a> {
    /// Takes what a schema says beside its branches.
    fn take(&mut self, keywords: &'a Map<String, Value>) -> Result<(), String> {
        self.take_properties(keywords);
        self.take_items(keywords);
        self.texts.extend(keywords.get("pattern").and_then(Value::as_str));
        self.is_named |= keywords.contains_key("const") || keywords.contains_key("enum");
        let (patterns, texts) = (self.patterns(), self.texts.len());
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

    fn take_properties(&mut self, keywords: &'a Map<String, Value>) {
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
                rest_before.clone()
            });
            all.push(schema);
        }
        for (pattern, schema) in members("patternProperties").into_iter().flatten() {
            self.push(Part::Pattern(pattern), schema);
        }
        rest.into_iter().for_each(|rest| self.push(Part::Rest, rest));
        self.is_closed |= rest == Some(&Value::Bool(false));
        let required = keywords.get("required").and_then(Value::as_array).into_iter().flatten();
        self.required.extend(required.filter_map(Value::as_str));
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

    fn push(&mut self, part: Part<'a>, schema: &'a Value) {
        self.parts.entry(part).or_default().push(schema);
    }

    fn all_of(&self, part: Part<'a>) -> &[&'a Value] {
        self.parts.get(&part).map_or(&[], Vec::as_slice)
    }

    fn patterns(&self) -> usize {
        self.parts.keys().filter(|part| matches!(part, Part::Pattern(_))).count()
    }

    fn work(&self) -> usize {
        self.size() + self.patterns().pow(3) / 6
    }

    /// What it takes to have it once more, in work and in memory.
    fn size(&self) -> usize {
        let schemas: usize = self.parts.values().map(Vec::len).sum();
        NAME_WORK * (1 + self.parts.len()) + schemas + self.required.len() + self.texts.len()
    }

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
    fn constant(&self, name: &'a str) -> Option<&'a Value> {
        let constant = |schema: &&'a Value| match schema.get("enum").and_then(Value::as_array) {
            Some(values) if values.len() == 1 => values.first(),
            _ => schema.get("const"),
        };
        self.all_of(Part::Property(name)).iter().find_map(constant)
    }

    /// Properties that may be left out and may come at once, at the most. Where there has to be one of them, the library writes the object anew for each, with
    /// those behind it where there may be more than one.
    fn at_once(&self) -> usize {
        if self.is_named {
            return 0;
        }
        let runs = self.runs();
        let optional: usize = runs.iter().sum();
        match self.is_closed && self.least_properties > self.required.len() as u64 {
            true if self.most_properties == Some(1) => optional,
            true => optional * (optional + 1) / 2,
            false => runs.into_iter().max().unwrap_or(0),
        }
    }
}

/// Sums over alternatives: nothing tells them apart.
fn at_once(group: &[&Alternative<'_>]) -> usize {
    group.iter().map(|alternative| alternative.at_once()).sum()
}

/// Alternatives that may go on together: those without properties, and of the others those that no property tells apart by its one value, which all of them
/// begin with or have behind others that they all begin with.
fn groups<'s, 'a>(alternatives: &'s [Alternative<'a>]) -> Vec<Vec<&'s Alternative<'a>>> {
    let (plain, objects): (Vec<_>, Vec<_>) = alternatives.iter().partition(|each| each.order.is_empty());
    let Some(first) = objects.first() else { return vec![plain] };
    let begins = |position: usize, name: &str| {
        let has = |each: &&Alternative<'_>| each.order.get(position) == Some(&name) && each.required.contains(name);
        objects.iter().all(has)
    };
    let common = first.order.iter().enumerate().take_while(|(position, name)| begins(*position, name));
    let telling = |name: &'a str| objects.iter().map(|each| each.constant(name)).collect::<Option<Vec<_>>>();
    let values = common.map(|(_, name)| *name).find_map(telling);
    let Some(values) = values else { return vec![plain, objects] };
    // One value may be that of many alternatives, and is large: it is printed once.
    let mut printed: BTreeMap<usize, String> = BTreeMap::new();
    for value in &values {
        printed.entry(address(value)).or_insert_with(|| value.to_string());
    }
    let mut groups: BTreeMap<&str, Vec<&Alternative<'a>>> = BTreeMap::new();
    for (value, alternative) in values.iter().zip(objects) {
        groups.entry(&printed[&address(value)]).or_default().push(alternative);
    }
    groups.into_values().chain([plain]).collect()
}

fn addresses(choices: &[All<'_>]) -> Vec<usize> {
    choices.iter().flatten().map(|schema| address(schema)).collect()
}

fn address(value: &Value) -> usize {
    ptr::from_ref(value).addr()
}
