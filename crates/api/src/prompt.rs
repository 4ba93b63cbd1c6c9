//! What is to be continued or turned into a vector: text or tokens, one or several.

use std::fmt;

use schemars::JsonSchema;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Unexpected, Visitor};

use crate::whole;

/// A text, its tokens, or a list of either.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema)]
#[schemars(untagged)]
pub enum Prompt {
    /// One text.
    Text(String),
    /// Several texts.
    Texts(Vec<String>),
    /// The tokens of one text.
    Tokens(Vec<u32>),
    /// Those of several.
    TokenLists(Vec<Vec<u32>>),
}

const KINDS: &str = "a text, a list of texts, a list of token ids, or a list of such lists";

// By hand: what serde derives keeps the whole list in a form that takes some ten times as much, and says only that no variant matched.
impl<'de> Deserialize<'de> for Prompt {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Whole)
    }
}

struct Whole;

impl<'de> Visitor<'de> for Whole {
    type Value = Prompt;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(KINDS)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Prompt, E> {
        Ok(Prompt::Text(text.to_owned()))
    }

    /// The first element decides what the others have to be.
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Prompt, A::Error> {
        Ok(match list.next_element()? {
            None => Prompt::Tokens(Vec::new()),
            Some(Element::Text(first)) => Prompt::Texts(rest(first, list, |text| text)?),
            Some(Element::Token(first)) => Prompt::Tokens(rest(first, list, whole::Whole::into_inner)?),
            Some(Element::Tokens(first)) => Prompt::TokenLists(rest(first, list, whole::all)?),
        })
    }
}

fn rest<'de, T, R: Deserialize<'de>, A: SeqAccess<'de>>(
    first: T,
    mut list: A,
    of_read: impl Fn(R) -> T,
) -> Result<Vec<T>, A::Error> {
    let mut all = vec![first];
    while let Some(next) = list.next_element()? {
        all.push(of_read(next));
    }
    Ok(all)
}

/// The first of a list.
enum Element {
    Text(String),
    Token(u32),
    Tokens(Vec<u32>),
}

impl<'de> Deserialize<'de> for Element {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(First)
    }
}

struct First;

impl<'de> Visitor<'de> for First {
    type Value = Element;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text, a token id or a list of token ids")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Element, E> {
        Ok(Element::Text(text.to_owned()))
    }

    fn visit_u64<E: Error>(self, id: u64) -> Result<Element, E> {
        u32::try_from(id).map(Element::Token).map_err(|_| E::custom(format!("{id} is no token id")))
    }

    fn visit_f64<E: Error>(self, id: f64) -> Result<Element, E> {
        match whole::of_float(id).and_then(|id| u64::try_from(id).ok()) {
            Some(id) => self.visit_u64(id),
            None => Err(E::invalid_type(Unexpected::Float(id), &self)),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Element, A::Error> {
        whole::list(SeqAccessDeserializer::new(list)).map(Element::Tokens)
    }
}
