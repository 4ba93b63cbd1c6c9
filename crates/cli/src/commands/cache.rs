//! `finery cache`: what Finery keeps so as not to make it again.

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::{Duration, SystemTime};

use anyhow::Context as _;
use clap::ValueEnum;
use indicatif::{HumanBytes, HumanDuration};
use runtime::FileCache;
use runtime::plugins::{self, Environment};

use super::devices::InstallProgress;
use crate::progress::ProgressMode;

/// Show or remove what is kept between runs: compiled programs, tokenised data sets, plugins
///
/// The cache is the folder that FINERY_CACHE names, else $XDG_CACHE_HOME/finery, else ~/.cache/finery. All of it can be made again.
/// Of programs and data sets the least recently used go when there is no room for new ones.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Subcommand,
}

#[derive(Clone, Debug, clap::Subcommand)]
enum Subcommand {
    /// Show how much is kept of each kind, and when it was last used
    List,
    /// Remove what is kept; the next run makes again what it needs
    Clear {
        /// What to remove [default: programs and datasets]; plugins would have to be fetched again and go only when they are named
        kinds: Vec<Kind>,
    },
}

/// What is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// Compiled programs
    Programs,
    /// Tokenised data sets
    Datasets,
    /// Plugins, the CUDA toolchain, and the stubs by which ROCm's plugin compiles without ROCm
    Plugins,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Programs => "programs",
            Kind::Datasets => "datasets",
            Kind::Plugins => "plugins",
        }
    }
}

/// Runs a `finery cache` command.
///
/// # Errors
/// There is no cache folder, or it cannot be read or written.
pub(crate) fn run(args: Args, progress: ProgressMode) -> anyhow::Result<()> {
    let cache = Cache::new(Environment::from_process())?;
    let text = match args.command {
        Subcommand::List => cache.list(SystemTime::now())?,
        Subcommand::Clear { kinds } if kinds.is_empty() => cache.clear(&[Kind::Programs, Kind::Datasets], progress)?,
        Subcommand::Clear { kinds } => cache.clear(&kinds, progress)?,
    };
    std::io::stdout().write_all(text.as_bytes()).context("printing what is kept")
}

struct Cache {
    environment: Environment,
    root: std::path::PathBuf,
    programs: FileCache,
    datasets: FileCache,
}

impl Cache {
    fn new(environment: Environment) -> anyhow::Result<Cache> {
        let (root, programs) = environment.cache.clone().zip(environment.programs()).context(
            "there is no cache: neither FINERY_CACHE, XDG_CACHE_HOME nor HOME names a folder, so nothing is kept between runs",
        )?;
        Ok(Cache { programs, datasets: data::cached_datasets(&root), root, environment })
    }

    fn list(&self, now: SystemTime) -> anyhow::Result<String> {
        let mut text = format!("{}\n", self.root.display());
        for (kind, files) in [(Kind::Programs, &self.programs), (Kind::Datasets, &self.datasets)] {
            let entries = files.entries().with_context(|| format!("cannot read {}", files.dir().display()))?;
            let amount = amount(entries.len(), "file", entries.iter().map(|entry| entry.bytes).sum());
            let limit = HumanBytes(files.limit_bytes());
            write!(text, "{:<9} {amount:<24}", kind.name())?;
            if let (Some(oldest), Some(newest)) = (entries.first(), entries.last()) {
                let [newest, oldest] = [newest, oldest].map(|entry| age(now, entry.used).to_string());
                let span = if newest == oldest { newest } else { format!("{newest} to {oldest}") };
                write!(text, " used {span} ago,")?;
            }
            writeln!(text, " at most {limit}")?;
        }
        let installed = plugins::stored(&self.environment)?;
        let bytes = installed.iter().map(|bundle| bundle.bytes).sum();
        writeln!(text, "{:<9} {}", Kind::Plugins.name(), amount(installed.len(), "folder", bytes))?;
        for bundle in &installed {
            let name = bundle.path.file_name().unwrap_or_default().to_string_lossy();
            writeln!(text, "  {name}, {}, installed {} ago", HumanBytes(bundle.bytes), age(now, bundle.installed))?;
        }
        Ok(text)
    }

    fn clear(&self, kinds: &[Kind], progress: ProgressMode) -> anyhow::Result<String> {
        let mut text = String::new();
        for kind in [Kind::Programs, Kind::Datasets, Kind::Plugins].into_iter().filter(|kind| kinds.contains(kind)) {
            let of_files = |files: &FileCache| {
                let entries = files.clear().with_context(|| format!("cannot empty {}", files.dir().display()))?;
                Ok::<_, anyhow::Error>(amount(entries.len(), "file", entries.iter().map(|entry| entry.bytes).sum()))
            };
            let removed = match kind {
                Kind::Programs => of_files(&self.programs)?,
                Kind::Datasets => of_files(&self.datasets)?,
                Kind::Plugins => {
                    let mut shown = InstallProgress::new(progress);
                    let removed = plugins::remove_stored(&self.environment, &mut |step| shown.show(step))?;
                    amount(removed.len(), "folder", removed.iter().map(|bundle| bundle.bytes).sum())
                }
            };
            writeln!(text, "{:<9} {removed} removed", kind.name())?;
        }
        Ok(text)
    }
}

fn amount(count: usize, thing: &str, bytes: u64) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{plural}, {}", HumanBytes(bytes))
}

/// How long ago, in the largest unit that fits. A time in the future is now.
fn age(now: SystemTime, then: SystemTime) -> HumanDuration {
    HumanDuration(Duration::from_secs(now.duration_since(then).unwrap_or_default().as_secs()))
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};

    use expect_test::expect;

    use super::*;

    #[test]
    fn what_is_kept_is_listed_by_kind() {
        let dir = tempfile::tempdir().unwrap();
        let mut environment = Environment::default();
        environment.cache = Some(dir.path().join("cache"));
        let cache = Cache::new(environment).unwrap();
        let now = SystemTime::now();
        let show = |text: String| text.replace(&dir.path().display().to_string(), "DIR");
        expect![[r#"
            DIR/cache
            programs  0 files, 0 B             at most 8.00 GiB
            datasets  0 files, 0 B             at most 32.00 GiB
            plugins   0 folders, 0 B
        "#]]
        .assert_eq(&show(cache.list(now).unwrap()));

        let write = |name: &str, bytes: usize, seconds: u64| {
            let path = dir.path().join("cache").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, vec![0; bytes]).unwrap();
            let in_cache = path.strip_prefix(dir.path().join("cache")).unwrap();
            let folders: std::path::PathBuf = match in_cache.components().next().unwrap().as_os_str().to_str() {
                Some("plugins") => in_cache.iter().take(2).collect(),
                Some("rocm-stubs") => in_cache.iter().take(1).collect(),
                _ => in_cache.to_owned(),
            };
            File::open(dir.path().join("cache").join(folders))
                .unwrap()
                .set_modified(now - Duration::from_secs(seconds))
                .unwrap();
        };
        write("programs/aa", 2048, 150);
        write("programs/bb", 1024, 7300);
        write("datasets/cc.tokens", 10 << 20, 0);
        write("plugins/plugin-1.0-x86_64/plugin.so", 3 << 20, 86400);
        write("rocm-stubs/0123abcd/libamdhip64.so.7", 2048, 3600);
        expect![[r#"
            DIR/cache
            programs  2 files, 3.00 KiB        used 3 minutes to 2 hours ago, at most 8.00 GiB
            datasets  1 file, 10.00 MiB        used 0 seconds ago, at most 32.00 GiB
            plugins   2 folders, 3.00 MiB
              plugin-1.0-x86_64, 3.00 MiB, installed 24 hours ago
              rocm-stubs, 2.00 KiB, installed 60 minutes ago
        "#]]
        .assert_eq(&show(cache.list(now).unwrap()));

        let removed = cache.clear(&[Kind::Datasets, Kind::Programs], ProgressMode::Lines).unwrap();
        expect![[r#"
            programs  2 files, 3.00 KiB removed
            datasets  1 file, 10.00 MiB removed
        "#]]
        .assert_eq(&removed);
        assert!(dir.path().join("cache/plugins/plugin-1.0-x86_64/plugin.so").exists());
        let removed = cache.clear(&[Kind::Plugins], ProgressMode::Lines).unwrap();
        assert_eq!(removed, "plugins   2 folders, 3.00 MiB removed\n");
        assert!(!dir.path().join("cache/plugins/plugin-1.0-x86_64").exists());
        assert!(!dir.path().join("cache/rocm-stubs").exists());
        // Those of a plugin that lies elsewhere.
        fs::remove_dir_all(dir.path().join("cache/plugins")).unwrap();
        write("rocm-stubs/0123abcd/libamdhip64.so.7", 2048, 0);
        let removed = cache.clear(&[Kind::Plugins], ProgressMode::Lines).unwrap();
        assert_eq!(removed, "plugins   1 folder, 2.00 KiB removed\n");
        assert!(!dir.path().join("cache/rocm-stubs").exists());
    }

    #[test]
    fn without_a_folder_that_is_said() {
        let message = Cache::new(Environment::default()).err().unwrap().to_string();
        assert!(message.contains("FINERY_CACHE"), "{message}");
    }
}
