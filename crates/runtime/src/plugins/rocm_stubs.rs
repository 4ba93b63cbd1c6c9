//! Stub libraries with which the ROCm plugin loads where no ROCm is, so that programs are compiled for AMD without it.
//!
//! Each stub has the name (`DT_SONAME`) of a library that the plugin is linked against, and defines the symbols that
//! the plugin takes from it, under the symbol versions that it asks for. Every function returns 1, which HIP and its
//! companions call an error: compiling ahead of time calls none of them, and whatever does call one sees it fail.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use object::Endianness;
use object::elf::{self, FileHeader64};
use object::read::elf::{Dyn, FileHeader, SectionTable, Sym, VersionTable};

use super::error::io_error;
use super::install::{STAGING_PREFIX, sweep, sync_folder};
use super::{Environment, Error, Result};
use crate::program_key::file_identity;

type Header = FileHeader64<Endianness>;

/// Symbol names by symbol version; the empty version holds symbols without one.
type Versions = BTreeMap<String, Vec<String>>;

/// How the names of libraries and of functions that belong to ROCm begin.
const LIBRARIES: [&str; 6] = ["libroc", "libhip", "libhsa", "librccl", "libMIOpen", "libamd"];
const FUNCTIONS: [&str; 13] =
    ["hip", "__hip", "roc", "rccl", "nccl", "miopen", "hsa", "amdsmi", "drm", "amdgpu", "numa", "_amd", "rsmi"];

/// The folder in Finery's cache that has the stubs of each plugin in a folder of its own; `None` without a cache.
pub(super) fn folder(environment: &Environment) -> Option<PathBuf> {
    environment.cache.as_ref().map(|cache| cache.join("rocm-stubs"))
}

/// The folder of the stubs of the ROCm plugin at `plugin`, in Finery's cache; they are made where they are not there.
///
/// # Errors
/// There is no cache, the plugin is no 64-bit ELF library that is linked against ROCm, or there is no C compiler.
pub(super) fn ensure(environment: &Environment, plugin: &Path) -> Result<PathBuf> {
    let all = folder(environment).ok_or(Error::NoCache)?;
    let identity = file_identity(plugin).map_err(io_error("reading", plugin))?;
    let folder = all.join(identity.iter().take(8).fold(String::new(), |name, byte| name + &format!("{byte:02x}")));
    if folder.is_dir() {
        return Ok(folder);
    }
    fs::create_dir_all(&all).map_err(io_error("creating", &all))?;
    // Whatever is hidden there: stubs were made in folders with another prefix, too.
    sweep(&all, ".", false);
    let work = tempfile::Builder::new()
        .prefix(STAGING_PREFIX)
        .tempdir_in(&all)
        .map_err(io_error("creating a folder in", &all))?;
    let sources = tempfile::tempdir().map_err(io_error("creating a folder in", std::env::temp_dir()))?;
    let bytes = fs::read(plugin).map_err(io_error("reading", plugin))?;
    let wanted = wanted(&bytes).map_err(|error| Error::Stubs { reason: format!("{}: {error}", plugin.display()) })?;
    for (soname, versions) in &wanted {
        link(soname, versions, sources.path(), work.path())
            .map_err(|reason| Error::Stubs { reason: format!("{soname}: {reason}") })?;
    }
    sync_files(work.path())?;
    let made = work.keep();
    match fs::rename(&made, &folder) {
        // Another process was faster, with the same.
        Err(_) if folder.is_dir() => fs::remove_dir_all(&made).map_err(io_error("removing", &made))?,
        renamed => renamed.map_err(io_error("writing", &folder))?,
    }
    sync_folder(&all);
    Ok(folder)
}

/// Brings the files of a folder to the disk: once it has its name they are taken for whole, and a power cut would leave empty ones.
fn sync_files(folder: &Path) -> Result<()> {
    for entry in fs::read_dir(folder).map_err(io_error("reading", folder))? {
        let path = entry.map_err(io_error("reading", folder))?.path();
        File::open(&path).and_then(|file| file.sync_all()).map_err(io_error("writing", path))?;
    }
    sync_folder(folder);
    Ok(())
}

/// The ROCm libraries that an ELF library needs, with the symbols that it takes from each.
fn wanted(bytes: &[u8]) -> object::Result<BTreeMap<String, Versions>> {
    let header = Header::parse(bytes)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, bytes)?;
    let mut wanted: BTreeMap<String, Versions> =
        needed(&sections, endian, bytes)?.into_iter().map(|soname| (soname, Versions::new())).collect();
    let Some(unversioned_home) = wanted.keys().next().cloned() else { return Ok(wanted) };

    let symbols = sections.symbols(endian, bytes, elf::SHT_DYNSYM)?;
    let versions = sections.versions(endian, bytes)?.unwrap_or_default();
    for (index, symbol) in symbols.enumerate() {
        let name = String::from_utf8_lossy(symbol.name(endian, symbols.strings())?).into_owned();
        if symbol.st_shndx(endian) != elf::SHN_UNDEF || name.is_empty() {
            continue;
        }
        match origin(&versions, endian, index)? {
            Some((file, version)) => {
                if let Some(library) = wanted.get_mut(&file) {
                    library.entry(version).or_default().push(name);
                }
            }
            // Which library a symbol without a version comes from is not recorded; the loader looks in all of them.
            None if FUNCTIONS.iter().any(|prefix| name.starts_with(prefix)) => {
                if let Some(library) = wanted.get_mut(&unversioned_home) {
                    library.entry(String::new()).or_default().push(name);
                }
            }
            None => {}
        }
    }
    Ok(wanted)
}

/// The `DT_NEEDED` entries that belong to ROCm.
fn needed(sections: &SectionTable<'_, Header>, endian: Endianness, bytes: &[u8]) -> object::Result<Vec<String>> {
    let Some((entries, strings)) = sections.dynamic(endian, bytes)? else { return Ok(Vec::new()) };
    let strings = sections.strings(endian, bytes, strings)?;
    let mut sonames = Vec::new();
    for entry in entries.iter().filter(|entry| entry.tag32(endian) == Some(elf::DT_NEEDED)) {
        let soname = String::from_utf8_lossy(entry.string(endian, strings)?).into_owned();
        if LIBRARIES.iter().any(|prefix| soname.starts_with(prefix)) {
            sonames.push(soname);
        }
    }
    Ok(sonames)
}

/// The library and version that a symbol is bound to, `None` for a symbol without a version.
fn origin(
    versions: &VersionTable<'_, Header>,
    endian: Endianness,
    index: object::SymbolIndex,
) -> object::Result<Option<(String, String)>> {
    let version = versions.version(versions.version_index(endian, index))?;
    Ok(version.and_then(|version| {
        let file = String::from_utf8_lossy(version.file()?).into_owned();
        Some((file, String::from_utf8_lossy(version.name()).into_owned()))
    }))
}

/// Why a stub could not be made comes back as text.
fn link(soname: &str, versions: &Versions, sources: &Path, out: &Path) -> std::result::Result<(), String> {
    let (source, script) = (sources.join("stub.c"), sources.join("stub.map"));
    let mut code = String::new();
    for symbol in versions.values().flatten() {
        let _ = writeln!(code, "long {symbol}(void) {{ return 1; }}");
    }
    fs::write(&source, code).map_err(|error| error.to_string())?;
    let mut compiler = Command::new("cc");
    // No built-in knowledge of names: a symbol may be called as a function that the compiler knows with other types.
    compiler.args(["-w", "-fno-builtin", "-shared", "-fPIC"]).arg(format!("-Wl,-soname,{soname}"));
    compiler.arg("-o").arg(out.join(soname)).arg(&source);
    let map = version_script(versions);
    if !map.is_empty() {
        fs::write(&script, map).map_err(|error| error.to_string())?;
        compiler.arg(format!("-Wl,--version-script={}", script.display()));
    }
    let output = compiler.output().map_err(|error| format!("running the C compiler `cc`: {error}"))?;
    if !output.status.success() {
        return Err(format!("cc failed: {}", String::from_utf8_lossy(&output.stderr).trim()));
    }
    Ok(())
}

/// The linker's version script that puts each symbol under its version; empty when there are none.
fn version_script(versions: &Versions) -> String {
    let versioned = versions.iter().filter(|(version, _)| !version.is_empty());
    versioned.fold(String::new(), |script, (version, symbols)| {
        script + &format!("{version} {{ global: {}; }};\n", symbols.join("; "))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::time::{Duration, SystemTime};

    use super::*;

    #[test]
    fn a_stub_defines_symbols_under_their_versions() {
        let folder = tempfile::tempdir().unwrap();
        let versions = Versions::from([
            ("hip_4.2".to_owned(), vec!["hipInit".to_owned()]),
            (String::new(), vec!["rocblas_gemm".to_owned(), "sin".to_owned()]),
        ]);
        link("libstub.so.7", &versions, folder.path(), folder.path()).unwrap();
        let bytes = fs::read(folder.path().join("libstub.so.7")).unwrap();
        let header = Header::parse(&*bytes).unwrap();
        let endian = header.endian().unwrap();
        let sections = header.sections(endian, &*bytes).unwrap();
        let symbols = sections.symbols(endian, &*bytes, elf::SHT_DYNSYM).unwrap();
        let versions = sections.versions(endian, &*bytes).unwrap().unwrap();
        for (name, version) in [("hipInit", Some("hip_4.2")), ("rocblas_gemm", None), ("sin", None)] {
            let named =
                symbols.enumerate().find(|(_, symbol)| symbol.name(endian, symbols.strings()) == Ok(name.as_bytes()));
            let (index, symbol) = named.unwrap_or_else(|| panic!("{name} is missing"));
            assert!(symbol.st_shndx(endian) != elf::SHN_UNDEF, "{name}");
            let found = versions.version(versions.version_index(endian, index)).unwrap();
            assert_eq!(
                found.map(|found| String::from_utf8_lossy(found.name()).into_owned()).as_deref(),
                version,
                "{name}"
            );
        }
    }

    #[test]
    fn what_a_killed_making_left_goes_after_a_day() {
        let cache = tempfile::tempdir().unwrap();
        let environment = Environment { cache: Some(cache.path().to_path_buf()), ..Environment::default() };
        let all = folder(&environment).unwrap();
        let old = SystemTime::now() - Duration::from_secs(25 * 60 * 60);
        for (name, is_old) in
            [(".staging-old", true), (".tmpOld", true), ("0123456789abcdef", true), (".staging-new", false)]
        {
            fs::create_dir_all(all.join(name)).unwrap();
            fs::write(all.join(name).join("librocblas.so"), "").unwrap();
            if is_old {
                File::open(all.join(name)).unwrap().set_modified(old).unwrap();
            }
        }
        // A library, and not of ROCm: its folder of stubs is empty.
        let own = ensure(&environment, &std::env::current_exe().unwrap()).unwrap();
        let names = fs::read_dir(&all).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let own = own.file_name().unwrap().to_str().unwrap().to_owned();
        let expected = BTreeSet::from([".staging-new".to_owned(), "0123456789abcdef".to_owned(), own]);
        assert_eq!(names.collect::<BTreeSet<_>>(), expected);
    }

    #[test]
    fn what_is_no_library_needs_no_stubs() {
        assert!(wanted(b"no ELF").is_err());
    }
}
