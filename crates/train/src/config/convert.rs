//! A configuration of Axolotl or LLM Foundry in our keys.
//!
//! What has the same meaning is carried over, what another tool does by default and we do not is written out, and all that
//! is lost is told. Which keys there are nothing here for, and why, is said by the table of foreign keys.

mod axolotl;
mod llm_foundry;
mod target_modules;

use std::collections::HashMap;
use std::path::Path;

use serde_json::{Map, Value};

use super::error::{ConfigErrors, Place, Problem, Problems};
use super::setting::{Details, KeyInfo, Setting};
use super::source::{Entry, Kind, Node};
use super::{TrainConfig, contradictions, draft, emit, foreign, interpolate, source};

/// What became of another tool's configuration.
#[derive(Debug)]
pub struct Converted {
    /// The tool whose configuration it was.
    pub tool: &'static str,
    /// Our configuration, as YAML.
    pub yaml: String,
    /// What could not be carried over, or means something a little different; absent if there is nothing of the kind.
    pub lost: Option<ConfigErrors>,
    /// Keys that were left out because nothing here needs them: the same is trained without them.
    pub unneeded: Vec<String>,
    /// Why the result cannot be used as it is, if it cannot: it is not whole, or would train other weights than was asked for.
    pub refused: Option<ConfigErrors>,
}

impl TrainConfig {
    /// As [`TrainConfig::convert`], from a file.
    ///
    /// # Errors
    /// As [`TrainConfig::convert`], and where it cannot be read.
    pub fn convert_file(path: &Path) -> Result<Converted, ConfigErrors> {
        Self::convert(&draft::read(path)?, path)
    }

    /// Turns a configuration of Axolotl or LLM Foundry, the text of the file `name`, into ours.
    ///
    /// # Errors
    /// It is no YAML, or of neither tool.
    pub fn convert(text: &str, name: &Path) -> Result<Converted, ConfigErrors> {
        let refuse = |problem: Problem| Problems::from(problem).into_errors(name);
        let mut lost = Problems::default();
        let tree = source::parse_file(text).map_err(refuse)?;
        let tree = interpolate::without_variables(interpolate::expand(&tree, &mut lost)).map_err(refuse)?;
        let tree = foreign::without_defaults(tree);
        let (tool, convert): (_, fn(&[Entry], &mut Conversion)) = match &tree.kind {
            // torchtune has a `model` too, without a `name`.
            Kind::Map(_) if tree.at("train_loader").is_some() || tree.at("model.name").is_some() => {
                ("LLM Foundry", llm_foundry::convert)
            }
            Kind::Map(_) if tree.entry("base_model").is_some() => ("Axolotl", axolotl::convert),
            _ => {
                let message = "this is no configuration of Axolotl, which has `base_model`, nor of LLM Foundry, which has \
                               `train_loader`";
                return Err(refuse(Problem { place: Place::File, message: message.to_owned() }));
            }
        };
        let mut conversion = Conversion {
            tool,
            keys: keys_of::<TrainConfig>(),
            ours: Map::new(),
            written: HashMap::new(),
            lost,
            unneeded: Vec::new(),
            unfit: Problems::default(),
        };
        convert(tree.entries(), &mut conversion);
        Ok(conversion.finish(name))
    }
}

fn keys_of<T: Setting>() -> Vec<KeyInfo> {
    match T::details() {
        Details::Keys(groups) => groups.into_iter().flat_map(|group| group.keys).collect(),
        Details::None | Details::Choices(_) => Vec::new(),
    }
}

/// Our configuration while it is made.
struct Conversion {
    tool: &'static str,
    /// All keys that we have.
    keys: Vec<KeyInfo>,
    ours: Map<String, Value>,
    /// As what their tool's file has keys of ours, and where.
    written: HashMap<String, (String, Place)>,
    lost: Problems,
    unneeded: Vec<String>,
    /// Why the result would train something else than was asked for, although it is one of ours.
    unfit: Problems,
}

impl Conversion {
    /// Gives `key` of ours the value of `node`, which was written as `from`, unless ours cannot have it.
    fn set(&mut self, key: &str, from: &str, node: &Node) {
        let info = self.keys.iter().find(|info| info.key == key).expect("a conversion sets keys that we have");
        let mut problems = Problems::default();
        match (info.rewrite)(node, from, &mut problems) {
            Some(rewritten) => {
                self.ours.insert(key.to_owned(), as_given(node, rewritten));
                self.written.insert(key.to_owned(), (from.to_owned(), node.place));
            }
            None => self.lost.extend(problems),
        }
    }

    /// As [`Conversion::set`], with a value that was worked out.
    fn set_value(&mut self, key: &str, place: Place, value: impl ToString) {
        self.set(key, key, &Node::scalar(place, value));
    }

    fn has(&self, key: &str) -> bool {
        self.ours.contains_key(key)
    }

    fn say(&mut self, place: Place, message: impl Into<String>) {
        self.lost.add(place, message.into());
    }

    /// Carries a key over that is ours too, and says what becomes of another: lost, or not needed.
    fn carry(&mut self, entry: &Entry) {
        match self.keys.iter().any(|info| info.key == entry.key) {
            true if entry.value.is_null() => {}
            true => self.set(&entry.key, &entry.key, &entry.value),
            false => self.leave(&entry.key, entry),
        }
    }

    /// Says why the key at `path` is not carried over.
    fn leave(&mut self, path: &str, entry: &Entry) {
        self.leave_as(path, path, entry);
    }

    /// As [`Conversion::leave`], where the table has the key under the path `known`.
    fn leave_as(&mut self, path: &str, known: &str, entry: &Entry) {
        if foreign::is_idle(known, &entry.value) || entry.value.is_null() {
            return;
        }
        if foreign::has_foreign_keys(known, &entry.value) {
            for inner in entry.value.entries() {
                self.leave_as(&format!("{path}.{}", inner.key), &format!("{known}.{}", inner.key), inner);
            }
            return;
        }
        match foreign::answer_for(known, self.tool) {
            Some(answer) if answer.starts_with("leave it out") => self.unneeded.push(path.to_owned()),
            Some(answer) => self.say(entry.place, format!("`{path}` is not carried over; {answer}")),
            None => self.say(entry.place, format!("`{path}` is not carried over: nobody here knows it")),
        }
    }

    /// Names of models and data sets on the hub look like paths, and are none. Without an owner they look like any word.
    fn warn_of_hub_name(&mut self, key: &str, node: &Node) {
        if node.text().is_some_and(|text| text.contains('/')) {
            self.warn_of_name(key, node);
        }
    }

    /// The same where the word can be nothing but such a name or a path.
    fn warn_of_name(&mut self, key: &str, node: &Node) {
        let is_part =
            |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || "_.-".contains(c));
        if let Some(name) = node.text()
            && name.split('/').count() <= 2
            && name.split('/').all(is_part)
            && !name.starts_with('.')
            && !name.contains(".json")
            && !Path::new(name).exists()
        {
            let message = format!("`{key}` `{name}` must be here: if that is its name on the hub, download it");
            self.say(node.place, message);
        }
    }

    /// Takes the cosine in place of the schedule `found` under the key `from`, which there is not here.
    fn stand_in_cosine(&mut self, from: &str, place: Place, found: &str, has_floor: bool) {
        self.set_value("lr_scheduler", place, "cosine");
        let end = if has_floor { "`cosine_min_lr_ratio`" } else { "0" };
        let message = format!(
            "`{from}` {found} is not carried over: `lr_scheduler` is `cosine` in its place, which falls to {end} at the last step; the \
             others are `linear` and `constant`"
        );
        self.say(place, message);
    }

    /// Says which keys of the file the result, `ours`, lost because they do nothing beside the others.
    fn tell_idle(&mut self, ours: &Map<String, Value>) {
        /// Their tools refuse these without data to measure, and do not train on.
        const NEED_EVALUATION: [&str; 2] = ["early_stopping_patience", "load_best_model_at_end"];
        for info in &self.keys {
            let Some((from, place)) = self.written.get(info.key).filter(|(_, place)| *place != Place::File) else {
                continue;
            };
            match (ours.get(info.key), self.ours.get(info.key)) {
                (Some(_), _) | (None, None | Some(Value::Bool(false))) => {}
                (None, Some(_)) if NEED_EVALUATION.contains(&info.key) => {
                    let is_measured = ["val_set_size", "test_datasets"].iter().any(|key| ours.contains_key(*key));
                    let needed = if is_measured { "`eval_steps`" } else { "`val_set_size` or `test_datasets`" };
                    let message = format!("`{from}` is not carried over: it needs {needed}, which is not given");
                    self.lost.add(*place, message);
                }
                (None, Some(_)) => self.unneeded.push(from.clone()),
            }
        }
    }

    fn finish(mut self, name: &Path) -> Converted {
        // The order of the reference, which puts together what belongs together.
        let mut ours = Map::new();
        for info in &self.keys {
            ours.extend(self.ours.get_key_value(info.key).map(|(key, value)| (key.clone(), value.clone())));
        }
        contradictions::remove_idle(&mut ours);
        self.tell_idle(&ours);
        let tool = self.tool;
        let head = format!("# From {} of {tool}, by `finery config convert`.\n", name.display());
        let yaml = head + &emit::document(&Value::Object(ours));
        let result = Path::new("the result");
        let unfit = (!self.unfit.is_empty()).then(|| self.unfit.into_errors(result));
        Converted {
            tool,
            refused: match (TrainConfig::parse(&yaml, result, &[]).err(), unfit) {
                (Some(errors), Some(unfit)) => Some(errors.and(unfit)),
                (errors, unfit) => errors.or(unfit),
            },
            yaml,
            lost: (!self.lost.is_empty()).then(|| self.lost.into_errors(name)),
            unneeded: self.unneeded,
        }
    }
}

/// The value of `node` in its own words. A number with underscores is text under the core schema, and stands as it is `rewritten`.
fn as_given(node: &Node, rewritten: Value) -> Value {
    match node.to_json() {
        Value::String(_) if rewritten.is_number() => rewritten,
        given => given,
    }
}

/// To six digits, so that 1e-5 / 2e-4 is 0.05.
fn rounded(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

/// A data set while its map is made.
struct DatasetConversion<'a> {
    out: &'a mut Conversion,
    keys: Vec<KeyInfo>,
    ours: Map<String, Value>,
}

impl<'a> DatasetConversion<'a> {
    fn new(out: &'a mut Conversion) -> Self {
        Self { out, keys: keys_of::<super::Dataset>(), ours: Map::new() }
    }

    /// Gives `key` the value of `node`, unless there is no such key or it cannot have it.
    fn set(&mut self, key: &str, from: &str, node: &Node) -> bool {
        let Some(info) = self.keys.iter().find(|info| info.key == key) else { return false };
        let mut problems = Problems::default();
        match (info.rewrite)(node, from, &mut problems) {
            Some(rewritten) => _ = self.ours.insert(key.to_owned(), as_given(node, rewritten)),
            None => self.out.lost.extend(problems),
        }
        true
    }

    fn carry(&mut self, entry: &Entry) {
        let path = format!("datasets.{}", entry.key);
        if !entry.value.is_null() && !self.set(&entry.key, &path, &entry.value) {
            self.out.leave(&path, entry);
        }
    }

    fn into_node(self, place: Place) -> Node {
        Node::of_json(&Value::Object(self.ours), place)
    }
}
