//! The vendor libraries that a plugin calls, found and loaded before it.
//!
//! A GPU plugin looks for them in folders beside its own, where pip puts the vendors' wheels. Unpacked into Finery's
//! cache it has no such neighbours, so the libraries are loaded first, by path: the dynamic loader then answers the
//! plugin's requests for `libcublas.so.13` with the library of that name that is in the process already.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::{Environment, Error, Located, Platform, Result, record, rocm_stubs};

/// A vendor library, by the name that plugins ask for.
struct Library {
    soname: &'static str,
    need: Need,
    /// The wheel that brings it, empty when no wheel does.
    package: &'static str,
}

/// When a library must be there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    /// To load the plugin at all.
    Load,
    /// To run programs.
    Run,
    /// For some programs only, or for profiling.
    Sometimes,
}

const fn library(soname: &'static str, need: Need, package: &'static str) -> Library {
    Library { soname, need, package }
}

/// In the order of their dependencies: a library comes after those that it needs. The plugin opens them on first use.
/// Names and versions are those that jax 0.11 loads for CUDA 13.
const CUDA: &[Library] = &[
    library("libcuda.so.1", Need::Run, ""),
    library("libcudart.so.13", Need::Run, "nvidia-cuda-runtime"),
    library("libnvJitLink.so.13", Need::Run, "nvidia-nvjitlink"),
    library("libnvrtc.so.13", Need::Run, "nvidia-cuda-nvrtc"),
    library("libcublasLt.so.13", Need::Run, "nvidia-cublas"),
    library("libcublas.so.13", Need::Run, "nvidia-cublas"),
    library("libcusparse.so.12", Need::Run, "nvidia-cusparse"),
    library("libcusolver.so.12", Need::Run, "nvidia-cusolver"),
    library("libcufft.so.12", Need::Run, "nvidia-cufft"),
    library("libcudnn.so.9", Need::Run, "nvidia-cudnn-cu13"),
    library("libcupti.so.13", Need::Sometimes, "nvidia-cuda-cupti"),
    library("libnccl.so.2", Need::Sometimes, "nvidia-nccl-cu13"),
    library("libnvshmem_host.so.3", Need::Sometimes, "nvidia-nvshmem-cu13"),
];

/// What the ROCm plugin is linked against, in the order of their dependencies.
const ROCM: &[Library] = &[
    library("librocm_sysdeps_numa.so.1", Need::Load, ""),
    library("librocm_sysdeps_drm.so.2", Need::Load, ""),
    library("librocm_sysdeps_drm_amdgpu.so.1", Need::Load, ""),
    library("libhsa-runtime64.so.1", Need::Load, ""),
    library("libamdhip64.so.7", Need::Load, ""),
    library("libamd_smi.so.26", Need::Load, ""),
    library("librocprofiler-sdk.so.1", Need::Load, ""),
    library("librocblas.so.5", Need::Load, ""),
    library("libhipblaslt.so.1", Need::Load, ""),
    library("libhipfft.so.0", Need::Load, ""),
    library("librccl.so.1", Need::Load, ""),
    library("libMIOpen.so.1", Need::Load, ""),
];

/// What a plugin is loaded for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To run programs on this machine's devices.
    Run,
    /// To compile for devices that are described and need not be here.
    Compile,
    /// To ask for its version.
    Inspect,
}

/// Loads the vendor libraries of a plugin into the process.
///
/// # Errors
/// [`Error::MissingLibraries`] with those that the purpose needs and that neither the folders nor the dynamic loader
/// know; [`Error::NoToolchain`] when the CUDA plugin could not make machine code.
pub(super) fn preload(environment: &Environment, located: &Located, purpose: Purpose) -> Result<()> {
    let libraries = match (located.platform, purpose) {
        (Platform::Cpu, _) => return Ok(()),
        // The CUDA plugin compiles with no CUDA there, and then chooses the same tools on every machine.
        (Platform::Cuda, Purpose::Compile) => return check_toolchain(environment),
        (Platform::Cuda, Purpose::Inspect) => return Ok(()),
        (Platform::Cuda, Purpose::Run) => CUDA,
        (Platform::Rocm, _) => ROCM,
    };
    let mut folders = folders(environment, located);
    let mut loaded = load_all(&folders, libraries, &mut |path| pjrt::preload(path));
    if loaded.is_err() && (located.platform, purpose) == (Platform::Rocm, Purpose::Compile) {
        // Behind the others, so that what is really there wins.
        folders.push(rocm_stubs::ensure(environment, &located.library)?);
        loaded = load_all(&folders, libraries, &mut |path| pjrt::preload(path));
    }
    loaded.map_err(|missing| {
        let names: Vec<&str> = missing.iter().map(|library| library.soname).collect();
        Error::MissingLibraries {
            platform: located.platform,
            plugin: located.library.clone(),
            missing: names.join(", "),
            advice: advice(located.platform, &missing),
        }
    })?;
    if located.platform == Platform::Cuda { check_toolchain(environment) } else { Ok(()) }
}

/// The CUDA plugin is built without a PTX compiler: on a machine with no `ptxas`, or half of one, it would fail at its first program.
fn check_toolchain(environment: &Environment) -> Result<()> {
    let Some(dir) = cuda_toolchain(environment) else {
        return environment.program("ptxas").map(drop).ok_or(Error::NoToolchain);
    };
    let root = dir.ancestors().nth(2).unwrap_or(&dir);
    for (package, file) in [("nvidia-cuda-nvcc", PTXAS), ("nvidia-nvvm", LIBDEVICE)] {
        record::check_file(root, package, &dir.join(file)).map_err(|damage| Error::Damaged {
            what: "the CUDA toolchain".to_owned(),
            damage,
            command: "finery plugin install cuda --toolchain".to_owned(),
        })?;
    }
    Ok(())
}

/// Loads each library from the first folder whose copy loads, else by name, which asks the dynamic loader.
/// Gives back the needed ones that nothing could load.
fn load_all<'a, E: std::fmt::Display>(
    folders: &[PathBuf],
    libraries: &'a [Library],
    load: &mut dyn FnMut(&Path) -> std::result::Result<(), E>,
) -> std::result::Result<(), Vec<&'a Library>> {
    let mut missing = Vec::new();
    for library in libraries {
        let files = folders.iter().map(|folder| folder.join(library.soname)).filter(|file| file.is_file());
        let found = files.chain([PathBuf::from(library.soname)]).find(|file| match load(file) {
            Ok(()) => true,
            Err(error) => {
                tracing::debug!(library = %file.display(), %error, "did not load");
                false
            }
        });
        match found {
            Some(file) => tracing::debug!(library = %file.display(), "loaded"),
            None if library.need == Need::Sometimes => {}
            None => missing.push(library),
        }
    }
    if missing.is_empty() { Ok(()) } else { Err(missing) }
}

/// The files of a platform's libraries that are in this process: for a plugin that was loaded to run programs, those that were found for it.
pub(crate) fn loaded_libraries(platform: Platform) -> Vec<PathBuf> {
    let libraries = match platform {
        Platform::Cpu => return Vec::new(),
        Platform::Cuda => CUDA,
        Platform::Rocm => ROCM,
    };
    let maps = fs::read("/proc/self/maps").unwrap_or_default();
    mapped(libraries, &String::from_utf8_lossy(&maps))
}

/// Those of the files that `maps` (proc_pid_maps(5)) lists that are one of the libraries, in whatever version.
fn mapped(libraries: &[Library], maps: &str) -> Vec<PathBuf> {
    let is_library = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        libraries.iter().any(|library| {
            let (stem, _) = library.soname.split_once(".so").unwrap_or((library.soname, ""));
            name.strip_prefix(stem).is_some_and(|rest| rest.starts_with(".so"))
        })
    };
    let files = maps.lines().filter_map(|line| line.find('/').map(|start| PathBuf::from(&line[start..])));
    let found: BTreeSet<PathBuf> = files.filter(|path| is_library(path)).collect();
    found.into_iter().collect()
}

/// Where a platform's libraries may be: the Python environment of the plugin, other Python environments,
/// `LD_LIBRARY_PATH`, the vendor's own installation. Wheels come first because pip keeps their versions together.
fn folders(environment: &Environment, located: &Located) -> Vec<PathBuf> {
    let roots = std::iter::once(located.root().to_path_buf()).chain(environment.python_roots().iter().cloned());
    let in_wheels = roots.flat_map(|root| match located.platform {
        Platform::Cpu => Vec::new(),
        Platform::Cuda => children(&root.join("nvidia"), ""),
        Platform::Rocm => children(&root, "_rocm_sdk_"),
    });
    let homes = match located.platform {
        Platform::Cpu => &[][..],
        Platform::Cuda => &environment.cuda_homes,
        Platform::Rocm => &environment.rocm_homes,
    };
    let installed = homes.iter().flat_map(|home| [home.join("lib64"), home.join("lib")]);
    in_wheels.map(|dir| dir.join("lib")).chain(environment.library_path.iter().cloned()).chain(installed).collect()
}

fn children(dir: &Path, prefix: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(dir) else { return Vec::new() };
    let named = entries.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix));
    let mut found: Vec<PathBuf> = named.map(|entry| entry.path()).collect();
    found.sort();
    found
}

fn advice(platform: Platform, missing: &[&Library]) -> String {
    if platform == Platform::Rocm {
        return "install ROCm 7 and set ROCM_PATH if it is not in /opt/rocm".to_owned();
    }
    let mut packages: Vec<&str> =
        missing.iter().map(|library| library.package).filter(|name| !name.is_empty()).collect();
    packages.dedup();
    let driver = missing.iter().any(|library| library.package.is_empty());
    let wheels = format!("run `pip install {}` in a Python environment that is active here", packages.join(" "));
    match (driver, packages.is_empty()) {
        (true, true) => "install the NVIDIA driver, 580 or newer".to_owned(),
        (true, false) => format!("install the NVIDIA driver, 580 or newer, and {wheels}"),
        (false, _) => wheels,
    }
}

const PTXAS: &str = "bin/ptxas";
const LIBDEVICE: &str = "nvvm/libdevice/libdevice.10.bc";

/// The folder that XLA's flag `xla_gpu_cuda_data_dir` names: it holds `bin/ptxas` and `nvvm/libdevice/libdevice.10.bc`,
/// with which the CUDA plugin makes machine code.
///
/// Looked for in Finery's cache (`finery plugin install cuda --toolchain`), Python environments and the CUDA toolkits of
/// the system, in this order.
pub fn cuda_toolchain(environment: &Environment) -> Option<PathBuf> {
    let bundle = &super::pins::CUDA_TOOLCHAIN;
    let cached = super::discover::installed_versions(environment, bundle).into_iter().map(|(_, root)| root);
    let is_complete = |dir: &PathBuf| [PTXAS, LIBDEVICE].iter().all(|file| dir.join(file).is_file());
    cached
        .chain([()].into_iter().flat_map(|()| environment.python_roots().iter().cloned()))
        .map(|root| root.join("nvidia/cu13"))
        .chain(environment.cuda_homes.iter().cloned())
        .find(is_complete)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing(folders: &[PathBuf], loadable: &[&Path]) -> Vec<&'static str> {
        let mut load = |path: &Path| if loadable.contains(&path) { Ok(()) } else { Err("no") };
        let result = load_all(folders, CUDA, &mut load);
        result.err().unwrap_or_default().iter().map(|library| library.soname).collect()
    }

    #[test]
    fn a_library_comes_from_the_first_folder_whose_copy_loads() {
        let (broken, good) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for dir in [&broken, &good] {
            fs::write(dir.path().join("libcudnn.so.9"), "").unwrap();
        }
        let folders = [broken.path().to_path_buf(), good.path().to_path_buf()];
        let copy = good.path().join("libcudnn.so.9");
        let missing = missing(&folders, &[Path::new("libcublas.so.13"), &copy]);
        assert!(!missing.contains(&"libcudnn.so.9"), "the second folder's copy loads");
        assert!(!missing.contains(&"libcublas.so.13"), "the dynamic loader knows it by name");
        assert!(missing.contains(&"libcufft.so.12") && !missing.contains(&"libnccl.so.2"), "{missing:?}");
    }

    #[test]
    fn libraries_in_the_process_are_told_whatever_their_versions() {
        let maps = "7f00a0000000-7f00a1000000 r--p 00000000 08:01 42    /usr/lib/libcuda.so.580.65.06\n\
                    7f00a1000000-7f00a2000000 r-xp 00001000 08:01 42    /usr/lib/libcuda.so.580.65.06\n\
                    7f00a2000000-7f00a3000000 rw-p 00000000 00:00 0 \n\
                    7f00a3000000-7f00a4000000 r--p 00000000 08:01 44    /a venv/nvidia/cudnn/lib/libcudnn.so.9\n\
                    7f00a4000000-7f00a5000000 r--p 00000000 08:01 45    /a venv/nvidia/cudnn/lib/libcudnn_ops.so.9\n\
                    7f00a5000000-7f00a6000000 rw-p 00000000 00:00 0     [stack]\n";
        assert_eq!(
            mapped(CUDA, maps),
            [Path::new("/a venv/nvidia/cudnn/lib/libcudnn.so.9"), Path::new("/usr/lib/libcuda.so.580.65.06")]
        );
        assert!(mapped(ROCM, maps).is_empty());
    }

    #[test]
    fn advice_names_the_wheels_and_the_driver() {
        let of = |sonames: &[&str]| {
            let missing: Vec<&Library> = CUDA.iter().filter(|library| sonames.contains(&library.soname)).collect();
            advice(Platform::Cuda, &missing)
        };
        assert_eq!(of(&["libcuda.so.1"]), "install the NVIDIA driver, 580 or newer");
        assert_eq!(
            of(&["libcublas.so.13", "libcublasLt.so.13", "libcudnn.so.9"]),
            "run `pip install nvidia-cublas nvidia-cudnn-cu13` in a Python environment that is active here"
        );
    }

    #[test]
    fn wheels_of_the_plugins_own_environment_come_first() {
        let root = tempfile::tempdir().unwrap();
        let site = root.path().join("venv/lib/python3.12/site-packages");
        fs::create_dir_all(site.join("nvidia/cu13/lib")).unwrap();
        fs::create_dir_all(site.join("nvidia/cudnn/lib")).unwrap();
        let environment = Environment {
            library_path: vec!["/opt/libraries".into()],
            cuda_homes: vec!["/opt/cuda".into()],
            ..Environment::default()
        };
        let located = Located {
            platform: Platform::Cuda,
            source: super::super::Source::Python,
            library: site.join("jax_plugins/xla_cuda13/xla_cuda_plugin.so"),
            version: None,
        };
        let expected: Vec<PathBuf> = vec![
            site.join("nvidia/cu13/lib"),
            site.join("nvidia/cudnn/lib"),
            "/opt/libraries".into(),
            "/opt/cuda/lib64".into(),
            "/opt/cuda/lib".into(),
        ];
        assert_eq!(folders(&environment, &located), expected);
    }
}
