//! Which plugin a platform gets, decided in one place.
//!
//! 1. `FINERY_PLUGIN`, which a user sets to overrule the rest.
//! 2. Finery's cache, whose wheels are pinned: the pinned version before any other, and of others the newest.
//! 3. Python environments: `VIRTUAL_ENV`, `CONDA_PREFIX`, then what `python3` on PATH can import.

use std::cmp::Reverse;
use std::fs;
use std::path::{Path, PathBuf};

use super::pins::{self, Bundle};
use super::{Environment, Error, Platform, Result, record};

/// The rule that found a plugin; the order of the variants is the order of precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// `FINERY_PLUGIN`.
    Variable,
    /// Finery's own cache.
    Cache,
    /// A Python environment.
    Python,
}

impl Source {
    /// How a user would call it.
    pub fn name(self) -> &'static str {
        match self {
            Source::Variable => "FINERY_PLUGIN",
            Source::Cache => "cache",
            Source::Python => "python",
        }
    }
}

/// A plugin that was found, not yet loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// What it compiles for.
    pub platform: Platform,
    /// The rule that found it.
    pub source: Source,
    /// The shared library.
    pub library: PathBuf,
    /// Version of the wheel it came in, where a folder name tells it.
    pub version: Option<String>,
}

/// All plugins for a platform, the one that wins first.
pub fn discover(environment: &Environment, platform: Platform) -> Vec<Located> {
    candidates(environment, platform).collect()
}

/// The plugin that a platform gets, without asking Python when something nearer answers.
///
/// # Errors
/// [`Error::VariableNamesNothing`], because a plugin that the user named is never passed over in silence, and
/// [`Error::NotFound`].
pub fn locate(environment: &Environment, platform: Platform) -> Result<Located> {
    let located = candidates(environment, platform).next().ok_or(Error::NotFound { platform })?;
    if located.source == Source::Variable && !located.library.is_file() {
        return Err(Error::VariableNamesNothing { path: located.library });
    }
    Ok(located)
}

/// Lazy, so that Python is started only when the cheaper places hold nothing.
fn candidates(environment: &Environment, platform: Platform) -> impl Iterator<Item = Located> {
    variable(environment, platform)
        .into_iter()
        .chain(cached(environment, platform))
        .chain([()].into_iter().flat_map(move |()| in_python(environment, platform)))
}

/// A file name that says `cuda` is not taken for a CPU plugin; a name that says nothing serves the platform asked for.
fn variable(environment: &Environment, platform: Platform) -> Option<Located> {
    let library = environment.plugin.clone()?;
    let named = library.file_name().and_then(|name| name.to_str()).and_then(Platform::of_file_name);
    named.is_none_or(|named| named == platform).then_some(Located {
        platform,
        source: Source::Variable,
        library,
        version: None,
    })
}

fn cached(environment: &Environment, platform: Platform) -> Vec<Located> {
    let bundle = pins::plugin(platform);
    let located = |(version, root): (String, PathBuf)| Located {
        platform,
        source: Source::Cache,
        library: root.join(bundle.key_file),
        version: Some(version),
    };
    installed_versions(environment, bundle).into_iter().map(located).collect()
}

/// What is to be said of a plugin from the cache, where another version is pinned.
pub(super) fn not_pinned(located: &Located) -> Option<String> {
    let (platform, pinned) = (located.platform, pins::plugin(located.platform).version);
    let found = located.version.as_deref().filter(|found| *found != pinned && located.source == Source::Cache)?;
    Some(format!(
        "the {platform} plugin is used in version {found}, which is in the cache, and this version of Finery is made for {pinned}: \
         `finery plugin install {platform}` fetches that"
    ))
}

/// What versions are ordered by: their numbers, and what comes before a release, such as 0.10.0rc1 and 0.10.0.dev1, before that.
fn age(version: &str) -> (Vec<u64>, bool) {
    let digits = |part: &str| part.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(part.len());
    let numbers = version.split('.').map_while(|part| part[..digits(part)].parse().ok());
    (numbers.collect(), version.split('.').all(|part| digits(part) == part.len()))
}

/// Complete installations of a bundle in the cache, as (version, folder): the pinned version, then the others from the newest on.
///
/// Folders are called `NAME-VERSION-ARCH`, because a home folder may be shared by machines of several architectures.
pub(super) fn installed_versions(environment: &Environment, bundle: &Bundle) -> Vec<(String, PathBuf)> {
    let Some(entries) = environment.plugins_dir().and_then(|dir| fs::read_dir(dir).ok()) else { return Vec::new() };
    let mut found: Vec<(String, PathBuf)> = entries
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name();
            let rest = name.to_str()?.strip_prefix(bundle.name)?.strip_prefix('-')?;
            let version = rest.strip_suffix(environment.arch)?.strip_suffix('-')?;
            Some((version.to_owned(), entry.path()))
        })
        .filter(|(_, root)| root.join(bundle.key_file).is_file())
        .collect();
    found.sort_by_cached_key(|(version, _)| (version != bundle.version, Reverse((age(version), version.clone()))));
    found
}

fn in_python(environment: &Environment, platform: Platform) -> Vec<Located> {
    environment
        .python_roots()
        .iter()
        .filter_map(|root| {
            let library = root.join(platform.python_package()).join(platform.library_name());
            library.is_file().then(|| Located {
                platform,
                source: Source::Python,
                version: wheel_version(root, pins::plugin(platform).name),
                library,
            })
        })
        .collect()
}

/// Reads a package's version off its `PACKAGE-VERSION.dist-info` folder (PEP 376, PEP 503 spelling).
fn wheel_version(root: &Path, package: &str) -> Option<String> {
    let folder = record::dist_info(root, package)?;
    let (_, version) = folder.file_stem()?.to_str()?.split_once('-')?;
    Some(version.to_owned())
}
