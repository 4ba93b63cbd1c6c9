//! The newest checkpoint of a run that is what was saved.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rustix::io::Errno;

use crate::checkpoint_folder::{Checkpoint, parse_step};
use crate::checkpoints::CHECKPOINTS;
use crate::error::Error;

/// The newest complete checkpoint of a run, or `None` where there is none at all. Those that are newer but not complete, or that the disk
/// cannot read, are passed over, with a warning that says why.
///
/// # Errors
/// The folder cannot be listed, or there are checkpoints and none is complete and can be read: to begin again from nothing is for the user
/// to decide.
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

/// What `make` makes of the newest checkpoint of a run, with its folder; `None` where there is none. A run that trains there may remove it
/// meanwhile: then of the one that is the newest by then.
///
/// # Errors
/// As [`latest_unverified`]; what `make` says of a checkpoint that is there.
pub fn of_newest<T>(
    run: impl AsRef<Path>,
    mut make: impl FnMut(&Path) -> Result<T, Error>,
) -> Result<Option<(PathBuf, T)>, Error> {
    while let Some(newest) = latest_unverified(&run)? {
        let path = newest.path();
        match make(path) {
            Err(_) if !path.exists() => {}
            made => return made.map(|made| Some((path.to_path_buf(), made))),
        }
    }
    Ok(None)
}

/// The newest complete checkpoint, and of newer ones the steps of those that are damaged, and of those that the disk cannot read.
pub(crate) struct Newest {
    pub(crate) checkpoint: Option<Checkpoint>,
    pub(crate) damaged: Vec<u64>,
    pub(crate) unreadable: Vec<u64>,
}

/// The newest of a folder's checkpoints that `open` opens.
pub(crate) fn find_newest(
    folder: &Path,
    open: impl Fn(PathBuf) -> Result<Checkpoint, Error> + Copy,
) -> Result<Newest, Error> {
    let found = if is_there(folder)? { steps(folder)? } else { Vec::new() };
    let (mut damaged, mut unreadable, mut reasons) = (Vec::new(), Vec::new(), Vec::new());
    for (step, path) in found {
        match open(path.clone()) {
            // Whoever trains here has removed it, and has a newer one.
            Err(_) if matches!(is_there(&path), Ok(false)) => return find_newest(folder, open),
            Ok(checkpoint) => return Ok(Newest { checkpoint: Some(checkpoint), damaged, unreadable }),
            Err(error) if is_damage(&error) || is_unreadable(&error) => {
                tracing::warn!("{error}; it is passed over");
                reasons.push(error.to_string());
                if is_damage(&error) { &mut damaged } else { &mut unreadable }.push(step);
            }
            Err(error) => return Err(error),
        }
    }
    let path = folder.to_path_buf();
    match (unreadable.is_empty(), reasons.is_empty()) {
        (false, _) => Err(Error::NoneReadable { path, reasons }),
        (true, false) => Err(Error::NoneComplete { path, reasons }),
        (true, true) => Ok(Newest { checkpoint: None, damaged, unreadable }),
    }
}

/// Whether the disk or the file system has failed: what was saved may be there again once that is mended.
fn is_unreadable(error: &Error) -> bool {
    let Error::Io { cause, .. } = error else { return false };
    matches!(Errno::from_io_error(cause), Some(Errno::IO | Errno::STALE))
}

/// Whether what was saved is not there any more, and not only out of reach.
pub(crate) fn is_damage(error: &Error) -> bool {
    matches!(error, Error::Incomplete { .. } | Error::Json { .. } | Error::Header { .. })
}

/// The checkpoints in a folder, newest first. What bears such a name and is no folder is none.
pub(crate) fn steps(folder: &Path) -> Result<Vec<(u64, PathBuf)>, Error> {
    let paths = list(folder)?.into_iter();
    // One that cannot be looked at is opened later, which says why it cannot.
    let folders = paths.filter(|path| path.is_dir() || is_there(path).is_err());
    let mut steps: Vec<(u64, PathBuf)> = folders.filter_map(|path| Some((parse_step(&path)?, path))).collect();
    steps.sort_by(|a, b| b.cmp(a));
    Ok(steps)
}

/// Whether there is such a file or folder. What cannot be looked at is no answer.
pub(crate) fn is_there(path: &Path) -> Result<bool, Error> {
    match path.try_exists() {
        // Below a file there is nothing.
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(false),
        found => found.map_err(Error::io("look at", path)),
    }
}

/// What is in a folder.
pub(crate) fn list(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = fs::read_dir(folder).map_err(Error::io("list", folder))?;
    entries.map(|entry| entry.map(|entry| entry.path()).map_err(Error::io("list", folder))).collect()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use graph::{DType, HostTensor};

    use super::*;
    use crate::training_state::MANIFEST;
    use crate::{Checkpoints, TensorPart, TensorSpec};

    /// As a run that keeps only one does while another process reads.
    #[test]
    fn a_newest_checkpoint_that_is_replaced_meanwhile_is_none() {
        let run = tempfile::tempdir().unwrap();
        let specs = [TensorPart::of_all(TensorSpec::new("w", DType::F32, [64]))];
        let save = |step: u64| {
            let source = |_: &TensorPart| Ok(HostTensor::from_vec(&[64], vec![step as f32; 64])?);
            let mut checkpoints = Checkpoints::open(run.path()).unwrap();
            checkpoints.save(step, &(), &specs, source).unwrap();
            checkpoints.remove(step - 1).unwrap();
        };
        save(1);
        let next = Cell::new(2);
        let replace = || save(next.replace(next.get() + 1));
        let open = |path: PathBuf| {
            if next.get() == 2 {
                replace();
            }
            Checkpoint::open(path)
        };
        let Newest { checkpoint, damaged, .. } = find_newest(&run.path().join(CHECKPOINTS), open).unwrap();
        assert_eq!((checkpoint.unwrap().step(), damaged), (2, vec![]));

        let steps = |path: &Path| {
            if next.get() < 5 {
                replace();
            }
            Ok(Checkpoint::open(path)?.step())
        };
        assert_eq!(of_newest(run.path(), steps).unwrap().unwrap().1, 4);
        // What is wrong with one that is there is told.
        fs::write(run.path().join("checkpoints/step-00000004/state.safetensors"), "").unwrap();
        let error = of_newest(run.path(), |path| Checkpoint::open(path).map(drop)).unwrap_err();
        assert!(matches!(error, Error::NoneComplete { .. }), "{error}");
        fs::remove_dir_all(run.path().join(CHECKPOINTS)).unwrap();
        assert!(of_newest(run.path(), |_| Ok(())).unwrap().is_none());
    }

    #[test]
    fn a_checkpoint_that_the_disk_cannot_read_is_passed_over_and_stays() {
        let run = tempfile::tempdir().unwrap();
        let mut checkpoints = Checkpoints::open(run.path()).unwrap();
        for step in 1..=3 {
            checkpoints.save(step, &(), &[], |_| unreachable!()).unwrap();
        }
        let newest = |open: &dyn Fn(&Path) -> Option<Errno>| {
            let open = |path: PathBuf| match open(&path) {
                Some(errno) => Err(Error::io("read", &path.join("state.safetensors"))(errno.into())),
                None => Checkpoint::open(path),
            };
            find_newest(&run.path().join(CHECKPOINTS), open)
        };
        for errno in [Errno::IO, Errno::STALE] {
            let Newest { checkpoint, damaged, .. } =
                newest(&|path| path.ends_with("step-00000003").then_some(errno)).unwrap();
            assert_eq!((checkpoint.unwrap().step(), damaged), (2, vec![]));
        }
        // What the user can mend, such as permissions, is told of.
        assert!(matches!(newest(&|_| Some(Errno::ACCESS)), Err(Error::Io { .. })));
        let error = newest(&|path| (!path.ends_with("step-00000002")).then_some(Errno::IO));
        assert_eq!(error.unwrap().checkpoint.unwrap().step(), 2);
        fs::write(run.path().join(CHECKPOINTS).join("step-00000002").join(MANIFEST), "").unwrap();
        let error = newest(&|path| (!path.ends_with("step-00000002")).then_some(Errno::IO)).map(drop).unwrap_err();
        let message = error.to_string();
        assert!(
            message.starts_with("of the 3 checkpoints in ") && message.contains("step-00000003/state"),
            "{message}"
        );
        assert_eq!(checkpoints.steps().unwrap(), [3, 2, 1]);
    }

    #[test]
    fn below_a_file_there_is_nothing() {
        let run = tempfile::tempdir().unwrap();
        let file = run.path().join("file");
        fs::write(&file, "").unwrap();
        let is = [&*file, &*file.join("checkpoints"), &*run.path().join("other")].map(|path| is_there(path).unwrap());
        assert_eq!(is, [true, false, false]);
    }
}
