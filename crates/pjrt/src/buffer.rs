//! Tensors in device memory.

use crate::api::{Call, slice};
use crate::client::byte_size;
use crate::completion::Completion;
use crate::error::{Doing, Failure};
use crate::object::{Owned, wait};
use crate::{Client, ElementType, Error, Result, sys};

/// A dense tensor in a device's memory, possibly still being computed.
///
/// A program that donates an argument (`tf.aliasing_output` on it) consumes the buffer given for it: afterwards
/// [`Buffer::is_deleted`] holds, and any other use is an error.
pub struct Buffer {
    buffer: Owned<sys::PJRT_Buffer>,
    client: Client,
}

impl Buffer {
    pub(crate) fn new(buffer: Owned<sys::PJRT_Buffer>, client: Client) -> Buffer {
        Buffer { buffer, client }
    }

    /// The client whose memory this is in.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// The type of its elements.
    ///
    /// # Errors
    /// It is a type that this crate does not move.
    pub fn element_type(&self) -> Result<ElementType> {
        let doing = || "reading a buffer's element type".to_owned();
        let args = sys::PJRT_Buffer_ElementType_Args { buffer: self.raw(), ..Call::new() };
        // SAFETY: the buffer is alive.
        let raw = unsafe { self.buffer.api.call(args) }.doing(doing)?.type_;
        let rule = || Error::Argument { doing: doing(), rule: format!("PJRT type {raw} is not supported") };
        ElementType::from_raw(raw).ok_or_else(rule)
    }

    /// The sizes of its dimensions, outermost first.
    ///
    /// # Errors
    /// The plugin cannot say.
    pub fn dims(&self) -> Result<Vec<i64>> {
        let args = sys::PJRT_Buffer_Dimensions_Args { buffer: self.raw(), ..Call::new() };
        // SAFETY: the buffer is alive, and the list lives as long as it.
        unsafe {
            let args = self.buffer.api.call(args).doing(|| "reading a buffer's dimensions".to_owned())?;
            Ok(slice(args.dims, args.num_dims).to_vec())
        }
    }

    /// Whether a program has consumed it.
    ///
    /// # Errors
    /// The plugin cannot say.
    pub fn is_deleted(&self) -> Result<bool> {
        let args = sys::PJRT_Buffer_IsDeleted_Args { buffer: self.raw(), ..Call::new() };
        // SAFETY: the buffer is alive; this call is allowed on deleted ones.
        let args = unsafe { self.buffer.api.call(args) };
        Ok(args.doing(|| "asking whether a buffer was donated".to_owned())?.is_deleted)
    }

    /// Blocks until it is computed.
    ///
    /// # Errors
    /// The buffer was donated, or the program that was to compute it failed.
    pub fn wait(&self) -> Result<()> {
        let doing = "waiting for a buffer";
        let args = sys::PJRT_Buffer_ReadyEvent_Args { buffer: self.raw(), ..Call::new() };
        // SAFETY: the buffer is alive.
        let args = self.alive(unsafe { self.buffer.api.call(args) }, doing)?;
        // SAFETY: the event is ours to free.
        self.alive(unsafe { wait(self.buffer.api, args.event) }, doing)
    }

    /// Has the moment noted at which it is computed; it is now if it has been already.
    ///
    /// # Errors
    /// The buffer was donated, or the plugin does not tell of its end.
    pub fn completion(&self) -> Result<Completion> {
        let doing = "asking when a buffer is computed";
        let args = sys::PJRT_Buffer_ReadyEvent_Args { buffer: self.raw(), ..Call::new() };
        // SAFETY: the buffer is alive.
        let args = self.alive(unsafe { self.buffer.api.call(args) }, doing)?;
        // SAFETY: the event is ours to free.
        self.alive(unsafe { Completion::of(self.buffer.api, args.event) }, doing)
    }

    /// Waits until it is computed, and copies it to the host: row-major, little-endian.
    ///
    /// # Errors
    /// The buffer was donated, or the program that was to compute it failed.
    pub fn download(&self) -> Result<Vec<u8>> {
        let doing = "downloading a buffer";
        let (element, dims) = (self.element_type()?, self.dims()?);
        let too_large = || Error::Argument { doing: doing.to_owned(), rule: format!("{element}{dims:?} is too large") };
        let mut bytes = vec![0; byte_size(element, &dims).ok_or_else(too_large)?];
        // Without a layout the plugin would copy the elements in the order in which the device has them.
        let minor_to_major: Vec<i64> = (0..dims.len() as i64).rev().collect();
        let mut layout = row_major(&minor_to_major);
        let args = sys::PJRT_Buffer_ToHostBuffer_Args {
            src: self.raw(),
            host_layout: &raw mut layout,
            dst: bytes.as_mut_ptr().cast(),
            dst_size: bytes.len(),
            ..Call::new()
        };
        // SAFETY: the layout is alive during the call, and `bytes` has the size of the tensor and stays in place until
        // the event, which is awaited before anything else can fail.
        let args = self.alive(unsafe { self.buffer.api.call(args) }, doing)?;
        // SAFETY: the event is ours to free.
        self.alive(unsafe { wait(self.buffer.api, args.event) }, doing)?;
        Ok(bytes)
    }

    pub(crate) fn raw(&self) -> *mut sys::PJRT_Buffer {
        self.buffer.raw()
    }

    /// Tells a failure that comes from the buffer's donation from others.
    fn alive<T>(&self, outcome: std::result::Result<T, Failure>, doing: &str) -> Result<T> {
        outcome.doing(|| doing.to_owned()).map_err(|error| match self.is_deleted() {
            Ok(true) => Error::Donated { doing: doing.to_owned(), what: "it".to_owned() },
            _ => error,
        })
    }
}

impl std::fmt::Debug for Buffer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.element_type(), self.dims()) {
            (Ok(element), Ok(dims)) => write!(f, "Buffer({element}{dims:?})"),
            _ => f.write_str("Buffer(?)"),
        }
    }
}

fn row_major(minor_to_major: &[i64]) -> sys::PJRT_Buffer_MemoryLayout {
    let tiled = sys::PJRT_Buffer_MemoryLayout_Tiled {
        struct_size: size_of::<sys::PJRT_Buffer_MemoryLayout_Tiled>(),
        extension_start: std::ptr::null_mut(),
        minor_to_major: minor_to_major.as_ptr(),
        minor_to_major_size: minor_to_major.len(),
        tile_dims: std::ptr::null(),
        tile_dim_sizes: std::ptr::null(),
        num_tiles: 0,
    };
    sys::PJRT_Buffer_MemoryLayout {
        struct_size: size_of::<sys::PJRT_Buffer_MemoryLayout>(),
        extension_start: std::ptr::null_mut(),
        __bindgen_anon_1: sys::PJRT_Buffer_MemoryLayout__bindgen_ty_1 { tiled },
        type_: sys::PJRT_Buffer_MemoryLayout_Type_Tiled,
    }
}
