//! Stub libraries with which the ROCm plugin loads where no ROCm is, so that programs are compiled for AMD without it.
//!
//! Each stub has the name (`DT_SONAME`) of a library that the plugin is linked against, and defines the symbols that
//! the plugin takes from it, under the symbol versions that it asks for. Every function returns 1, which HIP and its
//! companions call an error: compiling ahead of time calls none of them, and whatever does call one sees it fail.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail, ensure};
use object::Endianness;
use object::elf::{self, FileHeader64};
use object::read::elf::{Dyn, FileHeader, SectionTable, Sym, VersionTable};

type Header = FileHeader64<Endianness>;

/// Symbol names by symbol version; the empty version holds symbols without one.
type Versions = BTreeMap<String, Vec<String>>;

/// How the names of libraries and of functions that belong to ROCm begin.
const LIBRARIES: [&str; 6] = ["libroc", "libhip", "libhsa", "librccl", "libMIOpen", "libamd"];
const FUNCTIONS: [&str; 13] =
    ["hip", "__hip", "roc", "rccl", "nccl", "miopen", "hsa", "amdsmi", "drm", "amdgpu", "numa", "_amd", "rsmi"];

/// Makes the stubs of the ROCm plugin at `plugin` in the folder `out`, which goes into `LD_LIBRARY_PATH` then.
///
/// # Errors
/// The plugin is no 64-bit ELF library, is linked against no ROCm, or the C compiler fails.
pub(crate) fn run(plugin: &Path, out: &Path) -> anyhow::Result<()> {
    let bytes = fs::read(plugin).with_context(|| format!("reading {}", plugin.display()))?;
    let wanted = wanted(&bytes).with_context(|| format!("reading the symbols of {}", plugin.display()))?;
    ensure!(!wanted.is_empty(), "{} is linked against no ROCm library", plugin.display());
    fs::create_dir_all(out).with_context(|| format!("creating {}", out.display()))?;
    for (soname, versions) in &wanted {
        link(soname, versions, out).with_context(|| format!("making the stub {soname}"))?;
    }
    println!("made stubs of {} ROCm libraries in {}", wanted.len(), out.display());
    Ok(())
}

/// The ROCm libraries that an ELF library needs, with the symbols that it takes from each.
fn wanted(bytes: &[u8]) -> anyhow::Result<BTreeMap<String, Versions>> {
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
fn needed(sections: &SectionTable<'_, Header>, endian: Endianness, bytes: &[u8]) -> anyhow::Result<Vec<String>> {
    let Some((entries, strings)) = sections.dynamic(endian, bytes)? else { bail!("it has no dynamic section") };
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
) -> anyhow::Result<Option<(String, String)>> {
    let version = versions.version(versions.version_index(endian, index))?;
    Ok(version.and_then(|version| {
        let file = String::from_utf8_lossy(version.file()?).into_owned();
        Some((file, String::from_utf8_lossy(version.name()).into_owned()))
    }))
}

fn link(soname: &str, versions: &Versions, out: &Path) -> anyhow::Result<()> {
    let work = tempfile::tempdir().context("creating a folder for the source")?;
    let (source, script) = (work.path().join("stub.c"), work.path().join("stub.map"));
    let mut code = String::new();
    for symbol in versions.values().flatten() {
        writeln!(code, "long {symbol}(void) {{ return 1; }}")?;
    }
    fs::write(&source, code)?;

    let mut compiler = Command::new("cc");
    // No built-in knowledge of names: a symbol may be called as a function that the compiler knows with other types.
    compiler.args(["-w", "-fno-builtin", "-shared", "-fPIC"]).arg(format!("-Wl,-soname,{soname}"));
    compiler.arg("-o").arg(out.join(soname)).arg(&source);
    let map = version_script(versions)?;
    if !map.is_empty() {
        fs::write(&script, map)?;
        compiler.arg(format!("-Wl,--version-script={}", script.display()));
    }
    let output = compiler.output().context("running the C compiler `cc`")?;
    ensure!(output.status.success(), "cc failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    Ok(())
}

/// The linker's version script that puts each symbol under its version; empty when there are none.
fn version_script(versions: &Versions) -> anyhow::Result<String> {
    let mut script = String::new();
    for (version, symbols) in versions.iter().filter(|(version, _)| !version.is_empty()) {
        writeln!(script, "{version} {{ global: {}; }};", symbols.join("; "))?;
    }
    Ok(script)
}
