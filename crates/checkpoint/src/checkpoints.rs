//! Checkpoints of a training run: `<run>/checkpoints/step-00000100/`.
//!
//! | file | holds |
//! |---|---|
//! | `state.safetensors` | trained parameters and optimizer moments; of an adapter also the weight that only its own file has ([`AdapterFolder::frozen`](crate::AdapterFolder::frozen)) |
//! | `trainer_state.json` | the rest, as the trainer defines it: step, tokens seen, configuration, clock, metrics so far |
//! | `config.json` or `adapter_config.json` | what the parameters are: a whole model, or an adapter that names its base model |
//! | `tokenizer.json`, … | the tokenizer and the chat template that the run trains with |
//! | `manifest.json` | the size and CRC-32 of each of the others; written last |
//!
//! So a checkpoint is a model folder or an adapter folder too, which [`ModelFolder::open`](crate::ModelFolder::open) and
//! [`AdapterFolder::open`](crate::AdapterFolder::open) read: the weights are those tensors of `state.safetensors` that are no
//! moments ([`is_moment`](crate::is_moment)).
//!
//! A checkpoint is written as a hidden folder beside its place, brought to the disk and renamed. So a folder that bears
//! a step's name is complete, unless the disk damaged it, and the manifest tells that. One process at a time writes to
//! a run; any number may read.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use atomic_file::{PARTIAL, PartialFolder};
use graph::HostTensor;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::atomic::{CreateSink, Written, create_file, json_to, sync_folder, write_synced};
use crate::error::{Error, SourceError};
use crate::model_folder::read_json;
use crate::safetensors_file::SafetensorsFile;
use crate::safetensors_write::{Layout, TensorSpec};
use crate::training_state::STATE;

/// The folder in a run's folder that holds its checkpoints.
pub const CHECKPOINTS: &str = "checkpoints";
const TRAINER_STATE: &str = "trainer_state.json";
const MANIFEST: &str = "manifest.json";
/// Marks a checkpoint that is being replaced by a new one of the same step.
const REPLACED: &str = ".replaced-";
/// Marks a checkpoint that is being removed.
const REMOVED: &str = ".removed-";
/// Marks a checkpoint that training cannot go on from, kept for whoever wants to know why.
const DIVERGED: &str = "diverged-";
/// Marks a checkpoint that is not what was saved, kept for whoever can mend it.
const DAMAGED: &str = "damaged-";
/// Raised when a file of a checkpoint changes its meaning. In format 1 the tensors of all layers were one.
const FORMAT: u32 = 2;

#[derive(Debug, Serialize, Deserialize)]
struct Manifest {
    format: u32,
    step: u64,
    files: BTreeMap<String, Written>,
}

/// A file that makes a checkpoint a model that stands for itself, such as `config.json`.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelFile {
    /// Its name in the folder.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// The checkpoints of a run that this process writes.
#[derive(Debug)]
pub struct Checkpoints {
    folder: PathBuf,
    model_files: Vec<ModelFile>,
    /// Steps whose checkpoints this process has written, or read and found whole.
    verified: BTreeSet<u64>,
}

impl Checkpoints {
    /// The checkpoints in `<run>/checkpoints`, after what a killed writer left there is removed. Only the process that trains may
    /// call this. Where the folder is not there, the first save creates it.
    ///
    /// # Errors
    /// The folder cannot be listed, or a checkpoint in it not restored.
    pub fn open(run: impl AsRef<Path>) -> Result<Self, Error> {
        let folder = run.as_ref().join(CHECKPOINTS);
        let found = if folder.exists() { list(&folder)? } else { Vec::new() };
        for path in found {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if let Some(step) = name.strip_prefix(REPLACED) {
                // Killed between the two renames of a replacement: the old one is still the checkpoint of its step.
                let place = folder.join(step);
                if !place.exists() {
                    fs::rename(&path, &place).map_err(Error::io("restore", &place))?;
                    continue;
                }
            }
            if [PARTIAL, REPLACED, REMOVED].iter().any(|mark| name.starts_with(mark)) {
                tracing::info!(path = %path.display(), "removing what an interrupted run left");
                discard(&path);
            }
        }
        Ok(Checkpoints { folder, model_files: Vec::new(), verified: BTreeSet::new() })
    }

    /// Puts these files into each checkpoint that is saved from now on.
    #[must_use]
    pub fn with_model_files(self, model_files: Vec<ModelFile>) -> Self {
        Checkpoints { model_files, ..self }
    }

    /// The newest complete checkpoint, as [`latest`] finds it. Damaged ones that are newer are set aside as `damaged-step-…`, so
    /// that they are neither met again nor counted by [`Checkpoints::retain`].
    ///
    /// # Errors
    /// As [`latest`]; then nothing is set aside.
    pub fn newest(&mut self) -> Result<Option<Checkpoint>, Error> {
        let Newest { checkpoint, damaged } = find_newest(&self.folder, Checkpoint::open)?;
        for step in damaged {
            self.set_aside(step, DAMAGED)?;
        }
        self.verified.extend(checkpoint.as_ref().map(Checkpoint::step));
        Ok(checkpoint)
    }

    /// Saves a checkpoint and returns its folder. `source` is asked for each tensor of `specs` once, in an order that
    /// the file's layout decides; `trainer_state` is any value that is a JSON object.
    ///
    /// A checkpoint of the same step is replaced. On an error nothing has changed.
    ///
    /// # Errors
    /// The disk is full or refuses, `source` fails, or the specs are no valid file ([`crate::write_safetensors`]).
    pub fn save<'t>(
        &mut self,
        step: u64,
        trainer_state: &impl Serialize,
        specs: &[TensorSpec],
        source: impl FnMut(&TensorSpec) -> Result<HostTensor<'t>, SourceError>,
    ) -> Result<PathBuf, Error> {
        let path = self.save_through(&create_file, step, trainer_state, specs, source)?;
        self.verified.insert(step);
        Ok(path)
    }

    /// As [`Checkpoints::save`], to the disk that `create` opens files on.
    fn save_through<'t>(
        &self,
        create: CreateSink<'_>,
        step: u64,
        trainer_state: &impl Serialize,
        specs: &[TensorSpec],
        source: impl FnMut(&TensorSpec) -> Result<HostTensor<'t>, SourceError>,
    ) -> Result<PathBuf, Error> {
        let place = self.folder.join(format!("step-{step:08}"));
        let partial = PartialFolder::create(&place).map_err(Error::io("create", &place))?;
        self.write_files(partial.path(), create, step, trainer_state, specs, source)?;
        self.publish(partial, &place)
    }

    fn publish(&self, partial: PartialFolder, place: &Path) -> Result<PathBuf, Error> {
        let name = place.file_name().unwrap_or_default().to_string_lossy();
        let replaced = self.folder.join(format!("{REPLACED}{name}"));
        if replaced.exists() {
            remove_folder(&replaced)?;
        }
        let replacing = place.exists();
        if replacing {
            fs::rename(place, &replaced).map_err(Error::io("replace", place))?;
        }
        partial.publish().map_err(Error::io("rename the new checkpoint to", place))?;
        if replacing {
            discard(&replaced);
        }
        Ok(place.to_path_buf())
    }

    /// Removes all but the newest `keep` complete checkpoints, and returns the steps removed. `also` is kept as well; it counts,
    /// but never makes the newest go. Those of `uncounted` are passed over. A checkpoint counts once its checksums have been compared: damaged ones are set aside as
    /// by [`Checkpoints::newest`], so that the last one that can be resumed from always stays.
    ///
    /// # Errors
    /// The folder cannot be listed, or a checkpoint not read or removed: the first such, once all others have been seen to.
    pub fn retain(&mut self, keep: NonZeroUsize, also: Option<u64>, uncounted: &[u64]) -> Result<Vec<u64>, Error> {
        let mut left = keep.get();
        let (mut removed, mut failed) = (Vec::new(), None);
        let mut found = steps(&self.folder)?;
        found.retain(|(step, _)| !uncounted.contains(step));
        let newest = found.first().map(|(step, _)| *step);
        // Its place is taken before the others are counted.
        if also.is_some_and(|also| Some(also) != newest && found.iter().any(|(step, _)| *step == also)) {
            left = (left - 1).max(1);
        }
        for (step, path) in found {
            if Some(step) == also && Some(step) != newest {
                continue;
            }
            let seen_to = match left {
                0 => self.remove(step).map(|()| removed.push(step)),
                _ => self.verify(step, &path).map(|is_whole| left -= usize::from(is_whole)),
            };
            if let Err(error) = seen_to {
                failed.get_or_insert(error);
            }
        }
        failed.map_or(Ok(removed), Err)
    }

    /// Whether the checkpoint of a step is what was saved. A damaged one is set aside.
    fn verify(&mut self, step: u64, path: &Path) -> Result<bool, Error> {
        if self.verified.contains(&step) {
            return Ok(true);
        }
        match Checkpoint::open(path) {
            Ok(_) => {
                self.verified.insert(step);
                Ok(true)
            }
            Err(error) if is_damage(&error) => {
                tracing::warn!("setting a checkpoint aside: {error}");
                self.set_aside(step, DAMAGED).map(|()| false)
            }
            Err(error) => Err(error),
        }
    }

    /// The steps that there are checkpoints of, damaged ones included, newest first.
    ///
    /// # Errors
    /// The folder cannot be listed.
    pub fn steps(&self) -> Result<Vec<u64>, Error> {
        if !self.folder.exists() {
            return Ok(Vec::new());
        }
        Ok(steps(&self.folder)?.into_iter().map(|(step, _)| step).collect())
    }

    /// The place of the checkpoint of a step, whether there is one or not.
    pub fn path(&self, step: u64) -> PathBuf {
        self.folder.join(format!("step-{step:08}"))
    }

    /// Removes the checkpoint of a step, if there is one. Of files that stay, as on NFS while somebody reads them, it warns;
    /// [`Checkpoints::open`] tries again.
    ///
    /// # Errors
    /// It cannot be taken out of the way.
    pub fn remove(&mut self, step: u64) -> Result<(), Error> {
        let name = format!("step-{step:08}");
        let path = self.folder.join(&name);
        if !path.exists() {
            return Ok(());
        }
        // Renamed first: one that is half removed must not look like a checkpoint.
        let doomed = self.folder.join(format!("{REMOVED}{name}"));
        fs::rename(&path, &doomed).map_err(Error::io("remove", &path))?;
        self.verified.remove(&step);
        discard(&doomed);
        Ok(())
    }

    /// Renames the checkpoint of a step, if there is one, so that it is kept but no longer one to resume from: to
    /// `diverged-step-…`, replacing what had that name.
    ///
    /// # Errors
    /// It cannot be renamed.
    pub fn set_diverged_aside(&mut self, step: u64) -> Result<(), Error> {
        self.set_aside(step, DIVERGED)
    }

    fn set_aside(&mut self, step: u64, mark: &str) -> Result<(), Error> {
        let name = format!("step-{step:08}");
        let (path, aside) = (self.folder.join(&name), self.folder.join(format!("{mark}{name}")));
        if !path.exists() {
            return Ok(());
        }
        if aside.exists() {
            remove_folder(&aside)?;
        }
        fs::rename(&path, &aside).map_err(Error::io("set aside", &path))?;
        self.verified.remove(&step);
        sync_folder(&self.folder)
    }

    fn write_files<'t>(
        &self,
        folder: &Path,
        create: CreateSink<'_>,
        step: u64,
        trainer_state: &impl Serialize,
        specs: &[TensorSpec],
        source: impl FnMut(&TensorSpec) -> Result<HostTensor<'t>, SourceError>,
    ) -> Result<(), Error> {
        let path = folder.join(STATE);
        let layout = Layout::of(&path, &specs.iter().collect::<Vec<_>>())?;
        let mut files = BTreeMap::new();
        files.insert(STATE.to_string(), write_synced(&path, create, |writer| layout.write_to(writer, source))?);
        let path = folder.join(TRAINER_STATE);
        let written = write_synced(&path, create, |writer| json_to(writer, &path, trainer_state))?;
        files.insert(TRAINER_STATE.to_string(), written);
        for ModelFile { name, bytes } in &self.model_files {
            let path = folder.join(name);
            let written =
                write_synced(&path, create, |writer| writer.write_all(bytes).map_err(Error::io("write", &path)))?;
            files.insert(name.clone(), written);
        }
        let path = folder.join(MANIFEST);
        write_synced(&path, create, |writer| json_to(writer, &path, &Manifest { format: FORMAT, step, files }))?;
        sync_folder(folder)
    }
}

/// A complete checkpoint.
#[derive(Debug)]
pub struct Checkpoint {
    path: PathBuf,
    step: u64,
    tensors: SafetensorsFile,
}

impl Checkpoint {
    /// Opens a checkpoint and reads all of it once, to compare its checksums.
    ///
    /// # Errors
    /// A file is missing, or is not what was saved.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let (checkpoint, manifest) = Self::open_with_manifest(path.as_ref())?;
        let path = &checkpoint.path;
        for (name, saved) in &manifest.files {
            let file = path.join(name);
            let crc32 = match name.as_str() {
                STATE => crc32fast::hash(checkpoint.tensors.bytes()),
                _ => crc32fast::hash(&fs::read(&file).map_err(Error::io("read", &file))?),
            };
            if crc32 != saved.crc32 {
                return Err(incomplete(path, format!("{name} is not what was saved (its checksum differs)")));
            }
        }
        Ok(checkpoint)
    }

    /// As [`Checkpoint::open`], by names and sizes alone: enough to see what a checkpoint is, and not to go on from it.
    ///
    /// # Errors
    /// A file is missing, or is of another size than was saved.
    pub fn open_unverified(path: impl AsRef<Path>) -> Result<Self, Error> {
        Ok(Self::open_with_manifest(path.as_ref())?.0)
    }

    fn open_with_manifest(path: &Path) -> Result<(Self, Manifest), Error> {
        let manifest = read_manifest(path)?;
        let tensors = SafetensorsFile::open(path.join(STATE))?;
        Ok((Checkpoint { path: path.to_path_buf(), step: manifest.step, tensors }, manifest))
    }

    /// The folder that this is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The step after which it was saved.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// The tensors of the training state.
    pub fn tensors(&self) -> &SafetensorsFile {
        &self.tensors
    }

    /// What was given to [`Checkpoints::save`] as `trainer_state`.
    ///
    /// # Errors
    /// The file cannot be read, or its structure is not that of `T`.
    pub fn trainer_state<T: DeserializeOwned>(&self) -> Result<T, Error> {
        read_json(self.path.join(TRAINER_STATE))
    }
}

/// The newest complete checkpoint of a run, or `None` where there is none at all. Those that are newer but not complete
/// are passed over, with a warning that says why.
///
/// # Errors
/// The folder cannot be listed, or there are checkpoints and none is complete: to begin again from nothing is for the
/// user to decide.
pub fn latest(run: impl AsRef<Path>) -> Result<Option<Checkpoint>, Error> {
    Ok(find_newest(&run.as_ref().join(CHECKPOINTS), Checkpoint::open)?.checkpoint)
}

/// As [`latest`], of checkpoints opened by [`Checkpoint::open_unverified`].
///
/// # Errors
/// As [`latest`].
pub fn latest_unverified(run: impl AsRef<Path>) -> Result<Option<Checkpoint>, Error> {
    Ok(find_newest(&run.as_ref().join(CHECKPOINTS), Checkpoint::open_unverified)?.checkpoint)
}

/// The newest complete checkpoint, and the steps of damaged ones that are newer.
struct Newest {
    checkpoint: Option<Checkpoint>,
    damaged: Vec<u64>,
}

fn find_newest(folder: &Path, open: impl Fn(PathBuf) -> Result<Checkpoint, Error>) -> Result<Newest, Error> {
    let found = if folder.exists() { steps(folder)? } else { Vec::new() };
    let (mut damaged, mut reasons) = (Vec::new(), Vec::new());
    for (step, path) in found {
        match open(path) {
            Ok(checkpoint) => return Ok(Newest { checkpoint: Some(checkpoint), damaged }),
            Err(error) if is_damage(&error) => {
                tracing::warn!("passing over a checkpoint: {error}");
                reasons.push(error.to_string());
                damaged.push(step);
            }
            Err(error) => return Err(error),
        }
    }
    match reasons.is_empty() {
        true => Ok(Newest { checkpoint: None, damaged }),
        false => Err(Error::NoneComplete { path: folder.to_path_buf(), reasons }),
    }
}

/// Whether what was saved is not there any more, and not only out of reach.
fn is_damage(error: &Error) -> bool {
    matches!(error, Error::Incomplete { .. } | Error::Json { .. } | Error::Header { .. })
}

fn incomplete(path: &Path, problem: String) -> Error {
    Error::Incomplete { path: path.to_path_buf(), problem }
}

/// Reads the manifest of a checkpoint, which lists its other files, and compares their sizes.
fn read_manifest(path: &Path) -> Result<Manifest, Error> {
    if !path.is_dir() {
        return Err(Error::NoCheckpoint { path: path.to_path_buf() });
    }
    if !path.join(MANIFEST).is_file() && path.join(CHECKPOINTS).is_dir() {
        return Err(Error::IsRun { path: path.to_path_buf() });
    }
    if !path.join(MANIFEST).is_file() {
        return Err(incomplete(path, format!("it has no {MANIFEST}")));
    }
    let manifest: Manifest = read_json(path.join(MANIFEST))?;
    if manifest.format != FORMAT {
        return Err(Error::CheckpointFormat { path: path.to_path_buf(), found: manifest.format, known: FORMAT });
    }
    if parse_step(path) != Some(manifest.step) {
        return Err(incomplete(path, format!("its manifest is that of step {}", manifest.step)));
    }
    if let Some(needed) = [STATE, TRAINER_STATE].into_iter().find(|needed| !manifest.files.contains_key(*needed)) {
        return Err(incomplete(path, format!("its {MANIFEST} does not list {needed}")));
    }
    for (name, Written { bytes, .. }) in &manifest.files {
        // A manifest from outside must not make us read elsewhere.
        if Path::new(name).file_name() != Some(name.as_ref()) {
            return Err(incomplete(path, format!("its {MANIFEST} lists \"{name}\", which is no file of the folder")));
        }
        let found = fs::metadata(path.join(name)).map_err(|_| incomplete(path, format!("it has no {name}")))?.len();
        if found != *bytes {
            return Err(incomplete(path, format!("{name} has {found} bytes, and {bytes} were saved")));
        }
    }
    Ok(manifest)
}

/// The checkpoints in a folder, newest first. What bears such a name and is no folder is none.
fn steps(folder: &Path) -> Result<Vec<(u64, PathBuf)>, Error> {
    let paths = list(folder)?.into_iter();
    let folders = paths.filter(|path| path.is_dir());
    let mut steps: Vec<(u64, PathBuf)> = folders.filter_map(|path| Some((parse_step(&path)?, path))).collect();
    steps.sort_by(|a, b| b.cmp(a));
    Ok(steps)
}

/// The step that a folder is named after as a checkpoint of it, `step-00000100`; `None` for other names.
pub fn parse_step(path: &Path) -> Option<u64> {
    let digits = path.file_name()?.to_str()?.strip_prefix("step-")?;
    if digits.len() >= 8 && digits.bytes().all(|b| b.is_ascii_digit()) { digits.parse().ok() } else { None }
}

fn list(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = fs::read_dir(folder).map_err(Error::io("list", folder))?;
    entries.map(|entry| entry.map(|entry| entry.path()).map_err(Error::io("list", folder))).collect()
}

fn remove_folder(path: &Path) -> Result<(), Error> {
    let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    removed.map_err(Error::io("remove", path))
}

/// Removes what nobody takes for a checkpoint any more: it takes room and does no other harm.
fn discard(path: &Path) {
    if let Err(error) = remove_folder(path) {
        tracing::warn!("an old checkpoint takes room: {error}");
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::io::{self, Write};
    use std::rc::Rc;

    use graph::DType;

    use super::*;
    use crate::atomic::Sink;

    /// A disk with room for so many bytes.
    #[derive(Clone)]
    struct SmallDisk(Rc<Cell<usize>>);

    impl Write for SmallDisk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let written = bytes.len().min(self.0.get());
            self.0.set(self.0.get() - written);
            if written == 0 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(written) }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Sink for SmallDisk {
        fn sync(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Wherever the disk fills up, in tensors, trainer state or manifest, the checkpoint before stays the latest.
    #[test]
    fn a_disk_that_fills_up_anywhere_leaves_the_checkpoint_before() {
        let run = tempfile::tempdir().unwrap();
        let mut checkpoints = Checkpoints::open(run.path()).unwrap();
        let specs = [TensorSpec::new("w", DType::F32, [64])];
        let source = |_: &TensorSpec| Ok(HostTensor::from_vec(&[64], vec![1.0_f32; 64])?);
        checkpoints.save(1, &"first", &specs, source).unwrap();

        let disk = SmallDisk(Rc::new(Cell::new(usize::MAX)));
        let create = |_: &Path| Ok(Box::new(disk.clone()) as Box<dyn Sink>);
        checkpoints.save_through(&create, 3, &"third", &specs, source).unwrap();
        let needed = usize::MAX - disk.0.get();
        fs::remove_dir_all(checkpoints.folder.join("step-00000003")).unwrap();

        for room in 0..needed {
            disk.0.set(room);
            let error = checkpoints.save_through(&create, 2, &"second", &specs, source).unwrap_err();
            assert!(matches!(error, Error::DiskFull { .. }), "with room for {room} bytes: {error}");
            assert_eq!(list(&checkpoints.folder).unwrap().len(), 1, "with room for {room} bytes");
        }
        assert_eq!(latest(run.path()).unwrap().unwrap().trainer_state::<String>().unwrap(), "first");
    }
}
