//! Starting the process once more, with the variables that must be there before `main`.

use std::ffi::OsStr;

use clap::{ArgMatches, Command};
use runtime::plugins::{self, Environment, Platform};

/// The id of the option that a command which runs on a device has ([`DeviceArgs`](crate::commands::devices::DeviceArgs)).
const DEVICE: &str = "device";

/// The id of the option of a command that only compiles for a device.
const TARGET: &str = "target";

/// Replaces this process by the same program with [`runtime::process_variables`], if the command runs on a device and the
/// user has not set all of them. What the user has set stays. Where that is not possible the program goes on as it is.
///
/// To be called before the command does anything: what it had read from standard input would be lost.
pub(crate) fn with_process_variables(command: &Command, matches: &ArgMatches) {
    let Some(device) = device_option(command, matches) else { return };
    let platform = device.unwrap_or_else(|| plugins::default_platform(&Environment::from_process()));
    let missing = missing(platform, |name| std::env::var_os(name).is_some());
    if !missing.is_empty() {
        restart(&missing);
    }
}

/// The device that a command is asked to run on, if it names one; `None` for a command without this option.
fn device_option(command: &Command, matches: &ArgMatches) -> Option<Option<Platform>> {
    match matches.subcommand() {
        Some((name, matches)) => device_option(command.find_subcommand(name)?, matches),
        None if command.get_arguments().any(|argument| argument.get_id() == DEVICE) => {
            Some(matches.get_one(DEVICE).copied())
        }
        // Whichever compiler it is, nothing is run: all platforms of GPUs have the variables that keep compilers quiet.
        None if command.get_arguments().any(|argument| argument.get_id() == TARGET) => Some(Some(Platform::Cuda)),
        None => None,
    }
}

type Variable = (&'static str, &'static str);

fn missing(platform: Platform, is_set: impl Fn(&OsStr) -> bool) -> Vec<Variable> {
    runtime::process_variables(platform).iter().copied().filter(|(name, _)| !is_set(name.as_ref())).collect()
}

/// Holds the id of the process that has been started again, so that it does not go round for ever where variables do not
/// arrive (the loader takes glibc's from programs with raised privileges). Processes that it starts have other ids.
#[cfg(unix)]
const MARKER: &str = "FINERY_STARTED_AGAIN";

/// Does not come back if it succeeds; the process keeps its id, its parent and its open standard streams.
#[cfg(unix)]
fn restart(variables: &[Variable]) {
    use std::os::unix::process::CommandExt as _;

    let process = std::process::id().to_string();
    if std::env::var_os(MARKER).is_some_and(|marked| marked == *process) {
        return tracing::debug!(?variables, "variables did not arrive");
    }
    let mut arguments = std::env::args_os();
    let name = arguments.next().unwrap_or_else(|| "finery".into());
    let error = match std::env::current_exe() {
        Ok(program) => {
            let mut command = std::process::Command::new(program);
            command.arg0(name).args(arguments).envs(variables.iter().copied()).env(MARKER, process).exec()
        }
        Err(error) => error,
    };
    tracing::debug!(%error, ?variables, "cannot start again with these variables");
}

#[cfg(not(unix))]
fn restart(_variables: &[Variable]) {}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn commands_with_a_device_are_known_by_their_option() {
        let device_of = |line: &str| {
            let mut command = crate::Cli::command();
            let matches = command.try_get_matches_from_mut(line.split(' ')).unwrap();
            device_option(&command, &matches)
        };
        assert_eq!(device_of("finery devices"), Some(None));
        assert_eq!(device_of("finery devices --device cuda"), Some(Some(Platform::Cuda)));
        assert_eq!(device_of("finery -q bench train --preset cpu-15m --device cpu"), Some(Some(Platform::Cpu)));
        assert_eq!(device_of("finery plan a.yaml --target cpu:8"), Some(Some(Platform::Cuda)));
        assert_eq!(device_of("finery plugin list"), None);
        assert_eq!(device_of("finery completions bash"), None);
    }

    #[test]
    fn what_the_user_has_set_is_not_missing() {
        let names = |set: &[&str]| -> Vec<&str> {
            missing(Platform::Cpu, |name| set.iter().any(|known| *known == name))
                .iter()
                .map(|(name, _)| *name)
                .collect()
        };
        assert_eq!(names(&[]), ["TF_CPP_MIN_LOG_LEVEL", "MALLOC_CONF"]);
        assert_eq!(names(&["MALLOC_CONF"]), ["TF_CPP_MIN_LOG_LEVEL"]);
        assert!(names(&["MALLOC_CONF", "TF_CPP_MIN_LOG_LEVEL"]).is_empty());
    }
}
