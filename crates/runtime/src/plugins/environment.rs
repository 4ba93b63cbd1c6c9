//! What the search for plugins may look at and what tells compiled programs apart, taken from the process once and passed on.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use file_cache::FileCache;

/// Where plugins, vendor libraries and installers are looked for.
///
/// Commands take it from the process with [`Environment::from_process`]; tests fill it in by hand, so that no test
/// changes the variables of the process it shares with others.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// `FINERY_PLUGIN`: a plugin named by the user, which wins over all others.
    pub plugin: Option<PathBuf>,
    /// Finery's cache: `FINERY_CACHE`, else `$XDG_CACHE_HOME/finery`, else `~/.cache/finery`.
    pub cache: Option<PathBuf>,
    /// Active Python environments: `VIRTUAL_ENV`, `CONDA_PREFIX`.
    pub prefixes: Vec<PathBuf>,
    /// The interpreter that is asked for its search path and that runs pip.
    pub python: Option<PathBuf>,
    /// `PATH`, in which `pip` and `uv` are looked for.
    pub programs: Vec<PathBuf>,
    /// `LD_LIBRARY_PATH`.
    pub library_path: Vec<PathBuf>,
    /// Installed CUDA toolkits: `CUDA_HOME`, `CUDA_PATH`, `/usr/local/cuda`.
    pub cuda_homes: Vec<PathBuf>,
    /// Installed ROCm trees: `ROCM_PATH`, `/opt/rocm`.
    pub rocm_homes: Vec<PathBuf>,
    /// `/dev`, which shows whether a GPU's driver is loaded.
    pub dev: PathBuf,
    /// `/proc`, which shows the NVIDIA driver where `/dev` has not been filled yet.
    pub proc: PathBuf,
    /// `XLA_FLAGS`, which XLA itself reads and which changes what it compiles.
    pub xla_flags: Option<OsString>,
    /// No network: `FINERY_OFFLINE=1` or `--offline`.
    pub offline: bool,
    /// Architecture of the host, as [`std::env::consts::ARCH`] spells it.
    pub arch: &'static str,
    /// What `python_roots` found, so that the interpreter is started once.
    pub(super) python_roots: OnceLock<Vec<PathBuf>>,
}

impl Environment {
    /// The environment of this process.
    pub fn from_process() -> Self {
        let programs = path_list("PATH");
        Environment {
            plugin: path("FINERY_PLUGIN"),
            cache: cache_root(),
            prefixes: ["VIRTUAL_ENV", "CONDA_PREFIX"].into_iter().filter_map(path).collect(),
            python: find_program(&programs, "python3"),
            programs,
            library_path: path_list("LD_LIBRARY_PATH"),
            cuda_homes: homes(&["CUDA_HOME", "CUDA_PATH"], "/usr/local/cuda"),
            rocm_homes: homes(&["ROCM_PATH"], "/opt/rocm"),
            dev: PathBuf::from("/dev"),
            proc: PathBuf::from("/proc"),
            xla_flags: variable("XLA_FLAGS"),
            offline: variable("FINERY_OFFLINE").is_some_and(|value| value != "0"),
            arch: env::consts::ARCH,
            python_roots: OnceLock::new(),
        }
    }

    /// The same environment, offline when `offline` says so or when it was before.
    pub fn with_offline(self, offline: bool) -> Self {
        Environment { offline: self.offline || offline, ..self }
    }

    /// The folder that holds installed plugins, `None` when the user has no home folder.
    pub fn plugins_dir(&self) -> Option<PathBuf> {
        self.cache.as_ref().map(|cache| cache.join("plugins"))
    }

    /// Compiled programs, `None` when the user has no home folder.
    pub fn programs(&self) -> Option<FileCache> {
        // A few hundred large ones.
        const LIMIT_BYTES: u64 = 8 << 30;
        self.cache.as_ref().map(|cache| FileCache::new(cache.join("programs"), LIMIT_BYTES))
    }

    /// Folders that hold Python packages: the active environments by convention, then what `python3` itself says.
    ///
    /// Runs the interpreter the first time, so callers ask only when nothing nearer has answered.
    pub(super) fn python_roots(&self) -> &[PathBuf] {
        self.python_roots.get_or_init(|| {
            let mut roots: Vec<PathBuf> = Vec::new();
            let conventional = self.prefixes.iter().flat_map(|prefix| site_packages(prefix));
            for root in conventional.chain(self.python.as_deref().map(ask_python).unwrap_or_default()) {
                let root = root.canonicalize().unwrap_or(root);
                if !roots.contains(&root) {
                    roots.push(root);
                }
            }
            roots
        })
    }

    /// A program of the user's, found on `PATH`.
    pub(super) fn program(&self, name: &str) -> Option<PathBuf> {
        find_program(&self.programs, name)
    }
}

fn variable(name: &str) -> Option<OsString> {
    env::var_os(name).filter(|value| !value.is_empty())
}

fn path(name: &str) -> Option<PathBuf> {
    variable(name).map(PathBuf::from)
}

fn path_list(name: &str) -> Vec<PathBuf> {
    variable(name)
        .map(|list| env::split_paths(&list).filter(|entry| !entry.as_os_str().is_empty()).collect())
        .unwrap_or_default()
}

fn homes(variables: &[&str], usual: &str) -> Vec<PathBuf> {
    variables.iter().filter_map(|name| path(name)).chain([PathBuf::from(usual)]).collect()
}

fn cache_root() -> Option<PathBuf> {
    // The XDG base directory specification: a relative path is to be ignored.
    let xdg = || path("XDG_CACHE_HOME").filter(|dir| dir.is_absolute()).map(|dir| dir.join("finery"));
    path("FINERY_CACHE").or_else(xdg).or_else(|| path("HOME").map(|home| home.join(".cache/finery")))
}

fn find_program(programs: &[PathBuf], name: &str) -> Option<PathBuf> {
    programs.iter().map(|dir| dir.join(name)).find(|candidate| candidate.is_file())
}

/// `PREFIX/lib/python3.*/site-packages`, the highest version first.
fn site_packages(prefix: &Path) -> Vec<PathBuf> {
    let Ok(entries) = prefix.join("lib").read_dir() else { return Vec::new() };
    let mut found: Vec<(u32, PathBuf)> = entries
        .flatten()
        .filter_map(|entry| {
            let minor = entry.file_name().to_str()?.strip_prefix("python3.")?.parse().ok()?;
            Some((minor, entry.path().join("site-packages")))
        })
        .filter(|(_, dir)| dir.is_dir())
        .collect();
    found.sort_by_key(|(minor, _)| std::cmp::Reverse(*minor));
    found.into_iter().map(|(_, dir)| dir).collect()
}

fn ask_python(python: &Path) -> Vec<PathBuf> {
    // The first entry is the working directory, which says nothing about what is installed.
    let answer = Command::new(python).args(["-c", "import sys; print('\\n'.join(sys.path[1:]))"]).output();
    match answer {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).lines().map(PathBuf::from).filter(|dir| dir.is_dir()).collect()
        }
        Ok(output) => {
            tracing::debug!(python = %python.display(), status = %output.status, "python did not say its search path");
            Vec::new()
        }
        Err(error) => {
            tracing::debug!(python = %python.display(), %error, "python did not start");
            Vec::new()
        }
    }
}
