//! Which process of how many this is, as launchers say it in environment variables.

use std::fmt;
use std::time::Duration;

use crate::host_list::first_host;
use crate::{Secret, Timing, WorldError};

/// One process of several that make a run.
#[derive(Clone, Debug)]
pub struct World {
    /// This process, from 0.
    pub rank: u32,
    /// How many there are; at least two.
    pub size: u32,
    /// This process among those of its machine, from 0.
    pub local_rank: u32,
    /// Which of the GPUs that this process sees is its own.
    pub local_device: u32,
    /// Where rank 0 listens: a name or an IP address.
    pub coordinator: String,
    /// Its port.
    pub port: u16,
    /// Whether the standard input of rank 0 is the socket that listens there, so that no other program can take the port before.
    pub listens_on_stdin: bool,
    /// Which start of the run this is, from 0: a job that was requeued has processes of an earlier start that may still run.
    pub epoch: u64,
    /// What all of them know.
    pub secret: Secret,
    /// Who started them.
    pub launcher: Launcher,
}

/// Who starts processes and sets variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Launcher {
    /// `finery launch`.
    Finery,
    /// PyTorch's `torchrun`.
    Torchrun,
    /// SLURM's `srun`.
    Slurm,
}

impl fmt::Display for Launcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Launcher::Finery => "finery launch",
            Launcher::Torchrun => "torchrun",
            Launcher::Slurm => "srun",
        })
    }
}

/// Names of a launcher's variables.
struct Names {
    launcher: Launcher,
    rank: &'static str,
    size: &'static str,
    local_rank: &'static str,
    /// Which start of the run it is, where the launcher counts those of all processes as one.
    epoch: Option<&'static str>,
}

const FINERY: Names = Names {
    launcher: Launcher::Finery,
    rank: "FINERY_RANK",
    size: "FINERY_WORLD_SIZE",
    local_rank: "FINERY_LOCAL_RANK",
    epoch: Some(EPOCH),
};
const TORCHRUN: Names = Names {
    launcher: Launcher::Torchrun,
    rank: "RANK",
    size: "WORLD_SIZE",
    local_rank: "LOCAL_RANK",
    // TORCHELASTIC_RESTART_COUNT counts what each machine's agent has tried by itself, so that processes which start together differ in
    // it. An agent ends its processes before it starts others.
    epoch: None,
};
/// The step's own number of tasks: in a shell that `salloc` opens, SLURM_NTASKS is the whole job's.
const SLURM: Names = Names {
    launcher: Launcher::Slurm,
    rank: "SLURM_PROCID",
    size: "SLURM_STEP_NUM_TASKS",
    local_rank: "SLURM_LOCALID",
    epoch: Some("SLURM_RESTART_COUNT"),
};
const SLURM_JOB: Names = Names { size: "SLURM_NTASKS", ..SLURM };

const EPOCH: &str = "FINERY_EPOCH";
const COORDINATOR: &str = "FINERY_COORDINATOR";
const PORT: &str = "FINERY_PORT";
const SECRET: &str = "FINERY_SECRET";
pub(crate) const JOIN_SECONDS: &str = "FINERY_JOIN_SECONDS";
const LISTENER: &str = "FINERY_LISTENER";
const STDIN: &str = "stdin";
/// srun sets it, and a batch script, which is one process whatever SLURM_NTASKS says, has none.
const STEP_HOSTS: &str = "SLURM_STEP_NODELIST";
/// In the order in which drivers look at them.
const VISIBLE_DEVICES: [&str; 3] = ["CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"];

impl World {
    /// The world that a process's environment describes, or `None` for one process on its own.
    ///
    /// `finery launch`'s variables are looked at first, then torchrun's, then SLURM's, because each may run within the next.
    /// `FINERY_SECRET`, `FINERY_COORDINATOR` and `FINERY_PORT` count with all of them.
    ///
    /// # Errors
    /// Variables are missing, are no numbers, or contradict each other.
    pub fn from_process() -> Result<Option<World>, WorldError> {
        World::from_variables(&|name| std::env::var(name).ok())
    }

    /// As [`World::from_process`], of variables that `variable` looks up.
    ///
    /// # Errors
    /// As there.
    pub fn from_variables(variable: &dyn Fn(&str) -> Option<String>) -> Result<Option<World>, WorldError> {
        let variables = Variables(variable);
        let slurm = match variables.text(SLURM.size) {
            Some(_) => &SLURM,
            None => &SLURM_JOB,
        };
        let is_step = variables.text(STEP_HOSTS).is_some();
        for names in [&FINERY, &TORCHRUN, slurm] {
            if names.launcher == Launcher::Slurm && !is_step {
                continue;
            }
            let Some((rank, size)) = variables.rank(names)? else { continue };
            if let (Launcher::Torchrun, true, Some((_, tasks))) = (names.launcher, is_step, variables.rank(slurm)?)
                && size < tasks
            {
                let (inner, outer) = (names.size, slurm.size);
                return Err(WorldError::Contradiction { inner, inner_size: size, outer, outer_size: tasks });
            }
            return match size {
                1 => Ok(None),
                _ => variables.world(names, rank, size).map(Some),
            };
        }
        Ok(None)
    }

    /// For a process that is to compute on the GPU of this number: that each of the variables `names`, by which GPUs are chosen, shows as many. One that shows none
    /// is the driver's to tell of.
    ///
    /// # Errors
    /// One shows fewer.
    pub fn check_device(number: u32, names: &[&'static str]) -> Result<(), WorldError> {
        Variables(&|name| std::env::var(name).ok()).check_device(number, names)
    }

    /// The variables that make a process this one of `finery launch`.
    pub fn variables(&self) -> [(&'static str, String); 8] {
        [
            (FINERY.rank, self.rank.to_string()),
            (FINERY.size, self.size.to_string()),
            (FINERY.local_rank, self.local_rank.to_string()),
            (EPOCH, self.epoch.to_string()),
            (COORDINATOR, self.coordinator.clone()),
            (PORT, self.port.to_string()),
            (LISTENER, if self.listens_on_stdin { STDIN } else { "" }.to_owned()),
            (SECRET, self.secret.expose().to_owned()),
        ]
    }
}

impl Timing {
    /// The usual one, with as much time to come as `FINERY_JOIN_SECONDS` says, where it is set.
    ///
    /// # Errors
    /// It holds no number of seconds up to a week.
    pub fn from_process() -> Result<Timing, WorldError> {
        Timing::from_variables(&|name| std::env::var(name).ok())
    }

    /// As [`Timing::from_process`], of variables that `variable` looks up.
    ///
    /// # Errors
    /// As there.
    pub fn from_variables(variable: &dyn Fn(&str) -> Option<String>) -> Result<Timing, WorldError> {
        const WEEK: u64 = 7 * 24 * 60 * 60;
        let (usual, seconds) = (Timing::default(), Variables(variable).number(JOIN_SECONDS, WEEK)?);
        Ok(Timing { join_max: seconds.map_or(usual.join_max, Duration::from_secs), ..usual })
    }
}

struct Variables<'a>(&'a dyn Fn(&str) -> Option<String>);

impl Variables<'_> {
    /// What a variable holds; an empty one counts as not set.
    fn text(&self, name: &str) -> Option<String> {
        self.0(name).filter(|value| !value.is_empty())
    }

    fn number<N: TryFrom<u64>>(&self, name: &'static str, max: u64) -> Result<Option<N>, WorldError> {
        self.number_from(name, 0, max)
    }

    fn number_from<N: TryFrom<u64>>(&self, name: &'static str, min: u64, max: u64) -> Result<Option<N>, WorldError> {
        let Some(value) = self.text(name) else { return Ok(None) };
        let number = value.trim().parse().ok().filter(|number| (min..=max).contains(number));
        let number = number.and_then(|number| N::try_from(number).ok());
        number.map(Some).ok_or(WorldError::NotNumber { name, value, min, max })
    }

    /// Rank and size, if there are any.
    fn rank(&self, names: &Names) -> Result<Option<(u32, u32)>, WorldError> {
        let max = u32::MAX.into();
        let missing = |given, missing| Err(WorldError::Missing { launcher: names.launcher, given, missing });
        match (self.number(names.rank, max)?, self.number(names.size, max)?) {
            (Some(rank), Some(size)) if rank < size => Ok(Some((rank, size))),
            (Some(value), Some(bound)) => {
                Err(WorldError::NotBelow { name: names.rank, value, bound_name: names.size, bound })
            }
            (Some(_), None) => missing(names.rank, names.size),
            (None, Some(_)) => missing(names.size, names.rank),
            (None, None) => Ok(None),
        }
    }

    fn world(&self, names: &Names, rank: u32, size: u32) -> Result<World, WorldError> {
        let launcher = names.launcher;
        let missing = |missing| WorldError::Missing { launcher, given: names.rank, missing };
        let local_rank = self.number(names.local_rank, u32::MAX.into())?.ok_or_else(|| missing(names.local_rank))?;
        if local_rank >= size {
            let (name, bound_name) = (names.local_rank, names.size);
            return Err(WorldError::NotBelow { name, value: local_rank, bound_name, bound: size });
        }
        let secret = self.text(SECRET).and_then(Secret::new).ok_or(WorldError::Secret { launcher, size })?;
        let coordinator = match self.text(COORDINATOR) {
            Some(host) => host,
            None => self.coordinator(launcher)?.ok_or_else(|| missing(COORDINATOR))?,
        };
        let port = match self.number_from(PORT, 1, u16::MAX.into())? {
            Some(port) => port,
            None => self.port(launcher)?.ok_or_else(|| missing(PORT))?,
        };
        let number = |name| self.number(name, u64::MAX).transpose();
        let epoch = [Some(EPOCH), names.epoch].into_iter().flatten().find_map(number).unwrap_or(Ok(0))?;
        // Processes of this program's own launcher see the same, at least one GPU for each of them.
        let sees_own = launcher != Launcher::Finery && self.sees_one_device();
        let local_device = if sees_own { 0 } else { local_rank };
        let listens_on_stdin = rank == 0 && self.text(LISTENER).is_some_and(|listener| listener == STDIN);
        Ok(World { rank, size, local_rank, local_device, coordinator, port, listens_on_stdin, epoch, secret, launcher })
    }

    fn coordinator(&self, launcher: Launcher) -> Result<Option<String>, WorldError> {
        match launcher {
            Launcher::Finery => Ok(None),
            Launcher::Torchrun => match self.text("MASTER_ADDR") {
                None => Err(WorldError::Missing { launcher, given: TORCHRUN.rank, missing: "MASTER_ADDR" }),
                host => Ok(host),
            },
            Launcher::Slurm => {
                let list = self.text(STEP_HOSTS).unwrap_or_default();
                first_host(&list).map(Some).map_err(|rule| WorldError::HostList { name: STEP_HOSTS, list, rule })
            }
        }
    }

    fn port(&self, launcher: Launcher) -> Result<Option<u16>, WorldError> {
        match launcher {
            Launcher::Finery => Ok(None),
            Launcher::Torchrun => {
                let port: Option<u16> = self.number_from("MASTER_PORT", 1, u16::MAX.into())?;
                let port =
                    port.ok_or(WorldError::Missing { launcher, given: TORCHRUN.rank, missing: "MASTER_PORT" })?;
                // torchrun's agent itself listens on MASTER_PORT where it says so.
                let is_taken = self.text("TORCHELASTIC_USE_AGENT_STORE").is_some_and(|value| value == "True");
                Ok(Some(if is_taken { port.checked_add(1).unwrap_or(port - 1) } else { port }))
            }
            Launcher::Slurm => {
                // Below the range from which systems take ports for outgoing connections.
                const FIRST: u64 = 20_000;
                const COUNT: u64 = 10_000;
                let job: u64 = self.number("SLURM_JOB_ID", u64::MAX)?.unwrap_or(0);
                let step: u64 = self.number("SLURM_STEP_ID", u64::MAX)?.unwrap_or(0);
                Ok(Some((FIRST + (job % COUNT + step % COUNT) % COUNT) as u16))
            }
        }
    }

    fn check_device(&self, number: u32, names: &[&'static str]) -> Result<(), WorldError> {
        // Drivers stop at what names nothing, customarily -1; SLURM says NoDevFiles.
        let names_one = |entry: &&str| {
            let entry = entry.trim();
            entry.parse::<u32>().is_ok() || ["GPU-", "MIG-"].iter().any(|kind| entry.starts_with(kind))
        };
        let few = names.iter().find_map(|name| {
            let value = self.text(name)?;
            let count = value.split(',').take_while(names_one).count();
            (1..=number as usize).contains(&count).then_some(WorldError::FewDevices { name, value, count, number })
        });
        few.map_or(Ok(()), Err)
    }

    /// Whether the launcher left each process one GPU to see, as `srun --gpus-per-task=1` does.
    fn sees_one_device(&self) -> bool {
        VISIBLE_DEVICES.iter().any(|name| self.text(name).is_some_and(|devices| !devices.contains(',')))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handshake::{Introduction, Judgement};

    const KEY: (&str, &str) = ("FINERY_SECRET", "0123456789abcdef");
    const AS_TORCHRUN: Set = &[
        KEY,
        ("RANK", "5"),
        ("WORLD_SIZE", "8"),
        ("LOCAL_RANK", "1"),
        ("MASTER_ADDR", "node-a"),
        ("MASTER_PORT", "29500"),
        ("TORCHELASTIC_RESTART_COUNT", "2"),
    ];
    const AS_SRUN: Set = &[
        KEY,
        ("SLURM_PROCID", "3"),
        ("SLURM_NTASKS", "4"),
        ("SLURM_LOCALID", "1"),
        ("SLURM_NODEID", "1"),
        ("SLURM_STEP_NODELIST", "gpu[003-004]"),
        ("SLURM_JOB_ID", "1234567"),
        ("SLURM_STEP_ID", "2"),
    ];

    type Set<'a> = &'a [(&'a str, &'a str)];

    /// The world of `set` with `changes`, of which an empty value unsets a variable.
    fn world(set: Set, changes: Set) -> Result<Option<World>, WorldError> {
        World::from_variables(&|name| {
            let found = changes.iter().chain(set).find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    /// Rank of size, local rank and device, address, epoch.
    fn shown(set: Set, changes: Set) -> String {
        match world(set, changes) {
            Ok(None) => "one process".to_owned(),
            Ok(Some(world)) => {
                let World { rank, size, local_rank, local_device, coordinator, port, epoch, launcher, .. } = world;
                format!(
                    "{launcher}: {rank} of {size}, {local_rank} on GPU {local_device}, {coordinator}:{port}, start {epoch}"
                )
            }
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn launchers_say_who_a_process_is() {
        assert_eq!(shown(&[], &[]), "one process");
        assert_eq!(shown(AS_TORCHRUN, &[]), "torchrun: 5 of 8, 1 on GPU 1, node-a:29500, start 0");
        let epoch = ("FINERY_EPOCH", "3");
        assert_eq!(shown(AS_TORCHRUN, &[epoch]), "torchrun: 5 of 8, 1 on GPU 1, node-a:29500, start 3");
        // Where torchrun's own agent listens on its port, ours is the next.
        let agent = ("TORCHELASTIC_USE_AGENT_STORE", "True");
        assert_eq!(shown(AS_TORCHRUN, &[agent]), "torchrun: 5 of 8, 1 on GPU 1, node-a:29501, start 0");
        let last = ("MASTER_PORT", "65535");
        assert_eq!(shown(AS_TORCHRUN, &[agent, last]), "torchrun: 5 of 8, 1 on GPU 1, node-a:65534, start 0");

        assert_eq!(shown(AS_SRUN, &[]), "srun: 3 of 4, 1 on GPU 1, gpu003:24569, start 0");
        assert_eq!(shown(AS_SRUN, &[("SLURM_RESTART_COUNT", "1")]), "srun: 3 of 4, 1 on GPU 1, gpu003:24569, start 1");
        let address = [("FINERY_COORDINATOR", "gpu003-ib"), ("FINERY_PORT", "7000")];
        assert_eq!(shown(AS_SRUN, &address), "srun: 3 of 4, 1 on GPU 1, gpu003-ib:7000, start 0");
        // A batch script is one process of a job of four tasks, and so is the shell that salloc opens.
        assert_eq!(shown(AS_SRUN, &[("SLURM_STEP_NODELIST", "")]), "one process");
        assert_eq!(shown(AS_SRUN, &[("SLURM_STEP_NUM_TASKS", "1"), ("SLURM_PROCID", "0")]), "one process");
    }

    /// Each machine's agent counts its own retries.
    #[test]
    fn ranks_of_torchrun_belong_together_whatever_their_agents_count() {
        let terms = crate::Terms { version: "1".to_owned(), configuration: String::new() };
        let [first, other] = [("0", "1"), ("5", "0")].map(|(rank, count)| {
            let changes = [("RANK", rank), ("TORCHELASTIC_RESTART_COUNT", count)];
            let Ok(Some(world)) = world(AS_TORCHRUN, &changes) else { panic!("no world") };
            Introduction::new(&world, &terms, "node".to_owned())
        });
        assert_eq!(first.judge(&other), Judgement::Fits);
    }

    #[test]
    fn a_launcher_within_another_counts() {
        let outer: Vec<_> = AS_TORCHRUN.iter().chain(AS_SRUN).copied().collect();
        assert_eq!(shown(&outer, &[]), "torchrun: 5 of 8, 1 on GPU 1, node-a:29500, start 0");
        let Ok(Some(inner)) = world(&outer, &[("LOCAL_RANK", "0")]) else { panic!("no world") };
        let inner = World { rank: 1, size: 2, local_rank: 1, coordinator: "127.0.0.1".to_owned(), epoch: 0, ..inner };
        let variables = inner.variables();
        let changes: Vec<_> = variables.iter().map(|(name, value)| (*name, value.as_str())).collect();
        assert_eq!(shown(&outer, &changes), "finery launch: 1 of 2, 1 on GPU 1, 127.0.0.1:29500, start 0");
        // Sixteen processes, each of which takes itself for the only one.
        assert_eq!(
            shown(&outer, &[("RANK", "0"), ("WORLD_SIZE", "1"), ("LOCAL_RANK", "0")]),
            "WORLD_SIZE=1, but srun started SLURM_NTASKS=4 processes, each of which would run on its own: unset WORLD_SIZE, \
             or start one process"
        );
    }

    #[test]
    fn a_process_that_sees_one_gpu_takes_that() {
        assert_eq!(shown(AS_SRUN, &[("CUDA_VISIBLE_DEVICES", "3")]), "srun: 3 of 4, 1 on GPU 0, gpu003:24569, start 0");
        assert_eq!(shown(AS_SRUN, &[("ROCR_VISIBLE_DEVICES", "1")]), "srun: 3 of 4, 1 on GPU 0, gpu003:24569, start 0");
        let several = ("CUDA_VISIBLE_DEVICES", "2,3");
        assert_eq!(shown(AS_SRUN, &[several]), "srun: 3 of 4, 1 on GPU 1, gpu003:24569, start 0");
    }

    #[test]
    fn each_process_of_our_launcher_has_its_own_gpu() {
        let check_of = |set: Set, number, names: &[&'static str]| {
            let found = |name: &str| set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
            Variables(&found).check_device(number, names).map_err(|error| error.to_string())
        };
        let check = |set: Set, number| check_of(set, number, &["CUDA_VISIBLE_DEVICES"]);
        let [one, two, four] = ["3", "2,3", "0,1,2,3"].map(|value| ("CUDA_VISIBLE_DEVICES", value));
        for (set, number) in [(&[][..], 7), (&[one], 0), (&[two], 1), (&[four], 1)] {
            assert_eq!(check(set, number), Ok(()), "{set:?}");
        }
        for none in ["", "-1", "-1,0", "NoDevFiles"] {
            assert_eq!(check(&[("CUDA_VISIBLE_DEVICES", none)], 1), Ok(()), "{none}");
        }
        assert_eq!(
            check(&[one], 1).unwrap_err(),
            "CUDA_VISIBLE_DEVICES=3 shows 1 of the machine's GPUs, and this process is to compute on GPU 1 of those, counted from 0: name as many as there are \
             processes, start 1, or unset it"
        );
        // ROCm's narrow each other, and another vendor's may be left over.
        let amd = ["ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES"];
        let few = ("ROCR_VISIBLE_DEVICES", "GPU-0123456789abcdef, 1");
        for set in [&[one, few][..], &[few, ("HIP_VISIBLE_DEVICES", "0,1,2,3")]] {
            let told = check_of(set, 3, &amd).unwrap_err();
            assert!(told.starts_with("ROCR_VISIBLE_DEVICES=GPU-0123456789abcdef, 1 shows 2 "), "{told}");
        }
        assert_eq!(check_of(&[one], 3, &amd), Ok(()));
        assert!(check_of(&[("HIP_VISIBLE_DEVICES", "0,1,-1,2")], 2, &amd).unwrap_err().contains(" shows 2 "));

        let Ok(Some(world)) = world(AS_TORCHRUN, &[]) else { panic!("no world") };
        let world = World { rank: 1, size: 2, local_rank: 1, ..world };
        let variables = world.variables();
        let own: Vec<_> = variables.iter().map(|(name, value)| (*name, value.as_str())).collect();
        for visible in [two, ("ROCR_VISIBLE_DEVICES", "0")] {
            assert!(shown(&own, &[visible]).contains(", 1 on GPU 1, "), "{visible:?}");
        }
    }

    #[test]
    fn how_long_ranks_wait_for_each_other_can_be_said() {
        let seconds = |value: &str| {
            let timing = Timing::from_variables(&|name| (name == JOIN_SECONDS).then(|| value.to_owned()));
            timing.map(|timing| timing.join_max.as_secs()).map_err(|error| error.to_string())
        };
        assert_eq!((seconds(""), seconds("20")), (Ok(300), Ok(20)));
        let refused = "FINERY_JOIN_SECONDS=5m is not a whole number from 0 to 604800";
        assert_eq!(seconds("5m"), Err(refused.to_owned()));
    }

    #[test]
    fn variables_that_do_not_fit_are_refused_by_name() {
        let cases: [(Set, Set, &str); 11] = [
            (
                AS_TORCHRUN,
                &[("WORLD_SIZE", "")],
                "RANK is set and WORLD_SIZE is not: torchrun sets both; set WORLD_SIZE too, or unset RANK to run one process",
            ),
            (
                AS_TORCHRUN,
                &[("RANK", "")],
                "WORLD_SIZE is set and RANK is not: torchrun sets both; set RANK too, or unset WORLD_SIZE to run one process",
            ),
            (
                AS_TORCHRUN,
                &[("MASTER_ADDR", "")],
                "RANK is set and MASTER_ADDR is not: torchrun sets both; set MASTER_ADDR too, or unset RANK to run one process",
            ),
            (AS_TORCHRUN, &[("RANK", "8")], "RANK=8, but WORLD_SIZE=8: numbers begin at 0, so the largest is 7"),
            (
                AS_TORCHRUN,
                &[("LOCAL_RANK", "9")],
                "LOCAL_RANK=9, but WORLD_SIZE=8: numbers begin at 0, so the largest is 7",
            ),
            (AS_TORCHRUN, &[("RANK", "-1")], "RANK=-1 is not a whole number from 0 to 4294967295"),
            (AS_TORCHRUN, &[("MASTER_PORT", "70000")], "MASTER_PORT=70000 is not a whole number from 1 to 65535"),
            (AS_TORCHRUN, &[("MASTER_PORT", "0")], "MASTER_PORT=0 is not a whole number from 1 to 65535"),
            (AS_SRUN, &[("FINERY_PORT", "0")], "FINERY_PORT=0 is not a whole number from 1 to 65535"),
            (AS_SRUN, &[("SLURM_STEP_NODELIST", "gpu[1-2")], "SLURM_STEP_NODELIST=gpu[1-2: a bracket is not closed"),
            (
                AS_SRUN,
                &[("FINERY_SECRET", "short")],
                "srun started 4 processes, which need FINERY_SECRET, a random text of at least 16 characters that is the same for all \
                 of them: `export FINERY_SECRET=$(od -An -N16 -tx8 /dev/urandom | tr -d ' ')` before srun",
            ),
        ];
        for (set, changes, expected) in cases {
            assert_eq!(shown(set, changes), expected, "{changes:?}");
        }
    }
}
