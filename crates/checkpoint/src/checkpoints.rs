//! Checkpoints of a training run: `<run>/checkpoints/step-00000100/`.
//!
//! | file | holds |
//! |---|---|
//! | `state.safetensors` | trained parameters and optimizer moments; of an adapter also the weight that only its own file has ([`AdapterFolder::frozen`](crate::AdapterFolder::frozen)) |
//! | `state-00000-of-00002.safetensors`, … | the same in place of it, where several processes write: of each what its devices have |
//! | `state-part-00001.safetensors`, … | the same in place of one file, where a process has more boxes than the header of one can tell of |
//! | `trainer_state.json` | the rest, as the trainer defines it: step, tokens seen, configuration, clock, metrics so far |
//! | `config.json` or `adapter_config.json` | what the parameters are: a whole model, or an adapter that names its base model |
//! | `tokenizer.json`, … | the tokenizer and the chat template that the run trains with, but none of its `additional_chat_templates` |
//! | `manifest.json` | each tensor's type, shape and boxes, each other file's size and digest, who wrote them; written last |
//!
//! Tensors are in boxes as the devices have them, each element once; the manifest says which tensor a box is of, and where in it. So
//! whoever reads asks for any part of a tensor ([`TensorFiles::part`](crate::TensorFiles::part)), whatever mesh it was saved on. A box of
//! all elements has the tensor's own name in its file.
//!
//! A checkpoint is a model folder or an adapter folder too, which [`ModelFolder::open`](crate::ModelFolder::open) and
//! [`AdapterFolder::open`](crate::AdapterFolder::open) read: the weights are those of its tensors that are no
//! moments ([`is_moment`](crate::is_moment)).
//!
//! A checkpoint is written as a hidden folder beside its place, brought to the disk and renamed. So a folder that bears
//! a step's name is complete, unless the disk damaged it, and the manifest tells that. One run at a time writes to
//! a folder, as one process or several ([`Writers`]); any number may read.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use atomic_file::{PARTIAL, PartialFolder};
use graph::HostTensor;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::atomic::{CreateSink, Written, create_file, digest_of, json_to, sync_folder, write_synced};
use crate::checkpoint_folder::Checkpoint;
use crate::error::{Error, SourceError};
use crate::header::HEADER_BYTES_MAX;
use crate::manifest::{MANIFEST_BYTES_MAX, Manifest, Share, incomplete};
use crate::newest::{Newest, find_newest, is_damage, list, steps};
use crate::owner::Claim;
use crate::safetensors_write::{Layout, in_files};
use crate::tensor_part::TensorPart;
use crate::training_state::{MANIFEST, TRAINER_STATE, state_file};
use crate::writers::{Alone, Writers};

/// The folder in a run's folder that holds its checkpoints.
pub const CHECKPOINTS: &str = "checkpoints";
/// Marks a checkpoint that is being replaced by a new one of the same step.
const REPLACED: &str = ".replaced-";
/// Marks a checkpoint that is being removed.
const REMOVED: &str = ".removed-";
/// Marks a checkpoint that training cannot go on from, kept for whoever wants to know why.
pub(crate) const DIVERGED: &str = "diverged-";
/// Marks a checkpoint that is not what was saved, kept for whoever can mend it.
pub(crate) const DAMAGED: &str = "damaged-";

/// A file that makes a checkpoint a model that stands for itself, such as `config.json`.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelFile {
    /// Its name in the folder.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// The checkpoints of a run that this process writes, alone or with others.
pub struct Checkpoints {
    run: PathBuf,
    folder: PathBuf,
    writers: Arc<dyn Writers>,
    /// Without one nothing is looked at.
    claim: Option<Claim>,
    model_files: Vec<ModelFile>,
    /// The mesh that is told of in manifests.
    mesh: BTreeMap<String, usize>,
    /// Steps whose checkpoints this process has written, or read and found whole.
    verified: BTreeSet<u64>,
    /// Steps whose checkpoints could not be read when the newest was looked for. They may be newer than what is saved now, and are nobody's to count or remove.
    unreadable: BTreeSet<u64>,
    /// What a manifest may take in bytes.
    manifest_bytes_max: u64,
    /// What the header of a file of tensors may.
    header_bytes_max: u64,
}

impl fmt::Debug for Checkpoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Checkpoints").field("run", &self.run).field("claim", &self.claim).finish_non_exhaustive()
    }
}

impl Checkpoints {
    /// The checkpoints in `<run>/checkpoints`, after what a killed writer left there is removed. Only the process that trains may
    /// call this. Where the folder is not there, the first save creates it.
    ///
    /// # Errors
    /// The folder cannot be listed, or a checkpoint in it not restored.
    pub fn open(run: impl AsRef<Path>) -> Result<Self, Error> {
        Checkpoints::open_among(run, Arc::new(Alone))
    }

    /// As [`Checkpoints::open`], for one of several processes that write together: the first removes what was left.
    ///
    /// # Errors
    /// As [`Checkpoints::open`].
    pub fn open_among(run: impl AsRef<Path>, writers: Arc<dyn Writers>) -> Result<Self, Error> {
        let run = run.as_ref().to_path_buf();
        let checkpoints = Checkpoints {
            folder: run.join(CHECKPOINTS),
            run,
            writers,
            claim: None,
            model_files: Vec::new(),
            mesh: BTreeMap::new(),
            verified: BTreeSet::new(),
            unreadable: BTreeSet::new(),
            manifest_bytes_max: MANIFEST_BYTES_MAX,
            header_bytes_max: HEADER_BYTES_MAX,
        };
        if checkpoints.is_first() {
            checkpoints.clean()?;
        }
        Ok(checkpoints)
    }

    /// The same, which this process writes with others from now on.
    #[must_use]
    pub fn among(self, writers: Arc<dyn Writers>) -> Self {
        Checkpoints { writers, ..self }
    }

    /// Removes what a killed writer left.
    fn clean(&self) -> Result<(), Error> {
        let found = if self.folder.exists() { list(&self.folder)? } else { Vec::new() };
        for path in found {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if let Some(step) = name.strip_prefix(REPLACED) {
                // Killed between the two renames of a replacement: the old one is still the checkpoint of its step.
                let place = self.folder.join(step);
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
        Ok(())
    }

    /// Puts these files into each checkpoint that is saved from now on.
    #[must_use]
    pub fn with_model_files(self, model_files: Vec<ModelFile>) -> Self {
        Checkpoints { model_files, ..self }
    }

    /// Tells in each manifest from now on what mesh of devices the parts are of: sizes by axis.
    #[must_use]
    pub fn with_mesh(self, mesh: BTreeMap<String, usize>) -> Self {
        Checkpoints { mesh, ..self }
    }

    /// The same of a run that was taken over by this claim, which all processes that write together have in common. From now on they publish,
    /// set aside and remove no checkpoint once another has taken it over.
    #[must_use]
    pub fn with_claim(self, claim: Claim) -> Self {
        Checkpoints { claim: Some(claim), ..self }
    }

    /// Checks, in the first process, that no other has taken the run over since its claim. Between this and what is done next another may
    /// still come: only a lock would keep it out, and what it finds then is complete all the same.
    ///
    /// # Errors
    /// One has.
    pub fn check_claim(&self) -> Result<(), Error> {
        match &self.claim {
            Some(claim) if self.is_first() => claim.check(&self.run),
            _ => Ok(()),
        }
    }

    /// How many processes of this machine save at the same time.
    pub fn count_here(&self) -> usize {
        self.writers.count_here()
    }

    /// Whether this process does what one of all does.
    pub fn is_first(&self) -> bool {
        self.writers.rank() == 0
    }

    /// Tells the other processes how this one has fared and learns how they have: what each of them brought, or the error of one.
    fn agree<T: Serialize + DeserializeOwned>(&self, what: &str, own: Result<T, Error>) -> Result<Vec<T>, Error> {
        let told: Result<&T, String> = own.as_ref().map_err(Error::to_string);
        let told = serde_json::to_vec(&told).expect("what processes tell each other is JSON");
        let lost = |cause| Error::LostWriter { doing: what.to_owned(), cause };
        let all = self.writers.gather(what, told).map_err(lost);
        // Its own error says more than that others were told of it.
        own?;
        let understood = |(rank, bytes): (usize, Vec<u8>)| {
            let told: Result<T, String> = serde_json::from_slice(&bytes).map_err(|cause| lost(cause.into()))?;
            told.map_err(|problem| Error::OtherWriter { rank, doing: what.to_owned(), problem })
        };
        all?.into_iter().enumerate().map(understood).collect()
    }

    /// The newest complete checkpoint, as [`latest`] finds it. Damaged ones that are newer are set aside as `damaged-step-…`, so
    /// that they are neither met again nor counted by [`Checkpoints::retain`]. Those that the disk cannot read stay.
    ///
    /// # Errors
    /// As [`latest`]; then nothing is set aside.
    pub fn newest(&mut self) -> Result<Option<Checkpoint>, Error> {
        let found = if self.is_first() { self.newest_here() } else { Ok(None) };
        let (found, step) = match found {
            Ok(found) => {
                let step = found.as_ref().map(Checkpoint::step);
                (found, Ok(step))
            }
            Err(error) => (None, Err(error)),
        };
        let step = self.agree("looking for the newest checkpoint", step)?[0];
        match (found, step) {
            (None, Some(step)) => Checkpoint::open_unverified(self.path(step)).map(Some),
            (found, _) => Ok(found),
        }
    }

    /// As [`Checkpoints::newest`], of the one process that looks.
    fn newest_here(&mut self) -> Result<Option<Checkpoint>, Error> {
        self.take(find_newest(&self.folder, Checkpoint::open)?)
    }

    /// Takes note of what was found, and sets aside what is damaged.
    fn take(&mut self, newest: Newest) -> Result<Option<Checkpoint>, Error> {
        let Newest { checkpoint, damaged, unreadable } = newest;
        for step in damaged {
            self.set_aside(step, DAMAGED)?;
        }
        self.unreadable.extend(unreadable);
        self.verified.extend(checkpoint.as_ref().map(Checkpoint::step));
        Ok(checkpoint)
    }

    /// Saves a checkpoint and returns its folder. `parts` are what this process has of the tensors: each element of each tensor is in one
    /// part of one process. `source` is asked for each of them once, in an order that the file's layout decides; `trainer_state` is any
    /// value that is a JSON object, and counts where the first process gives it.
    ///
    /// A checkpoint of the same step is replaced. On an error nothing has changed, in any of the processes.
    ///
    /// # Errors
    /// The disk is full or refuses, `source` fails, the parts are no valid file ([`crate::write_safetensors`]) or not all of a tensor,
    /// another of the processes fails or is lost, or another run has taken the folder over.
    pub fn save<'t>(
        &mut self,
        step: u64,
        trainer_state: &impl Serialize,
        parts: &[TensorPart],
        source: impl FnMut(&TensorPart) -> Result<HostTensor<'t>, SourceError>,
    ) -> Result<PathBuf, Error> {
        let path = self.save_through(&create_file, step, trainer_state, parts, source)?;
        self.verified.insert(step);
        self.unreadable.remove(&step);
        Ok(path)
    }

    /// As [`Checkpoints::save`], to the disk that `create` opens files on.
    fn save_through<'t>(
        &self,
        create: CreateSink<'_>,
        step: u64,
        trainer_state: &impl Serialize,
        parts: &[TensorPart],
        source: impl FnMut(&TensorPart) -> Result<HostTensor<'t>, SourceError>,
    ) -> Result<PathBuf, Error> {
        let place = self.path(step);
        // Under a name that no process has that wrote here before this run was taken over: it may still be at work.
        let mark = self.claim.as_ref().map_or_else(String::new, |claim| format!("{}-", claim.epoch));
        let create_partial = || PartialFolder::create_marked(&place, &mark).map_err(Error::io("create", &place));
        let begun = match self.is_first() {
            true => self.check_claim().and_then(|()| create_partial()).map(Some),
            false => Ok(None),
        };
        let (partial, begun) = split(begun);
        self.agree("beginning a checkpoint", self.or_loss(begun))?;
        let folder = self.folder.join(format!("{PARTIAL}{mark}{}", name_of(step)));
        let written = self.write_parts(&folder, create, parts, source);
        let shares = self.agree("writing the parts of a checkpoint", self.or_loss(written))?;
        let published = match partial {
            Some(partial) => self
                .write_manifest(&folder, create, step, trainer_state, shares)
                .and_then(|()| self.check_claim())
                .and_then(|()| self.publish(partial, &place)),
            None => Ok(()),
        };
        self.agree("publishing a checkpoint", self.or_loss(published))?;
        Ok(place)
    }

    /// Another run that has taken the folder over has taken away what was being written there: that is why it failed.
    fn or_loss<T>(&self, result: Result<T, Error>) -> Result<T, Error> {
        result.map_err(|error| self.claim.as_ref().and_then(|claim| claim.loss(&self.run)).unwrap_or(error))
    }

    fn publish(&self, partial: PartialFolder, place: &Path) -> Result<(), Error> {
        let name = place.file_name().unwrap_or_default().to_string_lossy();
        let replaced = self.folder.join(format!("{REPLACED}{name}"));
        if replaced.exists() {
            remove_folder(&replaced)?;
        }
        let replacing = place.exists();
        if replacing {
            fs::rename(place, &replaced).map_err(Error::io("replace", place))?;
        }
        let published = partial.publish().map_err(Error::io("rename the new checkpoint to", place));
        match (replacing, place.exists()) {
            // Where only the folder was not written through, both stay until the next run looks.
            (true, true) if published.is_err() => {}
            (true, true) => discard(&replaced),
            (true, false) => fs::rename(&replaced, place).map_err(Error::io("restore", place))?,
            (false, _) => {}
        }
        published
    }

    /// Removes all but the newest `keep` complete checkpoints, and returns the steps removed. `also` is kept as well; it counts,
    /// but never makes the newest go. Those of `uncounted` are passed over. Where there are more, a checkpoint counts once its checksums have been
    /// compared, for which it is read through unless this process has done so or has written it: damaged ones are set aside as by
    /// [`Checkpoints::newest`], so that the last one that can be resumed from always stays. Those that it could not read stay as they are, and
    /// count as none.
    ///
    /// # Errors
    /// The folder cannot be listed, or a checkpoint not read or removed: the first such, once all others have been seen to.
    pub fn retain(&mut self, keep: NonZeroUsize, also: Option<u64>, uncounted: &[u64]) -> Result<Vec<u64>, Error> {
        if !self.is_first() {
            return Ok(Vec::new());
        }
        let mut left = keep.get();
        let (mut removed, mut failed) = (Vec::new(), None);
        let mut found = steps(&self.folder)?;
        found.retain(|(step, _)| !uncounted.contains(step) && !self.unreadable.contains(step));
        let newest = found.first().map(|(step, _)| *step);
        // Its place is taken before the others are counted.
        if also.is_some_and(|also| Some(also) != newest && found.iter().any(|(step, _)| *step == also)) {
            left = (left - 1).max(1);
        }
        found.retain(|(step, _)| Some(*step) != also || Some(*step) == newest);
        if found.len() <= left {
            return Ok(removed);
        }
        for (step, path) in found {
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
                tracing::warn!("{error}; it is set aside");
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
        self.folder.join(name_of(step))
    }

    /// Removes the checkpoint of a step, if there is one. Of files that stay, as on NFS while somebody reads them, it warns;
    /// [`Checkpoints::open`] tries again.
    ///
    /// # Errors
    /// It cannot be taken out of the way.
    pub fn remove(&mut self, step: u64) -> Result<(), Error> {
        let name = name_of(step);
        let path = self.folder.join(&name);
        if !self.is_first() || !path.exists() {
            return Ok(());
        }
        self.check_claim()?;
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
        let name = name_of(step);
        let (path, aside) = (self.folder.join(&name), self.folder.join(format!("{mark}{name}")));
        if !self.is_first() || !path.exists() {
            return Ok(());
        }
        self.check_claim()?;
        if aside.exists() {
            remove_folder(&aside)?;
        }
        fs::rename(&path, &aside).map_err(Error::io("set aside", &path))?;
        self.verified.remove(&step);
        sync_folder(&self.folder)
    }

    /// Writes what this process has of the tensors.
    fn write_parts<'t>(
        &self,
        folder: &Path,
        create: CreateSink<'_>,
        parts: &[TensorPart],
        mut source: impl FnMut(&TensorPart) -> Result<HostTensor<'t>, SourceError>,
    ) -> Result<Share, Error> {
        let mut share = Share::default();
        if parts.is_empty() && !self.is_first() {
            return Ok(share);
        }
        let specs: Vec<_> = parts.iter().map(TensorPart::spec).collect();
        let of_key: BTreeMap<&str, &TensorPart> = specs.iter().map(|spec| spec.name.as_str()).zip(parts).collect();
        let files = in_files(&specs, self.header_bytes_max);
        let process = (self.writers.rank(), self.writers.count());
        for (specs, number) in files.iter().zip(1..) {
            let name = state_file(process, (number, files.len()));
            let path = folder.join(&name);
            let layout = Layout::of(&path, specs, None)?;
            let written = write_synced(&path, create, |writer| {
                layout.write_to(writer, |spec| {
                    let part = of_key[spec.name.as_str()];
                    let tensor = source(part)?;
                    share.add(part, &name, digest_of(tensor.bytes()));
                    Ok(tensor)
                })
            })?;
            share.files.insert(name, written);
        }
        Ok(share)
    }

    /// Writes what is no tensor, and last the manifest of all.
    fn write_manifest(
        &self,
        folder: &Path,
        create: CreateSink<'_>,
        step: u64,
        trainer_state: &impl Serialize,
        shares: Vec<Share>,
    ) -> Result<(), Error> {
        let mut all = Share::default();
        let problem = |problem: String| Error::Specs { path: folder.to_path_buf(), problem };
        shares.into_iter().try_for_each(|share| all.join(share)).map_err(problem)?;
        check_written(folder, &all.files)?;
        let path = folder.join(TRAINER_STATE);
        let written = write_synced(&path, create, |writer| json_to(writer, &path, trainer_state))?;
        all.files.insert(TRAINER_STATE.to_string(), written);
        for ModelFile { name, bytes } in &self.model_files {
            let path = folder.join(name);
            let written =
                write_synced(&path, create, |writer| writer.write_all(bytes).map_err(Error::io("write", &path)))?;
            all.files.insert(name.clone(), written);
        }
        let manifest = Manifest::new(step, self.claim.clone(), &self.mesh, all).map_err(problem)?;
        let path = folder.join(MANIFEST);
        let written =
            write_synced(&path, create, |writer| manifest.write_to(writer).map_err(Error::io("write", &path)))?;
        // Before it is published: nobody could read it, and older ones would go for it.
        let checked = manifest.check_bytes(written.bytes, self.manifest_bytes_max);
        checked.map_err(|problem| Error::Specs { path, problem })?;
        sync_folder(folder)
    }
}

/// Checks that what the processes have written is here.
fn check_written(folder: &Path, files: &BTreeMap<String, Written>) -> Result<(), Error> {
    for (name, Written { bytes, .. }) in files {
        let problem = match fs::metadata(folder.join(name)) {
            Ok(found) if found.len() == *bytes => continue,
            Ok(found) => format!("{} bytes of it are found here", found.len()),
            Err(cause) => format!("it is not found here ({cause})"),
        };
        return Err(incomplete(
            folder,
            format!(
                "a process of this run has written {bytes} bytes to {name}, and {problem}: give all processes one output_dir, on a file \
                 system that their machines share"
            ),
        ));
    }
    Ok(())
}

/// The name of a checkpoint's folder.
pub(crate) fn name_of(step: u64) -> String {
    format!("step-{step:08}")
}

/// What was made, apart from whether it was.
fn split<T>(made: Result<Option<T>, Error>) -> (Option<T>, Result<(), Error>) {
    match made {
        Ok(made) => (made, Ok(())),
        Err(error) => (None, Err(error)),
    }
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
    use std::fs::File;
    use std::io::{self, Write};
    use std::iter;
    use std::rc::Rc;
    use std::sync::{Barrier, Mutex};

    use graph::DType;
    use rustix::io::Errno;

    use super::*;
    use crate::atomic::Sink;
    use crate::manifest::AnyManifest;
    use crate::training_state::STATE;
    use crate::{TensorSpec, latest};

    /// A file of a disk with room for so many bytes.
    struct SmallDisk {
        room: Rc<Cell<usize>>,
        file: File,
    }

    impl Write for SmallDisk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let written = self.file.write(&bytes[..bytes.len().min(self.room.get())])?;
            self.room.set(self.room.get() - written);
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

    /// A run that went on from before it saves, and what it saved stays whatever is newer.
    #[test]
    fn a_checkpoint_that_could_not_be_read_is_not_counted() {
        let run = tempfile::tempdir().unwrap();
        let mut checkpoints = Checkpoints::open(run.path()).unwrap();
        for step in [1, 2, 4] {
            checkpoints.save(step, &(), &[], |_| unreachable!()).unwrap();
        }
        checkpoints.verified.clear();
        let newest = find_newest(&checkpoints.folder, |path| match path.ends_with("step-00000004") {
            true => Err(Error::io("read", &path)(Errno::STALE.into())),
            false => Checkpoint::open(path),
        });
        assert_eq!(checkpoints.take(newest.unwrap()).unwrap().unwrap().step(), 2);
        checkpoints.save(3, &(), &[], |_| unreachable!()).unwrap();
        assert_eq!(checkpoints.retain(NonZeroUsize::MIN, None, &[]).unwrap(), [2, 1]);
        assert_eq!(checkpoints.steps().unwrap(), [4, 3]);
        // Written anew it is as any other.
        checkpoints.save(4, &(), &[], |_| unreachable!()).unwrap();
        assert_eq!(checkpoints.retain(NonZeroUsize::MIN, None, &[]).unwrap(), [3]);
    }

    #[test]
    fn a_manifest_that_would_not_be_read_is_not_published() {
        let run = tempfile::tempdir().unwrap();
        let mut checkpoints = Checkpoints::open(run.path()).unwrap();
        let source = |part: &TensorPart| Ok(HostTensor::from_vec(&part.spec().shape, vec![1.0_f32])?);
        let parts = single_elements(20);
        let first = checkpoints.save(1, &(), &parts, source).unwrap();
        let bytes = fs::metadata(first.join(MANIFEST)).unwrap().len();

        checkpoints.manifest_bytes_max = bytes - 1;
        let error = checkpoints.save(2, &(), &parts, source).unwrap_err().to_string();
        let expected =
            format!("it would take {bytes} bytes for 20 boxes of tensors, and at most {} are read back", bytes - 1);
        assert!(error.contains(&expected), "{error}");
        assert_eq!(list(&checkpoints.folder).unwrap(), [&*first]);
        let error = AnyManifest::read_within(&first, bytes - 1).unwrap_err();
        assert!(matches!(error, Error::Io { .. }), "{error}");

        checkpoints.manifest_bytes_max = bytes;
        let second = checkpoints.save(2, &(), &parts, source).unwrap();
        assert_eq!(AnyManifest::read_within(&second, bytes).unwrap().step(), 2);
    }

    /// A tensor of so many elements, each in a part of its own.
    fn single_elements(count: usize) -> Vec<TensorPart> {
        let whole = TensorSpec::new("w", DType::F32, [count]);
        (0..count).map(|at| TensorPart { whole: whole.clone(), ranges: iter::once(at..at + 1).collect() }).collect()
    }

    /// One of two processes, which write in one folder.
    struct Half(usize, Arc<(Mutex<[Vec<u8>; 2]>, Barrier)>);

    impl Writers for Half {
        fn rank(&self) -> usize {
            self.0
        }

        fn count(&self) -> usize {
            2
        }

        fn count_here(&self) -> usize {
            2
        }

        fn gather(&self, _what: &str, bytes: Vec<u8>) -> Result<Vec<Vec<u8>>, SourceError> {
            let (brought, barrier) = &*self.1;
            brought.lock().unwrap()[self.0] = bytes;
            barrier.wait();
            let all = brought.lock().unwrap().to_vec();
            barrier.wait();
            Ok(all)
        }
    }

    #[test]
    fn more_boxes_than_a_header_can_tell_of_go_to_several_files() {
        let run = tempfile::tempdir().unwrap();
        let values = |part: &TensorPart| Ok(HostTensor::from_vec(&[1], vec![part.ranges[0].start as f32])?);
        let parts = single_elements(300);
        let save = |writers: Arc<dyn Writers>, step: u64, parts: &[TensorPart]| {
            let mut checkpoints = Checkpoints::open_among(run.path(), writers).unwrap();
            checkpoints.header_bytes_max = 5000;
            checkpoints.save(step, &(), parts, values).unwrap()
        };
        let check = |folder: &Path, files: usize| {
            let names: Vec<PathBuf> = list(folder)
                .unwrap()
                .into_iter()
                .filter(|path| path.extension() == Some("safetensors".as_ref()))
                .collect();
            for name in &names {
                let header = u64::from_le_bytes(*fs::read(name).unwrap().first_chunk().unwrap());
                assert!(header <= 5000, "{}: {header}", name.display());
            }
            assert_eq!(names.len(), files);
            let checkpoint = Checkpoint::open(folder).unwrap();
            let expected: Vec<f32> = (0..300).map(|at| at as f32).collect();
            assert_eq!(checkpoint.tensors().tensor("w").unwrap().to_vec::<f32>().unwrap(), expected);
        };
        let alone = save(Arc::new(Alone), 1, &parts);
        check(&alone, 7);
        assert!(alone.join("state-part-00001.safetensors").exists());
        assert!(!alone.join(STATE).exists(), "without its manifest the first of them would be taken for all");
        let meeting = Arc::new((Mutex::default(), Barrier::new(2)));
        let folder = std::thread::scope(|scope| {
            let other = scope.spawn(|| save(Arc::new(Half(1, Arc::clone(&meeting))), 2, &parts[..200]));
            save(Arc::new(Half(0, Arc::clone(&meeting))), 2, &parts[200..]);
            other.join().unwrap()
        });
        check(&folder, 8);
        assert!(folder.join("state-00001-of-00002-part-00002.safetensors").exists());
    }

    #[test]
    fn a_checkpoint_that_cannot_be_replaced_stays() {
        let run = tempfile::tempdir().unwrap();
        let mut checkpoints = Checkpoints::open(run.path()).unwrap();
        let specs = [TensorPart::of_all(TensorSpec::new("w", DType::F32, [64]))];
        let source = |_: &TensorPart| Ok(HostTensor::from_vec(&[64], vec![1.0_f32; 64])?);
        let place = checkpoints.save(1, &"first", &specs, source).unwrap();
        let partial = PartialFolder::create(&place).unwrap();
        fs::remove_dir_all(partial.path()).unwrap();
        let error = checkpoints.publish(partial, &place).unwrap_err().to_string();
        assert!(error.starts_with("could not rename the new checkpoint to "), "{error}");
        assert_eq!(list(&checkpoints.folder).unwrap(), [place]);
        assert_eq!(latest(run.path()).unwrap().unwrap().trainer_state::<String>().unwrap(), "first");
    }

    /// Wherever the disk fills up, in tensors, trainer state or manifest, the checkpoint before stays the latest.
    #[test]
    fn a_disk_that_fills_up_anywhere_leaves_the_checkpoint_before() {
        let run = tempfile::tempdir().unwrap();
        let mut checkpoints = Checkpoints::open(run.path()).unwrap();
        let specs = [TensorPart::of_all(TensorSpec::new("w", DType::F32, [64]))];
        let source = |_: &TensorPart| Ok(HostTensor::from_vec(&[64], vec![1.0_f32; 64])?);
        checkpoints.save(1, &"first", &specs, source).unwrap();

        let room = Rc::new(Cell::new(usize::MAX));
        let create = |path: &Path| {
            Ok(Box::new(SmallDisk { room: Rc::clone(&room), file: File::create_new(path)? }) as Box<dyn Sink>)
        };
        checkpoints.save_through(&create, 3, &"third", &specs, source).unwrap();
        let needed = usize::MAX - room.get();
        fs::remove_dir_all(checkpoints.folder.join("step-00000003")).unwrap();

        for bytes in 0..needed {
            room.set(bytes);
            let error = checkpoints.save_through(&create, 2, &"second", &specs, source).unwrap_err();
            assert!(matches!(error, Error::DiskFull { .. }), "with room for {bytes} bytes: {error}");
            assert_eq!(list(&checkpoints.folder).unwrap().len(), 1, "with room for {bytes} bytes");
        }
        assert_eq!(latest(run.path()).unwrap().unwrap().trainer_state::<String>().unwrap(), "first");
    }
}
