//! `finery plugin`: install plugins, and show which are there.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;
use runtime::plugins::{self, Environment, Installed, Located, Platform, Purpose, Source};
use serde::Serialize;

use super::devices::{InstallProgress, platform_parser};
use crate::progress::ProgressMode;
use crate::usage::Misuse;

/// Install the XLA plugins that programs run through, and show which are found
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Subcommand,
}

#[derive(Clone, Debug, clap::Subcommand)]
enum Subcommand {
    /// Install a platform's plugin into Finery's cache, with your own pip or uv
    Install(InstallArgs),
    /// Show each plugin found, where, and which one is used
    List {
        /// One JSON object in place of lines: default_platform; plugins, a list of platform, is_used, source, version, library, api_version (null where it does
        /// not load) and problem (null where it does); cuda_toolchain, its folder
        #[arg(long)]
        json: bool,
    },
    /// Load one plugin and print its API version; `list` runs this in a process of its own
    #[command(hide = true)]
    Probe {
        /// What it compiles for
        #[arg(value_parser = platform_parser())]
        platform: Platform,
        /// The plugin's .so
        library: PathBuf,
    },
}

#[derive(Clone, Debug, clap::Args)]
struct InstallArgs {
    /// What the plugin compiles for
    #[arg(value_parser = platform_parser())]
    platform: Platform,

    /// Install from this wheel, for machines without a network (twice with --toolchain: one for each wheel). It is not used where what
    /// it holds is installed already and whole
    #[arg(long, value_name = "FILE.whl")]
    from: Vec<PathBuf>,

    /// cuda only: also install ptxas and libdevice, to compile where no CUDA toolkit is
    #[arg(long)]
    toolchain: bool,

    /// Fetch nothing (as FINERY_OFFLINE=1)
    #[arg(long)]
    offline: bool,
}

/// Runs a `finery plugin` command.
///
/// # Errors
/// Installing fails, or a plugin to be probed does not load.
pub(crate) fn run(args: Args, progress: ProgressMode) -> anyhow::Result<()> {
    let text = match args.command {
        Subcommand::Install(args) => install(&args, progress)?,
        Subcommand::List { json: true } => serde_json::to_string(&Listing::make()?)? + "\n",
        Subcommand::List { json: false } => Listing::make()?.lines()?,
        Subcommand::Probe { platform, library } => {
            let located = Located { platform, source: Source::Variable, library, version: None };
            format!("{}\n", located.load(&Environment::from_process(), Purpose::Inspect)?.version())
        }
    };
    std::io::stdout().write_all(text.as_bytes()).context("printing the result")
}

/// Installs what is not there and says where all of it is.
fn install(args: &InstallArgs, progress: ProgressMode) -> anyhow::Result<String> {
    if args.toolchain && args.platform != Platform::Cuda {
        let rule = format!("--toolchain is for cuda: the {} plugin compiles with what it holds", args.platform);
        return Err(Misuse(rule).into());
    }
    let environment = Environment::from_process().with_offline(args.offline);
    let is_plugin = |file: &PathBuf| !args.toolchain || is_wheel_of(file, plugins::pinned(args.platform).0);
    let (plugin, tools): (Vec<PathBuf>, Vec<PathBuf>) = args.from.iter().cloned().partition(is_plugin);

    for file in &args.from {
        file.metadata().with_context(|| format!("reading the wheel {}", file.display()))?;
    }

    let mut text = String::new();
    let mut shown = InstallProgress::new(progress);
    // With the toolchain's files alone the plugin is left as it is.
    if tools.is_empty() || !plugin.is_empty() {
        let installed = plugins::install_plugin(&environment, args.platform, &plugin, &mut |step| shown.show(step))?;
        writeln!(text, "{}", report(&format!("the {} plugin", args.platform), &installed, &plugin))?;
    }
    if args.toolchain {
        let installed = plugins::install_cuda_toolchain(&environment, &tools, &mut |step| shown.show(step))?;
        writeln!(text, "{}", report("the CUDA toolchain", &installed, &tools))?;
    } else if args.platform == Platform::Cuda && plugins::cuda_toolchain(&environment).is_none() {
        text +=
            "it compiles with ptxas and libdevice, which are not here: run `finery plugin install cuda --toolchain`\n";
    }
    Ok(text)
}

fn is_wheel_of(file: &Path, package: &str) -> bool {
    let prefix = format!("{}-", package.replace('-', "_"));
    file.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(&prefix))
}

/// What became of `what`, which the wheels `from` were given for.
fn report(what: &str, installed: &Installed, from: &[PathBuf]) -> String {
    let state = match installed {
        Installed::Already(_) => "whole, and already installed",
        Installed::Now(_) => "now installed",
        Installed::Again(_) => "repaired, and newly installed",
    };
    let unused = match installed {
        Installed::Already(_) if !from.is_empty() => "; --from is not used: to install from it, remove that folder",
        _ => "",
    };
    format!("{what} is {state} in {}{unused}", installed.dir().display())
}

/// What is found, as JSON has it.
#[derive(Serialize)]
struct Listing {
    default_platform: &'static str,
    /// Those of a platform stand together, the one that is used first.
    plugins: Vec<Listed>,
    cuda_toolchain: Option<String>,
}

#[derive(Serialize)]
struct Listed {
    platform: &'static str,
    is_used: bool,
    source: &'static str,
    version: Option<String>,
    library: String,
    api_version: Option<String>,
    /// Why it cannot be used.
    problem: Option<String>,
}

impl Listing {
    fn make() -> anyhow::Result<Listing> {
        let environment = Environment::from_process();
        let mut listed = Vec::new();
        for platform in Platform::ALL {
            for (rank, located) in plugins::discover(&environment, platform).into_iter().enumerate() {
                let (api_version, problem) = match probe(&located)? {
                    Ok(version) => (Some(version), None),
                    Err(problem) => (None, Some(problem)),
                };
                listed.push(Listed {
                    platform: platform.name(),
                    is_used: rank == 0,
                    source: located.source.name(),
                    version: located.version,
                    library: located.library.display().to_string(),
                    api_version,
                    problem,
                });
            }
        }
        Ok(Listing {
            default_platform: plugins::default_platform(&environment).name(),
            plugins: listed,
            cuda_toolchain: plugins::cuda_toolchain(&environment).map(|folder| folder.display().to_string()),
        })
    }

    /// Lines for people.
    fn lines(&self) -> anyhow::Result<String> {
        let mut text = String::new();
        for platform in Platform::ALL {
            let default = if platform.name() == self.default_platform { ", the default here" } else { "" };
            writeln!(text, "{platform}{default}")?;
            let mut found = self.plugins.iter().filter(|plugin| plugin.platform == platform.name()).peekable();
            if found.peek().is_none() {
                writeln!(text, "    none; `finery plugin install {platform}` installs {}", pinned_name(platform))?;
            }
            for Listed { is_used, source, version, library, api_version, problem, .. } in found {
                let mark = if *is_used { '*' } else { ' ' };
                let version = version.as_deref().unwrap_or("version unknown");
                let state = match (api_version, problem) {
                    (Some(api), _) => format!("PJRT API {api}"),
                    (None, problem) => problem.clone().unwrap_or_default(),
                };
                writeln!(text, "  {mark} {source} {version}, {state}\n      {library}")?;
            }
        }
        match &self.cuda_toolchain {
            Some(folder) => writeln!(text, "cuda toolchain\n  * {folder}")?,
            None => writeln!(text, "cuda toolchain\n    none; `finery plugin install cuda --toolchain` installs it")?,
        }
        text += "* is used. FINERY_PLUGIN goes before Finery's cache, which goes before Python environments.\n";
        Ok(text)
    }
}

fn pinned_name(platform: Platform) -> String {
    let (package, version) = plugins::pinned(platform);
    format!("{package} {version}")
}

/// Which version of PJRT's API a plugin has, or why it cannot be used, asked in another process: a broken one may crash it, and two builds of XLA in one
/// process share global state.
fn probe(located: &Located) -> anyhow::Result<Result<String, String>> {
    if located.source == Source::Variable && !located.library.is_file() {
        return Ok(Err("is not a file".to_owned()));
    }
    if let Err(error) = located.check() {
        return Ok(Err(format!("does not load: {error}")));
    }
    let finery = std::env::current_exe().context("finding the finery program to probe plugins with")?;
    let output = Command::new(finery).args(["plugin", "probe", located.platform.name()]).arg(&located.library).output();
    let output = output.with_context(|| format!("probing {}", located.library.display()))?;
    if output.status.success() {
        return Ok(Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned()));
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    let reason = stderr.lines().map(str::trim).rfind(|line| !line.is_empty());
    let reason = reason.map(|line| line.strip_prefix("error: ").unwrap_or(line).to_owned());
    Ok(Err(format!("does not load: {}", reason.unwrap_or_else(|| output.status.to_string()))))
}
