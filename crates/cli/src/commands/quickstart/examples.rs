//! The data and configurations of the tour, in the binary, so that it runs wherever the binary is.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

macro_rules! examples {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../../../examples/quickstart/", $name)))),*]
    };
}

/// Each file that the steps read, with its text.
const FILES: &[(&str, &str)] =
    examples!["pretrain.yaml", "lora.yaml", "chat_template.jinja", "corpus.jsonl", "qa_train.jsonl", "qa_test.jsonl"];

/// Writes the files to `folder`.
pub(super) fn write(folder: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    FILES.iter().try_for_each(|(name, text)| {
        let path = folder.join(name);
        atomic_file::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    })
}

/// Makes sure that a folder which the user has named holds them all.
pub(super) fn check(folder: &Path) -> anyhow::Result<()> {
    match FILES.iter().map(|(name, _)| folder.join(name)).find(|path| !path.is_file()) {
        Some(path) => {
            bail!("there is no {}: without --examples the files that come with finery are used", path.display())
        }
        None => Ok(()),
    }
}

/// A file in `folder` that is not as [`write`] writes it. Hidden ones, such as editors leave, do not count.
pub(super) fn find_changed(folder: &Path) -> Option<PathBuf> {
    let is_ours = |path: &Path| {
        let name = path.file_name().unwrap_or_default();
        FILES
            .iter()
            .any(|(ours, text)| name == *ours && std::fs::read(path).is_ok_and(|found| found == text.as_bytes()))
    };
    let entries = std::fs::read_dir(folder).ok()?;
    entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).find(|path| !is_ours(path))
}
