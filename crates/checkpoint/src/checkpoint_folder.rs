//! A checkpoint that is read: the folder `step-00000100`, or another that it was renamed or copied to.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use crate::checkpoints::{CHECKPOINTS, DAMAGED, DIVERGED, name_of};
use crate::error::{Error, no_folder};
use crate::manifest::{AnyManifest, incomplete};
use crate::model_folder::read_json;
use crate::newest::is_there;
use crate::owner::Claim;
use crate::safetensors_file::Access;
use crate::tensor_files::TensorFiles;
use crate::training_state::{MANIFEST, TRAINER_STATE};

/// A complete checkpoint.
#[derive(Debug)]
pub struct Checkpoint {
    path: PathBuf,
    manifest: AnyManifest,
    tensors: TensorFiles,
}

impl Checkpoint {
    /// Whether a folder has what a checkpoint is known by.
    pub fn is_at(folder: &Path) -> bool {
        folder.join(MANIFEST).is_file()
    }

    /// Opens a checkpoint that training can go on from, whatever its folder is called, and reads all of it once, to compare its checksums.
    ///
    /// # Errors
    /// A file is missing, or is not what was saved; or the checkpoint was set aside.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let checkpoint = Checkpoint::open_used(path.as_ref())?;
        checkpoint.faults().into_iter().next().map_or(Ok(checkpoint), Err)
    }

    /// As [`Checkpoint::open`], without the checksums of the files that hold tensors, which may take minutes to read: enough to see what a
    /// checkpoint is, and not to go on from it. Those of all others, such as the trainer's state, are compared.
    ///
    /// # Errors
    /// A file is missing or is of another size than was saved, one without tensors is not what was saved, or the others do not hold the
    /// boxes that the manifest says; or the checkpoint was set aside.
    pub fn open_unverified(path: impl AsRef<Path>) -> Result<Self, Error> {
        let checkpoint = Checkpoint::open_used(path.as_ref())?;
        // What is no file, such as a pipe, might be waited for.
        let is_small = |name: &str| !name.ends_with(".safetensors") && checkpoint.path.join(name).is_file();
        let fault = checkpoint.faults_of(is_small).next();
        fault.map_or(Ok(checkpoint), Err)
    }

    /// By the manifest, names and sizes, of a folder that was not set aside, whatever link or `.` leads to it.
    fn open_used(path: &Path) -> Result<Self, Error> {
        let checkpoint = Checkpoint::open_anywhere(path)?;
        let folder = fs::canonicalize(path).map_err(Error::io("look at", path))?;
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let why = match () {
            () if name.starts_with(DIVERGED) => "the run diverged behind it",
            () if name.starts_with(DAMAGED) => "it was not what was saved",
            () => return Ok(checkpoint),
        };
        Err(Error::SetAside { path: path.to_path_buf(), why, name: name_of(checkpoint.step()) })
    }

    /// As [`Checkpoint::open_unverified`], by the manifest, names and sizes alone, and also of a checkpoint that was set aside.
    ///
    /// # Errors
    /// A file is missing, is of another size than was saved, or does not hold the boxes that the manifest says.
    pub fn open_anywhere(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        if !path.is_dir() {
            return Err(Error::NoCheckpoint { path: path.to_path_buf(), problem: no_folder(path) });
        }
        let has_manifest = is_there(&path.join(MANIFEST))?;
        if !has_manifest && path.join(CHECKPOINTS).is_dir() {
            return Err(Error::IsRun { path: path.to_path_buf() });
        }
        if !has_manifest {
            return Err(incomplete(path, format!("it has no {MANIFEST}")));
        }
        let manifest = AnyManifest::read(path)?;
        if let (Some(own), step) = (parse_step(path), manifest.step())
            && own != step
        {
            return Err(incomplete(path, format!("its manifest is that of step {step}")));
        }
        manifest.check_sizes(path)?;
        let tensors = manifest.open_tensors(path, Access::Mapped)?;
        Ok(Checkpoint { path: path.to_path_buf(), manifest, tensors })
    }

    /// What is not what was saved, file by file: reads all of it.
    pub fn faults(&self) -> Vec<Error> {
        self.faults_of(|_| true).collect()
    }

    /// The same of some files, as they are read.
    fn faults_of(&self, is_meant: impl Fn(&str) -> bool) -> impl Iterator<Item = Error> {
        let names = self.manifest.files().into_iter().map(|(name, _)| name).filter(move |name| is_meant(name));
        names.filter_map(|name| self.manifest.check_file(&self.path, name).err())
    }

    /// The folder that this is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The step after which it was saved.
    pub fn step(&self) -> u64 {
        self.manifest.step()
    }

    /// The tensors of the training state.
    pub fn tensors(&self) -> &TensorFiles {
        &self.tensors
    }

    /// The files, each with its size in bytes.
    pub fn files(&self) -> Vec<(&str, u64)> {
        self.manifest.files()
    }

    /// Who saved it, where that is known.
    pub fn saved_by(&self) -> Option<&Claim> {
        match &self.manifest {
            AnyManifest::Now(manifest) => manifest.run.as_ref(),
            AnyManifest::OfWholeTensors(..) => None,
        }
    }

    /// The mesh of devices that it was saved on, sizes by axis; empty where that is not known.
    pub fn mesh(&self) -> BTreeMap<String, usize> {
        match &self.manifest {
            AnyManifest::Now(manifest) => manifest.mesh.clone(),
            AnyManifest::OfWholeTensors(..) => BTreeMap::new(),
        }
    }

    /// What was given to [`Checkpoints::save`](crate::Checkpoints::save) as `trainer_state`.
    ///
    /// # Errors
    /// The file cannot be read, or its structure is not that of `T`.
    pub fn trainer_state<T: DeserializeOwned>(&self) -> Result<T, Error> {
        read_json(self.path.join(TRAINER_STATE))
    }
}

/// The step that a folder is named after as a checkpoint of it, `step-00000100`; `None` for other names.
pub fn parse_step(path: &Path) -> Option<u64> {
    let digits = path.file_name()?.to_str()?.strip_prefix("step-")?;
    if digits.len() >= 8 && digits.bytes().all(|b| b.is_ascii_digit()) { digits.parse().ok() } else { None }
}
