//! XLA's foreign function interface: the parts of its `xla/ffi/api/c_api.h`, version 0.1, that a function needs which computes arrays from arrays, and of
//! `pjrt_c_api_ffi_extension.h`, which registers it. Written by hand: structs begin with their sizes, and those of what comes from XLA are looked at
//! before more is read.

use std::ffi::{c_char, c_int, c_void};

use crate::sys::{PJRT_Error, PJRT_Extension_Base};

/// `PJRT_FFI_Extension`.
#[repr(C)]
pub(crate) struct Extension {
    pub(crate) base: PJRT_Extension_Base,
    pub(crate) type_register: *const c_void,
    pub(crate) user_data_add: *const c_void,
    pub(crate) register_handler: Option<unsafe extern "C" fn(args: *mut RegisterHandler) -> *mut PJRT_Error>,
}

/// `PJRT_FFI_Register_Handler_Args`.
#[repr(C)]
pub(crate) struct RegisterHandler {
    pub(crate) struct_size: usize,
    pub(crate) target: *const c_char,
    pub(crate) target_size: usize,
    pub(crate) handler: *mut c_void,
    pub(crate) platform: *const c_char,
    pub(crate) platform_size: usize,
    pub(crate) traits: u32,
}

/// `XLA_FFI_Handler`.
pub(crate) type Handler = unsafe extern "C" fn(frame: *mut CallFrame) -> *mut Error;

/// `XLA_FFI_Error`.
#[repr(C)]
pub(crate) struct Error {
    _unused: [u8; 0],
}

/// `XLA_FFI_Extension_Base`.
#[repr(C)]
pub(crate) struct CallExtension {
    pub(crate) struct_size: usize,
    pub(crate) kind: c_int,
    pub(crate) next: *mut CallExtension,
}

/// `XLA_FFI_Extension_Metadata`: what a function says of itself is asked for.
pub(crate) const METADATA: c_int = 1;

/// `XLA_FFI_Metadata_Extension`.
#[repr(C)]
pub(crate) struct MetadataExtension {
    pub(crate) base: CallExtension,
    pub(crate) metadata: *mut Metadata,
}

/// `XLA_FFI_Metadata`, as far as all versions have it.
#[repr(C)]
pub(crate) struct Metadata {
    pub(crate) struct_size: usize,
    pub(crate) version: Version,
    pub(crate) traits: u32,
}

/// `XLA_FFI_Api_Version`.
#[repr(C)]
pub(crate) struct Version {
    pub(crate) struct_size: usize,
    pub(crate) extension: *mut CallExtension,
    pub(crate) major: c_int,
    pub(crate) minor: c_int,
}

/// The oldest version that has these structs: a plugin refuses functions of one newer than its own.
pub(crate) const VERSION: [c_int; 2] = [0, 1];

/// `XLA_FFI_Api`, as far as it is used.
#[repr(C)]
pub(crate) struct Table {
    pub(crate) struct_size: usize,
    pub(crate) extension: *mut CallExtension,
    pub(crate) version: Version,
    pub(crate) internal: *const c_void,
    pub(crate) error_create: Option<unsafe extern "C" fn(args: *mut ErrorCreate) -> *mut Error>,
}

/// `XLA_FFI_Error_Create_Args`; the message ends with a zero, and is copied.
#[repr(C)]
pub(crate) struct ErrorCreate {
    pub(crate) struct_size: usize,
    pub(crate) extension: *mut CallExtension,
    pub(crate) message: *const c_char,
    pub(crate) code: c_int,
}

/// `XLA_FFI_Error_Code_INTERNAL`.
pub(crate) const INTERNAL: c_int = 13;

/// `XLA_FFI_ExecutionStage_EXECUTE`.
pub(crate) const EXECUTE: c_int = 3;

/// `XLA_FFI_CallFrame`, up to its attributes.
#[repr(C)]
pub(crate) struct CallFrame {
    pub(crate) struct_size: usize,
    pub(crate) extension: *mut CallExtension,
    pub(crate) api: *const Table,
    pub(crate) context: *mut c_void,
    pub(crate) stage: c_int,
    pub(crate) arguments: Values,
    pub(crate) results: Values,
    pub(crate) attributes: Attributes,
}

/// `XLA_FFI_Args` and `XLA_FFI_Rets`, which are alike: of each, which kind it is, and where it is.
#[repr(C)]
pub(crate) struct Values {
    pub(crate) struct_size: usize,
    pub(crate) extension: *mut CallExtension,
    pub(crate) size: i64,
    pub(crate) kinds: *const c_int,
    pub(crate) values: *const *mut c_void,
}

/// `XLA_FFI_ArgType_BUFFER` and `XLA_FFI_RetType_BUFFER`.
pub(crate) const BUFFER: c_int = 1;

/// `XLA_FFI_Buffer`, row-major.
#[repr(C)]
pub(crate) struct Buffer {
    pub(crate) struct_size: usize,
    pub(crate) extension: *mut CallExtension,
    pub(crate) dtype: c_int,
    pub(crate) data: *mut c_void,
    pub(crate) rank: i64,
    pub(crate) dims: *const i64,
}

/// `XLA_FFI_DataType_S32`, `_S64` and `_F32`.
pub(crate) const S32: c_int = 4;
pub(crate) const S64: c_int = 5;
pub(crate) const F32: c_int = 11;

/// `XLA_FFI_Attrs`, sorted by name.
#[repr(C)]
pub(crate) struct Attributes {
    pub(crate) struct_size: usize,
    pub(crate) extension: *mut CallExtension,
    pub(crate) size: i64,
    pub(crate) kinds: *const c_int,
    pub(crate) names: *const *const Span,
    pub(crate) values: *const *mut c_void,
}

/// `XLA_FFI_ByteSpan`.
#[repr(C)]
pub(crate) struct Span {
    pub(crate) start: *const c_char,
    pub(crate) size: usize,
}

/// `XLA_FFI_AttrType_SCALAR`.
pub(crate) const SCALAR: c_int = 3;

/// `XLA_FFI_Scalar`.
#[repr(C)]
pub(crate) struct Scalar {
    pub(crate) dtype: c_int,
    pub(crate) value: *const c_void,
}
