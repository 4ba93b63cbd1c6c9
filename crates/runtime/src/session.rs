//! One client, its devices, and the programs it compiles.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Once};
use std::time::Instant;

use file_cache::FileCache;
use graph::{DType, HostTensor, Program, Sharding};
use pjrt::{Buffer, Client, CompileOptions, Device, ElementType, Executable, Plugin, SerializedProgram};
use ranks::{GroupError, ProcessGroup};

use crate::aot::MEMORY_FRACTION;
use crate::host_functions;
use crate::platform_settings::{client_options, client_threads, client_variable, with_platform_flags};
use crate::plugins::{self, Environment, Platform};
use crate::processes::node;
use crate::program_key::{checksum, file_identity, key};
use crate::{Array, Hardware, Memory};

/// The result of a call into a [`Session`].
pub type Result<T> = std::result::Result<T, Error>;

/// Why a session could not do what was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A program could not be compiled.
    #[error("program {label}: {cause}")]
    Program {
        /// What the program was called.
        label: String,
        /// What the plugin said.
        cause: pjrt::Error,
    },
    /// The plugin started, but there is nothing to run on.
    #[error("the {platform} plugin finds no device on this machine")]
    NoDevice {
        /// The plugin's platform.
        platform: String,
    },
    /// A parameter cannot lie on the devices as it should.
    #[error("placing parameters on the mesh's devices: {cause}")]
    Layout {
        /// Why not.
        cause: graph::GraphError,
    },
    /// A mesh is larger than the machine.
    #[error("a mesh of {wanted} devices, but there are {found}: make `mesh` smaller")]
    Devices {
        /// The number of the mesh's devices.
        wanted: usize,
        /// The number of devices.
        found: usize,
    },
    /// A process would have no part of what all compute.
    #[error(
        "the mesh has {wanted} of the {found} devices of {processes} processes, and some would have no part: make it larger (`mesh.fsdp=auto` takes \
         all), or start fewer processes"
    )]
    Idle {
        /// The number of the mesh's devices.
        wanted: usize,
        /// The number of devices.
        found: usize,
        /// The number of processes.
        processes: u32,
    },
    /// The CPU's plugin cannot work with that of another process.
    #[error(
        "{size} processes were started, but the {platform} plugin computes in one process: start one, or run on GPUs"
    )]
    OneProcess {
        /// The plugin's platform.
        platform: Platform,
        /// How many processes there are.
        size: u32,
    },
    /// A tensor is in parts that other processes hold.
    #[error(
        "downloading a tensor of {parts} parts, of which this process holds {here}: gather it by a program whose result lies whole on each device"
    )]
    Elsewhere {
        /// How many parts it has.
        parts: usize,
        /// How many of them are here.
        here: usize,
    },
    /// Processes would wait for each other in different programs.
    #[error(
        "program {label}: this process of the run has another one than the others; give all of them the same files, settings and XLA_FLAGS"
    )]
    OtherProgram {
        /// What the program is called.
        label: String,
    },
    /// The other processes of the run did not answer.
    #[error(transparent)]
    Group(#[from] GroupError),
    /// A buffer holds elements of a type that host tensors do not have.
    #[error("downloading a tensor: element type {element} is not supported on the host")]
    ElementType {
        /// The buffer's type.
        element: ElementType,
    },
    /// A program's argument cannot be had.
    #[error("program {program}, argument {name}: {rule}")]
    Argument {
        /// What the program is called.
        program: String,
        /// The argument.
        name: String,
        /// What is wrong with it.
        rule: String,
    },
    /// A parameter's initial values cannot be drawn.
    #[error("drawing the initial values of {name}: {cause}")]
    Init {
        /// The parameter.
        name: String,
        /// Why not.
        cause: graph::GraphError,
    },
    /// The plugin refused a call.
    #[error(transparent)]
    Pjrt(#[from] pjrt::Error),
}

impl Error {
    /// Whether it says that memory is not enough: of a program that is compiled, or of a device.
    pub fn is_out_of_memory(&self) -> bool {
        let (Error::Program { cause, .. } | Error::Pjrt(cause)) = self else { return false };
        matches!(cause, pjrt::Error::Plugin { code: pjrt::Code::ResourceExhausted, .. })
    }
}

/// How a [`Session`] is set up.
#[derive(Clone, Debug)]
pub struct SessionOptions {
    /// The plugin's platform.
    pub platform: Platform,
    /// Where compiled programs are kept, if anywhere.
    pub cache: Option<FileCache>,
    /// GPU: the part of each device's memory that may be used, at most 1.
    pub memory_fraction: f32,
    /// GPU: whether that part is reserved at the start, which makes allocation fast and fragmentation rare.
    pub preallocate: bool,
    /// CPU: how many devices the processor is presented as, to try sharded programs; one if not set.
    pub cpu_device_count: Option<u32>,
    /// GPU: the run's processes, if there are several, each of which has one device of its own.
    pub group: Option<Arc<ProcessGroup>>,
    /// CUDA: the folder of the tools that compile, as [`cuda_toolchain`](plugins::cuda_toolchain) finds it; XLA looks for them
    /// itself if not set.
    pub cuda_toolchain: Option<PathBuf>,
    /// `XLA_FLAGS` as the plugin finds it in the process's environment. It is XLA that reads it; here it tells programs apart, and which of a
    /// platform's flags not to set.
    pub xla_flags: Option<OsString>,
}

impl SessionOptions {
    /// What commands use on `platform`: nearly all of a GPU's memory, and programs kept in the environment's cache.
    pub fn new(platform: Platform, environment: &Environment) -> SessionOptions {
        SessionOptions {
            platform,
            cache: environment.programs(),
            memory_fraction: MEMORY_FRACTION as f32,
            preallocate: true,
            cpu_device_count: None,
            group: None,
            // XLA's own search knows neither Finery's cache nor CUDA_HOME; PTX must not be made by two tools of two versions
            // for a program that is compiled here and one that is compiled ahead of time.
            cuda_toolchain: (platform == Platform::Cuda).then(|| plugins::cuda_toolchain(environment)).flatten(),
            xla_flags: environment.xla_flags.clone(),
        }
    }
}

/// A client with its devices. Programs are compiled once and kept on disk.
#[derive(Debug)]
pub struct Session {
    client: Client,
    /// This process's, in the order of `places`.
    devices: Vec<Device>,
    /// The numbers of all processes' devices, in the order in which meshes take them.
    all_ids: Vec<i32>,
    /// Where this process's devices stand among all.
    places: Vec<usize>,
    group: Option<Arc<ProcessGroup>>,
    platform: Platform,
    /// Whether programs on CPUs may call kernels of ours.
    calls_host_kernels: bool,
    cuda_toolchain: Option<PathBuf>,
    cache: Option<FileCache>,
    /// All that compiled programs depend on besides text and options.
    target: Vec<u8>,
    xla_flags: Vec<u8>,
}

impl Session {
    /// Starts a client of the plugin.
    ///
    /// # Errors
    /// The client does not start, or finds no device.
    pub fn open(plugin: Plugin, options: SessionOptions) -> Result<Session> {
        let started = Instant::now();
        let client_options = client_options(&options);
        let calls_host_kernels = options.platform == Platform::Cpu && host_functions::register(&plugin);
        let start = || match &options.group {
            None => Client::new(&plugin, &client_options),
            Some(group) => Client::among(&plugin, &client_options, node(group)),
        };
        let (client, threads) = pjrt::with_variable(
            || client_variable(&options),
            || (start(), client_threads(|name| std::env::var(name).ok())),
        );
        let client = client?;
        let mut devices = client.devices()?;
        let mut all_ids = ids(&devices)?;
        if let Some(group) = &options.group {
            all_ids = ids(&client.all_devices()?)?;
            if all_ids.len() == devices.len() {
                return Err(Error::OneProcess { platform: options.platform, size: group.size() });
            }
            all_ids.sort_unstable();
            devices.sort_by_cached_key(|device| device.id().ok());
        }
        let place = |id: &i32| all_ids.iter().position(|other| other == id);
        let places = ids(&devices)?.iter().filter_map(place).collect();
        let Some(first) = devices.first() else {
            return Err(Error::NoDevice { platform: client.platform_name().to_owned() });
        };
        // Without knowing what compiled a program, it must not be loaded.
        let (cache, compiler) = match compiler_identity(plugin.path(), options.platform) {
            Ok(identity) => (options.cache, identity),
            Err(error) => {
                tracing::debug!(plugin = %plugin.path().display(), %error, "programs are not kept");
                (None, Default::default())
            }
        };
        let xla_flags = options.xla_flags.as_deref().map(xla_flags).unwrap_or_default();
        let processes = options.group.as_ref().map_or(1, |group| group.size());
        let description = describe_target(&client, &first.kind()?, [devices.len(), processes as usize, threads]);
        let target = [&compiler[..], description.as_bytes(), b"\n", &xla_flags].concat();
        tracing::debug!(?client, devices = devices.len(), seconds = started.elapsed().as_secs_f64(), "client started");
        let SessionOptions { platform, group, cuda_toolchain, .. } = options;
        Ok(Session {
            client,
            devices,
            all_ids,
            places,
            group,
            platform,
            calls_host_kernels,
            cuda_toolchain,
            cache,
            target,
            xla_flags,
        })
    }

    /// The platform that it runs on.
    pub fn platform(&self) -> Platform {
        self.platform
    }

    /// The kind of its devices, for the choice of kernels.
    ///
    /// # Errors
    /// The plugin cannot describe them.
    pub fn hardware(&self) -> Result<Hardware> {
        Ok(Hardware::of(&self.devices[0], self.platform)?)
    }

    /// Whether kernels of ours run on its devices: those for GPUs, or on CPUs those that programs call.
    ///
    /// # Errors
    /// The plugin cannot describe them.
    pub fn runs_kernels(&self) -> Result<bool> {
        match self.platform {
            Platform::Cpu => Ok(self.calls_host_kernels),
            Platform::Cuda | Platform::Rocm => Ok(self.hardware()?.runs_gpu_kernels()),
        }
    }

    /// The client, for what this type does not cover.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// The devices of this process; there is at least one.
    pub fn devices(&self) -> &[Device] {
        &self.devices
    }

    /// How many devices all processes of the run have: those that a mesh may take.
    pub fn device_count(&self) -> usize {
        self.all_ids.len()
    }

    /// The run's processes, if there are several.
    pub fn group(&self) -> Option<&Arc<ProcessGroup>> {
        self.group.as_ref()
    }

    /// Where this process's devices stand in a mesh of so many devices.
    ///
    /// # Errors
    /// There are not so many devices in all processes together, or the mesh leaves some of several processes none.
    pub fn places(&self, wanted: usize) -> Result<&[usize]> {
        let found = self.device_count();
        match &self.group {
            _ if wanted > found => Err(Error::Devices { wanted, found }),
            Some(group) if wanted < found => Err(Error::Idle { wanted, found, processes: group.size() }),
            Some(_) => Ok(&self.places),
            None => Ok(&self.places[..wanted]),
        }
    }

    /// The memory of the first device, or `None` where nothing tells. A device that keeps no count of its own, the CPU, shares the host's.
    ///
    /// # Errors
    /// The plugin fails to read its counters.
    pub fn memory(&self) -> Result<Option<Memory>> {
        self.memory_of(&self.devices[0])
    }

    /// As [`Session::memory`], of a device of this session.
    ///
    /// # Errors
    /// The plugin fails to read its counters.
    pub fn memory_of(&self, device: &Device) -> Result<Option<Memory>> {
        let Some(stats) = device.memory_stats()? else { return Ok(Memory::of_host()) };
        Ok(stats.bytes_limit.map(|total| Memory {
            total,
            free: total.saturating_sub(stats.bytes_in_use),
            peak: stats.peak_bytes_in_use,
        }))
    }

    /// The memory of each of this process's devices that are in a mesh of `count`: what is free on the fullest of them, and the most that was
    /// in use on any. The processor's devices share the machine's.
    ///
    /// # Errors
    /// There is no such mesh, as [`Session::places`] says, or the plugin fails to read its counters.
    pub fn memory_of_each(&self, count: usize) -> Result<Option<Memory>> {
        let places = self.places(count)?;
        let shared = if self.platform == Platform::Cpu { count as u64 } else { 1 };
        let mut least: Option<Memory> = None;
        for (_, device) in places.iter().zip(&self.devices) {
            let Some(memory) = self.memory_of(device)? else { return Ok(None) };
            let before = least.unwrap_or(memory);
            least = Some(Memory {
                total: before.total.min(memory.total),
                free: before.free.min(memory.free),
                peak: before.peak.max(memory.peak),
            });
        }
        Ok(least.map(|memory| Memory { total: memory.total / shared, free: memory.free / shared, ..memory }))
    }

    /// Compiles a program (StableHLO as MLIR text), or loads it from the cache. `label` names it in messages.
    ///
    /// The platform's XLA flags are added to those of `options`, which win, as those in `XLA_FLAGS` do. A cache that cannot be read or written
    /// costs time and is no error.
    ///
    /// # Errors
    /// The compiler refuses the program.
    pub fn compile(&self, label: &str, text: &str, options: &CompileOptions) -> Result<Executable> {
        let toolchain = self.cuda_toolchain.as_deref();
        let options = with_platform_flags(self.platform, toolchain, &self.xla_flags, text, options.clone());
        let cached = self.cache.as_ref().map(|cache| (cache, key(&[text.as_bytes(), &options.encode(), &self.target])));
        let loaded = cached.as_ref().and_then(|(cache, key)| self.load(label, cache, key));
        let is_usable = match &self.group {
            Some(group) if options.partitions > 1 => {
                self.have_all(group, label, &[text.as_bytes(), &options.encode()], loaded.is_some())?
            }
            Some(_) | None => true,
        };
        if let Some(executable) = loaded.filter(|_| is_usable) {
            return Ok(executable);
        }
        let started = Instant::now();
        let executable = self.client.compile(text, &options);
        let executable = executable.map_err(|cause| Error::Program { label: label.to_owned(), cause })?;
        tracing::debug!(label, seconds = started.elapsed().as_secs_f64(), "compiled");
        if let Some((cache, key)) = &cached {
            store(label, cache, key, &executable);
        }
        Ok(executable)
    }

    /// Compiles a program for the devices that it says.
    ///
    /// # Errors
    /// There are not so many devices, or the compiler refuses the program.
    pub fn compile_program(&self, program: &Program) -> Result<Executable> {
        let options = match &program.mesh {
            // The plugin's own choice may be another process's device.
            None if self.group.is_some() => {
                CompileOptions { device_assignment: vec![self.devices[0].id()?], ..CompileOptions::default() }
            }
            None => CompileOptions::default(),
            Some(mesh) => {
                let count = mesh.device_count();
                self.places(count)?;
                CompileOptions::sharded(&self.all_ids[..count])
            }
        };
        match &program.mesh {
            None => self.compile(&program.name, &program.text, &options),
            // So that a profile can tell what a device's kernels compute.
            Some(_) => self.compile(&program.name, &graph::with_named_lines(&program.text), &options),
        }
    }

    /// Whether all processes have a program in their caches. If not, all compile it: compilers of several processes try kernels out together, so
    /// that one that compiles waits for the others, and all get the same kernels.
    fn have_all(&self, group: &ProcessGroup, label: &str, program: &[&[u8]], has: bool) -> Result<bool> {
        let identity = u64::from(checksum(&[program, &[&self.xla_flags[..]]].concat()));
        let size = u64::from(group.size());
        let sum = group.sum("a program", &[has.into(), identity])?;
        match sum == [sum[0], identity * size] {
            true => Ok(sum[0] == size),
            false => Err(Error::OtherProgram { label: label.to_owned() }),
        }
    }

    fn load(&self, label: &str, cache: &FileCache, key: &str) -> Option<Executable> {
        let started = Instant::now();
        let content = cache.load(key).unwrap_or_else(|error| {
            tracing::debug!(label, %error, "cannot read a compiled program");
            None
        });
        let Some(serialized) = SerializedProgram::from_bytes(content?) else {
            tracing::debug!(label, "a cached program is damaged; compiling it again");
            return None;
        };
        match self.client.load(&serialized) {
            Ok(executable) => {
                tracing::debug!(label, seconds = started.elapsed().as_secs_f64(), "loaded from the program cache");
                Some(executable)
            }
            Err(error) => {
                tracing::debug!(label, %error, "the plugin refuses a cached program; compiling it again");
                None
            }
        }
    }

    /// Copies a tensor to the first device.
    ///
    /// # Errors
    /// Its memory is full.
    pub fn upload(&self, tensor: &HostTensor<'_>) -> Result<Buffer> {
        self.upload_to(tensor, &self.devices[0])
    }

    /// Copies a tensor to a device of this session.
    ///
    /// # Errors
    /// The device's memory is full, or it is another session's.
    pub fn upload_to(&self, tensor: &HostTensor<'_>, device: &Device) -> Result<Buffer> {
        let dims: Vec<i64> = tensor.shape().iter().map(|&dim| dim as i64).collect();
        Ok(self.client.upload(tensor.bytes(), element_type(tensor.dtype()), &dims, device)?)
    }

    /// Copies a tensor to the first device, or its parts to those of a mesh that are this process's.
    ///
    /// # Errors
    /// There are not so many devices, or the memory of one is full.
    pub(crate) fn upload_parts(&self, tensor: &HostTensor<'_>, sharding: Option<&Sharding>) -> Result<Array> {
        self.upload_each(tensor.shape(), sharding, |ranges| Ok(tensor.part(ranges)))
    }

    /// Copies the parts of a tensor of this shape to the devices of a mesh, or all of it to the first device. `part` gives the elements of
    /// these ranges, and is asked once for what several devices hold.
    ///
    /// # Errors
    /// As [`Session::upload_parts`], and what `part` fails with.
    pub(crate) fn upload_each<'t, E: From<Error>>(
        &self,
        shape: &[usize],
        sharding: Option<&Sharding>,
        mut part: impl FnMut(&[Range<usize>]) -> std::result::Result<HostTensor<'t>, E>,
    ) -> std::result::Result<Array, E> {
        let Some(sharding) = sharding else {
            let all: Vec<_> = shape.iter().map(|size| 0..*size).collect();
            return Ok(self.upload(&part(&all)?)?.into());
        };
        let places = self.places(sharding.mesh().device_count())?;
        let mut holders: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (device, place) in places.iter().enumerate() {
            holders.entry(sharding.first_with_part_of(*place)).or_default().push(device);
        }
        let mut buffers: Vec<Option<Buffer>> = places.iter().map(|_| None).collect();
        for (place, devices) in holders {
            let tensor = part(&sharding.part(shape, place))?;
            for device in devices {
                buffers[device] = Some(self.upload_to(&tensor, &self.devices[device])?);
            }
        }
        let parts = buffers.into_iter().map(|buffer| buffer.expect("each device holds a part")).collect();
        Ok(Array::new(parts, Some(sharding.clone())))
    }

    /// Waits for a buffer and copies it to the host.
    ///
    /// # Errors
    /// The buffer was donated, what was to compute it failed, or its type is unknown on the host.
    pub fn download(&self, buffer: &Buffer) -> Result<HostTensor<'static>> {
        let element = buffer.element_type()?;
        let dtype = dtype(element).ok_or(Error::ElementType { element })?;
        let shape: Vec<usize> = buffer.dims()?.iter().map(|&dim| dim as usize).collect();
        let bytes = buffer.download()?;
        Ok(HostTensor::new(dtype, &shape, bytes).expect("a download fills the buffer's shape"))
    }
}

fn ids(devices: &[Device]) -> Result<Vec<i32>> {
    devices.iter().map(|device| Ok(device.id()?)).collect()
}

fn store(label: &str, cache: &FileCache, key: &str, executable: &Executable) {
    let serialized = match executable.serialize() {
        Ok(serialized) => serialized,
        Err(error) => return tracing::debug!(label, %error, "the plugin cannot write this program"),
    };
    if let Err(error) = cache.store(key, |file| file.write_all(serialized.as_bytes())) {
        tracing::debug!(label, %error, "cannot store a compiled program");
        // It will be so with the next ones.
        static TOLD: Once = Once::new();
        TOLD.call_once(|| {
            let cache = cache.dir().display();
            tracing::warn!(
                "compiled programs are not kept in {cache}, so that each start compiles them again: {error}"
            );
        });
    }
}

/// What tells the plugin from another, and the vendors' libraries with it: a program holds algorithms of theirs, chosen by trying them.
fn compiler_identity(plugin: &Path, platform: Platform) -> io::Result<Vec<u8>> {
    let files = std::iter::once(plugin.to_path_buf()).chain(plugins::loaded_libraries(platform));
    let identities: Vec<_> = files.map(|file| file_identity(&file)).collect::<io::Result<_>>()?;
    Ok(identities.concat())
}

/// The devices and software that machine code is for; the numbers of devices, of processes and of the client's threads.
fn describe_target(client: &Client, kind: &str, [devices, processes, threads]: [usize; 3]) -> String {
    let version = client.platform_version();
    // The CPU compiler uses the instructions of this processor, and splits loops by the client's number of threads.
    let (host, threads) = match client.platform_name() {
        "cpu" => (processor(), threads),
        _ => (String::new(), 0),
    };
    format!("{}\n{version}\n{kind}\n{devices}\n{processes}\n{threads}\n{host}", client.platform_name())
}

/// The flags in the value of `XLA_FLAGS`: the value itself or, if it does not begin with a dash, what is in the file of that name.
pub(crate) fn xla_flags(value: &OsStr) -> Vec<u8> {
    let value_bytes = value.as_encoded_bytes();
    if value_bytes.trim_ascii_start().starts_with(b"-") {
        return value_bytes.to_vec();
    }
    // XLA goes without flags where there is no such file.
    std::fs::read(value).unwrap_or_default()
}

/// What `/proc/cpuinfo` says of the first processor's model and instructions, on x86 and Arm.
fn processor() -> String {
    const NAMES: [&str; 7] =
        ["vendor_id", "model name", "flags", "CPU implementer", "CPU variant", "CPU part", "Features"];
    let info = std::fs::read_to_string(Path::new("/proc/cpuinfo")).unwrap_or_default();
    let first = info.split("\n\n").next().unwrap_or_default();
    let told = first.lines().filter(|line| NAMES.contains(&line.split(':').next().unwrap_or_default().trim()));
    told.collect::<Vec<_>>().join("\n")
}

pub(crate) fn element_type(dtype: DType) -> ElementType {
    match dtype {
        DType::Bool => ElementType::Pred,
        DType::U8 => ElementType::U8,
        DType::U16 => ElementType::U16,
        DType::U32 => ElementType::U32,
        DType::I32 => ElementType::S32,
        DType::I64 => ElementType::S64,
        DType::F8E4M3FN => ElementType::F8E4M3FN,
        DType::F8E5M2 => ElementType::F8E5M2,
        DType::F8E4M3FNUZ => ElementType::F8E4M3FNUZ,
        DType::F8E5M2FNUZ => ElementType::F8E5M2FNUZ,
        DType::BF16 => ElementType::BF16,
        DType::F16 => ElementType::F16,
        DType::F32 => ElementType::F32,
        DType::F64 => ElementType::F64,
    }
}

fn dtype(element: ElementType) -> Option<DType> {
    const ALL: [DType; 14] = [
        DType::Bool,
        DType::U8,
        DType::U16,
        DType::U32,
        DType::I32,
        DType::I64,
        DType::F8E4M3FN,
        DType::F8E5M2,
        DType::F8E4M3FNUZ,
        DType::F8E5M2FNUZ,
        DType::BF16,
        DType::F16,
        DType::F32,
        DType::F64,
    ];
    ALL.into_iter().find(|&dtype| element_type(dtype) == element)
}
