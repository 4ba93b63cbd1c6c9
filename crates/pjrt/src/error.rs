//! What can go wrong, in one enum.

use std::fmt;
use std::path::PathBuf;

use crate::{ApiVersion, sys};

/// The result of a call into this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a plugin could not be used, or what it answered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no file at this path, or it cannot be read.
    #[error("cannot read the plugin {}: {cause}", path.display())]
    Unreadable {
        /// The plugin's path.
        path: PathBuf,
        /// What the operating system said.
        cause: std::io::Error,
    },
    /// The file is no shared library of this operating system.
    #[error("{} is not a shared library; a PJRT plugin is a file such as pjrt_c_api_cpu_plugin.so", path.display())]
    NotSharedLibrary {
        /// The plugin's path.
        path: PathBuf,
    },
    /// The file is shorter than its own headers say. The loader would map it, and the process would end with a bus error.
    #[error("{} is damaged: it has {found} bytes, and its headers describe {described}; install it again", path.display())]
    Truncated {
        /// The library's path.
        path: PathBuf,
        /// Its size in bytes.
        found: u64,
        /// The size that its headers need, at least.
        described: u64,
    },
    /// The file is a shared library, but the loader refused it: mostly because a library that it needs is missing.
    #[error("cannot load the plugin {}: {message}", path.display())]
    Load {
        /// The plugin's path.
        path: PathBuf,
        /// What the loader said; it names the missing library.
        message: String,
    },
    /// The library exports no `GetPjrtApi`, or that returned nothing.
    #[error("{} is a shared library but not a PJRT plugin: {reason}", path.display())]
    NotPlugin {
        /// The plugin's path.
        path: PathBuf,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The plugin speaks an older or incompatible version of the PJRT C API.
    #[error(
        "the plugin {} implements PJRT C API {found}, but {} or a newer 0.x is needed; install a newer plugin",
        path.display(), ApiVersion::OURS
    )]
    Version {
        /// The plugin's path.
        path: PathBuf,
        /// The version it states.
        found: ApiVersion,
    },
    /// The plugin does not have a function that is needed.
    #[error(
        "{doing}: the plugin implements PJRT C API {found}, which lacks {call} (known here up to {})",
        ApiVersion::OURS
    )]
    MissingCall {
        /// What was being done, on what.
        doing: String,
        /// The missing function of the C API.
        call: &'static str,
        /// The version that the plugin states.
        found: ApiVersion,
    },
    /// A buffer was used after a program had consumed it (its argument was donated).
    #[error("{doing}: {what} was donated to an earlier execution and no longer exists")]
    Donated {
        /// What was being done, on what.
        doing: String,
        /// Which buffer.
        what: String,
    },
    /// What was asked contradicts itself; nothing was given to the plugin.
    #[error("{doing}: {rule}")]
    Argument {
        /// What was being done, on what.
        doing: String,
        /// The rule that was broken, with the offending value.
        rule: String,
    },
    /// The plugin answered with an error.
    #[error("{doing}: {code}: {message}")]
    Plugin {
        /// What was being done, on what.
        doing: String,
        /// The kind of error.
        code: Code,
        /// The plugin's own words.
        message: String,
    },
}

/// What a call of the C API answers if not success; [`Doing::doing`] makes it an [`Error`].
#[derive(Debug)]
pub(crate) enum Failure {
    Missing { call: &'static str, found: ApiVersion },
    Status { code: Code, message: String },
}

impl Failure {
    pub(crate) fn into_error(self, doing: String) -> Error {
        match self {
            Failure::Missing { call, found } => Error::MissingCall { doing, call, found },
            Failure::Status { code, message } => Error::Plugin { doing, code, message },
        }
    }
}

/// Adds to a failed call what was being done, on what.
pub(crate) trait Doing<T> {
    fn doing(self, doing: impl FnOnce() -> String) -> Result<T>;
}

impl<T> Doing<T> for std::result::Result<T, Failure> {
    fn doing(self, doing: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|failure| failure.into_error(doing()))
    }
}

macro_rules! codes {
    ($($code:ident = $raw:ident, $name:literal, $doc:literal;)*) => {
        /// The kind of a plugin's error: the status codes of Abseil.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Code { $(#[doc = $doc] $code,)* }

        impl Code {
            pub(crate) fn from_raw(raw: sys::PJRT_Error_Code) -> Code {
                match raw { $(sys::$raw => Code::$code,)* _ => Code::Unknown }
            }

            pub(crate) fn to_raw(self) -> sys::PJRT_Error_Code {
                match self { $(Code::$code => sys::$raw,)* }
            }
        }

        impl fmt::Display for Code {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(Code::$code => $name,)* })
            }
        }
    };
}

codes! {
    Cancelled = PJRT_Error_Code_CANCELLED, "cancelled", "The operation was cancelled.";
    Unknown = PJRT_Error_Code_UNKNOWN, "unknown error", "No kind was given, or one that is not known here.";
    InvalidArgument = PJRT_Error_Code_INVALID_ARGUMENT, "invalid argument", "The program or an argument is wrong.";
    DeadlineExceeded = PJRT_Error_Code_DEADLINE_EXCEEDED, "deadline exceeded", "It took too long.";
    NotFound = PJRT_Error_Code_NOT_FOUND, "not found", "Something that was named does not exist.";
    AlreadyExists = PJRT_Error_Code_ALREADY_EXISTS, "already exists", "Something that was to be made exists.";
    PermissionDenied = PJRT_Error_Code_PERMISSION_DENIED, "permission denied", "The caller may not do this.";
    ResourceExhausted = PJRT_Error_Code_RESOURCE_EXHAUSTED, "out of memory", "Mostly: device memory ran out.";
    FailedPrecondition = PJRT_Error_Code_FAILED_PRECONDITION, "failed precondition", "The state does not allow this.";
    Aborted = PJRT_Error_Code_ABORTED, "aborted", "The operation was given up.";
    OutOfRange = PJRT_Error_Code_OUT_OF_RANGE, "out of range", "A value lies outside its range.";
    Unimplemented = PJRT_Error_Code_UNIMPLEMENTED, "not implemented", "The plugin does not do this.";
    Internal = PJRT_Error_Code_INTERNAL, "internal error", "An invariant of the plugin is broken.";
    Unavailable = PJRT_Error_Code_UNAVAILABLE, "unavailable", "The device or service cannot be reached now.";
    DataLoss = PJRT_Error_Code_DATA_LOSS, "data loss", "Data is lost or corrupt.";
    Unauthenticated = PJRT_Error_Code_UNAUTHENTICATED, "unauthenticated", "The caller is not known.";
}
