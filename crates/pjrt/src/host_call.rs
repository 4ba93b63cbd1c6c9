//! Functions of ours that programs call on a CPU, by XLA's foreign function interface. `stablehlo.custom_call @name(…) {api_version = 4 : i32, …}` is such a
//! call.

use std::collections::BTreeSet;
use std::ffi::{CString, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::{NonNull, null_mut, slice_from_raw_parts, slice_from_raw_parts_mut};
use std::sync::{Mutex, PoisonError};

use crate::api::slice;
use crate::error::Doing;
use crate::host_call_sys::{
    Attributes, BUFFER, Buffer, CallExtension, CallFrame, EXECUTE, Error, ErrorCreate, Extension, F32, Handler,
    INTERNAL, METADATA, Metadata, MetadataExtension, RegisterHandler, S32, S64, SCALAR, Scalar, Span, VERSION, Values,
};
use crate::{Plugin, Result, sys};

/// What a program calls.
pub trait HostFunction {
    /// Its name in programs.
    const NAME: &'static str;

    /// Computes `result`, row-major, all of whose elements are to be written. Several threads call it at once.
    ///
    /// # Errors
    /// What is wrong with the call: the program's execution fails with it.
    fn call(arguments: &HostArguments<'_>, result: &mut [f32]) -> std::result::Result<(), String>;
}

impl Plugin {
    /// Lets programs on CPUs call a function, if the plugin can: whether it can. They must be compiled and loaded behind this.
    ///
    /// # Errors
    /// The plugin refuses it.
    pub fn register<F: HostFunction>(&self) -> Result<bool> {
        static REGISTERED: Mutex<BTreeSet<(usize, &str)>> = Mutex::new(BTreeSet::new());
        let Some(extension) = self.api().extension(sys::PJRT_Extension_Type_FFI) else { return Ok(false) };
        let extension: *const Extension = extension.as_ptr().cast();
        // SAFETY: every version of the extension begins with its size, which bounds what else may be read.
        let register = unsafe {
            if (&raw const (*extension).base.struct_size).read() < size_of::<Extension>() {
                return Ok(false);
            }
            (&raw const (*extension).register_handler).read()
        };
        let Some(register) = register else { return Ok(false) };
        // A plugin is loaded once in a process, and takes a name once.
        let mut registered = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
        let name = (extension as usize, F::NAME);
        if registered.contains(&name) {
            return Ok(true);
        }
        let mut args = RegisterHandler {
            // Without the padding behind its last field, as the plugin counts it.
            struct_size: std::mem::offset_of!(RegisterHandler, traits) + size_of::<u32>(),
            target: F::NAME.as_ptr().cast(),
            target_size: F::NAME.len(),
            handler: (handle::<F> as Handler) as *mut c_void,
            platform: PLATFORM.as_ptr().cast(),
            platform_size: PLATFORM.len(),
            traits: 0,
        };
        // SAFETY: the names are alive during the call, and the function is a handler, which lives as long as the process.
        let outcome = unsafe {
            let error = register(&mut args);
            self.api().outcome(error)
        };
        outcome.doing(|| format!("registering the function {} with {}", F::NAME, self.path().display()))?;
        registered.insert(name);
        Ok(true)
    }
}

/// XLA's name of CPUs.
const PLATFORM: &str = "Host";

/// The arguments of a call, row-major, and the numbers that its text has in it.
pub struct HostArguments<'a> {
    buffers: Vec<&'a Buffer>,
    numbers: Vec<(&'a [u8], Number)>,
}

#[derive(Clone, Copy)]
enum Number {
    Float(f32),
    Int(i64),
}

impl HostArguments<'_> {
    /// The sizes of an argument.
    ///
    /// # Errors
    /// There is no such argument.
    pub fn shape(&self, place: usize) -> std::result::Result<&[i64], String> {
        let buffer = self.buffer(place)?;
        let rank = usize::try_from(buffer.rank).map_err(|_| format!("argument {place} has {} axes", buffer.rank))?;
        // SAFETY: the plugin keeps so many sizes during the call.
        Ok(unsafe { slice(buffer.dims, rank) })
    }

    /// An argument of f32.
    ///
    /// # Errors
    /// There is none, or it has another type.
    pub fn f32s(&self, place: usize) -> std::result::Result<&[f32], String> {
        self.elements(place, F32)
    }

    /// An argument of i32.
    ///
    /// # Errors
    /// As [`HostArguments::f32s`].
    pub fn i32s(&self, place: usize) -> std::result::Result<&[i32], String> {
        self.elements(place, S32)
    }

    /// A number that the text names, an f32.
    ///
    /// # Errors
    /// There is none.
    pub fn float(&self, name: &str) -> std::result::Result<f32, String> {
        match self.number(name)? {
            Number::Float(number) => Ok(number),
            Number::Int(_) => Err(format!("`{name}` is an integer")),
        }
    }

    /// A number that the text names, an i64.
    ///
    /// # Errors
    /// There is none.
    pub fn int(&self, name: &str) -> std::result::Result<i64, String> {
        match self.number(name)? {
            Number::Int(number) => Ok(number),
            Number::Float(_) => Err(format!("`{name}` is no integer")),
        }
    }

    fn number(&self, name: &str) -> std::result::Result<Number, String> {
        let found = self.numbers.iter().find(|(known, _)| *known == name.as_bytes());
        found.map(|(_, number)| *number).ok_or_else(|| format!("no number is called `{name}`"))
    }

    fn buffer(&self, place: usize) -> std::result::Result<&Buffer, String> {
        let count = self.buffers.len();
        self.buffers.get(place).copied().ok_or_else(|| format!("there is no argument {place} among {count}"))
    }

    fn elements<T>(&self, place: usize, dtype: c_int) -> std::result::Result<&[T], String> {
        let buffer = self.buffer(place)?;
        if buffer.dtype != dtype {
            return Err(format!("argument {place} has the type {} and not {dtype}", buffer.dtype));
        }
        let count = count(self.shape(place)?)?;
        // SAFETY: the type is that of `T`, of which the plugin keeps as many as the sizes say during the call, and nobody writes to them.
        Ok(unsafe { slice(buffer.data.cast::<T>().cast_const(), count) })
    }
}

/// How many elements an array of such sizes has.
fn count(shape: &[i64]) -> std::result::Result<usize, String> {
    let sizes = shape.iter().map(|size| usize::try_from(*size).ok());
    let count = sizes.into_iter().try_fold(1, |count: usize, size| count.checked_mul(size?));
    count.ok_or_else(|| format!("no array has the sizes {shape:?}"))
}

/// What XLA calls: to ask what the function needs, and to have it compute.
///
/// # Safety
/// The frame is XLA's.
unsafe extern "C" fn handle<F: HostFunction>(frame: *mut CallFrame) -> *mut Error {
    // SAFETY: XLA hands out a frame that lives during the call.
    let frame = unsafe { &*frame };
    // SAFETY: the frame's extensions live as long as it.
    if let Some(found) = unsafe { find_extension(frame.extension, METADATA) } {
        // SAFETY: the kind says which extension it is.
        return match unsafe { tell(found.cast().as_ptr()) } {
            Ok(()) => null_mut(),
            // XLA asks without its table. It refuses the version 0.0, which it begins with.
            Err(_) if frame.api.is_null() => null_mut(),
            Err(rule) => error(frame, &format!("{}: {rule}", F::NAME)),
        };
    }
    if frame.stage != EXECUTE {
        return null_mut();
    }
    // Nothing may unwind into XLA.
    let called = catch_unwind(AssertUnwindSafe(|| {
        check_size(frame.struct_size, size_of::<CallFrame>(), "call")?;
        // SAFETY: the frame is XLA's, of a call that is to be computed. Its result is row-major memory that is of this call alone until it ends.
        let (arguments, result) = unsafe { (read_arguments(frame)?, &mut *read_result(frame)?) };
        F::call(&arguments, result)
    }));
    match called {
        Ok(Ok(())) => null_mut(),
        Ok(Err(rule)) => error(frame, &format!("{}: {rule}", F::NAME)),
        Err(_) => error(frame, &format!("{}: it panicked", F::NAME)),
    }
}

/// The first extension of a kind among those that begin at `first`.
///
/// # Safety
/// Each lives, and names the next one or none.
unsafe fn find_extension(first: *mut CallExtension, kind: c_int) -> Option<NonNull<CallExtension>> {
    let mut extension = NonNull::new(first);
    // SAFETY: the caller says so; every extension begins with its size, its kind and the next one.
    while let Some(found) = extension.filter(|found| unsafe { (&raw const (*found.as_ptr()).kind).read() } != kind) {
        // SAFETY: as above.
        extension = NonNull::new(unsafe { (&raw const (*found.as_ptr()).next).read() });
    }
    extension
}

/// Tells XLA which version a function is written for, and that it is a usual one.
///
/// # Safety
/// The extension is the one that asks for it.
unsafe fn tell(extension: *mut MetadataExtension) -> std::result::Result<(), String> {
    // SAFETY: the caller says so, and the sizes say that what is written is there.
    unsafe {
        check_size((&raw const (*extension).base.struct_size).read(), size_of::<MetadataExtension>(), "question")?;
        let metadata = (&raw const (*extension).metadata).read();
        let up_to_traits = std::mem::offset_of!(Metadata, traits) + size_of::<u32>();
        check_size((&raw const (*metadata).struct_size).read(), up_to_traits, "answer")?;
        (&raw mut (*metadata).version.major).write(VERSION[0]);
        (&raw mut (*metadata).version.minor).write(VERSION[1]);
        (&raw mut (*metadata).traits).write(0);
    }
    Ok(())
}

/// Whether a struct of XLA's, which says its size, has all that is read of it.
fn check_size(size: usize, needed: usize, what: &str) -> std::result::Result<(), String> {
    if size < needed {
        Err(format!("XLA's {what} has {size} bytes and not {needed}: the plugin is too old"))
    } else {
        Ok(())
    }
}

/// # Safety
/// The frame is XLA's, of a call that is to be computed; what is read lives as long as that.
unsafe fn read_arguments(frame: &CallFrame) -> std::result::Result<HostArguments<'_>, String> {
    // SAFETY: the caller says so.
    unsafe {
        let buffers = read_buffers(&frame.arguments)?;
        let buffers = buffers.iter().map(|buffer| &**buffer).collect();
        Ok(HostArguments { buffers, numbers: read_numbers(&frame.attributes)? })
    }
}

/// The array that is to be written; any bits are an f32.
///
/// # Safety
/// As [`read_arguments`].
unsafe fn read_result(frame: &CallFrame) -> std::result::Result<*mut [f32], String> {
    // SAFETY: the caller says so.
    let (buffer, shape) = unsafe {
        let results = read_buffers(&frame.results)?;
        let [buffer] = results[..] else { return Err(format!("it gives one array and not {}", results.len())) };
        let buffer = &*buffer;
        (buffer, slice(buffer.dims, usize::try_from(buffer.rank).unwrap_or(0)))
    };
    if buffer.dtype != F32 {
        return Err(format!("it gives f32 and not the type {}", buffer.dtype));
    }
    let count = count(shape)?;
    let start = if count == 0 { NonNull::dangling().as_ptr() } else { buffer.data.cast() };
    Ok(slice_from_raw_parts_mut(start, count))
}

/// # Safety
/// As [`read_arguments`].
unsafe fn read_buffers(values: &Values) -> std::result::Result<Vec<*const Buffer>, String> {
    let count = usize::try_from(values.size).map_err(|_| "a number of arrays below 0".to_owned())?;
    // SAFETY: the caller says so.
    let (kinds, all) = unsafe { (slice(values.kinds, count), slice(values.values, count)) };
    if kinds.iter().any(|kind| *kind != BUFFER) {
        return Err("an argument or a result is no array".to_owned());
    }
    for value in all {
        // SAFETY: the kind says that it is an array, which begins with its size.
        check_size(unsafe { value.cast::<usize>().read() }, size_of::<Buffer>(), "array")?;
    }
    Ok(all.iter().map(|value| value.cast::<Buffer>().cast_const()).collect())
}

/// Those attributes that are f32, i32 or i64.
///
/// # Safety
/// As [`read_arguments`].
unsafe fn read_numbers(attributes: &Attributes) -> std::result::Result<Vec<(&[u8], Number)>, String> {
    let count = usize::try_from(attributes.size).map_err(|_| "a number of attributes below 0".to_owned())?;
    let mut numbers = Vec::with_capacity(count);
    // SAFETY: the caller says so; what is read is of the kind that XLA says it is.
    unsafe {
        let (kinds, names) = (slice(attributes.kinds, count), slice(attributes.names, count));
        for ((kind, name), value) in kinds.iter().zip(names).zip(slice(attributes.values, count)) {
            if *kind != SCALAR {
                continue;
            }
            let Span { start, size } = **name;
            let name = &*slice_from_raw_parts(start.cast::<u8>(), size);
            let Scalar { dtype, value } = *value.cast::<Scalar>();
            match dtype {
                F32 => numbers.push((name, Number::Float(value.cast::<f32>().read_unaligned()))),
                S32 => numbers.push((name, Number::Int(value.cast::<i32>().read_unaligned().into()))),
                S64 => numbers.push((name, Number::Int(value.cast::<i64>().read_unaligned()))),
                _ => {}
            }
        }
    }
    Ok(numbers)
}

/// What is wrong, as XLA's object.
fn error(frame: &CallFrame, message: &str) -> *mut Error {
    let message = CString::new(message.replace('\0', " ")).unwrap_or_default();
    let mut args = ErrorCreate {
        struct_size: size_of::<ErrorCreate>() - size_of::<u32>(),
        extension: null_mut(),
        message: message.as_ptr(),
        code: INTERNAL,
    };
    // SAFETY: the table, if there is one, lives as long as the process, and has had this function from its first version on; the message is copied.
    unsafe {
        match frame.api.as_ref().and_then(|table| table.error_create) {
            Some(create) => create(&mut args),
            // Without an error there is none to XLA, which would read results that nobody wrote.
            None => std::process::abort(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ptr::null;

    use super::*;
    use crate::host_call_sys::Version;

    struct Nothing;

    impl HostFunction for Nothing {
        const NAME: &'static str = "nothing";

        fn call(_: &HostArguments<'_>, _: &mut [f32]) -> std::result::Result<(), String> {
            Ok(())
        }
    }

    /// What the function answers to a question of that many bytes, for which XLA has no table: the version.
    fn version_told(struct_size: usize) -> [c_int; 2] {
        let version = Version { struct_size: size_of::<Version>(), extension: null_mut(), major: 0, minor: 0 };
        let mut metadata = Metadata { struct_size: size_of::<Metadata>(), version, traits: 0 };
        let base = CallExtension { struct_size, kind: METADATA, next: null_mut() };
        let mut question = MetadataExtension { base, metadata: &raw mut metadata };
        let none = || Values { struct_size: 0, extension: null_mut(), size: 0, kinds: null(), values: null() };
        let mut frame = CallFrame {
            struct_size: size_of::<CallFrame>(),
            extension: (&raw mut question).cast(),
            api: null(),
            context: null_mut(),
            stage: EXECUTE,
            arguments: none(),
            results: none(),
            attributes: Attributes {
                struct_size: 0,
                extension: null_mut(),
                size: 0,
                kinds: null(),
                names: null(),
                values: null(),
            },
        };
        // SAFETY: the frame is as XLA makes it to ask, and lives during the call.
        assert!(unsafe { handle::<Nothing>(&raw mut frame) }.is_null());
        [metadata.version.major, metadata.version.minor]
    }

    #[test]
    fn a_question_without_a_table_is_answered_or_left_open() {
        assert_eq!(version_told(size_of::<MetadataExtension>()), VERSION);
        assert_eq!(version_told(size_of::<CallExtension>()), [0, 0]);
    }
}
