//! Loading a plugin.

use std::fs::File;
use std::io::{self, Read};
use std::mem::ManuallyDrop;
use std::path::Path;
use std::ptr::NonNull;
use std::sync::Arc;

use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_LAZY, RTLD_LOCAL};

use crate::api::{Api, ApiVersion, Call};
use crate::elf::described_bytes;
use crate::environment::with_variables_as_they_are;
use crate::error::Doing;
use crate::named::read_named_values;
use crate::{Error, OptionValue, Result, sys};

/// A loaded PJRT plugin: XLA for one platform. Cloning is cheap.
///
/// Plugins are never unloaded: XLA leaves threads and process-wide state behind.
#[derive(Clone)]
pub struct Plugin {
    api: Api,
    path: Arc<Path>,
}

impl Plugin {
    /// Loads the shared library at `path` and sets it up.
    ///
    /// # Errors
    /// The file is missing, is no shared library, needs a library that is missing, is no PJRT plugin, or is older than
    /// [`ApiVersion::OURS`]; or its own set-up fails.
    pub fn load(path: impl AsRef<Path>) -> Result<Plugin> {
        let path: Arc<Path> = path.as_ref().into();
        // A bare file name would make the loader search the system's folders instead of the current one.
        let file = std::path::absolute(&path).map_err(|cause| Error::Unreadable { path: path.to_path_buf(), cause })?;
        let mut magic = [0; 4];
        let read = File::open(&file).and_then(|mut file| file.read(&mut magic));
        read.map_err(|cause| Error::Unreadable { path: path.to_path_buf(), cause })?;
        check_length(&file)?;

        // SAFETY: running a library's initialisers is what loading a plugin means; the user chose the file.
        let library = with_variables_as_they_are(|| unsafe { Library::open(Some(&file), RTLD_LAZY | RTLD_LOCAL) });
        let library = library.map_err(|error| {
            let path = path.to_path_buf();
            if is_object_file(magic) {
                Error::Load { path, message: loader_message(&error) }
            } else {
                Error::NotSharedLibrary { path }
            }
        })?;
        let api = find_api(&ManuallyDrop::new(library), &path)?;

        let plugin = Plugin { api, path };
        // SAFETY: this call has no pointers. It must come before all others, and may be repeated.
        unsafe { api.call(sys::PJRT_Plugin_Initialize_Args::new()) }
            .doing(|| format!("setting up the plugin {}", plugin.path.display()))?;
        Ok(plugin)
    }

    /// The path that it was loaded from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The version of the PJRT C API that it implements.
    pub fn version(&self) -> ApiVersion {
        self.api.version()
    }

    /// What the plugin says of itself, such as `xla_version` and the StableHLO versions that it reads.
    ///
    /// # Errors
    /// The plugin cannot say.
    pub fn attributes(&self) -> Result<Vec<(String, OptionValue)>> {
        // SAFETY: this call has no pointers to give.
        let args = unsafe { self.api.call(sys::PJRT_Plugin_Attributes_Args::new()) };
        // SAFETY: attributes live as long as the process.
        args.and_then(|args| unsafe { read_named_values(args.attributes, args.num_attributes) })
            .doing(|| format!("reading the attributes of the plugin {}", self.path.display()))
    }

    pub(crate) fn api(&self) -> Api {
        self.api
    }
}

/// Loads a shared library for good, so that a plugin that asks for a library of its name gets this one.
///
/// The CUDA plugin opens `libcublas.so.13` and its like on first use; where they stand in no folder that the dynamic
/// loader searches, the caller loads them before. A path without a folder is looked for as the loader does.
///
/// # Errors
/// [`Error::Load`] in the loader's words: there is no such library, or it needs one that is missing. [`Error::Truncated`] for a file
/// that is cut off.
pub fn preload(library: impl AsRef<Path>) -> Result<()> {
    let path = library.as_ref();
    if path.components().nth(1).is_some() {
        check_length(path)?;
    }
    // SAFETY: running a library's initialisers is what loading it means; the caller chose the file.
    let library = unsafe { Library::open(Some(path), RTLD_LAZY | RTLD_GLOBAL) }
        .map_err(|error| Error::Load { path: path.to_path_buf(), message: loader_message(&error) })?;
    std::mem::forget(library);
    Ok(())
}

impl std::fmt::Debug for Plugin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Plugin({}, API {})", self.path.display(), self.version())
    }
}

fn find_api(library: &Library, path: &Path) -> Result<Api> {
    let not_plugin = |reason| Error::NotPlugin { path: path.to_path_buf(), reason };
    type GetPjrtApi = unsafe extern "C" fn() -> *const sys::PJRT_Api;
    // SAFETY: this is the type that the C API gives to the symbol.
    let get = unsafe { library.get::<GetPjrtApi>(b"GetPjrtApi\0") }
        .map_err(|_| not_plugin("it exports no function GetPjrtApi"))?;
    // SAFETY: the function takes nothing and returns a table that lives as long as the library.
    let table = unsafe { get() };
    let table = NonNull::new(table.cast_mut()).ok_or_else(|| not_plugin("its GetPjrtApi returned nothing"))?;
    // SAFETY: the table comes from GetPjrtApi.
    let api = unsafe { Api::new(table) }.ok_or_else(|| not_plugin("its function table is too short"))?;
    let (found, ours) = (api.version(), ApiVersion::OURS);
    if found.major != ours.major || found.minor < ours.minor {
        return Err(Error::Version { path: path.to_path_buf(), found });
    }
    Ok(api)
}

/// Refuses a file that is cut off, before the loader maps it. What cannot be read is left to the loader to say.
fn check_length(path: &Path) -> Result<()> {
    let measure = |file: File| Ok::<_, io::Error>((file.metadata()?.len(), described_bytes(file)?));
    match File::open(path).and_then(measure) {
        Ok((found, Some(described))) if found < described => {
            Err(Error::Truncated { path: path.to_path_buf(), found, described })
        }
        _ => Ok(()),
    }
}

/// Whether a file begins like an ELF (Linux) or Mach-O (macOS) object.
fn is_object_file(magic: [u8; 4]) -> bool {
    matches!(magic, [0x7f, b'E', b'L', b'F'] | [0xcf, 0xfa, 0xed, 0xfe] | [0xca, 0xfe, 0xba, 0xbe])
}

/// The loader's own words, without libloading's around them.
fn loader_message(error: &libloading::Error) -> String {
    std::error::Error::source(error).map_or_else(|| error.to_string(), |source| source.to_string())
}
