//! Keys of a data set that say under which keys its records have what, and the forms of records that have it.

use data::{Fields, Form};

use super::setting::Scalar;
use super::source::{Entry, Kind, Node};
use super::spelling::alternatives;

/// The keys of a data set's map that records of its `type` have no use for, each with the rule that breaks. Where no type is given the records tell it.
pub(crate) fn unread(dataset: &Node) -> Vec<(&Entry, String)> {
    let r#type = dataset.entry("type").and_then(|entry| entry.value.text());
    let Some(form) = r#type.and_then(|name| <Form as Scalar>::parse(name, false)) else { return Vec::new() };
    let word = |form: &Form| form.value().as_str().unwrap_or_default().to_owned();
    let rule = |forms: &[Form]| {
        let words: Vec<String> = forms.iter().map(word).collect();
        format!("needs `type` to be {}, and it is `{}`", alternatives(words.iter().map(String::as_str)), word(&form))
    };
    let given = Fields::READ_BY.into_iter().filter_map(|(key, forms)| Some((dataset.entry(key)?, forms)));
    let unread = given.filter(|(entry, forms)| !forms.contains(&form) && !is_empty(&entry.value));
    unread.map(|(entry, forms)| (entry, rule(forms))).collect()
}

fn is_empty(value: &Node) -> bool {
    match &value.kind {
        Kind::Scalar { .. } => value.is_null(),
        Kind::List(items) => items.is_empty(),
        Kind::Map(entries) => entries.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Dataset;
    use super::super::setting::{Details, Setting};
    use super::*;

    #[test]
    fn all_keys_of_records_are_listed() {
        let Details::Keys(groups) = Dataset::details() else { panic!("a data set is a map") };
        let others = ["path", "split", "weight", "type"];
        let keys = groups.iter().flat_map(|group| &group.keys).map(|info| info.key);
        let keys: Vec<&str> = keys.filter(|key| !others.contains(key)).collect();
        let mut listed = Fields::READ_BY.map(|(key, _)| key);
        listed.sort_by_key(|key| keys.iter().position(|other| other == key));
        assert_eq!(keys, listed);
    }
}
