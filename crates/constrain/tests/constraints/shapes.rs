//! Schemas with instances of them, made at random.

mod changes;
mod written;

use serde_json::{Map, Value, json};

use crate::vocabularies::Random;

pub(crate) use changes::changes;

/// A schema with what it may refer to.
pub(crate) struct Document {
    root: Shape,
    definitions: Vec<(&'static str, Shape)>,
}

/// What a schema asks for, so that an instance follows from the same.
enum Shape {
    Null,
    Bool,
    Integer {
        bounds: Bounds,
        multiple: Option<i64>,
    },
    /// Bounds in tenths.
    Number {
        bounds: Bounds,
    },
    Text {
        least: usize,
        most: Option<usize>,
    },
    /// A keyword with its value, and strings that fit.
    Written {
        keyword: &'static str,
        value: &'static str,
        examples: &'static [&'static str],
    },
    Constants(Vec<Value>),
    Array {
        items: Box<Shape>,
        least: usize,
        most: Option<usize>,
    },
    Tuple {
        places: Vec<Shape>,
        rest: Option<Box<Shape>>,
    },
    Object {
        properties: Vec<Property>,
        rest: Rest,
    },
    AnyOf(Vec<Shape>),
    /// Objects that a constant tells apart.
    Tagged(Vec<Vec<Property>>),
    /// Types that differ, under `oneOf`.
    OneOf(Vec<Shape>),
    /// Properties in two parts of an `allOf`.
    Both(Vec<Property>, Vec<Property>),
    OrNull(Box<Shape>),
    Reference(&'static str),
}

/// From, to, and whether each is excluded.
#[derive(Clone, Copy)]
struct Bounds {
    least: Option<i64>,
    most: Option<i64>,
    above: bool,
    below: bool,
}

struct Property {
    name: String,
    shape: Shape,
    required: bool,
}

enum Rest {
    Open,
    Closed,
    Of(Box<Shape>),
    /// Names by a pattern, and no others.
    Named(Box<Shape>),
}

const WRITTEN: &[(&str, &str, &[&str])] = &[
    ("pattern", "^[a-c]{2,4}$", &["ab", "cab", "abca"]),
    ("pattern", "^\\d{3}-\\d{4}$", &["555-0123", "123-9999"]),
    ("pattern", "ab", &["ab", "cab", "  abc\n"]),
    ("pattern", "^(red|blue)\\s?\\w*$", &["red", "blue x_1", "redb"]),
    ("pattern", "[^a-z\"]$", &["A", "a1", "é"]),
    ("format", "date", &["2024-02-29", "1999-12-31"]),
    ("format", "time", &["12:00:00Z", "23:59:59.5+01:00"]),
    ("format", "date-time", &["2024-02-28T12:00:00Z", "1999-12-31T23:59:59.123-08:00"]),
    ("format", "email", &["a@example.com", "first.last@sub.example.org"]),
    ("format", "ipv4", &["127.0.0.1", "255.0.10.199"]),
    ("format", "ipv6", &["::1", "2001:db8:0:0:0:0:0:1"]),
    ("format", "uuid", &["123e4567-e89b-12d3-a456-426614174000"]),
    ("format", "hostname", &["example.com", "a-1.b"]),
    ("format", "uri", &["https://example.com/a?b=c#d", "urn:x:y"]),
    ("format", "duration", &["P1Y2M3D", "PT5M", "P2W"]),
];

const NAMES: &[&str] = &["a", "b", "name", "id", "x y", "größe", "a\"b", "猫", "value", "list"];

impl Document {
    pub(crate) fn new(seed: u64) -> Document {
        let mut random = Random(seed.wrapping_mul(0x5851_F42D_4C95_7F2D));
        let tree = Shape::Object {
            properties: vec![
                Property {
                    name: "value".into(),
                    shape: Shape::Integer { bounds: Bounds::none(), multiple: None },
                    required: true,
                },
                Property {
                    name: "children".into(),
                    shape: Shape::Array { items: Box::new(Shape::Reference("tree")), least: 0, most: Some(2) },
                    required: random.chance(50),
                },
            ],
            rest: Rest::Closed,
        };
        let list = Shape::OrNull(Box::new(Shape::Object {
            properties: vec![
                Property { name: "head".into(), shape: Shape::Bool, required: true },
                Property { name: "tail".into(), shape: Shape::Reference("list/~ %"), required: true },
            ],
            rest: Rest::Closed,
        }));
        let word = Shape::make(&mut random, 0);
        let root = Shape::make(&mut random, 3);
        Document { root, definitions: vec![("tree", tree), ("list/~ %", list), ("word", word)] }
    }

    pub(crate) fn schema(&self) -> Value {
        let definitions: Map<String, Value> =
            self.definitions.iter().map(|(name, shape)| ((*name).to_owned(), shape.schema())).collect();
        let mut root = self.root.schema();
        let keywords = root.as_object_mut().unwrap();
        keywords.insert("$defs".into(), Value::Object(definitions));
        keywords.insert("title".into(), "made at random".into());
        root
    }

    pub(crate) fn instance(&self, random: &mut Random) -> Value {
        self.of(&self.root, random, 4)
    }

    fn of(&self, shape: &Shape, random: &mut Random, depth: usize) -> Value {
        match shape {
            Shape::Null => Value::Null,
            Shape::Bool => random.chance(50).into(),
            Shape::Integer { bounds, multiple } => {
                let step = multiple.unwrap_or(1);
                let (first, last) = bounds.whole();
                let candidates: Vec<i64> = (first..=last).filter(|number| number % step == 0).collect();
                (*random.choose(&candidates)).into()
            }
            Shape::Number { bounds } => {
                let (first, last) = bounds.whole();
                let tenths = first + random.below((last - first + 1) as usize) as i64;
                if tenths % 10 == 0 { (tenths / 10).into() } else { (tenths as f64 / 10.0).into() }
            }
            Shape::Text { least, most } => {
                let length = least + random.below(most.unwrap_or(least + 6) - least + 1);
                let letters: Vec<char> = "ab \"\\\né猫🐈/{}[],:1".chars().collect();
                (0..length).map(|_| *random.choose(&letters)).collect::<String>().into()
            }
            Shape::Written { examples, .. } => (*random.choose(examples)).into(),
            Shape::Constants(values) => random.choose(values).clone(),
            Shape::Array { items, least, most } => {
                let most = most.unwrap_or(least + 3);
                let most = if depth == 0 { *least } else { most };
                let count = least + random.below(most - least + 1);
                (0..count).map(|_| self.of(items, random, depth.saturating_sub(1))).collect()
            }
            Shape::Tuple { places, rest } => {
                let mut values: Vec<Value> =
                    places.iter().map(|place| self.of(place, random, depth.saturating_sub(1))).collect();
                if let Some(rest) = rest.as_ref().filter(|_| random.chance(50)) {
                    values.push(self.of(rest, random, depth.saturating_sub(1)));
                }
                Value::Array(values)
            }
            Shape::Object { properties, rest } => self.object(properties, rest, random, depth),
            Shape::AnyOf(shapes) | Shape::OneOf(shapes) => {
                let shape = random.choose(shapes);
                self.of(shape, random, depth)
            }
            Shape::Tagged(branches) => {
                let number = random.below(branches.len());
                let mut members = Map::from_iter([("kind".to_owned(), json!(format!("k{number}")))]);
                members.extend(self.members(&branches[number], random, depth));
                Value::Object(members)
            }
            Shape::Both(first, second) => {
                let mut members = self.members(first, random, depth);
                members.extend(self.members(second, random, depth));
                Value::Object(members)
            }
            Shape::OrNull(_) if depth == 0 || random.chance(30) => Value::Null,
            Shape::OrNull(shape) => self.of(shape, random, depth.saturating_sub(1)),
            Shape::Reference(name) => {
                let (_, shape) = self.definitions.iter().find(|(known, _)| known == name).unwrap();
                self.of(shape, random, depth.saturating_sub(1))
            }
        }
    }

    fn object(&self, properties: &[Property], rest: &Rest, random: &mut Random, depth: usize) -> Value {
        let mut members = self.members(properties, random, depth);
        match rest {
            Rest::Open if random.chance(50) => drop(members.insert("zz".into(), json!([1, {"y": null}]))),
            Rest::Of(shape) if random.chance(50) => {
                drop(members.insert("zz".into(), self.of(shape, random, depth.saturating_sub(1))))
            }
            Rest::Named(shape) if random.chance(50) => {
                drop(members.insert("x-12".into(), self.of(shape, random, depth.saturating_sub(1))))
            }
            _ => {}
        }
        Value::Object(members)
    }

    fn members(&self, properties: &[Property], random: &mut Random, depth: usize) -> Map<String, Value> {
        let mut members = Map::new();
        for property in properties {
            if property.required || depth > 0 && random.chance(60) {
                members.insert(property.name.clone(), self.of(&property.shape, random, depth.saturating_sub(1)));
            }
        }
        members
    }
}

impl Bounds {
    fn none() -> Bounds {
        Bounds { least: None, most: None, above: false, below: false }
    }

    fn make(random: &mut Random, range: usize) -> Bounds {
        let least = random.chance(60).then(|| random.below(2 * range) as i64 - range as i64);
        let span = 4 + random.below(range) as i64;
        let most = random.chance(60).then(|| least.unwrap_or(random.below(range) as i64 - 10) + span);
        Bounds { least, most, above: random.chance(40), below: random.chance(40) }
    }

    /// The first and the last whole number within.
    fn whole(&self) -> (i64, i64) {
        let first = self.least.map(|least| least + i64::from(self.above));
        let last = self.most.map(|most| most - i64::from(self.below));
        (first.unwrap_or(last.unwrap_or(0).min(0) - 40), last.unwrap_or(first.unwrap_or(0).max(0) + 40))
    }

    fn put(&self, keywords: &mut Map<String, Value>, value: impl Fn(i64) -> Value) {
        if let Some(least) = self.least {
            keywords.insert(if self.above { "exclusiveMinimum" } else { "minimum" }.into(), value(least));
        }
        if let Some(most) = self.most {
            keywords.insert(if self.below { "exclusiveMaximum" } else { "maximum" }.into(), value(most));
        }
    }
}

impl Shape {
    fn make(random: &mut Random, depth: usize) -> Shape {
        let leaf = depth == 0 || random.chance(25);
        if leaf {
            return Self::make_leaf(random);
        }
        let inner = |random: &mut Random| Box::new(Self::make(random, depth - 1));
        let some = |random: &mut Random, least: usize| {
            (0..least + random.below(3)).map(|_| Self::make(random, depth - 1)).collect()
        };
        match random.below(12) {
            0 | 1 => {
                let least = random.below(3);
                let most = random.chance(50).then(|| least + random.below(4));
                Shape::Array { items: inner(random), least, most }
            }
            2 => Shape::Tuple { places: some(random, 1), rest: random.chance(50).then(|| inner(random)) },
            3..=5 => {
                let properties = Property::some(random, depth - 1, "");
                let rest = match random.below(5) {
                    0 => Rest::Open,
                    1 => Rest::Of(inner(random)),
                    2 => Rest::Named(inner(random)),
                    _ => Rest::Closed,
                };
                Shape::Object { properties, rest }
            }
            6 => Shape::AnyOf(some(random, 1)),
            7 => Shape::Tagged((0..2 + random.below(2)).map(|_| Property::some(random, depth - 1, "")).collect()),
            8 => Shape::OneOf(vec![
                Shape::Null,
                Shape::Text { least: 0, most: None },
                Shape::Array { items: inner(random), least: 0, most: None },
            ]),
            9 => Shape::Both(Property::some(random, depth - 1, ""), Property::some(random, depth - 1, "2")),
            10 => Shape::OrNull(inner(random)),
            _ => Shape::Reference(["tree", "list/~ %", "word"][random.below(3)]),
        }
    }

    fn make_leaf(random: &mut Random) -> Shape {
        match random.below(9) {
            0 => Shape::Null,
            1 => Shape::Bool,
            2 => Shape::Integer {
                bounds: Bounds::make(random, 50),
                multiple: random.chance(25).then(|| 1 + random.below(4) as i64),
            },
            3 => Shape::Integer { bounds: Bounds::none(), multiple: None },
            4 | 5 => Shape::Number { bounds: Bounds::make(random, 30) },
            6 => {
                let least = random.below(4);
                Shape::Text { least, most: random.chance(50).then(|| least + random.below(5)) }
            }
            7 => {
                let (keyword, value, examples) = *random.choose(WRITTEN);
                Shape::Written { keyword, value, examples }
            }
            _ => {
                let all = [
                    json!(1),
                    json!(-2.5),
                    json!(true),
                    json!(null),
                    json!("red"),
                    json!("a\"b"),
                    json!([1, "x"]),
                    json!({"k": [], "j": 0}),
                ];
                Shape::Constants((0..1 + random.below(4)).map(|_| random.choose(&all).clone()).collect())
            }
        }
    }
}

impl Property {
    fn some(random: &mut Random, depth: usize, suffix: &str) -> Vec<Property> {
        let mut properties: Vec<Property> = Vec::new();
        for _ in 0..random.below(4) {
            let name = format!("{}{suffix}", random.choose(NAMES));
            if properties.iter().all(|other| other.name != name) {
                properties.push(Property { name, shape: Shape::make(random, depth), required: random.chance(60) });
            }
        }
        properties
    }
}
