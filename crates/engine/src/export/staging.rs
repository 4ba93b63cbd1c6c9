//! A folder on its way to its name.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::{ExportError, io_error};

/// A folder beside the output, which becomes the output, or its `.rejected`, by a rename; removed if it becomes neither.
#[derive(Debug)]
pub(super) struct Staging {
    folder: PathBuf,
    output: PathBuf,
}

impl Staging {
    /// Makes sure that nothing is at `output`, and creates the folder beside it.
    pub(super) fn new(output: &Path) -> Result<Staging, ExportError> {
        let taken = |found| Err(ExportError::Taken { path: output.to_path_buf(), found });
        match fs::read_dir(output).map(|mut entries| entries.next().is_some()) {
            Ok(false) => {}
            Ok(true) => return taken("is not empty"),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) if error.kind() == io::ErrorKind::NotADirectory && output.is_file() => {
                return taken("is a file");
            }
            Err(error) => return Err(io_error("list", output)(error)),
        }
        let Some(name) = output.file_name() else { return taken("has no name of its own") };
        let mut partial = OsString::from(".partial-");
        partial.push(name);
        let folder = output.with_file_name(partial);
        // What a killed export left.
        remove(&folder)?;
        fs::create_dir_all(&folder).map_err(io_error("create", &folder))?;
        Ok(Staging { folder, output: output.to_path_buf() })
    }

    /// Where to write.
    pub(super) fn path(&self) -> &Path {
        &self.folder
    }

    /// Gives the folder its name.
    pub(super) fn publish(self) -> Result<(), ExportError> {
        let output = self.output.clone();
        self.rename_to(&output)
    }

    /// Gives the folder the output's name with `.rejected`, in place of an earlier one of that name, and returns it.
    pub(super) fn reject(self) -> Result<PathBuf, ExportError> {
        let mut name = self.output.file_name().unwrap_or_default().to_os_string();
        name.push(".rejected");
        let rejected = self.output.with_file_name(name);
        remove(&rejected)?;
        self.rename_to(&rejected)?;
        Ok(rejected)
    }

    /// An empty folder that is at `target` is replaced.
    fn rename_to(mut self, target: &Path) -> Result<(), ExportError> {
        fs::rename(&self.folder, target).map_err(io_error("rename the finished folder to", target))?;
        self.folder = PathBuf::new();
        // Without this the rename may be lost in a power cut.
        let parent = target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        File::open(parent).and_then(|parent| parent.sync_all()).map_err(io_error("flush", parent))
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        if !self.folder.as_os_str().is_empty() {
            // Nothing to report to: the error that led here is already on its way.
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

fn remove(folder: &Path) -> Result<(), ExportError> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(io_error("remove", folder)(error)),
        _ => Ok(()),
    }
}
