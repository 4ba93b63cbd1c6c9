//! JSON schemas in the form that the library compiles, and the refusal of what it would misread.
//!
//! The library passes over keywords that it does not know, reads `$ref` without its escapes, takes options out of the schema itself, and
//! computes bounds in 64-bit floats. So a schema is written anew: annotations are left out, definitions that something refers to are
//! numbered, and whatever would not be held to is refused with its place.

mod bounds;
mod ends;
mod exclusive;
mod formats;
mod interval;
mod keywords;
mod multiples;
mod names;
mod numbers;
mod open_ends;
mod pattern;
mod together;
mod unique;
mod unwritten;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use llguidance::JsonCompileOptions;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::advice::shown;
use keywords::Keyword;
use multiples::Steps;
use names::Allowed;
use pattern::Written;

pub use keywords::is_schema_type;
pub(crate) use pattern::add_counts;
pub(crate) use together::{ITEMS_MAX, SEVERAL_WEIGHT, Work};
pub(crate) use unwritten::is_written;

/// Schemas within a schema, one in another.
const DEPTH_MAX: usize = 64;
/// Schemas within a schema, all of them.
const SCHEMAS_MAX: usize = 5_000;
/// Values that `enum` and `const` name, those within others included.
const VALUES_MAX: usize = 10_000;
/// Branches of one `oneOf`, which are compared with each other.
const ONE_OF_MAX: usize = 200;

/// Between two marks of JSON: nothing, a space, or a new line with its indentation. Models write both kinds; more would let one that
/// draws at random write white space without end.
const WHITE_SPACE: &str = r"\x20|\n\x20{0,40}|\n\t{0,20}";
/// Short escapes alone: with `\u0061` for `a`, a name could be spelled so that it passes for another.
const ESCAPES: &str = r#"nrbtf\""#;

/// What of the JSON that a schema lets through is not written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Narrowing {
    /// White space between marks.
    pub compact: bool,
    /// Properties that are not named, wherever some are and it is not said what others are, as if `additionalProperties: false` stood there. Of schemas that
    /// are put together with `allOf` each forbids what the others name.
    pub closed: bool,
}

/// Why a schema is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// A JSON pointer to where.
    pub(crate) at: String,
    /// What is wrong there.
    pub(crate) reason: String,
}

type Result<T> = std::result::Result<T, Refusal>;

/// A schema as the library is given it. `work` is what compiling takes, all of one form's.
pub(crate) fn normalise(schema: &Value, narrowing: Narrowing, work: &mut Work) -> Result<Value> {
    let schema = numbers::put_together(schema);
    let mut walk = Walk::new(&schema, narrowing.closed, work);
    walk.number("");
    let mut done: Vec<Value> = Vec::new();
    while let Some(pointer) = walk.pointers.get(done.len()).cloned() {
        let value = walk.resolve(&pointer)?;
        let place = Place { definition: done.len(), in_place: true, depth: 0, pointer };
        let normal = walk.schema(value, &place)?;
        done.push(normal);
    }
    walk.refuse_circles()?;
    walk.refuse_unwritten()?;
    let ending = ends::which_end(&done);
    if ending.first() == Some(&false) {
        let reason = "no value that ends is valid: each holds another one, or one that `false` forbids".to_owned();
        return Err(Refusal { at: String::new(), reason });
    }
    done.iter_mut().for_each(|schema| ends::forbid_endless(schema, &ending));
    together::check(&done, &walk.pointers, walk.work)?;
    Ok(assemble(done, narrowing.compact))
}

/// The first definition with the others beside it, and the library's options.
fn assemble(done: Vec<Value>, is_compact: bool) -> Value {
    let mut definitions = done.into_iter().enumerate();
    let mut root = match definitions.next() {
        Some((_, Value::Object(root))) => root,
        Some((_, other)) => Map::from_iter([("allOf".to_owned(), Value::Array(vec![other]))]),
        None => Map::new(),
    };
    let definitions: Map<String, Value> = definitions.map(|(number, value)| (number.to_string(), value)).collect();
    if !definitions.is_empty() {
        root.insert("$defs".to_owned(), Value::Object(definitions));
    }
    let options = JsonCompileOptions {
        whitespace_flexible: !is_compact,
        whitespace_pattern: (!is_compact).then(|| WHITE_SPACE.to_owned()),
        json_allowed_escapes: Some(ESCAPES.to_owned()),
        ..JsonCompileOptions::default()
    };
    let mut root = Value::Object(root);
    options.apply_to(&mut root);
    root
}

/// Where a schema stands.
struct Place {
    /// The definition that it is part of.
    definition: usize,
    /// Whether it speaks of the same value as that definition.
    in_place: bool,
    depth: usize,
    pointer: String,
}

impl Place {
    /// Within this one, of the same value or of a part of it.
    fn within(&self, keys: &[&str], in_place: bool) -> Place {
        let mut pointer = self.pointer.clone();
        for key in keys {
            pointer.push('/');
            pointer.push_str(&key.replace('~', "~0").replace('/', "~1"));
        }
        Place { definition: self.definition, in_place: self.in_place && in_place, depth: self.depth + 1, pointer }
    }

    fn refusal(&self, reason: impl Into<String>) -> Refusal {
        Refusal { at: self.pointer.clone(), reason: reason.into() }
    }

    fn refuse<T>(&self, reason: impl Into<String>) -> Result<T> {
        Err(self.refusal(reason))
    }
}

struct Walk<'a, 'w> {
    root: &'a Value,
    /// Whether objects have no properties but those that are named.
    is_closed: bool,
    work: &'w mut Work,
    types: exclusive::Types<'a>,
    /// Patterns as they were written for the library, and whether they match no names with characters that are not written, though they name some.
    patterns: HashMap<String, (String, bool)>,
    /// Whether such a pattern is one of names.
    lacks_names: bool,
    /// What to say of a name with such a character beside it.
    unwritten: Option<Refusal>,
    /// Where the definitions are, by their numbers.
    pointers: Vec<String>,
    numbers: HashMap<String, usize>,
    /// Definitions that speak of the same value as another.
    same_value: BTreeMap<usize, BTreeSet<usize>>,
    schemas: usize,
    values: usize,
    steps: Steps,
}

impl<'a, 'w> Walk<'a, 'w> {
    fn new(root: &'a Value, is_closed: bool, work: &'w mut Work) -> Self {
        let (pointers, numbers, same_value) = (Vec::new(), HashMap::new(), BTreeMap::new());
        let (types, patterns, steps) = (exclusive::Types::new(root), HashMap::new(), Steps::default());
        Walk {
            root,
            is_closed,
            work,
            types,
            patterns,
            lacks_names: false,
            unwritten: None,
            pointers,
            numbers,
            same_value,
            schemas: 0,
            values: 0,
            steps,
        }
    }

    /// The number of the definition at a place.
    fn number(&mut self, pointer: &str) -> usize {
        let next = self.pointers.len();
        let number = *self.numbers.entry(pointer.to_owned()).or_insert(next);
        if number == next {
            self.pointers.push(pointer.to_owned());
        }
        number
    }

    fn resolve(&self, pointer: &str) -> Result<&'a Value> {
        let nothing =
            || Refusal { at: pointer.to_owned(), reason: "a `$ref` names this place, and nothing is there".to_owned() };
        self.root.pointer(pointer).ok_or_else(nothing)
    }

    fn schema(&mut self, value: &'a Value, place: &Place) -> Result<Value> {
        self.schemas += 1;
        if self.schemas > SCHEMAS_MAX {
            return place.refuse(format!("the schema is too large: more than {SCHEMAS_MAX} schemas are within it"));
        }
        if place.depth > DEPTH_MAX {
            return place
                .refuse(format!("the schema is too deep: more than {DEPTH_MAX} schemas are within each other"));
        }
        let keywords = match value {
            Value::Bool(_) => return Ok(value.clone()),
            Value::Object(keywords) => keywords,
            _ => return place.refuse("a schema is an object, `true` or `false`"),
        };
        // The library reads what stands between two branches apart from what stands elsewhere, and some keywords need each other.
        let (mut plain, mut branches) = (Map::new(), Map::new());
        for (name, value) in keywords {
            let keyword = Keyword::of(name).map_err(|reason| place.refusal(reason))?;
            let Some(mut normal) = self.keyword(name, keyword, value, place)? else { continue };
            let mut name = name.as_str();
            if name == "oneOf" {
                // Beside another `anyOf` it would take its place.
                match !keywords.contains_key("anyOf") && self.types.exclude(value) {
                    true => name = "anyOf",
                    false => self.look_through(&mut normal, place),
                }
            }
            let same_value =
                matches!(keyword, Keyword::Branches | Keyword::Reference | Keyword::Value | Keyword::Values);
            (if same_value { &mut branches } else { &mut plain }).insert(name.to_owned(), normal);
        }
        let names_some = ["properties", "patternProperties"].into_iter().any(|name| plain.contains_key(name));
        if self.is_closed && names_some && !plain.contains_key("additionalProperties") {
            plain.insert("additionalProperties".to_owned(), Value::Bool(false));
        }
        bounds::check_places(&plain).map_err(|reason| place.refusal(reason))?;
        bounds::check_least_properties(&plain).map_err(|reason| place.refusal(reason))?;
        bounds::required(&plain).into_iter().for_each(|name| self.note(name, place));
        plain.extend(branches);
        self.rewrite(&mut plain, keywords).map_err(|reason| place.refusal(reason))?;
        Ok(Value::Object(plain))
    }

    /// Puts keywords that the library knows in place of others, and of those that it misreads. `written` is the schema as its user wrote it.
    fn rewrite(
        &mut self,
        keywords: &mut Map<String, Value>,
        written: &Map<String, Value>,
    ) -> std::result::Result<(), String> {
        match keywords.shift_remove("propertyNames") {
            Some(Value::String(pattern)) => names::hold(keywords, &pattern, self.work)?,
            Some(_) => names::forbid(keywords),
            None => names::name_exhausted(keywords, self.work)?,
        }
        let mut beside = Vec::new();
        if let Some(format) =
            keywords.get("format").and_then(Value::as_str).map(formats::schemas).transpose()?.flatten()
        {
            keywords.shift_remove("format");
            beside = format;
        }
        if let Some(numbers) = multiples::take(keywords)? {
            self.work.pay_multiples(multiples::size(&numbers))?;
            beside.push(numbers);
        }
        beside.extend(interval::take(keywords)?);
        if keywords.shift_remove("uniqueItems").is_some() {
            let arrays = unique::take(keywords, written, self.root)?;
            if let Some((schema, size)) = arrays {
                self.count_values(size)?;
                beside.push(schema);
            }
        }
        if !beside.is_empty() {
            let all = keywords.entry("allOf").or_insert_with(|| Value::Array(Vec::new()));
            all.as_array_mut().into_iter().for_each(|all| all.append(&mut beside));
        }
        Ok(())
    }

    fn count_values(&mut self, count: usize) -> std::result::Result<(), String> {
        self.values += count;
        match self.values > VALUES_MAX {
            true => Err(format!(
                "`enum` and `const` name more than {VALUES_MAX} values, arrays that `uniqueItems` makes of them among them"
            )),
            false => Ok(()),
        }
    }

    /// A keyword's value in the normal form; `None` leaves it out.
    fn keyword(&mut self, name: &str, keyword: Keyword, value: &'a Value, place: &Place) -> Result<Option<Value>> {
        let part = || place.within(&[name], false);
        let normal = match keyword {
            Keyword::Annotation | Keyword::Definitions => return Ok(None),
            Keyword::Identifier if place.pointer.is_empty() => return Ok(None),
            Keyword::UniqueItems if value == &Value::Bool(false) => return Ok(None),
            Keyword::Identifier => {
                return place.refuse(format!("`{name}` is supported at the top of the schema alone"));
            }
            Keyword::UniqueItems if !value.is_boolean() => {
                return place.refuse(format!("`{name}` has to be `true` or `false`"));
            }
            Keyword::Unsupported => {
                return place.refuse(format!("the keyword `{name}` is not supported"));
            }
            Keyword::Value => self.literal(value, &part())?,
            Keyword::Values => match value.as_array().filter(|values| !values.is_empty()) {
                Some(values) => values.iter().map(|value| self.literal(value, &part())).collect::<Result<Value>>()?,
                None => return place.refuse(format!("`{name}` has to be an array with at least one value")),
            },
            Keyword::Schemas | Keyword::PatternSchemas => {
                let Some(schemas) = value.as_object() else {
                    return place.refuse(format!("`{name}` has to be an object of schemas"));
                };
                let patterned = keyword == Keyword::PatternSchemas;
                let member = |(key, value): (&'a String, &'a Value)| self.member(name, key, value, patterned, place);
                let normal = schemas.iter().map(member).collect::<Result<Map<_, _>>>()?;
                if normal.len() < schemas.len() {
                    return place.refuse(format!("`{name}` has two patterns that mean the same: write one for both"));
                }
                Value::Object(normal)
            }
            Keyword::Items if value.is_array() => self.list(name, value, place, false)?,
            Keyword::Schema | Keyword::Items => self.schema(value, &part())?,
            Keyword::SchemaList => self.list(name, value, place, false)?,
            Keyword::Branches => self.list(name, value, place, true)?,
            Keyword::Reference => self.reference(value, place)?,
            Keyword::MultipleOf => {
                self.steps.add(value).map_err(|reason| place.refusal(reason))?;
                value.clone()
            }
            Keyword::Pattern => {
                let Some(pattern) = value.as_str() else {
                    return place.refuse(format!("`{name}` has to be a regular expression"));
                };
                Value::from(self.pattern(pattern, false).map_err(|reason| place.refusal(reason))?)
            }
            Keyword::PropertyNames => {
                match names::allowed(value, self.root).map_err(|reason| place.refusal(reason))? {
                    Allowed::All => return Ok(None),
                    Allowed::None => Value::Bool(false),
                    // Its user may have written no pattern, but names.
                    Allowed::Of(pattern) => Value::from(self.pattern(&pattern, true).map_err(|reason| {
                        place.refusal(format!(
                            "`propertyNames`, which becomes a pattern of names, cannot be held to: {reason}"
                        ))
                    })?),
                }
            }
            Keyword::Count => Value::from(bounds::count(name, value).map_err(|reason| place.refusal(reason))?),
            Keyword::UniqueItems => value.clone(),
            Keyword::Type | Keyword::Required | Keyword::Bound | Keyword::Format => {
                bounds::check(name, keyword, value).map_err(|reason| place.refusal(reason))?;
                value.clone()
            }
        };
        Ok(Some(normal))
    }

    fn member(
        &mut self,
        name: &str,
        key: &'a str,
        value: &'a Value,
        patterned: bool,
        place: &Place,
    ) -> Result<(String, Value)> {
        let place = place.within(&[name, key], false);
        let key = match patterned {
            true => self.pattern(key, true).map_err(|reason| place.refusal(reason))?,
            false => {
                self.note(key, &place);
                key.to_owned()
            }
        };
        Ok((key, self.schema(value, &place)?))
    }

    /// A pattern as the library is given it.
    fn pattern(&mut self, pattern: &str, is_of_names: bool) -> std::result::Result<String, String> {
        let (written, lacks_some) = match self.patterns.get(pattern) {
            Some(known) => known.clone(),
            None => {
                let Written { text, cost, lacks_some } = pattern::of_ecma(pattern)?;
                self.work.pay_pattern(&text, cost)?;
                self.patterns.insert(pattern.to_owned(), (text.clone(), lacks_some));
                (text, lacks_some)
            }
        };
        self.lacks_names |= is_of_names && lacks_some;
        Ok(written)
    }

    /// Takes note of a property's name: those that are listed may have any characters.
    fn note(&mut self, name: &str, place: &Place) {
        if self.unwritten.is_none() && !name.chars().all(is_written) {
            let reason = format!(
                "the property `{}` has a control character that JSON writes by `\\u` alone, and so has what `patternProperties` or `propertyNames` lets through: of these no name with one is; leave it out of one of the two",
                shown(name)
            );
            self.unwritten = Some(place.refusal(reason));
        }
    }

    /// Patterns of names are written without the characters that such names have.
    fn refuse_unwritten(&mut self) -> Result<()> {
        self.unwritten.take().filter(|_| self.lacks_names).map_or(Ok(()), Err)
    }

    fn list(&mut self, name: &str, value: &'a Value, place: &Place, in_place: bool) -> Result<Value> {
        let Some(schemas) = value.as_array().filter(|schemas| !in_place || !schemas.is_empty()) else {
            return place.refuse(format!("`{name}` has to be an array of schemas"));
        };
        if name == "oneOf" && schemas.len() > ONE_OF_MAX {
            return place.refuse(format!("`oneOf` has more than {ONE_OF_MAX} branches"));
        }
        let mut normal = Vec::with_capacity(schemas.len());
        for (position, schema) in schemas.iter().enumerate() {
            let place = place.within(&[name, &position.to_string()], in_place);
            normal.push(self.schema(schema, &place)?);
        }
        Ok(Value::Array(normal))
    }

    /// The library tells branches of `oneOf` apart by what stands in them, and looks through a reference only where something stands
    /// beside it: `object`, if the definition says so itself.
    fn look_through(&self, branches: &mut Value, place: &Place) {
        for branch in branches.as_array_mut().into_iter().flatten() {
            let Some(keywords) = branch.as_object_mut().filter(|keywords| keywords.len() == 1) else { continue };
            let number = keywords.get("$ref").and_then(Value::as_str).and_then(ends::definition_number);
            let definition =
                number.filter(|&number| number != place.definition).and_then(|number| self.pointers.get(number));
            let is_object = |value: &Value| value.get("type").and_then(Value::as_str) == Some("object");
            if definition.and_then(|pointer| self.root.pointer(pointer)).is_some_and(is_object) {
                keywords.shift_insert(0, "type".to_owned(), "object".into());
            }
        }
    }

    fn reference(&mut self, value: &Value, place: &Place) -> Result<Value> {
        let Some(reference) = value.as_str() else { return place.refuse("`$ref` has to be a string") };
        let Some(fragment) = reference.strip_prefix('#') else {
            return place.refuse(format!(
                "`$ref` names `{reference}`: only places in the same schema (`#/…`) are read, and nothing is fetched"
            ));
        };
        let Some(pointer) =
            bounds::decode_percent(fragment).filter(|pointer| pointer.is_empty() || pointer.starts_with('/'))
        else {
            return place.refuse(format!("`$ref` names `{reference}`, which is not of the form `#/$defs/name`"));
        };
        if self.root.pointer(&pointer).is_none() {
            return place.refuse(format!("`$ref` names `{reference}`, and nothing is there"));
        }
        let number = self.number(&pointer);
        if place.in_place {
            self.same_value.entry(place.definition).or_default().insert(number);
        }
        Ok(Value::String(if number == 0 { "#".to_owned() } else { format!("#/$defs/{number}") }))
    }

    /// A value that is named in full.
    fn literal(&mut self, value: &Value, place: &Place) -> Result<Value> {
        self.count_values(1).map_err(|reason| place.refusal(reason))?;
        if place.depth > DEPTH_MAX {
            return place.refuse(format!("a value is more than {DEPTH_MAX} deep"));
        }
        match value {
            Value::Number(_) => bounds::check_number("a value", value).map_err(|reason| place.refusal(reason))?,
            Value::String(text) => bounds::check_writable(text).map_err(|reason| place.refusal(reason))?,
            Value::Array(values) => {
                for (position, value) in values.iter().enumerate() {
                    self.literal(value, &place.within(&[&position.to_string()], false))?;
                }
            }
            Value::Object(members) => {
                for (key, value) in members {
                    let place = place.within(&[key], false);
                    self.note(key, &place);
                    self.literal(value, &place)?;
                }
            }
            Value::Null | Value::Bool(_) => {}
        }
        Ok(value.clone())
    }

    /// A definition that leads back to itself without going into a part of the value says nothing.
    fn refuse_circles(&self) -> Result<()> {
        let mut ended = BTreeSet::new();
        while ended.len() < self.pointers.len() {
            let leads_out = |number: &usize| self.same_value.get(number).is_none_or(|next| next.is_subset(&ended));
            let found: Vec<usize> =
                (0..self.pointers.len()).filter(|number| !ended.contains(number) && leads_out(number)).collect();
            if found.is_empty() {
                let circle = (0..self.pointers.len()).find(|number| !ended.contains(number)).unwrap_or(0);
                let reason = "`$ref` leads back here without going into a part of the value".to_owned();
                return Err(Refusal { at: self.pointers[circle].clone(), reason });
            }
            ended.extend(found);
        }
        Ok(())
    }
}
