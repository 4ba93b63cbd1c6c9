//! Under which keys a record holds what.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::record::{Form, kind};

/// The keys of a data set's records, where they differ from the usual ones of its form.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fields {
    /// The text of a document; `text` if not set.
    pub text: Option<String>,
    /// The list of messages; `messages` or `conversations` if not set.
    pub messages: Option<String>,
    /// The list of tools' schemas; `tools` if not set.
    pub tools: Option<String>,
    /// What a template calls a key of a message, and what the record calls it: `role` from `from`, `content` from
    /// `value`.
    pub message: BTreeMap<String, String>,
    /// The key of a message that says whether the loss counts it; `train` if not set.
    pub train: Option<String>,
    /// Each role with the names that the records have for it.
    pub roles: BTreeMap<String, Vec<String>>,
    /// An instruction; `instruction` if not set.
    pub instruction: Option<String>,
    /// What an instruction is about; `input` if not set.
    pub input: Option<String>,
    /// The answer to an instruction; `output` if not set.
    pub output: Option<String>,
    /// What the system says: before a conversation `system` if not set, and before an instruction in place of the usual words none.
    pub system: Option<String>,
}

const CONVERSATIONS: &[Form] = &[Form::Messages, Form::Sharegpt, Form::PromptCompletion];

impl Fields {
    /// What configurations call the fields, and the forms whose records have them.
    pub const READ_BY: [(&str, &[Form]); 12] = [
        ("field", &[Form::Text]),
        ("field_messages", &[Form::Messages, Form::Sharegpt]),
        ("field_tools", CONVERSATIONS),
        ("message_property_mappings", CONVERSATIONS),
        ("message_field_role", CONVERSATIONS),
        ("message_field_content", CONVERSATIONS),
        ("message_field_training", CONVERSATIONS),
        ("roles", CONVERSATIONS),
        ("field_instruction", &[Form::Alpaca]),
        ("field_input", &[Form::Alpaca]),
        ("field_output", &[Form::Alpaca]),
        ("field_system", &[Form::Messages, Form::Sharegpt, Form::PromptCompletion, Form::Alpaca]),
    ];

    /// The first that is set and that records of `form` do not have, as configurations call it, quoted.
    pub(crate) fn unread_by(&self, form: Form) -> Option<String> {
        let unread = Fields::READ_BY.into_iter().find(|(name, forms)| self.has(name) && !forms.contains(&form));
        unread.map(|(name, _)| match name {
            // All are kept as one, and so any of them may have been written.
            "message_property_mappings" | "message_field_role" | "message_field_content" => {
                "`message_property_mappings`, `message_field_role` or `message_field_content`".to_owned()
            }
            name => format!("`{name}`"),
        })
    }

    /// Whether what configurations call `name` is set.
    fn has(&self, name: &str) -> bool {
        match name {
            "field" => self.text.is_some(),
            "field_messages" => self.messages.is_some(),
            "field_tools" => self.tools.is_some(),
            "message_property_mappings" | "message_field_role" | "message_field_content" => !self.message.is_empty(),
            "message_field_training" => self.train.is_some(),
            "roles" => !self.roles.is_empty(),
            "field_instruction" => self.instruction.is_some(),
            "field_input" => self.input.is_some(),
            "field_output" => self.output.is_some(),
            "field_system" => self.system.is_some(),
            _ => false,
        }
    }

    /// The key of `field`, or the usual one.
    pub(crate) fn key<'a>(field: &'a Option<String>, usual: &'a str) -> &'a str {
        field.as_deref().unwrap_or(usual)
    }

    /// What the system says before the messages of a record; `None` where that is nothing.
    ///
    /// # Errors
    /// It is no text.
    pub(crate) fn take_system(&self, record: &mut Map<String, Value>) -> Result<Option<String>, String> {
        let key = Fields::key(&self.system, "system");
        match record.get_mut(key).map(Value::take) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text).filter(|text| !text.is_empty())),
            Some(other) => Err(format!("the key {key:?} must be a string, not {}", kind(&other))),
        }
    }

    /// The role that a record's name for it means, where [`Fields::roles`] say so.
    pub(crate) fn role(&self, name: &str) -> Option<&str> {
        let role = self.roles.iter().find(|(_, names)| names.iter().any(|other| other == name));
        role.map(|(role, _)| role.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whichever key is given, it is among those that are named.
    #[test]
    fn each_key_is_known_and_named_where_nothing_reads_it() {
        let key = || Some("key".to_owned());
        let message = || BTreeMap::from([("role".to_owned(), "from".to_owned())]);
        let given = |name: &str| {
            let none = Fields::default();
            match name {
                "field" => Fields { text: key(), ..none },
                "field_messages" => Fields { messages: key(), ..none },
                "field_tools" => Fields { tools: key(), ..none },
                "message_property_mappings" | "message_field_role" | "message_field_content" => {
                    Fields { message: message(), ..none }
                }
                "message_field_training" => Fields { train: key(), ..none },
                "roles" => Fields { roles: BTreeMap::from([("user".to_owned(), vec!["human".to_owned()])]), ..none },
                "field_instruction" => Fields { instruction: key(), ..none },
                "field_input" => Fields { input: key(), ..none },
                "field_output" => Fields { output: key(), ..none },
                "field_system" => Fields { system: key(), ..none },
                name => panic!("{name} sets no field"),
            }
        };
        for (name, forms) in Fields::READ_BY {
            let fields = given(name);
            for form in forms {
                assert_eq!(fields.unread_by(*form), None, "{name} in {form}");
            }
            // No key is for records of both.
            let other = if forms.contains(&Form::Text) { Form::Alpaca } else { Form::Text };
            let named = fields.unread_by(other).unwrap_or_default();
            assert!(named.contains(&format!("`{name}`")), "{name} in {other}: {named}");
        }
        let named = given("message_field_role").unread_by(Form::Alpaca).unwrap_or_default();
        assert_eq!(named, "`message_property_mappings`, `message_field_role` or `message_field_content`");
        assert_eq!(given("field_input").unread_by(Form::Text).as_deref(), Some("`field_input`"));
    }
}
