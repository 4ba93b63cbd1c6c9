//! Whose a run's folder is.
//!
//! A lock keeps two processes apart on file systems that have locks, for as long as its file is there. What holds without: a process that
//! takes a run over raises the number in [`CLAIM`], and none publishes or removes a checkpoint once that is not its own any more.

use std::fmt;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use atomic_file::PartialFile;
use jiff::{Timestamp, Unit};
use serde::{Deserialize, Serialize};

use crate::atomic::json_to;
use crate::error::Error;
use crate::model_folder::read_json;

/// The file in a run's folder that says who writes to it. It stays when the run ends, so that its number only rises.
const CLAIM: &str = ".epoch.json";

/// A process that writes to a run's folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Owner {
    /// The name of its machine.
    pub host: String,
    /// Its number there.
    pub pid: u32,
    /// When it began, as RFC 3339 has it.
    pub started: String,
}

impl Owner {
    /// This process, which began to write at `now`.
    pub fn this_process(now: SystemTime) -> Owner {
        let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
        let started = Timestamp::try_from(now).and_then(|now| now.round(Unit::Millisecond)).unwrap_or_default();
        Owner { host, pid: std::process::id(), started: started.to_string() }
    }

    /// When it began, in seconds since 1970: more than runs are ever taken over, so no number of theirs that was counted is as high.
    fn started_seconds(&self) -> u64 {
        let started = self.started.parse().unwrap_or(Timestamp::UNIX_EPOCH);
        started.as_second().try_into().unwrap_or(0)
    }

    /// Reads what an owner has written into a file; `None` if that is nothing of the kind.
    pub fn read(file: &Path) -> Option<Owner> {
        read_json(file).ok()
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "process {} on {}, since {}", self.pid, self.host, self.started)
    }
}

/// That a run is a process's: the how manieth it is that writes to the folder, and who.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Rises by one whenever a process takes the run over.
    pub epoch: u64,
    /// The process.
    pub owner: Owner,
}

impl Claim {
    /// The file that says whose the run in a folder is.
    pub fn file(run: &Path) -> PathBuf {
        run.join(CLAIM)
    }

    /// Takes a run over from whoever had it. A claim that is damaged is another's all the same: who wrote it finds that it is not its own.
    ///
    /// # Errors
    /// The file that says so cannot be read or written.
    pub fn take(run: &Path, owner: Owner) -> Result<Claim, Error> {
        let last = match Claim::find(run) {
            Ok(found) => found.map_or(0, |claim| claim.epoch),
            Err(Error::DamagedClaim { path, cause }) => {
                tracing::warn!("{} cannot be understood ({cause}), and is made anew", path.display());
                owner.started_seconds()
            }
            Err(error) => return Err(error),
        };
        // Whose file says more than there will ever be is still told apart by its owner.
        let claim = Claim { epoch: last.saturating_add(1), owner };
        claim.write(run)?;
        Ok(claim)
    }

    /// Checks that this process finds another's claim in the folder, looking for it for `patience`: file systems of networks show only after
    /// a while what another machine has written.
    ///
    /// # Errors
    /// Another claim is there or none, as in a folder that machines do not share, or it cannot be read.
    pub fn await_in(&self, run: &Path, patience: Duration) -> Result<(), Error> {
        const RETRY: Duration = Duration::from_millis(100);
        let end = Instant::now() + patience;
        loop {
            let found = Claim::find(run);
            if matches!(&found, Ok(Some(found)) if found == self) {
                return Ok(());
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let found = found?.map_or_else(|| "none".to_owned(), |found| format!("that of {}", found.owner));
                let begun = format!("{}, and here {found}", self.owner);
                return Err(Error::NotShared { path: run.to_path_buf(), begun });
            }
            thread::sleep(RETRY.min(left));
        }
    }

    /// Checks that nobody has taken the run over since.
    ///
    /// # Errors
    /// Somebody has.
    pub fn check(&self, run: &Path) -> Result<(), Error> {
        match Claim::find(run)? {
            Some(found) if found == *self => Ok(()),
            Some(found) => Err(self.lost_to(found, run)),
            // The folder was cleared, and is nobody's.
            None => self.write(run),
        }
    }

    /// That somebody is seen to have taken the run over since; changes nothing.
    pub(crate) fn loss(&self, run: &Path) -> Option<Error> {
        let found = Claim::find(run).ok().flatten()?;
        (found != *self).then(|| self.lost_to(found, run))
    }

    fn lost_to(&self, other: Claim, run: &Path) -> Error {
        Error::TakenOver { path: run.to_path_buf(), by: other.owner, epoch: other.epoch, own: self.epoch }
    }

    fn find(run: &Path) -> Result<Option<Claim>, Error> {
        let path = Claim::file(run);
        match fs::symlink_metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            _ => read_json(&path).map(Some).map_err(|error| match error {
                Error::Json { path, cause } => Error::DamagedClaim { path, cause },
                error => error,
            }),
        }
    }

    fn write(&self, run: &Path) -> Result<(), Error> {
        let path = Claim::file(run);
        fs::create_dir_all(run).map_err(Error::io("create", run))?;
        let mut file = PartialFile::create_among_others(&path).map_err(Error::io("create", &path))?;
        json_to(&mut file, &path, self)?;
        file.flush().and_then(|()| file.publish()).map_err(Error::io("write", &path))
    }
}
