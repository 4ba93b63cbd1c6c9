//! What devices do while programs run, as the plugin's profiler records it.

use std::mem::offset_of;
use std::ptr::{NonNull, null, null_mut};

use crate::api::{slice, text};
use crate::error::{Code, Doing, Failure};
use crate::profiler_sys::{
    Collect, Create, ErrorCode, ErrorDestroy, ErrorMessage, Extension, Function, OfHandle, Table,
};
use crate::{Plugin, Result, profiler_sys, sys};

/// A recording of what the plugin's devices do, which goes on until it is stopped or dropped. There can be one at a time in a process.
pub struct Profiler {
    table: Table,
    handle: NonNull<profiler_sys::Handle>,
    runs: bool,
    /// Whose functions these are.
    _plugin: Plugin,
}

// SAFETY: the profiler belongs to no thread, and is used by one at a time.
unsafe impl Send for Profiler {}

/// A `ProfileOptions` message: of version 1 (field 5), devices traced (3) and hosts not (2, 4), the programs in it (7), which XProf wants, and
/// an error if the device cannot be traced (13), of which nothing would be told otherwise.
const OPTIONS: [u8; 12] = [2 << 3, 0, 3 << 3, 1, 4 << 3, 0, 5 << 3, 1, 7 << 3, 1, 13 << 3, 1];

impl Profiler {
    /// Begins to record; `None` if the plugin has no profiler, as that of CPUs has none.
    ///
    /// # Errors
    /// The plugin cannot: the vendor's tracing library is not there (CUPTI), or another profiler runs.
    pub fn start(plugin: &Plugin) -> Result<Option<Profiler>> {
        let doing = || "starting the plugin's profiler".to_owned();
        let Some(extension) = plugin.api().extension(sys::PJRT_Extension_Type_Profiler) else { return Ok(None) };
        // SAFETY: the type says that it is this extension, which lives as long as the process.
        let table = unsafe { table(extension.cast()) }.doing(doing)?;
        let mut create = Create {
            struct_size: size_of::<Create>(),
            options: OPTIONS.as_ptr().cast(),
            options_size: OPTIONS.len(),
            profiler: null_mut(),
        };
        // SAFETY: the options are alive during the call.
        unsafe { call(&table, table.create, &mut create) }.doing(doing)?;
        let handle = NonNull::new(create.profiler).ok_or_else(|| nothing("no profiler")).doing(doing)?;
        let mut profiler = Profiler { table, handle, runs: false, _plugin: plugin.clone() };
        profiler.call(table.start).doing(doing)?;
        profiler.runs = true;
        Ok(Some(profiler))
    }

    /// Ends the recording and gives it, as a serialized `XSpace` message.
    ///
    /// # Errors
    /// The plugin cannot read what it recorded.
    pub fn stop(mut self) -> Result<Vec<u8>> {
        let doing = || "reading what the plugin's profiler has recorded".to_owned();
        self.runs = false;
        self.call(self.table.stop).doing(doing)?;
        let (struct_size, profiler) = (size_of::<Collect>(), self.handle.as_ptr());
        let mut collect = Collect { struct_size, profiler, buffer: null_mut(), buffer_size: 0 };
        // SAFETY: the profiler is alive. Without memory for the data, this tells its size.
        unsafe { call(&self.table, self.table.collect, &mut collect) }.doing(doing)?;
        if !collect.buffer.is_null() {
            // Some plugins keep the data themselves.
            // SAFETY: then it lives as long as the profiler, and has the size that was told.
            return Ok(unsafe { slice(collect.buffer, collect.buffer_size) }.to_vec());
        }
        let mut data = vec![0; collect.buffer_size];
        collect.buffer = data.as_mut_ptr();
        // SAFETY: as above, and `data` has the size that was asked for.
        unsafe { call(&self.table, self.table.collect, &mut collect) }.doing(doing)?;
        data.truncate(collect.buffer_size);
        Ok(data)
    }

    fn call(&self, function: Function<OfHandle>) -> std::result::Result<(), Failure> {
        let mut args = OfHandle { struct_size: size_of::<OfHandle>(), profiler: self.handle.as_ptr() };
        // SAFETY: the profiler is alive.
        unsafe { call(&self.table, function, &mut args) }
    }
}

impl Drop for Profiler {
    fn drop(&mut self) {
        // There is nobody to tell of a failure.
        if self.runs {
            let _ = self.call(self.table.stop);
        }
        let _ = self.call(self.table.destroy);
    }
}

impl std::fmt::Debug for Profiler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Profiler")
    }
}

/// The functions that an extension leads to.
///
/// # Safety
/// `extension` is the plugin's profiler extension.
unsafe fn table(extension: NonNull<Extension>) -> std::result::Result<Table, Failure> {
    let extension = extension.as_ptr();
    // SAFETY: every version of the extension begins with its size, which bounds what else may be read.
    let profiler = unsafe {
        if (&raw const (*extension).base.struct_size).read() < size_of::<Extension>() {
            return Err(nothing("a profiler extension that is too short"));
        }
        (&raw const (*extension).profiler).read()
    };
    if profiler.is_null() {
        return Err(nothing("no functions of its profiler"));
    }
    // SAFETY: as above, of the table of functions; it ends with the last one.
    unsafe {
        let size = (&raw const (*profiler).struct_size).read();
        if size < offset_of!(Table, collect) + size_of::<Function<Collect>>() {
            return Err(nothing("too few functions of its profiler"));
        }
        Ok(profiler.read())
    }
}

/// Calls a function of the profiler.
///
/// # Safety
/// `args` are what the C API asks of the function, which belongs to `table`.
unsafe fn call<A>(table: &Table, function: Function<A>, args: &mut A) -> std::result::Result<(), Failure> {
    let function = function.ok_or_else(|| nothing("no such function of its profiler"))?;
    // SAFETY: the caller vouches for the arguments.
    let error = unsafe { function(args) };
    if error.is_null() { Ok(()) } else { Err(read_error(table, error)) }
}

/// Turns the profiler's error object into ours, and frees it.
fn read_error(table: &Table, error: *mut profiler_sys::Error) -> Failure {
    let mut code = ErrorCode { struct_size: size_of::<ErrorCode>(), private: null_mut(), error, code: 0 };
    // SAFETY: `error` is alive until it is destroyed. A failure to tell the code leaves it unknown.
    let unknown = table.error_code.is_none_or(|code_of| !unsafe { code_of(&mut code) }.is_null());
    let code = if unknown { Code::Unknown } else { Code::from_raw(code.code.cast_unsigned()) };
    let size = size_of::<ErrorMessage>();
    let mut message = ErrorMessage { struct_size: size, private: null_mut(), error, message: null(), message_size: 0 };
    let message = table.error_message.map_or_else(String::new, |message_of| {
        // SAFETY: `error` is alive, and so is its message until it is destroyed.
        unsafe {
            message_of(&mut message);
            text(message.message, message.message_size)
        }
    });
    if let Some(destroy) = table.error_destroy {
        let mut args = ErrorDestroy { struct_size: size_of::<ErrorDestroy>(), private: null_mut(), error };
        // SAFETY: `error` is ours to free, and is not used again.
        unsafe { destroy(&mut args) };
    }
    Failure::Status { code, message }
}

fn nothing(what: &str) -> Failure {
    Failure::Status { code: Code::Internal, message: format!("the plugin offers {what}") }
}
