//! Whether an adapter is for the model that it is used with, as far as its configuration says so.

use std::collections::BTreeSet;
use std::path::{Component, Path};

use checkpoint::{LoraConfig, ModelSource};

/// Folders above a model's of which it may be known by: a run's, where the model is one of its checkpoints, or a repository's.
const FOLDERS: usize = 3;

/// What names of quantised copies of a model end with: adapters that were trained on one are for the model itself, too.
const COPIES: [&str; 4] = ["-unsloth-bnb-4bit", "-bnb-4bit", "-4bit", "-8bit"];

/// What a model is known as: names of folders and repositories, in lower case. Of a model without names nothing is said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct KnownAs(BTreeSet<String>);

impl KnownAs {
    /// What a folder of a model is known as.
    pub(crate) fn of(source: &ModelSource) -> KnownAs {
        let made_from = source.model().config().get("_name_or_path").and_then(serde_json::Value::as_str);
        KnownAs::by(source.model().path(), made_from)
    }

    /// By its folder, by those above it, and by what its configuration says that it was made from.
    pub(crate) fn by(folder: &Path, made_from: Option<&str>) -> KnownAs {
        let canonical = folder.canonicalize();
        let folders = [Some(folder), canonical.as_deref().ok()].into_iter().flatten();
        let names = folders.flat_map(|folder| folder.components().rev().take(FOLDERS));
        let names = names.filter_map(|part| match part {
            Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
            _ => None,
        });
        // The cache of Hugging Face's hub calls its folders so.
        let own = names.map(|name| name.rsplit("--").next().map_or_else(String::new, str::to_owned));
        let own: Vec<_> = own.chain(made_from.map(str::to_owned)).collect();
        KnownAs(own.iter().filter_map(|name| last_part(name)).collect())
    }

    /// The same, and by further names.
    #[must_use]
    pub(crate) fn and(mut self, names: &[String]) -> KnownAs {
        if !self.0.is_empty() {
            self.0.extend(names.iter().filter_map(|name| last_part(name)));
        }
        self
    }

    /// What a configuration says that fits no use with this model, in words: it is for another one, or for another task than to continue texts.
    pub(crate) fn misfits(&self, config: &LoraConfig) -> Vec<String> {
        let base = config.base_model_name_or_path.as_deref();
        let other =
            base.filter(|base| !self.0.is_empty() && last_part(base).is_some_and(|last| !self.0.contains(&last)));
        let task = config.task_type.as_deref().filter(|task| *task != "CAUSAL_LM");
        let other = other.map(|base| {
            format!("is for the model {base:?} (base_model_name_or_path), which this one is not by any of its names")
        });
        let task =
            task.map(|task| format!("is for the task {task:?} (task_type), and here it continues texts (CAUSAL_LM)"));
        other.into_iter().chain(task).collect()
    }
}

/// The last part of a path or of a repository's name, as names are compared.
fn last_part(name: &str) -> Option<String> {
    let last = Path::new(name).file_name()?.to_string_lossy().to_lowercase();
    let copied = COPIES.iter().find_map(|end| last.strip_suffix(end));
    Some(copied.unwrap_or(&last).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_adapter_for_another_model_or_task_is_told_apart() {
        let known = KnownAs::by(Path::new("models/Llama-3.2-1B"), Some("meta-llama/Llama-3.2-1B"));
        let misfits = |known: &KnownAs, base: Option<&str>, task: Option<&str>| {
            let base_model_name_or_path = base.map(str::to_owned);
            let config =
                LoraConfig { base_model_name_or_path, task_type: task.map(str::to_owned), ..LoraConfig::default() };
            known.misfits(&config).len()
        };
        let of = |known: &KnownAs, base: &str| misfits(known, Some(base), Some("CAUSAL_LM"));
        for base in [
            "meta-llama/Llama-3.2-1B",
            "/srv/models/llama-3.2-1b/",
            "unsloth/Llama-3.2-1B-unsloth-bnb-4bit",
            "./Llama-3.2-1B",
            "",
            ".",
        ] {
            assert_eq!(of(&known, base), 0, "{base}");
        }
        for base in ["meta-llama/Llama-3.2-1B-Instruct", "Qwen/Qwen3-0.6B", "/srv/other"] {
            assert_eq!((of(&known, base), of(&KnownAs::default().and(&["served".to_owned()]), base)), (1, 0), "{base}");
        }
        assert_eq!(of(&known.clone().and(&["org/served".to_owned()]), "elsewhere/Served"), 0);
        assert_eq!(
            of(&KnownAs::by(Path::new("hub/models--Qwen--Qwen3-0.6B/snapshots/c1899d"), None), "Qwen/Qwen3-0.6B"),
            0
        );
        assert_eq!(of(&KnownAs::by(Path::new("runs/poet/checkpoints/step-00000002"), None), "runs/poet"), 0);
        assert_eq!((misfits(&known, None, None), misfits(&known, None, Some("SEQ_CLS"))), (0, 1));
        assert_eq!(misfits(&known, Some("other"), Some("SEQ_CLS")), 2);
    }
}
