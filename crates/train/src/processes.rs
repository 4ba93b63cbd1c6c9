//! The processes that make a run together, as one of them sees them. One alone asks nobody.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use checkpoint::{Alone, Claim, SourceError, Writers};
use ranks::{GroupError, ProcessGroup};
use runtime::Session;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Error;

/// This process among those of its run. What all call, they call in one order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Processes<'a> {
    group: Option<&'a ProcessGroup>,
}

impl<'a> Processes<'a> {
    /// Those that compute with the session's.
    pub(crate) fn of(session: &'a Session) -> Processes<'a> {
        Processes { group: session.group().map(AsRef::as_ref) }
    }

    /// Whether there is no other.
    pub(crate) fn is_alone(self) -> bool {
        self.group.is_none()
    }

    /// Whether this is the one that writes the run's files.
    pub(crate) fn is_first(self) -> bool {
        self.group.is_none_or(|group| group.rank() == 0)
    }

    /// The sum of what all processes give, place by place.
    pub(crate) fn sum<const N: usize>(self, what: &str, terms: [u64; N]) -> Result<[u64; N], Error> {
        let Some(group) = self.group else { return Ok(terms) };
        let sum = group.sum(what, &terms)?;
        Ok(sum.try_into().expect("all give as many numbers"))
    }

    /// Whether any process says so.
    pub(crate) fn any(self, what: &str, own: bool) -> Result<bool, Error> {
        Ok(self.sum(what, [own.into()])? != [0])
    }

    /// What the first process says, whatever the others think.
    pub(crate) fn first_says(self, what: &str, own: u64) -> Result<u64, Error> {
        let [said] = self.sum(what, [if self.is_first() { own } else { 0 }])?;
        Ok(said)
    }

    /// What the first process has found out.
    pub(crate) fn told_by_first(
        self,
        name: &str,
        value: impl FnOnce() -> Result<Vec<u8>, Error>,
    ) -> Result<Vec<u8>, Error> {
        let Some(group) = self.group else { return value() };
        let value = if self.is_first() { value()? } else { Vec::new() };
        Ok(group.told_by_first(name, || value)?)
    }

    /// What each process has, in their order.
    pub(crate) fn all<T: Serialize + DeserializeOwned>(self, what: &str, own: T) -> Result<Vec<T>, Error> {
        let Some(group) = self.group else { return Ok(vec![own]) };
        let own = serde_json::to_vec(&own).expect("it has strings for keys");
        let all = group.gather(what, &own)?;
        Ok(all.iter().map(|text| serde_json::from_slice(text).expect("all are of one version")).collect())
    }

    /// Refuses processes that have other lines than the first.
    pub(crate) fn agree(self, name: &str, lines: impl FnOnce() -> String) -> Result<(), Error> {
        self.group.map_or(Ok(()), |group| Ok(group.agree(name, &lines())?))
    }

    /// Checks that all processes have the same folder, by the claim that the first has left there; each looks for it for `patience`.
    pub(crate) fn share(self, run: &Path, claim: &Claim, patience: Duration) -> Result<(), Error> {
        let Some(group) = self.group else { return Ok(()) };
        let own = claim.await_in(run, patience);
        let problem = own.as_ref().err().map(ToString::to_string);
        let all = self.all("what is found in the run's folder", (group.host().to_owned(), problem))?;
        own?;
        let other = |(rank, (host, problem)): (usize, (String, Option<String>))| {
            problem.map(|problem| Error::OtherFolder { rank, host, problem })
        };
        all.into_iter().enumerate().find_map(other).map_or(Ok(()), Err)
    }

    /// Lets one process of each machine work before the others, which find in the machine's cache what it has left there.
    pub(crate) fn one_of_each_machine_first<T>(
        self,
        what: &str,
        mut work: impl FnMut() -> Result<T, Error>,
    ) -> Result<T, Error> {
        let Some(group) = self.group else { return work() };
        let early = (group.local_rank() == 0).then(&mut work);
        group.barrier(what, None)?;
        early.unwrap_or_else(work)
    }

    /// Tells the others of an error that ends this process, before it lets go of its devices: what these compute may wait for the others'.
    /// Who only heard of another's error lets that one tell it; that all are to stop is no error.
    pub(crate) fn fail(self, error: &Error) {
        /// How much later the other may come to tell it.
        const HEARD_BEFORE_MAX: Duration = Duration::from_secs(10);
        let Some(group) = self.group.filter(|_| !matches!(error, Error::Stopped)) else { return };
        if is_of_another(error, group.rank()) && group.await_failure(HEARD_BEFORE_MAX) {
            return;
        }
        let causes = std::iter::successors(Some(error as &dyn std::error::Error), |error| error.source());
        group.fail(&causes.map(ToString::to_string).collect::<Vec<_>>().join(": "));
    }

    /// Tells which step this process is at, should it die.
    pub(crate) fn at_step(self, step: u64) {
        if let Some(group) = self.group {
            group.at_step(step);
        }
    }
}

/// Whether this process has failed because another has.
fn is_of_another(error: &Error, own: u32) -> bool {
    use checkpoint::Error::{LostWriter, OtherWriter};
    match error {
        Error::Checkpoint(OtherWriter { .. } | LostWriter { .. })
        | Error::OtherFolder { .. }
        | Error::Ranks(GroupError::Failed(_)) => true,
        Error::Ranks(GroupError::Differ { rank, .. }) => *rank != own,
        _ => false,
    }
}

/// Those that write the session's checkpoints together.
pub(crate) fn writers(session: &Session) -> Result<Arc<dyn Writers>, Error> {
    let Some(group) = session.group() else { return Ok(Arc::new(Alone)) };
    let hosts = group.gather("the machines", group.host().as_bytes())?;
    let here = hosts.iter().filter(|host| *host == group.host().as_bytes()).count();
    Ok(Arc::new(Members { group: Arc::clone(group), here }))
}

/// The processes of a group, as those that write a checkpoint. They meet under names of their own, beside those that train.
struct Members {
    group: Arc<ProcessGroup>,
    /// How many are on this machine.
    here: usize,
}

impl Writers for Members {
    fn rank(&self) -> usize {
        self.group.rank() as usize
    }

    fn count(&self) -> usize {
        self.group.size() as usize
    }

    fn count_here(&self) -> usize {
        self.here
    }

    fn gather(&self, what: &str, bytes: Vec<u8>) -> Result<Vec<Vec<u8>>, SourceError> {
        Ok(self.group.gather(what, &bytes)?)
    }
}

/// Being asked to stop, which all processes are as soon as one is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop<'a> {
    asked: &'a AtomicBool,
    processes: Processes<'a>,
}

impl<'a> Stop<'a> {
    /// Set from outside.
    pub(crate) fn new(asked: &'a AtomicBool, processes: Processes<'a>) -> Stop<'a> {
        Stop { asked, processes }
    }

    /// Whether this process was asked; the others may not have been.
    pub(crate) fn is_asked(self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }

    /// Whether the run is to stop: the same for all processes, which ask together.
    pub(crate) fn is_set(self) -> Result<bool, Error> {
        self.processes.any("whether to stop", self.is_asked())
    }

    /// [`Error::Stopped`] if the run is to stop.
    pub(crate) fn check(self) -> Result<(), Error> {
        if self.is_set()? { Err(Error::Stopped) } else { Ok(()) }
    }
}

#[cfg(test)]
#[path = "../../ranks/tests/support/loopback.rs"]
mod loopback;

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::SystemTime;

    use checkpoint::Owner;
    use ranks::{Launcher, Secret, Terms, Timing, World};

    use super::*;

    /// What each of two processes, as threads of this one, makes of what it is called with.
    fn two<T: Send>(act: impl Fn(Processes<'_>) -> T + Sync) -> [T; 2] {
        let (coordinator, port) = loopback::free_address();
        let secret = Secret::random().unwrap();
        let world = |rank| World {
            rank,
            size: 2,
            local_rank: rank,
            local_device: 0,
            coordinator: coordinator.clone(),
            port,
            listens_on_stdin: false,
            epoch: 1,
            secret: secret.clone(),
            launcher: Launcher::Finery,
        };
        thread::scope(|scope| {
            let start = |rank| {
                let (world, act) = (world(rank), &act);
                scope.spawn(move || {
                    let timing = Timing { silence_max: Duration::from_secs(60), ..Timing::default() };
                    let group = ProcessGroup::join(&world, &Terms::default(), timing, || false, |_| {}).unwrap();
                    let made = act(Processes { group: Some(&group) });
                    // None is gone before the other is done.
                    group.leave().unwrap_or_default();
                    made
                })
            };
            [0, 1].map(start).map(|thread| thread.join().unwrap())
        })
    }

    #[test]
    fn a_process_in_another_folder_is_named() {
        let [run, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let claim = Claim::take(run.path(), Owner::this_process(SystemTime::UNIX_EPOCH)).unwrap();
        let share = |folders: [&Path; 2]| {
            two(|processes| {
                let folder = folders[usize::from(!processes.is_first())];
                processes.share(folder, &claim, Duration::ZERO).map_err(|error| error.to_string())
            })
        };
        assert_eq!(share([run.path(), run.path()]), [Ok(()), Ok(())]);
        let [first, second] = share([run.path(), other.path()]).map(Result::unwrap_err);
        assert!(second.starts_with(&format!("the run in {} was begun by ", other.path().display())), "{second}");
        assert_eq!(first, format!("rank 1 on host {}: {second}", claim.owner.host));
    }

    /// Whichever is the first to tell of an error, the others are told whose it is.
    #[test]
    fn who_only_heard_of_an_error_is_not_named() {
        let own = |problem: &str| Error::OtherFolder { rank: 1, host: "b".to_owned(), problem: problem.to_owned() };
        let told = two(|processes| {
            let group = processes.group.expect("there are two");
            if processes.is_first() {
                processes.fail(&own("of the other"));
                return group.failure().map(|failure| failure.sentence);
            }
            thread::sleep(Duration::from_millis(300));
            processes.fail(&Error::NoTokenizer);
            None
        });
        let sentence = told[0].as_deref().unwrap_or_default();
        assert!(
            sentence.starts_with("rank 1 on host ") && sentence.ends_with(&Error::NoTokenizer.to_string()),
            "{told:?}"
        );
    }
}
