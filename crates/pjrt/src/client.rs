//! Clients and their devices.

use std::ffi::c_char;
use std::sync::Arc;

use crate::api::{Call, slice, text};
use crate::error::Doing;
use crate::key_value::{KeyValueStore, SharedStore};
use crate::named::{named_values, read_named_values};
use crate::object::{Owned, wait};
use crate::{
    Buffer, Code, CompileOptions, ElementType, Error, Executable, OptionValue, Plugin, Result, SerializedProgram, sys,
};

/// A platform's devices, brought up by a [`Plugin`]. Cloning is cheap and gives the same client.
#[derive(Clone)]
pub struct Client {
    shared: Arc<Shared>,
}

struct Shared {
    client: Owned<sys::PJRT_Client>,
    /// Behind the client, which may call it up to its end.
    _store: Option<SharedStore>,
    plugin: Plugin,
    platform_name: String,
    platform_version: String,
}

/// One of several processes, as which a client is brought up.
pub struct Node {
    /// This process, from 0.
    pub id: u32,
    /// How many there are.
    pub count: u32,
    /// Where their clients leave each other messages.
    pub store: Arc<dyn KeyValueStore>,
}

impl Client {
    /// Brings up the plugin's platform.
    ///
    /// Options are the plugin's own, e.g. `cpu_device_count` on CPU, `memory_fraction` and `preallocate` on CUDA.
    ///
    /// # Errors
    /// An option is not known, or there is no device.
    pub fn new(plugin: &Plugin, options: &[(&str, OptionValue)]) -> Result<Client> {
        Client::start(plugin, options, None)
    }

    /// As [`Client::new`], as one of several processes whose clients see each other's devices. All must be brought up at the same time. For
    /// plugins of GPUs; the CPU's knows one process only.
    ///
    /// # Errors
    /// As there, or the other processes do not answer through the store.
    pub fn among(plugin: &Plugin, options: &[(&str, OptionValue)], node: Node) -> Result<Client> {
        let numbers = [("node_id", i64::from(node.id).into()), ("num_nodes", i64::from(node.count).into())];
        Client::start(plugin, &[options, &numbers].concat(), Some(SharedStore::new(node.store)))
    }

    fn start(plugin: &Plugin, options: &[(&str, OptionValue)], store: Option<SharedStore>) -> Result<Client> {
        let api = plugin.api();
        let doing = || format!("starting a client of the plugin {}", plugin.path().display());
        let values = named_values(options);
        let mut args =
            sys::PJRT_Client_Create_Args { create_options: values.as_ptr(), num_options: values.len(), ..Call::new() };
        if let Some(store) = &store {
            store.offer(&mut args);
        }
        // SAFETY: the options are alive during the call, and the store as long as the client; the new client is ours.
        let client = unsafe { api.call(args).and_then(|args| Owned::new(api, args.client)) }.doing(doing)?;

        let name = sys::PJRT_Client_PlatformName_Args { client: client.raw(), ..Call::new() };
        let version = sys::PJRT_Client_PlatformVersion_Args { client: client.raw(), ..Call::new() };
        // SAFETY: the client is alive, and the strings live as long as it.
        let (platform_name, platform_version) = unsafe {
            let name = api.call(name).doing(doing)?;
            let version = api.call(version).doing(doing)?;
            (
                text(name.platform_name, name.platform_name_size),
                text(version.platform_version, version.platform_version_size),
            )
        };
        let shared = Shared { client, _store: store, plugin: plugin.clone(), platform_name, platform_version };
        Ok(Client { shared: Arc::new(shared) })
    }

    /// The plugin that this client belongs to.
    pub fn plugin(&self) -> &Plugin {
        &self.shared.plugin
    }

    /// The platform, e.g. `cpu`, `cuda`, `rocm`.
    pub fn platform_name(&self) -> &str {
        &self.shared.platform_name
    }

    /// The platform's version in words, e.g. which CUDA.
    pub fn platform_version(&self) -> &str {
        &self.shared.platform_version
    }

    /// The devices of all processes, in the plugin's order. Only those of [`Client::devices`] can be given memory from here; device
    /// assignments are over all.
    ///
    /// # Errors
    /// The plugin cannot say.
    pub fn all_devices(&self) -> Result<Vec<Device>> {
        let args = sys::PJRT_Client_Devices_Args { client: self.raw(), ..Call::new() };
        // SAFETY: the client is alive.
        let args = unsafe { self.owned().api.call(args) }.doing(|| "listing all processes' devices".to_owned())?;
        // SAFETY: the list, and the devices in it, live as long as the client.
        let devices = unsafe { slice(args.devices, args.num_devices) };
        Ok(devices.iter().map(|&raw| Device { raw, client: self.clone() }).collect())
    }

    /// The devices of this process, in the plugin's order.
    ///
    /// # Errors
    /// The plugin cannot say.
    pub fn devices(&self) -> Result<Vec<Device>> {
        let args = sys::PJRT_Client_AddressableDevices_Args { client: self.raw(), ..Call::new() };
        // SAFETY: the client is alive.
        let args = unsafe { self.owned().api.call(args) }.doing(|| "listing the client's devices".to_owned())?;
        // SAFETY: the list, and the devices in it, live as long as the client.
        let devices = unsafe { slice(args.addressable_devices, args.num_addressable_devices) };
        Ok(devices.iter().map(|&raw| Device { raw, client: self.clone() }).collect())
    }

    /// Compiles a program, given as MLIR text (or bytecode) of the StableHLO dialect, and loads it.
    ///
    /// # Errors
    /// The program is malformed, the options contradict it, or the devices cannot hold it.
    pub fn compile(&self, program: impl AsRef<[u8]>, options: &CompileOptions) -> Result<Executable> {
        let api = self.owned().api;
        let options = options.encode();
        let program = mlir(program.as_ref());
        let args = sys::PJRT_Client_Compile_Args {
            client: self.raw(),
            program: &raw const program,
            compile_options: options.as_ptr().cast(),
            compile_options_size: options.len(),
            ..Call::new()
        };
        // SAFETY: client, program and options are alive during the call; the new executable is ours.
        let loaded = unsafe { api.call(args).and_then(|args| Owned::new(api, args.executable)) }
            .doing(|| format!("compiling a program for {}", self.platform_name()))?;
        Executable::new(loaded, self.clone())
    }

    /// Loads what [`Executable::serialize`] wrote, under the options that it was compiled with.
    ///
    /// What no client can tell, and the caller sees to: that the same build of the plugin wrote it and, on CPU, for a
    /// processor with the same instructions.
    ///
    /// # Errors
    /// It is for another platform, version of it or kind of device, or the plugin refuses it.
    pub fn load(&self, serialized: &SerializedProgram) -> Result<Executable> {
        let api = self.owned().api;
        let program = serialized.program();
        let doing = || format!("loading a compiled program of {} bytes", program.len());
        let target = self.target()?;
        if serialized.target() != target.as_bytes() {
            let found = String::from_utf8_lossy(serialized.target());
            let rule = format!("it is for {found:?}, but this client is for {target:?}; compile it again");
            return Err(Error::Argument { doing: doing(), rule });
        }
        let args = sys::PJRT_Executable_DeserializeAndLoad_Args {
            client: self.raw(),
            serialized_executable: program.as_ptr().cast(),
            serialized_executable_size: program.len(),
            ..Call::new()
        };
        // SAFETY: client and bytes are alive during the call; the new executable is ours.
        let loaded = unsafe { api.call(args).and_then(|args| Owned::new(api, args.loaded_executable)) }.doing(doing)?;
        Executable::new(loaded, self.clone())
    }

    /// What its programs are for, as far as the plugin tells.
    pub(crate) fn target(&self) -> Result<String> {
        let kind = self.devices()?.first().map(Device::kind).transpose()?.unwrap_or_default();
        let (api, platform, version) = (self.plugin().version(), self.platform_name(), self.platform_version());
        Ok(format!("{platform} {version}, {kind}, API {api}"))
    }

    /// Copies a dense row-major tensor to a device. `bytes` is free again when this returns.
    ///
    /// # Errors
    /// `bytes` does not fill `dims`, the device is another client's, or its memory is full.
    pub fn upload(&self, bytes: &[u8], element: ElementType, dims: &[i64], device: &Device) -> Result<Buffer> {
        let doing = || format!("uploading a tensor {element}{dims:?}");
        let refuse = |rule| Err(Error::Argument { doing: doing(), rule });
        match byte_size(element, dims) {
            Some(size) if size == bytes.len() => {}
            Some(size) => return refuse(format!("it takes {size} bytes, but {} were given", bytes.len())),
            None => return refuse("a dimension is negative or the product is too large".to_owned()),
        }
        if !self.is(&device.client) {
            return refuse("the device belongs to another client".to_owned());
        }
        let api = self.owned().api;
        let args = sys::PJRT_Client_BufferFromHostBuffer_Args {
            client: self.raw(),
            data: bytes.as_ptr().cast(),
            type_: element.to_raw(),
            dims: dims.as_ptr(),
            num_dims: dims.len(),
            host_buffer_semantics: match bytes.len() {
                // Copied by the plugin at once. The transfer itself may have to wait for the programs that are under way.
                ..=STAGED_MAX => sys::PJRT_HostBufferSemantics_kImmutableOnlyDuringCall,
                _ => sys::PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes,
            },
            device: device.raw,
            ..Call::new()
        };
        // SAFETY: the sizes agree, and all pointers are alive during the call. The plugin may read `bytes` until the
        // event, which is awaited before `bytes` can end.
        let (buffer, event) = unsafe {
            let args = api.call(args).doing(doing)?;
            (Owned::new(api, args.buffer), args.done_with_host_buffer)
        };
        // SAFETY: the event is ours to free.
        unsafe { wait(api, event) }.doing(doing)?;
        Ok(Buffer::new(buffer.doing(doing)?, self.clone()))
    }

    pub(crate) fn raw(&self) -> *mut sys::PJRT_Client {
        self.owned().raw()
    }

    fn owned(&self) -> &Owned<sys::PJRT_Client> {
        &self.shared.client
    }

    /// Whether both are the same client, so that the objects of one may be given to the other.
    pub(crate) fn is(&self, other: &Client) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Client({}, {})", self.platform_name(), self.platform_version())
    }
}

/// Uploads of at most so many bytes return before the transfer: a step's batch is one, a model's matrices are not.
const STAGED_MAX: usize = 4 << 20;

/// A program in MLIR, as the C API takes it; it points into `code`.
pub(crate) fn mlir(code: &[u8]) -> sys::PJRT_Program {
    const FORMAT: &[u8] = b"mlir";
    sys::PJRT_Program {
        struct_size: size_of::<sys::PJRT_Program>(),
        extension_start: std::ptr::null_mut(),
        // Plugins read the code of a program that they are given; the pointer is mutable for those that they return.
        code: code.as_ptr().cast::<c_char>().cast_mut(),
        code_size: code.len(),
        format: FORMAT.as_ptr().cast(),
        format_size: FORMAT.len(),
    }
}

/// Bytes of a dense tensor in host memory; `None` if a dimension is negative or the product overflows.
pub(crate) fn byte_size(element: ElementType, dims: &[i64]) -> Option<usize> {
    dims.iter().try_fold(element.size(), |size, &dim| size.checked_mul(usize::try_from(dim).ok()?))
}

/// A device of a [`Client`].
#[derive(Clone, Debug)]
pub struct Device {
    pub(crate) raw: *mut sys::PJRT_Device,
    pub(crate) client: Client,
}

// SAFETY: the client owns the device and outlives this handle; PJRT's functions may be called from any thread.
unsafe impl Send for Device {}
// SAFETY: as above.
unsafe impl Sync for Device {}

/// What a device's allocator reports, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryStats {
    /// In use now.
    pub bytes_in_use: u64,
    /// The most that was in use at a time, if known.
    pub peak_bytes_in_use: Option<u64>,
    /// The most that may be allocated, if known.
    pub bytes_limit: Option<u64>,
}

impl Device {
    /// The number that device assignments use; unique among all processes of a run.
    ///
    /// # Errors
    /// The plugin cannot say.
    pub fn id(&self) -> Result<i32> {
        let args = sys::PJRT_DeviceDescription_Id_Args { device_description: self.description_raw()?, ..Call::new() };
        // SAFETY: the description lives as long as the device.
        let args = unsafe { self.client.owned().api.call(args) };
        Ok(args.doing(|| "reading a device's number".to_owned())?.id)
    }

    /// The device's number among those that the vendor's runtime shows this process, such as CUDA's ordinal; `None` if the plugin gives none.
    ///
    /// # Errors
    /// The plugin cannot say.
    pub fn local_hardware_id(&self) -> Result<Option<u32>> {
        let args = sys::PJRT_Device_LocalHardwareId_Args { device: self.raw, ..Call::new() };
        // SAFETY: the device lives as long as the client.
        let args = unsafe { self.client.owned().api.call(args) };
        let args = args.doing(|| "reading a device's number on this machine".to_owned())?;
        Ok(u32::try_from(args.local_hardware_id).ok())
    }

    /// The vendor's name for this kind of device, e.g. `NVIDIA H200`.
    ///
    /// # Errors
    /// The plugin cannot say.
    pub fn kind(&self) -> Result<String> {
        let args = sys::PJRT_DeviceDescription_Kind_Args { device_description: self.description_raw()?, ..Call::new() };
        // SAFETY: the description, and its string, live as long as the device.
        unsafe {
            let args = self.client.owned().api.call(args).doing(|| "reading a device's kind".to_owned())?;
            Ok(text(args.device_kind, args.device_kind_size))
        }
    }

    /// The device in words, with its number, e.g. `CudaDevice(id=0)`.
    ///
    /// # Errors
    /// The plugin cannot say.
    pub fn description(&self) -> Result<String> {
        let device_description = self.description_raw()?;
        let args = sys::PJRT_DeviceDescription_ToString_Args { device_description, ..Call::new() };
        // SAFETY: the description, and its string, live as long as the device.
        unsafe {
            let args = self.client.owned().api.call(args).doing(|| "reading a device's description".to_owned())?;
            Ok(text(args.to_string, args.to_string_size))
        }
    }

    /// What else the plugin tells of the device, such as NVIDIA's `compute_capability`, e.g. `9.0`.
    ///
    /// # Errors
    /// The plugin cannot say.
    pub fn attributes(&self) -> Result<Vec<(String, OptionValue)>> {
        let device_description = self.description_raw()?;
        let args = sys::PJRT_DeviceDescription_Attributes_Args { device_description, ..Call::new() };
        // SAFETY: the description lives as long as the device.
        let args = unsafe { self.client.owned().api.call(args) };
        // SAFETY: the attributes live as long as the description.
        args.and_then(|args| unsafe { read_named_values(args.attributes, args.num_attributes) })
            .doing(|| "reading a device's attributes".to_owned())
    }

    /// Memory in use, or `None` if this platform does not count it (CPU).
    ///
    /// # Errors
    /// The plugin fails to read its counters.
    pub fn memory_stats(&self) -> Result<Option<MemoryStats>> {
        let args = sys::PJRT_Device_MemoryStats_Args { device: self.raw, ..Call::new() };
        // SAFETY: the device lives as long as the client.
        let args = unsafe { self.client.owned().api.call(args) }.doing(|| "reading a device's memory use".to_owned());
        let args = match args {
            Err(Error::Plugin { code: Code::Unimplemented, .. }) => return Ok(None),
            args => args?,
        };
        let bytes = |count: i64| u64::try_from(count).unwrap_or(0);
        Ok(Some(MemoryStats {
            bytes_in_use: bytes(args.bytes_in_use),
            peak_bytes_in_use: args.peak_bytes_in_use_is_set.then(|| bytes(args.peak_bytes_in_use)),
            bytes_limit: args.bytes_limit_is_set.then(|| bytes(args.bytes_limit)),
        }))
    }

    fn description_raw(&self) -> Result<*mut sys::PJRT_DeviceDescription> {
        let args = sys::PJRT_Device_GetDescription_Args { device: self.raw, ..Call::new() };
        // SAFETY: the device lives as long as the client.
        let args = unsafe { self.client.owned().api.call(args) };
        Ok(args.doing(|| "describing a device".to_owned())?.device_description)
    }
}
