//! The profiler that a plugin hands out as an extension of its table: XLA's `profiler_c_api.h`, version 1, and the extension of
//! `pjrt_c_api_profiler_extension.h` that leads to it. Written by hand, because it is ten structs: each begins with its size, and a field is
//! read only where that says it is there.

use std::ffi::{c_char, c_int, c_void};

use crate::sys::PJRT_Extension_Base;

/// `PJRT_Profiler_Extension`.
#[repr(C)]
pub(crate) struct Extension {
    pub(crate) base: PJRT_Extension_Base,
    pub(crate) profiler: *const Table,
}

/// `PLUGIN_Profiler`: known by its address alone.
#[repr(C)]
pub(crate) struct Handle {
    _unused: [u8; 0],
}

/// `PLUGIN_Profiler_Error`.
#[repr(C)]
pub(crate) struct Error {
    _unused: [u8; 0],
}

/// A function that may fail.
pub(crate) type Function<A> = Option<unsafe extern "C" fn(args: *mut A) -> *mut Error>;

/// `PLUGIN_Profiler_Api`.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Table {
    pub(crate) struct_size: usize,
    pub(crate) private: *mut c_void,
    pub(crate) error_destroy: Option<unsafe extern "C" fn(args: *mut ErrorDestroy)>,
    pub(crate) error_message: Option<unsafe extern "C" fn(args: *mut ErrorMessage)>,
    pub(crate) error_code: Function<ErrorCode>,
    pub(crate) create: Function<Create>,
    pub(crate) destroy: Function<OfHandle>,
    pub(crate) start: Function<OfHandle>,
    pub(crate) stop: Function<OfHandle>,
    pub(crate) collect: Function<Collect>,
}

/// `PLUGIN_Profiler_Error_Destroy_Args`.
#[repr(C)]
pub(crate) struct ErrorDestroy {
    pub(crate) struct_size: usize,
    pub(crate) private: *mut c_void,
    pub(crate) error: *mut Error,
}

/// `PLUGIN_Profiler_Error_Message_Args`; the message lives as long as the error.
#[repr(C)]
pub(crate) struct ErrorMessage {
    pub(crate) struct_size: usize,
    pub(crate) private: *mut c_void,
    pub(crate) error: *const Error,
    pub(crate) message: *const c_char,
    pub(crate) message_size: usize,
}

/// `PLUGIN_Profiler_Error_GetCode_Args`.
#[repr(C)]
pub(crate) struct ErrorCode {
    pub(crate) struct_size: usize,
    pub(crate) private: *mut c_void,
    pub(crate) error: *const Error,
    pub(crate) code: c_int,
}

/// `PLUGIN_Profiler_Create_Args`; the options are a `ProfileOptions` message.
#[repr(C)]
pub(crate) struct Create {
    pub(crate) struct_size: usize,
    pub(crate) options: *const c_char,
    pub(crate) options_size: usize,
    pub(crate) profiler: *mut Handle,
}

/// `PLUGIN_Profiler_Start_Args`, and those of stop and destroy, which are alike.
#[repr(C)]
pub(crate) struct OfHandle {
    pub(crate) struct_size: usize,
    pub(crate) profiler: *mut Handle,
}

/// `PLUGIN_Profiler_CollectData_Args`; the data is an `XSpace` message.
#[repr(C)]
pub(crate) struct Collect {
    pub(crate) struct_size: usize,
    pub(crate) profiler: *mut Handle,
    pub(crate) buffer: *mut u8,
    pub(crate) buffer_size: usize,
}
