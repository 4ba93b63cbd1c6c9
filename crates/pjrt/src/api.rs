//! The plugin's function table: which calls it has, and how one is made.

use std::ffi::c_char;
use std::fmt;
use std::mem::{offset_of, size_of};
use std::ptr::NonNull;

use crate::error::{Code, Failure};
use crate::sys;

/// The version of the PJRT C API that a plugin was built with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ApiVersion {
    /// Changes when the interface breaks.
    pub major: i32,
    /// Grows with every addition.
    pub minor: i32,
}

impl ApiVersion {
    /// The version of the header that this crate is built on. Plugins of the same major version and at least this minor
    /// version are accepted: the API grows at its end, so newer plugins serve older callers.
    pub const OURS: ApiVersion = ApiVersion { major: sys::PJRT_API_MAJOR as i32, minor: sys::PJRT_API_MINOR as i32 };
}

impl fmt::Display for ApiVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// A plugin's function table, which lives as long as the process.
///
/// The table may be shorter than the one our header declares, so it is never borrowed as a whole: fields are read one
/// by one, each after a look at the size that the plugin states.
#[derive(Clone, Copy)]
pub(crate) struct Api {
    table: NonNull<sys::PJRT_Api>,
    size: usize,
    version: ApiVersion,
}

// SAFETY: the table is constant, and its functions may be called from any thread.
unsafe impl Send for Api {}
// SAFETY: as above.
unsafe impl Sync for Api {}

/// A chain of more has no end.
const EXTENSIONS_MAX: usize = 1024;

type Function<A> = Option<unsafe extern "C" fn(args: *mut A) -> *mut sys::PJRT_Error>;

/// The argument struct of one function of the table.
///
/// # Safety
/// The field of `PJRT_Api` at `OFFSET` is a `Function<Self>`, and a zeroed `Self` is valid.
pub(crate) unsafe trait Call: Sized {
    /// The function's name in the C API.
    const NAME: &'static str;
    /// Where the table holds the function.
    const OFFSET: usize;

    /// Arguments that are all zero, with the struct's size filled in.
    fn new() -> Self;
}

macro_rules! calls {
    ($($function:ident($args:ident)),* $(,)?) => { $(
        const _: fn(&sys::PJRT_Api) -> Function<sys::$args> = |table| table.$function;

        // SAFETY: the line above checks the field's type; argument structs are integers, pointers and optional
        // function pointers, for all of which zero is valid.
        unsafe impl Call for sys::$args {
            const NAME: &'static str = stringify!($function);
            const OFFSET: usize = offset_of!(sys::PJRT_Api, $function);

            fn new() -> Self {
                // SAFETY: see above.
                Self { struct_size: size_of::<Self>(), ..unsafe { std::mem::zeroed() } }
            }
        }
    )* };
}

calls! {
    PJRT_Error_GetCode(PJRT_Error_GetCode_Args),
    PJRT_Plugin_Initialize(PJRT_Plugin_Initialize_Args),
    PJRT_Plugin_Attributes(PJRT_Plugin_Attributes_Args),
    PJRT_Event_Await(PJRT_Event_Await_Args),
    PJRT_Event_Destroy(PJRT_Event_Destroy_Args),
    PJRT_Event_OnReady(PJRT_Event_OnReady_Args),
    PJRT_Client_Create(PJRT_Client_Create_Args),
    PJRT_Client_Destroy(PJRT_Client_Destroy_Args),
    PJRT_Client_PlatformName(PJRT_Client_PlatformName_Args),
    PJRT_Client_PlatformVersion(PJRT_Client_PlatformVersion_Args),
    PJRT_Client_Devices(PJRT_Client_Devices_Args),
    PJRT_Client_AddressableDevices(PJRT_Client_AddressableDevices_Args),
    PJRT_Client_Compile(PJRT_Client_Compile_Args),
    PJRT_Client_BufferFromHostBuffer(PJRT_Client_BufferFromHostBuffer_Args),
    PJRT_Device_GetDescription(PJRT_Device_GetDescription_Args),
    PJRT_Device_LocalHardwareId(PJRT_Device_LocalHardwareId_Args),
    PJRT_Device_MemoryStats(PJRT_Device_MemoryStats_Args),
    PJRT_DeviceDescription_Attributes(PJRT_DeviceDescription_Attributes_Args),
    PJRT_DeviceDescription_Id(PJRT_DeviceDescription_Id_Args),
    PJRT_DeviceDescription_Kind(PJRT_DeviceDescription_Kind_Args),
    PJRT_DeviceDescription_ToString(PJRT_DeviceDescription_ToString_Args),
    PJRT_Buffer_Destroy(PJRT_Buffer_Destroy_Args),
    PJRT_Buffer_ElementType(PJRT_Buffer_ElementType_Args),
    PJRT_Buffer_Dimensions(PJRT_Buffer_Dimensions_Args),
    PJRT_Buffer_IsDeleted(PJRT_Buffer_IsDeleted_Args),
    PJRT_Buffer_ReadyEvent(PJRT_Buffer_ReadyEvent_Args),
    PJRT_Buffer_ToHostBuffer(PJRT_Buffer_ToHostBuffer_Args),
    PJRT_LoadedExecutable_Destroy(PJRT_LoadedExecutable_Destroy_Args),
    PJRT_LoadedExecutable_GetExecutable(PJRT_LoadedExecutable_GetExecutable_Args),
    PJRT_LoadedExecutable_AddressableDevices(PJRT_LoadedExecutable_AddressableDevices_Args),
    PJRT_LoadedExecutable_Execute(PJRT_LoadedExecutable_Execute_Args),
    PJRT_Executable_Destroy(PJRT_Executable_Destroy_Args),
    PJRT_Executable_NumOutputs(PJRT_Executable_NumOutputs_Args),
    PJRT_Executable_GetCompiledMemoryStats(PJRT_Executable_GetCompiledMemoryStats_Args),
    PJRT_Executable_OptimizedProgram(PJRT_Executable_OptimizedProgram_Args),
    PJRT_Executable_Serialize(PJRT_Executable_Serialize_Args),
    PJRT_Executable_DeserializeAndLoad(PJRT_Executable_DeserializeAndLoad_Args),
    PJRT_TopologyDescription_Create(PJRT_TopologyDescription_Create_Args),
    PJRT_TopologyDescription_Destroy(PJRT_TopologyDescription_Destroy_Args),
    PJRT_Compile(PJRT_Compile_Args),
}

impl Api {
    /// The part of the table that must be there for anything to work: version, and the functions that read errors.
    const HEAD: usize = offset_of!(sys::PJRT_Api, PJRT_Plugin_Initialize);

    /// Reads size and version of a table; `None` if it is too short to hold them and the error functions.
    ///
    /// # Safety
    /// `table` is what a plugin's `GetPjrtApi` returned.
    pub(crate) unsafe fn new(table: NonNull<sys::PJRT_Api>) -> Option<Api> {
        let fields = table.as_ptr();
        // SAFETY: every version of the table begins with its size, which bounds what else may be read.
        let size = unsafe { (&raw const (*fields).struct_size).read() };
        if size < Self::HEAD {
            return None;
        }
        // SAFETY: the size says that the version is inside.
        let version = unsafe { (&raw const (*fields).pjrt_api_version).read() };
        Some(Api { table, size, version: ApiVersion { major: version.major_version, minor: version.minor_version } })
    }

    pub(crate) fn version(self) -> ApiVersion {
        self.version
    }

    /// Calls the function that `args` belongs to, and returns them with their outputs filled in.
    ///
    /// # Safety
    /// Pointers in `args` are what the C API asks of that function.
    pub(crate) unsafe fn call<A: Call>(self, mut args: A) -> Result<A, Failure> {
        let missing = Failure::Missing { call: A::NAME, found: self.version };
        if A::OFFSET + size_of::<Function<A>>() > self.size {
            return Err(missing);
        }
        // SAFETY: the field lies inside the table, and `Call` promises its type.
        let function = unsafe { self.table.as_ptr().byte_add(A::OFFSET).cast::<Function<A>>().read() };
        let Some(function) = function else { return Err(missing) };
        // SAFETY: the caller vouches for the arguments.
        let error = unsafe { function(&mut args) };
        // SAFETY: it is what the plugin answered just now.
        unsafe { self.outcome(error) }.map(|()| args)
    }

    /// What a function of the plugin's answered: null, or an error.
    ///
    /// # Safety
    /// `error` is null, or the plugin's own and not freed.
    pub(crate) unsafe fn outcome(self, error: *mut sys::PJRT_Error) -> Result<(), Failure> {
        NonNull::new(error).map_or(Ok(()), |error| Err(self.read_error(error)))
    }

    /// The plugin's extension of that type, as long as it says itself.
    pub(crate) fn extension(self, wanted: sys::PJRT_Extension_Type) -> Option<NonNull<sys::PJRT_Extension_Base>> {
        // SAFETY: `new` has checked that the table is longer than this field is far in it.
        let mut extension = unsafe { (&raw const (*self.table.as_ptr()).extension_start).read() };
        for _ in 0..EXTENSIONS_MAX {
            let base = extension;
            let found = NonNull::new(base)?;
            // SAFETY: every extension begins so, and they live as long as the process.
            let (size, type_) = unsafe { ((&raw const (*base).struct_size).read(), (&raw const (*base).type_).read()) };
            if size < size_of::<sys::PJRT_Extension_Base>() {
                return None;
            }
            if type_ == wanted {
                return Some(found);
            }
            // SAFETY: as above.
            extension = unsafe { (&raw const (*base).next).read() };
        }
        None
    }

    /// Turns the plugin's error object into ours, and frees it.
    fn read_error(self, error: NonNull<sys::PJRT_Error>) -> Failure {
        let table = self.table.as_ptr();
        // SAFETY: `new` has checked that the table holds the error functions.
        let (message_of, destroy) = unsafe {
            ((&raw const (*table).PJRT_Error_Message).read(), (&raw const (*table).PJRT_Error_Destroy).read())
        };
        let code = sys::PJRT_Error_GetCode_Args { error: error.as_ptr(), ..Call::new() };
        // SAFETY: `error` is alive until `destroy`. A failure to tell the code leaves it unknown.
        let code = unsafe { self.call(code) }.map_or(Code::Unknown, |args| Code::from_raw(args.code));
        let message = message_of.map_or_else(String::new, |message_of| {
            let mut args = sys::PJRT_Error_Message_Args {
                struct_size: size_of::<sys::PJRT_Error_Message_Args>(),
                extension_start: std::ptr::null_mut(),
                error: error.as_ptr(),
                message: std::ptr::null(),
                message_size: 0,
            };
            // SAFETY: `error` is alive, and so is its message until `destroy`.
            unsafe {
                message_of(&mut args);
                text(args.message, args.message_size)
            }
        });
        if let Some(destroy) = destroy {
            let mut args = sys::PJRT_Error_Destroy_Args {
                struct_size: size_of::<sys::PJRT_Error_Destroy_Args>(),
                extension_start: std::ptr::null_mut(),
                error: error.as_ptr(),
            };
            // SAFETY: `error` is ours to free, and is not used again.
            unsafe { destroy(&mut args) };
        }
        Failure::Status { code, message }
    }
}

/// Copies a string that the plugin owns; bytes that are no UTF-8 become replacement characters.
///
/// # Safety
/// `start` is null or the start of `len` bytes.
pub(crate) unsafe fn text(start: *const c_char, len: usize) -> String {
    // SAFETY: the caller vouches for the pointer.
    String::from_utf8_lossy(unsafe { slice(start.cast::<u8>(), len) }).into_owned()
}

/// A slice over what a plugin returned, where no elements may come as null.
///
/// # Safety
/// `start` is null or the start of `len` values that live as long as `'a`.
pub(crate) unsafe fn slice<'a, T>(start: *const T, len: usize) -> &'a [T] {
    if start.is_null() || len == 0 {
        return &[];
    }
    // SAFETY: the caller vouches for the pointer.
    unsafe { std::slice::from_raw_parts(start, len) }
}
