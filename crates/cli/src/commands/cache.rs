//! `finery cache`: what Finery keeps so as not to make it again.

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::{Duration, SystemTime};

use anyhow::Context as _;
use clap::ValueEnum;
use indicatif::{HumanBytes, HumanDuration};
use jiff::Timestamp;
use runtime::FileCache;
use runtime::plugins::{self, Environment, Stored};
use serde::{Serialize, Serializer};

use super::devices::InstallProgress;
use crate::plural::counted;
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
    List {
        /// One JSON object in place of lines: folder; programs and datasets with files, bytes, bytes_max, first_used and last_used; plugins, a list of name,
        /// bytes and installed. Times are as RFC 3339 has them, null where there is nothing
        #[arg(long)]
        json: bool,
    },
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
        Subcommand::List { json: true } => serde_json::to_string(&cache.kept()?)? + "\n",
        Subcommand::List { json: false } => cache.kept()?.lines(SystemTime::now())?,
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

    fn kept(&self) -> anyhow::Result<Kept> {
        let of_files = |files: &FileCache| {
            let entries = files.entries().with_context(|| format!("cannot read {}", files.dir().display()))?;
            Ok::<_, anyhow::Error>(KeptFiles {
                files: entries.len(),
                bytes: entries.iter().map(|entry| entry.bytes).sum(),
                bytes_max: files.limit_bytes(),
                first_used: entries.first().map(|entry| entry.used),
                last_used: entries.last().map(|entry| entry.used),
            })
        };
        let plugin = |stored: &Stored| KeptPlugin {
            name: stored.path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            bytes: stored.bytes,
            installed: stored.installed,
        };
        Ok(Kept {
            folder: self.root.display().to_string(),
            programs: of_files(&self.programs)?,
            datasets: of_files(&self.datasets)?,
            plugins: plugins::stored(&self.environment)?.iter().map(plugin).collect(),
        })
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

/// What is kept, as JSON has it.
#[derive(Serialize)]
struct Kept {
    folder: String,
    programs: KeptFiles,
    datasets: KeptFiles,
    plugins: Vec<KeptPlugin>,
}

#[derive(Serialize)]
struct KeptFiles {
    files: usize,
    bytes: u64,
    bytes_max: u64,
    /// When the one was last used that was so longest ago.
    #[serde(serialize_with = "as_rfc_3339")]
    first_used: Option<SystemTime>,
    #[serde(serialize_with = "as_rfc_3339")]
    last_used: Option<SystemTime>,
}

#[derive(Serialize)]
struct KeptPlugin {
    name: String,
    bytes: u64,
    #[serde(serialize_with = "as_rfc_3339")]
    installed: SystemTime,
}

/// Of what is or may be a time, to the second.
fn as_rfc_3339<S: Serializer>(time: &(impl Copy + Into<Option<SystemTime>>), serializer: S) -> Result<S::Ok, S::Error> {
    let time = (*time).into().and_then(|time| Timestamp::try_from(time).ok());
    let time = time.and_then(|time| Timestamp::from_second(time.as_second()).ok());
    time.map(|time| time.to_string()).serialize(serializer)
}

impl Kept {
    /// Lines for people.
    fn lines(&self, now: SystemTime) -> anyhow::Result<String> {
        let mut text = format!("{}\n", self.folder);
        for (kind, kept) in [(Kind::Programs, &self.programs), (Kind::Datasets, &self.datasets)] {
            let amount = amount(kept.files, "file", kept.bytes);
            write!(text, "{:<9} {amount:<24}", kind.name())?;
            if let (Some(oldest), Some(newest)) = (kept.first_used, kept.last_used) {
                let [newest, oldest] = [newest, oldest].map(|used| age(now, used).to_string());
                let span = if newest == oldest { newest } else { format!("{newest} to {oldest}") };
                write!(text, " used {span} ago,")?;
            }
            writeln!(text, " at most {}", HumanBytes(kept.bytes_max))?;
        }
        let bytes = self.plugins.iter().map(|plugin| plugin.bytes).sum();
        writeln!(text, "{:<9} {}", Kind::Plugins.name(), amount(self.plugins.len(), "folder", bytes))?;
        for KeptPlugin { name, bytes, installed } in &self.plugins {
            writeln!(text, "  {name}, {}, installed {} ago", HumanBytes(*bytes), age(now, *installed))?;
        }
        Ok(text)
    }
}

fn amount(count: usize, thing: &str, bytes: u64) -> String {
    format!("{}, {}", counted(count as u64, thing), HumanBytes(bytes))
}

/// How long ago, in the largest unit that fits. A time in the future is now.
fn age(now: SystemTime, then: SystemTime) -> HumanDuration {
    HumanDuration(Duration::from_secs(now.duration_since(then).unwrap_or_default().as_secs()))
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::path::{Path, PathBuf};

    use expect_test::expect;
    use serde_json::json;

    use super::*;

    /// A cache in a folder, in which something of each kind is put by `put`.
    struct Scene {
        dir: tempfile::TempDir,
        cache: Cache,
        now: SystemTime,
    }

    impl Scene {
        fn new() -> Scene {
            let dir = tempfile::tempdir().unwrap();
            let mut environment = Environment::default();
            environment.cache = Some(dir.path().join("cache"));
            Scene { dir, cache: Cache::new(environment).unwrap(), now: SystemTime::now() }
        }

        fn path(&self, name: &str) -> PathBuf {
            self.dir.path().join("cache").join(name)
        }

        /// Writes a file that was last used, or whose folder was made, so long ago.
        fn write(&self, name: &str, bytes: usize, seconds: u64) {
            let path = self.path(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, vec![0; bytes]).unwrap();
            let name = Path::new(name);
            let counted: PathBuf = match name.components().next().unwrap().as_os_str().to_str() {
                Some("plugins") => name.iter().take(2).collect(),
                Some("rocm-stubs") => name.iter().take(1).collect(),
                _ => name.to_owned(),
            };
            let counted = File::open(self.dir.path().join("cache").join(counted)).unwrap();
            counted.set_modified(self.now - Duration::from_secs(seconds)).unwrap();
        }

        fn put(&self) {
            self.write("programs/aa", 2048, 150);
            self.write("programs/bb", 1024, 7300);
            self.write("datasets/cc.tokens", 10 << 20, 0);
            self.write("plugins/plugin-1.0-x86_64/plugin.so", 3 << 20, 86400);
            self.write("rocm-stubs/0123abcd/libamdhip64.so.7", 2048, 3600);
        }

        fn lines(&self) -> String {
            self.cache.kept().unwrap().lines(self.now).unwrap().replace(&self.dir.path().display().to_string(), "DIR")
        }

        fn clear(&self, kinds: &[Kind]) -> String {
            self.cache.clear(kinds, ProgressMode::Lines).unwrap()
        }
    }

    #[test]
    fn what_is_kept_is_listed_by_kind_and_cleared() {
        let scene = Scene::new();
        expect![[r#"
            DIR/cache
            programs  0 files, 0 B             at most 8.00 GiB
            datasets  0 files, 0 B             at most 32.00 GiB
            plugins   0 folders, 0 B
        "#]]
        .assert_eq(&scene.lines());

        scene.put();
        expect![[r#"
            DIR/cache
            programs  2 files, 3.00 KiB        used 3 minutes to 2 hours ago, at most 8.00 GiB
            datasets  1 file, 10.00 MiB        used 0 seconds ago, at most 32.00 GiB
            plugins   2 folders, 3.00 MiB
              plugin-1.0-x86_64, 3.00 MiB, installed 24 hours ago
              rocm-stubs, 2.00 KiB, installed 60 minutes ago
        "#]]
        .assert_eq(&scene.lines());

        expect![[r#"
            programs  2 files, 3.00 KiB removed
            datasets  1 file, 10.00 MiB removed
        "#]]
        .assert_eq(&scene.clear(&[Kind::Datasets, Kind::Programs]));
        assert!(scene.path("plugins/plugin-1.0-x86_64/plugin.so").exists());
        assert_eq!(scene.clear(&[Kind::Plugins]), "plugins   2 folders, 3.00 MiB removed\n");
        assert!(!scene.path("plugins/plugin-1.0-x86_64").exists());
        assert!(!scene.path("rocm-stubs").exists());
        // Those of a plugin that lies elsewhere.
        fs::remove_dir_all(scene.path("plugins")).unwrap();
        scene.write("rocm-stubs/0123abcd/libamdhip64.so.7", 2048, 0);
        assert_eq!(scene.clear(&[Kind::Plugins]), "plugins   1 folder, 2.00 KiB removed\n");
        assert!(!scene.path("rocm-stubs").exists());
    }

    #[test]
    fn what_is_kept_is_told_to_programs() {
        let scene = Scene::new();
        let none = json!({"files": 0, "bytes": 0, "bytes_max": 8_u64 << 30, "first_used": null, "last_used": null});
        assert_eq!(serde_json::to_value(scene.cache.kept().unwrap()).unwrap()["programs"], none);
        scene.put();
        let time = |seconds| {
            let then = Timestamp::try_from(scene.now - Duration::from_secs(seconds)).unwrap();
            Timestamp::from_second(then.as_second()).unwrap().to_string()
        };
        let plugins = json!([
            {"name": "plugin-1.0-x86_64", "bytes": 3 << 20, "installed": time(86400)},
            {"name": "rocm-stubs", "bytes": 2048, "installed": time(3600)},
        ]);
        let files = |files: usize, bytes: u64, gib: u64, [first, last]: [u64; 2]| {
            let (first, last) = (time(first), time(last));
            json!({"files": files, "bytes": bytes, "bytes_max": gib << 30, "first_used": first, "last_used": last})
        };
        let (programs, datasets) = (files(2, 3072, 8, [7300, 150]), files(1, 10 << 20, 32, [0, 0]));
        let folder = scene.path("").components().as_path().display().to_string();
        let expected = json!({"folder": folder, "programs": programs, "datasets": datasets, "plugins": plugins});
        assert_eq!(serde_json::to_value(scene.cache.kept().unwrap()).unwrap(), expected);
    }

    #[test]
    fn without_a_folder_that_is_said() {
        let message = Cache::new(Environment::default()).err().unwrap().to_string();
        assert!(message.contains("FINERY_CACHE"), "{message}");
    }
}
