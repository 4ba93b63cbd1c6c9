//! Where samples come from: files and folders, which part of them, and how often.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::fields::Fields;
use crate::record::Form;
use crate::records::Records;
use crate::split::{Part, Split};

/// A file or folder of samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// A JSONL file, or one that holds a JSON array, plain or compressed; or a folder of such files.
    pub path: PathBuf,
    /// Which part of it; all of a file and the split `train` of a folder where absent.
    pub split: Option<Split>,
    /// The form of its records; told from the first where absent.
    pub form: Option<Form>,
    /// The keys of its records, where they are not the usual ones.
    pub fields: Fields,
    /// How often each sample comes in a pass: 2 is twice, and 0.5 half of the samples.
    pub weight: f64,
}

/// Words in names that tell of which split a file is, as the `datasets` library knows them.
const SPLITS: [&[&str]; 3] =
    [&["train", "training"], &["validation", "valid", "val", "dev"], &["test", "testing", "eval", "evaluation"]];

const ENDINGS: [&str; 3] = [".jsonl", ".json", ".ndjson"];
const COMPRESSED: [&str; 3] = [".gz", ".zst", ".zstd"];
/// What lies in folders of data sets beside them.
const DESCRIPTIONS: [&str; 3] = ["dataset_info.json", "dataset_infos.json", "state.json"];
const OTHER_ENDINGS: [&str; 4] = [".parquet", ".arrow", ".csv", ".tsv"];

/// Folders below that of the data set that are looked into.
const DEPTH_MAX: usize = 3;

impl Source {
    /// All of a file or folder, in a form that its first record tells.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Source { path: path.into(), split: None, form: None, fields: Fields::default(), weight: 1.0 }
    }

    /// Opens the first file of each part, to see that there is one and that it is of a kind that can be read. A pipe is not opened.
    ///
    /// # Errors
    /// There is none, or it is of another kind.
    pub fn try_open(&self) -> Result<()> {
        let parts = self.parts()?;
        check_read_once(&parts)?;
        let mut firsts = parts.iter().filter_map(|(_, files)| files.first()).filter(|file| !is_read_once(file));
        firsts.try_for_each(|file| Records::open(file).map(drop))
    }

    /// The parts in order, each with its files.
    pub(crate) fn parts(&self) -> Result<Vec<(Part, Vec<PathBuf>)>> {
        let whole = [Part::whole("train")];
        let parts = self.split.as_ref().map_or(&whole[..], |split| &split.parts);
        parts.iter().map(|part| Ok((part.clone(), self.files(&part.name)?))).collect()
    }

    fn files(&self, split: &str) -> Result<Vec<PathBuf>> {
        if !self.path.is_dir() {
            // As in `datasets`, a file alone is the split `train`, whatever it is called.
            let name = self.path.file_name().map(Path::new);
            if split != "train" && !name.is_some_and(|name| is_of(name, split)) {
                return Err(self.refuse(&format!("is one file, and so has no split {split:?}, only train")));
            }
            return Ok(vec![self.path.clone()]);
        }
        let all = self.all_files()?;
        let records: Vec<PathBuf> = all.iter().filter(|path| ends(path, &ENDINGS)).cloned().collect();
        let mut chosen: Vec<PathBuf> = records.iter().filter(|path| self.is_of(path, split)).cloned().collect();
        if chosen.is_empty() && self.split.is_none() {
            chosen = records.iter().filter(|path| self.is_of_none(path)).cloned().collect();
        }
        if let (true, Some(other)) = (records.is_empty(), all.iter().find(|path| ends(path, &OTHER_ENDINGS))) {
            // It says what it is.
            Records::open(other)?;
        }
        if chosen.is_empty() {
            let endings = ENDINGS.join(", ");
            return Err(
                self.refuse(&format!("is a folder without a file of the split {split:?} ({endings}; .gz, .zst)"))
            );
        }
        Ok(chosen)
    }

    /// All files that it reads.
    fn all_read(&self) -> Result<Vec<PathBuf>> {
        Ok(self.parts()?.into_iter().flat_map(|(_, files)| files).collect())
    }

    /// The folder's files of records that are of no split and not read, as files named after the split `train` are there: whoever names none may take it that all are.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn unread(&self) -> Result<Vec<PathBuf>> {
        if self.split.is_some() || !self.path.is_dir() {
            return Ok(Vec::new());
        }
        let records = self.all_files()?.into_iter().filter(|path| ends(path, &ENDINGS));
        let (none, some): (Vec<_>, Vec<_>) = records.partition(|path| self.is_of_none(path));
        Ok(if some.iter().any(|path| self.is_of(path, "train")) { none } else { Vec::new() })
    }

    /// All files of the folder, and of those below it.
    fn all_files(&self) -> Result<Vec<PathBuf>> {
        let mut all = Vec::new();
        collect(&self.path, DEPTH_MAX, &mut all)?;
        all.sort();
        Ok(all)
    }

    fn is_of(&self, file: &Path, split: &str) -> bool {
        is_of(file.strip_prefix(&self.path).unwrap_or(file), split)
    }

    /// Whether a file is named after no split.
    fn is_of_none(&self, file: &Path) -> bool {
        !SPLITS.iter().any(|names| self.is_of(file, names[0]))
    }

    fn refuse(&self, rule: &str) -> Error {
        Error::Options(format!("{} {rule}", self.path.display()))
    }
}

/// The files that paths name: themselves, and those of folders that training reads of them.
///
/// # Errors
/// A folder cannot be read, or has no such file.
pub fn files_of(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let files = |path: &PathBuf| match path.is_dir() {
        true => Source::new(path).files("train"),
        false => Ok(vec![path.clone()]),
    };
    Ok(paths.iter().map(files).collect::<Result<Vec<_>>>()?.concat())
}

/// Warns of files that lie in the folders of these data sets and that none of them reads. Of what cannot be read nothing is said.
pub fn warn_of_unread(sources: &[Source]) {
    let real = |path: PathBuf| path.canonicalize().unwrap_or(path);
    let read = sources.iter().filter_map(|source| source.all_read().ok()).flatten().map(real);
    // And what was told.
    let mut read: BTreeSet<PathBuf> = read.collect();
    for source in sources {
        let unread = source.unread().unwrap_or_default().into_iter();
        let unread: Vec<PathBuf> = unread.filter(|path| read.insert(real(path.clone()))).collect();
        let told = match &unread[..] {
            [] => continue,
            [one] => format!("{} is not read, as its folder", one.display()),
            [first, others @ ..] => {
                format!("{} and {} more are not read, as their folder", first.display(), others.len())
            }
        };
        tracing::warn!(
            "{told} has files of the split `train`: make data sets of their own of what is to be read, or name a `split` to be told no more"
        );
    }
}

/// Whether a file can be read once only, as a pipe can, which is for those to do that need its records.
pub(crate) fn is_read_once(file: &Path) -> bool {
    file.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Refuses to read what can be read once several times: to count its records first, or for two parts.
pub(crate) fn check_read_once<'a>(parts: impl IntoIterator<Item = &'a (Part, Vec<PathBuf>)>) -> Result<()> {
    let mut seen = BTreeSet::new();
    for (part, files) in parts {
        for file in files.iter().filter(|file| is_read_once(file)) {
            let refuse = |why: String| {
                Err(Error::Options(format!(
                    "{} is no regular file and can be read once only, but {why}",
                    file.display()
                )))
            };
            if part.needs_count() {
                let name = &part.name;
                return refuse(format!(
                    "a range that counts from its end or in percent needs it twice: write it to a file, or give the range in records \
                     from its beginning, as in {name}[:1000]"
                ));
            }
            if !seen.insert(file) {
                return refuse("it is named more than once: write it to a file, or name it once".to_owned());
            }
        }
    }
    Ok(())
}

/// Whether a file's name ends so, compressed or not, and it does not describe a data set.
fn ends(file: &Path, endings: &[&str]) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let plain = COMPRESSED.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(&name);
    !DESCRIPTIONS.contains(&plain) && endings.iter().any(|ending| plain.ends_with(ending))
}

/// Whether a word of a file's name, which may begin with those of folders, is one of the split's.
fn is_of(name: &Path, split: &str) -> bool {
    let own = [split];
    let names = SPLITS.into_iter().find(|names| names.contains(&split)).unwrap_or(&own);
    let name = name.to_string_lossy().to_lowercase();
    name.split(|c: char| !c.is_alphanumeric()).any(|word| names.contains(&word))
        || name.starts_with(&format!("{split}."))
}

fn collect(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).map_err(Error::io("read", folder))? {
        let path = entry.map_err(Error::io("read", folder))?.path();
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if hidden {
            continue;
        }
        if path.is_dir() {
            if depth > 0 {
                collect(&path, depth - 1, files)?;
            }
        } else {
            files.push(path);
        }
    }
    Ok(())
}
